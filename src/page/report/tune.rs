//! Formats a tuning as text: the best setting, how near it comes to the targets, and the runners-up.

use super::columns::{
    TextTable, counted, decimal, grouped, percent, share_with_half_width, trimmed, with_half_width, wrap,
};
use houserule_base::statistics::interval::half_width;
use houserule_lab::study::tune::{TunedMetric, TunedSetting, TunedTarget, Tuning};
use houserule_picture::paint::Paint;

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
    if found.run.interrupted {
        let line = "Interrupted: the best setting so far, and figures of the games that chose it";
        text.push_str(&format!("\n{}\n", paint.error(&wrap(line, paint.columns()).join("\n"))));
    }
    let Some(best) = found.best.first() else { return text };
    text.push_str(&format!("\n{}\n", paint.head(&format!("Best: {}", params(best)))));
    let mut table = TextTable::default().left(2).head(&["", "target", "mean", "off by"]);
    for (target, metric) in found.targets.iter().zip(&best.metrics) {
        table.row([target.label.clone(), wanted(target), mean(target, metric), off(metric)]);
    }
    text.push_str(&table.text(paint));
    let sure = format!(
        "It is the nearest of the {} played with a probability of {}.",
        counted(found.tried, "setting"),
        percent(best.probability, 1.0)
    );
    for line in wrap(&sure, paint.columns()) {
        text.push_str(&format!("{line}\n"));
    }
    if found.best.len() > 1 {
        text.push_str(&format!("\n{}\n", paint.head("Runners-up")));
        let labels: Vec<&str> = found.targets.iter().map(|target| target.label.as_str()).collect();
        let heads: Vec<&str> = [""].into_iter().chain(labels).chain(["off by", "probability"]).collect();
        let mut table = TextTable::default().head(&heads);
        for one in &found.best[1..] {
            let means = found.targets.iter().zip(&one.metrics).map(|(target, metric)| mean(target, metric));
            let rest = [
                trimmed_distance(one.distance.unwrap_or(one.search_distance)),
                percent(one.probability, 1.0),
            ];
            table.row([params(one)].into_iter().chain(means).chain(rest).collect::<Vec<_>>());
        }
        text.push_str(&table.text(paint));
    }
    let fresh = match best.distance {
        Some(_) => format!("Means are of {} that the search didn't use. ", counted(best.games, "game")),
        None => String::new(),
    };
    let units: Vec<String> =
        found.targets.iter().map(|target| format!("{} of {}", tolerance(target), target.label)).collect();
    let note = format!(
        "{fresh}± is half a 95 % confidence interval. \"Off by\" counts tolerances: {}; together it is the root of the sum \
         of squares.",
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

fn tolerance(target: &TunedTarget) -> String {
    number(target, target.tolerance)
}

fn wanted(target: &TunedTarget) -> String {
    match (target.low, target.high) {
        (Some(low), Some(high)) if low == high => number(target, low),
        (Some(low), Some(high)) => format!("{} to {}", number(target, low), number(target, high)),
        (Some(low), None) => format!("at least {}", number(target, low)),
        (None, Some(high)) => format!("at most {}", number(target, high)),
        (None, None) => "any".to_owned(),
    }
}

fn mean(target: &TunedTarget, metric: &TunedMetric) -> String {
    let half = half_width(metric.low, metric.high);
    match target.is_share {
        true => share_with_half_width(metric.mean, half),
        false => with_half_width(metric.mean, half),
    }
}

fn off(metric: &TunedMetric) -> String {
    if metric.distance == 0.0 { "met".to_owned() } else { trimmed_distance(metric.distance) }
}

fn trimmed_distance(distance: f64) -> String {
    decimal(distance, 2)
}
