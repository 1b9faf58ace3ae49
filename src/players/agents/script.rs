//! Script agents: a script that chooses actions, or evaluates states for lookahead agents.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use super::{AgentError, AgentKind};
use crate::agent::Agent;
use houserule_base::files::{FileKind, read_text};
use houserule_base::rng::Stream;
use houserule_game::hidden::View;
use houserule_game::{ActionId, Game, RuntimeError, RuntimeErrorKind, Seat};
use houserule_language::diagnostic::{
    Diagnostic, FileId, RenderOptions, Source, SourceMap, Span, render_all, without_lone_cr,
};
use houserule_model::ScriptError;
use houserule_script::{AgentFunctions, Script, ScriptLimits, StateView, agent_functions};

/// A script agent's file, parsed and checked as far as possible without a game.
pub struct AgentFile {
    source: Arc<Source>,
    script: Script,
    agent_functions: AgentFunctions,
}

impl fmt::Debug for AgentFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "AgentFile({})", self.source.name)
    }
}

impl PartialEq for AgentFile {
    fn eq(&self, other: &AgentFile) -> bool {
        self.source == other.source
    }
}

impl Eq for AgentFile {}

/// The errors in a script agent's file.
#[derive(Clone, Debug)]
pub struct ScriptFault {
    /// The errors.
    pub diagnostics: Vec<Diagnostic>,
    /// The script.
    pub sources: SourceMap,
}

impl PartialEq for ScriptFault {
    fn eq(&self, other: &ScriptFault) -> bool {
        self.to_string() == other.to_string()
    }
}

impl Eq for ScriptFault {}

impl fmt::Display for ScriptFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(render_all(&self.diagnostics, &self.sources, RenderOptions::default()).trim_end())
    }
}

impl AgentFile {
    /// Reads a script agent from a file.
    pub fn read(path: &str) -> Result<AgentFile, AgentError> {
        let text = read_text(Path::new(path), FileKind::Script);
        let text =
            text.map_err(|error| AgentError::File { path: path.to_owned(), message: error.to_string() })?;
        AgentFile::from_text(path, &text)
    }

    /// Like [`AgentFile::read`], from a string. `name` is shown in messages.
    pub fn from_text(name: &str, text: &str) -> Result<AgentFile, AgentError> {
        let text = &*without_lone_cr(text);
        let source = Arc::new(Source { name: name.to_owned(), text: text.to_owned() });
        let fault = |diagnostics| fault(diagnostics, &source);
        let script =
            houserule_script::parse(0, text, FileId(0), 0, &ScriptLimits::default()).map_err(fault)?;
        let agent_functions = agent_functions(&script).map_err(fault)?;
        Ok(AgentFile { source, script, agent_functions })
    }

    /// The path of the file.
    pub fn name(&self) -> &str {
        &self.source.name
    }

    pub(super) fn agent_functions(&self) -> AgentFunctions {
        self.agent_functions
    }
}

fn fault(diagnostics: Vec<Diagnostic>, source: &Source) -> AgentError {
    let mut sources = SourceMap::default();
    sources.add(&*source.name, &*source.text);
    AgentError::Script(Box::new(ScriptFault { diagnostics, sources }))
}

/// A script that is ready to choose or evaluate in one game.
#[derive(Clone, Debug)]
pub(super) struct Scripted {
    player: Arc<houserule_script::ScriptAgent>,
    file: Arc<AgentFile>,
}

impl Scripted {
    /// Prepares a script for a game, with the limits of the game's own scripts.
    pub(super) fn new(file: &Arc<AgentFile>, game: &Game) -> Result<Scripted, AgentError> {
        let limits = ScriptLimits::from_settings(&game.sheet().origin.settings).unwrap_or_default();
        let array = limits.array.max(game.actions() as usize);
        let player =
            houserule_script::ScriptAgent::new(&file.script, game.model(), ScriptLimits { array, ..limits });
        let player = player.map_err(|diagnostics| fault(diagnostics, &file.source))?;
        Ok(Scripted { player: Arc::new(player), file: Arc::clone(file) })
    }

    pub(super) fn is_of(&self, file: &Arc<AgentFile>) -> bool {
        Arc::ptr_eq(&self.file, file)
    }

    /// The path of the file.
    pub(super) fn name(&self) -> &str {
        self.file.name()
    }

    /// Returns `true` if the script reads scores.
    pub(super) fn asks_scores(&self) -> bool {
        self.player.asks_scores()
    }

    /// The value of a state for each player. `scores` may be empty if [`Scripted::asks_scores`] is `false`.
    pub(super) fn values(
        &self,
        game: &Game,
        words: &[u64],
        scores: &[i64],
    ) -> Result<Vec<f64>, RuntimeError> {
        let scores: Vec<Option<i64>> = scores.iter().copied().map(Some).collect();
        let value = |me| {
            // The caller looks ahead in a world that could be the real state, so nothing in it is hidden.
            let sight = StateView { places: &game.program().places, words, hidden: &[], me, scores: &scores };
            let value = self.player.value(&sight).map_err(|mistake| self.error(*mistake))?;
            Ok(value as f64)
        };
        (0..game.players()).map(Seat).map(value).collect()
    }

    fn error(&self, mistake: ScriptError) -> RuntimeError {
        let file = Some(Arc::clone(&self.file.source));
        let span = mistake.span.unwrap_or(Span::new(FileId(0), 0, 0));
        RuntimeError { span, kind: RuntimeErrorKind::Script(Box::new(ScriptError { file, ..mistake })) }
    }
}

/// Subtracts from each value the best value of the others. A single value stays as it is.
pub(super) fn leads(values: &[f64]) -> Vec<f64> {
    let lead = |me: usize| {
        let others = values.iter().enumerate().filter(|(other, _)| *other != me);
        values[me] - others.map(|(_, value)| *value).reduce(f64::max).unwrap_or(0.0)
    };
    (0..values.len()).map(lead).collect()
}

impl Agent for Scripted {
    fn name(&self) -> String {
        AgentKind::Script(Arc::clone(&self.file)).to_string()
    }

    fn choose(&mut self, view: &mut View<'_>, stream: &mut Stream) -> Result<Option<ActionId>, RuntimeError> {
        let actions = view.legal_actions();
        let choice = match (actions.as_slice(), view.pending_choice()) {
            ([] | [_], _) | (_, None) => return Ok(actions.first().copied()),
            (_, Some(choice)) => choice,
        };
        let scores: Vec<Option<i64>> = match self.asks_scores() {
            true => (0..view.game().players()).map(|p| view.score(Seat(p))).collect::<Result<_, _>>()?,
            false => vec![],
        };
        let (words, hidden) = view.words();
        let sight = StateView {
            places: &view.game().program().places,
            words: &words,
            hidden: &hidden,
            me: view.seat(),
            scores: &scores,
        };
        let chosen = self.player.choose(&sight, choice, &actions, stream);
        chosen.map(Some).map_err(|mistake| self.error(*mistake))
    }

    fn copy(&self) -> Box<dyn Agent> {
        Box::new(self.clone())
    }
}
