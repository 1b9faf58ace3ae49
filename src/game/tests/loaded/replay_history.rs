//! Outcomes of events.

use houserule_game::replay_history::outcome;
use houserule_game::{Event, Start};
use houserule_loader::{Request, load};

#[test]
fn the_outcome_of_an_event_is_the_first_that_gives_it() {
    for name in ["dominoes", "go-fish", "hearts", "blackjack"] {
        let game = load(&Request { name, ..Request::default() }).expect("it loads").game;
        let start = Start { explicit_chance: true, ..Start::default() };
        let mut state = game.start_at(&start).expect("it starts");
        let mut picks = 0;
        for step in 0..30 {
            if !state.is_chance() {
                let Some(action) = state.random_action() else { break };
                state.apply(action).expect("it is legal");
                continue;
            }
            let outcomes = state.chance_outcomes();
            for number in 0..outcomes {
                let event = state.chance_event(number).expect("it is an outcome");
                let first = (0..outcomes).find(|other| state.chance_event(*other) == Some(event));
                assert_eq!(outcome(&state, &event), first, "{name}: {event:?}");
            }
            if let Some(Event::Pick { domain, .. }) = state.chance_event(0) {
                picks += 1;
                let listed: Vec<_> = (0..outcomes).map(|number| state.chance_event(number)).collect();
                for element in 0..100 {
                    let event = Event::Pick { domain, element };
                    assert_eq!(outcome(&state, &event).is_some(), listed.contains(&Some(event)), "{name}");
                }
            }
            state.apply_outcome(step % outcomes).expect("it is an outcome");
        }
        assert!(picks > 3, "{name}");
    }
}
