//! Renders messages as text. No other module does.

use std::cmp::Reverse;
use std::ops::Range;

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};

use super::{Diagnostic, FileId, Label, Severity, SourceMap, Span, printable};

/// Maximum number of messages shown. The rest are only counted.
pub(super) const MOST_SHOWN: usize = 100;

/// Options for rendering messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RenderOptions {
    /// Whether to use terminal colours.
    pub color: bool,
    /// Maximum width of a source line, in columns.
    pub width: usize,
    /// Whether messages, notes and help texts are wrapped at `width`, too. Otherwise each is one line.
    pub wrap: bool,
}

impl Default for RenderOptions {
    fn default() -> Self {
        RenderOptions { color: false, width: 120, wrap: false }
    }
}

impl RenderOptions {
    /// Wraps a text at the style's width, less `prefix` columns, if the style wraps.
    fn wrapped(self, text: &str, prefix: usize) -> String {
        let width = self.width.max(40).saturating_sub(prefix).max(20);
        if !self.wrap || text.chars().count() <= width {
            return text.to_owned();
        }
        let mut lines: Vec<String> = Vec::new();
        for word in text.split(' ') {
            match lines.last_mut() {
                Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                    line.push(' ');
                    line.push_str(word);
                }
                _ => lines.push(word.to_owned()),
            }
        }
        lines.join("\n")
    }
}

/// Renders one message, without a trailing newline. Spans outside the text are clamped to it.
pub fn render(diagnostic: &Diagnostic, sources: &SourceMap, style: RenderOptions) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    // The prefixes are `error[code]: `, and `   = note: ` after the line numbers.
    let title = style.wrapped(&diagnostic.message, 9 + diagnostic.code.as_str().len());
    let notes: Vec<String> = diagnostic.notes.iter().map(|note| style.wrapped(note, 14)).collect();
    let help = diagnostic.help.as_ref().map(|help| style.wrapped(help, 14));
    let mut group = level
        .primary_title(title.as_str())
        .id(diagnostic.code.as_str())
        .elements(files_of(diagnostic).into_iter().filter_map(|file| snippet(diagnostic, file, sources)));
    for note in &notes {
        group = group.element(Level::NOTE.message(note.as_str()));
    }
    if let Some(help) = &help {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    let renderer = if style.color { Renderer::styled() } else { Renderer::plain() };
    renderer.term_width(style.width.max(40)).render(&[group])
}

/// Renders all messages by file and position, followed by a line with their number. Empty if there are none.
pub fn render_all(diagnostics: &[Diagnostic], sources: &SourceMap, style: RenderOptions) -> String {
    let mut sorted: Vec<&Diagnostic> = diagnostics.iter().collect();
    sorted.sort_by_key(|d| (d.primary.span, Reverse(d.severity)));
    let mut text = String::new();
    let left_out = sorted.len().saturating_sub(MOST_SHOWN);
    // If there are too many messages, errors take precedence; those shown are in the order of the text.
    if left_out > 0 {
        sorted.sort_by_key(|d| (Reverse(d.severity), d.primary.span));
    }
    let mut shown = sorted[..sorted.len() - left_out].to_vec();
    shown.sort_by_key(|d| (d.primary.span, Reverse(d.severity)));
    for diagnostic in &shown {
        text.push_str(&render(diagnostic, sources, style));
        text.push_str("\n\n");
    }
    let number = |severity, word: &str| {
        let n = sorted.iter().filter(|d| d.severity == severity).count();
        (n > 0).then(|| format!("{n} {word}{}", if n == 1 { "" } else { "s" }))
    };
    let counts: Vec<String> = [number(Severity::Error, "error"), number(Severity::Warning, "warning")]
        .into_iter()
        .flatten()
        .collect();
    if !counts.is_empty() {
        text.push_str(&counts.join(", "));
        if left_out > 0 {
            text.push_str(&format!(" ({MOST_SHOWN} shown, and {left_out} more)"));
        }
        text.push('\n');
    }
    text
}

/// Returns the files that a message points into, the file of its primary label first.
fn files_of(diagnostic: &Diagnostic) -> Vec<FileId> {
    let mut files = vec![diagnostic.primary.span.file];
    for label in &diagnostic.secondary {
        if !files.contains(&label.span.file) {
            files.push(label.span.file);
        }
    }
    files
}

/// Returns the lines of one file that the message points into.
fn snippet<'a>(
    diagnostic: &'a Diagnostic,
    file: FileId,
    sources: &'a SourceMap,
) -> Option<Snippet<'a, annotate_snippets::Annotation<'a>>> {
    let (_, source) = sources.iter().find(|(id, _)| *id == file)?;
    let text = source.text.as_str();
    let labels: Vec<(&Label, AnnotationKind, Range<usize>)> = std::iter::once((&diagnostic.primary, true))
        .chain(diagnostic.secondary.iter().map(|label| (label, false)))
        .filter(|(label, _)| label.span.file == file)
        .map(|(label, primary)| {
            let kind = if primary { AnnotationKind::Primary } else { AnnotationKind::Context };
            (label, kind, clamp(text, label.span))
        })
        .collect();
    // Passes only the lines from the first to the last label: the file may be long.
    let first = labels.iter().map(|(_, _, span)| span.start).min()?;
    let last = labels.iter().map(|(_, _, span)| span.end).max()?;
    let start = text[..first].rfind('\n').map_or(0, |at| at + 1);
    let end = text[last..].find(['\n', '\r']).map_or(text.len(), |at| last + at);
    let line = text[..start].matches('\n').count() + 1;
    let mut snippet = Snippet::source(&text[start..end]).path(printable(&source.name)).line_start(line);
    for (label, kind, span) in labels {
        let annotation = kind.span(span.start - start..span.end - start);
        snippet = snippet.annotation(match label.text.as_str() {
            "" => annotation,
            words => annotation.label(words),
        });
    }
    Some(snippet)
}

/// Returns the span as a range of whole characters inside the text. A span of several lines is cut to its first
/// line: the message says what is wrong, and a long block would fill the screen.
fn clamp(text: &str, span: Span) -> Range<usize> {
    let start = floor(text, span.start as usize);
    let end = floor(text, span.end as usize).max(start);
    let line_end = text[start..end].find(['\n', '\r']).map_or(end, |at| start + at);
    start..line_end
}

/// Returns the nearest character boundary at or before a byte offset.
fn floor(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Code;

    fn shown(text: &str, messages: &[(usize, usize)]) -> String {
        let mut sources = SourceMap::default();
        let file = sources.add("game.rules", text);
        let all: Vec<Diagnostic> = messages
            .iter()
            .map(|(a, b)| {
                Diagnostic::error(Code::UnknownName, Span::new(file, *a, *b), "message").label("label")
            })
            .collect();
        render_all(&all, &sources, RenderOptions::default())
    }

    #[test]
    fn a_message_looks_like_that_of_a_compiler() {
        let mut sources = SourceMap::default();
        let base = sources.add("base.rules", "one\n  param size: 3\n");
        let other = sources.add("other.rules", "param sise = 4\n");
        let message =
            Diagnostic::error(Code::NothingToReplace, Span::new(other, 6, 10), "nothing called `sise`")
                .label("not found")
                .also(Span::new(base, 12, 16), "this one?")
                .note("params have names")
                .help("did you mean `size`?");
        let text = render_all(&[message], &sources, RenderOptions::default());
        let wanted = "error[nothing-to-replace]: nothing called `sise`
 --> other.rules:1:7
  |
1 | param sise = 4
  |       ^^^^ not found
  |
 ::: base.rules:2:9
  |
2 |   param size: 3
  |         ---- this one?
  |
  = note: params have names
  = help: did you mean `size`?

1 error
";
        assert_eq!(text, wanted);
    }

    #[test]
    fn messages_are_sorted_and_counted() {
        let mut sources = SourceMap::default();
        let file = sources.add("a", "x y z");
        let at = |n| Span::new(file, n, n + 1);
        let all = [
            Diagnostic::warning(Code::Unused, at(4), "third"),
            Diagnostic::error(Code::UnknownName, at(2), "second"),
            Diagnostic::error(Code::UnknownName, at(0), "first"),
        ];
        let text = render_all(&all, &sources, RenderOptions::default());
        let place = |word| text.find(word).unwrap();
        assert!(place("first") < place("second") && place("second") < place("third"));
        assert!(text.ends_with("\n2 errors, 1 warning\n"));
        assert_eq!(render_all(&[], &sources, RenderOptions::default()), "");
    }

    #[test]
    fn a_hundred_messages_are_shown_and_the_others_counted() {
        let text = shown(&"x\n".repeat(200), &(0..150).map(|n| (2 * n, 2 * n + 1)).collect::<Vec<_>>());
        assert_eq!(text.matches("error[").count(), MOST_SHOWN);
        assert!(text.ends_with("\n150 errors (100 shown, and 50 more)\n"), "{text}");
    }

    #[test]
    fn odd_places_are_moved_into_the_text() {
        for text in ["", "\n", "a", "é\r\nü“x”\t\u{1F600}", "\t\ta\n", "a\r\n\r\nb\r\n", "\0\u{7}\u{202e}x"]
        {
            for a in 0..text.len() + 3 {
                for b in 0..text.len() + 3 {
                    assert!(shown(text, &[(a, b)]).contains("message"), "{text:?} {a} {b}");
                }
            }
        }
        assert!(shown("a\nb", &[(usize::MAX, usize::MAX)]).contains("game.rules:2:2"));
    }

    #[test]
    fn a_file_that_is_not_there_leaves_the_words() {
        let place = Span::new(FileId(7), 0, 1);
        let text = render(
            &Diagnostic::error(Code::Cycle, place, "message"),
            &SourceMap::default(),
            RenderOptions::default(),
        );
        assert_eq!(text, "error[cycle]: message");
    }

    #[test]
    fn colours_only_if_asked_for() {
        let mut sources = SourceMap::default();
        let file = sources.add("a", "x");
        let error = Diagnostic::error(Code::Cycle, Span::new(file, 0, 1), "message");
        assert!(!render(&error, &sources, RenderOptions::default()).contains('\u{1b}'));
        assert!(
            render(&error, &sources, RenderOptions { color: true, width: 80, wrap: false })
                .contains('\u{1b}')
        );
    }
}
