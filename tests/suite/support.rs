//! The backends that every suite runs on, and skips that are heard.

use std::io::Write;
use std::sync::Arc;

use assert_cmd::Command;
use welter::backend::{Backend, cpu::Cpu};
use welter::brute::{self, Outcome, Request};
use welter::record::table::ValueTable;

/// The binary under test.
pub fn welter() -> Command {
    Command::cargo_bin("welter").expect("the binary is built")
}

/// Says on the real standard error, past the test harness, that something was not tested and why.
pub fn skip_aloud(what: &str, why: &str) {
    let _ = std::io::stderr().write_all(format!("SKIPPED {what}: {why}\n").as_bytes());
}

/// All adapters; under `WELTER_REQUIRE_GPU=1` there must be one.
#[cfg(feature = "gpu")]
pub fn adapters(what: &str) -> Vec<welter::backend::gpu::Adapter> {
    let found = welter::backend::gpu::adapters();
    if found.is_empty() {
        let required = std::env::var("WELTER_REQUIRE_GPU").is_ok_and(|v| v == "1");
        assert!(!required, "{what}: WELTER_REQUIRE_GPU=1 and no adapter was found");
        skip_aloud(what, "no GPU adapter was found");
    }
    found
}

/// Whether there is an adapter to test on; if not, says so aloud.
pub fn has_gpu(what: &str) -> bool {
    !gpus(what).is_empty()
}

#[cfg(feature = "gpu")]
fn gpus(what: &str) -> Vec<(String, Box<dyn Backend>)> {
    let open = |adapter: welter::backend::gpu::Adapter| -> (String, Box<dyn Backend>) {
        let name = adapter.name();
        let gpu = welter::backend::gpu::Gpu::open(adapter, &Default::default()).expect("the adapter opens");
        (name, Box::new(gpu))
    };
    adapters(what).into_iter().map(open).collect()
}

#[cfg(not(feature = "gpu"))]
fn gpus(what: &str) -> Vec<(String, Box<dyn Backend>)> {
    skip_aloud(what, "built without GPU support: CPU only");
    Vec::new()
}

/// Every backend on this machine: one thread, three threads, each adapter.
pub fn backends(what: &str) -> Vec<(String, Box<dyn Backend>)> {
    let mut list: Vec<(String, Box<dyn Backend>)> = vec![
        ("cpu, 1 thread".into(), Box::new(Cpu::new(Some(1)).unwrap())),
        ("cpu, 3 threads".into(), Box::new(Cpu::new(Some(3)).unwrap())),
    ];
    list.extend(gpus(what));
    list
}

/// Solves and checks, keeping the table.
pub fn solve(request: Request, backend: &dyn Backend) -> (Outcome, Arc<ValueTable>) {
    let request = Request { keep_table: true, ..request };
    let outcome = brute::run(&request, backend, &mut |_| {}).expect("solved");
    let table = outcome.table.clone().expect("kept");
    (outcome, table)
}

/// The oracle's outcome and table.
pub fn oracle(window: u32) -> (Outcome, Arc<ValueTable>) {
    let request = Request { window, keep_table: true, ..Default::default() };
    let outcome = brute::run_by_oracle(&request).expect("solved");
    let table = outcome.table.clone().expect("kept");
    (outcome, table)
}

/// Demands equal tables; names the first position that differs.
pub fn assert_same(name: &str, table: &ValueTable, expected: &ValueTable) {
    assert_eq!(table.iter().len(), expected.iter().len(), "{name}: sizes");
    if let Some(mask) = table.iter().zip(expected.iter()).position(|(a, b)| a != b) {
        let position = welter::Position(mask as u64);
        panic!("{name}: {position} has value {}, expected {}", table.get(mask), expected.get(mask));
    }
}
