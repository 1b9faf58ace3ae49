//! Restricted agents, which are kept from some actions: what an option is worth to a seat shows if the same player
//! has to do without it.
//!
//! Jaffe, Miller, Andersen, Liu, Karlin and Popović 2012, "Evaluating competitive game balance with restricted play".

use crate::agent::{Agent, Barred, one_of};
use crate::game::{ActionId, RuntimeError};
use crate::hidden::View;
use crate::interrupt;
use crate::rng::Stream;

/// Maximum number of draws of a restricted random player. After them it takes any action that isn't barred, uniformly
/// at random.
const DRAWS: usize = 100;

/// A random player that is kept from some actions.
#[derive(Clone, Debug)]
pub(super) struct RestrictedRandom(pub(super) Barred);

impl Agent for RestrictedRandom {
    fn name(&self) -> String {
        // Not that of the unrestricted player, whose games the executor plays by itself.
        "random, restricted".to_owned()
    }

    fn choose(&mut self, view: &mut View<'_>, stream: &mut Stream) -> Result<Option<ActionId>, RuntimeError> {
        let mut rest = view.legal_actions();
        self.0.leave_out(&mut rest, |action| action.0);
        // Rejection sampling: the first draw is that of the unrestricted player.
        for _ in 0..DRAWS {
            interrupt::check();
            match view.random_action() {
                Some(action) if rest.contains(&action) => return Ok(Some(action)),
                Some(_) => {}
                None => return Ok(None),
            }
        }
        Ok(one_of(&rest, stream))
    }

    fn copy(&self) -> Box<dyn Agent> {
        Box::new(self.clone())
    }

    fn restricted(&self, barred: &Barred) -> Option<Box<dyn Agent>> {
        Some(Box::new(RestrictedRandom(barred.clone())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::AgentKind;
    use crate::game::Seat;
    use crate::loader::{Request, load};

    #[test]
    fn a_forced_action_is_allowed() {
        let barred = Barred::new([3..5, 9..10]);
        let left = |mut legal: Vec<u32>| {
            barred.leave_out(&mut legal, |action| *action);
            legal
        };
        assert_eq!(left(vec![2, 3, 4, 5, 9]), [2, 5]);
        assert_eq!(left(vec![3, 9]), [3, 9], "nothing else is legal");
    }

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
}
