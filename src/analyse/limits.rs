//! Up to what size the costly parts are computed: the value and the moves themselves have no such limit.

/// Sizes up to which a part is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Coins for Welter's formula over all pairs.
    pub paired_coins: usize,
    /// Coins for the counts of hooks by powers, so for the digit form, `b_p` and fullness.
    pub counted_coins: usize,
    /// Coins for the rows of the diagram.
    pub listed_coins: usize,
    /// Cells for Sato's hook formula.
    pub hook_cells: u64,
    /// Whether the counts of hooks are listed beyond `hook_cells` too.
    pub listed_counts: bool,
    /// Cells for the degree, which has about as many digits as there are cells; never above `hook_cells`.
    pub degree_cells: u64,
    /// Rows of all the diagrams looked at for `msg_p`.
    pub sub_diagram_rows: usize,
}

impl Limits {
    /// For one position: what takes about a second at most.
    pub const ONE: Self = Self {
        paired_coins: 4096,
        counted_coins: 1 << 17,
        listed_coins: 1 << 17,
        hook_cells: 1 << 20,
        listed_counts: true,
        degree_cells: 4096,
        sub_diagram_rows: 10_000_000,
    };

    /// For a line of a batch: what takes a few microseconds where the position is small.
    pub const BATCH: Self = Self {
        paired_coins: 256,
        hook_cells: 1024,
        listed_counts: false,
        degree_cells: 256,
        sub_diagram_rows: 10_000,
        ..Self::ONE
    };
}

impl Default for Limits {
    fn default() -> Self {
        Self::ONE
    }
}
