//! Players that are kept from some actions.

use houserule::agents::{Agent, AgentKind, Barred};
use houserule::game::Seat;
use houserule::loader::{Request, load};
use houserule::rng::Stream;

#[test]
fn restricted_players_take_other_actions() {
    let game = load(&Request { name: "dilido", ..Request::default() }).unwrap().game;
    let joker = game.model().actions.iter().find(|block| block.option == "joker").unwrap();
    let barred = Barred::new(std::iter::once(joker.first..joker.first + joker.size));
    let taken = |agent: &mut dyn Agent, index| {
        let mut state = game.start(3, index).unwrap();
        let (mut stream, mut jokers) = (Stream::new(3, index, 9), 0);
        while state.current_player().is_some() {
            let action = agent.choose(&mut state.seen_by(Seat(0)), &mut stream).unwrap().unwrap();
            jokers += u32::from(barred.has(action.0));
            state.apply(action).unwrap();
        }
        jokers
    };
    for kind in ["random", "greedy", "learned:30"] {
        let agents = AgentKind::seat_all(&[AgentKind::parse(kind).unwrap()], &game).unwrap();
        let (mut free, mut bound) = (agents[0].copy(), agents[0].restricted(&barred).unwrap());
        assert!((0..5).map(|index| taken(&mut *free, index)).sum::<u32>() > 0, "{kind}");
        let mut copy = bound.copy();
        for agent in [&mut bound, &mut copy] {
            assert_eq!((0..5).map(|index| taken(&mut **agent, index)).sum::<u32>(), 0, "{kind}");
        }
    }
    let search = AgentKind::seat_all(&[AgentKind::Mcts(5)], &game).unwrap();
    assert!(search[0].restricted(&barred).is_none());
}
