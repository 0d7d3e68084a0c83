//! Tables that certify themselves, tables that do not, and files that are no tables.

use std::path::{Path, PathBuf};

use npyz::WriterBuilder;
use serde_json::Value;
use welter::Position;
use welter::backend::Backend;
use welter::brute;
use welter::theory::{digits, welter as formula};
use welter::verify::{self, Game, Outcome, Request};

use crate::support::{backends, oracle, welter};

/// Writes an array in C order.
fn save<T: npyz::AutoSerialize + Copy>(path: &Path, shape: &[u64], values: &[T]) {
    let file = std::fs::File::create(path).unwrap();
    let mut writer = npyz::WriteOptions::new().default_dtype().shape(shape).writer(file).begin_nd().unwrap();
    writer.extend(values.iter().copied()).unwrap();
    writer.finish().unwrap();
}

/// A folder with one table in it.
struct Folder {
    folder: tempfile::TempDir,
}

impl Folder {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("table.npy")
    }

    fn verify<T: npyz::AutoSerialize + Copy>(
        &self,
        game: Game,
        shape: &[u64],
        values: &[T],
        on: &dyn Backend,
    ) -> Outcome {
        save(&self.path(), shape, values);
        verify::run(&Request { table: self.path(), game }, on, &mut |_| {}).unwrap()
    }
}

fn assert_right(name: &str, outcome: &Outcome, positions: u64) {
    assert!(outcome.agreed() && outcome.first.is_none(), "{name}: {:?}", outcome.first);
    assert_eq!([outcome.positions, outcome.verified, outcome.violations], [positions, positions, 0], "{name}");
}

/// The oracle's table of a window.
fn window(window: u32) -> Vec<u8> {
    oracle(window).1.iter().collect()
}

/// The sets of `m` coins in colex order: masks ascending.
fn coins(m: u32, window: u32) -> Vec<Vec<u64>> {
    let mut masks: Vec<Vec<u64>> = vec![vec![]];
    for _ in 0..m {
        let more = |coins: &Vec<u64>| {
            let first = coins.first().copied().unwrap_or(window.into());
            (0..first).map(|a| [&[a], &coins[..]].concat()).collect::<Vec<_>>()
        };
        masks = masks.iter().flat_map(more).collect();
    }
    masks.sort_by_key(|coins| coins.iter().rev().copied().collect::<Vec<_>>());
    masks
}

#[test]
fn exported_windows_are_right_on_every_backend() {
    let folder = Folder::new();
    for (name, backend) in backends("exported_windows_are_right_on_every_backend") {
        for window in [0, 1, 2, 3, 7, 12, 16] {
            let request = brute::Request { window, table: Some(folder.path()), ..Default::default() };
            let solved = brute::run(&request, &*backend, &mut |_| {}).unwrap();
            let request = Request { table: folder.path(), game: Game::Brute };
            let mut told = Vec::new();
            let outcome = verify::run(&request, &*backend, &mut |done| told.push(done)).unwrap();
            assert_right(&format!("{name}, window {window}"), &outcome, 1 << window);
            assert_eq!(outcome.digests, [solved.digest], "{name}, window {window}");
            assert_eq!(told.last(), Some(&(1 << window)), "{name}, window {window}: progress");
        }
    }
}

/// Every cell of window 8, to several other values: the very cell is named, with the value it had.
#[test]
fn every_altered_cell_of_a_window_is_named() {
    let folder = Folder::new();
    let right = window(8);
    for (name, backend) in backends("every_altered_cell_of_a_window_is_named") {
        let cpu = backend.info().kind == "cpu";
        for cell in 0..right.len() {
            let value = right[cell];
            // A GPU's kernel is compiled anew for each table: one alteration a cell there.
            let others = [value ^ 1, value ^ 8, value.wrapping_sub(1), value + 1, 63, 64, 200, 255];
            let others = if cpu { &others[..] } else { &others[cell % 8..=cell % 8] };
            for other in others.iter().filter(|other| **other != value) {
                let mut table = right.clone();
                table[cell] = *other;
                let outcome = folder.verify(Game::Brute, &[256], &table, &*backend);
                let said = format!("{name}: cell {cell}, {value} made {other}: {:?}", outcome.first);
                let first = outcome.first.as_ref().expect(&said);
                assert_eq!(first.fault.cell, cell as u64, "{said}");
                assert_eq!(first.fault.value, u64::from(*other), "{said}");
                assert_eq!(first.fault.mex, u64::from(value), "{said}");
                assert_eq!(first.position, Position(cell as u64).to_string(), "{said}");
                // An option of the same value if the new value is below the old one, a missing value otherwise.
                assert!(*other > value || first.same.is_some(), "{said}");
                assert!(!outcome.agreed() && outcome.violations >= 1, "{said}");
                assert_eq!(outcome.verified + outcome.violations, 256, "{said}");
                assert_eq!(outcome.violations, violations(&table), "{said}");
            }
        }
    }
}

/// Positions whose value is not the mex of their options' values, counted by looking at all pairs of masks.
fn violations(table: &[u8]) -> u64 {
    let wrong = |x: usize| {
        let option = |y: &usize| {
            *y < x && (x ^ *y).count_ones() == 2 && x.count_ones() == y.count_ones() && (x ^ *y) & x > *y & !x
        };
        let seen: Vec<u8> = (0..table.len()).filter(option).map(|y| table[y]).collect();
        (0..=255).find(|v| !seen.contains(v)) != Some(table[x])
    };
    (0..table.len()).filter(|x| wrong(*x)).count() as u64
}

/// Two altered cells: the first in the order of coin sums is named, then lexicographically.
#[test]
fn of_two_altered_cells_the_first_is_named() {
    let folder = Folder::new();
    let right = window(11);
    for (name, backend) in backends("of_two_altered_cells_the_first_is_named") {
        // Coin sums 30 and 30: {0,6,7,8,9} comes before {4,5,6,7,8}, although its mask is greater. Then 12 before 20.
        for (first, other) in [(0b11_1100_0001, 0b1_1111_0000), (0b111_0000_0000, 0b11_1110_0010), (0b1100, 1 << 10)] {
            let mut table = right.clone();
            table[first] ^= 32;
            table[other] ^= 32;
            let outcome = folder.verify(Game::Brute, &[1 << 11], &table, &*backend);
            let told = outcome.first.expect("wrong").fault.cell;
            let expected = [first, other]
                .into_iter()
                .min_by(|a, b| Position(*a as u64).report_order(Position(*b as u64)))
                .unwrap();
            assert_eq!(told, expected as u64, "{name}: {first:b} and {other:b}");
        }
    }
}

/// Where one coin moves at a time, every saturation is Welter's game; masks of more than 32 squares included.
#[test]
fn saturations_of_single_moves_are_welters_game() {
    let folder = Folder::new();
    for (name, backend) in backends("saturations_of_single_moves_are_welters_game") {
        for (p, m, window) in [(2, 0, 5), (2, 1, 64), (7, 2, 64), (1 << 40, 3, 36), (3, 4, 12), (2, 7, 7), (2, 9, 7)] {
            let values: Vec<u16> = coins(m, window).iter().map(|c| formula::value(c) as u16).collect();
            let game = Game::Sat { p, m, k: 2, window };
            let outcome = folder.verify(game, &[values.len() as u64], &values, &*backend);
            assert_right(&format!("{name}: p = {p}, {m} coins, window {window}"), &outcome, values.len() as u64);
        }
    }
}

/// Published: `b_p` is the value in some saturations, and in others first differs at a known position.
#[test]
fn b_p_certifies_itself_exactly_where_it_is_the_value() {
    type Row = (u64, u32, u32, u32, Option<(&'static str, u64, u64)>);
    let rows: [Row; 10] = [
        (3, 3, 2, 20, Some(("{0,2,4}", 3, 1))),
        (3, 3, 3, 31, None),
        (3, 5, 3, 20, None),
        (4, 3, 3, 24, Some(("{4,5,6}", 12, 0))),
        (2, 4, 5, 14, None),
        (4, 4, 4, 16, None),
        (3, 4, 3, 31, None),
        (4, 4, 4, 22, None),
        (5, 4, 4, 24, Some(("{5,6,7,8}", 20, 0))),
        (5, 5, 4, 20, Some(("{0,6,7,8,9}", 20, 0))),
    ];
    let folder = Folder::new();
    for (name, backend) in backends("b_p_certifies_itself_exactly_where_it_is_the_value") {
        // Software adapters end long loops early (see below), and one thread would only repeat what three do.
        let shown = if backend.info().software || name.ends_with("1 thread") { 4 } else { rows.len() };
        for (p, m, k, window, first) in &rows[..shown] {
            let values: Vec<u16> = coins(*m, *window).iter().map(|c| digits::value(*p, c) as u16).collect();
            let game = Game::Sat { p: *p, m: *m, k: *k, window: *window };
            let outcome = folder.verify(game, &[values.len() as u64], &values, &*backend);
            let told = outcome.first.as_ref().map(|first| (&first.position[..], first.fault.value, first.fault.mex));
            assert_eq!(told, *first, "{name}: {p} {m} {k} {window}");
            assert_eq!(outcome.verified + outcome.violations, values.len() as u64);
        }
    }
}

/// lavapipe ends a thread's loops after 65,535 rounds in all: that is an error with a remedy, and never a verdict.
#[test]
fn loops_that_a_driver_ends_early_decide_nothing() {
    let folder = Folder::new();
    let mut values: Vec<u16> = coins(4, 14).iter().map(|c| digits::value(2, c) as u16).collect();
    let game = Game::Sat { p: 2, m: 4, k: 5, window: 14 };
    for (name, backend) in backends("loops_that_a_driver_ends_early_decide_nothing") {
        for altered in [false, true] {
            values[1000] ^= u16::from(altered);
            save(&folder.path(), &[1001], &values);
            match verify::run(&Request { table: folder.path(), game }, &*backend, &mut |_| {}) {
                Ok(outcome) => assert_eq!(outcome.violations, u64::from(altered), "{name}"),
                Err(error) => {
                    let text = error.to_string();
                    assert!(backend.info().software && text.contains("end long loops early"), "{name}: {text}");
                    assert!(text.contains("--backend cpu"), "{name}: {text}");
                }
            }
            values[1000] ^= u16::from(altered);
        }
    }
}

/// Values of Nim with three piles, with and without a pass, made elsewhere.
#[test]
fn nim_with_a_pass_and_every_altered_cell() {
    let golden = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/nim-pass-3-piles.csv"));
    let shape = [2, 11, 11, 5];
    let mut right = vec![u16::MAX; 1210];
    for line in golden.unwrap().lines().skip(1) {
        let n: Vec<usize> = line.split(',').map(|n| n.parse().unwrap()).collect();
        right[((n[0] * 11 + n[1]) * 11 + n[2]) * 5 + n[3]] = n[4] as u16;
    }
    let folder = Folder::new();
    for (name, backend) in backends("nim_with_a_pass_and_every_altered_cell") {
        assert_right(&name, &folder.verify(Game::Pass, &shape, &right, &*backend), 1210);
        let wide: Vec<u32> = right.iter().map(|v| u32::from(*v)).collect();
        assert_right(&name, &folder.verify(Game::Pass, &shape, &wide, &*backend), 1210);
        let step = if backend.info().kind == "cpu" { 1 } else { 97 };
        for cell in (0..1210).step_by(step) {
            for other in [right[cell] ^ 1, right[cell] + 40, u16::MAX] {
                let mut table = right.clone();
                table[cell] = other;
                let first = folder.verify(Game::Pass, &shape, &table, &*backend).first.expect("wrong").fault;
                let told = (first.cell, first.value, first.mex);
                assert_eq!(told, (cell as u64, other.into(), right[cell].into()), "{name}");
            }
        }
    }
}

/// Values past the span that one look tells apart, boxes of no piles, of one, and of empty piles.
#[test]
fn piles_of_all_shapes() {
    let folder = Folder::new();
    for (name, backend) in backends("piles_of_all_shapes") {
        let line: Vec<u16> = (0..3000).collect();
        assert_right(&name, &folder.verify(Game::Pass, &[1, 3000], &line, &*backend), 3000);
        assert_right(&name, &folder.verify(Game::Pass, &[1, 1, 3000, 1], &line, &*backend), 3000);
        for (cell, other) in [(2500, 2400), (2500, 2600), (1024, 1023), (1024, 1025), (2999, 65535), (2048, 0)] {
            let mut table = line.clone();
            table[cell] = other;
            let first = folder.verify(Game::Pass, &[1, 3000], &table, &*backend).first.expect("wrong").fault;
            assert_eq!((first.cell, first.mex), (cell as u64, cell as u64), "{name}: {other}");
        }
        // One pile, one pass: 0, 2, 1, 4, 3, ...
        let passed: Vec<u16> = (0..9).chain((0..9).map(|x: u16| if x == 0 { 0 } else { ((x - 1) ^ 1) + 1 })).collect();
        assert_right(&name, &folder.verify(Game::Pass, &[2, 9], &passed, &*backend), 18);
        // No pile: the game is over, whatever passes are left.
        assert_right(&name, &folder.verify(Game::Pass, &[4], &[0u16; 4], &*backend), 4);
        assert_right(&name, &folder.verify(Game::Pass, &[4, 1, 1], &[0u32; 4], &*backend), 4);
    }
}

#[cfg(feature = "gpu")]
#[test]
fn tiny_gpus_split_the_table() {
    use crate::support::adapters;
    use welter::backend::cpu::Cpu;
    use welter::backend::gpu::{Caps, Gpu};
    let folder = Folder::new();
    let right = window(14);
    let cpu = Cpu::new(None).unwrap();
    for adapter in adapters("tiny_gpus_split_the_table") {
        for (binding, workgroup_size) in [(4096, None), (5000, Some(16)), (1 << 13, Some(64))] {
            let caps = Caps { binding: Some(binding), workgroups: Some(4), workgroup_size, ..Default::default() };
            let gpu = Gpu::open(adapter.clone(), &caps).unwrap();
            let outcome = folder.verify(Game::Brute, &[1 << 14], &right, &gpu);
            assert_right(&format!("{}, {binding}", adapter.name()), &outcome, 1 << 14);
            for cell in [0, 4095, 4096, 8191, 8192, (1 << 14) - 1] {
                let mut table = right.clone();
                table[cell] ^= 1;
                let told = folder.verify(Game::Brute, &[1 << 14], &table, &gpu);
                let expected = folder.verify(Game::Brute, &[1 << 14], &table, &cpu);
                assert_eq!(told.first.as_ref().map(|first| first.fault.cell), Some(cell as u64), "{binding}");
                assert_eq!((told.first, told.violations), (expected.first, expected.violations), "{binding}");
            }
        }
        let caps = Caps { binding: Some(256), ..Default::default() };
        let gpu = Gpu::open(adapter, &caps).unwrap();
        save(&folder.path(), &[1 << 14], &right);
        let refused = verify::run(&Request { table: folder.path(), game: Game::Brute }, &gpu, &mut |_| {});
        let text = refused.unwrap_err().to_string();
        assert!(text.contains("table.npy") && text.contains("16.0 KiB") && text.contains("--backend cpu"), "{text}");
    }
}

#[test]
fn the_command_names_the_altered_cell_and_exits_with_1() {
    let folder = Folder::new();
    let (name, file) = ("table.npy", folder.path());
    let run = |arguments: &[&str]| welter().current_dir(folder.folder.path()).args(arguments).output().unwrap();
    let solved = run(&["brute", "12", "--format", "json", "--backend", "cpu", "--table", name]);
    let solved: Value = serde_json::from_slice(&solved.stdout).unwrap();
    let arguments = ["verify", name, "--game", "brute", "--backend", "cpu", "--record", "records"];
    let output = run(&arguments);
    assert_eq!(output.status.code(), Some(0));
    let json = [&arguments[..], &["--format", "json"]].concat();
    let told: Value = serde_json::from_slice(&run(&json).stdout).unwrap();
    assert_eq!(told["command"], "verify");
    assert_eq!((&told["game"], &told["window"]), (&"brute".into(), &12.into()));
    assert_eq!([&told["positions"], &told["verified"], &told["violations"]], [4096, 4096, 0]);
    assert!(told["first"].is_null() && told["seconds"].is_f64());
    assert_eq!(told["digest"], solved["digest"]);
    assert_eq!(std::fs::read_dir(folder.folder.path().join("records")).unwrap().count(), 2);

    let mut bytes = std::fs::read(&file).unwrap();
    let at = bytes.len() - 4096 + 0b1010_0011_0010; // {1,4,5,9,11}
    bytes[at] = 3;
    std::fs::write(&file, bytes).unwrap();
    let output = run(&arguments);
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stdout).unwrap();
    for words in ["{1,4,5,9,11}: the table says 3, which its option", "wrong cell  {1,4,5,9,11}", "its value is 14"] {
        assert!(text.contains(words), "{words:?} is not in\n{text}");
    }
    let output = run(&json);
    assert_eq!(output.status.code(), Some(1));
    let told: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(told["first"]["coins"], serde_json::json!([1, 4, 5, 9, 11]));
    assert_eq!([&told["first"]["value"], &told["first"]["right_value"]], [3, 14]);
    assert!(told["first"]["option_of_same_value"]["coins"].is_array() && told["first"]["missing"].is_null());
    assert_ne!(told["digest"], solved["digest"]);
}

/// A header as NumPy writes it, of version 1.
fn header(text: &str) -> Vec<u8> {
    let text = format!("{text:<117}\n");
    [b"\x93NUMPY\x01\x00", &(text.len() as u16).to_le_bytes()[..], text.as_bytes()].concat()
}

#[test]
fn files_that_are_no_tables_are_refused_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let brute = ["--game", "brute"];
    let sat = ["--game", "sat", "--p", "3", "--m", "2", "--k", "3", "--window", "4"];
    let pass = ["--game", "pass"];
    let of = |descr: &str, shape: &str, bytes: usize| {
        let order = if shape.starts_with('F') { "True" } else { "False" };
        let shape = shape.trim_start_matches('F');
        let text = format!("{{'descr': {descr}, 'fortran_order': {order}, 'shape': {shape}, }}");
        [header(&text), vec![0; bytes]].concat()
    };
    let deep = format!("{{'descr': {}", "[".repeat(100));
    let cases: Vec<(&[&str], Vec<u8>, &[&str])> = vec![
        (&brute, vec![], &["no NumPy header", "numpy.save"]),
        (&brute, b"PK\x03\x04 not an array at all".to_vec(), &["magic", "numpy.save"]),
        (&brute, of("'|u1'", "(8,)", 8)[..60].to_vec(), &["no NumPy header"]),
        (&brute, header("{'descr': '|u1'}"), &["no NumPy header"]),
        (&brute, header(&deep), &["nested too deep"]),
        (&brute, b"\x93NUMPY\x02\x00\xf0\xff\xff\xff{".to_vec(), &["no NumPy header"]),
        (&brute, of("'|u1'", "(8,)", 7), &["cut short", "(8,)", "8 bytes", "7 are there"]),
        (&brute, of("'|u1'", "(8,)", 11), &["3 bytes follow", "8 bytes"]),
        (&brute, of("'|u1'", "(8589934592, 8589934592)", 8), &["cut short", "more than 2^64"]),
        (&brute, of("'|u1'", "(12,)", 12), &["12 values", "no power of two"]),
        (&brute, of("'|u1'", "(0,)", 0), &["0 values", "no power of two"]),
        (&brute, of("'|u1'", "(4, 2)", 8), &["shape is (4, 2)", "--game"]),
        (&brute, of("'<u2'", "(8,)", 16), &["dtype is '<u2'", "|u1", "astype"]),
        (&brute, of("'|i1'", "(8,)", 8), &["dtype is '|i1'"]),
        (&brute, of("[('a', '|u1')]", "(8,)", 8), &["dtype is [('a'"]),
        (&brute, of("'|O'", "(8,)", 8), &["dtype is '|O'"]),
        (&sat, of("'>u2'", "(6,)", 12), &["dtype is '>u2'", "astype('<u2')"]),
        (&sat, of("'<u2'", "(7,)", 14), &["(7,)", "2 coins on 4 squares make (6,)", "--window"]),
        (&pass, of("'<u2'", "F(2, 3)", 12), &["Fortran order", "ascontiguousarray"]),
        (&pass, of("'<u2'", "()", 2), &["shape is ()", "(passes + 1, piles...)"]),
        (&pass, of("'<u2'", "(2, 0)", 0), &["shape is (2, 0)"]),
        (&pass, of("'<f4'", "(2, 2)", 16), &["dtype is '<f4'", "<u2 or <u4"]),
    ];
    for (game, bytes, words) in cases {
        std::fs::write(folder.path().join("bad.npy"), &bytes).unwrap();
        refused(folder.path(), &[&["verify", "bad.npy"], game].concat(), &[&["bad.npy"], words].concat());
    }
    refused(folder.path(), &["verify", "none.npy", "--game", "brute"], &["none.npy", "name a file"]);
    refused(folder.path(), &["verify", ".", "--game", "brute"], &["not a plain file"]);

    // 64 GiB of nothing: refused before they are read.
    let file = std::fs::File::create(folder.path().join("huge.npy")).unwrap();
    let start = of("'|u1'", "(1099511627776,)", 0);
    std::io::Write::write_all(&mut &file, &start).unwrap();
    if file.set_len(start.len() as u64 + (1 << 40)).is_ok() {
        refused(folder.path(), &["verify", "huge.npy", "--game", "brute"], &["huge.npy", "1.00 TiB", "available"]);
    } else {
        crate::support::skip_aloud("a table that no memory holds", "the temporary folder has no sparse files");
    }
}

#[test]
fn wrong_arguments_are_refused_in_one_line() {
    let folder = Folder::new();
    save(&folder.path(), &[4], &[0u8; 4]);
    let sat =
        |p, k, window| vec!["verify", "table.npy", "--game", "sat", "--p", p, "--m", "2", "--k", k, "--window", window];
    let cases: Vec<(Vec<&str>, &[&str])> = vec![
        (vec!["verify", "table.npy"], &["--game"]),
        (vec!["verify", "--game", "brute"], &["TABLE.npy"]),
        (vec!["verify", "table.npy", "--game", "chess"], &["chess", "brute", "sat", "pass"]),
        (vec!["verify", "table.npy", "--game", "sat", "--p", "3"], &["--m", "--k", "--window"]),
        (vec!["verify", "table.npy", "--game", "brute", "--window", "2"], &["--window", "--game sat"]),
        (vec!["verify", "table.npy", "--game", "brute", "--backend", "oracle"], &["oracle", "--backend cpu"]),
        (sat("1", "2", "4"), &["--p 1", "2 or more"]),
        (sat("3", "0", "4"), &["--k 0", "2 or more"]),
        (sat("3", "2", "65"), &["--window 65", "64"]),
        (sat("3", "-2", "6"), &["-2", "whole number"]),
    ];
    for (arguments, words) in cases {
        refused(folder.folder.path(), &arguments, words);
    }
}

fn refused(folder: &Path, arguments: &[&str], words: &[&str]) {
    let output =
        welter().current_dir(folder).args(arguments).timeout(std::time::Duration::from_secs(10)).output().unwrap();
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {text}");
    assert!(output.stdout.is_empty(), "{arguments:?}");
    assert_eq!(text.lines().count(), 1, "{arguments:?}: {text}");
    assert!(words.iter().all(|word| text.contains(word)), "{arguments:?}, {words:?}: {text}");
}
