//! Encoding of values as 64-bit words.

use super::{Content, Value};
use crate::board::BitSet;

/// Words of one value of a slot. A set has `width` words.
pub fn value_len(width: u16, content: Content) -> u16 {
    if matches!(content, Content::Set(_)) { width } else { 1 }
}

/// Encodes a value as words.
pub fn value_words(width: u16, value: &Value) -> Vec<u64> {
    match value {
        Value::Number(n) => vec![*n as u64],
        Value::Bool(b) => vec![u64::from(*b)],
        Value::Element(e) => vec![e.map_or(u64::MAX, u64::from)],
        Value::Set(set) => {
            let mut words = set.words().to_vec();
            words.resize(usize::from(width), 0);
            words
        }
    }
}

/// Decodes a value from words. `size` is the size of a set's domain.
pub fn value_of_words(content: Content, size: u32, words: &[u64]) -> Value {
    let first = words.first().copied().unwrap_or(0);
    match content {
        Content::Number { .. } => Value::Number(first as i64),
        Content::Bool => Value::Bool(first != 0),
        Content::Element { .. } => Value::Element(u32::try_from(first).ok()),
        Content::Set(_) => Value::Set(BitSet::from_words(size, words)),
    }
}
