//! The numpy arrays that environments write.

use houserule::observe::{Cells, Dtype, ObservationEntry, SharedLayout};
use numpy::{Element, PyReadwriteArrayDyn};
use pyo3::exceptions::PyValueError;
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
