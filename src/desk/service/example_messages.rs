//! The messages that the examples of codes cause. Each is made by checking its example, so it is always the message
//! of this version.

use std::sync::Arc;

use houserule_lab::coverage::try_rules;
use houserule_language::diagnostic::{Code, CodeExample, Diagnostic, SourceMap};
use houserule_language::variants::Origin;
use houserule_language::variants::origin::{RuleText, TextSource};
use houserule_loader::{LoadError, Request, load, load_origin, parts};
use houserule_players::agents::{AgentError, AgentFile, AgentKind};

/// Number of random games that are played to find errors in play.
const GAMES: u64 = 1_000;

/// The messages about a code's example.
#[derive(Clone, Debug, Default)]
pub struct ExampleMessages {
    /// All messages, as `houserule check` reports them.
    pub diagnostics: Vec<Diagnostic>,
    /// The example's files.
    pub sources: SourceMap,
}

/// Checks the example of a code. Returns `None` if the code has no example.
pub fn example_messages(code: Code) -> Option<ExampleMessages> {
    match code.example() {
        CodeExample::Rules(text) => Some(rules_messages(&format!("{code}.rules"), text)),
        CodeExample::Agent(text) => Some(agent_messages(&format!("{code}.rhai"), text)),
        CodeExample::None(_) => None,
    }
}

/// Returns the name to load for an example: the file, or the stack of its items in the first line.
fn stack(name: &str, text: &str) -> String {
    match text.lines().next().and_then(|line| line.strip_prefix("// stack: ")) {
        Some(titles) => {
            titles.split(" + ").map(|title| format!("{name}#{title}")).collect::<Vec<_>>().join(" + ")
        }
        None => name.to_owned(),
    }
}

fn rules_messages(name: &str, text: &str) -> ExampleMessages {
    let place = TextSource::Paths(vec![name.to_owned()]);
    let file = RuleText { place, name: name.to_owned(), text: text.to_owned() };
    let origin = Origin { parts: parts(&stack(name, text)), files: vec![file], ..Origin::default() };
    match load_origin(&origin) {
        Ok(loaded) => {
            let mut diagnostics = loaded.warnings;
            diagnostics.extend(try_rules(&loaded.game, GAMES, &|_| ()).diagnostics);
            ExampleMessages { diagnostics, sources: loaded.sources }
        }
        Err(LoadError::Rules { diagnostics, sources, .. }) => ExampleMessages { diagnostics, sources },
        Err(LoadError::Compile(_) | LoadError::Request(_)) => ExampleMessages::default(),
    }
}

fn agent_messages(name: &str, text: &str) -> ExampleMessages {
    let game = text.lines().next().and_then(|line| line.strip_prefix("// of ")).unwrap_or_default();
    let Ok(loaded) = load(&Request { name: game, ..Request::default() }) else {
        return ExampleMessages::default();
    };
    let agent = AgentFile::from_text(name, text).and_then(|file| AgentKind::script(Arc::new(file)));
    match agent.and_then(|agent| AgentKind::seat_all(&[agent], &loaded.game)) {
        Err(AgentError::Script(fault)) => {
            ExampleMessages { diagnostics: fault.diagnostics, sources: fault.sources }
        }
        Err(_) | Ok(_) => ExampleMessages::default(),
    }
}
