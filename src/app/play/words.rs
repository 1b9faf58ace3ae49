//! Texts of `play`: commands and their help, scores and standings.

use std::fmt::Write as _;

use houserule_desk::table::player_name;
use houserule_game::matches::Match;
use houserule_game::{Game, Seat, State};
use houserule_page::prose::part_name;
use houserule_page::report::columns::{TextTable, wrap};
use houserule_picture::draw::score::{item_text_with, points};
use houserule_picture::paint::Paint;
use houserule_picture::paint::line::hanging;

/// A command other than a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PlayCommand {
    Help,
    Moves,
    Board,
    Undo,
    Score,
    History,
    Rules,
    Save,
    Quit,
}

impl PlayCommand {
    /// All commands, in the order of the help. Earlier ones take precedence for abbreviations.
    pub(super) const ALL: [(PlayCommand, &'static str, &'static str); 9] = [
        (PlayCommand::Help, "help", "this"),
        (PlayCommand::Moves, "moves", "all legal moves; `moves c` those with a word that begins with c"),
        (PlayCommand::Board, "board", "the board again"),
        (PlayCommand::Undo, "undo", "take back your last move; dice come up again as they did"),
        (PlayCommand::Score, "score", "what counts so far, line by line"),
        (PlayCommand::History, "history", "all that has happened so far, turn by turn"),
        (PlayCommand::Rules, "rules", "the rules; `?` does the same"),
        (PlayCommand::Save, "save", "where the game is kept; it is saved after every move"),
        (PlayCommand::Quit, "quit", "leave; the same command goes on with the game"),
    ];

    /// Returns the command with this full name.
    pub(super) fn named(word: &str) -> Option<PlayCommand> {
        let word = word.trim_start_matches(['/', ':']);
        match word {
            "?" => return Some(PlayCommand::Rules),
            "exit" | "bye" => return Some(PlayCommand::Quit),
            _ => {}
        }
        PlayCommand::ALL.into_iter().find(|(_, name, _)| *name == word).map(|(command, _, _)| command)
    }

    /// Returns the command that begins with a text.
    pub(super) fn beginning(word: &str) -> Option<PlayCommand> {
        let word = word.trim_start_matches(['/', ':']);
        let fits = |(_, name, _): &(PlayCommand, &str, &str)| !word.is_empty() && name.starts_with(word);
        PlayCommand::named(word)
            .or_else(|| PlayCommand::ALL.into_iter().find(fits).map(|(command, _, _)| command))
    }
}

/// Returns the help. `short` is a part of the example that also means it, `by_rules` its other name, which the rules write.
pub(super) fn help(
    example: Option<&str>,
    short: Option<&str>,
    by_rules: Option<&str>,
    numbered: bool,
    paint: Paint,
) -> String {
    let mut text = String::new();
    let how = match example {
        Some(name) => {
            let number = if numbered { ", its number there (that of a group opens the group)" } else { "" };
            let short = short.map(|short| format!(" or `{short}`")).unwrap_or_default();
            let by_rules = by_rules.map(|name| format!(" The names in the rules will do, too: `{name}`."));
            let by_rules = by_rules.unwrap_or_default();
            format!(
                "Type a move as it is listed{number}, or a part of it that fits one move only: `{name}`{short}.{by_rules} \
                 Tab completes it."
            )
        }
        None => "Type what is asked for.".to_owned(),
    };
    for line in wrap(&how, paint.columns()) {
        let _ = writeln!(text, "{line}");
    }
    let mut table = TextTable::with_words();
    for (_, name, what) in PlayCommand::ALL {
        table.row([name.to_owned(), what.to_owned()]);
    }
    text.push_str(&table.text(paint));
    let letters = "The first letter will do, and `/` before it if a move has the same name.";
    for line in wrap(letters, paint.columns()) {
        let _ = writeln!(text, "{}", paint.quiet(&line));
    }
    text
}

/// What stands for a score that isn't seen.
const HIDDEN: &str = "? (it counts what is hidden)";

/// Explains every player's score, line by line. A question mark stands for points that not all of some viewers see;
/// without viewers, all is told.
pub(super) fn explained(state: &State, viewers: &[Seat], paint: Paint) -> String {
    let game = state.game();
    let mut text = String::new();
    let rules = &game.model().score;
    if rules.is_empty() {
        return text;
    }
    for seat in 0..game.players() {
        let player = Seat(seat);
        let who = if game.players() > 1 { format!("{}: ", player_name(game, player)) } else { String::new() };
        let is_seen = viewers.iter().all(|viewer| state.sees_score(player, *viewer));
        match (state.score(player), state.explain_seen(player, viewers)) {
            (Ok(score), Ok(items)) => {
                let sum = if is_seen { points(score) } else { HIDDEN.to_owned() };
                let _ = writeln!(text, "{}", paint.head(&format!("{who}{sum}")));
                for (rule, item) in rules.iter().zip(items) {
                    let lines = match item {
                        Some(item) => item_text_with(&item, &|part| part_name(game, part)),
                        None => hidden_item(&rule.name, &rule.help),
                    };
                    text.push_str(&hanging(&lines, paint.columns()));
                }
            }
            // Whether the rules fail may depend on what is hidden.
            (Err(_), _) | (_, Err(_)) if !is_seen => {
                let _ = writeln!(text, "{who}{HIDDEN}");
            }
            (Err(error), _) | (_, Err(error)) => {
                let _ = writeln!(text, "{who}the rules fail to score this: {error}");
            }
        }
    }
    text
}

/// Returns the first sentence of a text.
pub(super) fn first_sentence(text: &str) -> &str {
    let end = [". ", "! ", "? "].iter().filter_map(|stop| text.find(stop)).min();
    end.map_or(text, |end| &text[..=end])
}

/// Formats an item of a score whose points aren't seen.
fn hidden_item(name: &str, help: &str) -> String {
    let help = if help.is_empty() { String::new() } else { format!("  ({help})") };
    format!("  {name}: ?{help}\n")
}

/// Formats the standings of a match.
pub(super) fn totals(game: &Game, one: &Match, paint: Paint) -> String {
    let standings = one.standings();
    let records = standings.iter().any(|standing| standing.record.is_some());
    let mut head = vec!["", "total"];
    if records {
        head.push("record");
    }
    head.push("games");
    let mut table = TextTable::default().head(&head);
    for (seat, standing) in (0u32..).zip(&standings) {
        let who =
            if game.players() > 1 { player_name(game, Seat(seat)).to_owned() } else { "you".to_owned() };
        let mut row = vec![who, standing.total.to_string()];
        if records {
            row.push(standing.record.map_or_else(|| "–".to_owned(), |record| record.to_string()));
        }
        let scores = &one.scores()[seat as usize];
        let last: Vec<String> = scores.iter().rev().take(16).rev().map(i64::to_string).collect();
        row.push(format!("{}{}", if scores.len() > 16 { "… " } else { "" }, last.join(" ")));
        table.row(row);
    }
    table.text(paint)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_sentence_ends_at_its_stop() {
        assert_eq!(first_sentence("Roll! Then stop. Or go on."), "Roll!");
        assert_eq!(first_sentence("Stop or go on. It is yours."), "Stop or go on.");
        assert_eq!(first_sentence("Roll both dice."), "Roll both dice.");
    }

    #[test]
    fn commands_by_word_and_beginning() {
        assert_eq!(PlayCommand::named("undo"), Some(PlayCommand::Undo));
        assert_eq!(PlayCommand::named("/undo"), Some(PlayCommand::Undo));
        assert_eq!(PlayCommand::named("?"), Some(PlayCommand::Rules));
        assert_eq!(PlayCommand::named("u"), None);
        assert_eq!(PlayCommand::beginning("u"), Some(PlayCommand::Undo));
        assert_eq!(PlayCommand::beginning("h"), Some(PlayCommand::Help));
        assert_eq!(PlayCommand::beginning("hi"), Some(PlayCommand::History));
        assert_eq!(PlayCommand::beginning("x"), None);
        assert_eq!(PlayCommand::beginning(""), None);
    }
}
