//! Solving one band, and solving it again where the device may have erred.
//!
//! A band's numbers of coins depend on no others, so its start is always a sound state to go back to. It is solved again when
//! a sampled value is not what the CPU computes, when a read-back cannot be right, and when a formula differs. What comes
//! out the same twice is no passing error: an error ends the run, and a difference is a finding if the CPU kernels,
//! on the smallest window that holds the position, find the same value.

use std::ops::Range;
use std::time::Duration;

use super::{Fault, Request, timed};
use crate::Position;
use crate::backend::cpu::Cpu;
use crate::backend::{Backend, WindowEngine, WindowSetup};
use crate::check::WindowGathered;
use crate::error::{Error, Result};
use crate::index::tiles::{Batch, Tile, batches};
use crate::interrupt;
use crate::kernels::LANES;
use crate::plan::{self, Tuning};
use crate::record::checkpoint::Checkpoint;
use crate::record::digest;
use crate::record::table::ValueTable;
use crate::theory;

/// Time spent solving and checking.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Spent {
    pub solve: Duration,
    pub check: Duration,
}

/// A window at work, band after band.
pub(super) struct Bands<'a, 'p> {
    pub request: &'a Request,
    pub device: String,
    pub setup: &'a WindowSetup,
    pub lanes: usize,
    pub engine: Box<dyn WindowEngine + 'a>,
    pub table: Option<&'a ValueTable>,
    pub checkpoint: Option<&'a Checkpoint>,
    pub done: u64,
    pub progress: &'p mut dyn FnMut(u64),
    pub spent: Spent,
    pub errors_recovered: Vec<String>,
}

impl Bands<'_, '_> {
    /// Solves and checks a band; what was gathered of it.
    pub fn solve(&mut self, band: &Range<u32>) -> Result<WindowGathered> {
        let before = self.done;
        let first = self.attempt(band, true);
        let suspicion = match &first {
            Ok(found) if sound(found) => return first,
            Ok(found) => format!("{} differs from a formula", first_difference(found)),
            Err(error @ Error::Gpu { .. }) => error.to_string(),
            Err(_) => return first,
        };
        self.done = before;
        let second = self.attempt(band, false);
        let same = match (&first, &second) {
            (Ok(first), Ok(second)) => first == second,
            (Err(first), Err(second)) => first.to_string() == second.to_string(),
            _ => false,
        };
        match second {
            Ok(found) if sound(&found) => {
                let coins = format!("coins {} to {}", band.start, band.end - 1);
                self.errors_recovered.push(format!("{coins}, solved again: {suspicion}"));
                Ok(found)
            }
            Ok(found) if same => self.confirm(found),
            Ok(_) => Err(self.failed("solving a band twice", "it came out in two ways, neither of them sound")),
            Err(error) => Err(error),
        }
    }

    /// Accepts differences if the CPU kernels find the same value. A planted bug is in every kernel's tables, so nothing
    /// sound is left to ask there.
    fn confirm(&self, found: WindowGathered) -> Result<WindowGathered> {
        let firsts = found.formulas().into_iter().filter_map(|check| check.first);
        for difference in firsts.filter(|_| self.request.bug.is_none()) {
            let value = value_on_cpu(difference.position)?;
            if value != difference.value {
                let (position, device) = (difference.position, difference.value);
                let reason = format!("{position} came out as {device} twice, and the CPU solves it as {value}");
                return Err(self.failed("a value", &reason));
            }
        }
        Ok(found)
    }

    fn attempt(&mut self, band: &Range<u32>, first: bool) -> Result<WindowGathered> {
        let setup = self.setup;
        let mut found = WindowGathered::new(self.request.window);
        timed(&mut self.spent.solve, || self.engine.begin_band(band.clone()))?;
        let mut fault = match self.request.fault {
            Some(Fault::Always) => true,
            Some(Fault::Once) => first && self.errors_recovered.is_empty(),
            None => false,
        };
        batches(&setup.low, &setup.high, band.clone(), self.lanes, setup.plan.batch, |batch| {
            if let Some(checkpoint) = self.checkpoint.filter(|_| interrupt::requested()) {
                let done = match checkpoint.parts() {
                    0 => "nothing, as no number of coins was finished yet,".to_string(),
                    parts => format!("all of {parts} numbers of coins"),
                };
                return Err(checkpoint.interrupted(&done));
            }
            timed(&mut self.spent.solve, || self.engine.solve(batch))?;
            if std::mem::take(&mut fault) {
                self.engine.flip(batch.tiles[0].values)?;
            }
            if !self.request.solve_only {
                let findings = timed(&mut self.spent.check, || self.engine.check(batch))?;
                timed(&mut self.spent.check, || found.absorb(setup, band.start, batch, &findings))
                    .map_err(|reason| self.failed("impossible read-back", &reason))?;
                // Where the kernels see a difference themselves, that is what is to be looked into.
                if sound(&found) {
                    self.verify_sample(batch)?;
                }
            }
            if let Some(table) = self.table {
                table.store(&setup.low, batch, self.lanes, self.engine.values()?);
            }
            self.done += batch.positions;
            (self.progress)(self.done);
            Ok(())
        })?;
        Ok(found)
    }

    /// Computes some values again on the CPU, by Welter's formula.
    fn verify_sample(&mut self, batch: &Batch) -> Result<()> {
        let Some(each) = self.request.verify_sample.or(self.engine.errs().then_some(4)) else {
            return Ok(());
        };
        let sampled = self.sample(batch, each);
        let offsets: Vec<u32> = sampled.iter().map(|(offset, _)| *offset).collect();
        let values = timed(&mut self.spent.check, || self.engine.sample(&offsets))?;
        for ((_, position), value) in sampled.iter().zip(values) {
            let expected = theory::welter::value(&position.coins());
            if u64::from(value) != expected {
                let reason = format!("{position} came back as {value}, and the CPU computes {expected}");
                return Err(self.failed("a sampled value", &reason));
            }
        }
        Ok(())
    }

    /// Where the sampled values lie, and of which positions they are: the first and the last of each level, those of tiles
    /// whose rows begin a binding, and `each` more a level, the same ones in every run.
    fn sample(&self, batch: &Batch, each: u32) -> Vec<(u32, Position)> {
        let low = &self.setup.low;
        let class = |tile: &Tile| tile.coins - tile.high.count_ones();
        let at = |tile: &Tile, rank: usize| {
            let mask = low.masks[low.class[class(tile) as usize] as usize + rank];
            let position = Position(u64::from(tile.high) << low.low | u64::from(mask));
            (tile.values + (rank * self.lanes) as u32, position)
        };
        let boundaries = self.engine.split_boundaries();
        let mut sampled = Vec::new();
        for level in &batch.levels {
            let filled = |tile: &&Tile| tile.live == 1 && low.class_size(class(tile)) > 0;
            let tiles: Vec<&Tile> = batch.tiles[level.clone()].iter().filter(filled).collect();
            let (Some(first), Some(last)) = (tiles.first(), tiles.last()) else {
                continue;
            };
            sampled.push(at(first, 0));
            sampled.push(at(last, low.class_size(class(last)) - 1));
            for tile in tiles.iter().filter(|tile| boundaries.contains(&(tile.coins, tile.high))) {
                sampled.push(at(tile, 0));
            }
            for i in 0..each {
                let random = digest::q(first.high ^ first.coins << 8 ^ i << 16);
                let tile = tiles[(random % tiles.len() as u64) as usize];
                let size = low.class_size(class(tile)) as u64;
                sampled.push(at(tile, (random / tiles.len() as u64 % size) as usize));
            }
        }
        sampled
    }

    fn failed(&self, what: &str, reason: &str) -> Error {
        Error::Gpu { device: self.device.clone(), what: what.into(), reason: reason.into() }
    }
}

fn sound(found: &WindowGathered) -> bool {
    found.formulas().iter().all(|check| check.differ == 0)
}

fn first_difference(found: &WindowGathered) -> String {
    let firsts = found.formulas().into_iter().filter_map(|check| check.first);
    let first = firsts.min_by(|a, b| a.position.report_order(b.position));
    first.map_or("nothing".into(), |first| format!("{} of value {}", first.position, first.value))
}

/// One value by the CPU kernels, solved by mex on the smallest window that holds the position.
fn value_on_cpu(position: Position) -> Result<u64> {
    let cpu = Cpu::new(None)?;
    let window = u64::BITS - position.mask().leading_zeros();
    let coins = position.mask().count_ones();
    let mut plan = plan::window(window, false, &cpu.capacity(), &Tuning::default())?;
    plan.bands = std::iter::once(coins..coins + 1).collect();
    let setup = WindowSetup::new(plan);
    let mut engine = cpu.open(&setup)?;
    engine.begin_band(coins..coins + 1)?;
    let low = &setup.low;
    let (high_mask, low_mask) = ((position.mask() >> low.low) as u32, position.mask() as u32 & ((1 << low.low) - 1));
    let class = low.class[low_mask.count_ones() as usize] as usize;
    let rank = low.masks[class..].iter().position(|mask| *mask == low_mask).expect("every mask has a rank");
    let mut value = None;
    batches(low, &setup.high, coins..coins + 1, LANES, setup.plan.batch, |batch| {
        engine.solve(batch)?;
        if let Some(tile) = batch.tiles.iter().find(|tile| tile.high == high_mask && tile.live == 1) {
            value = engine.sample(&[tile.values + (rank * LANES) as u32])?.first().copied();
        }
        Ok::<(), Error>(())
    })?;
    Ok(u64::from(value.expect("every position lies in a tile")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn single_values_are_those_of_the_game() {
        for coins in [&[][..], &[0], &[5], &[1, 2], &[1, 4, 5, 9, 11], &[2, 3, 5, 7, 11, 13, 17, 19]] {
            let position = Position::from_coins(coins).unwrap();
            assert_eq!(value_on_cpu(position).unwrap(), theory::welter::value(coins), "{position}");
        }
    }
}
