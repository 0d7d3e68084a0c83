//! The same outcome straight from the definition, position by position, on one thread. It shares no code with the flow
//! but the shape of the outcome, the files and the numbering of cells.

use std::time::Instant;

use super::{BoxTable, Files, LayerSummary, Link, Outcome, Request, Seconds, equal_layers};
use crate::backend::Info;
use crate::check::boxes::{Check, Exception};
use crate::error::{Error, Result};
use crate::games::nim_pass::NimPass;
use crate::index::boxes;
use crate::kernels::layer::Values;
use crate::oracle::Oracle;
use crate::record::box_digest;
use crate::theory::nim_pass as theory;

/// Options that the oracle looks at, at most: more would take minutes.
pub const ORACLE_OPTIONS: u128 = 1 << 26;

pub(super) fn info() -> Info {
    Info::oracle()
}

fn options(sides: &[u64], passes: u32) -> u128 {
    let (cells, _) = boxes::size(sides.iter().copied());
    let most = sides.iter().map(|side| u128::from(side - 1)).sum::<u128>();
    cells.saturating_mul(most / 2 + 1).saturating_mul(u128::from(passes) + 1)
}

pub(super) fn refuse_large(sides: &[u64], passes: u32) -> Result<()> {
    let options = options(sides, passes);
    if options > ORACLE_OPTIONS {
        return Err(Error::Usage(format!(
            "--backend oracle looks at every option, {options} here and {ORACLE_OPTIONS} at most; take a smaller box, or \
             use --backend cpu"
        )));
    }
    Ok(())
}

/// Solves and checks a box by the definition.
///
/// # Errors
/// [`Error::Usage`] for a box with more than [`ORACLE_OPTIONS`] options; [`Error::Write`].
pub fn run(request: &Request) -> Result<Outcome> {
    let began = Instant::now();
    let Request { piles, size, passes, .. } = *request;
    super::plan::check_ranges(piles, size, passes)?;
    let sides = vec![size + 1; piles];
    refuse_large(&sides, passes)?;
    if request.next_pile == Some(true) {
        refuse_large(&vec![size + 1; piles + 1], passes)?;
    }
    let files = Files::open(request)?;
    let mut oracle = Oracle::new(NimPass);
    let cells: u64 = sides.iter().product();
    let all: Vec<Vec<u32>> = (0..cells).map(|cell| boxes::piles(&sides, cell)).collect();
    let layers: Vec<Vec<u32>> = (0..=passes)
        .map(|passes_left| all.iter().map(|piles| oracle.value(&(piles.clone(), passes_left))).collect())
        .collect();
    let solve = began.elapsed().as_secs_f64();

    let wide = request.tuning.wide || piles as u64 * size + u64::from(passes > 0) >= u16::MAX.into();
    let kept = layers.iter().map(|layer| match wide {
        true => Values::U32(layer.clone()),
        false => Values::U16(layer.iter().map(|v| *v as u16).collect()),
    });
    let table = BoxTable { sides: sides.clone(), layers: kept.collect() };
    let mut told = Outcome::new(request, table, info(), 0);
    for (passes_left, layer) in (0..).zip(&layers) {
        told.layers.push(LayerSummary {
            passes_left,
            positions: cells,
            p_positions: layer.iter().filter(|v| **v == 0).count() as u64,
            max_value: layer.iter().copied().max().unwrap_or(0).into(),
            digest: box_digest::by_definition(&sides, |cell| layer[cell as usize].into()),
        });
        let value = |piles: &[u32]| u64::from(layer[boxes::cell(&sides, piles) as usize]);
        let note = |check: &mut Check, piles: &[u32], holds: bool, against: &str| {
            check.checked += 1;
            if !holds {
                let exception =
                    Exception { passes_left, position: piles.to_vec(), value: value(piles), against: against.into() };
                check.absorb(Check { checked: 0, differ: 1, first: Some(exception) });
            }
        };
        for piles in &all {
            let v = value(piles);
            if passes_left == 0 {
                note(&mut told.xor, piles, v == theory::nim(piles), "the XOR of the piles");
            }
            for i in 1..piles.len() {
                let mut swapped = piles.clone();
                swapped.swap(i - 1, i);
                let holds = piles[i - 1] >= piles[i] || v == value(&swapped);
                note(&mut told.permutation, piles, holds, "the piles in another order");
            }
            for i in 0..piles.len() {
                let mut below = piles.clone();
                let twice = (0..piles[i]).any(|pile| {
                    below[i] = pile;
                    value(&below) == v
                });
                note(&mut told.latin, piles, !twice, "another on the same line");
            }
            let left: Vec<u32> = piles.iter().copied().filter(|pile| *pile > 0).collect();
            let (x, y) = (left.first().copied().unwrap_or(0), left.get(1).copied().unwrap_or(0));
            if left.len() <= 1 {
                note(&mut told.one_pile, piles, v == theory::one_pile(x, passes_left), "one pile");
            }
            if left.len() <= 2 {
                let loses = theory::two_piles_lose(x, y, passes_left);
                note(&mut told.two_piles, piles, (v == 0) == loses, "two piles");
            }
            if let Some(two_below) = passes_left.checked_sub(2) {
                let same = told.table.get(piles, two_below) == v;
                note(&mut told.parity, piles, same, "two passes less");
            }
        }
    }
    next_pile(request, &mut oracle, &all, &mut told);
    told.equal_layers = equal_layers(&told.table.layers, |_, _| true);
    files.write(request, &told.table)?;
    let total = began.elapsed().as_secs_f64();
    told.seconds = Seconds { solve, check: total - solve, total };
    Ok(told)
}

/// The theorem of the next pile, for both boxes that this one can be linked to.
fn next_pile(request: &Request, oracle: &mut Oracle<NimPass>, all: &[Vec<u32>], told: &mut Outcome) {
    let mut link = |outer: &[Vec<u32>], passes_left: u32| {
        let mut check = Check::default();
        for x in outer {
            let own = oracle.value(&(x.clone(), passes_left));
            for z in 0..=request.size as u32 {
                let mut position = x.clone();
                position.push(z);
                let value = oracle.value(&(position.clone(), passes_left));
                let holds = (value == 0) == (own == z);
                let against = "the theorem of the next pile".into();
                let first = Exception { passes_left, position, value: value.into(), against };
                check.absorb(Check { checked: 1, differ: (!holds).into(), first: (!holds).then_some(first) });
            }
        }
        Link { piles: outer[0].len() as u64, passes_left, check }
    };
    if request.piles > 0 {
        let outer: Vec<Vec<u32>> = all
            .iter()
            .filter(|piles| piles.last() == Some(&0))
            .map(|piles| piles[..piles.len() - 1].to_vec())
            .collect();
        told.next_pile.links.extend((0..=request.passes).map(|passes_left| link(&outer, passes_left)));
    }
    let more = vec![request.size + 1; request.piles + 1];
    let small = options(&more, request.passes) <= ORACLE_OPTIONS / 4;
    if request.next_pile == Some(false) || (request.next_pile.is_none() && !small) {
        told.next_pile.not_checked = Some(format!("the box of {} piles takes the oracle too long", more.len()));
    } else {
        told.next_pile.links.extend((0..=request.passes).map(|passes_left| link(all, passes_left)));
    }
}
