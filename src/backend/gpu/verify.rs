//! A table that is to certify itself, on a GPU: one position a thread, the table split over as many bindings as it takes.

use super::device::Gpu;
use super::kernel::{Kernel, READ, WRITE};
use super::shader::{self, FIRST_TABLE};
use crate::backend::{VerifyEngine, piece_bytes};
use crate::error::{Error, Result};
use crate::kernels::cells::Cells;
use crate::kernels::verify::{Found, Rules};

/// The first argument of the kernel; `shaders/verify.wgsl` has the same fields in the same order.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, bytemuck::Pod, bytemuck::Zeroable)]
struct Params {
    first: u32,
    count: u32,
    fold: u32,
    window: u32,
    coins: u32,
    moves: u32,
    ord_at: u32,
    piles: u32,
    layer: u32,
}

const PARAMS: u64 = size_of::<Params>() as u64;
const STATUS: u64 = 16;
/// Bytes of the table handed to the driver at once.
const UPLOAD: usize = 64 << 20;

/// A table at work.
pub struct GpuVerify<'a> {
    gpu: &'a Gpu,
    rules: &'a Rules,
    kernel: Kernel,
    group: wgpu::BindGroup,
    params: Params,
    slot: wgpu::Buffer,
    status: wgpu::Buffer,
    back: wgpu::Buffer,
}

/// What the rules are to the shader: words in a buffer, and the parameters that say where.
fn flatten(rules: &Rules) -> (Vec<u32>, Params) {
    // No cell of a table that fits a GPU has a larger binomial in its number.
    let word = |n: &u64| u32::try_from(*n).unwrap_or(u32::MAX);
    match rules {
        Rules::Brute(brute) => (vec![0], Params { window: brute.window, ..Params::default() }),
        Rules::Sat(sat) => {
            let mut words: Vec<u32> = sat.binomials.iter().map(word).collect();
            let ord_at = words.len() as u32;
            words.extend(&sat.ord);
            (words, Params { window: sat.window, coins: sat.coins, moves: sat.moves, ord_at, ..Params::default() })
        }
        Rules::Pass(pass) => {
            let words: Vec<u32> = pass.sides.iter().chain(&pass.strides).map(word).collect();
            let piles = pass.sides.len() as u32;
            (words, Params { piles, layer: word(&pass.layer), ..Params::default() })
        }
    }
}

fn bytes_of(table: &Cells) -> &[u8] {
    match table {
        Cells::U8(values) => values,
        Cells::U16(values) => bytemuck::cast_slice(values),
        Cells::U32(values) => bytemuck::cast_slice(values),
    }
}

impl<'a> GpuVerify<'a> {
    pub fn new(gpu: &'a Gpu, rules: &'a Rules, table: &'a Cells) -> Result<Self> {
        let capacity = gpu.adapter.capacity(&gpu.caps);
        let bytes = bytes_of(table);
        let piece = piece_bytes(capacity.binding);
        let pieces = (bytes.len() as u64).div_ceil(piece).max(1);
        if table.len() > u32::MAX.into() || pieces > capacity.pieces.into() {
            return Err(Error::Usage(format!(
                "the table takes {} bytes and {} holds {} bytes and {} cells; use --backend cpu",
                bytes.len(),
                capacity.device,
                piece * u64::from(capacity.pieces),
                u32::MAX,
            )));
        }
        let size = gpu.workgroup_size;
        let mut storage = vec![READ, WRITE];
        storage.extend(vec![READ; pieces as usize]);
        debug_assert_eq!(storage.len() as u64 + 1, u64::from(FIRST_TABLE) + pieces);
        let shift = piece.ilog2() - 2;
        let kernel = Kernel::new(
            gpu,
            "verify",
            &shader::verify(size, rules, table.width(), pieces as u32, shift),
            PARAMS,
            &storage,
        )?;
        let (words, params) = flatten(rules);

        use wgpu::BufferUsages as Use;
        let what = "making the buffers of a table";
        let (slot, rules_buffer, status, back, held) = gpu.scoped(what, || {
            let buffer = |label, size, usage| gpu.buffer(label, size, usage);
            let rules_buffer = buffer("rules", words.len() as u64 * 4, Use::STORAGE | Use::COPY_DST);
            gpu.queue.write_buffer(&rules_buffer, 0, bytemuck::cast_slice(&words));
            let held: Vec<wgpu::Buffer> = (bytes.chunks(piece as usize))
                .map(|piece| buffer("table", (piece.len() as u64).next_multiple_of(4), Use::STORAGE | Use::COPY_DST))
                .collect();
            let held = if held.is_empty() { vec![buffer("table", 4, Use::STORAGE)] } else { held };
            (
                buffer("slot", PARAMS, Use::UNIFORM | Use::COPY_DST),
                rules_buffer,
                buffer("status", STATUS, Use::STORAGE | Use::COPY_SRC | Use::COPY_DST),
                buffer("back", STATUS, Use::MAP_READ | Use::COPY_DST),
                held,
            )
        })?;
        let what = "copying a table";
        for (buffer, piece) in held.iter().zip(bytes.chunks(piece as usize)) {
            for (i, part) in piece.chunks(UPLOAD).enumerate() {
                gpu.scoped(what, || {
                    let (whole, rest) = part.split_at(part.len() / 4 * 4);
                    let at = (i * UPLOAD) as u64;
                    gpu.queue.write_buffer(buffer, at, whole);
                    if !rest.is_empty() {
                        let mut word = [0; 4];
                        word[..rest.len()].copy_from_slice(rest);
                        gpu.queue.write_buffer(buffer, at + whole.len() as u64, &word);
                    }
                    gpu.queue.submit([]);
                })?;
                gpu.wait(what)?;
            }
        }
        let mut arguments = vec![&rules_buffer, &status];
        arguments.extend(&held);
        let group = gpu.scoped(what, || kernel.bind(gpu, &slot, PARAMS, &arguments))?;
        Ok(Self { gpu, rules, kernel, group, params, slot, status, back })
    }
}

impl VerifyEngine for GpuVerify<'_> {
    /// Bounded, as a driver ends submissions that take seconds.
    fn stretch(&self) -> u64 {
        let looks = if self.gpu.adapter.software() { 1 << 24 } else { 1 << 31 };
        let most = u64::from(self.gpu.workgroups).pow(2) * u64::from(self.gpu.workgroup_size);
        (looks / self.rules.work()).clamp(1, 1 << 26).min(most)
    }

    fn verify(&mut self, first: u64, count: u64) -> Result<Found> {
        let (gpu, what) = (self.gpu, "verifying a stretch of a table");
        let (width, rows) = gpu.fold((count as u32).div_ceil(gpu.workgroup_size));
        let params = Params { first: first as u32, count: count as u32, fold: width, ..self.params };
        gpu.scoped(what, || {
            gpu.queue.write_buffer(&self.slot, 0, bytemuck::bytes_of(&params));
            gpu.queue.write_buffer(&self.status, 0, bytemuck::cast_slice(&[0, 0, u32::MAX, u32::MAX]));
            let mut encoder = gpu.device.create_command_encoder(&Default::default());
            let mut pass = encoder.begin_compute_pass(&Default::default());
            pass.set_pipeline(&self.kernel.pipeline);
            pass.set_bind_group(0, &self.group, &[0]);
            pass.dispatch_workgroups(width, rows, 1);
            drop(pass);
            encoder.copy_buffer_to_buffer(&self.status, 0, &self.back, 0, STATUS);
            gpu.queue.submit([encoder.finish()]);
        })?;
        let told: Vec<u32> = gpu.read(what, &self.back, STATUS, bytemuck::pod_collect_to_vec)?;
        let [verified, violations, least, key] = [0, 1, 2, 3].map(|i| u64::from(told[i]));
        if verified + violations != count {
            let looked = verified + violations;
            let why = if gpu.adapter.software() { ", as software adapters end long loops early" } else { "" };
            let reason = format!("{looked} of {count} positions were looked at to the end{why}");
            return Err(gpu.failed("impossible read-back", reason));
        }
        let some = |n: u64| (violations > 0).then_some(n);
        Ok(Found { verified, violations, least: some(least), key: some(key) })
    }
}
