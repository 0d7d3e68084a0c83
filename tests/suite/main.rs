//! The integration tests: one binary, one module a subject.

mod cli;
mod gpu_limits;
mod position;
mod readme;
mod support;
mod theory;
mod verify;
mod windows;
mod young;
