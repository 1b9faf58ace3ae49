//! One game of some agents, seen decision by decision.

use houserule_base::interrupt;
use houserule_base::rng::Stream;
use houserule_game::{ActionId, RuntimeError, Seat, State};
use houserule_players::agent::{Agent, agent_stream, apply_choice};

/// Plays a state to its end, or to the error that stops it. `see` gets every state with the player and action, before
/// it is applied.
pub fn play_watched(
    state: &mut State,
    agents: &mut [Box<dyn Agent>],
    seed: u64,
    index: u64,
    see: &mut dyn FnMut(&State, Seat, ActionId),
) -> Result<(), RuntimeError> {
    play_while(state, agents, seed, index, &mut |state, player, action| {
        see(state, player, action);
        true
    })
}

/// Like [`play_watched`], until `see` returns `false`.
pub fn play_while(
    state: &mut State,
    agents: &mut [Box<dyn Agent>],
    seed: u64,
    index: u64,
    see: &mut dyn FnMut(&State, Seat, ActionId) -> bool,
) -> Result<(), RuntimeError> {
    let seats = 0..agents.len() as u32;
    let mut streams: Vec<Stream> = seats.map(|seat| agent_stream(seed, index, Seat(seat))).collect();
    while let Some(player) = state.current_player() {
        interrupt::check();
        let seat = player.0 as usize;
        let chosen = agents[seat].choose(&mut state.seen_by(player), &mut streams[seat])?;
        if let Some(action) = chosen
            && !see(state, player, action)
        {
            return Ok(());
        }
        apply_choice(state, &*agents[seat], chosen)?;
    }
    Ok(())
}
