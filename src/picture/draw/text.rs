//! A state as text: the boards with coordinates, next to them dice, seats, scores and variables, and below
//! whose turn it is. Lines are at most as wide as the page of the view's [`Paint`], except for wider boards.

use super::beside::Beside;
use super::board::{self, BoardText, DrawnOnBoards};
use super::panel::{Panel, scores};
use super::score::which_are_best;
use crate::paint::line::{TextLine, wrap};
use crate::paint::{Paint, TextStyle};
use houserule_base::names::plain;
use houserule_game::values::family_names;
use houserule_game::{Game, Seat, State};
use houserule_model::board::{Shape, Site};
use houserule_model::{Model, Slot, Value, Visibility, side_in_words};

/// Gap between a board and the panel, in columns.
const GAP: usize = 4;

/// Minimum width of a panel next to a board, in columns.
const LEAST_PANEL: usize = 24;

/// Maximum width of a panel next to a board, in columns.
const WIDEST_PANEL: usize = 64;

/// Maximum number of columns of a sheet.
const SHEET: usize = 6;

/// Options for formatting a state.
#[derive(Clone, Copy, Debug)]
pub struct TextOptions<'s> {
    /// The player who looks at the state, from whom hidden things are hidden. `None` shows everything.
    pub viewer: Option<Seat>,
    /// An earlier state. Changes on the boards since then are highlighted.
    pub before: Option<&'s State>,
    /// Colours and page width.
    pub paint: Paint,
}

impl TextOptions<'_> {
    /// Creates a view without colours or highlights.
    pub fn plain(viewer: Option<Seat>) -> Self {
        TextOptions { viewer, before: None, paint: Paint::plain() }
    }
}

/// Formats a state as a player sees it, or all of it without a player.
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
    format!("{}\n{}\n", table(state, view), turn(state, view.paint))
}

/// Formats the boards, side by side as far as `columns` allow. If there are several, each has its name.
pub fn boards(state: &State, columns: usize) -> String {
    let form = BoardText { viewer: None, before: None, paint: Paint::plain(), width: columns };
    joined(&board::boards(state, form))
}

fn joined(lines: &[TextLine]) -> String {
    lines.iter().map(|line| format!("{}\n", line.text())).collect()
}

/// Formats the boards with their legend on the left, and the panel on the right if it fits, else below. Chains are below
/// all of it.
fn lines(state: &State, view: &TextOptions<'_>) -> Vec<TextLine> {
    let veiled = |state: &State| view.viewer.and_then(|viewer| state.veiled(viewer));
    let (now, earlier) = (veiled(state), view.before.and_then(veiled));
    let (state, before) = (now.as_ref().unwrap_or(state), earlier.as_ref().or(view.before));
    let columns = view.paint.columns();
    let form = BoardText { viewer: view.viewer, before, paint: view.paint, width: columns };
    let mut left = board::boards(state, form);
    let boards = left.iter().map(TextLine::width).max().unwrap_or(0);
    let drawn = DrawnOnBoards::in_text(state, view.viewer, columns);
    let panel_data = Panel::from_state(state, view.viewer, &drawn, SHEET);
    let panel = |width: usize| Beside { paint: view.paint, width }.blocks(&panel_data);
    let chains = Beside { paint: view.paint, width: columns - 2 }.chains(&panel_data);
    let room = columns.saturating_sub(boards + GAP).min(WIDEST_PANEL);
    let beside = boards > 0 && room >= LEAST_PANEL;
    let blocks = panel(if beside { room } else { columns - 2 });
    let width = if beside { boards.max(LEAST_PANEL) } else { columns - 2 };
    left.extend(legend(state.game(), view.paint, width.min(columns - 2)));
    left.extend(on_links(state, view, width.min(columns - 2)));
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
        return below(lines, chains);
    }
    if !left.is_empty() && !spaced.is_empty() {
        left.push(TextLine::default());
    }
    left.extend(board::side_by_side(&blocks, columns));
    below(left, chains)
}

/// Adds blocks below lines.
fn below(mut lines: Vec<TextLine>, blocks: Vec<Vec<TextLine>>) -> Vec<TextLine> {
    for block in blocks {
        if !lines.is_empty() {
            lines.push(TextLine::default());
        }
        lines.extend(block);
    }
    lines
}

/// Lists the pieces on links, for which a drawing of characters has no place: `street[red]: a1_b1, b1_b2`.
fn on_links(state: &State, view: &TextOptions<'_>, width: usize) -> Vec<TextLine> {
    let (game, model) = (state.game(), state.game().model());
    let is_open = |slot: &Slot| slot.visibility == Visibility::All || view.viewer.is_none();
    let mut lines = vec![];
    for board in model.boards.iter().filter(|board| *board.topology.shape() == Shape::Links) {
        let site = |site: u32| board.topology.site_name(Site(site));
        for id in &board.pieces {
            let slot = &model.slots[id.index()];
            let names = family_names(game, &slot.name, &slot.index);
            for (place, name) in names.iter().enumerate().filter(|_| is_open(slot)) {
                let Value::Set(sites) = state.value(*id, place) else { continue };
                let sites: Vec<String> = sites.iter().map(site).collect();
                if sites.is_empty() {
                    continue;
                }
                for text in wrap(&format!("{name}: {}", sites.join(", ")), width) {
                    let mut line = TextLine::default();
                    line.push(view.paint, TextStyle::quiet(), &text);
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
        let text = format!("The game is over: {}", result(game, &outcome.winners, &scores(state, None)));
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

/// Returns the status in a few words, without scores and colours: `white to move`, `X wins · line`.
pub fn status(state: &State) -> String {
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
    match state.current_player() {
        Some(player) if game.players() > 1 => {
            let name = names.get(player.0 as usize).map_or("somebody", String::as_str);
            format!("{name} to {}", what.as_deref().unwrap_or("choose"))
        }
        Some(_) => what.map_or_else(|| "Your choice".to_owned(), |what| format!("Your choice: {what}")),
        None => "Chance is next".to_owned(),
    }
}

/// Returns for each player whether they won, alone or shared. Empty in a draw, without opponents, or before the end.
pub(super) fn winners(state: &State) -> Vec<bool> {
    let won = state.outcome().map(|outcome| outcome.winners).unwrap_or_default();
    if won.iter().all(|won| *won) { vec![] } else { won }
}

fn capitalised(text: &str) -> String {
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
                format!("{score} points{}.", which_are_best(game.model()))
            }
            false => "it has no score.".to_owned(),
        };
    }
    let who = verdict(game.model(), winners);
    let points: Vec<String> =
        names.iter().zip(scores).map(|(name, score)| format!("{name}: {score}")).collect();
    if scored { format!("{who} ({}).", points.join(", ")) } else { format!("{who}.") }
}
