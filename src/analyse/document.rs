//! An analysis as JSON.
//!
//! Documents are serialised straight from borrowed fields: batches write millions of them.

use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use super::explain::Explanation;
use super::{Analysis, BadPosition};
use crate::record::integer;
use crate::theory::mating::Mates;
use crate::theory::moves::Move;

#[derive(Serialize)]
struct Document<'a> {
    command: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u64>,
    coins: List<'a>,
    value: Integer,
    p_position: bool,
    formulas: Formulas,
    partition: Option<List<'a>>,
    cells: Integer,
    hooks_divisible: Option<Vec<Integer>>,
    degree: Option<String>,
    full: Option<bool>,
    winning_moves: Moves<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    to: Option<To<'a>>,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    base: Option<Base>,
}

#[derive(Serialize)]
struct Formulas {
    mating: Integer,
    pairs: Option<Integer>,
    digit: Option<Integer>,
    hook: Option<Integer>,
}

#[derive(Serialize)]
struct To<'a> {
    value: Integer,
    moves: Moves<'a>,
}

#[derive(Serialize)]
struct Base {
    p: Integer,
    b_p: Option<Integer>,
    msg: Option<Integer>,
}

/// As [`integer`], and beyond 64 bits: a string above 2^53.
struct Integer(u128);

impl Serialize for Integer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match u64::try_from(self.0) {
            Ok(n) if n <= 1 << 53 => serializer.serialize_u64(n),
            Ok(n) => serializer.collect_str(&n),
            Err(_) => serializer.collect_str(&self.0),
        }
    }
}

impl From<u64> for Integer {
    fn from(n: u64) -> Self {
        Self(n.into())
    }
}

struct List<'a>(&'a [u64]);

impl Serialize for List<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(|n| Integer::from(*n)))
    }
}

struct Moves<'a>(&'a [Move]);

#[derive(Serialize)]
struct Go {
    from: Integer,
    to: Integer,
}

impl Serialize for Moves<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(|go| Go { from: go.from.into(), to: go.to.into() }))
    }
}

impl Analysis {
    fn document(&self, line: Option<u64>) -> Document<'_> {
        Document {
            command: "position",
            line,
            coins: List(&self.coins),
            value: self.value.into(),
            p_position: self.value == 0,
            formulas: Formulas {
                mating: self.formulas.mating.into(),
                pairs: self.formulas.pairs.map(Integer::from),
                digit: self.formulas.digit.map(Integer),
                hook: self.formulas.hook.map(Integer::from),
            },
            partition: self.partition.as_deref().map(List),
            cells: Integer(self.cells),
            hooks_divisible: self.hooks_divisible.as_ref().map(|counts| counts.iter().map(|n| Integer(*n)).collect()),
            degree: self.degree.as_ref().map(ToString::to_string),
            full: self.full,
            winning_moves: Moves(&self.winning_moves),
            to: self.to.as_ref().map(|(value, moves)| To { value: (*value).into(), moves: Moves(moves) }),
            base: self.base.map(|base| Base {
                p: base.p.into(),
                b_p: base.b.map(Integer),
                msg: base.msg.map(Integer::from),
            }),
        }
    }

    /// The document that `--format json` prints and records hold.
    pub fn to_json(&self) -> Value {
        serde_json::to_value(self.document(None)).expect("JSON values are serialisable")
    }

    /// The same on one line, with the number of the line of a batch that it answers.
    pub fn to_json_line(&self, line: u64) -> String {
        serde_json::to_string(&self.document(Some(line))).expect("JSON values are serialisable")
    }
}

impl BadPosition {
    /// The line that answers a bad line of a batch.
    pub fn to_json_line(&self, line: u64) -> String {
        json!({"command": "position", "line": line, "error": self.to_string()}).to_string()
    }
}

impl Explanation {
    /// The steps as JSON.
    pub fn to_json(&self) -> Value {
        let list = |numbers: &Vec<u64>| numbers.iter().map(|n| integer(*n)).collect::<Value>();
        let mate = |pair: &Mates| json!([integer(pair.low), integer(pair.high), integer(pair.m)]);
        json!({
            "xor_of_coins": integer(self.xor_of_coins),
            "xor_of_n": self.xor_of_n.map(integer),
            "n_of_differences": self.differences.as_ref().map(|rows| rows.iter().map(list).collect::<Value>()),
            "mates": self.mates.as_ref().map(|(pairs, _)| pairs.iter().map(mate).collect::<Value>()),
            "left_over": self.mates.as_ref().and_then(|(_, over)| *over).map(integer),
            "conjugate": self.diagram.as_ref().map(|diagram| list(&diagram.columns)),
            "hook_table": self.diagram.as_ref().map(|diagram| diagram.hooks.iter().map(list).collect::<Value>()),
            "removals": self.removals.iter().map(|removal| json!({
                "from": integer(removal.go.from),
                "to": integer(removal.go.to),
                "hook_length": integer(removal.go.from - removal.go.to),
                "row": removal.row,
                "column": removal.column,
                "arm": removal.arm,
                "leg": removal.leg,
            })).collect::<Value>(),
        })
    }
}
