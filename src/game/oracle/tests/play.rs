//! Choices, chance, the order of turns, ends and winners.

use super::build::*;
use super::*;
use crate::RuntimeErrorKind;
use houserule_language::syntax::EndTiming;
use houserule_model::{
    Builtin, CheckedBinder, CheckedEndResult, CheckedExprKind, CheckedStmtKind, ComparisonOperator, Life,
    PLAYER, Rank, Target, Type,
};

/// Takes the n-th legal action and stops at the next question.
struct One {
    nth: usize,
    legal: usize,
}

impl Driver for One {
    fn choose(&mut self, _: &Situation<'_>, legal: &[ActionId]) -> Result<ActionId, DriverStop> {
        if self.legal > 0 {
            return Err(DriverStop);
        }
        self.legal = legal.len();
        Ok(legal[self.nth])
    }

    fn chance(&mut self, _: &Situation<'_>, _: u64) -> Result<u64, DriverStop> {
        Err(DriverStop)
    }
}

/// Counts the games that continue from a state: won by the first, by the second, drawn.
fn games(model: &Model, state: &SlotValues) -> [u64; 3] {
    let mut found = [0; 3];
    let (mut nth, mut legal) = (0, 1);
    while nth < legal {
        let mut next = state.clone();
        let mut one = One { nth, legal: 0 };
        let more = match resume(model, &mut next, &mut one) {
            Err(Halt::Stopped) => games(model, &next),
            Ok(ending) => match ending.winners[..] {
                [true, false] => [1, 0, 0],
                [false, true] => [0, 1, 0],
                [true, true] => [0, 0, 1],
                _ => panic!("nobody won"),
            },
            Err(halt) => panic!("{halt:?}"),
        };
        found = [found[0] + more[0], found[1] + more[1], found[2] + more[2]];
        legal = one.legal;
        nth += 1;
    }
    found
}

#[test]
fn three_in_a_row_has_255168_games() {
    let model = three_in_a_row(false);
    // The first mark is in a corner, on a side or in the middle. Equivalent squares have the same number of
    // games.
    let mut found = [0; 3];
    for (square, alike) in [(0, 4), (1, 4), (4, 1)] {
        let (ended, state, _) = run(&model, 0, &[square]);
        assert_eq!(ended, Err(Halt::Stopped));
        let from = games(&model, &state);
        (0..3).for_each(|i| found[i] += alike * from[i]);
    }
    assert_eq!(found, [131_184, 77_904, 46_080]);
    assert_eq!(found.iter().sum::<u64>(), 255_168);
}

#[test]
fn a_game_is_played_to_its_end() {
    let model = three_in_a_row(false);
    let (ended, state, script) = run(&model, 1, &[0, 3, 1, 4, 2]);
    let ending = ended.unwrap();
    assert_eq!((ending.end, ending.winners), (0, vec![false, true]));
    assert_eq!(ending.counts, GameCounters { turns: 5, rolls: 0, decisions: 5 });
    assert_eq!(script.asked[1], Question::Choice(0, vec![1, 2, 3, 4, 5, 6, 7, 8]));
    assert_eq!(numbers_in(&state, Builtin::Turns.slot()), [2, 3]);
    // The mover is the player who moved last, and the third round is not over.
    assert_eq!(state.player(Builtin::Mover), Some(Seat(1)));
    assert_eq!(number_in(&state, Builtin::Round.slot(), 0), 3);
    assert_eq!(run(&model, 0, &[0, 0]).0, Err(Halt::Illegal));
}

#[test]
fn a_pick_is_the_kth_element_and_one_element_no_event() {
    let model = three_in_a_row(true);
    // X gets squares 0, 2, 3, 7 and 8, and O the others: a full board without a line.
    let (ended, _, script) = run(&model, 0, &[0, 0, 0, 1, 0, 0, 1, 0]);
    let outcomes: Vec<Question> = (2..=9).rev().map(|n| Question::Chance(u32::from(n % 2 == 0), n)).collect();
    assert_eq!(script.asked, outcomes);
    let ending = ended.unwrap();
    assert_eq!((ending.end, ending.counts.turns, ending.counts.rolls), (1, 9, 0));
}

#[test]
fn dice_are_one_number_with_the_first_die_first() {
    let mut b = ModelBuilder::new(1);
    let (two, die) = b.dice(2, 6);
    let (many, each) = b.dice(6, 6);
    let (blank, _) = b.dice(3, 1);
    let roll = |dice, among| stmt(CheckedStmtKind::Roll { dice: target(dice, vec![]), among });
    let wait = b.option(vec![], None, vec![]);
    b.model.turn = block(vec![
        roll(two, None),
        roll(two, Some(set(die, 2, &[1]))),
        roll(two, Some(set(die, 2, &[]))),
        roll(many, None),
        roll(many, Some(set(each, 6, &[5]))),
        roll(blank, None),
        b.choose(vec![wait], None),
    ]);
    // Outcome 13 of two dice is a 3 and a 2, outcome 1865 of six dice 1 2 3 4 5 6.
    let (_, state, script) = run(&b.model, 0, &[13, 4, 1865, 1, 0]);
    let chance = |n| Question::Chance(0, n);
    assert_eq!(script.asked[..2], [chance(36), chance(6)]);
    assert_eq!(numbers_in(&script.states[1], two), [3, 2]);
    assert_eq!(script.asked[2..4], [chance(6 * 6 * 6 * 6 * 6 * 6), chance(6)]);
    assert_eq!(script.asked[4], Question::Choice(0, vec![0]));
    let seen = &script.states[4];
    assert_eq!(numbers_in(seen, two), [3, 5]);
    assert_eq!(numbers_in(seen, many), [1, 2, 3, 4, 5, 2]);
    assert_eq!(numbers_in(seen, blank), [1, 1, 1]);
    // The turn has passed, and the next roll has not happened.
    assert_eq!(script.asked[5], chance(36));
    assert_eq!(numbers_in(&script.states[5], many), [0; 6]);
    assert_eq!(numbers_in(&state, two), [0, 0]);
}

#[test]
fn again_keeps_the_seat_and_what_lives_for_a_turn() {
    let mut b = ModelBuilder::new(2);
    let pot = b.var("pot", 100, Life::Turn);
    let kept = b.var("kept", 100, Life::Round);
    let more =
        b.option(vec![], None, vec![increase(pot, 1), increase(kept, 1), stmt(CheckedStmtKind::Again)]);
    let stop = b.option(vec![], None, vec![]);
    b.model.turn = block(vec![b.choose(vec![more, stop], None), increase(kept, 10)]);
    let (_, state, script) = run(&b.model, 0, &[0, 0, 1, 0, 1]);
    let seen: Vec<(u32, i64, i64)> = script
        .asked
        .iter()
        .zip(&script.states)
        .map(|(asked, s)| match asked {
            Question::Choice(me, _) => (*me, number_in(s, pot, 0), number_in(s, kept, 0)),
            Question::Chance(..) => panic!("no chance here"),
        })
        .collect();
    assert_eq!(seen, [(0, 0, 0), (0, 1, 1), (0, 2, 2), (1, 0, 12), (1, 1, 13), (0, 0, 0)]);
    assert_eq!(numbers_in(&state, Builtin::Turns.slot()), [1, 1]);
    assert_eq!(number_in(&state, Builtin::Round.slot(), 0), 2);
}

#[test]
fn next_and_the_starter_give_the_order() {
    let mut b = ModelBuilder::new(3);
    let again = b.option(vec![], None, vec![stmt(CheckedStmtKind::Next(me()))]);
    let on = b.option(vec![], None, vec![]);
    b.model.turn = block(vec![b.choose(vec![again, on], None)]);
    b.model.setup = block(vec![stmt(CheckedStmtKind::Assign {
        target: target(Builtin::Starter.slot(), vec![]),
        value: element(PLAYER, Some(2)),
    })]);
    let order = |model: &Model| {
        let (_, state, script) = run(model, 0, &[1, 1, 0, 1, 1]);
        let seats = script.asked.iter().map(|a| if let Question::Choice(me, _) = a { *me } else { 9 });
        (seats.collect::<Vec<_>>(), number_in(&state, Builtin::Round.slot(), 0))
    };
    // Seat 1 is the last of a round that seat 2 starts: it takes two turns, and closes two rounds.
    assert_eq!(order(&b.model), (vec![2, 0, 1, 1, 2, 0], 3));
    b.model.setup.stmts.push(stmt(CheckedStmtKind::Next(element(PLAYER, Some(1)))));
    assert_eq!(order(&b.model).0, [1, 2, 0, 0, 1, 2]);
}

/// Returns a model with one end of this timing, which tests `n >= 1`. The turn is `body`.
fn ending_at(
    timing: EndTiming,
    body: impl FnOnce(&mut ModelBuilder, SlotId) -> Vec<CheckedStmtKind>,
) -> ModelBuilder {
    let mut b = ModelBuilder::new(2);
    let n = b.var("n", 100, Life::Game);
    let body = body(&mut b, n).into_iter().map(stmt).collect();
    b.model.turn = block(body);
    b.end(timing, compare(ComparisonOperator::GreaterEqual, number(n), num(1)), None);
    b
}

#[test]
fn ends_are_tested_when_they_say() {
    let two_steps = |leave: Option<CheckedStmtKind>| {
        move |_: &mut ModelBuilder, n: SlotId| {
            let mut first = vec![increase(n, 1)];
            first.extend(leave.map(stmt));
            vec![step(first).kind, step(vec![increase(n, 10)]).kind]
        }
    };
    let play_out = |b: &ModelBuilder| {
        let (ended, state, _) = run(&b.model, 0, &[]);
        let turns = numbers_in(&state, Builtin::Turns.slot()).iter().sum::<i64>();
        // Every body here runs once a turn, and the last turn is counted even if it was cut short.
        assert!((turns as u64..=turns as u64 + 1).contains(&ended.unwrap().counts.turns));
        (number_in(&state, SlotId(Builtin::ALL.len() as u32), 0), turns)
    };
    // At once: after the first step, whether it falls through or is skipped. The turn is not finished.
    assert_eq!(play_out(&ending_at(EndTiming::AtOnce, two_steps(None))), (1, 0));
    assert_eq!(play_out(&ending_at(EndTiming::AtOnce, two_steps(Some(CheckedStmtKind::Skip)))), (1, 0));
    // `done` goes straight to the end of the turn.
    assert_eq!(play_out(&ending_at(EndTiming::AtOnce, two_steps(Some(CheckedStmtKind::Done)))), (1, 1));
    assert_eq!(play_out(&ending_at(EndTiming::Turn, two_steps(None))), (11, 1));
    assert_eq!(play_out(&ending_at(EndTiming::Turn, two_steps(Some(CheckedStmtKind::Skip)))), (11, 1));
    assert_eq!(play_out(&ending_at(EndTiming::Turn, two_steps(Some(CheckedStmtKind::Done)))), (1, 1));
    // Ends are tested after `again` too, but it doesn't count as the end of a turn.
    assert_eq!(play_out(&ending_at(EndTiming::Turn, two_steps(Some(CheckedStmtKind::Again)))), (1, 0));
    // The round is over when the second seat has finished.
    assert_eq!(play_out(&ending_at(EndTiming::Round, two_steps(None))), (22, 2));
    let end_game = ending_at(EndTiming::Round, |_, n| {
        vec![step(vec![increase(n, 1)]).kind, CheckedStmtKind::EndGame { end: 0, result: None }]
    });
    assert_eq!(play_out(&end_game), (1, 0));
    assert_eq!(run(&end_game.model, 0, &[]).0.unwrap().end, 1);
}

#[test]
fn again_in_the_last_seat_does_not_end_the_round() {
    let mut b = ModelBuilder::new(2);
    let more = b.option(vec![], None, vec![stmt(CheckedStmtKind::Again)]);
    let stop = b.option(vec![], None, vec![]);
    b.model.turn = block(vec![b.choose(vec![more, stop], None)]);
    b.end(EndTiming::Round, truth(true), None);
    let (ended, _, _) = run(&b.model, 0, &[1, 0, 0, 1]);
    assert_eq!(ended.unwrap().counts.decisions, 4);
}

#[test]
fn turns_are_counted_before_the_ends_are_tested() {
    let mut b = ModelBuilder::new(2);
    let turns = read(Builtin::Turns.slot(), vec![me()], Type::Number);
    b.end(EndTiming::Turn, equal(turns, num(2)), Some(CheckedEndResult::Win(me())));
    let ending = run(&b.model, 0, &[]).0.unwrap();
    assert_eq!((ending.counts.turns, ending.winners), (3, vec![true, false]));
}

#[test]
fn binders_may_depend_on_earlier_ones() {
    let mut b = ModelBuilder::new(1);
    let d = b.range(1, 3);
    let e = b.range(1, 4);
    let (x, y) = (b.local(Type::Element(d)), b.local(Type::Element(e)));
    let value_of =
        |l, ty| expr(CheckedExprKind::ValueOf(Box::new(local(l, Type::Element(ty)))), Type::Number);
    let k = b.local(Type::Element(e));
    let above = compare(ComparisonOperator::Greater, value_of(k, e), value_of(x, d));
    let all = set(e, 4, &[0, 1, 2, 3]);
    let later = CheckedExprKind::Filter { local: k, over: Box::new(all), condition: Box::new(above) };
    let sum = add(value_of(x, d), value_of(y, e));
    let product = b.var("sum", 100, Life::Game);
    let plain = b.option(vec![], None, vec![]);
    let pairs = b.option(
        vec![
            CheckedBinder { local: x, domain: d, subset: false, over: set(d, 3, &[0, 2]) },
            CheckedBinder { local: y, domain: e, subset: false, over: expr(later, Type::Set(e)) },
        ],
        Some(compare(ComparisonOperator::NotEqual, sum.clone(), num(4))),
        vec![assign(product, sum)],
    );
    b.model.turn = block(vec![b.choose(vec![pairs, plain], None), end_game()]);
    // Action 0 is the plain one; then (x, y) in 1..3 by 1..4. Legal: 1 with 2, 4; 3 with 4.
    let (ended, state, script) = run(&b.model, 0, &[12]);
    assert_eq!(script.asked, [Question::Choice(0, vec![0, 2, 4, 12])]);
    assert_eq!(number_in(&state, product, 0), 7);
    assert_eq!(ended.unwrap().counts.decisions, 1);
}

#[test]
fn with_nothing_legal_there_is_otherwise() {
    let choosing = |otherwise: Option<Vec<_>>| {
        ending_at(EndTiming::Turn, |b, n| {
            let never = b.option(vec![], Some(truth(false)), vec![]);
            let otherwise = otherwise.map(|more: Vec<i64>| more.iter().map(|k| increase(n, *k)).collect());
            vec![b.choose(vec![never], otherwise).kind, increase(n, 1).kind]
        })
    };
    let n_of = |b: ModelBuilder| {
        let (ended, state, script) = run(&b.model, 0, &[]);
        assert!(script.asked.is_empty());
        assert_eq!(ended.unwrap().counts.decisions, 0);
        number_in(&state, SlotId(Builtin::ALL.len() as u32), 0)
    };
    assert_eq!(n_of(choosing(None)), 1);
    assert_eq!(n_of(choosing(Some(vec![5]))), 6);
}

#[test]
fn another_seat_may_choose() {
    let mut b = ModelBuilder::new(2);
    let take = b.option(vec![], None, vec![]);
    let choose = b.choose(vec![take], None);
    let player = element(PLAYER, Some(1));
    b.model.turn = block(vec![
        stmt(CheckedStmtKind::As { player, body: block(vec![choose.clone()]) }),
        choose,
        end_game(),
    ]);
    let (_, _, script) = run(&b.model, 0, &[0, 0]);
    assert_eq!(script.asked, [Question::Choice(1, vec![0]), Question::Choice(0, vec![0])]);
    assert!(script.states.iter().all(|s| s.player(Builtin::Mover) == Some(Seat(0))));
}

#[test]
fn the_first_key_that_differs_decides() {
    let mut b = ModelBuilder::new(3);
    let points = vec![7, 9, 9];
    let ties = vec![0, 5, 3];
    let table = |b: &mut ModelBuilder, values: &Vec<i64>| {
        let values = values.clone();
        b.model.tables.push(houserule_model::ConstantTable { name: "t".into(), index: vec![PLAYER], values });
        let id = houserule_model::TableId(b.model.tables.len() as u32 - 1);
        expr(CheckedExprKind::Table(id, vec![me()]), Type::Number)
    };
    let (points, ties) = (table(&mut b, &points), table(&mut b, &ties));
    b.model.turn = block(vec![end_game()]);
    let winners = |b: &ModelBuilder| run(&b.model, 0, &[]).0.unwrap().winners;
    assert_eq!(winners(&b), [true, true, true]);
    b.score(points.clone());
    b.score(num(1));
    b.model.winner = vec![Rank { most: true, value: points }];
    assert_eq!(winners(&b), [false, true, true]);
    b.model.winner.push(Rank { most: false, value: ties });
    assert_eq!(winners(&b), [false, false, true]);
    let ending = run(&b.model, 0, &[]).0.unwrap();
    assert_eq!(ending.scores, [[7, 1], [9, 1], [9, 1]]);
    assert_eq!(ending.totals, [8, 10, 10]);
    // An end with a result of its own doesn't use scores.
    b.model.turn = block(vec![]);
    b.end(EndTiming::Turn, truth(true), Some(CheckedEndResult::Lose(me())));
    assert_eq!(winners(&b), [false, true, true]);
    b.model.ends[0].result = Some(CheckedEndResult::Win(me()));
    assert_eq!(winners(&b), [true, false, false]);
}

#[test]
fn loops_without_a_decision_run_out() {
    let forever = |kind| {
        let mut b = ModelBuilder::new(1);
        b.model.turn = block(vec![houserule_model::CheckedStmt { kind, span: at(5) }]);
        run(&b.model, 0, &[]).0
    };
    let budget = Err(Halt::Error(crate::RuntimeError { span: at(5), kind: RuntimeErrorKind::Budget }));
    let body = houserule_model::CheckedBlock::default();
    assert_eq!(forever(CheckedStmtKind::While { condition: truth(true), body: body.clone() }), budget);
    assert_eq!(forever(CheckedStmtKind::Repeat { body: body.clone(), until: truth(false) }), budget);
    // Turns that never end.
    let nothing = CheckedStmtKind::If { condition: truth(true), then: body.clone(), otherwise: body };
    assert_eq!(forever(nothing), budget);
}

#[test]
fn the_limit_is_so_many_decisions() {
    let mut b = ModelBuilder::new(1);
    let wait = b.option(vec![], None, vec![]);
    b.model.turn = block(vec![b.choose(vec![wait], None)]);
    b.model.limit = 3;
    let (ended, _, script) = run(&b.model, 0, &[0; 9]);
    let kind = RuntimeErrorKind::Limit { decisions: 3 };
    assert_eq!(ended, Err(Halt::Error(crate::RuntimeError { span: at(77), kind })));
    assert_eq!(script.asked.len(), 4);
    b.end(EndTiming::Turn, equal(read_turns(), num(3)), None);
    assert!(run(&b.model, 0, &[0; 9]).0.is_ok());
}

fn read_turns() -> houserule_model::CheckedExpr {
    let target = Target { slot: Builtin::Turns.slot(), index: vec![me()] };
    expr(CheckedExprKind::Read(target), Type::Number)
}

#[test]
fn a_for_loop_may_begin_anywhere() {
    let mut b = ModelBuilder::new(4);
    let p = b.local(Type::Element(PLAYER));
    let wait = b.option(vec![], None, vec![]);
    let choose = b.choose(vec![wait], None);
    let player = local(p, Type::Element(PLAYER));
    let acting = stmt(CheckedStmtKind::As { player, body: block(vec![choose]) });
    b.model.turn = block(vec![
        stmt(CheckedStmtKind::For {
            local: p,
            over: set(PLAYER, 4, &[0, 1, 3]),
            from: Some(element(PLAYER, Some(2))),
            body: block(vec![acting]),
        }),
        end_game(),
    ]);
    let (_, _, script) = run(&b.model, 0, &[0; 3]);
    let seats: Vec<Question> = [3, 0, 1].map(|me| Question::Choice(me, vec![0])).to_vec();
    assert_eq!(script.asked, seats);
}
