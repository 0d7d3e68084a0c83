//! `welter position` as a user meets it: documents, messages, exit codes.

use assert_cmd::Command;
use serde_json::{Value, json};

/// Exit code, standard output, standard error.
fn run(arguments: &[&str], input: &str) -> (i32, String, String) {
    let mut command = Command::cargo_bin("welter").unwrap();
    let output = command.arg("position").args(arguments).write_stdin(input).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

fn document(arguments: &[&str]) -> Value {
    let (code, out, err) = run(&[&["--format", "json"], arguments].concat(), "");
    assert_eq!((code, err.as_str()), (0, ""), "{arguments:?}");
    serde_json::from_str(&out).unwrap()
}

#[test]
fn the_document() {
    let mut found = document(&["11", "1", "5", "4", "9"]);
    assert!(found.as_object_mut().unwrap().remove("version").is_some());
    let expected = json!({
        "command": "position",
        "coins": [1, 4, 5, 9, 11],
        "value": 14,
        "p_position": false,
        "formulas": {"mating": 14, "pairs": 14, "digit": 14, "hook": 14},
        "partition": [7, 6, 3, 3, 1],
        "cells": 20,
        "hooks_divisible": [20, 7, 3, 1],
        "degree": "94057600",
        "full": false,
        "winning_moves": [{"from": 9, "to": 3}],
    });
    assert_eq!(found, expected);
}

#[test]
fn no_moves() {
    for coins in [&[""][..], &["{}"], &["0"], &["0,1", "2 3"]] {
        let found = document(coins);
        assert_eq!((&found["value"], &found["p_position"]), (&json!(0), &json!(true)), "{coins:?}");
        assert_eq!((&found["cells"], &found["winning_moves"]), (&json!(0), &json!([])), "{coins:?}");
        assert_eq!((&found["partition"], &found["degree"], &found["full"]), (&json!([]), &json!("1"), &json!(true)));
    }
    assert_eq!(document(&["1", "2"])["value"], 2);
}

#[test]
fn wished_values_and_bases() {
    let found = document(&["1", "4", "5", "9", "11", "--to", "13", "-p", "3"]);
    let moves = found["to"]["moves"].as_array().unwrap();
    assert_eq!((found["to"]["value"].as_u64(), moves.len() % 2), (Some(13), 1));
    assert_eq!(document(&["1", "4", "--to", "4"])["to"]["moves"], json!([]));
    assert_eq!((&found["p"], &found["b_p"]), (&json!(3), &json!(20)));
    assert_eq!(document(&["3", "7", "-p", "3"])["msg"], 8);
    assert_eq!(document(&["3", "4", "5", "-p", "3"])["msg"], 6);
    // Rows of 2 and 1 cells, degree 2: full for 3 and not for 2.
    assert_eq!(document(&["1", "3"])["full"], false);
    assert_eq!(document(&["1", "3", "-p", "3"])["full"], true);
}

/// Integers above 2^53 are strings, and what is too large is null: never rounded, never wrapped.
#[test]
fn the_last_square() {
    let last = "9223372036854775807";
    let found = document(&[last, "9223372036854775806"]);
    assert_eq!(found["coins"], json!(["9223372036854775806", last]));
    assert_eq!(found["cells"], "18446744073709551612");
    assert_eq!(found["value"], 0);
    assert_eq!(found["formulas"], json!({"mating": 0, "pairs": 0, "digit": 0, "hook": null}));
    assert_eq!((&found["degree"], &found["winning_moves"]), (&Value::Null, &json!([])));
    let found = document(&[last, "-p", "9223372036854775807"]);
    assert_eq!((&found["value"], &found["b_p"]), (&json!(last), &json!(last)));
    assert_eq!(found["winning_moves"], json!([{"from": last, "to": 0}]));
    // b_p beyond 64 bits: one hook divisible by p, and all but one of p more.
    assert_eq!(document(&[last, "-p", "9223372036854775806"])["b_p"], "9223372036854775807");
}

#[test]
fn the_explanation() {
    let (code, out, err) = run(&["1", "4", "5", "9", "11", "--explain"], "");
    assert_eq!((code, err.as_str()), (0, ""));
    for part in [
        "1 XOR 4 XOR 5 XOR 9 XOR 11 = 2",
        "XOR of the 10 N: 12",
        "2 XOR 12 = 14",
        "1 and 9 are mates: M = 15",
        "4 is left over",
        "2 XOR 15 XOR 3 = 14",
        "  11  11   9   8   5   4   3   1\n",
        "divisible by 1: 20, even, so bit 0 is 0",
        "divisible by 8: 1, odd, so bit 3 is 1",
        "1110 in binary is 14",
        "Diagram (7,6,3,3,1), conjugate (5,4,4,2,2,2,1)",
        "9 -> 3 removes the hook of length 6",
        "  o o o o o o o\n  o o @ # # #\n  o o #\n  o o #\n  o\n",
    ] {
        assert!(out.contains(part), "{part:?} is missing from\n{out}");
    }
    let explained = &document(&["1", "4", "5", "9", "11", "--explain"])["explanation"];
    assert_eq!((&explained["xor_of_coins"], &explained["xor_of_n"]), (&json!(2), &json!(12)));
    assert_eq!(explained["mates"], json!([[1, 9, 15], [5, 11, 3]]));
    let removal = json!([{"from": 9, "to": 3, "hook_length": 6, "row": 1, "column": 2, "arm": 3, "leg": 2}]);
    assert_eq!(explained["removals"], removal);

    // What is too much to read is said to be left out.
    let many: Vec<String> = (0..100).map(|x| (x * 7).to_string()).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).chain(["--explain"]).collect();
    let (code, out, _) = run(&many, "");
    assert_eq!(code, 0);
    assert_eq!(out.matches("(left out: ").count(), 3, "{out}");
}

/// Every hook that a picture marks has as many cells as the move is long.
#[test]
fn pictures_mark_the_hook_of_the_move() {
    for coins in ["2 3 5 7 11 13 17 19 23", "1 3 8 9 15", "6", "3 4 5 6"] {
        let (_, out, _) = run(&[coins, "--explain", "--to", "1"], "");
        let pictures: Vec<&str> = out.split(" removes the hook of length ").skip(1).collect();
        assert!(!pictures.is_empty(), "{coins}");
        for picture in pictures {
            let length: usize = picture.split(' ').next().unwrap().parse().unwrap();
            let drawing: String = picture.lines().skip(1).take_while(|line| line.starts_with("  ")).collect();
            let marked = drawing.matches('#').count() + drawing.matches('@').count();
            assert_eq!(marked, length, "{coins}:\n{picture}");
        }
    }
}

#[test]
fn bad_arguments_are_named_in_one_line() {
    for (arguments, named) in [
        (&["1", "-3"][..], "coin -3 is negative"),
        (&["1", "x"], "coin 'x' is not a whole number"),
        (&["1", "2.5"], "coin '2.5'"),
        (&["9223372036854775808"], "coin 9223372036854775808 is too large"),
        (&["4", "1", "4"], "coin 4 is named twice"),
        (&["-", "3"], "coin '-'"),
        (&[], "a position is needed"),
        (&["1", "--to", "-1"], "--to"),
        (&["1", "--to", "9223372036854775808"], "--to"),
        (&["1", "-p", "1"], "-p"),
        (&["1", "-p", "x"], "-p"),
        (&["1", "--file", "x"], "--file"),
        (&["--file", "no/such/file"], "no/such/file"),
        (&["-", "--explain"], "--explain"),
    ] {
        let (code, out, err) = run(arguments, "");
        assert_eq!((code, out.as_str(), err.lines().count()), (2, "", 1), "{arguments:?}: {err}");
        assert!(err.starts_with("welter: error: ") && err.contains(named), "{arguments:?}: {err}");
    }
}

const BATCH: &str = "1 4 5 9 11\n3 x\n# a comment\n\n2,2\n{1, 2} # braces\n0 1 2";

#[test]
fn a_batch_goes_on_past_bad_lines() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("positions.txt");
    std::fs::write(&path, BATCH).unwrap();
    let from_file = run(&["--file", path.to_str().unwrap(), "--format", "json"], "");
    let (code, out, err) = run(&["-", "--format", "json", "--quiet"], BATCH);
    assert_eq!(from_file, (code, out.clone(), err.clone()));
    assert_eq!(code, 2);
    let documents: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let answers: Vec<(u64, Option<u64>)> =
        documents.iter().map(|d| (d["line"].as_u64().unwrap(), d["value"].as_u64())).collect();
    assert_eq!(answers, [(1, Some(14)), (2, None), (4, Some(0)), (5, None), (6, Some(2)), (7, Some(0))]);
    assert!(documents[1]["error"].as_str().unwrap().contains("coin 'x'"));
    assert!(documents[3]["error"].as_str().unwrap().contains("coin 2 is named twice"));
    assert_eq!((&documents[0]["degree"], &documents[0]["full"]), (&json!("94057600"), &json!(false)));
    let told: Vec<&str> = err.lines().collect();
    assert_eq!(told.len(), 3);
    assert!(told[0].contains("line 2: coin 'x'") && told[1].contains("line 5: coin 2"), "{err}");
    assert!(told[2].contains("2 of 7 lines"), "{err}");

    let (code, out, _) = run(&["-"], BATCH);
    assert_eq!((code, out.lines().count()), (2, 6));
    assert_eq!(out.lines().next(), Some("{1,4,5,9,11}: value 14, winning moves 9 -> 3"));
    assert!(out.lines().nth(1).unwrap().starts_with("line 2: error: "));
    assert_eq!(run(&["-"], "1 2\n").0, 0);
}

/// A batch says of a position what `position` says of it alone.
#[test]
fn a_batch_agrees_with_single_positions() {
    let positions = ["1 2", "0 5 9", "3 7 20 21", "1 4 5 9 11", "9223372036854775807 5"];
    let (code, out, _) = run(&["-", "--format", "json", "--to", "1", "-p", "3"], &positions.join("\n"));
    assert_eq!(code, 0);
    for (position, line) in positions.iter().zip(out.lines()) {
        let mut alone = document(&[position, "--to", "1", "-p", "3"]);
        let mut found: Value = serde_json::from_str(line).unwrap();
        alone.as_object_mut().unwrap().remove("version");
        found.as_object_mut().unwrap().remove("line");
        // Above 1,024 cells a batch leaves the counts out.
        assert_eq!(found["hooks_divisible"].is_null(), position.starts_with('9'), "{position}");
        if found["hooks_divisible"].is_null() {
            assert!(found["formulas"]["hook"].is_null());
            alone["hooks_divisible"] = Value::Null;
        }
        assert_eq!(found, alone, "{position}");
    }
}

#[test]
fn bad_lines_do_not_flood_standard_error() {
    let (code, out, err) = run(&["-"], &"x\n".repeat(1000));
    assert_eq!((code, out.lines().count(), err.lines().count()), (2, 1000, 22));
    assert!(err.ends_with("1000 of 1000 lines are no position; mend and run them again\n"), "{err}");
}

#[test]
fn records() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path().to_str().unwrap();
    let (code, _, err) = run(&["1", "4", "5", "9", "11", "--record", at], "");
    assert_eq!((code, err.starts_with("welter: record: ")), (0, true), "{err}");
    assert_eq!(run(&["-", "--record", at, "--quiet"], "1 2\n3\n").0, 0);
    let mut records: Vec<Value> = std::fs::read_dir(folder.path())
        .unwrap()
        .map(|entry| serde_json::from_slice(&std::fs::read(entry.unwrap().path()).unwrap()).unwrap())
        .collect();
    records.sort_by_key(|record| record.get("lines").is_some());
    assert_eq!((records.len(), &records[0]["value"]), (2, &json!(14)));
    assert_eq!((&records[1]["positions"], &records[1]["bad_lines"]), (&json!(2), &json!(0)));
    assert!(records.iter().all(|record| record["run"]["arguments"].is_array()));
}
