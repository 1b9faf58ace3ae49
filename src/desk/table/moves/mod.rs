//! The legal moves: listed so that they fit on a screen, and matched with what people type.
//!
//! Treats moves as words only: an option, followed by its bindings, which go by the names that the board shows and by those
//! of the rules.

mod groups;
mod list;
mod matching;
mod menu;
#[cfg(test)]
mod tests;

pub use groups::MoveGroup;
pub use menu::MoveMenu;

use houserule_game::explain::plural;
use houserule_game::values::{BoardNames, find_unique_labels};
use houserule_game::{ActionId, Game, State};
use houserule_model::board::Notation;
use houserule_model::{
    CheckedBinder, CheckedExpr, CheckedExprKind, CheckedOption, DomainId, DomainKind, Model, Value,
};
use houserule_picture::paint::COLUMNS;

/// Maximum number of moves that are numbered.
const MOST_NUMBERED: usize = 20;

/// What stands for a subset of no elements.
const NOTHING: &str = "none";

/// Minimum width of a list, in columns.
const FEWEST_COLUMNS: usize = 40;

/// A legal move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    /// The action.
    pub action: ActionId,
    /// The name as shown to players, with the names that the board shows: `play ♣K`.
    pub name: String,
    /// The name in the notation of journals: `play clubs-king`.
    pub rule_name: String,
    /// The option and its bindings, in lower case, as shown to players.
    words: Vec<String>,
    /// The same in the notation of journals.
    rule_words: Vec<String>,
    /// The option and its bindings, as the board shows them, which may be the same for several moves.
    labels: Vec<String>,
    /// The number of bindings in an order of their own. Those after them are a set, and may be typed in any order.
    ordered: usize,
    /// The letter of the board column that the move's number refers to.
    column: Option<String>,
}

impl Move {
    /// Returns the words by which it goes: those shown to players, and those of journals.
    fn spellings(&self) -> [&[String]; 2] {
        [&self.words, &self.rule_words]
    }
}

/// The legal moves of a decision, or a group of them.
#[derive(Clone, Debug, Default)]
pub struct LegalMoves {
    /// The game, if the moves are of one.
    game: Option<Game>,
    all: Vec<Move>,
    /// The help text of each option.
    help: Vec<(String, String)>,
    /// Options that are legal on exactly the empty sites, with the plural name of the sites.
    anywhere: Vec<(String, String)>,
    /// Options that take a subset of a set.
    subsets: Vec<String>,
    /// Whether the list has numbers that can be typed.
    numbered: bool,
    /// The words that all these moves begin with, if they are a group.
    prefix: Vec<String>,
    /// The number of these words that the player chose. The others follow from them.
    chosen: usize,
    /// Maximum width of the list, including what precedes its lines.
    columns: usize,
}

/// What an input refers to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MoveMatch {
    /// One move.
    One(ActionId),
    /// Several moves.
    Several(Vec<String>),
    /// A group of moves, given by the words they begin with.
    Group(Vec<String>),
    /// No move.
    None,
}

impl LegalMoves {
    /// Returns the legal moves of a state, to be listed in lines of at most `columns`, at least 40.
    pub fn from_state(state: &State, columns: usize) -> LegalMoves {
        let game = state.game();
        let names = state.legal_actions().into_iter().map(|action| (action, game.action_name(action)));
        let choice = state.pending_choice().map(|choice| &game.model().choices[choice.index()]);
        let options = choice.map(|choice| choice.options.as_slice()).unwrap_or_default();
        let help = options.iter().map(|option| (option.name.clone(), option.help.clone())).collect();
        let columns = columns.max(FEWEST_COLUMNS);
        let mut moves = LegalMoves { columns, game: Some(game.clone()), ..LegalMoves::named(names, help) };
        moves.name_as_shown(&BoardNames::new(game));
        moves.label(game);
        for option in options {
            moves.note_set(game.model(), option);
            if takes_nothing_of_set(game.model(), option, options) {
                moves.name_nothing(game.model(), option);
            }
        }
        for option in options {
            if option.binders.iter().any(|binder| binder.subset) {
                moves.subsets.push(option.name.to_lowercase());
                continue;
            }
            match option.binders.as_slice() {
                [binder] if is_anywhere(state, option, binder.domain) => {
                    let site = plural(&game.model().domains[binder.domain.index()].name);
                    moves.anywhere.push((option.name.to_lowercase(), site));
                }
                [binder] if are_columns(game.model(), &binder.over) => moves.letter_columns(&option.name),
                _ => {}
            }
        }
        moves.descend();
        moves.number();
        moves
    }

    /// Names moves as the board shows what they name, unless another move goes by that name, too.
    fn name_as_shown(&mut self, names: &BoardNames<'_>) {
        let shown: Vec<String> = self.all.iter().map(|one| names.action(one.action)).collect();
        if self.all.iter().zip(&shown).all(|(one, shown)| one.name == *shown) {
            return;
        }
        let named = self.all.iter().zip(&shown);
        let unique = find_unique_labels(named.map(|(one, shown)| (one.rule_name.as_str(), shown.as_str())));
        for ((one, shown), is_unique) in self.all.iter_mut().zip(shown).zip(unique) {
            if is_unique {
                one.words = shown.split_whitespace().map(str::to_lowercase).collect();
                one.name = shown;
            }
        }
    }

    /// Notes what the board shows of the things that moves name.
    fn label(&mut self, game: &Game) {
        let model = game.model();
        for one in &mut self.all {
            let Some(block) = game.action_block(one.action) else { continue };
            let mut labels = vec![block.option.clone()];
            for (binder, bound) in game.action_bindings(one.action).into_iter().enumerate() {
                let (domain, elements) = bound.elements();
                if elements.is_empty() {
                    labels.push(NOTHING.to_owned());
                }
                labels.extend(elements.into_iter().map(|element| match block.face_name(binder, element) {
                    Some(face) => face.to_owned(),
                    None => model.element_sign(domain, element),
                }));
            }
            one.labels = labels;
        }
    }

    /// Notes which bindings of an option are a set.
    fn note_set(&mut self, model: &Model, option: &CheckedOption) {
        let size = set_size(model, option);
        let is_subset = option.binders.last().is_some_and(|binder| binder.subset);
        if size < 2 && !is_subset {
            return;
        }
        let ordered = option.binders.len() - size;
        let block = &model.actions[option.actions.index()];
        for one in self.all.iter_mut().filter(|one| block.contains(one.action)) {
            one.ordered = ordered;
        }
    }

    /// Names the moves that take nothing of a set, which journals know by their option alone, `exchange none`.
    fn name_nothing(&mut self, model: &Model, option: &CheckedOption) {
        let block = &model.actions[option.actions.index()];
        let named: Vec<String> = self.all.iter().map(|one| one.name.to_lowercase()).collect();
        for one in self.all.iter_mut().filter(|one| block.contains(one.action)) {
            let name = format!("{} {NOTHING}", one.name);
            if !named.contains(&name.to_lowercase()) {
                one.words.push(NOTHING.to_owned());
                one.labels.push(NOTHING.to_owned());
                one.name = name;
            }
        }
    }

    /// Allows the columns of an option to be given by their letters, too.
    fn letter_columns(&mut self, option: &str) {
        for one in self.all.iter_mut().filter(|one| one.words[0].eq_ignore_ascii_case(option)) {
            let number = one.rule_words.get(1).and_then(|word| word.parse::<u8>().ok());
            one.column = number
                .and_then(|number| b'a'.checked_add(number.checked_sub(1)?))
                .map(|letter| char::from(letter).to_string());
        }
    }

    fn named(names: impl Iterator<Item = (ActionId, String)>, help: Vec<(String, String)>) -> LegalMoves {
        let all: Vec<Move> = names
            .map(|(action, name)| {
                let labels: Vec<String> = name.split_whitespace().map(str::to_owned).collect();
                let words: Vec<String> = labels.iter().map(|word| word.to_lowercase()).collect();
                Move {
                    action,
                    rule_name: name.clone(),
                    name,
                    rule_words: words.clone(),
                    words,
                    labels,
                    ordered: usize::MAX,
                    column: None,
                }
            })
            .collect();
        let mut moves = LegalMoves { all, help, columns: COLUMNS, ..LegalMoves::default() };
        moves.number();
        moves
    }

    /// Decides whether the list has numbers. If moves contain numbers themselves, those of the list would be
    /// confused with them.
    fn number(&mut self) {
        let is_number = |word: &String| word.bytes().all(|byte| byte.is_ascii_digit());
        let few = self.all.len() <= MOST_NUMBERED;
        self.numbered = match self.is_grouped() {
            true => self.groups_are_numbered(&self.groups()),
            false => {
                let mut names = self.all.iter().flat_map(|one| [&one.words, &one.rule_words, &one.labels]);
                few && !names.any(|words| words.iter().any(is_number))
            }
        };
    }

    /// Returns the moves, in the order of the actions.
    pub fn moves(&self) -> &[Move] {
        &self.all
    }

    /// Returns `true` if the list has numbers that can be typed.
    pub fn is_numbered(&self) -> bool {
        self.numbered
    }

    /// Returns `true` if the name of an option begins with `start`.
    pub fn has_option_from(&self, start: &str) -> bool {
        self.all.iter().any(|one| one.words[0].starts_with(start))
    }

    /// Returns the names of the moves.
    pub fn names(&self) -> Vec<String> {
        self.all.iter().map(|one| one.name.clone()).collect()
    }

    /// Returns the names of the moves, as they are listed and as the rules write them, for the Tab key.
    pub fn typeable(&self) -> Vec<String> {
        let mut names: Vec<String> =
            self.all.iter().flat_map(|one| [one.name.clone(), one.rule_name.clone()]).collect();
        names.dedup();
        names
    }

    /// Returns the names of the options.
    pub fn options(&self) -> Vec<&str> {
        let mut options: Vec<&str> = self.all.iter().filter_map(|one| one.name.split(' ').next()).collect();
        options.dedup();
        options
    }

    /// Returns `true` if a word is the name of an option.
    pub fn is_option(&self, word: &str) -> bool {
        self.all.iter().any(|one| one.words.first().is_some_and(|option| option == word))
    }
}

/// Returns the number of binders of an option that together take a subset: those of its elements, one after the other, or
/// one for the whole.
fn set_size(model: &Model, option: &CheckedOption) -> usize {
    let place = |binder: &CheckedBinder| model.locals[binder.local.index()].span;
    let Some(last) = option.binders.last() else { return 0 };
    option.binders.iter().rev().take_while(|binder| place(binder) == place(last)).count()
}

/// Returns `true` if an option takes a subset of a set, and this one of its sizes is 0. Options of several sizes are written
/// once in the rules.
fn takes_nothing_of_set(model: &Model, option: &CheckedOption, options: &[CheckedOption]) -> bool {
    let sizes = options.iter().filter(|other| other.name == option.name && other.span == option.span);
    let largest = sizes.max_by_key(|other| other.binders.len());
    largest.is_some_and(|largest| {
        largest.binders.len() > option.binders.len()
            && largest.binders.len() - set_size(model, largest) == option.binders.len()
    })
}

/// Returns `true` if the legal moves of an option are exactly the empty sites of a board.
fn is_anywhere(state: &State, option: &CheckedOption, domain: DomainId) -> bool {
    let game = state.game();
    let model = game.model();
    let DomainKind::Sites(board) = model.domains[domain.index()].kind else { return false };
    let board = &model.boards[board.index()];
    let Value::Set(empty) = state.value(board.empty, 0) else { return false };
    let block = &model.actions[option.actions.index()];
    let own = |action: &ActionId| block.contains(*action);
    let legal: Vec<ActionId> = state.legal_actions().into_iter().filter(own).collect();
    board.index.is_empty()
        && legal.len() == empty.iter().count()
        && legal.iter().all(|action| empty.contains(action.0 - block.first))
}

/// Returns `true` if a set consists of columns of a board that names them with letters.
fn are_columns(model: &Model, set: &CheckedExpr) -> bool {
    match &set.kind {
        CheckedExprKind::Columns(board, _) => {
            let topology = &model.boards[board.index()].topology;
            topology.notation() == Notation::Letters && topology.width() <= 26
        }
        CheckedExprKind::Intersect(a, b) => are_columns(model, a) || are_columns(model, b),
        CheckedExprKind::Minus(a, _) | CheckedExprKind::Filter { over: a, .. } => are_columns(model, a),
        _ => false,
    }
}
