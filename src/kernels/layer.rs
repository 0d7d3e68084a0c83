//! One layer of values of a box, as narrow as the plan allows.

/// An integer that holds a value.
pub trait Cell: Copy + Send + Sync + 'static {
    /// Never a value: what is not solved.
    const POISON: Self;
    /// From a value that fits by the plan.
    fn new(value: u64) -> Self;
    /// The value.
    fn get(self) -> u64;
}

macro_rules! cell {
    ($int:ty) => {
        impl Cell for $int {
            const POISON: Self = <$int>::MAX;
            #[inline(always)]
            fn new(value: u64) -> Self {
                value as $int
            }
            #[inline(always)]
            fn get(self) -> u64 {
                self.into()
            }
        }
    };
}
cell!(u16);
cell!(u32);

/// The values of all cells of a box, in C order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Values {
    /// All below 2^16 - 1.
    U16(Vec<u16>),
    /// All below 2^32 - 1.
    U32(Vec<u32>),
}

/// Evaluates an expression with the vector inside.
macro_rules! with_values {
    ($values:expr, $v:ident => $body:expr) => {
        match $values {
            $crate::kernels::layer::Values::U16($v) => $body,
            $crate::kernels::layer::Values::U32($v) => $body,
        }
    };
}
pub(crate) use with_values;

impl Values {
    /// So many cells, none solved.
    pub fn new(wide: bool, cells: u64) -> Self {
        if wide { Self::U32(vec![Cell::POISON; cells as usize]) } else { Self::U16(vec![Cell::POISON; cells as usize]) }
    }

    /// The value of a cell.
    pub fn get(&self, cell: u64) -> u64 {
        with_values!(self, v => v[cell as usize].get())
    }

    /// Number of cells.
    pub fn len(&self) -> usize {
        with_values!(self, v => v.len())
    }

    /// The values in order, little end first.
    pub fn to_bytes(&self) -> Vec<u8> {
        with_values!(self, v => v.iter().flat_map(|value| value.to_le_bytes()).collect())
    }

    /// What [`Self::to_bytes`] gave; `None` if it is not a value for each of so many cells.
    pub fn from_bytes(wide: bool, cells: u64, bytes: &[u8]) -> Option<Self> {
        let values = if wide {
            let (words, rest) = bytes.as_chunks::<4>();
            rest.is_empty().then(|| Self::U32(words.iter().map(|word| u32::from_le_bytes(*word)).collect()))
        } else {
            let (words, rest) = bytes.as_chunks::<2>();
            rest.is_empty().then(|| Self::U16(words.iter().map(|word| u16::from_le_bytes(*word)).collect()))
        };
        values.filter(|values| values.len() as u64 == cells)
    }

    /// Whether there is no cell; a box has at least one.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
