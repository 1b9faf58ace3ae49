//! What several sets have in common in words: what it is, and where: `your men on the edge`, `the empty places around c`.

mod elements;

use crate::prose::conditions::have;
use crate::prose::grammar::{
    before, closed, is_owned, is_several, opened, operand_closed, owner, preposition_before,
};
use crate::prose::phrases::{Wording, declared_name};
use houserule_base::names::{list_words, plain};
use houserule_language::syntax::{BinaryOp, Expr, ExprKind, Name, Quantifier};
use houserule_language::vocabulary::Function;

/// What a set has, if its words say what it is and not only where.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Things {
    /// Pieces, which stand on places.
    Pieces,
    /// What lies in a zone.
    Elements,
    /// Empty places.
    Places,
}

/// Words for where things are, or which of them are meant.
struct Whereabouts {
    words: String,
    /// Whether the words need `that are` before them.
    needs_verb: bool,
}

/// Returns the sets that have something in common: the set alone if it isn't made with `&`.
pub(super) fn shared_sets(set: &Expr) -> Vec<&Expr> {
    match &set.kind {
        ExprKind::Binary(BinaryOp::Intersect, a, b) => [shared_sets(a), shared_sets(b)].concat(),
        _ => vec![set],
    }
}

/// Returns the set from which others are taken away with `-`: the set itself if none is.
pub(super) fn whole_of(set: &Expr) -> &Expr {
    match &set.kind {
        ExprKind::Binary(BinaryOp::Subtract, all, _) => whole_of(all),
        _ => set,
    }
}

impl Wording<'_> {
    /// Describes what some sets have in common: `your men on the edge`, `what a and b have in common`.
    pub(super) fn in_common(&self, sets: &[&Expr]) -> String {
        self.things_in(sets).unwrap_or_else(|| format!("what {} have in common", self.all_of_sets(sets)))
    }

    /// Describes whether some sets have something in common, or nothing: `you have no men on the edge`, `a and b have nothing
    /// in common`.
    pub(super) fn sharing(&self, sets: &[&Expr], none: bool) -> String {
        let Some(things) = self.things_in(sets) else {
            let common = if none { "nothing" } else { "something" };
            return format!("{} have {common} in common", self.all_of_sets(sets));
        };
        let no = if none { "no " } else { "" };
        let player = sets.iter().find(|set| self.is_pieces(set)).and_then(|pieces| self.owner_of(pieces));
        if let Some(player) = player
            && let Some(pieces) = things.strip_prefix(&format!("{} ", owner(&player)))
        {
            return format!("{player} {} {no}{pieces}", have(&player));
        }
        match things.strip_prefix("the ").filter(|_| !is_owned(&things)) {
            Some(things) => format!("there are {no}{things}"),
            None => format!("there are {} of {things}", if none { "none" } else { "some" }),
        }
    }

    /// Describes the number of elements that some sets have in common: `the number of empty places around c`.
    pub(super) fn number_in_common(&self, sets: &[&Expr]) -> String {
        match self.things_in(sets) {
            Some(things) if is_owned(&things) => format!("the number of {things}"),
            Some(things) => format!("the number of {}", things.trim_start_matches("the ")),
            None => format!("the number that {} have in common", self.all_of_sets(sets)),
        }
    }

    /// Describes the things in all of some sets by what they are and where: `the empty places around c`, `the cards in your
    /// hand that are of suit s`. Returns `None` for a single set, and if no set says what they are.
    pub(super) fn things_in(&self, sets: &[&Expr]) -> Option<String> {
        let found = |things: Things| {
            let at = sets.iter().position(|set| self.things_of(set) == Some(things))?;
            Some((at, things))
        };
        let (at, things) =
            found(Things::Pieces).or_else(|| found(Things::Elements)).or_else(|| found(Things::Places))?;
        let others: Vec<&Expr> =
            (0..).zip(sets).filter(|(other, _)| *other != at).map(|(_, set)| *set).collect();
        if others.is_empty() {
            return None;
        }
        let told = self.words_of_things(sets[at]);
        // What holds no piece has a verb already.
        let has_verb = told.contains(" that hold ");
        let is_alone = others.len() == 1;
        let places: Vec<Whereabouts> =
            others.iter().map(|set| self.whereabouts(things, set, is_alone && !has_verb)).collect();
        let needs_verb = !is_alone || places.iter().any(|place| place.needs_verb);
        let places: Vec<String> = places.into_iter().map(|place| place.words).collect();
        Some(match (has_verb, needs_verb) {
            (true, _) => format!("{told} and are {}", list_words(&places)),
            (false, true) => format!("{told} that are {}", list_words(&places)),
            (false, false) => format!("{told} {}", list_words(&places)),
        })
    }

    /// Like [`Wording::things_in`], of which a single element is taken. Returns `None` if one of several sets of places says by
    /// itself what its elements are: `the castles`.
    pub(super) fn one_of_things(&self, sets: &[&Expr]) -> Option<String> {
        let is_in_zone = sets.iter().any(|set| self.things_of(set) == Some(Things::Elements));
        let names_its_own =
            |set: &Expr| !self.is_pieces(set) && self.own_name(set).is_some() && is_several(&self.value(set));
        if !is_in_zone && sets.iter().any(|set| names_its_own(set)) {
            return None;
        }
        self.things_in(sets)
    }

    fn all_of_sets(&self, sets: &[&Expr]) -> String {
        let told = |set: &&Expr| match self.any_of(set) {
            // “What what can be reached and row 1 have in common” is no English.
            told if told.starts_with("what ") => format!("({told})"),
            told => told,
        };
        list_words(&sets.iter().map(told).collect::<Vec<_>>())
    }

    /// Returns what a set has, if its words say it.
    fn things_of(&self, set: &Expr) -> Option<Things> {
        let is_own = declared_name(set).is_some_and(|name| self.find(name).is_none());
        match &set.kind {
            _ if self.is_pieces(set) => Some(Things::Pieces),
            ExprKind::Name(_) | ExprKind::Index(..) if is_own && self.is_zone(set) && self.is_set(set) => {
                Some(Things::Elements)
            }
            ExprKind::Name(name) if self.names_empty_places(&name.text) => Some(Things::Places),
            ExprKind::Call(name, args)
                if args.len() == 1 && self.function_named(&name.text) == Some(Function::Empty) =>
            {
                Some(Things::Places)
            }
            _ => None,
        }
    }

    /// Returns `true` for the places of pieces of one kind or of several.
    fn is_pieces(&self, set: &Expr) -> bool {
        match &set.kind {
            ExprKind::Binary(BinaryOp::Union, a, b) => self.is_pieces(a) && self.is_pieces(b),
            _ => declared_name(set).is_some_and(|name| self.find(name).is_none() && self.is_piece(name)),
        }
    }

    /// Returns the player whose pieces are meant: `you` for `man[me]`.
    fn owner_of(&self, pieces: &Expr) -> Option<String> {
        let ExprKind::Index(_, by) = &pieces.kind else { return None };
        let first = by.first().filter(|_| declared_name(pieces).is_some_and(|name| self.by_player(name)))?;
        match &first.kind {
            _ if self.player(first).is_some() => self.player(first),
            ExprKind::Name(_) => Some(self.value(first)),
            _ => None,
        }
    }

    /// Describes a set that says what it has: `your men`, `the cards in your hand`, `the empty places`.
    fn words_of_things(&self, set: &Expr) -> String {
        let told = self.value(set);
        match &set.kind {
            ExprKind::Binary(..) => format!("({told})"),
            _ if self.is_pieces(set) && self.owner_of(set).is_none() => format!("the {told}"),
            _ => match self.lying_in(set).as_str() {
                "" => told,
                kind => format!("the {kind}{told}"),
            },
        }
    }

    /// Describes where things are: `on the edge`, `around c`, or which: `of suit s`. `follows` means that the words follow
    /// those for the things: `the empty places around c`.
    fn whereabouts(&self, things: Things, set: &Expr, follows: bool) -> Whereabouts {
        let needs_verb = things == Things::Elements;
        let at = |words: String| Whereabouts { words, needs_verb };
        if things != Things::Pieces
            && let Some(words) = self.one_of_few(set, false).or_else(|| self.state_of(things, set))
        {
            return Whereabouts { words, needs_verb: true };
        }
        if let Some(words) = self.built_in_place(set) {
            return at(words.to_owned());
        }
        if let ExprKind::Call(Name { text, .. }, args) = &set.kind
            && matches!(text.as_str(), "row" | "column")
            && let Some(line) = self.place(text, args)
        {
            return at(format!("in {line}"));
        }
        if things == Things::Places
            && follows
            && let Some(words) = self.after_the_places(set)
        {
            return at(words);
        }
        let told = self.any_of(set);
        let among = self.with_noun(set, opened(&told)).map_or(told, closed);
        let word = match things {
            _ if among.starts_with("those ") => "among",
            Things::Pieces => "on",
            Things::Elements | Things::Places => "in",
        };
        at(format!("{word} {among}"))
    }

    /// Describes a named set as what its elements are: `named`, `doubles`, `of suit s`. Returns `None` for other sets.
    fn state_of(&self, things: Things, set: &Expr) -> Option<String> {
        let name = self.own_name(set)?;
        let is_bare = matches!(set.kind, ExprKind::Name(_));
        let is_of_elements = things == Things::Elements;
        if is_bare && (elements::is_state(name) || is_of_elements && is_several(&self.value(set))) {
            return Some(self.value(set));
        }
        let noun = plain(name);
        let preposition = preposition_before(&noun).map(|(word, _)| word);
        // What is in or on something is told so of other sets, too.
        if is_bare || !is_of_elements || preposition.is_none_or(|word| matches!(word, "in" | "on")) {
            return None;
        }
        self.value(set).strip_prefix("those ").map(|told| closed(told.to_owned()))
    }

    /// Returns the words after `the places` of what a function finds: `around c`. Returns `None` for other sets, and if the
    /// words after it could belong to some of its places only.
    fn after_the_places(&self, set: &Expr) -> Option<String> {
        let found: &Expr = match &set.kind {
            ExprKind::Quantified { op: Quantifier::Union, body, .. } => body,
            _ => set,
        };
        let ExprKind::Call(Name { text, .. }, args) = &found.kind else { return None };
        if self.function_named(text).is_none() || self.follows_noun(text, args) {
            return None;
        }
        let told = self.value(set);
        let place = before(&told, " for every ").to_owned();
        if operand_closed(place.clone()) != place {
            return None;
        }
        let one_step = || told.strip_prefix("the place ").filter(|rest| rest.starts_with("one step "));
        told.strip_prefix("the places ").or_else(one_step).map(str::to_owned)
    }
}
