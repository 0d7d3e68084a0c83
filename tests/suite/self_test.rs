//! `welter self-test`: every rung of every game, and bugs that it must find.

use std::time::{Duration, Instant};

use serde_json::Value;
use welter::selftest::{self, GAMES};

use crate::support::{has_gpu, welter};

fn told(arguments: &[&str], code: i32) -> Value {
    let output = welter().args(["self-test", "--format", "json"]).args(arguments).output().unwrap();
    assert_eq!(output.status.code(), Some(code), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("one JSON document")
}

#[test]
fn every_rung_of_every_game_is_climbed_in_time() {
    let began = Instant::now();
    let told = told(&[], 0);
    assert!(began.elapsed() < Duration::from_secs(30), "{:?}", began.elapsed());
    assert_eq!(told["ok"], true);
    let steps = told["steps"].as_array().unwrap();
    let mut kinds = vec!["oracle", "CPU, 1 thread", "CPU, "];
    let gpu = has_gpu("every_rung_of_every_game_is_climbed_in_time");
    for game in GAMES {
        let rungs: Vec<&str> = (steps.iter())
            .filter(|step| step["game"] == game.name)
            .map(|step| step["rung"].as_str().unwrap())
            .collect();
        for kind in &mut kinds {
            assert!(rungs.iter().any(|rung| rung.starts_with(*kind)), "{}: no {kind} in {rungs:?}", game.name);
        }
        let adapters = rungs.iter().filter(|rung| rung.starts_with("GPU ") || rung.starts_with("software adapter "));
        assert_eq!(adapters.count() > 0, gpu, "{rungs:?}");
    }
    for step in steps {
        let (ok, compared) = (step["ok"].as_bool().unwrap(), step["compared"].as_u64().unwrap());
        assert!(ok && compared > 100 && step["first_difference"].is_null(), "{step}");
    }
}

#[test]
fn a_planted_bug_fails_the_steps_of_its_game_and_no_other() {
    for game in GAMES {
        let told = told(&["--plant-bug", game.name], 1);
        assert_eq!(told["ok"], false);
        for step in told["steps"].as_array().unwrap() {
            let bitten = step["game"] == game.name && step["rung"] != "oracle";
            assert_eq!(step["ok"].as_bool().unwrap(), !bitten, "{step}");
            let first = &step["first_difference"];
            assert_eq!(first["cell"].is_string() && first["value"] != first["expected"], bitten, "{step}");
        }
        let output = welter().args(["self-test", "--plant-bug", game.name]).output().unwrap();
        assert_eq!(output.status.code(), Some(1));
        let text = String::from_utf8(output.stdout).unwrap();
        let failed: Vec<&str> = text.lines().filter(|line| line.starts_with("FAILED ")).collect();
        assert!(!failed.is_empty(), "{text}");
        assert!(failed.iter().all(|line| line.contains(game.name) && line.contains("expected ")), "{text}");
        assert!(text.lines().last().unwrap().contains("FAILED"), "{text}");
    }
    let output = welter().args(["self-test", "--plant-bug", "chess"]).output().unwrap();
    assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0));
}

/// A window's first difference is a position, the least mask that differs.
#[test]
fn the_first_difference_names_the_position() {
    let told = told(&["--plant-bug", "brute"], 1);
    let step = told["steps"].as_array().unwrap().iter().find(|step| step["ok"] == false).unwrap();
    let cell = step["first_difference"]["cell"].as_str().unwrap();
    assert!(cell.starts_with("window 5, {"), "{cell}");
}

/// An adapter that does not open fails its steps; the others go on.
#[test]
fn a_rung_that_does_not_open_is_a_failed_step() {
    let cpu = welter::backend::cpu::Cpu::new(Some(1)).unwrap();
    let rungs: Vec<selftest::Rung> = vec![
        ("broken".into(), Err(welter::Error::Device("the driver says no".into()))),
        ("cpu".into(), Ok(Box::new(cpu))),
    ];
    let mut told = 0;
    let steps = selftest::run(&rungs, None, &mut |_| told += 1);
    assert_eq!((steps.len(), told), (3 * GAMES.len(), 3 * GAMES.len()));
    for step in &steps {
        assert_eq!(step.ok(), step.rung != "broken", "{step:?}");
        assert!(step.difference.is_none(), "{step:?}");
        assert_eq!(step.error.as_deref(), (step.rung == "broken").then_some("the driver says no"));
    }
}
