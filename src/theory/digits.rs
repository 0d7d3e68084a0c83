//! Irie's digit form (Y. Irie, "p-Saturations of Welter's Game and the Irreducible Representations of Symmetric
//! Groups", 2018).

use super::hooks::hooks;

/// `b_p`: base-`p` digit `L` is the number of hooks whose length `p^L` divides, modulo `p`; for any `p > 1`.
///
/// For `p = 2` it is the Sprague-Grundy value of Welter's game.
pub fn value(p: u64, coins: &[u64]) -> u64 {
    let hooks = hooks(coins);
    let mut value = 0;
    let mut power = 1u64;
    loop {
        let divisible = hooks.iter().filter(|h| h.is_multiple_of(power)).count() as u64;
        if divisible == 0 {
            return value;
        }
        value += divisible % p * power;
        power *= p;
    }
}

/// The number of hooks whose length `p^L` divides, for L = 0, 1, 2, ... up to the last that divides any; for any `p > 1`.
///
/// No hook is looked at: a coin `a` is at distance `p^L, 2 p^L, ...` from `floor(a / p^L)` squares below it, and each of them
/// that is not empty is a pair of coins congruent modulo `p^L`. O(m log m) a digit, less once classes are single coins.
pub fn hooks_divisible(p: u64, coins: &[u64]) -> Vec<u128> {
    // A shift is many times faster than a division, and p = 2 is Welter's game itself.
    let split = |x: u64| if p == 2 { (x >> 1, x & 1) } else { (x / p, x % p) };
    let mut quotients = coins.to_vec();
    // The coins that share their class with another: class, next digit, quotient; classes stand together.
    let mut shared: Vec<(u32, u64, u64)> = coins.iter().map(|coin| (0, 0, *coin)).collect();
    let mut counts = Vec::new();
    loop {
        let squares: u128 = quotients.iter().map(|q| u128::from(*q)).sum();
        let classes = shared.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)).map(|class| class.len() as u128);
        let divisible = squares - classes.map(|c| c * (c - 1) / 2).sum::<u128>();
        if divisible == 0 {
            return counts;
        }
        counts.push(divisible);
        quotients.iter_mut().for_each(|q| *q = split(*q).0);
        let mut next = Vec::with_capacity(shared.len());
        let classes = shared.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)).filter(|class| class.len() > 1);
        for (id, class) in (0..).zip(classes) {
            next.extend(class.iter().map(|(_, _, quotient)| {
                let (quotient, digit) = split(*quotient);
                (id, digit, quotient)
            }));
        }
        next.sort_unstable_by_key(|(id, digit, _)| (*id, *digit));
        shared = next;
    }
}

/// `b_p` from the counts of [`hooks_divisible`]: base-`p` digit `L` is the count for `p^L` modulo `p`.
///
/// Coins below `2^63` and `p < 2^63` keep it below `2^126`.
pub fn b(p: u64, hooks_divisible: &[u128]) -> u128 {
    let p = u128::from(p);
    hooks_divisible.iter().rev().fold(0, |value, count| value * p + count % p)
}
