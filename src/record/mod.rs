//! What a run leaves behind: digests, exported tables, run records. It knows results, never how they were computed.

pub mod bfile;
pub mod box_digest;
pub mod checkpoint;
pub mod digest;
pub mod heatmap;
pub mod npy;
pub mod run;
pub mod table;

/// An integer as JSON: a number, or a string above 2^53, where readers that use doubles would round it.
pub fn integer(n: u64) -> serde_json::Value {
    if n > 1 << 53 { n.to_string().into() } else { n.into() }
}

/// [`integer`] as a field of a serialised struct.
pub fn serialize_integer<S: serde::Serializer>(n: &u64, serializer: S) -> Result<S::Ok, S::Error> {
    if *n > 1 << 53 { serializer.collect_str(n) } else { serializer.serialize_u64(*n) }
}
