//! Formats a simulation's report for people: sections with aligned numbers, at most as wide as the page.

use crate::report::columns::{
    TextTable, counted, decimal, grouped, nouns, percent, share_with_interval, trimmed, with_half_width, wrap,
};
use houserule_base::statistics::interval::half_width;
use houserule_game::Game;
use houserule_model::{
    Builtin, ChoiceId, Content, CountedUses, DomainKind, IMPLIED_END, Model, Role, Slot, team_in_words,
};
use houserule_picture::draw::score::which_are_best;
use houserule_picture::paint::Paint;
use houserule_playtest::{QUANTILES, Report, Share, Statistics, TeamWins, Winners, WonGames};

/// Maximum number of rows of a histogram, without the row for the tail.
const BARS: usize = 12;

/// Maximum width of a bar, in columns.
const LONGEST_BAR: usize = 44;

/// Maximum number of members of a family of variables that are shown individually.
const MEMBERS: usize = 12;

/// Formats the report of a game.
pub fn text(game: &Game, report: &Report, paint: Paint) -> String {
    let mut page = ReportPage { game, model: game.model(), report, paint, text: String::new() };
    page.title();
    if report.games > 0 {
        page.scores();
        page.wins();
        page.matches();
        page.items();
        page.counts();
        page.ends();
        page.options();
        page.otherwise();
        page.steps();
        page.variables();
        page.legend();
    }
    page.speed();
    page.text
}

struct ReportPage<'a> {
    game: &'a Game,
    model: &'a Model,
    report: &'a Report,
    paint: Paint,
    text: String,
}

impl ReportPage<'_> {
    fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn section(&mut self, name: &str, table: &TextTable) {
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
            // Games of matches that were aborted.
            Some(matches) if matches.matches == 0 => format!("0 matches, {}", counted(report.games, "game")),
            Some(matches) => {
                let each = matches.games.mean;
                let games = if each == 1.0 { "game" } else { "games" };
                let matches = counted(matches.matches, "match");
                match each.fract() == 0.0 {
                    true => format!("{matches} of {} {games}", trimmed(each)),
                    false => format!("{matches} of {} games on average", decimal(each, 1)),
                }
            }
            None => counted(report.games, "game"),
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
        let first = format!("first {} {}", self.played(), report.first);
        let mut facts = vec![games, players, format!("seed {}", report.seed), first];
        let set = self.model.params.iter().filter(|param| param.value != param.default);
        facts.extend(
            set.map(|param| format!("{} = {}", param.name, houserule_game::values::param_text(&param.value))),
        );
        for line in wrap(&facts.join(" · "), self.paint.columns()) {
            let line = self.paint.quiet(&line);
            self.line(&line);
        }
        let mut warnings = Vec::new();
        if report.interrupted {
            let done = report.matches.as_ref().map_or(report.games + report.aborted, |found| found.matches);
            let of = counted(report.requested, self.played());
            // A run that a time or a precision ends has no number of games of its own.
            warnings.push(match done < report.requested {
                true => format!(
                    "Interrupted after {} of {of}: all figures are partial, from the finished {} only",
                    grouped(done),
                    nouns(2, self.played())
                ),
                false => format!("Interrupted after {of}: more would have been played"),
            });
        }
        if report.aborted > 0 {
            let (were, count) = if report.aborted == 1 { ("was", "counts") } else { ("were", "count") };
            let aborted = format!("{} {were} aborted", counted(report.aborted, self.played()));
            warnings.push(match report.matches {
                Some(_) => format!("{aborted} and {count} in no figure of matches; games that ended before count in those of games"),
                None => format!("{aborted} and {count} in no figure"),
            });
        }
        let columns = self.paint.columns();
        for line in warnings.iter().flat_map(|line| wrap(line, columns)) {
            let line = self.paint.error(&line);
            self.line(&line);
        }
    }

    /// Returns what an index counts: `game` or `match`.
    fn played(&self) -> &'static str {
        if self.report.matches.is_some() { "match" } else { "game" }
    }

    /// Explains how to read the figures.
    fn legend(&mut self) {
        let mut notes = Vec::new();
        if self.text.contains('±') {
            notes.push("± is half a 95 % confidence interval.".to_owned());
        }
        let played = self.played();
        let mut winners = std::iter::once(&self.report.winners)
            .chain(self.report.matches.as_ref().map(|matches| &matches.winners));
        if winners.any(is_shared) {
            notes.push(
                "`of the wins` counts what k sides win as 1/k for each of them; in a drawn game all win."
                    .to_owned(),
            );
        }
        let matches = if self.report.matches.is_some() { " --match" } else { "" };
        notes.push(format!(
            "`{played}` is the index of the first {played} with that least or most: `--first I -n 1{matches}` \
             plays {played} I again."
        ));
        self.line("");
        for line in wrap(&notes.join(" "), self.paint.columns()) {
            let line = self.paint.quiet(&line);
            self.line(&line);
        }
    }

    fn scores(&mut self) {
        let all_zero = self.report.score.iter().all(|score| score.min == Some(0) && score.max == Some(0));
        if self.model.score.is_empty() && all_zero {
            return;
        }
        let table = self.score_table(&self.report.score);
        self.section(&format!("Score{}", which_are_best(self.model)), &table);
        let (seats, scores) = (self.seats(), &self.report.score);
        if scores.len() <= 2 {
            // The players' bars stand for the same numbers of points.
            let width = scores.iter().map(bar_width).max().unwrap_or(1);
            for (seat, score) in seats.iter().zip(scores) {
                let bars = histogram(score, width, self.paint);
                if !bars.is_empty() {
                    let head = if seat.is_empty() { String::new() } else { format!("  {seat}\n") };
                    self.text.push_str(&format!("\n{head}{bars}"));
                }
            }
        }
    }

    fn wins(&mut self) {
        let table = win_table(&self.seats(), &self.report.winners, "game");
        self.section("Wins", &table);
    }

    fn matches(&mut self) {
        let Some(matches) = &self.report.matches else { return };
        let table = self.score_table(&matches.total);
        self.section(&format!("Total of a match{}", which_are_best(self.model)), &table);
        let table = self.score_table(&matches.record);
        self.section("Record of a match", &table);
        let table = win_table(&self.seats(), &matches.winners, "match");
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
        let mut table = TextTable::with_words();
        if seats.len() > 1 {
            table = table.head(&head);
        }
        for (item, declared) in self.report.items.0.iter().zip(&self.model.score) {
            let (name, seats) = item;
            let means = seats.iter().map(mean);
            table.row(std::iter::once(name.clone()).chain(means).chain([declared.help.clone()]));
        }
        self.section("What the score is made of", &table);
    }

    fn counts(&mut self) {
        let played = self.played();
        let mut table = TextTable::default().head(&["", "mean", "least", played, "most", played]);
        for (name, count) in &self.report.counts.0 {
            if count.max.is_some_and(|max| max > 0) {
                table.row([name.clone(), mean(count)].into_iter().chain(extremes(count)));
            }
        }
        self.section("A game has", &table);
    }

    fn ends(&mut self) {
        let mut table = TextTable::default();
        for (name, games) in &self.report.ends.0 {
            let implied = self.model.is_implied_end(name);
            if implied && *games == 0 {
                continue;
            }
            let share = percent(*games as f64, self.report.games as f64);
            let name = if implied { IMPLIED_END } else { name };
            table.row([name.to_owned(), share, grouped(*games)]);
        }
        self.section("How games ended", &table);
    }

    fn options(&mut self) {
        let all: u64 = self.report.options.0.iter().map(|(_, n)| n).sum();
        let mut table = TextTable::with_words().head(&["", "share", "a game", ""]);
        for (name, taken) in &self.report.options.0 {
            let per_game = trimmed_per(*taken, self.report.games);
            table.row([name.clone(), percent(*taken as f64, all as f64), per_game, self.option_help(name)]);
        }
        self.section("Options taken", &table);
    }

    fn otherwise(&mut self) {
        let mut table = TextTable::with_words().head(&["", "a game", ""]);
        for (name, entered) in &self.report.otherwise.0 {
            table.row([name.clone(), trimmed_per(*entered, self.report.games), String::new()]);
        }
        self.section("No legal option", &table);
    }

    /// Returns the help text of an option, given the name under which it is counted. If several options are counted together, it
    /// has those of all, each with its step.
    fn option_help(&self, name: &str) -> String {
        let counted = CountedUses::new(self.model);
        let mut told: Vec<(&str, &str)> = vec![];
        for (id, choice) in self.model.choices.iter().enumerate() {
            let id = ChoiceId(id as u32);
            let step = choice.step.map_or("", |step| self.model.steps[step.index()].name.as_str());
            let own =
                choice.options.iter().enumerate().filter(|(at, _)| {
                    counted.options[counted.index_of_option(id, *at) as usize].name == name
                });
            for help in own.map(|(_, option)| option.help.as_str()).filter(|help| !help.is_empty()) {
                if told.iter().all(|(_, other)| *other != help) {
                    told.push((step, help));
                }
            }
        }
        let is_one = told.len() == 1;
        let told = told.into_iter().map(|(step, help)| match is_one || step.is_empty() {
            true => help.to_owned(),
            false => format!("{step}: {help}"),
        });
        told.collect::<Vec<_>>().join("; ")
    }

    fn steps(&mut self) {
        let mut table = TextTable::with_words().head(&["", "a game", ""]);
        for (name, entered) in &self.report.steps.0 {
            let help = self.model.steps.iter().find(|step| step.name == *name).map(|step| step.help.clone());
            table.row([name.clone(), trimmed_per(*entered, self.report.games), help.unwrap_or_default()]);
        }
        self.section("Steps entered", &table);
    }

    fn variables(&mut self) {
        let played = self.played();
        let mut table = TextTable::with_words().head(&["", "mean", "least", played, "most", played, ""]);
        for (name, members) in &self.report.variables.0 {
            let is_shown = |role| matches!(role, Role::Variable | Role::Builtin(Builtin::Payoff));
            let slot = self.model.slots.iter().find(|slot| slot.name == *name && is_shown(slot.role));
            let Some(slot) = slot else { continue };
            for (at, member) in members.iter().enumerate().take(MEMBERS) {
                let help = if at == 0 { slot.help.as_str() } else { "" };
                let (cells, note) = end_figures(self.model, slot, member);
                let note = if at == 0 { note } else { "" };
                let parts = [note, help].into_iter().filter(|part| !part.is_empty());
                let words = parts.collect::<Vec<_>>().join("; ");
                table.row(std::iter::once(member.name.clone()).chain(cells).chain([words]));
            }
            if members.len() > MEMBERS {
                table.row([format!("{name} and {} more", members.len() - MEMBERS)]);
            }
        }
        self.section("Variables at the end", &table);
    }

    fn score_table(&self, scores: &[Statistics]) -> TextTable {
        let percents: Vec<String> = QUANTILES.iter().map(|q| format!("{q} %")).collect();
        let mut head = vec!["", "mean", "sd", "least", self.played()];
        head.extend(percents.iter().map(String::as_str));
        head.extend(["most", self.played()]);
        let mut table = TextTable::default().head(&head);
        for (seat, score) in self.seats().iter().zip(scores) {
            let sd = score.sd.map_or_else(|| NOTHING.to_owned(), |sd| decimal(sd, 2));
            let [least, in_least, most, in_most] = extremes(score);
            let quantiles = score.quantiles.0.iter().map(|(_, quantile)| number(*quantile));
            let row = [seat.clone(), mean(score), sd, least, in_least].into_iter().chain(quantiles);
            table.row(row.chain([most, in_most]));
        }
        table
    }

    fn speed(&mut self) {
        let report = self.report;
        let line = format!(
            "{} s on {} ({} s of CPU time): {} and {} a second",
            decimal(report.seconds, 2),
            counted(report.threads, "thread"),
            decimal(report.cpu_seconds, 2),
            counted(report.games_per_second as i128, "game"),
            counted(report.decisions_per_second as i128, "decision"),
        );
        self.line("");
        for line in wrap(&line, self.paint.columns()) {
            let line = self.paint.quiet(&line);
            self.line(&line);
        }
    }
}

fn trimmed_per(count: u64, games: u64) -> String {
    if games == 0 { "–".to_owned() } else { decimal(count as f64 / games as f64, 3) }
}

/// Returns the mean and the extremes of a variable at the end, or the share of games in which it is true or not `none`,
/// and what the figures are if not those of a number.
fn end_figures(model: &Model, slot: &Slot, of: &Statistics) -> ([String; 5], &'static str) {
    let only = |cell: String| [cell, String::new(), String::new(), String::new(), String::new()];
    let share = || only(share_with_interval(of.mean, of.low, of.high));
    match slot.content {
        Content::Bool => (share(), "how often it is true"),
        Content::Element { domain, optional: true }
            if !matches!(model.domains[domain.index()].kind, DomainKind::Range { .. }) =>
        {
            (share(), "how often it is set")
        }
        Content::Element { .. } | Content::Number { .. } | Content::Set(_) => {
            let [least, in_least, most, in_most] = extremes(of);
            let note = match slot.content {
                Content::Set(_) => "number of elements",
                Content::Element { optional: true, .. } => "none counts as 0",
                _ => "",
            };
            ([mean(of), least, in_least, most, in_most], note)
        }
    }
}

/// The cell for a missing value.
const NOTHING: &str = "–";

fn number(number: Option<i64>) -> String {
    number.map_or_else(|| NOTHING.to_owned(), grouped)
}

/// Returns the cell of a mean.
fn mean(of: &Statistics) -> String {
    with_half_width(of.mean, half_width(of.low, of.high))
}

/// Returns four cells: the minimum and the index of a game with it, the maximum and the index of a game with
/// it.
fn extremes(of: &Statistics) -> [String; 4] {
    let index = |index: Option<u64>| index.map_or_else(|| NOTHING.to_owned(), |index| index.to_string());
    [number(of.min), index(of.min_index), number(of.max), index(of.max_index)]
}

/// Returns `true` if several sides won a game together.
fn is_shared(of: &Winners) -> bool {
    of.shared.games + of.draws > 0
}

/// Returns the games that each team and each player without one won alone, those that several won, and those that were drawn.
/// Where some were shared, also those that a side won alone or with others, but not with all, and its share of the wins, as
/// everywhere else. Players who are all of one team have one result.
fn win_table(seats: &[String], of: &Winners, played: &str) -> TextTable {
    let mut table = TextTable::default();
    let percent = |share: &Share| share_with_interval(share.share, share.low, share.high);
    let of_all =
        |name: &str, won: &WonGames| [name.to_owned(), percent(&won.share), counted(won.games, played)];
    if of.is_cooperative {
        let all = |team: &TeamWins| of_all(&named(team, seats), &team.alone).to_vec();
        table.row(of.teams.first().map_or_else(Vec::new, all));
        return table;
    }
    let (some_share, is_split) = (of.shared.games > 0, is_shared(of));
    if some_share {
        table = table.head(&["", "won, also with others", "", "won alone", "of the wins"]);
    } else if is_split {
        table = table.head(&["", "won alone", "", "of the wins"]);
    }
    let mut row = |name: &str, alone: &WonGames, among: &WonGames, share: &Share| {
        let mut cells = of_all(name, if some_share { among } else { alone }).to_vec();
        if some_share {
            cells.push(percent(&alone.share));
        }
        if is_split {
            cells.push(percent(share));
        }
        table.row(cells);
    };
    let teamed = of.teams.iter().fold(0, |players, team| players | team.players);
    for team in &of.teams {
        let first = team.players.trailing_zeros() as usize;
        row(&named(team, seats), &team.alone, &of.among[first], &team.share);
    }
    for (at, (seat, share)) in seats.iter().zip(&of.win_shares).enumerate() {
        if teamed & (1 << at) == 0 {
            row(seat, &of.alone[at], &of.among[at], share);
        }
    }
    if some_share {
        table.row(of_all("shared by some", &of.shared));
    }
    if let Some(drawn) = of.draw_share.as_ref().filter(|_| of.draws > 0) {
        table.row(["drawn".to_owned(), percent(drawn), counted(of.draws, played)]);
    }
    table
}

/// Names a team as people read it: by its player, if it has one.
fn named(team: &TeamWins, seats: &[String]) -> String {
    let first = seats.get(team.players.trailing_zeros() as usize);
    match (team.players.count_ones(), first) {
        (1, Some(player)) => player.clone(),
        _ => team_in_words(&team.name),
    }
}

/// Returns the width of bars that are wide enough to show, in at most a dozen of them, all but the highest 1 % of the scores.
fn bar_width(score: &Statistics) -> i128 {
    let entries = &score.histogram;
    let all: u64 = entries.iter().map(|(_, n)| n).sum();
    let (Some((low, _)), Some((high, _))) = (entries.first(), entries.last()) else { return 1 };
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
    width.unwrap_or(span).max(1)
}

/// Formats the distribution of scores in bars of a width, at most a dozen; a further bar holds the tail of large scores.
fn histogram(score: &Statistics, width: i128, paint: Paint) -> String {
    let entries = &score.histogram;
    let all: u64 = entries.iter().map(|(_, n)| n).sum();
    let Some((low, _)) = entries.first().filter(|_| entries.len() > 1) else { return String::new() };
    let start = i128::from(*low).div_euclid(width) * width;
    let mut bars = [0u64; BARS + 1];
    for (number, n) in entries {
        let bar = (i128::from(*number) - start) / width;
        bars[(bar.max(0) as usize).min(BARS)] += n;
    }
    let last = bars.iter().rposition(|n| *n > 0).unwrap_or(0);
    let most = bars.iter().copied().max().unwrap_or(1).max(1);
    let mut rows = Vec::new();
    for (at, n) in bars.iter().enumerate().take(last + 1) {
        let from = start + width * at as i128;
        let label = match (at == BARS, width) {
            (true, _) => format!("{} and more", grouped(from)),
            (false, 1) => grouped(from),
            (false, _) => format!("{} to {}", grouped(from), grouped(from + width - 1)),
        };
        rows.push((label, percent(*n as f64, all as f64), *n));
    }
    let widest = |cell: fn(&(String, String, u64)) -> &str| {
        rows.iter().map(|row| cell(row).chars().count()).max().unwrap_or(0)
    };
    let beside = 6 + widest(|row| &row.0) + widest(|row| &row.1);
    let longest = paint.columns().saturating_sub(beside).clamp(4, LONGEST_BAR);
    let mut table = TextTable::default();
    for (label, share, n) in rows {
        let length = (n as f64 / most as f64 * longest as f64 * 8.0).round() as usize;
        let length = if n > 0 { length.max(1) } else { 0 };
        let parts = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
        let bar = format!("{}{}", "█".repeat(length / 8), parts[length % 8]);
        table.row([label, share, format!("{bar:<longest$}")]);
    }
    let text = table.text(Paint::plain().with_columns(paint.columns()));
    text.lines().map(|line| paint_bar(line, paint) + "\n").collect()
}

fn paint_bar(line: &str, paint: Paint) -> String {
    match line.split_once('%') {
        Some((label, bar)) => format!("{label}%{}", paint.bar(bar)),
        None => line.to_owned(),
    }
}
