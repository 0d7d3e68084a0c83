//! The GPU backend: the shaders of `shaders/` through wgpu, on Vulkan, Metal or DX12.
//!
//! [`device`] finds and opens adapters and turns every kind of GPU failure into an [`Error`](crate::Error); `kernel` makes
//! pipelines and buffers; `shader` puts the WGSL together; `window` solves windows, `pass` boxes of
//! Nim with passes, `young` walks through Young diagrams, `verify` looks whether a table certifies itself.

pub mod device;
mod kernel;
mod options;
mod pass;
mod pieces;
mod shader;
mod verify;
mod window;
mod young;

pub use device::{Adapter, Caps, Gpu, adapters, named};

use super::options::{OptionEngine, OptionSetup};
use super::{Backend, Info, PassEngine, VerifyEngine, WindowEngine, WindowSetup, YoungEngine};
use crate::error::Result;
use crate::index::young::YoungTables;
use crate::kernels::cells::Cells;
use crate::kernels::verify::Rules;
use crate::pass::plan::{BoxPlan, PassCapacity};
use crate::plan::Capacity;

impl Backend for Gpu {
    fn info(&self) -> Info {
        Info { limits: Some(self.adapter.device_limits(&self.caps)), ..self.adapter.info() }
    }

    fn capacity(&self) -> Capacity {
        self.adapter.capacity(&self.caps)
    }

    fn open<'a>(&'a self, setup: &'a WindowSetup) -> Result<Box<dyn WindowEngine + 'a>> {
        Ok(Box::new(window::GpuWindow::new(self, setup)?))
    }

    fn pass_capacity(&self) -> PassCapacity {
        self.adapter.pass_capacity(&self.caps)
    }

    fn open_pass<'a>(&'a self, plan: &'a BoxPlan) -> Result<Box<dyn PassEngine + 'a>> {
        Ok(Box::new(pass::GpuPass::new(self, plan)?))
    }

    fn open_young<'a>(&'a self, tables: &'a YoungTables) -> Result<Box<dyn YoungEngine + 'a>> {
        Ok(Box::new(young::GpuYoung::new(self, tables)?))
    }

    /// Ranks are 32-bit words in the shaders.
    fn most_positions(&self) -> u64 {
        u32::MAX.into()
    }

    fn open_options<'a>(&'a self, setup: &'a OptionSetup) -> Result<Box<dyn OptionEngine + 'a>> {
        Ok(Box::new(options::GpuOptions::new(self, setup)?))
    }

    fn open_verify<'a>(&'a self, rules: &'a Rules, table: &'a Cells) -> Result<Box<dyn VerifyEngine + 'a>> {
        Ok(Box::new(verify::GpuVerify::new(self, rules, table)?))
    }
}
