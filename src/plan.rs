//! The plan of a window: plain data, made before any work and without a GPU. It says how the window is cut, what is
//! held in memory at once, and refuses what cannot fit.

pub mod options;

use std::ops::Range;

use crate::error::{Error, Result};
use crate::index::binomial;
use crate::index::low::MAX_LOW;
use crate::index::tiles::BatchCap;

/// The largest window whose masks and tables the engine can index at all.
pub const MAX_WINDOW: u32 = 44;

/// What a backend can hold, in the terms of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Capacity {
    /// Where, for messages.
    pub device: String,
    /// Bytes that may be used for everything on the device.
    pub memory: u64,
    /// Bytes of host memory available (the exported table is kept there).
    pub host_memory: u64,
    /// Bytes of the largest single buffer binding.
    pub binding: u64,
    /// How many bindings the rows may be split over.
    pub pieces: u32,
    /// Tiles in a group.
    pub lanes: usize,
    /// Bytes of rows that are solved together, if more than one number of coins fits.
    pub band_bytes: u64,
    /// The limit of one batch.
    pub batch: BatchCap,
}

/// Choices that do not change any result; tests use them to reach every path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tuning {
    /// Number of low squares (0 to 12); chosen by the plan if `None`.
    pub low: Option<u32>,
    /// Width of a set of seen values, 32 or 64; chosen by the window if `None`.
    pub word_bits: Option<u32>,
    /// Values from here up do not fit the word: shrinks the word in tests.
    pub value_limit: Option<u32>,
    /// Bytes of rows that are solved together.
    pub band_bytes: Option<u64>,
    /// Bytes of values in one batch.
    pub batch_bytes: Option<usize>,
}

/// Bytes of each thing a plan holds at its peak.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Memory {
    /// The rows of the largest band.
    pub rows: u64,
    /// Where the rows lie, and the high masks in order.
    pub index: u64,
    /// One batch: tiles, values and verdicts.
    pub batch: u64,
    /// The table, if it is exported.
    pub table: u64,
    /// All of it.
    pub total: u64,
}

/// How a window is solved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WindowPlan {
    /// Number of squares.
    pub window: u32,
    /// Number of low squares.
    pub low: u32,
    /// Width of a set of seen values, 32 or 64.
    pub word_bits: u32,
    /// Values from here up do not fit.
    pub value_limit: u32,
    /// Numbers of coins that are solved together, in order; they cover `0..=window`.
    pub bands: Vec<Range<u32>>,
    /// Words in one piece of the rows.
    pub piece_words: u64,
    /// Bound of one batch.
    pub batch: BatchCap,
    /// What is held at the peak.
    pub memory: Memory,
}

/// Plans window `window`, or refuses it with the largest window that fits.
///
/// # Errors
/// [`Error::TooLarge`] with the bytes needed and available; [`Error::Usage`] for a tuning out of range.
pub fn window(window: u32, table: bool, capacity: &Capacity, tuning: &Tuning) -> Result<WindowPlan> {
    if let Some(low) = tuning.low.filter(|low| *low > MAX_LOW) {
        return Err(Error::Usage(format!("--low-squares {low} is above {MAX_LOW}; use 0 to {MAX_LOW}")));
    }
    if let Some(bits) = tuning.word_bits.filter(|bits| *bits != 32 && *bits != 64) {
        return Err(Error::Usage(format!("--word-bits {bits} is neither 32 nor 64")));
    }
    if window > 64 {
        return Err(Error::Usage(format!(
            "N = {window} is above 64, the squares of a 64-bit mask; the largest window that fits {} is {}",
            capacity.device,
            largest(table, capacity, tuning).map_or("none".to_string(), |n| n.to_string()),
        )));
    }
    fit(window, table, capacity, tuning).map_err(|short| Error::TooLarge {
        window,
        what: short.what,
        device: if short.host { "this machine".to_string() } else { capacity.device.clone() },
        needed: short.needed,
        available: short.available,
        largest: largest(table, capacity, tuning),
    })
}

/// The largest window that [`window`] accepts, if any.
pub fn largest(table: bool, capacity: &Capacity, tuning: &Tuning) -> Option<u32> {
    (0..=MAX_WINDOW).rev().find(|n| fit(*n, table, capacity, tuning).is_ok())
}

/// Why a window does not fit.
struct Short {
    what: &'static str,
    needed: u128,
    available: u64,
    host: bool,
}

fn fit(window: u32, table: bool, capacity: &Capacity, tuning: &Tuning) -> std::result::Result<WindowPlan, Short> {
    // Half the squares below, so that there are levels to work in parallel even in small windows.
    let low = tuning.low.unwrap_or((window / 2).min(MAX_LOW)).min(window);
    let high = window - low;
    let word_bits = tuning.word_bits.unwrap_or(if window <= 32 { 32 } else { 64 });
    let word = u128::from(word_bits / 8);
    let binding = u128::from(capacity.binding);

    // The lines of the positions with c coins are the positions with c - 1.
    let lines = |coins: u32| if coins == 0 { 0 } else { binomial(window, coins - 1) };
    let most = (0..=window).map(lines).max().unwrap_or(0) * word;
    let room = u128::from(tuning.band_bytes.unwrap_or(capacity.band_bytes)).max(most);
    let places = |counts: u32| (u128::from(counts) * 8) << high;

    let mut bands: Vec<Range<u32>> = Vec::new();
    let mut held = 0;
    for coins in 0..=window {
        let more = lines(coins) * word;
        match bands.last_mut() {
            // An index larger than the cache that bands are made for would undo their good.
            Some(band)
                if held + more <= room && places(coins - band.start + 1) <= binding.min(capacity.band_bytes.into()) =>
            {
                band.end = coins + 1;
            }
            _ => {
                bands.push(coins..coins + 1);
                held = 0;
            }
        }
        held += more;
    }
    let band_rows = |band: &Range<u32>| band.clone().map(lines).sum::<u128>() * word;
    let rows = bands.iter().map(band_rows).max().unwrap_or(0).max(word);
    let most_counts = bands.iter().map(|band| band.len() as u32).max().unwrap_or(1);
    let index = places(most_counts) + (8u128 << high);

    // A piece ends where the next tile's rows would not fit any more: less than one class (924 words) is lost in each.
    let piece_words = (capacity.binding / u64::from(word_bits / 8)).max(1);
    let class = binomial(low, low / 2);
    let usable = u128::from(piece_words).saturating_sub(class) * word;
    if usable == 0 || rows > usable * u128::from(capacity.pieces) && rows > binding {
        return Err(Short {
            what: "rows, split over its bindings,",
            needed: rows,
            available: (binding * u128::from(capacity.pieces)).min(u64::MAX.into()) as u64,
            host: false,
        });
    }
    if places(most_counts) > binding {
        let (needed, available) = (places(most_counts), capacity.binding);
        return Err(Short { what: "index, in one binding,", needed, available, host: false });
    }

    let mut batch = capacity.batch;
    if let Some(bytes) = tuning.batch_bytes {
        batch.value_bytes = bytes;
    }
    batch.value_bytes = batch.value_bytes.max(class as usize * capacity.lanes).next_multiple_of(4);
    batch.tiles = batch.tiles.max(capacity.lanes);
    let positions = 1u128 << window;
    let most_tiles = (u128::from(low + 2) << high) * capacity.lanes as u128;
    let batch_bytes = positions.saturating_mul(capacity.lanes as u128).min(batch.value_bytes as u128)
        + most_tiles.min(batch.tiles as u128) * 80;
    let table = if table { positions } else { 0 };

    if table > u128::from(capacity.host_memory) {
        return Err(Short { what: "table", needed: table, available: capacity.host_memory, host: true });
    }
    // On the CPU the table shares the memory with everything else.
    let shared = if capacity.memory == capacity.host_memory { table } else { 0 };
    let device = rows.saturating_add(index).saturating_add(batch_bytes).saturating_add(shared);
    if device > u128::from(capacity.memory) {
        return Err(Short { what: "rows and other tables", needed: device, available: capacity.memory, host: false });
    }
    if window > MAX_WINDOW {
        return Err(Short { what: "index", needed: device, available: capacity.memory, host: false });
    }
    Ok(WindowPlan {
        window,
        low,
        word_bits,
        value_limit: tuning.value_limit.unwrap_or(word_bits).min(word_bits),
        bands,
        piece_words,
        batch,
        memory: Memory {
            rows: rows as u64,
            index: index as u64,
            batch: batch_bytes as u64,
            table: table as u64,
            total: (rows + index + batch_bytes + table) as u64,
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn capacity(memory: u64) -> Capacity {
        Capacity {
            device: "a test".into(),
            memory,
            host_memory: memory,
            binding: memory,
            pieces: 1,
            lanes: 8,
            band_bytes: 64 << 20,
            batch: BatchCap { value_bytes: 8 << 20, tiles: 1 << 18, levels: 1 << 10 },
        }
    }

    #[test]
    fn bands_cover_the_counts_in_order_within_their_room() {
        for n in 0..=34 {
            let plan = window(n, false, &capacity(32 << 30), &Tuning::default()).unwrap();
            let counts: Vec<u32> = plan.bands.iter().cloned().flatten().collect();
            assert_eq!(counts, (0..=n).collect::<Vec<_>>());
            assert!(plan.memory.total < 32 << 30);
        }
    }

    #[test]
    fn windows_32_and_34_need_what_the_largest_number_of_coins_needs() {
        let plan = |n| window(n, false, &capacity(32 << 30), &Tuning::default()).unwrap();
        assert_eq!(u128::from(plan(32).memory.rows), binomial(32, 16) * 4);
        assert_eq!(u128::from(plan(34).memory.rows), binomial(34, 17) * 8);
        assert!(plan(32).memory.total < 3 << 30);
    }

    #[test]
    fn too_large_is_refused_with_the_largest_that_fits() {
        for n in [33, 40, 44, 45, 64] {
            let refused = window(n, false, &capacity(4 << 30), &Tuning::default());
            let Err(Error::TooLarge { largest: Some(largest), needed, available, .. }) = refused else {
                panic!("window {n} was not refused: {refused:?}");
            };
            assert_eq!((largest, available), (32, 4 << 30));
            assert!(needed > 4 << 30);
            assert!(window(largest, false, &capacity(4 << 30), &Tuning::default()).is_ok());
        }
        assert!(window(32, true, &capacity(4 << 30), &Tuning::default()).is_err());
        for n in [65, 1000, u32::MAX] {
            let refused = window(n, false, &capacity(4 << 30), &Tuning::default());
            assert!(matches!(refused, Err(Error::Usage(text)) if text.contains("is 32")));
        }
    }
}
