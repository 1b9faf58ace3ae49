//! Slots: valid values, pieces and empty sites, lifetimes.

use super::build::*;
use super::*;
use crate::{RuntimeError, RuntimeErrorKind};
use houserule_model::board::BitSet;
use houserule_model::{
    BoardId, Builtin, CheckedExprKind, CheckedStmt, CheckedStmtKind, Content, Life, MoveIntent, PLAYER, Role,
    Type,
};

/// Runs statements once, as a setup, and returns the state or the error.
fn after(b: &ModelBuilder, stmts: Vec<CheckedStmt>) -> Result<SlotValues, RuntimeError> {
    let mut model = b.model.clone();
    model.setup = block(stmts);
    model.turn = block(vec![stmt(CheckedStmtKind::EndGame { end: 0, result: None })]);
    match run(&model, 0, &[]) {
        (Ok(_), state, _) => Ok(state),
        (Err(Halt::Error(error)), _, _) => Err(error),
        (Err(halt), _, _) => panic!("{halt:?}"),
    }
}

fn placed(span: usize, kind: CheckedStmtKind) -> CheckedStmt {
    CheckedStmt { kind, span: at(span) }
}

fn sites(b: &ModelBuilder, state: &SlotValues, board: BoardId, slot: SlotId, place: usize) -> String {
    let topology = &b.model.boards[board.index()].topology;
    match state.value(slot, place) {
        Value::Set(set) => set.sites().map(|s| topology.site_name(s)).collect::<Vec<_>>().join(" "),
        other => panic!("{other:?} is not a set"),
    }
}

#[test]
fn a_slot_holds_what_it_declares() {
    let mut b = ModelBuilder::new(2);
    let n = b.var("penalties", 3, Life::Game);
    let set_to = |value| placed(9, CheckedStmtKind::Assign { target: target(n, vec![]), value: num(value) });
    assert_eq!(number_in(&after(&b, vec![set_to(3)]).unwrap(), n, 0), 3);
    for value in [4, -1, i64::MAX] {
        let kind = RuntimeErrorKind::OutOfRange { name: "penalties".into(), value, low: 0, high: 3 };
        assert_eq!(after(&b, vec![set_to(value)]), Err(RuntimeError { span: at(9), kind }));
    }
    let who = |optional| Content::Element { domain: PLAYER, optional };
    let none = Value::Element(None);
    let maybe = b.slot("maybe", vec![], who(true), none.clone(), Life::Game, Role::Variable);
    let sure = b.slot("sure", vec![], who(false), Value::Element(Some(0)), Life::Game, Role::Variable);
    let to_none = |slot| {
        placed(9, CheckedStmtKind::Assign { target: target(slot, vec![]), value: element(PLAYER, None) })
    };
    assert_eq!(after(&b, vec![to_none(maybe)]).unwrap().value(maybe, 0), &none);
    let kind = RuntimeErrorKind::NoneValue;
    assert_eq!(after(&b, vec![to_none(sure)]), Err(RuntimeError { span: at(9), kind }));
}

#[test]
fn errors_say_where_and_what() {
    let mut b = ModelBuilder::new(2);
    let n = b.var("n", 3, Life::Game);
    let wins = b.slot(
        "wins",
        vec![PLAYER],
        Content::Number { low: 0, high: 9 },
        Value::Number(0),
        Life::Game,
        Role::Variable,
    );
    let kind = |stmts| after(&b, stmts).unwrap_err().kind;
    let nobody = || element(PLAYER, None);
    let indexed = CheckedStmtKind::Assign { target: target(wins, vec![nobody()]), value: num(1) };
    assert_eq!(kind(vec![stmt(indexed)]), RuntimeErrorKind::NoneIndex);
    assert_eq!(kind(vec![stmt(CheckedStmtKind::Next(nobody()))]), RuntimeErrorKind::NoneValue);
    let acting = CheckedStmtKind::As { player: nobody(), body: block(vec![]) };
    assert_eq!(kind(vec![stmt(acting)]), RuntimeErrorKind::NoneValue);
    assert_eq!(kind(vec![assign(n, add(num(i64::MAX), num(1)))]), RuntimeErrorKind::Overflow);
    let worded = RuntimeErrorKind::OutOfRange { name: "n".into(), value: 4, low: 0, high: 3 };
    assert_eq!(worded.to_string(), "`n` would become 4, but it holds 0..3");
}

#[test]
fn pieces_of_a_board_exclude_each_other() {
    let mut b = ModelBuilder::new(2);
    let board = b.board(3, 2, vec![]);
    let mark = b.piece(board, &[PLAYER]);
    let stone = b.piece(board, &[]);
    let cell = b.cell(board);
    let empty = b.model.boards[0].empty;
    let of = |p| vec![element(PLAYER, Some(p))];
    let site = |name: &str| {
        let site = b.model.boards[0].topology.parse_site(name);
        element(cell, site.map(|site| site.0))
    };
    let begin = [
        put(mark, of(0), b.sites(board, "a1 b1 c1")),
        put(mark, of(1), b.sites(board, "b1 a2")),
        put(stone, vec![], b.sites(board, "c1 c2")),
    ];
    let shown = |more: Vec<CheckedStmt>| {
        let state = after(&b, begin.iter().cloned().chain(more).collect()).unwrap();
        let show = |slot, place| sites(&b, &state, board, slot, place);
        [show(mark, 0), show(mark, 1), show(stone, 0), show(empty, 0)]
    };
    assert_eq!(shown(vec![]), ["a1", "b1 a2", "c1 c2", "b2"]);
    let clear = CheckedStmtKind::Clear { board, index: vec![], at: b.sites(board, "a1 c1 b2") };
    assert_eq!(shown(vec![stmt(clear)]), ["", "b1 a2", "c2", "a1 c1 b2"]);
    let clear = CheckedStmtKind::ClearPiece { piece: target(mark, of(1)) };
    assert_eq!(shown(vec![stmt(clear)]), ["a1", "", "c1 c2", "b1 a2 b2"]);
    let go = |from, to| {
        vec![stmt(CheckedStmtKind::Move { board, index: vec![], from, to, meant: MoveIntent::default() })]
    };
    assert_eq!(shown(go(site("b1"), site("b2"))), ["a1", "a2 b2", "c1 c2", "b1"]);
    assert_eq!(shown(go(site("b1"), site("c2"))), ["a1", "a2 c2", "c1", "b1 b2"]);
    assert_eq!(shown(go(site("b1"), site("b1"))), shown(vec![]));
    // Nothing moves from an empty site, or to or from nowhere.
    assert_eq!(shown(go(site("b2"), site("a1"))), shown(vec![]));
    assert_eq!(shown(go(element(cell, None), site("a1"))), shown(vec![]));
    assert_eq!(shown(go(site("a1"), element(cell, None))), shown(vec![]));
}

#[test]
fn boards_of_a_family_are_apart() {
    let mut b = ModelBuilder::new(2);
    let half = b.range(1, 3);
    let board = b.board(2, 1, vec![PLAYER, half]);
    let check = b.piece(board, &[]);
    let wild = b.piece(board, &[PLAYER]);
    let empty = b.model.boards[0].empty;
    let on = |p, h| vec![element(PLAYER, Some(p)), element(half, Some(h))];
    let with = |mut index: Vec<_>, p| {
        index.push(element(PLAYER, Some(p)));
        index
    };
    let state = after(
        &b,
        vec![
            put(check, on(1, 0), b.sites(board, "a1 b1")),
            put(check, on(1, 2), b.sites(board, "a1 b1")),
            put(wild, with(on(1, 2), 1), b.sites(board, "b1")),
        ],
    )
    .unwrap();
    let show = |slot, place| sites(&b, &state, board, slot, place);
    // Row-major: (1, 0) is the fourth board, (1, 2) the sixth.
    let checks: Vec<String> = (0..6).map(|p| show(check, p)).collect();
    assert_eq!(checks, ["", "", "", "a1 b1", "", "a1"]);
    let empties: Vec<String> = (0..6).map(|p| show(empty, p)).collect();
    assert_eq!(empties, ["a1 b1", "a1 b1", "a1 b1", "", "a1 b1", ""]);
    assert_eq!(show(wild, 11), "b1");
}

#[test]
fn elements_and_numbers_go_to_and_fro() {
    let mut b = ModelBuilder::new(1);
    let pit = b.range(5, 3);
    let seen =
        b.slot("seen", vec![], Content::Set(pit), Value::Set(BitSet::empty(3)), Life::Game, Role::Variable);
    let numbered = |n| expr(CheckedExprKind::ElementOf(Box::new(num(n))), Type::Element(pit));
    let all = [4, 5, 7, 8, -1, i64::MAX].map(numbered).to_vec();
    let state = after(&b, vec![assign(seen, expr(CheckedExprKind::Elements(all), Type::Set(pit)))]).unwrap();
    assert_eq!(state.value(seen, 0), &Value::Set(BitSet::from_elements(3, [0, 2])));
    let value = |n| expr(CheckedExprKind::ValueOf(Box::new(numbered(n))), Type::Number);
    let n = b.var("n", 99, Life::Game);
    assert_eq!(number_in(&after(&b, vec![assign(n, value(7))]).unwrap(), n, 0), 7);
    assert_eq!(after(&b, vec![assign(n, value(8))]).unwrap_err().kind, RuntimeErrorKind::NoneValue);
}

#[test]
fn quantifiers_go_over_the_elements_in_order() {
    use houserule_language::syntax::Quantifier as Q;
    let mut b = ModelBuilder::new(1);
    let d = b.range(-2, 6);
    let x = b.local(Type::Element(d));
    let value = || expr(CheckedExprKind::ValueOf(Box::new(local(x, Type::Element(d)))), Type::Number);
    let square = || {
        let (a, b) = (Box::new(value()), Box::new(value()));
        expr(CheckedExprKind::Arithmetic(houserule_model::Arithmetic::Multiply, a, b), Type::Number)
    };
    let quantified = |op, over: &[u32], body, ty| {
        let (over, body) = (Box::new(set(d, 6, over)), Box::new(body));
        expr(CheckedExprKind::Quantified { op, local: x, over, body }, ty)
    };
    let n = b.slot(
        "n",
        vec![],
        Content::Number { low: -99, high: 99 },
        Value::Number(0),
        Life::Game,
        Role::Variable,
    );
    let eval = |e| number_in(&after(&b, vec![assign(n, e)]).unwrap(), n, 0);
    // Elements 0..5 are the numbers -2..3.
    assert_eq!(eval(quantified(Q::Sum, &[0, 1, 5], value(), Type::Number)), 0);
    assert_eq!(eval(quantified(Q::Sum, &[0, 1, 5], square(), Type::Number)), 14);
    assert_eq!(eval(quantified(Q::Min, &[1, 5], value(), Type::Number)), -1);
    assert_eq!(eval(quantified(Q::Max, &[0, 1], value(), Type::Number)), -1);
    assert_eq!(eval(quantified(Q::Max, &[], value(), Type::Number)), 0);
    let positive = || compare(houserule_model::ComparisonOperator::Greater, value(), num(0));
    assert_eq!(eval(quantified(Q::Count, &[0, 3, 4, 5], positive(), Type::Number)), 3);
    let if_then = |c: houserule_model::CheckedExpr| {
        expr(CheckedExprKind::If(Box::new(c), Box::new(num(1)), Box::new(num(0))), Type::Number)
    };
    let truth_of = |op, over: &[u32]| eval(if_then(quantified(op, over, positive(), Type::Bool))) == 1;
    assert_eq!(
        [truth_of(Q::Any, &[0, 3]), truth_of(Q::Any, &[0]), truth_of(Q::Any, &[])],
        [true, false, false]
    );
    assert_eq!(
        [truth_of(Q::All, &[0, 3]), truth_of(Q::All, &[3]), truth_of(Q::All, &[])],
        [false, true, true]
    );
    // The first of equal elements: -2 before 2.
    let best = quantified(Q::Best, &[0, 1, 4], square(), Type::Element(d));
    assert_eq!(eval(expr(CheckedExprKind::ValueOf(Box::new(best)), Type::Number)), -2);
}

#[test]
fn what_lives_for_the_match_outlives_the_game() {
    let mut b = ModelBuilder::new(2);
    let board = b.board(2, 2, vec![]);
    let stone = b.piece(board, &[]);
    let kept = b.var("kept", 9, Life::Match);
    let lost = b.var("lost", 9, Life::Game);
    let everywhere = b.sites(board, "a1 b2");
    let state = after(&b, vec![assign(kept, num(4)), assign(lost, num(4)), put(stone, vec![], everywhere)]);
    let mut next = state.unwrap();
    next.set(Builtin::GameNumber.slot(), 0, Value::Number(2));
    let next = next.next_game(&b.model, Seat(1));
    assert_eq!((number_in(&next, kept, 0), number_in(&next, lost, 0)), (4, 0));
    assert_eq!(number_in(&next, Builtin::GameNumber.slot(), 0), 2);
    assert_eq!(sites(&b, &next, board, stone, 0), "");
    assert_eq!(sites(&b, &next, board, b.model.boards[0].empty, 0), "a1 b1 a2 b2");
    assert_eq!((next.player(Builtin::Starter), next.player(Builtin::Mover)), (Some(Seat(1)), Some(Seat(1))));
}
