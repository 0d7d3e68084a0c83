//! Young diagrams on the CPU: stretches of partitions shared out among the threads.

use rayon::prelude::*;

use super::Cpu;
use crate::backend::YoungEngine;
use crate::error::Result;
use crate::index::young::YoungTables;
use crate::kernels::full::{FullCount, full};
use crate::kernels::msg::{MsgCount, Sizes, msg};

/// Nodes or partitions a task: long enough that finding the first one does not count.
const EACH: u64 = 1 << 14;

/// Tables at work.
pub struct CpuYoung<'a> {
    cpu: &'a Cpu,
    tables: &'a YoungTables,
    below: Vec<Sizes>,
    level: Vec<Sizes>,
}

impl<'a> CpuYoung<'a> {
    pub fn new(cpu: &'a Cpu, tables: &'a YoungTables) -> Self {
        Self { cpu, tables, below: Vec::new(), level: Vec::new() }
    }
}

impl YoungEngine for CpuYoung<'_> {
    fn stretch(&self) -> u64 {
        1 << 26
    }

    fn full(&mut self, first: u64, count: u64) -> Result<Vec<FullCount>> {
        let empty = || vec![FullCount::default(); self.tables.nmax() as usize + 1];
        let tasks = count.div_ceil(EACH);
        Ok(self.cpu.pool.install(|| {
            (0..tasks)
                .into_par_iter()
                .fold(empty, |mut counts, task| {
                    let start = task * EACH;
                    full(self.tables, first + start, EACH.min(count - start), &mut counts);
                    counts
                })
                .reduce(empty, |mut a, b| {
                    a.iter_mut().zip(&b).for_each(|(a, b)| a.add(b));
                    a
                })
        }))
    }

    fn level(&mut self, _n: u32) -> Result<Vec<Sizes>> {
        Ok(self.level.clone())
    }

    fn set_level(&mut self, _n: u32, sizes: &[Sizes]) -> Result<()> {
        self.level = sizes.to_vec();
        Ok(())
    }

    fn msg_level(&mut self, n: u32) -> Result<MsgCount> {
        std::mem::swap(&mut self.below, &mut self.level);
        self.level.clear();
        self.level.resize(self.tables.counts.of(n) as usize, [0; 2]);
        let (tables, below) = (self.tables, &self.below);
        Ok(self.cpu.pool.install(|| {
            self.level
                .par_chunks_mut(EACH as usize / 16)
                .enumerate()
                .map(|(task, sizes)| msg(tables, n, task as u64 * (EACH / 16), below, sizes))
                .reduce(MsgCount::default, |mut a, b| {
                    a.add(&b);
                    a
                })
        }))
    }
}
