//! Perfect hashes: how positions are numbered and in which order they may be solved.
//!
//! A window of `n` squares is cut into `low` low squares and `n - low` high squares. [`low`] numbers the low masks,
//! [`high`] puts the high masks in levels, [`tiles`] joins them. Where the number of coins stays the same all through a
//! game, [`colex`] numbers the masks with that many coins and [`sums`] orders them by coin sum.

pub mod colex;
pub mod high;
pub mod low;
pub mod partitions;
pub mod sums;
pub mod tiles;
pub mod young;

/// The binomial coefficient `C(n, k)`; 0 for `k > n`. Exact for `n <= 64`.
pub fn binomial(n: u32, k: u32) -> u128 {
    if k > n {
        return 0;
    }
    (0..k.min(n - k)).fold(1, |c, i| c * u128::from(n - i) / u128::from(i + 1))
}

#[cfg(test)]
mod tests {
    use super::binomial;

    #[test]
    fn pascal() {
        for n in 1..=64 {
            for k in 1..=n {
                assert_eq!(binomial(n, k), binomial(n - 1, k - 1) + binomial(n - 1, k));
            }
        }
        assert_eq!(binomial(3, 4), 0);
        assert_eq!(binomial(0, 0), 1);
    }
}
