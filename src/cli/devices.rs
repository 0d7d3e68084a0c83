//! `welter devices`.

use clap::Args;
use serde_json::{Value, json};

use super::output;
use super::{Common, Format};
use crate::backend::{Backend, cpu::Cpu};
use crate::error::{Result, bytes};
use crate::plan::{self, Capacity, Tuning};

/// Arguments of `welter devices`.
#[derive(Args)]
pub struct Devices {
    #[command(flatten)]
    common: Common,
}

/// One line of the list.
struct Device {
    number: Option<usize>,
    name: String,
    kind: String,
    driver: String,
    capacity: Capacity,
    workgroups: Option<u32>,
    workgroup_memory: Option<u32>,
}

impl Device {
    fn largest(&self) -> Option<u32> {
        plan::largest(false, &self.capacity, &Tuning::default())
    }

    fn json(&self) -> Value {
        json!({
            "number": self.number,
            "name": self.name,
            "kind": self.kind,
            "driver": self.driver,
            "max_binding_bytes": crate::record::integer(self.capacity.binding),
            "row_bindings": self.capacity.pieces,
            "max_workgroups_per_dimension": self.workgroups,
            "workgroup_memory_bytes": self.workgroup_memory,
            "memory_bytes": crate::record::integer(self.capacity.memory),
            "largest_window": self.largest(),
        })
    }
}

impl Devices {
    /// Runs the command.
    pub fn run(self) -> Result<bool> {
        let cpu = Cpu::new(None)?;
        let mut devices = gpus();
        devices.push(Device {
            number: None,
            name: cpu.info().device,
            kind: "cpu".into(),
            driver: format!("{} threads", cpu.info().threads.unwrap_or(1)),
            capacity: cpu.capacity(),
            workgroups: None,
            workgroup_memory: None,
        });
        match self.common.format {
            Format::Json => {
                let list: Vec<Value> = devices.iter().map(Device::json).collect();
                output::print_json(&json!({
                    "command": "devices",
                    "devices": list,
                    "version": env!("CARGO_PKG_VERSION"),
                }))?;
            }
            Format::Text => output::print(&text(&devices))?,
        }
        Ok(true)
    }
}

fn text(devices: &[Device]) -> String {
    let or_dash = |n: Option<u32>| n.map_or("-".into(), |n| n.to_string());
    let rows = devices.iter().map(|d| {
        let gpu = d.number.is_some();
        vec![
            d.number.map_or("-".into(), |n| n.to_string()),
            d.name.clone(),
            d.kind.clone(),
            d.driver.clone(),
            if gpu { format!("{} x {}", d.capacity.pieces, bytes(d.capacity.binding.into())) } else { "-".into() },
            or_dash(d.workgroups),
            d.workgroup_memory.map_or("-".into(), |n| bytes(n.into())),
            bytes(d.capacity.memory.into()),
            or_dash(d.largest()),
        ]
    });
    let header = [
        "device",
        "name",
        "kind",
        "driver",
        "row bindings",
        "workgroups",
        "workgroup memory",
        "memory",
        "largest window",
    ];
    let mut text = output::table(&header, &[1, 2, 3], rows);
    if devices.len() == 1 {
        text += "\nNo GPU adapter was found: the CPU backend does all work. On Debian or Ubuntu, the packages libvulkan1 and\n\
                 mesa-vulkan-drivers bring drivers for many GPUs and a software adapter.\n";
    } else {
        text += "\nMemory of a real GPU is not told by its driver: what its bindings could hold is shown instead.\n";
    }
    text
}

#[cfg(feature = "gpu")]
fn gpus() -> Vec<Device> {
    use crate::backend::gpu::{Caps, adapters};
    let list = adapters().into_iter().enumerate();
    list.map(|(number, adapter)| {
        let (info, limits) = (adapter.info(), adapter.limits());
        Device {
            number: Some(number),
            name: info.device,
            kind: if info.software { "software adapter".into() } else { "gpu".into() },
            driver: info.driver.unwrap_or_default(),
            capacity: adapter.capacity(&Caps::default()),
            workgroups: Some(limits.max_compute_workgroups_per_dimension),
            workgroup_memory: Some(limits.max_compute_workgroup_storage_size),
        }
    })
    .collect()
}

#[cfg(not(feature = "gpu"))]
fn gpus() -> Vec<Device> {
    Vec::new()
}
