//! The Young diagram of a position, its hooks, and Sato's hook formula (M. Sato, "On Maya game", 1970).

use super::n_of;

/// All hook lengths: one for each coin `a` and empty square `b < a`, of length `a - b`; coins in the order given, the
/// squares below each ascending. Time and memory are in proportion to the hooks and coins, however far up they lie.
pub fn hooks(coins: &[u64]) -> Vec<u64> {
    let empties = empties(coins);
    let mut hooks = Vec::with_capacity(coins.iter().map(|a| empties.partition_point(|b| b < a)).sum());
    for a in coins {
        hooks.extend(empties.iter().take_while(|b| *b < a).map(|b| a - b));
    }
    hooks
}

/// The empty squares below the highest coin, ascending: one for each column of the diagram.
pub fn empties(coins: &[u64]) -> Vec<u64> {
    let mut sorted = coins.to_vec();
    sorted.sort_unstable();
    let mut next = 0;
    let mut empties = Vec::new();
    for coin in sorted {
        empties.extend(next..coin);
        next = coin + 1;
    }
    empties
}

/// Sato's hook formula: the XOR over all hook lengths `h` of `2^(ord_2 h + 1) - 1`.
pub fn value(coins: &[u64]) -> u64 {
    value_of(&hooks(coins))
}

/// The same from the hook lengths.
pub fn value_of(hooks: &[u64]) -> u64 {
    hooks.iter().fold(0, |v, h| v ^ n_of(*h))
}

/// The rows of the diagram, longest first: coins `x1 > x2 > ... > xm` give `xi - (m - i)`; empty rows are left out.
pub fn partition(coins: &[u64]) -> Vec<u64> {
    let mut sorted = coins.to_vec();
    sorted.sort_unstable();
    let rows = sorted.iter().enumerate().map(|(below, x)| x - below as u64);
    let mut rows: Vec<u64> = rows.filter(|row| *row > 0).collect();
    rows.reverse();
    rows
}

/// The diagram with rows and columns exchanged; rows longest first.
pub fn conjugate(rows: &[u64]) -> Vec<u64> {
    let columns = 0..rows.first().copied().unwrap_or(0);
    columns.map(|j| rows.partition_point(|row| *row > j) as u64).collect()
}

/// The hook length of every cell, row by row: cells to the right, cells below, and the cell itself.
pub fn table(rows: &[u64]) -> Vec<Vec<u64>> {
    let columns = conjugate(rows);
    let row = |(i, row): (usize, &u64)| {
        (0..*row).zip(&columns).map(|(j, column)| (row - j) + (column - i as u64) - 1).collect()
    };
    rows.iter().enumerate().map(row).collect()
}
