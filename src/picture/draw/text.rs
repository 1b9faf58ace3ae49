//! A state as text: the boards with coordinates, next to them dice, seats, scores and variables, and below
//! whose turn it is. Lines are at most as wide as the page of the view's [`Paint`], except for wider boards.

use super::beside::Beside;
use super::board::{self, BoardText, DrawnOnBoards};
use super::last::{Last, may_see_legal};
use super::panel::{Panel, scores};
use super::rows::{ROWS, RowedTable};
use super::score::which_are_best;
use super::table::TableReader;
use super::told::{begins_with_verb, first_clause, of_others};
use crate::layout::{GameLook, family_signs};
use crate::paint::line::{TextLine, wrap};
use crate::paint::{Paint, TextStyle};
use houserule_base::names::plain;
use houserule_game::Onlookers;
use houserule_game::{Game, Seat, State};
use houserule_model::board::{Shape, Site};
use houserule_model::{Model, Slot, Value, Visibility, side_in_words};
use std::collections::HashSet;

/// Gap between a board and the panel, in columns.
const GAP: usize = 4;

/// Minimum width of a panel next to a board, in columns.
const LEAST_PANEL: usize = 24;

/// Maximum width of a panel next to a board, in columns.
const WIDEST_PANEL: usize = 64;

/// Maximum number of lines of a legend next to a panel.
const MOST_LEGEND: usize = 4;

/// Maximum number of columns of a sheet.
const SHEET: usize = 6;

/// Options for formatting a state.
#[derive(Clone, Copy, Debug)]
pub struct TextOptions<'s> {
    /// The player who looks at the state, from whom hidden things are hidden. Without one, only what all see is shown.
    pub viewer: Option<Seat>,
    /// Whether all is shown if nobody in particular looks, as after the end of a game.
    pub open: bool,
    /// An earlier state. Changes on the boards since then are highlighted.
    pub before: Option<&'s State>,
    /// Colours and page width.
    pub paint: Paint,
}

impl TextOptions<'_> {
    /// Creates a view without colours or highlights.
    pub fn plain(viewer: Option<Seat>) -> Self {
        TextOptions { viewer, open: false, before: None, paint: Paint::plain() }
    }

    /// Creates a view that shows everything.
    pub fn open() -> Self {
        TextOptions { open: true, ..TextOptions::plain(None) }
    }
}

/// Formats a state as a player sees it, or what all see without a player.
pub fn state(state: &State, viewer: Option<Seat>) -> String {
    screen(state, &TextOptions::plain(viewer))
}

/// Like [`state`], without whose turn it is.
pub fn position(state: &State, viewer: Option<Seat>) -> String {
    table(state, &TextOptions::plain(viewer))
}

/// Formats a state with a view, without whose turn it is.
pub fn table(state: &State, view: &TextOptions<'_>) -> String {
    joined(&lines(state, view))
}

/// Formats a state with a view, and whose turn it is.
pub fn screen(state: &State, view: &TextOptions<'_>) -> String {
    let drawn = table(state, view);
    // The head of rows says whose turn it is.
    match state.game().model().boards.is_empty() && !state.is_over() {
        true => drawn,
        false => format!("{drawn}\n{}\n", turn(state, view.paint)),
    }
}

/// Like [`screen`]. Below rows it tells the last move, and marks it there.
pub fn picture(state: &State, view: &TextOptions<'_>) -> String {
    if !state.game().model().boards.is_empty() {
        return screen(state, view);
    }
    let sight = Onlookers::from_viewer(state.game(), view.viewer, view.open);
    let veiled = state.veiled(sight);
    let last = Last::from_state(state, None, sight);
    let last = if veiled.is_some() { last.veiled(sight) } else { last };
    let told = last.describe(veiled.as_ref().unwrap_or(state), sight);
    let told: Vec<String> = told.iter().flat_map(|told| wrap(told, view.paint.columns().min(ROWS))).collect();
    let drawn = screen(state, &TextOptions { before: view.before.or(last.before()), ..*view });
    let told: String = told.iter().map(|line| format!("{}\n", view.paint.quiet(line))).collect();
    format!("{drawn}{told}")
}

/// Formats the boards, side by side as far as `columns` allow. If there are several, each has its name.
pub fn boards(state: &State, columns: usize) -> String {
    let form =
        BoardText { sight: Onlookers::EVERYTHING, before: None, paint: Paint::plain(), width: columns };
    joined(&board::boards(state, form))
}

fn joined(lines: &[TextLine]) -> String {
    lines.iter().map(|line| format!("{}\n", line.text())).collect()
}

/// Formats a state: boards with their legend at the left, and the panel at the right if it fits, else below. Chains are below
/// all of it. Without boards, all is in rows.
fn lines(state: &State, view: &TextOptions<'_>) -> Vec<TextLine> {
    let sight = Onlookers::from_viewer(state.game(), view.viewer, view.open);
    let veiled = |state: &State| state.veiled(sight);
    let (now, earlier) = (veiled(state), view.before.and_then(veiled));
    let (state, before) = (now.as_ref().unwrap_or(state), earlier.as_ref().or(view.before));
    let columns = view.paint.columns();
    let drawn = DrawnOnBoards::in_text(state, sight, columns);
    let mut panel = Panel::from_state(state, sight, &drawn, SHEET);
    panel.leave_out_score(state.game().model());
    let reader = TableReader::new(state, before, sight, GameLook::find(state.game()), true);
    let (facts, told) = reader.facts(&panel);
    panel.values.retain(|single| !told.contains(&single.slot));
    panel.families.retain(|family| !reader.is_left_out(family.slot));
    let seats = panel.seats.seats.len() as u32;
    let says_something = |slot, seat| reader.says_something(slot, Seat(seat));
    panel.seats.columns.retain(|column| (0..seats).any(|seat| says_something(column.slot, seat)));
    let table = RowedTable::new(&reader, &panel);
    if state.game().model().boards.is_empty() {
        return table.page(&facts, view.paint);
    }
    let form = BoardText { sight, before, paint: view.paint, width: columns };
    let mut left = board::boards(state, form);
    let boards = left.iter().map(TextLine::width).max().unwrap_or(0);
    let chains = Beside { paint: view.paint, width: columns - 2 }.chains(&panel);
    let room = columns.saturating_sub(boards + GAP).min(WIDEST_PANEL);
    let beside = boards > 0 && room >= LEAST_PANEL;
    let blocks = table.blocks(&facts, view.paint, if beside { room } else { columns - 2 });
    let width = if beside { boards.max(LEAST_PANEL) } else { columns - 2 };
    let explained = legend(state.game(), view.paint, width.min(columns - 2));
    // A long legend takes fewer lines below all of it.
    let (explained, last) = match explained.len() > MOST_LEGEND {
        true => (vec![], legend(state.game(), view.paint, columns - 2)),
        false => (explained, vec![]),
    };
    left.extend(explained);
    left.extend(on_links(state, sight, view.paint, width.min(columns - 2)));
    let spaced = blocks.join(&TextLine::default());
    let widest = |lines: &[TextLine]| lines.iter().map(TextLine::width).max().unwrap_or(0);
    if beside && widest(&left) + GAP + widest(&spaced) <= columns {
        // Side by side only if both fit on the page.
        let column = widest(&left) + GAP;
        let mut lines = left;
        lines.resize(lines.len().max(spaced.len()), TextLine::default());
        for (line, right) in lines.iter_mut().zip(&spaced) {
            if right.width() > 0 {
                line.pad_to(column);
                line.append(right);
            }
        }
        lines.extend(last);
        return below(lines, chains);
    }
    if !left.is_empty() && !spaced.is_empty() {
        left.push(TextLine::default());
    }
    left.extend(board::side_by_side(&blocks, columns));
    left.extend(last);
    below(left, chains)
}

/// Adds blocks below lines.
pub(super) fn below(mut lines: Vec<TextLine>, blocks: Vec<Vec<TextLine>>) -> Vec<TextLine> {
    for block in blocks {
        if !lines.is_empty() {
            lines.push(TextLine::default());
        }
        lines.extend(block);
    }
    lines
}

/// Lists the pieces on links, for which a drawing of characters has no place: `street red: a1–b1, b1–b2`.
fn on_links(state: &State, sight: Onlookers, paint: Paint, width: usize) -> Vec<TextLine> {
    let model = state.game().model();
    let is_open = |slot: &Slot| slot.visibility == Visibility::All || sight.is_everything();
    let mut lines = vec![];
    for board in model.boards.iter().filter(|board| *board.topology.shape() == Shape::Links) {
        let site = |site: u32| board.topology.site_name(Site(site)).replace('_', "–");
        for id in &board.pieces {
            let slot = &model.slots[id.index()];
            let names = family_signs(model, &slot.name, &slot.index);
            for (place, name) in names.iter().enumerate().filter(|_| is_open(slot)) {
                let Value::Set(sites) = state.value(*id, place) else { continue };
                let sites: Vec<String> = sites.iter().map(site).collect();
                if sites.is_empty() {
                    continue;
                }
                for text in wrap(&format!("{name}: {}", sites.join(", ")), width) {
                    let mut line = TextLine::default();
                    line.push(paint, TextStyle::quiet(), &text);
                    lines.push(line);
                }
            }
        }
    }
    lines
}

/// Formats the legend of the characters on the boards.
fn legend(game: &Game, paint: Paint, width: usize) -> Vec<TextLine> {
    let mut lines: Vec<TextLine> = Vec::new();
    for (character, name) in board::legend(game, paint) {
        let name = if character.text() == name { String::new() } else { format!(" {name}") };
        let wide = character.width() + name.chars().count();
        match lines.last_mut() {
            Some(last) if last.width() + 2 + wide <= width => last.push(paint, TextStyle::quiet(), ", "),
            _ => lines.push(TextLine::default()),
        }
        if let Some(last) = lines.last_mut() {
            last.append(&character);
            last.push(paint, TextStyle::quiet(), &name);
        }
    }
    lines
}

/// Returns whose turn it is, or how the game ended.
pub fn turn(state: &State, paint: Paint) -> String {
    let game = state.game();
    let names = &game.model().players.names;
    if let Some(outcome) = state.outcome() {
        let text = format!(
            "The game is over: {}",
            result(game, &outcome.winners, &scores(state, Onlookers::EVERYTHING))
        );
        let lines: Vec<String> = wrap(&text, paint.columns()).iter().map(|line| paint.head(line)).collect();
        return lines.join("\n");
    }
    match state.current_player() {
        Some(player) if game.players() > 1 => {
            let name = names.get(player.index()).map_or("somebody", String::as_str);
            format!("{} to choose", paint.text(TextStyle::seat(player, &game.model().seat_looks()), name))
        }
        Some(_) => "your choice".to_owned(),
        None => "chance is next".to_owned(),
    }
}

/// The longest list of what can be done in a status.
const LONGEST_DEEDS: usize = 60;
/// The same, if there is a shorter way to say it.
const SHORT_DEEDS: usize = 48;

/// Words with which no help text begins that says what somebody does.
const NO_DEEDS: [&str; 16] = [
    "a", "again", "all", "an", "as", "at", "for", "if", "in", "no", "not", "nothing", "on", "only", "the",
    "when",
];

/// Returns what the options that can be taken do, by their help texts: `play a card or pass`; if one of them doesn't begin with
/// a verb, as a list: `choose: again or keep`. Returns `None` if that is too long, or no matter of those who look.
fn deeds(state: &State, sight: Onlookers) -> Option<String> {
    let model = state.game().model();
    let choice = &model.choices[state.pending_choice()?.index()];
    if !may_see_legal(state, sight) || is_out_of_sight(state, sight) {
        return None;
    }
    let legal = state.legal_actions();
    // Words for “you” are for the one who is to choose.
    let is_told_you = sight.seat() == state.current_player() || state.game().players() == 1;
    let mut deeds: Vec<[(String, bool); 2]> = vec![];
    for option in &choice.options {
        let block = &model.actions[option.actions.index()];
        let next = legal.partition_point(|action| action.0 < block.first);
        if legal.get(next).is_none_or(|action| action.0 >= block.first + block.size) {
            continue;
        }
        deeds.push([option.help.as_str(), first_clause(&option.help)].map(|help| {
            let said = deed_in_words(help, is_told_you);
            let is_deed = match &said {
                Some(said) => !said.split(' ').next().is_some_and(|word| NO_DEEDS.contains(&word)),
                None => begins_with_verb(&option.name),
            };
            (said.unwrap_or_else(|| plain(&option.name)), is_deed)
        }));
    }
    // The whole texts if these are short, else their first clauses.
    [(0, SHORT_DEEDS), (1, LONGEST_DEEDS)].into_iter().find_map(|(form, most)| {
        let mut said: Vec<&str> = deeds.iter().map(|deed| deed[form].0.as_str()).collect();
        let mut known = HashSet::new();
        said.retain(|deed| known.insert(*deed));
        let joined = said.join(" or ");
        let fits = !joined.is_empty() && joined.chars().count() <= most;
        let are_deeds = deeds.iter().all(|deed| deed[form].1);
        fits.then(|| if are_deeds { joined } else { listed(&joined) })
    })
}

/// Returns names of what there is to choose from as what somebody is to do.
fn listed(names: &str) -> String {
    format!("choose: {names}")
}

/// Returns a help text as what somebody is to do: `play a card`. Told of somebody else, only its first clause may be about
/// “you”.
fn deed_in_words(help: &str, is_told_you: bool) -> Option<String> {
    let begins_small = help.chars().next().is_some_and(char::is_lowercase);
    let is_for_you = |text: &str| {
        text.split(|c: char| !c.is_alphabetic()).any(|word| matches!(word, "you" | "your" | "yours"))
    };
    let help = help.trim_end_matches('.');
    let said = match is_for_you(help) && !is_told_you {
        true => of_others(first_clause(help)),
        false => help.to_owned(),
    };
    (begins_small && !said.contains(['.', ';', ':'])).then_some(said)
}

/// Returns `true` if those who look can't know which choice somebody has to make: all choose at the same time.
pub(super) fn is_out_of_sight(state: &State, sight: Onlookers) -> bool {
    let is_own = sight.is_everything() || sight.seat() == state.current_player();
    state.block_together().is_some() && !is_own
}

/// Returns the status in a few words, without scores and colours: `white to move a man`, `X wins · line`.
pub fn status(state: &State, sight: Onlookers) -> String {
    let game = state.game();
    let names = &game.model().players.names;
    if let Some(outcome) = state.outcome() {
        // Ends without a name are numbered.
        let named = Some(plain(game.model().end_name(outcome.end))).filter(|name| !name.starts_with("end "));
        let by = named.map(|name| format!(" · {name}")).unwrap_or_default();
        return match game.players() {
            1 => format!("The game is over{by}"),
            _ => format!("{}{by}", capitalised(&verdict(game.model(), &outcome.winners))),
        };
    }
    let choice = state.pending_choice().map(|choice| plain(&game.model().choices[choice.index()].name));
    // Choices without a name are numbered, too.
    let what = choice.filter(|name| name.chars().all(|c| c.is_ascii_alphabetic() || c == ' '));
    let what = what.map(|name| if begins_with_verb(&name) { name } else { listed(&name) });
    let what = deeds(state, sight).or(what.filter(|_| !is_out_of_sight(state, sight)));
    match state.current_player() {
        Some(player) if sight.seat() == Some(player) && game.players() > 1 => {
            format!("You to {}", what.as_deref().unwrap_or("choose"))
        }
        Some(player) if game.players() > 1 => {
            let name = names.get(player.0 as usize).map_or("somebody", String::as_str);
            format!("{} to {}", capitalised(&plain(name)), what.as_deref().unwrap_or("choose"))
        }
        Some(_) => what.map_or_else(|| "Your choice".to_owned(), |what| capitalised(&what)),
        None => "Chance is next".to_owned(),
    }
}

/// Returns for each player whether they won, alone or shared. Empty in a draw, without opponents, or before the end.
pub(super) fn winners(state: &State) -> Vec<bool> {
    let won = state.outcome().map(|outcome| outcome.winners).unwrap_or_default();
    if won.iter().all(|won| *won) { vec![] } else { won }
}

/// Returns a text with a capital letter at its beginning.
pub(super) fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// Describes which sides won: players, or teams. If only one of three or more sides didn't win, describes who lost.
fn verdict(model: &Model, winners: &[bool]) -> String {
    let won = (0..).zip(winners).filter(|(_, won)| **won).fold(0, |all, (player, _)| all | 1_u32 << player);
    if model.is_cooperative() {
        return if won == 0 { "all lose" } else { "all win together" }.to_owned();
    }
    let sides = model.sides();
    let lost = sides & !won;
    if sides.count_ones() > 2 && lost.count_ones() == 1 {
        return format!("{} loses", side_in_words(model, Seat(lost.trailing_zeros())));
    }
    let seats = (0..model.players.count).filter(|seat| (sides & won) >> seat & 1 == 1);
    let names: Vec<String> = seats.map(|seat| side_in_words(model, Seat(seat))).collect();
    match names.as_slice() {
        [one] => format!("{one} wins"),
        many if many.is_empty() || lost == 0 => "a draw".to_owned(),
        many => format!("{} share the win", many.join(" and ")),
    }
}

/// Describes who won, with the scores.
fn result(game: &Game, winners: &[bool], scores: &[String]) -> String {
    let names = &game.model().players.names;
    let scored = !game.model().score.is_empty();
    if game.players() == 1 {
        return match scored {
            true => {
                let score = scores.first().map_or("0", String::as_str);
                let points = if score == "1" { "point" } else { "points" };
                format!("{score} {points}{}.", which_are_best(game.model()))
            }
            false => "it has no score.".to_owned(),
        };
    }
    let who = verdict(game.model(), winners);
    let points: Vec<String> =
        names.iter().zip(scores).map(|(name, score)| format!("{name}: {score}")).collect();
    if scored { format!("{who} ({}).", points.join(", ")) } else { format!("{who}.") }
}
