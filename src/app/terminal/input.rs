//! Input lines: edited on a terminal, otherwise read as they are.

use std::io::{self, BufRead, IsTerminal, Read, StdinLock};

use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::MemHistory;
use rustyline::validate::Validator;
use rustyline::{CompletionType, Config, Context, Editor, Helper};

use super::Terminal;

/// Maximum length of a line, in bytes.
const LONGEST_LINE: u64 = 1 << 16;

/// The source of input lines.
pub(crate) enum InputSource {
    /// A person at a terminal.
    Edited(Box<Editor<Completions, MemHistory>>),
    /// Any other input.
    Piped(StdinLock<'static>),
}

impl InputSource {
    /// Opens standard input. Lines can be edited if standard input and output are terminals.
    pub(crate) fn open() -> Self {
        let config = Config::builder().completion_type(CompletionType::List).build();
        let history = MemHistory::with_config(&config);
        if io::stdin().is_terminal()
            && io::stdout().is_terminal()
            && let Ok(mut editor) = Editor::with_history(config, history)
        {
            editor.set_helper(Some(Completions(vec![])));
            return InputSource::Edited(Box::new(editor));
        }
        InputSource::Piped(io::stdin().lock())
    }

    /// Clears the line history, so that nobody can recall what another player typed.
    pub(crate) fn forget(&mut self) {
        if let InputSource::Edited(editor) = self {
            // Clearing a history in memory can't fail.
            let _ = editor.clear_history();
        }
    }

    /// Reads the next line. Returns `None` at the end of the input or on Ctrl-C. `words` are completed by Tab.
    pub(crate) fn line(
        &mut self,
        prompt: &str,
        words: impl FnOnce() -> Vec<String>,
        terminal: &mut Terminal<'_>,
    ) -> io::Result<Option<String>> {
        terminal.out.flush()?;
        match self {
            InputSource::Edited(editor) => {
                if let Some(helper) = editor.helper_mut() {
                    helper.0 = words();
                }
                let painted = terminal.paint.head(prompt);
                match editor.readline(&(prompt, painted.as_str())) {
                    Ok(line) => {
                        if !line.trim().is_empty() {
                            // A line that the history rejects is still valid input.
                            let _ = editor.add_history_entry(line.as_str());
                        }
                        Ok(Some(line))
                    }
                    Err(ReadlineError::Eof | ReadlineError::Interrupted) => Ok(None),
                    Err(ReadlineError::Io(error)) => Err(error),
                    Err(error) => Err(io::Error::other(error.to_string())),
                }
            }
            InputSource::Piped(stdin) => {
                write!(terminal.out, "{prompt}")?;
                terminal.out.flush()?;
                let mut bytes = Vec::new();
                let read = stdin.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut bytes)?;
                let line = String::from_utf8_lossy(&bytes).trim_end().to_owned();
                // Echoes the input, so that the output is a complete transcript.
                writeln!(terminal.out, "{line}")?;
                Ok((read > 0).then_some(line))
            }
        }
    }
}

/// The words that the Tab key completes.
pub(crate) struct Completions(Vec<String>);

impl Completer for Completions {
    type Candidate = String;

    fn complete(&self, line: &str, at: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<String>)> {
        let typed = line.get(..at).unwrap_or(line).trim_start().to_lowercase();
        // Completes only to the end of the current word: a thousand moves have few first words.
        let words = typed.split(' ').count();
        let fitting = self.0.iter().filter(|word| word.to_lowercase().starts_with(&typed));
        let mut cut: Vec<String> =
            fitting.map(|word| word.split(' ').take(words).collect::<Vec<_>>().join(" ")).collect();
        cut.dedup();
        Ok((0, cut))
    }
}

impl Hinter for Completions {
    type Hint = String;
}

impl Highlighter for Completions {}
impl Validator for Completions {}
impl Helper for Completions {}
