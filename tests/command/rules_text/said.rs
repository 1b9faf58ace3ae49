//! The rules in words are sentences that a person would say, and say who and what is meant.

use super::{joined, page, part, rules_of, tells};

/// “The player” of a help text is one of several: which one, a call says.
#[test]
fn whom_a_procedure_is_about_is_told_where_it_can_be_another_player() {
    let told = |body: &str| {
        joined(&rules_of(&format!(
            "game \"Compare\" {{ players 3
               var strength[player]: 0..9 = 0
               var lives[player]: 0..3 = 3
               procedure hurt(p) \"the player loses a life\" {{ lives[p] -= 1 }}
               procedure rest(p) \"the player rests\" {{ strength[p] += 1 }}
               turn {{ choose {{ fight p in players - me \"fight a player\" {{ {body} rest(me) }} }} }}
               end out when any p in players: lives[p] == 0
               score {{ lives: lives[me] }} }}"
        )))
    };
    let (low, high) = ("strength[p] < strength[me]", "strength[me] < strength[p]");
    tells(
        &told(&format!("if {low} {{ hurt(p) }} else if {high} {{ hurt(me) }} else {{ hurt(p) }}")),
        &["- if p's strength is less than your strength: the player loses a life (the player is p) \
             - if not, and your strength is less than p's strength: the player loses a life (the player is you) \
             - if not: the player loses a life (the player is p) - the player rests"],
    );
    // What happens before the other case is more than one thing.
    let two = told(&format!("if {low} {{ hurt(p) hurt(me) }} else if {high} {{ hurt(me) }}"));
    tells(
        &two,
        &[
            "- if p's strength is at least your strength, and if your strength is less than p's strength: the player loses \
             a life (the player is you)",
        ],
    );
}

#[test]
fn a_direction_is_a_term_only_where_it_is_one() {
    let told = |ways: &str| {
        joined(&rules_of(&format!(
            "game \"Ways\" {{ players north, south board cell = grid(3, 5) piece man[player]
               setup {{ put man[north] at @b5; put man[south] at @b1 }}
               turn {{ choose {{ go a in man[me], b in {ways} & empty {{ move a to b }} otherwise {{ }} }} }}
               end late when turns[north] == 5: win north }}"
        )))
    };
    let term = "- north: up, toward the rows with higher numbers";
    tells(&told("{step(a, north), step(a, east)}"), &["one step north from a", term]);
    let beside = told("beside(a)");
    assert!(beside.contains("put north's man at b5") && !beside.contains(term), "{beside}");
}

#[test]
fn the_others_who_still_play_are_told_as_such() {
    let told = |winner: &str| {
        joined(&rules_of(&format!(
            "game \"Play\" {{ players 3 var coins[player]: 0..9 = 0
               define rest(p) = playing - p
               turn {{ choose {{
                 rob p in playing - me where coins[me] < 9 {{ coins[p] = 0 coins[me] += 1 }}
                 gift p in rest(me) where coins[me] > 3 {{ coins[p] = 9 }}
                 leave {{ playing -= me }} }} }}
               end done when count(playing) < 2
               winner {winner} }}"
        )))
    };
    let still = told("(most(me in playing), most(coins[me]))");
    tells(
        &still,
        &[
            "- rob: p is one of the other players who still play, if",
            "- rest of p: (the players who still play) without p",
            "Those who still play then win before all others; among equals the most coins. Whoever is still equal",
        ],
    );
    tells(
        &told("(most(coins[me]), least(me in playing))"),
        &["Who has the most coins then wins; among equals those who no longer play."],
    );
}

#[test]
fn what_somebody_holds_is_told_as_such() {
    let told = joined(&rules_of(
        "game \"Hold\" { players 3
           domain rank = 3..6 shown as [6: \"J\"]
           domain card { worth: 1..3 } = [guard: (1), countess: (2), princess: (3)]
           zone pack of rank = 4 seen by none
           zone tray of rank
           zone store[player] of rank
           zone deck of card = [guard: 5, {countess, princess}: 2] seen by none
           zone hand[player] of card seen by owner
           procedure knock_out(p) \"the player is out\" { playing -= p }
           setup { deal 2 from deck to hand deal 3 from pack to store }
           turn { choose {
             lay n in 1..4, r in store[me] where store[me, r] >= n and tray[r] == 0 { move n r from store[me] to tray }
             guess p in players - me where guard in hand[me] and countess not in hand[me] and hand[p, guard] < 2 \"guess\" {
               if princess in hand[p] { knock_out(p) }
             }
             otherwise { } } }
           end alone when count(playing) == 1: win playing }",
    ));
    tells(
        &told,
        &[
            "- rank: 3 to 6; in pictures 6 is J",
            "if your store holds at least n of r and the tray holds none of r;",
            "if you hold the guard and you don't hold the countess and p holds fewer than 2 of guard",
            "- if p holds the princess: the player is out (the player is p)",
        ],
    );
}

#[test]
fn choices_and_terms_of_a_setup_with_a_help_text_are_told() {
    let told = joined(&rules_of(
        "game \"Office\" { players 3
           domain rank = 1..9
           zone pack of rank = 4 seen by none
           zone hand[player] of rank seen by owner
           var office[player]: 0..3 = 0 match
           define scum = { p in players where office[p] == 3 }
           define vice_scum = { p in players where office[p] == 2 }
           setup \"All get three cards. Vice-scum gets one of scum.\" {
             deal 3 from pack to hand
             for p in scum { for q in vice_scum {
               as p { choose give { give c in hand[me] \"give a card\" { move c from hand[me] to hand[q] } } }
             } }
           }
           turn { choose { play c in hand[me] { move c from hand[me] to pack } }
             if hand[me] is nothing { office[me] = 2 } }
           end out when hand[me] is nothing
           score { place: office[me] }
           match { games: 3, total: sum, starter: next } }",
    ));
    tells(
        part_of(&told, "Before the first turn", "A turn"),
        &["All get three cards. Vice-scum gets one of scum.", "- give a card"],
    );
    tells(
        &told,
        &[
            "- rank: 1 to 9",
            "- scum: those players p where p's office is 3",
            "- vice scum: those players p where p's office is 2",
        ],
    );
}

/// Returns the words from one heading to another one.
fn part_of<'a>(told: &'a str, from: &str, to: &str) -> &'a str {
    let start = told.find(from).unwrap();
    let end = told[start..].find(to).map_or(told.len(), |end| start + end);
    &told[start..end]
}

#[test]
fn one_sentence_says_which_of_several_ends_counts() {
    let rules = |option: &str| {
        format!(
            "game \"Ends\" {{ players X, O board cell = grid(3, 3) piece mark[player]
               turn {{ choose {{ place c in empty {{ put mark[me] at c {option} }} }} }}
               end line when longest(mark[me]) >= 3: win me
               end full when empty is nothing: draw }}"
        )
    };
    let ends = |option: &str| joined(part(&rules_of(&rules(option)), "The game ends"));
    let stated = ends("if row(c) == 3 { end game as last: lose me }");
    tells(
        &stated,
        &[
            "the player whose turn it is loses. - If several of these come at once, those in a step or a choice count first; of the others, the \
           first in this list counts. -",
        ],
    );
    assert_eq!(stated.matches("come at once").count(), 1, "{stated}");
    tells(&ends(""), &["it is a draw. - If several of these come at once, the first in this list counts. -"]);
}

#[test]
fn the_case_comes_before_what_holds_in_it() {
    let told = page(
        "var n: 0..9 = 0
         define reaches(c) = if row(c) == 1 then n > 6 else n >= column(c)
         define beats(a) = if a == 2 then true else if a == 3 then false else a > n
         turn { choose { place c in empty where reaches(c) and beats(column(c)) { put mark[me] at c n += 1 } } }
         end when empty is nothing",
    );
    tells(
        &told,
        &[
            "- reaches of c: true if (the row of c is 1 and n is more than 6) or (the row of c is not 1 and n is at least \
             the column of c)",
            "true if a is 2 or (a is not 3 and a is more than n)",
        ],
    );
}
