//! The integration tests: one binary, one module a subject.

mod checkpoint;
mod cli;
mod gpu_limits;
mod pages;
mod pass;
mod position;
mod readme;
mod report;
mod sat;
mod schemas;
mod self_test;
mod support;
mod theory;
mod verify;
mod windows;
mod young;
