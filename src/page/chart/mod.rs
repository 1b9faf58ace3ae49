//! Charts of results as SVG: lines, points, bars and histograms with their intervals, in one panel or several.
//!
//! A chart is one self-contained piece of SVG without ids, so a page can have any number of them. It follows the
//! light or dark theme of the viewer, and pages can change its colours ([`STYLE`]). Series differ in dashes and
//! markers too, so a print in black and white can be read. Independent of games.

mod axis;
mod gains;
mod histogram;
mod spread;
mod svg;

pub use gains::gains;
pub use histogram::histogram;
pub use spread::{SpreadSample, spread};
pub use svg::STYLE;

/// A chart: one panel, or several in a grid. Series with the same name look the same in all of them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Chart {
    /// The title.
    pub title: String,
    /// What the chart shows, for screen readers. Empty: the numbers, if they aren't too many.
    pub description: String,
    /// The panels, from left to right and from top to bottom.
    pub panels: Vec<ChartPanel>,
}

/// Two axes, and what is drawn between them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ChartPanel {
    /// The title above it; may be empty.
    pub title: String,
    /// The label of the horizontal axis; may be empty.
    pub x_label: String,
    /// The label of the vertical axis; may be empty.
    pub y_label: String,
    /// How the series are drawn.
    pub kind: Kind,
    /// Names of the positions 0, 1, 2 … on the axis of `x`. Points and bars with names are drawn as rows from top to
    /// bottom, so that there is space for the names; then `y` is the horizontal axis.
    pub names: Vec<String>,
    /// Values of `y` at which a thin line is drawn: a target, or a difference of 0.
    pub guides: Vec<f64>,
    /// The series.
    pub series: Vec<Series>,
}

/// How series are drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    /// Lines with a marker at each point, and intervals as bars.
    #[default]
    Lines,
    /// Lines, and intervals as a band around them.
    Bands,
    /// Markers with intervals as bars.
    Points,
    /// Bars from 0, side by side, with intervals.
    Bars,
    /// Bars from 0 without gaps, over each other; [`histogram`] makes the points.
    Histogram,
}

/// Points with a name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Series {
    /// Its name in the legend. A chart with a single name has no legend.
    pub name: String,
    /// Its points. Those without a finite `x` and `y` are not drawn.
    pub points: Vec<Point>,
}

/// A point, perhaps with an interval.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Point {
    /// Its position, in the unit of the axis or as an index of [`ChartPanel::names`].
    pub x: f64,
    /// Its value.
    pub y: f64,
    /// The interval of the value, in the same unit.
    pub interval: Option<(f64, f64)>,
}

impl Point {
    /// Creates a point without an interval.
    pub fn new(x: f64, y: f64) -> Point {
        Point { x, y, interval: None }
    }

    /// Returns the point with an interval, if it has both ends.
    #[must_use]
    pub fn within(self, low: Option<f64>, high: Option<f64>) -> Point {
        Point { interval: low.zip(high), ..self }
    }

    /// Returns the least and the greatest value that is drawn.
    fn span(&self) -> (f64, f64) {
        let (low, high) = self.interval.unwrap_or((self.y, self.y));
        (low.min(self.y), high.max(self.y))
    }

    /// Returns `true` if it can be drawn.
    fn is_finite(&self) -> bool {
        let (low, high) = self.span();
        self.x.is_finite() && low.is_finite() && high.is_finite()
    }
}

impl ChartPanel {
    /// Returns `true` if `x` runs from top to bottom.
    fn is_in_rows(&self) -> bool {
        !self.names.is_empty() && matches!(self.kind, Kind::Points | Kind::Bars)
    }

    /// Returns `true` if bars start at 0.
    fn starts_at_zero(&self) -> bool {
        matches!(self.kind, Kind::Bars | Kind::Histogram)
    }

    fn points(&self) -> impl Iterator<Item = &Point> {
        self.series.iter().flat_map(|series| series.points.iter().filter(|point| point.is_finite()))
    }
}

impl Chart {
    /// Returns the chart as an `<svg>` element. With `standalone` it is a file of its own, with [`STYLE`] and a
    /// background. Without, it is for a page that has [`STYLE`] once.
    pub fn svg(&self, standalone: bool) -> String {
        svg::draw(self, standalone)
    }

    /// Returns the names of the series, each once, in the order of their first use.
    fn legend(&self) -> Vec<&str> {
        let mut names = vec![];
        for series in self.panels.iter().flat_map(|panel| &panel.series) {
            if !names.contains(&series.name.as_str()) {
                names.push(&series.name);
            }
        }
        names
    }

    /// Returns the description, by default the numbers.
    fn described(&self) -> String {
        /// Maximum number of points in the description.
        const MANY: usize = 60;
        if !self.description.is_empty() {
            return self.description.clone();
        }
        let all: usize = self.panels.iter().map(|panel| panel.points().count()).sum();
        let mut text = String::new();
        for panel in &self.panels {
            for series in &panel.series {
                let names = [&panel.title, &series.name];
                let named: Vec<&str> =
                    names.into_iter().filter(|name| !name.is_empty()).map(String::as_str).collect();
                let points: Vec<&Point> = series.points.iter().filter(|point| point.is_finite()).collect();
                let told = if all <= MANY {
                    points.iter().map(|point| axis::describe(panel, point)).collect::<Vec<_>>().join(", ")
                } else {
                    let values = points.iter().map(|point| point.y);
                    let (low, high) = (values.clone().reduce(f64::min), values.reduce(f64::max));
                    let number = |value: Option<f64>| axis::number(value.unwrap_or(0.0));
                    format!("{} points from {} to {}", points.len(), number(low), number(high))
                };
                text.push_str(&format!("{}: {told}. ", named.join(", ")));
            }
        }
        text.trim_end().to_owned()
    }
}
