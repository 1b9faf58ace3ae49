//! An action as a sentence in the past: `played the queen of diamonds`, `moved from f2 to f3`. Its words are those of the rules:
//! the name of the option, its help text, the names of what it binds.

mod verbs;

use super::spoken::spoken;
use crate::layout::card_words;
use houserule_base::names::plain;
use houserule_game::{ActionId, Game};
use houserule_model::board::{Shape, Site};
use houserule_model::{BoardId, DomainId, DomainKind, Model, PLAYER};
use verbs::{VerbGrammar, past, verb};

/// A part of an action, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
enum ToldPart {
    /// Sites of a board, and whether something stands on the first one before the move.
    Sites { board: BoardId, names: Vec<String>, is_taken: bool },
    /// Players.
    Players(Vec<String>),
    /// Anything else.
    Things(Vec<String>),
    /// Records, such as cards.
    Records(Vec<String>),
    /// Something that isn't seen: `a card`.
    Unseen(String),
}

/// Tells an action as a sentence without a subject. `text` is what may be told of it, as the engine writes it; `stands` says
/// whether something stands on a site before the move.
pub(super) fn describe_action(
    game: &Game,
    action: ActionId,
    text: &str,
    stands: &dyn Fn(BoardId, Site) -> bool,
) -> String {
    let Some(block) = game.action_block(action).filter(|_| text != "?") else {
        return "chose in secret".to_owned();
    };
    let parts = read_parts(game, action, text, stands);
    Sentence { model: game.model(), option: plain(&block.option), help: help_of(game, action), parts }.write()
}

/// Returns `true` if a name begins with a verb, such as that of an option: `play_card`.
pub(super) fn begins_with_verb(name: &str) -> bool {
    name.split([' ', '_']).next().is_some_and(|word| verb(word).is_some())
}

/// Returns the help text of the option of an action.
fn help_of(game: &Game, action: ActionId) -> &str {
    let model = game.model();
    let at = model.action_block_index(action);
    let mut options = model.choices.iter().flat_map(|choice| &choice.options);
    options.find(|option| Some(option.actions.index()) == at).map_or("", |option| option.help.as_str())
}

/// Returns what an action binds, as far as its text says it.
fn read_parts(
    game: &Game,
    action: ActionId,
    text: &str,
    stands: &dyn Fn(BoardId, Site) -> bool,
) -> Vec<ToldPart> {
    let (model, Some(block)) = (game.model(), game.action_block(action)) else { return vec![] };
    let bindings = game.action_bindings(action).into_iter().enumerate();
    let mut bound = bindings.flat_map(|(binder, value)| {
        let (domain, elements) = value.elements();
        elements.into_iter().map(move |element| (binder, domain, element))
    });
    let mut parts: Vec<ToldPart> = vec![];
    let mut last = None;
    for word in text.split(' ').skip(1) {
        let next = bound.next();
        let part = match next {
            _ if word == "?" => ToldPart::Unseen(unseen(model, next.map(|(_, domain, _)| domain))),
            Some((binder, domain, element))
                if block.face_name(binder, element).is_none()
                    && game.element_name(domain, element) == word =>
            {
                let name = element_in_words(model, domain, element);
                match model.domains[domain.index()].kind {
                    DomainKind::Sites(board) => {
                        ToldPart::Sites { board, names: vec![name], is_taken: stands(board, Site(element)) }
                    }
                    _ if domain == PLAYER => ToldPart::Players(vec![name]),
                    DomainKind::Record { .. } => ToldPart::Records(vec![name]),
                    _ => ToldPart::Things(vec![name]),
                }
            }
            _ => ToldPart::Things(vec![spoken(word)]),
        };
        let binder = next.map(|(binder, ..)| binder);
        let is_same = binder.is_some() && binder == last;
        last = binder;
        match (parts.last_mut(), part) {
            (Some(ToldPart::Sites { names, .. }), ToldPart::Sites { names: more, .. }) if is_same => {
                names.extend(more);
            }
            (Some(ToldPart::Things(names)), ToldPart::Things(more)) if is_same => names.extend(more),
            (Some(ToldPart::Records(names)), ToldPart::Records(more)) if is_same => names.extend(more),
            (Some(ToldPart::Unseen(_)), ToldPart::Unseen(_)) => {}
            (Some(ToldPart::Players(names)), ToldPart::Players(more)) if is_same => names.extend(more),
            (_, part) => parts.push(part),
        }
    }
    parts
}

/// Returns what is said of an element that isn't seen: `a card`.
fn unseen(model: &Model, domain: Option<DomainId>) -> String {
    let of = domain.map(|domain| &model.domains[domain.index()]);
    match of {
        Some(of) if matches!(of.kind, DomainKind::Record { .. }) => with_article(&plain(&of.name)),
        _ => "something".to_owned(),
    }
}

/// Returns a noun with its article.
fn with_article(noun: &str) -> String {
    let article = if noun.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
    format!("{article} {noun}")
}

/// Returns the name of an element as people say it: `the queen of diamonds`, `blue 10`, `b4`.
fn element_in_words(model: &Model, domain: DomainId, element: u32) -> String {
    if let DomainKind::Sites(board) = model.domains[domain.index()].kind {
        return site_in_words(model, board, Site(element));
    }
    let words = card_words(model, domain, element);
    let is_record = matches!(model.domains[domain.index()].kind, DomainKind::Record { .. });
    if is_record && words.contains(" of ") { format!("the {words}") } else { words }
}

/// Returns the name of a site; that of a track is a number, so the board is named, too.
fn site_in_words(model: &Model, board: BoardId, site: Site) -> String {
    let of = &model.boards[board.index()];
    let name = of.topology.site_name(site);
    match of.topology.shape() {
        Shape::Track { .. } => format!("{} {name}", plain(&of.name)),
        Shape::Sides { .. } => name.replace('-', " "),
        // Links have the names of their ends.
        _ => plain(&name.replace('_', "–")),
    }
}

/// What a sentence is made of.
struct Sentence<'m> {
    model: &'m Model,
    option: String,
    help: &'m str,
    parts: Vec<ToldPart>,
}

impl Sentence<'_> {
    fn write(&self) -> String {
        let first = self.option.split(' ').next().unwrap_or_default();
        let clause = first_clause(self.help);
        let is_told = clause.split(' ').next() == Some(first) && clause.contains(' ');
        let Some(grammar) = verb(first) else { return self.write_from_help() };
        // The help text says more: `drew a card`, `kept the jokers`.
        if self.parts.is_empty() && (is_told || first == "pass" && verb_of(clause).is_some()) {
            return self.write_from_help();
        }
        if let (true, [ToldPart::Things(names)]) = (is_told, &self.parts[..])
            && let Some(numbered) = numbered(clause, names)
        {
            return of_others(&in_past(&numbered));
        }
        // `take up`, `turn` with the help text `turn up a card`.
        let rest = self.option[first.len()..].trim();
        let mut said = past(first);
        let particle = if rest.is_empty() { self.particle(first) } else { Some(rest) };
        if let Some(particle) = particle {
            said = format!("{said} {particle}");
        }
        self.with_parts(said, grammar)
    }

    /// A sentence for an option whose name is no verb: `laid a tile straight on`.
    fn write_from_help(&self) -> String {
        let clause = first_clause(self.help);
        let said = match verb_of(clause) {
            Some(_) => of_others(&in_past(clause)),
            None => format!("chose {}", self.option),
        };
        let told = list_of(&self.parts);
        if told.is_empty() { said } else { format!("{said}: {told}") }
    }

    /// Returns the word after the verb in the help text if it belongs to it: `up`.
    fn particle(&self, verb: &str) -> Option<&str> {
        let mut words = self.help.split(' ');
        words.next().filter(|word| *word == verb)?;
        words.next().filter(|word| matches!(*word, "up" | "down" | "off" | "out" | "away" | "back"))
    }

    /// Returns what is placed on a board: `a stone`, by the help text, or by the only kind of piece.
    fn object(&self, board: BoardId) -> Option<String> {
        let of = &self.model.boards[board.index()];
        let mut words = first_clause(self.help).split(' ').skip(1);
        let article = words.next().filter(|word| matches!(*word, "a" | "an" | "your" | "one" | "the"));
        let ends =
            ["on", "in", "at", "into", "onto", "to", "so", "where", "that", "beside", "of", "from", "over"];
        let noun: Vec<&str> = words.take_while(|word| !ends.contains(word)).collect();
        let is_site = noun.last().is_some_and(|noun| SITES.contains(noun) || *noun == plain(&of.name));
        match article {
            Some(article) if !noun.is_empty() && noun.len() <= 3 && !is_site => {
                let noun = noun.join(" ");
                Some(if article == "your" { with_article(&noun) } else { format!("{article} {noun}") })
            }
            _ => match &of.pieces[..] {
                [only] => Some(with_article(&plain(&self.model.slots[only.index()].name))),
                _ => None,
            },
        }
    }

    fn with_parts(&self, said: String, grammar: VerbGrammar) -> String {
        let object = |board: &BoardId| match grammar {
            VerbGrammar::Place => self.object(*board).map(|object| format!(" {object}")).unwrap_or_default(),
            _ => String::new(),
        };
        match &self.parts[..] {
            [] => said,
            [ToldPart::Sites { names, board, is_taken }, rest @ ..]
                if rest.iter().all(|part| !matches!(part, ToldPart::Sites { .. })) =>
            {
                let all = joined(names);
                let said = match grammar {
                    _ if names.len() > 1 => format!("{said} {all}"),
                    VerbGrammar::Place => format!("{said}{} {} {all}", object(board), self.on(*board)),
                    VerbGrammar::Move if *is_taken => format!("{said} from {all}"),
                    VerbGrammar::Move => format!("{said} to {all}"),
                    _ => format!("{said} {all}"),
                };
                match (grammar, rest) {
                    (_, []) => said,
                    (VerbGrammar::Move, [ToldPart::Things(by)]) if is_number(by) => {
                        format!("{said} by {}", joined(by))
                    }
                    (VerbGrammar::Plain, rest) => format!("{said} {}", list_of(rest)),
                    (_, rest) => format!("{said}, {}", list_of(rest)),
                }
            }
            [
                ToldPart::Sites { names, board, .. },
                ToldPart::Sites { names: others, board: other, .. },
                rest @ ..,
            ] if board == other => {
                let (from, to) = (joined(names), joined(others));
                let said = match grammar {
                    VerbGrammar::Both => format!("{said} {from} and {to}"),
                    _ => format!("{said} from {from} to {to}"),
                };
                if rest.is_empty() { said } else { format!("{said}, {}", list_of(rest)) }
            }
            [ToldPart::Players(names), rest @ ..] if grammar == VerbGrammar::Ask && !rest.is_empty() => {
                format!("{said} {} for {}", joined(names), list_of(rest))
            }
            // A player comes before what is given.
            [things, ToldPart::Players(names)] if grammar == VerbGrammar::Give => {
                format!("{said} {} {}", joined(names), list_of(std::slice::from_ref(things)))
            }
            [things @ .., ToldPart::Sites { names, board, is_taken }] if !things.is_empty() => {
                let before = match grammar {
                    VerbGrammar::Move if *is_taken => "from",
                    VerbGrammar::Move => "to",
                    _ => self.on(*board),
                };
                format!("{said} {} {before} {}", list_of(things), joined(names))
            }
            [ToldPart::Records(cards), where_to @ ..]
                if grammar == VerbGrammar::Place && !where_to.is_empty() =>
            {
                format!("{said} {} at {}", joined(cards), list_of(where_to))
            }
            [ToldPart::Things(at), ToldPart::Records(cards)] if grammar == VerbGrammar::Place => {
                format!("{said} {} at {}", joined(cards), joined(at))
            }
            [ToldPart::Things(count), ToldPart::Things(what)] if is_number(count) => {
                format!("{said} {} × {}", joined(count), joined(what))
            }
            parts => format!("{said} {}", list_of(parts)),
        }
    }

    /// Returns the word before the name of a site: stones stand on a crossing, marks in a cell.
    fn on(&self, board: BoardId) -> &'static str {
        match self.model.boards[board.index()].topology.shape() {
            Shape::Graph | Shape::Sides { .. } => "at",
            _ => "on",
        }
    }
}

/// What sites are called in help texts.
const SITES: [&str; 12] = [
    "square", "cell", "point", "field", "spot", "site", "hex", "button", "pit", "crossing", "column", "place",
];

/// Returns the verb with which a text begins.
fn verb_of(text: &str) -> Option<&str> {
    text.split(' ').next().filter(|word| verb(word).is_some())
}

/// Returns a text in the past: its first verb, and those after `and`. `or` and a verb is left out.
fn in_past(text: &str) -> String {
    let words: Vec<&str> = text.split(' ').collect();
    let is_verb = |at: usize| words.get(at).is_some_and(|word| verb(word).is_some());
    let mut said: Vec<String> = vec![];
    let mut at = 0;
    while at < words.len() {
        let is_told = at == 0 || words[at - 1] == "and" && is_verb(at);
        match words[at] {
            "or" if at == 1 && is_verb(2) => at += 1,
            word => said.push(if is_told { past(word) } else { word.to_owned() }),
        }
        at += 1;
    }
    said.join(" ")
}

/// Returns a help text that ends with a noun, with the number of what is meant: `drop a disc into column 3`.
fn numbered(help: &str, names: &[String]) -> Option<String> {
    let (before, noun) = help.rsplit_once(' ')?;
    let before = before.strip_suffix(" a").or_else(|| before.strip_suffix(" an"))?;
    (is_number(names) && before.contains(' ')).then(|| format!("{before} {noun} {}", names[0]))
}

fn is_number(names: &[String]) -> bool {
    matches!(names, [one] if one.parse::<i64>().is_ok())
}

/// Returns parts in words, one after the other.
fn list_of(parts: &[ToldPart]) -> String {
    let words = parts.iter().map(|part| match part {
        ToldPart::Sites { names, .. }
        | ToldPart::Players(names)
        | ToldPart::Things(names)
        | ToldPart::Records(names) => joined(names),
        ToldPart::Unseen(what) => what.clone(),
    });
    words.collect::<Vec<_>>().join(" ")
}

/// Returns names joined by commas and `and`.
fn joined(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [before @ .., last] => format!("{} and {last}", before.join(", ")),
    }
}

/// Returns a help text as it is told of somebody else.
pub(super) fn of_others(text: &str) -> String {
    let words = text.split(' ').map(|word| match word {
        "your" => "their",
        "you" => "they",
        "yours" => "theirs",
        other => other,
    });
    words.collect::<Vec<_>>().join(" ")
}

/// Returns the first clause of a help text.
pub(super) fn first_clause(help: &str) -> &str {
    help.split([',', ';', ':', '.', '(']).next().unwrap_or_default().trim()
}

#[cfg(test)]
mod tests {
    use super::*;
    use houserule_loader::{Request, load_text};

    /// Tells an action of a game with all of these options.
    fn told(action: &str) -> String {
        let rules = "game \"Told\" {
              players X, O
              board cell = grid(3, 3)
              board flag = track(4)
              enum suit { clubs, diamonds } enum rank { two, queen }
              domain card { suit: suit, rank: rank }
              piece mark[player] on cell
              piece taken[player] on flag
              zone hand[player] of card seen by owner
              turn { choose {
                place c in empty(cell) \"put a stone on a free point\" { put mark[me] at c }
                tick c in empty(cell) \"mark a square\" { put mark[me] at c }
                move a in cells(cell), b in cells(cell) { move a to b replacing }
                step a in cells(cell) { put mark[me] at a replacing }
                claim f in cells(flag) \"claim a flag\" { put taken[me] at f replacing }
                play k in card { end game }
                lay l in card, g in cells(flag) { put taken[me] at g replacing }
                ask p in players, r in rank \"ask a player for a rank\" { end game }
                enough \"claim no more of your flags, or all\" { end game }
                sideways \"\" { end game }
                turn u in cells(cell) \"turn up a card\" { put mark[me] at u replacing }
                drop n in 1..3 \"drop a disc into a column\" { end game }
                raise v in 1..3, w in rank { end game }
                sidestep \"step or jump straight ahead and take a stone, if you can\" { end game }
                pass \"keep your jokers\" { }
              } }
              end over when empty(cell) is nothing: draw }";
        let game = load_text("told", rules, &Request::default()).unwrap().game;
        let action = game.parse_action(action).unwrap();
        describe_action(&game, action, &game.action_name(action), &|_, site| site == Site(0))
    }

    #[test]
    fn actions_are_sentences() {
        let all = [
            ("place b2", "placed a stone on b2"),
            ("tick b2", "ticked b2"),
            ("move a1 b2", "moved from a1 to b2"),
            ("step a1", "stepped from a1"),
            ("step b2", "stepped to b2"),
            ("drop 2", "dropped a disc into column 2"),
            ("raise 2 two", "raised 2 × two"),
            ("sidestep", "stepped straight ahead and took a stone"),
            ("claim 3", "claimed flag 3"),
            ("play diamonds-queen", "played the queen of diamonds"),
            ("lay clubs-two 4", "laid the 2 of clubs on flag 4"),
            ("ask O queen", "asked O for queen"),
            ("enough", "claimed no more of their flags"),
            ("sideways", "chose sideways"),
            ("turn c3", "turned up c3"),
            ("pass", "kept their jokers"),
        ];
        for (action, said) in all {
            assert_eq!(told(action), said);
        }
    }
}
