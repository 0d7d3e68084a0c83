//! `welter bench`.

use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use super::{Common, Format, output};
use crate::backend::{Backend, cpu::Cpu};
use crate::bench::{self, Lane, SatLane, Traffic, spread};
use crate::error::{Error, Result};
use crate::pass;
use crate::plan::options::Cell;
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
    /// Race over Nim with one pass, two piles up to SIZE, 0 to 2047, against the definition's loop instead
    #[arg(long, value_name = "SIZE", conflicts_with_all = ["window", "sat"])]
    pass: Option<u64>,
    /// Race over a saturation W^M_{P,K} on window N against the oracle instead, such as 3,4,3,20
    #[arg(long, value_name = "P,M,K,N", value_parser = cell, conflicts_with = "window", allow_hyphen_values = true)]
    sat: Option<Cell>,
    #[command(flatten)]
    common: Common,
    /// Print the table as Markdown
    #[arg(long)]
    markdown: bool,
    /// Write a record of the run (one JSON document) into this folder
    #[arg(long, value_name = "DIR")]
    record: Option<PathBuf>,
}

fn cell(text: &str) -> std::result::Result<Cell, String> {
    let numbers: Option<Vec<u64>> = text.split(',').map(|number| number.trim().parse().ok()).collect();
    let cell = match numbers.as_deref() {
        Some(&[p, m, k, n]) => {
            let small = |number| u32::try_from(number).unwrap_or(u32::MAX);
            Cell { p, m: small(m), k: small(k), window: small(n) }
        }
        _ => return Err("four whole numbers P,M,K,N are needed, such as 3,4,3,20".into()),
    };
    cell.validate().map_err(|error| error.to_string())?;
    Ok(cell)
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
        if let Some(size) = self.pass.filter(|size| *size > 2047) {
            return Err(Error::Usage(format!(
                "--pass {size} is above 2047, where the definition's loop takes a minute a round; use 0 to 2047"
            )));
        }
        let record = self.record.as_deref().map(RecordDir::create).transpose()?;
        let contenders = contenders()?;
        let mut remark = |text| self.common.remark(text);
        let (document, text) = match (self.sat, self.pass) {
            (Some(cell), _) => {
                let lanes = bench::race_sat(cell, self.rounds, &contenders, &mut remark)?;
                (sat_json(cell, self.rounds, &lanes), self.sat_text(cell, &lanes))
            }
            (None, Some(size)) => {
                let lanes = pass::bench::race(size, 1, self.rounds, &contenders, &mut remark)?;
                let values = 2 * (size + 1) * (size + 1);
                let title = format!("Nim, two piles to {size}, no pass and one: {} values", output::grouped(values));
                (self.pass_json(size, values, &lanes), self.text(&title, values, "values", "definition", &lanes))
            }
            (None, None) => {
                let lanes = bench::race(self.window, self.rounds, &contenders, &mut remark)?;
                let title = format!("Window {}", self.window);
                let (cpu, threads) = all_threads()?;
                let traffic = Traffic::measure(self.window, &cpu, threads)?;
                let text = self.text(&title, 1 << self.window, "positions", "plain loop", &lanes);
                (self.window_json(&lanes, threads, &traffic), text + &self.traffic_text(&lanes, threads, &traffic))
            }
        };
        if let Some(record) = record {
            let path = record.write("bench", document.clone())?;
            self.common.remark(format_args!("record: {}", path.display()));
        }
        match self.common.format {
            Format::Json => output::print_json(&document),
            Format::Text => output::print(&text),
        }?;
        Ok(true)
    }

    /// The lane of the CPU with this many threads: the one that the bandwidth was measured for.
    fn lane_of(lanes: &[Lane], threads: usize) -> &Lane {
        let name = cpu_name(threads);
        lanes.iter().find(|lane| lane.name == name).unwrap_or(&lanes[0])
    }

    fn window_json(&self, lanes: &[Lane], threads: usize, traffic: &Traffic) -> serde_json::Value {
        let [_, solve, _] = spread(Self::lane_of(lanes, threads).solve.iter().copied());
        let mut document = self.json(lanes);
        document["memory"] = json!({
            "threads": threads,
            "bandwidth_bytes_per_second": traffic.bandwidth,
            "bytes_per_position": traffic.bytes_per_position,
            "share_of_bandwidth": traffic.share(self.window, solve),
        });
        document
    }

    fn traffic_text(&self, lanes: &[Lane], threads: usize, traffic: &Traffic) -> String {
        let lane = Self::lane_of(lanes, threads);
        let [_, solve, _] = spread(lane.solve.iter().copied());
        format!(
            "\n{}: {:.0} bytes of rows a position, {:.1} GB/s; a[i] |= b[i] moves {:.1} GB/s here: {:.0} %\n",
            lane.name,
            traffic.bytes_per_position,
            traffic.bytes_per_position * (1u64 << self.window) as f64 / solve.max(1e-9) / 1e9,
            traffic.bandwidth / 1e9,
            100.0 * traffic.share(self.window, solve),
        )
    }

    fn table(&self, header: &[&str], rows: impl Iterator<Item = Vec<String>>) -> String {
        if self.markdown {
            format!("\n{}", crate::words::markdown(&header.join(" | "), &rows.collect::<Vec<_>>()))
        } else {
            output::table(header, &[0], rows)
        }
    }

    fn pass_json(&self, size: u64, values: u64, lanes: &[Lane]) -> serde_json::Value {
        let mut document = self.json(lanes);
        let told = document.as_object_mut().expect("an object");
        told.shift_remove("window");
        told.insert("pass_size".into(), size.into());
        told.insert("values".into(), values.into());
        document
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

    fn text(&self, title: &str, n: u64, what: &str, base: &str, lanes: &[Lane]) -> String {
        let rows = lanes.iter().map(|lane| {
            let [_, solve, _] = spread(lane.solve.iter().copied());
            let [_, check, _] = spread(lane.check.iter().copied());
            let [least, ratio, greatest] = lane.ratio_to(&lanes[0]);
            vec![
                lane.name.clone(),
                output::seconds(solve),
                if check > 0.0 { output::seconds(check) } else { "-".into() },
                output::rate(n, solve, what),
                format!("{ratio:.1}"),
                format!("{least:.1} - {greatest:.1}"),
            ]
        });
        let times = format!("times the {base}");
        let header = ["contender", "table", "checks", "table alone", &times, "spread"];
        format!(
            "{title}, medians of {} interleaved round{}\n{}",
            self.rounds,
            if self.rounds == 1 { "" } else { "s" },
            self.table(&header, rows)
        )
    }

    fn sat_text(&self, cell: Cell, lanes: &[SatLane]) -> String {
        let rounds = self.rounds;
        let rows = lanes.iter().map(|lane| {
            let [_, solve, _] = spread(lane.solve.iter().copied());
            let [_, options, _] = spread(lane.options.iter().copied());
            let [_, rate, _] = spread(lane.rates());
            let [least, ratio, greatest] = lane.ratio_to(&lanes[0]);
            vec![
                lane.name.clone(),
                output::seconds(solve),
                output::grouped(options as u64),
                output::rate(rate as u64, 1.0, "options"),
                format!("{ratio:.0}"),
                format!("{least:.0} - {greatest:.0}"),
            ]
        });
        let header = ["contender", "table", "options", "rate", "times the oracle", "spread"];
        format!(
            "W^{}_{{{},{}}}, window {}, medians of {rounds} interleaved round{}\n{}",
            cell.m,
            cell.p,
            cell.k,
            cell.window,
            if rounds == 1 { "" } else { "s" },
            self.table(&header, rows)
        )
    }
}

fn sat_json(cell: Cell, rounds: u32, lanes: &[SatLane]) -> serde_json::Value {
    let rows: Vec<_> = lanes
        .iter()
        .map(|lane| {
            json!({
                "name": lane.name,
                "options": lane.options,
                "solve_seconds": lane.solve,
                "ratio_to_oracle": lane.ratio_to(&lanes[0]),
            })
        })
        .collect();
    json!({
        "command": "bench",
        "sat": {"p": crate::record::integer(cell.p), "m": cell.m, "k": cell.k, "window": cell.window},
        "rounds": rounds,
        "lanes": rows,
        "version": env!("CARGO_PKG_VERSION"),
    })
}

/// The CPU with one thread a core, and how many those are.
fn all_threads() -> Result<(Cpu, usize)> {
    let cpu = Cpu::new(None)?;
    let threads = cpu.info().threads.unwrap_or(1);
    Ok((cpu, threads))
}

fn cpu_name(threads: usize) -> String {
    format!("cpu, {threads} thread{}", if threads == 1 { "" } else { "s" })
}

fn contenders() -> Result<Vec<(String, Box<dyn Backend>)>> {
    let mut list: Vec<(String, Box<dyn Backend>)> = vec![(cpu_name(1), Box::new(Cpu::new(Some(1))?))];
    let (all, threads) = all_threads()?;
    if threads > 1 {
        list.push((cpu_name(threads), Box::new(all)));
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
