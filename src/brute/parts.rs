//! What a checkpoint of a window keeps: one part for each number of coins.

use std::ops::Range;

use crate::check::{Gathered, WindowGathered};
use crate::error::Result;
use crate::record::checkpoint::Checkpoint;
use crate::record::table::ValueTable;

/// The numbers of coins of a band that are not finished, in runs.
pub(super) fn unfinished(band: &Range<u32>, finished: &[bool]) -> Vec<Range<u32>> {
    let mut runs: Vec<Range<u32>> = Vec::new();
    for coins in band.clone().filter(|coins| !finished[*coins as usize]) {
        match runs.last_mut() {
            Some(run) if run.end == coins => run.end += 1,
            _ => runs.push(coins..coins + 1),
        }
    }
    runs
}

/// The name of a number of coins in a checkpoint.
fn part(coins: u32) -> String {
    format!("coins-{coins:02}")
}

/// Saves what was gathered of one number of coins: a line of JSON, then its values if there is a table.
pub(super) fn save(
    checkpoint: &Checkpoint,
    window: u32,
    coins: u32,
    gathered: &WindowGathered,
    table: Option<&ValueTable>,
) -> Result<()> {
    let own = &gathered.coins[coins as usize];
    let mut bytes = serde_json::to_vec(own).expect("plain data are serialisable");
    bytes.push(b'\n');
    if let Some(table) = table {
        bytes.extend(table.with_coins(window, coins));
    }
    checkpoint.save(&part(coins), &bytes)
}

/// Takes in what a checkpoint has; says which numbers of coins are finished.
pub(super) fn load(
    checkpoint: &mut Checkpoint,
    window: u32,
    gathered: &mut WindowGathered,
    table: Option<&ValueTable>,
) -> Result<Vec<bool>> {
    let mut finished = vec![false; window as usize + 1];
    for coins in 0..=window {
        let Some(bytes) = checkpoint.load(&part(coins))? else {
            continue;
        };
        let line = bytes.iter().position(|byte| *byte == b'\n').unwrap_or(bytes.len());
        let values = bytes.get(line + 1..).unwrap_or_default();
        let own: Option<Gathered> = serde_json::from_slice(&bytes[..line]).ok();
        // A sound file of this request holds both; anything else is solved again.
        if let Some(own) = own
            && table.is_none_or(|table| table.store_with_coins(window, coins, values))
        {
            gathered.coins[coins as usize] = own;
            finished[coins as usize] = true;
        }
    }
    Ok(finished)
}
