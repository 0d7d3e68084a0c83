//! Full sub-diagrams (Y. Irie, "p-Saturations of Welter's Game and the Irreducible Representations of Symmetric Groups",
//! 2018): a diagram is *full* for p if `b_p` is its number of cells.

use std::collections::HashSet;

use super::digits;

/// A largest full diagram inside the one with these rows (longest first, none empty), itself and the empty diagram
/// included; `msg_p` is the number of its cells. `None` if the diagrams to be looked at have more than `limit` rows in all.
///
/// Sub-diagrams are looked at size by size from the largest, each once, one corner removed at a time; the search ends at
/// the first full one, so it never goes below `b_p` cells (Irie's Theorem 1).
///
/// ```
/// use welter::theory::{hooks, msg};
/// assert_eq!(msg::largest_full(3, &hooks::partition(&[3, 7]), 1000), Some(vec![6, 2]));
/// assert_eq!(msg::largest_full(3, &hooks::partition(&[3, 4, 5]), 1000), Some(vec![3, 3]));
/// ```
pub fn largest_full(p: u64, rows: &[u64], limit: usize) -> Option<Vec<u64>> {
    let mut cells = rows.iter().try_fold(0u64, |sum, row| sum.checked_add(*row))?;
    let mut looked_at = rows.len();
    let mut level = HashSet::from([rows.to_vec()]);
    loop {
        let full = |rows: &&Vec<u64>| digits::b(p, &digits::hooks_divisible(p, &coins(rows))) == u128::from(cells);
        // The same one every time: a set has no order.
        if let Some(found) = level.iter().filter(full).max() {
            return Some(found.clone());
        }
        let mut next = HashSet::new();
        for rows in &level {
            for i in 0..rows.len() {
                if rows[i] > rows.get(i + 1).copied().unwrap_or(0) {
                    let mut smaller = rows.clone();
                    smaller[i] -= 1;
                    if smaller[i] == 0 {
                        smaller.pop();
                    }
                    let rows = smaller.len();
                    if next.insert(smaller) {
                        looked_at += rows;
                    }
                    if looked_at > limit {
                        return None;
                    }
                }
            }
        }
        // The empty diagram is full, so there always is a next size.
        cells -= 1;
        level = next;
    }
}

/// The coins of a diagram, one for each row: the last row's is lowest.
fn coins(rows: &[u64]) -> Vec<u64> {
    rows.iter().rev().zip(0..).map(|(row, below)| row + below).collect()
}
