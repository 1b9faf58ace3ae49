//! Runs: what they tell at a number of games is that of a single run of so many games.

use houserule::agents::AgentKind;
use houserule::interrupt::Interrupt;
use houserule::loader::{Request, load};
use houserule::playtest::{ComparePlan, compare};
use houserule::workbench::{Ask, Run, Tell};
use serde_json::json;

use crate::{Page, extent};

fn run(games: u64, path: &str) -> Run {
    let ask =
        json!({"ask": "measure", "id": 5, "path": path, "games": games, "seed": 3, "agents": ["random"]});
    let ask: Ask = serde_json::from_value(ask).unwrap();
    let (id, run) = Page::new().0.run(&ask).expect("a run");
    assert_eq!(id, 5);
    run.unwrap_or_else(|message| panic!("{message}"))
}

fn all(mut run: Run) -> Vec<Tell> {
    let mut told = vec![];
    while run.step(&mut |tell| told.push(tell)) {}
    told
}

/// The samples without the planned number of games.
fn samples(tell: &Tell) -> Option<(u64, Tell)> {
    let Tell::Samples { games, .. } = tell else { return None };
    let mut tell = tell.clone();
    if let Tell::Samples { of, .. } = &mut tell {
        *of = 0;
    }
    Some((*games, tell))
}

#[test]
fn samples_are_those_of_a_single_run_of_so_many_games() {
    for path in extent::some_of("samples", 2, ["bundled/dilido-torus", "bundled/kalah"]) {
        let told = all(run(30_000, path));
        let prefixes: Vec<(u64, Tell)> = told.iter().filter_map(samples).collect();
        assert!(prefixes.len() > 3 && prefixes.windows(2).all(|two| two[0].0 < two[1].0), "{path}");
        for (games, prefix) in &prefixes[..3] {
            let alone = all(run(*games, path));
            assert_eq!(
                alone.iter().filter_map(samples).next_back().as_ref(),
                Some(&(*games, prefix.clone()))
            );
        }
        let (last, Tell::Samples { sides, bins, .. }) = prefixes.last().expect("samples") else { panic!() };
        assert_eq!((*last, bins.len()), (30_000, sides[0].counts.len() + 1));
        assert!(sides.iter().all(|side| side.counts.iter().sum::<u64>() == 30_000));
        assert!(matches!(told[told.len() - 1], Tell::Done { id: 5, cancelled: false }));
    }
}

#[test]
fn the_result_is_that_of_compare() {
    let told = all(run(2_000, "bundled/dilido-torus"));
    let Tell::Measured { quantities, sentences, games: 2_000, .. } = &told[told.len() - 2] else { panic!() };
    let game = |name| load(&Request { name, ..Request::default() }).expect("a game").game;
    let plan = ComparePlan {
        games: Some(2_000),
        first: 0,
        seeds: [3, 3],
        threads: 2,
        agents: vec![AgentKind::Random],
        match_play: false,
        keep_partial: false,
    };
    let found = compare(&game("dilido"), &game("dilido + torus"), &plan, &|_, _| true).expect("a comparison");
    let wanted = found.agents[0].quantities.iter().filter(|quantity| quantity.same_as.is_none());
    let wanted: Vec<_> = wanted
        .map(|quantity| {
            (quantity.label.clone(), Some(quantity.difference), quantity.low, Some(quantity.differs))
        })
        .collect();
    let given: Vec<_> =
        quantities.iter().map(|one| (one.name.clone(), one.difference, one.low, one.differs)).collect();
    assert_eq!(given, wanted);
    let differing =
        found.agents[0].quantities.iter().find(|quantity| quantity.differs).expect("a difference");
    assert!(sentences.contains(&differing.sentence), "{sentences:?}");
    // Before the end there is no verdict.
    let is_open = |tell: &Tell| match tell {
        Tell::Samples { quantities, .. } => quantities.iter().all(|one| one.differs.is_none()),
        _ => true,
    };
    assert!(told.iter().all(is_open));
}

#[test]
fn players_that_learn_are_trained_after_the_others_have_played() {
    let ask = json!({"ask": "measure", "id": 5, "path": "bundled/dilido-torus", "games": 60, "seed": 3,
        "agents": ["learned:40", "random"]});
    let page = Page::new();
    let (_, run) = page.0.run(&serde_json::from_value(ask).unwrap()).expect("a run");
    let mut run = run.unwrap_or_else(|message| panic!("{message}"));
    let mut told = vec![];
    let mut long = vec![];
    loop {
        let (is_long, before) = (run.is_long(), told.len());
        let more = run.step(&mut |tell| told.push(tell));
        let progress = told[before..].iter().filter(|tell| matches!(tell, Tell::Progress { .. })).count();
        assert_eq!(is_long, progress > 0);
        long.push(is_long);
        if !more {
            break;
        }
    }
    // Two players for each of the two rules.
    assert_eq!(long.iter().filter(|is_long| **is_long).count(), 4);
    let shares = told.iter().filter_map(|tell| match tell {
        Tell::Progress { done, of, .. } => Some((*done, *of)),
        _ => None,
    });
    let shares: Vec<(u64, u64)> = shares.collect();
    assert!(shares.is_sorted() && shares.first() == Some(&(0, 100)) && shares.last() == Some(&(100, 100)));
    // What the others have shown is told first, with its verdict.
    let measured = told.iter().filter_map(|tell| match tell {
        Tell::Measured { quantities, more, players, games: 60, .. } => {
            Some((quantities, *more, players.as_str()))
        }
        _ => None,
    });
    let [(first, true, "random"), (all, false, "random, learned:40")] = measured.collect::<Vec<_>>()[..]
    else {
        panic!("two results: {told:?}")
    };
    assert!(first.iter().chain(all).all(|one| one.differs.is_some()));
    let of_random: Vec<_> = all.iter().filter(|one| one.players == "random").cloned().collect();
    assert_eq!(*first, of_random);
    // While the others play, the verdict stays, and there is none on them.
    let last = told.iter().rfind(|tell| matches!(tell, Tell::Samples { games, .. } if *games < 60));
    if let Some(Tell::Samples { quantities, .. }) = last {
        assert!(quantities.iter().all(|one| one.differs.is_some() == (one.players == "random")));
    }
    // The result is that of `compare`.
    let game = |name| load(&Request { name, ..Request::default() }).expect("a game").game;
    let plan = ComparePlan {
        games: Some(60),
        first: 0,
        seeds: [3, 3],
        threads: 2,
        agents: vec![AgentKind::Random, AgentKind::Learned(Some(40))],
        match_play: false,
        keep_partial: false,
    };
    let found = compare(&game("dilido"), &game("dilido + torus"), &plan, &|_, _| true).expect("a comparison");
    let wanted = found.agents.iter().flat_map(|agent| {
        let quantities = agent.quantities.iter().filter(|quantity| quantity.same_as.is_none());
        quantities.map(|one| {
            (agent.agent.clone(), one.label.clone(), Some(one.difference), one.low, Some(one.differs))
        })
    });
    let given =
        all.iter().map(|one| (one.players.clone(), one.name.clone(), one.difference, one.low, one.differs));
    assert_eq!(given.collect::<Vec<_>>(), wanted.collect::<Vec<_>>());
}

#[test]
fn a_game_that_can_t_be_learned_is_refused() {
    let ask = json!({"ask": "measure", "id": 1, "path": "alone.rules", "agents": ["learned"], "games": 50, "seed": 1});
    let mut page = Page::new();
    let text = "game \"Alone\" {\n  players 1\n  dice die: 1 of d6\n  var rolls: 0..3 = 0\n  turn { roll die rolls += 1 }\n  \
        end enough when rolls == 3\n}\n";
    page.asks(&json!({"ask": "text", "path": "alone.rules", "version": 1, "text": text}));
    let message =
        page.0.run(&serde_json::from_value(ask).unwrap()).expect("a run").1.err().expect("a refusal");
    assert!(message.contains("learn"), "{message}");
}

#[test]
fn a_long_tail_counts_in_the_last_bin() {
    let told = all(run(5_000, "bundled/dilido-torus"));
    let last = told.iter().rev().find_map(|tell| match tell {
        Tell::Samples { bins, sides, beyond, .. } => Some((bins, sides, beyond)),
        _ => None,
    });
    let (bins, sides, beyond) = last.expect("samples");
    // Scores go from 0 to hundreds, and nearly all are small.
    assert_eq!((*beyond, bins[0]), ([false, true], 0.0));
    assert!(sides.iter().all(|side| side.counts.iter().sum::<u64>() == 5_000));
    assert!(sides.iter().all(|side| side.counts.last().is_some_and(|rest| (1..250).contains(rest))));
}

#[test]
fn a_changed_param_is_compared_with_the_usual_value() {
    let ask = json!({"ask": "measure", "id": 1, "path": "bundled/dilido", "set": {"size": 5}, "games": 50, "seed": 1});
    let run = Page::new().0.run(&serde_json::from_value(ask).unwrap()).expect("a run").1;
    let told = all(run.unwrap_or_else(|message| panic!("{message}")));
    let sides = told.iter().find_map(|tell| match tell {
        Tell::Samples { sides, .. } => Some(sides.len()),
        _ => None,
    });
    assert_eq!(sides, Some(2));
}

#[test]
fn what_can_t_be_measured_is_refused() {
    for (change, why) in [
        (json!({"agents": ["gredy"]}), "greedy"),
        (json!({"games": 0}), "games"),
        (json!({"games": 5_000_000}), "games"),
        (json!({"path": "none.rules"}), "none.rules"),
        (json!({"players": 3}), "played by 3"),
    ] {
        let mut ask =
            json!({"ask": "measure", "id": 1, "path": "bundled/tic-tac-toe", "games": 50, "seed": 1});
        ask.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
        let run = Page::new().0.run(&serde_json::from_value(ask).unwrap()).expect("a run").1;
        let message = run.err().expect("a refusal");
        assert!(message.contains(why), "{message}");
    }
}

#[test]
fn rules_are_measured_alone_if_that_is_asked_for() {
    let sides = |alone| {
        let ask = json!({"ask": "measure", "id": 1, "path": "bundled/dilido-torus", "alone": alone, "games": 50, "seed": 1});
        let run = Page::new().0.run(&serde_json::from_value(ask).unwrap()).expect("a run").1;
        let told = all(run.unwrap_or_else(|message| panic!("{message}")));
        let Some(Tell::Samples { sides, .. }) = told.into_iter().find(|tell| samples(tell).is_some()) else {
            panic!("no samples")
        };
        sides
    };
    let (both, alone) = (sides(false), sides(true));
    assert_eq!((both.len(), alone.len()), (2, 1));
    assert_eq!(both[1], alone[0]);
}

#[test]
fn a_run_ends_when_it_is_interrupted() {
    let ask = json!({"ask": "measure", "id": 1, "path": "bundled/gomoku", "games": 100, "seed": 1, "agents": ["mcts:100000"]});
    let mut run = Page::new()
        .0
        .run(&serde_json::from_value(ask).unwrap())
        .expect("a run")
        .1
        .unwrap_or_else(|message| panic!("{message}"));
    let stop = Interrupt::new();
    let flag = stop.clone();
    let waker = std::thread::spawn(move || {
        std::thread::sleep(std::time::Duration::from_millis(50));
        flag.set();
    });
    assert!(stop.scope(|| run.step(&mut |_| {})).is_err());
    waker.join().expect("the thread ends");
}
