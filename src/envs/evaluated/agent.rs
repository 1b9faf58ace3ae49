//! The search with an evaluator as an agent.

use std::fmt;
use std::sync::Arc;

use super::leaves::{LeafBatch, LeafForm, LeafWriter};
use super::search::LeafSearch;
use super::together::{Presence, evaluate_together};
use super::{EvaluatorStopped, LeafAnswers, LeafEvaluator, SearchSettings};
use houserule_base::interrupt;
use houserule_base::rng::Stream;
use houserule_game::hidden::View;
use houserule_game::many::Playout;
use houserule_game::observe::Dtype;
use houserule_game::{ActionId, Game, RuntimeError};
use houserule_players::agents::{Agent, AgentError, AgentSource};

/// A search with an evaluator: its name, its settings and the layout of its leaves. As an [`AgentSource`] it makes
/// agents whose leaves are evaluated together with those of the other agents that play meanwhile.
pub struct EvaluatedSearch {
    name: String,
    settings: SearchSettings,
    planes: bool,
    dtype: Dtype,
    evaluator: Box<dyn LeafEvaluator>,
}

impl fmt::Debug for EvaluatedSearch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EvaluatedSearch").field("name", &self.name).field("settings", &self.settings).finish()
    }
}

impl EvaluatedSearch {
    /// Makes a search with this name in tables. The observations are planes, or flat.
    ///
    /// # Errors
    /// If a setting isn't possible: see [`SearchSettings::check`].
    pub fn new(
        name: String,
        settings: SearchSettings,
        planes: bool,
        dtype: Dtype,
        evaluator: Box<dyn LeafEvaluator>,
    ) -> Result<EvaluatedSearch, String> {
        settings.check()?;
        Ok(EvaluatedSearch { name, settings, planes, dtype, evaluator })
    }

    /// The settings.
    pub fn settings(&self) -> &SearchSettings {
        &self.settings
    }

    /// The layout of the leaves of a game, or why the game doesn't have it.
    pub fn form(&self, game: &Game) -> Result<LeafForm, String> {
        LeafForm::new(game, self.planes, self.dtype)
    }

    /// Makes an agent that calls the evaluator for its own leaves alone, on the thread on which it plays.
    pub fn agent_alone(self: &Arc<Self>, game: &Game) -> Result<Box<dyn Agent>, AgentError> {
        self.agent_with(game, false)
    }

    fn agent_with(self: &Arc<Self>, game: &Game, together: bool) -> Result<Box<dyn Agent>, AgentError> {
        let form = self.form(game).map_err(AgentError::Own)?;
        Ok(Box::new(EvaluatedAgent::new(Arc::clone(self), form, together)))
    }

    /// Evaluates a batch.
    pub(super) fn evaluate(&self, batch: LeafBatch) -> Result<LeafAnswers, EvaluatorStopped> {
        self.evaluator.evaluate(batch)
    }
}

impl AgentSource for EvaluatedSearch {
    fn name(&self) -> &str {
        &self.name
    }

    fn agent(self: Arc<Self>, game: &Game) -> Result<Box<dyn Agent>, AgentError> {
        self.agent_with(game, true)
    }

    fn simulations(&self) -> u32 {
        self.settings.simulations
    }
}

/// An agent that searches with an evaluator.
struct EvaluatedAgent {
    source: Arc<EvaluatedSearch>,
    form: LeafForm,
    writer: LeafWriter,
    playout: Option<Playout>,
    /// Whether its leaves are evaluated together with those of other agents, and on which thread it plays then.
    together: bool,
    presence: Option<Presence>,
}

impl EvaluatedAgent {
    fn new(source: Arc<EvaluatedSearch>, form: LeafForm, together: bool) -> EvaluatedAgent {
        let writer = LeafWriter::new(&form);
        EvaluatedAgent { source, form, writer, playout: None, together, presence: None }
    }

    fn evaluate(&mut self, batch: LeafBatch) -> Result<(Arc<LeafAnswers>, usize), EvaluatorStopped> {
        if !self.together {
            return self.source.evaluate(batch).map(|answers| (Arc::new(answers), 0));
        }
        if self.presence.as_ref().is_none_or(|presence| !presence.is_here()) {
            self.presence = Some(Presence::new());
        }
        evaluate_together(&self.source, batch)
    }

    fn search(
        &mut self,
        view: &View<'_>,
        playout: &mut Playout,
        stream: Stream,
    ) -> Result<LeafSearch, RuntimeError> {
        let mut search = LeafSearch::new(view, self.source.settings, stream)?;
        loop {
            let mut batch = LeafBatch::new(&self.form);
            if search.collect(view, playout, &mut self.writer, &mut batch)? == 0 {
                return Ok(search);
            }
            match self.evaluate(batch) {
                Ok((answers, row)) => search.answer(&answers, row),
                Err(EvaluatorStopped) => {
                    // The whole run ends: its caller has the reason from the evaluator.
                    interrupt::current().set();
                    interrupt::unwind()
                }
            }
        }
    }
}

impl Agent for EvaluatedAgent {
    fn name(&self) -> String {
        self.source.name.clone()
    }

    /// Searches a decision with several legal actions.
    ///
    /// An evaluator that fails ends all work in the scopes of this thread (see [`interrupt`]).
    fn choose(&mut self, view: &mut View<'_>, stream: &mut Stream) -> Result<Option<ActionId>, RuntimeError> {
        let actions = view.legal_actions();
        if let [] | [_] = actions.as_slice() {
            return Ok(actions.first().copied());
        }
        let mut playout = match self.playout.take() {
            Some(playout) if playout.game().is(view.game()) => playout,
            _ => Playout::new(view.game()),
        };
        let own = Stream::from_words([(); 4].map(|()| stream.next_word()));
        let searched = self.search(view, &mut playout, own);
        self.playout = Some(playout);
        Ok(searched?.choose())
    }

    fn copy(&self) -> Box<dyn Agent> {
        Box::new(EvaluatedAgent::new(Arc::clone(&self.source), self.form.clone(), self.together))
    }
}
