//! The digest of a table: one number, the same for every backend, thread count, split and order of evaluation.
//!
//! A table of values `v(X)` over sets of coins is read as the coefficients of a multilinear polynomial with one
//! variable a square, and the digest is its value at one fixed point of the field of `P = 2^61 - 1` elements:
//!
//! ```text
//! digest = SUM over X of (v(X) + 1) * PRODUCT over coins a of X of q(a)   (mod 2^61 - 1)
//! ```
//!
//! It is a sum, so parts may be taken in any order and added up. Two different tables of window n give different
//! polynomials, which agree at a random point with probability at most n / 2^61 (Schwartz 1980, Zippel 1979); so
//! equal digests mean equal tables unless somebody chose the tables to fool the fixed point.

use std::fmt;

/// The field's size, the Mersenne prime `2^61 - 1`.
pub const P: u64 = (1 << 61) - 1;

/// The point: `q(a)` is the `a`-th output of SplitMix64 (Steele, Lea, Flood 2014) started at 0, modulo [`P`].
pub fn q(square: u32) -> u64 {
    let mut z = (u64::from(square) + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    (z ^ (z >> 31)) % P
}

/// `a + b` in the field.
pub fn add(a: u64, b: u64) -> u64 {
    let sum = a + b;
    if sum >= P { sum - P } else { sum }
}

/// `a * b` in the field.
pub fn mul(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    add((product as u64) & P, (product >> 61) as u64)
}

/// The product of `q(shift(a))` over the bits `a` of a mask.
pub fn weight(mask: u64, shift: impl Fn(u32) -> u32) -> u64 {
    (0..64).filter(|a| mask >> a & 1 == 1).fold(1, |w, a| mul(w, q(shift(a))))
}

/// A digest, printed as 16 hexadecimal digits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Digest(pub u64);

impl Digest {
    /// The digest of a whole table indexed by mask, straight from the definition above.
    pub fn of_masks(values: impl Iterator<Item = u64>) -> Self {
        let sum = values.zip(0u64..).fold(0, |sum, (value, mask)| add(sum, mul(value + 1, weight(mask, |a| a))));
        Self(sum)
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_field_is_a_field() {
        assert_eq!(add(P - 1, 1), 0);
        assert_eq!(mul(P - 1, P - 1), 1);
        assert_eq!(mul(1 << 60, 2), 1);
    }

    /// SplitMix64 seeded with 0: the first outputs as published with the reference implementation.
    #[test]
    fn the_point_is_splitmix64() {
        assert_eq!(q(0), 0xE220_A839_7B1D_CDAF % P);
        assert_eq!(q(1), 0x6E78_9E6A_A1B9_65F4 % P);
    }

    #[test]
    fn any_altered_or_swapped_cell_changes_it() {
        let table = [0u64, 1, 2, 3, 2, 0, 1, 3];
        let digest = Digest::of_masks(table.into_iter());
        for i in 0..8 {
            let mut other = table;
            other[i] += 1;
            assert_ne!(Digest::of_masks(other.into_iter()), digest, "cell {i}");
        }
        let mut swapped = table;
        swapped.swap(1, 2);
        assert_ne!(Digest::of_masks(swapped.into_iter()), digest);
    }
}
