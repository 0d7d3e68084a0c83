//! A table that is to certify itself, on the CPU: stretches of cells shared out among the threads.

use rayon::prelude::*;

use super::Cpu;
use crate::backend::VerifyEngine;
use crate::error::Result;
use crate::kernels::cells::{Cells, with_cells};
use crate::kernels::verify::{Found, Rules};

/// Options looked at in one call, about: a fraction of a second.
const LOOKS: u64 = 1 << 27;

/// A table at work.
pub struct CpuVerify<'a> {
    pub cpu: &'a Cpu,
    pub rules: &'a Rules,
    pub table: &'a Cells,
}

impl VerifyEngine for CpuVerify<'_> {
    fn stretch(&self) -> u64 {
        (LOOKS / self.rules.work()).max(1)
    }

    fn verify(&mut self, first: u64, count: u64) -> Result<Found> {
        // Positions late in a table have more options than early ones: many small tasks keep the threads busy.
        let each = count.div_ceil(64 * self.cpu.pool.current_num_threads() as u64).max(1);
        let one = |task: u64| {
            let from = task * each;
            with_cells!(self.table, table => self.rules.verify(table, first + from, each.min(count - from), |_| {}))
        };
        Ok(self.cpu.pool.install(|| {
            (0..count.div_ceil(each)).into_par_iter().map(one).reduce(Found::default, |mut a, b| {
                a.add(&b);
                a
            })
        }))
    }
}
