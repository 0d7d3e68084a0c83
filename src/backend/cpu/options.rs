//! Option games on a pool of threads: a chunk of a part's positions at a time.

use rayon::prelude::*;

use super::Cpu;
use crate::Position;
use crate::backend::options::{OptionEngine, OptionSetup, Solved};
use crate::error::{Error, Result};
use crate::kernels::mex::{self, Stuck};
use crate::kernels::subset::{Cells, Params, moves};
use crate::kernels::{base_p, values, walks};
use crate::plan::options::Part;

/// Positions of a chunk: enough to make up for handing it to another thread.
const CHUNK: u64 = 64;

/// One plan at work.
pub struct CpuOptions<'a> {
    cpu: &'a Cpu,
    setup: &'a OptionSetup,
    params: Params<'a>,
    cells: Cells,
}

impl<'a> CpuOptions<'a> {
    pub fn new(cpu: &'a Cpu, setup: &'a OptionSetup) -> Self {
        let params = Params::new(&setup.plan, &setup.colex, &setup.sums);
        Self { cpu, setup, params, cells: cpu.pool.install(|| Cells::new(&setup.plan)) }
    }

    /// Solves some positions of a part.
    ///
    /// # Safety
    /// All lower levels are solved, and no thread but this one touches these positions.
    unsafe fn solve_chunk<const W: usize>(&self, chunk: Part) -> std::result::Result<(), Stuck> {
        let p = &self.params;
        let stride = p.plan.stride as usize;
        let mut list = Vec::with_capacity(1024);
        for i in chunk.first..chunk.first + chunk.count {
            let mask = p.sums.unrank(chunk.level, i);
            let at = p.colex.rank(mask) as usize * stride;
            moves(p, mask, &mut list);
            // SAFETY: moves lead to lower levels, which are solved; the cell itself is this thread's.
            unsafe {
                let cell = self.cells.words_mut(at, stride);
                cell[0] = mex::solve::<W>(p, &self.cells, &list)?;
                walks::solve::<W>(p, &self.cells, &list, cell)?;
            }
        }
        Ok(())
    }

    fn solve_part<const W: usize>(&self, part: Part) -> std::result::Result<(), Stuck> {
        // SAFETY: parts come level by level, and chunks of a part share no position.
        in_chunks(part, &|chunk| unsafe { self.solve_chunk::<W>(chunk) })
    }
}

/// Does a part's chunks, on all threads if there are several.
fn in_chunks(
    part: Part,
    work: &(impl Fn(Part) -> std::result::Result<(), Stuck> + Sync),
) -> std::result::Result<(), Stuck> {
    let chunks = part.count.div_ceil(CHUNK);
    if chunks < 4 {
        return work(part);
    }
    (0..chunks).into_par_iter().try_for_each(|i| {
        let first = i * CHUNK;
        work(Part { first: part.first + first, count: CHUNK.min(part.count - first), ..part })
    })
}

impl OptionEngine for CpuOptions<'_> {
    fn solve(&mut self, batch: &[Part]) -> Result<Solved> {
        let this = &*self;
        let solved = self.cpu.pool.install(|| {
            batch.iter().try_for_each(|part| match this.setup.plan.words {
                1 => this.solve_part::<1>(*part),
                2 => this.solve_part::<2>(*part),
                4 => this.solve_part::<4>(*part),
                8 => this.solve_part::<8>(*part),
                16 => this.solve_part::<16>(*part),
                _ => this.solve_part::<33>(*part),
            })
        });
        match solved {
            Ok(()) => Ok(Solved::All),
            Err(Stuck::Full) => Ok(Solved::SetsFull),
            Err(Stuck::Unsolved) => Err(Error::Device(
                "a position was solved before one of its options, which no plan asks for; please report this".into(),
            )),
        }
    }

    fn check(&mut self, batch: &[Part]) -> Result<Vec<u64>> {
        let p = &self.params;
        let stride = p.plan.stride as usize;
        let differs = |level, i| {
            let mask = p.sums.unrank(level, i);
            // SAFETY: nothing is written while a batch is checked.
            let value = unsafe { self.cells.word(p.colex.rank(mask) as usize * stride) };
            base_p::differs(p, mask, value)
        };
        Ok(self.cpu.pool.install(|| {
            let of = |part: &Part| {
                let numbers = (0..part.count as usize).into_par_iter().with_min_len(1024);
                numbers.filter(|i| differs(part.level, part.first + *i as u64)).count() as u64
            };
            batch.iter().map(of).collect()
        }))
    }

    fn values(&mut self) -> Result<Vec<u16>> {
        let mut table = vec![0u16; self.setup.plan.positions as usize];
        let fill = |(rank, cell): (usize, &mut u16)| {
            let rank = rank as u64;
            // SAFETY: nothing is being written.
            let value = unsafe { values::value(&self.params, &self.cells, rank) };
            *cell = value.map_err(|stuck| {
                let what = match stuck {
                    Stuck::Unsolved => "was never solved",
                    Stuck::Full => "has a value above 16 bits",
                };
                let position = Position(self.setup.colex.unrank(rank));
                Error::Device(format!("{position} {what}, which no plan allows; please report this"))
            })?;
            Ok(())
        };
        self.cpu.pool.install(|| table.par_iter_mut().enumerate().with_min_len(4096).try_for_each(fill))?;
        Ok(table)
    }
}
