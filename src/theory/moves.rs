//! All moves from a position to positions of a wished value, without search (after J. H. Conway, On Numbers and Games,
//! 1976, ch. 13), for many coins at once in O(m log m).
//!
//! # Theorem
//!
//! Let `n = [a|R]` be the value of a position, `n' != n` the wished one, and `a'` the solution of `[a'|R] = n'`. Let
//! `c_L(x)` be the number of coins of `R` that are congruent to `x` modulo `2^L`, and `d = n XOR n'` with lowest bit `t`.
//! Then `a'` agrees with `a XOR d` up to bit `t`, and for each `L > t`
//!
//! ```text
//! bit L of a' = bit L of (a XOR d), flipped if c_L(a) + c_L(a') is odd.
//! ```
//!
//! Proof: `[a|R] = a XOR [R] XOR M(a, r) over all r in R`, and bit `L` of `M(a, r)` is 1 iff `r` is congruent to `a`
//! modulo `2^L`. Take the XOR of this equation for `a` and for `a'`: bit `L` of `a XOR a' XOR d` is the parity of
//! `c_L(a) + c_L(a')`. Below bit `t` and at it, induction gives `a'` congruent to `a` modulo `2^L`, so the two counts are
//! equal. `c_L(a')` needs only the bits of `a'` below `L`, so the bits are found from the lowest up.
//!
//! The counts are read off the trie of [`Mating`], which holds `X = R + a`: above `t` the class of `a` has one coin more
//! there than in `R`, the class of `a'` just as many. One walk down the trie a coin does it; where `a'` leaves the
//! trie the counts are 0 for good, and the bits left are read off at once.
//!
//! The move `a -> a'` is legal iff `a' < a`: the square is empty, for `a' = r` in `R` would make the norm negative
//! (`M(r, r) = -1`). With all coins and `n'` below `2^63`, `a'` is below `2^64`: at level 63 a class holds at most one
//! coin `r`, and if `a'` is congruent to it modulo `2^63`, then bit 63 of `a'` is 1 and of `r` is 0. So 64 bits hold it.

use rayon::prelude::*;

use super::mating::{Class, LAST_SQUARE, MANY, Mating};

/// A coin's move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    /// The coin's square.
    pub from: u64,
    /// The empty square below that it goes to.
    pub to: u64,
}

impl Mating {
    /// Every move to a position of value `wished`, in the order of `from`; at most one for each coin.
    ///
    /// Their number is odd for `wished` below the value, even above it, and 0 for the value itself.
    ///
    /// ```
    /// use welter::theory::{mating::Mating, moves::Move};
    /// let position = Mating::new(&[2, 3, 5, 7, 11, 13, 17, 19, 23])?;
    /// assert_eq!(position.moves_to(0), [Move { from: 13, to: 1 }]);
    /// # Ok::<(), welter::theory::mating::NotAPosition>(())
    /// ```
    pub fn moves_to(&self, wished: u64) -> Vec<Move> {
        let d = self.value() ^ wished;
        // No position of coins up to LAST_SQUARE has a larger value.
        if d == 0 || wished > LAST_SQUARE {
            return Vec::new();
        }
        let upto = below(d.trailing_zeros() + 1);
        let others = self.parities();
        let go = |(&from, others): (&u64, &u64)| {
            let to = self.altered(from ^ d ^ (others & !upto), upto);
            (to < from).then_some(Move { from, to })
        };
        let mut moves: Vec<Move> = if self.coins.len() < MANY {
            self.coins.iter().zip(&others).filter_map(go).collect()
        } else {
            self.coins.par_iter().zip(&others).filter_map(go).collect()
        };
        moves.sort_unstable();
        moves
    }

    /// For each coin, in radix order: bit `L` is the parity of the number of *other* coins congruent to it modulo `2^L`.
    fn parities(&self) -> Vec<u64> {
        let mut parities = vec![0; self.coins.len()];
        if self.coins.is_empty() {
            return parities;
        }
        let mut walks = vec![(self.root, 0, 0)];
        while let Some((link, above, word)) = walks.pop() {
            match self.class(link) {
                Class::Coin(i) => parities[i] = word,
                Class::Node(node) => {
                    let next = u32::from(node.level) + 1;
                    let here = if node.odd { 0 } else { below(next) & !below(above) };
                    walks.extend(node.halves.map(|half| (half, next, word | here)));
                }
            }
        }
        parities
    }

    /// The number whose bit `L` is that of `base`, flipped if `L` is not in `fixed` and the class of its bits below `L`
    /// is odd.
    fn altered(&self, base: u64, fixed: u64) -> u64 {
        let (mut link, mut from, mut found) = (self.root, 0, 0);
        loop {
            let (level, sample, odd) = match self.class(link) {
                Class::Coin(i) => (u64::BITS, self.coins[i], true),
                Class::Node(node) => (node.level.into(), node.sample, node.odd),
            };
            // As long as the bits agree with the class, down to where it splits.
            let word = if odd { base ^ !fixed } else { base };
            let leaves = (word ^ sample) & below(level) & !below(from);
            if leaves != 0 {
                let done = below(leaves.trailing_zeros() + 1);
                return found | word & done & !below(from) | base & !done;
            }
            let Class::Node(node) = self.class(link) else {
                // Congruent to a coin modulo 2^64: the theorem rules it out.
                unreachable!("an altered coin falls on another coin");
            };
            found |= word & below(level + 1) & !below(from);
            from = level + 1;
            link = node.halves[(word >> level & 1) as usize];
        }
    }
}

/// The bits below bit `n`, for `n <= 64`.
fn below(n: u32) -> u64 {
    if n >= u64::BITS { u64::MAX } else { (1 << n) - 1 }
}
