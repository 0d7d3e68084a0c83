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
