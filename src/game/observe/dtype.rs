//! The data type of an observation's numbers: floats of two sizes, bytes, truth values or bits.

use std::fmt;

use super::EntryKind;
use super::expand::bits_to_packed;
use crate::Game;

/// The data type of an observation's numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dtype {
    /// Floats from 0 to 1.
    #[default]
    Float32,
    /// Floats from 0 to 1 in half the size: those of [`Dtype::Float32`], rounded to the nearest.
    Float16,
    /// Bytes: bits are 0 and 1, a number is its value minus the minimum of its range.
    Uint8,
    /// Bytes 0 and 1, for observations in which every number has two values.
    Bool,
    /// Bits, eight in a byte: bit *i* of the flat order is bit *i* % 8 of byte *i* / 8. Each observation is
    /// padded to whole bytes with zeros.
    Bits,
}

impl Dtype {
    /// All data types.
    pub const ALL: [Dtype; 5] = [Dtype::Float32, Dtype::Float16, Dtype::Uint8, Dtype::Bool, Dtype::Bits];

    /// Returns the number of cells (floats or bytes) of an observation of `numbers` numbers.
    pub fn size(self, numbers: usize) -> usize {
        match self {
            Dtype::Float32 | Dtype::Float16 | Dtype::Uint8 | Dtype::Bool => numbers,
            Dtype::Bits => numbers.div_ceil(8),
        }
    }

    /// Returns its name in Python.
    pub fn name(self) -> &'static str {
        match self {
            Dtype::Float32 => "float32",
            Dtype::Float16 => "float16",
            Dtype::Uint8 => "uint8",
            Dtype::Bool => "bool",
            Dtype::Bits => "bits",
        }
    }

    /// Returns the widest range that fits a cell, or `None` if numbers are scaled.
    fn most(self) -> Option<i128> {
        match self {
            Dtype::Float32 | Dtype::Float16 => None,
            Dtype::Uint8 => Some(255),
            Dtype::Bool | Dtype::Bits => Some(1),
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
            Dtype::Bool | Dtype::Bits => {
                write!(f, "which takes more than a bit: use the dtype \"uint8\" or \"float32\"")
            }
            Dtype::Float32 | Dtype::Float16 | Dtype::Uint8 => {
                write!(f, "which takes more than a byte: use the dtype \"float32\"")
            }
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
    /// For [`Dtype::Float16`]: the bits of IEEE 754 half-precision floats.
    Halves(&'a mut [u16]),
    /// For [`Dtype::Uint8`], [`Dtype::Bool`] and [`Dtype::Bits`].
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

impl<'a> From<&'a mut [u16]> for Cells<'a> {
    fn from(halves: &'a mut [u16]) -> Self {
        Cells::Halves(halves)
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
            Cells::Halves(halves) => halves.len(),
            Cells::Bytes(bytes) => bytes.len(),
        }
    }

    /// Returns `true` if there are no cells.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns `true` if these are cells of a data type. Empty cells fit every type.
    pub fn are(&self, dtype: Dtype) -> bool {
        self.is_empty()
            || match dtype {
                Dtype::Float32 => matches!(self, Cells::Floats(_)),
                Dtype::Float16 => matches!(self, Cells::Halves(_)),
                Dtype::Uint8 | Dtype::Bool | Dtype::Bits => matches!(self, Cells::Bytes(_)),
            }
    }

    /// Returns the cells from `first` on.
    #[inline(always)]
    pub fn from(&mut self, first: usize) -> Cells<'_> {
        match self {
            Cells::Floats(floats) => Cells::Floats(&mut floats[first..]),
            Cells::Halves(halves) => Cells::Halves(&mut halves[first..]),
            Cells::Bytes(bytes) => Cells::Bytes(&mut bytes[first..]),
        }
    }

    /// Takes the first cells, or all if there are fewer.
    pub fn cut(&mut self, count: usize) -> Cells<'a> {
        match self {
            Cells::Floats(floats) => Cells::Floats(cut(floats, count)),
            Cells::Halves(halves) => Cells::Halves(cut(halves, count)),
            Cells::Bytes(bytes) => Cells::Bytes(cut(bytes, count)),
        }
    }
}

/// Splits off the first elements of a slice, or all if there are fewer.
pub fn cut<'a, T>(slice: &mut &'a mut [T], count: usize) -> &'a mut [T] {
    let whole = std::mem::take(slice);
    let (first, rest) = whole.split_at_mut(count.min(whole.len()));
    *slice = rest;
    first
}

/// Packs bytes 0 and 1 into bits.
pub fn pack(bytes: &[u8], out: &mut [u8]) {
    let word = |number: usize| {
        let bits = bytes[number * 64..].iter().take(64).enumerate();
        bits.fold(0, |word, (bit, byte)| word | u64::from(*byte & 1) << bit)
    };
    bits_to_packed(word, bytes.len(), out);
}

/// The bits of the half-precision float 1.0.
pub(crate) const HALF_ONE: u16 = 0x3c00;

/// Returns the bits of the half-precision float nearest to a float from 0 to 1; of two equally near ones, the even.
#[inline(always)]
pub fn half(float: f32) -> u16 {
    let bits = float.to_bits();
    let exponent = (bits >> 23) as i32 - 127;
    if exponent < -25 {
        return 0;
    }
    // Below 2⁻¹⁴ halves have a fixed step of 2⁻²⁴.
    let (mantissa, drop, top) = match exponent {
        ..-14 => (bits & 0x7f_ffff | 0x80_0000, (-exponent - 1) as u32, 0),
        _ => (bits & 0x7f_ffff, 13, ((exponent + 15) as u32) << 10),
    };
    let (kept, rest, middle) = (mantissa >> drop, mantissa & ((1 << drop) - 1), 1 << (drop - 1));
    let up = rest > middle || rest == middle && kept & 1 == 1;
    // A carry from the mantissa raises the exponent, as it should.
    (top + kept + u32::from(up)) as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The value of a half-precision float from 0 to 1.
    fn value(half: u16) -> f64 {
        let (exponent, mantissa) = (i32::from(half >> 10), f64::from(half & 0x3ff));
        match exponent {
            0 => mantissa * 2f64.powi(-24),
            _ => (1.0 + mantissa / 1024.0) * 2f64.powi(exponent - 15),
        }
    }

    #[test]
    fn a_half_is_the_nearest_to_its_float() {
        for bits in 0..=HALF_ONE {
            assert_eq!(half(value(bits) as f32), bits, "every half is a float");
        }
        for bits in 0..HALF_ONE {
            let (low, high) = (value(bits), value(bits + 1));
            let middle = (low + high) / 2.0;
            assert_eq!(half(middle as f32), bits + (bits & 1), "a tie goes to the even one of {bits:#x}");
            let (below, above) = ((middle as f32).next_down(), (middle as f32).next_up());
            assert_eq!((half(below), half(above)), (bits, bits + 1), "{bits:#x}");
        }
    }
}
