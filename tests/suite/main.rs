//! The integration tests: one binary, one module a subject.

mod checkpoint;
mod cli;
mod gpu_limits;
mod pass;
mod position;
mod readme;
mod sat;
mod support;
mod theory;
mod windows;
mod young;
