//! The flow for a window of Welter's game: request, plan, solve, check, and the outcome that is recorded and reported.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::Position;
use crate::backend::{Backend, Info, WindowSetup};
use crate::check::{Difference, FormulaCheck, Gathered, MirrorCheck};
use crate::error::{Error, Result};
use crate::games::welter::Welter;
use crate::index::low::Bug;
use crate::index::tiles::batches;
use crate::kernels::FORMULAS;
use crate::oracle::Oracle;
use crate::plan::{self, Tuning, WindowPlan};
use crate::record::digest::Digest;
use crate::record::table::{NpyFile, ValueTable};
use crate::theory;

/// What is asked for.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// Number of squares.
    pub window: u32,
    /// Where to export the table: one byte a mask, in the order of masks.
    pub table: Option<PathBuf>,
    /// Keep the table in [`Outcome::table`].
    pub keep_table: bool,
    /// Choices that do not change any result.
    pub tuning: Tuning,
    /// Leave out the comparison with the formulas, the counts and the digest: only solve. For benchmarks.
    pub solve_only: bool,
    /// A bug planted by a test.
    pub bug: Option<Bug>,
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
}

/// Plans the request and opens its file, so that whatever is impossible is refused before the work begins.
///
/// # Errors
/// As [`plan::window`]; [`Error::Write`] if the table's file cannot be opened.
pub fn prepare<'a>(request: &'a Request, backend: &'a dyn Backend) -> Result<Prepared<'a>> {
    let began = Instant::now();
    let plan = plan(request, backend)?;
    let file = request.table.as_deref().map(NpyFile::create).transpose()?;
    Ok(Prepared { began, request, backend, plan, file })
}

/// Solves and checks a window. `progress` is told how many positions are done.
///
/// # Errors
/// Anything in [`Error`]; a difference from a formula is no error but part of the outcome.
pub fn run(request: &Request, backend: &dyn Backend, progress: &mut dyn FnMut(u64)) -> Result<Outcome> {
    prepare(request, backend)?.run(progress)
}

impl Prepared<'_> {
    /// Solves and checks; see [`run`].
    ///
    /// # Errors
    /// As [`run`].
    pub fn run(self, progress: &mut dyn FnMut(u64)) -> Result<Outcome> {
        let Self { began, request, backend, plan, file } = self;
        let mut setup = WindowSetup::new(plan);
        if let Some(bug) = request.bug {
            setup.low.plant(bug);
        }
        let table = (file.is_some() || request.keep_table).then(|| ValueTable::new(request.window));
        let lanes = backend.capacity().lanes;

        let mut gathered = Gathered::new(request.window);
        let (mut solve, mut check) = (Duration::ZERO, Duration::ZERO);
        let mut done = 0;
        let mut engine = backend.open(&setup)?;
        for band in &setup.plan.bands {
            timed(&mut solve, || engine.begin_band(band.clone()))?;
            batches(&setup.low, &setup.high, band.clone(), lanes, setup.plan.batch, |batch| {
                timed(&mut solve, || engine.solve(batch))?;
                if !request.solve_only {
                    let findings = timed(&mut check, || engine.check(batch))?;
                    let absorbed = timed(&mut check, || gathered.absorb(&setup, band.start, batch, &findings));
                    absorbed.map_err(|reason| Error::Gpu {
                        device: backend.info().device,
                        what: "impossible read-back".into(),
                        reason,
                    })?;
                }
                if let Some(table) = &table {
                    table.store(&setup.low, batch, lanes, engine.values()?);
                }
                done += batch.positions;
                progress(done);
                Ok(())
            })?;
        }
        drop(engine);
        if let (Some(file), Some(table)) = (file, &table) {
            file.write(table.iter())?;
        }
        Ok(Outcome {
            window: request.window,
            positions: 1 << request.window,
            backend: backend.info(),
            p_positions: gathered.p_positions(),
            value_counts: gathered.value_counts(),
            formulas: gathered.formulas,
            mirror: gathered.mirror(),
            digest: gathered.digest(),
            table: table.filter(|_| request.keep_table).map(Arc::new),
            planned_bytes: setup.plan.memory.total,
            seconds: Seconds {
                solve: solve.as_secs_f64(),
                check: check.as_secs_f64(),
                total: began.elapsed().as_secs_f64(),
            },
        })
    }
}

/// The largest window that the oracle is let loose on: it keeps every position with its coins in a map.
pub const ORACLE_WINDOW: u32 = 22;

/// The same outcome from the oracle and the closed forms of [`crate::theory`], position by position, on one thread. It
/// shares no code with [`run`] but the export and the shape of the outcome.
///
/// # Errors
/// [`Error::Usage`] above [`ORACLE_WINDOW`]; [`Error::Write`].
pub fn run_by_oracle(request: &Request) -> Result<Outcome> {
    let began = Instant::now();
    let window = request.window;
    if window > ORACLE_WINDOW {
        return Err(Error::Usage(format!(
            "N = {window} is above {ORACLE_WINDOW}, the largest window for the oracle; use --backend cpu"
        )));
    }
    let file = request.table.as_deref().map(NpyFile::create).transpose()?;
    let (mut solve, mut check) = (Duration::ZERO, Duration::ZERO);
    let values: Vec<u64> = timed(&mut solve, || {
        let mut oracle = Oracle::new(Welter);
        let coins = |mask: u64| (0..window).filter(|a| mask >> a & 1 == 1).collect();
        (0..1 << window).map(|mask| u64::from(oracle.value(&coins(mask)))).collect()
    });

    let positions = || (0..1u64 << window).map(Position);
    let (mut formulas, mut mirror) = ([FormulaCheck::default(); FORMULAS.len()], MirrorCheck::default());
    let mut p_positions = vec![0; window as usize + 1];
    let mut value_counts = vec![0; values.iter().max().map_or(0, |v| *v as usize) + 1];
    timed(&mut check, || {
        let mut broken = vec![false; window as usize + 1];
        for (position, &value) in positions().zip(&values) {
            let coins = position.coins();
            let said = [theory::welter::value(&coins), theory::hooks::value(&coins), theory::digits::value(2, &coins)];
            for (check, formula) in formulas.iter_mut().zip(said) {
                check.checked += 1;
                if formula != value {
                    check.differ += 1;
                    check.consider(Difference { position, value, formula });
                }
            }
            let image =
                (0..window).filter(|a| position.mask() >> (window - 1 - a) & 1 == 0).map(|a| 1u64 << a).sum::<u64>();
            mirror.checked += 1;
            broken[coins.len()] |= values[image as usize] != value;
            p_positions[coins.len()] += u64::from(value == 0);
            value_counts[value as usize] += 1;
        }
        mirror.differ = broken.iter().filter(|broken| **broken).count() as u64;
    });
    let digest = timed(&mut check, || Digest::of_masks(values.iter().copied()));
    if let Some(file) = file {
        file.write(ValueTable::from_values(&values).iter())?;
    }
    Ok(Outcome {
        window,
        positions: 1 << window,
        backend: Info::oracle(),
        p_positions,
        value_counts,
        formulas,
        mirror,
        digest,
        table: request.keep_table.then(|| Arc::new(ValueTable::from_values(&values))),
        planned_bytes: 0,
        seconds: Seconds {
            solve: solve.as_secs_f64(),
            check: check.as_secs_f64(),
            total: began.elapsed().as_secs_f64(),
        },
    })
}

fn timed<T>(total: &mut Duration, work: impl FnOnce() -> T) -> T {
    let began = Instant::now();
    let result = work();
    *total += began.elapsed();
    result
}
