//! Matches of random players at full speed: the executor plays their games by itself.
//!
//! Depends on games of random players and on how matches go on; independent of what is measured.

use crate::matches::Match;
use crate::random_games::{Finished, SeriesRun, UsageCounts};
use crate::{Game, RuntimeError, Seat, Start};
use houserule_base::interrupt;
use houserule_model::{Builtin, CheckedStmtKind, CountedUses, walk};

/// Plays match `number` of a run, as [`Match`] numbers them. Calls `finished` for each game, with how it started and what
/// it used. Returns the match, which is over; `None` if the rules have none. An error comes with the index of its game.
pub fn play_random_match(
    game: &Game,
    seed: u64,
    number: u64,
    finished: &mut impl FnMut(&Start, &Finished<'_>, &UsageCounts),
) -> Result<Option<Match>, (u64, RuntimeError)> {
    let Some(mut one) = Match::new(game, seed, number) else { return Ok(None) };
    let mut run = SeriesRun::new(game, seed);
    let shown = StarterShown::new(game);
    while !one.is_over() {
        interrupt::check();
        let start = one.next_start();
        let failed = |error| (start.index, error);
        if shown == StarterShown::Early {
            one.begun(&run.opening(&start).map_err(failed)?);
        }
        let (done, counts) = run.play(&start).map_err(failed)?;
        let scores: Vec<i64> = (0..game.players()).map(|seat| done.score(Seat(seat))).collect();
        let winners: Vec<bool> = (0..game.players()).map(|seat| done.winners >> seat & 1 == 1).collect();
        finished(&start, &done, counts);
        if shown.is_late(counts) {
            one.note_starter(done.words());
        }
        one.enter_words(done.words(), &scores, &winners).map_err(failed)?;
    }
    Ok(Some(one))
}

/// When a game shows who was to start it as the first player decided.
#[derive(Debug, PartialEq, Eq)]
enum StarterShown {
    /// At its end, unless one of these options was taken: then the starter is as it was given.
    Late(Vec<usize>),
    /// Only at the first decision.
    Early,
}

impl StarterShown {
    fn new(game: &Game) -> StarterShown {
        let (model, starter) = (game.model(), Builtin::Starter.slot());
        let writes = |block| walk::writes(model, block).contains(&starter);
        let is_written_later = writes(&model.turn) || writes(&model.on_end) || !model.hooks.is_empty();
        if !game.keeps(starter) {
            return StarterShown::Late(vec![]);
        }
        let counted = CountedUses::new(model);
        let (mut used, mut is_written, mut is_mixed) = (vec![], false, false);
        walk::stmts(model, &model.setup, &mut |stmt| match &stmt.kind {
            CheckedStmtKind::Choose(choice) => {
                is_mixed |= is_written;
                let options = 0..model.choices[choice.index()].options.len();
                used.extend(options.map(|option| counted.index_of_option(*choice, option) as usize));
            }
            // A loop over both could write it before a choice.
            _ => is_written |= walk::writes_slot(model, stmt, starter),
        });
        for stmt in &model.setup.stmts {
            let mut chooses = false;
            let mut inside = false;
            for block in walk::blocks(model, stmt) {
                inside |= writes(block);
                walk::stmts(model, block, &mut |stmt| {
                    chooses |= matches!(stmt.kind, CheckedStmtKind::Choose(_));
                });
            }
            is_mixed |= inside && (chooses || matches!(stmt.kind, CheckedStmtKind::Choose(_)));
        }
        if is_written_later || is_mixed { StarterShown::Early } else { StarterShown::Late(used) }
    }

    /// Does the end of a game that used this show it?
    fn is_late(&self, counts: &UsageCounts) -> bool {
        match self {
            StarterShown::Late(used) => used.iter().all(|option| counts.options[*option] == 0),
            StarterShown::Early => false,
        }
    }
}
