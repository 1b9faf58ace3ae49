//! The things on a table that actions name: sites, columns and rows, elements in zones, dice, players. Drawings mark
//! them with these names, so that a program can tell which actions a thing belongs to.
//!
//! A name is `DOMAIN:INDEX`, such as `cell:12` or `card:3`. Where a domain alone leaves open which thing is meant, the
//! board, the zone or the dice stand in its place: `sea[X]:5`, `hand[black]:2`, `dice white:0`, `column cell:3`.

use super::evaluate;
use crate::{ActionId, Game, Seat, State, family_names};
use houserule_model::{
    BinderValue, BoardId, CheckedBinder, CheckedExpr, CheckedExprKind, CheckedOption, CheckedStmtKind,
    DomainId, DomainKind, Model, PLAYER, Role, Slot, SlotId, Target, Value, walk,
};

/// The name of an element of a domain.
pub fn element(model: &Model, domain: DomainId, element: u32) -> String {
    format!("{}:{element}", model.domains[domain.index()].name)
}

/// The name of a player as a thing.
pub fn player(model: &Model, seat: Seat) -> String {
    element(model, PLAYER, seat.0)
}

/// What the names of the sites of a board begin with, given its index in its family.
pub fn sites(game: &Game, board: BoardId, number: usize) -> String {
    let board = &game.model().boards[board.index()];
    // The sides of a family of boards bear the name of their own family.
    family_names(game, &board.name, &board.index).swap_remove(number)
}

/// What the names of dice begin with.
pub fn dice(name: &str) -> String {
    format!("dice {name}")
}

/// The columns or the rows of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lanes {
    /// The columns.
    Columns,
    /// The rows.
    Rows,
}

impl Lanes {
    /// What the names of a board's columns or rows begin with.
    pub fn prefix(self, sites: &str) -> String {
        match self {
            Lanes::Columns => format!("column {sites}"),
            Lanes::Rows => format!("row {sites}"),
        }
    }
}

/// The things that the legal actions of a state name.
#[derive(Clone, Debug, Default)]
pub struct ActionThings {
    options: Vec<OptionThings>,
}

/// The things that the actions of an option name.
#[derive(Clone, Debug)]
struct OptionThings {
    /// The action numbers of the option.
    first: u32,
    size: u32,
    /// For each binder, the names of its elements.
    binders: Vec<BinderThings>,
}

/// The names of the elements that a binder can have.
#[derive(Clone, Debug)]
struct BinderThings {
    /// What they begin with: a name for each place of a family of boards or zones, or a single one.
    family: Vec<String>,
    /// The board, if they are sites of one, or of a known one of a family.
    board: Option<BoardId>,
    /// Which place of the family is meant: the parts of its index, each with the size of its domain.
    place: Vec<(u32, IndexPart)>,
    /// The index of the first one, and its distance to the next.
    first: u32,
    step: u32,
}

/// A part of the index of a board or zone.
#[derive(Clone, Copy, Debug)]
enum IndexPart {
    /// An element.
    Fixed(u32),
    /// What the action binds before.
    Bound(usize),
}

impl BinderThings {
    /// Elements with names that begin the same.
    fn all(prefix: String) -> BinderThings {
        BinderThings { family: vec![prefix], board: None, place: vec![], first: 0, step: 1 }
    }

    /// Which place of the family an action means.
    fn place(&self, bound: &[BinderValue]) -> usize {
        let part = |part: &IndexPart| match part {
            IndexPart::Fixed(element) => *element,
            IndexPart::Bound(at) => {
                bound.get(*at).and_then(|bound| bound.elements().1.first().copied()).unwrap_or(0)
            }
        };
        self.place.iter().fold(0, |place, (size, index)| place * size + part(index)) as usize
    }

    /// The names of what a binder of an action binds.
    fn names(&self, bound: &[BinderValue], at: usize) -> Vec<String> {
        let prefix = self.family.get(self.place(bound)).map_or("", String::as_str);
        let elements = bound.get(at).map_or_else(Vec::new, |bound| bound.elements().1);
        elements.into_iter().map(|element| format!("{prefix}:{}", self.first + self.step * element)).collect()
    }
}

impl ActionThings {
    /// Reads them from the pending choice; without one there are none.
    pub fn from_state(state: &State) -> ActionThings {
        let (Some(choice), Some(mover)) = (state.pending_choice(), state.current_player()) else {
            return ActionThings::default();
        };
        let model = state.game().model();
        let choice = &model.choices[choice.index()];
        let options = choice.options.iter().map(|option| {
            let block = &model.actions[option.actions.index()];
            let reader = BinderReader { state, model, mover, option };
            let binders = option.binders.iter().map(|binder| reader.read(binder)).collect();
            OptionThings { first: block.first, size: block.size, binders }
        });
        ActionThings { options: options.collect() }
    }

    fn option_of(&self, action: ActionId) -> Option<&OptionThings> {
        self.options.iter().find(|option| (option.first..option.first + option.size).contains(&action.0))
    }

    /// The things that an action names, in order.
    pub fn named_by(&self, game: &Game, action: ActionId) -> Vec<String> {
        let Some(option) = self.option_of(action) else { return vec![] };
        let bound = game.action_bindings(action);
        option.binders.iter().enumerate().flat_map(|(at, binder)| binder.names(&bound, at)).collect()
    }

    /// The sites that an action names on a board, given its index in its family. What leaves the board of a family open names
    /// none.
    pub fn sites_on(&self, game: &Game, action: ActionId, board: BoardId, number: usize) -> Vec<u32> {
        let Some(option) = self.option_of(action) else { return vec![] };
        let bound = game.action_bindings(action);
        let named = option.binders.iter().zip(&bound);
        let named = named.filter(|(binder, _)| binder.board == Some(board) && binder.place(&bound) == number);
        let site = |(_, bound): (&BinderThings, &BinderValue)| match bound {
            BinderValue::Element(_, element) => Some(*element),
            _ => None,
        };
        named.filter_map(site).collect()
    }

    /// Returns `true` if actions name things that begin with these words.
    pub fn name(&self, prefix: &str) -> bool {
        let mut binders = self.options.iter().flat_map(|option| &option.binders);
        binders.any(|binder| binder.family.iter().any(|name| name == prefix))
    }
}

/// Finds out what a binder of an option ranges over.
struct BinderReader<'s> {
    state: &'s State,
    model: &'s Model,
    mover: Seat,
    option: &'s CheckedOption,
}

impl<'s> BinderReader<'s> {
    fn read(&self, binder: &CheckedBinder) -> BinderThings {
        if let Some(dice) = self.as_dice(binder) {
            return dice;
        }
        if let Some((lanes, board)) = lanes(&binder.over)
            && let Some(mut of) = self.board(board, &binder.over)
        {
            of.family.iter_mut().for_each(|name| *name = lanes.prefix(name));
            of.board = None;
            return of;
        }
        let domain = &self.model.domains[binder.domain.index()];
        let sites = || match domain.kind {
            DomainKind::Sites(board) => self.board(board, &binder.over),
            _ => None,
        };
        let found = sites().or_else(|| self.copies(binder));
        found.unwrap_or_else(|| BinderThings::all(domain.name.clone()))
    }

    /// Returns the dice that a binder chooses among: those that the option rolls, or reads by its number.
    fn as_dice(&self, binder: &CheckedBinder) -> Option<BinderThings> {
        let mut found = None;
        let is_it = |e: &CheckedExpr| is_local(e, binder);
        let mut look = |target: &Target, among: Option<&CheckedExpr>| {
            let slot = &self.model.slots[target.slot.index()];
            let Role::Dice { .. } = slot.role else { return };
            // The dice of a family follow those of the one before.
            let (mut first, mut step, mut stride) = (0, None, 1);
            let index = slot.index.iter().zip(target.index.iter().chain(among)).collect::<Vec<_>>();
            for (domain, e) in index.into_iter().rev() {
                match &e.kind {
                    _ if is_it(e) && *domain == binder.domain => step = Some(stride),
                    CheckedExprKind::Constant(Value::Element(Some(at))) => first += at * stride,
                    _ => return,
                }
                stride *= self.model.domains[domain.index()].size;
            }
            if let (None, Some(step)) = (&found, step) {
                found = Some(BinderThings { first, step, ..BinderThings::all(dice(&slot.name)) });
            }
        };
        if let Some(filter) = &self.option.filter {
            walk::expr(filter, &mut |e| {
                if let CheckedExprKind::Read(target) = &e.kind {
                    look(target, None);
                }
            });
        }
        walk::stmts(self.model, &self.option.body, &mut |stmt| {
            if let CheckedStmtKind::Roll { dice, among: Some(among) } = &stmt.kind {
                look(dice, Some(among));
            }
        });
        found
    }

    /// Returns the sites of a board, or of the board of a family on which a binder's sites are.
    fn board(&self, board: BoardId, over: &CheckedExpr) -> Option<BinderThings> {
        let of = &self.model.boards[board.index()];
        let depth = of.index.len();
        let on_it = |id: SlotId, slot: &Slot| {
            let stands = of.empty == id || of.pieces.contains(&id);
            slot.index.starts_with(&of.index) && (stands || slot.index.get(depth) == Some(&of.domain))
        };
        let place = match depth {
            0 => vec![],
            _ => self.place(over, &|id, slot| on_it(id, slot).then_some(depth))?.1,
        };
        let family = family_names(self.state.game(), &of.name, &of.index);
        Some(BinderThings { family, board: Some(board), place, first: 0, step: 1 })
    }

    /// Returns the zone in which a binder's counted copies lie.
    fn copies(&self, binder: &CheckedBinder) -> Option<BinderThings> {
        let lies = |_: SlotId, slot: &Slot| {
            let own = slot.role == Role::Copies && slot.index.last() == Some(&binder.domain);
            own.then(|| slot.index.len() - 1)
        };
        let (id, place) = self.place(&binder.over, &lies)?;
        let slot = &self.model.slots[id.index()];
        let family = family_names(self.state.game(), &slot.name, &slot.index[..slot.index.len() - 1]);
        Some(BinderThings { family, board: None, place, first: 0, step: 1 })
    }

    /// Finds the first slot that an expression, or the condition of the option, reads and that `fits` accepts.
    /// Returns it with its place in its family, as far as `fits` says that the index goes.
    fn place(
        &self,
        over: &CheckedExpr,
        fits: &dyn Fn(SlotId, &Slot) -> Option<usize>,
    ) -> Option<(SlotId, Vec<(u32, IndexPart)>)> {
        let mut found = None;
        let mut look = |e: &CheckedExpr| {
            let (None, CheckedExprKind::Read(target)) = (&found, &e.kind) else { return };
            let slot = &self.model.slots[target.slot.index()];
            let Some(depth) = fits(target.slot, slot) else { return };
            let index = slot.index.iter().zip(&target.index).take(depth);
            let part =
                |(domain, e): (&DomainId, _)| Some((self.model.domains[domain.index()].size, self.part(e)?));
            let place: Option<Vec<_>> = index.map(part).collect();
            found = place.map(|place| (target.slot, place));
        };
        walk::expr(over, &mut look);
        if let Some(filter) = &self.option.filter {
            walk::expr(filter, &mut look);
        }
        found
    }

    /// Evaluates a part of an index: what the action binds, or what doesn't depend on that.
    fn part(&self, e: &CheckedExpr) -> Option<IndexPart> {
        if let Some(at) = self.option.binders.iter().position(|binder| is_local(e, binder)) {
            return Some(IndexPart::Bound(at));
        }
        let mut bound = false;
        walk::expr(e, &mut |e| bound |= matches!(e.kind, CheckedExprKind::Local(_)));
        if bound {
            return None;
        }
        match evaluate(self.state, e, self.mover) {
            Ok(Value::Element(element)) => element.map(IndexPart::Fixed),
            _ => None,
        }
    }
}

/// Returns `true` if an expression is what a binder binds.
fn is_local(e: &CheckedExpr, binder: &CheckedBinder) -> bool {
    match &e.kind {
        CheckedExprKind::Local(local) => *local == binder.local,
        CheckedExprKind::ElementOf(inner) | CheckedExprKind::ValueOf(inner) => is_local(inner, binder),
        _ => false,
    }
}

/// Returns the board of which a set has columns or rows.
fn lanes(set: &CheckedExpr) -> Option<(Lanes, BoardId)> {
    match &set.kind {
        CheckedExprKind::Columns(board, _) => Some((Lanes::Columns, *board)),
        CheckedExprKind::Rows(board, _) => Some((Lanes::Rows, *board)),
        CheckedExprKind::Intersect(a, b) => lanes(a).or_else(|| lanes(b)),
        CheckedExprKind::Minus(a, _) | CheckedExprKind::Filter { over: a, .. } => lanes(a),
        _ => None,
    }
}
