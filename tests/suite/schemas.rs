//! Every document is what its JSON Schema says, and the schemas are strict: what is missing, spare or of another kind fails.

use std::path::{Path, PathBuf};

use jsonschema::{Registry, Resource, Validator};
use serde_json::{Value, json};

use crate::support::{has_gpu, welter};

fn root(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

fn read(path: &Path) -> Value {
    let text = std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// The schema of a command's documents.
fn schema(command: &str) -> Validator {
    let folder = root("docs/schemas");
    let common = Resource::from_contents(read(&folder.join("common.json")));
    let registry = Registry::new().add("welter:///common.json", common).unwrap().prepare().unwrap();
    jsonschema::options()
        .with_base_uri(format!("welter:///{command}.json"))
        .with_registry(&registry)
        .build(&read(&folder.join(format!("{command}.json"))))
        .unwrap_or_else(|e| panic!("{command}.json: {e}"))
}

fn check(document: &Value, what: &str) {
    let command = document["command"].as_str().unwrap_or_else(|| panic!("{what}: no command"));
    if let Err(error) = schema(command).validate(document) {
        panic!("{what}: at {}: {error}", error.instance_path());
    }
}

/// Parts that a document may go without.
const OPTIONAL: [&str; 7] = ["run", "to", "p", "b_p", "msg", "explanation", "tables"];

/// Every way to spoil one place of a document: a field taken away, a field more, another kind of value.
fn spoiled(document: &Value) -> Vec<(String, Value)> {
    fn walk(document: &Value, here: &Value, path: &str, out: &mut Vec<(String, Value)>) {
        let with = |value: Value| {
            let mut copy = document.clone();
            *copy.pointer_mut(path).unwrap() = value;
            copy
        };
        out.push((format!("{path} of another kind"), with(json!({"surprise": [1.5]}))));
        match here {
            Value::Object(fields) => {
                let mut more = here.clone();
                more["surprise"] = json!(1);
                out.push((format!("{path}/surprise"), with(more)));
                for (name, field) in fields {
                    if !OPTIONAL.contains(&name.as_str()) && name != "software" {
                        let mut less = here.clone();
                        less.as_object_mut().unwrap().remove(name);
                        out.push((format!("{path}/{name} missing"), with(less)));
                    }
                    walk(document, field, &format!("{path}/{name}"), out);
                }
            }
            // The elements of a list are alike: its first and last stand for all.
            Value::Array(list) => {
                for i in [0, list.len().saturating_sub(1)].into_iter().filter(|i| *i < list.len()) {
                    walk(document, &list[i], &format!("{path}/{i}"), out);
                }
            }
            _ => {}
        }
    }
    let mut out = Vec::new();
    walk(document, document, "", &mut out);
    out
}

/// Runs a command in a folder; each line of its output that is a document, or its one document.
fn documents(folder: &Path, arguments: &str, input: &str) -> Vec<Value> {
    let arguments: Vec<&str> = arguments.split(' ').collect();
    let output = welter().args(&arguments).current_dir(folder).write_stdin(input).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    if let Ok(one) = serde_json::from_str(&text) {
        return vec![one];
    }
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{arguments:?}: {e}: {text}")))
        .collect()
}

#[test]
fn documents_and_records_match_their_schemas_and_nothing_less_does() {
    let folder = tempfile::tempdir().unwrap();
    let mut commands = vec![
        "brute 7 --backend cpu --record records",
        "brute 4 --backend oracle --record records",
        "brute 9 --backend cpu --plant-bug digit",
        "brute 34 --backend cpu --dry-run",
        "full 9 --backend cpu --record records",
        "full 6 -p 4 --backend oracle",
        "msg 3 8 --backend cpu --record records",
        "msg 3 --coins 3,7",
        "full 127 --backend cpu --dry-run",
        "msg 3 20 --backend cpu --dry-run",
        "position 1 4 5 9 11 --record records",
        "position 3 7 --to 2 -p 3 --explain",
        "position 9223372036854775807 9223372036854775806 5 --to 0 -p 9223372036854775807",
        "position - -p 3 --record records",
        "sat 4 3 3 8 --backend cpu --record records",
        "sat 3 3 3 7 --backend oracle",
        "sat 4 3 3 8 --certify --record records",
        "sat 4 3 3 8 --backend cpu --dry-run",
        "sat-index 3 3 7 --backend cpu --record records",
        "sat-index 3 3 7 --backend cpu --dry-run",
        "pass 2 6 --backend cpu --record records",
        "pass 1 5 --passes 2 --backend oracle --show",
        "pass 2 6 --backend cpu --dry-run",
        "pass --position 7,4,2 --record records",
        "bench --sat 3,3,3,8 --rounds 1 --record records",
        "bench --pass 12 --rounds 1 --record records",
        "devices",
        "bench --window 6 --rounds 2 --record records",
        "self-test",
        "self-test --plant-bug full",
        "report --readme R.md --runs records",
        "report --readme R.md --runs records --check",
    ];
    if has_gpu("documents_and_records_match_their_schemas_and_nothing_less_does") {
        commands.push("brute 8 --backend gpu --record records");
    }
    std::fs::write(folder.path().join("R.md"), "<!-- report:windows -->\n<!-- report:end -->\n").unwrap();
    let mut seen = 0;
    for command in commands {
        let input = "1 4 5 9 11\n3 x\n\n9007199254740993 18014398509481984\n";
        for document in documents(folder.path(), &format!("{command} --format json"), input) {
            check(&document, command);
            let schema = schema(document["command"].as_str().unwrap());
            for (what, spoiled) in spoiled(&document) {
                assert!(!schema.is_valid(&spoiled), "{command}: {what} is accepted");
            }
            seen += 1;
        }
    }
    assert!(seen >= 29, "{seen} documents");

    let mut records = 0;
    for file in std::fs::read_dir(folder.path().join("records")).unwrap() {
        let path = file.unwrap().path();
        let record = read(&path);
        check(&record, &path.display().to_string());
        let schema = schema(record["command"].as_str().unwrap());
        for (what, spoiled) in spoiled(&record) {
            assert!(!schema.is_valid(&spoiled), "{}: {what} is accepted", path.display());
        }
        records += 1;
    }
    assert!(records >= 11, "{records} records");
}

#[test]
fn committed_records_match_their_schemas() {
    let mut records = 0;
    for file in std::fs::read_dir(root("runs")).unwrap() {
        let path = file.unwrap().path();
        let record = read(&path);
        check(&record, &path.display().to_string());
        assert!(record["run"].is_object(), "{}", path.display());
        records += 1;
    }
    assert!(records > 0);
}

/// A schema that is broken fails where it is used; these are used by no command of this build as yet, or only in part.
#[test]
fn every_schema_is_one_and_refuses_what_is_not_its_command() {
    for file in std::fs::read_dir(root("docs/schemas")).unwrap() {
        let path = file.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap();
        assert_eq!(read(&path)["$schema"], "https://json-schema.org/draft/2020-12/schema", "{name}");
        if name != "common" {
            assert!(!schema(name).is_valid(&json!({"command": name})), "{name}");
        }
    }
}
