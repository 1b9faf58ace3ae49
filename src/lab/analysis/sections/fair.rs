//! Fair? Wins and scores by seat, draws, and what the first seat is worth.

use crate::analysis::evidence::Evidence;
use crate::analysis::exact::NO_TIME_TO_SOLVE;
use crate::analysis::flags::capital;
use crate::analysis::page::{Figure, FigureTable, FigureUnit, ReportSection, shown_with_interval};
use crate::analysis::sections::{MORE_TIME, SHARE_OF_WINS, SHARES_SPLIT};
use houserule_base::names::list_words;
use houserule_base::statistics::interval::NORMAL;
use houserule_base::statistics::sample::{Interval, difference_of_parts};
use houserule_model::{CheckedEndResult, Model};
use houserule_playtest::Report;

pub(in crate::analysis) fn fair(all: &Evidence<'_>) -> ReportSection {
    let mut section = ReportSection { id: "fair", question: "Is it fair?", ..all.section() };
    let players = all.game.players() as usize;
    if players == 1 {
        section.answer = "One player plays alone, so there is nobody to be unfair to.".to_owned();
        if let Some(remedy) = all.with_players(2..=u32::MAX) {
            section.lacks("wins by seat, draws, the value of the first seat", "one player plays", &remedy);
        }
        return section;
    }
    let sides = all.sides();
    if let [side] = sides.as_slice() {
        together(all, *side, &mut section);
        return section;
    }
    let opponents = all.opponents();
    let teams = opponents == "side";
    let of_two = format!("greatest difference of two {opponents}s");
    let scores = !all.game.model().score.is_empty();
    let title = if scores { "Wins and scores by seat" } else { "Wins by seat" };
    let mut table = FigureTable { title: title.to_owned(), ..FigureTable::default() };
    table.columns = vec!["players".to_owned(), "seat".to_owned()];
    if teams {
        table.columns.push("side".to_owned());
    }
    table.columns.push(if all.shares_wins() { SHARE_OF_WINS } else { "wins" }.to_owned());
    let has_loser = sides.len() > 2 && names_losers(all.game.model());
    if has_loser {
        table.columns.push("loses alone".to_owned());
    }
    if scores {
        table.columns.push("mean score".to_owned());
    }
    let mut gaps = vec![];
    let mut apart = FigureTable {
        title: format!("Draws, and how far the {opponents}s are apart"),
        ..FigureTable::default()
    };
    apart.columns = vec!["players".to_owned(), "drawn".to_owned(), of_two.clone()];
    if let [first, _] = sides.as_slice() {
        apart.columns.push(format!("{} ahead", all.side(*first)));
    }
    for games in all.agents() {
        let agent = games.agent.as_str();
        let mut wins = vec![];
        for seat in 0..players {
            let [shown, lost] = match sides.contains(&seat) {
                true => {
                    let share = games.wins(seat);
                    wins.extend(share);
                    let shown = section.cell("wins", all.wins_of(seat), share, FigureUnit::Share, agent);
                    let lost = games.losses(seat).filter(|_| has_loser);
                    let label = format!("{} loses alone", all.side(seat));
                    [shown, section.cell("loses", label, lost, FigureUnit::Share, agent)]
                }
                // What the side wins and loses stands in the row of its first player.
                false => [String::new(), String::new()],
            };
            let mut row = vec![agent.to_owned(), all.seat(seat)];
            if teams {
                row.push(all.side(seat));
            }
            row.push(shown);
            if has_loser {
                row.push(lost);
            }
            if scores {
                let label = format!("score of {}", all.seat(seat));
                let mean = games.mean(|report| report.score.get(seat));
                row.push(section.cell("score", label, mean, FigureUnit::Points, agent));
            }
            table.rows.push(row);
        }
        let mut row = vec![agent.to_owned()];
        let draws = games.share(|report| report.winners.draws as f64);
        row.push(section.cell("draws", "drawn games", draws, FigureUnit::Share, agent));
        let gap = gap(&wins, games.games());
        row.push(section.cell("seat_gap", of_two.clone(), gap, FigureUnit::Difference, agent));
        gaps.extend(gap.map(|gap| (agent.to_owned(), gap)));
        if let [first, second] = sides.as_slice() {
            // One game rates nobody, even if it is played again and again.
            let elo = wins
                .first()
                .filter(|_| games.games() > 1 && games.alike.is_none())
                .map(|first| elo_of(*first));
            let label = format!("{} ahead of {}", all.side(*first), all.side(*second));
            row.push(section.cell("first_seat_elo", label, elo, FigureUnit::Elo, agent));
        }
        apart.rows.push(row);
    }
    section.tables.extend([table, apart]);
    section.answer = answer(all, &section, &gaps);
    let told = loser(all, &section);
    section.answer += &told;
    best_play(all, &mut section);
    section
}

/// Can the rules say who loses? Then all others share the win.
fn names_losers(model: &Model) -> bool {
    let of_end = |end| model.results_of(end).into_iter().flatten();
    (0..model.end_names().count()).flat_map(of_end).any(|result| matches!(result, CheckedEndResult::Lose(_)))
}

/// Who loses alone surely more often than another, if the rules name a loser.
fn loser(all: &Evidence<'_>, section: &ReportSection) -> String {
    let best = all.best();
    let losses = section.figures.iter().filter(|one| one.metric == "loses" && one.agent == best.agent);
    let losses: Vec<&Figure> = losses.collect();
    if best.alike.is_some() {
        return String::new();
    }
    let shares: Vec<Interval> = losses.iter().map(|one| one.interval()).collect();
    let is_sure = gap(&shares, best.games()).and_then(|gap| gap.low).is_some_and(|low| low > 0.0);
    match told_ends(all, RankedShare::Losses, &losses) {
        Some(told) if is_sure => format!(" {}.", capital(&told)),
        _ => String::new(),
    }
}

/// What sides are ranked by.
#[derive(Clone, Copy, PartialEq)]
enum RankedShare {
    Wins,
    /// Where some share a win.
    SharesOfWins,
    Losses,
}

/// The most sides that are named as perhaps the first, or the last.
const MOST_NAMED: usize = 2;

/// Tells who is first and who is last of the sides, by a figure of each. `None` if neither can be told.
fn told_ends(all: &Evidence<'_>, ranked: RankedShare, figures: &[&Figure]) -> Option<String> {
    let wide = of_all_pairs(figures.len());
    let names: Vec<String> = all.sides().into_iter().map(|seat| all.side(seat)).collect();
    let ends = [true, false].map(|is_most| {
        let is_beyond = |one: &Figure, other: &Figure| {
            let (more, less) = if is_most { (one, other) } else { (other, one) };
            let apart = difference_of_parts(more.interval(), less.interval());
            apart.low.is_some_and(|low| apart.value + wide * (low - apart.value) > 0.0)
        };
        // Who isn't surely behind another.
        let is_end = |side: &(&String, &Figure)| {
            let one = side.1;
            !figures.iter().copied().any(|other| is_beyond(other, one))
        };
        let found: Vec<(&String, &Figure)> =
            names.iter().zip(figures.iter().copied()).filter(is_end).collect();
        told_end(ranked, is_most, &found)
    });
    let told: Vec<String> = ends.into_iter().flatten().collect();
    (!told.is_empty()).then(|| told.join(", and "))
}

/// Tells who is first, or last: one side, several whose figures are equal, or a few that can't be told apart.
fn told_end(ranked: RankedShare, is_most: bool, ends: &[(&String, &Figure)]) -> Option<String> {
    let (extent, size) = if is_most { ("most", "largest") } else { ("least", "smallest") };
    let names: Vec<String> = ends.iter().map(|(name, _)| (*name).clone()).collect();
    let (first, rest) = ends.split_first()?;
    let found = first.1.with_interval();
    if rest.is_empty() {
        let name = &names[0];
        return Some(match ranked {
            RankedShare::Wins => format!("{name} wins {extent} often, {found}"),
            RankedShare::SharesOfWins => format!("{name}'s {SHARE_OF_WINS} is {size}, {found}"),
            RankedShare::Losses => format!("{name} loses alone {extent} often, {found}"),
        });
    }
    if rest.iter().all(|(_, figure)| figure.value == first.1.value) {
        let names = list_words(&names);
        return Some(match ranked {
            RankedShare::Wins => format!("{names} equally win {extent} often, {found} each"),
            RankedShare::SharesOfWins => {
                format!("{names} equally have the {size} {SHARE_OF_WINS}, {found} each")
            }
            RankedShare::Losses => format!("{names} equally lose alone {extent} often, {found} each"),
        });
    }
    let names = Some(names.join(" or ")).filter(|_| ends.len() <= MOST_NAMED)?;
    let found: Vec<String> = ends.iter().map(|(_, figure)| figure.with_interval()).collect();
    let found = found.join(" or ");
    Some(match ranked {
        RankedShare::Wins => format!("{names} wins {extent} often, {found}"),
        RankedShare::SharesOfWins => format!("the {SHARE_OF_WINS} of {names} is {size}, {found}"),
        RankedShare::Losses => format!("{names} loses alone {extent} often, {found}"),
    })
}

/// How often players who win and lose together win.
fn together(all: &Evidence<'_>, side: usize, section: &mut ReportSection) {
    let mut table = FigureTable { title: "Games won".to_owned(), ..FigureTable::default() };
    table.columns = vec!["players".to_owned(), "won".to_owned()];
    for games in all.agents() {
        let agent = games.agent.as_str();
        let won = games.wins(side);
        let label = all.wins_of(side);
        let cell = section.cell("success", label, won, FigureUnit::Share, agent);
        table.rows.push(vec![agent.to_owned(), cell]);
    }
    let best = all.best().agent.as_str();
    if let Some(won) = section.figures.iter().find(|figure| figure.agent == best) {
        section.answer = format!(
            "All players win or lose together, so there are no sides to be fair to. Between {best} players they win {} \
             of the games.",
            won.with_interval()
        );
    }
    section.tables.push(table);
    section.lacks(
        "differences of seats, draws",
        "all players win or lose together",
        "take the team out, if they play against each other",
    );
}

/// What two players get if both play best, if the game was solved. With more players, best play is not one.
fn best_play(all: &Evidence<'_>, section: &mut ReportSection) {
    if all.game.players() != 2 {
        return;
    }
    let exact = match (all.exact.get(), all.solved()) {
        (_, Some(exact)) => exact,
        (Some(Err(why)), _) => {
            section.lacks(
                "the result of best play",
                format!("the game can't be solved: {why}"),
                &how_to_solve(all, why),
            );
            return;
        }
        _ => return,
    };
    let shares = exact.start();
    let mut told = vec![];
    for (seat, share) in shares.iter().enumerate() {
        let label = format!("{} wins under best play", all.seat(seat));
        let share = Some(Interval::exact(*share));
        let figure = section.figure("best_play", label, share, FigureUnit::Share, "best play");
        told.extend(figure.map(|figure| figure.shown()));
    }
    let chance = all.game.program().uses_chance;
    section.answer += &match shares.iter().position(|share| *share == 1.0) {
        Some(winner) => format!(" Under best play {} always wins.", all.seat(winner)),
        None if !chance => " Under best play the game is drawn.".to_owned(),
        None => format!(" Under best play {} wins {} (exact, a draw counts half).", all.seat(0), told[0]),
    };
}

/// What makes a game solvable that isn't, by the reason for it.
fn how_to_solve(all: &Evidence<'_>, why: &str) -> String {
    let model = all.game.model();
    let remedy = match why {
        _ if all.game.pays() => "leave out `payoff`, if the game is only won or lost",
        _ if all.game.hides() => {
            "hide nothing from the players, which is another game; the wins between strong players are in the table"
        }
        _ if !model.pasts.is_empty() => {
            "leave out `repeated`, which is another game; the wins between strong players are in the table"
        }
        NO_TIME_TO_SOLVE => MORE_TIME,
        _ if model.params.is_empty() => "make the game smaller, which is another game",
        _ => {
            let params: Vec<String> = model.params.iter().map(|param| format!("`{}`", param.name)).collect();
            return format!(
                "make the game smaller with `--set`, if a param does that ({})",
                params.join(", ")
            );
        }
    };
    remedy.to_owned()
}

/// The greatest difference of the win rates of two seats. Its interval covers all pairs at once (Bonferroni).
pub(in crate::analysis) fn gap(wins: &[Interval], games: u64) -> Option<Interval> {
    if wins.len() < 2 || games < 2 {
        return None;
    }
    let wide = of_all_pairs(wins.len());
    let mut found = Interval { value: 0.0, low: Some(0.0), high: Some(0.0) };
    for (at, one) in wins.iter().enumerate() {
        for other in &wins[at + 1..] {
            let (more, less) = if one.value < other.value { (other, one) } else { (one, other) };
            let apart = difference_of_parts(*more, *less);
            let end = |end: Option<f64>| Some(apart.value + wide * (end? - apart.value));
            found.value = found.value.max(apart.value);
            found.low = found.low.zip(end(apart.low)).map(|(found, low)| found.max(low));
            found.high = found.high.zip(end(apart.high)).map(|(found, high)| found.max(high));
        }
    }
    Some(found.within(0.0, 1.0))
}

/// By how much an interval is wider that holds for all pairs of some sides at once (Bonferroni). The interval of each share has
/// the level of a single one.
fn of_all_pairs(sides: usize) -> f64 {
    let pairs = (sides * sides.saturating_sub(1) / 2).max(1) as f64;
    houserule_base::statistics::paired::quantile(1.0 - 0.05 / pairs, 1e9) / NORMAL
}

/// Converts a win rate against one opponent to Elo.
fn elo_of(share: Interval) -> Interval {
    let elo = |share: f64| {
        let share = share.clamp(1e-4, 1.0 - 1e-4);
        400.0 * (share / (1.0 - share)).log10()
    };
    Interval { value: elo(share.value), low: share.low.map(elo), high: share.high.map(elo) }
}

fn answer(all: &Evidence<'_>, section: &ReportSection, gaps: &[(String, Interval)]) -> String {
    let best = all.best();
    if let Some(alike) = all.alike() {
        return format!("{} These games don't tell whether the rules are fair.", capital(&alike));
    }
    let Some((_, gap)) = gaps.iter().find(|(agent, _)| *agent == best.agent) else {
        return format!(
            "Between {} players, too few games were finished to compare the {}s.",
            best.agent,
            all.opponents()
        );
    };
    let figures = || section.figures.iter().filter(|figure| figure.agent == best.agent);
    let wins: Vec<&Figure> = figures().filter(|figure| figure.metric == "wins").collect();
    let ahead = wins.iter().max_by(|a, b| a.value.total_cmp(&b.value));
    let sides = all.sides();
    let (ranked, of_what) = match all.shares_wins() {
        true => (RankedShare::SharesOfWins, " of two shares of the wins"),
        false => (RankedShare::Wins, ""),
    };
    let draws = figures().find(|figure| figure.metric == "draws");
    let all_drawn = draws.is_some_and(|draws| draws.value == 1.0);
    let mut told = match (ahead, gap.low) {
        _ if all_drawn => format!("Between {} players, every game is drawn.", best.agent),
        (Some(ahead), Some(low)) if low > 0.0 => {
            let told = match sides.as_slice() {
                [first, second] => {
                    let other = if all.wins_of(*first) == ahead.label { second } else { first };
                    format!("{} more often than {}: {}", ahead.label, all.side(*other), ahead.with_interval())
                }
                // The greatest difference says nothing of those between: two may win equally often.
                _ => told_ends(all, ranked, &wins).unwrap_or_else(|| {
                    let apart = shown_with_interval(*gap, FigureUnit::Difference);
                    format!("the {}s differ: the greatest difference{of_what} is {apart}", all.opponents())
                }),
            };
            format!("Between {} players, {told}.", best.agent)
        }
        _ => format!(
            "Between {} players no {} is seen to be ahead: the greatest difference{of_what} is {}.",
            best.agent,
            all.opponents(),
            shown_with_interval(*gap, FigureUnit::Difference)
        ),
    };
    if ranked == RankedShare::SharesOfWins {
        told += SHARES_SPLIT;
    }
    if let Some(draws) = draws.filter(|draws| draws.value > 0.0 && !all_drawn) {
        told += &format!(" {} of the games are drawn.", draws.with_interval());
    }
    told += &beside_others(all, section, gaps, *gap);
    told
}

/// Compares how far the sides are apart with games of weaker players: which of two sides is ahead there, and by how much.
fn beside_others(
    all: &Evidence<'_>,
    section: &ReportSection,
    gaps: &[(String, Interval)],
    of_best: Interval,
) -> String {
    let best = all.best().agent.as_str();
    let has_seats = all.random.parts.iter().any(|report: &Report| report.players > 1);
    let is_sure = |gap: &Interval| gap.low.is_some_and(|low| low > 0.0);
    let ranked = |agent: &str| rank_two_sides(section, agent);
    let shown = |gap: &Interval| shown_with_interval(*gap, FigureUnit::Difference);
    if is_sure(&of_best)
        && let Some([_, second]) = ranked(best)
    {
        let is_turned = |(agent, gap): &&(String, Interval)| {
            is_sure(gap) && ranked(agent).is_some_and(|[first, _]| first == second)
        };
        let turned = gaps.iter().filter(is_turned);
        let turned: Vec<String> =
            turned.map(|(agent, gap)| format!("{agent} players (by {})", shown(gap))).collect();
        if !turned.is_empty() {
            return format!(
                " It is the other way round between {}: {second} more often.",
                list_words(&turned)
            );
        }
    }
    let Some((_, gap)) = gaps.iter().find(|(agent, _)| has_seats && agent == "random" && agent != best)
    else {
        return String::new();
    };
    let wider = of_best.value - gap.value;
    let apart = (of_best.half().unwrap_or(0.0)).hypot(gap.half().unwrap_or(0.0));
    if wider.abs() <= apart {
        return String::new();
    }
    let how = if wider > 0.0 { "smaller" } else { "larger" };
    let whom = match is_sure(&of_best) && is_sure(gap) && ranked(best).is_some() {
        true => format!(", and for the same {}", all.opponents()),
        false => String::new(),
    };
    format!(" Between random players the difference is {how}{whom}: {}.", shown(gap))
}

/// Returns the labels of the wins of two sides, first that of the side that wins more often. `None` for more sides.
fn rank_two_sides<'s>(section: &'s ReportSection, agent: &str) -> Option<[&'s str; 2]> {
    let wins = section.figures.iter().filter(|figure| figure.metric == "wins" && figure.agent == agent);
    let wins: Vec<&Figure> = wins.collect();
    let [one, other] = wins.as_slice() else { return None };
    let (more, less) = if one.value < other.value { (other, one) } else { (one, other) };
    Some([more.label.as_str(), less.label.as_str()])
}
