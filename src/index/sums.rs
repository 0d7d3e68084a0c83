//! The masks with `m` coins on `[0, n)` in levels by coin sum; inside a level by increasing mask.
//!
//! The *level* of a position is its coin sum less the least one, `m (m - 1) / 2`: the number of cells of its Young
//! diagram, 0 to `m (n - m)`. The `i`-th mask of a level is found by counting, square by square from the top: no list
//! of positions is ever sorted or kept.

/// Counts that find any position of any level.
#[derive(Clone, Debug)]
pub struct Sums {
    /// Number of squares.
    pub window: u32,
    /// Number of coins.
    pub coins: u32,
    /// Number of levels.
    pub levels: u32,
    /// Masks with `j` coins on `[0, n)` of level `s`, at `(j * (window + 1) + n) * levels + s`.
    pub counts: Vec<u64>,
}

impl Sums {
    /// Counts for `coins <= window <= 64`: at most 18 MB.
    pub fn new(window: u32, coins: u32) -> Self {
        assert!(coins <= window && window <= 64, "plan: {coins} coins on {window} squares");
        let levels = coins * (window - coins) + 1;
        let mut sums = Self { window, coins, levels, counts: vec![0; Self::entries(window, coins) as usize] };
        for j in 0..=coins {
            for n in j..=window {
                for s in 0..levels {
                    // Without square n - 1, or with the j-th coin there: a row of n - j cells.
                    let without = if n > j { sums.count(j, n - 1, s) } else { 0 };
                    let with = if j > 0 && s >= n - j { sums.count(j - 1, n - 1, s - (n - j)) } else { 0 };
                    let at = sums.at(j, n, s);
                    sums.counts[at] = if j == 0 { u64::from(s == 0) } else { without + with };
                }
            }
        }
        sums
    }

    /// Number of counts kept.
    pub fn entries(window: u32, coins: u32) -> u64 {
        let levels = u64::from(coins * (window - coins)) + 1;
        u64::from(coins + 1) * u64::from(window + 1) * levels
    }

    #[inline(always)]
    fn at(&self, j: u32, n: u32, s: u32) -> usize {
        ((j * (self.window + 1) + n) * self.levels + s) as usize
    }

    #[inline(always)]
    fn count(&self, j: u32, n: u32, s: u32) -> u64 {
        self.counts[self.at(j, n, s)]
    }

    /// Number of positions of a level.
    pub fn size(&self, level: u32) -> u64 {
        self.count(self.coins, self.window, level)
    }

    /// Calls `visit` with `count` masks of a level from number `first` on, in order.
    pub fn masks(&self, level: u32, first: u64, count: u64, visit: &mut impl FnMut(u64)) {
        let (mut skip, mut left) = (first, count);
        self.descend(self.coins, self.window, level, 0, &mut skip, &mut left, visit);
    }

    /// The masks with `j` more coins on `[0, n)` of level `s`: the topmost of them has a row as long as the others
    /// need it to be, at least, so that no choice of it leads nowhere.
    #[allow(clippy::too_many_arguments)]
    fn descend(&self, j: u32, n: u32, s: u32, mask: u64, skip: &mut u64, left: &mut u64, visit: &mut impl FnMut(u64)) {
        if j == 0 {
            if *skip > 0 {
                *skip -= 1;
            } else if *left > 0 {
                *left -= 1;
                visit(mask);
            }
            return;
        }
        for row in s.div_ceil(j)..=s.min(n - j) {
            if *left == 0 {
                return;
            }
            let square = row + j - 1;
            if *skip > 0 {
                let below = self.count(j - 1, square, s - row);
                if *skip >= below {
                    *skip -= below;
                    continue;
                }
            }
            self.descend(j - 1, square, s - row, mask | 1 << square, skip, left, visit);
        }
    }

    /// The mask number `index` of a level.
    #[inline]
    pub fn unrank(&self, level: u32, mut index: u64) -> u64 {
        let (mut mask, mut j, mut n, mut s) = (0u64, self.coins, self.window, level);
        while j > 0 {
            // All the squares that are left are taken by coins, or the topmost may be empty.
            let without = if n > j { self.count(j, n - 1, s) } else { 0 };
            if index < without {
                n -= 1;
            } else {
                index -= without;
                mask |= 1 << (n - 1);
                s -= n - j;
                j -= 1;
                n -= 1;
            }
        }
        mask
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Position;

    #[test]
    fn levels_hold_every_position_once() {
        for window in 0..=11 {
            for coins in 0..=window {
                let sums = Sums::new(window, coins);
                let least = u64::from(coins * coins.saturating_sub(1) / 2);
                let mut found = 0;
                for level in 0..sums.levels {
                    let masks: Vec<u64> = (0..1u64 << window)
                        .filter(|m| m.count_ones() == coins && Position(*m).coin_sum() == least + u64::from(level))
                        .collect();
                    let unranked: Vec<u64> = (0..sums.size(level)).map(|i| sums.unrank(level, i)).collect();
                    assert_eq!(unranked, masks);
                    for (first, count) in [(0, masks.len()), (1, 3), (masks.len() / 2, 5), (masks.len(), 1)] {
                        let mut walked = Vec::new();
                        sums.masks(level, first as u64, count as u64, &mut |mask| walked.push(mask));
                        let expected: Vec<u64> = masks.iter().copied().skip(first).take(count).collect();
                        assert_eq!(walked, expected, "{count} from {first}");
                    }
                    found += masks.len() as u128;
                }
                assert_eq!(found, crate::index::binomial(window, coins));
            }
        }
    }

    #[test]
    fn levels_reach_64_squares() {
        let sums = Sums::new(64, 32);
        assert_eq!((0..sums.levels).map(|level| sums.size(level)).sum::<u64>(), 1_832_624_140_942_590_534);
        assert_eq!(sums.unrank(0, 0), u64::from(u32::MAX));
        assert_eq!(sums.unrank(1024, 0), u64::from(u32::MAX) << 32);
    }
}
