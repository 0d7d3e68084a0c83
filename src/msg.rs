//! The flow for full diagrams inside a diagram: Irie's Theorem 1 and `msg_p` (Y. Irie, "p-Saturations of Welter's Game
//! and the Irreducible Representations of Symmetric Groups", 2018).
//!
//! Theorem 1: inside every diagram `lambda` lies a diagram `mu` with `|mu| = b_p(mu) = b_p(lambda)`. `msg_p(lambda)` is the size of a
//! largest full diagram inside `lambda`.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::time::Instant;

use serde_json::{Value, json};

use crate::backend::{Backend, Info};
use crate::error::{Error, Result};
use crate::full::{check_base, check_oracle, coins_of, each_partition};
use crate::index::partitions::PartitionCounts;
use crate::index::young::{MAX_CELLS, YoungTables};
use crate::interrupt;
use crate::kernels::msg::{MsgCount, Sizes};
use crate::record::checkpoint::{BETWEEN_SAVES, Checkpoint, Resumed};
use crate::theory;

/// What is asked for.
#[derive(Clone, Copy, Debug)]
pub struct Request {
    /// The base, at least 2.
    pub p: u32,
    /// The largest n.
    pub nmax: u32,
    /// Plant a bug in the kernels' tables, for tests.
    pub bug: bool,
}

impl Request {
    /// A folder that keeps what is finished of this request.
    ///
    /// # Errors
    /// As [`Checkpoint::open`].
    pub fn checkpoint(&self, folder: &Path) -> Result<Checkpoint> {
        Checkpoint::open(folder, json!({"command": "msg", "p": self.p, "nmax": self.nmax}))
    }
}

/// What was found.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The request.
    pub request: Request,
    /// What solved.
    pub backend: Info,
    /// One for each n from 0.
    pub rows: Vec<MsgCount>,
    /// What came from a checkpoint.
    pub resumed: Resumed,
    /// Seconds in all.
    pub seconds: f64,
}

impl Outcome {
    /// Diagrams, the empty one counted.
    pub fn partitions(&self) -> u64 {
        self.rows.iter().map(|row| row.partitions).sum()
    }

    /// Exceptions to Theorem 1.
    pub fn exceptions(&self) -> u64 {
        self.rows.iter().map(|row| row.exceptions).sum()
    }

    /// The document that `--format json` prints and records hold.
    pub fn to_json(&self) -> Value {
        let rows: Vec<Value> = (0u32..)
            .zip(&self.rows)
            .map(|(n, row)| {
                json!({
                    "n": n,
                    "partitions": row.partitions,
                    "full": row.full,
                    "exceptions": row.exceptions,
                    "sum_msg": row.sum_msg,
                    "max_msg": row.max_msg,
                    "msg_is_b_p": row.msg_is_b_p,
                })
            })
            .collect();
        json!({
            "command": "msg",
            "p": self.request.p,
            "nmax": self.request.nmax,
            "backend": self.backend,
            "partitions": self.partitions(),
            "exceptions": self.exceptions(),
            "rows": rows,
            "resumed": self.resumed,
            "seconds": {"total": self.seconds},
            "version": env!("CARGO_PKG_VERSION"),
        })
    }
}

/// Bytes of two levels of the lattice, the most that is held at once.
fn bytes_of(counts: &PartitionCounts, n: u32) -> u64 {
    (counts.of(n) + counts.of(n.saturating_sub(1))).saturating_mul(16)
}

/// Checks that the lattice up to N fits the backend; the bytes it takes.
///
/// # Errors
/// [`Error::Usage`] with the largest N that works.
pub fn plan(request: &Request, backend: &dyn Backend) -> Result<u64> {
    check_base(request.p)?;
    let capacity = backend.capacity();
    let counts = PartitionCounts::new(MAX_CELLS).expect("partitions of 127 fit 64 bits");
    let on_gpu = backend.info().kind == "gpu";
    let fits = |n: u32| {
        let level = counts.of(n).saturating_mul(16);
        let one_binding = level <= capacity.binding && counts.of(n) <= u64::from(u32::MAX);
        bytes_of(&counts, n) <= capacity.memory && (!on_gpu || one_binding)
    };
    if request.nmax <= MAX_CELLS && fits(request.nmax) {
        return Ok(bytes_of(&counts, request.nmax));
    }
    let largest = (0..=MAX_CELLS).rev().find(|n| fits(*n)).unwrap_or(0);
    let needs = if request.nmax > MAX_CELLS {
        format!("a mask of more than 128 bits, the most there are; {MAX_CELLS} is the largest N for those")
    } else {
        format!("{} for two levels of the lattice", crate::error::bytes(bytes_of(&counts, request.nmax).into()))
    };
    Err(Error::Usage(format!(
        "NMAX = {} needs {needs}; the largest that works on {} is {largest}",
        request.nmax, capacity.device
    )))
}

/// Solves the lattice level by level, each from the level below alone. `progress` is told how many partitions are done. What is finished is kept in the
/// checkpoint, and what is there is not done again.
///
/// # Errors
/// As [`plan`], and [`Error::Gpu`].
pub fn run(
    request: &Request,
    backend: &dyn Backend,
    mut checkpoint: Option<Checkpoint>,
    progress: &mut dyn FnMut(u64),
) -> Result<Outcome> {
    let began = Instant::now();
    plan(request, backend)?;
    let mut tables = YoungTables::new(request.p, request.nmax);
    if request.bug {
        tables.below[request.nmax as usize][0] ^= 1;
    }
    let mut engine = backend.open_young(&tables)?;
    let mut rows = Vec::new();
    if let Some(checkpoint) = &mut checkpoint
        && let Some((saved, sizes)) = checkpoint.load(PART)?.and_then(|bytes| unpack(&bytes))
        && let Some(n) = (saved.len() as u32).checked_sub(1).filter(|n| *n <= request.nmax)
        && sizes.len() as u64 == tables.counts.of(n)
    {
        engine.set_level(n, &sizes)?;
        rows = saved;
    }
    let resumed = Resumed::from_checkpoint(usize::from(!rows.is_empty()), checkpoint.as_ref());
    let mut saved = Instant::now();
    for n in rows.len() as u32..=request.nmax {
        rows.push(engine.msg_level(n)?);
        progress(rows.iter().map(|row| row.partitions).sum());
        if let Some(checkpoint) = &checkpoint {
            let stop = interrupt::requested() && n < request.nmax;
            if stop || n == request.nmax || saved.elapsed() >= BETWEEN_SAVES {
                checkpoint.save(PART, &pack(&rows, &engine.level(n)?))?;
                saved = Instant::now();
            }
            if stop {
                return Err(checkpoint.interrupted(&format!("the lattice up to {n} cells")));
            }
        }
    }
    let seconds = began.elapsed().as_secs_f64();
    Ok(Outcome { request: *request, backend: backend.info(), rows, resumed, seconds })
}

/// The part of a checkpoint that holds the last level.
const PART: &str = "level";

/// A line of JSON with the rows so far, then the last level's sizes, 16 bytes a partition, little end first.
fn pack(rows: &[MsgCount], sizes: &[Sizes]) -> Vec<u8> {
    let mut bytes = serde_json::to_vec(rows).expect("plain data are serialisable");
    bytes.push(b'\n');
    bytes.extend(sizes.as_flattened().iter().flat_map(|word| word.to_le_bytes()));
    bytes
}

fn unpack(bytes: &[u8]) -> Option<(Vec<MsgCount>, Vec<Sizes>)> {
    let line = bytes.iter().position(|byte| *byte == b'\n')?;
    let (words, rest) = bytes[line + 1..].as_chunks::<16>();
    let word = |bytes: &[u8]| u64::from_le_bytes(bytes.try_into().expect("eight bytes"));
    let sizes = words.iter().map(|pair| [word(&pair[..8]), word(&pair[8..])]).collect();
    rest.is_empty().then_some((serde_json::from_slice(&bytes[..line]).ok()?, sizes))
}

/// The largest n for the oracle.
pub const ORACLE_CELLS: u32 = 32;

/// The same by plain recursion: for each diagram, all diagrams inside it one cell less at a time.
///
/// # Errors
/// [`Error::Usage`] above [`ORACLE_CELLS`].
pub fn run_by_oracle(request: &Request) -> Result<Outcome> {
    let began = Instant::now();
    check_base(request.p)?;
    check_oracle(request.nmax, ORACLE_CELLS)?;
    let p = u64::from(request.p);
    let mut known: HashMap<Vec<u32>, HashSet<u64>> = HashMap::new();
    let mut rows = vec![MsgCount::default(); request.nmax as usize + 1];
    each_partition(request.nmax, &mut |parts| {
        let n = parts.iter().sum::<u32>();
        let sizes = full_sizes(p, parts, &mut known);
        let b_p = theory::digits::value(p, &coins_of(parts));
        let msg = sizes.iter().max().copied().expect("the empty diagram is full");
        rows[n as usize].add(&MsgCount {
            partitions: 1,
            full: u64::from(b_p == u64::from(n)),
            exceptions: u64::from(!sizes.contains(&b_p)),
            sum_msg: msg,
            max_msg: msg,
            msg_is_b_p: u64::from(msg == b_p),
        });
    });
    let seconds = began.elapsed().as_secs_f64();
    Ok(Outcome { request: *request, backend: Info::oracle(), rows, resumed: Resumed::default(), seconds })
}

fn full_sizes(p: u64, parts: &[u32], known: &mut HashMap<Vec<u32>, HashSet<u64>>) -> HashSet<u64> {
    if let Some(sizes) = known.get(parts) {
        return sizes.clone();
    }
    let mut sizes = HashSet::new();
    for smaller in without_a_corner(parts) {
        sizes.extend(full_sizes(p, &smaller, known));
    }
    let n = parts.iter().map(|part| u64::from(*part)).sum();
    if theory::digits::value(p, &coins_of(parts)) == n {
        sizes.insert(n);
    }
    known.insert(parts.to_vec(), sizes.clone());
    sizes
}

/// The diagrams with one cell less inside a diagram; rows ascending.
fn without_a_corner(parts: &[u32]) -> Vec<Vec<u32>> {
    let mut smaller = Vec::new();
    for i in 0..parts.len() {
        if i == 0 || parts[i - 1] < parts[i] {
            let mut rows = parts.to_vec();
            rows[i] -= 1;
            rows.retain(|row| *row > 0);
            smaller.push(rows);
        }
    }
    smaller
}

/// A largest full diagram inside one diagram.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Largest {
    /// Rows of the diagram, ascending.
    pub rows: Vec<u32>,
    /// Its `b_p`.
    pub b_p: u64,
    /// Rows of a largest full diagram inside, ascending.
    pub inside: Vec<u32>,
}

impl Largest {
    /// `msg_p`.
    pub fn msg(&self) -> u64 {
        self.inside.iter().map(|row| u64::from(*row)).sum()
    }

    /// The document that `--format json` prints.
    pub fn to_json(&self, p: u32, coins: &[u64]) -> Value {
        let descending = |rows: &[u32]| rows.iter().rev().copied().collect::<Vec<_>>();
        json!({
            "command": "msg",
            "p": p,
            "coins": coins,
            "partition": descending(&self.rows),
            "cells": self.rows.iter().sum::<u32>(),
            "b_p": self.b_p,
            "msg": self.msg(),
            "largest_full": descending(&self.inside),
            "version": env!("CARGO_PKG_VERSION"),
        })
    }
}

/// Most rows of diagrams that [`largest_full_inside`] looks at.
const MOST_ROWS: usize = 50_000_000;

/// A largest full diagram inside a diagram with these rows, ascending.
///
/// # Errors
/// [`Error::Usage`] if more than fifty million rows of diagrams inside would have to be looked at.
pub fn largest_full_inside(p: u32, rows: &[u32]) -> Result<Largest> {
    check_base(p)?;
    let descending: Vec<u64> = rows.iter().rev().map(|row| u64::from(*row)).collect();
    let Some(inside) = theory::msg::largest_full(p.into(), &descending, MOST_ROWS) else {
        let cells: u32 = rows.iter().sum();
        return Err(Error::Usage(format!(
            "--coins: too many diagrams lie inside one of {cells} cells, more than {MOST_ROWS} rows; use a smaller one"
        )));
    };
    Ok(Largest {
        rows: rows.to_vec(),
        b_p: theory::digits::value(p.into(), &coins_of(rows)),
        inside: inside.iter().rev().map(|row| *row as u32).collect(),
    })
}
