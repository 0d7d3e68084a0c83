//! Asking a run that keeps a checkpoint to stop: set by the command line on SIGINT and SIGTERM, looked at by the flows
//! at their next boundary.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

static REQUESTED: AtomicBool = AtomicBool::new(false);

/// Asks every run with a checkpoint in this process to save and stop.
pub fn request() {
    REQUESTED.store(true, Relaxed);
}

/// Whether a stop was asked for.
pub fn requested() -> bool {
    REQUESTED.load(Relaxed)
}
