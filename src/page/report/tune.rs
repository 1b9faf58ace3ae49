//! Formats a tuning as text: the best setting, how surely it meets the targets, and the runners-up.

use super::columns::{
    TextTable, counted, decimal, grouped, percent, share_with_half_width, share_with_interval, trimmed,
    with_half_width, wrap,
};
use houserule_base::statistics::interval::half_width;
use houserule_lab::study::tune::{SameGames, TunedMetric, TunedSetting, TunedTarget, Tuning};
use houserule_picture::paint::Paint;
use houserule_playtest::Contender;

/// Formats a tuning.
pub fn text(found: &Tuning, paint: Paint) -> String {
    let mut text = format!("{}\n", paint.head(&format!("{} ({})", found.title, found.game)));
    let players = if found.players > 1 { format!("{} players · ", found.players) } else { String::new() };
    let mut agents = found.run.agents.clone();
    agents.dedup();
    let facts = format!(
        "{players}{} · {} of {} played in {} · seed {}",
        agents.join(", "),
        grouped(found.tried),
        counted(found.settings, "setting"),
        counted(found.games, "game"),
        found.run.seed
    );
    for line in wrap(&facts, paint.columns()) {
        text.push_str(&format!("{}\n", paint.quiet(&line)));
    }
    if found.unplayable > 0 {
        let line = format!(
            "{} left out, because the rules have errors with them",
            counted(found.unplayable, "setting")
        );
        text.push_str(&format!("{}\n", paint.quiet(&line)));
    }
    for (line, is_doubt) in player(found) {
        let line = wrap(&line, paint.columns()).join("\n");
        text.push_str(&format!("{}\n", if is_doubt { paint.error(&line) } else { paint.quiet(&line) }));
    }
    if let Some(same) = found.alike {
        let line = wrap(&told_alike(same), paint.columns()).join("\n");
        text.push_str(&format!("\n{}\n", paint.error(&line)));
    }
    let ended = if found.run.out_of_time { "The time was over" } else { "Ctrl-C came" };
    let early = found.run.interrupted.then(|| format!("{ended} before the end of the search."));
    if let Some(line) = found.missing.clone().or(early) {
        text.push_str(&format!("\n{}\n", paint.error(&wrap(&line, paint.columns()).join("\n"))));
    }
    let Some(best) = found.best.first() else { return text };
    text.push_str(&format!("\n{}\n", paint.head(&format!("Best: {}", params(best)))));
    for line in wrap(&sentence(found, best), paint.columns()) {
        text.push_str(&format!("{line}\n"));
    }
    let mut table = TextTable::default().left(2).head(&["", "target", "found", "off by", "met"]);
    let shown = |target: &TunedTarget, metric: &TunedMetric| match found.alike {
        Some(_) => number(target, metric.mean),
        None => figure(target, metric),
    };
    for (target, metric) in found.targets.iter().zip(&best.metrics) {
        let met = percent(metric.met, 1.0);
        table.row([
            target.label.clone(),
            wanted(target),
            shown(target, metric),
            decimal(metric.distance, 2),
            met,
        ]);
    }
    text.push_str(&table.text(paint));
    if found.best.len() > 1 {
        text.push_str(&format!("\n{}\n", paint.head("Runners-up")));
        let labels: Vec<&str> = found.targets.iter().map(|target| target.label.as_str()).collect();
        let heads: Vec<&str> = [""].into_iter().chain(labels).chain(["off by", "met"]).collect();
        let mut table = TextTable::default().head(&heads);
        for one in &found.best[1..] {
            let figures =
                found.targets.iter().zip(&one.metrics).map(|(target, metric)| shown(target, metric));
            let rest = [decimal(off(one), 2), percent(one.probability, 1.0)];
            table.row([params(one)].into_iter().chain(figures).chain(rest).collect::<Vec<_>>());
        }
        text.push_str(&table.text(paint));
    }
    let of = match best.distance {
        Some(_) => format!("of {} of each setting that the search didn't use", counted(best.games, "game")),
        None => "of the games of the search".to_owned(),
    };
    let units: Vec<String> =
        found.targets.iter().map(|target| tolerance(target, found.targets.len() > 1)).collect();
    let interval = if found.alike.is_some() { "" } else { "; ± is half a 95 % confidence interval" };
    let note = format!(
        "Figures are {of}{interval}. \"Off by\" counts tolerances: {}; together it is the root of \
         the sum of squares. \"Met\" is the probability that the target is met, or all of them (bootstrap).",
        units.join(", ")
    );
    text.push('\n');
    for line in wrap(&note, paint.columns()) {
        text.push_str(&format!("{}\n", paint.quiet(&line)));
    }
    let aborted: u64 = found.best.iter().map(|one| one.aborted).sum();
    if aborted > 0 {
        let line = format!("{} aborted by errors, not counted in any figure", counted(aborted, "game"));
        text.push_str(&format!("{}\n", paint.error(&line)));
    }
    text.push_str(&format!("\n{}\n", paint.quiet(&format!("{} s", decimal(found.run.seconds, 2)))));
    text
}

fn params(one: &TunedSetting) -> String {
    let all = one.params.0.iter().map(|(name, value)| {
        format!("{name} = {}", value.as_str().map_or_else(|| value.to_string(), str::to_owned))
    });
    all.collect::<Vec<_>>().join(", ")
}

/// Formats a number in the unit of a target.
fn number(target: &TunedTarget, value: f64) -> String {
    if target.is_share { format!("{} %", trimmed(100.0 * value)) } else { trimmed(value) }
}

/// Says who plays: how good the player is that was found, and doubts about it.
fn player(found: &Tuning) -> Vec<(String, bool)> {
    let Some(contest) = &found.contest else { return vec![] };
    if contest.decides_nothing {
        return vec![("Nobody has anything to decide, so this holds for all players.".to_owned(), false)];
    }
    let name = contest.kind.to_string();
    let mut told = vec![];
    let chosen = contest.contenders.iter().find(|contender| contender.agent == name);
    let is_sure = chosen.is_some_and(|chosen| chosen.better.is_surely_positive());
    if let Some(Contender { better, own, games, .. }) = chosen {
        let games = counted(*games, "game");
        let trained = if contest.kind.trains() { " and is trained for every setting" } else { "" };
        told.push((
            match found.players {
                1 => format!(
                    "`{name}` was chosen{trained}: in {games} it scores {} points better than random players.",
                    with_half_width(better.mean, better.half)
                ),
                players => {
                    let (equal, alone) = (1.0 / f64::from(players), own.mean - better.mean);
                    // An equal share says nothing of partners.
                    let (beside, share) = match (alone - equal).abs() < 1e-9 {
                        true => ("an equal share is", equal),
                        false => ("without it these win", alone),
                    };
                    format!(
                        "`{name}` was chosen{trained}: in {games} it wins {} against random players; {beside} {} %.",
                        share_with_half_width(own.mean, own.half),
                        trimmed((1000.0 * share).round() / 10.0)
                    )
                }
            },
            false,
        ));
    }
    let learned = contest.contenders.first().filter(|first| is_sure && first.agent != name);
    if let Some(first) = learned {
        told.push((
            format!(
                "`{}` plays better still, but its training for every setting takes too long.",
                first.agent
            ),
            false,
        ));
    }
    if !is_sure {
        told.push((
            format!(
                "No player was found that surely beats random ones, so good players may find it otherwise: the games are \
                 those of `{name}`. `--agents` names others."
            ),
            true,
        ));
    }
    told
}

/// Says that nearly all games of the best setting are alike.
fn told_alike(same: SameGames) -> String {
    let games = counted(same.games, "game");
    let how = match same.different {
        1 => format!(
            "one game again and again: all {games} of the best setting that were looked at are the same"
        ),
        different => format!(
            "nearly the same game again and again: of {games} of the best setting that were looked at, only {} are different",
            grouped(different)
        ),
    };
    format!(
        "These players play {how}. The figures say how they play, and little of the rules, so they have no intervals."
    )
}

/// Says how surely the best setting meets the targets.
fn sentence(found: &Tuning, best: &TunedSetting) -> String {
    let (all, again) = match found.targets.len() {
        1 => ("the target", "it"),
        _ => ("all targets", "them"),
    };
    let others = found.best.len() as u64 - 1;
    if best.probability == 0.0 {
        let none = match others {
            0 => format!("It doesn't meet {all}"),
            _ => format!("None of the {} below meets {all}", counted(others + 1, "setting")),
        };
        let distance = decimal(off(best), 2);
        let same = found.best[1..].iter().filter(|one| decimal(off(one), 2) == distance);
        let same: Vec<String> = same.map(params).collect();
        let nearest = match same.len() {
            0 if others > 0 => "This one comes nearest, off by".to_owned(),
            0 => "It is off by".to_owned(),
            count => {
                let named = same.join("; ");
                format!("This one and {count} of the runners-up ({named}) come equally near, off by")
            }
        };
        let unit = if distance == "1.00" { "tolerance" } else { "tolerances" };
        return format!("{none}. {nearest} {distance} {unit}.");
    }
    let sure = match best.probability {
        1.0 if found.alike.is_some() => format!("It meets {all} in the games of these players"),
        1.0 => format!("It surely meets {all}"),
        some => format!("It meets {all} with a probability of {}", percent(some, 1.0)),
    };
    let equal = found.best[1..].iter().filter(|one| one.probability == best.probability).count() as u64;
    match (others, equal) {
        (0, _) => format!("{sure}."),
        (_, 0) => format!("{sure}, the most of the {} below.", counted(others + 1, "setting")),
        (_, 1) => format!("{sure}; so does the first of the runners-up, which is no nearer to {again}."),
        _ => format!("{sure}; so do the first {equal} of the runners-up, which are no nearer to {again}."),
    }
}

/// Returns how far a setting is from the targets, in tolerances.
fn off(one: &TunedSetting) -> f64 {
    one.distance.unwrap_or(one.search_distance)
}

/// Says what distance counts 1, and how much a target may be missed by.
fn tolerance(target: &TunedTarget, is_named: bool) -> String {
    let size = number(target, target.tolerance);
    if is_named { format!("{size} of {}", target.label) } else { size }
}

fn wanted(target: &TunedTarget) -> String {
    let within = match target.margin {
        0.0 => String::new(),
        margin => format!(" ± {}", number(target, margin)),
    };
    let [low, high] = [target.low, target.high].map(|end| end.map(|end| number(target, end)));
    let range = match (low, high) {
        (Some(low), Some(_)) if target.low == target.high => low,
        (Some(low), Some(high)) => {
            let [from, to] = [(target.excludes_low, "more than "), (target.excludes_high, "less than ")]
                .map(|(is_excluded, word)| if is_excluded { word } else { "" });
            format!("{from}{low} to {to}{high}")
        }
        (Some(low), None) => format!("{} {low}", if target.excludes_low { "more than" } else { "at least" }),
        (None, Some(high)) => {
            format!("{} {high}", if target.excludes_high { "less than" } else { "at most" })
        }
        (None, None) => "any".to_owned(),
    };
    format!("{range}{within}")
}

fn figure(target: &TunedTarget, metric: &TunedMetric) -> String {
    let (low, high) = (metric.low, metric.high);
    let half = half_width(low, high);
    match (target.is_share, metric.se, low.zip(high)) {
        (true, ..) => share_with_interval(metric.mean, low, high),
        // A quantile isn't in the middle of its interval.
        (false, None, Some((low, high))) => {
            format!("{} ({} to {})", trimmed(metric.mean), trimmed(low), trimmed(high))
        }
        (false, ..) => with_half_width(metric.mean, half),
    }
}
