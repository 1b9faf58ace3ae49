//! Who acts in the block of `as p { … }`: the words for `me` and `other` there.

use std::collections::BTreeSet;

use crate::prose::course::forms::assigns;
use crate::prose::grammar::{ordinal, owner};
use crate::prose::phrases::{Wording, is_name};
use crate::prose::players::names_starter;
use crate::prose::{OTHER_PLAYER, STARTER};
use houserule_language::syntax::{Block, Expr, ExprKind, Stmt, StmtKind};

/// The words for `me` and `other` in the block of `as p { … }`.
#[derive(Debug)]
pub(super) struct ActorWords {
    pub(super) me: String,
    other: String,
    /// The names in these words.
    names: BTreeSet<String>,
    /// The number of players without lasting words who act, this one and those of the blocks around.
    unnamed: usize,
}

impl<'a> Wording<'a> {
    /// Returns the words for `me`.
    pub(super) fn acting_player(&self) -> String {
        let Some(actor) = self.actor else { return self.me.to_owned() };
        self.note_names(&actor.names);
        actor.me.clone()
    }

    /// Returns the words for `other`.
    pub(super) fn other_player(&self) -> String {
        let Some(actor) = self.actor else { return OTHER_PLAYER.to_owned() };
        self.note_names(&actor.names);
        actor.other.clone()
    }

    /// Returns the words for `me` and `other` in the block of `as p { … }`. Returns `None` for other statements.
    pub(super) fn actor_in(&self, one: &Stmt) -> Option<ActorWords> {
        let StmtKind::As { player, body } = &one.kind else { return None };
        // Once the setup has named another one, “the starter” is no word for the player who acts around the block.
        if self.actor.is_none() && self.me == STARTER && names_starter(*self) {
            let (me, other) = ("you".to_owned(), OTHER_PLAYER.to_owned());
            return Some(ActorWords { me, other, names: BTreeSet::new(), unnamed: 0 });
        }
        let has_words = self.has_lasting_words(player, body);
        let unnamed = self.actor.map_or(0, |actor| actor.unnamed) + usize::from(!has_words);
        let ((me, other), names) = self.naming(|| {
            let me = match (has_words, unnamed) {
                (true, _) => self.value(player),
                (false, 1) => "that player".to_owned(),
                (false, _) => format!("that {} player", ordinal(&unnamed.to_string())),
            };
            let other = if is_name(player, "me") {
                self.other_player()
            } else if is_name(player, "other") {
                self.acting_player()
            } else {
                format!("{} opponent", owner(&me))
            };
            (me, other)
        });
        Some(ActorWords { me, other, names, unnamed })
    }

    /// Returns this context in the blocks of a statement, given the words that [`Wording::actor_in`] returns for it. Where all
    /// players act, each of them is “you”.
    pub(super) fn seen_inside<'b>(self, one: &Stmt, actor: Option<&'b ActorWords>) -> Wording<'b>
    where
        'a: 'b,
    {
        match (actor, &one.kind) {
            (Some(actor), _) => self.acted_by(actor),
            (None, StmtKind::EachPlayer { .. } | StmtKind::Together(_)) => self.seen_by("you"),
            (None, _) => self,
        }
    }

    /// Returns the words for all players, or for all who still play, without the one who acts. Returns `None` for other sets,
    /// and in `as p { … }`, where they aren't “the other players”.
    pub(super) fn name_others(&self, all: &Expr, gone: &Expr) -> Option<&'static str> {
        let are_playing = || is_name(all, "playing") && self.find("playing").is_none();
        match is_name(gone, "me") && self.actor.is_none() {
            true if is_name(all, "players") => Some("the other players"),
            true if are_playing() => Some("the other players who still play"),
            _ => None,
        }
    }

    /// Returns `true` if the words for a player are short, and stand for the same player in all of a block.
    fn has_lasting_words(&self, player: &Expr, body: &Block) -> bool {
        let name = match &player.kind {
            ExprKind::Player(_) => return true,
            ExprKind::Name(name) => name.text.as_str(),
            _ => return false,
        };
        if name == "mover" || self.player(player).is_some() {
            return true;
        }
        let is_local = match self.find(name) {
            Some(_) => !self.value(player).contains(' '),
            None => self.declared(player).is_none() && name != "starter" && self.is_local_player(player),
        };
        is_local && !body.stmts.iter().any(|one| assigns(name, one))
    }
}
