//! The GPU backend: the shaders of `shaders/` through wgpu, on Vulkan, Metal or DX12.
//!
//! [`device`] finds and opens adapters and turns every kind of GPU failure into an [`Error`]; [`kernel`] makes
//! pipelines and buffers; [`shader`] puts the WGSL together; [`window`] solves windows.

pub mod device;
mod kernel;
mod shader;
mod window;

pub use device::{Adapter, Caps, Gpu, adapters, named};

use super::{Backend, Info, WindowEngine, WindowSetup};
use crate::error::Result;
use crate::plan::Capacity;

impl Backend for Gpu {
    fn info(&self) -> Info {
        self.adapter.info()
    }

    fn capacity(&self) -> Capacity {
        self.adapter.capacity(&self.caps)
    }

    fn open<'a>(&'a self, setup: &'a WindowSetup) -> Result<Box<dyn WindowEngine + 'a>> {
        Ok(Box::new(window::GpuWindow::new(self, setup)?))
    }
}
