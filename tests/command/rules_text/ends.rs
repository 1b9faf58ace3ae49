//! How the rules in words tell ends, scores and winners.

use houserule::loader::{Request, load_text};
use houserule::prose::{full_rules, rules as set};

use super::{joined, page, part, rules_of, tells, text};

#[test]
fn who_begins_and_who_wins_is_told_as_it_is() {
    let told = |setup: &str| {
        let rules = format!(
            "game \"Bids\" {{
                players north, south
                var coins[player]: 0..9 = 9
                {setup}
                turn {{ choose {{ pay n in 0..2 where n <= coins[me] {{ coins[me] -= n }} }} }}
                end done when turns[me] == 3
                score {{ paid: 9 - coins[me] }}
                ties most(coins[me])
            }}"
        );
        joined(&set(&load_text("bids", &rules, &Request::default()).unwrap().game, 200))
    };
    assert!(
        told("").contains("Who has the highest score then wins; among equals the most coins."),
        "{}",
        told("")
    );
    assert!(told("").contains("North begins"));
    let by_lot = told("setup { pick p in players; starter = p }");
    assert!(!by_lot.contains("North begins"), "{by_lot}");
}

#[test]
fn criteria_of_the_winner_are_told_in_order() {
    let told = |winner: &str| {
        let rules = format!(
            "game \"Winner\" {{
                players 2
                domain card = 1..9
                zone stock of card
                zone hand[player] of card
                var coins[player]: 0..9 = 9
                var stands[player]: bool = true
                turn {{ choose {{ pay n in 0..2 where n <= coins[me] {{ coins[me] -= n }} }} }}
                end done when turns[me] == 3
                score {{ paid: 9 - coins[me] }}
                winner {winner}
            }}"
        );
        joined(&set(&load_text("winner", &rules, &Request::default()).unwrap().game, 200))
    };
    let says = |winner: &str, words: &str| assert!(told(winner).contains(words), "{}", told(winner));
    says(
        "(most(score), least(coins[me]))",
        "Who has the highest score then wins; among equals the fewest coins.",
    );
    says(
        "(most(stands[me]), most(score))",
        "Those who stand then win before all others; among equals the highest score.",
    );
    says("least((coins[me] > 3, coins[me]))", "among equals the fewest coins.");
    says(
        "most(lowest(c in card: coins[me] % c, 1..3))",
        "Who has the highest value of the lowest, second lowest and third lowest, in this order, of (the remainder of \
         their coins divided by c) for every card c then wins.",
    );
    says(
        "most(highest(c in card where c > 2: c * coins[me], 2))",
        "the second highest of (c times their coins) for every",
    );
    says("most(coins[me] > 3)", "Those whose coins are more than 3 then win before all others.");
}

#[test]
fn ends_by_a_statement_are_among_the_ends() {
    let told = page(
        "var n: 0..9 = 0
         param allowed: bool = false
         turn { step go { choose {
             place c in empty \"mark\" { put mark[me] at c n += 1 if n == 5 { end game as tired } }
             stop \"say stop\" { end game }
             never where allowed { end game as unheard_of }
             otherwise { end game as stuck } } } }
         end full when empty is nothing: draw",
    );
    let ends = &told[told.find("The game ends").unwrap()..told.find("What is kept").unwrap()];
    for words in [
        "- After a turn, when there is no empty cell left; it is a draw.",
        "- tired: when a player chooses place (mark), if n is 5.",
        "- When a player chooses stop (say stop).",
        "- stuck: when no option is possible.",
    ] {
        assert!(ends.contains(words), "{words}\n{ends}");
    }
    assert!(!ends.contains("unheard"), "{ends}");
}

#[test]
fn a_result_where_a_statement_ends_the_game_is_told() {
    let text = "game \"Stuck\" {
      players 2
      board cell = grid(3, 3)
      piece mark[player]
      procedure look { if empty is nothing { end game as full: draw } }
      turn {
        if empty is nothing { end game as stuck: lose me }
        choose {
          place c in empty { put mark[me] at c; look() }
          resign { end game: win players - me }
          offer { as other { choose { accept { end game as accepted: lose me } refuse { } } } }
        }
      }
    }";
    let told = joined(&rules_of(text));
    for line in [
        "stuck: at once, when there is no empty cell left; the player whose turn it is loses.",
        "full: when a player chooses place, if there is no empty cell left; it is a draw.",
        "- When a player chooses resign; the other players win.",
        "accepted: when a player chooses accept; the acting player loses.",
        "accept: the game ends: accepted; the other player loses",
    ] {
        assert!(told.contains(line), "`{line}` is missing\n{told}");
    }
}

#[test]
fn whether_few_points_are_good_is_told() {
    let told = |winner: &str, end: &str| {
        joined(&rules_of(&format!(
            "game \"Few\" {{
               players 2
               var n[player]: 0..9 = 9
               turn {{ choose {{ take {{ n[me] -= 1 }} }} }}
               end out when n[me] == 0{end}
               score {{ n: n[me] }}
               {winner}
               match {{ games: 3, total: sum, starter: next }}
             }}"
        )))
    };
    let few = told("winner least(score)", ": win me");
    assert!(few.contains("- n: your n - The lowest score is best."), "{few}");
    assert!(few.contains("Who has the lowest total wins the match."), "{few}");
    // Once is enough.
    let undecided = told("winner least(score) \"few is good\"", "");
    assert!(undecided.contains("Who has the lowest score then wins (few is good)."), "{undecided}");
    assert!(!undecided.contains("is best"), "{undecided}");
    let many = told("", ": win me");
    assert!(
        !many.contains("is best") && many.contains("Who has the highest total wins the match."),
        "{many}"
    );
}

#[test]
fn what_best_compares_is_told_in_its_order() {
    let text = "game \"Keys\" {
      players 3
      domain card = 1..12
      zone pack of card seen by none
      zone hand[player] of card
      var bid[player]: 0..5 = 0
      setup { deal 3 from pack to hand }
      turn { choose { bid n in 1..3 { bid[me] = n  move all best c in hand[me] by (c % 2 == 0, -c) to pack } } }
      end of round when round == 2: win all best p in players by bid[p]
    }";
    let told = joined(&rules_of(text));
    for line in [
        "when round is 2; all players with the highest bid win.",
        "move (all c of your hand, preferably if the remainder of c divided by 2 is 0, then with the lowest c) to the pack",
    ] {
        assert!(told.contains(line), "`{line}` is missing\n{told}");
    }
}

#[test]
fn help_texts_of_an_otherwise_a_stated_end_and_a_changed_step_are_told() {
    let rules = "game \"Helped\" {
        players X, O
        board cell = grid(2, 2)
        piece mark[player]
        turn { step lay \"Lay a mark.\" { choose {
            lay c in empty \"lay a mark\" { put mark[me] at c }
            otherwise \"the game is lost\" { end game as stuck: lose me \"no square is free\" }
        } } }
    }";
    let told = joined(&rules_of(rules));
    assert!(told.contains("- At once, when no square is free; the player who can't move loses."), "{told}");
    let turn = "1. lay: Lay a mark. - if nothing of this is possible: the game is lost";
    assert!(told.contains(turn), "{told}");
    let full = joined(&full_rules(&load_text("helped", rules, &Request::default()).unwrap().game, 200));
    for words in [
        "- stuck: at once, when no square is free (when no option is possible); the player who can't move loses.",
        "- if nothing of this is possible: the game is lost - the game ends: stuck (no square is free); you lose",
    ] {
        assert!(full.contains(words), "{words}\n{full}");
    }
    // Without the help of the `otherwise`, that of the end is told with its statement.
    let bare = joined(&rules_of(&rules.replace("otherwise \"the game is lost\"", "otherwise")));
    let words = "- if nothing of this is possible: the game ends: stuck (no square is free); you lose";
    assert!(bare.contains(words), "{bare}");
    // A variant changes the help of a step alone; the help of an `otherwise` that it replaces is gone.
    let variant = "variant \"Changed\" of \"Helped\" {
        step lay \"Lay or lose.\"
        extend lay { otherwise { end game: draw } }
    }";
    let changed = joined(&rules_of(&format!("{rules}\n{variant}")));
    for words in [
        "1. lay: Lay or lose. - lay a mark - if nothing of this is possible: the game ends; it is a draw",
        "the step lay: Lay or lose.",
    ] {
        assert!(changed.contains(words), "{words}\n{changed}");
    }
    assert!(!changed.contains("Lay a mark."), "{changed}");
}

#[test]
fn a_team_is_told_to_have_the_sum_of_its_players() {
    let told = |teams: &str, end: &str| {
        joined(&rules_of(&format!(
            "game \"Sides\" {{
               players A, B, C
               {teams}
               var coins[player]: 0..9 = 0
               turn {{ choose {{ take {{ coins[me] += 1 }} }} }}
               end late when turns[C] == 2{end}
               score {{ coins: coins[me] }}
               ties least(coins[me])
               match {{ games: 3, total: sum, starter: next }}
             }}"
        )))
    };
    tells(
        &told("team pair = {A, B}", ""),
        &[
            "The side with the highest score then wins; among equals the fewest coins. For a team, the sum of its \
             players counts. Sides that are still equal share the win.",
            "The side with the highest total wins the match. For a team, the sum of its players counts. -",
        ],
    );
    let alone = told("team alone = {A}", "");
    tells(&alone, &["Who has the highest score then wins;", "Who has the highest total wins the match."]);
    // All are one side, so nobody is ahead and nothing is a draw.
    let together = told("team crew = players", "");
    tells(
        &together,
        &[
            "- After a turn, when the number of C's turns is 2. - All players then win together.",
            "All players are one side, so that nobody loses the match.",
        ],
    );
    assert!(!together.contains("highest"), "{together}");
    let won = told("team crew = players", ": draw");
    tells(&won, &["- After a turn, when the number of C's turns is 2; all players win."]);
    assert!(!won.contains("then win together"), "{won}");
}

#[test]
fn that_nobody_plays_any_more_is_an_end_where_it_can_come() {
    let ends = |rest: &str| {
        let rules = format!("game \"Out\" {{ players 3 var p[player]: 0..99 = 0 {rest} }}");
        joined(part(&rules_of(&rules), "The game ends"))
    };
    let leave = "choose { gain { p[me] += 1 } leave { playing -= me } }";
    let never = "end never when p[me] > 90: lose me";
    let turn = format!("turn {{ {leave} }} {never}");
    assert_eq!(
        ends(&format!("{turn} score {{ p: p[me] }}")),
        "The game ends - After a turn, when the mover's p is more than 90; the mover loses, and all others win. \
         - After a turn, when nobody plays any more. \
         - If several of these come at once, the first in this list counts. \
         - The mover is the player whose turn it is or has just ended. \
         - If the end leaves the result open, who has the highest score wins; whoever is still equal shares the win."
    );
    // Nothing tells the players apart.
    tells(&ends(&turn), &["- After a turn, when nobody plays any more; it is a draw."]);
    tells(
        &ends(&format!("team crew = players {turn}")),
        &["- After a turn, when nobody plays any more.", "- All players then win together."],
    );
    tells(
        &ends(&format!("round {{ each player from starter as me {{ {leave} }} }} {never}")),
        &["- At the end of a round, when nobody plays any more; it is a draw."],
    );
    let told = |turn: &str, end: &str| ends(&format!("turn {{ {turn} }} {end}"));
    let one = "end last when count(playing) == 1: win playing";
    let two = "choose { gain { p[me] += 1 } leave { playing -= me playing -= after(me) } }";
    let all = "choose { gain { p[me] += 1 } leave { for q in playing { playing -= q } } }";
    tells(&told(two, one), &["when nobody plays any more"]);
    tells(&told(all, one), &["when nobody plays any more"]);
    // Nobody leaves; the last player is left before; or another end comes first.
    for never in [
        told("choose { gain { p[me] += count(playing) } }", never),
        told(leave, one),
        told(all, "end out when count(playing) < 2: draw"),
        told(all, "end out when playing is nothing or p[me] > 90: draw"),
    ] {
        assert!(!never.contains("nobody"), "{never}");
    }
}

#[test]
fn who_wins_and_what_is_missing_is_told_grammatically() {
    let told = page(
        "var n: 0..9 = 0
         var k[player]: 0..9 = 0
         dice die: 1 of d6
         turn {
           roll die
           if die == 6 { again }
           let spot: cell? = none
           let who: player? = none
           choose { place c in empty { put mark[me] at c spot = c who = me k[me] = 1 } }
           if spot is some and who is some { n += 1 }
         }
         end both when n == 9: win {X, O}
         end one when n == 8: lose {O}
         end late when n == 7: win best p in players by (k[p], -turns[p])",
    );
    tells(
        &told,
        &[
            "when n is 9; X and O win.",
            "when n is 8; O loses.",
            "when n is 7; the player with the highest k, then with the lowest number of turns, wins, \
             of equals the first in the order of seats.",
            "if die is 6: begin the same turn again",
            "let spot be no cell",
            "let who be nobody",
            "there is spot and who is somebody",
        ],
    );
}

#[test]
fn what_a_variant_changes_of_a_match_is_told_in_words() {
    let told = joined(&text("whist-drive", &[]));
    tells(
        &told,
        &[
            "- in a match, games until game number is 24 -",
            "- in a match, the total is the sum of the scores of all games",
            "The side with the highest total wins the match. For a team, the sum of its players counts. -",
        ],
    );
}

#[test]
fn who_is_best_of_the_players_and_of_equals_is_told() {
    let told = page(
        "enum suit { clubs, hearts } domain card { suit: suit, rank: 1..3 }
         zone hand[player] of card
         var k[player]: 0..9 = 0
         turn { choose { place c in empty { put mark[me] at c k[me] = 1 } } }
         end out when hand[me] is nothing: lose best p in players by count(hand[p])
         end far when k[me] == 7: win best p in players by abs(k[p])
         end all when k[me] == 8: win all best p in players by k[p]",
    );
    tells(
        &told,
        &[
            "the player with the highest number of cards in their hand loses, of equals the first in the order of seats.",
            "the player for whom the absolute value of their k is highest wins, of equals the first in the order of seats.",
            "all players with the highest k win.",
        ],
    );
}

#[test]
fn the_first_of_a_team_and_the_best_team_are_told() {
    let told = joined(&rules_of(
        "game \"Sides\" {
           players north, east, south, west
           team north_south = {north, south}
           team east_west = {east, west}
           var n[team]: 0..9 = 0
           turn { choose { a { n[team(me)] += 1 } b { } } }
           end three when any t in team: n[t] == 3: win best t in team by n[t]
           end late when turns[me] > 5
           score { n: n[team(me)] when me == lowest(team(me)) }
         }",
    ));
    tells(
        &told,
        &[
            "when you are the first of your team in the order of seats",
            "wins, of equals the first in the order (north south, east west).",
        ],
    );
}

/// Who loses takes the players of the same side along.
#[test]
fn the_other_sides_win_where_a_player_of_a_team_loses() {
    let told = joined(&rules_of(
        "game \"Sides\" {
           players A, B, C, D
           team ab = {A, B}
           var n: 0..99 = 0
           turn { choose {
             gain { n += 1 }
             give_up { end game as given: lose team(me) }
             arrive { end game as arrived: win team(me) }
           } }
           end late when n > 90: lose me
           end odd when n == 3: lose A
         }",
    ));
    tells(
        &told,
        &[
            "- give up: the game ends: given; your team loses, and all other sides win",
            "- arrive: the game ends: arrived; your team wins",
            "; the player whose turn it was loses, and all other sides win.",
            "- After a turn, when n is 3; A loses, and all other sides win.",
        ],
    );
    assert!(!told.contains("all others win"), "{told}");
}

#[test]
fn conditions_keep_their_words_together_and_a_rest_of_places_is_not_empty() {
    let told = page(
        "var n: 0..9 = 0 var f: bool var g: bool
         domain card = 1..5
         zone the_row of card
         turn { choose {
             a c in empty where not (f == g) and n > 2 { put mark[me] at c f = not f g = f n = 1 }
             b where not (f != g) and n > 2 { n = 2 move highest(card) to the_row }
             d c in empty where (row(1) | row(2)) - mark[me] is nothing { put mark[me] at c }
             e c in empty where row(1) - mark[other] is some { put mark[me] at c }
             h where the_row is nothing { n = 3 }
             i where n == count(corners & row(1)) { n = count(reach(mark[me], empty) & row(1)) }
         } }
         end when empty is nothing",
    );
    tells(
        &told,
        &[
            "if (exactly one of these holds: (f is true), (g is true)) and n is more than 2;",
            "b: if ((f is true) exactly if (g is true)) and n is more than 2;",
            "if nothing is left of (row 1 and row 2) without your marks;",
            "if something is left of row 1 without the other player's marks;",
            "h: if the row is empty;",
        ],
    );
    assert!(!told.contains("the the") && !told.contains("what what"), "{told}");
    let reached = page(
        "var n: 0..9 = 0
         turn { choose { a c in empty { put mark[me] at c } b where reach(mark[me], empty) & row(1) is nothing { n = 1 } } }
         end when empty is nothing",
    );
    tells(
        &reached,
        &[
            "if (what can be reached from your marks through the empty places) and row 1 have nothing in common;",
        ],
    );
}

#[test]
fn all_but_one_take_their_sides_along() {
    let ends = |players: &str, result: &str| {
        let rules = format!(
            "game \"Along\" {{ players {players} var n: 0..99 = 0
               turn {{ choose {{ gain {{ n += 1 }} stay {{ }} }} }} end late when n > 90: {result} players - me }}"
        );
        joined(part(&rules_of(&rules), "The game ends"))
    };
    tells(&ends("A, B, C", "lose"), &["is more than 90; the other players lose."]);
    let pair = "A, B, C team pair = {A, B}";
    tells(&ends(pair, "lose"), &["is more than 90; the other players lose with their sides."]);
    tells(&ends(pair, "win"), &["is more than 90; the other players win with their sides."]);
    let pairs = "A, B, C, D team one = {A, B} team two = {C, D}";
    tells(&ends(pairs, "lose"), &["is more than 90; all players lose."]);
    tells(&ends(pairs, "win"), &["is more than 90; all players win."]);
}
