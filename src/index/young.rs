//! Tables for walking through all partitions and counting their hooks by divisibility.

use super::partitions::PartitionCounts;
use crate::theory::degree;

/// The largest n: a diagram of n cells has its coins on squares up to n, and a mask has 128 bits.
pub const MAX_CELLS: u32 = 127;

/// Most powers of p, from p itself up, that divide a hook length: 2, 4, ..., 64.
pub const POWERS: usize = 6;

/// Halves of the masks for all powers, as the kernels keep them: half `h` of power `L` at `2L + h`.
pub const HALVES: usize = 2 * POWERS;

/// Tables for one p and all n up to some N.
#[derive(Clone, Debug)]
pub struct YoungTables {
    /// The base, at least 2.
    pub p: u32,
    /// Whether it is a prime, so that the degree's p-part can be told from the hooks.
    pub prime: bool,
    /// Numbers of partitions.
    pub counts: PartitionCounts,
    /// `below[a]`: for each power q of p, the squares below `a` at a distance divisible by q; none for powers above N.
    pub below: Vec<[u64; HALVES]>,
    /// `digits[n]`: the base-p digits of n from the second on: those of `p^1`, `p^2`, ....
    pub digits: Vec<[u32; POWERS]>,
    /// `ord_p(n!)` for prime p, by Legendre's formula.
    pub legendre: Vec<u32>,
    /// `residue[c] = c mod p` for counts of hooks.
    pub residue: Vec<u32>,
}

impl YoungTables {
    /// Tables for base `p >= 2` and all n up to `nmax`, at most [`MAX_CELLS`].
    pub fn new(p: u32, nmax: u32) -> Self {
        assert!(p >= 2 && nmax <= MAX_CELLS, "plan: base or size out of range");
        let powers: Vec<u32> =
            std::iter::successors(Some(p), |q| q.checked_mul(p)).take_while(|q| *q <= nmax).take(POWERS).collect();
        let below = |a: u32| {
            let mut halves = [0u64; HALVES];
            for (i, &q) in powers.iter().enumerate() {
                for b in (0..a).filter(|b| (a - b).is_multiple_of(q)) {
                    halves[2 * i + (b / 64) as usize] |= 1 << (b % 64);
                }
            }
            halves
        };
        let digits = |n: u32| {
            let mut digits = [0; POWERS];
            for (digit, &q) in digits.iter_mut().zip(&powers) {
                *digit = n / q % p;
            }
            digits
        };
        let prime = degree::is_prime(p.into());
        Self {
            p,
            prime,
            counts: PartitionCounts::new(nmax).expect("partitions of 127 fit 64 bits"),
            below: (0..=nmax).map(below).collect(),
            digits: (0..=nmax).map(digits).collect(),
            legendre: (0..=nmax).map(|n| degree::legendre(p.into(), n.into()) as u32).collect(),
            residue: (0..=MAX_CELLS).map(|c| c % p).collect(),
        }
    }

    /// The largest n.
    pub fn nmax(&self) -> u32 {
        self.counts.nmax()
    }
}
