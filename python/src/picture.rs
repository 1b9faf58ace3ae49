//! A drawing as pixels.

use numpy::{PyArray1, PyArray3, PyArrayMethods};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use resvg::tiny_skia::{Color, Pixmap, Transform};
use resvg::usvg::{Options, Tree};

use crate::letters::outlined;

/// The widest and the highest picture.
const LARGEST: u32 = 8192;

/// Pixels in rows, from the top: red, green and blue of each.
struct Pixels {
    width: usize,
    height: usize,
    rgb: Vec<u8>,
}

/// How large a picture is to be. Without one of them the drawing says; with both, it is fitted in.
#[derive(Clone, Copy)]
pub(crate) struct Room {
    pub(crate) width: Option<u32>,
    pub(crate) height: Option<u32>,
}

/// An SVG as an array of shape (height, width, 3), uint8.
pub(crate) fn rgb<'py>(
    py: Python<'py>,
    svg: &str,
    room: Room,
    dark: bool,
) -> PyResult<Bound<'py, PyArray3<u8>>> {
    for (name, size) in [("width", room.width), ("height", room.height)] {
        if let Some(wrong) = size.filter(|size| !(1..=LARGEST).contains(size)) {
            return Err(PyValueError::new_err(format!(
                "{name} is {wrong}: it is from 1 to {LARGEST} pixels"
            )));
        }
    }
    let Pixels { width, height, rgb } =
        py.detach(|| pixels(svg, room, dark)).map_err(PyRuntimeError::new_err)?;
    PyArray1::from_vec(py, rgb).reshape([height, width, 3])
}

fn pixels(svg: &str, room: Room, dark: bool) -> Result<Pixels, String> {
    let tree = Tree::from_str(&outlined(svg), &Options::default())
        .map_err(|error| format!("the drawing can't be read: {error}"))?;
    let size = tree.size();
    let by_width = room.width.map(|width| width as f32 / size.width());
    let by_height = room.height.map(|height| height as f32 / size.height());
    let scale = match (by_width, by_height) {
        (Some(across), Some(down)) => across.min(down),
        (across, down) => across.or(down).unwrap_or(1.0),
    };
    let whole = |length: f32| ((length * scale).round() as u32).clamp(1, LARGEST);
    let width = room.width.unwrap_or_else(|| whole(size.width()));
    let height = room.height.unwrap_or_else(|| whole(size.height()));
    let mut pixmap = Pixmap::new(width, height)
        .ok_or_else(|| format!("a picture of {width} by {height} pixels is too large"))?;
    // What lies round the paper. It is opaque, so no pixel has to be divided by its opacity.
    pixmap.fill(if dark { Color::BLACK } else { Color::WHITE });
    let left = (width as f32 - size.width() * scale) / 2.0;
    let placed = Transform::from_row(scale, 0.0, 0.0, scale, left.floor(), 0.0);
    resvg::render(&tree, placed, &mut pixmap.as_mut());
    let rgb = pixmap.data().chunks_exact(4).flat_map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect();
    Ok(Pixels { width: width as usize, height: height as usize, rgb })
}
