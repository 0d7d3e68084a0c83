//! `welter brute N`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use serde_json::json;

use super::output::{self, grouped};
use super::progress::Progress;
use super::{Common, Format, On};
use crate::brute::{self, Fault, Outcome, Request};
use crate::check::FormulaCheck;
use crate::error::{Error, Result, bytes};
use crate::index::low::Bug;
use crate::plan::{Tuning, WindowPlan};
use crate::record::run::RecordDir;

/// Arguments of `welter brute`.
#[derive(Args)]
#[command(after_help = "Examples:
  welter brute 20                          a summary of window 20
  welter brute 26 --format json            the same as JSON
  welter brute 22 --table w22.npy          the table, for numpy.load: one byte a mask, index = mask
  welter brute 32 --backend cpu --dry-run  what window 32 would need

Exit codes: 0 all checks agree, 1 a check found a difference, 2 usage or environment, 3 stopped and saved.")]
pub struct Brute {
    /// The window: the number of squares; all 2^N sets of coins on squares 0 to N-1 are solved
    #[arg(value_parser = window, allow_negative_numbers = true)]
    n: u32,
    #[command(flatten)]
    on: On,
    #[command(flatten)]
    common: Common,
    /// Write the table as a NumPy file: unsigned bytes, index = mask (bit a set: a coin on square a)
    #[arg(long, value_name = "FILE.npy")]
    table: Option<PathBuf>,
    /// Write a record of the run (one JSON document) into this folder
    #[arg(long, value_name = "DIR")]
    record: Option<PathBuf>,
    /// Keep what is finished in this folder and go on from what is there; stopped by SIGINT or SIGTERM, exit code 3
    #[arg(long, value_name = "DIR")]
    checkpoint: Option<PathBuf>,
    /// Print the plan and what it needs; solve nothing
    #[arg(long)]
    dry_run: bool,
    /// Width of a set of seen values, 32 or 64 [default: 32 up to window 32, else 64]
    #[arg(long, value_name = "BITS")]
    word_bits: Option<u32>,
    /// Number of low squares, solved in cache or workgroup memory, 0 to 12
    #[arg(long, value_name = "SQUARES", hide = true)]
    low_squares: Option<u32>,
    /// Positions of each level computed again on the CPU, besides the first and last [default: 4 on a GPU, none on the CPU]
    #[arg(long, value_name = "COUNT")]
    verify_sample: Option<u32>,
    /// Flip a bit between solving and checking, to see that device errors are met
    #[arg(long, value_enum, value_name = "WHEN", hide = true)]
    plant_fault: Option<FaultName>,
    /// Plant a bug in a kernel, to see that the checks bite
    #[arg(long, value_enum, value_name = "KERNEL", hide = true)]
    plant_bug: Option<BugName>,
}

#[derive(Clone, Copy, ValueEnum)]
enum BugName {
    Rows,
    Welter,
    Hook,
    Digit,
}

#[derive(Clone, Copy, ValueEnum)]
enum FaultName {
    Once,
    Always,
}

fn window(text: &str) -> std::result::Result<u32, String> {
    text.parse().map_err(|_| "N is the number of squares, a whole number from 0 up, such as 20".to_string())
}

impl Brute {
    /// Runs the command; whether every check agreed.
    pub fn run(self) -> Result<bool> {
        let request = Request {
            window: self.n,
            table: self.table,
            tuning: Tuning { low: self.low_squares, word_bits: self.word_bits, ..Tuning::default() },
            keep_table: false,
            checkpoint: self.checkpoint,
            solve_only: false,
            verify_sample: self.verify_sample,
            fault: self.plant_fault.map(|name| match name {
                FaultName::Once => Fault::Once,
                FaultName::Always => Fault::Always,
            }),
            bug: self.plant_bug.map(|name| match name {
                BugName::Rows => Bug::Rows,
                BugName::Welter => Bug::Welter,
                BugName::Hook => Bug::Hook,
                BugName::Digit => Bug::Digit,
            }),
        };
        let backend = self.on.open()?;
        if self.dry_run {
            let Some((backend, _)) = backend else {
                return Err(Error::Usage("--dry-run: the oracle follows no plan; use another --backend".into()));
            };
            let plan = brute::plan(&request, &*backend)?;
            match self.common.format {
                Format::Json => output::print_json(&plan_json(&plan))?,
                Format::Text => output::print(&plan_text(&plan))?,
            }
            return Ok(true);
        }
        let record = self.record.as_deref().map(RecordDir::create).transpose()?;
        let outcome = match &backend {
            None => {
                super::no_checkpoint_for_oracle(request.checkpoint.as_deref())?;
                brute::run_by_oracle(&request)?
            }
            Some((backend, why)) => {
                let prepared = brute::prepare(&request, &**backend)?;
                self.common.remark(format_args!("backend: {why}"));
                if request.checkpoint.is_some() {
                    super::stop_on_signals()?;
                }
                let mut progress = Progress::new(1 << request.window, "positions", self.common.quiet);
                let outcome = prepared.run(&mut |done| progress.set(done));
                progress.finish();
                outcome?
            }
        };
        super::remark_resumed(&self.common, &outcome.resumed);
        for error in &outcome.errors_recovered {
            let what = format!("a device error was met and mended: {error}");
            self.common.remark(&what);
            crate::record::run::recovered(what);
        }
        if let Some(record) = record {
            let path = record.write(&format!("brute-{}", request.window), outcome.to_json())?;
            self.common.remark(format_args!("record: {}", path.display()));
        }
        match self.common.format {
            Format::Json => output::print_json(&outcome.to_json())?,
            Format::Text => output::print(&summary(&outcome))?,
        }
        Ok(outcome.agreed())
    }
}

fn plan_json(plan: &WindowPlan) -> serde_json::Value {
    json!({
        "command": "brute",
        "window": plan.window,
        "plan": {
            "low_squares": plan.low,
            "word_bits": plan.word_bits,
            "bands": plan.bands.iter().map(|band| [band.start, band.end - 1]).collect::<Vec<_>>(),
            "memory": plan.memory,
        },
        "version": env!("CARGO_PKG_VERSION"),
    })
}

fn plan_text(plan: &WindowPlan) -> String {
    let bands: Vec<String> = plan.bands.iter().map(|band| format!("{}-{}", band.start, band.end - 1)).collect();
    let memory = &plan.memory;
    format!(
        "Welter's game, window {}: {} positions\n\
         cut       {} low squares, {} high squares, {}-bit sets of values\n\
         bands     coins {}\n\
         memory    {} in all: rows {}, index {}, batch {}, table {}\n",
        plan.window,
        grouped(1 << plan.window),
        plan.low,
        plan.window - plan.low,
        plan.word_bits,
        bands.join(", "),
        bytes(memory.total.into()),
        bytes(memory.rows.into()),
        bytes(memory.index.into()),
        bytes(memory.batch.into()),
        bytes(memory.table.into()),
    )
}

fn summary(outcome: &Outcome) -> String {
    let n = outcome.window;
    let mut text = format!(
        "Welter's game, window {n}: {} positions solved by mex on the {}\n\n",
        grouped(outcome.positions),
        output::machine(&outcome.backend),
    );

    let symmetric = if outcome.mirror.differ == 0 {
        format!("mirror symmetry of {} positions checked: c and {n}-c agree", grouped(outcome.mirror.checked))
    } else {
        format!("MIRROR SYMMETRY BROKEN for {} numbers of coins", outcome.mirror.differ)
    };
    text += &format!("P-positions by number of coins c ({symmetric})\n");
    let mirrored = format!("{n}-c");
    let shown = if outcome.mirror.differ == 0 { n as usize / 2 } else { n as usize };
    let p_rows = outcome.p_positions.iter().enumerate().take(shown + 1);
    text += &output::table(
        &["c", &mirrored, "P-positions"],
        &[],
        p_rows.map(|(c, p)| vec![c.to_string(), (n as usize - c).to_string(), grouped(*p)]),
    );
    text += &format!("P-positions in all: {}\n\n", grouped(outcome.p_positions.iter().sum()));

    text += "Positions by value\n";
    let counts: Vec<(usize, &u64)> = outcome.value_counts.iter().enumerate().collect();
    let value_rows = counts
        .chunks(4)
        .map(|row| row.iter().flat_map(|(value, count)| [format!("{value}:"), grouped(**count)]).collect::<Vec<_>>());
    text += output::table(&[], &[], value_rows).trim_start_matches('\n');

    text += "\n";
    let names = ["Welter's formula", "Sato's hook formula", "Irie's digit form"];
    let check_rows = names
        .iter()
        .zip(&outcome.formulas)
        .map(|(name, check)| vec![name.to_string(), grouped(check.checked), grouped(check.differ), first(check)]);
    text += &output::table(&["checked against", "positions", "differ", "first difference"], &[0, 3], check_rows);
    text += &format!(
        "\ndigest  {}\ntime    {} ({} solving, {} checking), {}\n",
        outcome.digest,
        output::seconds(outcome.seconds.total),
        output::seconds(outcome.seconds.solve),
        output::seconds(outcome.seconds.check),
        output::rate(outcome.positions, outcome.seconds.total, "positions"),
    );
    text
}

fn first(check: &FormulaCheck) -> String {
    match check.first {
        None => "none".into(),
        Some(d) => format!("{}: value {}, formula {}", d.position, d.value, d.formula),
    }
}
