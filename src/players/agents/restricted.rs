//! Restricted agents, which are kept from some actions: what an option is worth to a seat shows if the same player
//! has to do without it.
//!
//! Jaffe, Miller, Andersen, Liu, Karlin and Popović 2012, "Evaluating competitive game balance with restricted play".

use crate::agent::{Agent, Barred, one_of};
use houserule_base::interrupt;
use houserule_base::rng::Stream;
use houserule_game::hidden::View;
use houserule_game::{ActionId, RuntimeError};

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
