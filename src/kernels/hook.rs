//! Compare a group's values with Sato's hook formula: XOR of `N(h)` over all hooks, counted from the board.
//!
//! A hook is a coin and an empty square below it: both high (once a tile), both low (a table), or a high coin and a
//! low empty square (two small tables a tile, read at the empty squares). Twin of `shaders/hook.wgsl`.

use super::{LANES, SubsetXor, Verdict, bits, compare, n_of, xor};
use crate::index::low::LowTables;
use crate::index::tiles::Tile;

/// Sets the `hook` part of the group's verdicts.
#[multiversion::multiversion(targets("x86_64+avx2+bmi1+bmi2+lzcnt+popcnt"))]
pub fn check(low: &LowTables, tiles: &[Tile], values: &[u8], verdicts: &mut [Verdict]) {
    let mut high = [0u8; LANES];
    for (high, tile) in high.iter_mut().zip(tiles) {
        for x in bits(tile.high) {
            for empty in bits(!tile.high & ((1 << x) - 1)) {
                *high ^= n_of(x - empty) as u8;
            }
        }
    }
    let cross = SubsetXor::new(low.low, |empty, lane| {
        bits(tiles[lane].high).fold(0, |v, x| v ^ n_of(low.low + x - empty)) as u8
    });
    let all = (1 << low.low) - 1;
    compare(1, low, tiles, values, verdicts, |at, _| {
        let own = [low.hook[at] as u8; LANES];
        xor(xor(own, high), cross.of(!low.masks[at] & all))
    });
}
