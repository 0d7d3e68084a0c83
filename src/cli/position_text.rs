//! What `welter position` prints for people.

use std::fmt::Write;

use super::output;
use crate::analyse::batch::Answer;
use crate::analyse::explain::{self, Diagram, Explanation, Removal};
use crate::analyse::{Analysis, Limits};
use crate::theory::moves::Move;

/// Numbers of a list that are shown before it is cut.
const SHOWN: usize = 40;
/// Moves that are shown before the list is cut.
const MOVES: usize = 12;
/// Digits of a degree that are shown in full.
const DIGITS: usize = 80;

/// A list with `between` its items, cut where it is too long to read.
fn list<T: ToString>(items: &[T], between: &str, most: usize) -> String {
    let shown: Vec<String> = items.iter().take(most).map(ToString::to_string).collect();
    let mut text = shown.join(between);
    if items.len() > most {
        let _ = write!(text, "{between}... {} more", output::grouped((items.len() - most) as u64));
    }
    text
}

fn moves(moves: &[Move], all: bool, end: &str) -> String {
    let moves: Vec<String> = moves.iter().map(|go| format!("{} -> {}", go.from, go.to)).collect();
    match moves.as_slice() {
        [] => end.to_string(),
        moves => list(moves, ", ", if all { moves.len() } else { MOVES }),
    }
}

/// One position.
pub fn summary(found: &Analysis, all_moves: bool) -> String {
    let limits = Limits::ONE;
    let m = found.coins.len();
    let above = |limit: u64, what: &str| format!("not told above {} {what}", output::grouped(limit));
    let coins = |limit: usize| above(limit as u64, "coins");
    let or = |value: Option<String>, why: String| value.unwrap_or(why);

    let mut text = format!("{{{}}}: {} coin{}\n\n", list(&found.coins, ",", SHOWN), output::grouped(m as u64), s(m));
    let mut row = |name: &str, what: String| {
        let _ = writeln!(text, "{name:<16}{what}");
    };
    let wins = if found.value == 0 { "a P-position: the previous player wins" } else { "the player to move wins" };
    row("value", format!("{}, {wins}", found.value));
    let formulas = &found.formulas;
    row("  mating", formulas.mating.to_string());
    row("  pairs", or(formulas.pairs.map(|v| v.to_string()), coins(limits.paired_coins)));
    row("  digit form", or(formulas.digit.map(|v| v.to_string()), coins(limits.counted_coins)));
    row("  hooks", or(formulas.hook.map(|v| v.to_string()), above(limits.hook_cells, "cells")));
    if !formulas.agree() {
        row("", "THE FORMULAS DIFFER".into());
    }
    if let Some(rows) = &found.partition {
        row("partition", format!("({})", list(rows, ",", SHOWN)));
    }
    row("cells", found.cells.to_string());
    if let Some(counts) = &found.hooks_divisible {
        let counts = if counts.is_empty() { "none".into() } else { list(counts, ", ", counts.len()) };
        row("hooks divisible", format!("by 1, 2, 4, ...: {counts}"));
    }
    row("degree", or(found.degree.as_ref().map(|d| shortened(&d.to_string())), above(limits.degree_cells, "cells")));
    let base = found.base.map_or(2, |base| base.p);
    let b = found.base.map_or(formulas.digit, |base| base.b);
    let full = found.full.zip(b).map(|(full, b)| format!("{} (b_{base} = {b})", if full { "yes" } else { "no" }));
    row(&format!("full for {base}"), or(full, coins(limits.counted_coins)));
    if let Some(base) = &found.base {
        let rows = output::grouped(limits.sub_diagram_rows as u64);
        let why = format!("not told: the sub-diagrams have more than {rows} rows in all; take a smaller diagram");
        row(&format!("msg_{}", base.p), or(base.msg.map(|n| n.to_string()), why));
    }
    row("winning moves", moves(&found.winning_moves, all_moves, "none"));
    if let Some((value, list)) = &found.to {
        row(&format!("moves to {value}"), moves(list, all_moves, "none"));
    }
    let longest = found.to.iter().map(|(_, moves)| moves.len()).chain([found.winning_moves.len()]).max();
    if !all_moves && longest > Some(MOVES) {
        row("", "(--winning-moves lists all)".into());
    }
    text
}

/// One line of a batch.
pub fn line(out: &mut String, answer: &Answer, all_moves: bool) {
    let _ = match &answer.found {
        Err(why) => writeln!(out, "line {}: error: {why}", answer.line),
        Ok(found) => {
            let coins = list(&found.coins, ",", SHOWN);
            let end = "none";
            let _ = write!(
                out,
                "{{{coins}}}: value {}, winning moves {}",
                found.value,
                moves(&found.winning_moves, all_moves, end)
            );
            if let Some((value, list)) = &found.to {
                let _ = write!(out, "; moves to {value}: {}", moves(list, all_moves, end));
            }
            if let Some(base) = &found.base {
                let b = base.b.map_or("-".into(), |b| b.to_string());
                let msg = base.msg.map_or("-".into(), |n| n.to_string());
                let _ = write!(out, "; b_{} {b}, msg_{} {msg}", base.p, base.p);
            }
            writeln!(out)
        }
    };
}

/// The steps.
pub fn explanation(found: &Analysis, explanation: &Explanation) -> String {
    let mut text = String::new();
    let out = &mut text;
    let xor = explanation.xor_of_coins;

    out.push_str("\nBy pairs: the XOR of the coins, and of N(d) = d XOR (d - 1) over the differences d of all pairs\n");
    let _ = writeln!(out, "  coins  {} = {xor}", xors(&found.coins));
    match (&explanation.differences, explanation.xor_of_n) {
        (Some(differences), Some(xor_of_n)) => {
            let rows = found.coins.iter().zip(differences).skip(1);
            let rows = rows.map(|(coin, row)| labelled(coin, row)).collect();
            grid(out, found.coins.iter().take(found.coins.len().saturating_sub(1)), rows);
            let pairs: usize = differences.iter().map(Vec::len).sum();
            let _ = writeln!(out, "  XOR of the {pairs} N: {xor_of_n}");
            let _ = writeln!(out, "  value  {xor} XOR {xor_of_n} = {}", xor ^ xor_of_n);
        }
        _ => left_out(out, "the pairs", explain::COINS, "coins"),
    }

    out.push_str(
        "\nBy mating: M = 2^(k+1) - 1 for two coins that agree in their k lowest binary digits and in no more\n",
    );
    match &explanation.mates {
        Some((pairs, over)) => {
            for pair in pairs {
                let _ = writeln!(out, "  {} and {} are mates: M = {}", pair.low, pair.high, pair.m);
            }
            if let Some(over) = over {
                let _ = writeln!(out, "  {over} is left over");
            }
            let terms: Vec<u64> = std::iter::once(xor).chain(pairs.iter().map(|pair| pair.m)).collect();
            let _ = writeln!(out, "  value  {} = {}", xors(&terms), found.formulas.mating);
        }
        None => left_out(out, "the mates", explain::COINS, "coins"),
    }

    out.push_str(
        "\nBy hooks: a row for each coin a that can move, a column for each empty square b, hook lengths a - b\n",
    );
    match &explanation.diagram {
        Some(diagram) if diagram.rows.is_empty() => out.push_str("  no coin can move: the diagram is empty\n"),
        Some(diagram) => {
            let rows = diagram.coins.iter().zip(&diagram.hooks);
            grid(out, diagram.empties.iter(), rows.map(|(coin, row)| labelled(coin, row)).collect());
        }
        None => left_out(out, "the diagram", explain::SIDE, "rows or columns"),
    }
    let counts = found.hooks_divisible.iter().flatten().enumerate();
    for (digit, count) in counts {
        let parity = if count % 2 == 1 { "odd" } else { "even" };
        let _ = writeln!(out, "  divisible by {}: {count}, {parity}, so bit {digit} is {}", 1u64 << digit, count % 2);
    }
    let _ = writeln!(out, "  value  {:b} in binary is {}", found.value, found.value);

    if let Some(diagram) = &explanation.diagram {
        let _ = writeln!(
            out,
            "\nDiagram ({}), conjugate ({})",
            list(&diagram.rows, ",", SHOWN),
            list(&diagram.columns, ",", SHOWN)
        );
        if explanation.removals.is_empty() {
            draw(out, diagram, None);
        }
        for removal in &explanation.removals {
            let Move { from, to } = removal.go;
            let _ = writeln!(
                out,
                "{from} -> {to} removes the hook of length {} = 1 (@) + {} to the right + {} below (#)",
                from - to,
                removal.arm,
                removal.leg
            );
            draw(out, diagram, Some(removal));
        }
    }
    text
}

fn labelled(label: &u64, row: &[u64]) -> Vec<String> {
    std::iter::once(label).chain(row).map(u64::to_string).collect()
}

fn xors(terms: &[u64]) -> String {
    if terms.is_empty() { "nothing".into() } else { list(terms, " XOR ", SHOWN) }
}

fn left_out(out: &mut String, what: &str, most: usize, of: &str) {
    let _ = writeln!(out, "  (left out: {what}, above {most} {of})");
}

/// Rows of numbers under a header, the first column labels.
fn grid<'a>(out: &mut String, header: impl Iterator<Item = &'a u64>, rows: Vec<Vec<String>>) {
    let header: Vec<String> = std::iter::once(String::new()).chain(header.map(u64::to_string)).collect();
    let lines = std::iter::once(&header).chain(&rows);
    let width = lines.clone().flatten().map(String::len).max().unwrap_or(0) + 2;
    for cells in lines.filter(|cells| cells.len() > 1) {
        let line: String = cells.iter().map(|cell| format!("{cell:>width$}")).collect();
        out.push_str(&line);
        out.push('\n');
    }
}

/// The diagram, a removed hook marked.
fn draw(out: &mut String, diagram: &Diagram, removal: Option<&Removal>) {
    for (i, row) in diagram.rows.iter().enumerate() {
        let cell = |j: usize| match removal {
            Some(hook) if (i, j) == (hook.row, hook.column) => '@',
            Some(hook) if i == hook.row && j > hook.column => '#',
            Some(hook) if j == hook.column && (hook.row..=hook.row + hook.leg).contains(&i) => '#',
            _ => 'o',
        };
        let cells: Vec<String> = (0..*row as usize).map(|j| cell(j).to_string()).collect();
        let _ = writeln!(out, "  {}", cells.join(" "));
    }
}

fn shortened(digits: &str) -> String {
    match digits.len() {
        n if n <= DIGITS => digits.to_string(),
        n => format!(
            "{}...{} ({} digits; --format json has them all)",
            &digits[..20],
            &digits[n - 20..],
            output::grouped(n as u64)
        ),
    }
}

fn s(n: usize) -> &'static str {
    if n == 1 { "" } else { "s" }
}
