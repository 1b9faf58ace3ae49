//! The warning about variables that rules read and nothing changes.

use crate::checked::check_text;
use houserule::check::CheckOptions;
use houserule::diagnostic::{Code, Diagnostic, Severity};
use houserule::loader::{Request, load_text};

/// Returns a game of two players with these declarations and this turn.
fn game(decls: &str, turn: &str) -> String {
    format!(
        "game \"Count\" {{\nplayers 2\nboard cell = grid(2, 2)\nvar n: 0..9 = 0\n{decls}\n\
         turn {{ n += 1 {turn} }}\nend over when n == 9\n}}\n"
    )
}

/// Returns the variables that messages say nothing changes, in the order of the text, with the help for each.
fn unchanged(messages: &[Diagnostic]) -> Vec<(String, String)> {
    let all = messages.iter().filter(|d| d.code == Code::NeverChanged);
    all.map(|d| {
        assert_eq!(d.severity, Severity::Warning);
        let name = d.message.split('`').nth(1).expect("a name").to_owned();
        (name, d.help.clone().unwrap_or_default())
    })
    .collect()
}

/// Returns the names of the variables that a text reads and doesn't change. The text has no error.
fn names(text: &str) -> Vec<String> {
    let (checked, shown) = check_text(text, &CheckOptions::default());
    assert!(checked.model.is_some(), "{shown}");
    unchanged(&checked.diagnostics).into_iter().map(|(name, _)| name).collect()
}

#[test]
fn a_variable_that_is_read_and_that_nothing_changes_is_warned_of() {
    for (decls, turn, expected) in [
        ("var far: 0..9 = 5", "if n > far { n = 9 }", vec!["far"]),
        ("var far: 0..9 = 5", "if n > far { far = 9 }", vec![]),
        ("var far: 0..9 = 5", "if n > far { far += 1 }", vec![]),
        ("var far[player]: 0..9 = 5", "if n > far[me] { n = 9 }", vec!["far"]),
        ("var far[player]: 0..9 = 5", "if n > far[me] { far[other] = 9 }", vec![]),
        // A value that each turn begins with is always the first one, too.
        ("var far: 0..9 = 5 each turn", "if n > far { n = 9 }", vec!["far"]),
        ("var gone: set of cell = {}", "if @a1 in gone { n = 9 }", vec!["gone"]),
        ("var gone: set of cell = {}", "if @a1 in gone { gone -= @a1 }", vec![]),
        // It is changed before the game, by a swap, by another player, or where the params rule it out.
        ("var far: 0..9 = 5\nsetup { far = 3 }", "if n > far { n = 9 }", vec![]),
        ("var far: 0..9 = 5\nvar near: 0..9 = 1", "if n > far + near { swap far, near }", vec![]),
        ("var far: 0..9 = 5", "if n > far { as other { far = 3 } }", vec![]),
        ("var far: 0..9 = 5\nparam late: bool = false", "if n > far { n = 9 } if late { far = 2 }", vec![]),
        ("var far: 0..9 = 5", "if n > far { n = 9 } choose { go where n > 5 { far = 1 } stay { } }", vec![]),
        // A procedure changes it, also one that nothing calls, which gets a warning of its own.
        ("var far: 0..9 = 5\nprocedure move_on { far = 3 }", "if n > far { move_on() }", vec![]),
        ("var far: 0..9 = 5\nprocedure move_on { far = 3 }", "if n > far { n = 9 }", vec![]),
        // What nothing reads gets another warning.
        ("var far: 0..9 = 5", "", vec![]),
        ("allow never-changed \"a variant changes it\"\nvar far: 0..9 = 5", "if n > far { n = 9 }", vec![]),
        ("allow never-read \"another warning\"\nvar far: 0..9 = 5", "if n > far { n = 9 }", vec!["far"]),
    ] {
        assert_eq!(names(&game(decls, turn)), expected, "{decls}\n{turn}");
    }
}

#[test]
fn the_warning_says_what_to_declare_in_its_place() {
    for (decls, condition, keyword) in [
        ("var far: 0..9 = 5", "n > far", "param"),
        ("var open: bool = true", "open", "param"),
        ("enum hue { red, blue }\nvar trump: hue = blue", "trump == red", "param"),
        ("var far[player]: 0..9 = 5", "n > far[me]", "table"),
        ("var start: cell = @a1", "row(start) == 2", "define"),
        ("var start: cell? = none", "start is some", "define"),
        ("var gone: set of cell = {}", "@a1 in gone", "define"),
    ] {
        let (checked, shown) =
            check_text(&game(decls, &format!("if {condition} {{ n = 9 }}")), &CheckOptions::default());
        let found = unchanged(&checked.diagnostics);
        let [(_, help)] = found.as_slice() else { panic!("{decls}: {shown}") };
        assert!(help.contains(&format!("declare it as a `{keyword}`")), "{decls}: {help}");
        assert!(help.contains("`allow never-changed "), "{decls}: {help}");
    }
}

#[test]
fn a_script_that_names_a_variable_may_change_it() {
    let text = |function: &str| {
        let rules = game("var far: 0..9 = 5", "choose { go { if n > far { n = 9 } } stay { } }");
        let (start, _) = rules.rsplit_once('}').expect("an end");
        format!("{start}script \"\"\"\n{function}\n\"\"\"\n}}\n")
    };
    for (function, expected) in
        [("fn on_go(g) { g.far = 3; }", vec![]), ("fn on_go(g) { g.n = 3; }", vec!["far"])]
    {
        let loaded = load_text("scripted", &text(function), &Request::default());
        let loaded = loaded.unwrap_or_else(|error| panic!("{error}"));
        let found: Vec<String> = unchanged(&loaded.warnings).into_iter().map(|(name, _)| name).collect();
        assert_eq!(found, expected, "{function}");
    }
}

/// A variant changes a variable of its base, or takes away what changed it.
#[test]
fn a_variant_answers_for_its_own_variables() {
    let variant = |edits: &str| {
        let text = format!("variant \"Mine\" of \"pig\" {{\n{edits}\n}}\n");
        let loaded = load_text("mine", &text, &Request::default());
        let loaded = loaded.unwrap_or_else(|error| panic!("{error}"));
        unchanged(&loaded.warnings).into_iter().map(|(name, _)| name).collect::<Vec<String>>()
    };
    let end = "new end early when turns[me] > far: draw";
    assert_eq!(variant(&format!("new var far: 0..99 = 50\n{end}")), ["far"]);
    assert!(variant(&format!("new var far: 0..99 = 50\n{end}\nnew setup farther {{ far = 60 }}")).is_empty());
    assert!(variant(&format!("new param far: 0..99 = 50\n{end}")).is_empty());
}
