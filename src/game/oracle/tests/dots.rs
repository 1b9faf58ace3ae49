//! A whole game of dice and dots, against exact values that were computed by hand and by a Markov chain.

use super::build::*;
use super::*;
use houserule_base::rng::Stream;
use houserule_language::syntax::EndTiming;
use houserule_model::board::LineKinds;
use houserule_model::{
    CheckedBinder, CheckedExpr, CheckedExprKind, CheckedStmtKind, Life, PointsTable, SlotId, Target, Type,
};
use std::collections::HashMap;

pub(super) struct Dots {
    pub(super) model: Model,
    dot: SlotId,
    penalties: SlotId,
}

/// Two dice name a square of six by six: a dot goes there if it is free. If not, there is a penalty, except
/// for a double. The third penalty ends the game at once. Runs of 3, 4, 5, 6 score 1, 3, 10, 40.
pub(super) fn dots() -> Dots {
    let mut b = ModelBuilder::new(1);
    let board = b.board(6, 6, vec![]);
    let cell = b.cell(board);
    let dot = b.piece(board, &[]);
    let (pair, die) = b.dice(2, 6);
    let penalties = b.var("penalties", 3, Life::Game);
    let face = |n| Box::new(read(pair, vec![element(die, Some(n))], Type::Number));
    let named = expr(CheckedExprKind::Cell { board, column: face(0), row: face(1) }, Type::Element(cell));
    let free = CheckedExprKind::Intersect(Box::new(one_of(cell, named)), Box::new(b.empty(board)));
    let c = b.local(Type::Element(cell));
    let place = b.option(
        vec![CheckedBinder { local: c, domain: cell, subset: false, over: expr(free, Type::Set(cell)) }],
        None,
        vec![put(dot, vec![], one_of(cell, local(c, Type::Element(cell))))],
    );
    let double = equal(*face(0), *face(1));
    let penalty = stmt(CheckedStmtKind::If {
        condition: double,
        then: block(vec![]),
        otherwise: block(vec![increase(penalties, 1)]),
    });
    let choose = b.choose(vec![place], Some(vec![penalty]));
    let roll = CheckedStmtKind::Roll { dice: Target { slot: pair, index: vec![] }, among: None };
    b.model.turn = block(vec![step(vec![stmt(roll)]), step(vec![choose])]);
    b.end(EndTiming::AtOnce, equal(number(penalties), num(3)), None);
    let entries = vec![(3, 1), (4, 3), (5, 10)];
    let points = PointsTable { entries, and_more: Some((6, 40)) };
    let of = Box::new(read(dot, vec![], Type::Set(cell)));
    let lines: CheckedExpr =
        expr(CheckedExprKind::Lines { board, along: LineKinds::ALL, of, points }, Type::Number);
    b.score(lines);
    Dots { model: b.model, dot, penalties }
}

fn dots_on(game: &Dots, state: &SlotValues) -> u32 {
    match state.value(game.dot, 0) {
        Value::Set(dots) => dots.len(),
        other => panic!("{other:?} is not a set"),
    }
}

/// Gives the first roll this outcome, takes the first legal action, and stops at the second roll.
struct OneRoll(Option<u64>);

impl Driver for OneRoll {
    fn choose(&mut self, _: &Situation<'_>, legal: &[ActionId]) -> Result<ActionId, DriverStop> {
        Ok(legal[0])
    }

    fn chance(&mut self, _: &Situation<'_>, outcomes: u64) -> Result<u64, DriverStop> {
        assert_eq!(outcomes, 36);
        self.0.take().ok_or(DriverStop)
    }
}

/// Draws everything from a stream.
struct StreamDriver(Stream);

impl Driver for StreamDriver {
    fn choose(&mut self, _: &Situation<'_>, legal: &[ActionId]) -> Result<ActionId, DriverStop> {
        Ok(legal[self.0.below(legal.len() as u64) as usize])
    }

    fn chance(&mut self, _: &Situation<'_>, outcomes: u64) -> Result<u64, DriverStop> {
        Ok(self.0.below(outcomes))
    }
}

#[test]
fn the_shortest_games_have_their_exact_chances() {
    let game = dots();
    // States at the start of a turn, with the number of the 36^n sequences of rolls that lead there.
    let mut ways: Vec<(SlotValues, u64)> = vec![(SlotValues::initial(&game.model, Seat(0)), 1)];
    let mut over = vec![];
    for rolls in 1..=5i64 {
        let mut next: HashMap<String, (SlotValues, u64)> = HashMap::new();
        over.push(0);
        for (state, n) in &ways {
            for outcome in 0..36 {
                let mut state = state.clone();
                match resume(&game.model, &mut state, &mut OneRoll(Some(outcome))) {
                    Ok(_) => over[rolls as usize - 1] += n,
                    // Only games that can still end with the fifth roll matter.
                    Err(Halt::Stopped) if number_in(&state, game.penalties, 0) >= rolls - 2 => {
                        next.entry(format!("{state:?}")).or_insert((state, 0)).1 += n;
                    }
                    Err(Halt::Stopped) => {}
                    Err(halt) => panic!("{halt:?}"),
                }
            }
        }
        ways = next.into_values().collect();
    }
    assert_eq!(over[..3], [0, 0, 0]);
    // 5/279936 and 1075/5038848.
    assert_eq!(over[3] * 279_936, 5 * 36u64.pow(4));
    assert_eq!(over[4] * 5_038_848, 1075 * 36u64.pow(5));
}

#[test]
fn random_games_have_the_exact_means() {
    let game = dots();
    let mut sums = [(0.0, 0.0); 2];
    let games = 20_000;
    for index in 0..games {
        let mut state = SlotValues::initial(&game.model, Seat(0));
        let ending = play(&game.model, &mut state, &mut StreamDriver(Stream::new(5, index, 0))).unwrap();
        assert_eq!(ending.end, 0);
        assert_eq!(ending.counts.decisions, u64::from(dots_on(&game, &state)));
        for (sum, x) in sums.iter_mut().zip([dots_on(&game, &state) as f64, ending.counts.rolls as f64]) {
            *sum = (sum.0 + x, sum.1 + x * x);
        }
    }
    let n = games as f64;
    for ((sum, squares), exact) in sums.into_iter().zip([13.479_815_920_642_363, 17.111_451_739_261_085]) {
        let mean = sum / n;
        let error = ((squares / n - mean * mean) / n).sqrt();
        assert!((mean - exact).abs() < 4.0 * error, "{mean} ± {error} for {exact}");
    }
}

#[test]
fn a_full_board_scores_616() {
    let game = dots();
    let mut state = SlotValues::initial(&game.model, Seat(0));
    assert_eq!(score_of(&game.model, &state, Seat(0)), Ok(vec![0]));
    state.set(game.dot, 0, Value::Set(houserule_model::board::BitSet::full(36)));
    assert_eq!(score_of(&game.model, &state, Seat(0)), Ok(vec![616]));
}
