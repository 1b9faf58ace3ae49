//! What everybody sees the rules come to: nothing hidden decides whether it is reached. Of such choices everybody may be
//! told that no option was legal, and of such `as` blocks who acts.
//!
//! Reads the model alone.

use std::collections::{HashMap, HashSet};

use super::super::information::is_kept;
use super::super::sites_in_zones::chooses_from_zones;
use houserule_language::diagnostic::Span;
use houserule_model::{
    CheckedBinder, CheckedBlock, CheckedExpr, CheckedExprKind, CheckedOption, CheckedStmtKind, ChoiceId,
    Control, LocalId, Model, Role, Target, Visibility, walk,
};

/// Returns for each choice whether everybody sees that the rules come to it.
pub(super) fn open_choices(model: &Model) -> Vec<bool> {
    let mut search = OpenSearch::new(model);
    for block in [&model.setup, &model.turn] {
        search.block(block, true);
    }
    // A part that was left for a hidden reason may not come to what follows in it, or to what a loop does again.
    match search.left_out_of_sight {
        true => vec![false; model.choices.len()],
        false => search.open,
    }
}

/// Which statements everybody sees run, if options tell what they bind.
#[derive(Debug)]
pub(super) struct StatementsInSight {
    /// For each `as` block, whether everybody sees that it is run, and who acts.
    acts: HashMap<Span, bool>,
    /// For each statement that moves elements to zones, whether everybody sees which zones these are.
    zones: HashMap<Span, bool>,
    /// Statements of which something hidden decides whether they are run.
    out_of_sight: HashSet<Span>,
    /// Whether something hidden decides whether a step, a turn or the game is left.
    left_out_of_sight: bool,
}

impl StatementsInSight {
    pub(super) fn new(model: &Model) -> StatementsInSight {
        let mut search = OpenSearch::new(model);
        let mut set_again = vec![];
        for block in walk::all_blocks(model) {
            walk::stmts(model, block, &mut |stmt| {
                if let CheckedStmtKind::SetLocal { local, .. } = &stmt.kind {
                    set_again.push(*local);
                }
            });
        }
        search.set_again = Some(set_again);
        for block in walk::all_blocks(model) {
            search.block(block, true);
        }
        let OpenSearch { acts, zones, out_of_sight, left_out_of_sight, .. } = search;
        StatementsInSight { acts, zones, out_of_sight, left_out_of_sight }
    }

    /// Returns `true` if everybody sees that an `as` block is run, and who acts there.
    pub(super) fn shows_actor(&self, act: Span) -> bool {
        !self.left_out_of_sight && self.acts.get(&act) == Some(&true)
    }

    /// Returns `true` if everybody sees to which zones a statement moves elements.
    pub(super) fn shows_zones(&self, stmt: Span) -> bool {
        self.zones.get(&stmt) == Some(&true)
    }

    /// Returns `true` if something hidden decides whether one of some statements is run.
    pub(super) fn may_skip(&self, stmts: &HashSet<Span>) -> bool {
        stmts.iter().any(|stmt| self.left_out_of_sight || self.out_of_sight.contains(stmt))
    }

    /// Returns some statements, and those that may be run instead of them without anybody seeing which.
    pub(super) fn with_alternatives(&self, stmts: HashSet<Span>, model: &Model) -> HashSet<Span> {
        let mut all = stmts;
        all.extend(&self.out_of_sight);
        if self.left_out_of_sight {
            for block in walk::all_blocks(model) {
                walk::stmts(model, block, &mut |stmt| {
                    all.insert(stmt.span);
                });
            }
        }
        all
    }
}

struct OpenSearch<'m> {
    model: &'m Model,
    /// For each choice, whether nothing hidden decides so far whether it is reached.
    open: Vec<bool>,
    /// Locals whose values everybody sees: those of loops.
    locals: Vec<LocalId>,
    /// Whether something hidden decides whether a step, a turn or the game is left.
    left_out_of_sight: bool,
    /// The locals that are assigned to, if what options bind and what `let` names counts, too.
    set_again: Option<Vec<LocalId>>,
    /// For each `as` block, whether everybody sees that it is run, and who acts.
    acts: HashMap<Span, bool>,
    /// For each statement that moves elements to zones, whether everybody sees which zones these are.
    zones: HashMap<Span, bool>,
    /// Statements of which something hidden decides whether they are run.
    out_of_sight: HashSet<Span>,
}

impl<'m> OpenSearch<'m> {
    fn new(model: &'m Model) -> OpenSearch<'m> {
        OpenSearch {
            model,
            open: vec![true; model.choices.len()],
            locals: vec![],
            left_out_of_sight: false,
            set_again: None,
            acts: HashMap::new(),
            zones: HashMap::new(),
            out_of_sight: HashSet::new(),
        }
    }

    /// Looks at a block. `open`: everybody sees whether it is run.
    fn block(&mut self, block: &'m CheckedBlock, open: bool) {
        self.inner_block(block, open, None);
    }

    /// Looks at a block inside a statement, by its span. A statement of the rules can be several of the model, with the same
    /// span, such as loops that update what players know of an order: whether these are run is no decision of the rules.
    fn inner_block(&mut self, block: &'m CheckedBlock, open: bool, within: Option<Span>) {
        for stmt in &block.stmts {
            let open_inside = open
                && match &stmt.kind {
                    CheckedStmtKind::If { condition: one, .. }
                    | CheckedStmtKind::While { condition: one, .. }
                    | CheckedStmtKind::Repeat { until: one, .. }
                    | CheckedStmtKind::As { player: one, .. }
                    | CheckedStmtKind::Turns { from: one, .. } => self.is_open(one),
                    CheckedStmtKind::For { local, over, from, .. } => {
                        let is_open = self.is_open(over) && from.iter().all(|from| self.is_open(from));
                        if is_open {
                            self.locals.push(*local);
                        }
                        is_open
                    }
                    _ => true,
                };
            if !open && within != Some(stmt.span) {
                self.out_of_sight.insert(stmt.span);
            }
            match &stmt.kind {
                CheckedStmtKind::As { .. } => {
                    *self.acts.entry(stmt.span).or_insert(true) &= open_inside;
                }
                CheckedStmtKind::MoveTo { zone, .. } => {
                    let is_open = open && self.are_open(&zone.index);
                    *self.zones.entry(stmt.span).or_insert(true) &= is_open;
                }
                CheckedStmtKind::Let { local, value } if self.names_openly(*local, value) => {
                    self.locals.push(*local);
                }
                _ => {}
            }
            let around = Some(stmt.span);
            match stmt.kind.control() {
                Control::Choice(choice) => {
                    self.bind(choice);
                    self.open[choice.index()] &= open;
                    // Everybody is told which option was taken.
                    for inner in self.model.choices[choice.index()].blocks() {
                        self.inner_block(inner, open, around);
                    }
                }
                Control::Step(inner)
                | Control::Turns(inner)
                | Control::Chance(inner)
                | Control::Loop(inner)
                | Control::As(inner) => self.inner_block(inner, open_inside, around),
                Control::Branch(one, two) => {
                    self.inner_block(one, open_inside, around);
                    self.inner_block(two, open_inside, around);
                }
                Control::Exit(_) => self.left_out_of_sight |= !open,
                Control::Event(_) | Control::Call(_) | Control::Plain => {}
            }
        }
    }

    /// Returns `true` if a local has always the value of an expression that everybody sees.
    fn names_openly(&mut self, local: LocalId, value: &'m CheckedExpr) -> bool {
        self.set_again.as_ref().is_some_and(|again| !again.contains(&local)) && self.is_open(value)
    }

    /// Adds what the options of a choice bind and tell everybody.
    fn bind(&mut self, choice: ChoiceId) {
        let model = self.model;
        let Some(again) = &self.set_again else { return };
        for option in &model.choices[choice.index()].options {
            let told = option.binders.iter().filter(|binder| is_told(model, option, binder));
            self.locals.extend(told.map(|binder| binder.local).filter(|local| !again.contains(local)));
        }
    }

    /// Returns `true` if everybody sees all that decides the value of an expression.
    fn is_open(&mut self, e: &'m CheckedExpr) -> bool {
        match &e.kind {
            // Everybody sees how many elements lie in a zone.
            CheckedExprKind::IsSome(set) | CheckedExprKind::Count(set)
                if let Some(index) = self.zone_index(set) =>
            {
                self.are_open(index)
            }
            CheckedExprKind::Read(target) => self.reads(target),
            CheckedExprKind::Local(local) => self.locals.contains(local),
            CheckedExprKind::Repeated { .. }
            | CheckedExprKind::Call { .. }
            | CheckedExprKind::Tried { .. }
            | CheckedExprKind::Chain(_)
            | CheckedExprKind::RestOfChain => false,
            kind => {
                if let CheckedExprKind::Filter { local, .. } | CheckedExprKind::Quantified { local, .. } =
                    kind
                {
                    self.locals.push(*local);
                }
                let mut all = true;
                walk::children(e, &mut |child| all = all && self.is_open(child));
                all
            }
        }
    }

    /// Returns the index of a zone that an expression reads.
    fn zone_index(&self, e: &'m CheckedExpr) -> Option<&'m [CheckedExpr]> {
        let CheckedExprKind::Read(target) = &e.kind else { return None };
        let is_zone = self.model.slots[target.slot.index()].role == Role::Zone;
        is_zone.then_some(target.index.as_slice())
    }

    fn are_open(&mut self, all: &'m [CheckedExpr]) -> bool {
        all.iter().all(|one| self.is_open(one))
    }

    fn reads(&mut self, target: &'m Target) -> bool {
        let slot = &self.model.slots[target.slot.index()];
        let hidden = match slot.role {
            Role::Known | Role::KnownCopies(_) | Role::Place | Role::SeenPlace | Role::Empty(_) => true,
            _ => slot.visibility != Visibility::All,
        };
        // Until all have chosen together, nobody sees what it changes.
        let apart = self.model.together.iter().any(|block| block.slots.contains(&target.slot));
        !hidden && !apart && self.are_open(&target.index)
    }
}

/// Returns `true` if everybody learns what an option binds.
fn is_told(model: &Model, option: &CheckedOption, binder: &CheckedBinder) -> bool {
    match option.seen {
        Some(seen) => seen == Visibility::All,
        None => {
            !is_kept(model, &option.body, binder.local)
                && !chooses_from_zones(model, option, binder)
                && !model.has_copies(binder.domain)
        }
    }
}
