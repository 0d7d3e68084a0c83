//! `welter completions` and `welter man`, from the same definitions as the commands themselves.

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use super::{Cli, output};
use crate::error::{Error, Result};

/// Arguments of `welter completions`.
#[derive(Args)]
#[command(after_help = "Examples:
  welter completions bash > ~/.local/share/bash-completion/completions/welter
  welter completions fish > ~/.config/fish/completions/welter.fish")]
pub struct Completions {
    /// The shell
    #[arg(value_enum, value_name = "SHELL")]
    shell: Shell,
}

impl Completions {
    /// Runs the command.
    pub fn run(self) -> Result<bool> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Cli::command(), "welter", &mut script);
        output::print(&String::from_utf8_lossy(&script))?;
        Ok(true)
    }
}

/// Arguments of `welter man`.
#[derive(Args)]
#[command(after_help = "Examples:
  welter man | man -l -                  the program
  welter man brute > welter-brute.1      one command")]
pub struct Man {
    /// A command, such as brute [default: the program itself]
    #[arg(value_name = "COMMAND")]
    command: Option<String>,
}

impl Man {
    /// Runs the command.
    pub fn run(self) -> Result<bool> {
        let mut program = Cli::command();
        program.build();
        let page = match &self.command {
            None => program,
            Some(name) => {
                let names: Vec<&str> = program.get_subcommands().map(clap::Command::get_name).collect();
                let unknown = || {
                    Error::Usage(format!("COMMAND {name:?} is no command of welter; use one of {}", names.join(", ")))
                };
                program.find_subcommand(name).ok_or_else(unknown)?.clone()
            }
        };
        let mut text = Vec::new();
        clap_mangen::Man::new(page)
            .render(&mut text)
            .map_err(|error| Error::Usage(format!("the page cannot be made: {error}; use --help")))?;
        output::print(&String::from_utf8_lossy(&text))?;
        Ok(true)
    }
}
