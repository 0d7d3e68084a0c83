//! The values of a table as a file or a buffer has them, in words of the file's own width.

/// Values in the order of a table's cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cells {
    /// One byte each.
    U8(Vec<u8>),
    /// Two bytes each.
    U16(Vec<u16>),
    /// Four bytes each.
    U32(Vec<u32>),
}

/// A value as a table holds it.
pub trait Cell: Copy + Send + Sync {
    /// The value.
    fn get(self) -> u64;
}

macro_rules! cell {
    ($($int:ty),*) => {$(
        impl Cell for $int {
            #[inline(always)]
            fn get(self) -> u64 {
                u64::from(self)
            }
        }
    )*};
}
cell!(u8, u16, u32);

/// Runs an expression on the slice of values, whatever their width.
macro_rules! with_cells {
    ($cells:expr, $v:ident => $body:expr) => {
        match $cells {
            $crate::kernels::cells::Cells::U8($v) => $body,
            $crate::kernels::cells::Cells::U16($v) => $body,
            $crate::kernels::cells::Cells::U32($v) => $body,
        }
    };
}
pub(crate) use with_cells;

impl Cells {
    /// How many values.
    pub fn len(&self) -> u64 {
        with_cells!(self, v => v.len() as u64)
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The value of a cell.
    pub fn get(&self, cell: u64) -> u64 {
        with_cells!(self, v => v[cell as usize].get())
    }

    /// Bytes of one value.
    pub fn width(&self) -> u32 {
        match self {
            Self::U8(_) => 1,
            Self::U16(_) => 2,
            Self::U32(_) => 4,
        }
    }
}
