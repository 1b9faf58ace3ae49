//! What the statements of the rules move from zone to zone: how much of a zone, and whether an action does it. Reads the
//! model alone.

use houserule_language::diagnostic::Span;
use houserule_language::syntax::Quantifier;
use houserule_model::constant::constant_position;
use houserule_model::{
    Arithmetic, CheckedBlock, CheckedExpr, CheckedExprKind, CheckedStmt, CheckedStmtKind, ComparisonOperator,
    Content, LocalId, Model, Role, SlotId, Target, Value, exits, is_same_index,
};

/// Maximum number of locals that are followed to find out whether a set has one element.
const MOST_FOLLOWED: u32 = 8;

/// How much of a zone moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum MovedPart {
    /// One element.
    One,
    /// A set of elements.
    Several,
    /// All that lies in one zone.
    Zone,
    /// All that lies in all zones of a family.
    Family,
}

/// A zone from which something moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MoveSource {
    pub(super) zone: SlotId,
    pub(super) part: MovedPart,
    /// What lies on an element moves along with it: `move above(t) | t to …`.
    pub(super) is_carried: bool,
    /// It goes to the zone with the same index.
    pub(super) keeps_index: bool,
}

/// A statement that moves elements or copies to a zone.
#[derive(Clone, Debug)]
pub(super) struct ZoneMove {
    pub(super) to: SlotId,
    /// The zones from which it takes them, as far as the statement tells.
    pub(super) sources: Vec<MoveSource>,
    /// It moves one element or copy.
    pub(super) is_single: bool,
    /// Chance picks what moves.
    pub(super) is_drawn: bool,
    /// It stands in the turns, not in the setup.
    pub(super) in_play: bool,
    /// An action moves it.
    pub(super) by_action: bool,
}

/// Returns what all statements of the rules move to zones, in their order.
pub(super) fn zone_moves(model: &Model) -> Vec<ZoneMove> {
    let origins = vec![None; model.locals.len()];
    let mut notes = StatementNotes { model, origins, assigned: vec![], found: vec![] };
    for (block, in_play) in [(&model.setup, false), (&model.turn, true), (&model.on_end, false)] {
        notes.read_block(block, MovePlace { in_play, by_action: false });
    }
    notes.list_moves()
}

/// Where the value of a local comes from.
#[derive(Clone, Copy)]
struct LocalOrigin<'m> {
    value: &'m CheckedExpr,
    kind: OriginKind,
}

/// How a local follows from the expression that it comes from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum OriginKind {
    /// It has its value.
    Value,
    /// It is a subset.
    Subset,
    /// It is an element of the set.
    Element,
    /// It goes through the elements of the set.
    Loop,
    /// Chance picks it in the set.
    Drawn,
}

/// Where a statement stands.
#[derive(Clone, Copy)]
struct MovePlace {
    in_play: bool,
    by_action: bool,
}

/// How many copies of each kind move.
#[derive(Clone, Copy, PartialEq, Eq)]
enum CopiesCount {
    One,
    Number,
    All,
}

/// Copies that move to a zone.
struct CopiesMove<'m> {
    /// The zones from which they go.
    losses: Vec<&'m Target>,
    kinds: &'m CheckedExpr,
    count: CopiesCount,
}

/// What moves.
enum MovedThings<'m> {
    Elements(&'m CheckedExpr),
    Copies(CopiesMove<'m>),
}

/// A statement that moves something, as it was found.
struct FoundMove<'m> {
    to: &'m Target,
    things: MovedThings<'m>,
    place: MovePlace,
    span: Span,
}

/// A move to which further statements may belong.
struct MoveDraft {
    made: ZoneMove,
    sources: Vec<FoundSource>,
    /// Where it is written, if it moves all copies in a zone: those of a family have a statement for each zone.
    all_copies_at: Option<Span>,
}

/// The statements of the rules, as far as they matter.
struct StatementNotes<'m> {
    model: &'m Model,
    origins: Vec<Option<LocalOrigin<'m>>>,
    /// What is assigned to variables.
    assigned: Vec<(SlotId, &'m CheckedExpr)>,
    found: Vec<FoundMove<'m>>,
}

impl<'m> StatementNotes<'m> {
    fn read_block(&mut self, block: &'m CheckedBlock, place: MovePlace) {
        for stmt in &block.stmts {
            self.read_statement(stmt, place);
        }
    }

    fn read_statement(&mut self, stmt: &'m CheckedStmt, place: MovePlace) {
        let model = self.model;
        match &stmt.kind {
            CheckedStmtKind::Let { local, value } => self.note(*local, value, OriginKind::Value),
            CheckedStmtKind::SetLocal { local, value } => {
                // A local that begins as a constant, such as `none`, tells nothing.
                let origin = self.origins[local.index()];
                if origin.is_none_or(|origin| matches!(origin.value.kind, CheckedExprKind::Constant(_))) {
                    self.note(*local, value, OriginKind::Value);
                }
            }
            CheckedStmtKind::Pick { local, over, .. } => self.note(*local, over, OriginKind::Drawn),
            CheckedStmtKind::For { local, over, body, .. } => {
                self.note(*local, over, OriginKind::Loop);
                for (to, copies) in copies_moved(model, over, body) {
                    let things = MovedThings::Copies(copies);
                    self.found.push(FoundMove { to, things, place, span: stmt.span });
                }
            }
            CheckedStmtKind::Assign { target, value } => {
                let slot = &model.slots[target.slot.index()];
                let holds_elements = matches!(slot.content, Content::Set(_) | Content::Element { .. });
                if slot.role == Role::Variable && holds_elements {
                    self.assigned.push((target.slot, value));
                }
            }
            CheckedStmtKind::MoveTo { what, zone, .. } => {
                let things = MovedThings::Elements(what);
                self.found.push(FoundMove { to: zone, things, place, span: stmt.span });
            }
            CheckedStmtKind::Choose(choice) => {
                let choice = &model.choices[choice.index()];
                for option in &choice.options {
                    for binder in &option.binders {
                        let kind = if binder.subset { OriginKind::Subset } else { OriginKind::Element };
                        self.note(binder.local, &binder.over, kind);
                    }
                    self.read_block(&option.body, MovePlace { by_action: true, ..place });
                }
                if let Some(otherwise) = &choice.otherwise {
                    self.read_block(otherwise, place);
                }
            }
            CheckedStmtKind::Step { .. }
            | CheckedStmtKind::If { .. }
            | CheckedStmtKind::While { .. }
            | CheckedStmtKind::Repeat { .. }
            | CheckedStmtKind::Chance { .. }
            | CheckedStmtKind::As { .. }
            | CheckedStmtKind::Turns { .. }
            | CheckedStmtKind::Put { .. }
            | CheckedStmtKind::Clear { .. }
            | CheckedStmtKind::ClearPiece { .. }
            | CheckedStmtKind::Move { .. }
            | CheckedStmtKind::Roll { .. }
            | CheckedStmtKind::Call { .. }
            | CheckedStmtKind::Next(_)
            | exits!() => {}
        }
        for inner in stmt.blocks() {
            self.read_block(inner, place);
        }
    }

    fn note(&mut self, local: LocalId, value: &'m CheckedExpr, kind: OriginKind) {
        self.origins[local.index()] = Some(LocalOrigin { value, kind });
    }

    fn list_moves(&self) -> Vec<ZoneMove> {
        let mut drafts: Vec<MoveDraft> = vec![];
        for found in &self.found {
            let mut draft = self.draft(found);
            match drafts.last_mut() {
                Some(last)
                    if draft.all_copies_at.is_some()
                        && last.all_copies_at == draft.all_copies_at
                        && last.made.to == draft.made.to =>
                {
                    last.sources.append(&mut draft.sources);
                }
                _ => drafts.push(draft),
            }
        }
        let finished = |draft: MoveDraft| {
            let sources = join_sources(self.model, &draft.sources);
            ZoneMove { sources, ..draft.made }
        };
        drafts.into_iter().map(finished).collect()
    }

    fn draft(&self, found: &FoundMove<'m>) -> MoveDraft {
        let mut finder = SourceFinder::new(self, family_index(self.model, found.to));
        let (is_single, all_copies_at) = match &found.things {
            MovedThings::Elements(what) => {
                finder.find(what, MovedPart::Zone, false);
                (self.is_single(what, MOST_FOLLOWED), None)
            }
            MovedThings::Copies(copies) => {
                // The kinds tell whether chance picks one. The zones are those that lose copies.
                finder.find(copies.kinds, MovedPart::One, false);
                finder.found.clear();
                let is_single =
                    copies.count == CopiesCount::One && self.is_single(copies.kinds, MOST_FOLLOWED);
                let is_whole = copies.count == CopiesCount::All && self.has_all_kinds(copies.kinds);
                let part = match (is_single, is_whole) {
                    (true, _) => MovedPart::One,
                    (_, true) => MovedPart::Zone,
                    _ => MovedPart::Several,
                };
                for from in &copies.losses {
                    finder.add(from, part, false);
                }
                (is_single, is_whole.then_some(found.span))
            }
        };
        let made = ZoneMove {
            to: found.to.slot,
            sources: vec![],
            is_single,
            is_drawn: finder.is_drawn,
            in_play: found.place.in_play,
            by_action: found.place.by_action || finder.is_committed,
        };
        MoveDraft { made, sources: finder.found, all_copies_at }
    }

    /// Returns `true` if a set has at most one element, whatever the state is.
    fn is_single(&self, set: &CheckedExpr, most_followed: u32) -> bool {
        match &set.kind {
            CheckedExprKind::Elements(all) => all.len() <= 1,
            CheckedExprKind::Constant(Value::Set(all)) => all.len() <= 1,
            CheckedExprKind::If(_, a, b) => {
                self.is_single(a, most_followed) && self.is_single(b, most_followed)
            }
            CheckedExprKind::Local(local) => match self.origins[local.index()] {
                Some(LocalOrigin { value, kind: OriginKind::Value }) if most_followed > 0 => {
                    self.is_single(value, most_followed - 1)
                }
                _ => false,
            },
            _ => false,
        }
    }

    /// Returns `true` for all kinds that lie in a zone of copies, or all that there are.
    fn has_all_kinds(&self, kinds: &CheckedExpr) -> bool {
        let value = match &kinds.kind {
            CheckedExprKind::Local(local) => self.origins[local.index()].map(|origin| origin.value),
            _ => None,
        };
        let value = value.unwrap_or(kinds);
        is_full(value) || self.model.kinds_of(value).is_some()
    }
}

/// A zone from which something moves, as an expression names it.
struct FoundSource {
    zone: SlotId,
    part: MovedPart,
    is_carried: bool,
    keeps_index: bool,
    place: FamilyPlace,
}

/// Which zones of a family an index names.
#[derive(Clone, Copy, PartialEq, Eq)]
enum FamilyPlace {
    /// Each of them in turn.
    All,
    /// One of them, always the same.
    One(u32),
    /// It depends on the state.
    Unknown,
}

/// Finds the zones in which the elements of a set lie.
struct SourceFinder<'n, 'm> {
    notes: &'n StatementNotes<'m>,
    /// The index of the zone to which they go.
    to: &'m [CheckedExpr],
    /// The locals of the unions around the expression, each with the set that it goes through.
    inner: Vec<(LocalId, &'m CheckedExpr)>,
    /// The locals that are being followed, and the variables that have been.
    locals: Vec<LocalId>,
    variables: Vec<SlotId>,
    found: Vec<FoundSource>,
    /// Chance picks an element.
    is_drawn: bool,
    /// Actions have committed the elements in `together`: a variable without a name of the rules holds them.
    is_committed: bool,
}

impl<'n, 'm> SourceFinder<'n, 'm> {
    fn new(notes: &'n StatementNotes<'m>, to: &'m [CheckedExpr]) -> SourceFinder<'n, 'm> {
        SourceFinder {
            notes,
            to,
            inner: vec![],
            locals: vec![],
            variables: vec![],
            found: vec![],
            is_drawn: false,
            is_committed: false,
        }
    }

    /// Finds the zones of a set, or of an element, of which `most` is taken. `is_carried` if it goes along with what is taken.
    fn find(&mut self, e: &'m CheckedExpr, most: MovedPart, is_carried: bool) {
        let several = most.min(MovedPart::Several);
        match &e.kind {
            CheckedExprKind::Read(target) => self.find_in_slot(target, most, is_carried),
            CheckedExprKind::Local(local) => self.follow(*local, most, is_carried),
            CheckedExprKind::Elements(all) => {
                for one in all {
                    self.find(one, MovedPart::One, is_carried);
                }
            }
            CheckedExprKind::First(set)
            | CheckedExprKind::Last(set)
            | CheckedExprKind::Quantified { op: Quantifier::Best, over: set, .. } => {
                self.find(set, MovedPart::One, is_carried);
            }
            CheckedExprKind::Minus(set, _)
            | CheckedExprKind::Quantified { op: Quantifier::AllBest, over: set, .. } => {
                self.find(set, several, is_carried);
            }
            CheckedExprKind::Quantified { op: Quantifier::Union, local, over, body } => {
                self.inner.push((*local, over));
                self.find(body, most, is_carried);
                self.inner.pop();
            }
            CheckedExprKind::Union(a, b) | CheckedExprKind::If(_, a, b) => {
                self.find(a, most, is_carried);
                self.find(b, most, is_carried);
            }
            CheckedExprKind::Intersect(a, b) => {
                let before = self.found.len();
                self.find(a, several, is_carried);
                if self.found.len() == before {
                    self.find(b, several, is_carried);
                }
            }
            CheckedExprKind::Filter { local, over, condition } => {
                if let Some(element) = lies_above(self.notes.model, condition) {
                    self.find(element, several, true);
                    return;
                }
                let before = self.found.len();
                self.find(over, several, is_carried);
                if self.found.len() == before {
                    self.find_by_condition(condition, *local, is_carried);
                }
            }
            CheckedExprKind::As { value, .. }
            | CheckedExprKind::ElementOf(value)
            | CheckedExprKind::ValueOf(value) => self.find(value, most, is_carried),
            _ => {}
        }
    }

    /// Finds the zones in which a condition says that an element lies.
    fn find_by_condition(&mut self, condition: &'m CheckedExpr, local: LocalId, is_carried: bool) {
        match &condition.kind {
            CheckedExprKind::And(a, b) => {
                self.find_by_condition(a, local, is_carried);
                self.find_by_condition(b, local, is_carried);
            }
            CheckedExprKind::Contains { set, element } if is_local(element, local) => {
                self.find(set, MovedPart::Several, is_carried);
            }
            _ => {}
        }
    }

    /// Finds the zone that is read, or those from which a variable has its elements.
    fn find_in_slot(&mut self, target: &'m Target, most: MovedPart, is_carried: bool) {
        let notes = self.notes;
        let slot = &notes.model.slots[target.slot.index()];
        let most = match (slot.role, slot.content) {
            (Role::Zone, _) => return self.add(target, most, is_carried),
            (Role::Variable, Content::Set(_)) => most.min(MovedPart::Several),
            (Role::Variable, Content::Element { .. }) => MovedPart::One,
            _ => return,
        };
        if self.variables.contains(&target.slot) {
            return;
        }
        self.is_committed |= self.variables.is_empty() && !slot.can_be_named();
        self.variables.push(target.slot);
        for &(of, value) in &notes.assigned {
            if of == target.slot {
                self.find(value, most, is_carried);
            }
        }
    }

    /// Finds the zones from which a local has its value.
    fn follow(&mut self, local: LocalId, most: MovedPart, is_carried: bool) {
        if self.locals.contains(&local) {
            return;
        }
        let (value, kind) = match (self.inner_set(local), self.notes.origins[local.index()]) {
            (Some(over), _) => (over, OriginKind::Loop),
            (None, Some(LocalOrigin { value, kind })) => (value, kind),
            (None, None) => return,
        };
        self.is_drawn |= kind == OriginKind::Drawn;
        let most = match kind {
            OriginKind::Value => most,
            OriginKind::Subset => most.min(MovedPart::Several),
            OriginKind::Element | OriginKind::Loop | OriginKind::Drawn => MovedPart::One,
        };
        self.locals.push(local);
        self.find(value, most, is_carried);
        self.locals.pop();
    }

    /// Returns the set that a local goes through, if it is that of a union around the expression.
    fn inner_set(&self, local: LocalId) -> Option<&'m CheckedExpr> {
        self.inner.iter().rev().find(|(known, _)| *known == local).map(|(_, over)| *over)
    }

    fn add(&mut self, target: &Target, part: MovedPart, is_carried: bool) {
        let index = family_index(self.notes.model, target);
        let is_same = index.len() == self.to.len()
            && index.iter().zip(self.to).all(|(from, to)| is_same_index(from, to));
        let source = FoundSource {
            zone: target.slot,
            part,
            is_carried,
            keeps_index: is_same && !index.is_empty(),
            place: self.family_place(target.slot, index),
        };
        self.found.push(source);
    }

    fn family_place(&self, zone: SlotId, index: &[CheckedExpr]) -> FamilyPlace {
        if !index.is_empty() && index.iter().all(|e| self.goes_through_all(e)) {
            return FamilyPlace::All;
        }
        constant_position(self.notes.model, zone, index).map_or(FamilyPlace::Unknown, FamilyPlace::One)
    }

    /// Returns `true` for an index that goes through a whole domain, while the zone to which the elements go doesn't change with
    /// it.
    fn goes_through_all(&self, index: &CheckedExpr) -> bool {
        let CheckedExprKind::Local(local) = index.kind else { return false };
        let over = match (self.inner_set(local), self.notes.origins[local.index()]) {
            (Some(over), _) => over,
            (None, Some(LocalOrigin { value, kind: OriginKind::Loop })) => value,
            _ => return false,
        };
        is_full(over) && !self.to.iter().any(|to| is_local(to, local))
    }
}

/// Returns the index of a zone in its family, without that of a kind of copies.
fn family_index<'t>(model: &Model, zone: &'t Target) -> &'t [CheckedExpr] {
    match model.slots[zone.slot.index()].role {
        Role::Copies => &zone.index[..zone.index.len().saturating_sub(1)],
        _ => &zone.index,
    }
}

fn is_local(e: &CheckedExpr, local: LocalId) -> bool {
    matches!(e.kind, CheckedExprKind::Local(known) if known == local)
}

/// Returns `true` for the set of all elements of a domain.
fn is_full(set: &CheckedExpr) -> bool {
    matches!(&set.kind, CheckedExprKind::Constant(Value::Set(all)) if all.len() == all.size())
}

/// Returns the element t if a condition on elements is that of `above(t)`: they lie nearer to the top than t does.
fn lies_above<'m>(model: &Model, condition: &'m CheckedExpr) -> Option<&'m CheckedExpr> {
    let CheckedExprKind::Compare(ComparisonOperator::Less, own, than) = &condition.kind else { return None };
    let (CheckedExprKind::Read(own), CheckedExprKind::Read(than)) = (&own.kind, &than.kind) else {
        return None;
    };
    let are_places = [own, than].iter().all(|read| model.slots[read.slot.index()].role == Role::Place);
    than.index.first().filter(|_| are_places)
}

/// Returns what a loop over kinds moves from zone to zone, for each zone that gets copies. The checker makes such a loop of a
/// move of copies, with assignments to the counts.
fn copies_moved<'m>(
    model: &Model,
    kinds: &'m CheckedExpr,
    body: &'m CheckedBlock,
) -> Vec<(&'m Target, CopiesMove<'m>)> {
    let (mut gains, mut losses): (Vec<&'m Target>, Vec<&'m Target>) = (vec![], vec![]);
    let mut count = CopiesCount::All;
    for stmt in &body.stmts {
        let CheckedStmtKind::Assign { target, value } = &stmt.kind else { continue };
        if model.slots[target.slot.index()].role != Role::Copies {
            continue;
        }
        match &value.kind {
            CheckedExprKind::Arithmetic(Arithmetic::Add, _, number) => {
                gains.push(target);
                count = copies_count(number, body);
            }
            CheckedExprKind::Arithmetic(Arithmetic::Subtract, ..) => losses.push(target),
            // Two zones exchange what lies in them.
            _ => {
                gains.push(target);
                losses.push(target);
            }
        }
    }
    let each = gains.into_iter().map(|to| {
        let others = losses.iter().copied().filter(|from| !std::ptr::eq(*from, to));
        (to, CopiesMove { losses: others.collect(), kinds, count })
    });
    each.collect()
}

/// Returns how many copies a number is in a loop that moves copies. Their number in the zone is a local of the loop.
fn copies_count(number: &CheckedExpr, body: &CheckedBlock) -> CopiesCount {
    let is_of_loop = |local: LocalId| {
        let mut stmts = body.stmts.iter();
        stmts.any(|stmt| matches!(stmt.kind, CheckedStmtKind::Let { local: known, .. } if known == local))
    };
    match number.kind {
        CheckedExprKind::Constant(Value::Number(1)) => CopiesCount::One,
        CheckedExprKind::Local(local) if is_of_loop(local) => CopiesCount::All,
        _ => CopiesCount::Number,
    }
}

/// Joins what a move takes from zones: each zone once for each part, and whole families as such.
fn join_sources(model: &Model, found: &[FoundSource]) -> Vec<MoveSource> {
    let mut all: Vec<MoveSource> = vec![];
    for FoundSource { zone, part, is_carried, keeps_index, .. } in found {
        let is_family = *part == MovedPart::Zone && takes_family(model, *zone, found);
        let part = if is_family { MovedPart::Family } else { *part };
        let source = MoveSource { zone: *zone, part, is_carried: *is_carried, keeps_index: *keeps_index };
        if !all.contains(&source) {
            all.push(source);
        }
    }
    all
}

/// Returns `true` if a move takes all that lies in all zones of a family of several.
fn takes_family(model: &Model, zone: SlotId, found: &[FoundSource]) -> bool {
    let slot = &model.slots[zone.index()];
    let kinds = match (slot.role, slot.index.last()) {
        (Role::Copies, Some(kind)) => model.domains[kind.index()].size as usize,
        _ => 1,
    };
    let members = slot.initial.len() / kinds.max(1);
    let mut places: Vec<u32> = vec![];
    for source in found.iter().filter(|source| source.zone == zone && source.part == MovedPart::Zone) {
        match source.place {
            FamilyPlace::All => return members > 1,
            FamilyPlace::One(place) if !places.contains(&place) => places.push(place),
            FamilyPlace::One(_) | FamilyPlace::Unknown => {}
        }
    }
    members > 1 && places.len() == members
}
