//! Saturations: oracle = CPU = GPU, the known answers, the theorems, the command line.

use std::collections::BTreeSet;

use assert_cmd::Command;
use proptest::prelude::*;
use serde_json::Value;
use welter::Position;
use welter::backend::options::{OptionSetup, Solved};
use welter::backend::{Backend, cpu::Cpu};
use welter::games::{Ruleset, saturation::Saturation};
use welter::index::colex::Colex;
use welter::plan::options::{Cell, plan};
use welter::sat::certify::{self, Request as Certify};
use welter::sat::{self, Bug, Outcome, Request};
use welter::theory::{digits, saturation};

/// p, m, k, window, positions, differ, first difference with value and b_p.
type Row = (u64, u32, u32, u32, u64, u64, Option<(&'static [u64], u64, u64)>);

const ROWS: [Row; 14] = [
    (3, 3, 2, 20, 1_140, 1_060, Some((&[0, 2, 4], 1, 3))),
    (3, 3, 3, 31, 4_495, 0, None),
    (3, 4, 3, 31, 31_465, 0, None),
    (3, 5, 3, 28, 98_280, 0, None),
    (3, 6, 3, 25, 177_100, 0, None),
    (3, 7, 3, 23, 245_157, 0, None),
    (3, 8, 3, 22, 319_770, 0, None),
    (4, 3, 3, 24, 2_024, 132, Some((&[4, 5, 6], 0, 12))),
    (4, 4, 4, 22, 7_315, 0, None),
    (4, 5, 4, 21, 20_349, 0, None),
    (5, 4, 4, 24, 10_626, 159, Some((&[5, 6, 7, 8], 0, 20))),
    (5, 5, 4, 22, 26_334, 735, Some((&[0, 6, 7, 8, 9], 0, 20))),
    (5, 5, 5, 22, 26_334, 0, None),
    (5, 6, 5, 19, 27_132, 0, None),
];

fn request(p: u64, m: u32, k: u32, window: u32) -> Request {
    Request { cell: Cell { p, m, k, window }, table: None, words: 1, bug: None }
}

fn run(request: &Request, backend: &dyn Backend) -> Outcome {
    sat::run(request, backend, &mut |_| {}).unwrap()
}

/// Positions, how many differ, the first that does with value and b_p, the greatest value, options, digest.
type Findings = (u64, u64, Option<(Vec<u64>, u64, u64)>, Option<u64>, u128, String);

/// What must not depend on who computed it.
fn findings(outcome: &Outcome) -> Findings {
    let first = outcome.check.first.map(|d| (d.position.coins(), d.value, d.formula));
    let check = &outcome.check;
    assert_eq!(check.checked, outcome.positions);
    (outcome.positions, check.differ, first, outcome.max_value, outcome.options, outcome.digest.to_string())
}

fn check_row(&(p, m, k, window, positions, differ, first): &Row, backend: &dyn Backend) {
    let found = findings(&run(&request(p, m, k, window), backend));
    let first = first.map(|(coins, value, b_p)| (coins.to_vec(), value, b_p));
    assert_eq!((found.0, found.1, found.2), (positions, differ, first), "({p}, {m}, {k}, {window})");
}

/// Small cells of every kind: no coins, no squares left, no moves, more steps than coins, prime and composite p, p above
/// every distance.
fn small_cells() -> Vec<Cell> {
    let mut cells = Vec::new();
    for p in [2, 3, 4, 5, 6, 7, 30] {
        for m in 0..=4 {
            for k in 1..=m + 2 {
                for window in [m, m + 1, 8] {
                    cells.push(Cell { p, m, k, window });
                }
            }
        }
    }
    cells.push(Cell { p: 3, m: 5, k: 2, window: 4 });
    cells
}

#[cfg(feature = "gpu")]
mod gpu {
    use super::*;
    use crate::support::adapters;
    use welter::backend::gpu::{Caps, Gpu};

    /// Every adapter of this machine, opened.
    fn gpus(test: &str, caps: &Caps) -> Vec<Gpu> {
        adapters(test).into_iter().map(|adapter| Gpu::open(adapter, caps).unwrap()).collect()
    }

    #[test]
    fn known_rows() {
        for gpu in gpus("known_rows", &Caps::default()) {
            for row in ROWS.iter().filter(|row| row.4 <= 100_000) {
                check_row(row, &gpu);
            }
        }
    }

    #[test]
    fn every_small_cell_is_the_cpus() {
        let cpu = Cpu::new(Some(1)).unwrap();
        for gpu in gpus("every_small_cell_is_the_cpus", &Caps::default()) {
            for cell in small_cells().into_iter().filter(|cell| cell.window == 8 && [2, 3, 4, 30].contains(&cell.p)) {
                let request = Request { cell, table: None, words: 1, bug: None };
                assert_eq!(findings(&run(&request, &gpu)), findings(&run(&request, &cpu)), "{cell:?}");
            }
        }
    }

    /// Cells in several bindings, folded dispatches, parts and batches of a few positions, odd workgroups.
    #[test]
    fn small_limits_change_nothing() {
        let cpu = Cpu::new(Some(1)).unwrap();
        let caps = Caps { binding: Some(20 << 10), workgroups: Some(16), workgroup_size: Some(8), tiles: Some(17) };
        for caps in [caps, Caps { workgroup_size: Some(64), tiles: Some(1), ..caps }] {
            for gpu in gpus("small_limits_change_nothing", &caps) {
                let request = request(3, 4, 5, 12);
                let planned = sat::plan(&request, &gpu).unwrap().unwrap();
                assert!(planned.pieces > 2, "{planned:?}");
                assert_eq!(findings(&run(&request, &gpu)), findings(&run(&request, &cpu)));
            }
        }
    }

    #[test]
    fn masks_beyond_32_squares() {
        let cpu = Cpu::new(None).unwrap();
        for gpu in gpus("masks_beyond_32_squares", &Caps::default()) {
            for request in [request(3, 2, 3, 64), request(5, 3, 2, 34), request(2, 63, 3, 64), request(7, 3, 3, 40)] {
                assert_eq!(findings(&run(&request, &gpu)), findings(&run(&request, &cpu)), "{:?}", request.cell);
            }
        }
    }

    #[test]
    fn unsolved_options_are_seen() {
        for gpu in gpus("unsolved_options_are_seen", &Caps::default()) {
            for k in [2, 3, 4] {
                super::unsolved_options_are_seen_on(&gpu, k);
            }
        }
    }

    #[test]
    fn planted_bugs_are_found() {
        for gpu in gpus("planted_bugs_are_found", &Caps::default()) {
            super::planted_bugs_are_found_on(&gpu);
        }
    }

    #[test]
    fn more_positions_than_32_bits_number_are_refused() {
        for gpu in gpus("more_positions_than_32_bits_number_are_refused", &Caps::default()) {
            let refused = sat::plan(&request(2, 17, 2, 36), &gpu).unwrap_err().to_string();
            assert!(refused.contains("8597496600 positions") && refused.contains("--backend cpu"), "{refused}");
        }
    }
}

#[test]
fn known_rows_on_cpu() {
    let cpu = Cpu::new(None).unwrap();
    for row in &ROWS {
        check_row(row, &cpu);
    }
}

#[test]
fn every_small_cell_is_the_oracles() {
    let backends = [Cpu::new(Some(1)).unwrap(), Cpu::new(Some(3)).unwrap()];
    for cell in small_cells() {
        let request = Request { cell, table: None, words: 1, bug: None };
        let oracle = findings(&sat::run_by_oracle(&request).unwrap());
        for cpu in &backends {
            assert_eq!(findings(&run(&request, cpu)), oracle, "{cell:?}");
        }
    }
}

#[test]
fn wider_sets_change_nothing() {
    let cpu = Cpu::new(None).unwrap();
    let expected = findings(&run(&request(3, 4, 4, 13), &cpu));
    for words in [2, 3, 5, 9, 17, 99] {
        assert_eq!(findings(&run(&Request { words, ..request(3, 4, 4, 13) }, &cpu)), expected);
    }
}

/// The residue-class form of the rule is the definition: every pair of positions of whole windows.
#[test]
fn the_residue_class_form_is_the_definition() {
    let mut pairs = 0;
    for (m, window) in [(1, 12), (2, 13), (3, 11), (4, 10), (5, 9)] {
        let masks: Vec<u64> = (0..1u64 << window).filter(|mask| mask.count_ones() == m).collect();
        for p in [2, 3, 4, 5, 6, 9, 12] {
            for k in 1..=m + 1 {
                for &x in &masks {
                    let squares = |mask| Position(mask).coins().iter().map(|a| *a as u32).collect::<Vec<u32>>();
                    let options: BTreeSet<Vec<u32>> = Saturation { p, k }.options(&squares(x)).into_iter().collect();
                    for &y in &masks {
                        let legal = saturation::legal(p, k, Position(x), Position(y));
                        assert_eq!(
                            legal,
                            options.contains(&squares(y)),
                            "p {p}, k {k}: {} -> {}",
                            Position(x),
                            Position(y)
                        );
                        pairs += 1;
                    }
                }
            }
        }
    }
    assert!(pairs > 1_000_000);
}

/// `W^m_{2,2}` is Welter's game: the table of `brute`, restricted to m coins.
#[test]
fn one_coin_at_a_time_is_brutes_table() {
    let cpu = Cpu::new(None).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let window = 12;
    let brute = welter::brute::Request { window, table: Some(folder.path().join("w.npy")), ..Default::default() };
    welter::brute::run(&brute, &cpu, &mut |_| {}).unwrap();
    let read = |name: &str| npyz::NpyFile::new(std::fs::File::open(folder.path().join(name)).unwrap()).unwrap();
    let welter: Vec<u8> = read("w.npy").into_vec().unwrap();
    for m in 0..=window {
        let table = Some(folder.path().join("sat.npy"));
        let outcome = run(&Request { table, ..request(2, m, 2, window) }, &cpu);
        assert_eq!(outcome.check.differ, 0);
        let table: Vec<u16> = read("sat.npy").into_vec().unwrap();
        let expected = welter.iter().zip(0u64..).filter(|(_, mask)| mask.count_ones() == m);
        assert_eq!(table, expected.map(|(value, _)| u16::from(*value)).collect::<Vec<_>>());
    }
}

#[test]
fn the_exported_table_is_in_colex_order() {
    let cpu = Cpu::new(None).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.npy");
    run(&Request { table: Some(path.clone()), ..request(4, 3, 4, 20) }, &cpu);
    let table: Vec<u16> = npyz::NpyFile::new(std::fs::File::open(path).unwrap()).unwrap().into_vec().unwrap();
    let colex = Colex::new(20, 3);
    assert_eq!(table.len() as u64, colex.positions());
    for (rank, value) in (0..).zip(table) {
        assert_eq!(u64::from(value), digits::value(4, &Position(colex.unrank(rank)).coins()));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Irie's theorem: for k = m + 1 the value is b_p; and the index is no less than min(p, m + 1) once the witness fits.
    #[test]
    fn theorems_of_irie(p in 2u64..14, m in 1u32..6, more in 0u32..12) {
        let cpu = Cpu::new(Some(2)).unwrap();
        let window = m + more;
        prop_assert_eq!(run(&request(p, m, m + 1, window), &cpu).check.differ, 0);
        let witness = saturation::witness(p, m);
        let k = saturation::lower_bound(p, m) - 1;
        if witness.iter().all(|a| *a < window.into()) && k >= 1 {
            let outcome = run(&request(p, m, k, window), &cpu);
            prop_assert!(outcome.check.differ > 0);
        }
    }

    /// A larger window holds the smaller one, value by value.
    #[test]
    fn windows_are_closed_under_moves(p in 2u64..10, m in 1u32..5, k in 1u32..6, window in 5u32..11) {
        let cpu = Cpu::new(Some(2)).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let table = |window| -> Vec<u16> {
            let path = folder.path().join("t.npy");
            run(&Request { table: Some(path.clone()), ..request(p, m, k, window) }, &cpu);
            npyz::NpyFile::new(std::fs::File::open(path).unwrap()).unwrap().into_vec().unwrap()
        };
        let (small, large) = (table(window), table(window + 1));
        prop_assert_eq!(&large[..small.len()], &small[..]);
    }

    /// The formula alone and the table agree on whether all is well and where it first is not, however it is cut.
    #[test]
    fn certificates_agree_with_tables(p in 2u64..9, m in 0u32..5, k in 1u32..6, more in 0u32..7, parts in 1u64..5) {
        let cpu = Cpu::new(Some(2)).unwrap();
        let request = request(p, m, k, m + more);
        let table = run(&request, &cpu);
        let part = |i, n| certify::run(&Certify { cell: request.cell, part: (i, n) }, &cpu, &mut |_| {}).unwrap();
        let whole = part(1, 1);
        prop_assert_eq!(whole.first, table.check.first.map(|d| d.position));
        prop_assert_eq!(u128::from(whole.told.options), table.options);
        let cut: Vec<_> = (1..=parts).map(|i| part(i, parts)).collect();
        prop_assert_eq!(cut.iter().map(|c| c.told.positions).sum::<u64>(), table.positions);
        prop_assert_eq!(cut.iter().map(|c| c.failed).sum::<u64>(), whole.failed);
        prop_assert_eq!(cut.iter().map(|c| c.told.options).sum::<u64>(), whole.told.options);
        let first = cut.iter().filter_map(|c| c.first).min_by(|a, b| a.report_order(*b));
        prop_assert_eq!(first, whole.first);
    }
}

fn planted_bugs_are_found_on(backend: &dyn Backend) {
    let sound = request(3, 4, 3, 12);
    assert_eq!(run(&sound, backend).check.differ, 0);
    // The comparator names the first position where the two formulas part.
    let outcome = run(&Request { bug: Some(Bug::Formula), ..sound.clone() }, backend);
    let colex = Colex::new(12, 4);
    let positions = (0..colex.positions()).map(|rank| Position(colex.unrank(rank)));
    let of = |p, position: &Position| digits::value(p, &position.coins());
    let mut differ: Vec<Position> = positions.filter(|x| of(3, x) != of(4, x)).collect();
    differ.sort_by(|a, b| a.report_order(*b));
    assert_eq!(outcome.check.differ, differ.len() as u64);
    assert_eq!(outcome.check.first.map(|d| d.position), differ.first().copied());

    let bug = run(&Request { bug: Some(Bug::Moves), ..sound.clone() }, backend);
    assert!(bug.check.differ > 0);
    assert_ne!(bug.digest, sat::run_by_oracle(&sound).unwrap().digest);
}

#[test]
fn planted_bugs_are_found() {
    planted_bugs_are_found_on(&Cpu::new(Some(2)).unwrap());
}

/// Solving a level before those below it is an error, never a value.
fn unsolved_options_are_seen_on(backend: &dyn Backend, k: u32) {
    let cell = Cell { p: 3, m: 3, k, window: 9 };
    let setup = OptionSetup::new(plan(cell, 1, &backend.capacity(), backend.most_positions()).unwrap());
    let parts: Vec<_> = setup.plan.batches(&setup.sums).flatten().collect();
    let mut engine = backend.open_options(&setup).unwrap();
    for part in &parts[..3] {
        assert_eq!(engine.solve(&[*part]).unwrap(), Solved::All);
    }
    let refused = engine.solve(&parts[5..6]).unwrap_err().to_string();
    assert!(refused.contains("before"), "{refused}");
    assert!(engine.values().is_err(), "a table with unsolved positions");
}

#[test]
fn unsolved_options_are_seen() {
    for k in [2, 3, 4] {
        unsolved_options_are_seen_on(&Cpu::new(Some(2)).unwrap(), k);
    }
}

fn welter(arguments: &str) -> Command {
    let mut command = Command::cargo_bin("welter").unwrap();
    command.args(arguments.split_whitespace());
    command
}

fn json(command: &mut Command) -> Value {
    let output = command.args(["--format", "json"]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn the_json_document() {
    let told = json(&mut welter("sat 5 4 4 24 --backend cpu --quiet"));
    assert_eq!(told["command"], "sat");
    assert_eq!((&told["p"], &told["m"], &told["k"], &told["window"]), (&5.into(), &4.into(), &4.into(), &24.into()));
    assert_eq!((&told["positions"], &told["differ"]), (&10626.into(), &159.into()));
    assert_eq!(told["first"]["coins"], serde_json::json!([5, 6, 7, 8]));
    assert_eq!((&told["first"]["value"], &told["first"]["b_p"]), (&0.into(), &20.into()));
    assert_eq!(told["options"], 13604256);
    assert!(told["max_value"].is_u64() && told["digest"].is_string() && told["seconds"]["total"].is_f64());
    // A few of the 1.8e18 positions of half of 64 squares, from the middle.
    let told = json(&mut welter("sat 2 32 3 64 --certify --part 200000000000000000/400000000000000000 --quiet"));
    assert_eq!(
        (&told["command"], &told["certify"], &told["parts"]),
        (&"sat".into(), &true.into(), &"400000000000000000".into())
    );
    assert!((4..=5).contains(&told["positions"].as_u64().unwrap()) && told["options"].as_u64().unwrap() > 1000);
}

#[test]
fn edge_cases_by_the_mathematics() {
    let told = |arguments: &str| {
        let told = json(&mut welter(&format!("sat {arguments} --backend cpu --quiet")));
        (told["positions"].as_u64().unwrap(), told["differ"].as_u64().unwrap(), told["max_value"].as_u64())
    };
    // K = 1: nobody can move, all values are 0; b_3 is 0 for 8 of the 56.
    let zero = (0..256u64).filter(|x| x.count_ones() == 3 && digits::value(3, &Position(*x).coins()) == 0).count();
    assert_eq!(told("3 3 1 8"), (56, 56 - zero as u64, Some(0)));
    assert_eq!(told("3 3 99 8"), told("3 3 4 8"));
    assert_eq!(told("3 0 2 8"), (1, 0, Some(0)));
    assert_eq!(told("3 0 1 0"), (1, 0, Some(0)));
    assert_eq!(told("3 9 2 8"), (0, 0, None));
    assert_eq!(told("3 8 2 8"), (1, 0, Some(0)));
    assert_eq!(told("1000000000000 3 4 12"), (220, 0, Some(27)));
    assert_eq!(told("18446744073709551615 3 4294967295 12"), (220, 0, Some(27)));
    assert_eq!(told("3 4294967295 4294967295 8"), (0, 0, None));
    let oracle = json(&mut welter("sat 3 4294967295 4294967295 8 --backend oracle --quiet"));
    assert_eq!(oracle["positions"], 0);
    let remark = welter("sat 3 3 99 8 --backend cpu").output().unwrap();
    assert!(String::from_utf8_lossy(&remark.stderr).contains("K = 99 is as K = 4"));
}

#[test]
fn bad_input_is_refused_in_one_line() {
    for (arguments, expected) in [
        ("sat 1 3 2 8", "P = 1 is below 2"),
        ("sat 0 3 2 8", "P = 0 is below 2"),
        ("sat -3 3 2 8", "whole number from 2 up"),
        ("sat 3 -1 2 8", "M is the number of coins"),
        ("sat 3 x 2 8", "M is the number of coins"),
        ("sat 3 3 0 8", "K = 0"),
        ("sat 3 3 2 70", "N = 70 is above 64"),
        ("sat 3 3 2 99999999999", "number of squares"),
        ("sat 3 3 2", "<N>"),
        ("sat 3 30 3 60 --backend cpu", "window 60 needs"),
        ("sat 5 7 5 22 --backend oracle", "use --backend cpu or a smaller N"),
        ("sat 3 3 3 9 --dry-run --backend oracle", "the oracle follows no plan"),
        ("sat 3 3 3 9 --backend cpu --table /nowhere/t.npy", "cannot write /nowhere/t.npy"),
        ("sat 3 3 3 9 --backend cpu --threads 0", "1 to 1024"),
        ("sat 3 3 3 9 --certify --backend gpu", "on the CPU alone"),
        ("sat 3 3 3 9 --certify --part 4/3", "--part 4/3 is no part"),
        ("sat 3 3 3 9 --certify --part 0/0", "--part 0/0 is no part"),
        ("sat 3 3 3 9 --certify --part x", "a part is I/N"),
        ("sat 3 3 3 9 --part 1/2", "--certify"),
        ("sat-index 5..3 3 9", "the range is empty; write 3..5"),
        ("sat-index 3.. 3 9", "whole number or a range"),
        ("sat-index 3 0 9", "M = 0 has one position"),
        ("sat-index 3 8..10 9", "M = 10 coins have no position"),
        ("sat-index 1..3 2 9", "P = 1 is below 2"),
        ("sat-index 3 3 70", "N = 70 is above 64"),
        ("sat-index 2..99999999 3 9", "games, above 10000"),
        ("sat-index 3 3 9 --backend oracle", "welter sat"),
        ("bench --sat 3,4,3", "P,M,K,N"),
        ("bench --sat 1,4,3,9", "P = 1 is below 2"),
        ("bench --sat 3,4,1,9", "no move"),
    ] {
        let output = welter(arguments).output().unwrap();
        let told = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments}: {told}");
        assert!(output.stdout.is_empty(), "{arguments}");
        assert!(told.lines().count() == 1 && told.contains(expected), "{arguments}: {told}");
    }
}

#[test]
fn the_index_of_nine_games() {
    let told = json(&mut welter("sat-index 3..5 3..5 16 --backend cpu --quiet"));
    let rows = told["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 9);
    for row in rows {
        let (p, m) = (row["p"].as_u64().unwrap(), row["m"].as_u64().unwrap() as u32);
        let bound = saturation::lower_bound(p, m);
        assert_eq!((&row["index"], &row["lower_bound"]), (&bound.into(), &bound.into()), "p {p}, m {m}");
        let below = &row["first_difference_below"];
        assert_eq!(below["k"], bound - 1);
        let coins: Vec<u64> = serde_json::from_value(below["coins"].clone()).unwrap();
        assert_eq!(below["witness"], coins == saturation::witness(p, m), "p {p}, m {m}");
        assert_eq!(below["witness"], p > 3, "p {p}, m {m}");
        assert!(row["seconds"].is_f64() && row["positions"].is_u64() && row["window"] == 16);
    }
    let text = welter("sat-index 4 3 16 --backend cpu --quiet").output().unwrap();
    assert!(String::from_utf8_lossy(&text.stdout).contains("{4,5,6}: value 0, b_p 12"));
}

#[test]
fn a_sweep_keeps_finished_games() {
    let folder = tempfile::tempdir().unwrap();
    let records = folder.path().join("sweep");
    let sweep = |range: &str| {
        let mut command = welter(&format!("sat-index {range} 2..3 10 --backend cpu --format json --record"));
        let output = command.arg(&records).output().unwrap();
        assert!(output.status.success());
        let told: Value = serde_json::from_slice(&output.stdout).unwrap();
        (told["rows"].clone(), String::from_utf8(output.stderr).unwrap().matches("skipped").count())
    };
    let files = || std::fs::read_dir(&records).unwrap().count();
    let (rows, skipped) = sweep("3");
    assert_eq!((rows.as_array().unwrap().len(), skipped, files()), (2, 0, 2));
    let (more, skipped) = sweep("3..4");
    assert_eq!((more.as_array().unwrap().len(), skipped, files()), (4, 2, 4));
    assert_eq!(more.as_array().unwrap()[..2], rows.as_array().unwrap()[..], "times of the first sweep included");
    // A damaged record is done again, and kept.
    let damaged = std::fs::read_dir(&records).unwrap().next().unwrap().unwrap().path();
    std::fs::write(&damaged, "{").unwrap();
    let (again, skipped) = sweep("3..4");
    assert_eq!((again.as_array().unwrap().len(), skipped, files()), (4, 3, 5));
}

#[test]
fn records_and_dry_runs() {
    let folder = tempfile::tempdir().unwrap();
    let output = welter("sat 3 3 3 12 --backend cpu --quiet --record").arg(folder.path()).output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty());
    let record = std::fs::read_dir(folder.path()).unwrap().next().unwrap().unwrap().path();
    assert!(record.file_name().unwrap().to_str().unwrap().starts_with("sat-3-3-3-12-"));
    let told: Value = serde_json::from_slice(&std::fs::read(record).unwrap()).unwrap();
    assert_eq!((&told["differ"], &told["run"]["arguments"][0]), (&0.into(), &"sat".into()));

    let plan = json(&mut welter("sat 3 10 3 24 --backend cpu --dry-run --quiet"));
    assert_eq!(plan["plan"]["positions"], 1961256);
    assert_eq!(plan["plan"]["options"], 2164145220u64);
    let plan = json(&mut welter("sat 3 9 3 8 --backend cpu --dry-run --quiet"));
    assert!(plan["plan"].is_null());
}
