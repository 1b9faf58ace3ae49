//! Finished games in positions: the line `end = line won by X` names the end that decided and the winners.

use crate::diagnostic::did_you_mean;
use crate::game::outcome::winners;
use crate::game::{Game, State};
use crate::model::{CheckedEndResult, Type};
use crate::program::{ENDED_BY, OVER, PENDING, RESULT, ResultKind};

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
        // The scores decide where the rules say `end game`.
        let declared = game.model().ends.get(how.end as usize).and_then(|end| end.result.as_ref());
        let of_each = |kind: ResultKind| (0..game.players()).map(move |p| u64::from(p) << 8 | kind as u64);
        let (told, everybody) = (how.winners, (1u64 << game.players()) - 1);
        let (results, decided): (Vec<u64>, _) = match declared {
            None => (vec![ResultKind::Scores as u64], true),
            Some(CheckedEndResult::Draw) => (vec![ResultKind::Draw as u64], true),
            Some(CheckedEndResult::Win(players)) if matches!(players.ty, Type::Set(_)) => {
                (told.iter().map(|won| u64::from(*won) << 8 | ResultKind::WinSet as u64).collect(), false)
            }
            Some(CheckedEndResult::Lose(players)) if matches!(players.ty, Type::Set(_)) => {
                let lost = told.map(|won| everybody & !u64::from(won));
                (lost.iter().map(|lost| lost << 8 | ResultKind::LoseSet as u64).collect(), false)
            }
            Some(CheckedEndResult::Win(_)) => (of_each(ResultKind::Win).collect(), game.players() == 1),
            Some(CheckedEndResult::Lose(_)) => (of_each(ResultKind::Lose).collect(), game.players() == 1),
        };
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
        let why = if declared.is_some() { "by this end" } else { "by the scores" };
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
