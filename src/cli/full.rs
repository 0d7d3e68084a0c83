//! `welter full NMAX`.

use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use super::output::{self, grouped};
use super::progress::Progress;
use super::{Common, Format, On};
use crate::error::{Error, Result};
use crate::full::{self, DEFAULT_WINDOW, Outcome, Request};
use crate::record::bfile::{self, BFile};
use crate::record::integer;
use crate::record::run::RecordDir;

/// Arguments of `welter full`.
#[derive(Args)]
#[command(after_help = "Examples:
  welter full 72                       odd degrees of S_n for n up to 72, counted in four ways
  welter full 40 -p 3 --window 0       degrees prime to 3
  welter full 72 --check-bfile b059867.txt

The counts: b_p = n over all partitions; degrees prime to p by Legendre's formula; the brute-force table by mex (p = 2,
n below the window); Macdonald's formula. For composite p only the first is defined.

Exit codes: 0 all counts agree, 1 they or the b-file differ, 2 usage or environment, 3 stopped and saved.")]
pub struct Full {
    /// The largest number of cells, 0 to 127
    #[arg(value_parser = cells, allow_negative_numbers = true)]
    nmax: u32,
    /// The base, 2 or more
    #[arg(short, value_name = "P", default_value = "2", value_parser = base, allow_negative_numbers = true)]
    p: u32,
    /// The window of the brute-force column (p = 2); 0 leaves it out
    #[arg(long, value_name = "N", default_value_t = DEFAULT_WINDOW)]
    window: u32,
    #[command(flatten)]
    on: On,
    #[command(flatten)]
    common: Common,
    /// Write the terms for n = 1, 2, ... as an OEIS b-file
    #[arg(long, value_name = "FILE")]
    bfile: Option<PathBuf>,
    /// Compare the terms with a b-file
    #[arg(long, value_name = "FILE")]
    check_bfile: Option<PathBuf>,
    /// Write a record of the run (one JSON document) into this folder
    #[arg(long, value_name = "DIR")]
    record: Option<PathBuf>,
    /// Keep what is finished in this folder and go on from what is there; stopped by SIGINT or SIGTERM, exit code 3
    #[arg(long, value_name = "DIR")]
    checkpoint: Option<PathBuf>,
    /// Say how many partitions there are; count nothing
    #[arg(long)]
    dry_run: bool,
    /// Plant a bug, to see that the checks bite
    #[arg(long, hide = true)]
    plant_bug: bool,
}

pub(super) fn cells(text: &str) -> std::result::Result<u32, String> {
    text.parse().map_err(|_| "NMAX is a number of cells, a whole number from 0 up, such as 40".to_string())
}

pub(super) fn base(text: &str) -> std::result::Result<u32, String> {
    text.parse().map_err(|_| "P is a base, a whole number from 2 up, such as 2 or 3".to_string())
}

impl Full {
    /// Runs the command; whether everything agreed.
    pub fn run(self) -> Result<bool> {
        let request = Request { p: self.p, nmax: self.nmax, window: self.window, bug: self.plant_bug };
        let expected = self.check_bfile.as_deref().map(bfile::read).transpose()?;
        let backend = self.on.open()?;
        let kind = backend.as_ref().map_or("oracle", |(backend, _)| backend.info().kind);
        let nodes = full::plan(&request, kind)?;
        if self.dry_run {
            match self.common.format {
                Format::Json => output::print_json(&json!({
                    "command": "full",
                    "p": self.p,
                    "nmax": self.nmax,
                    "plan": {"partitions": integer(nodes)},
                    "version": env!("CARGO_PKG_VERSION"),
                }))?,
                Format::Text => output::print(&format!(
                    "{} partitions of 0 to {}, walked through without being kept\n",
                    grouped(nodes),
                    self.nmax
                ))?,
            }
            return Ok(true);
        }
        let file = self.bfile.as_deref().map(BFile::create).transpose()?;
        let checkpoint = self.checkpoint.as_deref().map(|folder| request.checkpoint(folder)).transpose()?;
        let record = self.record.as_deref().map(RecordDir::create).transpose()?;
        let outcome = match &backend {
            None => {
                super::no_checkpoint_for_oracle(self.checkpoint.as_deref())?;
                full::run_by_oracle(&request)?
            }
            Some((backend, why)) => {
                self.common.remark(format_args!("backend: {why}"));
                if checkpoint.is_some() {
                    super::stop_on_signals()?;
                }
                let mut progress = Progress::new(nodes, "partitions", self.common.quiet);
                let outcome = full::run(&request, &**backend, checkpoint, &mut |done| progress.set(done));
                progress.finish();
                outcome?
            }
        };
        super::remark_resumed(&self.common, &outcome.resumed);
        let terms: Vec<(u64, u64)> =
            outcome.terms.iter().skip(1).map(|term| (term.n.into(), term.counted.full)).collect();
        if let Some(file) = file {
            file.write(&terms)?;
        }
        if let Some(record) = record {
            let path = record.write(&format!("full-{}-{}", self.p, self.nmax), outcome.to_json())?;
            self.common.remark(format_args!("record: {}", path.display()));
        }
        match self.common.format {
            Format::Json => output::print_json(&outcome.to_json())?,
            Format::Text => output::print(&summary(&outcome))?,
        }
        let listed = expected.map(|expected| compare(&expected, &outcome)).transpose()?;
        if let Some(Listed { compared, differs: None }) = &listed {
            self.common.remark(format_args!("b-file: {compared} terms compared, all agree"));
        }
        if let Some(Listed { differs: Some(what), .. }) = &listed {
            self.common.remark(format_args!("b-file: {what}"));
        }
        Ok(outcome.agreed() && listed.is_none_or(|listed| listed.differs.is_none()))
    }
}

/// A b-file held against the terms.
struct Listed {
    compared: usize,
    differs: Option<String>,
}

fn compare(expected: &[(u64, u64)], outcome: &Outcome) -> Result<Listed> {
    let found = |n: u64| outcome.terms.get(usize::try_from(n).ok()?).map(|term| term.counted.full);
    let mut compared = 0;
    for (n, term) in expected {
        if let Some(found) = found(*n) {
            compared += 1;
            if found != *term {
                let what = format!("the first term that differs is n = {n}: the file says {term}, counted {found}");
                return Ok(Listed { compared, differs: Some(what) });
            }
        }
    }
    if compared == 0 {
        return Err(Error::Usage(format!(
            "--check-bfile: no term with n up to {} in the file; give it more terms or raise NMAX",
            outcome.request.nmax
        )));
    }
    Ok(Listed { compared, differs: None })
}

fn summary(outcome: &Outcome) -> String {
    let (p, nmax) = (outcome.request.p, outcome.request.nmax);
    let mut text = format!(
        "Full diagrams (b_{p} = n) up to n = {nmax}: {} partitions of 1 to {nmax} counted on the {}\n\n",
        grouped(outcome.partitions()),
        output::machine(&outcome.backend),
    );
    let or_dash = |n: Option<u64>| n.map_or("-".into(), grouped);
    let rows = outcome.terms.iter().map(|term| {
        vec![
            term.n.to_string(),
            grouped(term.counted.partitions),
            grouped(term.counted.full),
            or_dash(outcome.prime.then_some(term.counted.by_degree)),
            or_dash(term.by_brute_force),
            or_dash(term.macdonald),
        ]
    });
    text += &output::table(&["n", "partitions", "full", "by degree", "brute force", "Macdonald"], &[], rows);
    text += "\n";
    if outcome.prime {
        text += &format!("diagrams where b_{p} and degree disagree: {}\n", grouped(outcome.disagreements()));
        text += &match outcome.unequal().first() {
            None => "terms whose counts differ: none\n".to_string(),
            Some(term) => format!("terms whose counts differ: {}, the first n = {}\n", outcome.unequal().len(), term.n),
        };
    } else {
        text += &format!("{p} is composite: b_{p} = n is counted, but says nothing of degrees\n");
    }
    text += &format!(
        "time    {} ({} for the brute-force column), {}\n",
        output::seconds(outcome.total_seconds),
        output::seconds(outcome.brute_seconds),
        output::rate(outcome.partitions(), outcome.total_seconds - outcome.brute_seconds, "partitions"),
    );
    text
}
