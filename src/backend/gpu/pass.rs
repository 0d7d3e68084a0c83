//! A box of Nim with passes on a GPU: one dispatch a level, the values of the layer below overwritten in place.
//!
//! Values and rows stay on the device; after each layer the values are read back, and each of them must carry the mark of
//! its layer and lie within the proven bound. A submission holds a bounded number of dispatches and threads.

use super::device::{Adapter, Caps, Gpu};
use super::kernel::{Kernel, READ, SLOT, WRITE};
use super::{pieces, shader};
use crate::backend::PassEngine;
use crate::error::Result;
use crate::kernels::layer::{Cell, Values, with_values};
use crate::pass::plan::{BoxPlan, GpuLimits, PassCapacity};

const PASS: &str = include_str!("../../../shaders/pass.wgsl");

/// Dispatches in one submission.
const SLOTS: u64 = 512;
/// Bytes read back at once.
const BACK: u64 = 16 << 20;
/// Storage bindings besides values and rows: axes and status.
const OTHERS: u32 = 2;
/// Uniform, axes, status: the first piece of values comes next.
const FIRST_PIECE: u32 = 3;

/// The first argument of the kernel; `shaders/pass.wgsl` has the same fields in the same order.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, bytemuck::Pod, bytemuck::Zeroable)]
struct Params {
    level: u32,
    layer: u32,
    first: u32,
    count: u32,
    fold: u32,
    row_words: u32,
    row_piece: u32,
    value_piece: u32,
    over: u32,
}

const PARAMS: u64 = size_of::<Params>() as u64;
const POISON_PARAMS: u64 = 8;
const STATUS: u64 = 12;
/// A value's mark of its layer's parity.
const MARK: u32 = 1 << 31;

impl Adapter {
    /// What it can hold of a box; of a real GPU's memory, as for [`Adapter::capacity`].
    pub fn pass_capacity(&self, caps: &Caps) -> PassCapacity {
        let capacity = self.capacity(caps);
        let pieces = self.limits().max_storage_buffers_per_shader_stage.saturating_sub(OTHERS).clamp(2, 64);
        PassCapacity {
            device: capacity.device,
            memory: capacity.memory,
            host_memory: capacity.host_memory,
            shared: self.software(),
            word_bits: 32,
            gpu: Some(GpuLimits { binding: capacity.binding & !3, pieces: pieces.into(), other: SLOTS * SLOT + BACK }),
        }
    }
}

/// One box at work.
pub struct GpuPass<'a> {
    gpu: &'a Gpu,
    plan: &'a BoxPlan,
    kernel: Kernel,
    poison: Kernel,
    slots: wgpu::Buffer,
    status: wgpu::Buffer,
    back: wgpu::Buffer,
    values: Vec<wgpu::Buffer>,
    rows: Vec<wgpu::Buffer>,
    group: wgpu::BindGroup,
    /// The layer whose values are on the device.
    held: Option<u32>,
}

impl<'a> GpuPass<'a> {
    pub fn new(gpu: &'a Gpu, plan: &'a BoxPlan) -> Result<Self> {
        let grid = &plan.grid;
        let (for_values, for_rows) = (grid.cells.div_ceil(plan.piece.0), grid.rows.div_ceil(plan.piece.1));
        let wgsl = [
            format!("const WORKGROUP = {}u;\nconst AXES = {}u;\n", gpu.workgroup_size, grid.axes.len()),
            pieces::words("value", FIRST_PIECE, for_values as u32),
            pieces::words("row", FIRST_PIECE + for_values as u32, for_rows as u32),
            PASS.into(),
        ]
        .concat();
        let mut storage = vec![READ, WRITE];
        storage.extend(vec![WRITE; (for_values + for_rows) as usize]);
        let kernel = Kernel::new(gpu, "pass", &wgsl, PARAMS, &storage)?;
        let poison = Kernel::new(gpu, "poison", &shader::poison(gpu.workgroup_size), POISON_PARAMS, &[WRITE])?;

        use wgpu::BufferUsages as Use;
        let axes: Vec<u32> = grid
            .axes
            .iter()
            .flat_map(|axis| [axis.side, axis.stride, axis.span, axis.first_row].map(|n| n as u32))
            .collect();
        gpu.scoped("making the buffers of a box", || {
            let buffer = |label, size, usage| gpu.buffer(label, size, usage);
            let split = |label, all: u64, piece: u64, words: u64, usage| -> Vec<wgpu::Buffer> {
                (0..all.div_ceil(piece)).map(|i| buffer(label, piece.min(all - i * piece) * words * 4, usage)).collect()
            };
            let values = split("values", grid.cells, plan.piece.0, 1, Use::STORAGE | Use::COPY_SRC | Use::COPY_DST);
            let rows = split("rows", grid.rows, plan.piece.1, plan.row_words, Use::STORAGE | Use::COPY_DST);
            let axis_buffer = buffer("axes", axes.len() as u64 * 4, Use::STORAGE | Use::COPY_DST);
            gpu.queue.write_buffer(&axis_buffer, 0, bytemuck::cast_slice(&axes));
            let slots = buffer("slots", SLOTS * SLOT, Use::UNIFORM | Use::COPY_DST);
            let status = buffer("status", STATUS, Use::STORAGE | Use::COPY_DST | Use::COPY_SRC);
            let back = buffer("back", (grid.cells * 4).clamp(STATUS, BACK), Use::MAP_READ | Use::COPY_DST);
            let mut arguments = vec![&axis_buffer, &status];
            arguments.extend(&values);
            arguments.extend(&rows);
            let group = kernel.bind(gpu, &slots, PARAMS, &arguments);
            Self { gpu, plan, kernel, poison, slots, status, back, values, rows, group, held: None }
        })
    }

    /// Marks every value as not solved.
    fn poison_values(&self) -> Result<()> {
        let gpu = self.gpu;
        let groups = 4096.min(gpu.workgroups);
        let mut slots = vec![0u8; self.values.len() * SLOT as usize];
        for (slot, values) in slots.chunks_exact_mut(SLOT as usize).zip(&self.values) {
            let params = [(values.size() / 4) as u32, groups * gpu.workgroup_size];
            slot[..POISON_PARAMS as usize].copy_from_slice(bytemuck::cast_slice(&params));
        }
        gpu.scoped("clearing the values", || {
            gpu.queue.write_buffer(&self.slots, 0, &slots);
            let mut encoder = gpu.device.create_command_encoder(&Default::default());
            for (i, values) in self.values.iter().enumerate() {
                let group = self.poison.bind(gpu, &self.slots, POISON_PARAMS, &[values]);
                let mut pass = encoder.begin_compute_pass(&Default::default());
                pass.set_pipeline(&self.poison.pipeline);
                pass.set_bind_group(0, &group, &[(i as u64 * SLOT) as u32]);
                pass.dispatch_workgroups(groups, 1, 1);
            }
            gpu.queue.submit([encoder.finish()]);
        })
    }

    fn clear_rows(&self) -> Result<()> {
        self.gpu.scoped("clearing the rows", || {
            let mut encoder = self.gpu.device.create_command_encoder(&Default::default());
            self.rows.iter().for_each(|rows| encoder.clear_buffer(rows, 0, None));
            self.gpu.queue.submit([encoder.finish()]);
        })
    }

    fn submit(&self, dispatches: &[Params]) -> Result<()> {
        let gpu = self.gpu;
        let mut slots = vec![0u8; dispatches.len() * SLOT as usize];
        for (slot, params) in slots.chunks_exact_mut(SLOT as usize).zip(dispatches) {
            slot[..PARAMS as usize].copy_from_slice(bytemuck::bytes_of(params));
        }
        gpu.scoped("solving levels", || {
            gpu.queue.write_buffer(&self.slots, 0, &slots);
            let mut encoder = gpu.device.create_command_encoder(&Default::default());
            let mut pass = encoder.begin_compute_pass(&Default::default());
            pass.set_pipeline(&self.kernel.pipeline);
            for (i, params) in dispatches.iter().enumerate() {
                let (width, rows) = gpu.fold(params.count.div_ceil(gpu.workgroup_size));
                pass.set_bind_group(0, &self.group, &[(i as u64 * SLOT) as u32]);
                pass.dispatch_workgroups(width, rows, 1);
            }
            drop(pass);
            gpu.queue.submit([encoder.finish()]);
        })?;
        gpu.wait("solving levels")
    }

    fn copy_back<T>(&self, from: &wgpu::Buffer, at: u64, bytes: u64, read: impl FnOnce(&[u32]) -> T) -> Result<T> {
        self.gpu.scoped("reading back", || {
            let mut encoder = self.gpu.device.create_command_encoder(&Default::default());
            encoder.copy_buffer_to_buffer(from, at, &self.back, 0, bytes);
            self.gpu.queue.submit([encoder.finish()]);
        })?;
        self.gpu.read("reading back", &self.back, bytes, |bytes| read(&bytemuck::pod_collect_to_vec(bytes)))
    }

    /// Reads a layer back; fails on a value that is not of this layer or not possible.
    /// Puts a layer's values on the device, as its own kernel would have left them.
    fn write_layer<T: Cell>(&self, layer: u32, values: &[T]) -> Result<()> {
        let mark = (layer & 1) * MARK;
        let chunk = (self.back.size() / 4) as usize;
        for (buffer, piece) in self.values.iter().zip(values.chunks(self.plan.piece.0 as usize)) {
            for (i, part) in piece.chunks(chunk).enumerate() {
                let words: Vec<u32> = part.iter().map(|value| value.get() as u32 | mark).collect();
                let at = (i * chunk * 4) as u64;
                self.gpu.scoped("writing a layer", || {
                    self.gpu.queue.write_buffer(buffer, at, bytemuck::cast_slice(&words));
                })?;
            }
        }
        Ok(())
    }

    fn read_back<T: Cell>(&self, layer: u32, values: &mut [T]) -> Result<()> {
        let mark = (layer & 1) * MARK;
        let chunk = self.back.size() & !3;
        for (buffer, piece) in self.values.iter().zip(values.chunks_mut(self.plan.piece.0 as usize)) {
            for (i, part) in piece.chunks_mut((chunk / 4) as usize).enumerate() {
                let wrong = self.copy_back(buffer, i as u64 * chunk, part.len() as u64 * 4, |words| {
                    let mut wrong = None;
                    for (value, &word) in part.iter_mut().zip(words) {
                        let plain = u64::from(word & !MARK);
                        if word & MARK != mark || plain > self.plan.bound {
                            wrong = Some(word);
                        }
                        *value = T::new(plain);
                    }
                    wrong
                })?;
                if let Some(word) = wrong {
                    let reason = format!("{word:#x} is no value of layer {layer}");
                    return Err(self.gpu.failed("impossible read-back", reason));
                }
            }
        }
        Ok(())
    }
}

impl PassEngine for GpuPass<'_> {
    fn solve(&mut self, passes_left: u32, values: &mut Values, progress: &mut dyn FnMut(u64)) -> Result<()> {
        let (gpu, plan, grid) = (self.gpu, self.plan, &self.plan.grid);
        match passes_left.checked_sub(1) {
            None => self.poison_values()?,
            // A layer that comes from elsewhere, such as a checkpoint.
            Some(below) if self.held != Some(below) => with_values!(&*values, v => self.write_layer(below, v))?,
            Some(_) => {}
        }
        self.held = None;
        self.clear_rows()?;
        gpu.scoped("clearing the status", || {
            gpu.queue.write_buffer(&self.status, 0, bytemuck::cast_slice(&[u32::MAX, u32::MAX, 0]));
        })?;

        let side = grid.axes.last().map_or(1, |axis| axis.side);
        let lines = grid.cells / side;
        // As many lines as one folded dispatch takes, and for a submission what no watchdog minds.
        let most_groups = u64::from(gpu.workgroups).saturating_mul(gpu.workgroups.into());
        let most_lines = most_groups.saturating_mul(gpu.workgroup_size.into()).min(1 << 24);
        let most_threads = if gpu.adapter.software() { 1 << 22 } else { 1 << 26 };
        let (mut dispatches, mut threads) = (Vec::new(), 0);
        let levels = grid.last_level() + 1;
        for level in 0..levels {
            for first in (0..lines).step_by(most_lines as usize) {
                let count = most_lines.min(lines - first);
                if dispatches.len() as u64 == SLOTS || (threads > 0 && threads + count > most_threads) {
                    self.submit(&dispatches)?;
                    dispatches.clear();
                    threads = 0;
                    progress((u128::from(grid.cells) * u128::from(level) / u128::from(levels)) as u64);
                }
                threads += count;
                dispatches.push(Params {
                    level: level as u32,
                    layer: passes_left,
                    first: first as u32,
                    count: count as u32,
                    fold: gpu.fold((count as u32).div_ceil(gpu.workgroup_size)).0,
                    row_words: plan.row_words as u32,
                    row_piece: plan.piece.1.min(u32::MAX.into()) as u32,
                    value_piece: plan.piece.0.min(u32::MAX.into()) as u32,
                    over: grid.over as u32,
                });
            }
        }
        self.submit(&dispatches)?;

        let [full, unsolved, solved] =
            self.copy_back(&self.status, 0, STATUS, |words| [words[0], words[1], words[2]])?;
        if full != u32::MAX {
            return Err(plan.row_full(full.into(), passes_left));
        }
        if unsolved != u32::MAX || u64::from(solved) != grid.cells {
            let reason = format!("{solved} of {} cells of layer {passes_left} were solved", grid.cells);
            return Err(gpu.failed("impossible read-back", reason));
        }
        with_values!(values, v => self.read_back(passes_left, v))?;
        self.held = Some(passes_left);
        progress(grid.cells);
        Ok(())
    }
}
