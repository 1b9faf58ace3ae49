//! Every limit has its own message, which states the limit, the requested value and a fix.

use houserule::limits;
use houserule::loader::{LoadError, Request, load, load_text};

/// Returns the message about a text that exceeds one limit.
#[track_caller]
fn said(text: &str) -> String {
    match load_text("large.rules", text, &Request::default()) {
        Err(LoadError::Rules { diagnostics, sources, .. }) => {
            let shown = houserule::diagnostic::render_all(&diagnostics, &sources, Default::default());
            assert_eq!(diagnostics.len(), 1, "one mistake, one message\n{shown}");
            // The label states the limit or an alternative.
            let bound = ["the maximum is", "the minimum is"].iter().any(|text| shown.contains(text));
            assert!(bound || diagnostics[0].help.is_some(), "how is it mended?\n{shown}");
            shown
        }
        Err(error @ LoadError::Compile(_)) => error.to_string(),
        Err(error) => panic!("a wrong request: {error}"),
        Ok(_) => panic!("nothing is too large"),
    }
}

/// Asserts that the message about a text contains these words.
#[track_caller]
fn says(text: &str, words: &[&str]) {
    let shown = said(text);
    for word in words {
        assert!(shown.contains(word), "`{word}` is not in\n{shown}");
    }
}

/// Returns a game with these declarations and this turn.
fn game(decls: &str, turn: &str) -> String {
    format!(
        "game \"G\" {{\nplayers 1\nvar n: 0..9 = 0\n{decls}\nturn {{ n = 9 - n {turn} }}\nend when n == 9\nscore {{ n: n }}\n}}"
    )
}

#[track_caller]
fn declared(decls: &str, words: &[&str]) {
    says(&game(decls, ""), words);
}

#[track_caller]
fn played(turn: &str, words: &[&str]) {
    says(&game("", turn), words);
}

fn many(n: usize, line: impl Fn(usize) -> String) -> String {
    (0..n).map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_game_around_nothing_is_a_game() {
    assert!(load_text("small.rules", &game("", ""), &Request::default()).is_ok());
}

#[test]
fn bytes_of_a_file() {
    says(&" ".repeat(limits::FILE_BYTES + 5), &["1048581 bytes", "at most 1048576", "variant"]);
}

#[test]
fn bytes_of_a_file_on_disk() {
    let path = std::env::temp_dir().join(format!("too-large-{}.rules", std::process::id()));
    std::fs::write(&path, " ".repeat(limits::FILE_BYTES + 5)).expect("a file can be written");
    let error = load(&Request { name: &path.display().to_string(), ..Request::default() });
    std::fs::remove_file(&path).expect("it can be removed");
    let told = error.expect_err("it is too large").to_string();
    assert!(told.contains("more than 1048576 bytes") && told.contains("variant"), "{told}");
}

#[test]
fn brackets_within_brackets() {
    let deep = format!("define f = {}1{}", "(".repeat(150), ")".repeat(150));
    declared(&deep, &["more than 100 deep", "define"]);
}

#[test]
fn operators_of_an_expression() {
    declared(&format!("define f = {}1", "1 + ".repeat(300)), &["more than 200 operators", "define"]);
}

#[test]
fn words_of_a_piece() {
    let list = "1, ".repeat(limits::PIECE_TOKENS);
    declared(&format!("define f = {{{list}1}}"), &["20006 words and signs", "at most 10000", "split it up"]);
}

#[test]
fn messages_about_a_file() {
    let wrong = game(&many(300, |i| format!("define = {i}")), "");
    let Err(LoadError::Rules { diagnostics, sources, .. }) =
        load_text("large.rules", &wrong, &Request::default())
    else {
        panic!("it is wrong")
    };
    let shown = houserule::diagnostic::render_all(&diagnostics, &sources, Default::default());
    assert!(shown.ends_with("\n300 errors (100 shown, and 200 more)\n"), "{shown}");
    assert_eq!(shown.matches("error[").count(), 100);
}

#[test]
fn sides_of_a_board() {
    declared("board cell = grid(65, 3)", &["found 65", "the maximum is 64"]);
    declared("board cell = grid(3, 1000)", &["found 1000", "the maximum is 64"]);
}

#[test]
fn elements_of_a_domain() {
    declared("domain big = 1..5000", &["5000 elements", "at most 4096", "make it smaller"]);
    declared("domain pair { a: 1..100, b: 1..100 }", &["at most 4096", "make it smaller"]);
}

#[test]
fn boards_of_a_game() {
    let boards = many(65, |i| format!("board b{i} = grid(2, 2)"));
    declared(&boards, &["one board too many", "at most 64", "boards with an index"]);
}

#[test]
fn fields_of_a_record() {
    let fields: Vec<String> = (0..17).map(|i| format!("f{i}: 1..1")).collect();
    declared(&format!("domain r {{ {} }}", fields.join(", ")), &["17 fields", "at most 16", "two domains"]);
}

#[test]
fn values_of_tables() {
    let tables = many(16, |i| format!("table t{i}[1..4096, 1..16]: 0..1 = 1"));
    declared(&tables, &["1048576 values", "at most 1000000", "smaller index domains"]);
}

#[test]
fn values_of_a_family() {
    declared("var v[1..300, 1..300]: 0..1", &["90000 values", "at most 65536", "smaller index domains"]);
}

#[test]
fn words_of_the_state() {
    let sets = "board cell = grid(8, 8)\nvar a[1..4000, 1..16]: set of cell";
    declared(sets, &["64000", "at most 60000 words", "smaller boards"]);
}

#[test]
fn actions_of_a_game() {
    let turn = "choose c { o a in 1..4096, b in 1..4096 { n = 1 } }";
    played(turn, &["16777216 actions", "at most 1048576", "in several steps"]);
}

#[test]
fn words_of_a_choice() {
    let turn = "choose c { o a in 1..200, b in 1..200, e in 1..2 { n = 1 } }";
    played(turn, &["40000 words of 64 actions", "at most 32768", "in several steps"]);
}

#[test]
fn dice_rolled_together() {
    declared("dice d: 21 of d6", &["found 21", "the maximum is 20"]);
}

#[test]
fn faces_of_a_die() {
    declared("dice d: 2 of d(1001)", &["found 1001", "the maximum is 1000"]);
}

#[test]
fn players() {
    let seats = |players: &str| game("", "").replace("players 1", &format!("players {players}"));
    says(&seats("17"), &["found 17", "the maximum is 16"]);
    says(&seats("2..20"), &["found 20", "the maximum is 16"]);
    let names: Vec<String> = (0..18).map(|i| format!("P{i}")).collect();
    says(&seats(&names.join(", ")), &["18 players", "at most 16", "name fewer"]);
}

#[test]
fn parts_of_expanded_rules() {
    let doubling = many(40, |i| format!("define f{} = f{i} + f{i}", i + 1));
    let text = game(&format!("define f0 = n\n{doubling}\nend all when f40 == 1"), "");
    says(&text, &["too large", "at most 200000 parts", "use a `let` or a `for`"]);
}

#[test]
fn defines_used_inside_each_other() {
    let chain = many(80, |i| format!("define f{}(x) = f{i}(x)", i + 1));
    let text = game(&format!("define f0(x) = x\n{chain}\nend all when f80(n) == 1"), "");
    says(&text, &["too deeply", "at most 64", "use fewer"]);
}

#[test]
fn blocks_and_expressions_inside_each_other() {
    let chain = many(60, |i| {
        format!(
            "procedure p{} {{ if n == 1 {{ if n == 1 {{ if n == 1 {{ if n == 1 {{ if n == 1 {{ p{i}() }} }} }} }} }} }}",
            i + 1
        )
    });
    let text = game(&format!("procedure p0 {{ n = 1 }}\n{chain}"), "p60()");
    says(&text, &["too deeply", "at most 250", "define"]);
}

#[test]
fn decisions_of_a_game() {
    declared("limit 0", &["found 0", "the minimum is 1"]);
    declared("limit 10000001", &["found 10000001", "the maximum is 10000000"]);
}

#[test]
fn instructions_of_a_program() {
    // Putting a piece removes every kind of piece from the site, with one instruction each.
    let decls = "board cell = grid(3, 3)\npiece m[1..100]";
    let turn = many(900, |i| format!("put m[{}] at {{@a1, @b2}}", i % 100 + 1));
    let error = said(&game(decls, &turn));
    assert!(error.contains("instructions") && error.contains("takes 65535"), "{error}");
    assert!(error.contains("shorten"), "{error}");
}

#[test]
fn variants_on_each_other() {
    let chain = many(40, |i| {
        let of = if i == 0 { "G".to_owned() } else { format!("V{}", i - 1) };
        format!("variant \"V{i}\" of \"{of}\" {{ param goal = {} }}", i % 9 + 1)
    });
    let text = game("param goal: 1..9 = 1\nend late when n == goal", "") + "\n" + chain.as_str();
    says(&text, &["more than 32 variants", "fewer"]);
}
