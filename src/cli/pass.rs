//! `welter pass PILES SIZE` and `welter pass --position X,Y,...`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use serde_json::json;

use super::progress::Progress;
use super::{Common, Format, On, output, pass_text};
use crate::error::{Error, Result};
use crate::pass::plan::{self, PassTuning};
use crate::pass::{self, Bug, Outcome, Plot, Request, oracle, position};
use crate::record::run::RecordDir;

/// Arguments of `welter pass`.
#[derive(Args)]
#[command(after_help = "Examples:
  welter pass 2 8 --show                      two piles up to 8, no pass and one, as tables
  welter pass 3 20 --passes 2 --format json   three piles, up to two passes, as JSON
  welter pass --position 7,4,2                value and winning moves of one position, one pass left
  welter pass 2 255 --plot heat.png           a heat map
  welter pass 3 63 --table t.npy              the table, for numpy.load: t[s, x, y, z]

Exit codes: 0 all checks agree, 1 one found a difference, 2 usage or environment, 3 stopped and saved.")]
pub struct Pass {
    /// The number of piles
    #[arg(value_parser = piles, allow_negative_numbers = true, required_unless_present = "position")]
    piles: Option<usize>,
    /// The greatest pile: all positions with piles 0 to SIZE are solved
    #[arg(value_parser = size, allow_negative_numbers = true, required_unless_present = "position")]
    size: Option<u64>,
    /// The most passes left, which the players share; every number from 0 up to it is a layer
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = passes, allow_negative_numbers = true)]
    passes: u32,
    /// Value and winning moves of one position, its piles separated by commas, with --passes passes left
    #[arg(long, value_name = "X,Y,...", value_parser = numbers, allow_hyphen_values = true,
          conflicts_with_all = ["piles", "size", "table", "p_positions", "plot", "show", "next_pile", "plant_bug"])]
    position: Option<Piles>,
    #[command(flatten)]
    on: On,
    #[command(flatten)]
    common: Common,
    /// Print every layer as tables, P-positions in brackets; in JSON as nested lists
    #[arg(long)]
    show: bool,
    /// Write the P-positions of all layers as comma-separated values
    #[arg(long, value_name = "FILE")]
    p_positions: Option<PathBuf>,
    /// Draw two piles of one layer as a heat map
    #[arg(long, value_name = "FILE.png|.svg")]
    plot: Option<PathBuf>,
    /// The layer to draw, by passes left [default: S]
    #[arg(long, value_name = "LAYER", requires = "plot")]
    plot_passes: Option<u32>,
    /// The third and later piles of the slice to draw [default: all empty]
    #[arg(long, value_name = "Z,...", value_parser = numbers, allow_hyphen_values = true, requires = "plot")]
    plot_at: Option<Piles>,
    /// Write all layers as a NumPy file of shape (S+1, SIZE+1, ...), C order, last axis = last pile, 16- or 32-bit unsigned
    #[arg(long, value_name = "FILE.npy")]
    table: Option<PathBuf>,
    /// Also solve the box of one pile more, however large, to check the theorem that links it to this one
    /// [default: up to 2^24 cells]
    #[arg(long)]
    next_pile: bool,
    /// Keep what is finished in this folder and go on from what is there; stopped by SIGINT or SIGTERM, exit code 3
    #[arg(long, value_name = "DIR")]
    checkpoint: Option<PathBuf>,
    /// Write a record of the run (one JSON document) into this folder
    #[arg(long, value_name = "DIR")]
    record: Option<PathBuf>,
    /// Print the plan and what it needs; solve nothing
    #[arg(long)]
    dry_run: bool,
    /// Plant a bug in a kernel, to see that the checks bite
    #[arg(long, value_enum, value_name = "WHERE", hide = true)]
    plant_bug: Option<BugName>,
}

#[derive(Clone, Copy, ValueEnum)]
enum BugName {
    Pile,
    Pass,
}

/// Piles in a list: clap would otherwise take a `Vec` for a repeated option.
#[derive(Clone)]
struct Piles(Vec<u32>);

fn piles(text: &str) -> std::result::Result<usize, String> {
    text.parse().map_err(|_| format!("PILES is the number of piles, a whole number from 0 to {}", plan::MOST_PILES))
}

fn size(text: &str) -> std::result::Result<u64, String> {
    text.parse().map_err(|_| format!("SIZE is the greatest pile, a whole number from 0 to {}", plan::MOST_SIZE))
}

fn passes(text: &str) -> std::result::Result<u32, String> {
    text.parse().map_err(|_| format!("S is the most passes left, a whole number from 0 to {}", plan::MOST_PASSES))
}

fn numbers(text: &str) -> std::result::Result<Piles, String> {
    let parsed: std::result::Result<Vec<u32>, _> = text.split(',').map(|pile| pile.trim().parse()).collect();
    parsed.map(Piles).map_err(|_| {
        format!("whole numbers from 0 to {} with commas between them are needed, such as 7,4,2", plan::MOST_SIZE)
    })
}

impl Pass {
    /// Runs the command; whether every check agreed.
    pub fn run(mut self) -> Result<bool> {
        if let Some(Piles(piles)) = self.position.take() {
            return self.position(&piles);
        }
        let plot = self.plot.take().map(|path| Plot {
            path,
            passes_left: self.plot_passes,
            others: self.plot_at.take().map(|piles| piles.0),
        });
        let request = Request {
            piles: self.piles.expect("required by clap"),
            size: self.size.expect("required by clap"),
            passes: self.passes,
            table: self.table.take(),
            p_positions: self.p_positions.take(),
            plot,
            next_pile: self.next_pile.then_some(true),
            solve_only: false,
            tuning: PassTuning::default(),
            bug: self.plant_bug.map(|name| match name {
                BugName::Pile => Bug::Pile,
                BugName::Pass => Bug::Pass,
            }),
        };
        if self.show {
            pass_text::refuse_large_tables(&request)?;
        }
        let backend = self.on.open()?;
        if self.dry_run {
            let Some((backend, _)) = backend else { return Err(no_plan()) };
            return self.print_plan(&request, &pass::plan(&request, &*backend)?);
        }
        let record = self.record.as_deref().map(RecordDir::create).transpose()?;
        let outcome = match &backend {
            None => {
                super::no_checkpoint_for_oracle(self.checkpoint.as_deref())?;
                oracle::run(&request)?
            }
            Some((backend, why)) => {
                let checkpoint = self.checkpoint.as_deref().map(|folder| request.checkpoint(folder)).transpose()?;
                let watched = checkpoint.is_some();
                let prepared = pass::prepare(&request, &**backend)?.keep_in(checkpoint);
                self.common.remark(format_args!("backend: {why}"));
                if watched {
                    super::stop_on_signals()?;
                }
                let mut progress = Progress::new(prepared.work(), "values", self.common.quiet);
                let outcome = prepared.run(&mut |done| progress.set(done));
                progress.finish();
                outcome?
            }
        };
        super::remark_resumed(&self.common, &outcome.resumed);
        if let Some(record) = record {
            let name = format!("pass-{}-{}-{}", request.piles, request.size, request.passes);
            let path = record.write(&name, outcome.to_json())?;
            self.common.remark(format_args!("record: {}", path.display()));
        }
        self.report(&outcome)?;
        Ok(outcome.agreed())
    }

    fn report(&self, outcome: &Outcome) -> Result<()> {
        match self.common.format {
            Format::Json => {
                let mut document = outcome.to_json();
                if self.show {
                    document["tables"] = pass_text::tables_json(&outcome.table);
                }
                output::print_json(&document)
            }
            Format::Text => {
                let tables = if self.show { pass_text::tables(&outcome.table) } else { String::new() };
                output::print(&(tables + &pass_text::summary(outcome)))
            }
        }
    }

    fn print_plan(&self, request: &Request, plan: &plan::PassPlan) -> Result<bool> {
        match self.common.format {
            Format::Json => output::print_json(&json!({
                "command": "pass",
                "piles": request.piles,
                "size": request.size,
                "passes": request.passes,
                "plan": {
                    "greatest_possible_value": plan.main.bound,
                    "value_bits": if plan.main.wide { 32 } else { 16 },
                    "row_words": plan.main.row_words,
                    "word_bits": plan.main.word_bits,
                    "next_pile": plan.next.as_ref().err(),
                    "memory": plan.memory,
                },
                "version": env!("CARGO_PKG_VERSION"),
            }))?,
            Format::Text => output::print(&pass_text::plan(request, plan))?,
        }
        Ok(true)
    }

    fn position(&self, piles: &[u32]) -> Result<bool> {
        let backend = self.on.open()?;
        if self.dry_run {
            let Some((backend, _)) = backend else { return Err(no_plan()) };
            let planned = plan::position(piles, self.passes, &backend.pass_capacity(), &PassTuning::default())?;
            let request = Request { piles: piles.len(), passes: self.passes, ..Default::default() };
            let request = Request { size: piles.iter().copied().max().unwrap_or(0).into(), ..request };
            return self.print_plan(&request, &planned);
        }
        let record = self.record.as_deref().map(RecordDir::create).transpose()?;
        let outcome = match &backend {
            None => position::run_by_oracle(piles, self.passes)?,
            Some((backend, why)) => {
                // The plan refuses before anything is said.
                plan::position(piles, self.passes, &backend.pass_capacity(), &PassTuning::default())?;
                self.common.remark(format_args!("backend: {why}"));
                let cells: u64 = piles.iter().map(|pile| u64::from(*pile) + 1).product();
                let mut progress = Progress::new(cells * (u64::from(self.passes) + 1), "values", self.common.quiet);
                let outcome = position::run(piles, self.passes, &**backend, &mut |done| progress.set(done));
                progress.finish();
                outcome?
            }
        };
        if let Some(record) = record {
            let path = record.write("pass-position", outcome.to_json())?;
            self.common.remark(format_args!("record: {}", path.display()));
        }
        match self.common.format {
            Format::Json => output::print_json(&outcome.to_json())?,
            Format::Text => output::print(&pass_text::position(&outcome))?,
        }
        Ok(true)
    }
}

fn no_plan() -> Error {
    Error::Usage("--dry-run: the oracle follows no plan; use another --backend".into())
}
