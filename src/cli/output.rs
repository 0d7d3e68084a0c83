//! Printing: results go to standard output whole, and a failure to write them is an error, never a panic.

use std::io::Write;

use comfy_table::{CellAlignment, Table, presets};
use serde_json::Value;

use crate::backend::Info;
use crate::error::{Error, Result};

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

/// Writes one JSON document to standard output.
pub fn print_json(document: &Value) -> Result<()> {
    let text = serde_json::to_string_pretty(document).expect("JSON values are serialisable");
    print(&(text + "\n"))
}

/// A number with its thousands set apart.
pub fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A rate in words: `41.3 million positions a second`.
pub fn rate(n: u64, seconds: f64, what: &str) -> String {
    let rate = n as f64 / seconds.max(1e-9);
    match rate {
        r if r >= 1e9 => format!("{:.2} billion {what} a second", r / 1e9),
        r if r >= 1e6 => format!("{:.1} million {what} a second", r / 1e6),
        r => format!("{} {what} a second", grouped(r as u64)),
    }
}

/// Seconds for people.
pub fn seconds(s: f64) -> String {
    match s {
        s if s < 0.1 => format!("{:.1} ms", s * 1e3),
        s if s < 100.0 => format!("{s:.2} s"),
        s => format!("{} min {} s", (s / 60.0) as u64, (s % 60.0) as u64),
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_well() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(999), "999");
        assert_eq!(grouped(35200), "35,200");
        assert_eq!(grouped(67108864), "67,108,864");
        assert_eq!(rate(3_000_000, 2.0, "positions"), "1.5 million positions a second");
        assert_eq!(seconds(0.0123), "12.3 ms");
        assert_eq!(seconds(125.0), "2 min 5 s");
    }
}
