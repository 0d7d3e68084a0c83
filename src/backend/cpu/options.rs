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
/// The same where positions are only compared.
const CHECK_CHUNK: u64 = 1024;
/// A coin and an empty square below it: at most `m (n - m)` for `n <= 64`.
const MOST_MOVES: usize = 1024;
/// Set reads of a plan that is done on the thread that asks: waking others would take longer.
const FEW_READS: u64 = 1 << 22;

/// One plan at work.
pub struct CpuOptions<'a> {
    cpu: &'a Cpu,
    setup: &'a OptionSetup,
    params: Params<'a>,
    cells: Cells,
    alone: bool,
}

impl<'a> CpuOptions<'a> {
    pub fn new(cpu: &'a Cpu, setup: &'a OptionSetup) -> Self {
        let params = Params::new(&setup.plan, &setup.colex, &setup.sums);
        let alone = setup.plan.positions.saturating_mul(setup.plan.reads_per_position()) < FEW_READS;
        Self { cpu, setup, params, cells: Cells::new(&setup.plan), alone }
    }

    /// Solves some positions of a part.
    ///
    /// # Safety
    /// All lower levels are solved, and no thread but this one touches these positions.
    unsafe fn solve_chunk<const W: usize>(&self, chunk: Part) -> std::result::Result<(), Stuck> {
        let p = &self.params;
        let stride = p.plan.stride as usize;
        let (mut list, mut solved) = (Vec::with_capacity(MOST_MOVES), Ok(()));
        p.sums.masks(chunk.level, chunk.first, chunk.count, &mut |mask| {
            if solved.is_ok() {
                let at = moves(p, mask, &mut list);
                // SAFETY: moves lead to lower levels, which are solved; the cell itself is this thread's.
                solved = unsafe {
                    let cell = self.cells.words_mut(at, stride);
                    mex::solve::<W>(p, &self.cells, &list).and_then(|value| {
                        cell[0] = value;
                        walks::solve::<W>(p, &self.cells, &list, cell)
                    })
                };
            }
        });
        solved
    }

    fn solve_part<const W: usize>(&self, part: Part) -> std::result::Result<(), Stuck> {
        let chunks = part.count.div_ceil(CHUNK);
        if self.alone || chunks < 4 {
            // SAFETY: parts come level by level.
            return unsafe { self.solve_chunk::<W>(part) };
        }
        (0..chunks).into_par_iter().try_for_each(|i| {
            let first = i * CHUNK;
            let chunk = Part { first: part.first + first, count: CHUNK.min(part.count - first), ..part };
            // SAFETY: parts come level by level, and chunks of a part share no position.
            unsafe { self.solve_chunk::<W>(chunk) }
        })
    }

    fn solve_parts<const W: usize>(&self, batch: &[Part]) -> std::result::Result<(), Stuck> {
        batch.iter().try_for_each(|part| self.solve_part::<W>(*part))
    }

    /// Does work on the pool, or here if it is not worth waking it.
    fn install<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        if self.alone { work() } else { self.cpu.pool.install(work) }
    }
}

impl OptionEngine for CpuOptions<'_> {
    fn solve(&mut self, batch: &[Part]) -> Result<Solved> {
        let solved = self.install(|| match self.setup.plan.words {
            1 => self.solve_parts::<1>(batch),
            2 => self.solve_parts::<2>(batch),
            4 => self.solve_parts::<4>(batch),
            8 => self.solve_parts::<8>(batch),
            16 => self.solve_parts::<16>(batch),
            _ => self.solve_parts::<33>(batch),
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
        let in_chunk = |chunk: Part| {
            let mut differ = 0;
            p.sums.masks(chunk.level, chunk.first, chunk.count, &mut |mask| {
                // SAFETY: nothing is written while a batch is checked.
                let value = unsafe { self.cells.word(p.colex.rank(mask) as usize * stride) };
                differ += u64::from(base_p::differs(p, mask, value));
            });
            differ
        };
        let of = |part: &Part| {
            let chunks = part.count.div_ceil(CHECK_CHUNK);
            if self.alone || chunks < 2 {
                return in_chunk(*part);
            }
            let chunk = |i| {
                let first = i * CHECK_CHUNK;
                in_chunk(Part { first: part.first + first, count: CHECK_CHUNK.min(part.count - first), ..*part })
            };
            (0..chunks).into_par_iter().map(chunk).sum()
        };
        Ok(self.install(|| batch.iter().map(of).collect()))
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
        if self.alone {
            table.iter_mut().enumerate().try_for_each(fill)?;
        } else {
            self.cpu.pool.install(|| table.par_iter_mut().enumerate().with_min_len(4096).try_for_each(fill))?;
        }
        Ok(table)
    }
}
