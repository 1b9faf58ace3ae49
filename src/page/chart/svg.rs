//! Charts as SVG. This file, `spread` and `gains` write elements: it places the panels, rounds lengths and escapes text.

use std::fmt::Write as _;

use super::axis::{Axis, describe};
use super::{Chart, ChartPanel, Kind, Point};

/// The style sheet of all charts of a page, without the `<style>` element. Its variables are the colours, and a page
/// can set them again: `--hr-paper`, `--hr-text`, `--hr-quiet`, `--hr-grid`, and `--hr-0` to `--hr-7` of the series.
///
/// Elements have the light colours as attributes too, for viewers without style sheets.
pub const STYLE: &str = "@supports(color:var(--a)){\
:root{--hr-paper:#fdfcf9;--hr-text:#2b2926;--hr-quiet:#6b655b;--hr-grid:#e3ded3;--hr-0:#1f66a6;--hr-1:#c4560f;\
--hr-2:#1d7f56;--hr-3:#8a4fa0;--hr-4:#8c6a05;--hr-5:#b4343f;--hr-6:#1c7f86;--hr-7:#5b6068}\
@media screen and (prefers-color-scheme:dark){:root:not([data-theme=light]){--hr-paper:#1b1d20;--hr-text:#ebe9e4;--hr-quiet:#a8a59d;\
--hr-grid:#3a3e44;--hr-0:#72b0e6;--hr-1:#f0a066;--hr-2:#77c696;--hr-3:#c7a0e0;--hr-4:#dcb654;--hr-5:#ee8585;\
--hr-6:#6fcaca;--hr-7:#b0b6bf}}\
@media screen{:root[data-theme=dark]{--hr-paper:#1b1d20;--hr-text:#ebe9e4;--hr-quiet:#a8a59d;\
--hr-grid:#3a3e44;--hr-0:#72b0e6;--hr-1:#f0a066;--hr-2:#77c696;--hr-3:#c7a0e0;--hr-4:#dcb654;--hr-5:#ee8585;\
--hr-6:#6fcaca;--hr-7:#b0b6bf}}\
@media print{:root{--hr-paper:#fff;--hr-text:#000;--hr-quiet:#333}}\
.hr-chart{max-width:100%;height:auto}.hr-chart .hr-paper{fill:var(--hr-paper)}.hr-chart .hr-text{fill:var(--hr-text)}\
.hr-chart .hr-quiet{fill:var(--hr-quiet)}.hr-chart .hr-grid{stroke:var(--hr-grid)}\
.hr-chart .hr-axis{stroke:var(--hr-quiet)}\
.hr-chart .hr-0{fill:var(--hr-0);stroke:var(--hr-0)}.hr-chart .hr-1{fill:var(--hr-1);stroke:var(--hr-1)}\
.hr-chart .hr-2{fill:var(--hr-2);stroke:var(--hr-2)}.hr-chart .hr-3{fill:var(--hr-3);stroke:var(--hr-3)}\
.hr-chart .hr-4{fill:var(--hr-4);stroke:var(--hr-4)}.hr-chart .hr-5{fill:var(--hr-5);stroke:var(--hr-5)}\
.hr-chart .hr-6{fill:var(--hr-6);stroke:var(--hr-6)}.hr-chart .hr-7{fill:var(--hr-7);stroke:var(--hr-7)}}";

/// The light colours of [`STYLE`].
const PAPER: &str = "#fdfcf9";
const TEXT: &str = "#2b2926";
pub(super) const QUIET: &str = "#6b655b";
pub(super) const GRID: &str = "#e3ded3";
pub(super) const SERIES: [&str; 8] =
    ["#1f66a6", "#c4560f", "#1d7f56", "#8a4fa0", "#8c6a05", "#b4343f", "#1c7f86", "#5b6068"];

/// Dashes of the lines of the series, so that they differ without colours.
const DASHES: [&str; 8] = ["", "7 3", "2 3", "9 3 2 3", "4 3", "12 3", "1 3", "9 3 2 3 2 3"];

/// Width and height of a panel, if there are one, two or more of them.
const SIZES: [(f64, f64); 3] = [(660.0, 340.0), (420.0, 290.0), (320.0, 230.0)];

/// Height of a row, if the names run from top to bottom, and of each further series in it.
const ROW: (f64, f64) = (22.0, 11.0);

/// Size of the text of ticks and labels.
const SMALL: f64 = 11.0;

/// Maximum share of a panel's width for the names on its vertical axis.
const NAMES: f64 = 0.4;

/// Space around the panels.
const MARGIN: f64 = 12.0;

pub(super) fn draw(chart: &Chart, standalone: bool) -> String {
    let names = chart.legend();
    let columns = match chart.panels.len() {
        // Two rows of two leave no gap.
        2 | 4 => 2,
        panels => panels.clamp(1, SIZES.len()),
    };
    let (width, height) = SIZES[columns - 1];
    let mut body = String::new();
    let inner = width * columns as f64;
    let mut top = MARGIN;
    if !chart.title.is_empty() {
        for line in lines(&chart.title, inner, 15.0) {
            top += 18.0;
            text(&mut body, (MARGIN, top - 3.0), &line, Style { bold: true, size: 15.0, ..Style::default() });
        }
        top += 4.0;
    }
    if names.len() > 1 {
        top = legend(&mut body, &names, chart, top, inner);
    }
    for row in chart.panels.chunks(columns) {
        let height = row.iter().map(|panel| panel_height(panel, height)).fold(0.0, f64::max);
        for (column, panel) in row.iter().enumerate() {
            let place = PanelFrame { x: MARGIN + width * column as f64, y: top, width: width - 8.0, height };
            place.draw(&mut body, panel, &names);
        }
        top += height + 6.0;
    }
    let (width, height) = (length(inner + 2.0 * MARGIN), length(top + MARGIN - 6.0));
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"hr-chart\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{title}\" \
         font-family=\"system-ui, 'Segoe UI', 'DejaVu Sans', sans-serif\"><title>{title}</title><desc>{}</desc>",
        escaped(&chart.described()),
        title = escaped(&chart.title),
    );
    if standalone {
        let _ = write!(
            svg,
            "<style>{STYLE}</style><rect class=\"hr-paper\" width=\"{width}\" height=\"{height}\" fill=\"{PAPER}\"/>"
        );
    }
    svg.push_str(&body);
    svg.push_str("</svg>\n");
    svg
}

/// Writes the names of the series, each with its line or marker. Returns the height at which it ends.
fn legend(body: &mut String, names: &[&str], chart: &Chart, top: f64, width: f64) -> f64 {
    let kind = chart.panels.first().map_or(Kind::Lines, |panel| panel.kind);
    let (mut x, mut y) = (MARGIN, top + 10.0);
    for (at, name) in names.iter().enumerate() {
        let wide = 42.0 + text_width(name, SMALL);
        if x > MARGIN && x + wide > width {
            (x, y) = (MARGIN, y + 18.0);
        }
        open(body, at);
        match kind {
            Kind::Bars | Kind::Histogram => {
                let path = format!("M{} {}h24v10h-24z", length(x), length(y - 5.0));
                area(body, &path, at, kind);
            }
            _ => {
                if kind != Kind::Points {
                    stroke(body, &format!("M{} {}h24", length(x), length(y)), 1.8, DASHES[at % 8]);
                }
                if kind != Kind::Bands {
                    marker(body, (x + 12.0, y), at);
                }
            }
        }
        body.push_str("</g>");
        text(body, (x + 29.0, y + 4.0), name, Style::default());
        x += wide;
    }
    y + 14.0
}

fn panel_height(panel: &ChartPanel, usual: f64) -> f64 {
    if !panel.is_in_rows() {
        return usual;
    }
    let series = panel.series.len().saturating_sub(1) as f64;
    70.0 + panel.names.len() as f64 * (ROW.0 + series * ROW.1)
}

/// The rectangle of a panel.
struct PanelFrame {
    x: f64,
    y: f64,
    width: f64,
    height: f64,
}

/// A panel being drawn: its axes, and whether `x` runs from top to bottom.
struct Plot {
    x: Axis,
    y: Axis,
    is_in_rows: bool,
}

impl Plot {
    /// Returns the place of a point, moved by `aside` along the axis of `x`.
    fn at(&self, x: f64, y: f64, aside: f64) -> (f64, f64) {
        let (x, y) = (self.x.at(x) + aside, self.y.at(y));
        if self.is_in_rows { (y, x) } else { (x, y) }
    }
}

impl PanelFrame {
    fn draw(&self, body: &mut String, panel: &ChartPanel, names: &[&str]) {
        let rows = panel.is_in_rows();
        let whole = panel.points().all(|point| point.x.fract() == 0.0);
        let step = least_step(panel);
        let values = || {
            let spans = panel.points().flat_map(|point| {
                let (low, high) = point.span();
                [low, high]
            });
            spans.chain(panel.guides.iter().copied())
        };
        let along = (if rows { self.height } else { self.width } / 36.0).clamp(2.0, 12.0) as usize;
        let across = if rows { self.width / 60.0 } else { self.height / 38.0 }.clamp(3.0, 8.0) as usize;
        let x = match panel.names.is_empty() {
            true => {
                let values = || panel.points().map(|point| point.x);
                let axis = Axis::new(values(), along, false, whole).at_values(values(), along);
                if panel.starts_at_zero() { axis.widened(step / 2.0) } else { axis }
            }
            false => Axis::named(&panel.names),
        };
        let y = Axis::new(values(), across, panel.starts_at_zero(), false);
        let (upright, level) = if rows { (&x, &y) } else { (&y, &x) };
        let most_letters = (NAMES * self.width / text_width("x", SMALL)) as usize;
        // In rows, the values are level, and so is their label.
        let (x_label, y_label) = match rows {
            true => (&panel.y_label, &panel.x_label),
            false => (&panel.x_label, &panel.y_label),
        };
        let widest = upright.ticks.iter().map(|(_, label)| text_width(&cut(label, most_letters), SMALL));
        let widest = widest.fold(0.0, f64::max);
        let head = if panel.title.is_empty() { 8.0 } else { 24.0 };
        let left = self.x + widest + 8.0 + if y_label.is_empty() { 0.0 } else { 18.0 };
        let (right, top) = (self.x + self.width - 8.0, self.y + head);
        let slanted = is_crowded(level, right - left);
        let longest = level.ticks.iter().map(|(_, label)| text_width(&cut(label, most_letters), SMALL));
        let below = if slanted { longest.fold(0.0, f64::max) * 0.5 + 12.0 } else { 18.0 };
        let bottom = self.y + self.height - below - if x_label.is_empty() { 2.0 } else { 18.0 };
        let plot = match rows {
            true => Plot { x: x.between(top, bottom), y: y.between(left, right), is_in_rows: true },
            false => Plot { x: x.between(left, right), y: y.between(bottom, top), is_in_rows: false },
        };
        let (upright, level) = if rows { (&plot.x, &plot.y) } else { (&plot.y, &plot.x) };

        if !panel.title.is_empty() {
            let style = Style { bold: true, size: 12.0, ..Style::default() };
            text(body, (self.x, self.y + 14.0), &cut(&panel.title, (self.width / 6.6) as usize), style);
        }
        // Grid lines are at the ticks of values.
        let mut grid = String::new();
        for (tick, label) in &upright.ticks {
            let y = upright.at(*tick);
            if !rows {
                let _ = write!(grid, "M{} {}H{}", length(left), length(y), length(right));
            }
            let style = Style { anchor: "end", quiet: !rows, ..Style::default() };
            text(body, (left - 6.0, y + 4.0), &cut(label, most_letters), style);
        }
        for (tick, label) in &level.ticks {
            let x = level.at(*tick);
            if rows {
                let _ = write!(grid, "M{} {}V{}", length(x), length(top), length(bottom));
            }
            let (anchor, turn) = if slanted { ("end", Some(-30.0)) } else { ("middle", None) };
            let style = Style { anchor, turn, quiet: true, ..Style::default() };
            text(body, (x, bottom + 15.0), &cut(label, most_letters), style);
        }
        let _ = write!(body, "<path class=\"hr-grid\" d=\"{grid}\" stroke=\"{GRID}\" fill=\"none\"/>");
        let base = plot.y.base();
        let axis = match rows {
            true => format!("M{} {}V{}", length(base), length(top), length(bottom)),
            false => format!("M{} {}H{}", length(left), length(base), length(right)),
        };
        let _ = write!(body, "<path class=\"hr-axis\" d=\"{axis}\" stroke=\"{QUIET}\" fill=\"none\"/>");
        for guide in &panel.guides {
            let at = plot.y.at(*guide);
            let line = match rows {
                true => format!("M{} {}V{}", length(at), length(top), length(bottom)),
                false => format!("M{} {}H{}", length(left), length(at), length(right)),
            };
            let _ = write!(
                body,
                "<path class=\"hr-axis\" d=\"{line}\" stroke=\"{QUIET}\" stroke-dasharray=\"5 3\" fill=\"none\"/>"
            );
        }
        if !x_label.is_empty() {
            let style = Style { anchor: "middle", ..Style::default() };
            text(body, ((left + right) / 2.0, self.y + self.height - 5.0), x_label, style);
        }
        if !y_label.is_empty() {
            let style = Style { anchor: "middle", turn: Some(-90.0), ..Style::default() };
            text(body, (self.x + 10.0, (top + bottom) / 2.0), y_label, style);
        }
        if panel.points().next().is_none() {
            let style = Style { anchor: "middle", quiet: true, ..Style::default() };
            text(body, ((left + right) / 2.0, (top + bottom) / 2.0), "no data", style);
        }
        let room = (plot.x.at(step) - plot.x.at(0.0)).abs();
        for (at, series) in panel.series.iter().enumerate() {
            let look = names.iter().position(|name| *name == series.name).unwrap_or(at);
            open(body, look);
            SeriesDrawing::new(panel, &plot, at, look, room).draw(body);
            body.push_str("</g>");
        }
    }
}

/// A series of a panel being drawn.
struct SeriesDrawing<'c> {
    panel: &'c ChartPanel,
    plot: &'c Plot,
    /// The points that can be drawn.
    points: Vec<&'c Point>,
    /// The number of its colour, dashes and marker.
    look: usize,
    /// Distance between two series at the same point.
    spread: f64,
    /// Distance of this series from the middle of all.
    aside: f64,
}

impl<'c> SeriesDrawing<'c> {
    /// Creates the drawing of the series with an index. `room` is the length between two neighbouring points.
    fn new(panel: &'c ChartPanel, plot: &'c Plot, at: usize, look: usize, room: f64) -> SeriesDrawing<'c> {
        let count = panel.series.len() as f64;
        // Series are moved aside a little, so that their intervals don't hide each other.
        let spread = match panel.kind {
            Kind::Lines => (room * 0.5 / count).min(4.0),
            Kind::Points => (room * 0.7 / count).min(ROW.1),
            Kind::Bars => room * 0.8 / count,
            Kind::Bands | Kind::Histogram => 0.0,
        };
        let aside = (at as f64 - (count - 1.0) / 2.0) * spread;
        let points = panel.series[at].points.iter().filter(|point| point.is_finite()).collect();
        SeriesDrawing { panel, plot, points, look, spread, aside }
    }

    fn draw(&self, body: &mut String) {
        match self.panel.kind {
            Kind::Lines => {
                self.line(body);
                self.intervals(body, "");
                self.markers(body);
            }
            Kind::Bands => {
                self.band(body);
                self.line(body);
            }
            Kind::Points => {
                self.intervals(body, "");
                self.markers(body);
            }
            Kind::Bars => {
                self.bars(body);
                // A bar of a chart would hide its interval in the same colour.
                self.intervals(body, &format!(" class=\"hr-axis\" stroke=\"{QUIET}\""));
            }
            Kind::Histogram => self.histogram(body),
        }
    }

    /// Returns the place of a point, or of an end of its interval, in a path.
    fn place(&self, point: &Point, y: f64) -> String {
        pair(self.plot.at(point.x, y, self.aside))
    }

    fn line(&self, body: &mut String) {
        if self.points.len() > 1 {
            let path: Vec<String> = self.points.iter().map(|point| self.place(point, point.y)).collect();
            stroke(body, &format!("M{}", path.join("L")), 1.8, DASHES[self.look % 8]);
        }
    }

    fn markers(&self, body: &mut String) {
        for point in &self.points {
            let _ = write!(body, "<g><title>{}</title>", escaped(&describe(self.panel, point)));
            marker(body, self.plot.at(point.x, point.y, self.aside), self.look);
            body.push_str("</g>");
        }
    }

    /// Draws intervals as bars with caps, in an ink of their own or in that of the series.
    fn intervals(&self, body: &mut String, ink: &str) {
        let mut bars = String::new();
        let cap = if self.plot.is_in_rows { "m0 -3v6" } else { "m-3 0h6" };
        for point in &self.points {
            let Some((low, high)) = point.interval.filter(|(low, high)| high > low) else { continue };
            let (low, high) = (self.place(point, low), self.place(point, high));
            let _ = write!(bars, "M{low}L{high}M{low}{cap}M{high}{cap}");
        }
        if !bars.is_empty() {
            let _ = write!(body, "<path d=\"{bars}\" fill=\"none\" stroke-width=\"1.2\"{ink}/>");
        }
    }

    /// Draws intervals as a band.
    fn band(&self, body: &mut String) {
        let edge = |high: bool| {
            let within = self.points.iter().filter_map(|point| point.interval.map(|ends| (point, ends)));
            within.map(move |(point, (low, top))| self.place(point, if high { top } else { low }))
        };
        let back: Vec<String> = edge(true).collect();
        let around: Vec<String> = edge(false).chain(back.into_iter().rev()).collect();
        if around.len() > 2 {
            let path = format!("M{}z", around.join("L"));
            let _ = write!(body, "<path d=\"{path}\" stroke=\"none\" fill-opacity=\"0.18\"/>");
        }
    }

    fn bars(&self, body: &mut String) {
        let (half, base) = (self.spread * 0.46, length(self.plot.y.base()));
        for point in &self.points {
            let middle = self.plot.x.at(point.x) + self.aside;
            let (near, wide, end) =
                (length(middle - half), length(2.0 * half), length(self.plot.y.at(point.y)));
            let path = match self.plot.is_in_rows {
                true => format!("M{base} {near}H{end}v{wide}H{base}z"),
                false => format!("M{near} {base}V{end}h{wide}V{base}z"),
            };
            let _ = write!(body, "<g><title>{}</title>", escaped(&describe(self.panel, point)));
            area(body, &path, self.look, self.panel.kind);
            body.push_str("</g>");
        }
    }

    fn histogram(&self, body: &mut String) {
        let (x, y) = (&self.plot.x, &self.plot.y);
        let (half, base) = (least_step(self.panel) / 2.0, length(y.base()));
        let mut path = String::new();
        for (index, point) in self.points.iter().enumerate() {
            if index == 0 {
                let _ = write!(path, "M{} {base}", length(x.at(point.x - half)));
            }
            let _ = write!(path, "V{}H{}", length(y.at(point.y)), length(x.at(point.x + half)));
        }
        if !path.is_empty() {
            let _ = write!(path, "V{base}z");
            area(body, &path, self.look, self.panel.kind);
        }
    }
}

/// Returns the least distance of two points along `x`, or 1 if there are not two.
fn least_step(panel: &ChartPanel) -> f64 {
    let mut all: Vec<f64> = panel.points().map(|point| point.x).collect();
    all.sort_by(f64::total_cmp);
    let gaps = all.windows(2).map(|pair| pair[1] - pair[0]).filter(|gap| *gap > 0.0);
    let least = gaps.fold(f64::INFINITY, f64::min);
    if least.is_finite() && panel.names.is_empty() { least } else { 1.0 }
}

/// Opens the group of a series, with its colour.
pub(super) fn open(body: &mut String, look: usize) {
    let (look, colour) = (look % 8, SERIES[look % 8]);
    let _ = write!(body, "<g class=\"hr-{look}\" fill=\"{colour}\" stroke=\"{colour}\">");
}

pub(super) fn stroke(body: &mut String, path: &str, width: f64, dashes: &str) {
    let dashes = if dashes.is_empty() { String::new() } else { format!(" stroke-dasharray=\"{dashes}\"") };
    let _ = write!(body, "<path d=\"{path}\" fill=\"none\" stroke-width=\"{}\"{dashes}/>", length(width));
}

/// Writes a bar. The first series is dense and the others are light with a dashed edge, as they may lie over it.
fn area(body: &mut String, path: &str, look: usize, kind: Kind) {
    let dense = if kind == Kind::Bars { 0.85 } else { 0.45 };
    let density = if look == 0 { dense } else { 0.18 };
    let dashes =
        if look == 0 { String::new() } else { format!(" stroke-dasharray=\"{}\"", DASHES[look % 8]) };
    let _ = write!(body, "<path d=\"{path}\" fill-opacity=\"{density}\"{dashes}/>");
}

/// Writes the marker of a series: four shapes, filled and then hollow.
fn marker(body: &mut String, place: (f64, f64), look: usize) {
    let at = pair(place);
    let path = match look % 4 {
        0 => format!("M{at}m-3.4 0a3.4 3.4 0 1 0 6.8 0a3.4 3.4 0 1 0 -6.8 0z"),
        1 => format!("M{at}m-3 -3h6v6h-6z"),
        2 => format!("M{at}m0 -4l4 7h-8z"),
        _ => format!("M{at}m0 -4.2l4.2 4.2l-4.2 4.2l-4.2 -4.2z"),
    };
    let hollow = match look % 8 {
        0..4 => String::new(),
        _ => format!(" class=\"hr-paper\" fill=\"{PAPER}\" stroke-width=\"1.5\""),
    };
    let _ = write!(body, "<path d=\"{path}\"{hollow}/>");
}

/// How a text is written.
pub(super) struct Style {
    pub(super) size: f64,
    pub(super) bold: bool,
    pub(super) quiet: bool,
    pub(super) anchor: &'static str,
    /// Turned around its position, in degrees.
    pub(super) turn: Option<f64>,
}

impl Default for Style {
    fn default() -> Self {
        Style { size: SMALL, bold: false, quiet: false, anchor: "start", turn: None }
    }
}

pub(super) fn text(body: &mut String, base: (f64, f64), what: &str, style: Style) {
    let (x, y) = base;
    let (class, colour) = if style.quiet { ("hr-quiet", QUIET) } else { ("hr-text", TEXT) };
    let (x, y) = (length(x), length(y));
    let bold = if style.bold { " font-weight=\"600\"" } else { "" };
    let anchor = match style.anchor {
        "start" => String::new(),
        other => format!(" text-anchor=\"{other}\""),
    };
    let turn = style.turn.map(|turn| format!(" transform=\"rotate({} {x} {y})\"", length(turn)));
    let _ = write!(
        body,
        "<text class=\"{class}\" x=\"{x}\" y=\"{y}\" font-size=\"{}\" fill=\"{colour}\"{bold}{anchor}{}>{}</text>",
        length(style.size),
        turn.unwrap_or_default(),
        escaped(what)
    );
}

/// Returns `true` if the labels of an axis would touch each other.
fn is_crowded(axis: &Axis, room: f64) -> bool {
    let widths = axis.ticks.iter().map(|(_, label)| text_width(label, SMALL) + 6.0);
    widths.fold(0.0, f64::max) * axis.ticks.len() as f64 > room
}

/// Returns about how wide a text is.
fn text_width(text: &str, size: f64) -> f64 {
    text.chars().count() as f64 * size * 0.58
}

/// Returns a text of at most `most` letters.
fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    text.chars().take(most.saturating_sub(1)).chain(['…']).collect()
}

/// Breaks a text into lines of a width.
fn lines(text: &str, width: f64, size: f64) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let last = lines.last_mut().expect("a line");
        if !last.is_empty() && text_width(last, size) + text_width(word, size) > width {
            lines.push(word.to_owned());
        } else {
            last.push_str(if last.is_empty() { "" } else { " " });
            last.push_str(word);
        }
    }
    lines
}

fn pair(place: (f64, f64)) -> String {
    let (x, y) = place;
    format!("{} {}", length(x), length(y))
}

/// Rounds a length to a tenth.
pub(super) fn length(value: f64) -> String {
    let text = format!("{value:.1}");
    let text = text.strip_suffix(".0").unwrap_or(&text);
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// Escapes a text for XML. Control characters, which XML doesn't allow, become spaces.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::new();
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            letter if letter.is_control() || matches!(letter, '\u{fffe}' | '\u{ffff}') => out.push(' '),
            letter => out.push(letter),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::Series;
    use super::*;

    fn series(name: &str, points: &[(f64, f64)]) -> Series {
        let points = points.iter().map(|(x, y)| Point::new(*x, *y).within(Some(y - 1.0), Some(y + 1.0)));
        Series { name: name.to_owned(), points: points.collect() }
    }

    fn chart(kind: Kind, names: &[&str], panels: usize) -> Chart {
        let panel = ChartPanel {
            title: "a <panel>".to_owned(),
            x_label: "x & more".to_owned(),
            y_label: "points".to_owned(),
            kind,
            names: names.iter().map(|name| (*name).to_owned()).collect(),
            guides: vec![2.0],
            series: vec![
                series("one", &[(0.0, 3.0), (1.0, 4.0), (2.0, f64::NAN)]),
                series("two", &[(0.0, 2.0), (1.0, -3.0)]),
            ],
        };
        Chart { title: "\"Scores\"\u{7}".to_owned(), panels: vec![panel; panels], ..Chart::default() }
    }

    #[test]
    fn every_kind_is_well_formed_with_title_and_numbers() {
        let all = [Kind::Lines, Kind::Bands, Kind::Points, Kind::Bars, Kind::Histogram];
        for (kind, panels) in all.into_iter().flat_map(|kind| [0, 1, 2, 5].map(|panels| (kind, panels))) {
            for names in [&[][..], &["first", "second", "third"]] {
                for standalone in [false, true] {
                    let svg = chart(kind, names, panels).svg(standalone);
                    let tree = roxmltree::Document::parse(&svg).expect("well-formed");
                    let root = tree.root_element();
                    let child = |name| root.children().find(|child| child.has_tag_name(name));
                    let text = |name| child(name).and_then(|child| child.text().map(str::to_owned));
                    assert_eq!(text("title").as_deref(), Some("\"Scores\" "));
                    assert_eq!(child("style").is_some(), standalone);
                    if panels > 0 {
                        assert!(text("desc").is_some_and(|desc| desc.contains("3 (2 to 4)")), "{svg}");
                    }
                    assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
                }
            }
        }
    }

    #[test]
    fn a_label_stands_at_its_own_axis() {
        for (names, upright) in [(&[][..], "points"), (&["first", "second"], "x & more")] {
            let svg = chart(Kind::Points, names, 1).svg(false);
            let tree = roxmltree::Document::parse(&svg).expect("well-formed");
            for label in ["points", "x & more"] {
                let mut found =
                    tree.descendants().filter(|one| one.has_tag_name("text") && one.text() == Some(label));
                let text = found.next().expect("a label");
                assert_eq!(text.attribute("transform").is_some(), label == upright, "{label}: {svg}");
            }
        }
    }

    #[test]
    fn series_differ_without_colours() {
        let svg = chart(Kind::Lines, &[], 1).svg(false);
        assert!(svg.contains("stroke-dasharray=\"7 3\""), "the second line is dashed: {svg}");
        let look = |look| {
            let mut body = String::new();
            marker(&mut body, (0.0, 0.0), look);
            body
        };
        let looks: std::collections::BTreeSet<String> = (0..8).map(look).collect();
        assert_eq!(looks.len(), 8);
    }

    #[test]
    fn the_style_has_the_colours_of_the_attributes() {
        for (at, colour) in SERIES.iter().enumerate() {
            assert!(STYLE.contains(&format!("--hr-{at}:{colour}")), "{at}");
        }
        for colour in [PAPER, TEXT, QUIET, GRID] {
            assert!(STYLE.contains(colour), "{colour}");
        }
    }

    #[test]
    fn nothing_to_draw_is_said() {
        let panel = ChartPanel { series: vec![Series::default()], ..ChartPanel::default() };
        let svg = Chart { panels: vec![panel], ..Chart::default() }.svg(false);
        assert!(svg.contains("no data"));
    }
}
