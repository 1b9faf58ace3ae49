//! A simulation's report as text, for people: words first, numbers aligned, no wider than a page.

use super::table::{Table, WIDTH, decimal, grouped, percent, trimmed, with_error, wrap};
use crate::draw::paint::Paint;
use crate::engine::Game;
use crate::lang::model::{Model, PLAYER, Role};
use crate::playtest::{QUANTILES, Report, ScoreReport};

/// Rows of a histogram at most.
const BARS: usize = 12;

/// Columns of its longest bar.
const LONGEST_BAR: usize = 44;

/// Members of a family of variables that are shown one by one.
const MEMBERS: usize = 12;

/// The report of a game.
pub(super) fn text(game: &Game, report: &Report, paint: Paint) -> String {
    let mut page = Page { game, model: game.model(), report, paint, text: String::new() };
    page.title();
    if report.games > 0 {
        page.scores();
        page.wins();
        page.matches();
        page.items();
        page.counts();
        page.ends();
        page.options();
        page.steps();
        page.variables();
    }
    page.speed();
    page.text
}

struct Page<'a> {
    game: &'a Game,
    model: &'a Model,
    report: &'a Report,
    paint: Paint,
    text: String,
}

impl Page<'_> {
    fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn section(&mut self, name: &str, table: &Table) {
        if !table.is_empty() {
            let head = self.paint.head(name);
            self.line(&format!("\n{head}"));
            self.text.push_str(&table.text(self.paint));
        }
    }

    fn seats(&self) -> Vec<String> {
        match self.game.players() {
            1 => vec![String::new()],
            _ => self.model.players.names.clone(),
        }
    }

    fn title(&mut self) {
        let report = self.report;
        let title = self.paint.head(&self.model.title);
        let name =
            if report.game == self.model.title { String::new() } else { format!(" ({})", report.game) };
        self.line(&format!("{title}{name}"));
        let games = match &report.matches {
            Some(matches) => {
                format!("{} matches of {} games", grouped(matches.matches), trimmed(matches.games.mean))
            }
            None => format!("{} game{}", grouped(report.games), if report.games == 1 { "" } else { "s" }),
        };
        let mut agents = report.agents.clone();
        agents.dedup();
        let players = match (report.players, agents.as_slice()) {
            (1, _) => report.agents.join(""),
            (n, [one]) => format!("{n} players, all {one}"),
            _ => {
                let seats = self.model.players.names.iter().zip(&report.agents);
                seats.map(|(name, agent)| format!("{name} {agent}")).collect::<Vec<_>>().join(", ")
            }
        };
        let mut facts = vec![games, players, format!("seed {}", report.seed)];
        let set = self.model.params.iter().filter(|param| param.value != param.default);
        facts.extend(
            set.map(|param| format!("{} = {}", param.name, crate::engine::values::param_text(&param.value))),
        );
        for line in wrap(&facts.join(" · "), WIDTH) {
            let line = self.paint.quiet(&line);
            self.line(&line);
        }
        if report.aborted > 0 {
            let line = format!("{} games were aborted and count in no figure", grouped(report.aborted));
            let line = self.paint.error(&line);
            self.line(&line);
        }
    }

    fn scores(&mut self) {
        let all_zero = self.report.score.iter().all(|score| score.min == Some(0) && score.max == Some(0));
        if self.model.score.is_empty() && all_zero {
            return;
        }
        let table = score_table(&self.seats(), &self.report.score);
        self.section("Score", &table);
        let (seats, scores) = (self.seats(), &self.report.score);
        if scores.len() <= 2 {
            for (seat, score) in seats.iter().zip(scores) {
                let bars = histogram(score, self.paint);
                if !bars.is_empty() {
                    let head = if seat.is_empty() { String::new() } else { format!("  {seat}\n") };
                    self.text.push_str(&format!("\n{head}{bars}"));
                }
            }
        }
    }

    fn wins(&mut self) {
        let report = self.report;
        let table = win_table(&self.seats(), &report.wins, report.draws, report.games);
        self.section("Wins", &table);
    }

    fn matches(&mut self) {
        let Some(matches) = &self.report.matches else { return };
        let table = score_table(&self.seats(), &matches.total);
        self.section("Total of a match", &table);
        let table = score_table(&self.seats(), &matches.record);
        self.section("Record of a match", &table);
        let table = win_table(&self.seats(), &matches.wins, matches.draws, matches.matches);
        self.section("Matches won", &table);
    }

    fn items(&mut self) {
        if self.report.items.0.is_empty() {
            return;
        }
        let seats = self.seats();
        let mut head: Vec<&str> = vec![""];
        head.extend(seats.iter().map(String::as_str));
        head.push("");
        let mut table = Table::with_words();
        if seats.len() > 1 {
            table = table.head(&head);
        }
        for (item, declared) in self.report.items.0.iter().zip(&self.model.score) {
            let (name, seats) = item;
            let means = seats.iter().map(|item| with_error(item.mean, item.se));
            table.row(std::iter::once(name.clone()).chain(means).chain([declared.help.clone()]));
        }
        self.section("What the score is made of", &table);
    }

    fn counts(&mut self) {
        let mut table = Table::default().head(&["", "mean", "most"]);
        for (name, count) in &self.report.counts.0 {
            if count.max > 0 {
                table.row([name.clone(), with_error(count.mean, count.se), grouped(count.max)]);
            }
        }
        self.section("A game has", &table);
    }

    fn ends(&mut self) {
        let mut table = Table::default();
        for (name, games) in &self.report.ends.0 {
            let share = percent(*games as f64, self.report.games as f64);
            table.row([name.clone(), share, grouped(*games)]);
        }
        self.section("How games ended", &table);
    }

    fn options(&mut self) {
        let all: u64 = self.report.options.0.iter().map(|(_, n)| n).sum();
        let mut table = Table::with_words().head(&["", "share", "a game", ""]);
        for (name, taken) in &self.report.options.0 {
            let per_game = trimmed_per(*taken, self.report.games);
            table.row([name.clone(), percent(*taken as f64, all as f64), per_game, self.option_help(name)]);
        }
        self.section("Options taken", &table);
    }

    fn option_help(&self, name: &str) -> String {
        let options = self.model.choices.iter().flat_map(|choice| &choice.options);
        options
            .filter(|option| option.name == name)
            .map(|option| option.help.clone())
            .next()
            .unwrap_or_default()
    }

    fn steps(&mut self) {
        let mut table = Table::with_words().head(&["", "a game", ""]);
        for (name, entered) in &self.report.steps.0 {
            let help = self.model.steps.iter().find(|step| step.name == *name).map(|step| step.help.clone());
            table.row([name.clone(), trimmed_per(*entered, self.report.games), help.unwrap_or_default()]);
        }
        self.section("Steps entered", &table);
    }

    fn variables(&mut self) {
        let mut table = Table::with_words().head(&["", "mean", "least", "most", ""]);
        let number = |number: Option<i64>| number.map_or_else(|| "–".to_owned(), grouped);
        for (name, members) in &self.report.variables.0 {
            let Some(slot) = self.model.slots.iter().find(|s| s.name == *name && s.role == Role::Variable)
            else {
                continue;
            };
            for (at, member) in members.iter().enumerate().take(MEMBERS) {
                let by_player = slot.index == [PLAYER];
                let label = match self.model.players.names.get(at) {
                    Some(player) if by_player => format!("{name}[{player}]"),
                    _ if members.len() > 1 => format!("{name} {}", at + 1),
                    _ => name.clone(),
                };
                let help = if at == 0 { slot.help.clone() } else { String::new() };
                table.row([label, decimal(member.mean, 3), number(member.min), number(member.max), help]);
            }
            if members.len() > MEMBERS {
                table.row([format!("{name} and {} more", members.len() - MEMBERS)]);
            }
        }
        self.section("Variables at the end", &table);
    }

    fn speed(&mut self) {
        let report = self.report;
        let threads =
            if report.threads == 1 { "1 thread".to_owned() } else { format!("{} threads", report.threads) };
        let line = format!(
            "{} s on {threads} ({} s of processor time): {} games and {} decisions a second",
            decimal(report.seconds, 2),
            decimal(report.cpu_seconds, 2),
            grouped(report.games_per_second as i128),
            grouped(report.decisions_per_second as i128),
        );
        let line = self.paint.quiet(&line);
        self.line(&format!("\n{line}"));
    }
}

fn trimmed_per(count: u64, games: u64) -> String {
    if games == 0 { "–".to_owned() } else { decimal(count as f64 / games as f64, 3) }
}

fn score_table(seats: &[String], scores: &[ScoreReport]) -> Table {
    let percents: Vec<String> = QUANTILES.iter().map(|q| format!("{q} %")).collect();
    let mut head = vec!["", "mean", "sd", "min"];
    head.extend(percents.iter().map(String::as_str));
    head.push("max");
    let mut table = Table::default().head(&head);
    let number = |number: Option<i64>| number.map_or_else(|| "–".to_owned(), grouped);
    for (seat, score) in seats.iter().zip(scores) {
        let mut row =
            vec![seat.clone(), with_error(score.mean, score.se), decimal(score.sd, 2), number(score.min)];
        row.extend(score.quantiles.0.iter().map(|(_, q)| number(*q)));
        row.push(number(score.max));
        table.row(row);
    }
    table
}

fn win_table(seats: &[String], wins: &[f64], draws: u64, games: u64) -> Table {
    let mut table = Table::default();
    if wins.is_empty() {
        return table;
    }
    let all = games as f64;
    for (seat, wins) in seats.iter().zip(wins) {
        let share = wins / all.max(1.0);
        let error = 100.0 * (share * (1.0 - share) / all.max(1.0)).max(0.0).sqrt();
        let share = format!("{} %", with_error(100.0 * share, error));
        table.row([seat.clone(), share, format!("{} games", trimmed(*wins))]);
    }
    if draws > 0 {
        table.row([
            "draws".to_owned(),
            format!("{} %", trimmed(100.0 * draws as f64 / all)),
            format!("{} games", grouped(draws)),
        ]);
    }
    table
}

/// How often each score came up, in a dozen bars or fewer; the tail of large scores is one bar.
fn histogram(score: &ScoreReport, paint: Paint) -> String {
    let entries: Vec<(i64, u64)> =
        score.histogram.0.iter().filter_map(|(number, n)| Some((number.parse().ok()?, *n))).collect();
    let all: u64 = entries.iter().map(|(_, n)| n).sum();
    let (Some((low, _)), Some((high, _))) = (entries.first(), entries.last()) else { return String::new() };
    if entries.len() < 2 {
        return String::new();
    }
    // Bars are as wide as they must be to show all but the rarest hundredth.
    let usual = entries
        .iter()
        .scan(0u64, |sum, (number, n)| {
            *sum += n;
            Some((*number, *sum))
        })
        .find(|(_, sum)| u128::from(*sum) * 100 >= u128::from(all) * 99)
        .map_or(*high, |(number, _)| number);
    let span = (i128::from(usual) - i128::from(*low) + 1).max(1);
    let width = [1, 2, 5].iter().cycle().zip((0..).map(|i: u32| 10i128.pow((i / 3).min(36))));
    let width =
        width.map(|(digit, power)| digit * power).find(|width| span.div_euclid(*width) < BARS as i128);
    let width = width.unwrap_or(span).max(1);
    let start = i128::from(*low).div_euclid(width) * width;
    let mut bars = [0u64; BARS + 1];
    for (number, n) in &entries {
        let bar = (i128::from(*number) - start) / width;
        bars[(bar.max(0) as usize).min(BARS)] += n;
    }
    let last = bars.iter().rposition(|n| *n > 0).unwrap_or(0);
    let most = bars.iter().copied().max().unwrap_or(1).max(1);
    let mut table = Table::default();
    for (at, n) in bars.iter().enumerate().take(last + 1) {
        let from = start + width * at as i128;
        let label = match (at == BARS, width) {
            (true, _) => format!("{} and more", grouped(from)),
            (false, 1) => grouped(from),
            (false, _) => format!("{} to {}", grouped(from), grouped(from + width - 1)),
        };
        let length = (*n as f64 / most as f64 * LONGEST_BAR as f64 * 8.0).round() as usize;
        let length = if *n > 0 { length.max(1) } else { 0 };
        let parts = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
        let bar = format!("{}{}", "█".repeat(length / 8), parts[length % 8]);
        table.row([label, percent(*n as f64, all as f64), format!("{bar:<LONGEST_BAR$}")]);
    }
    let text = table.text(Paint::new(false));
    text.lines().map(|line| paint_bar(line, paint) + "\n").collect()
}

fn paint_bar(line: &str, paint: Paint) -> String {
    match line.split_once('%') {
        Some((label, bar)) => format!("{label}%{}", paint.bar(bar)),
        None => line.to_owned(),
    }
}
