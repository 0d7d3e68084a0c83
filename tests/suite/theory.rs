//! The theorems of Welter's game as properties of random positions, far beyond any window.

use std::collections::BTreeSet;

use proptest::prelude::*;
use welter::theory::{digits, hooks, welter as pairs};

fn coins(most: u64, count: usize) -> impl Strategy<Value = Vec<u64>> {
    prop::collection::btree_set(0..most, 0..=count).prop_map(|set: BTreeSet<u64>| set.into_iter().collect())
}

proptest! {
    /// Welter 1954 = Sato 1970 = Irie 2018 for p = 2.
    #[test]
    fn three_formulas_agree(coins in coins(300, 12)) {
        let value = pairs::value(&coins);
        prop_assert_eq!(hooks::value(&coins), value);
        prop_assert_eq!(digits::value(2, &coins), value);
    }

    /// The XOR of M over all pairs is that over the mated pairs (Conway 1976).
    #[test]
    fn mating_is_enough(coins in coins(1 << 62, 10)) {
        prop_assert_eq!(pairs::value_by_mating(&coins), pairs::value(&coins));
    }

    /// A coin added at 0 with all others shifted up by one leaves diagram and value.
    #[test]
    fn shifting_keeps_the_value(coins in coins(1 << 40, 12)) {
        let mut shifted: Vec<u64> = coins.iter().map(|x| x + 1).collect();
        shifted.push(0);
        prop_assert_eq!(pairs::value(&shifted), pairs::value(&coins));
        prop_assert_eq!(hooks::partition(&shifted), hooks::partition(&coins));
    }

    /// Reversing a window and swapping coins with empties transposes the diagram and keeps the value.
    #[test]
    fn mirroring_transposes(coins in coins(40, 20), window in 40u64..60) {
        let mirrored: Vec<u64> = (0..window).filter(|a| !coins.contains(&(window - 1 - a))).collect();
        prop_assert_eq!(pairs::value(&mirrored), pairs::value(&coins));
        let (rows, columns) = (hooks::partition(&coins), hooks::partition(&mirrored));
        let conjugate: Vec<u64> = (1..=rows.first().copied().unwrap_or(0))
            .map(|j| rows.iter().filter(|row| **row >= j).count() as u64)
            .collect();
        prop_assert_eq!(columns, conjugate);
    }

    /// Four coins: a P-position iff the XOR of the coins is 0.
    #[test]
    fn four_coins(a in 0u64..1 << 30, b in 0u64..1 << 30, c in 0u64..1 << 30, d in 0u64..1 << 30, close in any::<bool>()) {
        let d = if close { a ^ b ^ c } else { d };
        let coins: BTreeSet<u64> = [a, b, c, d].into();
        prop_assume!(coins.len() == 4);
        let coins: Vec<u64> = coins.into_iter().collect();
        prop_assert_eq!(pairs::value(&coins) == 0, a ^ b ^ c ^ d == 0);
    }

    /// There is one hook a cell.
    #[test]
    fn hooks_are_cells(coins in coins(200, 12)) {
        prop_assert_eq!(hooks::hooks(&coins).len() as u64, hooks::partition(&coins).iter().sum::<u64>());
    }
}

#[test]
fn known_positions() {
    let coins = [1, 4, 5, 9, 11];
    assert_eq!(pairs::value(&coins), 14);
    assert_eq!(hooks::partition(&coins), [7, 6, 3, 3, 1]);
    let hooks = hooks::hooks(&coins);
    let divisible = [1, 2, 4, 8].map(|q| hooks.iter().filter(|h| h.is_multiple_of(q)).count());
    assert_eq!(divisible, [20, 7, 3, 1]);
    assert_eq!(coins.iter().fold(0, |v, x| v ^ x), 2);
    assert_eq!(pairs::value(&[2, 3, 5, 7, 11, 13, 17, 19, 23]), 28);
    assert_eq!(pairs::value(&[1, 2]), 2);
    assert_eq!(pairs::value(&[]), 0);
}
