//! Rows of integers for every game and every decision, from which tables are made.
//!
//! Defines the kept values of a game and their order in a row; `frame` makes columns of rows.

use super::metric::{Metric, Subject, metrics};
use super::variables::{Variable, variables};
use houserule_game::explain::line_counts::{LineItem, line_items};
use houserule_game::random_games::Finished;
use houserule_game::{ActionId, Game, Seat, State};
use houserule_model::{Builtin, DomainId, Model, Value};

/// The fields at the start of a row, before the counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
pub(super) enum RowField {
    Index,
    Match,
    GameInMatch,
    /// Index of the end: see [`Outcome::end`](houserule_game::Outcome::end).
    End,
    /// A bit for each player.
    Winners,
    Starter,
}

/// Number of fields in [`RowField`].
pub(super) const HEAD: usize = 6;

/// The layout of a row: fields, counts, items of the scores, values of variables, runs.
#[derive(Debug)]
pub(super) struct RowPlan {
    game: Game,
    /// The counts, whose values follow the fields.
    pub(super) counts: Vec<Metric>,
    pub(super) items: usize,
    /// Each with the index of its first value.
    pub(super) variables: Vec<(usize, Variable)>,
    pub(super) lines: Vec<LineItem>,
    /// Index of the first run count.
    lines_at: usize,
    lines_each: usize,
    width: usize,
}

/// The identity of a row's game.
#[derive(Clone, Copy, Debug)]
pub(super) struct RowIdentity {
    pub index: u64,
    pub(super) starter: Seat,
    /// Index of the match, and of the game in the match, from 0.
    pub(super) of_match: Option<(u64, u64)>,
}

impl RowIdentity {
    pub(super) fn single(index: u64) -> RowIdentity {
        RowIdentity { index, starter: Seat(0), of_match: None }
    }

    /// Updates the starter, which the setup may choose.
    pub(super) fn note_starter(&mut self, state: &State) {
        let told = Builtin::Starter.slot();
        if let (true, Value::Element(Some(player))) = (state.keeps(told), state.value(told, 0)) {
            self.starter = Seat(player);
        }
    }
}

/// A decision in a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decision {
    /// Index of the game in the run.
    pub index: u64,
    /// Index of the decision in the game, from 0.
    pub ply: u32,
    /// Index of the turn in the game, from 0.
    pub turn: u32,
    /// Seat of the player.
    pub seat: u8,
    /// Index of the step in the rules; `None` outside steps.
    pub step: Option<u32>,
    /// The action taken.
    pub action: ActionId,
    /// Number of legal actions.
    pub legal: u32,
    /// The player's score before the decision; `None` if it could not be evaluated.
    pub score: Option<i64>,
}

impl Decision {
    pub(super) fn from_state(state: &State, index: u64, player: Seat, action: ActionId) -> Decision {
        let choice = state.pending_choice();
        let choices = &state.game().model().choices;
        let step = choice.and_then(|choice| choices[choice.index()].step);
        Decision {
            index,
            ply: state.decisions().min(u32::MAX.into()) as u32,
            turn: state.turns().min(u32::MAX.into()) as u32,
            seat: player.0 as u8,
            step: step.map(|step| step.0),
            action,
            legal: state.legal_count() as u32,
            score: state.score(player).ok(),
        }
    }
}

/// The kept rows of some games, in the order of the games.
#[derive(Clone, Debug, Default)]
pub struct GameRows {
    /// The rows of the games, concatenated.
    pub(super) games: Vec<i64>,
    /// The decisions.
    pub decisions: Vec<Decision>,
}

impl GameRows {
    pub(super) fn concat(parts: impl Iterator<Item = GameRows>) -> GameRows {
        let mut all = GameRows::default();
        parts.for_each(|part| all.extend(part));
        all
    }
}

impl RowPlan {
    pub(super) fn new(game: &Game) -> RowPlan {
        let model = game.model();
        let players = game.players() as usize;
        let mut counts = metrics(game, false);
        counts.retain(|metric| metric.kind.subject == Subject::Count);
        let mut lines_at = HEAD + counts.len() + players * model.score.len();
        let tabled = variables(game).into_iter().filter(|variable| variable.is_tabled);
        let place = |variable: Variable| {
            lines_at += variable.values.len();
            (lines_at - variable.values.len(), variable)
        };
        let variables = tabled.map(place).collect();
        let lines = line_items(game);
        let lines_each: usize = lines.iter().map(|line| line.columns.len()).sum();
        RowPlan {
            game: game.clone(),
            counts,
            items: model.score.len(),
            variables,
            lines,
            lines_at,
            lines_each,
            width: lines_at + players * lines_each,
        }
    }

    /// Returns `true` if rows can be made of games that the executor plays by itself.
    pub(super) fn is_fast(&self) -> bool {
        self.lines.iter().all(LineItem::is_simple) && !self.game.keeps(Builtin::Starter.slot())
    }

    pub(super) fn model(&self) -> &Model {
        self.game.model()
    }

    /// Returns the names of a domain's elements.
    pub(super) fn element_names(&self, domain: DomainId) -> Vec<String> {
        let elements = 0..self.model().domains[domain.index()].size;
        elements.map(|element| self.game.element_name(domain, element)).collect()
    }

    /// Returns the number of values in a row.
    pub(super) fn width(&self) -> usize {
        self.width
    }

    /// Returns the index of an item of a seat's score.
    pub(super) fn item_at(&self, seat: usize, item: usize) -> usize {
        HEAD + self.counts.len() + seat * self.items + item
    }

    /// Returns the index of a seat's first run count.
    pub(super) fn lines_at(&self, seat: usize) -> usize {
        self.lines_at + seat * self.lines_each
    }

    /// Appends the row of a finished game. `state` is `None` for a game that the executor played by itself.
    pub(super) fn add(
        &self,
        rows: &mut GameRows,
        place: &RowIdentity,
        played: &Finished<'_>,
        state: Option<&State>,
    ) {
        let (in_match, of_match) = place.of_match.unwrap_or((0, 0));
        let row = &mut rows.games;
        let start = row.len();
        let head: [i64; HEAD] = [
            place.index as i64,
            in_match as i64,
            of_match as i64,
            played.end.into(),
            played.winners.into(),
            place.starter.0.into(),
        ];
        row.extend(head);
        row.extend(self.counts.iter().map(|count| count.measure_game(played)));
        row.extend(played.scores);
        let kept = self.variables.iter().flat_map(|(_, variable)| &variable.values);
        row.extend(kept.map(|value| value.raw(played)));
        row.resize(start + self.width, 0);
        for seat in 0..self.game.players() {
            let mut at = start + self.lines_at(seat as usize);
            for line in &self.lines {
                let end = at + line.columns.len();
                line.count(Seat(seat), played, state, &mut row[at..end]);
                at = end;
            }
        }
    }
}
