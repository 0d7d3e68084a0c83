//! Diagrams: hooks, conjugates, degrees and full sub-diagrams against plain counting.

use std::collections::HashMap;

use proptest::collection::hash_set;
use proptest::prelude::*;
use welter::theory::degree::degree;
use welter::theory::{digits, hooks, msg, ord};

/// Standard Young tableaux, counted by taking away the cell with the largest number: no hooks.
fn tableaux(rows: &[u64], known: &mut HashMap<Vec<u64>, u128>) -> u128 {
    if rows.iter().all(|row| *row == 0) {
        return 1;
    }
    if let Some(count) = known.get(rows) {
        return *count;
    }
    let corners = (0..rows.len()).filter(|i| rows[*i] > rows.get(i + 1).copied().unwrap_or(0));
    let count = corners
        .map(|i| {
            let mut smaller = rows.to_vec();
            smaller[i] -= 1;
            tableaux(&smaller, known)
        })
        .sum();
    known.insert(rows.to_vec(), count);
    count
}

/// All diagrams inside one.
fn inside(rows: &[u64]) -> Vec<Vec<u64>> {
    let mut all = vec![vec![]];
    for row in rows {
        all = all
            .into_iter()
            .flat_map(|head: Vec<u64>| {
                let most = head.last().map_or(*row, |last| *row.min(last));
                (0..=most).map(move |next| [head.as_slice(), &[next]].concat())
            })
            .collect();
    }
    all
}

fn coins_of(rows: &[u64]) -> Vec<u64> {
    rows.iter().rev().enumerate().map(|(below, row)| row + below as u64).collect()
}

proptest! {
    #[test]
    fn the_degree_counts_tableaux(coins in hash_set(0u64..14, 0..8)) {
        let coins: Vec<u64> = coins.into_iter().collect();
        let count = tableaux(&hooks::partition(&coins), &mut HashMap::new());
        prop_assert_eq!(degree(&hooks::hooks(&coins)).to_string(), count.to_string());
    }

    /// A diagram is full for 2 iff its degree is odd; for a prime p iff p does not divide it (Legendre).
    #[test]
    fn full_is_prime_to_the_degree(coins in hash_set(0u64..30, 0..12)) {
        let coins: Vec<u64> = coins.into_iter().collect();
        let hooks = hooks::hooks(&coins);
        let degree = degree(&hooks);
        prop_assert_eq!(degree.bit(0), digits::value(2, &coins) == hooks.len() as u64);
        for p in [2, 3, 5, 7] {
            let by_legendre = (1..=hooks.len() as u64).map(|k| ord(p, k)).sum::<u32>();
            let full = by_legendre == hooks.iter().map(|h| ord(p, *h)).sum::<u32>();
            prop_assert_eq!(full, digits::b(p, &digits::hooks_divisible(p, &coins)) == hooks.len() as u128);
        }
    }

    #[test]
    fn the_hook_table_holds_the_hooks(coins in hash_set(0u64..30, 0..12)) {
        let coins: Vec<u64> = coins.into_iter().collect();
        let rows = hooks::partition(&coins);
        let mut by_cell: Vec<u64> = hooks::table(&rows).concat();
        let mut by_coin = hooks::hooks(&coins);
        by_cell.sort_unstable();
        by_coin.sort_unstable();
        prop_assert_eq!(by_cell, by_coin);
        prop_assert_eq!(hooks::conjugate(&hooks::conjugate(&rows)), rows.clone());
        prop_assert_eq!(hooks::conjugate(&rows).iter().sum::<u64>(), rows.iter().sum::<u64>());
    }

    #[test]
    fn the_largest_full_sub_diagram(coins in hash_set(0u64..9, 0..6), p in 2u64..6) {
        let coins: Vec<u64> = coins.into_iter().collect();
        let rows = hooks::partition(&coins);
        let full = |rows: &Vec<u64>| digits::value(p, &coins_of(rows)) == rows.iter().sum::<u64>();
        let largest = inside(&rows).iter().filter(|mu| full(mu)).map(|mu| mu.iter().sum::<u64>()).max();
        let found = msg::largest_full(p, &rows, 1_000_000).map(|rows| rows.iter().sum::<u64>());
        prop_assert_eq!(found, largest);
        // Irie's Theorem 1 bounds it from below.
        prop_assert!(largest.unwrap() >= digits::value(p, &coins));
    }
}

/// Rows of n - 1 cells and 1 have degree n - 1; a column or a row of any length has degree 1.
#[test]
fn degrees_of_thousands_of_cells() {
    for n in [1000, 1023, 1024, 1025, 3000] {
        assert_eq!(degree(&hooks::hooks(&[1, n])).to_string(), (n - 1).to_string());
        assert_eq!(degree(&hooks::hooks(&[n])).to_string(), "1");
        assert_eq!(degree(&hooks::hooks(&(1..=n).collect::<Vec<u64>>())).to_string(), "1");
    }
}

#[test]
fn known_msg() {
    let msg = |p, coins: &[u64]| msg::largest_full(p, &hooks::partition(coins), 1000).map(|rows| rows.iter().sum());
    assert_eq!(msg(3, &[3, 7]), Some(8));
    assert_eq!(msg(3, &[3, 4, 5]), Some(6));
    assert_eq!(msg(2, &[3, 7]), Some(6));
    assert_eq!(msg(2, &[3, 4, 5]), Some(7));
    assert_eq!(msg(2, &[]), Some(0));
    assert_eq!(msg::largest_full(3, &[5, 5, 5, 5, 5], 3), None);
}

#[test]
fn the_issue_s_diagram() {
    let coins = [1, 4, 5, 9, 11];
    let rows = hooks::partition(&coins);
    assert_eq!(rows, [7, 6, 3, 3, 1]);
    assert_eq!(hooks::conjugate(&rows), [5, 4, 4, 2, 2, 2, 1]);
    assert_eq!(digits::hooks_divisible(2, &coins), [20, 7, 3, 1]);
    assert_eq!(hooks::table(&rows)[0], [11, 9, 8, 5, 4, 3, 1]);
}

/// A coin high up on a full strip: few hooks, and time in proportion to them.
#[test]
fn hooks_far_up_the_strip() {
    let mut coins: Vec<u64> = (0..100_000).collect();
    coins.push(100_003);
    assert_eq!(hooks::hooks(&coins), [3, 2, 1]);
    assert_eq!(hooks::empties(&coins), [100_000, 100_001, 100_002]);
}
