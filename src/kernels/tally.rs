//! Count a group's values and add up its part of the digest, plain and mirrored. Twin of `shaders/tally.wgsl`.

use super::{LANES, VALUES, Verdict};
use crate::index::low::{LIMBS, LowTables};
use crate::index::tiles::Tile;

/// Adds to `histogram[value]` for the live tiles and sets the digest sums of the group's verdicts.
#[multiversion::multiversion(targets("x86_64+avx2+bmi1+bmi2+lzcnt+popcnt"))]
pub fn tally(low: &LowTables, tiles: &[Tile], values: &[u8], verdicts: &mut [Verdict], histogram: &mut [u64; VALUES]) {
    let j = tiles[0].coins - tiles[0].high.count_ones();
    let (class, size) = (low.class[j as usize] as usize, low.class_size(j));
    let values = &values.as_chunks::<LANES>().0[..size];

    let mut sums = [[[0u32; LANES]; LIMBS]; 2];
    let weights = low.weights[class..class + size].iter().zip(&low.mirrors[class..class + size]);
    for (value, (weight, mirror)) in values.iter().zip(weights) {
        let plus_one = value.map(|v| u32::from(v) + 1);
        for (sums, limbs) in sums.iter_mut().zip([weight, mirror]) {
            for (sum, limb) in sums.iter_mut().zip(limbs) {
                for lane in 0..LANES {
                    sum[lane] = sum[lane].wrapping_add(plus_one[lane].wrapping_mul(*limb));
                }
            }
        }
    }
    for (lane, verdict) in verdicts.iter_mut().enumerate() {
        verdict.sums = sums[0].map(|sum| sum[lane]);
        verdict.mirrors = sums[1].map(|sum| sum[lane]);
    }

    // Two histograms in turn, so that equal neighbours do not wait for each other.
    let mut counts = [[0u32; VALUES]; 2];
    let live = tiles.iter().take_while(|tile| tile.live == 1).count();
    for value in values {
        for (lane, v) in value[..live].iter().enumerate() {
            counts[lane % 2][usize::from(*v) % VALUES] += 1;
        }
    }
    for (total, (a, b)) in histogram.iter_mut().zip(counts[0].iter().zip(&counts[1])) {
        *total += u64::from(a + b);
    }
}
