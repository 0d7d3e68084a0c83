//! Compare a group's values with Welter's formula: XOR of the coins and of `N(x - y)` over all pairs of coins.
//!
//! Pairs are taken as high-high (once a tile), low-low (a table) and high-low (two small tables a tile).
//! Twin of `shaders/welter.wgsl`.

use super::{LANES, SubsetXor, Verdict, bits, compare, n_of, xor};
use crate::index::low::LowTables;
use crate::index::tiles::Tile;

/// Sets the `welter` part of the group's verdicts.
#[multiversion::multiversion(targets("x86_64+avx2+bmi1+bmi2+lzcnt+popcnt"))]
pub fn check(low: &LowTables, tiles: &[Tile], values: &[u8], verdicts: &mut [Verdict]) {
    let mut high = [0u8; LANES];
    for (high, tile) in high.iter_mut().zip(tiles) {
        for x in bits(tile.high) {
            *high ^= (low.low + x) as u8;
            for y in bits(tile.high & ((1 << x) - 1)) {
                *high ^= n_of(x - y) as u8;
            }
        }
    }
    let cross =
        SubsetXor::new(low.low, |a, lane| bits(tiles[lane].high).fold(0, |v, x| v ^ n_of(low.low + x - a)) as u8);
    compare(0, low, tiles, values, verdicts, |at, _| {
        let own = [low.welter[at] as u8; LANES];
        xor(xor(own, high), cross.of(low.masks[at]))
    });
}
