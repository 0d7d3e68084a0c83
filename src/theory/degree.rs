//! The degree of the irreducible representation of the symmetric group that belongs to a Young diagram (J. S. Frame,
//! G. de B. Robinson, R. M. Thrall, "The hook graphs of the symmetric group", 1954).

use std::sync::LazyLock;

use num_bigint::BigUint;

/// The hook length formula: `n! / product of the hook lengths`, for the `n` hooks of a diagram.
///
/// The quotient is taken in the exponents of its primes, so no large number is ever divided.
///
/// ```
/// let hooks = welter::theory::hooks::hooks(&[1, 4, 5, 9, 11]);
/// assert_eq!(welter::theory::degree::degree(&hooks).to_string(), "94057600");
/// ```
///
/// # Panics
/// If these are not the hooks of a diagram, so that the quotient is no integer.
pub fn degree(hooks: &[u64]) -> BigUint {
    let n = hooks.len();
    let mut exponents = vec![1i64; n + 1];
    for &hook in hooks {
        exponents[hook as usize] -= 1;
    }
    // Batches ask for many small degrees.
    static SMALL: LazyLock<Vec<usize>> = LazyLock::new(|| least_prime_factors(1024));
    let factor = if n < SMALL.len() { &SMALL } else { &least_prime_factors(n) };
    let mut degree = BigUint::from(1u32);
    let mut word = 1u64;
    for k in (2..=n).rev() {
        let (p, e) = (factor[k], exponents[k]);
        if p < k {
            exponents[p] += e;
            exponents[k / p] += e;
            continue;
        }
        for _ in 0..u64::try_from(e).expect("the hooks of a diagram") {
            if let Some(product) = word.checked_mul(p as u64) {
                word = product;
            } else {
                degree *= word;
                word = p as u64;
            }
        }
    }
    degree * word
}

/// The least prime factor of each number up to `n`; 0 for 0 and 1.
fn least_prime_factors(n: usize) -> Vec<usize> {
    let mut factor = vec![0; n + 1];
    for p in 2..=n {
        if factor[p] == 0 {
            for multiple in (p..=n).step_by(p) {
                if factor[multiple] == 0 {
                    factor[multiple] = p;
                }
            }
        }
    }
    factor
}
