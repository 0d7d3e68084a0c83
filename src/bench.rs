//! Speed, measured: every contender in turn, round after round in one run, and ratios taken within a round, so that a
//! machine whose speed drifts does not change the verdict.

use std::time::Instant;

use crate::Position;
use crate::backend::Backend;
use crate::brute::{self, Request};
use crate::error::{Error, Result};
use crate::games::saturation::Saturation;
use crate::index::sums::Sums;
use crate::kernels::options::Rule;
use crate::oracle::Oracle;
use crate::plan::options::Cell;
use crate::sat;

/// The loop everybody writes first, compiled, on one thread: look every option up, mex of a 64-bit set of seen values.
///
/// Returns the number of P-positions, so that it cannot be optimised away. Knows nothing of the engine.
pub fn plain_loop(window: u32) -> u64 {
    let mut values = vec![0u8; 1 << window];
    for mask in 0..1usize << window {
        let mut seen = 0u64;
        let mut coins = mask;
        while coins != 0 {
            let coin = coins & coins.wrapping_neg();
            coins ^= coin;
            let mut empty = !mask & (coin - 1);
            while empty != 0 {
                let square = empty & empty.wrapping_neg();
                empty ^= square;
                seen |= 1 << values[mask ^ coin ^ square];
            }
        }
        values[mask] = seen.trailing_ones() as u8;
    }
    values.iter().filter(|value| **value == 0).count() as u64
}

/// One contender's times, in rounds.
#[derive(Clone, Debug)]
pub struct Lane {
    /// What runs.
    pub name: String,
    /// Seconds for the table alone, a round each.
    pub solve: Vec<f64>,
    /// Seconds for the checks, a round each; 0 for the plain loop, which has none.
    pub check: Vec<f64>,
}

impl Lane {
    /// How many times as fast as `base` its table was: least, median, greatest over the rounds.
    pub fn ratio_to(&self, base: &Lane) -> [f64; 3] {
        spread(base.solve.iter().zip(&self.solve).map(|(base, own)| base / own))
    }
}

/// What a window asks of the memory, and what the memory gives.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Traffic {
    /// Bytes moved a position by the plan's rows, see `docs/ALGORITHM.md`, "The floor": an average over the window.
    pub bytes_per_position: f64,
    /// Bytes a second of `a[i] |= b[i]` on all threads, two reads and a write counted: the best of three.
    pub bandwidth: f64,
}

impl Traffic {
    /// Measures the memory, and works out what the plan of a window moves.
    ///
    /// # Errors
    /// As [`brute::plan`].
    pub fn measure(window: u32, backend: &dyn Backend, threads: usize) -> Result<Self> {
        let plan = brute::plan(&Request { window, ..Default::default() }, backend)?;
        let word = f64::from(plan.word_bits / 8);
        let high_coins = f64::from(window - plan.low) / 2.0;
        Ok(Self { bytes_per_position: 3.0 * word * high_coins + word, bandwidth: bandwidth(threads) })
    }

    /// The share of the bandwidth that solving a window in so many seconds takes.
    pub fn share(&self, window: u32, seconds: f64) -> f64 {
        self.bytes_per_position * (1u64 << window) as f64 / seconds.max(1e-9) / self.bandwidth.max(1.0)
    }
}

/// Words each thread goes through: more than a last-level cache holds.
const BANDWIDTH_WORDS: usize = 16 << 20;

fn bandwidth(threads: usize) -> f64 {
    let bytes = (12 * BANDWIDTH_WORDS * threads) as f64;
    let one = |start: &std::sync::Barrier| {
        let (mut a, b) = (vec![1u32; BANDWIDTH_WORDS], vec![2u32; BANDWIDTH_WORDS]);
        start.wait();
        let began = Instant::now();
        for (a, b) in a.iter_mut().zip(&b) {
            *a |= *b;
        }
        std::hint::black_box(&a);
        began.elapsed().as_secs_f64()
    };
    let round = || {
        let start = std::sync::Barrier::new(threads);
        std::thread::scope(|scope| {
            let running: Vec<_> = (0..threads).map(|_| scope.spawn(|| one(&start))).collect();
            running.into_iter().map(|thread| thread.join().expect("no panic")).fold(0.0, f64::max)
        })
    };
    (0..3).map(|_| bytes / round().max(1e-9)).fold(0.0, f64::max)
}

/// Least, median, greatest.
pub fn spread(figures: impl Iterator<Item = f64>) -> [f64; 3] {
    let mut sorted: Vec<f64> = figures.collect();
    sorted.sort_by(f64::total_cmp);
    match sorted.as_slice() {
        [] => [0.0; 3],
        all => [all[0], all[all.len() / 2], all[all.len() - 1]],
    }
}

/// Races the plain loop and the backends over a window, `rounds` times; the plain loop is the first lane.
///
/// # Errors
/// As [`brute::run`].
pub fn race(
    window: u32,
    rounds: u32,
    backends: &[(String, Box<dyn Backend>)],
    remark: &mut dyn FnMut(String),
) -> Result<Vec<Lane>> {
    let request = Request { window, ..Default::default() };
    for (_, backend) in backends {
        brute::plan(&request, &**backend)?;
    }
    let lane = |name: &str| Lane { name: name.into(), solve: Vec::new(), check: Vec::new() };
    let mut lanes = vec![lane("plain loop, 1 thread")];
    lanes.extend(backends.iter().map(|(name, _)| lane(name)));
    for round in 1..=rounds {
        remark(format!("round {round} of {rounds}"));
        let began = Instant::now();
        let p_positions = std::hint::black_box(plain_loop(window));
        lanes[0].solve.push(began.elapsed().as_secs_f64());
        lanes[0].check.push(0.0);
        for (lane, (_, backend)) in lanes[1..].iter_mut().zip(backends) {
            let outcome = brute::run(&request, &**backend, &mut |_| {})?;
            assert_eq!(outcome.p_positions.iter().sum::<u64>(), p_positions, "{} disagrees", lane.name);
            lane.solve.push(outcome.seconds.solve);
            lane.check.push(outcome.seconds.check);
        }
    }
    Ok(lanes)
}

/// Seconds of a round that the oracle is given; it does the positions of least coin sum first.
pub const ORACLE_SECONDS: f64 = 1.0;

/// One contender's times over a saturation, in rounds.
#[derive(Clone, Debug)]
pub struct SatLane {
    /// What runs.
    pub name: String,
    /// Options taken into account, each pair of positions once, a round each.
    pub options: Vec<f64>,
    /// Seconds for the table alone, a round each.
    pub solve: Vec<f64>,
}

impl SatLane {
    /// Options a second, a round each.
    pub fn rates(&self) -> impl Iterator<Item = f64> + '_ {
        self.options.iter().zip(&self.solve).map(|(options, seconds)| options / seconds.max(1e-9))
    }

    /// How many times as many options a second as `base`: least, median, greatest over the rounds.
    pub fn ratio_to(&self, base: &SatLane) -> [f64; 3] {
        spread(base.rates().zip(self.rates()).map(|(base, own)| own / base))
    }
}

/// Lets the oracle solve positions by coin sum until its time is up; how many it solved, and the seconds.
fn oracle_for_a_while(cell: Cell, sums: &Sums) -> (Vec<Position>, f64) {
    let mut oracle = Oracle::new(Saturation { p: cell.p, k: cell.k });
    let mut solved = Vec::new();
    let began = Instant::now();
    for level in 0..sums.levels {
        for i in 0..sums.size(level) {
            let position = Position(sums.unrank(level, i));
            oracle.value(&position.coins().iter().map(|a| *a as u32).collect());
            solved.push(position);
            if began.elapsed().as_secs_f64() > ORACLE_SECONDS {
                return (solved, began.elapsed().as_secs_f64());
            }
        }
    }
    (solved, began.elapsed().as_secs_f64())
}

/// Races the oracle and the backends over a saturation, `rounds` times; the oracle is the first lane, on as many
/// positions as it can do in [`ORACLE_SECONDS`].
///
/// # Errors
/// As [`sat::run`]; [`Error::Usage`] for a cell without options.
pub fn race_sat(
    cell: Cell,
    rounds: u32,
    backends: &[(String, Box<dyn Backend>)],
    remark: &mut dyn FnMut(String),
) -> Result<Vec<SatLane>> {
    let request = sat::Request { cell, table: None, words: 1, bug: None };
    for (_, backend) in backends {
        if sat::plan(&request, &**backend)?.is_none_or(|plan| plan.options == 0) {
            return Err(Error::Usage("--sat: there is no move in that window; use a larger N or K".into()));
        }
    }
    let sums = Sums::new(cell.window, cell.m);
    let lane = |name: &str| SatLane { name: name.into(), options: Vec::new(), solve: Vec::new() };
    let mut lanes = vec![lane("oracle, 1 thread")];
    lanes.extend(backends.iter().map(|(name, _)| lane(name)));
    // Options of the positions that the oracle did, each pair once, in the order in which it does them.
    let p = cell.p.min(u64::from(cell.m * (cell.window - cell.m)) + 1).max(2) as u32;
    let rule = Rule::new(p, cell.effective_k() - 1, cell.window);
    let mut counted: Vec<u64> = Vec::new();
    for round in 1..=rounds {
        remark(format!("round {round} of {rounds}"));
        let (solved, seconds) = oracle_for_a_while(cell, &sums);
        while counted.len() < solved.len() {
            let mut options = 0;
            rule.options(solved[counted.len()].mask(), &mut |_, _| options += 1);
            counted.push(options);
        }
        lanes[0].options.push(counted[..solved.len()].iter().sum::<u64>() as f64);
        lanes[0].solve.push(seconds);
        for (lane, (_, backend)) in lanes[1..].iter_mut().zip(backends) {
            let outcome = sat::run(&request, &**backend, &mut |_| {})?;
            lane.options.push(outcome.options as f64);
            lane.solve.push(outcome.seconds.solve);
        }
    }
    Ok(lanes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_plain_loop_is_right() {
        let known = [1, 2, 3, 4, 6, 8, 14, 24, 40, 56, 92, 160, 304, 576, 1120, 2176, 4224];
        for (window, p_positions) in (0..).zip(known) {
            assert_eq!(plain_loop(window), p_positions);
        }
    }

    #[test]
    fn spreads() {
        assert_eq!(spread([3.0, 1.0, 2.0].into_iter()), [1.0, 2.0, 3.0]);
    }
}
