//! Choices that come one after another or several times below a help text, and the options of a choice.

use super::forms::{is_choice_of, is_same_sentence, leaves};
use super::{CourseWalk, IF_STUCK};
use crate::prose::statements::say_how_often;
use houserule_language::syntax::{Block, ChoiceOption, Choose, Expr, ExprKind, Stmt, StmtKind};

/// Where a statement stands among the choices of a list.
#[derive(Clone, Copy)]
pub(super) struct ChoiceRow {
    /// The depth of the list.
    pub(super) depth: usize,
    /// Whether a choice stands before the statement.
    pub(super) is_later: bool,
    /// Whether a choice whose options are listed directly stands after it.
    pub(super) is_followed: bool,
}

impl<'a> CourseWalk<'a> {
    /// Returns the label of a choice in a row of choices, below a help text. Without it, their options would seem to be those
    /// of one choice. Returns `None` for a choice that stands alone.
    pub(super) fn row_label(&self, choose: &'a Choose, depth: usize) -> Option<&'static str> {
        let row = self.row.filter(|row| row.depth == depth && (row.is_later || row.is_followed))?;
        Some(match (row.is_later, self.offers_one(choose)) {
            (true, true) => "then:",
            (true, false) => "then choose one:",
            (false, true) => "first:",
            (false, false) => "Choose one.",
        })
    }

    /// Returns `true` if some statements, for which a help text stands, have a choice whose options are listed without a label
    /// that says when it comes.
    pub(super) fn lists_options(&self, stmts: &[Stmt]) -> bool {
        stmts.iter().any(|one| match &one.kind {
            StmtKind::Choose(_) => true,
            StmtKind::If { condition, then, otherwise } => match self.words.settled(condition) {
                Some(true) => self.lists_options(&then.stmts),
                Some(false) => otherwise.as_ref().is_some_and(|body| self.lists_options(&body.stmts)),
                None => false,
            },
            StmtKind::Call { name, .. } => match self.words.procedure(&name.text) {
                Some((_, None, body)) => self.lists_options(&body.stmts),
                _ => false,
            },
            StmtKind::Chance { body, .. } => self.lists_options(&body.stmts),
            _ => false,
        })
    }

    /// Returns the options that the params don't rule out.
    pub(super) fn options_of(&self, choose: &'a Choose) -> Vec<&'a ChoiceOption> {
        let words = self.words;
        let is_possible =
            |filter: Option<&Expr>| filter.and_then(|filter| words.settled(filter)) != Some(false);
        choose.options.iter().flatten().filter(|option| is_possible(option.filter.as_ref())).collect()
    }

    /// Returns `true` if a choice is described by a single option.
    pub(super) fn offers_one(&self, choose: &'a Choose) -> bool {
        let is_told = |body: &Block| choose.otherwise_help.is_some() || !self.does_nothing(body);
        self.options_of(choose).len() == 1 && !choose.otherwise.as_ref().is_some_and(is_told)
    }

    /// Returns `true` if nothing happens in a block.
    pub(super) fn does_nothing(&self, body: &Block) -> bool {
        self.words.sentence(body).is_some_and(|told| told.is_empty())
    }

    /// Returns `true` if the entry at an index is an option that says what its step says, without anything below it, and no
    /// other option follows it.
    pub(super) fn repeats(&self, at: usize, help: &str) -> bool {
        let Some((option, rest)) = self.entries.get(at..).and_then(|entries| entries.split_first()) else {
            return false;
        };
        let is_otherwise =
            rest.first().is_none_or(|next| next.depth == option.depth && next.text.starts_with(IF_STUCK));
        is_otherwise
            && is_same_sentence(&option.text, help)
            && rest.iter().skip(1).all(|next| next.depth > option.depth)
    }

    /// Describes the choices in a loop, after how often, or for what, they come. Players who choose are named by the label
    /// of their choice.
    pub(super) fn choices_for(
        &mut self,
        one: &Stmt,
        name: &'a str,
        over: &'a Expr,
        body: &'a Block,
        depth: usize,
    ) {
        let words = self.words;
        let (entries, called) = (self.entries.len(), self.called.clone());
        self.loops.push((name, over));
        let ((), names) = words.naming(|| self.block(body, depth, true));
        self.loops.pop();
        let is_named = names.contains(name);
        if self.entries.len() == entries || !is_named && is_choice_of(name, body) {
            return words.note_names(&names);
        }
        self.entries.truncate(entries);
        self.called = called;
        let label = match self.how_often(over).filter(|_| !is_named) {
            Some(often) if leaves(body) => format!("up to {often}"),
            Some(often) => often,
            None => words.round_of(one),
        };
        self.choices_under(&label, body, depth);
    }

    /// Says how often a loop over a range runs, if that is known and more than once.
    fn how_often(&self, over: &Expr) -> Option<String> {
        let ExprKind::Range(low, high) = &over.kind else { return None };
        let (low, high) = (self.words.number(low)?, self.words.number(high)?);
        let times = high.checked_sub(low)?.checked_add(1).filter(|times| *times > 1)?;
        say_how_often(usize::try_from(times).ok()?)
    }

    /// Describes who chooses: the player, or each player of the loop around.
    pub(super) fn actor(&self, player: &Expr) -> String {
        let ExprKind::Name(name) = &player.kind else { return self.words.value(player) };
        match self.loops.iter().rev().find(|(variable, _)| *variable == name.text) {
            Some((_, over)) => {
                let all = self.words.all_elements(over).unwrap_or_else(|| self.words.value(over));
                format!("each of {all}")
            }
            None => self.words.value(player),
        }
    }
}
