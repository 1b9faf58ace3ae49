//! Boards and the sets on them: topologies, bitsets, lines, neighbours. Pure; no game, no language.
