//! When is it decided? Expectations over the game, and how it turns.

use crate::analysis::evidence::Evidence;
use crate::analysis::flags::capital;
use crate::analysis::page::{Figure, FigureUnit, PlotData, PlotKind, PlotSeries, ReportSection};
use houserule_base::numbers::{counted, grouped};
use houserule_base::statistics::sample::Interval;
use houserule_playtest::follow::course::{CourseFigures, PARTS, curve, open_squares, open_variance};
use houserule_playtest::follow::odds::{Calibration, Expectations, MOST_ERROR, MOST_MOVEMENT, deviation};

/// Share of the score's variance below which a one-player game is decided.
const SETTLED: f64 = 0.1;

pub(in crate::analysis) fn course(all: &Evidence<'_>) -> ReportSection {
    let mut section =
        ReportSection { id: "decided", question: "When is it decided?", ..ReportSection::default() };
    let courses = match all.trusted() {
        Ok(courses) => courses,
        Err((why, remedy)) => {
            section.answer = "That takes a strong player whose expectations come true.".to_owned();
            section.lacks(
                "expectations over the game, lead changes, drama, decisive moment, comebacks",
                why,
                remedy,
            );
            section.charts.extend(
                all.followed.iter().filter_map(|followed| followed.calibration.as_ref()).map(reliability),
            );
            return section;
        }
    };
    let courses: Vec<Expectations> = courses.into_iter().cloned().collect();
    let agent = all.best().agent.clone();
    if all.game.players() == 1 {
        alone(&mut section, all, &courses, &agent);
    } else {
        together(&mut section, all, &courses, &agent);
    }
    section
}

/// Several players: shares of the win.
fn together(section: &mut ReportSection, all: &Evidence<'_>, courses: &[Expectations], agent: &str) {
    let found = CourseFigures::new(courses);
    let seats = all.game.players();
    let mut add = |metric, label: &str, of, unit| {
        section.figure(metric, label, of, unit, agent);
    };
    use FigureUnit::{Difference, Number, Share};
    add("favourite_wins", "games won by the favourite at half-time", found.favourite, Share);
    add(
        "comebacks",
        "games whose winner was once at less than half of an equal share",
        found.comebacks,
        Share,
    );
    add("killer_move", "largest gain of an action over the mean of its decision", found.killer, Difference);
    let moves = all.moves_truly();
    if moves.is_ok() {
        add(
            "decided_point",
            "median share of a game after which its winner stays at 90 % or more",
            found.decided,
            Share,
        );
        add("decided_early", "games decided in their first half", found.early, Share);
        add("lead_changes", "changes of the favourite in a game", found.lead_changes, Number);
        add("drama", "drama: root of the winner's deficit when behind", found.drama, Number);
        add("volatility", "variance of a seat's expectation over a game", found.volatility, Number);
        add("surprise", "sum of the changes of the first seat's expectation", found.surprise, Number);
    }
    if seats > 2 {
        add("kingmaking", "decisions of seats without hope that decide who wins", found.kingmaking, Share);
    } else {
        section.lacks(
            "kingmaking",
            "it takes three players or more",
            "add `--players 3` if the rules allow it",
        );
    }
    if let Err((why, remedy)) = moves {
        section.lacks("the decided point, lead changes, drama, volatility, surprise", why, remedy);
    }
    let names = ["at the start", "after a quarter", "after half", "after three quarters"];
    for (name, of) in names.into_iter().zip(found.uncertainty) {
        section.figure("uncertainty", format!("open {name}, in bits"), of, Number, agent);
    }
    let at = |part: usize| part as f64 * 100.0 / PARTS as f64;
    let points = found.curve.iter().enumerate();
    let points = points
        .map(|(part, [low, middle, high])| (at(part), 100.0 * middle, Some(100.0 * low), Some(100.0 * high)));
    section.charts.push(PlotData {
        title: "What the later winner can expect: median and middle half of the games".to_owned(),
        x: "share of the game (%)".to_owned(),
        y: "share of the win (%)".to_owned(),
        kind: PlotKind::Line,
        names: vec![],
        series: vec![PlotSeries { name: "winner".to_owned(), points: points.collect() }],
    });
    let told: Vec<Option<String>> = ["favourite_wins", "comebacks", "decided_point", "lead_changes"]
        .map(|metric| section.get(metric).map(Figure::with_interval))
        .into();
    let drawn = courses.iter().filter(|course| !course.results.contains(&1.0)).count();
    section.answer = match (&told[0], &told[1]) {
        _ if drawn == courses.len() => "No game has a single winner: every game is shared.".to_owned(),
        (Some(favourite), Some(comebacks)) => capital(&format!(
            "{}the favourite at half-time wins {favourite} of the games. In {comebacks} of the games the winner was once, at \
             any time, at less than half of an equal share: a comeback.",
            all.by_exact_values()
        )),
        _ => String::new(),
    };
    if let (Some(decided), Some(changes)) = (&told[2], &told[3]) {
        section.answer += &format!(
            " Half of the games are decided after {decided} of their events; the favourite changes {changes} times a game."
        );
    }
    if drawn > 0 {
        let winners = match courses.len() - drawn {
            0 => "",
            1 => "; the figures about winners are of the other",
            _ => "; the figures about winners are of the others",
        };
        section.notes.push(format!(
            "{} of {} that were followed {} shared{winners}.",
            grouped(drawn as u64),
            counted(courses.len() as u64, "game"),
            if drawn == 1 { "was" } else { "were" }
        ));
    }
}

/// One player: the expected score.
fn alone(section: &mut ReportSection, all: &Evidence<'_>, courses: &[Expectations], agent: &str) {
    let scores: Vec<f64> = courses.iter().map(|course| course.results[0]).collect();
    let variance = deviation(&scores).powi(2);
    for (name, share) in [("a quarter", 0.25), ("half", 0.5), ("three quarters", 0.75)] {
        let label = format!("variance of the score that is open after {name} of the game");
        section.figure("open_variance", label, open_variance(courses, share), FigureUnit::Share, agent);
    }
    let open = |share: f64| open_squares(courses, share).iter().sum::<f64>() / courses.len() as f64;
    let settled = (0..=100).map(|part| f64::from(part) / 100.0).find(|at| open(*at) <= SETTLED * variance);
    let settled = settled.map(|at| Interval { value: at, low: None, high: None });
    section.figure(
        "decided_point",
        "share of the game after which 10 % of the variance is open",
        settled,
        FigureUnit::Share,
        agent,
    );
    let at = |part: usize| part as f64 * 100.0 / PARTS as f64;
    let quartiles = curve(courses, |course, at| Some(course.expected[at][0]));
    let points = quartiles
        .iter()
        .enumerate()
        .map(|(part, [low, middle, high])| (at(part), *middle, Some(*low), Some(*high)));
    section.charts.push(PlotData {
        title: "Expected score over the game: median and middle half of the games".to_owned(),
        x: "share of the game (%)".to_owned(),
        y: "expected score".to_owned(),
        kind: PlotKind::Line,
        names: vec![],
        series: vec![PlotSeries { name: agent.to_owned(), points: points.collect() }],
    });
    let half = section.figures.get(1).map(Figure::with_interval).unwrap_or_default();
    section.answer = match half.is_empty() {
        true => "All games have the same score, so nothing is open.".to_owned(),
        false => capital(&format!(
            "{}after half of the game {half} of the variance of the score is still open.",
            all.by_exact_values()
        )),
    };
    section.lacks(
        "lead changes, comebacks, drama",
        "one player has nobody to lead",
        "read the curve of the expected score instead",
    );
}

/// Says how well the expectations came true.
pub(super) fn calibration(section: &mut ReportSection, all: &Evidence<'_>, agent: &str) {
    let found: Vec<&Calibration> =
        all.followed.iter().filter_map(|followed| followed.calibration.as_ref()).collect();
    for (calibration, training) in found.iter().zip(1..).filter(|(found, _)| !found.is_constant()) {
        let of = if found.len() > 1 { format!(", training {training}") } else { String::new() };
        let (unit, factor) = match calibration.scaled {
            true => (FigureUnit::Points, 1.0),
            false => (FigureUnit::Difference, 1.0),
        };
        section.figure(
            "calibration_error",
            format!("root-mean-square error of the expectations{of}"),
            Some(calibration.error.times(factor)),
            unit,
            agent,
        );
        section.figure(
            "calibration_skill",
            format!("squared error avoided beside the mean{of}"),
            Some(calibration.skill),
            FigureUnit::Share,
            agent,
        );
        section.figure(
            "movement",
            format!("movement ratio (1 for true expectations){of}"),
            Some(calibration.movement),
            FigureUnit::Number,
            agent,
        );
    }
    let checked = found.first().filter(|calibration| !calibration.is_constant());
    section.charts.extend(checked.map(|calibration| reliability(calibration)));
    if let Some(exact) = all.solved() {
        section.notes.push(format!(
            "Expectations are exact values: what each seat can expect if all play best from there, over all {} positions of \
             the game. The check says how far the results of the {agent} players are from those of best play.",
            grouped(exact.positions())
        ));
        return;
    }
    if let Some(Err(why)) = all.exact.get() {
        section.notes.push(format!("There are no exact values: {why}."));
    }
    section.notes.push(format!(
        "Expectations are the learned values of each position, mapped to results of other games (isotonic regression, five \
         folds), and checked on random positions: the error may be {:.0} % at most. A movement ratio above 1 means \
         that the expectations move more than true ones would: above {MOST_MOVEMENT}, figures of their changes are left out.",
        100.0 * MOST_ERROR
    ));
}

/// Mean result against mean expectation, in groups.
fn reliability(calibration: &Calibration) -> PlotData {
    let factor = if calibration.scaled { 1.0 } else { 100.0 };
    let points = calibration.groups.iter().map(|(expected, result, _)| {
        let ends = |end: Option<f64>| end.map(|end| end * factor);
        (expected.value * factor, result.value * factor, ends(result.low), ends(result.high))
    });
    let ends = calibration.groups.iter().map(|(expected, _, _)| expected.value * factor);
    let (low, high) =
        ends.fold((f64::INFINITY, f64::NEG_INFINITY), |ends, at| (ends.0.min(at), ends.1.max(at)));
    let unit = if calibration.scaled { "score" } else { "share of the win (%)" };
    PlotData {
        title: "Do the expectations come true?".to_owned(),
        x: format!("expected {unit}"),
        y: unit.to_owned(),
        kind: PlotKind::Points,
        names: vec![],
        series: vec![
            PlotSeries { name: "found".to_owned(), points: points.collect() },
            PlotSeries {
                name: "expected".to_owned(),
                points: vec![(low, low, None, None), (high, high, None, None)],
            },
        ],
    }
}
