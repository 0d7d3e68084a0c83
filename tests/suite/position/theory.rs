//! The fast closed forms against the plain ones, on random positions small and far up the strip.

use proptest::collection::hash_set;
use proptest::prelude::*;
use welter::theory::mating::{LAST_SQUARE, Mating, NotAPosition};
use welter::theory::moves::Move;
use welter::theory::norm::{alter, norm};
use welter::theory::{digits, hooks, welter as formula};

/// Distinct coins: in a small window, anywhere, near the last square, or alike in their low bits.
fn coins() -> impl Strategy<Value = Vec<u64>> {
    prop_oneof![
        hash_set(0u64..40, 0..24),
        hash_set(0..=LAST_SQUARE, 0..40),
        hash_set(LAST_SQUARE - 30..=LAST_SQUARE, 0..24),
        hash_set((0u64..8, 0u32..60).prop_map(|(x, shift)| x << shift), 0..30),
        hash_set((0u64..4, 0u64..4, 20u32..61).prop_map(|(x, y, shift)| x << shift | y), 0..20),
    ]
    .prop_map(|set| set.into_iter().collect())
}

fn moves_by_alteration(coins: &[u64], wished: u64) -> Vec<Move> {
    let signed: Vec<i128> = coins.iter().map(|x| i128::from(*x)).collect();
    if norm(&signed) == i128::from(wished) {
        return Vec::new();
    }
    let altered = alter(&signed, wished.into());
    let mut moves: Vec<Move> = coins
        .iter()
        .zip(altered)
        .filter(|(from, to)| *to >= 0 && *to < i128::from(**from))
        .map(|(from, to)| Move { from: *from, to: to as u64 })
        .collect();
    moves.sort_unstable();
    moves
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2048))]

    #[test]
    fn mating_is_the_pair_formula(coins in coins()) {
        let mating = Mating::new(&coins).unwrap();
        prop_assert_eq!(mating.value(), formula::value(&coins));
        prop_assert_eq!(mating.value(), formula::value_by_mating(&coins));
        let signed: Vec<i128> = coins.iter().map(|x| i128::from(*x)).collect();
        prop_assert_eq!(i128::from(mating.value()), norm(&signed));

        let (pairs, over) = mating.mates();
        prop_assert_eq!(pairs.len(), coins.len() / 2);
        let m = pairs.iter().fold(0, |v, pair| v ^ pair.m);
        prop_assert_eq!(mating.value(), m ^ coins.iter().fold(0, |v, x| v ^ x));
        let mut mated: Vec<u64> = pairs.iter().flat_map(|pair| [pair.low, pair.high]).chain(over).collect();
        let mut all = coins;
        mated.sort_unstable();
        all.sort_unstable();
        prop_assert_eq!(mated, all);
        for pair in pairs {
            prop_assert!(pair.low < pair.high);
            prop_assert_eq!(pair.m as i64, formula::mate(pair.low, pair.high));
        }
    }

    #[test]
    fn moves_are_the_even_alteration(coins in coins(), wished in prop_oneof![Just(0), 0u64..64, 0..=LAST_SQUARE]) {
        let mating = Mating::new(&coins).unwrap();
        let moves = mating.moves_to(wished);
        prop_assert_eq!(&moves, &moves_by_alteration(&coins, wished));
        prop_assert_eq!(moves.len() % 2 == 1, wished < mating.value());
        for Move { from, to } in moves {
            prop_assert!(to < from && !coins.contains(&to));
            let after: Vec<u64> = coins.iter().map(|x| if *x == from { to } else { *x }).collect();
            prop_assert_eq!(formula::value(&after), wished);
        }
    }

    /// No position has a value of 64 bits, so no move leads to one; solved in 64 bits, its equation could seem to.
    #[test]
    fn no_move_leads_beyond_the_largest_value(coins in coins(), wished in LAST_SQUARE + 1..) {
        prop_assert_eq!(Mating::new(&coins).unwrap().moves_to(wished), []);
        // The coin that an equation modulo 2^64 would send to itself.
        let onto = coins.first().map_or(1 << 63, |x| x | 1 << 63);
        prop_assert_eq!(Mating::new(&coins).unwrap().moves_to(onto), []);
    }

    #[test]
    fn counts_of_hooks_are_the_hooks(coins in hash_set(0u64..60, 0..24), p in 2u64..8) {
        let coins: Vec<u64> = coins.into_iter().collect();
        let hooks = hooks::hooks(&coins);
        let counts = digits::hooks_divisible(p, &coins);
        for level in 0..8 {
            let divisible = hooks.iter().filter(|h| h.is_multiple_of(p.pow(level))).count() as u128;
            prop_assert_eq!(counts.get(level as usize).copied().unwrap_or(0), divisible);
        }
        prop_assert_eq!(digits::b(p, &counts), u128::from(digits::value(p, &coins)));
    }

    #[test]
    fn the_digit_form_is_the_value_however_far_up(coins in coins()) {
        let counts = digits::hooks_divisible(2, &coins);
        prop_assert_eq!(digits::b(2, &counts), u128::from(Mating::new(&coins).unwrap().value()));
        let (m, sum) = (coins.len() as u128, coins.iter().map(|x| u128::from(*x)).sum::<u128>());
        prop_assert_eq!(counts.first().copied().unwrap_or(0), sum - m * m.saturating_sub(1) / 2);
    }
}

#[test]
fn the_book_s_positions() {
    let mating = Mating::new(&[2, 3, 5, 7, 11, 13, 17, 19, 23]).unwrap();
    assert_eq!(mating.value(), 28);
    assert_eq!(mating.moves_to(0), [Move { from: 13, to: 1 }]);
    let mating = Mating::new(&[1, 4, 5, 9, 11]).unwrap();
    assert_eq!(mating.value(), 14);
    assert_eq!(mating.moves_to(0), [Move { from: 9, to: 3 }]);
}

#[test]
fn what_is_no_position_is_refused() {
    let refusal = |coins: &[u64]| Mating::new(coins).err();
    assert_eq!(refusal(&[3, 8, 3]), Some(NotAPosition::Repeated(3)));
    assert_eq!(refusal(&[3, LAST_SQUARE + 1]), Some(NotAPosition::TooLarge(LAST_SQUARE + 1)));
    assert_eq!(refusal(&[LAST_SQUARE, 0]), None);
}

/// Past the point from which threads share the work: the value against the digit form, some moves by making them.
#[test]
fn two_hundred_thousand_coins() {
    let mut x = 1u64;
    let coins: Vec<u64> = (0..200_000)
        .map(|_| {
            x = x.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            x >> 1
        })
        .collect();
    let mating = Mating::new(&coins).unwrap();
    let value = mating.value();
    assert_eq!(u128::from(value), digits::b(2, &digits::hooks_divisible(2, &coins)));
    let moves = mating.moves_to(0);
    assert_eq!(moves.len() % 2, 1);
    for Move { from, to } in moves.iter().step_by(moves.len() / 3) {
        let after: Vec<u64> = coins.iter().map(|x| if x == from { *to } else { *x }).collect();
        assert_eq!(Mating::new(&after).unwrap().value(), 0, "{from} -> {to}");
    }
}
