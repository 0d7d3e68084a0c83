//! Nim with passes: oracle = CPU = GPU on every cell, the known answers, and checks that bite.

use std::io::Write;

use serde_json::Value;
use welter::Error;
use welter::backend::Backend;
use welter::pass::plan::PassTuning;
use welter::pass::position::{self, Move};
use welter::pass::{self, Bug, Outcome, Request, oracle};

use crate::support::{backends, welter};

fn request(piles: usize, size: u64, passes: u32) -> Request {
    Request { piles, size, passes, ..Default::default() }
}

fn solve(request: &Request, backend: &dyn Backend) -> Outcome {
    pass::run(request, backend, &mut |_| {}).expect("solved")
}

/// Demands equal tables, and everything told of them; names the first position that differs.
fn assert_same(name: &str, told: &Outcome, truth: &Outcome) {
    for (passes_left, (values, expected)) in told.table.layers.iter().zip(&truth.table.layers).enumerate() {
        assert_eq!(values.len(), expected.len(), "{name}");
        for cell in 0..values.len() as u64 {
            let piles = welter::index::boxes::piles(&told.table.sides, cell);
            assert_eq!(values.get(cell), expected.get(cell), "{name}: {piles:?}, {passes_left} passes left");
        }
    }
    assert_eq!(told.table.layers.len(), truth.table.layers.len(), "{name}");
    assert_eq!(told.layers, truth.layers, "{name}");
    assert_eq!(told.equal_layers, truth.equal_layers, "{name}");
    // The comparisons that were made and failed; how a failure is worded is each implementation's own.
    let counts = |outcome: &Outcome| outcome.checks().map(|(name, check)| (name, check.checked, check.differ));
    assert_eq!(counts(told), counts(truth), "{name}");
    let links = |outcome: &Outcome| -> Vec<_> {
        let links = outcome.next_pile.links.iter();
        links.map(|link| (link.piles, link.passes_left, link.check.checked, link.check.differ)).collect()
    };
    assert_eq!(links(told), links(truth), "{name}");
    let first = |outcome: &Outcome| outcome.next_pile.all().first.map(|e| (e.passes_left, e.position, e.value));
    assert_eq!(first(told), first(truth), "{name}");
}

#[test]
fn every_backend_gives_the_oracles_table() {
    for (piles, size) in [(0, 3), (1, 0), (1, 200), (2, 0), (2, 1), (2, 60), (3, 20), (4, 8), (5, 4), (6, 1), (7, 2)] {
        for passes in 0..=3 {
            // The box of one pile more where the oracle can have it quickly.
            let next_pile = (piles < 2 || size <= 4 && piles < 6).then_some(true).or(Some(false));
            let request = Request { next_pile, ..request(piles, size, passes) };
            let truth = oracle::run(&request).unwrap();
            assert!(truth.agreed());
            for (name, backend) in backends("every_backend_gives_the_oracles_table") {
                let name = format!("{name}: {piles} piles to {size}, {passes} passes");
                let told = solve(&request, &*backend);
                assert_same(&name, &told, &truth);
                assert!(told.agreed(), "{name}");
            }
        }
    }
}

/// Every value of the committed list: x, y to 10, z to 4, with and without the pass.
#[test]
fn the_golden_values() {
    let golden = include_str!("../golden/nim-pass-3-piles.csv");
    for (name, backend) in backends("the_golden_values") {
        let told = solve(&request(3, 10, 1), &*backend);
        let mut seen = 0;
        for line in golden.lines().skip(1) {
            let [passes, x, y, z, value] = line.split(',').map(|n| n.parse().unwrap()).collect::<Vec<u32>>()[..] else {
                panic!("{line}");
            };
            assert_eq!(told.table.get(&[x, y, z], passes), u64::from(value), "{name}: {line}");
            seen += 1;
        }
        assert_eq!(seen, 1210);
    }
}

#[test]
fn known_answers() {
    for (name, backend) in backends("known_answers") {
        // P-positions with one pass and three piles in [0, N)^3.
        for (n, p_positions) in [(5, 21), (8, 54), (11, 105), (16, 216)] {
            let told = solve(&request(3, n - 1, 1), &*backend);
            assert_eq!(told.layers[1].p_positions, p_positions, "{name}, N = {n}");
        }
        let find = |piles: &[u32], passes| position::run(piles, passes, &*backend, &mut |_| {}).unwrap();
        let lost = find(&[7, 4, 2], 1);
        assert_eq!((lost.value, lost.winning.len()), (0, 0), "{name}");
        let two = find(&[2, 4], 1);
        assert_eq!((two.value, two.winning), (7, vec![Move::Take { pile: 1, left: 1 }]), "{name}");
    }
}

/// The theorem of the next pile has no exceptions on the boxes that the issue of this command named.
#[test]
fn the_theorem_of_the_next_pile() {
    let cpu = welter::backend::cpu::Cpu::new(None).unwrap();
    for (piles, size) in [(1, 1000), (2, 128), (3, 24)] {
        let told = solve(&request(piles, size, 1), &cpu);
        let side = size + 1;
        assert_eq!(told.next_pile.not_checked, None);
        let all = told.next_pile.all();
        assert_eq!(all.checked, 2 * (side.pow(piles as u32) + side.pow(piles as u32 + 1)));
        assert_eq!(all.differ, 0);
    }
}

/// The values, winning moves and passes of positions are those of the definition, piles in any order, empty ones too.
#[test]
fn positions_agree_with_the_oracle() {
    for (name, backend) in backends("positions_agree_with_the_oracle") {
        for piles in [&[0][..], &[0, 0, 0], &[5], &[3, 0, 4], &[1, 2], &[9, 6], &[4, 7, 2], &[2, 3, 1, 2], &[1; 7]] {
            for passes in 0..=3 {
                let told = position::run(piles, passes, &*backend, &mut |_| {}).unwrap();
                let truth = position::run_by_oracle(piles, passes).unwrap();
                assert_eq!(told.value, truth.value, "{name}: {piles:?}, {passes}");
                assert_eq!(told.winning, truth.winning, "{name}: {piles:?}, {passes}");
                assert_eq!(told.value == 0, told.winning.is_empty());
            }
        }
    }
    // A pass can be the only winning move: (2, 2) has value 0 without passes.
    let cpu = welter::backend::cpu::Cpu::new(Some(1)).unwrap();
    let told = position::run(&[2, 2], 1, &cpu, &mut |_| {}).unwrap();
    assert!(told.winning.contains(&Move::Pass));
}

/// Odd shapes: 16 bits or 32 a value makes no difference, on any backend.
#[test]
fn wide_values_are_the_same() {
    for (name, backend) in backends("wide_values_are_the_same") {
        for (piles, size) in [(1, 100), (2, 33), (3, 9), (6, 2)] {
            let narrow = solve(&request(piles, size, 2), &*backend);
            let tuning = PassTuning { wide: true, ..Default::default() };
            let wide = solve(&Request { tuning, ..request(piles, size, 2) }, &*backend);
            assert!(matches!(wide.table.layers[0], welter::kernels::layer::Values::U32(_)));
            assert_same(&name, &wide, &narrow);
        }
        // A pile whose values do not fit 16 bits.
        let told = solve(&Request { next_pile: Some(false), ..request(1, 66_000, 1) }, &*backend);
        assert_eq!(told.table.get(&[65_999], 1), 66_000, "{name}");
        assert!(told.agreed());
    }
}

/// Rows too short for the values: reported with a position whose value is just above, never truncated.
#[test]
fn a_full_row_is_an_error_that_names_the_position() {
    for (name, backend) in backends("a_full_row_is_an_error_that_names_the_position") {
        for passes in [0, 1] {
            let tuning = PassTuning { row_words: Some(1), ..Default::default() };
            let request = Request { tuning, ..request(2, 70, passes) };
            let failed = pass::run(&request, &*backend, &mut |_| {});
            let Err(Error::RowFull { piles, passes: _, values }) = failed else { panic!("{name}: went through") };
            assert!(values == 64 || values == 32, "{name}");
            let piles: Vec<u32> = piles.split(',').map(|pile| pile.parse().unwrap()).collect();
            let value = u64::from(piles[0] ^ piles[1]);
            assert!(value >= values, "{name}: {piles:?} has value {value}");
        }
        // Just enough.
        let tuning = PassTuning { row_words: Some(2), ..Default::default() };
        solve(&Request { tuning, ..request(2, 31, 0) }, &*backend);
    }
}

/// A bug in a kernel is seen by the checks that it concerns.
#[test]
fn planted_bugs_are_found() {
    for (name, backend) in backends("planted_bugs_are_found") {
        for (piles, size) in [(2, 9), (3, 5)] {
            let told = solve(&Request { bug: Some(Bug::Pile), ..request(piles, size, 1) }, &*backend);
            assert!(!told.agreed(), "{name}");
            for check in [&told.xor, &told.permutation, &told.latin] {
                assert!(check.differ > 0, "{name}");
                let first = check.first.as_ref().expect("a first difference");
                assert_eq!(told.table.get(&first.position, first.passes_left), first.value, "{name}");
            }
            // The first in the order of reports: the first pile alone has no move.
            let first = told.xor.first.clone().unwrap();
            assert_eq!((first.position[0], first.value), (1, 0), "{name}");

            // Passing on the empty board is another game: XOR of the piles, XOR 1 with one pass. It has no value twice on
            // a line and no order of piles, but other P-positions.
            let told = solve(&Request { bug: Some(Bug::Pass), ..request(piles, size, 1) }, &*backend);
            let differ = told.checks().map(|(name, check)| (name, check.differ > 0));
            let expected = ["one_pile", "two_piles", "next_pile"];
            assert_eq!(
                differ.map(|(name, differ)| differ == expected.contains(&name)),
                [true; 7],
                "{name}: {differ:?}"
            );
            assert_eq!(told.table.get(&vec![1; piles], 1), (piles as u64 % 2) ^ 1, "{name}");
        }
    }
}

/// Every single altered cell of a table is found.
#[test]
fn the_checks_find_any_altered_cell() {
    use welter::check::boxes::Layer;
    use welter::kernels::layer::Values;
    let cpu = welter::backend::cpu::Cpu::new(Some(1)).unwrap();
    let told = solve(&request(3, 4, 1), &cpu);
    let next = solve(&request(4, 4, 1), &cpu);
    for (passes_left, (values, with)) in (0..).zip(told.table.layers.iter().zip(&next.table.layers)) {
        let Values::U16(right) = values else { panic!("narrow") };
        for cell in 0..right.len() {
            let mut wrong = right.clone();
            wrong[cell] = if wrong[cell] == 0 { 1 } else { 0 };
            let values = Values::U16(wrong);
            let layer = Layer { sides: &told.table.sides, passes_left, values: &values };
            assert!(layer.latin(13).differ > 0);
            assert!(layer.next_pile(with).differ > 0);
            if passes_left == 0 {
                assert_eq!(layer.xor().differ, 1);
            }
            let piles = welter::index::boxes::piles(&told.table.sides, cell as u64);
            let symmetric = piles.iter().all(|pile| *pile == piles[0]);
            assert_eq!(layer.permutation().differ == 0, symmetric, "{piles:?}");
        }
    }
}

/// Which layers are equal: for one pile all of one parity.
#[test]
fn equal_layers_are_told() {
    for (name, backend) in backends("equal_layers_are_told") {
        assert_eq!(solve(&request(1, 50, 5), &*backend).equal_layers, [[0, 2, 4], [1, 3, 5]], "{name}");
        assert_eq!(solve(&request(2, 0, 2), &*backend).equal_layers, [[0, 1, 2]], "{name}");
        assert!(solve(&request(2, 20, 1), &*backend).equal_layers.is_empty(), "{name}");
    }
}

/// A GPU of tiny limits: values and rows over many bindings, folded dispatches, several submissions.
#[cfg(feature = "gpu")]
#[test]
fn tiny_limits_give_the_same_table() {
    use welter::backend::gpu::{Caps, Gpu};
    let cpu = welter::backend::cpu::Cpu::new(None).unwrap();
    for adapter in crate::support::adapters("tiny_limits_give_the_same_table") {
        for (piles, size, binding) in [(1, 700, 512), (2, 40, 1024), (3, 16, 4096), (4, 7, 4096)] {
            let request = Request { next_pile: Some(false), ..request(piles, size, 2) };
            let truth = solve(&request, &cpu);
            for workgroup_size in [8, 24] {
                let caps = Caps {
                    binding: Some(binding),
                    workgroups: Some(2),
                    workgroup_size: Some(workgroup_size),
                    ..Default::default()
                };
                let gpu = Gpu::open(adapter.clone(), &caps).unwrap();
                let plan = pass::plan(&request, &gpu).unwrap().main;
                let (for_values, for_rows) =
                    (plan.grid.cells.div_ceil(plan.piece.0), plan.grid.rows.div_ceil(plan.piece.1));
                assert!(for_values > 1, "values are not split");
                assert!(for_rows > 1 || piles == 1, "rows are not split");
                assert_same(&format!("{}, {piles} piles", adapter.name()), &solve(&request, &gpu), &truth);
            }
        }
        let caps = Caps { binding: Some(1024), ..Default::default() };
        let gpu = Gpu::open(adapter, &caps).unwrap();
        let refused = pass::plan(&request(3, 100, 1), &gpu).unwrap_err().to_string();
        assert!(refused.contains("the largest SIZE that fits is"), "{refused}");
    }
}

/// Larger boxes than the oracle can have, with levels that several threads share: every backend the same digests.
#[test]
fn larger_boxes_agree_across_backends() {
    for (piles, size, passes) in [(2, 300, 2), (2, 1500, 1), (3, 100, 1), (4, 14, 1)] {
        let mut digests = Vec::new();
        for (name, backend) in backends("larger_boxes_agree_across_backends") {
            let told = solve(&Request { next_pile: Some(false), ..request(piles, size, passes) }, &*backend);
            assert!(told.agreed(), "{name}");
            digests.push((name, told.layers));
        }
        for (name, layers) in &digests {
            assert_eq!(*layers, digests[0].1, "{name}");
        }
    }
}

fn json(arguments: &[&str]) -> Value {
    let output = welter().args(arguments).output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("one JSON document")
}

#[test]
fn json_is_one_document_with_every_field() {
    let told = json(&["pass", "2", "20", "--passes", "2", "--format", "json", "--backend", "cpu", "--show"]);
    assert_eq!(told["command"], "pass");
    assert_eq!((&told["piles"], &told["size"], &told["passes"]), (&2.into(), &20.into(), &2.into()));
    let layers = told["layers"].as_array().unwrap();
    assert_eq!(layers.len(), 3);
    for (passes_left, layer) in layers.iter().enumerate() {
        assert_eq!(layer["passes_left"], passes_left);
        assert_eq!(layer["positions"], 441);
        assert_eq!(layer["p_positions"], 21);
        assert!(layer["max_value"].as_u64().is_some_and(|v| v >= 20));
        assert_eq!(layer["digest"].as_str().unwrap().len(), 16);
    }
    let checks = &told["checks"];
    for (name, checked) in [("xor", 441), ("permutation", 3 * 441), ("latin", 6 * 441), ("one_pile", 3 * 41)] {
        assert_eq!(checks[name]["checked"], checked, "{name}");
        assert_eq!(checks[name]["differ"], 0);
        assert!(checks[name]["first"].is_null());
    }
    let next = &checks["next_pile"];
    assert_eq!(next["checked"], 3 * (441 + 9261));
    assert_eq!(next["links"].as_array().unwrap().len(), 6);
    assert!(next["exceptions"].is_u64() && next["not_checked"].is_null());
    assert!(told["equal_layers"].is_array());
    assert_eq!(told["tables"][1][2][4], 7);
    for time in ["solve", "check", "total"] {
        assert!(told["seconds"][time].is_f64());
    }

    let told = json(&["pass", "--position", "2,4", "--format", "json", "--backend", "cpu"]);
    assert_eq!((&told["value"], &told["p_position"]), (&7.into(), &false.into()));
    assert_eq!(told["winning_moves"][0]["piles"], serde_json::json!([2, 1]));
    let told = json(&["pass", "3", "9", "--dry-run", "--format", "json", "--backend", "cpu"]);
    assert_eq!(told["plan"]["memory"]["table"], 4000);
    assert_eq!(told["plan"]["greatest_possible_value"], 28);
}

#[test]
fn tables_lists_and_pictures_are_files() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    for (i, backend) in ["cpu", "oracle"].iter().enumerate() {
        let (table, list) = (path(&format!("{i}.npy")), path(&format!("{i}.csv")));
        json(&["pass", "3", "10", "--format", "json", "--backend", backend, "--table", &table, "--p-positions", &list]);
        let bytes = std::fs::read(&table).unwrap();
        let npy = npyz::NpyFile::new(&bytes[..]).unwrap();
        assert_eq!(npy.shape(), [2, 11, 11, 11]);
        assert_eq!(npy.order(), npyz::Order::C);
        let values: Vec<u16> = npy.into_vec().unwrap();
        for line in include_str!("../golden/nim-pass-3-piles.csv").lines().skip(1) {
            let n: Vec<usize> = line.split(',').map(|n| n.parse().unwrap()).collect();
            assert_eq!(usize::from(values[((n[0] * 11 + n[1]) * 11 + n[2]) * 11 + n[3]]), n[4], "{line}");
        }
        let list = std::fs::read_to_string(&list).unwrap();
        assert_eq!(list.lines().next(), Some("passes_left,x1,x2,x3"));
        assert_eq!(list.lines().filter(|line| line.starts_with("1,")).count(), 105);
        assert!(list.lines().any(|line| line == "1,7,4,2"));
    }
    let (png, svg) = (path("a.png"), path("a.svg"));
    json(&["pass", "2", "40", "--format", "json", "--plot", &png]);
    let bytes = std::fs::read(&png).unwrap();
    let picture = png::Decoder::new(&bytes[..]).read_info().unwrap();
    assert!(picture.info().width > 700 && picture.info().height > 700);
    json(&["pass", "3", "10", "--format", "json", "--plot", &svg, "--plot-at", "4", "--plot-passes", "0"]);
    let picture = std::fs::read_to_string(&svg).unwrap();
    assert!(picture.starts_with("<svg") && picture.contains("g(x, y, 4)") && picture.contains("pile y"));
    assert_eq!(picture.matches("data:image/png;base64,iVBOR").count(), 2, "the picture and the colour bar");
}

#[test]
fn a_planted_bug_exits_with_1_and_names_a_position() {
    for bug in ["pile", "pass"] {
        let output = welter().args(["pass", "2", "9", "--backend", "cpu", "--plant-bug", bug]).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{bug}");
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.contains("left: value "), "{bug}: no position is named in\n{text}");
    }
}

#[test]
fn odd_boxes_follow_the_mathematics() {
    for (name, backend) in backends("odd_boxes_follow_the_mathematics") {
        for (piles, size) in [(0, 0), (0, 1000), (1, 0), (31, 0)] {
            let told = solve(&request(piles, size, 2), &*backend);
            assert!(told.agreed(), "{name}");
            assert!(told.layers.iter().all(|layer| (layer.positions, layer.p_positions) == (1, 1)), "{name}");
            assert_eq!(told.table.get(&vec![0; piles], 2), 0, "{name}");
        }
    }
}

#[test]
fn bad_input_gets_one_line_and_exit_code_2() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    let (missing, text, held) = (path("no/such.png"), path("a.txt"), path("held.npy"));
    writeln!(std::fs::File::create(&held).unwrap(), "kept").unwrap();
    let cases: &[(&[&str], &[&str])] = &[
        (&["pass", "9", "1000"], &["9 piles to 1000", "available", "the largest SIZE that fits is"]),
        (&["pass", "31", "4000"], &["31 piles", "available", "the largest SIZE that fits is"]),
        (&["pass", "32", "0"], &["PILES = 32", "31"]),
        (&["pass", "2", "-1"], &["-1", "SIZE", "from 0"]),
        (&["pass", "-2", "1"], &["-2", "PILES", "from 0"]),
        (&["pass", "2", "x"], &["'x'", "SIZE"]),
        (&["pass", "2"], &["SIZE"]),
        (&["pass"], &["PILES"]),
        (&["pass", "1", "99999999999"], &["SIZE = 99999999999", "2147483648"]),
        (&["pass", "2", "5", "--passes", "-1"], &["-1", "passes"]),
        (&["pass", "2", "5", "--passes", "99999"], &["--passes 99999", "10000"]),
        (&["pass", "--position", "7,,2"], &["7,,2", "such as 7,4,2"]),
        (&["pass", "--position", "-7"], &["-7", "such as 7,4,2"]),
        (&["pass", "--position", "4000000000"], &["4000000000", "2147483648"]),
        (&["pass", "--position", "9999,9999,9999"], &["--position", "available", "smaller piles"]),
        (&["pass", "2", "5", "--position", "1,2"], &["--position"]),
        (&["pass", "2", "100", "--show"], &["--show", "63", "--table"]),
        (&["pass", "9", "3", "--show"], &["--show", "1000", "--table"]),
        (&["pass", "1", "5", "--plot", "a.png"], &["--plot", "PILES = 1"]),
        (&["pass", "2", "5", "--plot", &text], &["a.txt", ".png", ".svg"]),
        (&["pass", "2", "5", "--plot", &missing], &["such.png", "folder"]),
        (&["pass", "2", "5", "--plot", "a.png", "--plot-passes", "2"], &["--plot-passes 2", "--passes 1"]),
        (&["pass", "3", "5", "--plot", "a.png", "--plot-at", "6"], &["--plot-at", "6", "SIZE = 5"]),
        (&["pass", "3", "5", "--plot", "a.png", "--plot-at", "1,2"], &["--plot-at", "1"]),
        (&["pass", "2", "5", "--p-positions", &missing], &["such.png", "folder"]),
        (&["pass", "2", "9999", "--backend", "oracle", "--table", &held], &["--backend oracle", "--backend cpu"]),
        (&["pass", "2", "5", "--backend", "oracle", "--dry-run"], &["--dry-run", "oracle"]),
        (&["pass", "3", "999", "--next-pile", "--backend", "cpu", "--passes", "0"], &["--next-pile", "available"]),
        (&["bench", "--pass", "9999"], &["--pass 9999", "2047"]),
    ];
    for (arguments, words) in cases {
        let output = welter().args(*arguments).current_dir(&folder).output().unwrap();
        let text = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {text}");
        assert!(output.stdout.is_empty(), "{arguments:?}");
        assert_eq!(text.lines().count(), 1, "{arguments:?}: {text}");
        assert!(words.iter().all(|word| text.contains(word)), "{arguments:?}: {text}");
    }
    assert_eq!(std::fs::read_to_string(&held).unwrap(), "kept\n");
}
