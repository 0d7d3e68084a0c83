//! Nim with passes on the CPU: the blocks of a level on the pool of threads.

use rayon::prelude::*;

use super::Cpu;
use crate::backend::PassEngine;
use crate::error::Result;
use crate::index::boxes::Blocks;
use crate::kernels::layer::{Values, with_values};
use crate::kernels::pass::{Full, Params, Shared, Solve};
use crate::pass::plan::BoxPlan;

/// Levels with fewer cells are solved on one thread: waking others would take longer.
const CELLS_WORTH_SHARING: u64 = 1 << 15;

/// One box at work.
pub struct CpuPass<'a> {
    cpu: &'a Cpu,
    plan: &'a BoxPlan,
    blocks: Blocks,
    rows: Vec<u64>,
}

impl<'a> CpuPass<'a> {
    pub fn new(cpu: &'a Cpu, plan: &'a BoxPlan) -> Self {
        // Zeroed by the system as they are touched, for the first layer.
        let rows = vec![0; (plan.grid.rows * plan.row_words) as usize];
        Self { cpu, plan, blocks: Blocks::new(&plan.grid), rows }
    }
}

impl PassEngine for CpuPass<'_> {
    fn solve(&mut self, passes_left: u32, values: &mut Values, progress: &mut dyn FnMut(u64)) -> Result<()> {
        if passes_left > 0 {
            let rows = &mut self.rows;
            self.cpu.pool.install(|| rows.par_chunks_mut(1 << 16).for_each(|rows| rows.fill(0)));
        }
        let solved = with_values!(values, v => self.layer(passes_left, v, progress));
        solved.map_err(|Full(cell)| self.plan.row_full(cell, passes_left))
    }
}

impl CpuPass<'_> {
    fn layer<T: Solve>(
        &mut self,
        passes_left: u32,
        values: &mut [T],
        progress: &mut dyn FnMut(u64),
    ) -> std::result::Result<(), Full> {
        let grid = &self.plan.grid;
        let params = Params { grid, row_words: self.plan.row_words, layer: passes_left };
        let several = self.cpu.pool.current_num_threads() > 1;
        let (values, rows) = (Shared::new(values), Shared::new(&mut self.rows));
        let blocks = &self.blocks;
        let one = |place: usize| {
            let bounds = blocks.bounds(grid, place);
            // SAFETY: only blocks of one level run at a time (see `index::boxes`).
            unsafe { T::solve(&params, &bounds, &values, &rows) }
        };
        let block_cells: u64 = blocks.shape.iter().product();
        let mut done = 0;
        for level in &blocks.levels {
            if several && level.len() as u64 * block_cells >= CELLS_WORTH_SHARING {
                self.cpu.pool.install(|| level.clone().into_par_iter().with_max_len(1).try_for_each(one))?;
            } else {
                level.clone().try_for_each(one)?;
            }
            // Blocks at the far ends are shorter: near enough for a progress bar, and right at the end.
            done += level.len() as u64 * block_cells;
            progress(done.min(grid.cells));
        }
        Ok(())
    }
}
