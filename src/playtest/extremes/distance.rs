//! How far a state is from an end of the game: a distance for each condition (branch distance; Korel 1990,
//! <https://doi.org/10.1109/32.57624>). Only guides searches; proves nothing.

use houserule_game::explain::slot_values;
use houserule_game::oracle::{SlotValues, value_with};
use houserule_game::{Seat, State};
use houserule_language::syntax::Quantifier;
use houserule_model::{CheckedExpr, CheckedExprKind as E, ComparisonOperator, Model, Value};

/// The distance of what can't be evaluated.
const FAR: i64 = 1_000;

/// Returns the least distance of an end's condition, for any player to move; 0 if one holds.
pub(super) fn distance_to_end(state: &State) -> i64 {
    let model = state.game().model();
    if model.ends.is_empty() {
        return 0;
    }
    let slots = slot_values(state);
    let mut of = Distance { model, slots: &slots, locals: vec![None; model.locals.len()] };
    let ways = model.ends.iter().flat_map(|end| (0..model.players.count).map(move |me| (end, me)));
    ways.map(|(end, me)| of.truth(&end.when, true, me)).min().unwrap_or(0)
}

struct Distance<'a> {
    model: &'a Model,
    slots: &'a SlotValues,
    locals: Vec<Option<Value>>,
}

impl Distance<'_> {
    fn value(&mut self, e: &CheckedExpr, me: u32) -> Option<Value> {
        value_with(self.model, self.slots, &mut self.locals, e, Seat(me)).ok()
    }

    fn number(&mut self, e: &CheckedExpr, me: u32) -> Option<i64> {
        match self.value(e, me)? {
            Value::Number(n) => Some(n),
            _ => None,
        }
    }

    /// Returns how far a condition is from being `wanted`.
    fn truth(&mut self, e: &CheckedExpr, wanted: bool, me: u32) -> i64 {
        match &e.kind {
            E::Not(a) => self.truth(a, !wanted, me),
            E::And(a, b) | E::Or(a, b) => {
                let (a, b) = (self.truth(a, wanted, me), self.truth(b, wanted, me));
                let all = matches!(e.kind, E::And(..)) == wanted;
                if all { a.saturating_add(b) } else { a.min(b) }
            }
            E::As { player, value } => match self.value(player, me) {
                Some(Value::Element(Some(player))) => self.truth(value, wanted, player),
                _ => FAR,
            },
            E::Quantified { op: op @ (Quantifier::Any | Quantifier::All), local, over, body } => {
                let Some(Value::Set(set)) = self.value(over, me) else { return FAR };
                let each: Vec<i64> = set
                    .iter()
                    .map(|x| {
                        self.locals[local.index()] = Some(Value::Element(Some(x)));
                        self.truth(body, wanted, me)
                    })
                    .collect();
                match (*op == Quantifier::All) == wanted {
                    true => each.iter().fold(0i64, |sum, n| sum.saturating_add(*n)),
                    false => each.iter().copied().min().unwrap_or(FAR),
                }
            }
            E::Compare(op, a, b) => {
                let (Some(a), Some(b)) = (self.number(a, me), self.number(b, me)) else { return FAR };
                gap(*op, a, b, wanted)
            }
            E::IsSome(set) if !wanted => match self.value(set, me) {
                Some(Value::Set(set)) => set.len().into(),
                _ => FAR,
            },
            E::Subset(a, b) if wanted => match (self.value(a, me), self.value(b, me)) {
                (Some(Value::Set(a)), Some(Value::Set(b))) => a.minus(&b).len().into(),
                _ => FAR,
            },
            E::Same(a, b) if wanted => match (self.value(a, me), self.value(b, me)) {
                (Some(Value::Number(a)), Some(Value::Number(b))) => distance(a, b),
                (Some(Value::Set(a)), Some(Value::Set(b))) => {
                    i64::from(a.minus(&b).len()) + i64::from(b.minus(&a).len())
                }
                (Some(a), Some(b)) => i64::from(a != b),
                _ => FAR,
            },
            _ => match self.value(e, me) {
                Some(Value::Bool(holds)) => i64::from(holds != wanted),
                _ => FAR,
            },
        }
    }
}

fn distance(a: i64, b: i64) -> i64 {
    i64::try_from(a.abs_diff(b)).unwrap_or(FAR)
}

/// Returns how far a comparison is from being `wanted`.
fn gap(op: ComparisonOperator, a: i64, b: i64, wanted: bool) -> i64 {
    use ComparisonOperator as C;
    match if wanted { op } else { op.negated() } {
        C::Equal => distance(a, b),
        C::NotEqual => i64::from(a == b),
        C::Less => a.saturating_sub(b).saturating_add(1).max(0),
        C::LessEqual => a.saturating_sub(b).max(0),
        C::Greater => b.saturating_sub(a).saturating_add(1).max(0),
        C::GreaterEqual => b.saturating_sub(a).max(0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ComparisonOperator as C;

    #[test]
    fn a_comparison_that_holds_has_no_gap() {
        for op in [C::Equal, C::NotEqual, C::Less, C::LessEqual, C::Greater, C::GreaterEqual] {
            for (a, b) in [(2, 5), (5, 2), (3, 3)] {
                let holds = match op {
                    C::Equal => a == b,
                    C::NotEqual => a != b,
                    C::Less => a < b,
                    C::LessEqual => a <= b,
                    C::Greater => a > b,
                    C::GreaterEqual => a >= b,
                };
                assert_eq!((gap(op, a, b, true) == 0, gap(op, a, b, false) == 0), (holds, !holds), "{op:?}");
            }
        }
        assert_eq!((gap(C::GreaterEqual, 2, 5, true), gap(C::Less, 5, 2, true)), (3, 4));
    }
}
