//! Young diagrams: full ones and msg, on every backend, against the oracle and the literature.

use proptest::prelude::*;
use serde_json::Value;
use welter::index::partitions::PartitionCounts;
use welter::theory::{degree, digits, hooks, ord};
use welter::{full, msg};

use crate::support::{backends, welter};

/// OEIS A059867, n = 1 to 16, and Macdonald's theorem beyond.
#[test]
fn odd_degrees_are_a059867() {
    let known = [1, 2, 2, 4, 4, 8, 8, 8, 8, 16, 16, 32, 32, 64, 64, 16];
    let request = full::Request { p: 2, nmax: 60, window: 20, bug: false };
    let cpu = welter::backend::cpu::Cpu::new(None).unwrap();
    let outcome = full::run(&request, &cpu, None, &mut |_| {}).unwrap();
    assert!(outcome.agreed());
    let counted: Vec<u64> = outcome.terms[1..=16].iter().map(|term| term.counted.full).collect();
    assert_eq!(counted, known);
    for term in &outcome.terms {
        let n = term.n;
        let exponents: u32 = (0..7).filter(|e| n >> e & 1 == 1).sum();
        assert_eq!(term.counted.full, 1 << exponents);
        assert_eq!(term.macdonald, Some(1 << exponents));
        assert_eq!(term.by_brute_force, (n < 20).then_some(1 << exponents), "n = {n}");
    }
}

#[test]
fn every_backend_counts_as_the_oracle() {
    for (name, backend) in backends("every_backend_counts_as_the_oracle") {
        for p in [2, 3, 4, 5, 6, 29, 31] {
            for nmax in [0, 1, 7, 30] {
                let request = full::Request { p, nmax, window: 0, bug: false };
                let truth = full::run_by_oracle(&request).unwrap();
                let outcome = full::run(&request, &*backend, None, &mut |_| {}).unwrap();
                assert_eq!(outcome.terms, truth.terms, "{name}, p = {p}, nmax = {nmax}");
                assert!(outcome.agreed());
                let request = msg::Request { p, nmax: nmax.min(24), bug: false };
                let truth = msg::run_by_oracle(&request).unwrap();
                let outcome = msg::run(&request, &*backend, None, &mut |_| {}).unwrap();
                assert_eq!(outcome.rows, truth.rows, "{name}, p = {p}, nmax = {nmax}");
                assert_eq!(outcome.exceptions(), 0);
            }
        }
    }
}

#[test]
fn theorem_1_as_far_as_the_literature_checked_it() {
    let cpu = welter::backend::cpu::Cpu::new(None).unwrap();
    for (p, nmax, diagrams) in [(2, 40, 215_308), (3, 40, 215_308), (5, 30, 28_629)] {
        let outcome = msg::run(&msg::Request { p, nmax, bug: false }, &cpu, None, &mut |_| {}).unwrap();
        assert_eq!((outcome.partitions(), outcome.exceptions()), (diagrams, 0));
    }
}

/// Diagrams of more than 64 cells have coins above square 63, and sizes above 63.
#[test]
fn masks_and_sizes_of_more_than_64_bits() {
    let tables = welter::index::young::YoungTables::new(3, 100);
    for (name, backend) in backends("masks_and_sizes_of_more_than_64_bits") {
        let mut engine = backend.open_young(&tables).unwrap();
        // The last nodes are one row of 100, 99, ... cells; those before have few rows.
        let nodes = tables.counts.nodes();
        let nodes = nodes.min(u64::from(u32::MAX));
        let found = engine.full(nodes - 3000, 3000).unwrap();
        let mut expected = vec![welter::kernels::full::FullCount::default(); 101];
        for node in nodes - 3000..nodes {
            let mut parts = Vec::new();
            tables.counts.node(node, |part| parts.push(part));
            let n: u32 = parts.iter().sum();
            let coins = full::coins_of(&parts);
            let is_full = digits::value(3, &coins) == u64::from(n);
            let ords: u64 = hooks::hooks(&coins).iter().map(|h| u64::from(ord(3, *h))).sum();
            let by_degree = ords == degree::legendre(3, n.into());
            expected[n as usize].add(&welter::kernels::full::FullCount {
                partitions: 1,
                full: is_full.into(),
                by_degree: by_degree.into(),
                disagreements: (is_full != by_degree).into(),
            });
        }
        assert_eq!(found, expected, "{name}");
    }
}

#[test]
fn planted_bugs_are_found() {
    for (name, backend) in backends("planted_bugs_are_found") {
        let outcome =
            full::run(&full::Request { p: 2, nmax: 12, window: 0, bug: true }, &*backend, None, &mut |_| {}).unwrap();
        assert!(outcome.disagreements() > 0 && !outcome.agreed(), "{name}");
    }
    let found = welter().args(["full", "12", "--window", "0", "--backend", "cpu", "--plant-bug"]).output().unwrap();
    assert_eq!(found.status.code(), Some(1));
}

#[test]
fn largest_full_diagrams_inside() {
    let inside = |p, coins: &[u64]| {
        let rows = full::rows_of(::welter::Position::from_coins(coins).unwrap());
        msg::largest_full_inside(p, &rows).unwrap().msg()
    };
    assert_eq!(inside(3, &[3, 7]), 8);
    assert_eq!(inside(3, &[3, 4, 5]), 6);
    assert_eq!(inside(2, &[3, 7]), 6);
    assert_eq!(inside(2, &[3, 4, 5]), 7);
    assert_eq!(inside(2, &[]), 0);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Macdonald 1971: fullness is a degree prime to p, for every diagram and prime.
    #[test]
    fn full_is_degree_prime_to_p(rank in 0u64..1_000_000_000, n in 1u32..70, which in 0usize..4) {
        let counts = PartitionCounts::new(70).unwrap();
        let p = [2, 3, 5, 7][which];
        let mut parts = Vec::new();
        counts.unrank(n, rank % counts.of(n), |part| parts.push(part));
        let coins = full::coins_of(&parts);
        let ords: u64 = hooks::hooks(&coins).iter().map(|h| u64::from(ord(p, *h))).sum();
        let by_degree = ords == degree::legendre(p, n.into());
        prop_assert_eq!(digits::value(p, &coins) == u64::from(n), by_degree);
    }

    /// Irie's Theorem 1, one diagram at a time, found from above.
    #[test]
    fn theorem_1_from_above(rank in 0u64..1_000_000, n in 1u32..24, p in 2u32..8) {
        let counts = PartitionCounts::new(24).unwrap();
        let mut parts = Vec::new();
        counts.unrank(n, rank % counts.of(n), |part| parts.push(part));
        let found = msg::largest_full_inside(p, &parts).unwrap();
        prop_assert!(found.msg() >= found.b_p && found.msg() <= u64::from(n));
        let coins = full::coins_of(&found.inside);
        prop_assert_eq!(digits::value(p.into(), &coins), found.msg());
    }
}

fn json(arguments: &[&str]) -> Value {
    let output = welter().args(arguments).output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("one JSON document")
}

#[test]
fn documents_have_every_field() {
    let told = json(&["full", "32", "--format", "json", "--backend", "cpu", "--window", "12"]);
    assert_eq!(told["command"], "full");
    assert_eq!((&told["p"], &told["nmax"], &told["disagreements"]), (&2.into(), &32.into(), &0.into()));
    assert_eq!(told["partitions"], (1..=32).map(|n| PartitionCounts::new(32).unwrap().of(n)).sum::<u64>());
    let terms = told["terms"].as_array().unwrap();
    assert_eq!(terms.len(), 33);
    assert_eq!(terms[31]["partitions"], 6842);
    assert_eq!((&terms[31]["full"], &terms[32]["full"]), (&1024.into(), &32.into()));
    assert_eq!((&terms[11]["by_brute_force"], &terms[12]["by_brute_force"]), (&16.into(), &Value::Null));
    let composite = json(&["full", "12", "-p", "6", "--format", "json", "--backend", "cpu"]);
    assert!(composite["terms"][5]["by_degree"].is_null() && composite["terms"][5]["macdonald"].is_null());

    let told = json(&["msg", "3", "20", "--format", "json", "--backend", "cpu"]);
    assert_eq!((&told["command"], &told["p"], &told["exceptions"]), (&"msg".into(), &3.into(), &0.into()));
    for field in ["n", "partitions", "full", "sum_msg", "max_msg"] {
        assert!(told["rows"][20][field].is_u64(), "{field}");
    }
    let one = json(&["msg", "3", "--coins", "3,7", "--format", "json"]);
    assert_eq!((&one["msg"], &one["partition"]), (&8.into(), &serde_json::json!([6, 3])));
}

#[test]
fn b_files_are_written_compared_and_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("b.txt");
    let file = path.to_str().unwrap();
    let run = |arguments: &[&str]| {
        let output = welter().args(arguments).output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    let full = ["full", "20", "--window", "0", "--backend", "cpu"];
    assert_eq!(run(&[&full[..], &["--bfile", file]].concat()).0, Some(0));
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.starts_with("1 1\n2 2\n3 2\n4 4\n") && text.lines().count() == 20);
    assert_eq!(run(&[&full[..], &["--check-bfile", file]].concat()).0, Some(0));

    std::fs::write(&path, format!("# a comment\n\n{}", text.replace("\n7 8\n", "\n7 9\n"))).unwrap();
    let (code, told) = run(&[&full[..], &["--check-bfile", file]].concat());
    assert_eq!(code, Some(1));
    assert!(told.contains("n = 7") && told.contains('9') && told.contains('8'), "{told}");

    for bad in ["1 1\n2 two\n", "1 1\n2\n", "1 1\n2 2 2\n", "1 1\n-2 2\n"] {
        std::fs::write(&path, bad).unwrap();
        let (code, told) = run(&[&full[..], &["--check-bfile", file]].concat());
        assert_eq!(code, Some(2), "{bad:?}");
        assert!(told.contains("line 2") && told.lines().count() == 1, "{told}");
    }
    std::fs::write(&path, "1000 1\n").unwrap();
    assert_eq!(run(&[&full[..], &["--check-bfile", file]].concat()).0, Some(2));
    assert_eq!(run(&[&full[..], &["--check-bfile", "/nonexistent"]].concat()).0, Some(2));
}

#[test]
fn bad_input_gets_one_line_and_exit_code_2() {
    let cases: &[(&[&str], &[&str])] = &[
        (&["full", "128"], &["NMAX = 128", "127"]),
        (&["full", "4294967295"], &["NMAX", "127"]),
        (&["full", "-1"], &["-1", "NMAX"]),
        (&["full", "ten"], &["'ten'", "NMAX"]),
        (&["full", "10", "-p", "1"], &["p = 1", "2"]),
        (&["full", "10", "-p", "0"], &["p = 0"]),
        (&["full", "46", "--backend", "oracle"], &["NMAX = 46", "45"]),
        (&["full", "10", "--bfile", "/nonexistent/b.txt", "--window", "0", "--quiet"], &["/nonexistent/b.txt"]),
        (&["msg", "3", "125"], &["NMAX = 125", "the largest that works"]),
        (&["msg", "3", "500"], &["NMAX = 500", "128 bits"]),
        (&["msg", "1", "10"], &["p = 1"]),
        (&["msg", "3"], &["NMAX"]),
        (&["msg", "3", "--coins", "1,1"], &["--coins", "twice"]),
        (&["msg", "3", "--coins", "64"], &["--coins", "63"]),
        (&["msg", "3", "--coins", "1,-2"], &["--coins"]),
        (&["msg", "3", "33", "--backend", "oracle"], &["NMAX = 33", "32"]),
    ];
    for (arguments, words) in cases {
        let output = welter().args(*arguments).output().unwrap();
        let text = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {text}");
        assert!(output.stdout.is_empty(), "{arguments:?}");
        assert_eq!(text.lines().count(), 1, "{arguments:?}: {text}");
        assert!(words.iter().all(|word| text.contains(word)), "{arguments:?}: {text}");
    }
}
