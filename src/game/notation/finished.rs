//! Finished games in positions: the line `end = line won by X` names the end that decided and the winners.

use crate::outcome::winners;
use crate::{Game, State};
use houserule_language::diagnostic::did_you_mean;
use houserule_machine::program::{ENDED_BY, OVER, PENDING, RESULT, ResultKind};
use houserule_model::{CheckedEndResult, Type};

/// The key of the line that says how a game ended.
pub(crate) const END: &str = "end";
/// The text between the name of an end and the winners.
const WON_BY: &str = " won by ";
/// The text in place of the winners if there are none.
const NOBODY: &str = "nobody";

/// How a game ended, according to a position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Finish {
    /// Index into the names of the model's ends.
    end: u32,
    /// The players who share the win, one bit each; `None` if the position leaves it to the rules.
    winners: Option<u32>,
}

impl Finish {
    /// Parses `line won by X, O`.
    pub(crate) fn read(game: &Game, text: &str) -> Result<Finish, String> {
        let model = game.model();
        let (name, won) = text.split_once(WON_BY).map_or((text, None), |(name, won)| (name, Some(won)));
        let name = name.trim();
        let names = || model.end_names();
        let end = match names().position(|known| known == name) {
            Some(at) => at as u32,
            None => {
                let hint = match did_you_mean(name, names()) {
                    Some(meant) => format!("did you mean `{meant}`?"),
                    None => format!("there are {}", names().collect::<Vec<_>>().join(", ")),
                };
                return Err(format!("no end is called `{name}`; {hint}"));
            }
        };
        let seat = |name: &str| {
            let players = &model.players.names;
            let seat = players.iter().position(|known| known == name.trim());
            seat.map(|seat| 1 << seat).ok_or_else(|| {
                format!("no player is called `{}`; there are {}", name.trim(), players.join(", "))
            })
        };
        let winners = match won.map(str::trim) {
            None => None,
            Some(NOBODY) => Some(0),
            Some(won) => Some(won.split(',').try_fold(0, |all, name| Ok::<u32, String>(all | seat(name)?))?),
        };
        Ok(Finish { end, winners })
    }
}

impl State {
    /// After [`State::set_value`]: ends the game here.
    pub(crate) fn finish(&mut self, how: Finish) -> Result<(), String> {
        self.settle_values();
        let game = self.game.clone();
        let declared = game.model().results_of(how.end as usize);
        let of_each = |kind: ResultKind| (0..game.players()).map(move |p| u64::from(p) << 8 | kind as u64);
        let (told, everybody) = (how.winners, (1u64 << game.players()) - 1);
        let (mut results, mut sets): (Vec<u64>, _) = (vec![], false);
        for result in &declared {
            match result {
                None => results.push(ResultKind::Scores as u64),
                Some(CheckedEndResult::Draw) => results.push(ResultKind::Draw as u64),
                Some(CheckedEndResult::Win(players)) if matches!(players.ty, Type::Set(_)) => {
                    sets = true;
                    results.extend(told.map(|won| u64::from(won) << 8 | ResultKind::WinSet as u64));
                }
                Some(CheckedEndResult::Lose(players)) if matches!(players.ty, Type::Set(_)) => {
                    sets = true;
                    let lost = told.map(|won| everybody & !u64::from(won));
                    results.extend(lost.map(|lost| lost << 8 | ResultKind::LoseSet as u64));
                }
                Some(CheckedEndResult::Win(_)) => results.extend(of_each(ResultKind::Win)),
                Some(CheckedEndResult::Lose(_)) => results.extend(of_each(ResultKind::Lose)),
            }
        }
        results.sort_unstable();
        results.dedup();
        let decided = !sets && results.len() == 1;
        if how.winners.is_none() && !decided {
            let names = &game.model().players.names;
            return Err(format!(
                "this end does not say who won: add `{}{}` to its line",
                WON_BY.trim_start(),
                names[0]
            ));
        }
        self.words[usize::from(PENDING)] = OVER;
        self.words[usize::from(ENDED_BY)] = how.end.into();
        let mut other = 0;
        for result in results {
            self.words[usize::from(RESULT)] = result;
            let words = self.scored().map_err(|error| error.to_string())?;
            let here = winners(game.program(), &words);
            if how.winners.is_none_or(|told| told == here) {
                return Ok(());
            }
            other = here;
        }
        let scores_decide = declared.iter().all(Option::is_none);
        let why = if scores_decide { "by the scores" } else { "by this end" };
        Err(format!("{why} the game can't be won by these players; it is `{}`", self.won_by(other).trim()))
    }

    /// Returns the line that says how the game ended, or `None` if the game is under way.
    pub(crate) fn finish_line(&self) -> Option<String> {
        let outcome = self.outcome()?;
        let name = self.game.model().end_names().nth(outcome.end as usize)?;
        let mask = (0..).zip(&outcome.winners).fold(0, |mask, (p, won)| mask | u32::from(*won) << p);
        // A lone player wins unless the rules say otherwise.
        let won = if self.game.players() == 1 && mask == 1 { String::new() } else { self.won_by(mask) };
        Some(format!("{END} = {name}{won}"))
    }

    fn won_by(&self, mask: u32) -> String {
        let names = (0..).zip(&self.game.model().players.names);
        let won: Vec<&str> = names.filter(|(p, _)| mask >> p & 1 == 1).map(|(_, name)| &**name).collect();
        format!("{WON_BY}{}", if won.is_empty() { NOBODY.to_owned() } else { won.join(", ") })
    }
}
