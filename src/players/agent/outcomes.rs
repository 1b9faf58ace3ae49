//! The child nodes of actions that lead to several positions.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// Child nodes by node, edge and hash of the position.
#[derive(Debug, Default)]
pub struct Outcomes(HashMap<(u32, u32, u64), u32, BuildHasherDefault<KeyMixer>>);

impl Outcomes {
    /// Returns the child node of an action for a position.
    pub fn child(&self, node: u32, edge: u32, position: u64) -> Option<u32> {
        self.0.get(&(node, edge, position)).copied()
    }

    /// Keeps the child node of an action for a position.
    pub fn add(&mut self, node: u32, edge: u32, position: u64, child: u32) {
        self.0.insert((node, edge, position), child);
    }

    /// Forgets all children.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Returns the memory in use, in bytes. A child takes 24 bytes in its table, and a table is at least half full.
    pub fn bytes(&self) -> usize {
        self.0.len() * 48
    }
}

/// A hasher for keys that contain a good hash already.
#[derive(Default)]
struct KeyMixer(u64);

impl Hasher for KeyMixer {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.write_u64(u64::from(*byte)));
    }

    fn write_u32(&mut self, number: u32) {
        self.write_u64(number.into());
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = (self.0.rotate_left(29) ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 ^= self.0 >> 32;
    }
}
