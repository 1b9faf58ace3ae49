//! Two games to be compared.

use clap::Args;

use super::{names, player_count, setting};
use crate::terminal::{CliError, Terminal};
use houserule_base::names::{shell_game, shell_word};
use houserule_language::variants::Setting;
use houserule_loader::{Loaded, Request};

/// The two games and how they are loaded.
#[derive(Clone, Debug, Args)]
pub(super) struct Pair {
    /// The two games A and B, each with variants after `+`. One game is enough if `--set-a` or `--set-b` makes the
    /// difference, or if it is a variant: then it is B, and A is the game that it changes
    #[arg(required = true, value_name = "A B")]
    games: Vec<String>,
    /// Set a param in both games; may be repeated
    #[arg(long = "set", value_name = "NAME=VALUE")]
    pub(super) set: Vec<String>,
    /// Set a param only in the first game
    #[arg(long = "set-a", value_name = "NAME=VALUE")]
    pub(super) set_a: Vec<String>,
    /// Set a param only in the second game
    #[arg(long = "set-b", value_name = "NAME=VALUE")]
    pub(super) set_b: Vec<String>,
    /// Number of players [default: the fewest that both games allow]
    #[arg(long, value_name = "N", value_parser = player_count)]
    players: Option<u32>,
}

impl Pair {
    /// Loads both games and returns them with their names.
    pub(super) fn load(
        &self,
        verb: &str,
        terminal: &mut Terminal<'_>,
    ) -> Result<[(String, Loaded); 2], CliError> {
        let [name_a, name_b] = self.names(verb, terminal)?;
        let settings = |own: &[String]| -> Result<Vec<Setting>, CliError> {
            self.set.iter().chain(own).map(|text| setting(text)).collect()
        };
        let (settings_a, settings_b) = (settings(&self.set_a)?, settings(&self.set_b)?);
        let mut a = load(terminal, "A", &name_a, &settings_a, self.players)?;
        let mut b = load(terminal, "B", &name_b, &settings_b, self.players)?;
        let (of_a, of_b) = (a.game.players(), b.game.players());
        if self.players.is_none() && of_a != of_b {
            // Uses the smallest number that both allow, if there is one. Otherwise the players differ, and what
            // is comparable is compared.
            let least = of_a.max(of_b);
            let allows = |loaded: &Loaded| {
                (loaded.game.model().players.least..=loaded.game.model().players.most).contains(&least)
            };
            if allows(&a) && allows(&b) {
                a = load(terminal, "A", &name_a, &settings_a, Some(least))?;
                b = load(terminal, "B", &name_b, &settings_b, Some(least))?;
            }
        }
        Ok([(name_a, a), (name_b, b)])
    }

    /// Returns the words of a command that name the pair again.
    pub(super) fn words(&self, names: [&str; 2]) -> Vec<String> {
        let mut words: Vec<String> = names.map(shell_game).to_vec();
        for (flag, settings) in [("--set", &self.set), ("--set-a", &self.set_a), ("--set-b", &self.set_b)] {
            words.extend(settings.iter().flat_map(|set| [flag.to_owned(), shell_word(set)]));
        }
        words.extend(self.players.map(|players| format!("--players {players}")));
        words
    }

    fn names(&self, verb: &str, terminal: &mut Terminal<'_>) -> Result<[String; 2], CliError> {
        match names(&self.games).as_slice() {
            [a, b] => Ok([a.clone(), b.clone()]),
            [one] if !self.set_a.is_empty() || !self.set_b.is_empty() => Ok([one.clone(), one.clone()]),
            [one] => {
                // Its errors and warnings are told where it is loaded to be compared.
                let Ok(loaded) = houserule_loader::load(&Request { name: one, ..Request::default() }) else {
                    return Ok([one.clone(), one.clone()]);
                };
                let sheet = loaded.game.sheet();
                match sheet.names.first() {
                    Some(base) if !sheet.variants.is_empty() => {
                        terminal.note(&format!("{one} is compared with `{base}`, which it changes"))?;
                        Ok([base.clone(), one.clone()])
                    }
                    _ => Err(CliError::Command(format!(
                        "name a second game (`houserule {verb} {0} {0} + VARIANT`), or change a param in the \
                         second one (`--set-b NAME=VALUE`)",
                        shell_game(one)
                    ))),
                }
            }
            many => Err(CliError::Command(format!(
                "name two games, not {}; to add variants to a game, join them with `+`",
                many.len()
            ))),
        }
    }
}

/// Loads one side; error messages name the side.
fn load(
    terminal: &mut Terminal<'_>,
    side: &str,
    name: &str,
    settings: &[Setting],
    players: Option<u32>,
) -> Result<Loaded, CliError> {
    terminal.load(name, settings, players).map_err(|fault| match fault {
        CliError::Command(message) => {
            CliError::Command(message.lines().map(|line| format!("{side} ({name}): {line}\n")).collect())
        }
        other => other,
    })
}
