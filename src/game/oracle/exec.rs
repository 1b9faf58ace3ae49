//! Execution of statements, and the order of turns.

use super::eval::{Evaluator, fail, ill_typed};
use super::given::DrawMode;
use super::{Driver, Ending, GameCounters, Halt, LOOP_BUDGET, SlotValues, finish};
use crate::RuntimeErrorKind;
use crate::endless::endless_loop;
use houserule_language::diagnostic::{FileId, Span};
use houserule_language::syntax::EndTiming;
use houserule_model::board::{BitSet, Site};
use houserule_model::{
    Builtin, CheckedBlock, CheckedExpr, CheckedStmt, CheckedStmtKind, Content, Life, LocalId, Model, Role,
    Seat, SlotId, Value,
};

/// A game in progress.
pub(crate) struct ReferenceRun<'a> {
    pub(crate) model: &'a Model,
    pub(crate) state: &'a mut SlotValues,
    pub(crate) driver: &'a mut dyn Driver,
    pub(crate) locals: Vec<Option<Value>>,
    pub(crate) me: Seat,
    /// Whether this is in a turn: not before the first or between those of a round.
    in_turn: bool,
    pub(crate) counts: GameCounters,
    /// Loop iterations since the last decision.
    pub(crate) loops: u64,
    /// Loop iterations in trials since the last decision.
    pub(crate) tried: u64,
    /// The states in which turns have begun, if the rules use `repeated`.
    past: Vec<SlotValues>,
    /// How the draws of `chance … given` are made.
    pub(crate) given: DrawMode,
    /// The players who share the win, if the statement that ended the game says so.
    winners: Option<Vec<bool>>,
}

/// How a statement ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Completion {
    /// The next statement follows.
    On,
    /// The step is over.
    Skip,
    /// The turn is over.
    Done,
    /// The turn is over, and the same seat takes another.
    Again,
    /// The game is over, by this end of the rules or by `end game`.
    Over(usize),
}

pub(crate) type Executed<T> = Result<T, Halt>;

impl<'a> ReferenceRun<'a> {
    pub(crate) fn new(model: &'a Model, state: &'a mut SlotValues, driver: &'a mut dyn Driver) -> Self {
        state.derive(model);
        let locals = vec![None; model.locals.len()];
        ReferenceRun {
            model,
            state,
            driver,
            locals,
            me: Seat(0),
            in_turn: false,
            counts: GameCounters::default(),
            loops: 0,
            tried: 0,
            past: vec![],
            given: DrawMode::default(),
            winners: None,
        }
    }

    pub(crate) fn play(mut self, from_setup: bool) -> Executed<Ending> {
        let end = match if from_setup { self.setup()? } else { Completion::On } {
            Completion::Over(end) => end,
            _ if self.model.rounds => self.rounds()?,
            _ => self.turns()?,
        };
        let mover = self.mover();
        self.me = mover;
        self.block(&self.model.on_end)?;
        self.pay()?;
        // The end of the game finishes the turn in which it comes.
        self.counts.turns += u64::from(self.in_turn);
        Ok(finish::ending(self.model, self.state, mover, end, self.winners, self.counts)?)
    }

    fn setup(&mut self) -> Executed<Completion> {
        self.me = self.mover();
        let flow = self.block(&self.model.setup)?;
        // The rules may have named another starter, or a first mover other than the starter.
        let named = self.state.player(Builtin::NextMover);
        let first = named.or(self.state.player(Builtin::Starter));
        self.state.set_player(Builtin::NextMover, None);
        self.state.set_player(Builtin::Mover, first);
        if named.is_none() && !self.mover_plays()? {
            let next = self.next_seat()?;
            self.state.set_player(Builtin::Mover, Some(next));
        }
        Ok(flow)
    }

    /// Computes the payoffs of the finished game.
    fn pay(&mut self) -> Executed<()> {
        let Some(payoff) = &self.model.payoff else { return Ok(()) };
        let mut sum = 0i64;
        for player in 0..self.model.players.count {
            let own = self.evaluator_for(Seat(player)).number(&payoff.value)?;
            self.state.set(Builtin::Payoff.slot(), player as usize, Value::Number(own));
            if payoff.zero_sum {
                let Some(more) = sum.checked_add(own) else {
                    return Ok(fail(payoff.span, RuntimeErrorKind::Overflow)?);
                };
                sum = more;
            }
        }
        match sum {
            0 => Ok(()),
            sum => Ok(fail(payoff.span, RuntimeErrorKind::PayoffSum { sum })?),
        }
    }

    /// Plays turns until the game is over.
    fn turns(&mut self) -> Executed<usize> {
        let span = turn_span(self.model);
        let mut begins = true;
        self.in_turn = true;
        loop {
            self.count_loop(span)?;
            if begins && !self.model.pasts.is_empty() {
                self.past.push(self.state.clone());
            }
            let mover = self.mover();
            self.me = mover;
            let again = match self.block(&self.model.turn)? {
                Completion::Over(end) => return Ok(end),
                flow => flow == Completion::Again,
            };
            begins = !again;
            let next = self.next_seat()?;
            let closes_round = !again && self.closes_round(mover, next);
            if !again {
                self.add_one(Builtin::Turns, mover.index(), span)?;
            }
            let tested = |timing| timing != EndTiming::Round || closes_round;
            if let Some(end) = self.ended(tested)? {
                return Ok(end);
            }
            if again {
                continue;
            }
            self.counts.turns += 1;
            self.state.reset(self.model, |s| s.life == Life::Turn);
            if closes_round {
                self.add_one(Builtin::Round, 0, span)?;
                self.state.reset(self.model, |s| s.life == Life::Round);
            }
            let next = self.state.player(Builtin::NextMover).unwrap_or(next);
            self.state.set_player(Builtin::NextMover, None);
            self.state.set_player(Builtin::Mover, Some(next));
        }
    }

    /// Plays rounds until the game is over.
    fn rounds(&mut self) -> Executed<usize> {
        let span = turn_span(self.model);
        loop {
            self.count_loop(span)?;
            self.outside_turns();
            if !self.model.pasts.is_empty() && !self.model.rounds_have_turns() {
                self.past.push(self.state.clone());
            }
            if let Completion::Over(end) = self.block(&self.model.turn)? {
                return Ok(end);
            }
            if let Some(end) = self.ended(|_| true)? {
                return Ok(end);
            }
            self.state.reset(self.model, |s| matches!(s.life, Life::Turn | Life::Round));
            self.add_one(Builtin::Round, 0, span)?;
        }
    }

    /// Outside the turns of a round, its starter acts.
    fn outside_turns(&mut self) {
        let starter = self.state.player(Builtin::Starter);
        self.state.set_player(Builtin::Mover, starter);
        self.me = self.mover();
    }

    /// Plays a turn of every seat in a round.
    fn turns_of_round(
        &mut self,
        span: Span,
        from: &CheckedExpr,
        body: &CheckedBlock,
    ) -> Executed<Completion> {
        let first = self.eval().some(from)?;
        let players = self.model.players.count;
        let mut to_come = BitSet::full(players);
        for seat in (0..players).map(|k| (first + k) % players) {
            to_come.remove(seat);
            self.state.set(Builtin::ToCome.slot(), 0, Value::Set(to_come.clone()));
            self.state.set_player(Builtin::Mover, Some(Seat(seat)));
            if !self.mover_plays()? {
                self.count_loop(span)?;
                continue;
            }
            self.in_turn = true;
            if !self.model.pasts.is_empty() {
                self.past.push(self.state.clone());
            }
            loop {
                self.count_loop(span)?;
                self.me = Seat(seat);
                let again = match self.block(body)? {
                    Completion::Over(end) => return Ok(Completion::Over(end)),
                    flow => flow == Completion::Again,
                };
                if !again {
                    self.add_one(Builtin::Turns, seat as usize, span)?;
                }
                if let Some(end) = self.ended(|timing| timing != EndTiming::Round)? {
                    return Ok(Completion::Over(end));
                }
                if !again {
                    break;
                }
            }
            self.in_turn = false;
            self.counts.turns += 1;
            self.state.reset(self.model, |s| s.life == Life::Turn);
        }
        self.outside_turns();
        Ok(Completion::On)
    }

    /// Returns the first end that holds, among those whose timing is tested.
    fn ended(&mut self, tested: impl Fn(EndTiming) -> bool) -> Executed<Option<usize>> {
        let mover = self.mover();
        for (number, end) in self.model.ends.iter().enumerate().filter(|(_, e)| tested(e.timing)) {
            if self.evaluator_for(mover).truth(&end.when)? {
                return Ok(Some(number));
            }
        }
        Ok(None)
    }

    pub(crate) fn block(&mut self, block: &CheckedBlock) -> Executed<Completion> {
        for stmt in &block.stmts {
            let flow = self.stmt(stmt)?;
            if flow != Completion::On {
                return Ok(flow);
            }
        }
        Ok(Completion::On)
    }

    fn stmt(&mut self, stmt: &CheckedStmt) -> Executed<Completion> {
        use CheckedStmtKind as S;
        match &stmt.kind {
            S::Step { body, .. } => return self.step(body),
            S::Choose(choice) => return self.choose(*choice),
            S::If { condition, then, otherwise } => {
                return if self.eval().truth(condition)? { self.block(then) } else { self.block(otherwise) };
            }
            S::For { local, over, from, body } => {
                return self.each(stmt.span, *local, over, from.as_ref(), body);
            }
            S::While { condition, body } => {
                while self.eval().truth(condition)? {
                    self.count_loop(stmt.span)?;
                    let flow = self.block(body)?;
                    if flow != Completion::On {
                        return Ok(flow);
                    }
                }
            }
            S::Repeat { body, until } => loop {
                self.count_loop(stmt.span)?;
                let flow = self.block(body)?;
                if flow != Completion::On {
                    return Ok(flow);
                }
                if self.eval().truth(until)? {
                    break;
                }
            },
            S::Chance { body, given } => self.chance_given(stmt.span, body, given)?,
            S::As { player, body } => {
                let player = self.eval().seat(player)?;
                let me = std::mem::replace(&mut self.me, player);
                let flow = self.block(body);
                self.me = me;
                return flow;
            }
            S::Turns { from, body } => return self.turns_of_round(stmt.span, from, body),
            S::Let { local, value } | S::SetLocal { local, value } => {
                let value = self.eval().eval(value)?;
                let declared = &self.model.locals[local.index()];
                if let (Some((low, high)), Value::Number(n)) = (declared.range, &value)
                    && !(low..=high).contains(n)
                {
                    let name = declared.name.clone();
                    let kind = RuntimeErrorKind::OutOfRange { name, value: *n, low, high };
                    return Ok(fail(stmt.span, kind)?);
                }
                self.locals[local.index()] = Some(value);
            }
            S::Assign { target, value } => {
                // The value first, whether it fits, and only then its place: an error of the value is told before
                // one of the index.
                let value = self.eval().eval(value)?;
                self.check_fits(target.slot, &value, stmt.span)?;
                let place = self.eval().target(target)?;
                self.write(target.slot, place, value, stmt.span)?;
            }
            S::Put { piece, at, .. } => {
                let place = self.eval().target(piece)?;
                let sites = self.eval().set(at)?;
                self.state.put(self.model, piece.slot, place, &sites);
            }
            S::Clear { board, index, at } => {
                let boards = &self.model.boards[board.index()].index;
                let place = self.eval().place(boards, index)?;
                let sites = self.eval().set(at)?;
                self.state.clear(self.model, *board, place, &sites);
            }
            S::ClearPiece { piece } => {
                let place = self.eval().target(piece)?;
                let Value::Set(standing) = self.state.value(piece.slot, place) else { ill_typed() };
                let none = Value::Set(BitSet::empty(standing.size()));
                self.write(piece.slot, place, none, stmt.span)?;
            }
            S::Move { board, index, from, to, .. } => {
                let boards = &self.model.boards[board.index()].index;
                let place = self.eval().place(boards, index)?;
                let (from, to) = (self.eval().element(from)?, self.eval().element(to)?);
                if let (Some(from), Some(to)) = (from, to)
                    && let Some((piece, at)) = self.state.standing(self.model, *board, place, Site(from))
                {
                    let size = self.model.boards[board.index()].topology.size();
                    self.state.clear(self.model, *board, place, &BitSet::single(size, from));
                    self.state.put(self.model, piece, at, &BitSet::single(size, to));
                }
            }
            S::MoveTo { what, zone, below } => {
                let place = self.eval().target(zone)?;
                let what = self.eval().set(what)?;
                self.state.move_to(self.model, zone.slot, place, &what, *below);
            }
            S::Roll { dice, among } => self.roll(stmt.span, dice, among.as_ref())?,
            S::Pick { local, over, by: None } => {
                let over = self.eval().set(over)?;
                let chosen = self.chance(u64::from(over.len()))?;
                self.locals[local.index()] = Some(Value::Element(over.iter().nth(chosen as usize)));
            }
            S::Pick { local, over, by: Some(zone) } => self.pick_copy(*local, over, zone)?,
            S::Call { hook, args } => self.call(stmt.span, *hook, args)?,
            S::Next(player) => {
                let player = self.eval().some(player)?;
                self.state.set(Builtin::NextMover.slot(), 0, Value::Element(Some(player)));
            }
            S::Again => return Ok(Completion::Again),
            S::Done => return Ok(Completion::Done),
            S::Skip => return Ok(Completion::Skip),
            S::EndGame { end, result } => {
                if let Some(result) = result {
                    self.winners = Some(self.eval().winners(result)?);
                }
                return Ok(Completion::Over(self.model.ends.len() + *end as usize));
            }
        }
        Ok(Completion::On)
    }

    fn step(&mut self, body: &CheckedBlock) -> Executed<Completion> {
        match self.block(body)? {
            Completion::On | Completion::Skip => {}
            flow => return Ok(flow),
        }
        let end = self.ended(|timing| timing == EndTiming::AtOnce)?;
        Ok(end.map_or(Completion::On, Completion::Over))
    }

    fn each(
        &mut self,
        span: Span,
        local: LocalId,
        over: &CheckedExpr,
        from: Option<&CheckedExpr>,
        body: &CheckedBlock,
    ) -> Executed<Completion> {
        let over = self.eval().set(over)?;
        let first = match from {
            Some(from) => self.eval().some(from)?,
            None => 0,
        };
        let (before, rest): (Vec<u32>, Vec<u32>) = over.iter().partition(|x| *x < first);
        for x in rest.into_iter().chain(before) {
            self.count_loop(span)?;
            self.eval().bind(local, x);
            let flow = self.block(body)?;
            if flow != Completion::On {
                return Ok(flow);
            }
        }
        Ok(Completion::On)
    }

    /// Writes a value to a slot, if its content allows it.
    pub(crate) fn write(&mut self, slot: SlotId, place: usize, value: Value, span: Span) -> Executed<()> {
        self.check_fits(slot, &value, span)?;
        self.state.set(slot, place, value);
        if matches!(self.model.slots[slot.index()].role, Role::Piece(_)) {
            self.state.derive(self.model);
        }
        Ok(())
    }

    /// Fails if a slot can't have a value.
    fn check_fits(&self, slot: SlotId, value: &Value, span: Span) -> Executed<()> {
        let s = &self.model.slots[slot.index()];
        let content = match (s.role, s.content) {
            // No die is turned to 0, which is that of dice that aren't rolled.
            (Role::Dice { .. }, Content::Number { high, .. }) => Content::Number { low: 1, high },
            (_, content) => content,
        };
        match (content, value) {
            (Content::Number { low, high }, Value::Number(n)) if !(low..=high).contains(n) => {
                let name = s.name.clone();
                Ok(fail(span, RuntimeErrorKind::OutOfRange { name, value: *n, low, high })?)
            }
            (Content::Element { optional: false, .. }, Value::Element(None)) => {
                Ok(fail(span, RuntimeErrorKind::NoneValue)?)
            }
            _ => Ok(()),
        }
    }

    fn add_one(&mut self, counter: Builtin, place: usize, span: Span) -> Executed<()> {
        let Value::Number(n) = self.state.value(counter.slot(), place) else { ill_typed() };
        let Some(n) = n.checked_add(1) else { return Ok(fail(span, RuntimeErrorKind::Overflow)?) };
        self.write(counter.slot(), place, Value::Number(n), span)
    }

    pub(crate) fn count_loop(&mut self, span: Span) -> Executed<()> {
        self.loops += 1;
        if self.loops > LOOP_BUDGET {
            return Ok(fail(endless_loop(self.model, span), RuntimeErrorKind::Budget)?);
        }
        Ok(())
    }

    fn mover(&self) -> Seat {
        self.state.player(Builtin::Mover).unwrap_or_else(|| ill_typed())
    }

    /// Returns the player whose turn follows that of the mover, unless the rules name another.
    fn next_seat(&mut self) -> Executed<Seat> {
        let mover = self.mover();
        match &self.model.playing {
            Some(playing) => Ok(self.evaluator_for(mover).seat(&playing.next)?),
            None => Ok(Seat((mover.0 + 1) % self.model.players.count)),
        }
    }

    /// Returns `true` if the turn passes to the starter or past the starter's seat.
    fn closes_round(&self, mover: Seat, next: Seat) -> bool {
        let count = self.model.players.count;
        let steps = |seat: Seat| (seat.0 + count - mover.0 - 1) % count;
        self.state.player(Builtin::Starter).is_some_and(|starter| steps(starter) <= steps(next))
    }

    /// Returns `true` if the mover still has turns.
    fn mover_plays(&mut self) -> Executed<bool> {
        let mover = self.mover();
        match &self.model.playing {
            Some(playing) => Ok(self.evaluator_for(mover).truth(&playing.mover)?),
            None => Ok(true),
        }
    }

    pub(crate) fn eval(&mut self) -> Evaluator<'_> {
        self.evaluator_for(self.me)
    }

    fn evaluator_for(&mut self, me: Seat) -> Evaluator<'_> {
        let (model, state, past) = (self.model, &*self.state, &*self.past);
        Evaluator { model, state, past, locals: &mut self.locals, me, chain: None }
    }
}

/// Returns the span for the error if turns go on forever.
fn turn_span(model: &Model) -> Span {
    let first = model.turn.stmts.first().map(|s| s.span);
    first.or(model.ends.first().map(|e| e.span)).unwrap_or(Span::new(FileId(0), 0, 0))
}
