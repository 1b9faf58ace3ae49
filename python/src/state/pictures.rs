//! Pictures of a state.

use houserule::draw;
use houserule::game::Seat;
use houserule::render::raster::{LARGEST, PictureSize};
use numpy::PyArray3;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use super::PyState;
use crate::{arguments, picture};

impl PyState {
    /// Draws the state as an SVG.
    pub(super) fn draw_svg(
        &self,
        py: Python<'_>,
        theme: Option<&Bound<'_, PyString>>,
        width: Option<&Bound<'_, PyAny>>,
        legal: bool,
        player: Option<&Bound<'_, PyAny>>,
        open: bool,
    ) -> PyResult<String> {
        let width = width.map(|width| arguments::whole(width, "the width", 1 << 16)).transpose()?;
        let style = draw::svg::PictureStyle {
            theme: picture::theme(theme)?,
            width: width.map(|width| width as u32),
            legal,
            viewer: self.viewer(py, player)?,
            open,
            ..draw::svg::PictureStyle::default()
        };
        Ok(draw::svg::svg(&self.inner, &style))
    }

    /// Draws the state as an array of pixels.
    pub(super) fn draw_pixels<'py>(
        &self,
        py: Python<'py>,
        width: Option<&Bound<'_, PyAny>>,
        height: Option<&Bound<'_, PyAny>>,
        player: Option<&Bound<'_, PyAny>>,
        dark: bool,
        legal: bool,
    ) -> PyResult<Bound<'py, PyArray3<u8>>> {
        let viewer = self.viewer(py, player)?;
        let theme = if dark { draw::svg::Theme::Dark } else { draw::svg::Theme::Light };
        let style = draw::svg::PictureStyle { theme, legal, viewer, ..draw::svg::PictureStyle::default() };
        let size = |size: Option<&Bound<'_, PyAny>>, what: &str| -> PyResult<Option<u32>> {
            size.map(|size| Ok(arguments::count(size, what, LARGEST.into())? as u32)).transpose()
        };
        let room = PictureSize { width: size(width, "width")?, height: size(height, "height")? };
        picture::rgb(py, &draw::svg::svg(&self.inner, &style), room, dark)
    }

    /// Draws the state as text: without a seat, all of it.
    pub(super) fn draw_text(&self, seat: Option<Seat>) -> String {
        let view = draw::text::TextOptions { open: true, ..draw::text::TextOptions::plain(seat) };
        draw::text::screen(&self.inner, &view)
    }

    /// Draws the state for notebooks: as a picture, and as text for terminals.
    pub(super) fn draw_for_notebook<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let bundle = PyDict::new(py);
        let style = draw::svg::PictureStyle { viewer: self.seat, ..draw::svg::PictureStyle::default() };
        bundle.set_item("text/plain", self.draw_text(self.seat))?;
        bundle.set_item("image/svg+xml", draw::svg::svg(&self.inner, &style))?;
        Ok(bundle)
    }
}
