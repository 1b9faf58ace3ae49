//! Players: the number that the rules allow, the number in this model, and their names.

use crate::checker::Checker;
use crate::checker::progress::PlayersState;
use crate::options::SettingError;
use crate::values::Val;
use houserule_base::limits;
use houserule_language::diagnostic::{Code, Diagnostic, Span};
use houserule_language::syntax::{DeclKind, PlayersDecl};
use houserule_model::*;

impl<'a> Checker<'a> {
    /// Determines the players. Reports a cycle.
    pub(crate) fn players(&mut self) {
        match self.progress.players {
            PlayersState::Done => return,
            PlayersState::Busy => {
                let span = self.names.resolving.last().map_or(self.draft.title, |(_, s)| *s);
                let d = Diagnostic::error(
                    Code::Cycle,
                    span,
                    "the number of players is needed here to say how many play",
                )
                .help("say the number of players without it");
                self.draft.messages.report(d);
                return;
            }
            PlayersState::Waiting => self.progress.players = PlayersState::Busy,
        }
        let game = self.input.game;
        let mut found: Option<(&'a PlayersDecl, Span)> = None;
        for decl in &game.decls {
            if let DeclKind::Players(players, _) = &decl.kind {
                match found {
                    Some((_, first)) => {
                        let d = Diagnostic::error(Code::DeclaredTwice, decl.span, "there are two `players`")
                            .also(first, "the first is here")
                            .help("leave one of them out");
                        self.draft.messages.report(d);
                    }
                    None => found = Some((players, decl.span)),
                }
            }
        }
        let range = match found {
            Some((players, _)) => self.in_isolation(|c| c.players_range(players)),
            None => {
                if !self.input.has_hole() {
                    let d = Diagnostic::error(Code::MissingPart, game.title.span, "a game needs `players`")
                        .help("write `players 1`, `players 2..4` or `players red, blue`");
                    self.draft.messages.report(d);
                }
                None
            }
        };
        if let Some((least, most, names)) = range {
            self.seat(least, most, names);
        }
        self.progress.players = PlayersState::Done;
    }

    /// Returns what the rules call a player: the name, or `player 2`. Returns `None` if there is no such player.
    pub(super) fn player_with_number(&self, number: i64) -> Option<String> {
        let named = self.input.game.decls.iter().find_map(|decl| match &decl.kind {
            DeclKind::Players(PlayersDecl::Named(names), _) => Some(names),
            _ => None,
        });
        match named {
            Some(names) => Some(names.get(usize::try_from(number - 1).ok()?)?.text.clone()),
            None if (1..=i64::from(self.draft.model.players.most)).contains(&number) => {
                Some(format!("player {number}"))
            }
            None => None,
        }
    }

    /// The value of `player 2`.
    pub(crate) fn numbered_player(&mut self, number: i64, span: Span) -> Val {
        self.players();
        let named = self.input.game.decls.iter().find_map(|decl| match &decl.kind {
            DeclKind::Players(PlayersDecl::Named(names), _) => Some(names),
            _ => None,
        });
        let count = i64::from(self.draft.model.players.count);
        if let Some(names) = named {
            let mut d = Diagnostic::error(Code::UnknownName, span, "the players have names, and no numbers");
            if let Some(name) = usize::try_from(number - 1).ok().and_then(|at| names.get(at)) {
                d = d.help(format!("write `{}`", name.text));
            }
            self.draft.messages.report(d);
        } else if (1..=count).contains(&number) {
            return Val::sure(self.draft.constant_element(PLAYER, number as u32 - 1, span));
        } else if !(self.draft.is_dead()
            || self.context.may_be_absent && (1..=i64::from(self.draft.model.players.most)).contains(&number))
        {
            let play = if count == 1 { "1 player plays".to_owned() } else { format!("{count} players play") };
            let d =
                Diagnostic::error(Code::UnknownName, span, format!("there is no player {number}: {play}"))
                    .help(format!("test before: `if count(players) >= {number} {{ … }}`"));
            self.draft.messages.report(d);
        }
        Val::Poison
    }

    fn players_range(&mut self, players: &'a PlayersDecl) -> Option<(u32, u32, Vec<String>)> {
        let limits = 1..=limits::PLAYERS;
        let code = Code::LimitPlayers;
        match players {
            PlayersDecl::Count(e) => {
                let n = self.constant_between(e, "the number of players", limits, code)? as u32;
                Some((n, n, vec![]))
            }
            PlayersDecl::Range(low, high) => {
                let least = self.constant_between(low, "the number of players", limits.clone(), code);
                let most = self.constant_between(high, "the number of players", limits, code);
                let (least, most) = (least?, most?);
                if least > most {
                    self.draft.messages.report_empty_range(least, most, low.span.to(high.span));
                    return None;
                }
                Some((least as u32, most as u32, vec![]))
            }
            PlayersDecl::Named(names) => {
                if names.len() as i64 > limits::PLAYERS {
                    let message = format!("{} players are too many", names.len());
                    let span = names.last().map_or(self.draft.title, |n| n.span);
                    let d = Diagnostic::error(code, span, message)
                        .note(format!("at most {} can play", limits::PLAYERS))
                        .help("name fewer");
                    self.draft.messages.report(d);
                    return None;
                }
                let n = names.len() as u32;
                Some((n, n, names.iter().map(|n| n.text.clone()).collect()))
            }
        }
    }

    fn seat(&mut self, least: u32, most: u32, names: Vec<String>) {
        let mut count = least;
        if let Some(asked) = self.input.options.players {
            if asked < least || asked > most {
                let range = if least == most { least.to_string() } else { format!("{least}..{most}") };
                self.draft.messages.reject_setting(SettingError {
                    name: "players".into(),
                    message: format!("{} can't be played by {asked}", self.draft.model.title),
                    legal: vec![range],
                    help: None,
                });
            } else {
                count = asked;
            }
        }
        let names =
            if names.is_empty() { (1..=count).map(|n| format!("player {n}")).collect() } else { names };
        self.draft.model.players = Players { count, least, most, names };
        self.draft.model.domains[PLAYER.index()].size = count;
    }
}
