//! Formats the extremes of a game as text: a table of values, then how each is known and how to see it.

use std::path::Path;

use crate::report::columns::{TextTable, grouped, wrap};
use houserule_base::numbers::decimal;
use houserule_picture::paint::Paint;
use houserule_playtest::extremes::{ChanceRole, ExtremeFound, ExtremeQuantity, Extremes, Method};

/// Returns the name of the file for an extreme's game: `score-1-most.jsonl`, `rolls-least.jsonl`.
pub fn file_name(one: &ExtremeFound) -> String {
    let seat = one.seat.map_or_else(String::new, |seat| format!("-{}", seat + 1));
    format!("{}{seat}-{}.jsonl", one.of.name(), one.extreme.name())
}

/// Formats the whole result. `folder` is where the games were written.
pub fn text(found: &Extremes, folder: Option<&Path>, paint: Paint) -> String {
    let mut text = format!("{}\n", paint.head(&format!("{} ({})", found.title, found.game)));
    let facts = format!(
        "{} · seed {} · {} positions",
        match found.chance {
            ChanceRole::Friend => "every action and every outcome of chance is a free choice",
            ChanceRole::Enemy => "the players choose for the extreme, and chance against it",
        },
        found.seed,
        grouped(found.positions)
    );
    for line in wrap(&facts, paint.columns()) {
        text.push_str(&format!("{}\n", paint.quiet(&line)));
    }
    if found.interrupted {
        let line = "Interrupted: what is not proved is only the best so far";
        text.push_str(&format!("\n{}\n", paint.error(line)));
    }
    let mut table = TextTable::with_words().left(2);
    for one in &found.extremes {
        let known = match one.value.is_some() || one.unlimited {
            _ if one.proved => format!("proved: {}", reason(one)),
            true if one.method == Method::Enemy => format!("at {}: {}", other_end(one), reason(one)),
            true => format!("best found: {}", reason(one)),
            false => reason(one),
        };
        table.row([subject(found, one), one.extreme.name().to_owned(), value(one), known]);
    }
    text.push_str(&format!("\n{}", table.text(paint)));
    text.push('\n');
    let see = match folder {
        Some(folder) => {
            format!("The games are in `{}`: `houserule replay FILE` shows one.", folder.display())
        }
        None => "`-o FOLDER` writes a game for each value, which `houserule replay` shows.".to_owned(),
    };
    for line in wrap(&format!("{see} {} s", decimal(found.seconds, 2)), paint.columns()) {
        text.push_str(&format!("{}\n", paint.quiet(&line)));
    }
    text
}

fn subject(found: &Extremes, one: &ExtremeFound) -> String {
    match one.seat {
        Some(seat) if found.players.len() > 1 => {
            let name = found.players.get(seat as usize).map_or("", String::as_str);
            format!("{} of {name}", one.of.name())
        }
        _ => one.of.name().to_owned(),
    }
}

/// The side on which what is not proved may lie.
fn other_end(one: &ExtremeFound) -> &'static str {
    if one.extreme.name() == "most" { "least" } else { "most" }
}

fn value(one: &ExtremeFound) -> String {
    match one.value {
        Some(value) => grouped(value),
        None if one.unlimited => "no limit".to_owned(),
        None if one.method == Method::Enemy && one.proved => "no end".to_owned(),
        None if one.method == Method::Enemy => "not known".to_owned(),
        None => "no game found".to_owned(),
    }
}

/// Says what players can force against chance.
fn forced(one: &ExtremeFound, more: &str, fewer: &str) -> String {
    let more = if one.of == ExtremeQuantity::Score { more } else { fewer };
    match one.value {
        None if one.unlimited && one.extreme.name() == "most" => {
            "the players can always go on, whatever chance does".to_owned()
        }
        None if one.proved => "chance can keep the game from its end".to_owned(),
        None => "the game has more positions than were examined; make it smaller with `--set`".to_owned(),
        Some(_) if one.proved => format!("the players can force it, and chance can prevent {more}"),
        Some(_) => match one.bound {
            Some(bound) => format!(
                "the players can force it; of the positions not examined none allows {more} than {}",
                grouped(bound)
            ),
            None => "the players can force it; not all positions were examined".to_owned(),
        },
    }
}

/// Says how the value is known.
fn reason(one: &ExtremeFound) -> String {
    let more = if one.extreme.name() == "most" { "more" } else { "less" };
    let fewer = if one.of == ExtremeQuantity::Score {
        more
    } else if more == "less" {
        "fewer"
    } else {
        more
    };
    let events = one.record.as_ref().map_or(0, |record| record.events.len());
    match one.method {
        Method::Enemy => forced(one, more, fewer),
        Method::Positions if one.proved => "all positions were examined".to_owned(),
        Method::Shortest if one.proved => {
            format!("all positions that fewer {} can reach were examined, and none is an end", one.of.name())
        }
        Method::Loop => {
            let (first, last) = one.repeat.map_or((0, 0), |events| (events.first, events.last));
            let events = if first == last {
                format!("event {first} leads")
            } else {
                format!("events {first} to {last} lead")
            };
            format!("{events} back to the same position, so they can be repeated")
        }
        Method::Bound if one.proved && one.of == ExtremeQuantity::Score => {
            format!("the values that the rules allow give no score that is {more}")
        }
        Method::Bound if one.proved && one.extreme.name() == "least" => {
            "before, no end can have what it needs of pieces and counters".to_owned()
        }
        Method::Bound if one.proved => {
            format!(
                "each of the {} fills a site or advances a counter for good, and there are no {more} of these",
                one.of.name()
            )
        }
        _ => {
            let best = match one.value {
                Some(_) => format!("the best game of the search, of {} events", grouped(events)),
                None => "no game of the search came to an end".to_owned(),
            };
            let bound = one.bound.map(|bound| format!("; no game can have {fewer} than {}", grouped(bound)));
            best + bound.as_deref().unwrap_or_default()
        }
    }
}
