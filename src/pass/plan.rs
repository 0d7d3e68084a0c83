//! The plan of a box of Nim with passes: plain data, made before any work and without a GPU; refuses what cannot fit.

use crate::error::{Error, Result};
use crate::index::boxes::{self, Blocks, Grid};

/// The most piles: a NumPy array has at most so many axes besides the first.
pub const MOST_PILES: usize = boxes::MAX_AXES - 1;
/// The greatest pile.
pub const MOST_SIZE: u64 = 1 << 31;
/// The most passes.
pub const MOST_PASSES: u32 = 10_000;
/// Without being told, the box of one pile more is solved up to this number of cells.
pub const NEXT_PILE_CELLS: u128 = 1 << 24;

/// What a backend can hold, in the terms of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PassCapacity {
    /// Where, for messages.
    pub device: String,
    /// Bytes that may be used on the device.
    pub memory: u64,
    /// Bytes of host memory available: the table is kept there.
    pub host_memory: u64,
    /// Whether the device's memory is the host's.
    pub shared: bool,
    /// Bits of a word of a row.
    pub word_bits: u64,
    /// The limits of a GPU.
    pub gpu: Option<GpuLimits>,
}

/// What binds a plan on a GPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GpuLimits {
    /// Bytes of the largest single binding.
    pub binding: u64,
    /// Over how many bindings rows and values may be split.
    pub pieces: u64,
    /// Bytes of the buffers besides rows and values.
    pub other: u64,
}

/// Cells and rows that a shader can number.
const GPU_INDEX: u128 = 1 << 31;

impl PassCapacity {
    /// A CPU with this much memory available.
    pub fn cpu(memory: u64) -> Self {
        Self { device: "this machine".into(), memory, host_memory: memory, shared: true, word_bits: 64, gpu: None }
    }
}

/// Choices for tests, which reach every path with them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PassTuning {
    /// Words of values in a row, fewer than are proven to suffice.
    pub row_words: Option<u64>,
    /// Values wider than 16 bits though these would do.
    pub wide: bool,
}

/// Why a box does not fit.
#[derive(Clone, Debug)]
struct Short {
    what: &'static str,
    needed: u128,
    available: u64,
    host: bool,
}

/// How one box is solved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoxPlan {
    /// One more than the greatest value of each pile.
    pub sides: Vec<u64>,
    /// The cells and lines.
    pub grid: Grid,
    /// No value is above this: a mex is not above the number of options, and these are at most the sum of the piles and,
    /// if there are passes, one.
    pub bound: u64,
    /// Bits of a word of a row.
    pub word_bits: u64,
    /// Words of a row, the count in front included.
    pub row_words: u64,
    /// Whether values take 32 bits, not 16.
    pub wide: bool,
    /// Bytes of the layers that are kept.
    pub table: u64,
    /// Bytes of the rows.
    pub rows: u64,
    /// Bytes of everything else: the order of blocks, and on a GPU the values being solved and buffers.
    pub other: u64,
    /// On a GPU, cells and rows in one binding.
    pub piece: (u64, u64),
}

/// Bytes held at the peak.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct PassMemory {
    /// All layers of values.
    pub table: u64,
    /// The rows.
    pub rows: u64,
    /// The order of blocks; on a GPU the values being solved and buffers.
    pub other: u64,
    /// The box of one pile more, all together; the rows are given back before it is solved.
    pub next_pile: u64,
    /// The table and the greater of the rest.
    pub total: u64,
}

/// How a request is solved.
#[derive(Clone, Debug)]
pub struct PassPlan {
    /// The box asked for.
    pub main: BoxPlan,
    /// The box of one pile more, or why it is not solved.
    pub next: std::result::Result<BoxPlan, String>,
    /// What is held at the peak.
    pub memory: PassMemory,
}

impl BoxPlan {
    /// The error for a row that is full at a cell.
    pub fn row_full(&self, cell: u64, passes: u32) -> Error {
        let piles: Vec<String> = boxes::piles(&self.sides, cell).iter().map(u32::to_string).collect();
        Error::RowFull { piles: piles.join(","), passes, values: (self.row_words - 1) * self.word_bits }
    }

    fn total(&self) -> u64 {
        self.table + self.rows + self.other
    }
}

fn fit(
    sides: &[u64],
    layers: u64,
    passes: u32,
    held: u64,
    capacity: &PassCapacity,
    tuning: &PassTuning,
) -> std::result::Result<BoxPlan, Short> {
    let (cells, rows) = boxes::size(sides.iter().copied());
    let options = sides.iter().map(|side| u128::from(side - 1)).sum::<u128>() + u128::from(passes > 0);
    let words = tuning.row_words.map_or((options + 1).div_ceil(capacity.word_bits.into()), u128::from);
    let row_words = words + 1;
    let row_bytes = rows.saturating_mul(row_words * u128::from(capacity.word_bits / 8));
    let wide = tuning.wide || options >= u16::MAX.into();
    let table = cells.saturating_mul(if wide { 4 } else { 2 }).saturating_mul(layers.into());
    let on_device = match capacity.gpu {
        None => Blocks::bytes(cells),
        Some(gpu) => cells.saturating_mul(4).saturating_add(gpu.other.into()),
    };

    let host = table.saturating_add(held.into());
    if host > u128::from(capacity.host_memory) {
        return Err(Short { what: "table", needed: host, available: capacity.host_memory, host: true });
    }
    let device = row_bytes.saturating_add(on_device).saturating_add(if capacity.shared { host } else { 0 });
    if device > u128::from(capacity.memory) {
        return Err(Short { what: "table and rows", needed: device, available: capacity.memory, host: false });
    }
    let mut piece = (u64::MAX, u64::MAX);
    if let Some(gpu) = capacity.gpu {
        let short = |what, needed, available| Short { what, needed, available, host: false };
        piece = (gpu.binding / 4, gpu.binding / 4 / u64::try_from(row_words).unwrap_or(u64::MAX));
        if piece.1 == 0 {
            return Err(short("longest row, in one binding,", row_words * 4, gpu.binding));
        }
        let (for_values, for_rows) = (cells.div_ceil(piece.0.into()), rows.div_ceil(piece.1.into()));
        if for_values + for_rows > gpu.pieces.into() {
            let available = gpu.binding.saturating_mul(gpu.pieces);
            let needed = (for_values + for_rows).saturating_mul(gpu.binding.into());
            return Err(short("rows and values, split over bindings,", needed, available));
        }
        if cells.max(rows) > GPU_INDEX {
            return Err(short("cells and lines, numbered by a shader,", cells.max(rows) * 4, (GPU_INDEX * 4) as u64));
        }
    }
    Ok(BoxPlan {
        sides: sides.into(),
        grid: Grid::new(sides),
        bound: options as u64,
        word_bits: capacity.word_bits,
        row_words: row_words as u64,
        wide,
        table: table as u64,
        rows: row_bytes as u64,
        other: on_device as u64,
        piece,
    })
}

fn refuse(request: String, short: Short, capacity: &PassCapacity, remedy: String) -> Error {
    Error::Memory {
        request,
        what: short.what,
        device: if short.host { "this machine".into() } else { capacity.device.clone() },
        needed: short.needed,
        available: short.available,
        remedy,
    }
}

/// `9 piles of 1000 and 1 pass`
pub fn describe(piles: usize, size: u64, passes: u32) -> String {
    let s = |n: u64| if n == 1 { "" } else { "s" };
    format!("{piles} pile{} to {size} with {passes} pass{}", s(piles as u64), if passes == 1 { "" } else { "es" })
}

/// Plans the box of `piles` piles up to `size` with up to `passes` passes left, and the box of one pile more: always if
/// `next` is true, never if it is false, and if it is not too large where `next` is `None`.
///
/// # Errors
/// [`Error::Memory`] with the bytes needed and available and the largest size that fits; [`Error::Usage`] for numbers out
/// of range.
pub fn cube(
    piles: usize,
    size: u64,
    passes: u32,
    next: Option<bool>,
    capacity: &PassCapacity,
    tuning: &PassTuning,
) -> Result<PassPlan> {
    check_ranges(piles, size, passes)?;
    let layers = u64::from(passes) + 1;
    let sides = |piles: usize, size: u64| vec![size + 1; piles];
    let main = fit(&sides(piles, size), layers, passes, 0, capacity, tuning).map_err(|short| {
        let fits = |size: u64| fit(&sides(piles, size), layers, passes, 0, capacity, tuning).is_ok();
        let remedy = match largest(size, fits) {
            Some(size) => format!("the largest SIZE that fits is {size}"),
            None => "no SIZE fits: take fewer PILES or --passes".into(),
        };
        refuse(describe(piles, size, passes), short, capacity, remedy)
    })?;
    let (cells, _) = boxes::size(sides(piles + 1, size).iter().copied());
    let planned = match next {
        Some(false) => Err("not asked for".into()),
        None if cells > NEXT_PILE_CELLS => Err(format!(
            "the box of {} piles has more than {NEXT_PILE_CELLS} cells; ask for it with --next-pile",
            piles + 1
        )),
        _ => match fit(&sides(piles + 1, size), 1, passes, main.table, capacity, tuning) {
            Ok(plan) => Ok(plan),
            Err(short) if next == Some(true) => {
                let request = format!("--next-pile: {}", describe(piles + 1, size, passes));
                let remedy = "leave --next-pile out, or take a smaller SIZE".to_string();
                return Err(refuse(request, short, capacity, remedy));
            }
            Err(_) => Err(format!("the box of {} piles does not fit the memory", piles + 1)),
        },
    };
    Ok(PassPlan::new(main, planned))
}

/// Plans the box that one position spans; nothing is checked on it.
///
/// # Errors
/// As [`cube`].
pub fn position(piles: &[u32], passes: u32, capacity: &PassCapacity, tuning: &PassTuning) -> Result<PassPlan> {
    let size = piles.iter().copied().max().unwrap_or(0);
    check_ranges(piles.len(), size.into(), passes)?;
    let sides: Vec<u64> = piles.iter().map(|pile| u64::from(*pile) + 1).collect();
    // One layer: each is solved over the one below.
    let main = fit(&sides, 1, passes, 0, capacity, tuning)
        .map_err(|short| refuse("--position".into(), short, capacity, "take fewer or smaller piles".into()))?;
    Ok(PassPlan::new(main, Err("one position only".into())))
}

pub(super) fn check_ranges(piles: usize, size: u64, passes: u32) -> Result<()> {
    if piles > MOST_PILES {
        return Err(Error::Usage(format!(
            "PILES = {piles} is above {MOST_PILES}, one less than the axes of a NumPy array; use 0 to {MOST_PILES}"
        )));
    }
    if size > MOST_SIZE {
        return Err(Error::Usage(format!("SIZE = {size} is above {MOST_SIZE}; use 0 to {MOST_SIZE}")));
    }
    if passes > MOST_PASSES {
        return Err(Error::Usage(format!("--passes {passes} is above {MOST_PASSES}; use 0 to {MOST_PASSES}")));
    }
    Ok(())
}

/// The largest number below `most` for which `fits` holds; it must hold for all below one for which it holds.
fn largest(most: u64, fits: impl Fn(u64) -> bool) -> Option<u64> {
    let (mut holds, mut fails) = (fits(0).then_some(0)?, most);
    while holds + 1 < fails {
        let middle = holds + (fails - holds) / 2;
        if fits(middle) {
            holds = middle;
        } else {
            fails = middle;
        }
    }
    Some(holds)
}

impl PassPlan {
    fn new(main: BoxPlan, next: std::result::Result<BoxPlan, String>) -> Self {
        let next_pile = next.as_ref().map_or(0, BoxPlan::total);
        let memory = PassMemory {
            table: main.table,
            rows: main.rows,
            other: main.other,
            next_pile,
            total: main.table + (main.rows + main.other).max(next_pile),
        };
        Self { main, next, memory }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(piles: usize, size: u64, passes: u32) -> Result<PassPlan> {
        cube(piles, size, passes, None, &PassCapacity::cpu(4 << 30), &PassTuning::default())
    }

    #[test]
    fn rows_hold_every_value_that_can_occur() {
        for (piles, size, passes) in
            [(0, 9, 2), (1, 0, 1), (1, 62, 1), (1, 63, 1), (2, 4095, 1), (3, 255, 0), (4, 63, 3)]
        {
            let plan = plan(piles, size, passes).unwrap().main;
            assert_eq!(plan.bound, piles as u64 * size + u64::from(passes > 0));
            assert!((plan.row_words - 1) * 64 > plan.bound);
            assert!((plan.row_words - 2) * 64 <= plan.bound);
            assert_eq!(plan.table, (size + 1).pow(piles as u32) * 2 * (u64::from(passes) + 1));
        }
        assert!(!plan(1, 65533, 1).unwrap().main.wide);
        assert!(plan(1, 65534, 1).unwrap().main.wide);
    }

    #[test]
    fn too_large_is_refused_with_the_largest_that_fits() {
        for (piles, size) in [(9, 1000), (31, MOST_SIZE), (3, 1300), (2, 60000)] {
            let Err(Error::Memory { needed, available, remedy, .. }) = plan(piles, size, 1) else {
                panic!("{piles} {size}");
            };
            assert!(needed > available.into());
            let largest: u64 = remedy.rsplit(' ').next().unwrap().parse().unwrap();
            assert!(plan(piles, largest, 1).is_ok() && plan(piles, largest + 1, 1).is_err(), "{remedy}");
        }
        assert!(matches!(plan(32, 0, 1), Err(Error::Usage(text)) if text.contains("31")));
    }

    #[test]
    fn the_next_pile_is_planned_where_it_is_small() {
        assert!(plan(1, 1000, 1).unwrap().next.is_ok());
        assert!(plan(2, 128, 1).unwrap().next.is_ok());
        assert!(plan(2, 4095, 1).unwrap().next.unwrap_err().contains("--next-pile"));
    }
}
