//! A position's value for the table. Twin of `shaders/values.wgsl`.

use super::mex::Stuck;
use super::subset::{Cells, POISON, Params};

/// The value of a rank.
///
/// # Errors
/// [`Stuck::Unsolved`], or [`Stuck::Full`] for a value above 16 bits.
///
/// # Safety
/// No thread is writing the cell.
pub unsafe fn value(p: &Params<'_>, cells: &Cells, rank: u64) -> Result<u16, Stuck> {
    // SAFETY: as promised by the caller.
    let value = unsafe { cells.word(rank as usize * p.plan.stride as usize) };
    u16::try_from(value).map_err(|_| if value == POISON { Stuck::Unsolved } else { Stuck::Full })
}
