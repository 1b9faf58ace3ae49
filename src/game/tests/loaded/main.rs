//! Tests of games and states that need rule files.

mod chance;
mod family;
mod matches;
mod observed;
mod replay_history;
mod sites_in_zones;
mod snapshot;
mod trail;
mod work;
