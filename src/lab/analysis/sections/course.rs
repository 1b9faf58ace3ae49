//! When is it decided? Expectations over the game, and how it turns.

use crate::analysis::evidence::Evidence;
use crate::analysis::flags::capital;
use crate::analysis::page::{Figure, FigureUnit, PlotData, PlotKind, PlotSeries, ReportSection};
use houserule_base::names::list_words;
use houserule_base::numbers::{counted, grouped};
use houserule_base::statistics::sample::Interval;
use houserule_playtest::follow::course::{CourseFigures, PARTS, curve, open_squares, open_variance};
use houserule_playtest::follow::odds::{Calibration, Expectations, MOST_ERROR, MOST_MOVEMENT, deviation};

/// Share of the score's variance below which a one-player game is decided.
const SETTLED: f64 = 0.1;

pub(in crate::analysis) fn course(all: &Evidence<'_>) -> ReportSection {
    let mut section = ReportSection { id: "decided", question: "When is it decided?", ..all.section() };
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
    let agent = all.best().agent.clone();
    if all.game.players() == 1 {
        let courses: Vec<Expectations> = courses.into_iter().cloned().collect();
        alone(&mut section, all, &courses, &agent);
        return section;
    }
    let courses: Vec<Expectations> =
        courses.into_iter().map(|course| course.by_side(all.game.model())).collect();
    if all.game.model().is_cooperative() {
        together(&mut section, all, &courses, &agent);
    } else {
        against(&mut section, all, &courses, &agent);
    }
    section
}

/// Figures of how far expectations move. Those that sum up changes need expectations that move truly. `whose` expectation it
/// is, of anybody and of the first.
fn add_movements(
    section: &mut ReportSection,
    found: &CourseFigures,
    moves_truly: bool,
    whose: [&str; 2],
    agent: &str,
) {
    if moves_truly {
        let [anybody, first] = whose;
        let label = format!("variance of {anybody} expectation over a game");
        section.figure("volatility", label, found.volatility, FigureUnit::Number, agent);
        let label = format!("sum of the changes of {first} expectation");
        section.figure("surprise", label, found.surprise, FigureUnit::Number, agent);
    }
    let names = ["at the start", "after a quarter", "after half", "after three quarters"];
    for (name, of) in names.into_iter().zip(found.uncertainty) {
        section.figure("uncertainty", format!("open {name}, in bits"), of, FigureUnit::Number, agent);
    }
}

/// How much an action can gain.
const KILLER: &str = "largest gain of an action over the mean of its decision";

/// What a share of the win is expected to be over the game.
fn share_curve(found: &CourseFigures, title: &str, name: &str) -> PlotData {
    let at = |part: usize| part as f64 * 100.0 / PARTS as f64;
    let points = found.curve.iter().enumerate();
    let points = points
        .map(|(part, [low, middle, high])| (at(part), 100.0 * middle, Some(100.0 * low), Some(100.0 * high)));
    PlotData {
        title: title.to_owned(),
        x: "share of the game (%)".to_owned(),
        y: "share of the win (%)".to_owned(),
        kind: PlotKind::Line,
        names: vec![],
        series: vec![PlotSeries { name: name.to_owned(), points: points.collect() }],
    }
}

/// Sides against each other: shares of the win.
fn against(section: &mut ReportSection, all: &Evidence<'_>, courses: &[Expectations], agent: &str) {
    let found = CourseFigures::new(courses);
    let sides = all.sides().len();
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
    add("killer_move", KILLER, found.killer, Difference);
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
    }
    let opponents = all.opponents();
    let whose = [format!("a {opponents}'s"), format!("the first {opponents}'s")];
    add_movements(section, &found, moves.is_ok(), whose.each_ref().map(String::as_str), agent);
    if sides > 2 {
        let label = format!("decisions of {opponents}s without hope that decide who wins");
        section.figure("kingmaking", label, found.kingmaking, Share, agent);
    } else if all.game.players() > 2 {
        section.lacks(
            "kingmaking",
            "it takes three sides or more",
            "take a team out, if the players may play alone",
        );
    } else {
        let why = "it takes three players or more";
        match all.with_players(3..=u32::MAX) {
            Some(remedy) => section.lacks("kingmaking", why, &remedy),
            None => section.notes.push(format!("No kingmaking: {why}, and {}.", all.allowed_players())),
        }
    }
    if let Err((why, remedy)) = moves {
        section.lacks("the decided point, lead changes, drama, volatility, surprise", why, remedy);
    }
    let title = "What the later winner can expect: median and middle half of the games";
    section.charts.push(share_curve(&found, title, "winner"));
    let told: Vec<Option<String>> = ["favourite_wins", "comebacks", "decided_point", "lead_changes"]
        .map(|metric| section.get(metric).map(Figure::with_interval))
        .into();
    let without_winner = courses.iter().filter(|course| !course.results.contains(&1.0)).count();
    let lost = courses.iter().filter(|course| course.results.iter().all(|share| *share == 0.0)).count();
    section.answer = match (&told[0], &told[1]) {
        _ if lost == courses.len() => "Every game is lost by all.".to_owned(),
        _ if without_winner == courses.len() => {
            let how = if lost > 0 { "shared, or lost by all" } else { "shared" };
            format!("No game has a single winner: every game is {how}.")
        }
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
    let counts = [(without_winner - lost, "shared"), (lost, "lost by all")];
    let counts = counts.into_iter().filter(|(count, _)| *count > 0);
    let counts: Vec<String> =
        counts.enumerate().map(|(at, (count, how))| told_games(count, how, courses.len(), at == 0)).collect();
    if !counts.is_empty() {
        let winners = match courses.len() - without_winner {
            0 => "",
            1 => "; the figures about winners are of the other",
            _ => "; the figures about winners are of the others",
        };
        section.notes.push(format!("{}{winners}.", list_words(&counts)));
    }
}

/// How many of the games that were followed went so. Only the first such phrase says of how many.
fn told_games(count: usize, how: &str, games: usize, is_first: bool) -> String {
    let of = match is_first {
        true => format!(" of {} that were followed", counted(games as u64, "game")),
        false => String::new(),
    };
    format!("{}{of} {} {how}", grouped(count as u64), if count == 1 { "was" } else { "were" })
}

/// Players who win or lose together: how likely they are to win.
fn together(section: &mut ReportSection, all: &Evidence<'_>, courses: &[Expectations], agent: &str) {
    let found = CourseFigures::new(courses);
    let moves = all.moves_truly();
    section.answer = "All players win or lose together, so there is no favourite.".to_owned();
    section.figure("killer_move", KILLER, found.killer, FigureUnit::Difference, agent);
    if moves.is_ok() {
        let label = "median share of a game after which its result stays at 90 % or more";
        let decided = section.figure("decided_point", label, found.decided, FigureUnit::Share, agent);
        let label = "games decided in their first half";
        section.figure("decided_early", label, found.early, FigureUnit::Share, agent);
        if let Some(decided) = decided {
            let told = format!(
                "{}half of the games are decided after {} of their events: from then on their result is expected with 90 % \
                 or more.",
                all.by_exact_values(),
                decided.with_interval()
            );
            section.answer += &format!(" {}", capital(&told));
        }
    }
    add_movements(section, &found, moves.is_ok(), ["the players'"; 2], agent);
    section.lacks(
        "the favourite at half-time, comebacks, changes of the favourite, drama, kingmaking",
        "all players win or lose together",
        "take the team out, if they play against each other",
    );
    if let Err((why, remedy)) = moves {
        section.lacks("the decided point, volatility, surprise", why, remedy);
    }
    let title = "How surely the later result is expected: median and middle half of the games";
    section.charts.push(share_curve(&found, title, "result"));
    let lost = courses.iter().filter(|course| course.results.first() == Some(&0.0)).count();
    if lost > 0 {
        section.notes.push(format!("{}.", told_games(lost, "lost by all", courses.len(), true)));
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
