//! `welter sat P M K N`.

use std::path::PathBuf;

use clap::Args;
use serde_json::{Value, json};

use super::output::{self, grouped};
use super::progress::Progress;
use super::{BackendName, Common, Format, On};
use crate::backend::{Info, cpu::Cpu};
use crate::check::Difference;
use crate::error::{Error, Result, bytes};
use crate::plan::options::{Cell, OptionPlan};
use crate::record::run::RecordDir;
use crate::sat::{self, Bug, Outcome, Request, certify};

/// Arguments of `welter sat`.
#[derive(Args)]
#[command(after_help = "Examples:
  welter sat 3 4 3 31                      the saturation of 4 coins with p = 3 where 2 coins may move at once
  welter sat 5 4 4 24 --format json        the same as JSON; a difference from b_p is a finding, not a failure
  welter sat 3 5 3 20 --table t.npy        the table, for numpy.load: 16-bit words in colex order
  welter sat 3 8 3 26 --certify --part 1/4 a quarter of the window from the formula alone, without a table

Exit codes: 0 done, whether the table agrees with b_p or not, 2 usage or environment, 3 stopped and saved.")]
pub struct Sat {
    /// Any integer above 1, prime or not: a move is legal when its whole distance is divisible by no higher power of P
    /// than each of its distances is
    #[arg(value_parser = parse_p, allow_negative_numbers = true)]
    p: u64,
    /// The number of coins
    #[arg(value_parser = parse_m, allow_negative_numbers = true)]
    m: u32,
    /// At most K - 1 coins move at once; K = 1 is no move at all, and K above M + 1 is as M + 1
    #[arg(value_parser = parse_k, allow_negative_numbers = true)]
    k: u32,
    /// The window: the number of squares, 0 to 64
    #[arg(value_parser = parse_n, allow_negative_numbers = true)]
    n: u32,
    #[command(flatten)]
    on: On,
    #[command(flatten)]
    common: Common,
    /// Write the table as a NumPy file: unsigned 16-bit words in colex order (masks with M coins, increasing)
    #[arg(long, value_name = "FILE.npy", conflicts_with = "certify")]
    table: Option<PathBuf>,
    /// Keep what is finished in this folder and go on from what is there; stopped by SIGINT or SIGTERM, exit code 3
    #[arg(long, value_name = "DIR")]
    checkpoint: Option<PathBuf>,
    /// Write a record of the run (one JSON document) into this folder
    #[arg(long, value_name = "DIR")]
    record: Option<PathBuf>,
    /// Print the plan and what it needs; solve nothing
    #[arg(long, conflicts_with = "certify")]
    dry_run: bool,
    /// Check from the formula alone that no option has the value b_p and every smaller value is attained; on the CPU
    #[arg(long)]
    certify: bool,
    /// Only part I of N of the window, by rank; parts add up
    #[arg(long, value_name = "I/N", value_parser = parse_part, requires = "certify")]
    part: Option<(u64, u64)>,
    /// Plant a bug, to see that the check bites
    #[arg(long, value_enum, value_name = "WHERE", hide = true)]
    plant_bug: Option<BugName>,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum BugName {
    Moves,
    Formula,
}

pub(super) fn parse_p(text: &str) -> std::result::Result<u64, String> {
    text.parse().map_err(|_| "P is a whole number from 2 up, such as 3".to_string())
}

fn parse_m(text: &str) -> std::result::Result<u32, String> {
    text.parse().map_err(|_| "M is the number of coins, a whole number from 0 up, such as 4".to_string())
}

fn parse_k(text: &str) -> std::result::Result<u32, String> {
    text.parse().map_err(|_| "K is a whole number from 1 up, such as 3; at most K - 1 coins move at once".to_string())
}

pub(super) fn parse_n(text: &str) -> std::result::Result<u32, String> {
    text.parse().map_err(|_| "N is the number of squares, a whole number from 0 to 64, such as 20".to_string())
}

fn parse_part(text: &str) -> std::result::Result<(u64, u64), String> {
    let parsed = text.split_once('/').and_then(|(i, n)| Some((i.parse().ok()?, n.parse().ok()?)));
    parsed.ok_or_else(|| "a part is I/N with I from 1 to N, such as 1/4".to_string())
}

impl Sat {
    /// Runs the command.
    pub fn run(self) -> Result<bool> {
        let cell = Cell { p: self.p, m: self.m, k: self.k, window: self.n };
        cell.validate()?;
        if self.certify {
            if self.checkpoint.is_some() {
                return Err(Error::Usage("--certify keeps no checkpoint; do it in parts with --part I/N".into()));
            }
            return self.certify(cell);
        }
        let request = Request {
            cell,
            table: self.table.clone(),
            words: 1,
            bug: self.plant_bug.map(|name| match name {
                BugName::Moves => Bug::Moves,
                BugName::Formula => Bug::Formula,
            }),
        };
        let backend = self.on.open()?;
        if self.dry_run {
            let Some((backend, _)) = backend else {
                return Err(Error::Usage("--dry-run: the oracle follows no plan; use another --backend".into()));
            };
            let plan = sat::plan(&request, &*backend)?;
            self.remark_k(cell);
            match self.common.format {
                Format::Json => output::print_json(&plan_json(cell, plan.as_ref()))?,
                Format::Text => output::print(&plan_text(cell, plan.as_ref()))?,
            }
            return Ok(true);
        }
        let record = self.record.as_deref().map(RecordDir::create).transpose()?;
        let outcome = match &backend {
            None => {
                super::no_checkpoint_for_oracle(self.checkpoint.as_deref())?;
                sat::run_by_oracle(&request)?
            }
            Some((backend, why)) => {
                let checkpoint = self.checkpoint.as_deref().map(|folder| request.checkpoint(folder)).transpose()?;
                let watched = checkpoint.is_some();
                let prepared = sat::prepare(&request, &**backend)?.keep_in(checkpoint);
                self.common.remark(format_args!("backend: {why}"));
                if watched {
                    super::stop_on_signals()?;
                }
                let mut progress = Progress::new(prepared.positions(), "positions", self.common.quiet);
                let outcome = prepared.run(&mut |done| progress.set(done));
                progress.finish();
                outcome?
            }
        };
        self.remark_k(cell);
        super::remark_resumed(&self.common, &outcome.resumed);
        let name = format!("sat-{}-{}-{}-{}", cell.p, cell.m, cell.k, cell.window);
        self.report(record, &name, outcome.to_json(), || summary(&outcome))
    }

    fn certify(&self, cell: Cell) -> Result<bool> {
        let request = certify::Request { cell, part: self.part.unwrap_or((1, 1)) };
        if self.on.device.is_some() || matches!(self.on.backend, BackendName::Gpu | BackendName::Oracle) {
            return Err(Error::Usage("--certify runs on the CPU alone; leave out --backend and --device".into()));
        }
        if self.plant_bug.is_some() {
            return Err(Error::Usage("--plant-bug plants none in --certify; leave one of them out".into()));
        }
        let cpu = Cpu::new(self.on.threads)?;
        let positions = certify::validate(&request)?;
        let record = self.record.as_deref().map(RecordDir::create).transpose()?;
        let mut progress = Progress::new(positions, "positions", self.common.quiet);
        let outcome = certify::run(&request, &cpu, &mut |done| progress.set(done));
        progress.finish();
        let outcome = outcome?;
        self.remark_k(cell);
        let (i, n) = request.part;
        let name = format!("certify-{}-{}-{}-{}-part-{i}-of-{n}", cell.p, cell.m, cell.k, cell.window);
        self.report(record, &name, outcome.to_json(), || certify_summary(&outcome))
    }

    fn remark_k(&self, cell: Cell) {
        if cell.effective_k() < cell.k {
            let (k, m) = (cell.k, cell.m);
            self.common.remark(format_args!("K = {k} is as K = {}: no more than all M = {m} coins can move", m + 1));
        }
    }

    fn report(
        &self,
        record: Option<RecordDir>,
        name: &str,
        document: Value,
        text: impl FnOnce() -> String,
    ) -> Result<bool> {
        if let Some(record) = record {
            let path = record.write(name, document.clone())?;
            self.common.remark(format_args!("record: {}", path.display()));
        }
        match self.common.format {
            Format::Json => output::print_json(&document)?,
            Format::Text => output::print(&text())?,
        }
        Ok(true)
    }
}

/// The game in the notation of its paper.
fn game(cell: Cell) -> String {
    format!("W^{}_{{{},{}}}, window {}", cell.m, cell.p, cell.k, cell.window)
}

pub(super) fn plan_json(cell: Cell, plan: Option<&OptionPlan>) -> Value {
    let plan = plan.map(|plan| {
        json!({
            "positions": crate::record::integer(plan.positions),
            "options": sat::options_json(plan.options),
            "levels": plan.coins * (plan.window - plan.coins) + 1,
            "set_bits": 32 * plan.words,
            "sets": plan.sets(),
            "bindings": plan.pieces,
            "memory": plan.memory,
        })
    });
    json!({
        "command": "sat",
        "p": crate::record::integer(cell.p),
        "m": cell.m,
        "k": cell.k,
        "effective_k": cell.effective_k(),
        "window": cell.window,
        "plan": plan,
        "version": env!("CARGO_PKG_VERSION"),
    })
}

pub(super) fn plan_text(cell: Cell, plan: Option<&OptionPlan>) -> String {
    let Some(plan) = plan else {
        return format!("{}: no positions, as there are more coins than squares\n", game(cell));
    };
    let memory = &plan.memory;
    format!(
        "{}: {} positions, {} options\n\
         levels    {} coin sums\n\
         cells     a value and {} sets of {} values each, in {} binding{}\n\
         memory    {} in all: cells {}, index {}, table {}\n",
        game(cell),
        grouped(plan.positions),
        grouped_wide(plan.options),
        plan.coins * (plan.window - plan.coins) + 1,
        plan.sets(),
        32 * plan.words,
        plan.pieces,
        if plan.pieces == 1 { "" } else { "s" },
        bytes(memory.total.into()),
        bytes(memory.cells.into()),
        bytes(memory.index.into()),
        bytes(memory.table.into()),
    )
}

fn grouped_wide(n: u128) -> String {
    u64::try_from(n).map_or_else(|_| n.to_string(), grouped)
}

/// What computed something, in a few words.
pub(super) fn on(backend: &Info) -> String {
    let mut on = format!("{} ({}", backend.kind.to_uppercase(), backend.device);
    if let Some(threads) = backend.threads {
        on += &format!(", {threads} thread{}", if threads == 1 { "" } else { "s" });
    }
    if backend.software {
        on += ", a software adapter";
    }
    on + ")"
}

/// A difference in words.
pub(super) fn difference(d: &Difference) -> String {
    format!("{}: value {}, b_p {}", d.position, d.value, d.formula)
}

fn summary(outcome: &Outcome) -> String {
    let mut text = format!(
        "{}: {} positions solved by mex on the {}\n",
        game(outcome.cell),
        grouped(outcome.positions),
        on(&outcome.backend)
    );
    if outcome.cell.m > outcome.cell.window {
        text += "no positions, as there are more coins than squares\n";
    }
    text += &match &outcome.check.first {
        None => format!("\nvalue = b_{} for every position of the window\n", outcome.cell.p),
        Some(first) => format!(
            "\nvalue differs from b_{} in {} positions\nfirst     {}\n",
            outcome.cell.p,
            grouped(outcome.check.differ),
            difference(first)
        ),
    };
    let per_second = outcome.options as f64 / outcome.seconds.solve.max(1e-9);
    text += &format!(
        "greatest  {}\noptions   {} in all, all taken into account, {}\ndigest    {}\n\
         time      {} ({} solving, {} checking)\n",
        outcome.max_value.map_or("none".into(), |value| value.to_string()),
        grouped_wide(outcome.options),
        output::rate(per_second as u64, 1.0, "options"),
        outcome.digest,
        output::seconds(outcome.seconds.total),
        output::seconds(outcome.seconds.solve),
        output::seconds(outcome.seconds.check),
    );
    text
}

fn certify_summary(outcome: &certify::Outcome) -> String {
    let certify::Request { cell, part: (i, n) } = outcome.request;
    let verdict = match outcome.first {
        None if n == 1 => format!("certified: value = b_{} for every position of the window", cell.p),
        None => format!("certified: if the other parts are too, value = b_{} in the window", cell.p),
        Some(first) => format!(
            "NOT certified: {} positions fail ({} have an option of their own b_{}, {} miss a smaller value), the first is {first}",
            grouped(outcome.failed),
            grouped(outcome.told.repeated),
            cell.p,
            grouped(outcome.told.missing),
        ),
    };
    format!(
        "{}: part {i} of {n}, {} positions and {} options by the formula alone on the {}\n{verdict}\ntime      {}, {}\n",
        game(cell),
        grouped(outcome.told.positions),
        grouped(outcome.told.options),
        on(&outcome.backend),
        output::seconds(outcome.seconds),
        output::rate(outcome.told.options, outcome.seconds, "options"),
    )
}
