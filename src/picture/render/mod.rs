//! Turns drawings into files: SVG as pixels, PNG and PDF. Knows no game.

pub mod pdf;
pub mod raster;
