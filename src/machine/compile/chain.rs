//! Lowering of chains: a search in depth for the longest row of actions.
//!
//! A chain is a loop that enters itself: what is evaluated after an action keeps all temporaries aside, goes back to the
//! beginning, and returns to its place. Each such place has a number, which the program keeps among the temporaries. The
//! words of the state aren't kept aside here, since each action that was tried is undone.

use super::lower::{CodeLabel, Lowering};
use crate::program::{Imm, In, Instruction as I, NumberMut, Numbers, Out, Truth};
use houserule_model::CheckedExpr;

/// A chain that is being lowered.
#[derive(Debug)]
pub(super) struct ChainLoop {
    /// Number of actions so far.
    depth: NumberMut,
    /// Number of actions that were tried.
    tries: NumberMut,
    /// The value of the chain from the present state on, once it is known.
    result: u16,
    /// The number of the place that is returned to; 0 for the end. It is the first temporary that is kept aside.
    place: u16,
    /// Where the evaluation begins.
    begin: CodeLabel,
    /// The places that are returned to.
    places: Vec<CodeLabel>,
}

impl Lowering<'_> {
    /// Computes the value of a chain.
    pub(super) fn chain(&mut self, value: &CheckedExpr, d: Out) {
        let [depth, tries, result, place] = [0; 4].map(|_| self.number_temp());
        for at in [depth, tries, place] {
            self.emit(I::Const { d: Out(at), k: Imm(0) });
        }
        let begin = self.here();
        let (depth, tries) = (NumberMut(depth), NumberMut(tries));
        let open = ChainLoop { depth, tries, result, place, begin, places: vec![] };
        let outer = self.chain.replace(open);
        self.holding_nothing(|this| {
            this.scoped(|this| {
                let a = this.number(value);
                this.emit(I::Copy { d: Out(result), a });
            });
        });
        let places = std::mem::replace(&mut self.chain, outer).map_or(vec![], |chain| chain.places);
        for (number, to) in (1..).zip(places) {
            let other = self.label();
            let test = I::IfEqualK { a: In(place), k: Imm(number), is: Truth(false), to: other.block() };
            self.emit(test);
            self.emit(I::Loop { to: to.block() });
            self.bind(other);
        }
        self.emit(I::Copy { d, a: In(result) });
    }

    /// Computes the value of the surrounding chain for the present state.
    pub(super) fn rest_of_chain(&mut self, d: Out) {
        let back = self.label();
        let end = self.next_temp();
        let Some(ChainLoop { depth, tries, result, place, begin, places }) = &mut self.chain else { return };
        places.push(back);
        let number = places.len() as i32;
        let (depth, tries, result, place, begin) = (*depth, *tries, *result, *place, *begin);
        let aside = Numbers { at: place, len: end.saturating_sub(place) };
        self.emit(I::Descend { from: aside, depth, tries });
        self.emit(I::Const { d: Out(place), k: Imm(number) });
        self.emit(I::Loop { to: begin.block() });
        self.bind(back);
        self.emit(I::Ascend { to: aside, depth });
        self.emit(I::Copy { d, a: In(result) });
    }
}
