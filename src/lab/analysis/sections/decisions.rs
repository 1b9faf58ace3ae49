//! Is there anything to decide? Legal actions, forced decisions, what the choice is worth, and options that are never
//! best.

use crate::analysis::course::ChoiceFigures;
use crate::analysis::evidence::Evidence;
use crate::analysis::odds::{Expectations, deviation};
use crate::analysis::page::{Figure, FigureTable, FigureUnit, ReportSection};
use crate::analysis::track::Track;
use houserule_base::numbers::grouped;
use houserule_base::statistics::sample::{self, Interval, below, mean, quantile, ratio, ratio_of_counts};

/// Values closer than this are equally good, relative to the spread of the decision.
const SAME: f32 = 1e-6;

pub(in crate::analysis) fn decisions(all: &Evidence<'_>) -> ReportSection {
    let mut section = ReportSection {
        id: "decisions",
        question: "Is there anything to decide?",
        ..ReportSection::default()
    };
    let tracks: Vec<&Track> = all.followed.iter().flat_map(|followed| &followed.tracks.games).collect();
    if tracks.is_empty() {
        let (why, remedy) = all.why_not_strong();
        section.answer = "That takes games of a strong player.".to_owned();
        section.lacks("legal actions, forced decisions, stakes, options that are never best", why, remedy);
        return section;
    }
    let agent = all.best().agent.clone();
    let each = |of: &dyn Fn(&Track) -> (f64, f64)| tracks.iter().map(|track| of(track)).collect::<Vec<_>>();
    let decisions = |track: &Track| track.choices.len() as f64;
    let open = |track: &Track| track.choices.iter().filter(|choice| choice.legal > 1).count() as f64;
    let choice = section.figure(
        "choice",
        "decisions with several actions",
        ratio_of_counts(&each(&|track| (open(track), decisions(track)))),
        FigureUnit::Share,
        &agent,
    );
    if choice.as_ref().is_none_or(|choice| choice.value == 0.0) {
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
        return section;
    }
    let legal = ratio(&each(&|track| {
        (track.choices.iter().map(|choice| f64::from(choice.legal)).sum(), decisions(track))
    }));
    section.figure("branching", "legal actions of a decision, mean", legal, FigureUnit::Number, &agent);
    let mut several: Vec<f64> = tracks
        .iter()
        .flat_map(|track| &track.choices)
        .filter(|choice| choice.legal > 1)
        .map(|choice| f64::from(choice.legal))
        .collect();
    let median = quantile(&mut several, 0.5).map(|of| Interval { low: None, high: None, ..of });
    section.figure(
        "branching_median",
        "legal actions where there are several, median",
        median,
        FigureUnit::Number,
        &agent,
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
        &agent,
    );
    let near = ratio_of_counts(&each(&|track| {
        let of = track.choices.iter().filter_map(|choice| choice.values.as_ref());
        (of.clone().map(|values| f64::from(values.near)).sum(), of.count() as f64)
    }));
    section.figure("near_best", "actions whose value is near the best", near, FigureUnit::Share, &agent);
    let repeated: Vec<f64> = tracks.iter().map(|track| track.repeated).collect();
    section.figure(
        "repetition",
        "positions that occurred before in the game",
        mean(&repeated).map(|of| of.within(0.0, 1.0)),
        FigureUnit::Share,
        &agent,
    );
    stakes(&mut section, all, &agent);
    options(&mut section, all, &tracks);
    let mut answer = choice
        .map(|choice| format!("{} of the decisions have several actions", choice.told()))
        .unwrap_or_default();
    if let Some(median) = section.get("branching_median") {
        answer += &format!(", {} in the median", median.shown());
    }
    answer += ".";
    if let Some(stakes) = section.get("stakes") {
        let unit = if all.game.players() == 1 { " points of score" } else { "" };
        let by = if all.solved().is_some() { " by exact values" } else { "" };
        answer +=
            &format!(" The best action is worth {}{unit} more than the mean of all{by}.", stakes.told());
    }
    section.answer = answer;
    section
}

/// What choosing is worth, if the expectations can be trusted.
fn stakes(section: &mut ReportSection, all: &Evidence<'_>, agent: &str) {
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

/// Use of the options where there is a choice.
#[derive(Clone, Default)]
struct OptionUse {
    name: String,
    /// Decisions with several actions, one of them of this option.
    could: u64,
    taken: u64,
    /// Decisions where its best action was as good as any.
    best: u64,
    /// Decisions where another option could be taken, too, and games with such a decision.
    beside: u64,
    games: u64,
    /// One more than the index of the last such game.
    last: usize,
    /// Of those, decisions where it was as good as any.
    best_beside: u64,
}

fn options(section: &mut ReportSection, all: &Evidence<'_>, tracks: &[&Track]) {
    let blocks = &all.game.model().actions;
    let mut uses: Vec<OptionUse> = vec![];
    let mut of_block = vec![];
    for block in blocks {
        let known = uses.iter().position(|of| of.name == block.option);
        of_block.push(known.unwrap_or(uses.len()));
        if known.is_none() {
            uses.push(OptionUse { name: block.option.clone(), ..OptionUse::default() });
        }
    }
    let choices = tracks.iter().enumerate();
    let choices = choices.flat_map(|(game, track)| track.choices.iter().map(move |choice| (game, choice)));
    for (game, choice) in choices {
        let Some(values) = &choice.values else { continue };
        let taken = blocks.iter().position(|block| choice.taken.0.wrapping_sub(block.first) < block.size);
        // Options by name, each with its best value.
        let mut could: Vec<(usize, f32)> = vec![];
        for (block, value) in &values.blocks {
            let option = of_block[*block as usize];
            match could.iter_mut().find(|(of, _)| *of == option) {
                Some((_, most)) => *most = most.max(*value),
                None => could.push((option, *value)),
            }
        }
        let good = values.best - SAME * (values.best - values.least).abs();
        for (option, value) in &could {
            let of = &mut uses[*option];
            let is_best = u64::from(*value >= good);
            of.could += 1;
            of.best += is_best;
            if could.len() > 1 {
                of.beside += 1;
                of.games += u64::from(of.last != game + 1);
                of.last = game + 1;
                of.best_beside += is_best;
            }
        }
        if let Some(block) = taken {
            uses[of_block[block]].taken += 1;
        }
    }
    let share = |count: u64, of: u64| {
        let interval = sample::share(count as f64 / of.max(1) as f64, of)?;
        Some(Figure::new("option_best", "", interval, FigureUnit::Share, ""))
    };
    let mut table =
        FigureTable { title: "Options where there is a choice".to_owned(), ..FigureTable::default() };
    table.columns =
        ["option", "could be taken", "taken", "among the best", "beside other options", "best of them"]
            .map(str::to_owned)
            .to_vec();
    for of in uses.iter().filter(|of| of.could > 0) {
        let cell = |count, of| share(count, of).map_or_else(String::new, |figure| figure.shown());
        table.rows.push(vec![
            format!("`{}`", of.name),
            grouped(of.could),
            cell(of.taken, of.could),
            cell(of.best, of.could),
            grouped(of.beside),
            cell(of.best_beside, of.beside),
        ]);
        if of.beside > 0 && of.best_beside == 0 {
            section.notes.push(format!(
                "`{}` was never the best of several options in {} decisions of {} games: with 95 % confidence it is in less \
                 than {} of the games.",
                of.name,
                grouped(of.beside),
                grouped(of.games),
                Figure::new("", "", Interval { value: below(of.games), low: None, high: None }, FigureUnit::Share, "").shown(),
            ));
        }
        if of.beside > 0 && of.best_beside == of.beside {
            section.notes.push(format!(
                "`{}` was as good as any other option in all {} decisions that allowed several: the others never beat it.",
                of.name,
                grouped(of.beside)
            ));
        }
    }
    if !table.rows.is_empty() {
        section.tables.push(table);
    }
}
