//! The parts of the rules of a game, each with its source text and its words.

use crate::prose::STARTER;
use crate::prose::ends::{AMONG_EQUALS, criteria, declared_result};
use crate::prose::matches;
use crate::prose::phrases::{NamedDefines, Wording};
use crate::prose::reached::drop_unreached;
use houserule_base::names::plain;
use houserule_game::Game;
use houserule_language::format::print;
use houserule_language::syntax::{
    Block, ChoiceOption, Choose, Decl, DeclKind, EndTiming, Expr, QuotedText, ScoreEntry, Stmt, StmtKind,
};

/// A part with its text. The parts are sorted by rank.
pub(super) struct RulePart {
    pub(super) rank: u8,
    pub(super) name: String,
    /// The source text.
    pub(super) text: String,
    /// What it says in words; `None` for what has none.
    pub(super) words: Option<String>,
    /// Whether the words are those of statements.
    pub(super) is_course: bool,
    /// Its help text; may be empty.
    pub(super) help: String,
}

impl RulePart {
    /// Returns its words, or its source text.
    pub(super) fn describe(&self) -> String {
        self.words.as_ref().unwrap_or(&self.text).clone()
    }
}

/// Returns the parts of the rules of a game, in their order, without the statements that are never run.
pub(super) fn parts(game: &Game) -> Vec<RulePart> {
    let mut all = vec![];
    let Some(tree) = &game.sheet().tree else { return all };
    let named = NamedDefines::default();
    let decls = drop_unreached(game.model(), &tree.decls);
    let words = Wording::new(game.model(), &decls, "you", &named);
    let mut collect = Collect { parts: &mut all, words };
    decls.iter().for_each(|decl| collect.decl(decl));
    all
}

struct Collect<'a> {
    parts: &'a mut Vec<RulePart>,
    words: Wording<'a>,
}

impl Collect<'_> {
    /// Adds a part without words.
    fn push(&mut self, rank: u8, name: String, text: String, help: Option<&QuotedText>) {
        self.push_told(rank, name, text, None, help);
    }

    /// Adds a part with its words.
    fn push_told(
        &mut self,
        rank: u8,
        name: String,
        text: String,
        words: Option<String>,
        help: Option<&QuotedText>,
    ) {
        // Several parts may share a name, such as ends without names.
        let same =
            self.parts.iter().filter(|part| part.name == name || part.name.starts_with(&format!("{name} #")));
        let name = match same.count() {
            0 => name,
            n => format!("{name} #{}", n + 1),
        };
        let help = help.map_or_else(String::new, |help| help.text.clone());
        self.parts.push(RulePart { rank, name, text, words, is_course: false, help });
    }

    fn decl(&mut self, decl: &Decl) {
        let code = print::decl_code(decl);
        let help = decl.help.as_ref();
        let mut plain = |rank: u8, kind: &str, name: &str| {
            let (head, rest) = head_and_rest(&code, kind, name);
            self.push(rank, head, rest, help);
        };
        match &decl.kind {
            // These are compared by value.
            DeclKind::Param(_) | DeclKind::Script(_) | DeclKind::Allow { .. } | DeclKind::Hole(_) => {}
            DeclKind::Shown { name, .. } => plain(8, "shown", &name.text),
            DeclKind::Players(..) => plain(1, "players", ""),
            DeclKind::Team { name, .. } => plain(1, "team", &name.text),
            DeclKind::Board { name, .. } => plain(2, "board", &name.text),
            DeclKind::Edges { name, .. } => plain(2, "edges", &name.text),
            DeclKind::Zone { name, .. } => plain(2, "zone", &name.text),
            DeclKind::Dice { name, .. } => plain(2, "dice", &name.text),
            DeclKind::Piece { name, .. } => plain(2, "piece", &name.text),
            DeclKind::Enum { name, .. } => plain(3, "enum", &name.text),
            DeclKind::Range { name, .. } | DeclKind::Record { name, .. } => plain(3, "domain", &name.text),
            DeclKind::Var(typed) => plain(4, "var", &typed.name.text),
            DeclKind::Table(typed) => plain(4, "table", &typed.name.text),
            DeclKind::Define { name, params, value, .. } => {
                let (head, rest) = match (params.is_empty(), code.split_once(" = ")) {
                    (false, Some((head, rest))) => (head.to_owned(), rest.to_owned()),
                    _ => head_and_rest(&code, "define", &name.text),
                };
                let told = self.words.meaning(value);
                self.push_told(5, head, rest, without_code(told), help);
            }
            DeclKind::Procedure { name, body, .. } => {
                let name = format!("procedure {}", name.text);
                self.flow(6, &name, body, "", help);
            }
            DeclKind::Setup { name, body } => {
                let name = name.as_ref().map_or("setup".to_owned(), |name| format!("setup {}", name.text));
                let words = self.words;
                self.words = words.seen_by(STARTER);
                self.flow(7, &name, body, "", help);
                self.words = words;
            }
            DeclKind::Turn(body) => self.flow(8, "turn", body, "", None),
            DeclKind::Round(body) => self.flow(8, "round", body, "", None),
            DeclKind::End { name, timing, when, .. } => {
                let (head, rest) =
                    head_and_rest(&code, "end", name.as_ref().map_or("", |name| name.text.as_str()));
                let told = end_line(self.words, *timing, when, decl);
                self.push_told(10, head, rest, without_code(told), help);
            }
            DeclKind::Score(entries) => {
                for entry in entries {
                    let text = print::score_entry(entry);
                    let text = text.split_once(": ").map_or("", |(_, value)| value).to_owned();
                    let told = item_line(self.words, entry);
                    let name = format!("score {}", entry.name.text);
                    self.push_told(11, name, text, without_code(told), entry.help.as_ref());
                }
            }
            DeclKind::Winner(e) => {
                let (head, rest) = head_and_rest(&code, "winner", "");
                let told = criteria(self.words, e).join(AMONG_EQUALS);
                self.push_told(12, head, rest, without_code(told), help);
            }
            DeclKind::Ties(all) => {
                let (head, rest) = head_and_rest(&code, "ties", "");
                let told: Vec<String> = all.iter().flat_map(|e| criteria(self.words, e)).collect();
                self.push_told(12, head, rest, without_code(told.join(AMONG_EQUALS)), help);
            }
            DeclKind::Payoff { .. } => plain(12, "payoff", ""),
            DeclKind::Match(entries) => {
                for entry in entries {
                    let text = print::match_entry(entry);
                    let text = text.split_once(": ").map_or("", |(_, value)| value).to_owned();
                    let told = matches::until(entry).map(|until| self.words.condition(until));
                    let name = format!("match {}", entry.key.text);
                    self.push_told(13, name, text, told.and_then(without_code), None);
                }
            }
            DeclKind::Limit(_) => plain(14, "limit", ""),
            DeclKind::Require(_) => {
                // It has no name, so its text is the name.
                self.push(14, code.clone(), String::new(), None);
            }
        }
    }

    /// Adds statements as a part. Steps and choices inside become parts of their own.
    fn flow(&mut self, rank: u8, name: &str, body: &Block, step: &str, help: Option<&QuotedText>) {
        let shell = shell(body);
        let told = line(self.words, &shell);
        self.push_course(rank, name.to_owned(), print::block(&shell), told, help);
        self.inside(body, step);
    }

    /// Adds a part whose words are those of statements.
    fn push_course(
        &mut self,
        rank: u8,
        name: String,
        text: String,
        words: String,
        help: Option<&QuotedText>,
    ) {
        self.push_told(rank, name, text, Some(words), help);
        if let Some(part) = self.parts.last_mut() {
            part.is_course = true;
        }
    }

    fn inside(&mut self, body: &Block, step: &str) {
        for one in &body.stmts {
            match &one.kind {
                StmtKind::Step { name, help, body } => {
                    self.flow(8, &format!("step {}", name.text), body, &name.text, help.as_ref());
                }
                StmtKind::Choose(choose) => self.choose(choose, step),
                _ => {
                    let actor = self.words.actor_in(one);
                    let words = self.words.seen_inside(one, actor.as_ref());
                    let mut within = Collect { parts: self.parts, words };
                    one.blocks().into_iter().for_each(|block| within.inside(block, step));
                }
            }
        }
    }

    fn choose(&mut self, choose: &Choose, step: &str) {
        let name = choose.name.as_ref().map_or(step, |name| name.text.as_str());
        for option in choose.options.iter().flatten() {
            let part = match option.name.text == name || name.is_empty() {
                true => format!("option {}", option.name.text),
                false => format!("option {} of {name}", option.name.text),
            };
            let bare = ChoiceOption { help: None, body: shell(&option.body), ..option.clone() };
            let told = option_line(self.words, &bare);
            self.push_course(9, part, print::option(&bare), told, option.help.as_ref());
            self.inside(&option.body, step);
        }
        if let Some(body) = &choose.otherwise {
            let part = if name.is_empty() { "otherwise".to_owned() } else { format!("otherwise of {name}") };
            self.flow(9, &part, body, step, choose.otherwise_help.as_ref());
        }
    }
}

/// Returns the name of a part of one declaration, and its code without that.
fn head_and_rest(code: &str, kind: &str, name: &str) -> (String, String) {
    let head = format!("{kind} {name}");
    let rest = code.strip_prefix(&head).unwrap_or(code).trim_start_matches([':', ' ']);
    let rest = rest.strip_prefix("= ").unwrap_or(rest);
    (head.trim_end().to_owned(), rest.to_owned())
}

/// Returns a description if all of it is words: what has none is shown as it is written.
fn without_code(told: String) -> Option<String> {
    Some(told).filter(|told| !told.contains('`'))
}

/// Describes an end in one line: when the game ends, and who wins then.
fn end_line(words: Wording<'_>, timing: EndTiming, when: &Expr, end: &Decl) -> String {
    let words = words.seen_by(if words.model.players.count > 1 { "the mover" } else { "you" });
    let tested = match timing {
        EndTiming::Turn => "",
        EndTiming::AtOnce => "at once, ",
        EndTiming::Round => "at the end of a round, ",
    };
    format!("{tested}when {}{}", words.condition(when), declared_result(&words, end))
}

/// Describes an item of the score in one line.
fn item_line(words: Wording<'_>, entry: &ScoreEntry) -> String {
    let value = words.value(&entry.value);
    match &entry.when {
        Some(when) => format!("{value}, when {}", words.condition(when)),
        None => value,
    }
}

/// Describes an option in one line: what can be chosen, and what happens then.
fn option_line(words: Wording<'_>, option: &ChoiceOption) -> String {
    match (words.unhelped(option), option.body.stmts.is_empty()) {
        (what, true) if !what.is_empty() => what,
        (what, _) if what.is_empty() => line(words, &option.body),
        (what, _) => format!("{what}; {}", line(words, &option.body)),
    }
}

/// Describes statements in one line. Those of a block stand in parentheses after when, or for what, they happen.
fn line(words: Wording<'_>, block: &Block) -> String {
    let told = block.stmts.iter().enumerate();
    let told: Vec<String> = told
        .map(|(at, one)| deed(words, one, at + 1 == block.stmts.len()))
        .filter(|told| !told.is_empty())
        .collect();
    if told.is_empty() { "nothing happens".to_owned() } else { told.join("; ") }
}

/// Describes a statement in one line. `last` means that no other one follows it in its block.
fn deed(words: Wording<'_>, one: &Stmt, last: bool) -> String {
    let actor = words.actor_in(one);
    let inner = words.seen_inside(one, actor.as_ref());
    let within = |body: &Block| format!("({})", line(inner, body));
    match &one.kind {
        StmtKind::Step { name, .. } => format!("the step {}", plain(&name.text)),
        StmtKind::Choose(Choose { name: Some(name), .. }) => format!("the choice {}", plain(&name.text)),
        StmtKind::Choose(_) => "a choice".to_owned(),
        StmtKind::Call { name, args } => {
            let given: Vec<String> = args.iter().map(|arg| words.value(&arg.value)).collect();
            match given.is_empty() {
                true => plain(&name.text),
                false => format!("{} ({})", plain(&name.text), given.join("; ")),
            }
        }
        StmtKind::If { condition, then, otherwise } => {
            let alone = Block { stmts: vec![one.clone()], span: one.span };
            match (words.settled(condition), otherwise) {
                (Some(true), _) => line(words, then),
                (Some(false), Some(body)) => line(words, body),
                (Some(false), None) => String::new(),
                (None, otherwise) => words.sentence(&alone).filter(|_| last).unwrap_or_else(|| {
                    let rest = otherwise.as_ref().map(|body| format!("; if not: {}", within(body)));
                    let told = format!("if {}: {}", words.condition(condition), within(then));
                    format!("{told}{}", rest.unwrap_or_default())
                }),
            }
        }
        _ => words.deed(one).unwrap_or_else(|| {
            let bodies: Vec<String> = one.blocks().into_iter().map(within).collect();
            format!("{}: {}", words.round_of(one), bodies.join(" "))
        }),
    }
}

/// Copies a block, with empty steps and choices: their contents are parts of their own.
fn shell(block: &Block) -> Block {
    let stmts = block.stmts.iter().map(|one| {
        let mut one = one.clone();
        match &mut one.kind {
            StmtKind::Step { help, body, .. } => {
                *help = None;
                body.stmts.clear();
            }
            StmtKind::Choose(choose) => {
                choose.options.clear();
                choose.otherwise = None;
            }
            StmtKind::EndGame { help, .. } => *help = None,
            _ => one.blocks_mut().into_iter().for_each(|body| *body = shell(body)),
        }
        one
    });
    Block { stmts: stmts.collect(), span: block.span }
}
