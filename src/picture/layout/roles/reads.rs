//! What the rules read variables for: only to end the game, or in play, and for which choices. Reads the model alone.

use houserule_model::{
    CheckedBlock, CheckedEndResult, CheckedExpr, CheckedExprKind, CheckedStmt, CheckedStmtKind, ChoiceId,
    MatchLength, Model, SlotId, truths, walk,
};

/// What some variables are read for.
#[derive(Clone, Debug, Default)]
pub(super) struct VariableReads {
    /// The variables that matter only for ends.
    pub(super) ending: Vec<SlotId>,
    /// The variables of a turn with the choices whose options read them, in order.
    pub(super) of_choices: Vec<(SlotId, ChoiceId)>,
}

/// Finds out which of some variables only ends read, and which options read the variables of a turn.
pub(super) fn read_variables(model: &Model, may_end: &[SlotId], of_turn: &[SlotId]) -> VariableReads {
    if may_end.is_empty() && of_turn.is_empty() {
        return VariableReads::default();
    }
    let mut watched = vec![WatchKind::None; model.slots.len()];
    for (slots, kind) in [(may_end, WatchKind::End), (of_turn, WatchKind::Turn)] {
        slots.iter().for_each(|slot| watched[slot.index()] = kind);
    }
    let mut notes =
        ReadNotes { model, watched, by_ends: vec![], feeds: vec![], choices: vec![], of_choices: vec![] };
    notes.read_rules();
    let ending = notes.find_ending(may_end);
    let mut of_choices = notes.of_choices;
    of_choices.sort_unstable();
    of_choices.dedup();
    VariableReads { ending, of_choices }
}

/// What is to be known of a variable.
#[derive(Clone, Copy, PartialEq, Eq)]
enum WatchKind {
    None,
    /// Whether only ends read it.
    End,
    /// Which options read it.
    Turn,
}

/// What a value is read for.
#[derive(Clone, Copy)]
enum ReadUse<'t> {
    /// For play, or for a number that people see.
    Play,
    /// To find out whether the game ends, or who wins.
    End,
    /// Only for what these variables are given.
    Feeds(&'t [SlotId]),
}

/// The places where variables are read.
struct ReadNotes<'m> {
    model: &'m Model,
    /// By slot.
    watched: Vec<WatchKind>,
    /// Variables that ends read.
    by_ends: Vec<SlotId>,
    /// Variables, each with one that is given a value by it.
    feeds: Vec<(SlotId, SlotId)>,
    /// The choices in whose options the statement is.
    choices: Vec<ChoiceId>,
    of_choices: Vec<(SlotId, ChoiceId)>,
}

impl ReadNotes<'_> {
    fn read_rules(&mut self) {
        let model = self.model;
        for block in walk::all_blocks(model) {
            self.read_block(block);
        }
        for end in &model.ends {
            self.read(&end.when, ReadUse::End);
            self.read_result(end.result.as_ref());
        }
        model.score.iter().for_each(|item| self.read_score(&item.value, false));
        model.winner.iter().for_each(|rank| self.read_score(&rank.value, false));
        model.payoff.iter().for_each(|payoff| self.read_score(&payoff.value, false));
        if let Some(playing) = &model.playing {
            self.read(&playing.mover, ReadUse::Play);
            self.read(&playing.next, ReadUse::Play);
        }
        if let Some(rules) = &model.match_rules
            && let MatchLength::Until(until) = &rules.length
        {
            self.read(until, ReadUse::End);
        }
    }

    fn read_block(&mut self, block: &CheckedBlock) {
        for stmt in &block.stmts {
            self.read_statement(stmt);
        }
    }

    fn read_statement(&mut self, stmt: &CheckedStmt) {
        let model = self.model;
        match &stmt.kind {
            CheckedStmtKind::Assign { target, value } => {
                for index in &target.index {
                    self.read(index, ReadUse::Play);
                }
                let is_watched = self.watched[target.slot.index()] != WatchKind::None;
                let targets = [target.slot];
                self.read(value, if is_watched { ReadUse::Feeds(&targets) } else { ReadUse::Play });
            }
            CheckedStmtKind::If { condition, then, otherwise } => {
                let mut targets = vec![];
                let used = if ends_game(then) || ends_game(otherwise) {
                    ReadUse::End
                } else if self.list_assigned(then, &mut targets)
                    && self.list_assigned(otherwise, &mut targets)
                {
                    ReadUse::Feeds(&targets)
                } else {
                    ReadUse::Play
                };
                self.read(condition, used);
                self.read_block(then);
                self.read_block(otherwise);
            }
            CheckedStmtKind::Choose(id) => {
                let choice = &model.choices[id.index()];
                self.choices.push(*id);
                for e in walk::own_exprs(model, stmt) {
                    self.read(e, ReadUse::Play);
                }
                for option in &choice.options {
                    self.read_block(&option.body);
                }
                self.choices.pop();
                if let Some(otherwise) = &choice.otherwise {
                    self.read_block(otherwise);
                }
            }
            CheckedStmtKind::EndGame { result, .. } => self.read_result(result.as_ref()),
            _ => {
                for e in walk::own_exprs(model, stmt) {
                    self.read(e, ReadUse::Play);
                }
                for inner in stmt.blocks() {
                    self.read_block(inner);
                }
            }
        }
    }

    /// Adds the variables to which a block does nothing but give values, and of which only ends may read. Returns `false` if it
    /// does anything else.
    fn list_assigned(&self, block: &CheckedBlock, found: &mut Vec<SlotId>) -> bool {
        block.stmts.iter().all(|stmt| match &stmt.kind {
            CheckedStmtKind::Assign { target, .. } => {
                found.push(target.slot);
                self.watched[target.slot.index()] == WatchKind::End
            }
            CheckedStmtKind::If { then, otherwise, .. } => {
                self.list_assigned(then, found) && self.list_assigned(otherwise, found)
            }
            _ => false,
        })
    }

    fn read_result(&mut self, result: Option<&CheckedEndResult>) {
        if let Some(CheckedEndResult::Win(players) | CheckedEndResult::Lose(players)) = result {
            self.read(players, ReadUse::End);
        }
    }

    /// Reads a score. What it only tests decides who wins.
    fn read_score(&mut self, e: &CheckedExpr, is_test: bool) {
        if let CheckedExprKind::Read(target) = &e.kind {
            self.note(target.slot, if is_test { ReadUse::End } else { ReadUse::Play });
        }
        if let CheckedExprKind::If(condition, then, otherwise) = &e.kind {
            self.read_score(condition, true);
            self.read_score(then, is_test);
            self.read_score(otherwise, is_test);
            return;
        }
        let is_test = is_test || matches!(e.kind, truths!());
        walk::children(e, &mut |child| self.read_score(child, is_test));
    }

    fn read(&mut self, e: &CheckedExpr, used: ReadUse<'_>) {
        walk::expr(e, &mut |part| {
            if let CheckedExprKind::Read(target) = &part.kind {
                self.note(target.slot, used);
            }
        });
    }

    fn note(&mut self, slot: SlotId, used: ReadUse<'_>) {
        match (self.watched[slot.index()], used) {
            (WatchKind::None, _) => {}
            // Nothing more is to be known of it.
            (WatchKind::End, ReadUse::Play) => self.watched[slot.index()] = WatchKind::None,
            (WatchKind::End, ReadUse::End) => self.by_ends.push(slot),
            (WatchKind::End, ReadUse::Feeds(targets)) => {
                self.feeds.extend(targets.iter().map(|target| (slot, *target)));
            }
            // `drawn += 1` is no use of it.
            (WatchKind::Turn, ReadUse::Feeds([only])) if *only == slot => {}
            (WatchKind::Turn, _) => {
                self.of_choices.extend(self.choices.iter().map(|choice| (slot, *choice)));
            }
        }
    }

    /// Returns the variables that only ends read, or others of that kind for their own values.
    fn find_ending(&self, may_end: &[SlotId]) -> Vec<SlotId> {
        let is_left = |slot: &SlotId| self.watched[slot.index()] == WatchKind::End;
        let mut ending: Vec<SlotId> = may_end.iter().copied().filter(is_left).collect();
        loop {
            let before = ending.clone();
            let feeds_others = |slot: SlotId| {
                let mut targets = self.feeds.iter().filter(move |(from, _)| *from == slot);
                targets.any(|(_, to)| !before.contains(to))
            };
            ending.retain(|slot| !feeds_others(*slot));
            if ending.len() == before.len() {
                break;
            }
        }
        // Of a variable that nothing reads, only people learn something.
        let feeds_one = |slot: SlotId| self.feeds.iter().any(|(from, to)| *from == slot && *to != slot);
        ending.retain(|slot| self.by_ends.contains(slot) || feeds_one(*slot));
        ending
    }
}

/// Returns `true` if the game ends in a block.
fn ends_game(block: &CheckedBlock) -> bool {
    block.stmts.iter().any(|stmt| matches!(stmt.kind, CheckedStmtKind::EndGame { .. }))
}
