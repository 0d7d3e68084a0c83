//! Degrees of the irreducible representations of the symmetric groups (J. S. Frame, G. de B. Robinson, R. M. Thrall, "The
//! hook graphs of the symmetric group", 1954), and how many are prime to p.

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

/// Whether p is a prime number.
pub fn is_prime(p: u64) -> bool {
    p >= 2 && (2..).take_while(|d| d * d <= p).all(|d| !p.is_multiple_of(d))
}

/// `ord_p(n!)`, the exponent of the prime p in n! (A.-M. Legendre, 1830): the sum of `floor(n / p^L)` over `L >= 1`.
pub fn legendre(p: u64, n: u64) -> u64 {
    let mut left = n;
    let mut total = 0;
    while left > 0 {
        left /= p;
        total += left;
    }
    total
}

/// How many irreducible representations of S_n have a degree prime to the prime p (I. G. Macdonald, "On the degrees of
/// the irreducible representations of symmetric groups", 1971): with `n = SUM a_i p^i` in base p, the product over i of
/// the number of ways to write `a_i` as an ordered sum of sizes of `p^i` partitions. For p = 2 it is `2^(sum of the i with a_i = 1)`.
///
/// `None` if it does not fit 64 bits.
pub fn macdonald(p: u64, n: u64) -> Option<u64> {
    let (mut left, mut power, mut product) = (n, 1u64, 1u64);
    while left > 0 {
        product = product.checked_mul(multipartitions(power, (left % p) as usize)?)?;
        left /= p;
        power = power.checked_mul(p)?;
    }
    Some(product)
}

/// Ways to choose `k` partitions, in order, with `a` cells in all: the coefficient of `x^a` in `PRODUCT 1 / (1 - x^i)^k`.
fn multipartitions(k: u64, a: usize) -> Option<u64> {
    // Coefficients c_m by m c_m = k SUM sigma(j) c_(m-j), from the logarithmic derivative; sigma: sum of divisors.
    let sigma = |j: usize| (1..=j).filter(|d| j.is_multiple_of(*d)).sum::<usize>() as u128;
    let mut c = vec![1u128];
    for m in 1..=a {
        let mut sum = 0u128;
        for j in 1..=m {
            sum = sum.checked_add(sigma(j).checked_mul(c[m - j])?)?;
        }
        c.push(sum.checked_mul(u128::from(k))? / m as u128);
    }
    u64::try_from(c[a]).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn macdonald_as_in_the_literature() {
        // OEIS A059867 and A060840.
        assert_eq!(macdonald(2, 31), Some(1024));
        assert_eq!(macdonald(2, 32), Some(32));
        let threes: Vec<_> = (1..=12).map(|n| macdonald(3, n).unwrap()).collect();
        assert_eq!(threes, [1, 2, 3, 3, 6, 9, 9, 18, 9, 9, 18, 27]);
    }

    #[test]
    fn legendre_counts_factors() {
        assert_eq!(legendre(2, 10), 8);
        assert_eq!(legendre(3, 10), 4);
        assert_eq!(legendre(7, 6), 0);
    }

    #[test]
    fn primes() {
        let primes: Vec<u64> = (0..20).filter(|p| is_prime(*p)).collect();
        assert_eq!(primes, [2, 3, 5, 7, 11, 13, 17, 19]);
    }
}
