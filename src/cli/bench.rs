//! `welter bench`.

use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use super::{Common, Format, output};
use crate::backend::{Backend, cpu::Cpu};
use crate::bench::{self, Lane, spread};
use crate::error::{Error, Result};
use crate::record::run::RecordDir;

/// Arguments of `welter bench`.
#[derive(Args)]
pub struct Bench {
    /// The window of Welter's game to race over, 0 to 30
    #[arg(long, value_name = "N", default_value_t = 24)]
    window: u32,
    /// How many rounds; each contender runs once a round
    #[arg(long, value_name = "ROUNDS", default_value_t = 3)]
    rounds: u32,
    #[command(flatten)]
    common: Common,
    /// Write a record of the run (one JSON document) into this folder
    #[arg(long, value_name = "DIR")]
    record: Option<PathBuf>,
}

impl Bench {
    /// Runs the command.
    pub fn run(self) -> Result<bool> {
        if self.window > 30 {
            return Err(Error::Usage(format!(
                "--window {} is above 30, where the plain loop takes minutes a round; use 0 to 30",
                self.window
            )));
        }
        if !(1..=1000).contains(&self.rounds) {
            return Err(Error::Usage(format!("--rounds {} is outside 1 to 1000; use 3", self.rounds)));
        }
        let record = self.record.as_deref().map(RecordDir::create).transpose()?;
        let lanes = bench::race(self.window, self.rounds, &contenders()?, &mut |text| self.common.remark(text))?;
        if let Some(record) = record {
            let path = record.write("bench", self.json(&lanes))?;
            self.common.remark(format_args!("record: {}", path.display()));
        }
        match self.common.format {
            Format::Json => output::print_json(&self.json(&lanes)),
            Format::Text => output::print(&self.text(&lanes)),
        }?;
        Ok(true)
    }

    fn json(&self, lanes: &[Lane]) -> serde_json::Value {
        let rows: Vec<_> = lanes
            .iter()
            .map(|lane| {
                json!({
                    "name": lane.name,
                    "solve_seconds": lane.solve,
                    "check_seconds": lane.check,
                    "ratio_to_plain_loop": lane.ratio_to(&lanes[0]),
                })
            })
            .collect();
        json!({
            "command": "bench",
            "window": self.window,
            "rounds": self.rounds,
            "lanes": rows,
            "version": env!("CARGO_PKG_VERSION"),
        })
    }

    fn text(&self, lanes: &[Lane]) -> String {
        let rows = lanes.iter().map(|lane| {
            let [_, solve, _] = spread(lane.solve.iter().copied());
            let [_, check, _] = spread(lane.check.iter().copied());
            let [least, ratio, greatest] = lane.ratio_to(&lanes[0]);
            vec![
                lane.name.clone(),
                output::seconds(solve),
                if check > 0.0 { output::seconds(check) } else { "-".into() },
                output::rate(1 << self.window, solve, "positions"),
                format!("{ratio:.1}"),
                format!("{least:.1} - {greatest:.1}"),
            ]
        });
        let header = ["contender", "table", "checks", "table alone", "times the plain loop", "spread"];
        format!(
            "Window {}, medians of {} interleaved round{}\n{}",
            self.window,
            self.rounds,
            if self.rounds == 1 { "" } else { "s" },
            output::table(&header, &[0], rows)
        )
    }
}

fn contenders() -> Result<Vec<(String, Box<dyn Backend>)>> {
    let mut list: Vec<(String, Box<dyn Backend>)> = vec![("cpu, 1 thread".into(), Box::new(Cpu::new(Some(1))?))];
    let all = Cpu::new(None)?;
    if let Some(threads) = all.info().threads.filter(|n| *n > 1) {
        list.push((format!("cpu, {threads} threads"), Box::new(all)));
    }
    #[cfg(feature = "gpu")]
    for adapter in crate::backend::gpu::adapters() {
        let kind = if adapter.software() { "software adapter" } else { "gpu" };
        let name = format!("{kind} {}", adapter.name());
        let gpu = crate::backend::gpu::Gpu::open(adapter, &crate::backend::gpu::Caps::default())?;
        list.push((name, Box::new(gpu)));
    }
    Ok(list)
}
