//! Option games on a GPU: one submission solves a batch, level after level; a second one checks it.
//!
//! A thread takes a position, or one set of a position. The cells stay on the device, split over as many bindings as
//! they need; of a batch only the status comes back, and in the end the values, packed.

use super::device::Gpu;
use super::kernel::{Kernel, READ, SLOT, WRITE};
use super::shader;
use crate::backend::options::{OptionEngine, OptionSetup, Solved};
use crate::error::{Error, Result};
use crate::plan::options::Part;

/// The first argument of every kernel; `shaders/subset.wgsl` has the same fields in the same order.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, bytemuck::Pod, bytemuck::Zeroable)]
struct Params {
    window: u32,
    coins: u32,
    steps: u32,
    modulus: u32,
    formula: u32,
    exponents: u32,
    stride: u32,
    sets: u32,
    levels: u32,
    counts_at: u32,
    piece_cells: u32,
    level: u32,
    first: u32,
    count: u32,
    fold: u32,
    slot: u32,
}

const PARAMS: u64 = size_of::<Params>() as u64;
const POISON_PARAMS: u64 = 8;
/// Words of the status before the differences.
const STATUS: usize = 4;
/// Bytes of values that come back at once.
const VALUE_BYTES: u64 = 16 << 20;

/// One plan at work.
pub struct GpuOptions<'a> {
    gpu: &'a Gpu,
    setup: &'a OptionSetup,
    params: Params,
    /// `mex`, `walks`, `base_p`, `values`, in order, each with its arguments bound.
    kernels: Vec<(Kernel, wgpu::BindGroup)>,
    slots: wgpu::Buffer,
    status: wgpu::Buffer,
    packed: wgpu::Buffer,
    back: wgpu::Buffer,
}

const MEX: usize = 0;
const WALKS: usize = 1;
const BASE_P: usize = 2;
const VALUES: usize = 3;

impl<'a> GpuOptions<'a> {
    pub fn new(gpu: &'a Gpu, setup: &'a OptionSetup) -> Result<Self> {
        let plan = &setup.plan;
        let params = Params {
            window: plan.window,
            coins: plan.coins,
            steps: plan.steps,
            modulus: plan.modulus,
            formula: plan.formula,
            exponents: plan.exponents,
            stride: plan.stride,
            sets: plan.sets(),
            levels: setup.sums.levels,
            counts_at: setup.colex.binomials.len() as u32,
            piece_cells: plan.piece_cells.min(plan.positions).max(1) as u32,
            ..Default::default()
        };
        // Entries that do not fit 32 bits are of no position's rank: the plan has fewer positions than that.
        let tables: Vec<u32> = setup
            .colex
            .binomials
            .iter()
            .chain(&setup.sums.counts)
            .map(|n| u32::try_from(*n).unwrap_or(u32::MAX))
            .collect();

        let size = gpu.workgroup_size;
        let sources = shader::options(size, plan.coins, plan.words, plan.pieces);
        let mut compiled = Vec::new();
        for (name, wgsl) in &sources {
            let mut storage = vec![READ, WRITE];
            storage.extend(vec![WRITE; plan.pieces as usize + usize::from(*name == "values")]);
            compiled.push(Kernel::new(gpu, name, wgsl, PARAMS, &storage)?);
        }
        let poison = Kernel::new(gpu, "poison", &shader::poison(size), POISON_PARAMS, &[WRITE])?;

        let most_parts = plan.batches(&setup.sums).map(|batch| batch.len()).max().unwrap_or(1);
        let packed_bytes = VALUE_BYTES.min(plan.piece_cells * 4).min(plan.positions * 2).next_multiple_of(4);
        let status_bytes = (STATUS + most_parts) as u64 * 4;
        use wgpu::BufferUsages as Use;
        let (cells, this) = gpu.scoped("making the cells", || {
            let buffer = |label, size, usage| gpu.buffer(label, size, usage);
            let table_buffer = buffer("tables", tables.len() as u64 * 4, Use::STORAGE | Use::COPY_DST);
            gpu.queue.write_buffer(&table_buffer, 0, bytemuck::cast_slice(&tables));
            let cells: Vec<wgpu::Buffer> = (0..u64::from(plan.pieces))
                .map(|i| {
                    let held = plan.positions.saturating_sub(i * plan.piece_cells).min(plan.piece_cells);
                    buffer("cells", held * u64::from(plan.stride) * 4, Use::STORAGE)
                })
                .collect();
            let slots = buffer("slots", most_parts.max(cells.len()) as u64 * 2 * SLOT, Use::UNIFORM | Use::COPY_DST);
            let status = buffer("status", status_bytes, Use::STORAGE | Use::COPY_DST | Use::COPY_SRC);
            let packed = buffer("packed", packed_bytes, Use::STORAGE | Use::COPY_SRC);
            let back =
                buffer("back", status_bytes.max(packed_bytes + STATUS as u64 * 4), Use::MAP_READ | Use::COPY_DST);
            let kernels = (compiled.into_iter().enumerate())
                .map(|(i, kernel)| {
                    let mut arguments = vec![&table_buffer, &status];
                    arguments.extend(&cells);
                    if i == VALUES {
                        arguments.push(&packed);
                    }
                    let group = kernel.bind(gpu, &slots, PARAMS, &arguments);
                    (kernel, group)
                })
                .collect();
            (cells, Self { gpu, setup, params, kernels, slots, status, packed, back })
        })?;
        this.poison(&poison, &cells)?;
        Ok(this)
    }

    /// Fills the cells with a value that none has and with full sets.
    fn poison(&self, poison: &Kernel, cells: &[wgpu::Buffer]) -> Result<()> {
        let gpu = self.gpu;
        let groups = 4096.min(gpu.workgroups);
        let mut slots = vec![0u8; cells.len() * SLOT as usize];
        for (slot, cells) in slots.chunks_exact_mut(SLOT as usize).zip(cells) {
            let params = [(cells.size() / 4) as u32, groups * gpu.workgroup_size];
            slot[..POISON_PARAMS as usize].copy_from_slice(bytemuck::cast_slice(&params));
        }
        gpu.scoped("clearing the cells", || {
            gpu.queue.write_buffer(&self.slots, 0, &slots);
            let mut encoder = gpu.device.create_command_encoder(&Default::default());
            for (i, cells) in cells.iter().enumerate() {
                let group = poison.bind(gpu, &self.slots, POISON_PARAMS, &[cells]);
                let mut pass = encoder.begin_compute_pass(&Default::default());
                pass.set_pipeline(&poison.pipeline);
                pass.set_bind_group(0, &group, &[(i as u64 * SLOT) as u32]);
                pass.dispatch_workgroups(groups, 1, 1);
            }
            gpu.queue.submit([encoder.finish()]);
        })
    }

    /// Runs kernels, each on so many threads with its own parameters, after clearing the status; returns the status.
    fn submit(&self, what: &str, runs: &[(usize, Params)], parts: usize) -> Result<Vec<u32>> {
        let gpu = self.gpu;
        let status_bytes = (STATUS + parts) as u64 * 4;
        gpu.scoped(what, || {
            let mut encoder = gpu.device.create_command_encoder(&Default::default());
            encoder.clear_buffer(&self.status, 0, Some(status_bytes));
            let mut bytes = vec![0u8; runs.len() * SLOT as usize];
            let mut pass = encoder.begin_compute_pass(&Default::default());
            for (slot, (kernel, params)) in runs.iter().enumerate() {
                let threads = if *kernel == VALUES { params.count.div_ceil(2) } else { params.count };
                let (width, rows) = gpu.fold(threads.div_ceil(gpu.workgroup_size));
                let params = Params { fold: width, ..*params };
                bytes[slot * SLOT as usize..][..PARAMS as usize].copy_from_slice(bytemuck::bytes_of(&params));
                let (kernel, group) = &self.kernels[*kernel];
                pass.set_pipeline(&kernel.pipeline);
                pass.set_bind_group(0, group, &[(slot as u64 * SLOT) as u32]);
                pass.dispatch_workgroups(width, rows, 1);
            }
            drop(pass);
            gpu.queue.write_buffer(&self.slots, 0, &bytes);
            encoder.copy_buffer_to_buffer(&self.status, 0, &self.back, 0, status_bytes);
            gpu.queue.submit([encoder.finish()]);
        })?;
        gpu.read(what, &self.back, status_bytes, bytemuck::pod_collect_to_vec)
    }

    fn part(&self, slot: usize, part: &Part) -> Params {
        let (first, count) = (part.first as u32, part.count as u32);
        Params { level: part.level, first, count, slot: slot as u32, ..self.params }
    }

    fn unsolved(&self, reads: u32) -> Error {
        self.gpu.failed("impossible read-back", format!("{reads} cells were read before they were solved"))
    }
}

impl OptionEngine for GpuOptions<'_> {
    fn solve(&mut self, batch: &[Part]) -> Result<Solved> {
        let mut runs = Vec::with_capacity(2 * batch.len());
        for (slot, part) in batch.iter().enumerate() {
            let params = self.part(slot, part);
            runs.push((MEX, params));
            if params.sets > 0 {
                runs.push((WALKS, Params { count: params.count * params.sets, ..params }));
            }
        }
        let status = self.submit("solving a batch", &runs, 0)?;
        let positions: u64 = batch.iter().map(|part| part.count).sum();
        match status[..] {
            // Once a set is full the value is poison, and whoever reads it says so: the cause goes first.
            [_, full, ..] if full > 0 => Ok(Solved::SetsFull),
            [unsolved, ..] if unsolved > 0 => Err(self.unsolved(unsolved)),
            [_, _, solved, ..] if u64::from(solved) == positions => Ok(Solved::All),
            _ => {
                let reason = format!("{} of {positions} positions were solved", status[2]);
                Err(self.gpu.failed("impossible read-back", reason))
            }
        }
    }

    fn check(&mut self, batch: &[Part]) -> Result<Vec<u64>> {
        let runs: Vec<_> = batch.iter().enumerate().map(|(slot, part)| (BASE_P, self.part(slot, part))).collect();
        let status = self.submit("checking a batch", &runs, batch.len())?;
        Ok(status[STATUS..].iter().map(|n| u64::from(*n)).collect())
    }

    fn values(&mut self) -> Result<Vec<u16>> {
        let what = "reading values back";
        let positions = self.setup.plan.positions;
        let mut values: Vec<u16> = Vec::with_capacity(positions as usize);
        while (values.len() as u64) < positions {
            let first = values.len() as u64;
            let count = (self.packed.size() / 2).min(positions - first);
            let params = Params { first: first as u32, count: count as u32, ..self.params };
            let status = self.submit(what, &[(VALUES, params)], 0)?;
            if status[0] > 0 {
                return Err(self.unsolved(status[0]));
            }
            if status[1] > 0 {
                return Err(self.gpu.failed("impossible read-back", format!("{} values above 16 bits", status[1])));
            }
            let bytes = (count * 2).next_multiple_of(4);
            self.gpu.scoped(what, || {
                let mut encoder = self.gpu.device.create_command_encoder(&Default::default());
                encoder.copy_buffer_to_buffer(&self.packed, 0, &self.back, 0, bytes);
                self.gpu.queue.submit([encoder.finish()]);
            })?;
            let read: Vec<u16> = self.gpu.read(what, &self.back, bytes, bytemuck::pod_collect_to_vec)?;
            values.extend_from_slice(&read[..count as usize]);
        }
        Ok(values)
    }
}
