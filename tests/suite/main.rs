//! The integration tests: one binary, a module a part of the engine.

mod sat;
