//! What happens below a help text: choices one after another, calls and who plays again, and what is kept only in some cases.

use super::{joined, page, part, rules_of, tells};

#[test]
fn choices_in_a_row_below_a_help_are_told_apart() {
    let told = |statements: &str| {
        page(&format!(
            "var n: 0..9 = 0
             turn {{ step act \"Act.\" {{ {statements} }} }}
             end when empty is nothing or n > 8"
        ))
    };
    let marks = "choose { one c in empty \"do a\" { put mark[me] at c } two \"do b\" { n = 1 } }";
    let counts = "choose { three \"do c\" { n = 2 } four \"do d\" { n = 3 } }";
    let (first, second) = ("- one: do a - two: do b", "- three: do c - four: do d");
    tells(
        &told(&format!("{marks} if n > 3 {{ skip }} {counts}")),
        &[&format!(
            "1. act: Act. - Choose one. {first} - if n is more than 3: the step is over - then choose one: {second}"
        )],
    );
    // A label that says when a choice comes tells it apart from the one before it, but not from the one after it.
    tells(
        &told(&format!("{marks} if n > 3 {{ {counts} }}")),
        &[&format!("1. act: Act. {first} - if n is more than 3: {second}")],
    );
    tells(
        &told(&format!("if n > 3 {{ {marks} }} {counts}")),
        &[&format!("1. act: Act. - if n is more than 3: {first} - then choose one: {second}")],
    );
    // One choice alone needs no label.
    tells(&told(marks), &[&format!("1. act: Act. {first}")]);
}

#[test]
fn an_option_that_leaves_out_the_choices_after_it_says_so() {
    let told = page(
        "var n: 0..9 = 0
         turn { step act \"Act.\" { choose {
             both c in empty \"mark two\" {
                 put mark[me] at c
                 choose { lay d in empty \"mark it\" { put mark[me] at d } }
                 choose { count \"do c\" { n = 2 } rest \"do d\" { n = 3 done } }
                 choose { keep \"do e\" { n = 4 } drop \"do f\" { n = 5 done } }
             }
             none \"do nothing\" { done } } } }
         end when empty is nothing or n > 8",
    );
    let words = "- both: mark two - first: - lay: mark it - then choose one: - count: do c - rest: do d \
                 - the turn is over - then choose one: - keep: do e - drop: do f - none: do nothing";
    tells(&told, &[words]);
}

/// A turn of a game for three with one option.
fn doing(statements: &str) -> String {
    joined(&rules_of(&format!(
        "game \"Do\" {{ players 3
           var pts[player]: 0..99 = 0
           var f: bool
           var g: bool
           procedure gain(p, k) \"a player gains k points\" {{ pts[p] = min(99, pts[p] + k) }}
           procedure pay(k) \"k points are paid\" {{ pts[me] = max(0, pts[me] - k) }}
           procedure one() \"one point is gained\" {{ pts[me] = min(99, pts[me] + 1) }}
           procedure flip() \"the flag is turned\" {{ f = not f }}
           procedure either(p, k) {{ if g {{ gain(p, k) }} else {{ pay(k) }} }}
           turn {{ step act \"Act.\" {{ choose {{
             go \"take a step\" {{ {statements} }}
             rest \"keep quiet\" {{ g = not g }}
           }} }} }}
           end out when pts[me] > 90 }}"
    )))
}

#[test]
fn what_a_local_gives_a_procedure_is_told() {
    let told = |statements: &str, words: &str| {
        tells(&doing(statements), &[&format!("- go: take a step {words} - rest: keep quiet")]);
    };
    let after = "a player gains 2 points (the player is the player after you)";
    told("let q = after(me) gain(q, 2)", &format!("- {after}"));
    told("if f { let q = after(me) let k = 2 gain(q, k) }", &format!("- if f is true: {after}"));
    // A value that may be another one by then is told where the local gets it.
    told(
        "let k = pts[me] gain(after(me), k)",
        "- let k be your pts - a player gains k points (the player is the player after you)",
    );
    let changing = doing("let q = after(me) if f { q = me } gain(q, 2)");
    tells(
        &changing,
        &["- let q be the player after you", "q becomes you", "- a player gains 2 points (the player is q)"],
    );
}

#[test]
fn the_reader_does_not_stand_before_the_verb_of_somebody_else() {
    let told = |call: &str| {
        joined(&rules_of(&format!(
            "game \"Coins\" {{ players 2
               var coins[player]: 0..9 = 0
               procedure gain(f) \"f takes a coin\" {{ coins[f] = min(9, coins[f] + 1) }}
               turn {{ {call} choose {{ go {{ }} }} }}
               end rich when coins[me] == 9 }}"
        )))
    };
    for call in ["gain(me)", "let q = me gain(q)"] {
        tells(&told(call), &["1. f takes a coin (f is you) 2. go"]);
    }
    tells(&told("let k = other gain(k)"), &["1. f takes a coin (f is the other player) 2. go"]);
    // Around the call, the name is that of another player.
    let looped = told("for f in players { gain(me) gain(f) }");
    assert!(looped.contains("f takes a coin (you)") && !looped.contains("twice"), "{looped}");
}

#[test]
fn a_procedure_is_told_in_each_case_in_which_it_is_called() {
    let told = |statements: &str, words: &str| {
        tells(&doing(statements), &[&format!("- go: take a step {words} - rest: keep quiet")]);
    };
    told(
        "if f { one() } one() if g { one() }",
        "- if f is true: one point is gained - one point is gained - if g is true: one point is gained",
    );
    // What a procedure without a help text calls is told, too.
    told(
        "either(after(me), 3)",
        "- if g is true: a player gains 3 points (the player is the player after you) - if not: 3 points are paid",
    );
    let steps = page(
        "var n: 0..9 = 0
         var f: bool
         procedure one() \"one point is gained\" { n = 1 }
         procedure flip() \"the flag is turned\" { f = not f }
         turn {
             step first \"Begin.\" { one() }
             step second \"Go on.\" { if f { one() } }
             step third \"Stop.\" { if f { one() } else { one() flip() } }
             step last \"Mark it.\" { choose { lay c in empty \"lay a mark\" { put mark[me] at c } } } }
         end when empty is nothing or n > 8",
    );
    let words = "1. first: Begin. - one: one point is gained 2. second: Go on. - if f is true: one point is gained \
                 3. third: Stop. - if f is true: one point is gained - if f is false: one point is gained \
                 - if f is false: the flag is turned 4.";
    tells(&steps, &[words]);
}

#[test]
fn who_always_plays_again_is_told_unless_a_help_does() {
    tells(&doing("f = true again"), &["- go: take a step - the same player plays again - rest: keep quiet"]);
    let told = page(
        "var n: 0..9 = 0
         turn { step act \"Act.\" { choose { go \"count, and go on\" { n = 1 again } stay \"stay\" { } } } }
         end when empty is nothing or n > 8",
    );
    assert!(!told.contains("the same player"), "{told}");
}

#[test]
fn a_change_that_statements_before_it_may_leave_out_has_their_condition() {
    let told = rules_of(
        "game \"Kept\" { players 2
           var first: 0..99 \"the first\"
           var second: 0..99 \"the second\"
           var third: 0..99 \"the third\"
           var fourth: 0..99 \"the fourth\"
           var f: bool
           procedure stop() { if f { done } }
           turn {
             step one \"Do it.\" { if f { done } first = 5 }
             step two \"Do more.\" { if first > 3 { if f { skip } } second = 4 }
             step three \"Do the rest.\" { stop() third = 3 }
             step four \"Stop.\" { fourth = 2 f = not f } }
           end out when first + second + third + fourth > 90
           score { all: first + second + third + fourth } }",
    );
    let kept = joined(part(&told, "What is kept"));
    let words = "- first: the first; becomes 5 in one if f is false - second: the second - third: the third \
                 - fourth: the fourth; becomes 2 in four";
    assert!(kept.contains(words), "{told}");
}
