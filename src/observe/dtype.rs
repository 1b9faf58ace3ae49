//! The data type of an observation's numbers: floats, bytes or bits.

use std::fmt;

use super::EntryKind;
use super::expand::bits_to_packed;
use crate::game::Game;

/// The data type of an observation's numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dtype {
    /// Floats from 0 to 1.
    #[default]
    Float32,
    /// Bytes: bits are 0 and 1, a number is its value minus the minimum of its range.
    Uint8,
    /// Bits, eight in a byte: bit *i* of the flat order is bit *i* % 8 of byte *i* / 8. Each observation is
    /// padded to whole bytes with zeros.
    Bits,
}

impl Dtype {
    /// All data types.
    pub const ALL: [Dtype; 3] = [Dtype::Float32, Dtype::Uint8, Dtype::Bits];

    /// Returns the number of cells (floats or bytes) of an observation of `numbers` numbers.
    pub fn size(self, numbers: usize) -> usize {
        match self {
            Dtype::Float32 | Dtype::Uint8 => numbers,
            Dtype::Bits => numbers.div_ceil(8),
        }
    }

    /// Returns its name in Python.
    pub fn name(self) -> &'static str {
        match self {
            Dtype::Float32 => "float32",
            Dtype::Uint8 => "uint8",
            Dtype::Bits => "bits",
        }
    }

    /// Returns the widest range that fits a cell, or `None` if numbers are scaled.
    fn most(self) -> Option<i128> {
        match self {
            Dtype::Float32 => None,
            Dtype::Uint8 => Some(255),
            Dtype::Bits => Some(1),
        }
    }
}

/// The error if an entry of a game's observation doesn't fit the data type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DtypeError {
    /// The requested data type.
    pub dtype: Dtype,
    /// Name of the entry.
    pub entry: String,
    /// The minimum of its range.
    pub low: i64,
    /// The maximum of its range.
    pub high: i64,
}

impl fmt::Display for DtypeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let DtypeError { dtype, entry, low, high } = self;
        write!(f, "the entry `{entry}` of the observation is a number from {low} to {high}, ")?;
        match dtype {
            Dtype::Bits => write!(f, "which takes more than a bit: use the dtype \"uint8\" or \"float32\""),
            _ => write!(f, "which takes more than a byte: use the dtype \"float32\""),
        }
    }
}

impl std::error::Error for DtypeError {}

impl Game {
    /// Checks that observations of this game can be written with a data type.
    pub fn check_dtype(&self, dtype: Dtype) -> Result<(), DtypeError> {
        let Some(most) = dtype.most() else { return Ok(()) };
        for entry in self.observation_spec() {
            if let EntryKind::Number { low, high } = entry.kind
                && i128::from(high) - i128::from(low) > most
            {
                return Err(DtypeError { dtype, entry: entry.name, low, high });
            }
        }
        Ok(())
    }
}

/// A buffer for observations.
#[derive(Debug)]
pub enum Cells<'a> {
    /// For [`Dtype::Float32`].
    Floats(&'a mut [f32]),
    /// For [`Dtype::Uint8`] and [`Dtype::Bits`].
    Bytes(&'a mut [u8]),
}

impl Default for Cells<'_> {
    fn default() -> Self {
        Cells::Floats(&mut [])
    }
}

impl<'a> From<&'a mut [f32]> for Cells<'a> {
    fn from(floats: &'a mut [f32]) -> Self {
        Cells::Floats(floats)
    }
}

impl<'a> From<&'a mut [u8]> for Cells<'a> {
    fn from(bytes: &'a mut [u8]) -> Self {
        Cells::Bytes(bytes)
    }
}

impl<'a> From<&'a mut Vec<f32>> for Cells<'a> {
    fn from(floats: &'a mut Vec<f32>) -> Self {
        Cells::Floats(floats)
    }
}

impl<'a> From<&'a mut Vec<u8>> for Cells<'a> {
    fn from(bytes: &'a mut Vec<u8>) -> Self {
        Cells::Bytes(bytes)
    }
}

impl<'a> Cells<'a> {
    /// Returns the number of cells.
    pub fn len(&self) -> usize {
        match self {
            Cells::Floats(floats) => floats.len(),
            Cells::Bytes(bytes) => bytes.len(),
        }
    }

    /// Returns `true` if there are no cells.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns `true` if these are cells of a data type. Empty cells fit every type.
    pub fn are(&self, dtype: Dtype) -> bool {
        self.is_empty() || matches!(self, Cells::Floats(_)) == (dtype == Dtype::Float32)
    }

    /// Returns the cells from `first` on.
    #[inline(always)]
    pub(crate) fn from(&mut self, first: usize) -> Cells<'_> {
        match self {
            Cells::Floats(floats) => Cells::Floats(&mut floats[first..]),
            Cells::Bytes(bytes) => Cells::Bytes(&mut bytes[first..]),
        }
    }

    /// Takes the first cells, or all if there are fewer.
    pub(crate) fn cut(&mut self, count: usize) -> Cells<'a> {
        match self {
            Cells::Floats(floats) => Cells::Floats(cut(floats, count)),
            Cells::Bytes(bytes) => Cells::Bytes(cut(bytes, count)),
        }
    }
}

/// Splits off the first elements of a slice, or all if there are fewer.
pub(crate) fn cut<'a, T>(slice: &mut &'a mut [T], count: usize) -> &'a mut [T] {
    let whole = std::mem::take(slice);
    let (first, rest) = whole.split_at_mut(count.min(whole.len()));
    *slice = rest;
    first
}

/// Packs bytes 0 and 1 into bits.
pub(crate) fn pack(bytes: &[u8], out: &mut [u8]) {
    let word = |number: usize| {
        let bits = bytes[number * 64..].iter().take(64).enumerate();
        bits.fold(0, |word, (bit, byte)| word | u64::from(*byte & 1) << bit)
    };
    bits_to_packed(word, bytes.len(), out);
}
