//! The numpy arrays that environments write.

use houserule::observe::{Cells, Dtype, ObservationEntry, SharedLayout};
use numpy::{Element, PyReadwriteArrayDyn};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

/// The sizes of the arrays of an environment.
#[pyclass(frozen, get_all, module = "houserule._native")]
pub(crate) struct EnvSizes {
    pub(crate) num_actions: usize,
    pub(crate) players: usize,
    /// The shape of one observation.
    pub(crate) shape: Vec<usize>,
    /// The maximum of each cell of an observation; empty for float observations.
    pub(crate) highest: Vec<u8>,
}

/// Returns the sizes of an environment or of a vector of environments.
macro_rules! sizes {
    ($py:expr, $env:expr) => {
        Py::new(
            $py,
            $crate::env_arrays::EnvSizes {
                num_actions: $env.actions(),
                players: $env.players(),
                shape: $crate::env_arrays::shape($env.planes(), $env.observation_len(), $env.options().dtype),
                highest: $env.highest(),
            },
        )
    };
}

pub(crate) use sizes;

/// Returns the shape of an observation. Bits are a row of bytes, for planes too.
pub(crate) fn shape(planes: Option<[usize; 3]>, len: usize, dtype: Dtype) -> Vec<usize> {
    planes.filter(|_| dtype != Dtype::Bits).map_or(vec![len], |shape| shape.to_vec())
}

/// An array of observations: float32, uint16 for the bits of float16, or uint8 for bytes, truth values and bits.
#[derive(FromPyObject)]
pub(crate) enum Observations<'py> {
    #[pyo3(transparent, annotation = "float32")]
    Floats(PyReadwriteArrayDyn<'py, f32>),
    #[pyo3(transparent, annotation = "uint16")]
    Halves(PyReadwriteArrayDyn<'py, u16>),
    #[pyo3(transparent, annotation = "uint8")]
    Bytes(PyReadwriteArrayDyn<'py, u8>),
}

/// Types of the numbers that environments write, by their names in numpy.
pub(crate) trait WrittenElement: Element {
    const NAME: &str;
}

impl WrittenElement for f64 {
    const NAME: &str = "float64";
}
impl WrittenElement for bool {
    const NAME: &str = "bool";
}
impl WrittenElement for i8 {
    const NAME: &str = "int8";
}
impl WrittenElement for i32 {
    const NAME: &str = "int32";
}
impl WrittenElement for i64 {
    const NAME: &str = "int64";
}

/// Borrows an array that is written. An error names the array.
pub(crate) fn written<'py, T: WrittenElement>(
    array: &Bound<'py, PyAny>,
    what: &str,
) -> PyResult<PyReadwriteArrayDyn<'py, T>> {
    array.extract().map_err(|_| wrong_array(array, what, T::NAME, true))
}

/// Borrows an array of observations that is written, if there is one. An error names the array.
pub(crate) fn written_observations<'py>(
    array: Option<&Bound<'py, PyAny>>,
    what: &str,
) -> PyResult<Option<Observations<'py>>> {
    let wrong = |array| wrong_array(array, what, "float32, float16, uint8 or bool", true);
    array.map(|array| array.extract().map_err(|_| wrong(array))).transpose()
}

/// Creates the error for an array that can't be borrowed.
#[cold]
pub(crate) fn wrong_array(array: &Bound<'_, PyAny>, what: &str, dtype: &str, is_written: bool) -> PyErr {
    let text =
        |value: PyResult<Bound<'_, PyAny>>| value.and_then(|value| value.str()).map(|text| text.to_string());
    let Ok(given) = text(array.getattr("dtype")) else {
        let kind = text(array.get_type().getattr("__name__")).unwrap_or_default();
        return PyTypeError::new_err(format!("{what} must be a numpy array of {dtype}, not {kind}"));
    };
    let flags = || array.getattr("flags")?.getattr("writeable")?.is_truthy();
    if !dtype.split([',', ' ']).any(|one| one == given) && given != "uint16" {
        return PyTypeError::new_err(format!("{what} must be an array of {dtype}, not {given}"));
    }
    if is_written && !flags().unwrap_or(true) {
        return PyValueError::new_err(format!("{what} can't be written: the array is read-only"));
    }
    PyValueError::new_err(format!(
        "{what} can't be used: give an array of one dimension that no other argument shares"
    ))
}

/// Returns the cells of a contiguous array of observations, or no cells if there is no array.
pub(crate) fn cells<'a>(array: &'a mut Option<Observations<'_>>, what: &str) -> PyResult<Cells<'a>> {
    match array {
        None => Ok(Cells::default()),
        Some(Observations::Floats(array)) => {
            Ok(Cells::Floats(array.as_slice_mut().map_err(|_| not_contiguous(what))?))
        }
        Some(Observations::Halves(array)) => {
            Ok(Cells::Halves(array.as_slice_mut().map_err(|_| not_contiguous(what))?))
        }
        Some(Observations::Bytes(array)) => {
            Ok(Cells::Bytes(array.as_slice_mut().map_err(|_| not_contiguous(what))?))
        }
    }
}

/// Returns the elements of a contiguous array.
macro_rules! slice {
    ($array:expr, $what:literal) => {
        $array.as_slice_mut().map_err(|_| not_contiguous($what))?
    };
}

pub(crate) fn not_contiguous(what: &str) -> PyErr {
    PyValueError::new_err(format!("{what} must be a C-contiguous array: np.ascontiguousarray makes one"))
}

/// Returns the elements of a contiguous array, or an empty slice if there is no array.
pub(crate) fn optional<'a, T: Element>(
    array: &'a mut Option<PyReadwriteArrayDyn<'_, T>>,
    what: &str,
) -> PyResult<&'a mut [T]> {
    match array {
        None => Ok(&mut []),
        Some(array) => array.as_slice_mut().map_err(|_| not_contiguous(what)),
    }
}

pub(crate) use slice;

/// A layout that rule sets share: the name, offset, length and shape of each entry of an observation, the names of the
/// actions, and those of the features of the rules.
pub(crate) type SharedParts = (Vec<(String, usize, usize, Vec<usize>)>, Vec<String>, Vec<String>);

pub(crate) fn shared_parts(shared: &SharedLayout) -> SharedParts {
    let entry =
        |entry: &ObservationEntry| (entry.name.clone(), entry.offset, entry.length, entry.shape.clone());
    (shared.entries().iter().map(entry).collect(), shared.actions().to_vec(), shared.features().to_vec())
}
