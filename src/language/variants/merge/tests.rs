use super::*;
use crate::diagnostic::FileId;
use crate::format::print;
use crate::syntax::{ChoiceOption, Item, StmtKind, parse};

const BASE: &str = r#"game "Base" {
  param size: 3..12 = 6 "squares"
  param jokers: 0..3 = 1
  piece dot
  var left: 0..jokers = jokers "left"
  define first = 1
  setup { left = 0 }
  turn {
    step roll { roll pair }
    step place {
      choose { place c in empty "put" { put dot at c } stop { done } otherwise { skip } }
    }
    step joker { if left > 0 { choose extra { joker c in empty { put dot at c } pass } } }
  }
  end full when empty is nothing
  end when left == 0
  score { lines: 1 "lines", dots: 2 }
  match { games: 3, total: sum }
}"#;

fn game(text: &str) -> GameDecl {
    let (file, messages) = parse(FileId(0), text);
    assert!(messages.is_empty(), "{messages:?}");
    match file.items.into_iter().next() {
        Some(Item::Game(game)) => game,
        other => panic!("{other:?}"),
    }
}

fn variant(file: u32, of: &str, edits: &str) -> Variant {
    let text = format!("variant \"V{file}\" of \"{of}\" {{\n{edits}\n}}");
    let (parsed, messages) = parse(FileId(file), &text);
    assert!(messages.is_empty(), "{messages:?}");
    match parsed.items.into_iter().next() {
        Some(Item::Variant(variant)) => variant,
        other => panic!("{other:?}"),
    }
}

fn merged(edits: &[&str]) -> (Merged, Vec<Diagnostic>) {
    let variants: Vec<Variant> =
        edits.iter().enumerate().map(|(i, e)| variant(i as u32 + 1, "base", e)).collect();
    merge(&game(BASE), &variants.iter().collect::<Vec<_>>())
}

fn fine(edits: &str) -> Merged {
    let (merged, messages) = merged(&[edits]);
    assert!(messages.is_empty(), "{messages:?}");
    merged
}

#[track_caller]
fn says(edits: &[&str], code: &str, words: &str) {
    let (_, messages) = merged(edits);
    assert_eq!(messages.len(), 1, "{messages:?}");
    let said = format!("{:?} {:?}", messages[0].message, messages[0].help);
    assert!(messages[0].code.as_str() == code && said.contains(words), "{messages:?}");
}

/// The names of the declarations of a kind, in order.
fn names(merged: &Merged, kind: &str) -> Vec<String> {
    let keys = merged.game.decls.iter().map(|d| key(&d.kind)).filter(|(k, _)| *k == kind);
    keys.map(|(_, n)| n.map_or_else(String::new, |n| n.text.clone())).collect()
}

fn steps(merged: &Merged) -> Vec<String> {
    let turn =
        merged.game.decls.iter().find_map(|d| if let DeclKind::Turn(b) = &d.kind { Some(b) } else { None });
    let step =
        |kind: &StmtKind| if let StmtKind::Step { name, .. } = kind { Some(name.text.clone()) } else { None };
    turn.unwrap().stmts.iter().filter_map(|s| step(&s.kind)).collect()
}

fn options(merged: &Merged, choice: &str) -> Vec<ChoiceOption> {
    let mut merger = Merger {
        game: merged.game.clone(),
        fixed: vec![],
        edits: vec![],
        messages: vec![],
        changed: HashMap::new(),
        helped: HashMap::new(),
        followers: HashMap::new(),
        is_same_declared: false,
        parents: vec![],
        current: 0,
    };
    merger.options_of(choice)
}

#[test]
fn a_replaced_rule_has_not_the_help_of_the_old_one() {
    let help = |merged: &Merged, kind: &str, name: &str| {
        let found = merged.game.decls.iter().find(|decl| {
            let (of, named) = key(&decl.kind);
            of == kind && named.is_some_and(|named| named.text == name)
        });
        found.and_then(|decl| decl.help.as_ref()).map(|help| help.text.clone())
    };
    let old = "new define most = 3 \"the highest\"\n new procedure fill() \"all are laid\" { left = 1 }\n \
               new end early when left == 1 \"one is left\"";
    let merged = fine(old);
    assert_eq!(help(&merged, "define", "most").as_deref(), Some("the highest"));
    let new = "define most = 4\n procedure fill() { left = 2 }\n end early when left == 2";
    let (merged, messages) = merge(&game(BASE), &[&variant(1, "base", old), &variant(2, "v1", new)]);
    assert!(messages.is_empty(), "{messages:?}");
    for (kind, name) in [("define", "most"), ("procedure", "fill"), ("end", "early")] {
        assert_eq!(help(&merged, kind, name), None, "{kind} {name}");
    }
}

fn option_names(merged: &Merged, choice: &str) -> Vec<String> {
    options(merged, choice).into_iter().map(|o| o.name.text).collect()
}

#[test]
fn redeclaring_replaces_in_place_and_keeps_the_help() {
    let merged = fine("param size: 3..20 = 8\n var left: 0..9 = 2 \"more\"");
    assert_eq!(names(&merged, "param"), ["size", "jokers"]);
    assert_eq!(merged.game.decls[0].help.as_ref().unwrap().text, "squares");
    assert_eq!(merged.game.decls[3].help.as_ref().unwrap().text, "more");
    assert_eq!(merged.game.decls[0].span.file, FileId(1));
    assert_eq!(merged.game.title.text, "V1");
}

#[test]
fn a_new_key_is_added_at_the_end() {
    let merged = fine("new piece stone\n new end stones when empty is nothing\n new end when left == 7");
    assert_eq!(names(&merged, "piece"), ["dot", "stone"]);
    assert_eq!(names(&merged, "end"), ["full", "", "stones", ""]);
}

#[test]
fn a_new_end_goes_before_or_after_another() {
    let one = "new end soon before full when left == 5\n new end later after full of round when left == 6";
    assert_eq!(names(&fine(one), "end"), ["soon", "full", "later", ""]);
    // Of two variants, what the first inserts stays nearer to the front.
    let (both, messages) =
        merged(&[one, "new end next before full when left == 1\n new end last after full when left == 2"]);
    assert!(messages.is_empty(), "{messages:?}");
    assert_eq!(names(&both, "end"), ["soon", "next", "full", "later", "last", ""]);
    // Without a name, and before an end that the variant has just added.
    assert_eq!(names(&fine("new end before full when left == 5"), "end"), ["", "full", ""]);
    let chain = "new end a after full when left == 5\n new end b before a when left == 6";
    assert_eq!(names(&fine(chain), "end"), ["full", "b", "a", ""]);
    // An end may be called like the words.
    assert_eq!(names(&fine("new end before when left == 5"), "end"), ["full", "", "before"]);
    assert_eq!(names(&fine("new end after at once when left == 5"), "end"), ["full", "", "after"]);
    says(&["new end a before fulll when left == 5"], "unknown-target", "did you mean `full`?");
    says(&["end full before b when left == 5"], "misplaced", "new end");
}

#[test]
fn a_typo_finds_nothing_to_replace() {
    says(&["define frist = 2"], "nothing-to-replace", "did you mean `first`?");
    says(&["piece stone"], "nothing-to-replace", "new piece");
    says(&["var first: 0..1"], "nothing-to-replace", "without define first");
    says(&["score { lines2: 3 }"], "nothing-to-replace", "did you mean `lines`?");
    says(&["param sise = 3"], "nothing-to-replace", "did you mean `size`?");
    says(&["fix sise = 3"], "nothing-to-replace", "did you mean `size`?");
    says(&["round { }"], "nothing-to-replace", "new round");
}

#[test]
fn what_exists_is_not_new() {
    says(&["new piece dot"], "exists-already", "leave out `new`");
    says(&["new setup { }"], "exists-already", "new setup NAME");
    says(&["score { new lines: 3 }"], "exists-already", "leave out `new`");
    says(&["after roll step place { }"], "exists-already", "another name");
}

#[test]
fn params_are_changed_and_fixed() {
    let merged = fine("param size = 8 \"wide\"\n fix jokers = 2");
    assert_eq!(merged.fixed.iter().map(|n| n.text.as_str()).collect::<Vec<_>>(), ["jokers"]);
    assert_eq!(merged.game.decls[0].help.as_ref().unwrap().text, "wide");
    let DeclKind::Param(size) = &merged.game.decls[0].kind else { panic!() };
    assert!(matches!(size.value.as_ref().unwrap().kind, crate::syntax::ExprKind::Number(8)));
}

#[test]
fn without_finds_things_of_any_kind() {
    assert_eq!(steps(&fine("without step place")), ["roll", "joker"]);
    assert_eq!(option_names(&fine("without option pass"), "extra"), ["joker"]);
    assert_eq!(option_names(&fine("without option stop"), "place"), ["place"]);
    assert_eq!(names(&fine("without end full"), "end"), [""]);
    assert_eq!(names(&fine("without piece dot"), "piece"), Vec::<String>::new());
    assert_eq!(names(&fine("without setup"), "setup"), Vec::<String>::new());
    assert_eq!(names(&fine("without match"), "match"), Vec::<String>::new());
    fine("without otherwise place\n without score dots\n without match total\n without choose extra");
}

#[test]
fn without_says_what_is_not_there() {
    says(&["without step plaec"], "nothing-to-remove", "did you mean `place`?");
    says(&["without option pas"], "nothing-to-remove", "did you mean `pass`?");
    says(&["without score line"], "nothing-to-remove", "did you mean `lines`?");
    says(&["without end empty"], "nothing-to-remove", "end `empty`");
    says(&["without winner"], "nothing-to-remove", "`winner`");
    says(&["without otherwise extra"], "nothing-to-remove", "otherwise `extra`");
    says(&["without peice dot"], "unknown-kind", "did you mean `piece`?");
}

#[test]
fn steps_go_before_and_after() {
    assert_eq!(
        steps(&fine("before place step aim { }\n after place step pay { }")),
        ["roll", "aim", "place", "pay", "joker"]
    );
    let (merged, messages) = merged(&["after roll step one { }", "after roll step two { }"]);
    assert!(messages.is_empty());
    assert_eq!(steps(&merged), ["roll", "one", "two", "place", "joker"]);
    assert_eq!(merged.game.title.text, "V1 + V2");
    says(&["before rol step aim { }"], "unknown-target", "did you mean `roll`?");
}

#[test]
fn a_choice_is_extended() {
    let merged = fine(
        "extend place { place c in empty { clear c } leap c in empty { skip } otherwise { done } \
         before stop { left = 1 } after stop { left = 2; left = 3 } }",
    );
    assert_eq!(option_names(&merged, "place"), ["place", "stop", "leap"]);
    let all = options(&merged, "place");
    // Words would tell the old help text in place of the new statements.
    assert!(all[0].help.is_none(), "{:?}", all[0].help);
    assert_eq!(all[1].body.stmts.len(), 4);
    assert_eq!(option_names(&fine("extend extra { without pass }"), "extra"), ["joker"]);
    says(&["extend plase { otherwise { } }"], "unknown-target", "did you mean `place`?");
    says(&["extend place { after stpo { } }"], "unknown-target", "did you mean `stop`?");
    says(&["extend place { without pass }"], "unknown-target", "option `pass`");
}

#[test]
fn score_and_match_merge_by_entry() {
    let merged = fine("score { lines: 5, new bonus: 1 }\n match { total: best 2, floor: 0 }");
    let score = merged
        .game
        .decls
        .iter()
        .find_map(|d| if let DeclKind::Score(s) = &d.kind { Some(s) } else { None })
        .unwrap();
    assert_eq!(score.iter().map(|s| s.name.text.as_str()).collect::<Vec<_>>(), ["lines", "dots", "bonus"]);
    // Words would tell the old help text in place of the new formula.
    assert!(score[0].help.is_none(), "{:?}", score[0].help);
    let keys = merged
        .game
        .decls
        .iter()
        .find_map(|d| if let DeclKind::Match(m) = &d.kind { Some(m) } else { None })
        .unwrap();
    assert_eq!(keys.iter().map(|k| k.key.text.as_str()).collect::<Vec<_>>(), ["games", "total", "floor"]);
}

#[test]
fn variants_side_by_side_conflict_with_both_places() {
    let (_, messages) = merged(&["param size = 8", "param size = 9"]);
    assert_eq!(messages.len(), 1);
    assert_eq!(messages[0].code.as_str(), "conflict");
    assert_eq!((messages[0].primary.span.file, messages[0].secondary[0].span.file), (FileId(2), FileId(1)));
    says(
        &["extend place { otherwise { } }", "extend place { otherwise { done } }"],
        "conflict",
        "otherwise `place`",
    );
    says(&["score { lines: 3 }", "without score lines"], "conflict", "score `lines`");
    says(&["fix size = 3", "param size: 1..4 = 2"], "conflict", "param `size`");
    says(&["define first = 2\n define first = 3"], "twice", "define `first`");
}

#[test]
fn a_variant_of_a_variant_may_change_it_again() {
    let outer = variant(1, "base", "param size = 8\n new define second = 2");
    let inner = variant(2, "outer", "param size = 9\n define second = 3");
    let beside = variant(3, "base", "param jokers = 0");
    let (merged, messages) = merge(&game(BASE), &[&outer, &inner, &beside]);
    assert!(messages.is_empty(), "{messages:?}");
    assert_eq!(merged.game.title.text, "V2 + V3");
    let clash = variant(4, "base", "param size = 4");
    let (_, messages) = merge(&game(BASE), &[&outer, &inner, &clash]);
    assert_eq!(messages.len(), 1);
}

#[test]
fn an_unnamed_end_is_replaced_if_it_is_the_only_one() {
    assert_eq!(names(&fine("end when left == 3"), "end"), ["full", ""]);
    let both = merged(&["new end when left == 2", "end when left == 3"]).1;
    assert_eq!(both.iter().map(|m| m.code.as_str()).collect::<Vec<_>>(), ["ambiguous"]);
}

#[test]
fn the_help_of_a_step_and_of_an_otherwise_can_be_changed() {
    let merged =
        fine("step place \"Put or stop.\"\n extend place { otherwise \"nothing is left\" { done } }");
    let told = format!("{:?}", merged.game);
    assert!(told.contains("Put or stop.") && told.contains("nothing is left"), "{told}");
    assert_eq!(steps(&merged), ["roll", "place", "joker"]);
    says(&["step plase \"x\""], "unknown-target", "did you mean `place`?");
    says(&["step place \"x\"\n without step place"], "twice", "step `place`");
    // Two variants beside each other that tell a step in their own words leave it without a help text.
    let (two, messages) = self::merged(&["step place \"x\"", "step place \"y\""]);
    assert!(messages.is_empty(), "{messages:?}");
    let told = format!("{:?}", two.game);
    assert!(!told.contains("\"x\"") && !told.contains("\"y\""), "{told}");
    says(&["step place \"x\"", "without step place"], "conflict", "step `place`");
}

/// Returns the declarations of a kind, as text.
fn written(merged: &Merged, kind: &str) -> Vec<String> {
    let decls = merged.game.decls.iter().filter(|decl| key(&decl.kind).0 == kind);
    decls.map(print::decl).collect()
}

#[test]
fn same_is_what_is_replaced() {
    let merged = fine(
        "define first = 2 * same + same\n end full when not same or left == 3\n var left: 0..9 = same - 1",
    );
    assert_eq!(written(&merged, "define"), ["define first = 2 * 1 + 1"]);
    assert_eq!(written(&merged, "end")[0], "end full when not empty is nothing or left == 3");
    assert_eq!(written(&merged, "var"), ["var left: 0..9 = jokers - 1 \"left\""]);
    let merged = fine(
        "param size = same + 1\n score { lines: same * 2 when same }\n setup { same() left = 1 same() }",
    );
    assert_eq!(written(&merged, "param")[0], "param size: 3..12 = 6 + 1 \"squares\"");
    assert_eq!(written(&merged, "setup"), ["setup { left = 0; left = 1; left = 0 }"]);
    assert!(
        written(&merged, "score")[0].contains("lines: 1 * 2 when true"),
        "{:?}",
        written(&merged, "score")
    );
}

#[test]
fn an_option_and_a_step_stand_on_the_old_ones() {
    let edits = "extend place { place c in same & row(1) where same { if left > 0 { same() } same() }\n otherwise { left = 0 same() } }\n \
                 step roll { same() roll other }";
    let merged = fine(edits);
    let place = &options(&merged, "place")[0];
    assert_eq!(
        print::option(place),
        "place c in empty & row(1) where true { if left > 0 { put dot at c }; put dot at c }"
    );
    let turn = &written(&merged, "turn")[0];
    assert!(
        turn.contains("step roll { roll pair; roll other }") && turn.contains("otherwise { left = 0; skip }"),
        "{turn}"
    );
    assert_eq!(steps(&merged), ["roll", "place", "joker"]);
    says(&["extend place { place d in same { same() } }"], "unknown-name", "needs the names `c`");
    says(&["step rol { roll pair }"], "unknown-target", "did you mean `roll`?");
}

#[test]
fn of_several_variants_same_is_what_the_one_before_says() {
    let variants =
        [variant(1, "base", "define first = same + 1"), variant(2, "v1", "define first = same * 2")];
    let (merged, messages) = merge(&game(BASE), &variants.iter().collect::<Vec<_>>());
    assert!(messages.is_empty(), "{messages:?}");
    assert_eq!(written(&merged, "define"), ["define first = (1 + 1) * 2"]);
}

#[test]
fn what_is_called_same_is_meant() {
    let merged = fine("new define same = 7\n define first = same + 1");
    assert_eq!(written(&merged, "define"), ["define first = same + 1", "define same = 7"]);
    // Wherever it is declared: after its use, or as a value.
    for new in ["new define same = 7", "new enum way { same, other }", "new param way: same | other = same"] {
        let merged = fine(&format!("define first = if 1 == 2 then same else 3\n {new}"));
        assert_eq!(written(&merged, "define")[0], "define first = if 1 == 2 then same else 3", "{new}");
    }
    let merged = fine("define first = count(same in empty: same == @a1) + same");
    assert_eq!(written(&merged, "define"), ["define first = count(same in empty: same == @a1) + 1"]);
}
