//! Fill a position's sets once its value is known: `A(j, e, c)` of the position itself, for whoever moves to it.
//!
//! `A(j, e, c)` holds the position's own value unless `c = 0`, and for each single move of residue `r` by a multiple of
//! `p^e` the set `A(j - 1, e, c - r)` of where it leads; `A(0, e, c)` is the own value alone. Twin of
//! `shaders/walks.wgsl`.

use super::mex::Stuck;
use super::subset::{Cells, Move, POISON, Params, Set, insert};

/// Fills the sets in `cell`, the position's own cell, whose first word is its value.
///
/// # Errors
/// [`Stuck::Unsolved`] if a move leads to a cell that was not solved.
///
/// # Safety
/// The moves lead to cells of lower levels, which no thread is writing.
#[inline(always)]
pub unsafe fn solve<const W: usize>(
    p: &Params<'_>,
    cells: &Cells,
    moves: &[Move],
    cell: &mut [u32],
) -> Result<(), Stuck> {
    let modulus = p.plan.modulus as usize;
    let (own, sets) = cell.split_first_mut().expect("a cell holds a value");
    let (sets, _) = sets.as_chunks_mut::<W>();
    sets.fill([0; W]);
    let ord = |mv: &Move| usize::from(p.ord[mv.distance as usize]);
    for (layer, sets) in (0u32..).zip(sets.chunks_exact_mut(p.plan.exponents as usize * modulus)) {
        for mv in moves {
            for (e, sets) in sets.chunks_exact_mut(modulus).enumerate().take(ord(mv) + 1) {
                let r = p.residue[e][mv.distance as usize] as usize;
                if layer == 0 {
                    // By residue; turned into "every other residue" below.
                    // SAFETY: as promised by the caller.
                    let value = unsafe { cells.word(mv.at) };
                    if !insert(&mut sets[r], value) {
                        return Err(if value == POISON { Stuck::Unsolved } else { Stuck::Full });
                    }
                } else {
                    // SAFETY: as promised by the caller.
                    let from = unsafe { cells.words(mv.at + p.set_at(layer - 1, e as u32), modulus * W) };
                    let (from, _) = from.as_chunks::<W>();
                    let (before, after) = from.split_at(modulus - r);
                    unite(&mut sets[r..], before);
                    unite(&mut sets[..r], after);
                }
            }
        }
        for sets in sets.chunks_exact_mut(modulus) {
            if layer == 0 {
                all_but_one(sets);
            }
            for set in &mut sets[1..] {
                if !insert(set, *own) {
                    return Err(Stuck::Full);
                }
            }
        }
    }
    Ok(())
}

#[inline(always)]
fn unite<const W: usize>(to: &mut [Set<W>], from: &[Set<W>]) {
    for (to, from) in to.iter_mut().zip(from) {
        for (to, from) in to.iter_mut().zip(from) {
            *to |= from;
        }
    }
}

/// Puts in place of each set the union of all the others.
#[inline(always)]
fn all_but_one<const W: usize>(sets: &mut [Set<W>]) {
    for w in 0..W {
        // Seen exactly once, and seen at all: a bit of one set only is missing from that set's union of the others.
        let (mut once, mut ever) = (0, 0);
        for set in sets.iter() {
            once = once & !set[w] | set[w] & !ever;
            ever |= set[w];
        }
        for set in sets.iter_mut() {
            set[w] = ever & !(once & set[w]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unions_of_all_others() {
        let mut sets = [[0b0011], [0b0101], [0b1001]];
        all_but_one(&mut sets);
        assert_eq!(sets, [[0b1101], [0b1011], [0b0111]]);
        let mut sets = [[6], [0]];
        all_but_one(&mut sets);
        assert_eq!(sets, [[0], [6]]);
    }
}
