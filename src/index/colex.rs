//! Colex ranks: the masks with `m` coins on `[0, n)`, numbered in increasing order.
//!
//! Coins `x_0 < x_1 < ... < x_{m-1}` have rank `SUM over j of C(x_j, j + 1)` (the combinatorial number system,
//! E. Pascal 1887, D. H. Lehmer 1964). It does not depend on `n`.

use super::binomial;

/// Ranks and masks of `m` coins, with every binomial coefficient they need.
#[derive(Clone, Debug)]
pub struct Colex {
    /// Number of squares, at most 64.
    pub window: u32,
    /// Number of coins, at most `window`.
    pub coins: u32,
    /// `C(a, j)` at `a * (coins + 2) + j`, for squares `a` and `j <= coins + 1`.
    pub binomials: Vec<u64>,
}

impl Colex {
    /// Tables for `coins <= window <= 64`.
    pub fn new(window: u32, coins: u32) -> Self {
        assert!(coins <= window && window <= 64, "plan: {coins} coins on {window} squares");
        let row = |a| (0..=coins + 1).map(move |j| binomial(a, j) as u64);
        Self { window, coins, binomials: (0..window.max(1)).flat_map(row).collect() }
    }

    /// Number of positions: `C(window, coins)`, at most `C(64, 32) < 2^61`.
    pub fn positions(&self) -> u64 {
        binomial(self.window, self.coins) as u64
    }

    /// `C(a, j)` for a square `a` and `j <= coins + 1`.
    #[inline(always)]
    pub fn binomial(&self, a: u32, j: u32) -> u64 {
        self.binomials[(a * (self.coins + 2) + j) as usize]
    }

    /// The rank of a mask with `coins` coins inside the window.
    #[inline(always)]
    pub fn rank(&self, mask: u64) -> u64 {
        let (mut rank, mut left) = (0, mask);
        for j in 1..=self.coins {
            rank += self.binomial(left.trailing_zeros(), j);
            left &= left - 1;
        }
        rank
    }

    /// The mask of a rank below [`Colex::positions`].
    pub fn unrank(&self, mut rank: u64) -> u64 {
        let (mut mask, mut a) = (0, self.window);
        for j in (1..=self.coins).rev() {
            a = (0..a).rev().find(|a| self.binomial(*a, j) <= rank).expect("a rank below the number of positions");
            rank -= self.binomial(a, j);
            mask |= 1 << a;
        }
        mask
    }
}

/// The next larger mask with as many coins (R. W. Gosper, HAKMEM item 175, 1972); meaningless after the greatest.
#[inline(always)]
pub fn next(mask: u64) -> u64 {
    if mask == 0 {
        return 0;
    }
    let least = mask & mask.wrapping_neg();
    let carried = mask.wrapping_add(least);
    ((carried ^ mask) >> 2) >> least.trailing_zeros() | carried
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_count_the_masks_in_order() {
        for window in 0..=12 {
            for coins in 0..=window {
                let colex = Colex::new(window, coins);
                let masks = (0..1u64 << window).filter(|mask| mask.count_ones() == coins);
                let mut walked = colex.unrank(0);
                let mut rank = 0;
                for mask in masks {
                    assert_eq!((colex.rank(mask), colex.unrank(rank), walked), (rank, mask, mask));
                    walked = next(walked);
                    rank += 1;
                }
                assert_eq!(rank, colex.positions());
            }
        }
    }

    #[test]
    fn ranks_reach_64_squares() {
        for coins in [0, 1, 17, 32, 63, 64] {
            let colex = Colex::new(64, coins);
            let last = colex.positions() - 1;
            for rank in [0, last / 3, last / 2, last] {
                assert_eq!(colex.rank(colex.unrank(rank)), rank);
            }
            let greatest = if coins == 0 { 0 } else { u64::MAX << (64 - coins) };
            assert_eq!(colex.unrank(last), greatest);
        }
    }
}
