//! The observation of a player, as arrays.

use houserule::game::{Game, Seat, State};
use houserule::observe::{Dtype, pack};
use numpy::{Element, PyArray1, PyArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::arguments::one_of;

/// The form of an observation.
#[derive(Clone, Copy, PartialEq, Eq)]
enum StateForm {
    Flat,
    Planes,
    Dict,
}

/// Returns an observation in a form: `flat`, `planes` or `dict`.
pub(super) fn observation<'py>(
    py: Python<'py>,
    state: &State,
    player: Seat,
    form: &str,
    dtype: Dtype,
) -> PyResult<Bound<'py, PyAny>> {
    let words = [("flat", StateForm::Flat), ("planes", StateForm::Planes), ("dict", StateForm::Dict)];
    let form = one_of("form", form, &words)?;
    let game = state.game();
    // What numpy calls the numbers that are written, where that is another type.
    match dtype {
        Dtype::Float32 => shaped(py, game, state.observation(player), form, None),
        Dtype::Float16 => shaped(py, game, state.observation_halves(player), form, Some("float16")),
        Dtype::Uint8 => shaped(py, game, bytes(state, player, dtype)?, form, None),
        Dtype::Bool => shaped(py, game, bytes(state, player, dtype)?, form, Some("bool")),
        Dtype::Bits => match form {
            StateForm::Flat => Ok(PyArray1::from_vec(py, bytes(state, player, dtype)?).into_any()),
            StateForm::Planes => {
                game.check_dtype(dtype).map_err(|error| PyValueError::new_err(error.to_string()))?;
                let planes = laid_out(game, &bytes(state, player, Dtype::Uint8)?)?.0;
                let mut packed = vec![0; dtype.size(planes.len())];
                pack(&planes, &mut packed);
                Ok(PyArray1::from_vec(py, packed).into_any())
            }
            StateForm::Dict => Err(PyValueError::new_err(
                "the form \"dict\" can't have the dtype \"bits\": use the dtype \"uint8\", or the form \"flat\"",
            )),
        },
    }
}

fn bytes(state: &State, player: Seat, dtype: Dtype) -> PyResult<Vec<u8>> {
    state.observation_bytes(player, dtype).map_err(|error| PyValueError::new_err(error.to_string()))
}

/// Returns flat numbers in the order of planes, with the shape of the planes.
fn laid_out<T: Copy + Default>(game: &Game, flat: &[T]) -> PyResult<(Vec<T>, [usize; 3])> {
    let planes = game.planes().map_err(|error| PyValueError::new_err(error.to_string()))?;
    let mut out = vec![T::default(); planes.len()];
    planes.write(flat, &mut out);
    Ok((out, planes.shape()))
}

/// Returns flat numbers in a form. `viewed` is the dtype as which numpy sees them, if that isn't theirs.
fn shaped<'py, T: Element + Copy + Default>(
    py: Python<'py>,
    game: &Game,
    flat: Vec<T>,
    form: StateForm,
    viewed: Option<&str>,
) -> PyResult<Bound<'py, PyAny>> {
    let seen = |array: Bound<'py, PyAny>| match viewed {
        Some(dtype) => array.call_method1(intern!(py, "view"), (dtype,)),
        None => Ok(array),
    };
    match form {
        StateForm::Flat => seen(PyArray1::from_vec(py, flat).into_any()),
        StateForm::Planes => {
            let (out, shape) = laid_out(game, &flat)?;
            seen(PyArray1::from_vec(py, out).reshape(shape)?.into_any())
        }
        StateForm::Dict => {
            let dict = PyDict::new(py);
            for entry in game.observation_spec() {
                let numbers = PyArray1::from_slice(py, &flat[entry.offset..][..entry.length]);
                dict.set_item(entry.name, seen(numbers.reshape(entry.shape)?.into_any())?)?;
            }
            Ok(dict.into_any())
        }
    }
}
