//! `profile`: counts that are the same at every run, values that are kept or not, and the manners of the command.

#![allow(clippy::unwrap_used)]

use serde_json::Value as Json;

use crate::command::run;
use crate::written;

/// The sum is asked for three times in a decision. It depends on the number of a card alone, or on two numbers.
const RULES: &str = r#"game "Sums" {
  players 2
  domain card = 1..40
  zone deck of card
  zone hand[player] of card
  var points[player]: 0..9999 = 0
  define strength(p) = sum c in hand[p]: max d in hand[p]: (number(c) * number(d)) % 17
  setup { deal 8 from deck to hand }
  turn {
    step play "Take back a card that is not too strong." {
      choose {
        back c in hand[me] where strength(me) > 0 and strength(me) + number(c) > 3 { move c to deck }
      }
      if strength(me) > 0 { points[me] += strength(me) % 7 }
    }
  }
  end empty when any p in player: hand[p] is nothing
  score { points: points[me] }
}"#;

fn profiled(rules: &str, flags: &str) -> Json {
    let rules = rules.replace("number(c)", "c").replace("number(d)", "d");
    let path = written::file("profile", "sums.rules", &rules);
    let path = path.to_str().unwrap();
    let mut args = vec!["profile", path, "--json"];
    args.extend(flags.split(' '));
    let (code, out, err) = run(&args);
    assert_eq!(code, 0, "{err}");
    serde_json::from_str(&out).unwrap()
}

fn part<'p>(profile: &'p Json, name: &str) -> &'p Json {
    profile["parts"].as_array().unwrap().iter().find(|part| part["name"] == name).unwrap()
}

#[test]
fn counts_are_the_same_at_every_run() {
    let [one, other] = [(); 2].map(|()| profiled(RULES, "-n 20"));
    assert_eq!(one["games"], 20);
    for key in ["evaluations", "instructions", "repeated"] {
        assert_eq!(one["decision"][key], other["decision"][key], "{key}");
        assert_eq!(part(&one, "strength")[key], part(&other, "strength")[key], "{key}");
    }
    let shares = one["lines"].as_array().unwrap().iter().map(|line| line["share"].as_f64().unwrap());
    assert!((shares.sum::<f64>() - 1.0).abs() < 1e-9);
}

#[test]
fn parts_count_what_they_use_and_lines_do_not() {
    let profile = profiled(RULES, "-n 20");
    let (strength, step) = (part(&profile, "strength"), part(&profile, "play"));
    assert_eq!(strength["kind"], "define");
    assert_eq!((&strength["line"], &strength["column"]), (&Json::from(7), &Json::from(10)));
    assert!(step["instructions"].as_f64() > strength["instructions"].as_f64());
    // What the define costs stands in its own line, and not in the step's.
    let line = |number: u64| {
        let lines = profile["lines"].as_array().unwrap();
        lines
            .iter()
            .filter(move |line| line["line"] == number)
            .map(|line| &line["instructions"])
            .next()
            .unwrap()
    };
    assert!(line(7).as_f64() > line(14).as_f64());
    assert!(profile["expressions"].as_array().unwrap().iter().any(|one| one["text"] == "strength(me) % 7"));
}

#[test]
fn a_value_is_computed_once_until_what_it_reads_changes() {
    // Once for the mask, and once after the move.
    let evaluated = |rules: &str| {
        let profile = profiled(rules, "-n 20");
        let products: Vec<f64> = profile["expressions"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|one| one["text"].as_str().unwrap().starts_with("max d in"))
            .map(|one| one["evaluations"].as_f64().unwrap())
            .collect();
        (products.iter().sum::<f64>(), part(&profile, "strength")["repeated"].as_f64().unwrap())
    };
    let (kept, again) = evaluated(RULES);
    // Hands of 8 cards and fewer: twice the mean number of cards.
    assert!(kept < 12.0, "{kept}");
    assert!(again < 0.2, "{again}");
    // A number beside the player makes too many values to keep.
    let wide = RULES
        .replace("strength(p) =", "strength(p, n) = n % 2 +")
        .replace("strength(me)", "strength(me, points[me])");
    let (computed, _) = evaluated(&wide);
    assert!(computed > kept, "{computed} and {kept}");
}

#[test]
fn the_text_names_the_costly_line_first() {
    let path =
        written::file("profile", "text.rules", &RULES.replace("number(c)", "c").replace("number(d)", "d"));
    let (code, out, _) = run(&["profile", path.to_str().unwrap(), "-n", "20", "--top", "3"]);
    assert_eq!(code, 0);
    let lines: Vec<&str> = out.lines().collect();
    let head = lines.iter().position(|line| line.starts_with("Lines")).unwrap();
    assert!(lines[head + 2].contains("7:24") && lines[head + 2].contains("define strength(p)"), "{out}");
    assert!(lines[head + 1..].iter().filter(|line| line.contains(':')).count() <= 4 + 2, "{out}");
}

#[test]
fn wrong_flags_are_refused_and_no_time_says_so() {
    for (flags, told) in
        [("--games 0", "at least one game"), ("--for never", "never"), ("--top x", "x"), ("--players 7", "7")]
    {
        let mut args = vec!["profile", "dilido"];
        args.extend(flags.split(' '));
        let (code, _, err) = run(&args);
        assert!(code != 0 && err.contains(told), "{flags}: {err}");
    }
    let (code, out, _) = run(&["profile", "points", "--for", "0.01s"]);
    assert_eq!(code, 0);
    assert!(out.contains("0 games between random players") && out.contains("`--for` gives it more"), "{out}");
}
