//! Adapters and devices; every way a GPU fails comes back as an [`Error`].

use std::sync::mpsc;
use std::sync::{Arc, Mutex};

use crate::backend::{DeviceLimits, Info, available_memory};
use crate::error::{Error, Result};
use crate::index::tiles::BatchCap;
use crate::kernels::Verdict;
use crate::plan::Capacity;

/// Storage bindings of the solving kernel besides the rows: low tables, tiles, values, places, status.
const OTHER_BINDINGS: u32 = 5;

/// Most bindings that the rows are split over.
const MOST_PIECES: u32 = 64;

/// Limits lower than the adapter's own, so that tests reach every path on any adapter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Caps {
    /// Bytes of the largest storage binding and buffer.
    pub binding: Option<u64>,
    /// Workgroups in one dimension of a dispatch.
    pub workgroups: Option<u32>,
    /// Threads in a workgroup, a multiple of 8: with other sizes lavapipe 22.3 lets threads beyond the workgroup's end
    /// take part.
    pub workgroup_size: Option<u32>,
    /// Tiles in one batch.
    pub tiles: Option<usize>,
}

/// An adapter that can run the shaders.
#[derive(Clone)]
pub struct Adapter {
    inner: wgpu::Adapter,
}

/// All adapters, real GPUs first, in a stable order; empty where there is no driver.
pub fn adapters() -> Vec<Adapter> {
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor {
        flags: wgpu::InstanceFlags::empty(),
        ..wgpu::InstanceDescriptor::new_without_display_handle()
    });
    let found = pollster::block_on(instance.enumerate_adapters(wgpu::Backends::PRIMARY));
    let mut adapters: Vec<Adapter> = found.into_iter().map(|inner| Adapter { inner }).collect();
    adapters.sort_by_key(|adapter| match adapter.inner.get_info().device_type {
        wgpu::DeviceType::DiscreteGpu => 0,
        wgpu::DeviceType::IntegratedGpu => 1,
        wgpu::DeviceType::VirtualGpu | wgpu::DeviceType::Other => 2,
        wgpu::DeviceType::Cpu => 3,
    });
    adapters
}

/// The adapter with this number or part of a name; the first if none is given.
///
/// # Errors
/// [`Error::Device`] with what there is and what to do.
pub fn named(device: Option<&str>) -> Result<Adapter> {
    let adapters = adapters();
    if adapters.is_empty() {
        return Err(Error::Device(
            "no GPU adapter was found (no Vulkan, Metal or DX12 driver); use --backend cpu, or install a driver \
             such as mesa-vulkan-drivers"
                .into(),
        ));
    }
    let chosen = match device {
        None => adapters.first(),
        Some(wanted) => match wanted.parse::<usize>() {
            Ok(number) => adapters.get(number),
            Err(_) => adapters.iter().find(|a| a.name().to_lowercase().contains(&wanted.to_lowercase())),
        },
    };
    chosen.cloned().ok_or_else(|| {
        let names: Vec<String> = adapters.iter().enumerate().map(|(i, a)| format!("{i}: {}", a.name())).collect();
        Error::Device(format!(
            "--device {}: no such adapter; choose one of {}",
            device.unwrap_or_default(),
            names.join(", ")
        ))
    })
}

impl Adapter {
    /// Its name as the driver gives it.
    pub fn name(&self) -> String {
        self.inner.get_info().name
    }

    /// Whether it is a program on the CPU that only behaves as a GPU.
    pub fn software(&self) -> bool {
        self.inner.get_info().device_type == wgpu::DeviceType::Cpu
    }

    /// Its limits, as the adapter reports them.
    pub fn limits(&self) -> wgpu::Limits {
        self.inner.limits()
    }

    /// For reports and records.
    pub fn info(&self) -> Info {
        let info = self.inner.get_info();
        Info {
            kind: "gpu",
            device: info.name,
            threads: None,
            driver: Some(format!("{:?}, {} {}", info.backend, info.driver, info.driver_info)),
            software: info.device_type == wgpu::DeviceType::Cpu,
            limits: Some(self.device_limits(&Caps::default())),
        }
    }

    /// The limits that decide what fits.
    pub fn device_limits(&self, caps: &Caps) -> DeviceLimits {
        let (limits, capacity) = (self.limits(), self.capacity(caps));
        let workgroups = limits.max_compute_workgroups_per_dimension;
        DeviceLimits {
            max_binding_bytes: capacity.binding,
            row_bindings: capacity.pieces,
            max_workgroups_per_dimension: caps.workgroups.map_or(workgroups, |cap| cap.min(workgroups)),
            workgroup_memory_bytes: limits.max_compute_workgroup_storage_size,
        }
    }

    /// What it can hold by its limits. wgpu does not tell the memory of a real GPU: running out of it is an error
    /// then, not a refusal.
    pub fn capacity(&self, caps: &Caps) -> Capacity {
        let limits = self.limits();
        let binding = limits.max_storage_buffer_binding_size.min(limits.max_buffer_size) & !7;
        let binding = caps.binding.map_or(binding, |cap| cap.min(binding));
        let pieces = limits.max_storage_buffers_per_shader_stage.saturating_sub(OTHER_BINDINGS).clamp(1, MOST_PIECES);
        let host_memory = available_memory();
        let software = self.software();
        let memory = if software { host_memory } else { binding.saturating_mul(u64::from(pieces) + 4) };
        // A real GPU wants much work in a submission, yet less than its watchdog's patience; a software one, little.
        let (value_bytes, tiles) = if software { (4 << 20, 1 << 16) } else { (64 << 20, 1 << 18) };
        // One dispatch checks a batch, a workgroup a tile, folded into at most two dimensions.
        let workgroups = limits.max_compute_workgroups_per_dimension.min(caps.workgroups.unwrap_or(u32::MAX)) as usize;
        let tiles = caps.tiles.unwrap_or(tiles).min((binding / size_of::<Verdict>() as u64) as usize);
        let tiles = tiles.min(workgroups.saturating_mul(workgroups));
        Capacity {
            device: self.name(),
            memory,
            host_memory,
            binding,
            pieces,
            lanes: 1,
            band_bytes: if software { 32 << 20 } else { 1 << 30 },
            batch: BatchCap { value_bytes: value_bytes.min(binding as usize), tiles, levels: 1 << 10 },
        }
    }
}

/// An opened device.
pub struct Gpu {
    pub(super) adapter: Adapter,
    pub(super) caps: Caps,
    pub(super) device: wgpu::Device,
    pub(super) queue: wgpu::Queue,
    pub(super) workgroups: u32,
    pub(super) workgroup_size: u32,
    lost: Arc<Mutex<Option<String>>>,
}

impl Gpu {
    /// Opens an adapter with its real limits, or lower ones where `caps` says so.
    ///
    /// # Errors
    /// [`Error::Gpu`] if the driver refuses; [`Error::Usage`] for a workgroup size that is no multiple of 8.
    pub fn open(adapter: Adapter, caps: &Caps) -> Result<Self> {
        if let Some(size) = caps.workgroup_size.filter(|size| *size == 0 || *size % 8 != 0) {
            return Err(Error::Usage(format!("a workgroup of {size} threads is no multiple of 8; use 64")));
        }
        let mut limits = adapter.limits();
        if let Some(binding) = caps.binding {
            limits.max_storage_buffer_binding_size = limits.max_storage_buffer_binding_size.min(binding);
            limits.max_buffer_size = limits.max_buffer_size.min(binding.max(1 << 20));
        }
        if let Some(workgroups) = caps.workgroups {
            limits.max_compute_workgroups_per_dimension = limits.max_compute_workgroups_per_dimension.min(workgroups);
        }
        let workgroups = limits.max_compute_workgroups_per_dimension;
        // On lavapipe a workgroup runs in vectors of eight threads, one after another between barriers: one vector is best.
        let workgroup_size = caps.workgroup_size.unwrap_or(if adapter.software() { 8 } else { 64 });
        let request = wgpu::DeviceDescriptor { label: Some("welter"), required_limits: limits, ..Default::default() };
        let (device, queue) = pollster::block_on(adapter.inner.request_device(&request)).map_err(|e| Error::Gpu {
            device: adapter.name(),
            what: "opening the device".into(),
            reason: e.to_string(),
        })?;
        let lost = Arc::new(Mutex::new(None));
        let note = lost.clone();
        device.set_device_lost_callback(move |reason, message| {
            *note.lock().expect("no panic while noting") = Some(format!("device lost ({reason:?}) {message}"));
        });
        let note = lost.clone();
        device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
            note.lock().expect("no panic while noting").get_or_insert(one_line(&error));
        }));
        Ok(Self { adapter, caps: *caps, device, queue, workgroups, workgroup_size, lost })
    }

    /// Does GPU work; any error that the driver reports meanwhile becomes this call's.
    pub(super) fn scoped<T>(&self, what: &str, work: impl FnOnce() -> T) -> Result<T> {
        use wgpu::ErrorFilter::{Internal, OutOfMemory, Validation};
        let scopes = [OutOfMemory, Validation, Internal].map(|filter| self.device.push_error_scope(filter));
        let result = work();
        let mut error = None;
        for scope in scopes.into_iter().rev() {
            if let Some(e) = pollster::block_on(scope.pop()) {
                error.get_or_insert(one_line(&e));
            }
        }
        match error.or_else(|| self.lost.lock().expect("no panic while noting").clone()) {
            None => Ok(result),
            Some(reason) => Err(self.failed(what, reason)),
        }
    }

    pub(super) fn failed(&self, what: &str, reason: impl Into<String>) -> Error {
        Error::Gpu { device: self.adapter.name(), what: what.into(), reason: reason.into() }
    }

    /// Waits until all submitted work is done.
    pub(super) fn wait(&self, what: &str) -> Result<()> {
        self.scoped(what, || self.device.poll(wgpu::PollType::wait_indefinitely()))?
            .map_err(|e| self.failed(what, e.to_string()))?;
        Ok(())
    }

    /// Maps the first `bytes` of a buffer made for reading back and hands them to `read`.
    pub(super) fn read<T>(
        &self,
        what: &str,
        buffer: &wgpu::Buffer,
        bytes: u64,
        read: impl FnOnce(&[u8]) -> T,
    ) -> Result<T> {
        let (sender, receiver) = mpsc::channel();
        self.scoped(what, || {
            buffer.map_async(wgpu::MapMode::Read, 0..bytes, move |mapped| {
                // The receiver is gone only if waiting failed, which is reported there.
                let _ = sender.send(mapped);
            });
        })?;
        self.wait(what)?;
        match receiver.try_recv() {
            Ok(Ok(())) => {}
            Ok(Err(e)) => return Err(self.failed(what, e.to_string())),
            Err(_) => return Err(self.failed(what, "the buffer was never mapped")),
        }
        let mapped = buffer.get_mapped_range(0..bytes).map_err(|e| self.failed(what, e.to_string()))?;
        let result = read(&mapped);
        drop(mapped);
        buffer.unmap();
        Ok(result)
    }
}

/// wgpu's errors run over several lines with their causes; users get one.
fn one_line(error: &wgpu::Error) -> String {
    let text = error.to_string();
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    lines.join("; ")
}
