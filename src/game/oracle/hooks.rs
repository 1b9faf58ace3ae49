//! Script calls. A script works on this state, and its changes count if it succeeds.

use super::eval::{Evaluated, Evaluator, fail};
use super::exec::{Executed, ReferenceRun};
use super::{Halt, LOOP_BUDGET, SlotValues};
use crate::RuntimeErrorKind;
use houserule_language::diagnostic::Span;
use houserule_model::{
    CallError, CheckedExpr, HookCall, HookId, Model, ScriptError, Seat, SlotId, StateLayout, Type, Value,
    value_len, value_of_words, value_words,
};

/// Cost of a call, in loop iterations.
const COST: u64 = 100;

impl ReferenceRun<'_> {
    pub(crate) fn call(&mut self, span: Span, hook: HookId, args: &[CheckedExpr]) -> Executed<()> {
        self.loops += COST;
        if self.loops > LOOP_BUDGET {
            return Ok(fail(span, RuntimeErrorKind::Budget)?);
        }
        let args = arguments(&mut self.eval(), args)?;
        let model = self.model;
        let (places, mut words) = as_words(model, self.state);
        let mut halt = None;
        let me = self.me;
        let mut draw = |outcomes| match self.chance(outcomes) {
            Ok(outcome) => Some(outcome),
            Err(why) => {
                halt = Some(why);
                None
            }
        };
        let said = ask(model, hook, &args, me, &places, &mut words, &mut draw);
        match (said, halt) {
            (Ok(_), _) => from_words(model, self.state, &places, &words),
            (Err(_), Some(halt)) => return Err(halt),
            (Err(failure), None) => return Err(Halt::Error(wrong(span, failure))),
        }
        Ok(())
    }
}

impl Evaluator<'_> {
    /// Returns the value of a script call that changes nothing.
    pub(crate) fn said(
        &mut self,
        span: Span,
        ty: Type,
        hook: HookId,
        args: &[CheckedExpr],
    ) -> Evaluated<Value> {
        let args = arguments(self, args)?;
        let (places, mut words) = as_words(self.model, self.state);
        match ask(self.model, hook, &args, self.me, &places, &mut words, &mut |_| None) {
            Ok(said) if ty == Type::Bool => Ok(Value::Bool(said != 0)),
            Ok(said) => Ok(Value::Number(said)),
            Err(failure) => Err(wrong(span, failure)),
        }
    }
}

fn wrong(span: Span, failure: CallError) -> crate::RuntimeError {
    let mistake = match failure {
        CallError::Wrong(mistake) => mistake,
        CallError::Waits => Box::new(ScriptError::unforeseen()),
    };
    crate::RuntimeError { span, kind: RuntimeErrorKind::Script(mistake) }
}

fn ask(
    model: &Model,
    hook: HookId,
    args: &[Value],
    me: Seat,
    places: &StateLayout,
    words: &mut [u64],
    draw: &mut dyn FnMut(u64) -> Option<u64>,
) -> Result<i64, CallError> {
    let Some(scripts) = &model.scripts else { return Err(CallError::none()) };
    let args: Vec<u64> = args.iter().flat_map(|arg| value_words(places.width, arg)).collect();
    scripts.call(HookCall { hook: hook.0, args: &args, me: me.0, places, words, hidden: &[], draw })
}

fn arguments(of: &mut Evaluator<'_>, args: &[CheckedExpr]) -> Evaluated<Vec<Value>> {
    args.iter().map(|arg| of.eval(arg)).collect()
}

/// Returns all slots as words.
fn as_words(model: &Model, state: &SlotValues) -> (StateLayout, Vec<u64>) {
    let largest = model.domains.iter().map(|domain| domain.size).max().unwrap_or(1);
    let width = largest.div_ceil(64).max(1) as u16;
    let (mut slots, mut words) = (vec![], vec![]);
    for slot in (0..model.slots.len() as u32).map(SlotId) {
        slots.push(Some(words.len() as u16));
        words.extend(state.family(slot).iter().flat_map(|value| value_words(width, value)));
    }
    (StateLayout { width, slots, end: words.len() as u16 }, words)
}

fn from_words(model: &Model, state: &mut SlotValues, places: &StateLayout, words: &[u64]) {
    for (id, (slot, first)) in (0..).map(SlotId).zip(model.slots.iter().zip(&places.slots)) {
        let (Some(first), len) = (first, usize::from(value_len(places.width, slot.content))) else {
            continue;
        };
        let size = match slot.content {
            houserule_model::Content::Set(domain) => model.domains[domain.index()].size,
            _ => 0,
        };
        for place in 0..slot.initial.len() {
            let words = &words[usize::from(*first) + place * len..][..len];
            state.set(id, place, value_of_words(slot.content, size, words));
        }
    }
    state.derive(model);
}
