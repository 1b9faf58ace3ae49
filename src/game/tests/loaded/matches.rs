//! Saved matches that can't be.

use houserule_game::matches::Match;
use houserule_game::snapshot::{ByteReader, ByteWriter, SnapshotError};
use houserule_loader::{Request, load_text};

#[test]
fn a_saved_match_that_can_t_be_is_refused() {
    let rules = "game \"Two\" { players 2 var n[player]: 0..9 = 0 turn { choose { go { n[me] = 2 } } } \
                 end over when turns[me] == 1  score { n: n[me] } match { games: 3, starter: next } }";
    let game = load_text("two.rules", rules, &Request::default()).unwrap().game;
    // Seed, first index, starter, games played, whether it is over; the scores of two players.
    let read = |numbers: [u64; 5], scores: [&[i64]; 2]| {
        let mut out = ByteWriter::new(*b"a match\0");
        out.words(&numbers);
        scores.iter().for_each(|scores| out.list(scores.iter().map(|score| *score as u64)));
        out.bytes(&[]);
        let bytes = out.finish();
        Match::read(&game, &mut ByteReader::new(&bytes, *b"a match\0").unwrap()).map(|read| read.played)
    };
    assert_eq!(read([7, 0, 1, 2, 0], [&[1, 2], &[3, 4]]), Ok(2));
    assert_eq!(read([7, 0, 1, 3, 1], [&[1, 2, 5], &[3, 4, 5]]), Ok(3));
    let damaged = Err(SnapshotError::Damaged);
    assert_eq!(read([7, 0, 2, 0, 0], [&[], &[]]), damaged, "there is no such starter");
    assert_eq!(read([7, 0, 0, u64::MAX, 1], [&[], &[]]), damaged, "more games than a match has");
    assert_eq!(read([7, 0, 0, 2, 0], [&[1, 2], &[3]]), damaged, "a score is missing");
    assert_eq!(read([7, 0, 0, 3, 0], [&[1, 2, 3], &[3, 4, 5]]), damaged, "it has no more games");
    assert_eq!(read([7, 0, 0, 2, 1], [&[1, 2], &[3, 4]]), damaged, "it isn't over yet");
    assert_eq!(read([7, 0, 0, 2, 0], [&[i64::MAX, 1], &[3, 4]]), damaged, "no total is as large");
}
