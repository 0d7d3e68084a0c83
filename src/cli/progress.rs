//! Progress of long work, with an estimate, on standard error: a bar on a terminal, else a line now and then.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Runs shorter than this show nothing.
const PATIENCE: Duration = Duration::from_secs(2);
/// Between two lines where there is no terminal.
const BETWEEN_LINES: Duration = Duration::from_secs(15);

/// Shows how much of `total` is done.
pub struct Progress {
    total: u64,
    began: Instant,
    told: Instant,
    bar: Option<ProgressBar>,
    quiet: bool,
    what: &'static str,
}

impl Progress {
    pub fn new(total: u64, what: &'static str, quiet: bool) -> Self {
        let now = Instant::now();
        Self { total, began: now, told: now, bar: None, quiet, what }
    }

    /// Notes that `done` of the total is done.
    pub fn set(&mut self, done: u64) {
        if self.quiet || self.began.elapsed() < PATIENCE {
            return;
        }
        let bar = self.bar.get_or_insert_with(|| {
            let style = format!("{{bar:40}} {{percent}}% of {{human_len}} {}, about {{eta}} left", self.what);
            ProgressBar::with_draw_target(Some(self.total), ProgressDrawTarget::stderr())
                .with_style(ProgressStyle::with_template(&style).expect("a well-formed template"))
                .with_elapsed(self.began.elapsed())
        });
        if !bar.is_hidden() {
            bar.set_position(done);
        } else if self.told.elapsed() >= BETWEEN_LINES && done > 0 {
            self.told = Instant::now();
            let left = self.began.elapsed().as_secs_f64() * (self.total - done) as f64 / done as f64;
            let percent = 100.0 * done as f64 / self.total as f64;
            super::output::aside(format_args!("{percent:.0}% done, about {} left", super::output::seconds(left)));
        }
    }

    /// Takes the bar away.
    pub fn finish(self) {
        if let Some(bar) = self.bar {
            bar.finish_and_clear();
        }
    }
}
