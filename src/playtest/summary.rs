//! The means and shares of a report with their 95 % intervals, as a table with a row each.

use super::frame::{Column, DataFrame, Values};
use super::report::{Report, Share, Statistics};
use houserule_game::Game;

/// A mean or a share of a run.
struct Row<'a> {
    quantity: &'static str,
    /// Name of the item, count, end, option, choice, variable or team; else empty.
    name: &'a str,
    seat: Option<usize>,
    mean: f64,
    /// The 95 % interval; `None` for a mean of fewer than two games, and for options and `otherwise`.
    interval: Option<(f64, f64)>,
    /// `None` for a share.
    statistics: Option<&'a Statistics>,
}

impl<'a> Row<'a> {
    fn mean(quantity: &'static str, name: &'a str, seat: Option<usize>, of: &'a Statistics) -> Row<'a> {
        let interval = of.low.zip(of.high);
        Row { quantity, name, seat, mean: of.mean, interval, statistics: Some(of) }
    }

    fn share(quantity: &'static str, name: &'a str, seat: Option<usize>, of: &Share) -> Row<'a> {
        Row { quantity, name, seat, mean: of.share, interval: of.low.zip(of.high), statistics: None }
    }
}

fn rows(report: &Report) -> Vec<Row<'_>> {
    let games = report.games;
    let mut all = Vec::new();
    let by_seat = |quantity, name, of| {
        let seats = <[Statistics]>::iter(of).enumerate();
        seats.map(move |(seat, of)| Row::mean(quantity, name, Some(seat), of))
    };
    let by_winner = |quantity, shares| {
        let seats = <[Share]>::iter(shares).enumerate();
        seats.map(move |(seat, share)| Row::share(quantity, "", Some(seat), share))
    };
    all.extend(by_seat("score", "", &report.score));
    all.extend(report.items.0.iter().flat_map(|(name, seats)| by_seat("item", name, seats)));
    all.extend(by_winner("win", &report.winners.win_shares));
    let teams = report.winners.teams.iter();
    all.extend(teams.map(|team| Row::share("team", &team.name, None, &team.share)));
    all.extend(report.winners.success.iter().map(|share| Row::share("success", "", None, share)));
    all.extend(report.winners.draw_share.iter().map(|draws| Row::share("draw", "", None, draws)));
    if let Some(matches) = &report.matches {
        all.extend(by_seat("total", "", &matches.total));
        all.extend(by_seat("record", "", &matches.record));
        all.extend(by_winner("matches won", &matches.winners.win_shares));
        let teams = matches.winners.teams.iter();
        all.extend(teams.map(|team| Row::share("matches won", &team.name, None, &team.share)));
    }
    all.extend(report.counts.0.iter().map(|(name, count)| Row::mean("count", name, None, count)));
    let ends = report.ends.0.iter();
    all.extend(
        ends.map(|(name, count)| Row::share("end", name, None, &Share::from_count(*count as f64, games))),
    );
    all.extend(report.options.0.iter().map(|(name, taken)| Row {
        quantity: "option",
        name,
        seat: None,
        mean: *taken as f64 / (games as f64).max(1.0),
        interval: None,
        statistics: None,
    }));
    all.extend(report.otherwise.0.iter().map(|(name, entered)| Row {
        quantity: "otherwise",
        name,
        seat: None,
        mean: *entered as f64 / (games as f64).max(1.0),
        interval: None,
        statistics: None,
    }));
    let members = report.variables.0.iter().flat_map(|(_, members)| members);
    all.extend(members.map(|member| Row::mean("variable", &member.name, None, member)));
    all
}

/// Returns a table with a row for each mean and share of a report.
pub fn summary(game: &Game, report: &Report) -> DataFrame {
    let all = rows(report);
    let words = |word: &dyn Fn(&Row<'_>) -> Option<String>| {
        let words: Vec<Option<String>> = all.iter().map(word).collect();
        let codes = (0..).zip(&words).map(|(at, word)| if word.is_some() { at } else { -1 }).collect();
        Values::Text { codes, words: words.into_iter().map(Option::unwrap_or_default).collect() }
    };
    let number = |number: fn(&Row<'_>) -> Option<i64>| Values::optional(all.iter().map(number));
    let float = |number: fn(&Row<'_>) -> Option<f64>| {
        Values::Float(all.iter().map(|row| number(row).unwrap_or(f64::NAN)).collect())
    };
    let players = &game.model().players.names;
    let columns = [
        ("quantity", words(&|row| Some(row.quantity.to_owned()))),
        ("name", words(&|row| (!row.name.is_empty()).then(|| row.name.to_owned()))),
        ("seat", number(|row| row.seat.map(|seat| seat as i64))),
        ("player", words(&|row| players.get(row.seat?).cloned())),
        ("mean", float(|row| Some(row.mean))),
        ("low", float(|row| Some(row.interval?.0))),
        ("high", float(|row| Some(row.interval?.1))),
        ("sd", float(|row| row.statistics?.sd)),
        ("least", number(|row| row.statistics?.min)),
        ("least_index", number(|row| Some(row.statistics?.min_index? as i64))),
        ("most", number(|row| row.statistics?.max)),
        ("most_index", number(|row| Some(row.statistics?.max_index? as i64))),
    ];
    let columns = columns.map(|(name, values)| Column { name: name.to_owned(), values, bounds: None });
    DataFrame { rows: all.len(), columns: columns.into() }
}
