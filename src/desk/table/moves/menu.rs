//! The legal moves as a menu: all of them, or a group that the player opened, and what typed text means there.

use super::{LegalMoves, Move, MoveMatch};
use houserule_game::values::BoardNames;
use houserule_game::{ActionId, BinderValue, Game, State};

/// Maximum number of moves that a message lists.
const MOST_NAMED: usize = 8;

/// The legal moves of a decision: all of them, and the group that the player opened.
#[derive(Clone, Debug)]
pub struct MoveMenu {
    game: Game,
    all: LegalMoves,
    shown: LegalMoves,
    /// The options of the choice that have no legal move now.
    closed: Vec<String>,
}

impl MoveMenu {
    /// Returns the menu of the pending decision, with all moves shown. Lists have lines of at most `columns`, at
    /// least 40.
    pub fn from_state(state: &State, columns: usize) -> MoveMenu {
        let all = LegalMoves::from_state(state, columns);
        let choice = state.pending_choice().map(|choice| &state.game().model().choices[choice.index()]);
        let options = choice.map(|choice| choice.options.as_slice()).unwrap_or_default();
        let open = all.options();
        let closed = options.iter().map(|option| &option.name).filter(|name| !open.contains(&name.as_str()));
        MoveMenu { closed: closed.cloned().collect(), game: state.game().clone(), shown: all.clone(), all }
    }

    /// Returns all legal moves.
    pub fn all(&self) -> &LegalMoves {
        &self.all
    }

    /// Returns the moves that are shown: all, or those of the open group.
    pub fn shown(&self) -> &LegalMoves {
        &self.shown
    }

    /// Opens the group of the moves that begin with some words, as in [`MoveMatch::Group`].
    pub fn open(&mut self, words: &[String]) {
        self.shown = self.all.narrowed(words);
    }

    /// Shows all moves again. Returns `false` if no group was open.
    pub fn close(&mut self) -> bool {
        let open = !self.shown.is_all();
        if open {
            self.shown = self.all.clone();
        }
        open
    }

    /// Returns what typed text means: in the open group, among all moves, as another name of a legal move, or as the board
    /// shows what moves name.
    pub fn find(&self, typed: &str) -> MoveMatch {
        let typed = typed.trim().to_lowercase();
        let within = if self.shown.is_all() { MoveMatch::None } else { self.shown.resolve_in_group(&typed) };
        let meant = if within == MoveMatch::None { self.all.resolve(&typed) } else { within };
        match meant {
            MoveMatch::None => self.other_name(&typed).map_or_else(|| self.signed(&typed), MoveMatch::One),
            meant => meant,
        }
    }

    /// Returns a legal move with a name that differs from the list: a side named by its other cell, a set in
    /// another order.
    fn other_name(&self, typed: &str) -> Option<ActionId> {
        let is_legal = |action: &ActionId| self.all.moves().iter().any(|one| one.action == *action);
        // A single letter may begin a command.
        let named = |name: &str| match typed.len() {
            0 | 1 => self.game.parse_action(name),
            _ => self.action_named(name),
        };
        let legal = |name: &str| named(name).filter(is_legal);
        let joined = typed.split_whitespace().collect::<Vec<_>>().join("-");
        let options = self.all.options();
        let short = |typed: &str| options.iter().find_map(|option| legal(&format!("{option} {typed}")));
        legal(typed).or_else(|| short(typed)).or_else(|| short(&joined))
    }

    /// Returns an action of the game, legal or not, whose elements have the names of the rules or those that the board shows.
    fn action_named(&self, typed: &str) -> Option<ActionId> {
        self.game.parse_action(typed).or_else(|| {
            let typed = typed.trim().to_lowercase();
            let (option, elements) = typed.split_once(char::is_whitespace)?;
            let (names, model) = (BoardNames::new(&self.game), self.game.model());
            let mut blocks = model.actions.iter().filter(|block| block.option.eq_ignore_ascii_case(option));
            blocks.find_map(|block| {
                // The last binder may bind several elements.
                let last = block.domains.len().checked_sub(1)?;
                let by_rules = |(at, word): (usize, &str)| {
                    let domain = block.domains[at.min(last)];
                    let size = model.domains[domain.index()].size;
                    let shown =
                        (0..size).find(|element| names.element(domain, *element).to_lowercase() == word);
                    shown.map_or_else(|| word.to_owned(), |element| self.game.element_name(domain, element))
                };
                let words: Vec<String> = elements.split_whitespace().enumerate().map(by_rules).collect();
                self.game.parse_action(&format!("{option} {}", words.join(" ")))
            })
        })
    }

    /// Returns the legal moves whose elements are typed as the board shows them, such as `♣K`, or each by its name or as
    /// the board shows it. The option may be left out.
    fn signed(&self, typed: &str) -> MoveMatch {
        let words: Vec<&str> = typed.split_whitespace().collect();
        // A single letter may begin a command.
        if typed.len() < 2 || words.is_empty() {
            return MoveMatch::None;
        }
        let fits = |one: &&Move| {
            let signs = self.signs(one.action);
            // The names of elements follow the option.
            let elements: Vec<(&String, &String)> = signs.iter().zip(&one.rule_words[1..]).collect();
            let begins = |words: &[&str]| {
                !words.is_empty()
                    && words.len() <= elements.len()
                    && elements.iter().zip(words).all(|((sign, name), word)| *sign == word || *name == word)
            };
            let named = words.first().is_some_and(|word| *word == one.words[0]);
            begins(&words) || named && begins(&words[1..])
        };
        let fitting: Vec<&Move> = self.all.moves().iter().filter(fits).collect();
        match fitting.as_slice() {
            [] => MoveMatch::None,
            [one] => MoveMatch::One(one.action),
            many => MoveMatch::Several(many.iter().map(|one| one.name.clone()).collect()),
        }
    }

    /// Returns the elements that an action names as the board shows them, in lower case.
    fn signs(&self, action: ActionId) -> Vec<String> {
        let model = self.game.model();
        let of = |bound: BinderValue| {
            let (domain, elements) = bound.elements();
            elements.into_iter().map(move |element| model.element_sign(domain, element).to_lowercase())
        };
        self.game.action_bindings(action).into_iter().flat_map(of).collect()
    }

    /// Returns a message about typed text that fits several moves.
    pub fn ambiguous(&self, typed: &str, names: &[String]) -> String {
        format!("`{typed}` fits several moves: {}.", quoted(names))
    }

    /// Returns a message about typed text that means nothing, with suggestions.
    pub fn misunderstood(&self, typed: &str) -> String {
        let other = self.action_named(typed).map(|action| BoardNames::new(&self.game).action(action));
        let closed = self.closed.iter().find(|option| option.eq_ignore_ascii_case(typed.trim()));
        let is_number =
            !typed.is_empty() && typed.trim_start_matches('#').bytes().all(|b| b.is_ascii_digit());
        let mut text = match (other, closed) {
            (_, Some(option)) => {
                format!(
                    "`{option}` is an option here, but no move of it is legal now; `rules` says when it is."
                )
            }
            (Some(name), None) => format!("`{name}` is not legal now."),
            (None, None) if is_number && !self.shown.is_numbered() => {
                format!(
                    "`{typed}` is no move: these moves have no numbers. Type the words of a move, or enough of them."
                )
            }
            (None, None) => format!("`{typed}` is no move and no command."),
        };
        let (moves, near) = (self.all.moves(), self.all.near(typed));
        match near.as_slice() {
            [] if moves.len() <= MOST_NAMED => {
                text.push_str(&format!(" Legal: {}.", quoted(&self.all.names())));
            }
            [] => text.push_str(&format!(
                " There are {} legal moves, such as `{}`; `moves` lists them, `help` the commands.",
                moves.len(),
                moves.first().map_or("", |one| one.name.as_str())
            )),
            near => {
                text.push_str(&format!(
                    " Did you mean {}? `moves` lists all that is legal.",
                    quoted_or(near)
                ));
            }
        }
        text
    }
}

fn quoted(names: &[String]) -> String {
    let shown: Vec<String> = names.iter().take(MOST_NAMED).map(|name| format!("`{name}`")).collect();
    let more = names.len().saturating_sub(shown.len());
    if more > 0 { format!("{} and {more} more", shown.join(", ")) } else { shown.join(", ") }
}

fn quoted_or(names: &[String]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match quoted.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        Some((last, _)) => last.clone(),
        None => String::new(),
    }
}
