//! The flow for a window of a saturation `W^m_{p,k}`: request, plan, solve, check, and the outcome that is recorded and
//! reported. `docs/SATURATIONS.md` says how it works and why it is right.

pub mod certify;
pub mod index;

use std::path::{Path, PathBuf};
use std::time::Instant;

use serde_json::{Value, json};

use crate::Position;
use crate::backend::options::{OptionSetup, Solved};
use crate::backend::{Backend, Info};
use crate::check::saturation::{Differences, digest};
use crate::check::{Difference, FormulaCheck};
use crate::error::{Error, Result};
use crate::games::saturation::Saturation;
use crate::index::{binomial, colex::Colex};
use crate::interrupt;
use crate::oracle::Oracle;
use crate::plan::options::{self, Cell, OptionPlan, Part, WORDS};
use crate::record::checkpoint::{BETWEEN_SAVES, Checkpoint, Resumed};
use crate::record::digest::Digest;
use crate::record::integer;
use crate::record::table::NpyFile;
use crate::theory::{digits, saturation};

/// What is asked for.
#[derive(Clone, Debug)]
pub struct Request {
    /// The game and the window.
    pub cell: Cell,
    /// Where to export the table: two bytes a position, in colex order.
    pub table: Option<PathBuf>,
    /// The least width of a set of values, in 32-bit words; wider ones are taken where values need them.
    pub words: u32,
    /// A bug planted by a test.
    pub bug: Option<Bug>,
}

/// A bug that a test plants to see that the checks bite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bug {
    /// Moves are those of `p + 1`.
    Moves,
    /// The formula is that of `p + 1`.
    Formula,
}

/// Seconds spent.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Seconds {
    /// Solving, by mex.
    pub solve: f64,
    /// Comparing with the formula, and the digest.
    pub check: f64,
    /// Everything from the request to the outcome.
    pub total: f64,
}

/// What was found.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The game and the window.
    pub cell: Cell,
    /// Positions solved: `C(window, m)`.
    pub positions: u64,
    /// What solved them.
    pub backend: Info,
    /// The comparison with `b_p`.
    pub check: FormulaCheck,
    /// The greatest value; `None` without positions.
    pub max_value: Option<u64>,
    /// Options of all positions, each pair once; all were taken into account.
    pub options: u128,
    /// The digest of the table.
    pub digest: Digest,
    /// What came from a checkpoint.
    pub resumed: Resumed,
    /// The values, in colex order.
    pub table: Vec<u16>,
    /// Bytes held at the peak, as planned; 0 where there is no plan.
    pub planned_bytes: u64,
    /// Times.
    pub seconds: Seconds,
}

impl Outcome {
    /// The document that `--format json` prints and records hold.
    pub fn to_json(&self) -> Value {
        let Cell { p, m, k, window } = self.cell;
        json!({
            "command": "sat",
            "p": crate::record::integer(p),
            "m": m,
            "k": k,
            "effective_k": self.cell.effective_k(),
            "window": window,
            "positions": crate::record::integer(self.positions),
            "backend": self.backend,
            "differ": self.check.differ,
            "first": first_json(self.check.first),
            "max_value": self.max_value,
            "options": options_json(self.options),
            "digest": self.digest.to_string(),
            "resumed": self.resumed,
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

/// A difference as JSON, or null.
pub fn first_json(first: Option<Difference>) -> Value {
    first.map_or(Value::Null, |d| {
        json!({
            "coins": d.position.coins(),
            "mask": crate::record::integer(d.position.mask()),
            "value": d.value,
            "b_p": d.formula,
        })
    })
}

/// A number of options as JSON: a string where it does not fit a double.
pub fn options_json(options: u128) -> Value {
    u64::try_from(options).map_or_else(|_| options.to_string().into(), crate::record::integer)
}

/// Plans the request for a backend; `None` if there are more coins than squares, so no positions.
///
/// # Errors
/// As [`Cell::validate`] and [`options::plan`].
pub fn plan(request: &Request, backend: &dyn Backend) -> Result<Option<OptionPlan>> {
    request.cell.validate()?;
    if request.cell.m > request.cell.window {
        return Ok(None);
    }
    options::plan(request.cell, request.words, &backend.capacity(), backend.most_positions()).map(Some)
}

/// A request that was found possible: planned, and with the file of its table open.
pub struct Prepared<'a> {
    began: Instant,
    request: &'a Request,
    backend: &'a dyn Backend,
    plan: Option<OptionPlan>,
    file: Option<NpyFile>,
    checkpoint: Option<Checkpoint>,
}

/// Plans the request and opens its file, so that whatever is impossible is refused before the work begins.
///
/// # Errors
/// As [`plan`]; [`Error::Write`] if the table's file cannot be opened.
pub fn prepare<'a>(request: &'a Request, backend: &'a dyn Backend) -> Result<Prepared<'a>> {
    let began = Instant::now();
    let plan = plan(request, backend)?;
    let file = request.table.as_deref().map(NpyFile::create).transpose()?;
    Ok(Prepared { began, request, backend, plan, file, checkpoint: None })
}

/// Solves and checks a window. `progress` is told how many positions are done.
///
/// # Errors
/// Anything in [`Error`]; a difference from the formula is no error but part of the outcome.
pub fn run(request: &Request, backend: &dyn Backend, progress: &mut dyn FnMut(u64)) -> Result<Outcome> {
    prepare(request, backend)?.run(progress)
}

impl Request {
    /// A folder that keeps the cells solved so far of this request.
    ///
    /// # Errors
    /// As [`Checkpoint::open`].
    pub fn checkpoint(&self, folder: &Path) -> Result<Checkpoint> {
        let Cell { p, m, k, window } = self.cell;
        Checkpoint::open(folder, json!({"command": "sat", "p": integer(p), "m": m, "k": k, "window": window}))
    }
}

impl Prepared<'_> {
    /// Keeps what is solved in a checkpoint, and goes on from what is there.
    pub fn keep_in(mut self, checkpoint: Option<Checkpoint>) -> Self {
        self.checkpoint = checkpoint;
        self
    }

    /// Number of positions to be solved.
    pub fn positions(&self) -> u64 {
        self.plan.as_ref().map_or(0, |plan| plan.positions)
    }

    /// Solves and checks; see [`run`].
    ///
    /// # Errors
    /// As [`run`].
    pub fn run(self, progress: &mut dyn FnMut(u64)) -> Result<Outcome> {
        let Self { began, request, backend, mut plan, file, mut checkpoint } = self;
        let mut outcome = Outcome {
            cell: request.cell,
            positions: 0,
            backend: backend.info(),
            check: FormulaCheck::default(),
            max_value: None,
            options: 0,
            digest: Digest::default(),
            resumed: Resumed::default(),
            table: Vec::new(),
            planned_bytes: 0,
            seconds: Seconds::default(),
        };
        let mut table = Vec::new();
        while let Some(planned) = plan.take() {
            outcome.positions = planned.positions;
            outcome.options = planned.options;
            outcome.planned_bytes = planned.memory.total;
            let words = planned.words;
            match solve(request, backend, planned, &mut checkpoint, &mut outcome, progress)? {
                Some(solved) => table = solved,
                None => {
                    // A value is wider than the plan foresaw: once more, with sets that hold more.
                    let Some(wider) = WORDS.into_iter().find(|wider| *wider > words) else {
                        return Err(impossible(backend, "a value above the length of the longest play".into()));
                    };
                    plan = self::plan(&Request { words: wider, ..request.clone() }, backend)?;
                }
            }
        }
        if let Some(file) = file {
            file.write(table.iter().copied())?;
        }
        outcome.table = table;
        outcome.seconds.total = began.elapsed().as_secs_f64();
        Ok(outcome)
    }
}

/// Solves one plan and sets what was found; the table, or `None` if its sets were too narrow.
fn solve(
    request: &Request,
    backend: &dyn Backend,
    mut plan: OptionPlan,
    checkpoint: &mut Option<Checkpoint>,
    outcome: &mut Outcome,
    progress: &mut dyn FnMut(u64),
) -> Result<Option<Vec<u16>>> {
    match request.bug {
        None => {}
        Some(Bug::Moves) => plan.modulus += 1,
        Some(Bug::Formula) => plan.formula += 1,
    }
    if request.bug == Some(Bug::Moves) {
        // Cells hold a set for each residue.
        let sets = (plan.steps.saturating_sub(1)) * plan.exponents * plan.modulus;
        plan.stride = 1 + sets * plan.words;
    }
    let setup = OptionSetup::new(plan);
    let mut differences = Differences::new(setup.sums.levels);
    let seconds = &mut outcome.seconds;
    let mut done = 0;
    let mut engine = timed(&mut seconds.solve, || backend.open_options(&setup))?;
    if let Some(checkpoint) = checkpoint {
        if let Some(saved) = checkpoint.load(PART)?.and_then(|bytes| Saved::unpack(&bytes, &setup)) {
            differences = saved.differences;
            done = saved.done;
            engine.set_cells(&saved.cells)?;
        }
        outcome.resumed = Resumed::from_checkpoint(usize::from(done > 0), Some(checkpoint));
    }
    let (mut passed, mut saved) = (0, Instant::now());
    for batch in setup.plan.batches(&setup.sums) {
        let batch = not_done(batch, &mut passed, done);
        if batch.is_empty() {
            continue;
        }
        if timed(&mut seconds.solve, || engine.solve(&batch))? == Solved::SetsFull {
            return Ok(None);
        }
        let differ = timed(&mut seconds.check, || engine.check(&batch))?;
        differences.absorb(&batch, &differ);
        done += batch.iter().map(|part| part.count).sum::<u64>();
        progress(done);
        if let Some(checkpoint) = checkpoint {
            let finished = done == setup.plan.positions;
            let stop = interrupt::requested() && !finished;
            if stop || finished || saved.elapsed() >= BETWEEN_SAVES {
                checkpoint.save(PART, &Saved::pack(&setup, done, &differences, &engine.cells()?))?;
                saved = Instant::now();
            }
            if stop {
                return Err(checkpoint.interrupted(&format!("{done} positions, by coin sum,")));
            }
        }
    }
    let table = timed(&mut seconds.solve, || engine.values())?;
    drop(engine);
    let told = timed(&mut seconds.check, || {
        let p = request.bug.map_or(request.cell.p, |_| setup.plan.formula.into());
        outcome.digest = digest(&setup.colex, &table);
        outcome.max_value = table.iter().max().map(|value| u64::from(*value));
        differences.verdict(p, &setup.sums, &setup.colex, &table)
    });
    outcome.check = told.map_err(|reason| impossible(backend, reason))?;
    Ok(Some(table))
}

/// The parts of a batch, or what is left of them, that come after the first `done` positions; `passed` counts those of
/// all batches so far.
fn not_done(batch: Vec<Part>, passed: &mut u64, done: u64) -> Vec<Part> {
    let mut left = Vec::new();
    for part in batch {
        let skip = done.saturating_sub(*passed).min(part.count);
        *passed += part.count;
        if skip < part.count {
            left.push(Part { first: part.first + skip, count: part.count - skip, ..part });
        }
    }
    left
}

/// The part of a checkpoint that holds [`Saved`].
const PART: &str = "cells";

/// How far a table has come: positions are solved in the same order on every backend.
struct Saved {
    done: u64,
    differences: Differences,
    cells: Vec<u32>,
}

impl Saved {
    /// A line of JSON, then the cells, little end first. The plan's shape is in the line: cells of another are of no use.
    fn pack(setup: &OptionSetup, done: u64, differences: &Differences, cells: &[u32]) -> Vec<u8> {
        let line = json!({"stride": setup.plan.stride, "done": done, "differences": differences.by_level()});
        let mut bytes = (line.to_string() + "\n").into_bytes();
        bytes.extend(cells.iter().flat_map(|word| word.to_le_bytes()));
        bytes
    }

    fn unpack(bytes: &[u8], setup: &OptionSetup) -> Option<Self> {
        let line = bytes.iter().position(|byte| *byte == b'\n')?;
        let told: Value = serde_json::from_slice(&bytes[..line]).ok()?;
        let (words, rest) = bytes[line + 1..].as_chunks::<4>();
        let expected = setup.plan.positions * u64::from(setup.plan.stride);
        let fits = told["stride"] == setup.plan.stride && words.len() as u64 == expected && rest.is_empty();
        let by_level = serde_json::from_value(told["differences"].clone()).ok()?;
        let done = told["done"].as_u64().filter(|done| fits && *done <= setup.plan.positions)?;
        Some(Self {
            done,
            differences: Differences::resume(setup.sums.levels, by_level, done)?,
            cells: words.iter().map(|word| u32::from_le_bytes(*word)).collect(),
        })
    }
}

fn impossible(backend: &dyn Backend, reason: String) -> Error {
    Error::Gpu { device: backend.info().device, what: "impossible read-back".into(), reason }
}

/// The most choices of moved coins and distances that the oracle is let loose on, roughly minutes of work.
const ORACLE_CHOICES: f64 = 3e9;

/// About how many choices of distances the definition looks at in a window.
fn oracle_choices(cell: Cell) -> f64 {
    if cell.m > cell.window {
        return 0.0;
    }
    let half = f64::from(cell.window) / 2.0;
    let of_position: f64 = (0..cell.effective_k()).map(|r| binomial(cell.m, r) as f64 * half.powi(r as i32)).sum();
    binomial(cell.window, cell.m) as f64 * of_position
}

/// The same outcome from the oracle and the closed forms of [`crate::theory`], position by position, on one thread.
///
/// # Errors
/// [`Error::Usage`] where that would take more than minutes; [`Error::Write`].
pub fn run_by_oracle(request: &Request) -> Result<Outcome> {
    let began = Instant::now();
    let Cell { p, m, k, window } = request.cell;
    request.cell.validate()?;
    if oracle_choices(request.cell) > ORACLE_CHOICES {
        return Err(Error::Usage(format!(
            "M = {m}, K = {k}, N = {window} is about {:.0e} choices of distances for the oracle, above {ORACLE_CHOICES:.0e}; \
             use --backend cpu or a smaller N",
            oracle_choices(request.cell)
        )));
    }
    let file = request.table.as_deref().map(NpyFile::create).transpose()?;
    let mut oracle = Oracle::new(Saturation { p, k });
    let positions = if m > window { 0 } else { binomial(window, m) as u64 };
    let mut check = FormulaCheck::default();
    let (mut table, mut seconds) = (Vec::new(), Seconds::default());
    let mut sum = 0;
    if positions > 0 {
        let colex = Colex::new(window, m);
        for rank in 0..positions {
            let position = Position(colex.unrank(rank));
            let coins = position.coins();
            let squares = coins.iter().map(|a| *a as u32).collect();
            let value = timed(&mut seconds.solve, || oracle.value(&squares));
            let formula = digits::value(p, &coins);
            check.checked += 1;
            if u64::from(value) != formula {
                check.differ += 1;
                check.consider(Difference { position, value: value.into(), formula });
            }
            let weight = crate::record::digest::weight(position.mask(), |a| a);
            sum = crate::record::digest::add(sum, crate::record::digest::mul(u64::from(value) + 1, weight));
            table.push(u16::try_from(value).expect("at most 1,024 cells in a diagram, and values are no more"));
        }
    }
    if let Some(file) = file {
        file.write(table.iter().copied())?;
    }
    seconds.total = began.elapsed().as_secs_f64();
    seconds.check = seconds.total - seconds.solve;
    Ok(Outcome {
        cell: request.cell,
        positions,
        backend: Info::oracle(),
        check,
        max_value: table.iter().max().map(|value| u64::from(*value)),
        options: saturation::options(p, m, k, window),
        digest: Digest(sum),
        resumed: Resumed::default(),
        table,
        planned_bytes: 0,
        seconds,
    })
}

fn timed<T>(total: &mut f64, work: impl FnOnce() -> T) -> T {
    let began = Instant::now();
    let result = work();
    *total += began.elapsed().as_secs_f64();
    result
}
