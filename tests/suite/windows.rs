//! Windows of Welter's game: oracle = CPU = GPU on every position, the known answers, and checks that bite.

use welter::brute::{self, Request};
use welter::index::low::Bug;
use welter::plan::Tuning;
use welter::{Error, Position};

use crate::support::{assert_same, backends, oracle, solve};

/// P-positions in windows 0 to 16.
const P_POSITIONS: [u64; 17] = [1, 2, 3, 4, 6, 8, 14, 24, 40, 56, 92, 160, 304, 576, 1120, 2176, 4224];

#[test]
fn every_backend_gives_the_oracles_table() {
    for window in 0..=15 {
        let (truth, expected) = oracle(window);
        assert!(truth.agreed());
        for (name, backend) in backends("every_backend_gives_the_oracles_table") {
            let (outcome, table) = solve(Request { window, ..Default::default() }, &*backend);
            assert_same(&format!("{name}, window {window}"), &table, &expected);
            assert!(outcome.agreed(), "{name}, window {window}: {outcome:?}");
            assert_eq!(outcome.digest, truth.digest, "{name}, window {window}");
            assert_eq!(outcome.p_positions, truth.p_positions);
            assert_eq!(outcome.value_counts, truth.value_counts);
            assert_eq!(outcome.formulas, truth.formulas);
            assert_eq!(outcome.mirror, truth.mirror);
        }
    }
}

#[test]
fn no_split_word_or_order_changes_the_table() {
    let window = 13;
    let (truth, expected) = oracle(window);
    for (name, backend) in backends("no_split_word_or_order_changes_the_table") {
        for low in [0, 1, 2, 5, 7, 11, 12] {
            for word_bits in [32, 64] {
                for (band_bytes, batch_bytes) in [(None, None), (Some(0), Some(1)), (Some(1 << 30), Some(4096))] {
                    let tuning = Tuning {
                        low: Some(low),
                        word_bits: Some(word_bits),
                        band_bytes,
                        batch_bytes,
                        ..Default::default()
                    };
                    let (outcome, table) = solve(Request { window, tuning, ..Default::default() }, &*backend);
                    let name = format!("{name}, {tuning:?}");
                    assert_same(&name, &table, &expected);
                    assert_eq!(outcome.digest, truth.digest, "{name}");
                    assert!(outcome.agreed(), "{name}");
                }
            }
        }
    }
}

#[test]
fn p_positions_of_small_windows() {
    for (name, backend) in backends("p_positions_of_small_windows") {
        for (window, known) in (0..).zip(P_POSITIONS) {
            let request = Request { window, ..Default::default() };
            let outcome = brute::run(&request, &*backend, &mut |_| {}).unwrap();
            assert_eq!(outcome.p_positions.iter().sum::<u64>(), known, "{name}, window {window}");
        }
    }
}

/// OEIS A363166: P-positions with three coins in windows 1 to 15.
#[test]
fn p_positions_with_three_coins() {
    let known = [0, 0, 1, 1, 2, 4, 7, 7, 8, 10, 13, 17, 22, 28, 35];
    for (name, backend) in backends("p_positions_with_three_coins") {
        for (window, known) in (1..).zip(known) {
            let request = Request { window, ..Default::default() };
            let outcome = brute::run(&request, &*backend, &mut |_| {}).unwrap();
            let three = outcome.p_positions.get(3).copied().unwrap_or(0);
            assert_eq!(three, known, "{name}, window {window}");
        }
    }
}

#[test]
fn window_26_on_the_cpu() {
    let known = [
        1, 1, 13, 90, 518, 2098, 7318, 20690, 49195, 98095, 166631, 241876, 302660, 325948, 302660, 241876, 166631,
        98095, 49195, 20690, 7318, 2098, 518, 90, 13, 1, 1,
    ];
    let cpu = welter::backend::cpu::Cpu::new(None).unwrap();
    let outcome = brute::run(&Request { window: 26, ..Default::default() }, &cpu, &mut |_| {}).unwrap();
    assert!(outcome.agreed());
    assert_eq!(outcome.p_positions, known);
    assert_eq!(outcome.formulas.map(|f| f.checked), [1 << 26; 3]);
}

#[test]
fn larger_windows_agree_across_backends() {
    let mut digests = Vec::new();
    for (name, backend) in backends("larger_windows_agree_across_backends") {
        for window in [18, 19] {
            let (outcome, _) = solve(Request { window, ..Default::default() }, &*backend);
            assert!(outcome.agreed(), "{name}");
            digests.push((window, outcome.digest, name.clone()));
        }
    }
    for (window, digest, name) in &digests {
        let (_, expected, _) = digests.iter().find(|(w, ..)| w == window).unwrap();
        assert_eq!(digest, expected, "{name}, window {window}");
    }
}

/// From a value n, an odd number of moves leads to each smaller value and an even number to each larger one (Conway, On
/// Numbers and Games, ch. 13); values stay below the next power of two; four coins lose iff their XOR is 0.
#[test]
fn theorems_hold_in_the_table() {
    let window = 13u32;
    let cpu = welter::backend::cpu::Cpu::new(None).unwrap();
    let (_, table) = solve(Request { window, ..Default::default() }, &cpu);
    for mask in 0..1usize << window {
        let value = table.get(mask);
        assert!(u32::from(value) < window.next_power_of_two());
        let coins = Position(mask as u64).coins();
        if coins.len() == 4 {
            assert_eq!(value == 0, coins.iter().fold(0, |v, a| v ^ a) == 0, "{coins:?}");
        }
        let mut moves = [0u32; 16];
        for a in (0..window).filter(|a| mask >> a & 1 == 1) {
            for b in (0..a).filter(|b| mask >> b & 1 == 0) {
                moves[usize::from(table.get(mask ^ 1 << a ^ 1 << b))] += 1;
            }
        }
        for (to, n) in (0u8..).zip(moves) {
            assert_eq!(n % 2 == 1, to < value, "{coins:?} of value {value}: {n} moves to value {to}");
        }
    }
}

/// A single coin on square 32 has value 32: it takes a word of more than 32 bits, and masks of more than 32 bits.
#[test]
fn a_coin_on_square_32() {
    use welter::backend::WindowSetup;
    use welter::index::tiles::batches;
    for (name, backend) in backends("a_coin_on_square_32") {
        let request = Request { window: 33, ..Default::default() };
        // Where not all of window 33 fits, one number of coins does: coins are independent.
        let mut capacity = backend.capacity();
        capacity.memory = u64::MAX / 2;
        capacity.pieces = u32::MAX;
        let mut plan = welter::plan::window(request.window, false, &capacity, &request.tuning).unwrap();
        plan.memory.rows = 1 << 10; // one line, and no need for the rows of 16 coins
        plan.bands = std::iter::once(1..2).collect();
        let setup = WindowSetup::new(plan);
        let mut engine = backend.open(&setup).unwrap();
        engine.begin_band(1..2).unwrap();
        let mut values = [u8::MAX; 33];
        batches(&setup.low, &setup.high, 1..2, capacity.lanes, setup.plan.batch, |batch| {
            engine.solve(batch)?;
            let findings = engine.check(batch)?;
            assert!(findings.verdicts.iter().all(|verdict| verdict.differ == [0; 3]), "{name}");
            let solved = engine.values()?;
            for tile in batch.tiles.iter().filter(|tile| tile.live == 1) {
                let j = 1 - tile.high.count_ones();
                let class = setup.low.class[j as usize] as usize;
                for rank in 0..setup.low.class_size(j) {
                    let mask = u64::from(tile.high) << setup.low.low | u64::from(setup.low.masks[class + rank]);
                    values[mask.trailing_zeros() as usize] = solved[tile.values as usize + rank * capacity.lanes];
                }
            }
            Ok::<(), Error>(())
        })
        .unwrap();
        let expected: [u8; 33] = std::array::from_fn(|square| square as u8);
        assert_eq!(values, expected, "{name}");
    }
}

/// A 32-bit word cannot hold the values of window 33: detected, not wrapped. Shown in small with a shrunken word.
#[test]
fn a_full_word_is_an_error_that_names_the_position() {
    for (name, backend) in backends("a_full_word_is_an_error_that_names_the_position") {
        for word_bits in [32, 64] {
            for limit in [1, 2, 4, 7] {
                let tuning =
                    Tuning { value_limit: Some(limit), word_bits: Some(word_bits), low: Some(4), ..Default::default() };
                let failed = brute::run(&Request { window: 9, tuning, ..Default::default() }, &*backend, &mut |_| {});
                let Err(Error::Overflow { position, bits }) = failed else {
                    panic!("{name}: values of {limit} and more went through: {failed:?}");
                };
                assert_eq!(bits, limit);
                assert_eq!(welter::theory::welter::value(&position.coins()), u64::from(limit), "{name}");
            }
            let tuning = Tuning { value_limit: Some(16), word_bits: Some(word_bits), ..Default::default() };
            brute::run(&Request { window: 9, tuning, ..Default::default() }, &*backend, &mut |_| {}).unwrap();
        }
    }
}

/// A bug in any kernel is seen, by the check that it concerns, and the first difference is the first in the order of
/// reports, with the values that the kernels saw.
#[test]
fn planted_bugs_are_found() {
    for (name, backend) in backends("planted_bugs_are_found") {
        for window in [7, 12, 14] {
            for bug in [Bug::Rows, Bug::Welter, Bug::Hook, Bug::Digit] {
                let request = Request { window, bug: Some(bug), ..Default::default() };
                let (outcome, table) = solve(request, &*backend);
                let differ = outcome.formulas.map(|check| check.differ > 0);
                let expected = match bug {
                    Bug::Rows => [true, true, true],
                    Bug::Welter => [true, false, false],
                    Bug::Hook => [false, true, false],
                    Bug::Digit => [false, false, true],
                };
                assert_eq!(differ, expected, "{name}, {bug:?}");
                assert!(!outcome.agreed());
                for check in outcome.formulas.iter().filter(|check| check.differ > 0) {
                    let first = check.first.expect("a first difference");
                    assert_eq!(u64::from(table.get(first.position.mask() as usize)), first.value);
                    assert_ne!(first.value, first.formula);
                }
            }
        }
    }
}

/// With a solver that errs, the first difference and the number of differences are those that a plain comparison
/// with the formula gives, and the mirror symmetry is seen to break.
#[test]
fn the_first_difference_is_the_first() {
    for (name, backend) in backends("the_first_difference_is_the_first") {
        for low in [2, 6, 10] {
            let tuning = Tuning { low: Some(low), ..Default::default() };
            let (outcome, table) =
                solve(Request { window: 10, bug: Some(Bug::Rows), tuning, ..Default::default() }, &*backend);
            let wrong = || {
                (0..1u64 << 10)
                    .map(Position)
                    .filter(|x| welter::theory::welter::value(&x.coins()) != u64::from(table.get(x.mask() as usize)))
            };
            let first = wrong().min_by(|a, b| a.report_order(*b)).expect("the bug shows");
            for check in outcome.formulas {
                assert_eq!(check.differ, wrong().count() as u64, "{name}");
                let found = check.first.expect("a first difference");
                assert_eq!(found.position, first, "{name}");
                assert_eq!(found.formula, welter::theory::welter::value(&first.coins()), "{name}");
            }
            assert!(outcome.mirror.differ > 0, "{name}");
        }
    }
}

/// Every single altered cell is found by each formula's kernel, as the only difference.
#[test]
fn the_comparison_finds_any_altered_cell() {
    use welter::index::{high::HighMasks, low::LowTables, tiles};
    use welter::kernels::{LANES, Verdict, digit, hook, unpack_first, welter as pairs};
    let (window, low) = (9, 5);
    let (tables, high) = (LowTables::new(low, window), HighMasks::new(window - low));
    let cap = tiles::BatchCap { value_bytes: 1 << 20, tiles: 1 << 20, levels: 1 << 20 };
    let value = |mask: u32| welter::theory::welter::value(&Position(mask.into()).coins()) as u8;
    let mut altered = 0;
    tiles::batches(&tables, &high, 0..window + 1, LANES, cap, |batch| {
        for group in batch.tiles.chunks(LANES) {
            let j = group[0].coins - group[0].high.count_ones();
            let (class, size) = (tables.class[j as usize] as usize, tables.class_size(j));
            let mask = |rank: usize, lane: usize| group[lane].high << low | tables.masks[class + rank];
            let right: Vec<u8> = (0..size * LANES).map(|i| value(mask(i / LANES, i % LANES))).collect();
            for cell in 0..right.len() {
                let mut values = right.clone();
                values[cell] ^= 1;
                for (which, check) in [pairs::check, hook::check, digit::check].into_iter().enumerate() {
                    let mut verdicts = [Verdict::default(); LANES];
                    check(&tables, group, &values, &mut verdicts);
                    for (lane, verdict) in verdicts.iter().enumerate() {
                        let here = lane == cell % LANES;
                        assert_eq!(verdict.differ[which], u32::from(here));
                        if here {
                            let (report, seen, formula) = unpack_first(verdict.first[which]);
                            let swapped = report < 2 && group[lane].high == 0;
                            let found = tables.reported[(report ^ u32::from(swapped)) as usize];
                            assert_eq!(found, tables.masks[class + cell / LANES]);
                            assert_eq!((seen, formula), (values[cell], right[cell]));
                        }
                    }
                }
                altered += 1;
            }
        }
        Ok::<(), ()>(())
    })
    .unwrap();
    assert!(altered >= 1 << window);
}

/// A passing error of the device is met and mended; one that comes again ends the run, and is no finding.
#[test]
fn device_errors_are_mended_or_end_the_run() {
    use welter::brute::Fault;
    for (name, backend) in backends("device_errors_are_mended_or_end_the_run") {
        for verify_sample in [None, Some(0), Some(3)] {
            let request = |fault| Request { window: 13, fault, verify_sample, ..Default::default() };
            let expected = brute::run(&request(None), &*backend, &mut |_| {}).unwrap();
            assert!(expected.errors_recovered.is_empty());
            let mended = brute::run(&request(Some(Fault::Once)), &*backend, &mut |_| {}).unwrap();
            assert_eq!(mended.digest, expected.digest, "{name}");
            assert!(mended.agreed() && mended.errors_recovered.len() == 1, "{name}: {:?}", mended.errors_recovered);
            let failed = brute::run(&request(Some(Fault::Always)), &*backend, &mut |_| {}).unwrap_err().to_string();
            assert!(failed.contains("{}") && failed.contains("the CPU solves it as 0"), "{name}: {failed}");
        }
    }
}
