//! Source files and positions in them.

use std::borrow::Cow;
use std::sync::Arc;

/// The id of a file in a [`SourceMap`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(pub u32);

/// A byte range `start..end` of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// Creates a span of the bytes `start..end` of `file`.
    pub fn new(file: FileId, start: usize, end: usize) -> Self {
        let clamp = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Span { file, start: clamp(start), end: clamp(end) }
    }

    /// Returns the span from the start of `self` to the end of `other`, which must be in the same file.
    #[must_use]
    pub fn to(self, other: Span) -> Span {
        Span { file: self.file, start: self.start, end: other.end.max(self.start) }
    }
}

/// A line and a column, both counted from 1. Columns count characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineColumn {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1, in characters.
    pub column: usize,
}

/// The name and text of a rule file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The name as the user would write it: a path, or `dilido` for a bundled file.
    pub name: String,
    /// The whole text.
    pub text: String,
}

/// Returns a text in which no line ends in CR alone. Every byte keeps its place.
pub fn without_lone_cr(text: &str) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    let is_lone = |at: usize| bytes[at] == b'\r' && bytes.get(at + 1) != Some(&b'\n');
    if !(0..bytes.len()).any(is_lone) {
        return text.into();
    }
    let letters = text.char_indices().map(|(at, c)| if is_lone(at) { '\n' } else { c });
    letters.collect::<String>().into()
}

/// All files that a set of rules was read from.
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    files: Vec<Arc<Source>>,
}

impl SourceMap {
    /// Adds a file and returns its id. A line that ends in CR alone ends in LF here, so that it counts as one.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>) -> FileId {
        let text: String = text.into();
        let changed = match without_lone_cr(&text) {
            Cow::Owned(changed) => Some(changed),
            Cow::Borrowed(_) => None,
        };
        self.files.push(Arc::new(Source { name: name.into(), text: changed.unwrap_or(text) }));
        FileId(self.files.len() as u32 - 1)
    }

    /// Returns the file with an id that this map issued.
    pub fn get(&self, file: FileId) -> &Source {
        &self.files[file.0 as usize]
    }

    /// Iterates over the files in the order they were added.
    pub fn iter(&self) -> impl Iterator<Item = (FileId, &Source)> {
        self.files.iter().enumerate().map(|(i, s)| (FileId(i as u32), &**s))
    }

    /// Returns the text of a span.
    pub fn text(&self, span: Span) -> &str {
        self.get(span.file).text.get(span.start as usize..span.end as usize).unwrap_or("")
    }

    /// Returns the line and column where a span begins.
    pub fn line_column(&self, span: Span) -> LineColumn {
        let text = &self.get(span.file).text;
        let before = text.get(..span.start as usize).unwrap_or(text);
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
        LineColumn { line, column }
    }
}

/// Finds the lines and columns of many spans in one pass over each file, if they come in the order of the text.
#[derive(Debug)]
pub struct PlaceFinder<'s> {
    sources: &'s SourceMap,
    last: Option<Span>,
    place: LineColumn,
}

impl<'s> PlaceFinder<'s> {
    /// Creates a finder for spans of these files.
    pub fn new(sources: &'s SourceMap) -> Self {
        PlaceFinder { sources, last: None, place: LineColumn { line: 1, column: 1 } }
    }

    /// Returns the line and column where a span begins.
    pub fn find(&mut self, span: Span) -> LineColumn {
        let before =
            self.last.replace(span).filter(|last| last.file == span.file && last.start <= span.start);
        let from = before.map_or(0, |last| last.start as usize);
        let mut place = if before.is_some() { self.place } else { LineColumn { line: 1, column: 1 } };
        let text = &self.sources.get(span.file).text;
        for c in text.get(from..span.start as usize).unwrap_or("").chars() {
            place = match c {
                '\n' => LineColumn { line: place.line + 1, column: 1 },
                _ => LineColumn { column: place.column + 1, ..place },
            };
        }
        self.place = place;
        place
    }
}
