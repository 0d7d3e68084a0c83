//! Pipelines, the binding of their arguments, buffers and the shape of dispatches: what every game on a GPU needs.

use super::device::Gpu;
use crate::error::Result;

/// Bytes from one dispatch's parameters to the next: no device asks for more.
pub const SLOT: u64 = 256;

impl Gpu {
    /// A buffer of at least 16 bytes, for no binding may be empty.
    pub(super) fn buffer(&self, label: &str, size: u64, usage: wgpu::BufferUsages) -> wgpu::Buffer {
        self.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some(label),
            size: size.max(16),
            usage,
            mapped_at_creation: false,
        })
    }

    /// Shape of a dispatch of `count` workgroups, folded into rows where one dimension is too short.
    pub(super) fn fold(&self, count: u32) -> (u32, u32) {
        let width = count.clamp(1, self.workgroups);
        (width, count.div_ceil(width))
    }
}

/// A pipeline and the layout of its arguments.
pub struct Kernel {
    pub pipeline: wgpu::ComputePipeline,
    pub layout: wgpu::BindGroupLayout,
}

/// A storage buffer that the shader only reads.
pub const READ: bool = true;
/// A storage buffer that the shader writes to.
pub const WRITE: bool = false;

impl Kernel {
    /// `storage` lists the bindings after the parameters, by whether the shader only reads them.
    pub fn new(gpu: &Gpu, name: &str, wgsl: &str, params: u64, storage: &[bool]) -> Result<Self> {
        let entry =
            |binding: u32, ty: wgpu::BufferBindingType, dynamic: bool, size: Option<u64>| wgpu::BindGroupLayoutEntry {
                binding,
                visibility: wgpu::ShaderStages::COMPUTE,
                ty: wgpu::BindingType::Buffer {
                    ty,
                    has_dynamic_offset: dynamic,
                    min_binding_size: size.and_then(std::num::NonZeroU64::new),
                },
                count: None,
            };
        let mut entries = vec![entry(0, wgpu::BufferBindingType::Uniform, true, Some(params))];
        for (binding, read_only) in (1..).zip(storage) {
            let ty = wgpu::BufferBindingType::Storage { read_only: *read_only };
            entries.push(entry(binding, ty, false, None));
        }
        gpu.scoped(&format!("compiling the {name} kernel"), || {
            let module = gpu.device.create_shader_module(wgpu::ShaderModuleDescriptor {
                label: Some(name),
                source: wgpu::ShaderSource::Wgsl(wgsl.into()),
            });
            let layout = gpu
                .device
                .create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: Some(name), entries: &entries });
            let pipeline_layout = gpu.device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
                label: Some(name),
                bind_group_layouts: &[Some(&layout)],
                immediate_size: 0,
            });
            let pipeline = gpu.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
                label: Some(name),
                layout: Some(&pipeline_layout),
                module: &module,
                entry_point: Some("main"),
                compilation_options: Default::default(),
                cache: None,
            });
            Self { pipeline, layout }
        })
    }

    /// Binds the parameters' slots and the storage buffers in order.
    pub fn bind(&self, gpu: &Gpu, slots: &wgpu::Buffer, params: u64, storage: &[&wgpu::Buffer]) -> wgpu::BindGroup {
        let slot = wgpu::BufferBinding { buffer: slots, offset: 0, size: std::num::NonZeroU64::new(params) };
        let mut entries = vec![wgpu::BindGroupEntry { binding: 0, resource: wgpu::BindingResource::Buffer(slot) }];
        for (binding, buffer) in (1..).zip(storage) {
            entries.push(wgpu::BindGroupEntry { binding, resource: buffer.as_entire_binding() });
        }
        gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout: &self.layout,
            entries: &entries,
        })
    }
}
