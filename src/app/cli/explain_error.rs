//! `houserule explain-error`: explains the codes of messages.

use clap::Args;

use crate::terminal::{CliError, Terminal};
use houserule_desk::service::example_messages;
use houserule_language::diagnostic::{Code, CodeExample, RenderOptions, did_you_mean, render};
use houserule_page::report::columns::{TextTable, wrap};

#[derive(Debug, Args)]
#[command(after_help = "Example: houserule explain-error unknown-name")]
pub(super) struct ExplainErrorArgs {
    /// The code of a message: `unknown-name` in `error[unknown-name]`. Without it, all codes are listed
    #[arg(value_name = "CODE")]
    code: Option<String>,
}

pub(super) fn run(args: &ExplainErrorArgs, terminal: &mut Terminal<'_>) -> Result<(), CliError> {
    match &args.code {
        Some(name) => explain(code(name)?, terminal),
        None => list(terminal),
    }
}

/// Returns the code that a user named. `error[CODE]`, copied from a message, is a code too.
fn code(text: &str) -> Result<Code, CliError> {
    let inside = text.split_once('[').and_then(|(_, rest)| rest.strip_suffix(']'));
    let name = inside.unwrap_or(text).trim();
    Code::named(name).ok_or_else(|| {
        let names = Code::ALL.iter().map(|code| code.as_str());
        CliError::Command(match did_you_mean(name, names) {
            Some(meant) => format!("no message has the code `{name}`; did you mean `{meant}`?"),
            None => format!("no message has the code `{name}`; `houserule explain-error` lists all codes"),
        })
    })
}

fn list(terminal: &mut Terminal<'_>) -> Result<(), CliError> {
    let mut table = TextTable::with_words();
    for code in Code::ALL {
        table.row([code.to_string(), code.meaning().to_owned()]);
    }
    write!(terminal.out, "{}", table.text(terminal.paint))?;
    let more = "`houserule explain-error CODE` adds an example and how to mend it.";
    Ok(writeln!(terminal.out, "\n  {}", terminal.paint.quiet(more))?)
}

fn explain(code: Code, terminal: &mut Terminal<'_>) -> Result<(), CliError> {
    let paint = terminal.paint;
    let columns = paint.columns();
    writeln!(terminal.out, "{}\n", paint.head(code.as_str()))?;
    for line in wrap(code.meaning(), columns) {
        writeln!(terminal.out, "{line}")?;
    }
    match code.example() {
        CodeExample::Rules(text) | CodeExample::Agent(text) => {
            indented(terminal, "An example", text)?;
            let example = example_messages(code).unwrap_or_default();
            let width = terminal.screen.messages().unwrap_or(RenderOptions::default().width) - INDENT.len();
            let wrap = terminal.screen.messages().is_some();
            let style = RenderOptions { color: paint.is_on(), width, wrap };
            let own = example.diagnostics.iter().filter(|diagnostic| diagnostic.code == code);
            for diagnostic in own {
                indented(terminal, "Its message", &render(diagnostic, &example.sources, style))?;
            }
        }
        CodeExample::None(reason) => {
            writeln!(terminal.out, "\n{}\n", paint.head("An example"))?;
            writeln!(terminal.out, "{INDENT}There is none here: {reason}.")?;
        }
    }
    writeln!(terminal.out, "\n{}\n", paint.head("How to mend it"))?;
    for line in wrap(code.mend(), columns - INDENT.len()) {
        writeln!(terminal.out, "{INDENT}{line}")?;
    }
    Ok(())
}

const INDENT: &str = "  ";

/// Writes a text with a heading, indented.
fn indented(terminal: &mut Terminal<'_>, heading: &str, text: &str) -> Result<(), CliError> {
    writeln!(terminal.out, "\n{}\n", terminal.paint.head(heading))?;
    for line in text.lines() {
        writeln!(terminal.out, "{}", format!("{INDENT}{line}").trim_end())?;
    }
    Ok(())
}
