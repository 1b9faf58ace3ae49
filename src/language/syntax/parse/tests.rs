use super::*;
use crate::syntax::*;

/// Parses the declarations of a game without errors.
#[track_caller]
fn decls(text: &str) -> Vec<Decl> {
    let (file, messages) = parse(FileId(0), &format!("game \"G\" {{\n{text}\n}}"));
    assert!(messages.is_empty(), "{text}: {messages:?}");
    match file.items.into_iter().next() {
        Some(Item::Game(game)) => game.decls,
        other => panic!("{other:?}"),
    }
}

#[track_caller]
fn decl(text: &str) -> DeclKind {
    let mut decls = decls(text);
    assert_eq!(decls.len(), 1, "{text}: {decls:?}");
    decls.remove(0).kind
}

#[track_caller]
fn stmts(text: &str) -> Vec<StmtKind> {
    match decl(&format!("turn {{ {text} }}")) {
        DeclKind::Turn(body) => body.stmts.into_iter().map(|s| s.kind).collect(),
        other => panic!("{other:?}"),
    }
}

#[track_caller]
fn stmt(text: &str) -> StmtKind {
    let mut all = stmts(text);
    assert_eq!(all.len(), 1, "{text}: {all:?}");
    all.remove(0)
}

/// An expression in prefix form, which shows its grouping.
#[track_caller]
fn expr(text: &str) -> String {
    match decl(&format!("define x = {text}")) {
        DeclKind::Define { value, .. } => show(&value),
        other => panic!("{other:?}"),
    }
}

fn all(list: &[Expr]) -> String {
    list.iter().map(show).collect::<Vec<_>>().join(" ")
}

fn show(expr: &Expr) -> String {
    match &expr.kind {
        ExprKind::Number(n) => n.to_string(),
        ExprKind::Text(text) => format!("{text:?}"),
        ExprKind::Bool(b) => b.to_string(),
        ExprKind::None => "none".to_owned(),
        ExprKind::Site(site) => format!("@{}", site.text),
        ExprKind::Die(n) => format!("d{n}"),
        ExprKind::Player(n) => format!("player {n}"),
        ExprKind::Name(name) => name.text.clone(),
        ExprKind::Field(base, name) => format!("{}.{}", show(base), name.text),
        ExprKind::Index(base, index) => format!("{}[{}]", show(base), all(index)),
        ExprKind::Call(name, args) => {
            let arg = |a: &Arg| {
                a.name.as_ref().map_or(String::new(), |n| format!("{}: ", n.text)) + show(&a.value).as_str()
            };
            format!("{}({})", name.text, args.iter().map(arg).collect::<Vec<_>>().join(", "))
        }
        ExprKind::Range(a, b) => format!("{}..{}", show(a), show(b)),
        ExprKind::Set(list) => format!("{{{}}}", all(list)),
        ExprKind::Comprehension { name, over, filter } => {
            format!("{{{} of {} if {}}}", name.text, show(over), show(filter))
        }
        ExprKind::Map(entries) => {
            let entry = |e: &MapEntry| {
                format!("{}{}: {}", show(&e.key), if e.and_more { "+" } else { "" }, show(&e.value))
            };
            format!("[{}]", entries.iter().map(entry).collect::<Vec<_>>().join(", "))
        }
        ExprKind::Tuple(list) => format!("<{}>", all(list)),
        ExprKind::Unary(op, a) => format!("({op:?} {})", show(a)),
        ExprKind::Binary(BinaryOp::Compare(op), a, b) => format!("({op:?} {} {})", show(a), show(b)),
        ExprKind::Binary(op, a, b) => format!("({op:?} {} {})", show(a), show(b)),
        ExprKind::Is { value, negated, name } => {
            format!("(Is{} {} {})", if *negated { "Not" } else { "" }, show(value), name.text)
        }
        ExprKind::If(a, b, c) => format!("(If {} {} {})", show(a), show(b), show(c)),
        ExprKind::Quantified { op, name, over, filter, body, .. } => {
            let filter = filter.as_ref().map_or(String::new(), |f| format!(" where {}", show(f)));
            format!("({op:?} {} {}{filter} {})", name.text, show(over), show(body))
        }
        ExprKind::Values { name, over, filter, body } => {
            let filter = filter.as_ref().map_or(String::new(), |f| format!(" where {}", show(f)));
            format!("(Values {} {}{filter} {})", name.text, show(over), show(body))
        }
        ExprKind::Hole => "?".to_owned(),
    }
}

#[test]
fn values_of_a_set_are_an_argument() {
    assert_eq!(expr("f(x in S: a + b, 2)"), "f((Values x S (Add a b)), 2)");
    assert_eq!(expr("f(x in S where a or b: c)"), "f((Values x S where (Or a b) c))");
    assert_eq!(expr("f(x in S, y: x in S)"), "f((In x S), y: (In x S))");
}

#[test]
fn operators_bind_as_usual() {
    assert_eq!(expr("a + b * c - d"), "(Subtract (Add a (Multiply b c)) d)");
    assert_eq!(expr("a | b & c - d"), "(Subtract (Union a (Intersect b c)) d)");
    assert_eq!(expr("not a == b and c or d"), "(Or (And (Not (Equal a b)) c) d)");
    assert_eq!(expr("-a * -1 % 3"), "(Modulo (Multiply (Negate a) (Negate 1)) 3)");
    assert_eq!(expr("a - 1 not in b | c"), "(NotIn (Subtract a 1) (Union b c))");
    assert_eq!(expr("x in 1..n - 1"), "(In x 1..(Subtract n 1))");
    assert_eq!(expr("a[i] <= b.low"), "(LessEqual a[i] b.low)");
    assert_eq!(expr("(a + b) / 2"), "(Divide (Add a b) 2)");
}

#[test]
fn keywords_are_whole_words() {
    assert_eq!(expr("nonesuch"), "nonesuch");
    assert_eq!(expr("order"), "order");
    assert_eq!(expr("notable and inner"), "(And notable inner)");
    assert_eq!(stmts("roll die\norder = 3").len(), 2);
    assert_eq!(expr("best <= games"), "(LessEqual best games)");
    assert_eq!(expr("d60x"), "d60x");
}

#[test]
fn conditions_and_quantifiers() {
    assert_eq!(expr("if a then b else if c then d else e"), "(If a b (If c d e))");
    assert_eq!(expr("any p in players: t[p] >= 100"), "(Any p players (GreaterEqual t[p] 100))");
    assert_eq!(expr("sum x in 1..5 where x != 3: x * x"), "(Sum x 1..5 where (NotEqual x 3) (Multiply x x))");
    assert_eq!(expr("best t in s - b by t.low"), "(Best t (Subtract s b) t.low)");
    assert_eq!(expr("all best t in s by (t.low, -t.high)"), "(AllBest t s <t.low (Negate t.high)>)");
    assert_eq!(expr("count(all  best t in s by t.low) + 1"), "(Add count((AllBest t s t.low)) 1)");
    // A variable may be called `best`.
    assert_eq!(expr("all best in s: best > 1"), "(All best s (Greater best 1))");
    assert_eq!(expr("all best subset of s: best == t"), "(All best s (Equal best t))");
    assert_eq!(expr("union r in 1..5: row(r)"), "(Union r 1..5 row(r))");
    assert_eq!(expr("all a in S: any b in T: a == b"), "(All a S (Any b T (Equal a b)))");
    assert_eq!(expr("count(S) + max(a, b)"), "(Add count(S) max(a, b))");
    assert_eq!(expr("x is some and y is not nothing"), "(And (Is x some) (IsNot y nothing))");
}

#[test]
fn sets_maps_sites_and_calls() {
    assert_eq!(expr("{}"), "{}");
    assert_eq!(expr("{a, b[1]}"), "{a b[1]}");
    assert_eq!(expr("{ c in S where c != @c3 }"), "{c of S if (NotEqual c @c3)}");
    assert_eq!(expr("[3: 1, none: 0, 6+: 40]"), "[3: 1, none: 0, 6+: 40]");
    assert_eq!(expr("grid(6, d(size), wrap: true)"), "grid(6, d(size), wrap: true)");
    assert_eq!(expr("f()[1, 2].low"), "f()[1 2].low");
    assert_eq!(expr("lines(s, m, along: down)"), "lines(s, m, along: down)");
    assert_eq!(expr("x == (a, b)"), "(Equal x <a b>)");
    assert_eq!(expr("@3:4 in S"), "(In @3:4 S)");
    assert_eq!(expr("count(d6)"), "count(d6)");
}

#[test]
fn typed_declarations() {
    let DeclKind::Param(size) = decl("param size: 3..12 = 6 \"squares\"") else { panic!() };
    assert!(matches!(size.ty.kind, TypeKind::Range(..)) && size.value.is_some());
    let DeclKind::Param(reading) = decl("param reading: either | ordered = either") else { panic!() };
    assert!(matches!(&reading.ty.kind, TypeKind::Words(words) if words.len() == 2));
    let DeclKind::Param(adjacency) = decl("param adjacency: 8 | 4 = 8") else { panic!() };
    assert!(matches!(&adjacency.ty.kind, TypeKind::Numbers(n) if n[0].0 == 8));
    let DeclKind::Var(area) = decl("var area[player, 1..6]: set of cell each turn seen by owner") else {
        panic!()
    };
    assert!(matches!(&area.ty.kind, TypeKind::Set(_)) && area.index.len() == 2);
    let kinds: Vec<_> = area.modifiers.iter().map(|m| m.kind).collect();
    assert_eq!(kinds, [ModifierKind::EachTurn, ModifierKind::SeenByOwner]);
    let DeclKind::Var(anchor) = decl("var anchor: cell? = none each match") else { panic!() };
    assert!(anchor.ty.optional && matches!(&anchor.ty.kind, TypeKind::Named(n) if n.text == "cell"));
    let DeclKind::Table(points) = decl("table pays[half, 0..5]: int = [red: [0: -5], blue: [0: 1]]") else {
        panic!()
    };
    assert!(points.value.is_some());
}

#[test]
fn domains_boards_and_pieces() {
    assert!(matches!(decl("enum half { red, blue, }"), DeclKind::Enum { values, .. } if values.len() == 2));
    assert!(matches!(decl("domain pit = 0..13"), DeclKind::Range { .. }));
    assert!(
        matches!(decl("domain tile { low: 0..6, high: low..6 }"), DeclKind::Record { kinds, .. } if matches!(&kinds[..], [ElementKind::Records(fields)] if fields.len() == 2))
    );
    let DeclKind::Board { index, modifiers, .. } = decl("board cell[player, half] = grid(5, 5) from top")
    else {
        panic!()
    };
    assert_eq!((index.len(), modifiers[0].kind), (2, ModifierKind::FromTop));
    assert!(matches!(decl("edges side of cell"), DeclKind::Edges { .. }));
    assert!(matches!(decl("zone hand[player] of tile seen by owner"), DeclKind::Zone { .. }));
    let DeclKind::Dice { count, die, .. } = decl("dice pair: count(players) + 1 of d(size) ordered") else {
        panic!()
    };
    assert_eq!((show(&count).as_str(), show(&die).as_str()), ("(Add count(players) 1)", "d(size)"));
    assert!(matches!(decl("piece box[player] on cell"), DeclKind::Piece { on: Some(_), .. }));
    assert!(matches!(decl("players 2..5"), DeclKind::Players(PlayersDecl::Range(..), _)));
    assert!(matches!(decl("players X, O"), DeclKind::Players(PlayersDecl::Named(n), _) if n.len() == 2));
    assert!(matches!(decl("players seats + 1"), DeclKind::Players(PlayersDecl::Count(_), _)));
    assert!(matches!(decl("script \"x.rhai\""), DeclKind::Script(t) if t.text == "x.rhai"));
    assert!(matches!(decl("script \"\"\"a\nb \"c\" \"\"\""), DeclKind::Script(t) if t.text == "a\nb \"c\" "));
}

#[test]
fn ends_scores_and_matches() {
    let DeclKind::End { name, timing, result, .. } = decl("end goal at once when x == 3: win me") else {
        panic!()
    };
    assert!(
        name.unwrap().text == "goal"
            && timing == EndTiming::AtOnce
            && matches!(result, Some(EndResult::Win(_)))
    );
    let ends =
        decls("end of round when a\n end when repeated(3): draw \"again\"\n end lost when b: lose other");
    let kinds: Vec<_> = ends.iter().map(|d| format!("{:?}", d.kind)).collect();
    assert!(kinds[0].contains("Round") && kinds[1].contains("Draw") && kinds[2].contains("Lose"));
    assert_eq!(ends[1].help.as_ref().unwrap().text, "again");
    let DeclKind::Score(items) =
        decl("score { a: 1 when x \"one\", new sum: 2, draw: sum x in S: x\n b: 3 }")
    else {
        panic!()
    };
    let names: Vec<_> = items.iter().map(|i| (i.name.text.as_str(), i.new)).collect();
    assert_eq!(names, [("a", false), ("sum", true), ("draw", false), ("b", false)]);
    let text = "match { total: best 12, starter: loser, until: any p in players: total[p] >= 100, record: max, games: games }";
    let DeclKind::Match(entries) = decl(text) else { panic!() };
    assert!(matches!(&entries[0].value, MatchValue::Ranked { best: true, .. }));
    assert!(matches!(&entries[1].value, MatchValue::Word(w) if w.text == "loser"));
    assert!(matches!(&entries[2].value, MatchValue::Expr(_)));
    assert!(matches!(&entries[3].value, MatchValue::Word(w) if w.text == "max"));
    assert!(matches!(&entries[4].value, MatchValue::Expr(_)));
    assert!(matches!(decl("winner most(score)"), DeclKind::Winner(_)));
    assert!(matches!(decl("ties most(a), least(b)"), DeclKind::Ties(t) if t.len() == 2));
    assert!(matches!(decl("limit 500"), DeclKind::Limit(_)));
    let require = decls("require a * b <= count(tile) \"enough\"");
    assert!(matches!(require[0].kind, DeclKind::Require(_)) && require[0].help.is_some());
}

#[test]
fn statements_without_blocks() {
    assert_eq!(stmts("a = 1 b += 2; c[x, 1] -= 3\nf(a) g()").len(), 5);
    assert!(matches!(stmt("put mark[me] at cell(1, 2)"), StmtKind::Put { .. }));
    assert!(
        matches!(stmt("roll red, blue among k"), StmtKind::Roll { dice, among: Some(_) } if dice.len() == 2)
    );
    assert!(matches!(stmt("draw t from bag to hand[me]"), StmtKind::Draw { to: Some(_), .. }));
    assert!(matches!(stmt("draw t from bag to bottom"), StmtKind::Draw { to: Some(_), below: false, .. }));
    assert!(matches!(stmt("draw t from bag"), StmtKind::Draw { to: None, .. }));
    assert!(matches!(stmt("move t to bottom of bag"), StmtKind::Move { below: true, .. }));
    for several in ["move 3 ore from hand[me] to bank", "move n k from a to b", "move n[k] {k} from a to b"] {
        assert!(matches!(stmt(several), StmtKind::Move { count: Some(_), from: Some(_), .. }), "{several}");
    }
    for several in ["move (n + 1) k from a to b", "move count(S) k from a to b"] {
        assert!(matches!(stmt(several), StmtKind::Move { count: Some(_), from: Some(_), .. }), "{several}");
    }
    for one in
        ["move k from a to b", "move (if c then k else l) from a to b", "move best c in S by c.rank to b"]
    {
        assert!(matches!(stmt(one), StmtKind::Move { count: None, .. }), "{one}");
    }
    assert!(matches!(stmt("deal 5 from bag to hand"), StmtKind::Deal { .. }));
    assert!(matches!(stmt("next after(starter)"), StmtKind::Next(_)));
    assert!(matches!(stmt("reveal hand[me] to other"), StmtKind::Reveal { .. }));
    let many = stmts(
        "pick c in S shuffle bag clear c move a to b again done skip end game let x = if a then b else c",
    );
    assert_eq!(many.len(), 9);
    assert!(
        matches!(many[7], StmtKind::EndGame { name: None, result: None, help: None })
            && matches!(many[8], StmtKind::Let { .. })
    );
}

#[test]
fn statements_with_blocks() {
    let StmtKind::If { otherwise: Some(block), .. } =
        stmt("if a { done } else if b in {c} { skip } else { again }")
    else {
        panic!()
    };
    assert!(matches!(&block.stmts[0].kind, StmtKind::If { otherwise: Some(_), .. }));
    assert!(matches!(stmt("for p in players from starter { done }"), StmtKind::For { from: Some(_), .. }));
    assert!(matches!(stmt("while x == {} { done }"), StmtKind::While { .. }));
    assert!(matches!(stmt("repeat { roll die } until die[1] == 6"), StmtKind::Repeat { .. }));
    assert!(matches!(stmt("chance { shuffle bag } given bag is some"), StmtKind::Chance { .. }));
    assert!(matches!(
        stmt("each player from starter as me { done }"),
        StmtKind::EachPlayer { from: Some(_), .. }
    ));
    assert!(matches!(stmt("each player as me { done }"), StmtKind::EachPlayer { from: None, .. }));
    assert!(matches!(stmt("together as me { done }"), StmtKind::Together(_)));
    assert!(matches!(stmt("as other { done }"), StmtKind::As { .. }));
    assert!(matches!(stmt("step roll \"Roll.\" { roll die }"), StmtKind::Step { help: Some(_), .. }));
}

#[test]
fn choices() {
    let StmtKind::Choose(choose) = stmt(
        "choose { roll k subset of hand, x in S where x == {} and y ensuring z \"help\" { done } \
         deliberate draw { } pass where q \"leave it\" otherwise { skip } } prefer a prefer b",
    ) else {
        panic!()
    };
    let options: Vec<_> = choose.options.iter().flatten().collect();
    assert!(
        choose.name.is_none() && choose.prefer.len() == 2 && choose.otherwise.is_some() && options.len() == 3
    );
    let first = options[0];
    assert!(
        first.binders[0].kind == BinderKind::Subset
            && first.binders[1].kind == BinderKind::Element
            && first.help.is_some()
    );
    assert_eq!(show(first.filter.as_ref().unwrap()), "(And (Equal x {}) y)");
    assert!(first.ensuring.is_some() && options[1].deliberate && options[1].name.text == "draw");
    assert!(options[2].pass && options[2].filter.is_some() && options[2].body.stmts.is_empty());
}

#[test]
fn procedures_and_setups() {
    let DeclKind::Procedure { params, body, .. } = decl("procedure take(s, n) \"takes\" { a = s b = n }")
    else {
        panic!()
    };
    assert_eq!((params.len(), body.stmts.len()), (2, 2));
    assert!(matches!(decl("setup stones { clear x }"), DeclKind::Setup { name: Some(_), .. }));
    assert!(matches!(decl("setup { clear x }"), DeclKind::Setup { name: None, .. }));
    assert_eq!(decls("turn \"one turn\" { }")[0].help.as_ref().unwrap().text, "one turn");
    assert!(matches!(decl("define f(a, b) = a + b"), DeclKind::Define { params, .. } if params.len() == 2));
}

#[test]
fn doc_lines_become_help() {
    let text = "/// far away\n\n/// One.\n///  Two.\ngame \"G\" { }\n//// no\nvariant \"V\" of \"g\" { }";
    let (file, messages) = parse(FileId(0), text);
    assert!(messages.is_empty());
    assert!(matches!(&file.items[0], Item::Game(g) if g.help == "One. Two." && g.title.text == "G"));
    assert!(matches!(&file.items[1], Item::Variant(v) if v.help.is_empty() && v.of.text == "g"));
}

#[test]
fn changes_of_a_variant() {
    let text = "variant \"V\" of \"g\" {\n param a = 3 \"x\"  param b: 1..2 = 1  fix c = 4\n new piece p  piece q\n \
                without step s  without winner  without score draw\n new before s step t { }  after s step u \"help\" { }\n \
                extend place { place c in S { } otherwise { } before place { done } after place { skip } without pass }\n \
                score { new a: 1 } }";
    let (file, messages) = parse(FileId(0), text);
    assert!(messages.is_empty(), "{messages:?}");
    let Item::Variant(variant) = &file.items[0] else { panic!() };
    let kinds: Vec<String> = variant
        .edits
        .iter()
        .map(|e| format!("{:?}", e.kind).split([' ', '{', '(']).next().unwrap().to_owned())
        .collect();
    let wanted =
        ["Default", "Declare", "Fix", "Declare", "Declare", "Without", "Without", "Without", "InsertStep"];
    assert_eq!(kinds[..9], wanted);
    assert_eq!(kinds[9..], ["InsertStep", "Extend", "Declare"]);
    let EditKind::Extend { parts, .. } = &variant.edits[10].kind else { panic!() };
    assert_eq!(parts.len(), 5);
    assert!(matches!(&variant.edits[6].kind, EditKind::Without { name: None, .. }));
}

#[test]
fn spans_are_those_of_the_words() {
    let text = "game \"G\" { define x = a  + b // note\n }";
    let (file, _) = parse(FileId(0), text);
    let Item::Game(game) = &file.items[0] else { panic!() };
    let DeclKind::Define { value, .. } = &game.decls[0].kind else { panic!() };
    assert_eq!(&text[value.span.start as usize..value.span.end as usize], "a  + b");
    let ExprKind::Binary(_, a, _) = &value.kind else { panic!() };
    assert_eq!(&text[a.span.start as usize..a.span.end as usize], "a");
}

#[test]
fn limits_have_messages_of_their_own() {
    let deep = |n: usize| format!("define f = {}1{}", "(".repeat(n), ")".repeat(n));
    decl(&deep(90));
    let nested = parse(FileId(0), &format!("game \"G\" {{\n{}\n}}", deep(150))).1;
    assert_eq!(nested.iter().map(|m| m.code.as_str()).collect::<Vec<_>>(), ["nesting"]);
    decl(&format!("define f = {}1", "1 + ".repeat(150)));
    for long in [
        "1 + ".repeat(300),
        "not ".repeat(300),
        "if a then b else ".repeat(300),
        "-".repeat(300),
        "a.b".repeat(300),
    ] {
        says_once(&format!("define f = {long}1"), "nesting");
    }
    says_once(&format!("define f = {{{}1}}", "1, ".repeat(limits::PIECE_TOKENS)), "too-long");
    let large = " ".repeat(limits::FILE_BYTES + 1);
    assert_eq!(parse(FileId(0), &large).1[0].code.as_str(), "file-too-large");
    assert_eq!(parse(FileId(0), "").1[0].code.as_str(), "empty-file");
}

#[track_caller]
fn says_once(text: &str, code: &str) {
    let (_, messages) = parse(FileId(0), &format!("game \"G\" {{\n{text}\n}}"));
    assert_eq!(messages.iter().map(|m| m.code.as_str()).collect::<Vec<_>>(), [code]);
}
