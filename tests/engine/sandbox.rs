//! Attacks by scripts. Each attack ends the game with a message, or prevents loading it. Nothing breaks, and
//! the next game is unaffected.

use crate::extent;
use houserule::game::random_games::{UsageCounts, play_random};
use houserule::game::{ApplyError, Game, RuntimeErrorKind, Start};
use houserule::loader::{LoadError, Request, load, load_text};
use houserule::script::functions;
use houserule::variants::Setting;

/// Returns a game that calls the script once, with everything in reach.
fn rules(script: &str) -> String {
    format!(
        "game \"Attacked\" {{
          param size: 1..9 = 3
          param pays: table = [1: 1, 2+: 3]
          players X, O
          enum colour {{ red, blue }}
          domain tile {{ low: 0..2, high: low..2 }}
          board cell = grid(4, size)
          dice pair: 2 of d6
          piece mark[player]
          zone stock of tile
          var points[player]: 0..20 = 0
          var worn: colour? = none
          var trail: set of cell = {{}}
          turn {{ step go {{ choose {{ go c in empty {{ roll pair; put mark[me] at c }} }} }} }}
          end when count(mark) >= 2
          score {{ points: points[me] + count(trail) + count(stock) }}
          script \"\"\"
{script}
\"\"\"
        }}"
    )
}

fn loaded(script: &str, settings: &[Setting]) -> Result<Game, LoadError> {
    let request = Request { settings, ..Request::default() };
    load_text("attack.rules", &rules(script), &request).map(|loaded| loaded.game)
}

/// Returns the message when the script can't be loaded.
fn refused(script: &str) -> String {
    loaded(script, &[]).map(|_| ()).expect_err(script).to_string()
}

/// Returns the message when the first move calls the script.
fn stopped(script: &str) -> String {
    let game = loaded(script, &[]).unwrap_or_else(|error| panic!("{script}\n{error}"));
    let mut state = game.start(0, 0).expect("it starts");
    let before = state.clone();
    let action = state.legal_actions()[0];
    let Err(ApplyError::Runtime(error)) = state.apply(action) else { panic!("{script}: nothing went wrong") };
    let RuntimeErrorKind::Script(mistake) = &error.kind else { panic!("{script}: {error}") };
    assert!(mistake.span.is_some(), "{script}: it says where");
    // Again: the first attempt left nothing behind.
    let mut again = before;
    assert_eq!(again.apply(action), Err(ApplyError::Runtime(error.clone())), "{script}");
    format!("{error}; {}", mistake.help)
}

fn go(body: &str) -> String {
    stopped(&format!("fn on_go(g, c) {{ {body} }}"))
}

#[track_caller]
fn says(text: &str, wanted: &str) {
    assert!(text.contains(wanted), "{text:?} does not say {wanted:?}");
}

#[test]
fn what_does_not_end_is_ended() {
    for body in [
        "loop { }",
        "while true { }",
        "let n = 0; for i in 0..9223372036854775807 { n = i; }",
        "let n = 0; do { n += 1; } until n < 0;",
    ] {
        says(&go(body), "a call may use at most 100,000 operations");
    }
    says(
        &stopped("fn on_go(g, c) { deeper(1) } fn deeper(n) { deeper(n + 1) }"),
        "too many functions call each other; a call may use at most 32 functions",
    );
}

/// Operations of functions passed to other functions count in the budget of the call, however they are
/// passed.
#[test]
fn functions_handed_to_others_share_the_budget() {
    let long = |result: &str| format!("{{ let i = 0; while i < 1000 {{ i += 1; }} {result} }}");
    let ways = [
        ("a.for_each(|x| BODY)", ""),
        ("a.map(|x| BODY)", "1"),
        ("a.filter(|x| BODY)", "true"),
        ("a.reduce(|s, x| BODY, 0)", "1"),
        ("a.reduce_rev(|s, x| BODY, 0)", "1"),
        ("a.sort(|x, y| BODY)", "0"),
        ("a.some(|x| BODY)", "false"),
        ("a.all(|x| BODY)", "true"),
        ("a.find(|x| BODY)", "false"),
        ("a.find_map(|x| BODY)", "()"),
        ("a.index_of(|x| BODY)", "false"),
        ("a.retain(|x| BODY)", "true"),
        ("a.drain(|x| BODY)", "false"),
        ("a.dedup(|x, y| BODY)", "false"),
        ("m.filter(|k, v| BODY)", "true"),
        ("m.retain(|k, v| BODY)", "true"),
        ("{ let f = |x| BODY; for x in a { f.call(x); } }", "1"),
        // Each loop inside another.
        ("a.for_each(|x| { let b = []; b.pad(400, 1); b.map(|y| BODY); })", "1"),
    ];
    for (way, result) in ways {
        let way = way.replace("BODY", &long(result));
        let body = format!(
            "let a = []; a.pad(400, 1); let m = #{{}}; for i in 0..400 {{ m[`k${{i}}`] = i; }} {way};"
        );
        says(&go(&body), "a call may use at most 100,000 operations");
    }
    // Each call has a budget of its own.
    let game =
        loaded("fn on_go(g, c) { let a = []; a.pad(30, 1); a.map(|x| { for i in 0..500 { } }); }", &[]);
    let mut state = game.expect("it loads").start(0, 0).expect("it starts");
    while !state.is_over() {
        state.apply(state.legal_actions()[0]).expect("it is within its budget");
    }
}

/// A comparison of two lists costs as much as comparing their elements.
#[test]
fn native_functions_cost_what_they_do() {
    for work in ["a == b", "2 in a", "a.index_of(2)", "a.contains(2)", "a != b"] {
        let body =
            format!("let a = []; a.pad(4096, 1); let b = a; let n = 0; while n < 100 {{ {work}; n += 1; }}");
        says(&go(&body), "a call may use at most 100,000 operations");
    }
    // Board functions cost more on larger boards.
    let turns = |width: u32| {
        let text = rules("fn on_go(g, c) { let n = 0; while n < 6000 { reach(c, g.cells); n += 1; } }")
            .replace("grid(4, size)", &format!("grid({width}, size)"))
            .replace("count(mark) >= 2", "count(mark) >= 1");
        let game = load_text("board.rules", &text, &Request::default()).expect("it loads").game;
        let mut state = game.start(0, 0).expect("it starts");
        state.apply(state.legal_actions()[0]).map_err(|error| error.to_string())
    };
    assert_eq!(turns(2), Ok(()));
    says(&turns(64).expect_err("192 sites"), "it runs for too long");
}

#[test]
fn memory_and_time_of_a_call_are_bounded() {
    let set = |name: &str, value: &str| Setting::new(name, value);
    let stopped = |script: &str, settings: &[Setting]| {
        let mut state = loaded(script, settings).expect("it loads").start(0, 0).expect("it starts");
        let error = state.apply(state.legal_actions()[0]).expect_err("it is stopped");
        let ApplyError::Runtime(error) = error else { panic!("{error:?}") };
        let RuntimeErrorKind::Script(mistake) = &error.kind else { panic!("{error}") };
        format!("{error}; {}", mistake.help)
    };
    // The size of the list that `map` makes is checked only when the list is complete.
    let nested =
        "fn on_go(g, c) { let a = []; a.pad(4096, 1); a.map(|x| { let b = []; b.pad(4096, 1); b }); }";
    says(&stopped(nested, &[]), "`on_go`: it takes too much memory; a call may use at most 32 MiB");
    let deep =
        "fn on_go(g, c) { f(0); } fn f(n) { let a = []; a.pad(4096, n); let b = a; let c = a; f(n + 1); }";
    let settings = [set("script.memory", "1"), set("script.operations", "1000000")];
    says(&stopped(deep, &settings), "raise the limit: `--set script.memory=10`");
    let settings = [set("script.milliseconds", "1"), set("script.operations", "1000000000")];
    says(
        &stopped("fn on_go(g, c) { loop { } }", &settings),
        "`on_go`: it takes too much time; a call may use at most 1 ms",
    );
}

#[test]
fn what_grows_is_stopped() {
    for body in [
        "let s = \"xx\"; loop { s += s; }",
        "let s = \"\"; loop { s += \"0123456789012345678901234567890123456789\"; }",
        "let s = \"x\"; s.pad(1000000000, 'x'); ",
        "let s = `${\"x\".to_string()}`; loop { s = `${s}${s}`; }",
    ] {
        says(&go(body), "a text grows too large; a call may use at most 4096 characters");
    }
    for body in [
        "let a = []; loop { a.push(1); }",
        "let a = [1]; loop { a += a; }",
        "let a = []; a.pad(1000000000, 0);",
        "let a = [1]; loop { a = [a, a]; }",
        "let a = [[1, 2, 3]]; a.pad(2000, [1, 2, 3]);",
    ] {
        says(&go(body), "a list grows too large; a call may use at most 4096 elements");
    }
    // Every loop that builds a value ends before the value is large.
    for body in [
        "let m = #{}; let n = 0; loop { m[`k${n}`] = n; n += 1; }",
        "let a = [1]; loop { a.append(a); }",
        "let a = [1]; loop { a.splice(0..0, a); }",
        "let a = [1]; loop { a.splice(0, 0, a); }",
        "let a = [1]; loop { a = a + a; }",
        "let a = [1]; loop { a.push(a); }",
        "let a = [1]; loop { a.insert(0, a); }",
        "let a = []; loop { a.insert(0, \"x\"); }",
        "let a = []; let s = \"x\"; s.pad(4000, 'x'); loop { a.insert(0, s + a.len()); }",
        "let a = [1]; loop { a = a.map(|x| [x, x]); }",
        "let a = [1, 2]; loop { a = a.zip(a, |x, y| [x, y]); }",
        "let m = #{}; loop { m = #{a: m, b: m}; }",
        "let m = #{a: 1}; loop { m.b = m; }",
        "let m = #{a: 1}; loop { m.mixin(#{b: m}); }",
        "let m = #{a: 1}; loop { m.fill_with(#{b: m, c: m}); m = #{a: m}; }",
        "let s = \"x\"; loop { s.append(s); }",
        "let s = \"x\"; loop { s = s + s; }",
        "let s = \"xx\"; loop { s.replace(\"x\", s); }",
        "let s = \"x\"; loop { s.insert(0, s); }",
        "let s = \"x\"; loop { s = s.to_upper() + s.to_lower(); }",
        "let a = [1]; loop { a = [a.to_string(), a.to_string()]; }",
        "let a = \"abc\"; loop { a += a.split().to_string(); }",
    ] {
        says(&go(body), "`on_go`: ");
    }
    says(&go("let s = \"x\"; s.pad(5, \"\"); throw s;"), "`on_go`: x");
    // Both limits apply to lists of strings.
    says(
        &go("let a = []; let s = \"x\"; s.pad(4000, 'x'); loop { a.push(s + a.len()); }"),
        "grows too large; ",
    );
}

#[test]
fn what_reaches_out_is_refused() {
    for (body, word) in [
        ("eval(\"1\")", "eval"),
        ("sleep(1)", "sleep"),
        ("exit(1)", "exit"),
        ("let f = Fn(\"on_go\"); f = f.curry(f)", "curry"),
        ("print(1)", "print"),
        ("debug(1)", "debug"),
    ] {
        says(
            &refused(&format!("fn on_go(g, c) {{ {body}; }}")),
            &format!("`{word}` can't be used in scripts"),
        );
    }
    says(&refused("import \"x\" as x; fn on_go(g, c) { }"), "`import` can't be used in scripts");
    for body in [
        "open(\"/etc/passwd\")",
        "read_file(\"x\")",
        "timestamp()",
        "blob(1000000)",
        "system(\"ls\")",
        "rand()",
    ] {
        says(&refused(&format!("fn on_go(g, c) {{ {body}; }}")), "there is no function ");
    }
    // Functions named by a string, too.
    for name in ["eval", "sleep", "exit", "print", "timestamp"] {
        let said = go(&format!("let f = Fn(\"{name}\"); f.call(1); throw \"it was called\";"));
        assert!(!said.contains("it was called"), "{name}: {said}");
    }
    says(
        &refused("let memory = 0; fn on_go(g, c) { memory += 1; }"),
        "scripts can't have global constants or variables: `memory`",
    );
    says(&refused("this.x = 1; fn on_go(g, c) { }"), "error[");
    for path in ["../x.rhai", "/etc/x.rhai", "a/../../x.rhai", "..\\\\x.rhai", "./../x.rhai"] {
        let text = rules("").replace("\"\"\"\n\n\"\"\"", &format!("\"{path}\""));
        let error =
            load_text("attack.rules", &text, &Request::default()).map(|_| ()).expect_err(path).to_string();
        says(&error, "error[script-path]");
    }
}

#[cfg(unix)]
#[test]
fn links_lead_out_of_no_folder() {
    let folder = std::env::temp_dir().join(format!("houserule-links-{}", std::process::id()));
    let inner = folder.join("inner");
    std::fs::create_dir_all(&inner).expect("a folder");
    std::fs::write(folder.join("secret.rhai"), "fn on_go(g, c) { }").expect("a file");
    let _ = std::fs::remove_file(inner.join("link.rhai"));
    std::os::unix::fs::symlink(folder.join("secret.rhai"), inner.join("link.rhai")).expect("a link");
    std::fs::write(inner.join("own.rhai"), "fn on_go(g, c) { }").expect("a file");
    let ask = |script: &str| {
        let path = inner.join("game.rules");
        std::fs::write(&path, rules("").replace("\"\"\"\n\n\"\"\"", &format!("\"{script}\"")))
            .expect("a file");
        load(&Request { name: &path.to_string_lossy(), ..Request::default() }).map(|_| ())
    };
    let said = ask("link.rhai").expect_err("it leads out").to_string();
    says(&said, "`link.rhai` leads out of the folder of its rule file");
    assert!(!said.contains("on_go"), "nothing of the file is shown: {said}");
    ask("own.rhai").expect("its own script is read");
    std::fs::remove_dir_all(&folder).expect("it goes");
}

#[test]
fn what_is_not_the_scripts_to_change_stays() {
    for (body, wanted) in [
        ("g.points[g.me] = 21;", "`points` would become 21, but it holds 0..20"),
        ("g.points[g.me] -= 1;", "`points` would become -1, but it holds 0..20"),
        (
            "g.points[g.me] += 9223372036854775807; g.points[g.me] += 9223372036854775807;",
            "`points` would become",
        ),
        ("g.points = 3;", "`points` has a value for each `player`"),
        ("g.points[c] = 3;", "expected an element of `player`, and a1 is one of `cell`"),
        ("g.points[0] = 3;", "expected an element of `player`, found the number 0"),
        ("g.worn = 1;", "`worn`: expected an element of `colour`, found the number 1"),
        ("g.worn = g.me;", "expected an element of `colour`, and X is one of `player`"),
        ("g.trail = [g.me];", "`trail`"),
        ("g.pair[1] = 7;", "dice are rolled by the rules"),
        ("g.stock = none;", "what lies in `stock` is moved by the rules"),
        ("g.mark[g.me] = g.cells;", "`mark` is a piece"),
        ("g.turns[g.me] = 3;", "`turns` is counted by the game itself"),
        ("g.mover = g.other;", "`mover` is counted by the game itself"),
        ("g.size = 9;", "`size` is a param"),
        ("g.me = g.other;", "`me` can't be changed"),
        ("if g.points > 3 { g.worn = none; }", "`>` can't compare a family of values"),
        ("if c == 3 { g.worn = none; }", "`==` can't compare an element with a number"),
        ("if 3 < g.cells { g.worn = none; }", "`<` can't compare a set, whose size is `count(SET)`,"),
        ("if g.cells { g.worn = none; }", "expected true or false, found a set"),
        ("let x = c + 1;", "`+` does not work on an element and a number"),
        ("c[1];", "an element can't be indexed by a number"),
        ("g.trail = 3;", "expected a set or an element of `cell`, found the number 3"),
        ("g.roll(\"6\");", "`g.roll` does not work on a text"),
        ("let a = [1]; a[3];", "the list has no place 3: it has 1 element"),
        ("throw;", "it throws something without a message"),
        ("g.put(\"stock\", c);", "`stock` is no piece"),
        ("g.put(\"mark\", c);", "`mark` has 1 index"),
        ("g.put(\"mark\", g.me, g.me);", "expected an element of `cell`, and X is one of `player`"),
        ("g.move(1, c);", "`g.move` needs two sites, found the number 1"),
        ("g.clear(g.me);", "expected sites of a board, found elements of `player`"),
        ("g.roll(0);", "a die has at least one face"),
        ("g.roll(-5);", "a die has at least one face"),
        ("g.roll(10001);", "10000 is the most"),
        ("for i in 0..65 { g.roll(2); }", "a call can leave at most 64 things to chance"),
        ("toward(c, \"up\");", "the board has no direction `up`"),
        ("reach(c, c, \"six\");", "sites are connected by \"four\" sides or by \"eight\""),
        ("g.element(\"nobody\");", "no site and no element is called `nobody`"),
        ("around(3);", "expected a set, found the number 3"),
        ("set([]);", "an empty list doesn't say what it is a set of"),
        ("g[\"nothing_of_the_kind\"];", "the game has nothing called `nothing_of_the_kind`"),
        ("g[\"points\"] = 1;", "`points` has a value for each `player`"),
        ("let t = g.element(\"1-2\"); t.middle;", "has no field `middle`"),
    ] {
        says(&go(body), wanted);
    }
    let hidden = "fn on_go(g, c) { let name = \"rol\"; name += \"l\"; let f = Fn(name); f.call(g, 6); }";
    let game = loaded(hidden, &[]).expect("it loads");
    let mut state = game.start(0, 0).expect("it starts");
    let said = state.apply(state.legal_actions()[0]).expect_err("nobody knew").to_string();
    says(&said, "it leaves something to chance, and that can't be seen from its text");
    for (hook, wanted) in [
        ("fn allow_go(g, c) { g.put(\"mark\", g.me, c); true }", "nothing can be changed here"),
        ("fn allow_go(g, c) { g.points[g.me] += 1; true }", "nothing can be changed here"),
        ("fn allow_go(g, c) { g.clear(g.cells); true }", "nothing can be changed here"),
        ("fn allow_go(g, c) { 1 }", "expected true or false as its result, found the number 1"),
        (
            "fn allow_go(g, c) { let f = Fn(\"roll\"); f.call(g, 6) > 3 }",
            "nothing can be drawn at random here",
        ),
    ] {
        let game = loaded(hook, &[]).expect("it loads");
        let error = game.start(0, 0).expect_err(hook);
        says(&error.to_string(), wanted);
    }
    let game =
        loaded("fn score_points(g, player, points) { g.trail |= g.cells; points }", &[]).expect("it loads");
    let state = game.start(0, 0).expect("it starts");
    says(
        &state.score_of_each().expect_err("it changes something").to_string(),
        "nothing can be changed here",
    );
}

#[test]
fn errors_that_a_script_catches_have_changed_nothing() {
    let script = "fn on_go(g, c) {
        try { g.points[g.me] = 99; } catch (error) { g.points[g.me] = 7; }
        try { loop { } } catch (error) { g.points[g.me] = 8; }
    }";
    says(&stopped(script), "it runs for too long");
    let game = loaded("fn on_go(g, c) { try { g.points[g.me] = 99; } catch { g.points[g.me] = 7; } }", &[]);
    let game = game.expect("it loads");
    let mut state = game.start(0, 0).expect("it starts");
    state.apply(state.legal_actions()[0]).expect("it caught its error");
    assert_eq!(state.score_of_each(), Ok(vec![7 + 6, 6]));
}

#[test]
fn limits_can_be_set() {
    let long = "fn on_go(g, c) { let n = 0; for i in 0..60000 { n = i; } }";
    says(&stopped(long), "100,000 operations");
    let set = |name: &str, value: &str| loaded(long, &[Setting::new(name, value)]);
    let game = set("script.operations", "1000000").expect("it loads");
    let mut state = game.start(0, 0).expect("it starts");
    state.apply(state.legal_actions()[0]).expect("it is long, and ends");
    for (name, value, wanted) in [
        ("script.operation", "3", "`script.operation` is no limit of scripts; there are script.operations"),
        ("script.calls", "0", "`script.calls` is a number from 1 to 256, not `0`"),
        ("script.text", "many", "`script.text` is a number from 1 to 1000000, not `many`"),
    ] {
        says(&set(name, value).map(|_| ()).expect_err(name).to_string(), wanted);
    }
}

#[test]
fn a_run_goes_on_behind_a_game_that_failed() {
    let script = "fn on_go(g, c) { if g.roll(4) == 1 { loop { } } g.points[g.me] += 1; }";
    let game = loaded(script, &[]).expect("it loads");
    let (mut failed, mut whole) = (vec![], vec![]);
    let mut counts = UsageCounts::default();
    let mut fails = |index, error: houserule::game::RuntimeError| failed.push((index, error.to_string()));
    play_random(&game, 1, 0..300, &mut counts, &mut |f| whole.push((f.index, f.scores.to_vec())), &mut fails);
    assert_eq!(failed.len() + whole.len(), 300);
    // Both calls of a game succeed in 9 of 16 games.
    let deviation = (300.0 * 9.0 / 16.0 * 7.0 / 16.0f64).sqrt();
    assert!((whole.len() as f64 - 300.0 * 9.0 / 16.0).abs() < 4.0 * deviation, "{}", whole.len());
    assert!(whole.iter().all(|(_, scores)| scores == &[7, 7]), "nothing of a failed game is left: {whole:?}");
    assert!(failed.iter().all(|(_, error)| error.contains("it runs for too long")));
}

/// Values that no function expects.
const HOSTILE: [&str; 18] = [
    "()",
    "0",
    "3",
    "-1",
    "9223372036854775807",
    "(-9223372036854775807 - 1)",
    "true",
    "\"\"",
    "\"north\"",
    "'x'",
    "g",
    "c",
    "g.me",
    "g.cells",
    "(g.cells - g.cells)",
    "g.points",
    "g.pays",
    "[[], c, g, 1]",
];

#[test]
fn functions_bear_whatever_they_are_handed() {
    let known = functions();
    assert!(known.len() > 100, "{known:?}");
    let named = |name: &&String| name.starts_with(|c: char| c.is_ascii_alphabetic()) && !name.contains('$');
    let all: Vec<&String> = known.iter().filter(named).collect();
    let mut calls = vec![];
    for name in &all {
        let refused = ["eval", "sleep", "exit", "print", "debug"].contains(&name.as_str());
        if !refused {
            calls.extend((0..4).map(|count| (name.as_str(), count)));
        }
    }
    // `first` and the rest select the function and its arguments.
    let values = HOSTILE.join(", ");
    let mut script = format!(
        "fn on_try(g, k, a, b) {{ let c = g.cell(2, 2); let all = [{values}]; let x = all[a]; let y = all[b]; switch k {{\n"
    );
    for (k, (name, count)) in calls.iter().enumerate() {
        let arguments = ["", "x", "x, y", "x, y, x"][*count];
        script += &format!("{k} => {{ let f = Fn(\"{name}\"); f.call({arguments}); }},\n");
    }
    script += "} }";
    let (most, values) = (calls.len() - 1, HOSTILE.len() - 1);
    let text = rules(&script).replace(
        "choose { go c in empty { roll pair; put mark[me] at c } }",
        &format!("choose {{ try k in 0..{most}, a in 0..{values}, b in 0..{values} {{ points[me] += 1 }} }}"),
    );
    let text = text.replace("end when count(mark) >= 2", "end when points[me] >= 20");
    let request = Request::default();
    let game = load_text("hostile.rules", &text, &request).unwrap_or_else(|error| panic!("{error}")).game;
    let start = game.start_at(&Start::default()).expect("it starts");
    let (mut fine, mut wrong) = (0, 0);
    // The step has no factor in common with the number of values, so that every function is handed each.
    for action in start.legal_actions().into_iter().step_by(extent::tries(17, 1)) {
        let mut state = start.clone();
        match state.apply(action) {
            Ok(()) => fine += 1,
            Err(ApplyError::Runtime(error)) => {
                let said = error.to_string();
                assert!(
                    !said.contains("something in the engine broke"),
                    "{}: {said}",
                    game.action_name(action)
                );
                assert!(!said.is_empty());
                wrong += 1;
            }
            Err(error) => panic!("{}: {error}", game.action_name(action)),
        }
    }
    let least = extent::tries(55, 1000);
    assert!(fine > least && wrong > least, "{fine} calls went well and {wrong} did not");
}
