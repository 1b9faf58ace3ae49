//! Lowering of script calls.

use super::layout::type_len;
use super::lower::{Exits, Lowering};
use crate::program::{HookRef, In, Instruction as I, Numbers, Out, StopKind};
use houserule_model::{Builtin, CheckedExpr, HookId, Type};

impl Lowering<'_> {
    /// Calls a hook; its result goes into the word `d`.
    pub(super) fn call(&mut self, hook: HookId, args: &[CheckedExpr], d: u16) {
        let draws = self.layout.draws.filter(|_| self.model.hooks[hook.index()].draws);
        self.scoped(|this| {
            // The call resumes here after a chance event in the script, and computes its arguments again.
            let entry = this.entry();
            let width = this.layout.width;
            let len: u16 = args.iter().map(|arg| type_len(width, arg.ty)).sum();
            let first = this.temp(len);
            let mut at = first;
            for arg in args {
                match arg.ty {
                    Type::Set(_) => this.set_into(arg, at),
                    _ => this.number_into(arg, at),
                }
                at += type_len(width, arg.ty);
            }
            let (hook, args, me) = (HookRef(hook.0 as u16), Numbers { at: first, len }, In(this.me));
            match draws {
                Some(at) => {
                    let stop = this.add_stop(StopKind::Draw { at }, entry);
                    this.emit(I::CallDrawing { d: Out(d), hook, args, me, stop });
                }
                None => this.emit(I::Call { d: Out(d), hook, args, me }),
            }
        });
    }

    /// Lowers what runs when the game is over: the statements of scripts, then the payoffs.
    pub(super) fn on_end(&mut self) {
        let model = self.model;
        if !model.on_end.stmts.is_empty() {
            let mover = self.slot(Builtin::Mover.slot());
            let me = std::mem::replace(&mut self.me, mover);
            let label = self.label();
            self.block(&model.on_end, Exits { skip: None, done: label, again: label });
            self.bind(label);
            self.me = me;
        }
        self.payoffs();
    }
}
