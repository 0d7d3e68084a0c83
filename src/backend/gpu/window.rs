//! A window on a GPU: the buffers of a plan, and the dispatches of a batch.
//!
//! One submission solves a batch, level after level; a second one checks it. Each workgroup takes one tile. The
//! rows of a band stay on the device; of a batch only the verdicts come back, and the values if the table is exported.

use std::ops::Range;

use super::device::Gpu;
use super::kernel::{Kernel, READ, SLOT, WRITE};
use super::shader::{self, FIRST_PIECE};
use crate::Position;
use crate::backend::{Findings, WindowEngine, WindowSetup};
use crate::error::{Error, Result};
use crate::index::low::LowTables;
use crate::index::tiles::{Batch, Places, Tile};
use crate::kernels::rows::Word;
use crate::kernels::{VALUES, Verdict};

/// The first argument of every kernel; `shaders/tile.wgsl` has the same fields in the same order.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, bytemuck::Pod, bytemuck::Zeroable)]
struct Params {
    low: u32,
    high: u32,
    window: u32,
    coins: u32,
    first: u32,
    count: u32,
    fold: u32,
    limit: [u32; 2],
    class_at: u32,
    mask_at: u32,
    step_at: u32,
    step_of_at: u32,
    line_at: u32,
    line_of_at: u32,
    welter_at: u32,
    hook_at: u32,
    report_at: u32,
    stride_at: u32,
    strides: u32,
    weight_at: u32,
    mirror_at: u32,
}

/// The low tables in one buffer; sets where each begins.
fn flatten(low: &LowTables, params: &mut Params) -> Vec<u32> {
    let mut words = Vec::new();
    let mut put = |at: &mut u32, table: &[u32]| {
        *at = words.len() as u32;
        words.extend_from_slice(table);
    };
    put(&mut params.class_at, &low.class);
    put(&mut params.mask_at, &low.masks);
    put(&mut params.step_at, &low.step);
    put(&mut params.step_of_at, &low.step_of);
    put(&mut params.line_at, &low.lines);
    put(&mut params.line_of_at, &low.lines_of);
    put(&mut params.welter_at, &low.welter);
    put(&mut params.hook_at, &low.hook);
    put(&mut params.report_at, &low.report);
    put(&mut params.stride_at, &low.strides);
    put(&mut params.weight_at, low.weights.as_flattened());
    put(&mut params.mirror_at, low.mirrors.as_flattened());
    params.strides = low.strides.len() as u32;
    words
}

/// One plan at work.
pub struct GpuWindow<'a> {
    gpu: &'a Gpu,
    setup: &'a WindowSetup,
    params: Params,
    counts: Range<u32>,
    solve: Kernel,
    checks: Vec<Kernel>,
    poison: Kernel,
    slots: wgpu::Buffer,
    low: wgpu::Buffer,
    tiles: wgpu::Buffer,
    values: wgpu::Buffer,
    verdicts: wgpu::Buffer,
    status: wgpu::Buffer,
    back: wgpu::Buffer,
    band: Option<BandBuffers>,
    boundaries: Vec<(u32, u32)>,
    value_bytes: u64,
    value_copy: Vec<u8>,
}

/// What lives as long as a band.
struct BandBuffers {
    places: wgpu::Buffer,
    rows: Vec<wgpu::Buffer>,
    histogram: wgpu::Buffer,
    solve: wgpu::BindGroup,
    checks: Vec<wgpu::BindGroup>,
}

const PARAMS: u64 = size_of::<Params>() as u64;
const POISON_PARAMS: u64 = 8;
const VERDICT: u64 = size_of::<Verdict>() as u64;
const STATUS: u64 = 8;

impl<'a> GpuWindow<'a> {
    pub fn new(gpu: &'a Gpu, setup: &'a WindowSetup) -> Result<Self> {
        let plan = &setup.plan;
        let limit = u64::from_limit(plan.value_limit);
        let mut params = Params {
            low: plan.low,
            high: setup.high.high,
            window: plan.window,
            limit: [limit as u32, (limit >> 32) as u32],
            ..Default::default()
        };
        let low_words = flatten(&setup.low, &mut params);

        let class = (0..=plan.low).map(|j| setup.low.class_size(j)).max().unwrap_or(1);
        let pieces = pieces(plan.memory.rows, plan.piece_words, plan.word_bits);
        let size = gpu.workgroup_size;
        let mut storage = vec![READ, READ, WRITE, READ, WRITE];
        storage.extend(vec![WRITE; pieces as usize]);
        debug_assert_eq!(storage.len() as u32 + 1, FIRST_PIECE + pieces);
        let solve = Kernel::new(gpu, "rows", &shader::rows(size, plan.word_bits, class, pieces), PARAMS, &storage)?;
        let mut checks = Vec::new();
        for (name, wgsl) in shader::checks(size) {
            let storage = [READ, READ, READ, WRITE, WRITE];
            let used = if name == "tally" { 5 } else { 4 };
            checks.push(Kernel::new(gpu, name, &wgsl, PARAMS, &storage[..used])?);
        }
        let poison = Kernel::new(gpu, "poison", &shader::poison(size), POISON_PARAMS, &[WRITE])?;

        // A batch never holds more than the whole window in one tile for each high mask and class.
        let most_tiles = (u64::from(plan.low) + 2) << setup.high.high;
        let tiles = most_tiles.min(plan.batch.tiles as u64);
        let value_bytes = (plan.batch.value_bytes as u64).min((1 << plan.window) + 4 * tiles).next_multiple_of(4);
        let slots = (plan.batch.levels as u64).min(u64::from(setup.high.levels())) + 1;
        let histogram = histogram_bytes(plan.bands.iter().map(Range::len).max().unwrap_or(1));
        let back_bytes = (tiles * VERDICT + histogram).max(STATUS).max(value_bytes);

        use wgpu::BufferUsages as Use;
        gpu.scoped("making the buffers of a batch", || {
            let buffer = |label, size, usage| gpu.buffer(label, size, usage);
            let storage = Use::STORAGE | Use::COPY_DST | Use::COPY_SRC;
            let low = buffer("low", low_words.len() as u64 * 4, Use::STORAGE | Use::COPY_DST);
            gpu.queue.write_buffer(&low, 0, bytemuck::cast_slice(&low_words));
            Self {
                gpu,
                setup,
                params,
                counts: 0..0,
                solve,
                checks,
                poison,
                slots: buffer("slots", slots.max(u64::from(pieces)) * SLOT, Use::UNIFORM | Use::COPY_DST),
                low,
                tiles: buffer("tiles", tiles * size_of::<Tile>() as u64, Use::STORAGE | Use::COPY_DST),
                values: buffer("values", value_bytes, storage),
                verdicts: buffer("verdicts", tiles * VERDICT, storage),
                status: buffer("status", STATUS, storage),
                back: buffer("back", back_bytes, Use::MAP_READ | Use::COPY_DST),
                band: None,
                boundaries: Vec::new(),
                value_bytes: 0,
                value_copy: Vec::new(),
            }
        })
    }

    fn write_slots(&self, ranges: &[Range<usize>]) {
        let mut bytes = vec![0u8; ranges.len() * SLOT as usize];
        for (slot, range) in bytes.chunks_exact_mut(SLOT as usize).zip(ranges) {
            let count = range.len() as u32;
            let params = Params {
                coins: self.counts.start,
                first: range.start as u32,
                count,
                fold: self.gpu.fold(count).0,
                ..self.params
            };
            slot[..PARAMS as usize].copy_from_slice(bytemuck::bytes_of(&params));
        }
        self.gpu.queue.write_buffer(&self.slots, 0, &bytes);
    }

    fn dispatch(
        &self,
        pass: &mut wgpu::ComputePass<'_>,
        kernel: &Kernel,
        group: &wgpu::BindGroup,
        slot: usize,
        count: usize,
    ) {
        let (width, rows) = self.gpu.fold(count as u32);
        pass.set_pipeline(&kernel.pipeline);
        pass.set_bind_group(0, group, &[(slot as u64 * SLOT) as u32]);
        pass.dispatch_workgroups(width, rows, 1);
    }

    fn band(&self) -> &BandBuffers {
        self.band.as_ref().expect("a band was begun")
    }

    /// Fills the rows with full sets.
    fn poison_rows(&self, band: &BandBuffers) -> Result<()> {
        let workgroup = self.gpu.workgroup_size;
        let groups = 4096.min(self.gpu.workgroups);
        let mut slots = vec![0u8; band.rows.len() * SLOT as usize];
        for (slot, rows) in slots.chunks_exact_mut(SLOT as usize).zip(&band.rows) {
            let params = [(rows.size() / 4) as u32, groups * workgroup];
            slot[..POISON_PARAMS as usize].copy_from_slice(bytemuck::cast_slice(&params));
        }
        self.gpu.scoped("clearing the rows", || {
            self.gpu.queue.write_buffer(&self.slots, 0, &slots);
            let mut encoder = self.gpu.device.create_command_encoder(&Default::default());
            for (i, rows) in band.rows.iter().enumerate() {
                let group = self.poison.bind(self.gpu, &self.slots, POISON_PARAMS, &[rows]);
                let mut pass = encoder.begin_compute_pass(&Default::default());
                pass.set_pipeline(&self.poison.pipeline);
                pass.set_bind_group(0, &group, &[(i as u64 * SLOT) as u32]);
                pass.dispatch_workgroups(groups, 1, 1);
            }
            self.gpu.queue.submit([encoder.finish()]);
        })
    }

    fn overflow(&self, batch: &Batch, full: u32) -> Error {
        let (low, tile) = (&self.setup.low, batch.tiles[(full / 4096) as usize]);
        let class = low.class[(tile.coins - tile.high.count_ones()) as usize];
        let mask = u64::from(tile.high) << low.low | u64::from(low.masks[(class + full % 4096) as usize]);
        Error::Overflow { position: Position(mask), bits: self.setup.plan.value_limit }
    }
}

fn histogram_bytes(counts: usize) -> u64 {
    (counts * VALUES * 4) as u64
}

/// Bindings that rows of this many bytes take.
fn pieces(bytes: u64, piece_words: u64, word_bits: u32) -> u32 {
    // A class is at most 924 words; that much may be lost at the end of each piece but the last.
    let piece = piece_words * u64::from(word_bits / 8);
    if bytes <= piece { 1 } else { bytes.div_ceil(piece - 923 * u64::from(word_bits / 8)) as u32 }
}

/// The tiles, by coins and high coins, whose rows are the first in a piece other than the first.
fn boundaries(places: &[[u32; 2]], first_coins: u32, high: u32) -> Vec<(u32, u32)> {
    let mut found = Vec::new();
    for (i, pair) in places.windows(2).enumerate().filter(|(_, pair)| pair[0][0] != pair[1][0]) {
        debug_assert_eq!(pair[1][1], 0, "a piece begins at its first word");
        found.push((first_coins + ((i + 1) >> high) as u32, (i + 1) as u32 & ((1 << high) - 1)));
    }
    found
}

impl WindowEngine for GpuWindow<'_> {
    fn begin_band(&mut self, counts: Range<u32>) -> Result<()> {
        let plan = &self.setup.plan;
        let word_bytes = u64::from(plan.word_bits / 8);
        let places = Places::new(&self.setup.low, &self.setup.high, counts.clone(), plan.piece_words);
        let pairs: Vec<[u32; 2]> =
            (places.at.iter()).map(|at| [(at / plan.piece_words) as u32, (at % plan.piece_words) as u32]).collect();
        let bound = pieces(plan.memory.rows, plan.piece_words, plan.word_bits) as u64;
        self.boundaries = boundaries(&pairs, counts.start, self.setup.high.high);
        self.counts = counts;
        self.band = None; // give back the old rows before taking the new
        self.gpu.wait("ending a band")?;

        use wgpu::BufferUsages as Use;
        let band = self.gpu.scoped("making the rows of a band", || {
            let buffer = |label, size, usage| self.gpu.buffer(label, size, usage);
            let rows: Vec<wgpu::Buffer> = (0..bound)
                .map(|i| {
                    let words = places.words.saturating_sub(i * plan.piece_words).min(plan.piece_words);
                    buffer("rows", words * word_bytes, Use::STORAGE)
                })
                .collect();
            let place_buffer = buffer("places", pairs.len() as u64 * 8, Use::STORAGE | Use::COPY_DST);
            self.gpu.queue.write_buffer(&place_buffer, 0, bytemuck::cast_slice(&pairs));
            let histogram =
                buffer("histogram", histogram_bytes(self.counts.len()), Use::STORAGE | Use::COPY_SRC | Use::COPY_DST);
            let mut arguments = vec![&self.low, &self.tiles, &self.values, &place_buffer, &self.status];
            arguments.extend(&rows);
            let solve = self.solve.bind(self.gpu, &self.slots, PARAMS, &arguments);
            let arguments = [&self.low, &self.tiles, &self.values, &self.verdicts, &histogram];
            let checks = (self.checks.iter().enumerate())
                .map(|(i, kernel)| {
                    let used = if i + 1 == self.checks.len() { 5 } else { 4 };
                    kernel.bind(self.gpu, &self.slots, PARAMS, &arguments[..used])
                })
                .collect();
            BandBuffers { places: place_buffer, rows, histogram, solve, checks }
        })?;
        self.poison_rows(&band)?;
        self.band = Some(band);
        Ok(())
    }

    fn solve(&mut self, batch: &Batch) -> Result<()> {
        let (gpu, band) = (self.gpu, self.band());
        debug_assert!(band.places.size() >= 8);
        gpu.scoped("solving a batch", || {
            gpu.queue.write_buffer(&self.tiles, 0, bytemuck::cast_slice(&batch.tiles));
            gpu.queue.write_buffer(&self.status, 0, bytemuck::cast_slice(&[u32::MAX, 0]));
            self.write_slots(&batch.levels);
            let mut encoder = gpu.device.create_command_encoder(&Default::default());
            let mut pass = encoder.begin_compute_pass(&Default::default());
            for (slot, level) in batch.levels.iter().enumerate() {
                self.dispatch(&mut pass, &self.solve, &band.solve, slot, level.len());
            }
            drop(pass);
            encoder.copy_buffer_to_buffer(&self.status, 0, &self.back, 0, STATUS);
            gpu.queue.submit([encoder.finish()]);
        })?;
        let [full, solved] =
            gpu.read("solving a batch", &self.back, STATUS, |bytes| [u32_at(bytes, 0), u32_at(bytes, 1)])?;
        self.value_bytes = batch.value_bytes as u64;
        if solved as usize != batch.tiles.len() {
            let reason = format!("{solved} of {} tiles were solved", batch.tiles.len());
            return Err(gpu.failed("impossible read-back", reason));
        }
        if full != u32::MAX {
            return Err(self.overflow(batch, full));
        }
        Ok(())
    }

    fn check(&mut self, batch: &Batch) -> Result<Findings> {
        let (gpu, band) = (self.gpu, self.band());
        let tiles = batch.tiles.len();
        let verdict_bytes = tiles as u64 * VERDICT;
        let histogram_bytes = histogram_bytes(self.counts.len());
        gpu.scoped("checking a batch", || {
            self.write_slots(std::slice::from_ref(&(0..tiles)));
            let mut encoder = gpu.device.create_command_encoder(&Default::default());
            encoder.clear_buffer(&band.histogram, 0, None);
            encoder.clear_buffer(&self.verdicts, 0, Some(verdict_bytes));
            let mut pass = encoder.begin_compute_pass(&Default::default());
            for (kernel, group) in self.checks.iter().zip(&band.checks) {
                self.dispatch(&mut pass, kernel, group, 0, tiles);
            }
            drop(pass);
            encoder.copy_buffer_to_buffer(&self.verdicts, 0, &self.back, 0, verdict_bytes);
            encoder.copy_buffer_to_buffer(&band.histogram, 0, &self.back, verdict_bytes, histogram_bytes);
            gpu.queue.submit([encoder.finish()]);
        })?;
        let counts = self.counts.len();
        gpu.read("checking a batch", &self.back, verdict_bytes + histogram_bytes, |bytes| {
            let (verdicts, histogram) = bytes.split_at(verdict_bytes as usize);
            Findings {
                verdicts: bytemuck::pod_collect_to_vec(verdicts),
                histogram: (0..counts)
                    .map(|c| std::array::from_fn(|v| u64::from(u32_at(histogram, c * VALUES + v))))
                    .collect(),
            }
        })
    }

    fn values(&mut self) -> Result<&[u8]> {
        let gpu = self.gpu;
        gpu.scoped("reading values back", || {
            let mut encoder = gpu.device.create_command_encoder(&Default::default());
            encoder.copy_buffer_to_buffer(&self.values, 0, &self.back, 0, self.value_bytes);
            gpu.queue.submit([encoder.finish()]);
        })?;
        self.value_copy = gpu.read("reading values back", &self.back, self.value_bytes, |bytes| bytes.to_vec())?;
        Ok(&self.value_copy)
    }

    fn sample(&mut self, at: &[u32]) -> Result<Vec<u8>> {
        let gpu = self.gpu;
        let mut sampled = Vec::with_capacity(at.len());
        // The read-back buffer takes a word a value.
        for at in at.chunks((self.back.size() / 4) as usize) {
            gpu.scoped("reading a sample back", || {
                let mut encoder = gpu.device.create_command_encoder(&Default::default());
                for (to, from) in (0..).zip(at) {
                    encoder.copy_buffer_to_buffer(&self.values, u64::from(from / 4) * 4, &self.back, to * 4, 4);
                }
                gpu.queue.submit([encoder.finish()]);
            })?;
            let bytes = gpu.read("reading a sample back", &self.back, at.len() as u64 * 4, |bytes| bytes.to_vec())?;
            sampled.extend(bytes.chunks_exact(4).zip(at).map(|(word, at)| word[(at % 4) as usize]));
        }
        Ok(sampled)
    }

    fn errs(&self) -> bool {
        true
    }

    fn split_boundaries(&self) -> &[(u32, u32)] {
        &self.boundaries
    }

    fn flip(&mut self, at: u32) -> Result<()> {
        let word = self.sample(&[at / 4 * 4, at / 4 * 4 + 1, at / 4 * 4 + 2, at / 4 * 4 + 3])?;
        let mut word: [u8; 4] = word.try_into().expect("four bytes");
        word[(at % 4) as usize] ^= 1;
        let gpu = self.gpu;
        gpu.scoped("flipping a bit", || gpu.queue.write_buffer(&self.values, u64::from(at / 4) * 4, &word))
    }
}

fn u32_at(bytes: &[u8], word: usize) -> u32 {
    let bytes = &bytes[4 * word..4 * word + 4];
    u32::from_le_bytes(bytes.try_into().expect("four bytes"))
}
