//! The legal moves as a menu: all of them, or a group that the player opened, and what typed text means there.

use super::{LegalMoves, Move, MoveMatch};
use houserule_base::names::hyphened;
use houserule_game::values::BoardNames;
use houserule_game::{ActionId, Game, State};
use houserule_model::DomainId;

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

/// An action of the game, legal or not, as it was typed.
struct NamedAction {
    action: ActionId,
    /// Its name, with what the board shows, in the order in which it was typed.
    name: String,
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

    /// Returns what typed text means: in the open group, among all moves, or as another name of a legal move. What the board
    /// shows counts in its upper and lower case first.
    pub fn find(&self, typed: &str) -> MoveMatch {
        let typed = typed.trim();
        let within = if self.shown.is_all() { MoveMatch::None } else { self.shown.resolve_in_group(typed) };
        let meant = if within == MoveMatch::None { self.all.resolve(typed) } else { within };
        match meant {
            MoveMatch::None => self.other_name(typed).map_or(MoveMatch::None, MoveMatch::One),
            meant => meant,
        }
    }

    /// Returns a legal move with a name that differs from the list: a side named by its other cell, a set in
    /// another order.
    fn other_name(&self, typed: &str) -> Option<ActionId> {
        // A single letter may begin a command.
        let named = |name: &str| match typed.len() {
            0 | 1 => self.game.parse_action(name),
            _ => self.action_named(name).map(|named| named.action),
        };
        let legal = |name: &str| {
            let one = self.legal(named(name)?)?;
            (!self.all.names_another(typed, one)).then_some(one.action)
        };
        let joined = typed.split_whitespace().collect::<Vec<_>>().join("-");
        let options = self.all.options();
        let short = |typed: &str| options.iter().find_map(|option| legal(&format!("{option} {typed}")));
        legal(typed).or_else(|| short(typed)).or_else(|| short(&joined))
    }

    fn legal(&self, action: ActionId) -> Option<&Move> {
        self.all.moves().iter().find(|one| one.action == action)
    }

    /// Returns an action of the game, legal or not, whose elements have the names that the board shows or those of the rules.
    fn action_named(&self, typed: &str) -> Option<NamedAction> {
        let (option, elements) = typed.trim().split_once(char::is_whitespace).unwrap_or((typed.trim(), ""));
        let (names, model) = (BoardNames::new(&self.game), self.game.model());
        let mut blocks = model.actions.iter().filter(|block| block.option.eq_ignore_ascii_case(option));
        let by_elements = blocks.find_map(|block| {
            // The last binder may bind several elements.
            let last = block.domains.len().checked_sub(1)?;
            let mut each: Vec<(DomainId, u32)> = vec![];
            for (at, word) in elements.split_whitespace().enumerate() {
                let domain = block.domains[at.min(last)];
                each.push((domain, self.element_named(&names, domain, word)?));
            }
            let rule_names = each.iter().map(|(domain, element)| self.game.element_name(*domain, *element));
            let rule_names: Vec<String> = rule_names.collect();
            let action = self.game.parse_action(&format!("{option} {}", rule_names.join(" ")))?;
            let shown: Vec<&str> =
                each.iter().map(|(domain, element)| names.element(*domain, *element)).collect();
            Some(NamedAction { action, name: format!("{} {}", block.option, shown.join(" ")) })
        });
        by_elements.or_else(|| {
            let action = self.game.parse_action(typed)?;
            Some(NamedAction { action, name: names.action(action) })
        })
    }

    /// Returns the element of a domain that a word names: as it is listed, as the board shows it alone of all, or as the rules
    /// do.
    fn element_named(&self, names: &BoardNames<'_>, domain: DomainId, word: &str) -> Option<u32> {
        let (model, lower) = (self.game.model(), word.to_lowercase());
        let elements = || 0..model.domains[domain.index()].size;
        let only = |is_meant: &dyn Fn(u32) -> bool| {
            let mut meant = elements().filter(|element| is_meant(*element));
            meant.next().filter(|_| meant.next().is_none())
        };
        let label = |element: u32| model.element_sign(domain, element);
        only(&|element| names.element(domain, element) == word)
            .or_else(|| only(&|element| label(element) == word))
            .or_else(|| only(&|element| names.element(domain, element).to_lowercase() == lower))
            .or_else(|| only(&|element| label(element).to_lowercase() == lower))
            .or_else(|| self.game.parse_element(domain, word))
    }

    /// Returns a message about typed text that fits several moves.
    pub fn ambiguous(&self, typed: &str, names: &[String]) -> String {
        format!("`{typed}` fits several moves: {}.", quoted(names))
    }

    /// Returns a message about typed text that means nothing, with suggestions.
    pub fn misunderstood(&self, typed: &str) -> String {
        let other = self.action_named(typed).filter(|other| self.legal(other.action).is_none());
        let closed = self.closed.iter().find(|option| option.eq_ignore_ascii_case(typed.trim()));
        let is_number =
            !typed.is_empty() && typed.trim_start_matches('#').bytes().all(|b| b.is_ascii_digit());
        let mut text = match (other, closed) {
            (_, Some(option)) => {
                format!(
                    "`{option}` is an option here, but no move of it is legal now; `rules` says when it is."
                )
            }
            (Some(other), None) => format!("`{}` is not legal now.", other.name),
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
    let shown: Vec<String> =
        names.iter().take(MOST_NAMED).map(|name| format!("`{}`", hyphened(name))).collect();
    let more = names.len().saturating_sub(shown.len());
    if more > 0 { format!("{} and {more} more", shown.join(", ")) } else { shown.join(", ") }
}

fn quoted_or(names: &[String]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{}`", hyphened(name))).collect();
    match quoted.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        Some((last, _)) => last.clone(),
        None => String::new(),
    }
}
