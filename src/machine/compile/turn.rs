//! Lowering of the control flow of a game: setup, turns, rounds, ends, and the score.

use super::CompileError;
use super::lower::{CodeLabel, Lowering};
use crate::program::{
    EndRef, Imm, In, Instruction as I, NumberMut, Numbers, Out, PositionWordsRef, Range, ResultKind, SetMut,
    SetOut, Size, Truth,
};
use houserule_language::syntax::EndTiming;
use houserule_model::{
    Builtin, CheckedBlock, CheckedEndResult, CheckedExpr, Exit, Life, Role, SlotId, Type, Value, walk,
};

/// Maximum number of steps to evaluate whether an end is true at the start.
const STEPS: u32 = 100_000;

/// The ends that are tested at the end of a turn.
#[derive(Clone, Copy, PartialEq, Eq)]
enum EndSelection {
    /// Every end.
    All,
    /// All ends but those of a round: the same seat moves again.
    Again,
    /// All ends but the skippable `end at once`: nothing has changed since their test.
    Settled,
    /// All ends but those of a round: the round goes on.
    InRound,
    /// Every end: the round is over.
    Round,
}

impl Lowering<'_> {
    /// Lowers the whole game.
    pub(super) fn game(&mut self) {
        self.program.payoffs = self.layout.slots[Builtin::Payoff.slot().index()];
        self.program.start = self.entry().block();
        self.set_up();
        if self.model.rounds {
            self.round()
        } else {
            self.turn()
        }
        self.score();
        self.measures();
        self.derive();
        self.program.uses_chance =
            self.program.stops.iter().any(|s| !matches!(s.kind, crate::program::StopKind::Choice(_)));
    }

    fn set_up(&mut self) {
        let mover = self.slot(Builtin::Mover.slot());
        let exit = self.label();
        let exits = self.exits(exit, exit);
        let model = self.model;
        self.block(&model.setup, exits);
        self.bind(exit);
        self.span = model.turn.stmts.first().map_or(self.span, |s| s.span);
        if walk::writes(model, &model.setup).contains(&Builtin::Starter.slot()) {
            let a = In(self.slot(Builtin::Starter.slot()));
            self.emit(I::Copy { d: Out(mover), a });
        }
        self.pass_to_player();
        self.take_next_mover();
    }

    /// Passes the first turn on if its player has none.
    fn pass_to_player(&mut self) {
        let Some(playing) = &self.model.playing else { return };
        let end = self.label();
        self.branch(&playing.mover, true, end);
        self.scoped(|this| this.number_into(&playing.next, this.slot(Builtin::Mover.slot())));
        self.bind(end);
    }

    /// Makes the player that the rules named as next the mover.
    fn take_next_mover(&mut self) {
        let Some(next) = self.layout.slots[Builtin::NextMover.slot().index()] else { return };
        let mover = self.slot(Builtin::Mover.slot());
        let end = self.label();
        self.emit(I::IfLessK { a: In(next), k: Imm(0), is: Truth(true), to: end.block() });
        self.emit(I::Copy { d: Out(mover), a: In(next) });
        self.emit(I::Const { d: Out(next), k: Imm(-1) });
        self.bind(end);
    }

    fn turn(&mut self) {
        let model = self.model;
        let begin = self.entry();
        self.program.turn = begin.block();
        self.note_position();
        // A repeated turn does not note the position again.
        let head = if self.program.pasts.is_empty() { begin } else { self.here() };
        let (done, again) = (self.label(), self.label());
        let (leaves, repeats) = leaves(model);
        let exits = self.exits(done, again);
        self.free.clear();
        self.in_turn = true;
        self.block(&model.turn, exits);
        if leaves && self.has_skippable_ends() {
            self.turn_end(EndSelection::Settled, begin, head);
        }
        self.bind(done);
        if leaves || !self.has_skippable_ends() {
            self.turn_end(EndSelection::All, begin, head);
        } else {
            self.turn_end(EndSelection::Settled, begin, head);
        }
        self.bind(again);
        if repeats {
            self.turn_end(EndSelection::Again, begin, head);
        }
        self.in_turn = false;
    }

    /// Lowers the loop over rounds. The turns in it are statements.
    fn round(&mut self) {
        let begin = self.entry();
        self.program.turn = begin.block();
        let (mover, starter) = (Builtin::Mover.slot(), Builtin::Starter.slot());
        self.emit(I::Copy { d: Out(self.slot(mover)), a: In(self.slot(starter)) });
        if !self.model.rounds_have_turns() {
            self.note_position();
        }
        let (model, end) = (self.model, self.label());
        let exits = self.exits(end, end);
        self.free.clear();
        self.block(&model.turn, exits);
        self.bind(end);
        self.ends(EndSelection::Round, 0);
        for words in [self.layout.turn, self.layout.round] {
            self.reset(words);
        }
        if let Some(round) = self.layout.slots[Builtin::Round.slot().index()] {
            self.emit(I::AddK { d: Out(round), a: In(round), k: Imm(1) });
        }
        self.emit(I::Loop { to: begin.block() });
    }

    /// Lowers `each player` in a round: a turn of every seat.
    pub(super) fn turns_of_round(&mut self, from: &CheckedExpr, body: &CheckedBlock) {
        let mover = self.slot(Builtin::Mover.slot());
        let rest = self.slot(Builtin::ToCome.slot());
        let first = self.acting(from);
        self.emit(I::Copy { d: Out(mover), a: In(first) });
        self.constant_set(&houserule_model::board::BitSet::full(u32::from(self.program.players)), rest);
        self.free.clear();
        let (begin, end, skipped) = (self.here(), self.label(), self.label());
        // The next seat is the first one still to come, starting at the last mover.
        self.emit(I::PopFrom { d: Out(mover), from: SetMut(rest), e: In(mover), to: end.block() });
        if let Some(playing) = &self.model.playing {
            self.branch(&playing.mover, false, skipped);
        }
        self.note_position();
        let head = self.here();
        let (done, again) = (self.label(), self.label());
        let exits = self.exits(done, again);
        let outer = (std::mem::take(&mut self.branch_ends), std::mem::replace(&mut self.in_turn, true));
        self.block(body, exits);
        self.bind(done);
        self.count_turn();
        self.ends(EndSelection::InRound, 0);
        self.reset(self.layout.turn);
        self.emit(I::SameTurn { to: begin.block() });
        if self.model.playing.is_some() {
            self.bind(skipped);
            self.emit(I::Loop { to: begin.block() });
        }
        self.bind(again);
        if leaves(self.model).1 {
            self.ends(EndSelection::InRound, 0);
            self.emit(I::RepeatTurn { to: head.block() });
        }
        (self.branch_ends, self.in_turn) = outer;
        self.bind(end);
        self.emit(I::Copy { d: Out(mover), a: In(self.slot(Builtin::Starter.slot())) });
        self.free.clear();
    }

    /// Returns how many turns the end of the game would end here: 1 inside a turn, else 0.
    pub(super) fn turns_over(&self) -> Imm {
        Imm(self.in_turn.into())
    }

    /// Counts a turn of the mover, if the rules use the count.
    fn count_turn(&mut self) {
        let Some(turns) = self.layout.slots[Builtin::Turns.slot().index()] else { return };
        let mover = self.slot(Builtin::Mover.slot());
        self.scoped(|this| {
            let one = this.number_temp();
            this.emit(I::Const { d: Out(one), k: Imm(1) });
            let range = this.range(Range { name: "turns".into(), low: 0, high: i64::MAX, element: false });
            let to = Numbers { at: turns, len: this.program.players };
            this.add_to(to, In(mover), In(one), range);
        });
    }

    fn turn_end(&mut self, tested: EndSelection, begin: CodeLabel, head: CodeLabel) {
        let mover = self.slot(Builtin::Mover.slot());
        if tested != EndSelection::Again {
            self.count_turn();
        }
        let (model, goes_on) = (self.model, tested == EndSelection::Again);
        // If `last`, the next seat, is the starter, the round is over.
        let rounds = super::layout::has_rounds(self.model, &super::layout::used_slots(self.model));
        self.scoped(|this| {
            let (last, next) = (this.number_temp(), this.number_temp());
            if let (Some(playing), false) = (&model.playing, goes_on) {
                this.number_into(&playing.next, next);
                if rounds {
                    this.closing(next, last);
                }
            } else if rounds && !goes_on {
                let no = this.label();
                this.emit(I::AddK { d: Out(last), a: In(mover), k: Imm(1) });
                let players = Imm(this.program.players.into());
                this.emit(I::IfLessK { a: In(last), k: players, is: Truth(true), to: no.block() });
                this.emit(I::Const { d: Out(last), k: Imm(0) });
                this.bind(no);
            }
            this.ends(tested, last);
            if goes_on {
                this.emit(I::RepeatTurn { to: head.block() });
                return;
            }
            let words = this.layout.turn;
            this.reset(words);
            if rounds {
                let starter = In(this.slot(Builtin::Starter.slot()));
                let no = this.label();
                this.emit(I::IfEqual { a: In(last), b: starter, is: Truth(false), to: no.block() });
                if let Some(round) = this.layout.slots[Builtin::Round.slot().index()] {
                    this.emit(I::AddK { d: Out(round), a: In(round), k: Imm(1) });
                }
                let words = this.layout.round;
                this.reset(words);
                this.bind(no);
            }
            if model.playing.is_some() {
                this.emit(I::Copy { d: Out(mover), a: In(next) });
                this.take_next_mover();
                this.emit(I::SameTurn { to: begin.block() });
            } else if this.layout.slots[Builtin::NextMover.slot().index()].is_some() {
                let next = In(this.slot(Builtin::NextMover.slot()));
                let named = this.label();
                this.emit(I::IfLessK { a: next, k: Imm(0), is: Truth(false), to: named.block() });
                this.emit(I::NextTurn { mover: NumberMut(mover), to: begin.block() });
                this.bind(named);
                this.take_next_mover();
                this.emit(I::SameTurn { to: begin.block() });
            } else {
                this.emit(I::NextTurn { mover: NumberMut(mover), to: begin.block() });
            }
        });
    }

    /// Sets `last` to the starter if the turn passes to the starter or past that seat, else to no seat.
    fn closing(&mut self, next: u16, last: u16) {
        let (mover, starter) = (self.slot(Builtin::Mover.slot()), self.slot(Builtin::Starter.slot()));
        let steps = [starter, next].map(|seat| {
            let (steps, end) = (self.number_temp(), self.label());
            self.emit(I::Subtract { d: Out(steps), a: In(seat), b: In(mover) });
            self.emit(I::IfLessK { a: In(steps), k: Imm(1), is: Truth(false), to: end.block() });
            self.emit(I::AddK { d: Out(steps), a: In(steps), k: Imm(self.program.players.into()) });
            self.bind(end);
            In(steps)
        });
        let end = self.label();
        self.emit(I::Const { d: Out(last), k: Imm(-1) });
        self.emit(I::IfLess { a: steps[1], b: steps[0], is: Truth(true), to: end.block() });
        self.emit(I::Copy { d: Out(last), a: In(starter) });
        self.bind(end);
    }

    /// Notes the position, for rules that ask whether it is repeated.
    fn note_position(&mut self) {
        for past in 0..self.program.pasts.len() as u16 {
            self.emit(I::Note { past: PositionWordsRef(past) });
        }
    }

    fn reset(&mut self, words: crate::program::Span16) {
        if words.len > 0 {
            self.emit(I::Reset { words });
        }
    }

    /// Tests the ends of a turn, in source order. `last` holds the seat after the mover.
    fn ends(&mut self, tested: EndSelection, last: u16) {
        let model = self.model;
        for number in 0..model.ends.len() {
            match model.ends[number].timing {
                EndTiming::AtOnce if tested == EndSelection::Settled && self.is_skippable(number) => {}
                EndTiming::Round if matches!(tested, EndSelection::Again | EndSelection::InRound) => {}
                EndTiming::Round if tested != EndSelection::Round => {
                    let no = self.label();
                    let starter = In(self.slot(Builtin::Starter.slot()));
                    self.emit(I::IfEqual { a: In(last), b: starter, is: Truth(false), to: no.block() });
                    self.end(number);
                    self.bind(no);
                }
                _ => self.end(number),
            }
        }
    }

    /// Tests one end.
    fn end(&mut self, number: usize) {
        if self.is_full() {
            return;
        }
        let end = &self.model.ends[number];
        let saved = std::mem::replace(&mut self.span, end.span);
        let outer = self.enter(end.span);
        let me =
            std::mem::replace(&mut self.me, self.layout.slots[Builtin::Mover.slot().index()].unwrap_or(0));
        self.scoped(|this| {
            let no = this.label();
            this.branch(&end.when, false, no);
            this.on_end();
            let (result, player) = this.end_result(end.result.as_ref());
            let turns = this.turns_over();
            this.emit(I::Over { end: EndRef(number as u16), result, player, turns });
            this.bind(no);
        });
        self.me = me;
        self.leave(outer);
        self.span = saved;
    }

    /// Lowers the result of an end: its kind, and the players that it names.
    pub(super) fn end_result(&mut self, result: Option<&CheckedEndResult>) -> (ResultKind, In) {
        match result {
            None => (ResultKind::Scores, In(self.me)),
            Some(CheckedEndResult::Draw) => (ResultKind::Draw, In(self.me)),
            Some(CheckedEndResult::Win(p)) if is_set(p) => (ResultKind::WinSet, self.players_as_bits(p)),
            Some(CheckedEndResult::Lose(p)) if is_set(p) => (ResultKind::LoseSet, self.players_as_bits(p)),
            Some(CheckedEndResult::Win(p)) => (ResultKind::Win, In(self.acting(p))),
            Some(CheckedEndResult::Lose(p)) => (ResultKind::Lose, In(self.acting(p))),
        }
    }

    /// A number with one bit for each player of a set.
    fn players_as_bits(&mut self, set: &CheckedExpr) -> In {
        let a = self.set(set);
        let (bits, player) = (self.number_temp(), self.number_temp());
        self.emit(I::Const { d: Out(bits), k: Imm(0) });
        for p in 0..self.program.players {
            let no = self.label();
            self.emit(I::Const { d: Out(player), k: Imm(p.into()) });
            let size = Size(self.program.players);
            self.emit(I::IfIn { a, e: In(player), size, is: Truth(false), to: no.block() });
            self.emit(I::AddK { d: Out(bits), a: In(bits), k: Imm(1 << p) });
            self.bind(no);
        }
        In(bits)
    }

    /// Tests every `end at once` that the step's body can have brought about, except those in `tested`, which its
    /// branches have tested.
    pub(super) fn ends_at_once(&mut self, body: &CheckedBlock, tested: &[usize]) {
        let model = self.model;
        for (number, end) in model.ends.iter().enumerate() {
            let skippable = self.is_skippable(number);
            if end.timing == EndTiming::AtOnce
                && !tested.contains(&number)
                && (!skippable || self.brings_about(body, number))
            {
                self.end(number);
            }
        }
    }

    /// Returns `true` if a block writes what an end reads.
    fn brings_about(&self, body: &CheckedBlock, number: usize) -> bool {
        let written = walk::writes(self.model, body);
        walk::reads(&self.model.ends[number].when).0.iter().any(|slot| written.contains(slot))
    }

    /// Returns the only `end at once` of the game, if the branches of a step can test it instead of the code
    /// after the step.
    pub(super) fn ends_in_branches(&self, body: &CheckedBlock) -> Vec<usize> {
        let model = self.model;
        let at_once: Vec<usize> =
            (0..model.ends.len()).filter(|n| model.ends[*n].timing == EndTiming::AtOnce).collect();
        let mut leaves = false;
        walk::stmts(model, body, &mut |stmt| {
            use houserule_model::CheckedStmtKind as S;
            leaves |= match &stmt.kind {
                // A body on trial can't end the game.
                S::Choose(choice) => {
                    model.choices[choice.index()].options.iter().any(|o| o.ensuring.is_some())
                }
                S::Step { .. } | S::As { .. } | S::Turns { .. } => true,
                kind => matches!(kind.exit(), Some(Exit::Step | Exit::Turn | Exit::Again)),
            };
        });
        match at_once[..] {
            [number] if !leaves && self.is_skippable(number) && self.brings_about(body, number) => at_once,
            _ => vec![],
        }
    }

    /// Tests the ends that a branch brings about, unless it leaves them to inner branches.
    pub(super) fn branch_end(&mut self, block: &CheckedBlock, ends: &[usize]) {
        for number in ends {
            if self.brings_about(block, *number) && !self.passes_on(block, *number) {
                self.end(*number);
            }
        }
    }

    /// Returns `true` if a block leaves the test of an end to the branches of its last statement.
    pub(super) fn passes_on(&self, block: &CheckedBlock, number: usize) -> bool {
        use houserule_model::CheckedStmtKind as S;
        let Some((last, before)) = block.stmts.split_last() else { return false };
        let before = CheckedBlock { stmts: before.to_vec() };
        matches!(last.kind, S::If { .. } | S::Choose(_)) && !self.brings_about(&before, number)
    }

    fn has_skippable_ends(&self) -> bool {
        (0..self.model.ends.len())
            .any(|n| self.model.ends[n].timing == EndTiming::AtOnce && self.is_skippable(n))
    }

    /// Returns `true` if an `end at once` need only be tested after a step that writes what it reads, because
    /// no other statement, neither the passing of the turn nor the start can make it true.
    fn is_skippable(&self, number: usize) -> bool {
        *self.skippable[number].get_or_init(|| self.find_skippable(number))
    }

    fn find_skippable(&self, number: usize) -> bool {
        let model = self.model;
        // A script may make any end true.
        if !model.hooks.is_empty() {
            return false;
        }
        let end = &model.ends[number];
        let (reads, me) = walk::reads(&end.when);
        let stays = |slot: &SlotId| {
            let declared = &model.slots[slot.index()];
            declared.life == Life::Game
                && !matches!(declared.role, Role::Builtin(_))
                && !matches!(declared.content, houserule_model::Content::Set(_))
        };
        let outside = self.writes_outside_steps();
        let set_up = walk::writes(model, &model.setup);
        !me && reads.iter().all(|slot| stays(slot) && !outside.contains(slot) && !set_up.contains(slot))
            && houserule_model::constant::value_at_start(model, &end.when, STEPS) == Some(Value::Bool(false))
    }

    /// Lowers each player's score items and the winner's keys.
    fn score(&mut self) {
        let model = self.model;
        let players = self.program.players;
        let (items, keys) = (model.score.len() as u16, model.winner.len() as u16);
        self.program.item_count = items;
        self.program.key_count = keys;
        self.program.least_wins = model.winner.iter().map(|rank| !rank.most).collect();
        // The sum of a single item is the item.
        let summed = items > 1;
        let words = (model.score.len() + model.winner.len() + 1) * usize::from(players);
        if words > usize::from(u16::MAX) {
            return self.refuse(CompileError::state(words));
        }
        self.program.items = self.temp(items * players);
        self.program.keys = self.temp(keys * players);
        self.program.totals = if summed { self.temp(players) } else { self.program.items };
        if items + keys == 0 {
            return;
        }
        self.program.score = Some(self.entry().block());
        self.for_each_player(|this, me| this.scored(me, summed));
        self.emit(I::Halt {});
    }

    /// Lowers the score items and the winner's keys of the player in `me`.
    fn scored(&mut self, me: u16, summed: bool) {
        let model = self.model;
        let (items, keys) = (self.program.item_count, self.program.key_count);
        // The items of a single player are computed in place.
        let alone = self.program.players == 1;
        let total = self.number_temp();
        let values = model.score.iter().map(|item| &item.value);
        let ranks = model.winner.iter().map(|rank| &rank.value);
        for (first, count, list) in [
            (self.program.items, items, values.collect::<Vec<_>>()),
            (self.program.keys, keys, ranks.collect::<Vec<_>>()),
        ] {
            let adds = summed && first == self.program.items;
            for (k, value) in list.into_iter().enumerate() {
                self.span = value.span;
                self.scoped(|this| {
                    if alone {
                        this.number_into(value, first + k as u16);
                        if adds {
                            this.add_item(k, total, In(first + k as u16));
                        }
                        return;
                    }
                    let a = this.number(value);
                    this.store_for(me, first, count, k as u16, a);
                    if adds {
                        this.add_item(k, total, a);
                    }
                });
            }
            if adds {
                self.store_for(me, self.program.totals, 1, 0, In(total));
            }
        }
    }

    /// Lowers the payoffs of a finished game, and the check of their sum.
    pub(super) fn payoffs(&mut self) {
        let Some(payoff) = &self.model.payoff else { return };
        let first = self.slot(Builtin::Payoff.slot());
        let span = self.span;
        self.scoped(|this| {
            let sum = this.number_temp();
            if payoff.zero_sum {
                this.emit(I::Const { d: Out(sum), k: Imm(0) });
            }
            this.for_each_player(|this, me| {
                this.span = payoff.value.span;
                this.scoped(|this| {
                    let a = this.number(&payoff.value);
                    this.store_for(me, first, 1, 0, a);
                    if payoff.zero_sum {
                        this.span = payoff.span;
                        this.emit(I::Add { d: Out(sum), a: In(sum), b: a });
                    }
                });
            });
            if payoff.zero_sum {
                // The span of this check identifies its error.
                this.span = payoff.span;
                let none = Range { name: "payoffs".into(), low: 0, high: 0, element: false };
                let range = this.range(none);
                this.emit(I::Check { a: In(sum), range });
            }
        });
        self.span = span;
    }

    /// Lowers code that runs for one player after the other. A single player is seat 0 and needs no loop.
    fn for_each_player(&mut self, body: impl FnOnce(&mut Self, u16)) {
        let players = self.program.players;
        let alone = players == 1;
        let me = if alone { crate::program::ZERO } else { self.number_temp() };
        if !alone {
            self.emit(I::Const { d: Out(me), k: Imm(0) });
        }
        let saved = std::mem::replace(&mut self.me, me);
        let head = self.here();
        body(self, me);
        self.me = saved;
        if !alone {
            let end = self.label();
            self.emit(I::AddK { d: Out(me), a: In(me), k: Imm(1) });
            self.emit(I::IfLessK { a: In(me), k: Imm(players.into()), is: Truth(false), to: end.block() });
            self.emit(I::Loop { to: head.block() });
            self.bind(end);
        }
    }

    /// Lowers each player's measures, in a block of their own: an error in one must not touch the score.
    fn measures(&mut self) {
        let model = self.model;
        let (players, count) = (self.program.players, model.measures.len());
        if count == 0 {
            return;
        }
        let words = count * usize::from(players);
        if words > usize::from(u16::MAX) {
            return self.refuse(CompileError::state(words));
        }
        let count = count as u16;
        self.program.measure_count = count;
        self.program.measures = self.temp(count * players);
        self.program.measure = Some(self.entry().block());
        self.for_each_player(|this, me| {
            for (k, value) in model.measures.iter().enumerate() {
                this.span = value.span;
                this.scoped(|this| {
                    let a = this.number(value);
                    this.store_for(me, this.program.measures, count, k as u16, a);
                });
            }
        });
        self.emit(I::Halt {});
    }

    /// Adds an item to the total. An overflow is reported at the item.
    fn add_item(&mut self, k: usize, total: u16, item: In) {
        self.span = self.model.score[k].span;
        match k {
            0 => self.emit(I::Copy { d: Out(total), a: item }),
            _ => self.emit(I::Add { d: Out(total), a: In(total), b: item }),
        }
    }

    /// Stores the `k`-th of `count` numbers that each player has from `first` on.
    fn store_for(&mut self, me: u16, first: u16, count: u16, k: u16, a: In) {
        let to = Numbers { at: first + k, len: count * self.program.players - k };
        let index = self.scaled(In(me), count.into());
        self.emit(I::Store { to, index, a });
    }

    /// Lowers the derived slots: the empty sites of each board.
    fn derive(&mut self) {
        self.program.derive = self.entry().block();
        for board in &self.model.boards {
            let boards = super::layout::family_size(self.model, board.empty);
            let width = self.layout.width;
            for b in 0..boards as u16 {
                let empty = self.slot(board.empty) + b * width;
                self.constant_set(&board.sites_of(b.into()), empty);
                for piece in &board.pieces {
                    let kinds = (super::layout::family_size(self.model, *piece) / boards.max(1)) as u16;
                    for kind in 0..kinds {
                        let from = self.slot(*piece) + (b * kinds + kind) * width;
                        let (a, b) = (crate::program::SetIn(empty), crate::program::SetIn(from));
                        self.emit(I::Minus { d: SetOut(empty), a, b });
                    }
                }
            }
        }
        self.emit(I::Halt {});
    }
}

fn is_set(e: &CheckedExpr) -> bool {
    matches!(e.ty, Type::Set(_))
}

/// Returns whether the turn contains `done` or `skip`, and whether it contains `again`.
fn leaves(model: &houserule_model::Model) -> (bool, bool) {
    let (mut leaves, mut repeats) = (false, false);
    walk::stmts(model, &model.turn, &mut |stmt| match stmt.kind.exit() {
        Some(Exit::Turn | Exit::Step) => leaves = true,
        Some(Exit::Again) => repeats = true,
        Some(Exit::Game) | None => {}
    });
    (leaves, repeats)
}
