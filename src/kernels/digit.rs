//! Compare a group's values with Irie's digit form: digit `L` is the parity of the number of hooks that `2^L` divides.
//!
//! Taken from the whole mask, without low or high. With `q = 2^L`, the hooks of a length divisible by `q` that end on
//! an empty square are the coins `q`, `2q`, ... above it, so the digit is the parity of `popcount(~X AND A(q))` with
//! `A(q) = X >> q XOR X >> 2q XOR X >> 3q ...`. Even multiples of `q` make `A(2q)`, odd ones the same shifted by `q`
//! with `X` itself added: `A(q) = A(2q) XOR ((X XOR A(2q)) >> q)`, from the largest stride down.
//! Twin of `shaders/digit.wgsl`.

use super::{LANES, Verdict, compare};
use crate::index::low::LowTables;
use crate::index::tiles::Tile;

/// Sets the `digit` part of the group's verdicts.
#[multiversion::multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx512vpopcntdq+avx2+bmi1+bmi2+lzcnt+popcnt",
    "x86_64+avx2+bmi1+bmi2+lzcnt+popcnt"
))]
pub fn check(low: &LowTables, tiles: &[Tile], values: &[u8], verdicts: &mut [Verdict]) {
    if low.window <= 32 {
        let high: [u32; LANES] = std::array::from_fn(|lane| tiles[lane].high << low.low);
        compare(2, low, tiles, values, verdicts, |at, _| {
            let x = high.map(|h| h | low.masks[at]);
            let (mut above, mut said) = ([0u32; LANES], [0u32; LANES]);
            for q in low.strides.iter().rev() {
                for lane in 0..LANES {
                    above[lane] ^= (x[lane] ^ above[lane]) >> q;
                    said[lane] = said[lane] << 1 | (!x[lane] & above[lane]).count_ones() & 1;
                }
            }
            said.map(|s| s as u8)
        });
    } else {
        let high: [u64; LANES] = std::array::from_fn(|lane| u64::from(tiles[lane].high) << low.low);
        compare(2, low, tiles, values, verdicts, |at, _| {
            let x = high.map(|h| h | u64::from(low.masks[at]));
            let (mut above, mut said) = ([0u64; LANES], [0u8; LANES]);
            for q in low.strides.iter().rev() {
                for lane in 0..LANES {
                    above[lane] ^= (x[lane] ^ above[lane]) >> q;
                    said[lane] = said[lane] << 1 | (!x[lane] & above[lane]).count_ones() as u8 & 1;
                }
            }
            said
        });
    }
}
