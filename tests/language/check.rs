//! The checker on rule texts: messages about invalid ones, and results of valid ones.

use crate::checked::{bundled, check_text, in_game};
use houserule::check;
use houserule::check::CheckOptions;
use houserule::diagnostic::{Code, PlaceFinder, Severity, SourceMap};
use houserule::syntax::{Item, parse};
use houserule::variants::Setting;

#[test]
fn bundled_games_become_models() {
    for name in [
        "dilido",
        "dicrono",
        "classics/tic-tac-toe",
        "classics/tic-tac-die",
        "classics/connect-four",
        "classics/pig",
    ] {
        let (checked, shown) = check_text(&bundled(name), &CheckOptions::default());
        assert!(checked.model.is_some() && checked.diagnostics.is_empty(), "{name}\n{shown}");
    }
}

/// Returns the codes of all messages with their lines, as `code@line`. Few of the texts have a statement that changes their
/// variables, so warnings about that are left out; `never_changed` tests them.
pub(crate) fn codes(text: &str) -> String {
    let mut sources = SourceMap::default();
    sources.add("test.rules", text);
    let (checked, _) = check_text(text, &CheckOptions::default());
    let mut told: Vec<_> = checked.diagnostics.iter().filter(|d| d.code != Code::NeverChanged).collect();
    // There may be thousands.
    told.sort_by_key(|d| d.primary.span);
    let mut places = PlaceFinder::new(&sources);
    let mut all: Vec<_> = told.iter().map(|d| (places.find(d.primary.span).line, d.code)).collect();
    all.sort_unstable();
    all.iter().map(|(line, code)| format!("{code}@{line}")).collect::<Vec<_>>().join(" ")
}

/// Declarations (from line 7) and the messages they get.
const DECLARATIONS: &[(&str, &str)] = &[
    ("var a: 0..9 = 12\nvar b: 0..9 = a", "out-of-range@7 not-constant@8"),
    ("var n: 0..3", "duplicate-name@7"),
    ("var a: 0..9\nsetup { a = 1 }", "never-read@7"),
    ("allow never-read \"scripts read it\"\nvar a: 0..9\nsetup { a = 1 }", ""),
    ("allow unused \"another warning\"\nvar a: 0..9\nsetup { a = 1 }", "never-read@8"),
    ("allow never-read \"not of the next\"\nvar b: 0..9\nvar a: 0..9\nsetup { a = b }", "never-read@9"),
    ("allow type-mismatch \"an error\"\nvar a: 0..9\nsetup { n = a }", "unknown-name@7"),
    ("allow nevr-read \"misspelt\"\nvar a: 0..9\nsetup { n = a }", "unknown-name@7"),
    ("team both = {X, O}\nteam own = {X}", "duplicate-name@8"),
    ("team own = {mover}", "not-constant@7"),
    ("team own = cell", "type-mismatch@7"),
    ("team one = {X}\nteam two = {O}\nvar held[team]: 0..3\nend when held[one] == held[team(O)]", ""),
    ("var held[team]: 0..3", "unknown-type@7"),
    ("team one = {X}\nvar held[team]: 0..3\nend when held[team(me)] == 2", "may-be-none@9"),
    (
        "team one = {X}\nteam two = {O}\nvar last: team\nend when last == team(me) and me in team(last): win last",
        "",
    ),
    ("team one = {X}\nenum team { red }\nvar last: team\nend when last == red", ""),
    ("enum hue { red, blue }\nzone z of hue seen by top", "not-ordered@8"),
    ("table w[cell]: 0..9 = [{@a1, @b2}: 2, corners - @a1: 3]\nend when w[@b2] == 1", ""),
    ("table w[cell]: 0..9 = [corners: 2, @a1: 3]\nend when w[@b2] == 1", "duplicate-key@7"),
    ("table w[1..6]: 0..9 = [{1, 3}: 2, 5+: 3]\nend when w[n] == 1", ""),
    ("table w[cell]: 0..9 = [mark[X]: 2]\nend when w[@b2] == 1", "not-constant@7"),
    ("enum hue { red, blue }\nzone z of hue = 3 seen by top", "not-ordered@8"),
    ("var a: 0..3 seen by top\nend when a == 1", "misplaced@7"),
    ("var playing: 0..3", "duplicate-name@7"),
    ("var me: 0..3", "duplicate-name@7"),
    // The file's own name wins over a function of the language, and not over a built-in name.
    ("define around(c) = c", ""),
    ("define me = 1", "duplicate-name@7"),
    ("enum half { X, red, red }", "duplicate-name@7"),
    ("var a[cel]: 0..3", "unknown-type@7"),
    ("var a[n]: 0..3", "not-a-domain@7"),
    ("var a: 5..2", "empty-range@7"),
    ("var a: bool?", "wrong-type@7"),
    ("var a: 8 | 4", "wrong-type@7"),
    ("var a: table", "wrong-type@7"),
    ("param p: 1..6", "missing-default@7"),
    ("param p: 1..6 = 7", "out-of-range@7"),
    ("param p: this | that = those", "unknown-name@7"),
    ("param p: 8 | 4 = 5", "out-of-range@7"),
    ("param p: 1..6 = q\nparam q: 1..6 = p", "cycle@8"),
    ("param p: 1..6 = n", "not-constant@7"),
    ("param p: cell = 1", "wrong-type@7"),
    ("param p: table = [3: 1, 3: 2]", "duplicate-key@7"),
    ("param p: table = [3+: 1, 4: 2]", "duplicate-key@7"),
    ("define f(x) = x + g(x)\ndefine g(x) = f(x)\nend when f(1) == 2", "cycle@8"),
    ("define f(d) = if d == 0 then 0 else 1 + f(d - 1)\nend when f(3) == n", ""),
    (
        "define f(x, d) = d > 0 and (x == 1 or g(x, d))\ndefine g(x, d) = f(x - 1, d - 1)\nend when f(n, 9) or g(n, 1)",
        "",
    ),
    ("param deep: 0..9 = 2\ndefine f(d) = d == 0 or f(d - 1)\nend when f(deep)", ""),
    ("define f(d) = 1 + f(d - 1)\nend when f(3) == n", "cycle@7"),
    ("define f(d) = if d == 0 then 0 else f(d)\nend when f(3) == n", "cycle@7"),
    ("define f(d) = if d == 0 then 0 else f(d + 1)\nend when f(3) == n", "cycle@7"),
    ("define f(d) = if d == 0 then 0 else f(d - 1)\nend when f(n) == 1", "cycle@7"),
    ("define f(d) = if d == 0 then 0 else f(d - 1)\nend when f(99) == 1", "nested-too-deeply@7"),
    ("define f(d) = if d == 0 then n else f(d - 1) + f(d - 1)\nend when f(40) == 1", "rules-too-large@7"),
    ("define f = nn + mm", "unknown-name@7 unknown-name@7"),
    ("define f(n) = n", "shadowed-name@7"),
    ("board other = grid(2, 2)", "duplicate-name@7"),
    ("board b = gird(2, 2)", "unknown-board@7"),
    ("piece stone on bord", "unknown-board@7"),
    ("dice few: 0 of d6", "limit-dice@7"),
    ("dice few: 2 of d(1001)", "limit-faces@7"),
    ("dice few: 2 of 6", "unknown-die@7"),
    ("var v[1..300, 1..300]: 0..1", "limit-family@7"),
    ("domain big = 1..5000", "limit-domain@7"),
    ("domain pair { a: 1..100, b: 1..100 }", "limit-domain@7"),
    ("var v[player, 1..4000]: set of cell\nvar w[1..60000]: int", "limit-domain@8"),
    ("var v[player, 1..4000]: set of cell\nvar w[1..4000, 1..15]: int", "limit-state@8"),
    ("table t[player]: 1..6 = [X: 1]", "incomplete-table@7"),
    ("table t[player]: 1..6 = [X: 1, X: 2]", "duplicate-key@7"),
    ("table t[player]: 1..6 = [X: 1, Z: 2]", "unknown-name@7"),
    ("table t[1..6]: 0..9 = [1: 2, 2..6: 3]\nend when t[2] + t[6] == n", ""),
    ("table t[1..6]: 0..9 = [2..5: 3, 5..6: 1]", "duplicate-key@7"),
    ("table t[1..6]: 0..9 = [5..2: 3]", "empty-range@7"),
    (
        "define next_of(S) = if S is some then after(X, S) else X\nvar who: player = X\nsetup { who = next_of({O}) }\nend when who == O",
        "",
    ),
    ("require 1 > 2 \"one is more\"", "require-failed@7"),
    ("require n > 2", "not-constant@7"),
    ("zone hand of cell", ""),
    ("edges side of cell", ""),
    ("var v: 0..3 seen by none", "never-read@7"),
    ("var v: 0..3 seen by owner", "misplaced@7"),
    ("piece stone each turn", "misplaced@7"),
    ("winner best(n)", "not-a-rank@7"),
    ("winner most(scor)", "unknown-name@7"),
    ("winner most(n)\nwinner least(n)", "declared-twice@8"),
    ("turn { n = 1 }", "declared-twice@8"),
    ("limit 0", "limit-decisions@7"),
    ("var v: 0..3 = 0 match \"kept\"", "never-read@7"),
    ("match { games: 3, gmaes: 4 }", "unknown-key@7"),
    ("match { total: sum }", "missing-part@7"),
    ("match { games: 3, starter: looser }", "unknown-word@7"),
    ("match { games: 3, games: 4 }", "duplicate-key@7"),
    ("match { games: 3, until: total[me] > 3 }", "duplicate-key@7"),
    ("match { games: 3, total: best 0 }", "out-of-range@7"),
    // Between two games nobody acts.
    ("match { until: total[me] > 3 }", "me-of-nobody@7"),
    ("define ahead = score > 3\nmatch { until: ahead }", "me-of-nobody@8"),
    ("allow me-of-nobody \"the first counts\"\nmatch { until: total[me] > 3 }", ""),
    ("match { until: any p in players: score[p] > 3 }", ""),
    ("match { until: total > 3 }", "wrong-index-count@7"),
    ("end a when n == 1\nend a when n == 2", "duplicate-name@8"),
    ("end when n", "type-mismatch@7"),
    ("end when n == 1: win spot", "type-mismatch@7"),
    ("setup { again }", "misplaced@7"),
    ("setup { skip }", "misplaced@7"),
    ("setup { mover = X }", "not-assignable@7"),
    ("setup { starter = O }", ""),
    ("setup { }\nsetup { }", "declared-twice@8"),
];

/// Statements of a turn (from line 9) and the messages they get.
const STATEMENTS: &[(&str, &str)] = &[
    ("n = 3", ""),
    ("nn = 3", "unknown-name@9"),
    ("n = spot", "type-mismatch@9"),
    ("n = 10", "out-of-range@9"),
    ("n = mark[me]", "type-mismatch@9"),
    ("n = true", "type-mismatch@9"),
    ("n = 1 / 0", "division-by-zero@9"),
    ("n = 9223372036854775807 + 1", "number-too-large@9"),
    ("spot = mark[me]", "type-mismatch@9"),
    ("spot = @c4", "unknown-site@9"),
    ("spot = @c3", ""),
    ("spot = lowest(mark[me])", ""),
    ("mark = {}", "not-assignable@9"),
    ("mark[me] = {}", "not-assignable@9"),
    ("turns[me] = 1", "not-assignable@9"),
    ("starter = me", "not-assignable@9"),
    ("spot += 1", "type-mismatch@9"),
    ("n = row(spot)", "may-be-none@9"),
    ("if spot is some { n = row(spot) }", ""),
    ("if spot is nothing { done }\nn = row(spot)", ""),
    ("if spot != none and row(spot) == 1 { n = 1 }", ""),
    ("if spot == none or row(spot) == 1 { n = 1 }", ""),
    ("if spot is some { spot = none  n = row(spot) }", "may-be-none@9"),
    ("spot = @a1  n = row(spot)", ""),
    ("let c = cell(n, n)\nif c is some { n = row(c) }", ""),
    ("let c = cell(n, n)\nn = row(c)", "may-be-none@10"),
    ("let c = cell(2, 3)\nn = row(c)", ""),
    ("while spot is some { n = row(spot)  spot = none }", ""),
    // A test of what is always there is no error.
    ("if n is some { n = 1 }", ""),
    ("if n is fancy { n = 1 }", "unknown-property@9"),
    ("if mark[me] { n = 1 }", "type-mismatch@9"),
    ("if n == none { n = 1 }", "type-mismatch@9"),
    ("if me == spot { n = 1 }", "type-mismatch@9"),
    ("if me == red { n = 1 }", "unknown-name@9"),
    ("if me == X { n = 1 }", ""),
    ("for me in players { n = 1 }", "shadowed-name@9"),
    ("for p in players { n = 1 }", ""),
    ("for p in 5 { n = 1 }", "type-mismatch@9"),
    ("for p in 1..n { n = 1 }", ""),
    ("for p in 2 * n - 1..count(mark[me]) { n = 1 }", ""),
    ("playing += n", "type-mismatch@9"),
    ("playing -= me", ""),
    ("let some_cells = {spot}\nsome_cells += mark[me]\nput mark[me] at some_cells", ""),
    ("if count(playing) == 1 { next lowest(playing) }", ""),
    ("if playing is some { let p: player = lowest(playing)\nnext p }", ""),
    ("if playing is some { playing -= me\nlet p: player = lowest(playing)\nnext p }", "may-be-none@10"),
    ("let p: player = lowest(playing)\nnext p", "may-be-none@9"),
    ("choose { take c in mark[me] seen by none { clear c } }", ""),
    ("choose { take c in mark[me] seen by owner { clear c } }", "misplaced@9"),
    ("choose { stop seen by none { n = 1 } }", "misplaced@9"),
    ("reveal n to me", "misplaced@9"),
    ("reveal mark[me] to other", "not-a-zone@9"),
    ("for p in 1..game_number * 9 { n = 1 }", "not-constant@9"),
    ("for p in playrs { n = p + qq }", "unknown-name@9 unknown-name@9"),
    ("let n = 3", "shadowed-name@9"),
    ("let a = 3\nlet a = 4", "shadowed-name@10"),
    ("let a = 3\na -= 1\nn = a", ""),
    ("for a in 1..3 { a = 2 }", "not-assignable@9"),
    ("let a = none", "unknown-domain@9"),
    ("let a = {}", "unknown-domain@9"),
    ("put mark at @a1", "wrong-index-count@9"),
    ("put mark[me] at @a1", ""),
    ("put mark[me] at spot", ""),
    ("put mark[me] at 3", "type-mismatch@9"),
    ("put n at @a1", "not-a-piece@9"),
    ("put marc[me] at @a1", "unknown-name@9"),
    ("clear mark", ""),
    ("clear mark[X] & row(1)", ""),
    ("clear n", "type-mismatch@9"),
    ("move spot to @a1", ""),
    ("move n to @a1", "type-mismatch@9"),
    ("roll n", "type-mismatch@9"),
    ("pick c in empty\nput mark[me] at c", ""),
    ("pick c in empty\nn = row(c)", "may-be-none@10"),
    ("next other", ""),
    ("next 3", "type-mismatch@9"),
    ("again", ""),
    ("skip", "misplaced@9"),
    ("step a { skip }\nstep a { n = 1 }", "duplicate-name@10"),
    ("fly(3)", "unknown-function@9"),
    ("n = fly(3)", "unknown-function@9"),
    ("n = longest()", "wrong-argument-count@9"),
    ("n = longest(mark[me], n)", "wrong-argument-count@9"),
    ("n = longest(mark[me], along: up)", "unknown-word@9"),
    ("n = longest(mark[me], allong: down)", "wrong-argument@9"),
    ("n = longest(mark[me], along: down | across)", ""),
    ("n = longest(players)", "type-mismatch@9"),
    ("n = lines(mark[me], 3)", "type-mismatch@9"),
    ("n = lines(mark[me], [2: 1])", "line-table-gap@9"),
    ("n = lines(mark[me], [2+: 1])", ""),
    ("n = count(reach(@a1, mark[me], five))", "unknown-word@9"),
    ("n = count(reach(@a1, mark[me], four))", ""),
    ("n = count(shift(mark[me], nroth))", "unknown-direction@9"),
    ("spot = toward(@a1, north)", ""),
    ("n = count(fill(mark[me]))", ""),
    ("n = count(fill(mark[me], six))", "unknown-word@9"),
    ("n = count(enclosed(@a1, mark[me], eight))", ""),
    ("n = count(enclosed(mark[me]))", "wrong-argument-count@9"),
    ("n = count(components(mark[me]))", "misplaced@9"),
    ("for k in components(mark[me], eight) { n = count(k) }", ""),
    ("for k in components(n) { n = count(k) }", "type-mismatch@9"),
    ("for k in components(mark[me]) from @a1 { n = count(k) }", "misplaced@9"),
    ("n = mark[me, me]", "wrong-index-count@9"),
    ("n = n[1]", "wrong-index-count@9"),
    ("n = turns", "wrong-index-count@9"),
    ("n = turns[me]", ""),
    ("n = spot.x", "unknown-field@9"),
    ("n = count({1, 2} | {5})", ""),
    ("n = if n == 1 then 2 else mark[me]", "type-mismatch@9"),
    ("n = (1, 2)", "misplaced@9"),
    ("n = \"three\"", "misplaced@9"),
    ("n = mark[me] + empty", "type-mismatch@9"),
    ("n = player", "type-mismatch@9"),
    ("choose { a c in empty { n = 1 } a c in mark[me] { n = 2 } }", "duplicate-option@9"),
    ("choose { a c in empty { n = 1 } a { n = 2 } }", ""),
    ("choose { a c in {} & empty { n = 1 } }", "never-legal@9"),
    ("choose { a where false { n = 1 } }", "never-legal@9"),
    ("choose { a c in n { n = 1 } }", "type-mismatch@9"),
    ("choose { a c in empty where c { n = 1 } }", "type-mismatch@9"),
    ("choose { a k subset of empty { n = count(k) } }", ""),
    ("choose { a k subset of players, c in empty { n = count(k) } }", "misplaced@9"),
    ("choose { a k subset of n { n = 1 } }", "type-mismatch@9"),
    ("choose { a k subset of empty where k { n = 1 } }", "type-mismatch@9"),
    ("choose { a k subset of empty { roll k } }", "type-mismatch@9"),
    ("choose { a c in empty ensuring n == 1 { n = 1 } }", ""),
    ("choose { a c in empty ensuring n == 1 { again } }", "not-on-trial@9"),
    ("choose { a c in empty ensuring false { n = 1 } }", "never-legal@9"),
    ("if repeated(2) { n = 1 }", ""),
    ("if repeated(2, of: [mark, mover, n]) or repeated(1, of: mark) { n = 1 }", ""),
    ("if repeated(2, of: marc) { n = 1 }", "wrong-argument@9"),
    ("if repeated(2, of: [mark, 3]) { n = 1 }", "expected-name@9"),
    ("if repeated() { n = 1 }", "wrong-argument-count@9"),
    ("choose { pass otherwise { n = 1 } }", "pass-with-otherwise@9"),
    ("choose { a mark in empty { n = 1 } }", "shadowed-name@9"),
    ("deal 3 from a to b", "unknown-name@9 unknown-name@9"),
    ("each player from starter as me { n = 1 }", ""),
    ("n = count(nowhere)\nn = count(also_nowhere)", "unknown-name@9 unknown-name@10"),
    ("if score[X] > score { n = 1 }", ""),
    ("if 2 in 1..6 and n in {1, 3} { n = 1 }", ""),
    ("n = (count x in 1..3: x == n) + (sum x in 1..3 where x > 1: x) + (max x in players: n)", ""),
    ("spot = best c in empty by row(c)", ""),
    ("spot = best c in empty by (row(c), c == spot, -column(c))", ""),
    ("spot = best c in empty by (row(c), c)", "type-mismatch@9"),
    ("spot = best c in empty by c == spot", ""),
    ("spot = best c in empty by c", "type-mismatch@9"),
    ("put mark[me] at all best c in empty by (row(c) > 1, n)", ""),
    ("n = count(all best c in empty by c)", "type-mismatch@9"),
    ("n = row(all best c in empty by row(c))", "type-mismatch@9"),
    ("n = count(all best c in empty: row(c))", "wrong-sign@9"),
    ("if all c in empty by row(c) { n = 1 }", "type-mismatch@9 wrong-sign@9"),
    ("n = count(all best k subset of empty by count(k))", "misplaced@9"),
    ("n = max c in empty: (row(c), column(c))", "misplaced@9"),
    ("let q = best p in players by n\nnext q", ""),
    ("next best p in players by turns[p]", ""),
    ("if (n, row(@a1)) > (3, 2) and (spot, n) == (@a1, 2) { n = 1 }", ""),
    ("if (n, 1) > (n, 1, 2) { n = 1 }", "type-mismatch@9"),
    ("if (n, 1) == n { n = 1 }", "type-mismatch@9"),
    ("if n > (n, 1) { n = 1 }", "type-mismatch@9"),
    ("if (n, spot) > (n, spot) { n = 1 }", "type-mismatch@9 type-mismatch@9"),
    ("if (me, n) > (other, n) { n = 1 }", "type-mismatch@9 type-mismatch@9"),
    ("if ((n, 1), 2) > ((n, 1), 2) { n = 1 }", "misplaced@9 misplaced@9"),
    ("let l = (n, 1)", "misplaced@9"),
    ("n = (n, 1)", "misplaced@9"),
    ("n = count((n, 1))", "misplaced@9"),
    ("if (n, 1) in {n} { n = 1 }", "misplaced@9"),
    ("if (n, 1) { n = 1 }", "misplaced@9"),
    ("if (n, 1) is some { n = 1 }", "misplaced@9"),
    ("if (n, 1) + 1 == 3 { n = 1 }", "misplaced@9"),
    ("for c in (n, 1) { n = 1 }", "misplaced@9"),
    ("each player of players - me from other until n > 3 as me { n += 1 }", ""),
    ("each player of {X} as me { n += 1 }", ""),
    ("each player of n as me { n += 1 }", "type-mismatch@9"),
    ("each player of players from n as me { n += 1 }", "type-mismatch@9"),
    ("each player of players until n as me { n += 1 }", "type-mismatch@9"),
    ("each player until n > 3 as me { n += 1 }", "expected-word@9"),
    ("each player from me of players as me { n += 1 }", "expected-word@9"),
    (
        "spot = @a1\neach player of players until n > 3 as me { n += row(spot); spot = none }",
        "may-be-none@10",
    ),
    ("swap n, spot", "type-mismatch@9"),
    ("swap n, 3", "not-assignable@9"),
    ("move spot on cell to @a1", ""),
    ("move @a1 on cell to @a2", ""),
    ("n = row(cell(2, n % 3 + 1))", ""),
    ("n = row(cell(2, n % 4 + 1))", "may-be-none@9"),
    ("n = row(cell(4 - column(@a1), 2))", ""),
    ("repeat { pick c in cell\nlet r = row(c) } until r == 2 or c in empty", ""),
    ("repeat { let x = n\nn = count(1..x) } until n > 2", ""),
    ("repeat { let x = n\nx = x + 9\nn = count(1..x) } until n > 2", "not-constant@11"),
    ("move @a1 on n to @a2", "unknown-board@9"),
    ("move @a1 on cell[X] to @a2", "wrong-index-count@9"),
    ("n = count(union p in players: mark[p])", ""),
];

/// Whole texts and the messages they get.
const TEXTS: &[(&str, &str)] = &[
    ("game \"A\" {\nturn { }\n}", "missing-part@1"),
    (
        "game \"A\" {\nplayers 1\nboard ring = track(6, wrap: true)\nvar at: ring\nturn { at = toward(at, back) }\nend when at == @4\n}",
        "",
    ),
    (
        "game \"A\" {\nplayers 1\nboard line = track(6)\nvar at: line\nturn { at = toward(at, back) }\nend when at == @4\n}",
        "may-be-none@5",
    ),
    ("game \"A\" {\nplayers 1\n}", "missing-part@1"),
    ("game \"A\" {\nplayers 17\nturn { }\nlimit 3\n}", "limit-players@2"),
    ("game \"A\" {\nplayers 5..2\nturn { }\n}", "empty-range@2"),
    ("game \"A\" {\nplayers 1\nturn { }\n}", "no-end@1"),
    ("game \"A\" {\nplayers 3\nturn { next other }\nend when true\n}", "wrong-players@3"),
    ("game \"A\" {\nplayers 1\nturn { put x at edge }\nend when true\n}", "unknown-name@3 no-board@3"),
    (
        "game \"A\" {\nplayers 1\nboard b = grid(65, 0)\nturn { }\nend when true\n}",
        "limit-board@3 limit-board@3",
    ),
    (
        "game \"A\" {\nplayers 1\nboard b = grid(64, 64)\nturn { choose { a c in b, d in b { } } }\nend when true\n}",
        "limit-actions@4",
    ),
    (
        "game \"A\" {\nplayers 1\nboard b = grid(4, 4)\nboard c = grid(4, 4)\nturn { choose { a x in empty { } } }\nend when true\n}",
        "ambiguous-name@5",
    ),
    (
        "game \"A\" {\nplayers 1\nenum a { red, blue }\nenum b { red, green }\nvar x: a\nvar y: b\nturn { x = red  y = red }\nend when x == red and y == b.green\n}",
        "",
    ),
    (
        "game \"A\" {\nplayers 1\nenum a { red, blue }\nenum b { red, green }\nturn { let x = red }\nend when true\n}",
        "ambiguous-name@5",
    ),
    ("game \"A\" {\nplayers 1\nturn { }\nend when score > 3\n}", "no-score@4"),
    ("game \"A\" {\nplayers 1\nturn { }\nend when true\nscore { a: score + 1 }\n}", "cycle@5"),
    ("game \"A\" {\nplayers 1\nround { }\nend when true\n}", "no-turns@3"),
    (
        "game \"A\" {\nplayers 1\nparam p: 1..6 = 2\nenum e { a, b }\ntable t[1..2]: 0..3 = 1\ndefine d = 3\nprocedure q { done }\ndice two: 2 of d6\nturn { }\nend when true\n}",
        "unused@3 unused@4 unused@5 unused@6 unused@7 unused@8",
    ),
    // The name of a step may be any word.
    (
        "game \"A\" {\nplayers 1\nvar a: 0..9 = 0\nturn { step deal \"All.\" { choose { go { a = 1 } } } step shuffle { choose { deal { a = 2 } } } }\nend when a == 2\n}",
        "",
    ),
    // All elements lie in the first zone at the start, so it is used.
    (
        "game \"A\" {\nplayers 2\ndomain card = 1..6\nzone stock of card\nzone hand[player] of card\nzone gone of card\nturn { choose { take c in card - hand[me] { move c to hand[me] } otherwise { end game } } }\nscore { a: count(hand[me]) }\n}",
        "unused@6",
    ),
];

#[test]
fn texts_get_their_messages() {
    let mut wrong = String::new();
    for (text, expected) in TEXTS {
        let found = codes(text);
        let sorted = |codes: &str| {
            let mut all: Vec<String> = codes.split(' ').map(str::to_string).collect();
            all.sort_unstable();
            all
        };
        if sorted(&found) != sorted(expected) {
            wrong += &format!("{text}\n  expected {expected}\n  found    {found}\n");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn declarations_get_their_messages() {
    let mut wrong = String::new();
    for (decls, expected) in DECLARATIONS {
        let found = codes(&in_game(decls, "n = 1"));
        // Items that are only declared are unused too, which these cases don't test.
        let found: Vec<&str> = found.split(' ').filter(|c| !c.starts_with("unused@")).collect();
        if found.join(" ") != *expected {
            wrong += &format!("{decls}\n  expected {expected}\n  found    {}\n", found.join(" "));
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn statements_get_their_messages() {
    let mut wrong = String::new();
    for (turn, expected) in STATEMENTS {
        let found = codes(&in_game("", turn));
        if found != *expected {
            wrong += &format!("{turn}\n  expected {expected}\n  found    {found}\n");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// Turns of a game with hands, and whether something in them may be none.
const SHOWN: &[(&str, bool)] = &[
    // An element of a player's zone has an owner.
    ("for c in hand { n[owner(c)] += 1 }", false),
    ("for c in pack { n[owner(c)] += 1 }", true),
    ("for c in hand[me] & {red} | hand[other] { n[owner(c)] += 1 }", false),
    ("for c in hand | pack { n[owner(c)] += 1 }", true),
    ("n[me] = sum c in hand - {red}: n[owner(c)]", false),
    ("n[me] = sum c in pack: n[owner(c)]", true),
    ("n[me] = sum c in card where c in hand[me]: n[owner(c)]", false),
    ("n[me] = count({ c in hand where n[owner(c)] > 1 })", false),
    ("move best c in hand by n[owner(c)] to pack", false),
    ("choose { a c in hand[me] where n[owner(c)] > 1 { n[owner(c)] -= 1  move c to pack } }", false),
    ("choose { a c in hand[me] { move c to pack  n[owner(c)] += 1 } }", true),
    ("choose { a c in hand[me] { draw d from pack to hand[me]  n[owner(c)] += 1 } }", true),
    ("choose { a c in hand[me] { give(c)  n[owner(c)] += 1 } }", true),
    ("for c in hand { n[owner(c)] += 1  move c to pack }", true),
    ("let c = lowest(hand)  if c in hand { n[owner(c)] += 1 }", false),
    ("let c = lowest(hand)  if c not in hand { done }  n[owner(c)] += 1", false),
    ("let c = lowest(hand)  n[owner(c)] += 1", true),
    ("let c = lowest(hand)  if c is some { n[owner(c)] += 1 }", true),
    ("let c = lowest(hand)  if owner(c) is some { n[owner(c)] += 1 }", false),
    ("let c = lowest(hand)  if owner(c) == me { n[owner(c)] += 1 }", false),
    ("let c = lowest(hand)  if owner(c) != me { n[owner(c)] += 1 }", true),
    ("let c = lowest(hand)  if owner(c) is nothing { done }  n[owner(c)] += 1", false),
    ("let c = lowest(hand)  if owner(c) is nothing { done } else { move c to pack }  n[owner(c)] += 1", true),
    ("let c = lowest(hand)  if c in hand { c = lowest(pack)  n[owner(c)] += 1 }", true),
    (
        "let c = lowest(hand)  if c in hand { while n[me] < 3 { n[owner(c)] += 1  deal 1 from hand to pack } }",
        true,
    ),
    ("let c = lowest(hand)  if c in hand { while n[me] < 3 { n[owner(c)] += 1 } }", false),
    ("let c = lowest(hand)  if c in hand { if n[me] == 1 { move c to pack }  n[owner(c)] += 1 }", true),
    // A site with a player's piece has an owner until pieces move.
    ("for c in man { n[owner(c)] += 1 }", false),
    ("for c in man | king[me] { n[owner(c)] += 1 }", false),
    ("for c in man | rock { n[owner(c)] += 1 }", true),
    ("choose { hit c in king[other, red] where n[owner(c)] > 1 { n[owner(c)] -= 1  clear c } }", false),
    ("choose { hit c in king[other] { clear c  n[owner(c)] += 1 } }", true),
    ("choose { hit c in man[other] { put man[me] at c  n[owner(c)] += 1 } }", true),
    ("let c = lowest(man)  if owner(c) is some { n[owner(c)] += 1 }", false),
    ("let c = lowest(empty)  if owner(c) == me { n[me] += 1 } else { n[owner(c)] += 1 }", true),
    // The set of an element isn't empty.
    ("let s = players - other  n[after(me, s)] += 1", true),
    ("let s = players - other  if me in s { n[after(me, s)] += 1 }", false),
    ("let s = players - other  if me not in s { n[after(me, s)] += 1 }", true),
    ("let s = players - other  if {} in s { n[after(me, s)] += 1 }", true),
    ("let s = players - other  if s in players { n[after(me, s)] += 1 }", true),
    ("for p in open { n[after(p, open)] += 1 }", false),
    ("for p in open { open -= p  n[after(p, open)] += 1 }", true),
    ("for p in open { shut()  n[after(p, open)] += 1 }", true),
    ("choose { a p in open where n[after(p, open)] > 1 { n[after(p, open)] += 1  open -= p } }", false),
    ("choose { a p in open { open -= p  n[after(p, open)] += 1 } }", true),
    ("n[me] = sum p in open: n[highest(open)]", false),
    ("n[me] = sum p in open - me: n[highest(open)]", false),
    ("if open is nothing { done } else { open = {} }  n[after(me, open)] += 1", true),
];

/// A site computed from dice is on the board if their ranges show it. Dice show 0 before they are rolled.
#[test]
fn sites_computed_from_dice_need_no_test_if_the_board_has_them() {
    for (site, may_be_none) in [
        ("ring((at + die - 1) % 8 + 1)", false),
        ("ring((at + sum(pair)) % 8 + 1)", false),
        ("ring(max(1, die))", false),
        ("ring(die + 1)", false),
        ("ring(min(max(pair), 7) + 1)", false),
        ("ring(die)", true),
        ("ring(die + 3)", true),
        ("ring((at + die) % 8)", true),
        ("ring(7 - die)", false),
        ("ring(6 - die)", true),
    ] {
        let text = format!(
            "game \"Ring\" {{\nplayers 2\nboard ring = track(8, wrap: true)\ndice die: 1 of d6\ndice pair: 2 of d4\n\
             var at: 1..8 = 1\nturn {{\nroll die, pair\nat = column({site})\n}}\nend when at == 8\n}}"
        );
        assert_eq!(codes(&text).contains("may-be-none"), may_be_none, "{site}: {}", codes(&text));
    }
}

/// What a loop, an option, a quantifier or a condition shows needs no test, as long as no statement changes it.
#[test]
fn what_is_shown_needs_no_test() {
    let mut wrong = String::new();
    for (turn, may_be_none) in SHOWN {
        let text = format!(
            "game \"Shown\" {{\nplayers 2\nenum card {{ red, blue, green }}\nboard cell = grid(2, 2)\n\
             piece man[player] on cell\npiece king[player, card] on cell\npiece rock on cell\nzone pack of card seen by none\n\
             zone hand[player] of card\nvar n[player]: 0..99\nvar open: set of player = players\n\
             procedure give(x) {{ move x to pack }}\nprocedure shut {{ open = {{}} }}\n\
             setup {{ deal 1 from pack to hand; put rock at @a1 }}\nturn {{\n{turn}\n}}\n\
             end when n[me] == 9 or open is nothing\n}}"
        );
        let found = codes(&text);
        let found: Vec<&str> = found.split(' ').filter(|code| !code.starts_with("unused@")).collect();
        let found = found.join(" ");
        let expected = if *may_be_none { "may-be-none@16" } else { "" };
        if found != expected {
            wrong += &format!("{turn}\n  expected {expected}\n  found    {found}\n");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn params_out_of_range_are_the_fault_of_the_setting() {
    let dilido = bundled("dilido");
    let set = |name: &str, value: &str| {
        let params = [Setting::new(name, value)];
        let (checked, shown) =
            check_text(&dilido, &CheckOptions { params: &params, ..CheckOptions::default() });
        assert!(checked.diagnostics.iter().all(|d| d.severity == Severity::Warning), "{shown}");
        match (checked.model, &checked.settings[..]) {
            (Some(model), []) => {
                let param = model.params.iter().find(|p| name.starts_with(&p.name)).expect("the param");
                format!("{:?}", param.value)
            }
            (None, [error]) => format!(
                "{} [{}] {}",
                error.message,
                error.legal.join(" "),
                error.help.as_deref().unwrap_or("")
            ),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(set("size", "8"), "Number(8)");
    assert_eq!(set("size", "13"), "the param `size` can't be set: 13 is out of range [3..12] ");
    assert_eq!(set("size", "big"), "the param `size` can't be set: `big` is not a number [3..12] ");
    assert_eq!(set("reading", "ordered"), "Word(\"ordered\")");
    assert_eq!(
        set("reading", "orderd"),
        "the param `reading` can't be set: `orderd` is not one of its values [either ordered] did you mean `ordered`?"
    );
    assert_eq!(set("adjacency", "4"), "Word(\"4\")");
    assert!(set("siz", "4").ends_with("did you mean `size`?"));
    let table = set("line_points.4", "5");
    assert_eq!(table, "Table(PointsTable { entries: [(3, 1), (4, 5), (5, 10)], and_more: Some((6, 40)) })");
    assert_eq!(set("line_points", "[2: 7]"), "Table(PointsTable { entries: [(2, 7)], and_more: None })");
    assert!(set("size.4", "5").contains("no table"));
    // The distance between the entries exceeds the range of integers.
    assert!(set("line_points", "[-5+: 1, 9223372036854775807: 2]").contains("can't be set"));
}

#[test]
fn only_as_many_players_as_the_rules_allow() {
    let pig = bundled("classics/pig");
    let players = |n| check_text(&pig, &CheckOptions { players: Some(n), ..CheckOptions::default() }).0;
    assert_eq!(players(4).model.expect("a model").players.count, 4);
    assert_eq!(players(11).settings[0].legal, ["2..10"]);
    assert!(players(1).model.is_none());
}

#[test]
fn a_fixed_param_cannot_be_set() {
    let text = bundled("dilido") + "variant \"V\" of \"dilido\" { fix size = 5 }";
    let params = [Setting::new("size", "6")];
    let checked = check_text(&text, &CheckOptions { params: &params, ..CheckOptions::default() }).0;
    assert!(checked.settings[0].message.contains("fixed"));
    let model = check_text(&text, &CheckOptions::default()).0.model.expect("a model");
    assert!(model.params[0].fixed && model.domains[model.boards[0].domain.index()].size == 25);
}

#[test]
fn variants_number_what_they_add_last() {
    let base = in_game("", "choose { a c in empty { n = 1 } b { n = 2 } }");
    let keys = check::action_keys(&check_text(&base, &CheckOptions::default()).0.model.expect("a model"));
    let changed = in_game("", "choose { new { n = 3 } b { n = 2 } other p in players { n = 1 } }");
    let mut sources = SourceMap::default();
    let source = sources.add("test.rules", changed.as_str());
    let (file, _) = parse(source, &changed);
    let Some(Item::Game(game)) = file.items.first() else { panic!("no game") };
    let model = check::check(game, &[], &keys, &CheckOptions::default()).model.expect("a model");
    let blocks: Vec<_> = model
        .actions
        .iter()
        .map(|b| format!("{} {}+{}{}", b.option, b.first, b.size, if b.dead { " dead" } else { "" }))
        .collect();
    assert_eq!(blocks, ["a 0+9 dead", "b 9+1", "new 10+1", "other 11+2"]);
    let options: Vec<u32> = model.choices[0].options.iter().map(|o| o.actions.0).collect();
    assert_eq!(options, [2, 1, 3]);
}

#[test]
fn a_procedure_that_chooses_twice_has_one_block() {
    let text = in_game(
        "procedure mark_one(p) { choose one { take c in empty { put mark[p] at c } } }",
        "mark_one(me) mark_one(other)",
    );
    let (checked, shown) = check_text(&text, &CheckOptions::default());
    let model = checked.model.unwrap_or_else(|| panic!("{shown}"));
    assert_eq!((model.choices.len(), model.actions.len()), (2, 1));
}

#[test]
fn a_subset_of_a_large_set_needs_a_bound() {
    let game = |condition: &str| {
        let decls = "board field = grid(5, 5)\npiece stone on field";
        let turn = format!(
            "choose {{ put_down k subset of empty(field) where {condition} {{ put stone at k; n = 1 }} }}"
        );
        codes(
            &in_game(decls, &turn)
                .replace("in mark[me]", "in mark[me] & empty(cell)")
                .replace("piece mark[player]", "piece mark[player] on cell"),
        )
    };
    for bound in [
        "count(k) == 2",
        "count(k) <= 2 and n == 0",
        "3 > count(k)",
        "n == 0 and count(k) < 3 and count(k) > 1",
        "count(k) == n % 3",
        "count(k) == 3 - count(mark[me])",
        "count(k) in n..1 + n % 2",
    ] {
        assert_eq!(game(bound), "", "{bound}");
    }
    for bound in [
        "n == 0",
        "count(k) >= 1",
        "count(k) == n",
        "count(k) <= 9",
        "not count(k) > 2",
        "count(k) in {2, n}",
    ] {
        assert_eq!(game(bound), "limit-subset@10", "{bound}");
    }
    // 25^6 actions were too many: it is chosen in steps.
    assert_eq!(game("count(k) == 6"), "");
}
