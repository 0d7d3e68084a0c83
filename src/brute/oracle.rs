//! The same outcome from the definition, for small windows.

use std::time::{Duration, Instant};

use super::{Outcome, Request, Seconds, timed};
use crate::Position;
use crate::backend::Info;
use crate::check::{Difference, FormulaCheck, MirrorCheck};
use crate::error::{Error, Result};
use crate::games::welter::Welter;
use crate::kernels::FORMULAS;
use crate::oracle::Oracle;
use crate::record::checkpoint::Resumed;
use crate::record::digest::Digest;
use crate::record::table::{NpyFile, ValueTable};
use crate::theory;
use std::sync::Arc;

/// The largest window that the oracle is let loose on: it keeps every position with its coins in a map.
pub const ORACLE_WINDOW: u32 = 22;

/// The same outcome from the oracle and the closed forms of [`crate::theory`], position by position, on one thread. It
/// shares no code with [`super::run`] but the export and the shape of the outcome.
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
        resumed: Resumed::default(),
        errors_recovered: Vec::new(),
        planned_bytes: 0,
        seconds: Seconds {
            solve: solve.as_secs_f64(),
            check: check.as_secs_f64(),
            total: began.elapsed().as_secs_f64(),
        },
    })
}
