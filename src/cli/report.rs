//! `welter report`.

use std::path::PathBuf;

use clap::Args;

use super::{Common, Format, output};
use crate::error::Result;
use crate::report::{self, Request};

/// Arguments of `welter report`.
#[derive(Args)]
#[command(after_help = "Examples:
  welter report            write the tables of README.md anew from the records in runs/
  welter report --check    write nothing; exit code 1 if a table is not what the records say

A table stands between <!-- report:NAME --> and <!-- report:end -->. NAME is windows (records of `welter brute`), saturations
(sat), sat-index, full, msg, pass or bench; records come from --record. Two records of the same request must say the same.

Exit codes: 0 up to date or written, 1 out of date (--check), 2 usage or environment, or records that contradict each other.")]
pub struct Report {
    /// The file whose tables are written
    #[arg(long, value_name = "FILE", default_value = "README.md")]
    readme: PathBuf,
    /// The folder of run records
    #[arg(long, value_name = "DIR", default_value = "runs")]
    runs: PathBuf,
    /// Compare only
    #[arg(long)]
    check: bool,
    #[command(flatten)]
    common: Common,
}

impl Report {
    /// Runs the command; whether the file is up to date now.
    pub fn run(self) -> Result<bool> {
        let outcome = report::run(&Request { readme: self.readme, runs: self.runs, check: self.check })?;
        let readme = outcome.request.readme.display();
        let late: Vec<&report::Table> = outcome.out_of_date().collect();
        match self.common.format {
            Format::Json => output::print_json(&outcome.to_json())?,
            Format::Text if self.check && !late.is_empty() => {}
            Format::Text => {
                let did = if late.is_empty() { "up to date" } else { "written" };
                let tables: Vec<String> =
                    outcome.tables.iter().map(|table| format!("{} ({})", table.name, table.rows)).collect();
                output::print(&format!(
                    "{readme}: {did} from {} records; tables and their rows: {}\n",
                    outcome.records,
                    tables.join(", ")
                ))?;
            }
        }
        if let (true, [first, ..]) = (self.check, late.as_slice()) {
            let names: Vec<&str> = late.iter().map(|table| table.name.as_str()).collect();
            output::aside(format_args!(
                "{readme} is out of date: table {}, {}; run `welter report`",
                names.join(" and "),
                first.differed.as_deref().unwrap_or_default()
            ));
        }
        Ok(!self.check || late.is_empty())
    }
}
