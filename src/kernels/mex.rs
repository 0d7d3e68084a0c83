//! Solve a position: the least value that none of its options has, from the sets of its single moves.
//!
//! The options' values are, for each `e`, those of at most `steps` single moves by multiples of `p^e` with a total that
//! `p^(e + 1)` does not divide. So a first move of residue `r` leads to `A(steps - 1, e, -r)`.
//! Twin of `shaders/mex.wgsl`.

use super::subset::{Cells, Move, POISON, Params, Set, insert};

/// Why a position could not be solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stuck {
    /// Its options take every value that the set can hold.
    Full,
    /// An option was not solved before it.
    Unsolved,
}

/// The value of the position with these moves.
///
/// # Errors
/// [`Stuck`].
///
/// # Safety
/// The moves lead to cells of lower levels, which no thread is writing.
#[inline(always)]
pub unsafe fn solve<const W: usize>(p: &Params<'_>, cells: &Cells, moves: &[Move]) -> Result<u32, Stuck> {
    let mut seen: Set<W> = [0; W];
    match p.plan.steps {
        0 => {}
        1 => {
            for mv in moves {
                // SAFETY: as promised by the caller.
                let value = unsafe { cells.word(mv.at) };
                if !insert(&mut seen, value) {
                    return Err(if value == POISON { Stuck::Unsolved } else { Stuck::Full });
                }
            }
        }
        steps => {
            let modulus = p.plan.modulus;
            for mv in moves {
                for e in 0..=u32::from(p.ord[mv.distance as usize]) {
                    let r = p.residue[e as usize][mv.distance as usize];
                    let c = if r == 0 { 0 } else { modulus - r };
                    let at = mv.at + p.set_at(steps - 2, e) + c as usize * W;
                    for (w, seen) in seen.iter_mut().enumerate() {
                        // SAFETY: as promised by the caller.
                        *seen |= unsafe { cells.word(at + w) };
                    }
                }
            }
        }
    }
    let full = seen.iter().take_while(|word| **word == u32::MAX).count();
    match seen.get(full) {
        Some(word) => Ok(32 * full as u32 + word.trailing_ones()),
        // SAFETY: as promised by the caller.
        None if moves.iter().any(|mv| unsafe { cells.word(mv.at) } == POISON) => Err(Stuck::Unsolved),
        None => Err(Stuck::Full),
    }
}
