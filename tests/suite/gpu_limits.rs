//! A GPU of tiny limits: rows over many bindings, folded dispatches, many small batches, other workgroup sizes.

#![cfg(feature = "gpu")]

use welter::backend::Backend;
use welter::backend::gpu::{Caps, Gpu};
use welter::brute::{self, Request};
use welter::plan::Tuning;

use crate::support::{adapters, assert_same, oracle, solve};

#[test]
fn tiny_limits_give_the_same_table() {
    let window = 13;
    let (truth, expected) = oracle(window);
    for adapter in adapters("tiny_limits_give_the_same_table") {
        for word_bits in [32, 64] {
            // 13 high-and-low squares in one band take 32 or 64 KiB of rows: pieces of 8 KiB make several.
            let caps = Caps { binding: Some(12 << 10), workgroups: Some(4), tiles: Some(20), ..Default::default() };
            let gpu = Gpu::open(adapter.clone(), &caps).unwrap();
            let tuning = Tuning {
                low: Some(6),
                word_bits: Some(word_bits),
                band_bytes: Some(1 << 20),
                batch_bytes: Some(600),
                ..Default::default()
            };
            let request = Request { window, tuning, ..Default::default() };
            let plan = brute::plan(&request, &gpu).unwrap();
            let row_bytes = plan.memory.rows;
            assert!(row_bytes > 2 * (12 << 10), "rows of {row_bytes} bytes are not split");
            let (outcome, table) = solve(request, &gpu);
            assert_same(&format!("{}, {word_bits} bits", adapter.name()), &table, &expected);
            assert_eq!(outcome.digest, truth.digest);
            assert!(outcome.agreed());
        }
    }
}

#[test]
fn workgroup_sizes_do_not_matter() {
    let window = 15;
    for adapter in adapters("workgroup_sizes_do_not_matter") {
        let digests = [8, 16, 24, 64, 256].map(|size| {
            let caps = Caps { workgroup_size: Some(size), ..Default::default() };
            let gpu = Gpu::open(adapter.clone(), &caps).unwrap();
            let outcome = brute::run(&Request { window, ..Default::default() }, &gpu, &mut |_| {});
            let outcome = outcome.unwrap_or_else(|error| panic!("{size} threads: {error}"));
            assert!(outcome.agreed(), "{size} threads");
            outcome.digest
        });
        assert_eq!(digests, [digests[0]; 5]);
        for size in [0, 1, 12] {
            let caps = Caps { workgroup_size: Some(size), ..Default::default() };
            assert!(Gpu::open(adapter.clone(), &caps).is_err(), "{size} threads were taken");
        }
    }
}

#[test]
fn rows_that_no_binding_holds_are_refused_by_the_plan() {
    for adapter in adapters("rows_that_no_binding_holds_are_refused_by_the_plan") {
        let caps = Caps { binding: Some(64 << 10), ..Default::default() };
        let gpu = Gpu::open(adapter, &caps).unwrap();
        let capacity = gpu.capacity();
        assert_eq!(capacity.binding, 64 << 10);
        let refused = brute::plan(&Request { window: 30, ..Default::default() }, &gpu).unwrap_err().to_string();
        assert!(refused.contains("the largest window that fits is"), "{refused}");
    }
}

/// A driver's refusal is an error with the driver's reason, not a panic and not a table of zeros.
#[test]
fn driver_errors_come_back() {
    for adapter in adapters("driver_errors_come_back") {
        // More threads in a workgroup than any device has: the pipeline is invalid.
        let caps = Caps { workgroup_size: Some(1 << 20), ..Default::default() };
        let gpu = Gpu::open(adapter, &caps).unwrap();
        let failed = brute::run(&Request { window: 8, ..Default::default() }, &gpu, &mut |_| {});
        let text = failed.unwrap_err().to_string();
        assert!(text.contains("compiling the rows kernel") && text.contains("--backend cpu"), "{text}");
        assert_eq!(text.lines().count(), 1, "{text}");
    }
}
