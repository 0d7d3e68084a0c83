//! The seam between the flow and the machines: one trait, a CPU and a GPU behind it.
//!
//! A backend is opened for a plan, told of each band, and given batches to solve and then to check. It returns plain
//! data; what the data mean is decided in [`crate::check`].

pub mod cpu;

#[cfg(feature = "gpu")]
pub mod gpu;
pub mod options;

use std::ops::Range;

use crate::error::{Error, Result};
use crate::index::high::HighMasks;
use crate::index::low::LowTables;
use crate::index::tiles::Batch;
use crate::index::young::YoungTables;
use crate::kernels::cells::Cells;
use crate::kernels::full::FullCount;
use crate::kernels::layer::Values;
use crate::kernels::msg::{MsgCount, Sizes};
use crate::kernels::verify::{Found, Rules};
use crate::kernels::{VALUES, Verdict};
use crate::pass::plan::{BoxPlan, PassCapacity};
use crate::plan::{Capacity, WindowPlan};
use options::{OptionEngine, OptionSetup};

/// Which backend a request asks for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Choice {
    /// A real GPU if there is one, else the CPU; never a software GPU.
    #[default]
    Auto,
    /// The CPU kernels on all or some cores.
    Cpu,
    /// The WGSL kernels; a software adapter only if there is no other or it is named.
    Gpu,
}

/// What a backend is, for reports and records.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Info {
    /// `cpu`, `gpu` or `oracle`.
    pub kind: &'static str,
    /// The processor's or adapter's name.
    pub device: String,
    /// Threads, or `None` on a GPU.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub threads: Option<usize>,
    /// The driver and API, on a GPU.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub driver: Option<String>,
    /// Whether the adapter is a program on the CPU that only behaves as a GPU.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub software: bool,
    /// The limits that decide what fits, on a GPU.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limits: Option<DeviceLimits>,
}

/// Limits of a GPU that matter here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct DeviceLimits {
    /// Bytes of the largest storage binding.
    #[serde(serialize_with = "crate::record::serialize_integer")]
    pub max_binding_bytes: u64,
    /// Storage bindings that rows can be split over.
    pub row_bindings: u32,
    /// Workgroups in one dimension of a dispatch.
    pub max_workgroups_per_dimension: u32,
    /// Bytes of memory that a workgroup shares.
    pub workgroup_memory_bytes: u32,
}

impl Info {
    /// The oracle.
    pub fn oracle() -> Self {
        Self {
            kind: "oracle",
            device: "the definition".into(),
            threads: Some(1),
            driver: None,
            software: false,
            limits: None,
        }
    }
}

/// What the checking kernels say of a batch.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    /// One a tile.
    pub verdicts: Vec<Verdict>,
    /// Values counted by number of coins, from the band's least.
    pub histogram: Vec<[u64; VALUES]>,
}

/// A machine that can solve windows.
pub trait Backend {
    /// What it is.
    fn info(&self) -> Info;

    /// What it can hold now.
    fn capacity(&self) -> Capacity;

    /// Gets ready for one plan.
    fn open<'a>(&'a self, setup: &'a WindowSetup) -> Result<Box<dyn WindowEngine + 'a>>;

    /// What it can hold now, of a box of piles.
    fn pass_capacity(&self) -> PassCapacity;

    /// Gets ready for one box of Nim with passes.
    fn open_pass<'a>(&'a self, plan: &'a BoxPlan) -> Result<Box<dyn PassEngine + 'a>>;

    /// Gets ready to walk through Young diagrams.
    fn open_young<'a>(&'a self, tables: &'a YoungTables) -> Result<Box<dyn YoungEngine + 'a>>;
    /// The most positions of an option game that it can number.
    fn most_positions(&self) -> u64;

    /// Gets ready for one plan of an option game.
    fn open_options<'a>(&'a self, setup: &'a OptionSetup) -> Result<Box<dyn OptionEngine + 'a>>;

    /// Gets ready to look whether a table certifies itself; it has as many cells as the game has positions.
    fn open_verify<'a>(&'a self, rules: &'a Rules, table: &'a Cells) -> Result<Box<dyn VerifyEngine + 'a>>;
}

/// A backend at work on one box of Nim with passes: its layers by passes left, from none up.
pub trait PassEngine {
    /// Solves layer `passes_left` by mex. `values` holds the layer below and receives this one; `progress` is told how many
    /// cells of the layer are done.
    ///
    /// # Errors
    /// [`Error::RowFull`]; [`Error::Gpu`].
    fn solve(&mut self, passes_left: u32, values: &mut Values, progress: &mut dyn FnMut(u64)) -> Result<()>;
}

/// A plan and the tables made for it.
pub struct WindowSetup {
    /// The plan.
    pub plan: WindowPlan,
    /// The low squares.
    pub low: LowTables,
    /// The high squares.
    pub high: HighMasks,
}

impl WindowSetup {
    /// Makes the tables of a plan.
    pub fn new(plan: WindowPlan) -> Self {
        Self { low: LowTables::new(plan.low, plan.window), high: HighMasks::new(plan.window - plan.low), plan }
    }
}

/// A backend at work on one plan: bands in order, and within a band its batches in order, each solved, then checked.
pub trait WindowEngine {
    /// Begins a band: the rows of these numbers of coins are empty.
    fn begin_band(&mut self, counts: Range<u32>) -> Result<()>;

    /// Solves a batch by mex; no formula is used.
    fn solve(&mut self, batch: &Batch) -> Result<()>;

    /// Compares the batch just solved with every formula and adds up its values and digest.
    fn check(&mut self, batch: &Batch) -> Result<Findings>;

    /// The values of the batch just solved, where its tiles say they lie.
    fn values(&mut self) -> Result<&[u8]>;

    /// The values at these places.
    fn sample(&mut self, at: &[u32]) -> Result<Vec<u8>>;

    /// Whether the device may err, so that samples are worth their while: a GPU.
    fn errs(&self) -> bool;

    /// The tiles, by coins and high coins, whose own rows are the first in a binding other than the first.
    fn split_boundaries(&self) -> &[(u32, u32)];

    /// Flips the lowest bit of a value, as an error of the device would: for tests.
    fn flip(&mut self, at: u32) -> Result<()>;
}

/// A backend at work on Young diagrams.
pub trait YoungEngine {
    /// How many nodes of the tree of partitions to ask for at a time.
    fn stretch(&self) -> u64;

    /// Counts the partitions that are the nodes `first..first + count` of the tree, by n.
    fn full(&mut self, first: u64, count: u64) -> Result<Vec<FullCount>>;

    /// Solves level n of Young's lattice from level n - 1; levels are asked for in order, from 0 or from the one after
    /// [`Self::set_level`].
    fn msg_level(&mut self, n: u32) -> Result<MsgCount>;

    /// The level just solved.
    fn level(&mut self, n: u32) -> Result<Vec<Sizes>>;

    /// Takes a level as solved.
    fn set_level(&mut self, n: u32, sizes: &[Sizes]) -> Result<()>;
}

/// A backend at work on a table that is to certify itself.
pub trait VerifyEngine {
    /// How many cells to ask for at a time.
    fn stretch(&self) -> u64;

    /// Looks at the cells `first..first + count`.
    fn verify(&mut self, first: u64, count: u64) -> Result<Found>;
}

/// The largest piece of a table that a binding of so many bytes holds: a power of two, so that a shift tells the piece of a
/// word.
pub fn piece_bytes(binding: u64) -> u64 {
    1 << binding.max(4).ilog2()
}

/// Opens the backend that a request asks for, and says which and why if it was left to choose.
///
/// # Errors
/// [`Error::Device`] if there is no such adapter, or the crate was built without GPU support.
pub fn select(choice: Choice, device: Option<&str>, threads: Option<usize>) -> Result<(Box<dyn Backend>, String)> {
    if choice == Choice::Cpu && device.is_some() {
        return Err(Error::Usage("--device names a GPU adapter; leave it out with --backend cpu".into()));
    }
    if choice == Choice::Cpu {
        return Ok((Box::new(cpu::Cpu::new(threads)?), "CPU, as asked".into()));
    }
    select_gpu(choice, device, threads)
}

#[cfg(feature = "gpu")]
fn select_gpu(choice: Choice, device: Option<&str>, threads: Option<usize>) -> Result<(Box<dyn Backend>, String)> {
    if choice == Choice::Auto && device.is_none() {
        let real = gpu::adapters().into_iter().find(|adapter| !adapter.software());
        return Ok(match real {
            Some(adapter) => {
                let why = format!("{}, the first real GPU", adapter.name());
                (Box::new(gpu::Gpu::open(adapter, &gpu::Caps::default())?), why)
            }
            None => (Box::new(cpu::Cpu::new(threads)?), "CPU, as there is no real GPU".into()),
        });
    }
    let adapter = gpu::named(device)?;
    let why = format!("{}, as asked", adapter.name());
    Ok((Box::new(gpu::Gpu::open(adapter, &gpu::Caps::default())?), why))
}

#[cfg(not(feature = "gpu"))]
fn select_gpu(choice: Choice, device: Option<&str>, threads: Option<usize>) -> Result<(Box<dyn Backend>, String)> {
    if choice == Choice::Gpu || device.is_some() {
        return Err(Error::Device(
            "this build has no GPU backend (it was built with --no-default-features); use --backend cpu".into(),
        ));
    }
    Ok((Box::new(cpu::Cpu::new(threads)?), "CPU, as this build has no GPU backend".into()))
}

/// Bytes of memory that this process may still take, within the limits of its control group; a careful guess of
/// 4 GiB on a system that does not tell.
pub fn available_memory() -> u64 {
    let Ok(mut system) = sysinfo::System::new() else {
        return 4 << 30;
    };
    system.refresh_memory();
    let free = system.available_memory();
    match system.cgroup_limits() {
        Some(limits) => free.min(limits.free_memory),
        None => free,
    }
}
