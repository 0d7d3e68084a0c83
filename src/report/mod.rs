//! The flow that turns run records into the README's tables: read the records, make the tables, put each between its markers.
//!
//! ```text
//! <!-- report:windows -->
//! (made, never typed)
//! <!-- report:end -->
//! ```

mod readme;
mod records;
mod tables;

use std::io::Write;
use std::path::{Path, PathBuf};

use atomic_write_file::AtomicWriteFile;
use serde_json::{Value, json};

use crate::error::{Error, Result};
use crate::record::table::write_error;

pub use tables::NAMES;

/// What is asked for.
#[derive(Clone, Debug)]
pub struct Request {
    /// The file with the markers.
    pub readme: PathBuf,
    /// The folder of records.
    pub runs: PathBuf,
    /// Compare only; write nothing.
    pub check: bool,
}

/// One table of the README.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// Its marker's name.
    pub name: String,
    /// Rows made from records.
    pub rows: usize,
    /// The first line that differed from the records, as `line N: "README" is to be "records"`; `None` if none did.
    pub differed: Option<String>,
}

/// What was found, and done unless it was only a check.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The request.
    pub request: Request,
    /// Records read.
    pub records: usize,
    /// The tables in the order of the README.
    pub tables: Vec<Table>,
}

impl Outcome {
    /// The tables that were out of date.
    pub fn out_of_date(&self) -> impl Iterator<Item = &Table> {
        self.tables.iter().filter(|table| table.differed.is_some())
    }

    /// The document that `--format json` prints.
    pub fn to_json(&self) -> Value {
        let tables: Vec<Value> = (self.tables.iter())
            .map(|table| json!({"name": table.name, "rows": table.rows, "differed": table.differed}))
            .collect();
        json!({
            "command": "report",
            "readme": self.request.readme.display().to_string(),
            "runs": self.request.runs.display().to_string(),
            "records": self.records,
            "check": self.request.check,
            "tables": tables,
            "version": env!("CARGO_PKG_VERSION"),
        })
    }
}

/// Makes the tables, and writes the README anew where one is out of date, unless only a check is asked for.
///
/// # Errors
/// [`Error::Usage`] for files that cannot be read, records that are none or that contradict each other, and markers without
/// meaning; [`Error::Write`].
pub fn run(request: &Request) -> Result<Outcome> {
    let text = read(&request.readme, "--readme", "name the file with the markers")?;
    let records = records::read(&request.runs)?;
    let made = tables::make(&records)?;
    let (new, tables) = readme::replace(&request.readme, &text, &made)?;
    if new != text && !request.check {
        let failed = write_error(&request.readme, "free some space, or make the file and its folder writable");
        let mut file = AtomicWriteFile::open(&request.readme).map_err(&failed)?;
        file.write_all(new.as_bytes()).and_then(|()| file.commit()).map_err(&failed)?;
    }
    Ok(Outcome { request: request.clone(), records: records.len(), tables })
}

fn read(path: &Path, option: &str, remedy: &str) -> Result<String> {
    std::fs::read_to_string(path)
        .map_err(|error| Error::Usage(format!("{option} {}: cannot be read: {error}; {remedy}", path.display())))
}
