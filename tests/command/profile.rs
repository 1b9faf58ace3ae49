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
  define strength(p) = sum c in hand[p]: max d in hand[p]: (c * d) % 17
  setup { deal 8 from deck to hand }
  turn {
    step play "Take back a card that is not too strong." {
      choose {
        back c in hand[me] where strength(me) > 0 and strength(me) + c > 3 { move c to deck }
      }
      if strength(me) > 0 { points[me] += strength(me) % 7 }
    }
  }
  end empty when any p in player: hand[p] is nothing
  score { points: points[me] }
}"#;

fn profiled(name: &str, rules: &str) -> Json {
    let path = written::file("profile", name, rules);
    let path = path.to_str().unwrap();
    let (code, out, err) = run(&["profile", path, "--json", "-n", "20"]);
    assert_eq!(code, 0, "{err}");
    serde_json::from_str(&out).unwrap()
}

fn part<'p>(profile: &'p Json, name: &str) -> &'p Json {
    profile["parts"].as_array().unwrap().iter().find(|part| part["name"] == name).unwrap()
}

#[test]
fn counts_are_the_same_at_every_run() {
    let [one, other] = [(); 2].map(|()| profiled("same.rules", RULES));
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
    let profile = profiled("parts.rules", RULES);
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
    assert!(
        profile["expressions"]
            .as_array()
            .unwrap()
            .iter()
            .any(|one| one["text"] == "max d in hand[p]: (c * d) % 17")
    );
}

#[test]
fn a_value_is_computed_once_until_what_it_reads_changes() {
    let profile = profiled("kept.rules", RULES);
    let expressions = profile["expressions"].as_array().unwrap();
    let sum = expressions.iter().find(|one| one["text"].as_str().unwrap().starts_with("sum c in")).unwrap();
    // Once for the mask, and once after the move. Written out at each use, it would be three times and more.
    let computed =
        expressions.iter().find(|one| one["text"].as_str().unwrap().starts_with("max d in")).unwrap();
    let cards = computed["evaluations"].as_f64().unwrap();
    assert!(cards < 12.0, "{cards}");
    assert!(sum["evaluations"].as_f64().unwrap() > 2.0, "{sum}");
    assert!(part(&profile, "strength")["repeated"].as_f64().unwrap() < 0.2);
}

#[test]
fn the_text_names_the_costly_line_first() {
    let path = written::file("profile", "text.rules", RULES);
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
    let (code, out, _) = run(&["profile", "points", "--for", "0.000001s"]);
    assert_eq!(code, 0);
    assert!(out.contains("0 games between random players") && out.contains("`--for` gives it more"), "{out}");
}
