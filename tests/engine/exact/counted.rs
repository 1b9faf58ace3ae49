//! Facts found by exact counting: trees, probabilities, boards.

use std::collections::{BTreeMap, HashMap};

use houserule::board::{LineKinds, runs};
use houserule::game::{Game, State};
use houserule::model::{CheckedBlock, CheckedStmtKind};
use houserule::solve::{GraphLimits, solve};

use super::data::{Fact, facts, facts_for};
use super::play::Play;
use super::slow::{Slow, chance_to_win};
use super::tree::{Fraction, Front, leaves, successors};
use crate::extent;

/// The kinds of facts that this file tests.
pub(crate) const KINDS: &[&str] = &[
    "perft",
    "results",
    "results_at",
    "outcomes",
    "chances",
    "ends_after",
    "chance",
    "value",
    "lines",
    "windows",
];

/// The most leaves of a depth that `./test` counts, by the executor and by the reference interpreter.
const MOST_LEAVES: [u64; 2] = [60_000, 600];

fn hold_leaves<P: Play>(slowly: bool) {
    let most = extent::tries(MOST_LEAVES[usize::from(slowly)], u64::MAX);
    for fact in facts("perft") {
        let start = P::start(&fact.game());
        let mut counted: Vec<u64> = fact.get("leaves");
        if let (true, Some(depth)) = (slowly, fact.find("slow_depth")) {
            counted.truncate(depth);
        }
        for (depth, expected) in (1..).zip(counted.into_iter().take_while(|leaves| *leaves <= most)) {
            assert_eq!(leaves(&start, depth), expected, "{} at depth {depth}", fact.name);
        }
    }
}

#[test]
fn trees_have_the_leaves_that_were_counted() {
    hold_leaves::<State>(false);
}

#[test]
fn trees_have_the_leaves_that_were_counted_slowly() {
    hold_leaves::<Slow>(true);
}

/// The ends of all lines of play from a state: their number, and the winners with their probabilities under uniformly random choices.
#[derive(Clone)]
struct Ends {
    games: u64,
    wins: Vec<u64>,
    draws: u64,
    chances: Vec<Fraction>,
    draw: Fraction,
}

impl Ends {
    /// Goes through the whole tree of a game: in `./test --all` through each line of play, otherwise once through what follows from
    /// equal states.
    fn of<P: Play>(game: &Game) -> Ends {
        Ends::after(&P::start(game), &mut (!extent::everything()).then(HashMap::new))
    }

    /// Returns the ends after a state. `known` has those after the states that were met before, if equal states are merged.
    fn after<P: Play>(state: &P, known: &mut Option<HashMap<P::Packed, Ends>>) -> Ends {
        let players = state.game().players() as usize;
        let mut found = Ends {
            games: 0,
            wins: vec![0; players],
            draws: 0,
            chances: vec![Fraction::ZERO; players],
            draw: Fraction::ZERO,
        };
        if state.is_over() {
            found.games = 1;
            match state.winner() {
                Some(seat) => (found.wins[seat], found.chances[seat]) = (1, Fraction::ONE),
                None => (found.draws, found.draw) = (1, Fraction::ONE),
            }
            return found;
        }
        let packed = known.is_some().then(|| state.clone().pack());
        if let (Some(known), Some(packed)) = (&*known, &packed)
            && let Some(ends) = known.get(packed)
        {
            return ends.clone();
        }
        let all = successors(state);
        for next in &all {
            found.add(&Ends::after(next, known), all.len() as u64);
        }
        if let (Some(known), Some(packed)) = (known, packed) {
            known.insert(packed, found.clone());
        }
        found
    }

    /// Adds the ends after one of `ways` equally likely successors.
    fn add(&mut self, after: &Ends, ways: u64) {
        self.games += after.games;
        self.draws += after.draws;
        self.draw = self.draw.plus(after.draw.part(ways));
        for (seat, (wins, chance)) in after.wins.iter().zip(&after.chances).enumerate() {
            self.wins[seat] += wins;
            self.chances[seat] = self.chances[seat].plus(chance.part(ways));
        }
    }
}

fn complete_games<P: Play>(fact: &Fact) {
    let ends = Ends::of::<P>(&fact.game());
    assert_eq!(ends.games, fact.get::<u64>("games"), "{}", fact.name);
    assert_eq!(ends.wins, fact.get::<Vec<u64>>("wins"), "{}", fact.name);
    assert_eq!(ends.draws, fact.get::<u64>("draws"), "{}", fact.name);
}

#[test]
fn complete_games_end_as_they_were_counted() {
    facts("results").iter().for_each(complete_games::<State>);
}

#[test]
fn complete_games_end_as_they_were_counted_slowly() {
    facts("results").iter().for_each(complete_games::<Slow>);
}

#[test]
fn chance_alone_ends_games_as_they_were_counted() {
    facts("outcomes").iter().for_each(complete_games::<State>);
}

#[test]
fn chance_alone_ends_games_as_they_were_counted_slowly() {
    facts("outcomes").iter().for_each(complete_games::<Slow>);
}

#[test]
fn results_without_decisions_have_their_chances() {
    hold_chances::<State>();
}

#[test]
fn results_without_decisions_have_their_chances_slowly() {
    hold_chances::<Slow>();
}

fn hold_chances<P: Play>() {
    for fact in facts("chances") {
        let ends = Ends::of::<P>(&fact.game());
        let expected: Vec<String> = fact.get("wins");
        let expected: Vec<Fraction> = expected.iter().map(|text| Fraction::parse(text)).collect();
        assert_eq!(ends.chances, expected, "{}", fact.name);
        assert_eq!(ends.draw, Fraction::parse(&fact.get::<String>("draw")), "{}", fact.name);
    }
}

#[test]
fn lines_of_play_win_as_often_as_counted() {
    hold_lines_of_play::<State>();
}

#[test]
fn lines_of_play_win_as_often_as_counted_slowly() {
    hold_lines_of_play::<Slow>();
}

fn hold_lines_of_play<P: Play>() {
    fn wins<P: Play>(state: &P, depth: u64, found: &mut [u64]) {
        if state.is_over() {
            if let (0, Some(seat)) = (depth, state.winner()) {
                found[seat] += 1;
            }
            return;
        }
        if depth > 0 {
            for action in state.legal() {
                let mut next = state.clone();
                next.decide(action);
                wins(&next, depth - 1, found);
            }
        }
    }
    for fact in facts_for::<P>("results_at") {
        let game = fact.game();
        let mut found = vec![0; game.players() as usize];
        wins(&P::start(&game), fact.get("depth"), &mut found);
        assert_eq!(found, fact.get::<Vec<u64>>("wins"), "{}", fact.name);
    }
}

#[test]
fn games_end_after_so_many_rolls_as_often_as_they_should() {
    hold_rolls::<State>();
}

#[test]
fn games_end_after_so_many_rolls_as_often_as_they_should_slowly() {
    hold_rolls::<Slow>();
}

fn hold_rolls<P: Play>() {
    for fact in facts_for::<P>("ends_after") {
        let chances: BTreeMap<String, String> = fact.get("rolls");
        let chances: BTreeMap<u64, String> = chances
            .into_iter()
            .map(|(rolls, chance)| (rolls.parse().expect("a number of rolls"), chance))
            .collect();
        let most = *chances.keys().last().expect("a number of rolls");
        let mut front = Front::new(&P::start(&fact.game()));
        let hold = |rolls: u64, ended: Fraction| {
            if let Some(expected) = chances.get(&rolls) {
                assert_eq!(ended.to_string(), *expected, "{} after {rolls} rolls", fact.name);
            }
        };
        for rolls in 1..most {
            let mut ended = Fraction::ZERO;
            front.roll(&mut |_, chance| ended = ended.plus(chance));
            hold(rolls, ended);
        }
        let mut ended = Fraction::ZERO;
        front.last_roll(&mut |state, chance| {
            if state.is_over() {
                ended = ended.plus(chance);
            }
        });
        hold(most, ended);
    }
}

#[test]
fn items_of_the_score_come_as_often_as_they_should() {
    hold_items::<State>();
}

#[test]
fn items_of_the_score_come_as_often_as_they_should_slowly() {
    hold_items::<Slow>();
}

fn hold_items<P: Play>() {
    for fact in facts_for::<P>("chance") {
        let game = fact.game();
        let after: BTreeMap<String, u64> = fact.get("after");
        let (item, seat, least): (String, u32, i64) =
            (fact.get("item"), fact.get("seat"), fact.get("at_least"));
        let item = game.model().score.iter().position(|i| i.name == item).expect("the score has that item");
        let mut found = Fraction::ZERO;
        let mut count = |state: &P, chance: Fraction| {
            if state.items(seat)[item] >= least {
                found = found.plus(chance);
            }
        };
        let mut front = Front::new(&P::start(&game));
        for _ in 1..after["rolls"] {
            front.roll(&mut count);
        }
        front.last_roll(&mut count);
        assert_eq!(found.to_string(), fact.get::<String>("chance"), "{}", fact.name);
    }
}

#[test]
fn best_play_is_worth_what_was_computed() {
    for fact in facts_for::<State>("value") {
        assert_eq!(fact.get::<String>("agent"), "exact", "{}", fact.name);
        let solution =
            solve(&fact.game(), &GraphLimits::default()).unwrap_or_else(|e| panic!("{}: {e}", fact.name));
        let returned = solution.start()[fact.get::<usize>("seat")];
        let (chance, expected, within) =
            ((1.0 + returned) / 2.0, fact.get::<f64>("win_chance"), fact.get::<f64>("within"));
        assert!((chance - expected).abs() <= within, "{}: {chance}, not {expected}", fact.name);
    }
}

/// A turn that begins with a roll has no state to solve from.
fn begins_with_choice(turn: &CheckedBlock) -> bool {
    match turn.stmts.first().map(|stmt| &stmt.kind) {
        Some(CheckedStmtKind::Choose(_)) => true,
        Some(CheckedStmtKind::Step { body, .. }) => begins_with_choice(body),
        _ => false,
    }
}

#[test]
fn best_play_is_worth_what_was_computed_slowly() {
    let mut solved = 0;
    for fact in facts_for::<Slow>("value") {
        if !begins_with_choice(&fact.game().model().turn) {
            continue;
        }
        // Games with more states would take the reference interpreter minutes.
        let Some(chance) = chance_to_win(&fact.game(), 16_000) else { continue };
        let chance = if fact.get::<usize>("seat") == 0 { chance } else { 1.0 - chance };
        let (expected, within) = (fact.get::<f64>("win_chance"), fact.get::<f64>("within"));
        assert!((chance - expected).abs() <= within, "{}: {chance}, not {expected}", fact.name);
        solved += 1;
    }
    assert!(solved >= 2, "{solved} games are small enough");
}

#[test]
fn boards_have_their_lines() {
    for fact in facts("lines") {
        let game = fact.game();
        let mut found: BTreeMap<String, u64> = BTreeMap::new();
        for line in game.model().boards[0].topology.lines().iter().filter(|line| line.sites.len() >= 3) {
            *found.entry(line.sites.len().to_string()).or_default() += 1;
        }
        assert_eq!(found, fact.get::<BTreeMap<String, u64>>("lengths"), "{}", fact.name);
    }
}

#[test]
fn boards_have_room_for_runs() {
    for fact in facts("windows") {
        let game = fact.game();
        let topology = &game.model().boards[0].topology;
        let full = houserule::board::BitSet::full(topology.size());
        let length: u32 = fact.get("length");
        let found: u32 = runs(topology, &full, LineKinds::ALL)
            .iter()
            .map(|run| (run.length + 1).saturating_sub(length))
            .sum();
        assert_eq!(found, fact.get::<u32>("count"), "{}", fact.name);
    }
}
