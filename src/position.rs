//! A position of Welter's game on at most 64 squares: a plain type shared by every part of the engine.

use std::cmp::Ordering;
use std::fmt;

/// A finite set of coins on squares 0..=63, as a mask: bit `a` is set when a coin lies on square `a`.
///
/// ```
/// use welter::Position;
/// let x = Position::from_coins(&[11, 1, 4]).unwrap();
/// assert_eq!(x.mask(), 0b1000_0001_0010);
/// assert_eq!(x.to_string(), "{1,4,11}");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub struct Position(pub u64);

impl Position {
    /// The position with these coins, in any order; `None` if a coin is repeated or above square 63.
    pub fn from_coins(coins: &[u64]) -> Option<Self> {
        let mut mask = 0u64;
        for &coin in coins {
            let bit = 1u64.checked_shl(u32::try_from(coin).ok()?)?;
            if mask & bit != 0 {
                return None;
            }
            mask |= bit;
        }
        Some(Self(mask))
    }

    /// The mask.
    pub fn mask(self) -> u64 {
        self.0
    }

    /// The coins, ascending.
    pub fn coins(self) -> Vec<u64> {
        (0..64).filter(|a| self.0 >> a & 1 == 1).collect()
    }

    /// The sum of the coins' squares.
    pub fn coin_sum(self) -> u64 {
        self.coins().iter().sum()
    }

    /// The order in which differences are reported: least coin sum first, then lexicographically
    /// least with coins ascending (`{0,6,7,8,9}` comes before `{4,5,6,7,8}`).
    pub fn report_order(self, other: Self) -> Ordering {
        self.coin_sum().cmp(&other.coin_sum()).then_with(|| self.coins().cmp(&other.coins()))
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let coins: Vec<String> = self.coins().iter().map(u64::to_string).collect();
        write!(f, "{{{}}}", coins.join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn report_order_follows_the_literature() {
        let p = |coins: &[u64]| Position::from_coins(coins).unwrap();
        assert_eq!(p(&[0, 6, 7, 8, 9]).report_order(p(&[4, 5, 6, 7, 8])), Ordering::Less);
        assert_eq!(p(&[1, 2]).report_order(p(&[0, 4])), Ordering::Less);
        assert_eq!(p(&[]).report_order(p(&[0])), Ordering::Less);
        assert_eq!(p(&[5]).report_order(p(&[0, 5])), Ordering::Greater);
    }

    #[test]
    fn bad_coins_are_refused() {
        assert_eq!(Position::from_coins(&[3, 3]), None);
        assert_eq!(Position::from_coins(&[64]), None);
        assert_eq!(Position::from_coins(&[1 << 40]), None);
    }
}
