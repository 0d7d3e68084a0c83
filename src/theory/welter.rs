//! Welter's formula (C. P. Welter, 1954) and its short form by mating (J. H. Conway, On Numbers and Games, 1976, ch. 13).

use super::n_of;

/// Welter's formula: the XOR of all coins and of `N(x - y)` over all pairs of coins, `N(d) = d XOR (d - 1)`.
///
/// O(m^2) for m coins. The coins must be distinct.
pub fn value(coins: &[u64]) -> u64 {
    let mut value = 0;
    for (i, &x) in coins.iter().enumerate() {
        value ^= x;
        for &y in &coins[..i] {
            value ^= n_of(x.abs_diff(y));
        }
    }
    value
}

/// `M(x, y) = x XOR y XOR ((x XOR y) - 1)`, so `-1` for `x = y`; equal to `N(x - y)` otherwise.
pub fn mate(x: u64, y: u64) -> i64 {
    let z = (x ^ y) as i64;
    z ^ z.wrapping_sub(1)
}

/// The same value by mating: pair off, again and again, two remaining coins that are congruent modulo the highest
/// possible power of 2; only the `m div 2` pairs so found count.
///
/// O(m^3) as written: the plainest form, for tests and small positions.
pub fn value_by_mating(coins: &[u64]) -> u64 {
    let mut left: Vec<u64> = coins.to_vec();
    let mut value = left.iter().fold(0, |v, x| v ^ x);
    while left.len() > 1 {
        let (_, i, j) = (0..left.len())
            .flat_map(|j| (0..j).map(move |i| (i, j)))
            .map(|(i, j)| (mate(left[i], left[j]), i, j))
            .max()
            .expect("two coins are left");
        value ^= mate(left[i], left[j]) as u64;
        left.remove(j);
        left.remove(i);
    }
    value
}
