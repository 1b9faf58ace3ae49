//! Formats where a rule file's time goes: its parts, then its lines.

use crate::report::columns::{TextTable, counted, decimal, grouped, percent, wrap};
use houserule_picture::paint::Paint;
use houserule_playtest::{Profile, ProfiledCost};

/// Maximum number of parts and of lines in a text, by default.
pub const LISTED: usize = 15;

/// Least share of a part or a line that is printed.
const PRINTED: f64 = 0.01;

/// Returns what was played.
pub fn played(profile: &Profile) -> String {
    let (games, decisions) = (counted(profile.games, "game"), counted(profile.decisions, "decision"));
    format!("{games} between random players, {decisions}")
}

/// Returns what a decision costs, in a sentence.
pub fn decision_cost(profile: &Profile) -> String {
    let decision = &profile.decision;
    format!(
        "a decision takes {} instructions and {} µs in the interpreter; {} of the instructions compute again what was \
         computed in the same decision",
        grouped(decision.instructions.round() as i64),
        decimal(decision.microseconds, 1),
        percent(decision.repeated, 1.0),
    )
}

/// Returns what keeps the figures from being those of whole games, in sentences.
pub fn cautions(profile: &Profile) -> Vec<String> {
    let failed = profile.error.as_ref().map(|error| format!("A game failed: {error}"));
    let cut = (profile.out_of_time && profile.games == 0)
        .then(|| "The time was over before the first game ended".to_owned());
    let undecided = (profile.decisions == 0).then(|| {
        "Nobody decided anything: times and instructions are those of all games together".to_owned()
    });
    failed.into_iter().chain(cut).chain(undecided).collect()
}

/// Formats a profile. At most `most` parts and `most` lines are printed.
pub fn text(profile: &Profile, most: usize, paint: Paint) -> String {
    let mut text = format!("{}\n", paint.head(&format!("{} ({})", profile.title, profile.game)));
    let facts = format!(
        "{} · seed {} · {} of program · {}",
        played(profile),
        profile.seed,
        counted(profile.program as u64, "instruction"),
        decision_cost(profile),
    );
    for line in wrap(&facts, paint.columns()) {
        text.push_str(&format!("{}\n", paint.quiet(&line)));
    }
    for caution in cautions(profile) {
        text.push_str(&format!("{}\n", paint.error(&caution)));
    }
    if profile.out_of_time && profile.games == 0 {
        text.push_str(&format!("{}\n", paint.quiet("`--for` gives it more, such as `--for 30s`")));
    }
    let numbers = |cost: &ProfiledCost| {
        [
            percent(cost.share, 1.0),
            times(cost.evaluations),
            grouped(cost.instructions.round() as i64),
            percent(cost.repeated, 1.0),
        ]
    };
    let mut parts =
        TextTable::default().head(&["", "where", "share", "own", "times", "instructions", "again"]).left(2);
    for part in profile.parts.iter().filter(|part| part.cost.share >= PRINTED).take(most) {
        let [share, times, instructions, repeated] = numbers(&part.cost);
        let place = place(profile, &part.place.file, part.place.line, part.place.column);
        let own = percent(part.own_share, 1.0);
        parts.row([format!("{} {}", part.kind, part.name), place, share, own, times, instructions, repeated]);
    }
    if !parts.is_empty() {
        text.push_str(&format!("\n{}\n{}", paint.head("Parts, with what they use"), parts.text(paint)));
    }
    let mut dearest: Vec<_> = profile.lines.iter().filter(|line| line.cost.share >= PRINTED).collect();
    dearest.sort_by(|a, b| b.cost.share.total_cmp(&a.cost.share));
    dearest.truncate(most);
    let mut lines = TextTable::with_words().head(&["where", "share", "times", "instructions", "again", ""]);
    for line in dearest {
        let [share, times, instructions, repeated] = numbers(&line.cost);
        let place = place(profile, &line.place.file, line.place.line, line.place.column);
        lines.row([place, share, times, instructions, repeated, line.text.clone()]);
    }
    if !lines.is_empty() {
        let head = "Lines, without what they use from others";
        text.push_str(&format!("\n{}\n{}", paint.head(head), lines.text(paint)));
    }
    let notes = "share: of the time in the interpreter · own: without other parts · times and instructions: for a \
                 decision · again: the share of these instructions that compute what was computed before in the same decision";
    text.push('\n');
    for line in wrap(notes, paint.columns()) {
        text.push_str(&format!("{}\n", paint.quiet(&line)));
    }
    text
}

/// Formats how often something happens in a decision.
fn times(number: f64) -> String {
    match number {
        n if n >= 100.0 => grouped(n.round() as i64),
        n if n >= 0.01 => decimal(n, if n >= 10.0 { 1 } else { 2 }),
        n if n > 0.0 => "<0.01".to_owned(),
        _ => "0".to_owned(),
    }
}

/// Formats a place; the file is left out if all is in one.
fn place(profile: &Profile, file: &str, line: usize, column: usize) -> String {
    let files = profile.lines.iter().any(|other| other.place.file != profile.lines[0].place.file);
    if files { format!("{file}:{line}:{column}") } else { format!("{line}:{column}") }
}
