//! Is there anything to decide? Legal actions, forced decisions, what the choice is worth, and options that are never
//! best.

use crate::analysis::evidence::Evidence;
use crate::analysis::page::{Figure, FigureTable, FigureUnit, ReportSection, shown};
use houserule_base::numbers::grouped;
use houserule_base::statistics::sample::{self, Interval, below, mean, quantile, ratio, ratio_of_counts};
use houserule_playtest::follow::course::ChoiceFigures;
use houserule_playtest::follow::odds::{Expectations, deviation};
use houserule_playtest::follow::track::Track;

/// Values closer than this are equally good, relative to the spread of the decision.
const SAME: f32 = 1e-6;

pub(in crate::analysis) fn decisions(all: &Evidence<'_>) -> ReportSection {
    let mut section =
        ReportSection { id: "decisions", question: "Is there anything to decide?", ..all.section() };
    let tracks: Vec<&Track> = all.followed.iter().flat_map(|followed| &followed.tracks.games).collect();
    if tracks.is_empty() {
        let (why, remedy) = all.why_not_strong();
        section.answer = "That takes games of a strong player.".to_owned();
        section.lacks("legal actions, forced decisions, stakes, options that are never best", why, remedy);
        return section;
    }
    let agent = all.best().agent.clone();
    let choice = section.figure(
        "choice",
        "decisions with several actions",
        ratio_of_counts(&by_game(&tracks, |track| {
            let open = track.choices.iter().filter(|choice| choice.legal > 1).count();
            (open as f64, track.choices.len() as f64)
        })),
        FigureUnit::Share,
        &agent,
    );
    let Some(choice) = choice.filter(|choice| choice.value != 0.0) else {
        add_nothing_to_decide(&mut section, all, &tracks);
        return section;
    };
    add_legal_actions(&mut section, &tracks, &agent);
    add_stakes(&mut section, all, &agent);
    add_options(&mut section, all, &tracks);
    section.answer = answer(&section, all, &choice);
    section
}

/// Returns a pair of numbers of each game.
fn by_game(tracks: &[&Track], pair: impl Fn(&Track) -> (f64, f64)) -> Vec<(f64, f64)> {
    tracks.iter().map(|track| pair(track)).collect()
}

/// Answers for a game without choices.
fn add_nothing_to_decide(section: &mut ReportSection, all: &Evidence<'_>, tracks: &[&Track]) {
    let which = match tracks.iter().any(|track| !track.choices.is_empty()) {
        true => "every decision has a single legal action",
        false => "nobody ever decides",
    };
    let so = match all.game.program().uses_chance {
        true => "so all of the outcome is chance",
        false => "and there is no chance, so all games are the same",
    };
    section.answer = format!("There is nothing to decide: {which}, {so}.");
    section.lacks(
        "legal actions, stakes, options that are never best",
        "there is no choice to look at",
        "give the players several actions, if the game is meant to have decisions",
    );
}

/// Adds how many actions there are, how alike they are, and how often positions repeat.
fn add_legal_actions(section: &mut ReportSection, tracks: &[&Track], agent: &str) {
    let legal = ratio(&by_game(tracks, |track| {
        let legal = track.choices.iter().map(|choice| f64::from(choice.legal)).sum();
        (legal, track.choices.len() as f64)
    }));
    section.figure("branching", "legal actions of a decision, mean", legal, FigureUnit::Number, agent);
    let mut several: Vec<f64> = tracks
        .iter()
        .flat_map(|track| &track.choices)
        .filter(|choice| choice.legal > 1)
        .map(|choice| f64::from(choice.legal))
        .collect();
    let median = quantile(&mut several, 0.5).map(|median| Interval { low: None, high: None, ..median });
    section.figure(
        "branching_median",
        "legal actions where there are several, median",
        median,
        FigureUnit::Number,
        agent,
    );
    let digits: Vec<f64> = tracks
        .iter()
        .map(|track| track.choices.iter().map(|choice| f64::from(choice.legal).log10()).sum())
        .collect();
    section.figure(
        "game_tree",
        "decimal digits of the number of lines (game-tree complexity)",
        mean(&digits),
        FigureUnit::Number,
        agent,
    );
    let near = ratio_of_counts(&by_game(tracks, |track| {
        let valued = track.choices.iter().filter_map(|choice| choice.values.as_ref());
        (valued.clone().map(|values| f64::from(values.near)).sum(), valued.count() as f64)
    }));
    section.figure("near_best", "actions whose value is near the best", near, FigureUnit::Share, agent);
    let repeated: Vec<f64> = tracks.iter().map(|track| track.repeated).collect();
    section.figure(
        "repetition",
        "positions that occurred before in the game",
        mean(&repeated).map(|share| share.within(0.0, 1.0)),
        FigureUnit::Share,
        agent,
    );
}

fn answer(section: &ReportSection, all: &Evidence<'_>, choice: &Figure) -> String {
    let mut answer = format!("{} of the decisions have several actions", choice.with_interval());
    if let Some(median) = section.get("branching_median") {
        answer += &format!(", {} in the median", median.shown());
    }
    answer += ".";
    if let Some(stakes) = section.get("stakes") {
        let unit = if all.game.players() == 1 { " points of score" } else { "" };
        let by = if all.solved().is_some() { " by exact values" } else { "" };
        // Sums of equal values may leave a little.
        let is_nothing = |value: f64| value.abs() < 1e-9;
        answer += &match is_nothing(stakes.value) && stakes.high.is_none_or(is_nothing) {
            true => format!(" No action is better than another{by}."),
            false => format!(
                " The best action is worth {}{unit} more than the mean of all{by}.",
                stakes.with_interval()
            ),
        };
    }
    answer
}

/// Adds what choosing is worth, if the expectations can be trusted.
fn add_stakes(section: &mut ReportSection, all: &Evidence<'_>, agent: &str) {
    let courses: Vec<Expectations> = match all.trusted() {
        Ok(courses) => courses.into_iter().cloned().collect(),
        Err((why, remedy)) => {
            section.lacks("stakes: what the best action is worth", why, remedy);
            return;
        }
    };
    let alone = all.game.players() == 1;
    let scores: Vec<f64> = courses.iter().map(|course| course.results[0]).collect();
    let scale = if alone { deviation(&scores) } else { 1.0 };
    let found = ChoiceFigures::new(&courses, scale);
    let unit = if alone { FigureUnit::Points } else { FigureUnit::Difference };
    section.figure("stakes", "best action beside the mean of all", found.stakes, unit, agent);
    section.figure("best_lead", "best action beside the second-best", found.lead, unit, agent);
    section.figure(
        "matter",
        "choices where a random action costs 1 % or more",
        found.matter,
        FigureUnit::Share,
        agent,
    );
    section.figure(
        "response",
        "choices where exactly one action is within 2 % of the best",
        found.single,
        FigureUnit::Share,
        agent,
    );
    if alone {
        section
            .notes
            .push(format!("1 % and 2 % are of a standard deviation of the score, {scale:.1} points."));
    }
}

/// Use of the actions of one option, in decisions with several legal actions.
#[derive(Clone, Default)]
struct OptionUse {
    name: String,
    /// Decisions in which one of its actions was legal.
    legal: u64,
    /// Decisions in which one of its actions was taken.
    taken: u64,
    /// Decisions in which its best action was as good as any.
    best: u64,
    /// Decisions in which an action of another option was legal as well.
    contested: u64,
    /// Contested decisions in which its best action was as good as any.
    contested_best: u64,
    /// Games with a contested decision.
    contested_games: u64,
    /// One more than the index of the last game with a contested decision.
    last_contested: usize,
}

impl OptionUse {
    /// Adds a decision of a game.
    fn add(&mut self, game: usize, is_best: bool, is_contested: bool) {
        self.legal += 1;
        self.best += u64::from(is_best);
        if is_contested {
            self.contested += 1;
            self.contested_best += u64::from(is_best);
            self.contested_games += u64::from(self.last_contested != game + 1);
            self.last_contested = game + 1;
        }
    }

    /// Returns `true` if no other option was ever better.
    fn is_always_best(&self) -> bool {
        self.contested > 0 && self.contested_best == self.contested
    }

    fn add_to(&self, table: &mut FigureTable) {
        let share = |count: u64, total: u64| {
            let share = sample::share(count as f64 / total.max(1) as f64, total);
            share.map_or_else(String::new, |share| Figure::new("", "", share, FigureUnit::Share, "").shown())
        };
        table.rows.push(vec![
            format!("`{}`", self.name),
            grouped(self.legal),
            share(self.taken, self.legal),
            share(self.best, self.legal),
            grouped(self.contested),
            share(self.contested_best, self.contested),
        ]);
    }

    /// Says that it was never the best, or always.
    fn add_notes(&self, notes: &mut Vec<String>) {
        if self.contested > 0 && self.contested_best == 0 {
            notes.push(format!(
                "`{}` was never the best of several options in {} decisions of {} games: with 95 % confidence it is in less \
                 than {} of the games.",
                self.name,
                grouped(self.contested),
                grouped(self.contested_games),
                shown(below(self.contested_games), None, FigureUnit::Share),
            ));
        }
        if self.is_always_best() {
            notes.push(format!(
                "`{}` was as good as any other option in all {} decisions that allowed several: the others never beat it.",
                self.name,
                grouped(self.contested)
            ));
        }
    }
}

/// Adds how often each option was taken and was best.
fn add_options(section: &mut ReportSection, all: &Evidence<'_>, tracks: &[&Track]) {
    let mut table =
        FigureTable { title: "Options where there is a choice".to_owned(), ..FigureTable::default() };
    table.columns =
        ["option", "could be taken", "taken", "among the best", "beside other options", "best of them"]
            .map(str::to_owned)
            .to_vec();
    let uses: Vec<OptionUse> =
        option_uses(all, tracks).into_iter().filter(|option| option.legal > 0).collect();
    uses.iter().for_each(|option| option.add_to(&mut table));
    let contested = || uses.iter().filter(|option| option.contested > 0);
    if contested().next().is_some() && contested().all(OptionUse::is_always_best) {
        section.notes.push("Where several options were possible, none was better than another.".to_owned());
    } else {
        uses.iter().for_each(|option| option.add_notes(&mut section.notes));
    }
    // A single option is always taken, and always best.
    if table.rows.len() > 1 {
        section.tables.push(table);
    }
}

/// Counts the use of each option. Options of the same name count as one.
fn option_uses(all: &Evidence<'_>, tracks: &[&Track]) -> Vec<OptionUse> {
    let blocks = &all.game.model().actions;
    let mut uses: Vec<OptionUse> = vec![];
    let mut option_of_block = vec![];
    for block in blocks {
        let known = uses.iter().position(|option| option.name == block.option);
        option_of_block.push(known.unwrap_or(uses.len()));
        if known.is_none() {
            uses.push(OptionUse { name: block.option.clone(), ..OptionUse::default() });
        }
    }
    let choices = tracks.iter().enumerate();
    let choices = choices.flat_map(|(game, track)| track.choices.iter().map(move |choice| (game, choice)));
    for (game, choice) in choices {
        let Some(values) = &choice.values else { continue };
        // The legal options, each with its best value.
        let mut legal: Vec<(usize, f32)> = vec![];
        for (block, value) in &values.blocks {
            let option = option_of_block[*block as usize];
            match legal.iter_mut().find(|(known, _)| *known == option) {
                Some((_, best)) => *best = best.max(*value),
                None => legal.push((option, *value)),
            }
        }
        let good = values.best - SAME * (values.best - values.least).abs();
        for (option, value) in &legal {
            uses[*option].add(game, *value >= good, legal.len() > 1);
        }
        if let Some(block) = all.game.model().action_block_index(choice.taken) {
            uses[option_of_block[block]].taken += 1;
        }
    }
    uses
}
