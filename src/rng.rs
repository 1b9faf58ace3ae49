//! Streams of random numbers, bounded integers and picks.
