//! How `welter pass` tells what was found.

use serde_json::Value;

use super::output::{self, grouped};
use crate::check::boxes::{Check, show};
use crate::error::{Error, Result, bytes};
use crate::index::boxes;
use crate::pass::plan::{PassPlan, describe};
use crate::pass::position::{Move, PositionOutcome};
use crate::pass::{BoxTable, Outcome, Request};

/// The widest table that is printed.
const MOST_SIZE: u64 = 63;
/// The most tables that are printed.
const MOST_TABLES: u128 = 1000;

/// Refuses tables that nobody could read.
pub fn refuse_large_tables(request: &Request) -> Result<()> {
    let slices = u128::from(request.size + 1).saturating_pow(request.piles.saturating_sub(2) as u32);
    let tables = slices.saturating_mul(u128::from(request.passes) + 1);
    if request.size > MOST_SIZE || tables > MOST_TABLES {
        return Err(Error::Usage(format!(
            "--show prints {MOST_TABLES} tables of piles to {MOST_SIZE} at most, not {tables} of piles to {}; use --table FILE.npy",
            request.size
        )));
    }
    Ok(())
}

fn passes_left(n: usize) -> String {
    match n {
        0 => "no pass".into(),
        1 => "one pass".into(),
        n => format!("{n} passes"),
    }
}

fn cell(value: u64) -> String {
    if value == 0 { "[0]".into() } else { format!("{value} ") }
}

/// Every layer as tables: rows are the first pile, columns the second; a table for each choice of the others.
pub fn tables(table: &BoxTable) -> String {
    let sides = &table.sides;
    let mut text = String::new();
    for (layer, values) in table.layers.iter().enumerate() {
        let heading = format!("g, {} left; P-positions in brackets", passes_left(layer));
        if sides.len() < 2 {
            let side = sides.first().copied().unwrap_or(1);
            let header: Vec<String> = match sides.len() {
                0 => vec!["no pile".into()],
                _ => std::iter::once("x".into()).chain((0..side).map(|x| format!("{x} "))).collect(),
            };
            let label = (sides.len() == 1).then(|| "g".to_string());
            let row = label.into_iter().chain((0..side).map(|x| cell(values.get(x)))).collect();
            let header: Vec<&str> = header.iter().map(String::as_str).collect();
            text += &format!("{heading}\n{}\n", output::table(&header, &[], [row]));
            continue;
        }
        let (side, others) = (sides[0], &sides[2..]);
        for slice in 0..others.iter().product() {
            let rest = boxes::piles(others, slice);
            let at = match rest.as_slice() {
                [] => String::new(),
                [z] => format!("; z = {z}"),
                more => format!("; other piles {}", show(more)),
            };
            let header: Vec<String> =
                std::iter::once("x\\y".into()).chain((0..side).map(|y| format!("{y} "))).collect();
            let header: Vec<&str> = header.iter().map(String::as_str).collect();
            let rows = (0..side as u32).map(|x| {
                let value = |y: u32| {
                    let piles: Vec<u32> = [x, y].into_iter().chain(rest.iter().copied()).collect();
                    cell(values.get(boxes::cell(sides, &piles)))
                };
                std::iter::once(x.to_string()).chain((0..side as u32).map(value)).collect()
            });
            text += &format!("{heading}{at}\n{}\n", output::table(&header, &[], rows));
        }
    }
    text
}

/// Every layer as nested lists, by passes left and then pile by pile.
pub fn tables_json(table: &BoxTable) -> Value {
    fn nest(sides: &[u64], first: u64, value: &dyn Fn(u64) -> u64) -> Value {
        match sides.split_first() {
            None => value(first).into(),
            Some((side, rest)) => (0..*side).map(|x| nest(rest, first * side + x, value)).collect(),
        }
    }
    table.layers.iter().map(|values| nest(&table.sides, 0, &|cell| values.get(cell))).collect()
}

/// The summary of a run.
pub fn summary(outcome: &Outcome) -> String {
    let cells = outcome.layers.first().map_or(1, |layer| layer.positions);
    let values = cells * outcome.layers.len() as u64;
    let mut text = format!(
        "Nim, {}: {} values solved by mex on the {}\n\n",
        describe(outcome.piles, outcome.size, outcome.passes),
        grouped(values),
        output::machine(&outcome.backend),
    );
    let rows = outcome.layers.iter().map(|layer| {
        vec![
            layer.passes_left.to_string(),
            grouped(layer.positions),
            grouped(layer.p_positions),
            grouped(layer.max_value),
            layer.digest.to_string(),
        ]
    });
    text += &output::table(&["passes left", "positions", "P-positions", "max value", "digest"], &[], rows);
    text += "\n";
    let checks = [
        ("no pass: XOR of the piles", &outcome.xor),
        ("two passes less: the same", &outcome.parity),
        ("piles permuted", &outcome.permutation),
        ("no value twice on a line", &outcome.latin),
        ("one pile: closed form", &outcome.one_pile),
        ("two piles: P-positions", &outcome.two_piles),
    ];
    let row = |name: String, check: &Check| {
        let first = check.first.as_ref().map_or("none".into(), |e| {
            format!(
                "{}, {} left: value {}, but {}",
                show(&e.position),
                passes_left(e.passes_left as usize),
                e.value,
                e.against
            )
        });
        vec![name, grouped(check.checked), grouped(check.differ), first]
    };
    let mut rows: Vec<Vec<String>> = checks
        .into_iter()
        .filter(|(_, check)| check.checked > 0)
        .map(|(name, check)| row(name.into(), check))
        .collect();
    for link in &outcome.next_pile.links {
        let name = format!(
            "g(x) = z iff g(x,z) = 0: {} to {} piles, {} left",
            link.piles,
            link.piles + 1,
            passes_left(link.passes_left as usize)
        );
        rows.push(row(name, &link.check));
    }
    text += &output::table(&["checked", "comparisons", "differ", "first difference"], &[0, 3], rows);
    if let Some(reason) = &outcome.next_pile.not_checked {
        text += &format!("{} to {} piles not checked: {reason}\n", outcome.piles, outcome.piles + 1);
    }
    text += "\n";
    for group in &outcome.equal_layers {
        let names: Vec<String> = group.iter().map(u32::to_string).collect();
        text += &format!("equal layers: {} passes left\n", names.join(" = "));
    }
    text += &format!(
        "time    {} ({} solving, {} checking), {}\n",
        output::seconds(outcome.seconds.total),
        output::seconds(outcome.seconds.solve),
        output::seconds(outcome.seconds.check),
        output::rate(values, outcome.seconds.solve, "values"),
    );
    text
}

/// The plan in words.
pub fn plan(request: &Request, plan: &PassPlan) -> String {
    let memory = &plan.memory;
    let next = match &plan.next {
        Ok(_) => format!("the box of {} piles is solved too", request.piles + 1),
        Err(reason) => format!("not solved: {reason}"),
    };
    format!(
        "Nim, {}: {} values\n\
         rows      {} of {} {}-bit words each, for values to {}\n\
         next pile {next}\n\
         memory    {} in all: table {}, rows {}, other {}, next pile {}\n",
        describe(request.piles, request.size, request.passes),
        grouped(plan.main.grid.cells.saturating_mul(u64::from(request.passes) + 1)),
        grouped(plan.main.grid.rows),
        plan.main.row_words,
        plan.main.word_bits,
        grouped(plan.main.bound),
        bytes(memory.total.into()),
        bytes(memory.table.into()),
        bytes(memory.rows.into()),
        bytes(memory.other.into()),
        bytes(memory.next_pile.into()),
    )
}

/// One position, explained.
pub fn position(outcome: &PositionOutcome) -> String {
    let mut text = format!(
        "g{} with {} left = {}, by mex on the {}\n",
        show(&outcome.piles),
        passes_left(outcome.passes as usize),
        outcome.value,
        output::machine(&outcome.backend),
    );
    if outcome.value == 0 {
        text += "a P-position: no move wins\n";
    } else {
        text += "winning moves\n";
        let rows = outcome.winning.iter().map(|winning| match winning {
            Move::Take { pile, left } => {
                let mut piles = outcome.piles.clone();
                piles[*pile] = *left;
                vec![format!("pile {}: {} to {left}", pile + 1, outcome.piles[*pile]), show(&piles)]
            }
            Move::Pass => vec!["use a pass".into(), show(&outcome.piles)],
        });
        text += output::table(&[], &[0, 1], rows).trim_start_matches('\n');
    }
    text + &format!("time    {}\n", output::seconds(outcome.seconds))
}
