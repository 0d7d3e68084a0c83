//! Sprague-Grundy values of whole windows of combinatorial games, by brute force on CPU and GPU, with the known formulas
//! checked against them.
//!
//! # The flow, one way
//!
//! ```text
//! request -> plan -> solve (level by level) -> check -> record -> report
//! ```
//!
//! A request is validated once. The [`plan`] is plain data made without a GPU, and refuses what cannot fit before any
//! work starts. A [`backend`] solves the plan's batches by mex, no formula used, and checks each against the formulas
//! while it still holds it. [`check`] gathers what was found, [`record`] keeps it, [`cli`] tells it, and [`report`] makes the
//! README's tables of what was kept.
//!
//! # The rooms
//!
//! | room | what is in it | what it may know |
//! |---|---|---|
//! | [`Position`], [`Error`], [`words`] | plain types, numbers for people | nothing |
//! | [`games`] | one file a ruleset: what a position is, its options straight from the definition | nothing |
//! | [`oracle`] | mex over those options, one by one | `games` |
//! | [`theory`] | closed forms for one position: Welter's formula, mating, hooks, digits, winning moves, degrees, legal moves of saturations; Nim | `index::binomial` |
//! | [`index`] | perfect hashes and orders: low masks in classes and steps, high masks in levels, tiles, batches; colex ranks, levels by coin sum; partitions by rank and as a tree; boxes of piles in blocks | `theory`, for the low part of each formula |
//! | [`plan`] | how a window is cut, what it holds in memory, what is refused; [`plan::options`] for saturations | `index`, `theory` |
//! | [`kernels`] | the CPU twins of `shaders/`, same stem, same arguments | `index` |
//! | [`backend`] | the seam: one trait; [`backend::cpu`] (threads), [`backend::gpu`] (wgpu); [`backend::options`] for saturations | `plan`, `kernels` |
//! | [`check`] | what verdicts mean: differences, counts, digests, mirror symmetry | `index`, `backend`'s data |
//! | [`record`] | digests, table export, run records | results |
//! | [`brute`] | the flow for a window of Welter's game | all of the above |
//! | [`pass`] | the flow for boxes of Nim with passes: its own plan, table, outcome | the same |
//! | [`full`], [`msg`] | the flows for Young diagrams: full ones, and full ones inside others | all of the above |
//! | [`analyse`] | the flow for one position of any size, and for batches of them | `theory` |
//! | [`mod@verify`] | the flow for a table that certifies itself; of the games it knows the moves only, and those are its own | `kernels`, `backend`, `record` |
//! | [`sat`] | the flow for a window of a saturation; the saturation index; certificates without a table | all of the above |
//! | [`report`] | the flow from records to the README's tables | `record`'s files |
//! | [`selftest`] | the ladder oracle, CPU, every GPU adapter on small windows of every game | the flows |
//! | [`bench`](mod@bench) | the flows against a plain loop and the oracle, interleaved | `brute`, `sat`, `pass` |
//! | [`cli`] | one file a subcommand, no mathematics | the flows |
//! | `shaders/` | the WGSL, one kernel a file, shared pieces beside them | `backend::gpu` puts them together |
//! | `tests/` | one integration binary with modules | everything |
//!
//! # Three implementations of every value
//!
//! The oracle (definition), the CPU kernel and the shader, compared cell by cell, always exactly. The oracle shares
//! nothing with the other two. `docs/ALGORITHM.md` says how the kernels work, what they cost and why they are right;
//! `docs/SATURATIONS.md` says it of the saturations, `docs/NIM.md` of Nim with passes.
//!
//! # Use as a library
//!
//! ```
//! use welter::backend::cpu::Cpu;
//! use welter::brute;
//!
//! let request = brute::Request { window: 12, keep_table: true, ..Default::default() };
//! let outcome = brute::run(&request, &Cpu::new(None)?, &mut |_positions_done| {})?;
//! assert!(outcome.agreed());
//! assert_eq!(outcome.p_positions.iter().sum::<u64>(), 304);
//! let table = outcome.table.expect("kept");
//! assert_eq!(table.get(0b1010_0011_0010), 14); // {1,4,5,9,11}
//! # Ok::<(), welter::Error>(())
//! ```

#![warn(missing_docs)]

pub mod analyse;
pub mod backend;
pub mod bench;
pub mod brute;
pub mod check;
pub mod cli;
pub mod error;
pub mod full;
pub mod games;
pub mod index;
pub mod interrupt;
pub mod kernels;
pub mod msg;
pub mod oracle;
pub mod pass;
pub mod plan;
mod position;
pub mod record;
pub mod report;
pub mod sat;
pub mod selftest;
pub mod theory;
pub mod verify;
pub mod words;

pub use error::{Error, Result};
pub use position::Position;
