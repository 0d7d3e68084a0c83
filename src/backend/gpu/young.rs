//! Young diagrams on a GPU: a thread takes a stretch of partitions, or one partition of a level.

use super::device::Gpu;
use super::kernel::{Kernel, READ, WRITE};
use super::shader;
use crate::backend::YoungEngine;
use crate::error::Result;
use crate::index::young::{HALVES, YoungTables};
use crate::kernels::full::FullCount;
use crate::kernels::msg::{MsgCount, Sizes};

/// The first argument of the kernels; `shaders/young.wgsl` has the same fields in the same order.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, bytemuck::Pod, bytemuck::Zeroable)]
struct Params {
    p: u32,
    prime: u32,
    nmax: u32,
    n: u32,
    first: u32,
    count: u32,
    each: u32,
    fold: u32,
    counts_at: u32,
    below_at: u32,
    digit_at: u32,
    legendre_at: u32,
    residue_at: u32,
}

const PARAMS: u64 = size_of::<Params>() as u64;
/// Nodes a thread walks through, so that finding the first one does not count.
const EACH: u32 = 256;

/// A level of the lattice can be read and written, for checkpoints.
const LEVEL: wgpu::BufferUsages =
    wgpu::BufferUsages::STORAGE.union(wgpu::BufferUsages::COPY_SRC).union(wgpu::BufferUsages::COPY_DST);

fn flatten(tables: &YoungTables, upto: bool, params: &mut Params) -> Vec<u32> {
    let mut words = Vec::new();
    let mut put = |at: &mut u32, table: &[u32]| {
        *at = words.len() as u32;
        words.extend_from_slice(table);
    };
    let below: Vec<[u32; 2 * HALVES]> =
        (tables.below.iter()).map(|halves| std::array::from_fn(|i| (halves[i / 2] >> (32 * (i % 2))) as u32)).collect();
    put(&mut params.counts_at, &tables.counts.words(upto));
    put(&mut params.below_at, below.as_flattened());
    put(&mut params.digit_at, tables.digits.as_flattened());
    put(&mut params.legendre_at, &tables.legendre);
    put(&mut params.residue_at, &tables.residue);
    words
}

/// Tables at work.
pub struct GpuYoung<'a> {
    gpu: &'a Gpu,
    tables: &'a YoungTables,
    walk: Part,
    lattice: Part,
    slot: wgpu::Buffer,
    tally: wgpu::Buffer,
    back: wgpu::Buffer,
    levels: [wgpu::Buffer; 2],
}

/// A kernel with its parameters and tables.
struct Part {
    kernel: Kernel,
    params: Params,
    tables: wgpu::Buffer,
}

impl<'a> GpuYoung<'a> {
    pub fn new(gpu: &'a Gpu, tables: &'a YoungTables) -> Result<Self> {
        let size = gpu.workgroup_size;
        use wgpu::BufferUsages as Use;
        let part = |name: &str, wgsl: String, storage: &[bool], upto: bool| -> Result<Part> {
            let kernel = Kernel::new(gpu, name, &wgsl, PARAMS, storage)?;
            let mut params =
                Params { p: tables.p, prime: tables.prime.into(), nmax: tables.nmax(), ..Params::default() };
            let words = flatten(tables, upto, &mut params);
            gpu.scoped("making the tables of partitions", || {
                let buffer = gpu.buffer("young", words.len() as u64 * 4, Use::STORAGE | Use::COPY_DST);
                gpu.queue.write_buffer(&buffer, 0, bytemuck::cast_slice(&words));
                Part { kernel, params, tables: buffer }
            })
        };
        let walk = part("full", shader::full(size), &[READ, WRITE], true)?;
        let lattice = part("msg", shader::msg(size), &[READ, READ, WRITE, WRITE], false)?;
        let bytes = (u64::from(tables.nmax()) + 1) * 16;
        gpu.scoped("making the tally", || {
            let level = || gpu.buffer("level", 16, LEVEL);
            Self {
                gpu,
                tables,
                walk,
                lattice,
                slot: gpu.buffer("slot", PARAMS, Use::UNIFORM | Use::COPY_DST),
                tally: gpu.buffer("tally", bytes.max(24), Use::STORAGE | Use::COPY_SRC | Use::COPY_DST),
                back: gpu.buffer("back", bytes.max(24), Use::MAP_READ | Use::COPY_DST),
                levels: [level(), level()],
            }
        })
    }

    /// Runs one dispatch of `threads` threads and reads the tally back.
    fn dispatch(
        &self,
        what: &str,
        part: &Part,
        params: Params,
        buffers: &[&wgpu::Buffer],
        threads: u32,
    ) -> Result<Vec<u32>> {
        let gpu = self.gpu;
        let (width, rows) = gpu.fold(threads.div_ceil(gpu.workgroup_size));
        let params = Params { fold: width, ..params };
        gpu.scoped(what, || {
            gpu.queue.write_buffer(&self.slot, 0, bytemuck::bytes_of(&params));
            let group = part.kernel.bind(gpu, &self.slot, PARAMS, buffers);
            let mut encoder = gpu.device.create_command_encoder(&Default::default());
            encoder.clear_buffer(&self.tally, 0, None);
            let mut pass = encoder.begin_compute_pass(&Default::default());
            pass.set_pipeline(&part.kernel.pipeline);
            pass.set_bind_group(0, &group, &[0]);
            pass.dispatch_workgroups(width, rows, 1);
            drop(pass);
            encoder.copy_buffer_to_buffer(&self.tally, 0, &self.back, 0, self.tally.size());
            gpu.queue.submit([encoder.finish()]);
        })?;
        gpu.read(what, &self.back, self.back.size(), bytemuck::pod_collect_to_vec)
    }

    /// Partitions or nodes in one submission.
    fn bound(&self) -> u64 {
        if self.gpu.adapter.software() { 1 << 20 } else { 1 << 26 }
    }
}

impl YoungEngine for GpuYoung<'_> {
    fn stretch(&self) -> u64 {
        self.bound()
    }

    fn full(&mut self, first: u64, count: u64) -> Result<Vec<FullCount>> {
        let what = "walking through partitions";
        let params = Params { first: first as u32, count: count as u32, each: EACH, ..self.walk.params };
        let threads = (count as u32).div_ceil(EACH);
        let tally = self.dispatch(what, &self.walk, params, &[&self.walk.tables, &self.tally], threads)?;
        let told: Vec<FullCount> = (tally.chunks_exact(4).take(self.tables.nmax() as usize + 1))
            .map(|n| FullCount {
                partitions: n[0].into(),
                full: n[1].into(),
                by_degree: n[2].into(),
                disagreements: n[3].into(),
            })
            .collect();
        let counted: u64 = told.iter().map(|n| n.partitions).sum();
        if counted != count {
            return Err(self
                .gpu
                .failed("impossible read-back", format!("{counted} of {count} partitions were counted")));
        }
        Ok(told)
    }

    fn level(&mut self, n: u32) -> Result<Vec<Sizes>> {
        let what = "reading a level back";
        let gpu = self.gpu;
        let bytes = self.tables.counts.of(n) * 16;
        let back = gpu.scoped(what, || {
            let back = gpu.buffer("level back", bytes, wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST);
            let mut encoder = gpu.device.create_command_encoder(&Default::default());
            encoder.copy_buffer_to_buffer(&self.levels[1], 0, &back, 0, bytes);
            gpu.queue.submit([encoder.finish()]);
            back
        })?;
        gpu.read(what, &back, bytes, bytemuck::pod_collect_to_vec)
    }

    fn set_level(&mut self, _n: u32, sizes: &[Sizes]) -> Result<()> {
        let gpu = self.gpu;
        self.levels[1] = gpu.scoped("writing a level", || {
            let level = gpu.buffer("level", sizes.len() as u64 * 16, LEVEL);
            gpu.queue.write_buffer(&level, 0, bytemuck::cast_slice(sizes));
            level
        })?;
        Ok(())
    }

    fn msg_level(&mut self, n: u32) -> Result<MsgCount> {
        let what = "solving a level of the lattice";
        let gpu = self.gpu;
        let partitions = self.tables.counts.of(n);
        self.levels.swap(0, 1);
        self.levels[1] = gpu.scoped(what, || gpu.buffer("level", partitions * 16, LEVEL))?;
        let mut told = MsgCount::default();
        let mut first = 0;
        while first < partitions {
            let count = self.bound().min(partitions - first) as u32;
            let params = Params { n, first: first as u32, count, ..self.lattice.params };
            let buffers = [&self.lattice.tables, &self.levels[0], &self.levels[1], &self.tally];
            let tally = self.dispatch(what, &self.lattice, params, &buffers, count)?;
            if tally[0] != count {
                let reason = format!("{} of {count} partitions were counted", tally[0]);
                return Err(gpu.failed("impossible read-back", reason));
            }
            told.add(&MsgCount {
                partitions: tally[0].into(),
                full: tally[1].into(),
                exceptions: tally[2].into(),
                sum_msg: tally[3].into(),
                max_msg: tally[4].into(),
                msg_is_b_p: tally[5].into(),
            });
            first += u64::from(count);
        }
        Ok(told)
    }
}
