// The verifier's moves of Welter's game: every coin, every empty square below it. Twin of src/kernels/verify_brute.rs.

var<private> position: u32;
var<private> coins: u32;
var<private> rest: u32;
var<private> empty: u32;
var<private> option: u32;

fn begin(cell: u32) {
    position = cell;
    coins = cell;
    empty = 0u;
}

fn next_option() -> bool {
    while (empty == 0u) {
        if (coins == 0u) {
            return false;
        }
        let coin = coins & (~coins + 1u);
        coins ^= coin;
        rest = position ^ coin;
        empty = ~position & (coin - 1u);
    }
    let square = empty & (~empty + 1u);
    empty ^= square;
    option = rest | square;
    return true;
}

// Whether every option has been told.
fn ended() -> bool {
    return (coins | empty) == 0u;
}

fn key_of(cell: u32) -> u32 {
    var sum = 0u;
    for (var left = cell; left != 0u; left &= left - 1u) {
        sum += firstTrailingBit(left);
    }
    return sum;
}
