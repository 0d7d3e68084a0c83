//! An analysis as JSON.

use serde_json::{Map, Value, json};

use super::Analysis;
use super::explain::Explanation;
use crate::record::{big_integer, integer};
use crate::theory::mating::Mates;
use crate::theory::moves::Move;

impl Analysis {
    /// The document that `--format json` prints and records hold; for a batch, with the number of its line.
    pub fn to_json(&self, line: Option<u64>) -> Value {
        let mut document = Map::new();
        let mut put = |key: &str, value: Value| document.insert(key.into(), value);
        put("command", "position".into());
        if let Some(line) = line {
            put("line", line.into());
        }
        put("coins", list(&self.coins));
        put("value", integer(self.value));
        put("p_position", (self.value == 0).into());
        put(
            "formulas",
            json!({
                "mating": integer(self.formulas.mating),
                "pairs": self.formulas.pairs.map(integer),
                "digit": self.formulas.digit.map(big_integer),
                "hook": self.formulas.hook.map(integer),
            }),
        );
        put("partition", self.partition.as_ref().map_or(Value::Null, |rows| list(rows)));
        put("cells", big_integer(self.cells));
        let counts = self.hooks_divisible.as_ref();
        put("hooks_divisible", counts.map(|counts| counts.iter().map(|n| big_integer(*n)).collect::<Vec<_>>()).into());
        put("degree", self.degree.as_ref().map(ToString::to_string).into());
        put("full", self.full.into());
        put("winning_moves", moves(&self.winning_moves));
        if let Some((value, list)) = &self.to {
            put("to", json!({"value": integer(*value), "moves": moves(list)}));
        }
        if let Some(base) = &self.base {
            put("p", integer(base.p));
            put("b_p", base.b.map(big_integer).into());
            put("msg", base.msg.map(integer).into());
        }
        Value::Object(document)
    }
}

impl Explanation {
    /// The steps as JSON.
    pub fn to_json(&self) -> Value {
        let mate = |pair: &Mates| json!([integer(pair.low), integer(pair.high), integer(pair.m)]);
        json!({
            "xor_of_coins": integer(self.xor_of_coins),
            "xor_of_n": self.xor_of_n.map(integer),
            "n_of_differences": self.differences.as_ref().map(|rows| rows.iter().map(|row| list(row)).collect::<Vec<_>>()),
            "mates": self.mates.as_ref().map(|(pairs, _)| pairs.iter().map(mate).collect::<Vec<_>>()),
            "left_over": self.mates.as_ref().and_then(|(_, over)| *over).map(integer),
            "conjugate": self.diagram.as_ref().map(|diagram| &diagram.columns),
            "hook_table": self.diagram.as_ref().map(|diagram| &diagram.hooks),
            "removals": self.removals.iter().map(|removal| json!({
                "from": integer(removal.go.from),
                "to": integer(removal.go.to),
                "hook_length": integer(removal.go.from - removal.go.to),
                "row": removal.row,
                "column": removal.column,
                "arm": removal.arm,
                "leg": removal.leg,
            })).collect::<Vec<_>>(),
        })
    }
}

fn list(numbers: &[u64]) -> Value {
    numbers.iter().map(|n| integer(*n)).collect()
}

fn moves(moves: &[Move]) -> Value {
    moves.iter().map(|go| json!({"from": integer(go.from), "to": integer(go.to)})).collect()
}
