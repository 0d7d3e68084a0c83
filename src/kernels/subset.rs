//! Shared by the kernels of the saturations: their arguments, the cells, and the single moves of a position.
//!
//! A cell holds a position's value and, for each `j` of `1..steps`, `e` and residue `c`, the set
//! `A(j, e, c)` of the values of all positions reached from it by at most `j` single moves whose distances are all
//! divisible by `p^e` and do not add up to `c p^e` modulo `p^(e + 1)`. `docs/SATURATIONS.md` proves that the options of
//! `X` in `W_{p,k}` are what the sets `A(k - 1, e, 0)` of `X` say, and that they follow from the cells of its single
//! moves. Twin of `shaders/subset.wgsl`.

use std::cell::UnsafeCell;

use crate::index::colex::Colex;
use crate::index::sums::Sums;
use crate::plan::options::OptionPlan;

/// The value of a cell that was not solved yet; its sets are full then.
pub const POISON: u32 = u32::MAX;

/// The first argument of every kernel.
pub struct Params<'a> {
    /// The plan.
    pub plan: &'a OptionPlan,
    /// Ranks.
    pub colex: &'a Colex,
    /// Levels.
    pub sums: &'a Sums,
    /// For each distance below 64: how often the modulus divides it.
    pub ord: [u8; 64],
    /// For each `e` and distance `d` that `p^e` divides: `d / p^e` modulo `p`.
    pub residue: Vec<[u32; 64]>,
}

impl<'a> Params<'a> {
    /// Tables of a plan.
    pub fn new(plan: &'a OptionPlan, colex: &'a Colex, sums: &'a Sums) -> Self {
        let p = plan.modulus;
        let mut ord = [0u8; 64];
        for (d, ord) in (0u32..).zip(&mut ord).skip(1) {
            *ord = (1..plan.exponents).take_while(|e| d % p.pow(*e) == 0).count() as u8;
        }
        let residue = (0..plan.exponents).map(|e| std::array::from_fn(|d| d as u32 / p.pow(e) % p)).collect();
        Self { plan, colex, sums, ord, residue }
    }

    /// Where in a cell the first set for this `layer` (`j - 1`) and `e` is.
    #[inline(always)]
    pub fn set_at(&self, layer: u32, e: u32) -> usize {
        (1 + (layer * self.plan.exponents + e) * self.plan.modulus * self.plan.words) as usize
    }
}

/// The cells of all positions, by colex rank; those of one level are written while those of lower levels are read.
pub struct Cells {
    words: Vec<UnsafeCell<u32>>,
}

// SAFETY: every access says by its contract that no other thread writes what it touches.
unsafe impl Sync for Cells {}

impl Cells {
    /// Poisoned cells of a plan.
    pub fn new(plan: &OptionPlan) -> Self {
        let words = plan.positions as usize * plan.stride as usize;
        let mut words = std::mem::ManuallyDrop::new(vec![POISON; words]);
        // SAFETY: UnsafeCell<u32> has the layout of u32.
        let words = unsafe { Vec::from_raw_parts(words.as_mut_ptr().cast(), words.len(), words.capacity()) };
        Self { words }
    }

    /// The word at `at`.
    ///
    /// # Safety
    /// `at` is within the cells, in the cell of a position whose level no thread is writing.
    #[inline(always)]
    pub unsafe fn word(&self, at: usize) -> u32 {
        debug_assert!(at < self.words.len());
        // SAFETY: as promised by the caller.
        unsafe { *self.words.get_unchecked(at).get() }
    }

    /// `count` words from `at`.
    ///
    /// # Safety
    /// As for [`Cells::word`], for all of them, as long as the slice lives.
    #[inline(always)]
    pub unsafe fn words(&self, at: usize, count: usize) -> &[u32] {
        debug_assert!(at + count <= self.words.len());
        // SAFETY: as promised by the caller.
        unsafe { std::slice::from_raw_parts(self.words.as_ptr().add(at).cast(), count) }
    }

    /// `count` words from `at`, to be written.
    ///
    /// # Safety
    /// They are within the cells, and no other thread reads or writes them as long as the slice lives.
    #[inline(always)]
    #[allow(clippy::mut_from_ref)]
    pub unsafe fn words_mut(&self, at: usize, count: usize) -> &mut [u32] {
        debug_assert!(at + count <= self.words.len());
        // SAFETY: as promised by the caller.
        unsafe { std::slice::from_raw_parts_mut(self.words[at].get(), count) }
    }
}

/// A single move: where the cell of the position it leads to begins, and its distance.
#[derive(Clone, Copy, Debug)]
pub struct Move {
    /// Word in the cells.
    pub at: usize,
    /// Distance, 1 to 63.
    pub distance: u32,
}

/// Lists the single moves of a mask, and tells where its own cell begins.
///
/// When coin number `i` enters the empty square `b` with `l` coins below it, the coins between move up one place in the
/// rank. So the new rank is what `b` and `l` give plus what `i` gives, and each is worked out once.
#[inline(always)]
pub fn moves(p: &Params<'_>, mask: u64, moves: &mut Vec<Move>) -> usize {
    moves.clear();
    let stride = p.plan.stride as usize;
    // Sums over the coins below number l of what each adds to a rank at its own place, and one place up. Wrapping: sums
    // of places that no position has may pass 64 bits, and are subtracted again.
    let (mut own, mut up) = ([0usize; 65], [0usize; 65]);
    let mut coins = [0u32; 64];
    // The empty squares, and what each gives.
    let (mut squares, mut gives) = ([0u32; 64], [0usize; 64]);
    let (mut l, mut empty, mut left) = (0usize, 0usize, mask);
    for a in 0..64 - mask.leading_zeros() {
        // Coin or empty square, both are written and one is kept: no branch that cannot be foreseen.
        let own_place = own[l].wrapping_add(p.colex.binomial(a, l as u32 + 1) as usize);
        coins[l] = a;
        own[l + 1] = own_place;
        up[l + 1] = up[l].wrapping_add(p.colex.binomial(a, l as u32 + 2) as usize);
        squares[empty] = a;
        gives[empty] = own_place.wrapping_sub(up[l]);
        l += (left & 1) as usize;
        empty += (!left & 1) as usize;
        left >>= 1;
    }
    for (i, &a) in coins[..l].iter().enumerate() {
        let coin_gives = up[i].wrapping_add(own[l] - own[i + 1]);
        let below = a as usize - i;
        moves.extend(squares[..below].iter().zip(&gives[..below]).map(|(b, square_gives)| Move {
            at: square_gives.wrapping_add(coin_gives).wrapping_mul(stride),
            distance: a - b,
        }));
    }
    own[l] * stride
}

/// A set of values below `32 W`.
pub type Set<const W: usize> = [u32; W];

/// Adds a value that the set is wide enough for; says if it is not.
#[inline(always)]
#[must_use]
pub fn insert<const W: usize>(set: &mut Set<W>, value: u32) -> bool {
    let word = (value / 32) as usize;
    if word >= W {
        return false;
    }
    set[word] |= 1 << (value % 32);
    true
}
