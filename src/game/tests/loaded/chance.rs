//! Outcomes of chance, counted and listed.

use houserule_game::Start;
use houserule_loader::{Request, load_text};

#[test]
fn the_outcomes_of_an_event_are_counted_as_they_are_listed() {
    let rolls = "roll cup choose { some { } } roll cup among {1, 3} choose { some { } }";
    let given = "chance { roll cup } given sum(cup) > 4 choose { some { } }";
    for turn in [rolls, given] {
        let rules = format!(
            "game \"Cup\" {{ players 1 dice cup: 3 of [1: 2, 2: 1, 3: 4] turn {{ {turn} }} end over when turns[me] == 1 }}"
        );
        let game = load_text("cup", &rules, &Request::default()).unwrap_or_else(|e| panic!("{e}")).game;
        let start = Start { explicit_chance: true, ..Start::default() };
        let mut state = game.start_at(&start).unwrap_or_else(|e| panic!("{e}"));
        let mut met = 0;
        while !state.is_over() {
            if !state.is_chance() {
                state.apply(state.legal_actions()[0]).unwrap_or_else(|e| panic!("{e}"));
                continue;
            }
            met += 1;
            let (mut all, mut events) = (0, vec![]);
            for (outcome, _) in state.distinct_outcomes() {
                let Some(event) = state.chance_event(outcome) else { panic!("{outcome} is an outcome") };
                if events.contains(&event) {
                    continue;
                }
                let listed = (0..state.chance_outcomes()).filter(|o| state.chance_event(*o) == Some(event));
                let listed = listed.count() as u64;
                assert_eq!(state.outcomes_with(&event), listed, "{event:?}");
                all += listed;
                events.push(event);
            }
            assert_eq!(all, state.chance_outcomes());
            assert!(events.len() > 8);
            state.apply_outcome(0).unwrap_or_else(|e| panic!("{e}"));
        }
        assert!(met > 0);
    }
}
