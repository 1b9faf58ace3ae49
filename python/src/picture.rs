//! Drawings: themes by name, and arrays of pixels.

use houserule::draw;
use houserule::render::raster::{LARGEST, PictureSize, Pixels, pixels};
use numpy::{PyArray1, PyArray3, PyArrayMethods};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyString;

/// Renders an SVG as an array of shape (height, width, 3), uint8.
pub(crate) fn rgb<'py>(
    py: Python<'py>,
    svg: &str,
    room: PictureSize,
    dark: bool,
) -> PyResult<Bound<'py, PyArray3<u8>>> {
    for (name, size) in [("width", room.width), ("height", room.height)] {
        if let Some(wrong) = size.filter(|size| !(1..=LARGEST).contains(size)) {
            return Err(PyValueError::new_err(format!(
                "{name} must be from 1 to {LARGEST} pixels, not {wrong}"
            )));
        }
    }
    let Pixels { width, height, rgb } =
        py.detach(|| pixels(svg, room, dark)).map_err(PyRuntimeError::new_err)?;
    PyArray1::from_vec(py, rgb).reshape([height, width, 3])
}

/// Returns the theme of a picture with this name.
pub(crate) fn theme(name: Option<&Bound<'_, PyString>>) -> PyResult<draw::svg::Theme> {
    let Some(name) = name else { return Ok(draw::svg::Theme::default()) };
    match &*name.to_string_lossy() {
        "auto" => Ok(draw::svg::Theme::Auto),
        "light" => Ok(draw::svg::Theme::Light),
        "dark" => Ok(draw::svg::Theme::Dark),
        other => {
            Err(PyValueError::new_err(format!("a theme must be `auto`, `light` or `dark`, not `{other}`")))
        }
    }
}
