//! The command line: one file a subcommand; parses, calls a flow, prints. No mathematics.
//!
//! Exit codes: 0 done and everything agreed; 1 a check found a difference where agreement was asserted; 2 usage or
//! environment; 3 stopped, with what was finished saved in a checkpoint.

mod bench;
mod brute;
mod devices;
mod full;
mod msg;
mod output;
mod pages;
mod pass;
mod pass_text;
mod position;
mod position_text;
mod progress;
mod report;
mod sat;
mod sat_index;
mod self_test;
mod verify;

use std::process::ExitCode;

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::backend;
use crate::error::{Error, Result};

/// Exit code when a check found a difference where agreement was asserted.
const DIFFERENCE: u8 = 1;
/// Exit code for usage and environment.
const FAILED: u8 = 2;
/// Exit code of a run that was stopped and has saved what it finished.
const INTERRUPTED: u8 = 3;

/// Sprague-Grundy values of whole windows of combinatorial games, by brute force on CPU and GPU, with the known
/// formulas checked against them.
#[derive(Parser)]
#[command(name = "welter", version, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Solve every position of a window of Welter's game and check three formulas against them
    Brute(brute::Brute),
    /// Solve Nim with passes for all piles up to a size, or one position of it
    Pass(pass::Pass),
    /// Count full diagrams (odd degrees, degrees prime to p) in several ways
    Full(full::Full),
    /// Full diagrams inside diagrams: Irie's Theorem 1 and msg_p
    Msg(msg::Msg),
    /// Tell the value of one position of any size, why it is so, and every winning move
    Position(position::Position),
    /// Look whether an exported table certifies itself: no option has its value, each smaller value is attained
    Verify(verify::Verify),
    /// List the GPU adapters, their limits, and the largest window each can hold
    Devices(devices::Devices),
    /// Solve a p-saturation of Welter's game, W^M_{P,K}, on window N, and compare it with b_P
    Sat(sat::Sat),
    /// Find the least K for which the saturation agrees with b_P on window N
    SatIndex(sat_index::SatIndex),
    /// Compare the speed of each backend with a plain loop, interleaved in one run
    Bench(bench::Bench),
    /// Compare every backend with the definition on small windows of every game: for a new machine or driver
    SelfTest(self_test::SelfTest),
    /// Write the README's tables from run records, or check them
    Report(report::Report),
    /// Print a shell's completions
    Completions(pages::Completions),
    /// Print a manual page, in roff
    Man(pages::Man),
}

/// Options of every command that prints results.
#[derive(Args)]
struct Common {
    /// How results are printed; json is exactly one document on standard output
    #[arg(long, value_enum, default_value = "text", value_name = "FORMAT")]
    format: Format,
    /// Print nothing on standard error but errors
    #[arg(long)]
    quiet: bool,
}

impl Common {
    /// A remark for people, on standard error.
    fn remark(&self, text: impl std::fmt::Display) {
        if !self.quiet {
            output::aside(format_args!("{text}"));
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Text,
    Json,
}

/// Options of every command that computes.
#[derive(Args)]
struct On {
    /// What computes: auto takes a real GPU if there is one, else the CPU; oracle is the definition itself, slow
    #[arg(long, value_enum, default_value = "auto", value_name = "BACKEND")]
    backend: BackendName,
    /// The GPU adapter: its number or part of its name, as `welter devices` lists them
    #[arg(long, value_name = "DEVICE")]
    device: Option<String>,
    /// Threads of the CPU backend, 1 to 1024 [default: one a core]
    #[arg(long, value_name = "THREADS", value_parser = threads, allow_negative_numbers = true)]
    threads: Option<usize>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum BackendName {
    Auto,
    Cpu,
    Gpu,
    Oracle,
}

impl On {
    /// The backend asked for and why it was chosen; `None` for the oracle.
    fn open(&self) -> Result<Option<(Box<dyn backend::Backend>, String)>> {
        let choice = match self.backend {
            BackendName::Auto => backend::Choice::Auto,
            BackendName::Cpu => backend::Choice::Cpu,
            BackendName::Gpu => backend::Choice::Gpu,
            BackendName::Oracle => return Ok(None),
        };
        backend::select(choice, self.device.as_deref(), self.threads).map(Some)
    }
}

fn threads(text: &str) -> std::result::Result<usize, String> {
    match text.parse() {
        Ok(n) if (1..=1024).contains(&n) => Ok(n),
        _ => Err("a whole number from 1 to 1024 is needed; leave it out to use every core".into()),
    }
}

/// Parses the command line, runs the command, and tells the exit code.
pub fn main() -> ExitCode {
    quiet_vulkan_loader();
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return refuse(&error),
    };
    let agreed = match cli.command {
        Command::Brute(brute) => brute.run(),
        Command::Pass(pass) => pass.run(),
        Command::Full(full) => full.run(),
        Command::Msg(msg) => msg.run(),
        Command::Position(position) => position.run(),
        Command::Verify(verify) => verify.run(),
        Command::Devices(devices) => devices.run(),
        Command::Bench(bench) => bench.run(),
        Command::Sat(sat) => sat.run(),
        Command::SatIndex(sat_index) => sat_index.run(),
        Command::SelfTest(test) => test.run(),
        Command::Report(report) => report.run(),
        Command::Completions(completions) => completions.run(),
        Command::Man(man) => man.run(),
    };
    match agreed {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(DIFFERENCE),
        Err(error) => fail(&error),
    }
}

fn fail(error: &Error) -> ExitCode {
    // One line, whatever a library put into its message.
    let text = error.to_string();
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    output::aside(format_args!("error: {}", lines.join("; ")));
    ExitCode::from(if matches!(error, Error::Interrupted { .. }) { INTERRUPTED } else { FAILED })
}

/// From here on SIGINT and SIGTERM ask the run to save and stop, instead of ending it.
fn stop_on_signals() -> Result<()> {
    ctrlc::set_handler(crate::interrupt::request)
        .map_err(|e| Error::Device(format!("cannot watch for signals: {e}; run without --checkpoint")))
}

/// The oracle is for small things, and keeps no checkpoint.
fn no_checkpoint_for_oracle(checkpoint: Option<&std::path::Path>) -> Result<()> {
    match checkpoint {
        None => Ok(()),
        Some(_) => Err(Error::Usage("--checkpoint: the oracle keeps none; use another --backend".into())),
    }
}

/// Says what came from a checkpoint.
fn remark_resumed(common: &Common, resumed: &crate::record::checkpoint::Resumed) {
    for path in &resumed.set_aside {
        let what = format!("checkpoint: a damaged file was set aside as {}", path.display());
        common.remark(&what);
        crate::record::run::recovered(what);
    }
    if resumed.parts > 0 {
        common.remark(format_args!("checkpoint: {} finished parts were taken from it", resumed.parts));
    }
}

/// Help and version are no errors; everything else becomes one line.
fn refuse(error: &clap::Error) -> ExitCode {
    use clap::error::ErrorKind::{DisplayHelp, DisplayHelpOnMissingArgumentOrSubcommand, DisplayVersion};
    let text = error.render().to_string();
    match error.kind() {
        DisplayHelp | DisplayVersion => match output::print(&text) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => fail(&error),
        },
        DisplayHelpOnMissingArgumentOrSubcommand => {
            fail(&Error::Usage("a command is needed, such as `welter brute 20`; see `welter --help`".into()))
        }
        _ => {
            let told: Vec<&str> = text
                .lines()
                .map(str::trim)
                .filter(|line| !line.is_empty() && !line.starts_with("Usage:") && !line.starts_with("For more"))
                .collect();
            let told = told.join(" ").trim_start_matches("error: ").to_string();
            fail(&Error::Usage(format!("{told}; see `welter --help`")))
        }
    }
}

/// Mesa's device-selecting layer asks for a Wayland display and complains on standard error where there is none; this
/// program chooses devices itself, so the layer is switched off unless the user has set its variable.
fn quiet_vulkan_loader() {
    const LAYER: &str = "NODEVICE_SELECT";
    if std::env::var_os(LAYER).is_none() {
        // SAFETY: called first in `main`, before any other thread runs.
        unsafe { std::env::set_var(LAYER, "1") };
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_well_formed() {
        super::Cli::command().debug_assert();
    }
}
