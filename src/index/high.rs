//! The high squares of a window: their masks in an order that respects every move, cut into levels.

/// High masks of one level and one number of coins: they are independent of each other and alike in shape.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// The level.
    pub level: u32,
    /// Coins on high squares.
    pub coins: u32,
    /// Where its masks lie in [`HighMasks::masks`].
    pub at: std::ops::Range<usize>,
}

/// All masks of the high squares, by level.
///
/// The *level* of a mask is the sum of `a + 1` over its coins' squares `a`, counted from the first high square.
/// Every move that touches a high coin lowers it: the coin goes down, or drops below the high squares and leaves.
#[derive(Clone, Debug)]
pub struct HighMasks {
    /// Number of high squares.
    pub high: u32,
    /// The masks, by (level, coins, mask).
    pub masks: Vec<u32>,
    /// The runs, in order.
    pub runs: Vec<Run>,
}

/// The level of a high mask.
pub fn level(mask: u32) -> u32 {
    let mut level = 0;
    let mut left = mask;
    while left != 0 {
        level += left.trailing_zeros() + 1;
        left &= left - 1;
    }
    level
}

impl HighMasks {
    /// All masks of `high` squares; `high` is at most 31.
    pub fn new(high: u32) -> Self {
        assert!(high < 32, "plan: too many high squares");
        let mut masks: Vec<u32> = (0..1 << high).collect();
        masks.sort_by_cached_key(|&m| (level(m) << 8 | m.count_ones(), m));
        let mut runs: Vec<Run> = Vec::new();
        for (i, &mask) in masks.iter().enumerate() {
            let (level, coins) = (level(mask), mask.count_ones());
            match runs.last_mut() {
                Some(run) if run.level == level && run.coins == coins => run.at.end = i + 1,
                _ => runs.push(Run { level, coins, at: i..i + 1 }),
            }
        }
        Self { high, masks, runs }
    }

    /// Number of levels.
    pub fn levels(&self) -> u32 {
        self.high * (self.high + 1) / 2 + 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_lower_the_level() {
        let h = HighMasks::new(7);
        assert_eq!(h.masks.len(), 128);
        assert_eq!(h.runs.last().unwrap().level + 1, h.levels());
        for &mask in &h.masks {
            for a in (0..7).filter(|a| mask >> a & 1 == 1) {
                assert!(level(mask ^ 1 << a) < level(mask), "the coin leaves");
                for b in (0..a).filter(|b| mask >> b & 1 == 0) {
                    assert!(level(mask ^ 1 << a ^ 1 << b) < level(mask));
                }
            }
        }
    }
}
