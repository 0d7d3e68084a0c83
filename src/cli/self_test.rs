//! `welter self-test`.

use clap::Args;
use serde_json::{Value, json};

use super::{Common, Format, output};
use crate::error::Result;
use crate::selftest::{self, GAMES, Step};

/// Arguments of `welter self-test`.
#[derive(Args)]
#[command(
    after_help = "Each rung of the ladder - one thread, all threads, every GPU adapter - is compared with the oracle, which is the
definition itself, cell by cell on small windows of every game, and on larger ones with the rung below.

Exit codes: 0 every step is ok, 1 one failed, 2 usage or environment."
)]
pub struct SelfTest {
    #[command(flatten)]
    common: Common,
    /// Plant a bug in a game, to see that the test bites
    #[arg(long, value_name = "GAME", hide = true, value_parser = game)]
    plant_bug: Option<String>,
}

fn game(text: &str) -> std::result::Result<String, String> {
    let names: Vec<&str> = GAMES.iter().map(|game| game.name).collect();
    if names.contains(&text) {
        Ok(text.into())
    } else {
        Err(format!("there is no such game; use {}", names.join(", ")))
    }
}

impl SelfTest {
    /// Runs the command; whether every step is ok.
    pub fn run(self) -> Result<bool> {
        let rungs = selftest::rungs();
        let json = self.common.format == Format::Json;
        let mut printed = Ok(());
        let steps = selftest::run(&rungs, self.plant_bug.as_deref(), &mut |step| {
            if !json && printed.is_ok() {
                printed = output::print(&line(step));
            }
        });
        printed?;
        let (failed, seconds) =
            (steps.iter().filter(|step| !step.ok()).count(), steps.iter().map(|step| step.seconds).sum());
        if json {
            output::print_json(&document(&steps, failed))?;
        } else {
            let verdict = if failed == 0 { "all ok".into() } else { format!("{failed} FAILED") };
            output::print(&format!("{} steps, {verdict}, {}\n", steps.len(), output::seconds(seconds)))?;
        }
        if rungs.iter().all(|(name, _)| name.starts_with("CPU")) {
            self.common.remark("no GPU adapter was found: only the CPU was tested");
        }
        Ok(failed == 0)
    }
}

fn line(step: &Step) -> String {
    let verdict = if step.ok() { "ok" } else { "FAILED" };
    let head = format!("{verdict:<7} {:<6} {}", step.game, step.rung);
    if let Some(difference) = &step.difference {
        let told = |value: Option<u64>| value.map_or("nothing".into(), |value| value.to_string());
        let (found, expected) = (told(difference.found), told(difference.expected));
        return format!("{head}: {}: {found}, expected {expected}\n", difference.cell);
    }
    if let Some(error) = &step.error {
        return format!("{head}: {error}\n");
    }
    let cells = output::grouped(step.compared);
    format!("{head}: {cells} cells, {}\n", output::seconds(step.seconds))
}

fn document(steps: &[Step], failed: usize) -> Value {
    json!({
        "command": "self-test",
        "ok": failed == 0,
        "failed": failed,
        "steps": steps.iter().map(Step::to_json).collect::<Vec<_>>(),
        "version": env!("CARGO_PKG_VERSION"),
    })
}
