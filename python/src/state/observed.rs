//! The observation of a player, as arrays.

use houserule::game::{Seat, State};
use houserule::observe::Dtype;
use numpy::{PyArray1, PyArray3, PyArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Returns an observation in a form: `flat`, `planes` or `dict`.
pub(super) fn observation<'py>(
    py: Python<'py>,
    state: &State,
    player: Seat,
    form: &str,
    dtype: Dtype,
) -> PyResult<Bound<'py, PyAny>> {
    if dtype != Dtype::Float32 {
        if form != "flat" {
            return Err(PyValueError::new_err(
                "a dtype other than `float32` needs an observation of the form `flat`",
            ));
        }
        if dtype == Dtype::Float16 {
            let halves = PyArray1::from_vec(py, state.observation_halves(player));
            return halves.call_method1(intern!(py, "view"), (intern!(py, "float16"),));
        }
        let bytes = state.observation_bytes(player, dtype);
        let bytes = bytes.map_err(|error| PyValueError::new_err(error.to_string()))?;
        let bytes = PyArray1::from_vec(py, bytes);
        return match dtype {
            Dtype::Bool => bytes.call_method1(intern!(py, "view"), (intern!(py, "bool"),)),
            _ => Ok(bytes.into_any()),
        };
    }
    let flat = state.observation(player);
    match form {
        "flat" => Ok(PyArray1::from_vec(py, flat).into_any()),
        "planes" => {
            let planes = state.game().planes();
            let planes = planes.map_err(|error| PyValueError::new_err(error.to_string()))?;
            let mut out = vec![0.0; planes.len()];
            planes.write(&flat, &mut out);
            let out: Bound<'py, PyArray3<f32>> = PyArray1::from_vec(py, out).reshape(planes.shape())?;
            Ok(out.into_any())
        }
        "dict" => {
            let dict = PyDict::new(py);
            for entry in state.game().observation_spec() {
                let numbers = PyArray1::from_slice(py, &flat[entry.offset..][..entry.length]);
                dict.set_item(entry.name, numbers.reshape(entry.shape)?)?;
            }
            Ok(dict.into_any())
        }
        other => Err(PyValueError::new_err(format!(
            "the form of an observation must be `flat`, `planes` or `dict`, not `{other}`"
        ))),
    }
}
