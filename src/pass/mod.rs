//! The flow for boxes of Nim with passes: request, plan, solve, check, and the outcome that is recorded and reported.
//!
//! A box is solved layer by layer in the passes left, from none up: a pass leads to the same cell one layer down.

pub mod bench;
mod listing;
pub mod oracle;
mod outcome;
pub mod plan;
pub mod position;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::json;

pub use listing::TextFile;
pub use outcome::{LayerSummary, Link, NextPile, Outcome, Seconds};

use crate::backend::Backend;
use crate::check::boxes::Layer;
use crate::error::{Error, Result};
use crate::index::boxes;
use crate::interrupt;
use crate::kernels::layer::Values;
use crate::record::box_digest;
use crate::record::checkpoint::{Checkpoint, Resumed};
use crate::record::heatmap::{HeatMap, PlotFile};
use crate::record::table::NpyFile;
use plan::{BoxPlan, PassPlan, PassTuning};

/// What is asked for.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// Number of piles.
    pub piles: usize,
    /// The greatest pile.
    pub size: u64,
    /// The most passes left.
    pub passes: u32,
    /// Where to export all layers: shape `(passes + 1, size + 1, ...)`, C order, last axis = last pile.
    pub table: Option<PathBuf>,
    /// Where to list the P-positions of all layers.
    pub p_positions: Option<PathBuf>,
    /// What to draw, and where.
    pub plot: Option<Plot>,
    /// Whether to solve the box of one pile more, for the theorem that links it to this one; if `None`, where it is
    /// not too large.
    pub next_pile: Option<bool>,
    /// Leave out checks and digests: only solve. For benchmarks.
    pub solve_only: bool,
    /// Choices that tests make.
    pub tuning: PassTuning,
    /// A bug planted by a test.
    pub bug: Option<Bug>,
}

/// A heat map of a slice of one layer.
#[derive(Clone, Debug)]
pub struct Plot {
    /// A file whose name ends in `.png` or `.svg`.
    pub path: PathBuf,
    /// The layer, by passes left; the last one if `None`.
    pub passes_left: Option<u32>,
    /// The third and later piles, all empty if `None`.
    pub others: Option<Vec<u32>>,
}

/// Where a test can plant a bug: one altered number that the kernels work from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bug {
    /// Moves of the first pile are forgotten.
    Pile,
    /// A pass is allowed when all piles are empty: another game, easily confused with this one.
    Pass,
}

/// All layers of a box.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoxTable {
    /// One more than the greatest value of each pile.
    pub sides: Vec<u64>,
    /// The values by passes left, each in C order: the last pile varies fastest.
    pub layers: Vec<Values>,
}

impl BoxTable {
    /// The value of a position of the box.
    pub fn get(&self, piles: &[u32], passes_left: u32) -> u64 {
        self.layers[passes_left as usize].get(boxes::cell(&self.sides, piles))
    }
}

/// Plans the request for a backend; nothing is started.
///
/// # Errors
/// As [`plan::cube`].
pub fn plan(request: &Request, backend: &dyn Backend) -> Result<PassPlan> {
    let Request { piles, size, passes, .. } = *request;
    let next = if request.solve_only { Some(false) } else { request.next_pile };
    plan::cube(piles, size, passes, next, &backend.pass_capacity(), &request.tuning)
}

/// The files of a request, open but not yet in place.
struct Files {
    table: Option<NpyFile>,
    p_positions: Option<TextFile>,
    plot: Option<PlotFile>,
}

impl Files {
    fn open(request: &Request) -> Result<Self> {
        Ok(Self {
            table: request.table.as_deref().map(NpyFile::create).transpose()?,
            p_positions: request.p_positions.as_deref().map(TextFile::create).transpose()?,
            plot: match &request.plot {
                None => None,
                Some(plot) => {
                    check_plot(request, plot)?;
                    Some(PlotFile::create(&plot.path)?)
                }
            },
        })
    }

    fn write(self, request: &Request, table: &BoxTable) -> Result<()> {
        if let Some(file) = self.table {
            let mut shape = vec![table.layers.len() as u64];
            shape.extend(&table.sides);
            match &table.layers[0] {
                Values::U16(_) => file.write_array(&shape, table.layers.iter().flat_map(narrow))?,
                Values::U32(_) => file.write_array(&shape, table.layers.iter().flat_map(wide))?,
            }
        }
        if let Some(file) = self.p_positions {
            file.write(|out| listing::p_positions(table, out))?;
        }
        if let (Some(file), Some(plot)) = (self.plot, &request.plot) {
            file.draw(&heat_map(request, plot, table))?;
        }
        Ok(())
    }
}

/// The values of a layer of narrow values; none of another.
fn narrow(values: &Values) -> impl Iterator<Item = u16> + '_ {
    let Values::U16(v) = values else { return [].iter().copied() };
    v.iter().copied()
}

/// The values of a layer of wide values; none of another.
fn wide(values: &Values) -> impl Iterator<Item = u32> + '_ {
    let Values::U32(v) = values else { return [].iter().copied() };
    v.iter().copied()
}

fn check_plot(request: &Request, plot: &Plot) -> Result<()> {
    let refuse = |text: String| Err(Error::Usage(text));
    if request.piles < 2 {
        return refuse(format!("--plot draws two piles, and PILES = {} has fewer; use 2 or more", request.piles));
    }
    if let Some(layer) = plot.passes_left.filter(|layer| *layer > request.passes) {
        return refuse(format!("--plot-passes {layer} is above --passes {}; use 0 to {0}", request.passes));
    }
    let others = request.piles - 2;
    if let Some(given) = &plot.others {
        if given.len() != others {
            return refuse(format!("--plot-at names {} piles; it takes {others}, those after the second", given.len()));
        }
        if let Some(pile) = given.iter().find(|pile| u64::from(**pile) > request.size) {
            return refuse(format!("--plot-at: a pile of {pile} is above SIZE = {}; use 0 to {0}", request.size));
        }
    }
    Ok(())
}

fn heat_map<'a>(request: &Request, plot: &Plot, table: &'a BoxTable) -> HeatMap<'a> {
    let passes_left = plot.passes_left.unwrap_or(request.passes);
    let others = plot.others.clone().unwrap_or_else(|| vec![0; request.piles - 2]);
    let passes = if passes_left == 1 { "1 pass".into() } else { format!("{passes_left} passes") };
    let mut title = format!("Nim with {passes} left: values g(x, y)");
    if !others.is_empty() {
        let at: Vec<String> = others.iter().map(u32::to_string).collect();
        title = format!("Nim with {passes} left: values g(x, y, {})", at.join(", "));
    }
    let layer = &table.layers[passes_left as usize];
    let sides = table.sides.clone();
    let value = move |x: u64, y: u64| {
        let mut piles = vec![x as u32, y as u32];
        piles.extend(&others);
        layer.get(boxes::cell(&sides, &piles))
    };
    HeatMap { title, side: request.size + 1, value: Box::new(value) }
}

/// A request that was found possible: planned, and with its files open.
pub struct Prepared<'a> {
    began: Instant,
    request: &'a Request,
    backend: &'a dyn Backend,
    plan: PassPlan,
    files: Files,
    checkpoint: Option<Checkpoint>,
}

/// Plans the request and opens its files, so that whatever is impossible is refused before the work begins.
///
/// # Errors
/// As [`plan::cube`]; [`Error::Write`] if a file cannot be opened; [`Error::Usage`] for a plot that cannot be drawn.
pub fn prepare<'a>(request: &'a Request, backend: &'a dyn Backend) -> Result<Prepared<'a>> {
    let began = Instant::now();
    let plan = plan(request, backend)?;
    Ok(Prepared { began, request, backend, plan, files: Files::open(request)?, checkpoint: None })
}

/// Solves and checks a box. `progress` is told how many values are done, of [`Prepared::work`].
///
/// # Errors
/// Anything in [`Error`]; a failed check is no error but part of the outcome.
pub fn run(request: &Request, backend: &dyn Backend, progress: &mut dyn FnMut(u64)) -> Result<Outcome> {
    prepare(request, backend)?.run(progress)
}

/// Layers that are kept: those there already are not solved again.
struct Kept<'a> {
    layers: &'a mut Vec<Values>,
    checkpoint: Option<&'a Checkpoint>,
}

/// Every layer of a box in turn, each solved over the one below, and then handed on.
fn solve_layers(
    backend: &dyn Backend,
    plan: &BoxPlan,
    passes: u32,
    mut keep: Option<Kept<'_>>,
    solve: &mut Duration,
    progress: &mut dyn FnMut(u64),
    mut solved: impl FnMut(u32, &Values),
) -> Result<()> {
    let mut engine = timed(solve, || backend.open_pass(plan))?;
    let mut below: Option<Values> = None;
    let finished = keep.as_ref().map_or(0, |kept| kept.layers.len() as u32);
    for passes_left in finished..=passes {
        let values = timed(solve, || -> Result<Values> {
            let mut values = match (&mut keep, below.take()) {
                (Some(kept), _) if passes_left > 0 => kept.layers.last().expect("a layer was kept").clone(),
                (None, Some(below)) => below,
                _ => Values::new(plan.wide, plan.grid.cells),
            };
            engine.solve(passes_left, &mut values, &mut |done| {
                progress(u64::from(passes_left) * plan.grid.cells + done);
            })?;
            Ok(values)
        })?;
        if let Some(checkpoint) = keep.as_ref().and_then(|kept| kept.checkpoint) {
            checkpoint.save(&part(passes_left), &values.to_bytes())?;
            if interrupt::requested() && passes_left < passes {
                return Err(checkpoint.interrupted(&format!("every layer up to {passes_left} passes left")));
            }
        }
        solved(passes_left, &values);
        match &mut keep {
            Some(kept) => kept.layers.push(values),
            None => below = Some(values),
        }
    }
    Ok(())
}

/// The name of a layer in a checkpoint.
fn part(passes_left: u32) -> String {
    format!("layer-{passes_left:03}")
}

impl Request {
    /// A folder that keeps the finished layers of this request.
    ///
    /// # Errors
    /// As [`Checkpoint::open`].
    pub fn checkpoint(&self, folder: &Path) -> Result<Checkpoint> {
        let identity = json!({"command": "pass", "piles": self.piles, "size": self.size, "passes": self.passes});
        Checkpoint::open(folder, identity)
    }
}

impl Prepared<'_> {
    /// Keeps finished layers in a checkpoint, and takes those that are there.
    pub fn keep_in(mut self, checkpoint: Option<Checkpoint>) -> Self {
        self.checkpoint = checkpoint;
        self
    }

    /// How many values will be solved, for a progress bar.
    pub fn work(&self) -> u64 {
        let next = self.plan.next.as_ref().map_or(0, |next| next.grid.cells);
        (u64::from(self.request.passes) + 1) * (self.plan.main.grid.cells + next)
    }

    /// Solves and checks; see [`run`].
    ///
    /// # Errors
    /// As [`run`].
    pub fn run(self, progress: &mut dyn FnMut(u64)) -> Result<Outcome> {
        let Self { began, request, backend, mut plan, files, mut checkpoint } = self;
        if let Some(bug) = request.bug {
            plan.main.plant(bug);
        }
        let passes = request.passes;
        let mut solve = Duration::ZERO;
        let mut layers = Vec::new();
        while let (Some(checkpoint), true) = (&mut checkpoint, layers.len() <= passes as usize) {
            let bytes = checkpoint.load(&part(layers.len() as u32))?;
            match bytes.and_then(|bytes| Values::from_bytes(plan.main.wide, plan.main.grid.cells, &bytes)) {
                Some(values) => layers.push(values),
                None => break,
            }
        }
        let resumed = Resumed::from_checkpoint(layers.len(), checkpoint.as_ref());
        let kept = Some(Kept { layers: &mut layers, checkpoint: checkpoint.as_ref() });
        solve_layers(backend, &plan.main, passes, kept, &mut solve, progress, |_, _| {})?;
        let table = BoxTable { sides: plan.main.sides.clone(), layers };

        let info = backend.info();
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(info.threads.unwrap_or(0))
            .build()
            .map_err(|e| Error::Device(format!("cannot start threads: {e}; try --threads 1")))?;
        let mut outcome = Outcome::new(request, table, info, plan.memory.total);
        outcome.resumed = resumed;
        let mut check = Duration::ZERO;
        if !request.solve_only {
            timed(&mut check, || pool.install(|| outcome.check(plan.main.bound)));
            let done = (u64::from(passes) + 1) * plan.main.grid.cells;
            match &plan.next {
                Err(reason) => outcome.next_pile.not_checked = Some(reason.clone()),
                Ok(next) => {
                    let (mut links, mut uncounted) = (Vec::new(), Duration::ZERO);
                    let table = &outcome.table;
                    let compare = |passes_left: u32, values: &Values| {
                        let layer =
                            Layer { sides: &table.sides, passes_left, values: &table.layers[passes_left as usize] };
                        let told = timed(&mut check, || pool.install(|| layer.next_pile(values)));
                        links.push(Link { piles: request.piles as u64, passes_left, check: told });
                    };
                    let progress = &mut |n| progress(done + n);
                    solve_layers(backend, next, passes, None, &mut uncounted, progress, compare)?;
                    outcome.next_pile.links.extend(links);
                }
            }
        }
        files.write(request, &outcome.table)?;
        outcome.seconds =
            Seconds { solve: solve.as_secs_f64(), check: check.as_secs_f64(), total: began.elapsed().as_secs_f64() };
        Ok(outcome)
    }
}

impl BoxPlan {
    /// Alters one number, as a programming error would.
    pub fn plant(&mut self, bug: Bug) {
        match bug {
            Bug::Pile => self.grid.forget_a_pile(),
            Bug::Pass => self.grid.over = self.grid.cells,
        }
    }
}

impl Outcome {
    /// Everything that is told of the table alone.
    fn check(&mut self, bound: u64) {
        for (passes_left, values) in (0..).zip(&self.table.layers) {
            let layer = Layer { sides: &self.table.sides, passes_left, values };
            let (p_positions, max_value) = layer.tally();
            self.layers.push(LayerSummary {
                passes_left,
                positions: values.len() as u64,
                p_positions,
                max_value,
                digest: box_digest::of_layer(&self.table.sides, values),
            });
            if passes_left == 0 {
                self.xor = layer.xor();
            }
            if let Some(two_below) = passes_left.checked_sub(2) {
                self.parity.absorb(layer.parity(&self.table.layers[two_below as usize]));
            }
            self.permutation.absorb(layer.permutation());
            self.latin.absorb(layer.latin(bound));
            let (one_pile, two_piles) = layer.few_piles();
            self.one_pile.absorb(one_pile);
            self.two_piles.absorb(two_piles);
            if let Some(without) = self.piles.checked_sub(1) {
                self.next_pile.links.push(Link { piles: without as u64, passes_left, check: layer.last_pile() });
            }
        }
        self.equal_layers = equal_layers(&self.table.layers, |a, b| self.layers[a].digest == self.layers[b].digest);
    }
}

/// The layers that are equal to another, in groups; `maybe` may rule a pair out without looking at the values.
pub(crate) fn equal_layers(layers: &[Values], maybe: impl Fn(usize, usize) -> bool) -> Vec<Vec<u32>> {
    let mut groups: Vec<Vec<u32>> = Vec::new();
    for (i, values) in layers.iter().enumerate() {
        let same = |group: &&mut Vec<u32>| {
            let first = group[0] as usize;
            maybe(first, i) && layers[first] == *values
        };
        match groups.iter_mut().find(same) {
            Some(group) => group.push(i as u32),
            None => groups.push(vec![i as u32]),
        }
    }
    groups.retain(|group| group.len() > 1);
    groups
}

fn timed<T>(total: &mut Duration, work: impl FnOnce() -> T) -> T {
    let began = Instant::now();
    let result = work();
    *total += began.elapsed();
    result
}
