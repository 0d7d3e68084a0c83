//! The flow for a window of Welter's game: request, plan, solve, check, and the outcome that is recorded and reported.

mod band;
mod oracle;
mod parts;

pub use oracle::{ORACLE_WINDOW, run_by_oracle};

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::backend::{Backend, Info, WindowSetup};
use crate::check::{FormulaCheck, MirrorCheck, WindowGathered};
use crate::error::Result;
use crate::index::low::Bug;
use crate::kernels::FORMULAS;
use crate::plan::{self, Tuning, WindowPlan};
use crate::record::checkpoint::{Checkpoint, Resumed};
use crate::record::digest::Digest;
use crate::record::table::{NpyFile, ValueTable};
use band::{Bands, Spent};
use parts::{load, save, unfinished};

/// What is asked for.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// Number of squares.
    pub window: u32,
    /// Where to export the table: one byte a mask, in the order of masks.
    pub table: Option<PathBuf>,
    /// Keep the table in [`Outcome::table`].
    pub keep_table: bool,
    /// Keep what is finished, one number of coins after the other, in this folder, and go on from what is there.
    pub checkpoint: Option<PathBuf>,
    /// Choices that do not change any result.
    pub tuning: Tuning,
    /// Leave out the comparison with the formulas, the counts and the digest: only solve. For benchmarks.
    pub solve_only: bool,
    /// A bug planted by a test.
    pub bug: Option<Bug>,
    /// Positions of each level that are computed again on the CPU, besides its first and last ones and those where the
    /// rows go on in another binding; `None` takes 4 on a GPU and none on the CPU.
    pub verify_sample: Option<u32>,
    /// An error of the device, made by a test.
    pub fault: Option<Fault>,
}

/// When a test flips a bit of a value between solving and checking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Once, as a passing error of the device would.
    Once,
    /// Every time, as a broken device would.
    Always,
}

/// Seconds spent.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Seconds {
    /// Solving, by mex.
    pub solve: f64,
    /// Comparing with the formulas, counting, and the digest.
    pub check: f64,
    /// Everything from the request to the outcome, index tables and the exported table included.
    pub total: f64,
}

/// What was found.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Number of squares.
    pub window: u32,
    /// Positions solved: `2^window`.
    pub positions: u64,
    /// What solved them.
    pub backend: Info,
    /// P-positions by number of coins.
    pub p_positions: Vec<u64>,
    /// How often each value occurs.
    pub value_counts: Vec<u64>,
    /// The formulas, in the order of [`FORMULAS`].
    pub formulas: [FormulaCheck; FORMULAS.len()],
    /// The mirror symmetry.
    pub mirror: MirrorCheck,
    /// The digest of the table.
    pub digest: Digest,
    /// The table, if it was to be kept.
    pub table: Option<Arc<ValueTable>>,
    /// Numbers of coins taken from a checkpoint, and damaged checkpoint files that were set aside.
    pub resumed: Resumed,
    /// Errors of the device that were met, and mended by solving the band again.
    pub errors_recovered: Vec<String>,
    /// Bytes held at the peak, as planned; 0 for the oracle, which has no plan.
    pub planned_bytes: u64,
    /// Times.
    pub seconds: Seconds,
}

impl Outcome {
    /// Whether every check agreed.
    pub fn agreed(&self) -> bool {
        self.mirror.differ == 0 && self.formulas.iter().all(|check| check.differ == 0)
    }

    /// The document that `--format json` prints and records hold.
    pub fn to_json(&self) -> Value {
        let first = |check: &FormulaCheck| match check.first {
            None => Value::Null,
            Some(d) => json!({
                "coins": d.position.coins(),
                "mask": crate::record::integer(d.position.mask()),
                "value": d.value,
                "formula": d.formula,
            }),
        };
        let checks: serde_json::Map<String, Value> = FORMULAS
            .iter()
            .zip(&self.formulas)
            .map(|(name, check)| {
                let told = json!({"checked": check.checked, "differ": check.differ, "first": first(check)});
                (name.to_string(), told)
            })
            .collect();
        json!({
            "command": "brute",
            "window": self.window,
            "positions": crate::record::integer(self.positions),
            "backend": self.backend,
            "p_positions": self.p_positions,
            "value_counts": self.value_counts,
            "max_value": self.value_counts.len() - 1,
            "checks": checks,
            "mirror": {"checked": self.mirror.checked, "differ": self.mirror.differ},
            "digest": self.digest.to_string(),
            "resumed": self.resumed,
            "errors_recovered": self.errors_recovered,
            "planned_bytes": self.planned_bytes,
            "seconds": {
                "solve": self.seconds.solve,
                "check": self.seconds.check,
                "total": self.seconds.total,
            },
            "version": env!("CARGO_PKG_VERSION"),
        })
    }
}

/// Plans the request for a backend; nothing is started.
///
/// # Errors
/// As [`plan::window`].
pub fn plan(request: &Request, backend: &dyn Backend) -> Result<WindowPlan> {
    plan::window(request.window, request.table.is_some() || request.keep_table, &backend.capacity(), &request.tuning)
}

/// A request that was found possible: planned, and with the file of its table open.
pub struct Prepared<'a> {
    began: Instant,
    request: &'a Request,
    backend: &'a dyn Backend,
    plan: WindowPlan,
    file: Option<NpyFile>,
    checkpoint: Option<Checkpoint>,
}

/// Plans the request and opens its file, so that whatever is impossible is refused before the work begins.
///
/// # Errors
/// As [`plan::window`]; [`crate::Error::Write`] if the table's file cannot be opened.
pub fn prepare<'a>(request: &'a Request, backend: &'a dyn Backend) -> Result<Prepared<'a>> {
    let began = Instant::now();
    let plan = plan(request, backend)?;
    let file = request.table.as_deref().map(NpyFile::create).transpose()?;
    let identity = json!({"command": "brute", "window": request.window, "table": file.is_some() || request.keep_table});
    let checkpoint = request.checkpoint.as_deref().map(|folder| Checkpoint::open(folder, identity)).transpose()?;
    Ok(Prepared { began, request, backend, plan, file, checkpoint })
}

/// Solves and checks a window. `progress` is told how many positions are done.
///
/// # Errors
/// Anything in [`crate::Error`]; a difference from a formula is no error but part of the outcome.
pub fn run(request: &Request, backend: &dyn Backend, progress: &mut dyn FnMut(u64)) -> Result<Outcome> {
    prepare(request, backend)?.run(progress)
}

impl Prepared<'_> {
    /// Solves and checks; see [`run`].
    ///
    /// # Errors
    /// As [`run`].
    pub fn run(self, progress: &mut dyn FnMut(u64)) -> Result<Outcome> {
        let Self { began, request, backend, plan, file, mut checkpoint } = self;
        let mut setup = WindowSetup::new(plan);
        if let Some(bug) = request.bug {
            setup.low.plant(bug);
        }
        let table = (file.is_some() || request.keep_table).then(|| Arc::new(ValueTable::new(request.window)));
        let lanes = backend.capacity().lanes;

        let mut gathered = WindowGathered::new(request.window);
        let finished = match &mut checkpoint {
            Some(checkpoint) => load(checkpoint, request.window, &mut gathered, table.as_deref())?,
            None => vec![false; request.window as usize + 1],
        };
        let parts = finished.iter().filter(|finished| **finished).count();
        let resumed = Resumed::from_checkpoint(parts, checkpoint.as_ref());
        let mut bands = Bands {
            request,
            device: backend.info().device,
            setup: &setup,
            lanes,
            engine: backend.open(&setup)?,
            table: table.as_deref(),
            checkpoint: checkpoint.as_ref(),
            done: gathered.mirror().checked,
            progress,
            spent: Spent::default(),
            errors_recovered: Vec::new(),
        };
        for band in setup.plan.bands.iter().flat_map(|band| unfinished(band, &finished)) {
            let found = bands.solve(&band)?;
            for coins in band {
                gathered.coins[coins as usize] = found.coins[coins as usize].clone();
                if let Some(checkpoint) = &checkpoint {
                    save(checkpoint, request.window, coins, &gathered, table.as_deref())?;
                }
            }
        }
        let Bands { spent, errors_recovered, .. } = bands;
        if let (Some(file), Some(table)) = (file, &table) {
            file.write(table.iter())?;
        }
        Ok(Outcome {
            window: request.window,
            positions: 1 << request.window,
            backend: backend.info(),
            p_positions: gathered.p_positions(),
            value_counts: gathered.value_counts(),
            formulas: gathered.formulas(),
            mirror: gathered.mirror(),
            digest: gathered.digest(),
            table: table.clone().filter(|_| request.keep_table),
            resumed,
            errors_recovered,
            planned_bytes: setup.plan.memory.total,
            seconds: Seconds {
                solve: spent.solve.as_secs_f64(),
                check: spent.check.as_secs_f64(),
                total: began.elapsed().as_secs_f64(),
            },
        })
    }
}

fn timed<T>(total: &mut Duration, work: impl FnOnce() -> T) -> T {
    let began = Instant::now();
    let result = work();
    *total += began.elapsed();
    result
}
