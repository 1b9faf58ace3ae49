//! Lines before output: aligns `=`, help strings and comments of adjacent lines.

use super::{HELP_COLUMN, WIDTH};

/// A line.
#[derive(Clone, Debug, Default)]
pub(super) struct CodeLine {
    pub(super) indent: usize,
    pub(super) code: String,
    /// Help after a declaration or an entry.
    pub(super) help: String,
    /// Separator after the help.
    pub(super) sign: &'static str,
    /// Comment at the end of the line.
    pub(super) comment: String,
    /// Byte offset of the `=` of a define in `code`.
    pub(super) equals: Option<usize>,
    /// An empty line precedes it.
    pub(super) blank: bool,
}

impl CodeLine {
    pub(super) fn new(indent: usize, code: String) -> CodeLine {
        CodeLine { indent, code, ..CodeLine::default() }
    }

    /// Returns `true` if a comment can be written after its code: it has none, and isn't one itself.
    pub(super) fn takes_comment(&self) -> bool {
        self.comment.is_empty() && !self.code.starts_with("//")
    }

    /// The line without its comment.
    fn text(&self) -> String {
        let mut text = format!("{}{}", " ".repeat(self.indent), self.code);
        if !self.help.is_empty() {
            let width = text.chars().count();
            text.push_str(&" ".repeat(HELP_COLUMN.saturating_sub(width).max(2)));
            text.push_str(&self.help);
        }
        text.push_str(self.sign);
        text
    }
}

/// Groups of adjacent lines with `belongs`, equally indented, without empty lines between.
fn runs(lines: &[CodeLine], belongs: impl Fn(&CodeLine) -> bool) -> Vec<std::ops::Range<usize>> {
    let mut runs: Vec<std::ops::Range<usize>> = vec![];
    for (at, line) in lines.iter().enumerate().filter(|(_, line)| belongs(line)) {
        match runs.last_mut() {
            Some(run) if run.end == at && !line.blank && lines[run.start].indent == line.indent => {
                run.end += 1
            }
            _ => runs.push(at..at + 1),
        }
    }
    runs
}

/// Joins the lines to a text.
pub(super) fn write(mut lines: Vec<CodeLine>) -> String {
    for run in runs(&lines, |line| line.equals.is_some()) {
        let run = &mut lines[run];
        let width = |line: &CodeLine| line.code[..line.equals.unwrap_or(0)].chars().count();
        let most = run.iter().map(width).max().unwrap_or(0);
        let fits = |line: &CodeLine| line.indent + line.code.chars().count() + most - width(line) <= WIDTH;
        if run.iter().all(fits) {
            for line in run {
                let (at, more) = (line.equals.unwrap_or(0), most - width(line));
                line.code.insert_str(at, &" ".repeat(more));
            }
        }
    }
    let mut texts: Vec<String> = lines.iter().map(CodeLine::text).collect();
    for run in runs(&lines, |line| !(line.comment.is_empty() || line.code.is_empty() && line.help.is_empty()))
    {
        let width = |text: &String| text.chars().count();
        let most = texts[run.clone()].iter().map(width).max().unwrap_or(0);
        let fits = |at: usize| most + 2 + lines[at].comment.chars().count() <= WIDTH;
        let aligned = run.clone().all(fits);
        for at in run {
            let more = if aligned { most - width(&texts[at]) } else { 0 };
            texts[at].push_str(&format!("{}  {}", " ".repeat(more), lines[at].comment));
        }
    }
    let mut text = String::new();
    for (number, (line, written)) in lines.iter().zip(texts).enumerate() {
        if line.blank && number > 0 {
            text.push('\n');
        }
        text.push_str(written.trim_end());
        text.push('\n');
    }
    text
}
