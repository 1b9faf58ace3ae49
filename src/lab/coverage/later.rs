//! Random games of matches: what a match keeps may let a later game reach what no first game can.

use std::collections::BTreeSet;

use houserule_base::interrupt::{self, Interrupt};
use houserule_game::random_games::{Finished, UsageCounts};
use houserule_game::random_matches::play_random_match;
use houserule_game::{Game, RuntimeError};
use houserule_model::{CountedUses, Model};

/// Bounds of the number of games that are played of a match.
const FEWEST: u64 = 10;
const MOST: u64 = 100;

/// The games of matches that were played, and what those after the first of a match had.
#[derive(Default)]
pub(super) struct LaterGames {
    /// Number of games, the first of each match included.
    pub(super) games: u64,
    /// Number of matches.
    matches: u64,
    counts: UsageCounts,
    /// The ends that decided a game.
    ends: BTreeSet<u32>,
    /// The items of the score that gave points.
    items: BTreeSet<usize>,
}

impl LaterGames {
    /// Plays one more match of seed 0, or its first games, about as many as are wanted. Calls `finished` for each game. Returns
    /// an error with the index of its game.
    pub(super) fn play_match(
        &mut self,
        game: &Game,
        wanted: u64,
        finished: &mut impl FnMut(&Finished<'_>, &UsageCounts),
    ) -> Option<(u64, RuntimeError)> {
        let items = game.model().score.len();
        let (number, most) = (self.matches, wanted.clamp(FEWEST, MOST));
        self.matches += 1;
        let enough = Interrupt::new();
        let mut played = 0;
        let ended = enough.scope(|| {
            play_random_match(game, 0, number, &mut |start, done, used| {
                played += 1;
                self.games += 1;
                finished(done, used);
                if start.game_number > 1 {
                    self.counts.add(used);
                    self.ends.insert(done.end);
                    let points = done.scores.iter().enumerate().filter(|(_, points)| **points != 0);
                    self.items.extend(points.map(|(at, _)| at % items.max(1)));
                }
                if played == most {
                    enough.set();
                }
            })
        });
        // The time may be over, or somebody may have stopped it.
        interrupt::check();
        ended.ok()?.err()
    }

    /// Names the rules that did something in a later game, as results name them.
    pub(super) fn rules(&self, model: &Model) -> BTreeSet<String> {
        let counted = CountedUses::new(model);
        let options = counted.options.iter().map(|option| format!("option `{}`", option.name));
        let steps = model.steps.iter().map(|step| format!("step `{}`", step.name));
        let used = |(label, count): (String, &u64)| (*count > 0).then_some(label);
        let ends = self.ends.iter().map(|end| format!("end `{}`", model.end_name(*end)));
        let items = self.items.iter().filter_map(|item| model.score.get(*item));
        options
            .zip(&self.counts.options)
            .chain(steps.zip(&self.counts.steps))
            .filter_map(used)
            .chain(ends)
            .chain(items.map(|item| format!("score item `{}`", item.name)))
            .collect()
    }
}
