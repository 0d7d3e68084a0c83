//! One position of any size: the theory, whole windows, the command.

mod animating;
mod command;

mod diagrams;
mod theory;
mod windows;
