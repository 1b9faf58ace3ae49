//! Checked models of valid rules: folded, expanded, with every name resolved. Models are printed as short
//! texts, so that a test states its expectation in one line.

use crate::checked::{bundled, check_text, in_game};
use houserule::board::Near;
use houserule::board::Site;
use houserule::check::CheckOptions;
use houserule::model::*;

/// Prints parts of a model.
struct Show<'m>(&'m Model);

impl Show<'_> {
    fn element(&self, domain: DomainId, x: u32) -> String {
        let domain = &self.0.domains[domain.index()];
        match &domain.kind {
            DomainKind::Player => self.0.players.names[x as usize].clone(),
            DomainKind::Range { low } => format!("#{}", low + i64::from(x)),
            DomainKind::Enum(names) => names[x as usize].clone(),
            DomainKind::Sites(board) => self.0.boards[board.index()].topology.site_name(Site(x)),
            DomainKind::Record { fields, named, sets: _ } => {
                match named.iter().find(|(place, _)| *place == x) {
                    Some((_, name)) => name.clone(),
                    None => {
                        let values = fields.iter().filter_map(|field| field.value(x));
                        values.map(|value| value.to_string()).collect::<Vec<_>>().join("-")
                    }
                }
            }
        }
    }

    fn value(&self, value: &Value, ty: Type) -> String {
        match (value, ty) {
            (Value::Number(n), _) => n.to_string(),
            (Value::Bool(b), _) => b.to_string(),
            (Value::Element(None), _) => "none".into(),
            (Value::Element(Some(x)), Type::Element(d)) => self.element(d, *x),
            (Value::Set(set), Type::Set(d)) => {
                let all: Vec<String> = set.iter().map(|x| self.element(d, x)).collect();
                format!("{{{}}}", all.join(" "))
            }
            other => panic!("a value of another type: {other:?}"),
        }
    }

    fn target(&self, target: &Target) -> String {
        let name = &self.0.slots[target.slot.index()].name;
        if target.index.is_empty() { name.clone() } else { format!("{name}[{}]", self.all(&target.index)) }
    }

    fn all(&self, all: &[CheckedExpr]) -> String {
        all.iter().map(|e| self.expr(e)).collect::<Vec<_>>().join(", ")
    }

    fn local(&self, id: LocalId) -> &str {
        &self.0.locals[id.index()].name
    }

    fn expr(&self, e: &CheckedExpr) -> String {
        use CheckedExprKind as K;
        let f = |e: &CheckedExpr| self.expr(e);
        match &e.kind {
            K::Constant(value) => self.value(value, e.ty),
            K::Read(target) => self.target(target),
            K::Local(id) => self.local(*id).into(),
            K::Me => "me".into(),
            K::Call { hook, args } => self.call(*hook, args),
            K::As { player, value } => format!("as({}, {})", f(player), f(value)),
            K::After { player, among: None, back } => {
                format!("{}({})", if *back { "before" } else { "after" }, f(player))
            }
            K::After { player, among: Some(s), back } => {
                format!("{}({}, {})", if *back { "before" } else { "after" }, f(player), f(s))
            }
            K::ValueOf(a) => format!("number({})", f(a)),
            K::ElementOf(a) => format!("element({})", f(a)),
            K::Table(id, index) => format!("{}[{}]", self.0.tables[id.index()].name, self.all(index)),
            K::Field(id, element) => format!("{}.{}", f(element), self.0.tables[id.index()].name),
            K::Negate(a) => format!("-{}", f(a)),
            K::Arithmetic(op, a, b) => format!("{op:?}({}, {})", f(a), f(b)),
            K::Compare(op, a, b) => format!("{op:?}({}, {})", f(a), f(b)),
            K::Same(a, b) => format!("same({}, {})", f(a), f(b)),
            K::Not(a) => format!("not {}", f(a)),
            K::And(a, b) => format!("({} and {})", f(a), f(b)),
            K::Or(a, b) => format!("({} or {})", f(a), f(b)),
            K::If(a, b, c) => format!("if({}, {}, {})", f(a), f(b), f(c)),
            K::Contains { set, element } => format!("{} in {}", f(element), f(set)),
            K::Subset(a, b) => format!("{} within {}", f(a), f(b)),
            K::IsSome(a) => format!("some({})", f(a)),
            K::Elements(all) => format!("{{{}}}", self.all(all)),
            K::Union(a, b) => format!("({} | {})", f(a), f(b)),
            K::Intersect(a, b) => format!("({} & {})", f(a), f(b)),
            K::Minus(a, b) => format!("({} - {})", f(a), f(b)),
            K::Filter { local, over, condition } => {
                format!("{{{} in {} where {}}}", self.local(*local), f(over), f(condition))
            }
            K::Quantified { op, local, over, body } => {
                format!("{op:?}({} in {}: {})", self.local(*local), f(over), f(body))
            }
            K::Count(a) => format!("count({})", f(a)),
            K::First(a) => format!("first({})", f(a)),
            K::Last(a) => format!("last({})", f(a)),
            K::Cell { column, row, .. } => format!("cell({}, {})", f(column), f(row)),
            K::ColumnOf(_, a) | K::Column(_, a) => format!("column({})", f(a)),
            K::RowOf(_, a) | K::Row(_, a) => format!("row({})", f(a)),
            K::Columns(_, a) => format!("columns({})", f(a)),
            K::Rows(_, a) => format!("rows({})", f(a)),
            K::Neighbours { near: Near::Beside, of, .. } => format!("beside({})", f(of)),
            K::Neighbours { near: Near::Around, of, .. } => format!("around({})", f(of)),
            K::Neighbours { near: Near::Leap(m, n), of, .. } => format!("leap({}, {m}, {n})", f(of)),
            K::Slide { direction, of, through, .. } => {
                format!("slide({}, {direction}, {})", f(of), f(through))
            }
            K::ReachBy { seed, within, links, joined, .. } => {
                format!("reach({}, {}, {joined} {})", f(seed), f(within), f(links))
            }
            K::Crossing(_, a) => format!("crossing({})", f(a)),
            K::Shift { direction, of, .. } => format!("shift({}, {direction})", f(of)),
            K::Ray { direction, of, .. } => format!("ray({}, {direction})", f(of)),
            K::Lines { of, .. } => format!("lines({})", f(of)),
            K::Longest { of, .. } => format!("longest({})", f(of)),
            K::Repeated { times, .. } => format!("repeated({})", f(times)),
            K::Tried { body, value } => format!("after {{ {} }} {}", self.block(body), f(value)),
            K::Chain(value) => format!("chain({})", f(value)),
            K::RestOfChain => "rest".to_owned(),
            K::Runs { of, length, .. } => format!("runs({}, {})", f(of), f(length)),
            K::Enclosed { near, walls, orthogonal, .. } => {
                format!("enclosed({}, {}, {orthogonal})", f(near), f(walls))
            }
            K::Fill { of, orthogonal, .. } => format!("fill({}, {orthogonal})", f(of)),
            K::Reach { seed, within, .. } => format!("reach({}, {})", f(seed), f(within)),
            K::Custodial { from, to, through, .. } => {
                format!("custodial({}, {}, {})", f(from), f(to), f(through))
            }
            K::SidesOf(_, a) => format!("edges({})", f(a)),
            K::CellsAt(_, a) => format!("cells({})", f(a)),
        }
    }

    fn block(&self, block: &CheckedBlock) -> String {
        block.stmts.iter().map(|s| self.stmt(&s.kind)).collect::<Vec<_>>().join("; ")
    }

    fn stmt(&self, stmt: &CheckedStmtKind) -> String {
        use CheckedStmtKind as T;
        match stmt {
            T::Step { step, body } => {
                format!("step {} {{ {} }}", self.0.steps[step.index()].name, self.block(body))
            }
            T::Choose(id) => self.choice(&self.0.choices[id.index()]),
            T::If { condition, then, otherwise } => {
                format!(
                    "if {} {{ {} }} else {{ {} }}",
                    self.expr(condition),
                    self.block(then),
                    self.block(otherwise)
                )
            }
            T::For { local, over, body, .. } => {
                format!("for {} in {} {{ {} }}", self.local(*local), self.expr(over), self.block(body))
            }
            T::While { condition, body } => {
                format!("while {} {{ {} }}", self.expr(condition), self.block(body))
            }
            T::Repeat { body, until } => format!("repeat {{ {} }} {}", self.block(body), self.expr(until)),
            T::Chance { body, given } => {
                format!("chance {{ {} }} given {}", self.block(body), self.expr(given))
            }
            T::Turns { from, body } => format!("turns from {} {{ {} }}", self.expr(from), self.block(body)),
            T::MoveTo { what, zone, below } => {
                let to = if *below { "below" } else { "to" };
                format!("move {} {to} {}", self.expr(what), self.target(zone))
            }
            T::As { player, body } => format!("as {} {{ {} }}", self.expr(player), self.block(body)),
            T::Let { local, value } => format!("let {} = {}", self.local(*local), self.expr(value)),
            T::SetLocal { local, value } => format!("{} := {}", self.local(*local), self.expr(value)),
            T::Assign { target, value } => format!("{} = {}", self.target(target), self.expr(value)),
            T::Put { piece, at, .. } => format!("put {} at {}", self.target(piece), self.expr(at)),
            T::Clear { at, .. } => format!("clear {}", self.expr(at)),
            T::ClearPiece { piece } => format!("clear all {}", self.target(piece)),
            T::Move { from, to, .. } => format!("move {} to {}", self.expr(from), self.expr(to)),
            T::Roll { dice, among: None } => format!("roll {}", self.target(dice)),
            T::Roll { dice, among: Some(s) } => format!("roll {} among {}", self.target(dice), self.expr(s)),
            T::Pick { local, over, by } => {
                let by = by.as_ref().map(|zone| format!(" by {}", self.target(zone))).unwrap_or_default();
                format!("pick {} in {}{by}", self.local(*local), self.expr(over))
            }
            T::Next(e) => format!("next {}", self.expr(e)),
            T::Call { hook, args } => self.call(*hook, args),
            T::Again => "again".into(),
            T::Done => "done".into(),
            T::Skip => "skip".into(),
            T::EndGame { result: None, .. } => "end game".into(),
            T::EndGame { result: Some(CheckedEndResult::Draw), .. } => "end game: draw".into(),
            T::EndGame { result: Some(CheckedEndResult::Win(e)), .. } => {
                format!("end game: win {}", self.expr(e))
            }
            T::EndGame { result: Some(CheckedEndResult::Lose(e)), .. } => {
                format!("end game: lose {}", self.expr(e))
            }
        }
    }

    fn call(&self, hook: HookId, args: &[CheckedExpr]) -> String {
        let args: Vec<String> = args.iter().map(|arg| self.expr(arg)).collect();
        format!("{}({})", self.0.hooks[hook.index()].name, args.join(", "))
    }

    fn choice(&self, choice: &Choice) -> String {
        let option = |o: &CheckedOption| {
            let binders: Vec<String> = o
                .binders
                .iter()
                .map(|b| format!("{} in {}", self.local(b.local), self.expr(&b.over)))
                .collect();
            let filter = o.filter.as_ref().map(|f| format!(" where {}", self.expr(f))).unwrap_or_default();
            format!("{}({}){filter} {{ {} }}", o.name, binders.join(", "), self.block(&o.body))
        };
        let mut parts: Vec<String> = choice.options.iter().map(option).collect();
        parts.extend(choice.otherwise.as_ref().map(|b| format!("otherwise {{ {} }}", self.block(b))));
        format!("choose {} [{}]", choice.name, parts.join("; "))
    }
}

fn model(text: &str) -> Model {
    let (checked, shown) = check_text(text, &CheckOptions::default());
    checked.model.unwrap_or_else(|| panic!("{shown}"))
}

/// Expressions and their checked forms. A number is stored in `n`, a truth value is a condition of `if`, an
/// element or set is put into `spot` or `area`.
const EXPRESSIONS: &[(&str, &str)] = &[
    ("n = 2 + 3 * 2 - 7 / 2", "n = 5"),
    ("n = -7 / 2 + 9", "n = 5"),
    ("n = -1 % 6", "n = 5"),
    ("n = count(cell)", "n = 9"),
    ("n = count(players)", "n = 2"),
    ("n = longest({@a1, @b2, @c3})", "n = 3"),
    ("n = lines({@a1, @b1, @c1, @a2}, [2: 1, 3: 5])", "n = 7"),
    ("n = max(1, 2, n)", "n = Max(2, n)"),
    ("n = abs(-4)", "n = 4"),
    ("n = row(@b3) + column(@b3)", "n = 5"),
    ("n = count x in 1..4: x % 2 == 0", "n = 2"),
    ("n = sum x in 1..2: x * x", "n = 5"),
    ("n = sum x in 1..3: x * n", "n = Sum(x in {#1 #2 #3}: Multiply(number(x), n))"),
    ("n = if count(players) == 2 then n else 7", "n = n"),
    ("n = pair[1] + pair[2]", "n = Add(pair[#1], pair[#2])"),
    ("n = sum(pair)", "n = Add(pair[#1], pair[#2])"),
    ("n = faces(pair, 6)", "n = Add(if(Equal(pair[#1], 6), 1, 0), if(Equal(pair[#2], 6), 1, 0))"),
    ("n = one", "n = one[#1]"),
    ("n = turns[other]", "n = turns[after(me)]"),
    ("n = worth[@a1]", "n = 3"),
    ("n = seeds[n]", "n = seeds[element(n)]"),
    ("n = seeds[n - 1]", "n = seeds[element(Subtract(n, 1))]"),
    ("for x in pit { n = seeds[x] }", "for x in {#0 #1 #2 #3} { n = seeds[x] }"),
    ("for x in 1..3 { n = seeds[x] }", "for x in {#1 #2 #3} { n = seeds[element(number(x))] }"),
    ("let q = 2  n = q", "let q = 2; n = q"),
    (
        "for x in pit { let q = x  q = (q + 1) % 4  n = q }",
        "for x in {#0 #1 #2 #3} { let q = number(x); q := Modulo(Add(q, 1), 4); n = q }",
    ),
    ("spot = cell(2, 2)", "spot = b2"),
    ("spot = cell(4, 2)", "spot = none"),
    ("spot = cell(n, 1)", "spot = cell(n, 1)"),
    ("spot = toward(@b2, north)", "spot = b3"),
    ("spot = lowest(empty)", "spot = first(empty)"),
    ("area = edge - corners", "area = {b1 a2 c2 b3}"),
    ("area = center(1, 1)", "area = {b2}"),
    ("area = row(2) | column(1)", "area = {a1 a2 b2 c2 a3}"),
    ("area = row(n)", "area = row(n)"),
    ("area = beside(@b2)", "area = {b1 a2 c2 b3}"),
    ("area = around(spot) & empty", "area = (around({spot}) & empty)"),
    ("area = {spot, @a1}", "area = {spot, a1}"),
    ("area = empty & cells", "area = empty"),
    ("area = empty - {}", "area = empty"),
    ("area = mark", "area = (mark[X] | mark[O])"),
    ("area = {c in cells where row(c) == column(c)}", "area = {a1 b2 c3}"),
    ("area = {c in empty where row(c) == n}", "area = {c in empty where Equal(row(c), n)}"),
    ("area = shift(mark[me], east)", "area = shift(mark[me], 2)"),
    ("area = toward(spot, east)", "area = shift({spot}, 2)"),
    ("area = union p in players: mark[p]", "area = Union(p in {X O}: mark[p])"),
    (
        "if pair is double { n = 1 }",
        "if (Greater(pair[#1], 0) and Equal(pair[#1], pair[#2])) { n = 1 } else {  }",
    ),
    ("if area == {} { n = 1 }", "if not some(area) { n = 1 } else {  }"),
    ("if spot == none { n = 1 }", "if same(spot, none) { n = 1 } else {  }"),
    ("if spot in area { n = 1 }", "if spot in area { n = 1 } else {  }"),
    ("if area in edge { n = 1 }", "if area within {a1 b1 c1 a2 c2 a3 b3 c3} { n = 1 } else {  }"),
    ("if n in 2..4 { n = 1 }", "if element(n) in {#2 #3 #4} { n = 1 } else {  }"),
    ("if size == 3 { n = 1 } else { n = 2 }", "n = 1"),
    ("if me == X and reading == ordered { n = 1 }", ""),
    ("if me == X and reading == either { n = 1 }", "if same(me, X) { n = 1 } else {  }"),
    ("if out == 1 { n = 1 }", "if same(out, #1) { n = 1 } else {  }"),
    ("if out == n { n = 1 }", "if (some({out}) and same(out, element(n))) { n = 1 } else {  }"),
    (
        "if out is some and out + 1 == n { n = 1 }",
        "if (some({out}) and Equal(Add(number(out), 1), n)) { n = 1 } else {  }",
    ),
    (
        "if any p in players where p != me: mark[p] is some { n = 1 }",
        "if Any(p in {p in {X O} where not same(p, me)}: some(mark[p])) { n = 1 } else {  }",
    ),
    (
        "if connected(mark[me], row(1), row(3)) { n = 1 }",
        "if some((reach({a1 b1 c1}, mark[me]) & {a3 b3 c3})) { n = 1 } else {  }",
    ),
    ("if score[X] > 2 { n = 1 }", "if Greater(as(X, if(spot in mark[me], n, 0)), 2) { n = 1 } else {  }"),
    (
        "choose { drop x in columns(empty) { put mark[me] at lowest(column(x) & empty) } }",
        "choose choose [drop(x in columns(empty)) { put mark[me] at {first((column(number(x)) & empty))} }]",
    ),
    (
        "choose { a b in players, c in mark[b] where c != spot { n = 1 } }",
        "choose choose [a(b in {X O}, c in mark[b]) where not same(c, spot) { n = 1 }]",
    ),
    ("step s { choose { stop { done } pass } }", "step s { choose s [stop() { done }; pass() {  }] }"),
    ("clear mark", "clear all mark[X]; clear all mark[O]"),
    ("twice(n)", "let k = n; n = k; n = k"),
    ("twice(2)", "n = 2; n = 2"),
    ("roll pair among {2}", "roll pair among {#2}"),
    ("for p in players from me { n = 1 }", "for p in {X O} { n = 1 }"),
];

#[test]
fn expressions_become_what_they_mean() {
    let decls = "param size: 1..9 = 3\nparam reading: either | ordered = either\ndice pair: 2 of d6\ndice one: 1 of d6\n\
        var area: set of cell\nvar out: 1..3? = none\ndomain pit = 0..3\nvar seeds[pit]: 0..9\n\
        table worth[cell]: 0..9 = [@a1: 3]\nprocedure twice(k) { n = k  n = k }";
    let mut wrong = String::new();
    for (text, expected) in EXPRESSIONS {
        let (checked, shown) = check_text(&in_game(decls, text), &CheckOptions::default());
        let found = match &checked.model {
            Some(model) => Show(model).block(&model.turn),
            None => shown,
        };
        if found != *expected {
            wrong += &format!("{text}\n  expected {expected}\n  found    {found}\n");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn dilido_in_full() {
    let model = model(&bundled("dilido"));
    let show = Show(&model);
    assert_eq!(
        show.block(&model.turn),
        "step roll { roll pair }; step place { choose place [place(c in ({cell(pair[#1], pair[#2]), cell(pair[#2], pair[#1])} & empty)) \
         { put dot at {c}; anchor = c }; otherwise { if (Greater(pair[#1], 0) and Equal(pair[#1], pair[#2])) \
         { anchor = cell(pair[#1], pair[#2]) } else { penalties = Add(penalties, 1) } }] }; \
         step joker { if (Greater(jokers_left, 0) and some({anchor})) { choose joker [joker(c in (around({anchor}) & empty)) \
         { put wild at {c}; jokers_left = Subtract(jokers_left, 1) }; pass() {  }] } else {  } }"
    );
    assert_eq!(show.expr(&model.ends[0].when), "Equal(penalties, 3)");
    assert_eq!(show.expr(&model.score[0].value), "lines((dot | wild))");
    let rules = model.match_rules.as_ref().expect("match rules");
    assert!(matches!(rules.length, MatchLength::Games(16)) && rules.total == MatchTotal::Highest(12));
    let blocks: Vec<_> = model.actions.iter().map(|b| (b.option.as_str(), b.first, b.size)).collect();
    assert_eq!(blocks, [("place", 0, 36), ("joker", 36, 36), ("pass", 72, 1)]);
}

#[test]
fn dicrono_in_full() {
    let model = model(&bundled("dicrono"));
    let show = Show(&model);
    assert_eq!(show.block(&model.setup), "");
    assert_eq!(show.expr(&model.ends[0].when), "Any(p in {X O}: GreaterEqual(longest(mark[p]), 3))");
    assert_eq!(show.expr(&model.score[1].value), "if(Equal(penalties[me], 3), -1, 0)");
    assert_eq!(show.expr(&model.winner[0].value), "Add(lines(mark[me]), if(Equal(penalties[me], 3), -1, 0))");
    let rules = model.match_rules.as_ref().expect("match rules");
    assert_eq!(
        (rules.starter, rules.on_draw, rules.floor),
        (MatchStarter::Loser, MatchStarter::Same, Some(0))
    );
}
