//! Script agents in Rhai: what they can see, their random draws, and their strength.

#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use crate::extent;
use crate::fences;
use houserule::agents::{AgentFile, AgentKind, agent_stream};
use houserule::game::{Game, Seat, State};
use houserule::loader::{Request, load, load_text};
use houserule::playtest::{Report, SimulationPlan, simulate};
use houserule::rng::Stream;
use houserule::statistics::share_interval;

/// The example agent of the project.
const CORNERS: &str = "examples/agents/corners.rhai";

fn game(name: &str) -> Game {
    load(&Request { name, ..Request::default() }).unwrap().game
}

fn made_up(rules: &str) -> Game {
    let text = format!("game \"Made up\" {{\n{rules}\n}}");
    load_text("made-up.rules", &text, &Request::default()).unwrap_or_else(|e| panic!("{e}")).game
}

fn file(text: &str) -> Arc<AgentFile> {
    Arc::new(AgentFile::from_text("test.rhai", text).unwrap_or_else(|error| panic!("{error}")))
}

fn agent(text: &str) -> AgentKind {
    AgentKind::script(file(text)).unwrap()
}

/// Returns an agent's action in a state, or its error.
fn chosen(kind: &AgentKind, state: &State, seed: u64) -> Result<String, String> {
    let kinds = vec![kind.clone(); state.game().players() as usize];
    let mut agents = AgentKind::seat_all(&kinds, state.game()).unwrap_or_else(|error| panic!("{error}"));
    let player = state.current_player().unwrap();
    let mut stream = Stream::new(seed, 0, 0);
    let action = agents[player.0 as usize].choose(&mut state.clone().seen_by(player), &mut stream);
    action.map(|action| state.game().action_name(action.unwrap())).map_err(|error| error.to_string())
}

/// Like `chosen`, for a script whose `choose` runs `doing` first.
fn says(doing: &str, state: &State) -> Result<String, String> {
    chosen(&agent(&format!("fn choose(g, actions) {{ {doing}; actions[0] }}")), state, 1)
}

fn played(game: &Game, agents: &[&AgentKind], games: u64, threads: usize) -> Report {
    let agents = agents.iter().map(|kind| (*kind).clone()).collect();
    let plan = SimulationPlan { games, first: 0, seed: 4, threads, agents, match_play: false };
    simulate(game, &plan, &|_| {}, None).unwrap()
}

/// Returns a report without the values that differ from run to run.
fn figures(report: &Report) -> serde_json::Value {
    let mut json = serde_json::to_value(report).unwrap();
    for key in ["seconds", "cpu_seconds", "games_per_second", "decisions_per_second", "threads"] {
        json.as_object_mut().unwrap().remove(key);
    }
    json
}

/// Returns the win rate of the first agent and its 95 % interval. Each agent has each seat in half of the
/// games, and a draw is half a win.
fn share(game: &Game, agents: [&AgentKind; 2], games: u64) -> (f64, f64, f64) {
    let [a, b] = agents;
    let [first, second] = [played(game, &[a, b], games / 2, 2), played(game, &[b, a], games / 2, 2)];
    let all = (first.winners.wins[0] + second.winners.wins[1]) / games as f64;
    let (low, high) = share_interval(all, games).unwrap();
    (all, low, high)
}

#[test]
fn the_example_beats_random_players_and_its_value_makes_greedy_stronger() {
    let game = game("reversi");
    let corners = AgentKind::parse(CORNERS).unwrap();
    assert_eq!(corners.to_string(), CORNERS);
    let games = extent::tries(60, 100);
    let (share_of, low, _) = share(&game, [&corners, &AgentKind::Random], games);
    assert!(low > 0.75, "{share_of} from {low} on");
    let greedy = AgentKind::parse(&format!("greedy:{CORNERS}")).unwrap();
    assert_eq!(greedy.to_string(), format!("greedy:{CORNERS}"));
    let (share_of, low, _) = share(&game, [&greedy, &AgentKind::Greedy], games);
    assert!(low > 0.65, "{share_of} from {low} on");
}

#[test]
fn a_value_takes_the_place_of_playing_on() {
    // A lead of ten seeds is worth more than a lead of five.
    let game = game("kalah");
    let value = file("fn value(g, player) { g.store[player] }");
    let judged = |kind: AgentKind| kind.judging(AgentKind::Script(value.clone())).unwrap();
    for (kind, against) in [
        (judged(AgentKind::Mcts(30)), AgentKind::Random),
        (judged(AgentKind::Flat(30)), AgentKind::Random),
        (judged(AgentKind::Ismcts(30)), AgentKind::Random),
    ] {
        let (share_of, low, _) = share(&game, [&kind, &against], 20);
        assert!(low > 0.6, "{kind}: {share_of} from {low} on");
    }
    assert_eq!(judged(AgentKind::Mcts(30)).to_string(), "mcts:30:test.rhai");
    // The agent avoids worse states.
    let worst = file("fn value(g, player) { -g.store[player] }");
    let worst = AgentKind::Mcts(30).judging(AgentKind::Script(worst)).unwrap();
    let (share_of, _, high) = share(&game, [&worst, &judged(AgentKind::Mcts(30))], 20);
    assert!(high < 0.5, "{share_of} to {high}");
}

#[test]
fn a_value_takes_the_place_of_a_lone_players_score() {
    let game = made_up(
        "players 1
         var left: 0..9 = 0
         var right: 0..9 = 0
         turn { choose { left { left += 1 } right { right += 1 } } }
         end when turns[me] == 4
         score { left: left }",
    );
    let state = game.start(1, 0).unwrap();
    let right = file("fn value(g, player) { g.right - g.score(player) }");
    for kind in [AgentKind::Greedy, AgentKind::Flat(20), AgentKind::Mcts(40)] {
        assert_eq!(chosen(&kind, &state, 3).unwrap(), "left", "{kind}");
        let judged = kind.judging(AgentKind::Script(right.clone())).unwrap();
        assert_eq!(chosen(&judged, &state, 3).unwrap(), "right", "{judged}");
    }
}

#[test]
fn a_won_game_is_better_than_any_value() {
    let game = game("connect-four");
    let mut state = game.start(1, 0).unwrap();
    for action in ["drop 1", "drop 2", "drop 1", "drop 2", "drop 1", "drop 2"] {
        state.apply(game.parse_action(action).unwrap()).unwrap();
    }
    let value = file("fn value(g, player) { 1000 * count(g.disc[player] & g.cell(\"g1\")) }");
    let judged = AgentKind::Greedy.judging(AgentKind::Script(value)).unwrap();
    assert_eq!(chosen(&judged, &state, 1).unwrap(), "drop 1");
}

/// A game with a hidden value of every kind.
const HIDING: &str = "
    players north, south
    domain card { suit: 1..2, rank: 1..4 }
    board cell = grid(3, 3)
    zone stock of card seen by none
    zone hand[player] of card seen by owner
    zone table of card seen by all
    dice die[player]: 1 of d6 seen by owner
    var secret[player]: 1..9 = 4 seen by owner
    var code: 1..4 = 2 seen by none
    var open: 0..9 = 7
    piece ship[player] seen by owner
    setup {
      deal 2 from stock to hand
      for p in players { put ship[p] at cell(if p == north then 1 else 2, 1) }
    }
    turn {
      step roll { roll die[me] }
      choose {
        play t in hand[me] { move t to table }
        guess n in 1..4 { if code == n { open = 1 } }
        rest { }
      }
    }
    end when turns[me] >= 3
    score { cards: (sum t in hand[me]: t.rank)  known: open }";

#[test]
fn what_the_seat_does_not_see_is_refused_by_name() {
    let game = made_up(HIDING);
    let state = game.start(1, 0).unwrap();
    let seen = [
        "if g.hand[g.me].len() != 2 { throw 1 }",
        "if g.count(\"hand\", g.other) != 2 || g.count(\"stock\") != 4 { throw 2 }",
        "if g.count(\"table\") != 0 || g.table.len() != 0 { throw 3 }",
        "if g.secret[g.me] != 4 || g.open != 7 || g.ship[g.me].len() != 1 { throw 4 }",
        "if g.die[g.me] < 1 { throw 5 }",
    ];
    for doing in seen {
        says(doing, &state).unwrap_or_else(|error| panic!("{doing}: {error}"));
    }
    let hidden = [
        ("g.hand[g.other]", "can't see `hand`; `g.count(\"hand\", INDEX)` says how many lie there"),
        ("for p in g.players { g.hand[p] }", "can't see `hand`"),
        ("g.stock", "can't see `stock`; `g.count(\"stock\")` says"),
        ("g.secret[g.other]", "can't see `secret`"),
        ("g.code", "can't see `code`"),
        ("g.die[g.other]", "can't see `die`"),
        ("sum(g.die)", "can't see `die`"),
        ("g.ship[g.other]", "can't see `ship`"),
        ("g.empty", "can't see what is empty on `cell`"),
        ("g.empty(\"cell\")", "can't see what is empty on `cell`"),
        ("g.score(g.other)", "can't see the score of south: it counts what is hidden"),
        ("g.count(\"ship\", g.other)", "can't see `ship`"),
        ("g.open = 2", "nothing can be changed here"),
        ("g.secret[g.me] = 2", "nothing can be changed here"),
    ];
    for (doing, wanted) in hidden {
        let Err(error) = says(doing, &state) else { panic!("{doing} is not refused") };
        assert!(error.contains(wanted) && error.starts_with("test.rhai:1, `choose`: "), "{doing}: {error}");
    }
}

#[test]
fn what_is_hidden_changes_nothing_of_what_a_script_does() {
    let text = r#"
      fn choose(g, actions) {
        let best = actions[0];
        for a in actions {
          if a.t != none && a.t.high - a.e > g.pick([0, 1, 2]) - g.count("hand", g.other) % 3 { best = a; }
        }
        best
      }
    "#;
    let kinds = [
        agent(text),
        AgentKind::Greedy
            .judging(AgentKind::Script(file("fn value(g, player) { count(g.hand[player]) }")))
            .unwrap(),
        AgentKind::Mcts(60)
            .judging(AgentKind::Script(file("fn value(g, player) { -count(g.hand[player]) }")))
            .unwrap(),
    ];
    let (game, mut stream, mut asked) = (game("dominoes"), Stream::new(1, 2, 3), 0);
    for index in 0..3 {
        let mut state = game.start(2, index).unwrap();
        while let Some(me) = state.current_player() {
            let other = state.determinize(me, &mut stream).unwrap();
            asked += u32::from(state.legal_count() > 1 && state != other);
            for kind in &kinds {
                assert_eq!(
                    chosen(kind, &state, index).unwrap(),
                    chosen(kind, &other, index).unwrap(),
                    "{kind}"
                );
            }
            let action = state.random_action().unwrap();
            state.apply(action).unwrap();
        }
    }
    assert!(asked > 10, "{asked} decisions");
    // Another player's hand, and a value hidden from all.
    let mut starts = (0..20).map(|index| game.start(1, index).unwrap());
    let state = starts.find(|state| state.legal_count() > 1).unwrap();
    assert!(says("g.hand[g.other]", &state).unwrap_err().contains("your seat can't see `hand`"));
    assert!(says("g.boneyard", &state).unwrap_err().contains("your seat can't see `boneyard`"));
}

#[test]
fn what_is_committed_together_is_not_seen() {
    let game = made_up(
        "players 2
         var bid[player]: 0..5 = 0 each round
         round {
           together as me { choose { bid n in 1..5 { bid[me] = n } } }
           step look { for p in players { bid[p] += 0 } }
         }
         end when round >= 2
         score { bid: bid[me] }",
    );
    let mut state = game.start(1, 0).unwrap();
    state.apply(game.parse_action("bid 3").unwrap()).unwrap();
    assert!(says("g.bid[g.other]", &state).unwrap_err().contains("your seat can't see `bid`"));
    assert_eq!(says("if g.bid[g.me] != 0 { throw 1 }", &state).unwrap(), "bid 1");
    assert_eq!(says("if g.round != 1 { throw g.round }", &state).unwrap(), "bid 1");
}

#[test]
fn actions_have_their_option_and_what_they_bind() {
    let game = made_up(
        "players X, O
         board cell = grid(3, 3)
         piece mark[player]
         piece wall
         dice pair: 3 of d6
         turn {
           step roll { roll pair }
           choose {
             place c in empty { put mark[me] at c }
             shift a in cells, n in 1..2 where n == 2 { put wall at a }
             keep k subset of {1, 2} { }
             rest { }
           }
         }
         end when turns[me] >= 3 : draw",
    );
    let state = game.start(1, 0).unwrap();
    let all = r#"
      fn choose(g, actions) {
        let names = [];
        for a in actions {
          if a.option == "place" && a.to_string() != `place ${a.c}` { throw a.to_string() }
          if a.option == "shift" && (a.n != 2 || !(a.a in g.cells)) { throw a.to_string() }
          if a.option == "keep" { names.push(`${a.k}`); }
          if a != a || actions.index_of(a) == -1 { throw "not the same" }
        }
        if !("rest" in actions.map(|a| a.to_string())) { throw "no rest" }
        actions[actions.len() - 1]
      }
    "#;
    let all = all.replace("if !(\"rest\" in actions.map(|a| a.to_string())) { throw \"no rest\" }", "");
    assert_eq!(chosen(&agent(&all), &state, 1).unwrap(), "rest");
    let error = says("actions[0].d", &state).unwrap_err();
    assert!(error.contains("`place a1` has no `d`; it has `option`, `c`"), "{error}");
    let error =
        chosen(&agent("fn choose(g, actions) { actions[actions.len() - 1].c }"), &state, 1).unwrap_err();
    assert!(error.contains("`rest` has no `c`: it binds nothing"), "{error}");
    for (answer, what) in
        [("3", "the number 3"), ("\"rest\"", "the text \"rest\""), ("", "none"), ("actions", "a list")]
    {
        let error = chosen(&agent(&format!("fn choose(g, actions) {{ {answer} }}")), &state, 1).unwrap_err();
        let wanted = format!("`choose`: expected one of `actions` as its result, found {what}");
        assert!(error.contains(&wanted), "{error}");
    }
}

#[test]
fn scripts_draw_for_themselves_and_the_same_on_any_thread() {
    let game = game("pig");
    let any = agent("fn choose(g, actions) { if g.roll(6) > 4 { actions[1] } else { g.pick(actions) } }");
    let games = extent::tries(40, 200);
    let one = figures(&played(&game, &[&any], games, 1));
    for threads in [2, 5] {
        assert_eq!(figures(&played(&game, &[&any], games, threads)), one);
    }
    let first = agent("fn choose(g, actions) { actions[0] }");
    assert_ne!(figures(&played(&game, &[&first], games, 1))["counts"], one["counts"]);
    // A script's random draws change no dice of the game.
    let drawing = agent("fn choose(g, actions) { for k in 0..100 { g.roll(1000); } actions[0] }");
    let [a, b] = [&first, &drawing].map(|kind| figures(&played(&game, &[kind], games / 2, 1)));
    assert_eq!(a["counts"], b["counts"]);
    assert_eq!(a["score"], b["score"]);
    // The streams of two seats differ.
    assert_ne!(agent_stream(1, 1, Seat(0)), agent_stream(1, 1, Seat(1)));
}

#[test]
fn scripts_have_the_limits_of_the_game() {
    let slow = agent("fn choose(g, actions) { let n = 0; while n < 30000 { n += 1; } actions[0] }");
    let settings = [houserule::variants::Setting::new("script.operations", "1000000")];
    let request = |settings| Request { name: "tic-tac-toe", settings, players: None };
    let state = |settings| load(&request(settings)).unwrap().game.start(1, 0).unwrap();
    let error = chosen(&slow, &state(&[]), 1).unwrap_err();
    assert!(error.contains("it runs for too long"), "{error}");
    assert_eq!(chosen(&slow, &state(&settings), 1).unwrap(), "place a1");
}

#[test]
fn the_scripts_of_the_page_on_agents_play() {
    let page = fences::document("docs/agents.md");
    let mut played_of = vec![];
    for fence in fences::fences(&page) {
        let Some(name) = fence.info.strip_prefix("rhai ") else { continue };
        let file = file(&fence.text);
        let kind = AgentKind::script(file.clone())
            .or_else(|_| AgentKind::Mcts(10).judging(AgentKind::Script(file)))
            .unwrap_or_else(|error| panic!("line {}: {error}", fence.line));
        let report = played(&game(name), &[&kind], 4, 1);
        assert_eq!((report.games, report.aborted), (4, 0), "line {}", fence.line);
        played_of.push(name.to_owned());
    }
    assert_eq!(played_of, ["dominoes", "kalah"]);
}

#[test]
fn copies_are_counted_and_not_seen() {
    let game = made_up(
        "players north, south
         enum cube { green, gold }
         zone bag of cube = [green: 6, gold: 4] seen by none
         zone screen[player] of cube seen by owner
         zone market of cube
         setup { deal 3 from bag to screen }
         turn { choose { lay k in screen[me] { move k from screen[me] to market } rest { } } }
         end when turns[me] >= 3: draw",
    );
    let state = game.start(1, 0).unwrap();
    let counts = r#"if g.count("bag") != 4 || g.count("screen", g.other) != 3 { throw g.count("bag") }
        if g.count("market") != 0 || g.market[g.gold] != 0 { throw 1 }
        if g.screen[g.me][g.gold] + g.screen[g.me][g.green] != 3 { throw 2 }"#;
    says(counts, &state).unwrap_or_else(|error| panic!("{error}"));
    for hidden in ["g.bag[g.gold]", "g.screen[g.other][g.gold]"] {
        assert!(says(hidden, &state).unwrap_err().contains("your seat can't see"), "{hidden}");
    }
    let error = says("g.count(\"screen\")", &state).unwrap_err();
    assert!(error.contains("there is a `screen` for each `player`: name one"), "{error}");
}

#[test]
fn names_of_scripts() {
    let error = |name: &str| AgentKind::parse(name).unwrap_err().to_string();
    assert_eq!(error("none.rhai"), "there is no file `none.rhai`");
    assert_eq!(error("greedy:none.rhai"), "there is no file `none.rhai`");
    assert_eq!(error("mcts:10:a:b/none.rhai"), "there is no file `a:b/none.rhai`");
    assert!(error(&format!("mcts:0:{CORNERS}")).contains("a number of simulations from 1 to"));
    assert!(error(&format!("random:{CORNERS}")).starts_with("`random` judges nothing"));
    assert!(error(&format!("exact:{CORNERS}")).starts_with("`exact` judges nothing"));
    let plain = AgentKind::parse(&format!("mcts:{CORNERS}")).unwrap();
    assert_eq!(plain.to_string(), format!("mcts:100:{CORNERS}"));
    assert_eq!(plain, AgentKind::parse(&format!(" mcts:100:{CORNERS} ")).unwrap());
    let chooses = file("fn choose(g, actions) { actions[0] }");
    let error = AgentKind::Greedy.judging(AgentKind::Script(chooses)).unwrap_err().to_string();
    assert!(error.starts_with("`test.rhai` has no `value` to judge by"), "{error}");
    let judges = file("fn value(g, player) { 1 }");
    let error = AgentKind::script(judges).unwrap_err().to_string();
    assert!(error.contains("`greedy:test.rhai` and `mcts:100:test.rhai` play by its `value`"), "{error}");
}
