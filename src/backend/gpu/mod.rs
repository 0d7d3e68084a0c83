//! The GPU backend: the shaders of `shaders/` through wgpu, on Vulkan, Metal or DX12.
//!
//! [`device`] finds and opens adapters and turns every kind of GPU failure into an [`Error`]; [`kernel`] makes
//! pipelines and buffers; [`shader`] puts the WGSL together; [`window`] solves windows,
//! [`young`] walks through Young diagrams, [`verify`] looks whether a table certifies itself.

pub mod device;
mod kernel;
mod shader;
mod verify;
mod window;
mod young;

pub use device::{Adapter, Caps, Gpu, adapters, named};

use super::{Backend, Info, VerifyEngine, WindowEngine, WindowSetup, YoungEngine};
use crate::error::Result;
use crate::index::young::YoungTables;
use crate::kernels::cells::Cells;
use crate::kernels::verify::Rules;
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

    fn open_young<'a>(&'a self, tables: &'a YoungTables) -> Result<Box<dyn YoungEngine + 'a>> {
        Ok(Box::new(young::GpuYoung::new(self, tables)?))
    }

    fn open_verify<'a>(&'a self, rules: &'a Rules, table: &'a Cells) -> Result<Box<dyn VerifyEngine + 'a>> {
        Ok(Box::new(verify::GpuVerify::new(self, rules, table)?))
    }
}
