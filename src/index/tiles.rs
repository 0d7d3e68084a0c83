//! Tiles and batches: the unit of solving, and how tiles are put in order and handed to a backend.
//!
//! A *tile* is all positions of the window with given coins on the high squares and a given number of coins in all:
//! class `j = coins - high coins` of the low masks. Tiles of one level are independent, and so are tiles with different
//! numbers of coins. A *batch* is a run of levels (or a part of one) that a backend solves and checks in one go.

use std::ops::Range;

use super::high::HighMasks;
use super::low::LowTables;

/// One tile, as the kernels and shaders see it.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "gpu", derive(bytemuck::Pod, bytemuck::Zeroable))]
pub struct Tile {
    /// The coins on the high squares, counted from the first high square.
    pub high: u32,
    /// The number of coins of its positions, high and low together.
    pub coins: u32,
    /// Where its values lie in the batch's values, in bytes: the value of rank `r` is at `values + r * lanes`.
    pub values: u32,
    /// 1, or 0 for a copy that only fills up a group of lanes.
    pub live: u32,
}

/// Tiles in an order that respects every move.
#[derive(Clone, Debug, Default)]
pub struct Batch {
    /// The tiles, in groups of `lanes` that are alike in shape and level.
    pub tiles: Vec<Tile>,
    /// The tiles of each level, in order.
    pub levels: Vec<Range<usize>>,
    /// Positions in all.
    pub positions: u64,
    /// Bytes of values, padding included; a multiple of 4.
    pub value_bytes: usize,
}

/// How large a batch may grow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BatchCap {
    /// Bytes of values.
    pub value_bytes: usize,
    /// Tiles, padding included.
    pub tiles: usize,
    /// Levels.
    pub levels: usize,
}

/// Hands the batches of one band (the numbers of coins `counts`) to `each`, in order.
pub fn batches<E>(
    low: &LowTables,
    high: &HighMasks,
    counts: Range<u32>,
    lanes: usize,
    cap: BatchCap,
    mut each: impl FnMut(&Batch) -> Result<(), E>,
) -> Result<(), E> {
    let mut batch = Batch::default();
    let mut level = None;
    for run in &high.runs {
        for coins in counts.clone() {
            // Class low + 1 has no positions, but its tile owns the line through all low squares.
            let Some(j) = coins.checked_sub(run.coins).filter(|j| *j <= low.low + 1) else {
                continue;
            };
            let size = low.class_size(j);
            let bytes = (size * lanes).next_multiple_of(4);
            for members in high.masks[run.at.clone()].chunks(lanes) {
                let starts_level = level != Some(run.level);
                if batch.value_bytes + bytes > cap.value_bytes
                    || batch.tiles.len() + lanes > cap.tiles
                    || (starts_level && batch.levels.len() == cap.levels)
                {
                    if !batch.tiles.is_empty() {
                        each(&batch)?;
                    }
                    batch = Batch::default();
                    level = None;
                }
                if level != Some(run.level) {
                    level = Some(run.level);
                    batch.levels.push(batch.tiles.len()..batch.tiles.len());
                }
                for lane in 0..lanes {
                    batch.tiles.push(Tile {
                        high: members[lane.min(members.len() - 1)],
                        coins,
                        values: (batch.value_bytes + lane) as u32,
                        live: u32::from(lane < members.len()),
                    });
                }
                batch.levels.last_mut().expect("a level was begun").end = batch.tiles.len();
                batch.value_bytes += bytes;
                batch.positions += (size * members.len()) as u64;
            }
        }
    }
    if batch.tiles.is_empty() { Ok(()) } else { each(&batch) }
}

/// Where the rows of one band lie: the rows of the lines with high coins `h`, for positions of `counts.start + i` coins,
/// begin at word `at[i << high | h]`, and no tile's rows cross a multiple of `piece` words.
#[derive(Clone, Debug)]
pub struct Places {
    /// See [`Places`].
    pub at: Vec<u64>,
    /// Words in all.
    pub words: u64,
}

impl Places {
    /// Lays out the rows of a band in pieces of `piece` words.
    pub fn new(low: &LowTables, high: &HighMasks, counts: Range<u32>, piece: u64) -> Self {
        let mut at = Vec::with_capacity(counts.len() << high.high);
        let mut words = 0u64;
        for coins in counts {
            for h in 0..1u32 << high.high {
                // A line is a position without one of its coins: here the missing coin is counted in `coins`.
                let size = (coins.checked_sub(h.count_ones() + 1)).map_or(0, |j| low.class_size(j)) as u64;
                if words % piece + size > piece {
                    words = words.next_multiple_of(piece);
                }
                at.push(words);
                words += size;
            }
        }
        Self { at, words }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    const WIDE: BatchCap = BatchCap { value_bytes: 1 << 30, tiles: 1 << 30, levels: 1 << 30 };

    fn all(low: &LowTables, high: &HighMasks, counts: Range<u32>, lanes: usize, cap: BatchCap) -> Vec<Batch> {
        let mut out = Vec::new();
        batches(low, high, counts, lanes, cap, |b| {
            out.push(b.clone());
            Ok::<(), ()>(())
        })
        .unwrap();
        out
    }

    #[test]
    fn every_position_is_in_one_tile_whatever_the_split() {
        let (low, high) = (LowTables::new(4, 9), HighMasks::new(5));
        for lanes in [1, 8] {
            for cap in [WIDE, BatchCap { value_bytes: 64, tiles: 8, levels: 2 }] {
                let mut seen = HashSet::new();
                for counts in [0..4, 4..10] {
                    for batch in all(&low, &high, counts, lanes, cap) {
                        assert!(batch.value_bytes <= cap.value_bytes && batch.tiles.len() <= cap.tiles);
                        for tile in batch.tiles.iter().filter(|t| t.live == 1) {
                            let j = (tile.coins - tile.high.count_ones()) as usize;
                            for r in 0..low.class_size(j as u32) {
                                let mask = tile.high << 4 | low.masks[low.class[j] as usize + r];
                                assert_eq!(mask.count_ones(), tile.coins);
                                assert!(seen.insert(mask), "position {mask:b} twice");
                            }
                        }
                    }
                }
                assert_eq!(seen.len(), 1 << 9);
            }
        }
    }

    #[test]
    fn rows_do_not_overlap_or_cross_a_piece() {
        let (low, high) = (LowTables::new(3, 8), HighMasks::new(5));
        for piece in [3, 5, 64, 1 << 40] {
            let counts = 2..5;
            let places = Places::new(&low, &high, counts.clone(), piece);
            let mut owner = HashSet::new();
            for (i, coins) in counts.enumerate() {
                for h in 0..32u32 {
                    let at = places.at[i << 5 | h as usize];
                    let size = (coins.checked_sub(h.count_ones() + 1)).map_or(0, |j| low.class_size(j)) as u64;
                    for w in at..at + size {
                        assert!(owner.insert(w) && w < places.words);
                        assert_eq!(w / piece, at / piece);
                    }
                }
            }
        }
    }
}
