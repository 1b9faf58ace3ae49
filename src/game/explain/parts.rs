//! Splits the value of a score item into runs, the elements of a sum, and expressions that can't be split.

use super::run::{LineDirection, counted};
use super::{ItemExplanation, ScorePart};
use crate::oracle;
use crate::oracle::value_with;
use crate::values::value_text;
use crate::{Seat, State};
use houserule_language::syntax::Quantifier;
use houserule_model::board::runs;
use houserule_model::{
    Arithmetic, CheckedExpr, CheckedExprKind, Content, DomainId, ScoreItem, SlotId, Type, Value,
};

/// Maximum number of elements of a sum that are listed one by one.
const MOST_ELEMENTS: usize = 40;

/// Maximum length of rule text as a name, in characters. Beyond it the item's name is used.
const LONGEST_NAME: usize = 60;

/// Explains an item that is worth `points`.
pub(crate) fn explained(
    state: &State,
    slow: &oracle::SlotValues,
    sees: &dyn Fn(SlotId, usize) -> bool,
    player: Seat,
    item: &ScoreItem,
    points: i64,
) -> ItemExplanation {
    let fresh = || ItemExplanation {
        name: item.name.clone(),
        help: item.help.clone(),
        points,
        runs: vec![],
        rest: vec![],
        directions: vec![],
    };
    let locals = vec![None; state.game().model().locals.len()];
    let mut taken = Taker { state, slow, sees, item, locals, me: player, told: fresh() };
    if taken.take(&item.value, 1).is_some() && sum(&taken.told) == Some(points) {
        return taken.told;
    }
    // Some expression could not be split. The item as a whole is always right.
    let whole = ScorePart { name: item.name.clone(), element: None, points, source: None };
    ItemExplanation { rest: vec![whole], ..fresh() }
}

fn sum(told: &ItemExplanation) -> Option<i64> {
    let runs = told.runs.iter().map(|run| run.points);
    runs.chain(told.rest.iter().map(|part| part.points)).try_fold(0i64, i64::checked_add)
}

struct Taker<'s> {
    state: &'s State,
    slow: &'s oracle::SlotValues,
    sees: &'s dyn Fn(SlotId, usize) -> bool,
    item: &'s ScoreItem,
    locals: Vec<Option<Value>>,
    me: Seat,
    told: ItemExplanation,
}

impl Taker<'_> {
    fn value(&mut self, e: &CheckedExpr) -> Option<Value> {
        value_with(self.state.game().model(), self.slow, &mut self.locals, e, self.me).ok()
    }

    fn number(&mut self, e: &CheckedExpr) -> Option<i64> {
        match self.value(e)? {
            Value::Number(number) => Some(number),
            _ => None,
        }
    }

    /// Splits a number that counts `factor` times. Returns `None` if it can't be evaluated.
    fn take(&mut self, e: &CheckedExpr, factor: i64) -> Option<()> {
        match &e.kind {
            CheckedExprKind::Lines { board, along, of, points } => {
                let Value::Set(set) = self.value(of)? else { return None };
                let topology = &self.state.game().model().boards[board.index()].topology;
                // A line of one site has no direction.
                let whole = |line: &usize| topology.lines()[*line].sites.len() > 1;
                let lines = (0..topology.lines().len())
                    .filter(|line| along.contains(topology.lines()[*line].kind) && whole(line));
                let present: Vec<LineDirection> =
                    lines.map(|line| LineDirection::from_line(topology, line)).collect();
                for direction in
                    LineDirection::ALL.into_iter().filter(|direction| present.contains(direction))
                {
                    if self.told.directions.iter().all(|(known, _)| *known != direction) {
                        self.told.directions.push((direction, 0));
                    }
                }
                for run in runs(topology, &set, *along) {
                    let worth = points.get(i64::from(run.length)).checked_mul(factor)?;
                    if worth == 0 {
                        continue;
                    }
                    let run = counted(self.state, self.sees, *board, run, worth);
                    match self.told.directions.iter_mut().find(|(direction, _)| *direction == run.direction) {
                        Some((_, points)) => *points = points.checked_add(worth)?,
                        None => self.told.directions.push((run.direction, worth)),
                    }
                    self.told.runs.push(run);
                }
                Some(())
            }
            CheckedExprKind::Arithmetic(Arithmetic::Add, left, right) => {
                self.take(left, factor)?;
                self.take(right, factor)
            }
            CheckedExprKind::Arithmetic(Arithmetic::Subtract, left, right) => {
                self.take(left, factor)?;
                self.take(right, factor.checked_neg()?)
            }
            CheckedExprKind::Negate(value) => self.take(value, factor.checked_neg()?),
            CheckedExprKind::Arithmetic(Arithmetic::Multiply, left, right) => {
                match (has_parts(left), has_parts(right)) {
                    (true, false) => {
                        let times = self.number(right)?;
                        self.take(left, factor.checked_mul(times)?)
                    }
                    (false, true) => {
                        let times = self.number(left)?;
                        self.take(right, factor.checked_mul(times)?)
                    }
                    _ => self.whole(e, factor),
                }
            }
            CheckedExprKind::Arithmetic(Arithmetic::Min | Arithmetic::Max, left, right) => {
                let all = self.number(e)?;
                for side in [left, right] {
                    if has_parts(side) && self.number(side)? == all {
                        return self.take(side, factor);
                    }
                }
                self.whole(e, factor)
            }
            CheckedExprKind::If(condition, then, otherwise) => match self.value(condition)? {
                Value::Bool(true) => self.take(then, factor),
                _ => self.take(otherwise, factor),
            },
            CheckedExprKind::As { player, value } => {
                let Value::Element(Some(seat)) = self.value(player)? else { return None };
                let me = std::mem::replace(&mut self.me, Seat(seat));
                let taken = self.take(value, factor);
                self.me = me;
                taken
            }
            // That the number of copies is seen doesn't show of which kinds they are.
            CheckedExprKind::Quantified { .. } if self.counts_unseen(e) => self.whole(e, factor),
            CheckedExprKind::Quantified { op: Quantifier::Sum, local, over, body } => {
                let Value::Set(set) = self.value(over)? else { return None };
                let named = has_parts(body);
                if !named && set.len() as usize > MOST_ELEMENTS {
                    return self.whole(e, factor);
                }
                let before = self.locals[local.index()].take();
                for element in set.iter() {
                    self.locals[local.index()] = Some(Value::Element(Some(element)));
                    match named {
                        true => self.take(body, factor)?,
                        false => {
                            let points = self.number(body)?.checked_mul(factor)?;
                            let name = self.element_name(over, element);
                            let element = match over.ty {
                                Type::Set(domain) => Some((domain, element)),
                                _ => None,
                            };
                            self.add(ScorePart { name, element, points, source: None });
                        }
                    }
                }
                self.locals[local.index()] = before;
                Some(())
            }
            _ => self.whole(e, factor),
        }
    }

    /// Returns `true` if an expression counts all copies in a zone whose contents aren't seen.
    fn counts_unseen(&mut self, e: &CheckedExpr) -> bool {
        let state = self.state;
        let model = state.game().model();
        let Some(zone) = model.counts_all_of(e) else { return false };
        let Some((kinds, family)) = model.slots[zone.slot.index()].index.split_last() else { return false };
        let size = |domain: &DomainId| model.domains[domain.index()].size as usize;
        let mut place = 0;
        for (index, domain) in zone.index.iter().zip(family) {
            let Some(Value::Element(Some(at))) = self.value(index) else { return true };
            place = place * size(domain) + at as usize;
        }
        !(self.sees)(zone.slot, place * size(kinds))
    }

    /// Adds an expression that can't be split.
    fn whole(&mut self, e: &CheckedExpr, factor: i64) -> Option<()> {
        let points = self.number(e)?.checked_mul(factor)?;
        let written = self.written(e);
        let name = match factor {
            1 => written,
            -1 => format!("− {written}"),
            _ => format!("{factor} × {written}"),
        };
        let source = (name != self.item.name).then_some((e.span, factor));
        self.add(ScorePart { name, element: None, points, source });
        Some(())
    }

    fn add(&mut self, part: ScorePart) {
        if part.points != 0 {
            self.told.rest.push(part);
        }
    }

    /// Returns the rule text of an expression, or the item's name if there is no short text or the expression
    /// is the whole item.
    fn written(&self, e: &CheckedExpr) -> String {
        let sources = &self.state.game().sheet().sources;
        let known = sources.iter().any(|(file, _)| file == e.span.file);
        let text = if known { sources.text(e.span) } else { "" };
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let whole = std::ptr::eq(e, &self.item.value);
        if whole || text.is_empty() || text.chars().count() > LONGEST_NAME {
            return self.item.name.clone();
        }
        text
    }

    fn element_name(&self, over: &CheckedExpr, element: u32) -> String {
        let Type::Set(domain) = over.ty else { return element.to_string() };
        let content = Content::Element { domain, optional: false };
        value_text(self.state.game(), content, &Value::Element(Some(element)))
    }
}

/// Returns `true` if an expression can be split into runs or the elements of a sum.
fn has_parts(e: &CheckedExpr) -> bool {
    match &e.kind {
        CheckedExprKind::Lines { .. } | CheckedExprKind::Quantified { op: Quantifier::Sum, .. } => true,
        CheckedExprKind::Arithmetic(Arithmetic::Divide | Arithmetic::Modulo, ..) => false,
        CheckedExprKind::Arithmetic(_, left, right) | CheckedExprKind::If(_, left, right) => {
            has_parts(left) || has_parts(right)
        }
        CheckedExprKind::Negate(value) | CheckedExprKind::As { value, .. } => has_parts(value),
        _ => false,
    }
}
