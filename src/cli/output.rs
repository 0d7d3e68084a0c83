//! Printing: results go to standard output whole, and a failure to write them is an error, never a panic.

use std::io::Write;

use comfy_table::{CellAlignment, Table, presets};
use serde_json::Value;

use crate::backend::Info;
use crate::error::{Error, Result};
pub use crate::words::{grouped, rate, seconds};

/// Writes text to standard output.
pub fn print(text: &str) -> Result<()> {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(cut_short)
}

/// The error for standard output that took no more.
pub fn cut_short(source: std::io::Error) -> Error {
    Error::Write {
        path: "standard output".into(),
        source,
        remedy: "the results above may be cut short: send them to a file on a disk with room",
    }
}

/// A line for people on standard error. Where that is closed or full the line is lost, and nothing else.
pub fn aside(text: std::fmt::Arguments<'_>) {
    let _ = writeln!(std::io::stderr(), "welter: {text}");
}

/// Writes one JSON document to standard output.
pub fn print_json(document: &Value) -> Result<()> {
    let text = serde_json::to_string_pretty(document).expect("JSON values are serialisable");
    print(&(text + "\n"))
}

/// What computed, in words: `CPU (AMD EPYC, 2 threads)`.
pub fn machine(backend: &Info) -> String {
    let mut text = format!("{} ({}", backend.kind.to_uppercase(), backend.device);
    if let Some(threads) = backend.threads {
        text += &format!(", {threads} thread{}", if threads == 1 { "" } else { "s" });
    }
    if backend.software {
        text += ", a software adapter";
    }
    text + ")"
}

/// A table without borders, numbers to the right; `left` says which columns are words.
pub fn table(header: &[&str], left: &[usize], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_header(header.to_vec());
    for row in rows {
        table.add_row(row);
    }
    for (i, column) in table.column_iter_mut().enumerate() {
        let alignment = if left.contains(&i) { CellAlignment::Left } else { CellAlignment::Right };
        column.set_cell_alignment(alignment);
    }
    let lines: Vec<String> = table.lines().map(|line| line.trim_end().to_string()).collect();
    lines.join("\n") + "\n"
}
