//! Converts a drawing to a PDF file of one page. Texts are outlines, so it looks the same without fonts.

use std::collections::BTreeMap;

use pdf_writer::types::{LineCapStyle, LineJoinStyle};
use pdf_writer::{Content, Filter, Finish, Name, Pdf, Rect, Ref};
use resvg::tiny_skia::{PathSegment, Point, Transform};
use resvg::usvg::{FillRule, Group, LineCap, LineJoin, Node, Paint, Path};

use super::raster::tree;

/// Points per pixel: an inch is 96 pixels or 72 points.
const SCALE: f32 = 0.75;

/// Maximum compression level.
const COMPRESSION: u8 = 9;

const CATALOG: Ref = Ref::new(1);
const PAGES: Ref = Ref::new(2);
const PAGE: Ref = Ref::new(3);
const CONTENT: Ref = Ref::new(4);
const FIRST_STATE: i32 = 5;

/// Converts an SVG to a PDF file.
pub fn pdf(svg: &str) -> Result<Vec<u8>, String> {
    let tree = tree(svg)?;
    let (width, height) = (tree.size().width() * SCALE, tree.size().height() * SCALE);
    let mut writer = PdfWriter { content: Content::new(), opacities: BTreeMap::new() };
    // The y axis of PDF points up, that of SVG down.
    writer.content.transform([SCALE, 0.0, 0.0, -SCALE, 0.0, height]);
    writer.group(tree.root(), 1.0);
    let PdfWriter { content, opacities } = writer;
    let mut file = Pdf::new();
    file.catalog(CATALOG).pages(PAGES);
    file.pages(PAGES).kids([PAGE]).count(1);
    let mut page = file.page(PAGE);
    page.media_box(Rect::new(0.0, 0.0, width, height)).parent(PAGES).contents(CONTENT);
    let mut resources = page.resources();
    let mut states = resources.ext_g_states();
    for (number, name) in opacities.values() {
        states.pair(Name(name.as_bytes()), Ref::new(FIRST_STATE + number));
    }
    states.finish();
    resources.finish();
    page.finish();
    for (opacity, (number, _)) in &opacities {
        let alpha = f32::from(*opacity) / f32::from(u8::MAX);
        file.ext_graphics(Ref::new(FIRST_STATE + number)).non_stroking_alpha(alpha).stroking_alpha(alpha);
    }
    let packed = miniz_oxide::deflate::compress_to_vec_zlib(&content.finish(), COMPRESSION);
    file.stream(CONTENT, &packed).filter(Filter::FlateDecode);
    Ok(file.finish())
}

struct PdfWriter {
    content: Content,
    /// The opacities in use, each with its number and its name.
    opacities: BTreeMap<u8, (i32, String)>,
}

impl PdfWriter {
    fn group(&mut self, group: &Group, opacity: f32) {
        let opacity = opacity * group.opacity().get();
        for node in group.children() {
            match node {
                Node::Group(group) => self.group(group, opacity),
                Node::Path(path) if path.is_visible() => self.path(path, opacity),
                // Drawings have no images, and their texts are paths.
                Node::Path(_) | Node::Image(_) | Node::Text(_) => {}
            }
        }
    }

    fn path(&mut self, path: &Path, opacity: f32) {
        let fill =
            path.fill().and_then(|fill| Some((colour(fill.paint())?, fill.opacity().get(), fill.rule())));
        let stroke = path.stroke().and_then(|stroke| Some((colour(stroke.paint())?, stroke)));
        if let Some((colour, own, rule)) = fill {
            self.content.save_state();
            self.opacity(opacity * own);
            self.content.set_fill_rgb(colour[0], colour[1], colour[2]);
            self.trace(path);
            match rule {
                FillRule::NonZero => self.content.fill_nonzero(),
                FillRule::EvenOdd => self.content.fill_even_odd(),
            };
            self.content.restore_state();
        }
        if let Some((colour, stroke)) = stroke {
            self.content.save_state();
            self.opacity(opacity * stroke.opacity().get());
            self.content.set_stroke_rgb(colour[0], colour[1], colour[2]);
            self.content.set_line_width(stroke.width().get() * scale_of(path.abs_transform()));
            self.content.set_miter_limit(stroke.miterlimit().get());
            self.content.set_line_cap(match stroke.linecap() {
                LineCap::Butt => LineCapStyle::ButtCap,
                LineCap::Round => LineCapStyle::RoundCap,
                LineCap::Square => LineCapStyle::ProjectingSquareCap,
            });
            self.content.set_line_join(match stroke.linejoin() {
                LineJoin::Miter | LineJoin::MiterClip => LineJoinStyle::MiterJoin,
                LineJoin::Round => LineJoinStyle::RoundJoin,
                LineJoin::Bevel => LineJoinStyle::BevelJoin,
            });
            if let Some(dashes) = stroke.dasharray() {
                self.content.set_dash_pattern(dashes.iter().copied(), stroke.dashoffset());
            }
            self.trace(path);
            self.content.stroke();
            self.content.restore_state();
        }
    }

    fn opacity(&mut self, opacity: f32) {
        let step = (opacity.clamp(0.0, 1.0) * f32::from(u8::MAX)).round() as u8;
        if step < u8::MAX {
            let number = self.opacities.len() as i32;
            let (_, name) = self.opacities.entry(step).or_insert_with(|| (number, format!("opacity{step}")));
            self.content.set_parameters(Name(name.as_bytes()));
        }
    }

    fn trace(&mut self, path: &Path) {
        let transform = path.abs_transform();
        let mut last = Point::zero();
        for segment in path.data().segments() {
            match segment {
                PathSegment::MoveTo(to) => {
                    let at = placed(transform, to);
                    self.content.move_to(at.x, at.y);
                    last = to;
                }
                PathSegment::LineTo(to) => {
                    let at = placed(transform, to);
                    self.content.line_to(at.x, at.y);
                    last = to;
                }
                PathSegment::QuadTo(middle, to) => {
                    // Converts a quadratic Bézier curve to a cubic one.
                    let near = |end: Point| {
                        Point::from_xy(
                            end.x + (middle.x - end.x) * 2.0 / 3.0,
                            end.y + (middle.y - end.y) * 2.0 / 3.0,
                        )
                    };
                    self.curve(transform, near(last), near(to), to);
                    last = to;
                }
                PathSegment::CubicTo(first, second, to) => {
                    self.curve(transform, first, second, to);
                    last = to;
                }
                PathSegment::Close => {
                    self.content.close_path();
                }
            }
        }
    }

    fn curve(&mut self, transform: Transform, first: Point, second: Point, to: Point) {
        let [first, second, to] = [first, second, to].map(|point| placed(transform, point));
        self.content.cubic_to(first.x, first.y, second.x, second.y, to.x, to.y);
    }
}

fn placed(transform: Transform, point: Point) -> Point {
    let mut point = point;
    transform.map_point(&mut point);
    point
}

/// Returns the factor by which a transform scales line widths.
fn scale_of(transform: Transform) -> f32 {
    (transform.sx * transform.sy - transform.kx * transform.ky).abs().sqrt()
}

/// Returns red, green and blue, from 0 to 1. Drawings have no gradients or patterns.
fn colour(paint: &Paint) -> Option<[f32; 3]> {
    match paint {
        Paint::Color(colour) => {
            Some([colour.red, colour.green, colour.blue].map(|part| f32::from(part) / 255.0))
        }
        _ => None,
    }
}
