//! The CPU backend: the kernels of [`crate::kernels`] on a pool of threads, level by level.

mod options;
mod pass;
mod verify;
mod young;

use std::ops::Range;
use std::sync::Mutex;

use rayon::prelude::*;

use super::options::{OptionEngine, OptionSetup};
use super::{Backend, Findings, Info, PassEngine, VerifyEngine, WindowEngine, WindowSetup, YoungEngine};
use crate::Position;
use crate::error::{Error, Result};
use crate::index::tiles::{Batch, BatchCap, Places, Tile};
use crate::index::young::YoungTables;
use crate::kernels::cells::Cells;
use crate::kernels::rows::{self, Params, Rows, Scratch, Word};
use crate::kernels::verify::Rules;
use crate::kernels::{LANES, VALUES, Verdict, digit, hook, tally, welter};
use crate::pass::plan::{BoxPlan, PassCapacity};
use crate::plan::Capacity;

/// Levels with fewer groups than this a thread are solved on one thread: waking others would take longer.
const GROUPS_WORTH_SHARING: usize = 4;

/// A pool of threads on this machine.
pub struct Cpu {
    pool: rayon::ThreadPool,
    name: String,
}

impl Cpu {
    /// A pool of this many threads, or of one a core.
    ///
    /// # Errors
    /// [`Error::Usage`] for 0 or more than 1,024 threads; [`Error::Device`] if they cannot be started.
    pub fn new(threads: Option<usize>) -> Result<Self> {
        if let Some(n) = threads.filter(|n| !(1..=1024).contains(n)) {
            return Err(Error::Usage(format!("--threads {n} is outside 1 to 1024; leave it out to use every core")));
        }
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads.unwrap_or(0))
            .build()
            .map_err(|e| Error::Device(format!("cannot start threads: {e}; try --threads 1")))?;
        Ok(Self { pool, name: name() })
    }

    /// Its threads, for work that is no backend's.
    pub(crate) fn pool(&self) -> &rayon::ThreadPool {
        &self.pool
    }
}

/// The processor's name, or its architecture where the system does not tell.
pub fn name() -> String {
    let brand = sysinfo::System::new().ok().and_then(|mut system| {
        system.refresh_cpu_list(sysinfo::CpuRefreshKind::nothing());
        system.cpus().first().map(|cpu| cpu.brand().trim().to_string())
    });
    brand.filter(|name| !name.is_empty()).unwrap_or_else(|| std::env::consts::ARCH.into())
}

impl Backend for Cpu {
    fn info(&self) -> Info {
        Info {
            kind: "cpu",
            device: self.name.clone(),
            threads: Some(self.pool.current_num_threads()),
            driver: None,
            software: false,
            limits: None,
        }
    }

    fn capacity(&self) -> Capacity {
        let memory = super::available_memory();
        Capacity {
            device: "this machine".into(),
            memory,
            host_memory: memory,
            binding: u64::MAX / 16,
            pieces: 1,
            lanes: LANES,
            // Enough to keep levels wide in small windows, little enough to stay in a last-level cache.
            band_bytes: 32 << 20,
            // Values and verdicts that the check finds still in cache.
            batch: BatchCap { value_bytes: 8 << 20, tiles: 1 << 16, levels: usize::MAX },
        }
    }

    fn open<'a>(&'a self, setup: &'a WindowSetup) -> Result<Box<dyn WindowEngine + 'a>> {
        if setup.plan.word_bits == 32 {
            Ok(Box::new(CpuWindow::<u32>::new(self, setup)))
        } else {
            Ok(Box::new(CpuWindow::<u64>::new(self, setup)))
        }
    }

    fn pass_capacity(&self) -> PassCapacity {
        PassCapacity::cpu(super::available_memory())
    }

    fn open_pass<'a>(&'a self, plan: &'a BoxPlan) -> Result<Box<dyn PassEngine + 'a>> {
        Ok(Box::new(pass::CpuPass::new(self, plan)))
    }

    fn open_young<'a>(&'a self, tables: &'a YoungTables) -> Result<Box<dyn YoungEngine + 'a>> {
        Ok(Box::new(young::CpuYoung::new(self, tables)))
    }

    fn most_positions(&self) -> u64 {
        u64::MAX
    }

    fn open_options<'a>(&'a self, setup: &'a OptionSetup) -> Result<Box<dyn OptionEngine + 'a>> {
        Ok(Box::new(self::options::CpuOptions::new(self, setup)))
    }

    fn open_verify<'a>(&'a self, rules: &'a Rules, table: &'a Cells) -> Result<Box<dyn VerifyEngine + 'a>> {
        Ok(Box::new(verify::CpuVerify { cpu: self, rules, table }))
    }
}

/// The words with a compiled kernel each.
trait Solve: Word {
    /// # Safety
    /// As for [`rows::solve`].
    unsafe fn solve(
        p: &Params<'_>,
        tiles: &[Tile],
        values: &mut [u8],
        rows: &Rows<Self>,
        scratch: &mut Scratch<Self>,
    ) -> std::result::Result<(), rows::Full>;
}

macro_rules! solve {
    ($int:ty, $kernel:path) => {
        impl Solve for $int {
            unsafe fn solve(
                p: &Params<'_>,
                tiles: &[Tile],
                values: &mut [u8],
                rows: &Rows<Self>,
                scratch: &mut Scratch<Self>,
            ) -> std::result::Result<(), rows::Full> {
                // SAFETY: as promised by the caller.
                unsafe { $kernel(p, tiles, values, rows, scratch) }
            }
        }
    };
}
solve!(u32, rows::solve_u32);
solve!(u64, rows::solve_u64);

/// One plan at work.
struct CpuWindow<'a, W> {
    cpu: &'a Cpu,
    setup: &'a WindowSetup,
    counts: Range<u32>,
    places: Places,
    rows: Vec<W>,
    values: Vec<u8>,
    scratch: Vec<Mutex<Scratch<W>>>,
}

impl<'a, W: Solve> CpuWindow<'a, W> {
    fn new(cpu: &'a Cpu, setup: &'a WindowSetup) -> Self {
        let scratch = || Mutex::new(Scratch::new(&setup.low));
        Self {
            cpu,
            setup,
            counts: 0..0,
            places: Places { at: Vec::new(), words: 0 },
            // Once for all bands: the pages are touched first by the threads that use them, and then stay.
            rows: vec![W::default(); (setup.plan.memory.rows / size_of::<W>() as u64) as usize],
            values: Vec::new(),
            scratch: (0..cpu.pool.current_num_threads()).map(|_| scratch()).collect(),
        }
    }

    fn overflow(&self, tile: Tile, rank: usize) -> Error {
        let low = &self.setup.low;
        let class = low.class[(tile.coins - tile.high.count_ones()) as usize] as usize;
        let mask = u64::from(tile.high) << low.low | u64::from(low.masks[class + rank]);
        Error::Overflow { position: Position(mask), bits: self.setup.plan.value_limit }
    }
}

/// The values of each group of a batch, in order.
fn groups<'b, 'v>(batch: &'b Batch, mut values: &'v mut [u8]) -> Vec<(&'b [Tile], &'v mut [u8])> {
    let (groups, _) = batch.tiles.as_chunks::<LANES>();
    let mut out = Vec::with_capacity(groups.len());
    for (i, tiles) in groups.iter().enumerate() {
        let end = groups.get(i + 1).map_or(batch.value_bytes, |next| next[0].values as usize);
        let (own, rest) = values.split_at_mut(end - tiles[0].values as usize);
        out.push((&tiles[..], own));
        values = rest;
    }
    out
}

impl<W: Solve> WindowEngine for CpuWindow<'_, W> {
    fn begin_band(&mut self, counts: Range<u32>) -> Result<()> {
        self.places = Places::new(&self.setup.low, &self.setup.high, counts.clone(), u64::MAX / 2);
        self.counts = counts;
        assert!(self.places.words <= self.rows.len() as u64, "plan: too few rows");
        if cfg!(debug_assertions) {
            // Poison: a row read before its tile was solved is full, and a full row is an error.
            self.rows.fill(!W::default());
        }
        Ok(())
    }

    fn solve(&mut self, batch: &Batch) -> Result<()> {
        self.values.resize(batch.value_bytes, 0);
        let rows = Rows::new(&mut self.rows);
        let params = Params {
            low: &self.setup.low,
            high: self.setup.high.high,
            places: &self.places.at,
            coins: self.counts.start,
            limit: self.setup.plan.value_limit,
        };
        let scratch = &self.scratch;
        let one = |(tiles, values): &mut (&[Tile], &mut [u8])| {
            let me = rayon::current_thread_index().unwrap_or(0);
            let mut scratch = scratch[me].lock().expect("no thread panicked");
            // SAFETY: only groups of one level run at a time (see `Rows`).
            unsafe { W::solve(&params, tiles, values, &rows, &mut scratch) }
                .map_err(|full| (tiles[full.lane], full.rank))
        };
        let mut groups = groups(batch, &mut self.values);
        let worth_sharing = GROUPS_WORTH_SHARING * self.scratch.len();
        let solved = self.cpu.pool.install(|| {
            for level in &batch.levels {
                let level = &mut groups[level.start / LANES..level.end / LANES];
                if level.len() < worth_sharing {
                    level.iter_mut().try_for_each(one)?;
                } else {
                    level.par_iter_mut().try_for_each(one)?;
                }
            }
            Ok(())
        });
        solved.map_err(|(tile, rank)| self.overflow(tile, rank))
    }

    fn check(&mut self, batch: &Batch) -> Result<Findings> {
        let low = &self.setup.low;
        let mut verdicts = vec![Verdict::default(); batch.tiles.len()];
        let first = self.counts.start;
        let empty = || vec![[0u64; VALUES]; self.counts.len()];
        let mut groups = groups(batch, &mut self.values);
        let histogram = self.cpu.pool.install(|| {
            groups
                .par_iter_mut()
                .zip(verdicts.par_chunks_mut(LANES))
                .with_min_len(16)
                .fold(empty, |mut histogram, ((tiles, values), verdicts)| {
                    welter::check(low, tiles, values, verdicts);
                    hook::check(low, tiles, values, verdicts);
                    digit::check(low, tiles, values, verdicts);
                    let counted = &mut histogram[(tiles[0].coins - first) as usize];
                    tally::tally(low, tiles, values, verdicts, counted);
                    histogram
                })
                .reduce(empty, |mut a, b| {
                    for (a, b) in a.iter_mut().flatten().zip(b.iter().flatten()) {
                        *a += b;
                    }
                    a
                })
        });
        Ok(Findings { verdicts, histogram })
    }

    fn values(&mut self) -> Result<&[u8]> {
        Ok(&self.values)
    }

    fn sample(&mut self, at: &[u32]) -> Result<Vec<u8>> {
        Ok(at.iter().map(|at| self.values[*at as usize]).collect())
    }

    fn errs(&self) -> bool {
        false
    }

    fn split_boundaries(&self) -> &[(u32, u32)] {
        &[]
    }

    fn flip(&mut self, at: u32) -> Result<()> {
        self.values[at as usize] ^= 1;
        Ok(())
    }
}
