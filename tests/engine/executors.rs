//! Differential test of the executor and the reference interpreter: every state, legal action, score and
//! outcome of random games is the same. The executor's two modes, which play whole games or stop at every
//! decision, agree too.

use crate::agree::{Came, agree};
use crate::extent;
use crate::rules::{bundled, games_for};
use houserule::game::random_games::{Finished, UsageCounts, play_random};
use houserule::game::{Game, Seat};
use houserule::loader::{Request, load_text};

/// A stack, its params, and the number of games for the differential test.
type Rules = (&'static str, &'static [(&'static str, &'static str)], u64);

/// Every bundled file, with stacks and params that change the course of a game.
const RULES: &[Rules] = &[
    ("dilido", &[], 700),
    ("dilido", &[("jokers", "0"), ("reading", "ordered")], 400),
    ("dilido", &[("jokers", "5"), ("adjacency", "4"), ("size", "3")], 600),
    ("dilido", &[("size", "12"), ("jokers", "36"), ("penalty_limit", "20")], 10),
    ("dilido", &[("line_points", "[2: 1, 4+: 7]"), ("penalty_limit", "1")], 400),
    ("dilido-8x8", &[], 300),
    ("dilido-torus", &[], 400),
    ("dilido-second-joker", &[], 500),
    ("dilido-ordered", &[], 500),
    ("dilido-blocked", &[("blocked", "9")], 200),
    ("dilido-falling", &[("shortest", "2")], 200),
    ("dilido-three-dice", &[], 200),
    ("dilido-shapes", &[("smallest_shape", "2")], 60),
    ("dilido-staircase", &[], 60),
    ("dilido + shapes + staircase", &[("size", "4")], 60),
    ("dilido + torus + second-joker", &[], 300),
    ("dilido + ordered + second-joker + torus", &[("jokers", "2")], 300),
    ("dilido + second-joker + 8x8", &[], 100),
    ("dicrono", &[], 600),
    ("dicrono", &[("first", "random")], 300),
    ("dicrono-ordered", &[], 300),
    ("dicrono-steals", &[], 300),
    ("dicrono-neutral-centre", &[], 200),
    ("dicrono-shared-centre", &[("size", "5")], 200),
    ("dicrono + steals + ordered", &[], 300),
    ("dicrono-snake", &[("line_length", "5")], 60),
    ("dice-wide-shut", &[], 60),
    ("dice-wide-shut", &[("power", "only_on_split"), ("six_marks", "same_half")], 60),
    ("dice-wide-shut-distinct", &[("columns_to_end", "1")], 100),
    ("dice-wide-shut-free-start", &[], 30),
    ("dice-wide-shut-rooks", &[], 20),
    ("dominoes", &[], 60),
    ("dominoes", &[("drawing", "one"), ("blocked_tie", "shared"), ("hand_size", "3")], 60),
    ("dominoes", &[("drawing", "never"), ("double_opens", "2"), ("max_pips", "12")], 20),
    ("dominoes-line", &[], 60),
    ("dominoes-both-ends", &[], 50),
    ("dominoes-fives", &[], 50),
    ("dominoes-block", &[], 100),
    ("dominoes-double-nine", &[], 20),
    ("dominoes-train", &[("blocked_tie", "shared")], 40),
    (
        "points",
        &[("width", "5"), ("height", "5"), ("zone_width", "5"), ("zone_height", "5"), ("stop", "off")],
        60,
    ),
    (
        "points",
        &[
            ("width", "9"),
            ("height", "8"),
            ("zone_height", "8"),
            ("base_capture", "immediate"),
            ("stop", "off"),
        ],
        10,
    ),
    (
        "points",
        &[("width", "6"), ("height", "6"), ("zone_width", "6"), ("zone_height", "6"), ("agreement", "on")],
        40,
    ),
    ("points-39x32", &[("width", "11"), ("height", "9"), ("zone_width", "8"), ("stop", "off")], 4),
    (
        "points-crossed",
        &[("width", "8"), ("height", "7"), ("zone_height", "7"), ("stop", "play"), ("stop_goes", "7")],
        20,
    ),
    ("points-area", &[("width", "8"), ("height", "8"), ("zone_height", "8")], 10),
    ("points-small", &[("width", "8"), ("height", "8")], 20),
    ("points-rope", &[("width", "8"), ("height", "8"), ("zone_height", "8"), ("rope_length", "2")], 5),
    ("tic-tac-toe", &[], 900),
    ("tic-tac-toe-4x4", &[], 100),
    ("tic-tac-toe-5x5", &[], 100),
    ("tic-tac-toe-misere", &[], 200),
    ("tic-tac-toe-wild", &[], 200),
    ("tic-tac-toe-called", &[("free", "5")], 60),
    ("tic-tac-die", &[], 900),
    ("connect-four", &[], 800),
    ("connect-four", &[("width", "16"), ("height", "16"), ("line", "5")], 10),
    ("connect-four", &[("width", "4"), ("height", "5"), ("line", "3")], 480),
    ("connect-four-pop-out", &[], 100),
    ("gomoku", &[], 20),
    ("gomoku", &[("size", "7"), ("line", "4")], 60),
    ("gomoku-exactly-five", &[("size", "9")], 40),
    ("gomoku-swap", &[("size", "7"), ("line", "4")], 40),
    ("reversi", &[], 60),
    ("reversi", &[("size", "4")], 100),
    ("reversi-misere", &[("size", "6")], 60),
    ("reversi-random-start", &[("size", "6")], 40),
    ("reversi", &[("size", "10")], 6),
    ("breakthrough", &[], 40),
    ("breakthrough", &[("width", "3"), ("height", "5")], 100),
    ("breakthrough-backward", &[("width", "9")], 30),
    ("pig", &[], 300),
    ("pig-two-dice", &[], 200),
    ("pig", &[("goal", "20")], 300),
    ("yacht", &[], 100),
    ("yacht", &[("rolls", "1")], 100),
    ("yacht-saved-rolls", &[], 50),
    ("yacht-upper-bonus", &[("enough", "20")], 50),
    ("yacht-sums", &[], 30),
    ("yacht-forced", &[("four_counts", "four_dice"), ("yacht_is_full_house", "false")], 50),
    ("kalah", &[], 100),
    ("kalah", &[("empty_capture", "true"), ("pits", "4"), ("rest", "nobody")], 100),
    ("kalah-no-capture", &[], 50),
    ("kalah-six", &[], 50),
    ("hex", &[], 20),
    ("hex", &[("size", "4")], 200),
    ("hex-misere", &[("size", "4")], 100),
    ("hex-distance", &[("size", "4")], 30),
    ("hex-swap", &[("size", "3")], 200),
    ("go", &[], 2),
    ("go", &[("size", "4")], 30),
    ("go", &[("size", "5"), ("ko", "simple")], 20),
    ("go-pie", &[("size", "4")], 20),
    ("go-capture", &[], 20),
    ("go-openspiel", &[("size", "5")], 40),
    ("nine-mens-morris", &[], 20),
    ("nine-mens-morris", &[("men", "3"), ("quiet_limit", "30")], 60),
    ("nine-mens-morris-lasker", &[], 10),
    ("nine-mens-morris-no-flying", &[("men", "5")], 40),
    ("dots-and-boxes", &[], 40),
    ("dots-and-boxes", &[("width", "1"), ("height", "3")], 60),
    ("dots-and-boxes-misere", &[("width", "3"), ("height", "2")], 60),
    ("amazons", &[], 2),
    ("amazons", &[("size", "6")], 20),
    ("amazons-counted", &[("size", "6")], 20),
    ("black-path", &[], 200),
    ("black-path", &[("width", "5"), ("height", "3")], 200),
    ("black-path-crooked", &[], 200),
    ("brandubh", &[], 10),
    ("brandubh", &[("passers", "king"), ("armed", "false"), ("repeats", "2")], 10),
    ("brandubh-edge", &[], 20),
    ("bridges", &[("size", "8")], 20),
    ("bridges-swap", &[("size", "6")], 30),
    ("chess", &[("quiet_limit", "10")], 3),
    ("chess-king-of-the-hill", &[("quiet_limit", "20")], 3),
    ("chess-los-alamos", &[("quiet_limit", "20")], 5),
    ("chess-random-row", &[("quiet_limit", "10")], 3),
    ("chess-three-checks", &[("enough", "1"), ("quiet_limit", "20")], 5),
    ("chinese-checkers", &[("side", "2"), ("turn_limit", "100")], 5),
    ("chinese-checkers-crowded", &[("side", "2"), ("turn_limit", "100")], 5),
    ("chinese-chess", &[("quiet_limit", "20")], 3),
    ("chinese-chess-face-to-face", &[("quiet_limit", "20")], 3),
    ("clobber", &[], 60),
    ("clobber-cannibal", &[], 60),
    ("domineering", &[], 60),
    ("domineering", &[("width", "5"), ("height", "4")], 60),
    ("domineering-cram", &[("width", "5"), ("height", "4")], 60),
    ("english-draughts", &[], 20),
    ("english-draughts", &[("size", "6"), ("ranks", "2"), ("quiet_limit", "20")], 30),
    ("english-draughts-free", &[("quiet_limit", "20")], 10),
    ("english-draughts-giveaway", &[("size", "6"), ("ranks", "2")], 20),
    ("five-with-a-twist", &[], 30),
    ("five-with-a-twist", &[("size", "4"), ("line", "4")], 30),
    ("five-with-a-twist-late", &[], 30),
    ("fox-and-geese", &[], 10),
    ("fox-and-geese", &[("flock", "17"), ("enough", "12"), ("quiet_limit", "30")], 20),
    ("fox-and-geese-straight", &[], 10),
    ("havannah", &[("size", "4")], 20),
    ("havannah-swap", &[("size", "3")], 60),
    ("international-draughts", &[], 3),
    ("international-draughts", &[("size", "8"), ("ranks", "3"), ("passing", "true"), ("repeats", "2")], 5),
    ("international-draughts-brazilian", &[], 5),
    ("international-draughts-russian", &[], 10),
    ("konane", &[], 20),
    ("konane", &[("size", "4")], 60),
    ("konane-any-opening", &[("size", "6")], 40),
    ("lines-of-action", &[("size", "5"), ("both", "nobody"), ("repeats", "2")], 20),
    ("lines-of-action", &[], 3),
    ("lines-of-action-scrambled", &[("size", "6")], 10),
    ("minishogi", &[], 10),
    ("minishogi-two-pawns", &[], 10),
    ("push-off", &[("quiet_limit", "30")], 5),
    ("push-off-flowers", &[("goal", "1"), ("quiet_limit", "50")], 5),
    ("ultimate-tic-tac-toe", &[], 20),
    ("ultimate-tic-tac-toe-most-blocks", &[], 20),
    ("wall-race", &[("size", "5"), ("walls", "3")], 10),
    ("wall-race", &[], 2),
    ("bridges", &[("size", "6")], 20),
    ("chess", &[], 2),
    ("crazy-eights", &[], 10),
    ("crazy-eights-skips", &[], 10),
    ("hearts", &[], 10),
    ("hearts-spots", &[], 10),
    ("blackjack", &[], 60),
    ("blackjack-endless", &[], 60),
    ("kuhn-poker", &[], 60),
    ("kuhn-poker-thirteen", &[], 60),
    ("leduc-poker", &[], 60),
    ("leduc-poker-suits", &[], 60),
    ("go-fish", &[], 10),
    ("go-fish-out", &[], 10),
    ("old-maid", &[], 20),
    ("old-maid-choice", &[], 20),
    ("orchard", &[], 20),
    ("orchard-to-and-fro", &[], 20),
    ("battle", &[("longest", "100")], 3),
    ("battle", &[("gathered", "in_order"), ("buried", "3"), ("longest", "100")], 3),
    ("battle-small-beats-great", &[("longest", "100")], 2),
    ("battleship", &[], 5),
    ("battleship-apart", &[], 5),
    ("battleship-salvo", &[], 5),
    ("phantom-tic-tac-toe", &[], 60),
    ("phantom-tic-tac-toe-abrupt", &[], 60),
    ("memory", &[], 20),
    ("memory-swap", &[], 20),
    ("minesweeper", &[], 20),
    ("minesweeper-torus", &[], 20),
    ("2048", &[], 5),
    ("2048-opponent", &[], 5),
    ("peg-solitaire", &[], 60),
    ("peg-solitaire-european", &[], 60),
    ("lights-out", &[], 20),
    ("lights-out-torus", &[], 20),
    ("klondike", &[("patience", "5")], 3),
    ("klondike", &[("drawn", "3"), ("patience", "5")], 3),
    ("klondike-take-back", &[("patience", "5")], 2),
    ("snakes-and-ladders", &[], 200),
    ("snakes-and-ladders", &[("beyond", "bounce"), ("six_again", "true")], 100),
    ("snakes-and-ladders-two-dice", &[("beyond", "finish")], 100),
    ("royal-game-of-ur", &[], 30),
    ("royal-game-of-ur", &[("counters", "2"), ("safe_rosette", "false"), ("rosette_again", "false")], 100),
    ("royal-game-of-ur-captures", &[("counters", "3")], 60),
    ("ludo", &[], 20),
    ("ludo", &[("counters", "1"), ("sixes", "2")], 60),
    ("ludo-safe-squares", &[], 20),
    ("backgammon", &[], 20),
    ("backgammon", &[("gammons", "false")], 10),
    ("backgammon-hyper", &[], 60),
    ("craps", &[("barred", "2")], 300),
    ("craps-crapless", &[], 200),
    ("shut-the-box", &[], 100),
    ("shut-the-box", &[("numbers", "12"), ("one_die", "six_left")], 30),
    ("shut-the-box-or-nothing", &[("numbers", "6")], 60),
    ("ten-thousand", &[("goal", "2000")], 60),
    ("ten-thousand", &[("goal", "1000"), ("hot_dice", "false"), ("three_pairs", "0")], 60),
    ("ten-thousand-loss", &[("goal", "1000"), ("opening", "0")], 60),
    ("four-rows", &[], 30),
    ("four-rows", &[("marks_to_close", "1"), ("rows_to_end", "4"), ("misses_to_end", "8")], 30),
    ("four-rows-upwards", &[], 30),
    ("liars-dice", &[], 30),
    ("liars-dice", &[("dice_each", "2"), ("wild", "sixes")], 60),
    ("liars-dice-difference", &[("wild", "none")], 60),
    ("liars-poker", &[], 30),
    ("liars-poker", &[("hand_length", "2"), ("numbers", "3"), ("second_bid", "false")], 60),
    ("liars-poker-wild-ones", &[], 30),
    ("wall-race", &[("size", "5"), ("walls", "4"), ("turn_limit", "60")], 10),
    ("wall-race-short-walls", &[("size", "5"), ("walls", "4"), ("turn_limit", "60")], 10),
    ("y", &[("size", "5")], 60),
    ("y-misere", &[("size", "4")], 60),
    ("five-card-draw", &[], 30),
    ("five-card-draw", &[("exchanged", "5"), ("raises", "1"), ("ante", "3")], 30),
    ("five-card-draw-jackpots", &[], 30),
    ("five-card-draw-lowball", &[("exchanged", "1")], 30),
    ("cribbage", &[("goal", "31")], 10),
    ("cribbage-losers", &[("goal", "40")], 5),
    ("whist", &[], 20),
    ("whist-drive", &[], 20),
    ("mexico", &[], 100),
    ("mexico", &[("lives_each", "1"), ("most_rolls", "5"), ("mexico_costs", "1")], 100),
    ("mexico-second-life", &[("lives_each", "1")], 60),
    ("lasca", &[("quiet_limit", "20")], 10),
    ("lasca", &[("jump_back", "true")], 5),
    ("lasca-giveaway", &[], 10),
    ("hidden-armies", &[], 10),
    ("hidden-armies", &[("scouts_charge", "true"), ("quiet_limit", "10")], 20),
    ("hidden-armies-by-lot", &[], 20),
];

fn game(name: &str, params: &[(&str, &str)]) -> Game {
    bundled(name, params, None)
}

/// Plays half of the games. Two tests use two processors.
fn side_by_side(test: &str, half: usize) {
    for (name, params, games) in extent::some_of(test, 8, RULES.iter().skip(half).step_by(2)) {
        let game = game(name, params);
        for index in 0..extent::tries(games.div_ceil(8), *games) {
            assert_eq!(agree(&game, 11, index, u32::MAX), Came::Over, "{name} {params:?}, game {index}");
        }
    }
}

#[test]
fn both_executors_agree_on_every_state_of_random_games() {
    side_by_side("executors", 0);
}

#[test]
fn both_executors_agree_on_every_state_of_other_random_games() {
    side_by_side("other executors", 1);
}

#[test]
fn ten_thousand_games_of_every_bundled_file_are_played() {
    assert!(RULES.iter().map(|(_, _, games)| games).sum::<u64>() >= 10_000);
    for name in houserule::bundled::names() {
        assert!(RULES.iter().any(|(stack, ..)| *stack == name), "{name}");
    }
}

/// The data of a finished game.
type Told = (u32, Vec<bool>, Vec<i64>, [u64; 3]);

#[test]
fn games_played_whole_are_those_that_stop_at_every_decision() {
    for (name, params, _) in extent::some_of("whole games", 8, RULES) {
        let game = game(name, params);
        let (games, seed) = (games_for(&game, extent::tries(300, 3_000), 60), 5);
        let mut counts = UsageCounts::default();
        let mut whole: Vec<Told> = vec![];
        let mut finished = |f: Finished<'_>| {
            assert_eq!(f.index, whole.len() as u64);
            let winners = (0..game.players()).map(|p| f.winners >> p & 1 == 1).collect();
            whole.push((
                f.end,
                winners,
                f.scores.to_vec(),
                [f.counters.turns, f.counters.rolls, f.counters.decisions],
            ));
        };
        let mut failed = |index, error| panic!("{name} {params:?}: game {index}: {error}");
        play_random(&game, seed, 0..games, &mut counts, &mut finished, &mut failed);
        assert_eq!(whole.len() as u64, games);
        let mut own = UsageCounts {
            options: vec![0; counts.options.len()],
            steps: vec![0; counts.steps.len()],
            otherwise: vec![0; counts.otherwise.len()],
        };
        for (index, whole) in (0..).zip(whole) {
            let mut state = game.start(seed, index).expect("the game starts");
            while let Some(action) = state.random_action() {
                state.apply(action).expect("a legal action can be taken");
            }
            let outcome = state.outcome().expect("the game is over");
            let scores = (0..game.players()).flat_map(|p| state.scores(Seat(p)).expect("it has a score"));
            let counts = [state.turns(), state.rolls(), state.decisions()];
            let told = (outcome.end, outcome.winners, scores.collect(), counts);
            assert_eq!(told, whole, "{name} {params:?}: game {index}");
            let counts = state.counts();
            own.options.iter_mut().zip(counts.options).for_each(|(sum, n)| *sum += n);
            own.steps.iter_mut().zip(counts.steps).for_each(|(sum, n)| *sum += n);
            own.otherwise.iter_mut().zip(counts.otherwise).for_each(|(sum, n)| *sum += n);
        }
        assert_eq!(own, counts, "{name} {params:?}");
    }
}

#[test]
fn dice_that_fall_one_by_one_are_those_that_were_meant_before_the_first_fell() {
    // Twenty ten-sided dice have more outcomes than 64 bits can number. Every die that shows a one or the
    // number of the first die is rolled again, and the first die is rolled first.
    let text = "game \"Again\" {
        players 1
        dice lot: 20 of d10
        var rolls: 0..9 = 0
        turn {
            roll lot
            repeat { roll lot among { k in 1..20 where lot[k] == 1 or lot[k] == lot[1] }; rolls += 1 }
                until rolls == 4
            choose { stop { end game } on { rolls = 0 } }
        }
        score { pips: sum k in 1..20: lot[k] }
    }";
    let loaded = load_text("again.rules", text, &Request::default()).unwrap_or_else(|e| panic!("{e}"));
    for index in 0..200 {
        assert_eq!(agree(&loaded.game, 3, index, u32::MAX), Came::Over, "game {index}");
    }
    // A restored state that waits for the second die keeps the dice of the roll.
    let start = houserule::game::Start { explicit_chance: true, ..Default::default() };
    let mut state = loaded.game.start_at(&start).expect("the game starts");
    for outcome in [0, 0].into_iter().chain([1; 18]).chain([5]) {
        state.apply_outcome(outcome).expect("a die falls");
    }
    let words = state.persistent().to_vec();
    let event = state.chance_event(0);
    state.restore(&words);
    assert_eq!(state.chance_event(0), event);
    assert!(matches!(event, Some(houserule::game::Event::Roll { dice: 0b10, .. })), "{event:?}");
}
