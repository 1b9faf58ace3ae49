//! Rows of integers for every game and every decision, from which tables are made.
//!
//! Defines the kept values of a game and their order in a row; `frame` makes columns of rows.

use super::line_counts::{LineItem, ReadSet, line_items};
use super::sums::FinishedGame;
use crate::board::BitSet;
use crate::game::random_games::Finished;
use crate::game::{ActionId, Game, Player, State};
use crate::model::{Builtin, Content, DomainId, DomainKind, Life, Model, PLAYER, Role, SlotId, Value};

/// Maximum number of variable values kept per game. Variables from the first beyond it on are left out.
const MOST_CELLS: usize = 1024;

/// The fields at the start of a row, before the scores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
pub(super) enum RowField {
    Index,
    Match,
    GameInMatch,
    Turns,
    Rolls,
    Decisions,
    /// Index of the end: see [`Outcome::end`](crate::game::Outcome::end).
    End,
    /// A bit for each player.
    Winners,
    Starter,
}

/// Number of fields in [`RowField`].
const HEAD: usize = 9;

/// Encoding of a variable's value in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RowEncoding {
    Number,
    Bool,
    /// Size of a set.
    Size,
    /// Index of an element of a range; -1 is `none`.
    Range {
        low: i64,
    },
    /// Index of an element shown by name; -1 is `none`.
    Name(DomainId),
}

/// A variable whose values at the end are kept.
#[derive(Clone, Debug)]
pub(super) struct Variable {
    pub(super) slot: SlotId,
    pub(super) told: RowEncoding,
    /// Index of its first value in the row.
    pub(super) first: usize,
    /// Its columns: the name, and the offset of seat 0's value in the family.
    pub(super) columns: Vec<(String, usize)>,
    /// Distance between the values of two seats; 0 if all seats share them.
    pub(super) step: usize,
    initial: Vec<i64>,
    is_kept: bool,
}

/// The layout of a row.
#[derive(Debug)]
pub(super) struct RowPlan {
    game: Game,
    pub(super) items: usize,
    pub(super) variables: Vec<Variable>,
    pub(super) lines: Vec<LineItem>,
    /// Index of the first run count.
    lines_at: usize,
    lines_each: usize,
    width: usize,
}

/// The identity of a row's game.
#[derive(Clone, Copy, Debug)]
pub(super) struct RowIdentity {
    pub(super) index: u64,
    pub(super) starter: u32,
    /// Index of the match, and of the game in the match, from 0.
    pub(super) of_match: Option<(u64, u64)>,
}

impl RowIdentity {
    pub(super) fn single(index: u64) -> RowIdentity {
        RowIdentity { index, starter: 0, of_match: None }
    }

    /// Updates the starter, which the setup may choose.
    pub(super) fn note_starter(&mut self, state: &State) {
        let told = Builtin::Starter.slot();
        if let (true, Value::Element(Some(player))) = (state.keeps(told), state.value(told, 0)) {
            self.starter = player;
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
    pub(super) fn of(state: &State, index: u64, player: Player, action: ActionId) -> Decision {
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
        for part in parts {
            all.games.extend(part.games);
            all.decisions.extend(part.decisions);
        }
        all
    }
}

/// Access to the values of a finished game.
pub(super) trait Final: ReadSet {
    /// Returns a number, a boolean, an element's index (`none` is -1), or the size of a set.
    fn number(&self, slot: SlotId, place: usize, told: RowEncoding) -> i64;

    /// Returns the state, or `None` for a game of a batch.
    fn state(&self) -> Option<&State>;
}

/// A game of a batch, with the data needed to read it.
struct OfBatch<'a> {
    game: &'a Game,
    finished: &'a Finished<'a>,
    width: usize,
}

impl ReadSet for OfBatch<'_> {
    fn set(&self, slot: SlotId, place: usize) -> BitSet {
        let model = self.game.model();
        let declared = &model.slots[slot.index()];
        let size = match declared.content {
            Content::Set(domain) => model.domains[domain.index()].size,
            _ => 0,
        };
        let kept = self.finished.set(slot, place, self.width, size);
        kept.unwrap_or_else(|| match &declared.initial[place] {
            Value::Set(set) => set.clone(),
            _ => BitSet::empty(size),
        })
    }
}

impl ReadSet for State {
    fn set(&self, slot: SlotId, place: usize) -> BitSet {
        match self.value(slot, place) {
            Value::Set(set) => set,
            _ => BitSet::empty(0),
        }
    }
}

fn plain(value: &Value) -> i64 {
    match value {
        Value::Number(number) => *number,
        Value::Bool(value) => i64::from(*value),
        Value::Element(element) => element.map_or(-1, i64::from),
        Value::Set(set) => i64::from(set.len()),
    }
}

impl RowPlan {
    pub(super) fn new(game: &Game) -> RowPlan {
        let model = game.model();
        let players = game.players() as usize;
        let mut at = HEAD + players * model.score.len();
        let mut variables = Vec::new();
        let mut cells = 0;
        for (number, slot) in model.slots.iter().enumerate() {
            if slot.role != Role::Variable || slot.life == Life::Turn {
                continue;
            }
            cells += slot.initial.len();
            if cells > MOST_CELLS {
                break;
            }
            variables.push(variable(game, SlotId(number as u32), at));
            at += slot.initial.len();
        }
        let lines = line_items(game);
        let lines_each: usize = lines.iter().map(|line| line.columns.len()).sum();
        RowPlan {
            game: game.clone(),
            items: model.score.len(),
            variables,
            lines,
            lines_at: at,
            lines_each,
            width: at + players * lines_each,
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
        HEAD + seat * self.items + item
    }

    /// Returns the index of a seat's first run count.
    pub(super) fn lines_at(&self, seat: usize) -> usize {
        self.lines_at + seat * self.lines_each
    }

    /// Appends a row for a game of a batch, or for a finished state.
    pub(super) fn add<'a>(
        &self,
        rows: &mut GameRows,
        place: &RowIdentity,
        played: &FinishedGame<'_>,
        game: impl Into<ValueSource<'a>>,
    ) {
        match game.into() {
            ValueSource::Batch(finished) => {
                let width = usize::from(self.game.program().width);
                self.add_final(rows, place, played, &OfBatch { game: &self.game, finished, width });
            }
            ValueSource::State(state) => self.add_final(rows, place, played, state),
        }
    }

    fn add_final(
        &self,
        rows: &mut GameRows,
        place: &RowIdentity,
        played: &FinishedGame<'_>,
        game: &impl Final,
    ) {
        let (in_match, of_match) = place.of_match.unwrap_or((0, 0));
        let row = &mut rows.games;
        let start = row.len();
        let head: [i64; HEAD] = [
            place.index as i64,
            in_match as i64,
            of_match as i64,
            played.turns as i64,
            played.rolls as i64,
            played.decisions as i64,
            played.end.into(),
            played.winners.into(),
            place.starter.into(),
        ];
        row.extend(head);
        row.extend(played.scores);
        for variable in &self.variables {
            if variable.is_kept {
                let values = 0..variable.initial.len();
                row.extend(values.map(|at| game.number(variable.slot, at, variable.told)));
            } else {
                row.extend(&variable.initial);
            }
        }
        row.resize(start + self.width, 0);
        for seat in 0..self.game.players() {
            let mut at = start + self.lines_at(seat as usize);
            for line in &self.lines {
                let end = at + line.columns.len();
                line.count(self.model(), seat, game, game.state(), &mut row[at..end]);
                at = end;
            }
        }
    }
}

/// Source of a game's values at its end.
pub(super) enum ValueSource<'a> {
    Batch(&'a Finished<'a>),
    State(&'a State),
}

impl<'a> From<&'a Finished<'a>> for ValueSource<'a> {
    fn from(finished: &'a Finished<'a>) -> Self {
        ValueSource::Batch(finished)
    }
}

impl<'a> From<&'a State> for ValueSource<'a> {
    fn from(state: &'a State) -> Self {
        ValueSource::State(state)
    }
}

impl Final for OfBatch<'_> {
    fn number(&self, slot: SlotId, place: usize, told: RowEncoding) -> i64 {
        match told {
            RowEncoding::Size => self.finished.set_count(slot, place, self.width).map_or(0, i64::from),
            _ => self.finished.value(slot, place).unwrap_or(0),
        }
    }

    fn state(&self) -> Option<&State> {
        None
    }
}

impl Final for State {
    fn number(&self, slot: SlotId, place: usize, _: RowEncoding) -> i64 {
        plain(&self.value(slot, place))
    }

    fn state(&self) -> Option<&State> {
        Some(self)
    }
}

fn variable(game: &Game, id: SlotId, first: usize) -> Variable {
    let model = game.model();
    let slot = &model.slots[id.index()];
    let told = match slot.content {
        Content::Number { .. } => RowEncoding::Number,
        Content::Bool => RowEncoding::Bool,
        Content::Set(_) => RowEncoding::Size,
        Content::Element { domain, .. } => match model.domains[domain.index()].kind {
            DomainKind::Range { low } => RowEncoding::Range { low },
            // Seats count from 0.
            DomainKind::Player => RowEncoding::Range { low: 0 },
            _ => RowEncoding::Name(domain),
        },
    };
    // The first index over players is the seat; every other index makes columns.
    let own = slot.index.iter().position(|domain| *domain == PLAYER);
    let mut columns = vec![(slot.name.clone(), 0)];
    let mut step = 0;
    for (at, domain) in slot.index.iter().enumerate() {
        let size = model.domains[domain.index()].size as usize;
        step *= size;
        columns.iter_mut().for_each(|(_, place)| *place *= size);
        if own == Some(at) {
            step = 1;
            continue;
        }
        columns = columns
            .into_iter()
            .flat_map(|(name, place)| {
                (0..size).map(move |element| {
                    (format!("{name}_{}", game.element_name(*domain, element as u32)), place + element)
                })
            })
            .collect();
    }
    let initial = slot.initial.iter().map(plain).collect();
    Variable { slot: id, told, first, columns, step, initial, is_kept: game.keeps(id) }
}
