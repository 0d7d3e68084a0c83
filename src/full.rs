//! The flow for full diagrams: those with `b_p = n`, counted in several ways that must agree.

use std::path::Path;
use std::time::Instant;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::backend::{Backend, Info};
use crate::brute;
use crate::error::{Error, Result};
use crate::index::partitions::PartitionCounts;
use crate::index::young::{MAX_CELLS, YoungTables};
use crate::interrupt;
use crate::kernels::full::FullCount;
use crate::record::checkpoint::{BETWEEN_SAVES, Checkpoint, Resumed};
use crate::theory::{self, degree};
use crate::{Position, kernels};

/// The window whose brute-force table is used unless another is asked for: it fills the column for n below it.
pub const DEFAULT_WINDOW: u32 = 26;

/// What is asked for.
#[derive(Clone, Copy, Debug)]
pub struct Request {
    /// The base, at least 2; only for a prime does fullness concern degrees.
    pub p: u32,
    /// The largest n.
    pub nmax: u32,
    /// The window of the brute-force column, which exists for p = 2 only; 0 leaves the column out.
    pub window: u32,
    /// Plant a bug in the kernels' tables, for tests.
    pub bug: bool,
}

/// The counts for one n.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Term {
    /// Cells.
    pub n: u32,
    /// By the kernels: partitions, full by digits, prime to p by degree, disagreements diagram by diagram.
    pub counted: FullCount,
    /// Masks of the brute-force table whose value is their number of cells; no formula is used for it.
    pub by_brute_force: Option<u64>,
    /// Macdonald's formula, for prime p.
    pub macdonald: Option<u64>,
}

impl Request {
    /// A folder that keeps what is finished of this request.
    ///
    /// # Errors
    /// As [`Checkpoint::open`].
    pub fn checkpoint(&self, folder: &Path) -> Result<Checkpoint> {
        Checkpoint::open(folder, json!({"command": "full", "p": self.p, "nmax": self.nmax, "window": self.window}))
    }
}

/// What was found.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The request.
    pub request: Request,
    /// Whether p is a prime.
    pub prime: bool,
    /// What counted.
    pub backend: Info,
    /// One for each n from 0.
    pub terms: Vec<Term>,
    /// What came from a checkpoint.
    pub resumed: Resumed,
    /// Seconds for the brute-force column.
    pub brute_seconds: f64,
    /// Seconds in all.
    pub total_seconds: f64,
}

impl Outcome {
    /// Partitions of 1 to N; the empty one is not counted.
    pub fn partitions(&self) -> u64 {
        self.terms.iter().skip(1).map(|term| term.counted.partitions).sum()
    }

    /// Diagrams that are full but not of degree prime to p, or the other way round.
    pub fn disagreements(&self) -> u64 {
        self.terms.iter().map(|term| term.counted.disagreements).sum()
    }

    /// The terms whose counts are not all equal.
    pub fn unequal(&self) -> Vec<&Term> {
        let equal = |term: &&Term| {
            let full = term.counted.full;
            let degree = !self.prime || term.counted.by_degree == full;
            degree && [term.by_brute_force, term.macdonald].iter().flatten().all(|n| *n == full)
        };
        self.terms.iter().filter(|term| !equal(term)).collect()
    }

    /// Whether every count and every diagram agrees.
    pub fn agreed(&self) -> bool {
        self.disagreements() == 0 && self.unequal().is_empty()
    }

    /// The document that `--format json` prints and records hold.
    pub fn to_json(&self) -> Value {
        let terms: Vec<Value> = (self.terms.iter())
            .map(|term| {
                json!({
                    "n": term.n,
                    "partitions": term.counted.partitions,
                    "full": term.counted.full,
                    "by_degree": self.prime.then_some(term.counted.by_degree),
                    "by_brute_force": term.by_brute_force,
                    "macdonald": term.macdonald,
                })
            })
            .collect();
        json!({
            "command": "full",
            "p": self.request.p,
            "nmax": self.request.nmax,
            "backend": self.backend,
            "partitions": self.partitions(),
            "terms": terms,
            "disagreements": self.disagreements(),
            "resumed": self.resumed,
            "unequal_terms": self.unequal().iter().map(|term| term.n).collect::<Vec<_>>(),
            "seconds": {"brute_force": self.brute_seconds, "total": self.total_seconds},
            "version": env!("CARGO_PKG_VERSION"),
        })
    }
}

/// Checks that the walk is possible on a backend; its number of nodes.
///
/// # Errors
/// [`Error::Usage`] with the largest N that works.
pub fn plan(request: &Request, kind: &str) -> Result<u64> {
    check_base(request.p)?;
    // A GPU numbers nodes in 32 bits.
    let most = if kind == "gpu" { u64::from(u32::MAX) } else { u64::MAX };
    let nodes = |nmax: u32| PartitionCounts::new(nmax).map(|counts| counts.nodes()).filter(|nodes| *nodes <= most);
    if request.nmax <= MAX_CELLS
        && let Some(nodes) = nodes(request.nmax)
    {
        return Ok(nodes);
    }
    let largest = (0..=MAX_CELLS).rev().find(|n| nodes(*n).is_some()).unwrap_or(0);
    Err(Error::Usage(format!(
        "NMAX = {} is above {largest}, the largest that {} works for; use {largest} or less",
        request.nmax,
        if kind == "gpu" { "a GPU with 32-bit node numbers" } else { "a mask of 128 bits" },
    )))
}

/// Refuses a base below 2.
pub(crate) fn check_base(p: u32) -> Result<()> {
    if p < 2 {
        return Err(Error::Usage(format!(
            "p = {p} is below 2; use a prime such as 2 or 3, or any other base from 2 up"
        )));
    }
    Ok(())
}

/// Counts. `progress` is told how many partitions are done. What is finished is kept in the
/// checkpoint, and what is there is not done again.
///
/// # Errors
/// As [`plan`] and [`brute::run`].
pub fn run(
    request: &Request,
    backend: &dyn Backend,
    mut checkpoint: Option<Checkpoint>,
    progress: &mut dyn FnMut(u64),
) -> Result<Outcome> {
    let began = Instant::now();
    let nodes = plan(request, backend.info().kind)?;
    let saved: Option<Walked> = match &mut checkpoint {
        Some(checkpoint) => checkpoint.load(PART)?.and_then(|bytes| serde_json::from_slice(&bytes).ok()),
        None => None,
    };
    let resumed = Resumed::from_checkpoint(usize::from(saved.is_some()), checkpoint.as_ref());
    let mut walked = match saved {
        Some(walked) => walked,
        None => Walked {
            done: 0,
            counted: vec![FullCount::default(); request.nmax as usize + 1],
            brute_force: by_brute_force(request, backend)?,
        },
    };
    let brute_seconds = began.elapsed().as_secs_f64();

    let mut tables = YoungTables::new(request.p, request.nmax);
    if request.bug {
        tables.legendre[request.nmax as usize] ^= 1;
        tables.below[request.nmax as usize][0] ^= 1;
    }
    let mut engine = backend.open_young(&tables)?;
    let mut saved = Instant::now();
    while walked.done < nodes {
        let stretch = engine.stretch().min(nodes - walked.done);
        for (total, found) in walked.counted.iter_mut().zip(engine.full(walked.done, stretch)?) {
            total.add(&found);
        }
        walked.done += stretch;
        progress(walked.done);
        if let Some(checkpoint) = &checkpoint {
            let stop = interrupt::requested() && walked.done < nodes;
            if stop || walked.done == nodes || saved.elapsed() >= BETWEEN_SAVES {
                checkpoint.save(PART, &serde_json::to_vec(&walked).expect("plain data are serialisable"))?;
                saved = Instant::now();
            }
            if stop {
                return Err(checkpoint.interrupted("the walk so far"));
            }
        }
    }
    for (n, found) in (0..).zip(&walked.counted) {
        let expected = tables.counts.of(n);
        if found.partitions != expected {
            return Err(Error::Gpu {
                device: backend.info().device,
                what: "impossible read-back".into(),
                reason: format!("{} of the {expected} partitions of {n} were counted", found.partitions),
            });
        }
    }
    Ok(Outcome {
        request: *request,
        prime: tables.prime,
        backend: backend.info(),
        terms: terms(request, &walked.counted, &walked.brute_force),
        resumed,
        brute_seconds,
        total_seconds: began.elapsed().as_secs_f64(),
    })
}

/// The part of a checkpoint that holds [`Walked`].
const PART: &str = "walk";

/// How far the walk has come.
#[derive(Serialize, Deserialize)]
struct Walked {
    done: u64,
    counted: Vec<FullCount>,
    brute_force: Vec<u64>,
}

fn terms(request: &Request, counted: &[FullCount], brute_force: &[u64]) -> Vec<Term> {
    let p = u64::from(request.p);
    (0..)
        .zip(counted)
        .map(|(n, counted)| Term {
            n,
            counted: *counted,
            by_brute_force: brute_force.get(n as usize).copied(),
            macdonald: degree::is_prime(p).then(|| degree::macdonald(p, n.into())).flatten(),
        })
        .collect()
}

/// Full diagrams of each n below the window, from the table by mex: a mask without a coin on square 0 stands for one
/// diagram, and it is full if its value is its number of cells.
fn by_brute_force(request: &Request, backend: &dyn Backend) -> Result<Vec<u64>> {
    // A diagram of n cells has its coins on squares up to n.
    let window = request.window.min(request.nmax + 1);
    if request.p != 2 || window == 0 {
        return Ok(Vec::new());
    }
    let solved = brute::run(
        &brute::Request { window, keep_table: true, solve_only: true, ..Default::default() },
        backend,
        &mut |_| {},
    )?;
    let table = solved.table.expect("kept");
    let mut full = vec![0; window as usize];
    for (mask, value) in table.iter().enumerate().step_by(2) {
        let coins = u64::from(mask.count_ones());
        let cells = kernels::bits_sum(mask as u64) - coins * coins.saturating_sub(1) / 2;
        if cells < u64::from(window) && u64::from(value) == cells {
            full[cells as usize] += 1;
        }
    }
    Ok(full)
}

/// Refuses what would take the oracle too long.
pub(crate) fn check_oracle(nmax: u32, most: u32) -> Result<()> {
    if nmax > most {
        return Err(Error::Usage(format!(
            "NMAX = {nmax} is above {most}, the largest for the oracle; use --backend cpu"
        )));
    }
    Ok(())
}

/// The largest n for the oracle.
pub const ORACLE_CELLS: u32 = 45;

/// The same from plain recursion over partitions and the closed forms of [`crate::theory`]; no brute-force column.
///
/// # Errors
/// [`Error::Usage`] above [`ORACLE_CELLS`].
pub fn run_by_oracle(request: &Request) -> Result<Outcome> {
    let began = Instant::now();
    check_base(request.p)?;
    check_oracle(request.nmax, ORACLE_CELLS)?;
    let p = u64::from(request.p);
    let prime = degree::is_prime(p);
    let mut counted = vec![FullCount::default(); request.nmax as usize + 1];
    each_partition(request.nmax, &mut |parts| {
        let n = parts.iter().sum::<u32>();
        let coins = coins_of(parts);
        let full = theory::digits::value(p, &coins) == u64::from(n);
        let found = &mut counted[n as usize];
        found.partitions += 1;
        found.full += u64::from(full);
        if prime {
            let ord: u64 = theory::hooks::hooks(&coins).iter().map(|h| u64::from(theory::ord(p, *h))).sum();
            let by_degree = ord == degree::legendre(p, n.into());
            found.by_degree += u64::from(by_degree);
            found.disagreements += u64::from(by_degree != full);
        }
    });
    Ok(Outcome {
        request: *request,
        prime,
        backend: Info::oracle(),
        terms: terms(request, &counted, &[]),
        resumed: Resumed::default(),
        brute_seconds: 0.0,
        total_seconds: began.elapsed().as_secs_f64(),
    })
}

/// Hands every partition of at most `nmax`, its parts ascending, to `each`.
pub fn each_partition(nmax: u32, each: &mut dyn FnMut(&[u32])) {
    fn extend(left: u32, parts: &mut Vec<u32>, each: &mut dyn FnMut(&[u32])) {
        each(parts);
        for part in parts.last().copied().unwrap_or(1)..=left {
            parts.push(part);
            extend(left - part, parts, each);
            parts.pop();
        }
    }
    extend(nmax, &mut Vec::new(), each);
}

/// The coins of a diagram with these rows, ascending, without a coin on square 0.
pub fn coins_of(parts: &[u32]) -> Vec<u64> {
    (0..).zip(parts).map(|(below, part)| u64::from(*part) + below).collect()
}

/// The rows, ascending, of the diagram of a position.
pub fn rows_of(position: Position) -> Vec<u32> {
    theory::hooks::partition(&position.coins()).iter().rev().map(|row| *row as u32).collect()
}
