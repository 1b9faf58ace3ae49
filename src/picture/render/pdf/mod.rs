//! Converts drawings to a PDF file with a page for each. Texts stay texts, in fonts that the file contains.

mod fonts;

use std::collections::BTreeMap;

use pdf_writer::types::{LineCapStyle, LineJoinStyle};
use pdf_writer::{Content, Filter, Finish, Name, Pdf, Rect, Ref, Str, TextStr};
use resvg::tiny_skia::{PathSegment, Point, Transform};
use resvg::usvg::{FillRule, Group, LineCap, LineJoin, Node, Paint, Path};

use super::raster::tree;
use crate::lettering::{DrawnText, reserved, units_per_em};
use fonts::EmbeddedFont;

/// Points per pixel: an inch is 96 pixels or 72 points.
const SCALE: f32 = 0.75;

/// Maximum compression level.
const COMPRESSION: u8 = 9;

/// A rectangle of a page, in pixels from its upper left corner.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PageBox {
    /// Its upper left corner.
    pub corner: (f64, f64),
    /// Its width and height.
    pub size: (f64, f64),
}

/// What a print shop must know of a page: where it is cut, and how far what is printed goes on beyond the cut.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PageBoxes {
    /// What is left after the cut.
    pub trim: PageBox,
    /// What is printed.
    pub bleed: PageBox,
}

/// A page of a PDF file.
#[derive(Clone, Debug)]
pub struct PdfPage {
    /// The drawing.
    pub svg: String,
    /// Where it is cut, if it is.
    pub boxes: Option<PageBoxes>,
}

/// Converts an SVG to a PDF file with one page.
pub fn pdf(title: &str, svg: String) -> Result<Vec<u8>, String> {
    pdf_pages(title, &[PdfPage { svg, boxes: None }])
}

/// Converts drawings to a PDF file with a page for each.
pub fn pdf_pages(title: &str, drawn: &[PdfPage]) -> Result<Vec<u8>, String> {
    let mut writer = PdfWriter {
        content: Content::new(),
        texts: vec![],
        fonts: [false, true].map(EmbeddedFont::new),
        opacities: BTreeMap::new(),
    };
    let mut pages = vec![];
    for PdfPage { svg, boxes } in drawn {
        let (svg, texts) = reserved(svg);
        let tree = tree(&svg)?;
        let (width, height) = (tree.size().width() * SCALE, tree.size().height() * SCALE);
        writer.texts = texts;
        // The y axis of PDF points up, that of SVG down.
        writer.content.transform([SCALE, 0.0, 0.0, -SCALE, 0.0, height]);
        writer.group(tree.root(), 1.0);
        let content = std::mem::replace(&mut writer.content, Content::new()).finish();
        let size = Rect::new(0.0, 0.0, width, height);
        pages.push(WrittenPage { size, content: packed(&content), boxes: *boxes });
    }
    writer.file(title, &pages)
}

fn packed(data: &[u8]) -> Vec<u8> {
    miniz_oxide::deflate::compress_to_vec_zlib(data, COMPRESSION)
}

/// A page that is written, with its size in points.
struct WrittenPage {
    size: Rect,
    content: Vec<u8>,
    boxes: Option<PageBoxes>,
}

impl PageBox {
    /// Returns the rectangle in points from the lower left corner of a page.
    fn points(&self, page: Rect) -> Rect {
        let ((left, top), (width, height)) = (self.corner, self.size);
        let [left, top, right, bottom] =
            [left, top, left + width, top + height].map(|length| length as f32 * SCALE);
        Rect::new(
            left.max(0.0),
            (page.y2 - bottom).max(0.0),
            right.min(page.x2),
            (page.y2 - top).min(page.y2),
        )
    }
}

/// Counts the objects of a file.
struct Objects(i32);

impl Objects {
    fn next(&mut self) -> Ref {
        self.0 += 1;
        Ref::new(self.0)
    }
}

/// Writes pages, and notes the fonts and opacities that they use.
struct PdfWriter {
    /// The current page.
    content: Content,
    /// The texts of the current page.
    texts: Vec<DrawnText>,
    /// The regular and the bold font.
    fonts: [EmbeddedFont; 2],
    /// The names of the opacities in use.
    opacities: BTreeMap<u8, String>,
}

impl PdfWriter {
    /// Writes the file.
    fn file(self, title: &str, pages: &[WrittenPage]) -> Result<Vec<u8>, String> {
        let mut objects = Objects(0);
        let mut file = Pdf::new();
        let (catalog, tree) = (objects.next(), objects.next());
        file.catalog(catalog).pages(tree).lang(TextStr("en"));
        file.document_info(objects.next()).title(TextStr(title)).producer(TextStr("houserule"));
        let mut fonts = vec![];
        for font in self.fonts.iter().filter(|font| font.is_used()) {
            fonts.push((font.name(), font.write(&mut file, &mut objects)?));
        }
        let opacities: Vec<(u8, &str, Ref)> =
            self.opacities.iter().map(|(step, name)| (*step, name.as_str(), objects.next())).collect();
        for (step, _, id) in &opacities {
            let alpha = f32::from(*step) / f32::from(u8::MAX);
            file.ext_graphics(*id).non_stroking_alpha(alpha).stroking_alpha(alpha);
        }
        let ids: Vec<(Ref, Ref)> = pages.iter().map(|_| (objects.next(), objects.next())).collect();
        file.pages(tree).kids(ids.iter().map(|(page, _)| *page)).count(pages.len() as i32);
        for (written, (id, stream)) in pages.iter().zip(ids) {
            let mut page = file.page(id);
            page.media_box(written.size).parent(tree).contents(stream);
            if let Some(PageBoxes { trim, bleed }) = &written.boxes {
                page.bleed_box(bleed.points(written.size)).trim_box(trim.points(written.size));
            }
            let mut resources = page.resources();
            let mut named = resources.fonts();
            for (name, font) in &fonts {
                named.pair(Name(name.as_bytes()), *font);
            }
            named.finish();
            let mut named = resources.ext_g_states();
            for (_, name, state) in &opacities {
                named.pair(Name(name.as_bytes()), *state);
            }
            named.finish();
            resources.finish();
            page.finish();
            file.stream(stream, &written.content).filter(Filter::FlateDecode);
        }
        Ok(file.finish())
    }

    fn group(&mut self, group: &Group, opacity: f32) {
        let opacity = opacity * group.opacity().get();
        for node in group.children() {
            match node {
                Node::Group(group) => self.group(group, opacity),
                Node::Path(path) if path.is_visible() => {
                    match path.id().parse().ok().and_then(|at: usize| self.texts.get_mut(at)) {
                        Some(text) => {
                            let text = std::mem::take(text);
                            self.text(&text, path, opacity);
                        }
                        None => self.path(path, opacity),
                    }
                }
                // Drawings have no images, and their texts are marks with an id.
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

    /// Writes a text in the place and the colour of its mark.
    fn text(&mut self, text: &DrawnText, mark: &Path, opacity: f32) {
        let Some(fill) = mark.fill() else { return };
        let Some(colour) = colour(fill.paint()) else { return };
        let font = &mut self.fonts[usize::from(text.bold)];
        let codes = font.encoded(&text.text);
        let name = font.name();
        let at = mark.abs_transform();
        self.content.save_state();
        self.opacity(opacity * fill.opacity().get());
        self.content
            .set_fill_rgb(colour[0], colour[1], colour[2])
            .begin_text()
            .set_font(Name(name.as_bytes()), units_per_em(text.bold))
            .set_text_matrix([at.sx, at.ky, at.kx, at.sy, at.tx, at.ty])
            .show(Str(&codes))
            .end_text()
            .restore_state();
    }

    fn opacity(&mut self, opacity: f32) {
        let step = (opacity.clamp(0.0, 1.0) * f32::from(u8::MAX)).round() as u8;
        if step < u8::MAX {
            let name = self.opacities.entry(step).or_insert_with(|| format!("opacity{step}"));
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
