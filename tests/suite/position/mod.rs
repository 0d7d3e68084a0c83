//! One position of any size: the theory, whole windows, the command.

mod animating;

