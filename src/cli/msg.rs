//! `welter msg P NMAX`.

use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use super::full::{base, cells};
use super::output::{self, grouped};
use super::progress::Progress;
use super::{Common, Format, On};
use crate::Position;
use crate::error::{Error, Result};
use crate::full::rows_of;
use crate::index::partitions::PartitionCounts;
use crate::msg::{self, Largest, Outcome, Request};
use crate::record::run::RecordDir;

/// Arguments of `welter msg`.
#[derive(Args)]
#[command(after_help = "Examples:
  welter msg 3 40             Theorem 1 for all diagrams of up to 40 cells, and msg_3
  welter msg 3 --coins 3,7    one diagram, with a largest full diagram drawn inside

Exit codes: 0 no exception to Theorem 1, 1 an exception, 2 usage or environment, 3 stopped and saved.")]
pub struct Msg {
    /// The base, 2 or more
    #[arg(value_parser = base, allow_negative_numbers = true)]
    p: u32,
    /// The largest number of cells
    #[arg(value_parser = cells, allow_negative_numbers = true, required_unless_present = "coins")]
    nmax: Option<u32>,
    /// One position, its coins below 64, with commas between
    #[arg(long, value_name = "COINS", value_delimiter = ',', conflicts_with = "nmax", allow_negative_numbers = true)]
    coins: Option<Vec<String>>,
    #[command(flatten)]
    on: On,
    #[command(flatten)]
    common: Common,
    /// Write a record of the run (one JSON document) into this folder
    #[arg(long, value_name = "DIR")]
    record: Option<PathBuf>,
    /// Keep what is finished in this folder and go on from what is there; stopped by SIGINT or SIGTERM, exit code 3
    #[arg(long, value_name = "DIR")]
    checkpoint: Option<PathBuf>,
    /// Say what the lattice needs; solve nothing
    #[arg(long)]
    dry_run: bool,
    /// Plant a bug, to see that the checks bite
    #[arg(long, hide = true)]
    plant_bug: bool,
}

impl Msg {
    /// Runs the command; whether Theorem 1 held.
    pub fn run(self) -> Result<bool> {
        if let Some(coins) = &self.coins {
            return self.one(coins);
        }
        let request = Request { p: self.p, nmax: self.nmax.unwrap_or(0), bug: self.plant_bug };
        let backend = self.on.open()?;
        if let Some((backend, _)) = &backend {
            let needed = msg::plan(&request, &**backend)?;
            if self.dry_run {
                match self.common.format {
                    Format::Json => output::print_json(&json!({
                        "command": "msg",
                        "p": request.p,
                        "nmax": request.nmax,
                        "plan": {"memory_bytes": crate::record::integer(needed)},
                        "version": env!("CARGO_PKG_VERSION"),
                    }))?,
                    Format::Text => output::print(&format!(
                        "{} for two levels of the lattice\n",
                        crate::error::bytes(needed.into())
                    ))?,
                }
                return Ok(true);
            }
        }
        let checkpoint = self.checkpoint.as_deref().map(|folder| request.checkpoint(folder)).transpose()?;
        let record = self.record.as_deref().map(RecordDir::create).transpose()?;
        let outcome = match &backend {
            None => {
                super::no_checkpoint_for_oracle(self.checkpoint.as_deref())?;
                msg::run_by_oracle(&request)?
            }
            Some((backend, why)) => {
                self.common.remark(format_args!("backend: {why}"));
                if checkpoint.is_some() {
                    super::stop_on_signals()?;
                }
                let nodes = PartitionCounts::new(request.nmax).map_or(0, |counts| counts.nodes());
                let mut progress = Progress::new(nodes, "partitions", self.common.quiet);
                let outcome = msg::run(&request, &**backend, checkpoint, &mut |done| progress.set(done));
                progress.finish();
                outcome?
            }
        };
        super::remark_resumed(&self.common, &outcome.resumed);
        if let Some(record) = record {
            let path = record.write(&format!("msg-{}-{}", request.p, request.nmax), outcome.to_json())?;
            self.common.remark(format_args!("record: {}", path.display()));
        }
        match self.common.format {
            Format::Json => output::print_json(&outcome.to_json())?,
            Format::Text => output::print(&summary(&outcome))?,
        }
        Ok(outcome.exceptions() == 0)
    }

    fn one(&self, coins: &[String]) -> Result<bool> {
        let mut list = Vec::new();
        for coin in coins.iter().filter(|coin| !coin.trim().is_empty()) {
            match coin.trim().parse::<u64>() {
                Ok(square) if square < 64 => list.push(square),
                _ => {
                    return Err(Error::Usage(format!(
                        "--coins: {coin:?} is no square from 0 to 63; use numbers such as 3,7"
                    )));
                }
            }
        }
        let Some(position) = Position::from_coins(&list) else {
            return Err(Error::Usage("--coins: a coin is named twice; name each square once".into()));
        };
        let found = msg::largest_full_inside(self.p, &rows_of(position))?;
        match self.common.format {
            Format::Json => output::print_json(&found.to_json(self.p, &position.coins()))?,
            Format::Text => output::print(&drawing(self.p, position, &found))?,
        }
        Ok(true)
    }
}

fn summary(outcome: &Outcome) -> String {
    let (p, nmax) = (outcome.request.p, outcome.request.nmax);
    let mut text = format!(
        "Full diagrams (b_{p} = n) inside diagrams of up to {nmax} cells: {} diagrams on the {}\n\n",
        grouped(outcome.partitions()),
        output::machine(&outcome.backend),
    );
    let rows = outcome.rows.iter().enumerate().map(|(n, row)| {
        vec![
            n.to_string(),
            grouped(row.partitions),
            grouped(row.full),
            grouped(row.exceptions),
            grouped(row.sum_msg),
            grouped(row.max_msg),
            grouped(row.msg_is_b_p),
        ]
    });
    let header = ["n", "diagrams", "full", "exceptions", "sum of msg", "greatest msg", "msg = b_p"];
    text += &output::table(&header, &[], rows);
    text += &format!(
        "\nexceptions to Theorem 1 (Irie 2018): {}\ntime    {}, {}\n",
        grouped(outcome.exceptions()),
        output::seconds(outcome.seconds),
        output::rate(outcome.partitions(), outcome.seconds, "diagrams"),
    );
    text
}

fn drawing(p: u32, position: Position, found: &Largest) -> String {
    let list = |rows: &[u32]| {
        let rows: Vec<String> = rows.iter().rev().map(u32::to_string).collect();
        format!("({})", rows.join(","))
    };
    let mut text = format!(
        "{position}: diagram {} of {} cells, b_{p} = {}\nmsg_{p} = {}: a largest full diagram inside is {}\n\n",
        list(&found.rows),
        found.rows.iter().sum::<u32>(),
        found.b_p,
        found.msg(),
        list(&found.inside),
    );
    let mut inside = found.inside.iter().rev();
    for row in found.rows.iter().rev() {
        let full = inside.next().copied().unwrap_or(0);
        let cells: Vec<&str> = (0..*row).map(|i| if i < full { "#" } else { "." }).collect();
        text += &format!("  {}\n", cells.join(" "));
    }
    text
}
