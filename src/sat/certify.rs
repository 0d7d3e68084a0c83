//! `--certify`: the hypothesis `value = b_p` checked from the formula alone, without a table and in any order.
//!
//! If no option of `X` has the value `b_p(X)` and every smaller value is some option's `b_p`, for all `X` of a window, then
//! value = `b_p` in the window, by induction on the coin sum. The window may be cut in parts by rank, done anywhere; it
//! is certified when all its parts are.

use std::time::Instant;

use rayon::prelude::*;
use serde_json::{Value, json};

use crate::Position;
use crate::backend::{Backend, Info, cpu::Cpu};
use crate::error::{Error, Result};
use crate::index::{binomial, colex::Colex};
use crate::kernels::options::{Certified, Rule, certify};
use crate::plan::options::Cell;

/// Positions that one thread takes at a time.
const CHUNK: u64 = 16;
/// Chunks between two reports of progress.
const CHUNKS_AT_ONCE: u64 = 1024;

/// What is asked for.
#[derive(Clone, Copy, Debug)]
pub struct Request {
    /// The game and the window.
    pub cell: Cell,
    /// Which part, from 1 on, of how many.
    pub part: (u64, u64),
}

/// What the formula alone says.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// What was asked for.
    pub request: Request,
    /// What computed it.
    pub backend: Info,
    /// Counts over the part.
    pub told: Certified,
    /// Positions of the part that are repeated, missing a value, or both.
    pub failed: u64,
    /// The first of them: least coin sum, then lexicographically least. Over all parts it is the first difference.
    pub first: Option<Position>,
    /// Seconds in all.
    pub seconds: f64,
}

impl Outcome {
    /// The document that `--format json` prints and records hold.
    pub fn to_json(&self) -> Value {
        let Cell { p, m, k, window } = self.request.cell;
        json!({
            "command": "sat",
            "certify": true,
            "p": crate::record::integer(p),
            "m": m,
            "k": k,
            "effective_k": self.request.cell.effective_k(),
            "window": window,
            "part": crate::record::integer(self.request.part.0),
            "parts": crate::record::integer(self.request.part.1),
            "positions": crate::record::integer(self.told.positions),
            "backend": self.backend,
            "failed": self.failed,
            "repeated": self.told.repeated,
            "missing": self.told.missing,
            "first": self.first.map(Position::coins),
            "options": crate::record::integer(self.told.options),
            "seconds": self.seconds,
            "version": env!("CARGO_PKG_VERSION"),
        })
    }
}

/// Positions of part `i` of `n`: ranks from `total * (i - 1) / n` up to `total * i / n`.
fn ranks(total: u64, (i, n): (u64, u64)) -> std::ops::Range<u64> {
    let at = |i: u64| (u128::from(total) * u128::from(i) / u128::from(n)) as u64;
    at(i - 1)..at(i)
}

/// Refuses what cannot be asked; the number of positions of the part.
///
/// # Errors
/// As [`Cell::validate`]; [`Error::Usage`] for a part that is none.
pub fn validate(request: &Request) -> Result<u64> {
    let Request { cell, part: (i, n) } = *request;
    cell.validate()?;
    if n == 0 || !(1..=n).contains(&i) {
        return Err(Error::Usage(format!("--part {i}/{n} is no part; use 1/{0} to {0}/{0}", n.max(1))));
    }
    let ranks = ranks(if cell.m > cell.window { 0 } else { binomial(cell.window, cell.m) as u64 }, (i, n));
    Ok(ranks.end - ranks.start)
}

/// Checks a part. `progress` is told how many positions are done.
///
/// # Errors
/// As [`validate`].
pub fn run(request: &Request, cpu: &Cpu, progress: &mut dyn FnMut(u64)) -> Result<Outcome> {
    let began = Instant::now();
    let positions = validate(request)?;
    let cell = request.cell;
    let mut outcome = Outcome {
        request: *request,
        backend: cpu.info(),
        told: Certified::default(),
        failed: 0,
        first: None,
        seconds: 0.0,
    };
    if positions > 0 {
        let ranks = ranks(binomial(cell.window, cell.m) as u64, request.part);
        let colex = Colex::new(cell.window, cell.m);
        // A larger p than all distances together changes neither moves nor formula.
        let p = cell.p.min(u64::from(cell.m * (cell.window - cell.m)) + 1).max(2) as u32;
        let rule = Rule::new(p, cell.effective_k() - 1, cell.window);
        let mut first = ranks.start;
        while first < ranks.end {
            let end = ranks.end.min(first + CHUNK * CHUNKS_AT_ONCE);
            let chunk = |i: u64| {
                let (mut failed, mut least) = (0, None);
                let from = first + i * CHUNK;
                let told = certify(&rule, &colex, from, CHUNK.min(end - from), &mut |mask| {
                    failed += 1;
                    least = earlier(least, Some(Position(mask)));
                });
                (told, failed, least)
            };
            let none = || (Certified::default(), 0, None);
            let chunks = (end - first).div_ceil(CHUNK);
            let (told, failed, least) = cpu.pool().install(|| {
                (0..chunks)
                    .into_par_iter()
                    .map(chunk)
                    .reduce(none, |a, b| (add(a.0, b.0), a.1 + b.1, earlier(a.2, b.2)))
            });
            outcome.told = add(outcome.told, told);
            outcome.failed += failed;
            outcome.first = earlier(outcome.first, least);
            first = end;
            progress(first - ranks.start);
        }
    }
    outcome.seconds = began.elapsed().as_secs_f64();
    Ok(outcome)
}

fn add(a: Certified, b: Certified) -> Certified {
    Certified {
        positions: a.positions + b.positions,
        options: a.options + b.options,
        repeated: a.repeated + b.repeated,
        missing: a.missing + b.missing,
    }
}

fn earlier(a: Option<Position>, b: Option<Position>) -> Option<Position> {
    a.into_iter().chain(b).min_by(|a, b| a.report_order(*b))
}
