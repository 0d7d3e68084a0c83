//! The plan of a saturation's window: what each position's cell holds, in which parts the levels are solved, and
//! what is refused.

use super::Capacity;
use crate::error::{Error, Result};
use crate::index::binomial;
use crate::index::sums::Sums;
use crate::theory::saturation;

/// The most squares: positions are 64-bit masks.
pub const MAX_WINDOW: u32 = 64;

/// Widths of a set of values, in 32-bit words, for which kernels are made. The last holds every value there can be: a
/// value is at most the number of moves of the longest play, so at most the `m (n - m) <= 1024` cells of the diagram.
pub const WORDS: [u32; 6] = [1, 2, 4, 8, 16, 33];

/// Set reads of one batch (one submission on a GPU), for each tile that the capacity allows.
const READS_PER_TILE: u64 = 1024;

/// The most parts of a batch: each needs parameters of its own.
const MOST_PARTS: usize = 1024;

/// Consecutive positions of one level, which are independent of each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// The level.
    pub level: u32,
    /// The first position's number in the level.
    pub first: u64,
    /// How many.
    pub count: u64,
}

/// Bytes of each thing a plan holds at its peak.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Memory {
    /// A cell a position: its value and its sets.
    pub cells: u64,
    /// Counts and binomial coefficients.
    pub index: u64,
    /// The table of values on the host.
    pub table: u64,
    /// All of it.
    pub total: u64,
}

/// How a window of `W^m_{p,k}` is solved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionPlan {
    /// Number of squares.
    pub window: u32,
    /// Number of coins.
    pub coins: u32,
    /// The most coins that move at once: `min(k, m + 1) - 1`.
    pub steps: u32,
    /// `p`, or the least number from which on a larger one changes neither moves nor formula in this window.
    pub modulus: u32,
    /// The same for the formula; differs from `modulus` only where a test plants a bug.
    pub formula: u32,
    /// Number of powers `p^e`, from `p^0`, that some distance in the window may be divisible by.
    pub exponents: u32,
    /// Width of a set of values, one of [`WORDS`].
    pub words: u32,
    /// Words of a cell: the value, then a set for each `j` of `1..steps`, `e` of `exponents` and residue of `modulus`.
    pub stride: u32,
    /// Number of positions: `C(window, coins)`.
    pub positions: u64,
    /// Number of options of all positions, each pair once.
    pub options: u128,
    /// Cells in one binding.
    pub piece_cells: u64,
    /// Bindings that the cells are split over.
    pub pieces: u32,
    /// The most positions of a part.
    pub part: u64,
    /// The most set reads of a batch.
    pub reads: u64,
    /// What is held at the peak.
    pub memory: Memory,
}

/// What a plan is made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    /// Any integer above 1.
    pub p: u64,
    /// Number of coins, at most `window`.
    pub m: u32,
    /// One more than the number of coins that may move at once; above `m + 1` it is as `m + 1`.
    pub k: u32,
    /// Number of squares.
    pub window: u32,
}

impl Cell {
    /// Refuses what is no game or no mask, in words; positions need not exist.
    ///
    /// # Errors
    /// [`Error::Usage`] naming the argument, its limit and the remedy.
    pub fn validate(&self) -> Result<()> {
        let Self { p, k, window, .. } = *self;
        let refuse = |text: String| Err(Error::Usage(text));
        if p < 2 {
            return refuse(format!(
                "P = {p} is below 2, and ord_p counts powers of an integer above 1; use P = 2 or more"
            ));
        }
        if k < 1 {
            return refuse("K = 0: at most K - 1 coins move at once, so K is at least 1; use K = 2 or more".into());
        }
        if window > MAX_WINDOW {
            return refuse(format!(
                "N = {window} is above {MAX_WINDOW}, the squares of a 64-bit mask; use N = {MAX_WINDOW} or less"
            ));
        }
        Ok(())
    }

    /// `k`, or `m + 1` if that is less: no more than all `m` coins can move.
    pub fn effective_k(&self) -> u32 {
        self.k.min(self.m.saturating_add(1))
    }
}

/// Plans a cell that [`Cell::validate`] passes and that has `m <= window`, with sets of at least `words` words.
///
/// # Errors
/// [`Error::TooLarge`] with the bytes needed and available; [`Error::Usage`] if there are more positions than
/// `most_positions`, which a backend can number.
pub fn plan(cell: Cell, words: u32, capacity: &Capacity, most_positions: u64) -> Result<OptionPlan> {
    let positions = binomial(cell.window, cell.m) as u64;
    let largest = || {
        (cell.m..=MAX_WINDOW).rev().find(|n| {
            let cell = Cell { window: *n, ..cell };
            binomial(*n, cell.m) <= most_positions.into() && fit(cell, words, capacity).is_ok()
        })
    };
    if positions > most_positions {
        return Err(Error::Usage(format!(
            "M = {} and N = {} make {positions} positions, above the {most_positions} that {} can number; {}use --backend cpu",
            cell.m,
            cell.window,
            capacity.device,
            largest().map_or(String::new(), |n| format!("use N = {n} or less, or "))
        )));
    }
    let mut plan = fit(cell, words, capacity).map_err(|short| Error::TooLarge {
        window: cell.window,
        what: short.what,
        device: if short.host { "this machine".into() } else { capacity.device.clone() },
        needed: short.needed,
        available: short.available,
        largest: largest(),
    })?;
    plan.options = saturation::options(cell.p, cell.m, cell.effective_k(), cell.window);
    Ok(plan)
}

/// Why a cell does not fit.
struct Short {
    what: &'static str,
    needed: u128,
    available: u64,
    host: bool,
}

fn fit(cell: Cell, words: u32, capacity: &Capacity) -> std::result::Result<OptionPlan, Short> {
    let Cell { p, m, window, .. } = cell;
    let cells_of_diagram = m * (window - m);
    let steps = cell.effective_k() - 1;
    let modulus = p.min(u64::from(cells_of_diagram) + 1).max(2) as u32;
    let exponents = (0..).take_while(|e| modulus.pow(*e) < window.max(2)).count() as u32;
    // What the formula says, and what Welter's game takes, but no more values than there can be.
    let values = (most_by_formula(modulus, exponents, m, window) + 1).max(window.next_power_of_two());
    let values = values.min(cells_of_diagram + 1);
    let words = WORDS.into_iter().find(|w| *w >= words && 32 * w >= values).unwrap_or(WORDS[WORDS.len() - 1]);
    let sets = u64::from(steps.saturating_sub(1)) * u64::from(exponents) * u64::from(modulus);
    let stride = 1 + sets * u64::from(words);
    let positions = binomial(window, m);

    let cells = positions * u128::from(stride) * 4;
    let index = u128::from(Sums::entries(window, m)) * 8 + u128::from(window * (m + 2)) * 8;
    let table = positions * 2;
    let short = |what, needed, available, host| Err(Short { what, needed, available, host });
    if table > capacity.host_memory.into() {
        return short("table", table, capacity.host_memory, true);
    }
    // On the CPU the table shares the memory with everything else.
    let shared = if capacity.memory == capacity.host_memory { table } else { 0 };
    if cells + index + shared > capacity.memory.into() {
        return short("cells and tables", cells + index + shared, capacity.memory, false);
    }
    let piece_cells = capacity.binding / (stride * 4);
    let pieces = if piece_cells == 0 { u128::MAX } else { positions.div_ceil(piece_cells.into()) };
    if pieces > capacity.pieces.into() {
        let room = u128::from(capacity.binding) * u128::from(capacity.pieces);
        return short("cells, split over its bindings,", cells, room.min(u64::MAX.into()) as u64, false);
    }
    if index > capacity.binding.into() {
        return short("index, in one binding,", index, capacity.binding, false);
    }
    let tiles = capacity.batch.tiles.max(1) as u64;
    Ok(OptionPlan {
        window,
        coins: m,
        steps,
        modulus,
        formula: modulus,
        exponents,
        words,
        stride: stride as u32,
        positions: positions as u64,
        options: 0,
        piece_cells,
        pieces: (pieces as u32).max(1),
        part: tiles,
        reads: tiles * READS_PER_TILE,
        memory: Memory {
            cells: cells as u64,
            index: index as u64,
            table: table as u64,
            total: (cells + index + table) as u64,
        },
    })
}

/// A bound of the formula: no digit is above `p - 1`, nor above the number of hooks that its power can divide. In a class
/// of `s` squares modulo the power there are at most `s^2 / 4` pairs of a coin and an empty square.
fn most_by_formula(p: u32, exponents: u32, m: u32, window: u32) -> u32 {
    let digit = |e| {
        let q = p.pow(e);
        let of_class = |class: u32| (window - class).div_ceil(q).pow(2) / 4;
        let hooks: u32 = (0..q.min(window)).map(of_class).sum();
        hooks.min(m * (window - m)).min(p - 1) * q
    };
    (0..exponents).map(digit).sum()
}

impl OptionPlan {
    /// Sets of a cell.
    pub fn sets(&self) -> u32 {
        (self.stride - 1) / self.words
    }

    /// A bound of the set reads that solving one position takes: for each pair of a coin and a square below, its value
    /// and the sets of every layer.
    pub fn reads_per_position(&self) -> u64 {
        let pairs = u64::from(self.coins * (self.window - self.coins)) + 1;
        pairs * u64::from(1 + self.sets()) * u64::from(self.words)
    }

    /// The parts in order, in batches of bounded work. Parts of one level may be in several batches.
    pub fn batches<'a>(&self, sums: &'a Sums) -> impl Iterator<Item = Vec<Part>> + use<'a> {
        let cost = self.reads_per_position();
        let (most, reads) = (self.part.min((self.reads / cost).max(1)), self.reads);
        let mut parts = (0..sums.levels)
            .flat_map(move |level| {
                let size = sums.size(level);
                (0..size.div_ceil(most)).map(move |i| {
                    let first = i * most;
                    Part { level, first, count: most.min(size - first) }
                })
            })
            .peekable();
        std::iter::from_fn(move || {
            let mut batch = vec![parts.next()?];
            let mut spent = batch[0].count * cost;
            while batch.len() < MOST_PARTS
                && let Some(part) = parts.next_if(|part| spent + part.count * cost <= reads)
            {
                spent += part.count * cost;
                batch.push(part);
            }
            Some(batch)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::tiles::BatchCap;

    fn capacity(memory: u64, tiles: usize) -> Capacity {
        Capacity {
            device: "a test".into(),
            memory,
            host_memory: memory,
            binding: memory,
            pieces: 1,
            lanes: 8,
            band_bytes: 1 << 20,
            batch: BatchCap { value_bytes: 1 << 20, tiles, levels: 1 << 10 },
        }
    }

    #[test]
    fn parts_cover_every_level_in_order() {
        let cell = Cell { p: 3, m: 4, k: 3, window: 12 };
        for tiles in [1, 2, 7, 1 << 16] {
            let plan = plan(cell, 1, &capacity(1 << 30, tiles), u64::MAX).unwrap();
            let sums = Sums::new(12, 4);
            let parts: Vec<Part> = plan.batches(&sums).flatten().collect();
            let mut expected = (0, 0);
            for part in &parts {
                if part.level != expected.0 {
                    assert_eq!(expected.1, sums.size(expected.0));
                    expected = (expected.0 + 1, 0);
                }
                assert_eq!((part.level, part.first), expected);
                assert!(part.count > 0 && part.count <= tiles as u64);
                expected.1 += part.count;
            }
            assert_eq!(parts.iter().map(|part| part.count).sum::<u64>(), plan.positions);
        }
    }

    #[test]
    fn a_larger_p_than_any_distance_is_no_larger_game() {
        let of = |p| plan(Cell { p, m: 3, k: 3, window: 9 }, 1, &capacity(1 << 30, 64), u64::MAX).unwrap();
        assert_eq!(of(u64::MAX), of(19));
        assert_eq!(of(19).exponents, 1);
    }

    #[test]
    fn too_large_is_refused_with_the_largest_that_fits() {
        let cell = |window| Cell { p: 3, m: 10, k: 3, window };
        let refused = plan(cell(60), 1, &capacity(1 << 30, 64), u64::MAX);
        let Err(Error::TooLarge { largest: Some(largest), .. }) = refused else { panic!("not refused: {refused:?}") };
        assert!(plan(cell(largest), 1, &capacity(1 << 30, 64), u64::MAX).is_ok());
        assert!(plan(cell(largest + 1), 1, &capacity(1 << 30, 64), u64::MAX).is_err());
        let refused = plan(cell(40), 1, &capacity(1 << 60, 64), 1 << 20).unwrap_err().to_string();
        assert!(refused.contains("use N = 22 or less"), "{refused}");
    }
}
