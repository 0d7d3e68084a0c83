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
//! while it still holds it. [`check`] gathers what was found, [`record`] keeps it, [`cli`] reports it.
//!
//! # The rooms
//!
//! | room | what is in it | what it may know |
//! |---|---|---|
//! | [`Position`], [`Error`] | plain types | nothing |
//! | [`games`] | one file a ruleset: what a position is, its options straight from the definition | nothing |
//! | [`oracle`] | mex over those options, one by one | `games` |
//! | [`theory`] | closed forms for one position: Welter's formula, mating, hooks, digits, legal moves of saturations | `index::binomial` |
//! | [`index`] | perfect hashes and orders: low masks in classes and steps, high masks in levels, tiles, batches; colex ranks, levels by coin sum | `theory`, for the low part of each formula |
//! | [`plan`] | how a window is cut, what it holds in memory, what is refused; [`plan::options`] for saturations | `index`, `theory` |
//! | [`kernels`] | the CPU twins of `shaders/`, same stem, same arguments | `index` |
//! | [`backend`] | the seam: one trait; [`backend::cpu`] (threads), [`backend::gpu`] (wgpu); [`backend::options`] for saturations | `plan`, `kernels` |
//! | [`check`] | what verdicts mean: differences, counts, digests, mirror symmetry | `index`, `backend`'s data |
//! | [`record`] | digests, table export, run records | results |
//! | [`brute`] | the flow for a window of Welter's game | all of the above |
//! | [`sat`] | the flow for a window of a saturation; the saturation index; certificates without a table | all of the above |
//! | [`bench`] | the flows against a plain loop and the oracle, interleaved | `brute`, `sat` |
//! | [`cli`] | one file a subcommand, no mathematics | the flows |
//! | `shaders/` | the WGSL, one kernel a file, shared pieces beside them | `backend::gpu` puts them together |
//! | `tests/` | one integration binary with modules | everything |
//!
//! # Three implementations of every value
//!
//! The oracle (definition), the CPU kernel and the shader, compared cell by cell, always exactly. The oracle shares
//! nothing with the other two. `docs/ALGORITHM.md` says how the kernels work, what they cost and why they are right;
//! `docs/SATURATIONS.md` says it of the saturations.
//!
//! # Use as a library
//!
//! ```
//! use welter::backend::cpu::Cpu;
//! use welter::brute;
//!
//! let request = brute::Request { window: 12, ..Default::default() };
//! let outcome = brute::run(&request, &Cpu::new(None)?, &mut |_positions_done| {})?;
//! assert!(outcome.agreed());
//! assert_eq!(outcome.p_positions.iter().sum::<u64>(), 304);
//! # Ok::<(), welter::Error>(())
//! ```

#![warn(missing_docs)]

pub mod backend;
pub mod bench;
pub mod brute;
pub mod check;
pub mod cli;
pub mod error;
pub mod games;
pub mod index;
pub mod kernels;
pub mod oracle;
pub mod plan;
mod position;
pub mod record;
pub mod sat;
pub mod theory;

pub use error::{Error, Result};
pub use position::Position;
