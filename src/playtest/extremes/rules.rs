//! The moves of a game if everything is a free choice: the actions of every player and the outcomes of chance.

use std::collections::{BTreeMap, BTreeSet};

use houserule_base::hash::hash;
use houserule_base::rng::Stream;
use houserule_game::{ActionId, Event, Game, RuntimeError, Start, State};
use houserule_model::fleeting_dice;
use houserule_model::{
    Arithmetic, CheckedEndResult, CheckedExpr, CheckedExprKind, CheckedStmtKind, LocalId, Model, Role,
    SlotId, Value, walk,
};
use rand::RngExt;

/// A game as one player who decides everything.
pub(super) struct EndRules {
    pub(super) game: Game,
    /// Dice whose faces no rule reads before the next roll.
    fleeting: Vec<SlotId>,
    /// Dice whose order the rules can't tell.
    symmetric: BTreeSet<SlotId>,
    /// Equal words are equal positions.
    pub(super) merges: bool,
    /// A step from stored words counts its rolls correctly.
    pub(super) counts_rolls: bool,
}

impl EndRules {
    pub(super) fn new(game: &Game) -> EndRules {
        let model = game.model();
        // Makes what runs the steps fast.
        let _ = game.compiled_steps();
        let mut redrawn_rolls = false;
        for block in walk::all_blocks(model) {
            walk::stmts(model, block, &mut |stmt| {
                if let CheckedStmtKind::Chance { body, .. } = &stmt.kind {
                    walk::stmts(model, body, &mut |inner| {
                        redrawn_rolls |= matches!(inner.kind, CheckedStmtKind::Roll { .. });
                    });
                }
            });
        }
        EndRules {
            game: game.clone(),
            fleeting: fleeting_dice(model),
            symmetric: symmetric_dice(model),
            merges: game.program().pasts.is_empty(),
            counts_rolls: !redrawn_rolls,
        }
    }

    /// Returns the first state of a game in which the caller decides chance.
    pub(super) fn start(&self) -> Result<State, RuntimeError> {
        let mut state = self.game.start_at(&Start { explicit_chance: true, ..Start::default() })?;
        self.forget(&mut state);
        Ok(state)
    }

    fn forget(&self, state: &mut State) {
        self.fleeting.iter().for_each(|dice| state.forget_dice(*dice));
    }

    /// Returns the moves of a state: numbers of actions or of outcomes. Of outcomes that differ only in the order of
    /// dice that the rules can't tell apart, one is enough. Returns `None` if there are more than `most` outcomes.
    pub(super) fn moves(&self, state: &State, most: u64) -> Option<Vec<u64>> {
        if !state.is_chance() {
            return Some(state.legal_actions().into_iter().map(|action| u64::from(action.0)).collect());
        }
        if state.distinct_count() > most {
            return None;
        }
        let faces = self.sorted_faces(state);
        let outcomes = state.distinct_outcomes().map(|(outcome, _)| outcome);
        Some(match faces {
            Some(faces) => outcomes.filter(|outcome| is_sorted(state, *outcome, faces)).collect(),
            None => outcomes.collect(),
        })
    }

    /// Returns the number of faces of the pending dice if their order doesn't matter.
    fn sorted_faces(&self, state: &State) -> Option<u64> {
        let Some(Event::Roll { slot, .. }) = state.chance_event(0) else { return None };
        let (_, faces) = state.pending_dice().filter(|_| self.symmetric.contains(&slot))?;
        // Without all orders, the condition of a `given` may leave none.
        (!state.is_under_condition()).then_some(u64::from(faces))
    }

    /// Returns at most `most` moves, in random order.
    pub(super) fn some_moves(&self, state: &State, most: usize, stream: &mut Stream) -> Vec<u64> {
        let mut moves = match self.moves(state, most as u64 * 64) {
            Some(moves) => moves,
            None => (0..most).map(|_| state.draw_outcome(stream)).collect(),
        };
        for at in 0..moves.len().min(most) {
            let other = stream.random_range(at as u64..moves.len() as u64);
            moves.swap(at, other as usize);
        }
        moves.truncate(most);
        moves
    }

    /// Draws a move uniformly at random.
    pub(super) fn random_move(&self, state: &State, stream: &mut Stream) -> Option<u64> {
        if state.is_chance() {
            return Some(state.draw_outcome(stream));
        }
        let actions = state.legal_actions();
        let at = stream.random_range(0..actions.len().max(1) as u64);
        actions.get(at as usize).map(|action| u64::from(action.0))
    }

    /// Returns `true` if the pending event is a roll that counts as one more.
    pub(super) fn is_roll(&self, state: &State) -> bool {
        let Some(Event::Roll { slot, dice, .. }) = state.chance_event(0) else { return false };
        let Role::Dice { count, .. } = self.game.model().slots[slot.index()].role else { return false };
        // A roll with too many outcomes is rolled die by die, and only the first counts.
        dice.count_ones() > 1 || count == 1
    }

    /// Applies a move. Returns `false` if it is not possible, or if the rules fail: such a game has no result.
    pub(super) fn apply(&self, state: &mut State, step: u64) -> bool {
        let done = match state.is_chance() {
            true => state.apply_outcome(step),
            false => match u32::try_from(step) {
                Ok(action) => state.apply(ActionId(action)),
                Err(_) => return false,
            },
        };
        self.forget(state);
        done.is_ok()
    }

    /// Replays moves from the start, with all dice kept.
    pub(super) fn replay(&self, moves: &[u64]) -> Option<State> {
        let start = Start { explicit_chance: true, ..Start::default() };
        let mut state = self.game.start_at(&start).ok()?;
        for step in moves {
            let done = match state.is_chance() {
                true => state.apply_outcome(*step),
                false => state.apply(ActionId(u32::try_from(*step).ok()?)),
            };
            done.ok()?;
        }
        Some(state)
    }

    /// Returns a hash of a position.
    pub(super) fn key(&self, state: &State) -> u64 {
        hash(state.persistent())
    }
}

/// Do the dice of an outcome show numbers that don't fall?
fn is_sorted(state: &State, outcome: u64, faces: u64) -> bool {
    let Some(Event::Roll { outcome: mut digits, dice, .. }) = state.chance_event(outcome) else {
        return true;
    };
    let mut last = faces;
    for _ in 0..dice.count_ones() {
        let digit = digits % faces;
        if digit > last {
            return false;
        }
        last = digit;
        digits /= faces;
    }
    true
}

/// Returns the dice whose order makes no difference: every expression that reads them stays the same if two of them are
/// exchanged, and they are rerolled only as whole sets or as any subset.
fn symmetric_dice(model: &Model) -> BTreeSet<SlotId> {
    if !model.hooks.is_empty() {
        return BTreeSet::new();
    }
    let mut subsets: BTreeSet<LocalId> = BTreeSet::new();
    let mut rerolls: BTreeMap<LocalId, usize> = BTreeMap::new();
    let mut rolled_by: BTreeSet<(SlotId, Option<LocalId>)> = BTreeSet::new();
    let mut roots = vec![];
    for block in walk::all_blocks(model) {
        walk::stmts(model, block, &mut |stmt| {
            roots.extend(walk::own_exprs(model, stmt));
            match &stmt.kind {
                CheckedStmtKind::Roll { dice, among: Some(among) } => {
                    let local = match &among.kind {
                        CheckedExprKind::Local(local) => Some(*local),
                        _ => None,
                    };
                    if let Some(local) = local {
                        *rerolls.entry(local).or_default() += 1;
                    }
                    rolled_by.insert((dice.slot, local));
                }
                // A die that is turned is one of its own.
                CheckedStmtKind::Assign { target, .. } => {
                    rolled_by.insert((target.slot, None));
                }
                CheckedStmtKind::Choose(choice) => {
                    let options = &model.choices[choice.index()].options;
                    let binders = options.iter().flat_map(|option| &option.binders);
                    subsets.extend(binders.filter(|binder| binder.subset).map(|binder| binder.local));
                }
                _ => {}
            }
        });
    }
    for end in &model.ends {
        roots.push(&end.when);
        if let Some(CheckedEndResult::Win(player) | CheckedEndResult::Lose(player)) = &end.result {
            roots.push(player);
        }
    }
    roots.extend(model.score.iter().map(|item| &item.value));
    roots.extend(model.winner.iter().map(|rank| &rank.value));
    roots.extend(model.payoff.iter().map(|payoff| &payoff.value));
    // A subset of the dice may be rolled, and it may be asked whether it is empty and how large it is.
    let (mut uses, mut queries) = (BTreeMap::<LocalId, usize>::new(), BTreeMap::<LocalId, usize>::new());
    for root in &roots {
        walk::expr(root, &mut |e| match &e.kind {
            CheckedExprKind::Local(local) => *uses.entry(*local).or_default() += 1,
            CheckedExprKind::IsSome(of) | CheckedExprKind::Count(of) => {
                if let CheckedExprKind::Local(local) = &of.kind {
                    *queries.entry(*local).or_default() += 1;
                }
            }
            _ => {}
        });
    }
    let count = |of: &BTreeMap<LocalId, usize>, local: &LocalId| of.get(local).copied().unwrap_or(0);
    let by_any = |local: &LocalId| {
        subsets.contains(local) && count(&uses, local) == count(&queries, local) + count(&rerolls, local)
    };
    let is_symmetric = |slot: SlotId, dice: u32| {
        let same = |root: &&CheckedExpr| {
            let plain = written(root, slot, None);
            plain.is_some() && (1..dice).all(|die| written(root, slot, Some(die)) == plain)
        };
        roots.iter().filter(|root| reads_dice(root, slot)).all(same)
            && rolled_by.iter().filter(|(of, _)| *of == slot).all(|(_, by)| by.as_ref().is_some_and(by_any))
    };
    (0..)
        .map(SlotId)
        .zip(&model.slots)
        .filter_map(|(id, slot)| match slot.role {
            Role::Dice { count, .. } => is_symmetric(id, count).then_some(id),
            _ => None,
        })
        .collect()
}

fn reads_dice(e: &CheckedExpr, slot: SlotId) -> bool {
    let mut found = false;
    walk::expr(e, &mut |e| found |= matches!(&e.kind, CheckedExprKind::Read(target) if target.slot == slot));
    found
}

/// Writes an expression so that the order of the operands of sums and the like makes no difference, with die `swapped`
/// and the one before it exchanged. Returns `None` for a form in which the dice may have an order.
fn written(e: &CheckedExpr, slot: SlotId, swapped: Option<u32>) -> Option<String> {
    if !reads_dice(e, slot) {
        return Some(without_places(e));
    }
    let of = |e: &CheckedExpr| written(e, slot, swapped);
    let mut operands = vec![];
    chain(e, &mut operands);
    if operands.len() > 1 {
        let mut parts = operands.into_iter().map(of).collect::<Option<Vec<String>>>()?;
        parts.sort_unstable();
        let operator = match &e.kind {
            CheckedExprKind::Arithmetic(op, ..) => format!("{op:?}"),
            CheckedExprKind::And(..) => "and".to_owned(),
            _ => "or".to_owned(),
        };
        return Some(format!("{operator}({})", parts.join(",")));
    }
    Some(match &e.kind {
        CheckedExprKind::Read(target) => {
            let (die, before) = target.index.split_last()?;
            let CheckedExprKind::Constant(Value::Element(Some(die))) = die.kind else { return None };
            let die = match swapped {
                Some(swapped) if die == swapped => die - 1,
                Some(swapped) if die + 1 == swapped => die + 1,
                _ => die,
            };
            if before.iter().any(|index| reads_dice(index, slot)) {
                return None;
            }
            format!("die {die} of {}", before.iter().map(without_places).collect::<Vec<_>>().join(","))
        }
        CheckedExprKind::Arithmetic(op, a, b) => format!("{op:?}({},{})", of(a)?, of(b)?),
        CheckedExprKind::Compare(op, a, b) => format!("{op:?}({},{})", of(a)?, of(b)?),
        CheckedExprKind::Same(a, b) => format!("same({},{})", of(a)?, of(b)?),
        CheckedExprKind::Not(a) => format!("not({})", of(a)?),
        CheckedExprKind::Negate(a) => format!("minus({})", of(a)?),
        CheckedExprKind::If(a, b, c) => format!("if({},{},{})", of(a)?, of(b)?, of(c)?),
        CheckedExprKind::ValueOf(a) => format!("value({})", of(a)?),
        CheckedExprKind::ElementOf(a) => format!("element({},{:?})", of(a)?, e.ty),
        CheckedExprKind::Table(table, index) => {
            let index = index.iter().map(of).collect::<Option<Vec<String>>>()?;
            format!("{table:?}[{}]", index.join(","))
        }
        CheckedExprKind::Field(table, element) => format!("{table:?}.{}", of(element)?),
        CheckedExprKind::Quantified { op, local, over, body } if !reads_dice(over, slot) => {
            format!("{op:?} {local:?} {} {}", without_places(over), of(body)?)
        }
        _ => return None,
    })
}

/// Collects the operands of an operator for which their order makes no difference.
fn chain<'e>(e: &'e CheckedExpr, operands: &mut Vec<&'e CheckedExpr>) {
    let same = |other: &CheckedExpr| match (&e.kind, &other.kind) {
        (CheckedExprKind::Arithmetic(a, ..), CheckedExprKind::Arithmetic(b, ..)) => a == b,
        (CheckedExprKind::And(..), CheckedExprKind::And(..))
        | (CheckedExprKind::Or(..), CheckedExprKind::Or(..)) => true,
        _ => false,
    };
    match &e.kind {
        CheckedExprKind::Arithmetic(
            Arithmetic::Add | Arithmetic::Multiply | Arithmetic::Min | Arithmetic::Max,
            a,
            b,
        )
        | CheckedExprKind::And(a, b)
        | CheckedExprKind::Or(a, b) => {
            for part in [a, b] {
                if same(part) { chain(part, operands) } else { operands.push(part) }
            }
        }
        _ => operands.push(e),
    }
}

/// Writes an expression without its places in the source.
fn without_places(e: &CheckedExpr) -> String {
    let text = format!("{e:?}");
    let mut parts = text.split("span: Span {");
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        plain.push_str(part.split_once('}').map_or(part, |(_, rest)| rest));
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;
    use houserule_loader::{Request, load, load_text};

    fn symmetric(game: &Game) -> usize {
        symmetric_dice(game.model()).len()
    }

    #[test]
    fn dice_that_are_only_counted_have_no_order() {
        let bundled = |name| load(&Request { name, ..Request::default() }).unwrap().game;
        assert_eq!(symmetric(&bundled("yacht")), 1);
        assert_eq!(symmetric(&bundled("dilido")), 0, "its dice name columns and rows");
    }

    #[test]
    fn a_die_that_is_named_has_its_place() {
        let game = |points: &str, reroll: &str| {
            let text = format!(
                "game \"Dice\" {{ players 1 dice hand: 3 of d6 var n: 0..99 = 0 \
                 turn {{ roll hand choose {{ reroll k subset of hand {{ {reroll} }} }} n = {points} }} \
                 end over when n >= 0 score {{ n: n }} }}"
            );
            load_text("dice", &text, &Request::default()).map(|loaded| loaded.game)
        };
        assert_eq!(symmetric(&game("sum(hand)", "roll k").unwrap()), 1);
        assert_eq!(symmetric(&game("faces(hand, 6)", "roll k").unwrap()), 1);
        assert_eq!(symmetric(&game("hand[1]", "roll k").unwrap()), 0);
        assert_eq!(symmetric(&game("sum(hand)", "roll k if 1 in k { n = 1 }").unwrap()), 0);
    }
}
