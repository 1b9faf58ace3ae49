//! The course of a turn and of a setup in words: steps, choices and what happens.
//!
//! If a step or an option has a help text, the help replaces a description of its statements, except for what limits
//! the options: their conditions, and the conditions and loops around nested choices. If these name a local name that gets
//! another value on the way, all statements are described below the help. Otherwise, or in full, every statement is
//! described, at any depth.

pub(super) mod forms;
mod mentions;
mod rows;

use std::collections::BTreeSet;

use crate::prose::RulesEntry;
use crate::prose::acting::ActorWords;
use crate::prose::grammar::is_several;
use crate::prose::phrases::{LocalName, Wording, is_name};
use crate::prose::statements::{chooses, is_call, others_act, repeated};
use crate::prose::ties::tells_tie;
use forms::{
    acts_as_other, add_bound, assigns, begins_again, begins_with, bound, by_origin, ends_game, has_words,
    tested,
};
use houserule_base::names::plain;
use houserule_language::syntax::{
    Arg, BinaryOp, Block, ChoiceOption, Choose, DeclKind, Expr, ExprKind, Stmt, StmtKind,
};
use houserule_language::vocabulary::Function;
use mentions::Circumstance;
use rows::ChoiceRow;

/// The label of what happens if no option is possible.
const IF_STUCK: &str = "if nothing of this is possible";

/// Describes a turn or a round.
pub(crate) fn turn(words: Wording<'_>) -> Vec<RulesEntry> {
    if words.decls.is_empty() {
        let steps = words.model.steps.iter();
        return steps.map(|step| RulesEntry::new(plain(&step.name), &step.help)).collect();
    }
    let mut walk = CourseWalk::new(words);
    for decl in words.decls {
        match &decl.kind {
            DeclKind::Turn(body) | DeclKind::Round(body) => walk.block(body, 0, false),
            _ => {}
        }
    }
    walk.entries
}

/// Describes the statements of a block.
pub(crate) fn entries<'a>(words: Wording<'a>, body: &'a Block) -> Vec<RulesEntry> {
    let mut walk = CourseWalk::new(words);
    walk.block(body, 0, false);
    walk.entries
}

/// Describes the choices in a block for whose other statements a help text stands, below it.
pub(crate) fn choices<'a>(words: Wording<'a>, body: &'a Block) -> Vec<RulesEntry> {
    let mut walk = CourseWalk::new(words);
    walk.helps.extend(words.decls.iter().find_map(|decl| match &decl.kind {
        DeclKind::Setup { body: setup, .. } if std::ptr::eq(setup, body) => {
            decl.help.as_ref().map(|help| help.text.as_str())
        }
        _ => None,
    }));
    walk.block(body, 1, true);
    walk.entries
}

/// Describes a block after a label that says when it runs, without the statements that are never run.
pub(crate) fn entries_under(words: Wording<'_>, label: &str, body: &Block) -> Vec<RulesEntry> {
    let mut body = body.clone();
    words.drop_unreached(&mut body);
    let mut walk = CourseWalk::new(words);
    walk.under(label, &body, 0);
    walk.entries
}

/// Walks over statements and collects entries.
struct CourseWalk<'a> {
    words: Wording<'a>,
    entries: Vec<RulesEntry>,
    /// The procedures described so far, each with the words for who acts there.
    called: Vec<String>,
    /// The variables of the loops around the statement, and their sets.
    loops: Vec<(&'a str, &'a Expr)>,
    /// Who chooses, if it isn't the reader: `the other player chooses one`.
    chooser: Option<String>,
    /// The local names that are described although a help text stands for their statements.
    shown: BTreeSet<String>,
    /// The local names in statements for which a help text stands.
    hidden: BTreeSet<String>,
    /// The help texts that stand for the statement.
    helps: Vec<&'a str>,
    /// When the statements for which a help text stands come, if not always.
    when: Vec<Circumstance>,
    /// Where the entry stands of the option or the `otherwise` around the statement, if its help text stands for it.
    option_at: Option<usize>,
    /// Where the entry stands of the innermost step around the statement. What is told before it is told of something else.
    step_at: usize,
    /// Where the statement stands among the choices of the list around it, if a help text stands for it.
    row: Option<ChoiceRow>,
    /// Whether another choice comes after the statement, unless the statement leaves the step or the turn.
    choice_follows: bool,
    /// The local names in statements for which a help text stands whose values nothing changes, with these.
    known: Vec<(String, Expr)>,
    /// The local names in statements for which a help text stands whose statements are described if a sentence names them.
    showable: BTreeSet<String>,
}

impl<'a> CourseWalk<'a> {
    fn new(words: Wording<'a>) -> Self {
        CourseWalk {
            words,
            entries: vec![],
            called: vec![],
            loops: vec![],
            chooser: None,
            shown: BTreeSet::new(),
            hidden: BTreeSet::new(),
            helps: vec![],
            when: vec![],
            option_at: None,
            step_at: 0,
            row: None,
            choice_follows: false,
            known: vec![],
            showable: BTreeSet::new(),
        }
    }

    /// Returns a walk with other words that goes on here. Its entries are to be taken back.
    fn going_on<'b>(&mut self, words: Wording<'b>) -> CourseWalk<'b>
    where
        'a: 'b,
    {
        CourseWalk {
            words,
            entries: std::mem::take(&mut self.entries),
            called: std::mem::take(&mut self.called),
            loops: self.loops.clone(),
            chooser: self.chooser.clone(),
            shown: self.shown.clone(),
            hidden: self.hidden.clone(),
            helps: self.helps.clone(),
            when: self.when.clone(),
            option_at: self.option_at,
            step_at: self.step_at,
            row: self.row,
            choice_follows: self.choice_follows,
            known: self.known.clone(),
            showable: self.showable.clone(),
        }
    }

    fn push(&mut self, name: impl Into<String>, text: impl Into<String>, depth: usize) {
        self.entries.push(RulesEntry::new(name, text).at(depth));
    }

    /// Describes the statements of a block. `helped` means that a help text already describes them.
    fn block(&mut self, block: &'a Block, depth: usize, helped: bool) {
        self.list(&block.stmts, depth, helped);
    }

    /// Describes statements one after another. If a help text describes them already (`helped`), a statement is shown
    /// only if it binds a name that a shown sentence has, or if it is another case of a shown condition. Where such a name
    /// gets another value on the way, all statements are shown: some would seem to be all.
    fn list(&mut self, stmts: &'a [Stmt], depth: usize, helped: bool) {
        let names: BTreeSet<&str> = stmts.iter().filter_map(bound).filter(|_| helped).collect();
        let outer = (self.shown.clone(), self.hidden.clone(), self.showable.clone());
        self.showable.extend(names.iter().map(|&name| name.to_owned()));
        let (entries, called) = (self.entries.len(), self.called.clone());
        let mut hidden = BTreeSet::new();
        add_bound(stmts, &mut hidden);
        self.hidden.extend(hidden.into_iter().filter(|_| helped).map(str::to_owned));
        let words = self.words;
        loop {
            let ((), told) = words.naming(|| self.list_once(stmts, depth, helped));
            let before = self.shown.len();
            self.shown.extend(names.iter().filter(|name| told.contains(**name)).map(|&name| name.to_owned()));
            if self.shown.len() == before {
                words.note_names(&told);
                break;
            }
            self.entries.truncate(entries);
            self.called.clone_from(&called);
        }
        let changes = |name: &str| stmts.iter().any(|one| assigns(name, one));
        let is_whole = names.iter().copied().any(|name| self.shown.contains(name) && changes(name));
        (self.shown, self.hidden, self.showable) = outer;
        if is_whole {
            self.entries.truncate(entries);
            self.called = called;
            self.words = words.in_full();
            self.list_once(stmts, depth, false);
            self.words = words;
        }
    }

    fn list_once(&mut self, stmts: &'a [Stmt], depth: usize, helped: bool) {
        let (when, known) = (self.when.len(), self.known.len());
        let (row, choice_follows) = (self.row, self.choice_follows);
        self.list_in_order(stmts, depth, helped);
        (self.row, self.choice_follows) = (row, choice_follows);
        self.when.truncate(when);
        self.known.truncate(known);
    }

    fn list_in_order(&mut self, stmts: &'a [Stmt], depth: usize, helped: bool) {
        let cases: Vec<String> =
            stmts.iter().filter(|one| helped && self.words.offers(one)).filter_map(tested).collect();
        let (row, choice_follows) = (self.row.filter(|row| row.depth == depth), self.choice_follows);
        let mut row = row.unwrap_or(ChoiceRow { depth, is_later: false, is_followed: false });
        let mut at = 0;
        while let Some(one) = stmts.get(at) {
            let rest = &stmts[at + 1..];
            if let Some(local) = self.lasting(one, rest) {
                if helped {
                    (self.row, self.choice_follows) = (Some(row), choice_follows);
                }
                return self.list_with(local, rest, depth, helped);
            }
            if !helped && self.tells_otherwise(one, rest, depth) {
                return;
            }
            if helped {
                let offers = self.words.offers(one) && !matches!(one.kind, StmtKind::Step { .. });
                let follows = (offers || row.is_later) && rest.iter().any(|next| self.words.offers(next));
                self.choice_follows = choice_follows || follows;
                let is_followed = row.is_followed || self.lists_options(rest);
                self.row = Some(ChoiceRow { is_followed, ..row });
                row.is_later |= offers;
                self.learn(one, rest);
            }
            let is_case = helped && tested(one).is_some_and(|tested| cases.contains(&tested));
            let is_shown = helped && (is_case && !self.words.offers(one) || self.binds_shown(one));
            let is_step = matches!(one.kind, StmtKind::Step { .. });
            if helped && !is_shown && !is_step && !self.words.offers(one) {
                at += self.mention_first(&stmts[at..], depth).max(1);
                continue;
            }
            // The same words of several calls are one sentence.
            let told = (is_call(one) && (!helped || is_shown)).then(|| self.words.deed(one)).flatten();
            let times = match &told {
                Some(told) => {
                    let same = |next: &&Stmt| is_call(next) && self.words.deed(next).as_ref() == Some(told);
                    stmts[at..].iter().take_while(same).count()
                }
                None => 1,
            };
            let choice_follows = self.choice_follows;
            // Only what leaves such a loop ends it.
            self.choice_follows |= self.words.is_endless(one) && self.words.offers(one);
            match told {
                Some(told) if times > 1 => self.push("", repeated(&told, times), depth),
                _ => self.stmt(one, depth, helped && !is_shown),
            }
            self.choice_follows = choice_follows;
            at += times;
        }
    }

    /// Describes a statement that begins the same turn again under a condition, and what follows as what happens without
    /// it. Returns `false` for other statements.
    fn tells_otherwise(&mut self, one: &'a Stmt, rest: &'a [Stmt], depth: usize) -> bool {
        let is_step = |one: &Stmt| matches!(one.kind, StmtKind::Step { .. });
        let StmtKind::If { condition, .. } = &one.kind else { return false };
        if !begins_again(one)
            || rest.is_empty()
            || rest.iter().any(is_step)
            || self.words.settled(condition).is_some()
        {
            return false;
        }
        self.stmt(one, depth, false);
        match self.words.sentence(&Block { stmts: rest.to_vec(), span: one.span }) {
            Some(text) if text.is_empty() => {}
            Some(text) => self.push("", format!("if not: {text}"), depth),
            None => {
                self.push("", "if not:", depth);
                self.list_once(rest, depth + 1, false);
            }
        }
        true
    }

    /// Returns the local name of a statement that names a player or a team, if it stands for the same words in all the
    /// statements after it.
    fn lasting(&self, one: &Stmt, after: &[Stmt]) -> Option<LocalName> {
        let StmtKind::Let { name, value, .. } = &one.kind else { return None };
        let is_lasting = match &value.kind {
            ExprKind::Name(of) => of.text == "me" || of.text == "other",
            ExprKind::Call(function, args) => {
                let named = self.words.function_named(&function.text);
                let [of] = args.as_slice() else { return None };
                matches!(named, Some(Function::Team | Function::Other))
                    && !self.words.is_define(&function.text)
                    && self.words.player(&of.value).is_some()
            }
            _ => false,
        };
        let stays = |one: &Stmt| !assigns(&name.text, one) && !acts_as_other(one);
        (is_lasting && after.iter().all(stays)).then(|| self.words.local(&name.text, value))
    }

    /// Describes statements with the words of a local name in its place.
    fn list_with(&mut self, local: LocalName, stmts: &'a [Stmt], depth: usize, helped: bool) {
        let locals = self.words.with_local(local);
        let words = self.words.with(&locals);
        let mut walk = self.going_on(words);
        walk.list_once(stmts, depth, helped);
        (self.entries, self.called) = (walk.entries, walk.called);
    }

    /// Returns `true` if a statement sets a local name that is shown, itself or in its blocks.
    fn binds_shown(&self, one: &Stmt) -> bool {
        let set = match &one.kind {
            StmtKind::Assign { target, .. } => match &target.kind {
                ExprKind::Name(name) => Some(name.text.as_str()),
                _ => None,
            },
            _ => bound(one),
        };
        let within = |body: &Block| body.stmts.iter().any(|one| self.binds_shown(one));
        set.is_some_and(|name| self.shown.contains(name))
            || !self.words.offers(one) && one.blocks().into_iter().any(within)
    }

    /// Describes a block after a label: in one sentence, or as a list below it.
    fn under(&mut self, label: &str, body: &'a Block, depth: usize) {
        let who = self.chooser.as_deref().unwrap_or("choose one");
        self.under_either(label, &format!("{label}, {who}"), body, depth);
    }

    /// Describes a block after a label, or after another one if all it has is a choice.
    fn under_either(&mut self, label: &str, of_choice: &str, body: &'a Block, depth: usize) {
        if let Some(text) = self.words.sentence(body) {
            let text = if text.is_empty() { "nothing happens" } else { text.as_str() };
            self.push("", format!("{label}: {text}"), depth);
            return;
        }
        if let [Stmt { kind: StmtKind::Choose(choose), .. }] = body.stmts.as_slice() {
            self.push("", format!("{of_choice}:"), depth);
            return self.options(choose, depth + 1);
        }
        self.push("", format!("{label}:"), depth);
        self.block(body, depth + 1, false);
    }

    /// Describes a block in which others act, or all, after who they are.
    fn acting(&mut self, one: &Stmt, body: &'a Block, depth: usize) {
        let label = self.words.round_of(one);
        let Some((chooses, then)) = self.words.choosers(one) else { return self.under(&label, body, depth) };
        let actor = self.words.actor_in(one);
        let mut walk = self.seen_inside(one, actor.as_ref());
        walk.chooser = Some(then);
        walk.under_either(&label, &chooses, body, depth);
        (self.entries, self.called) = (walk.entries, walk.called);
    }

    /// Returns a walk that goes on here with the words for who acts in the blocks of a statement. Its entries are to be taken
    /// back.
    fn seen_inside<'b>(&mut self, one: &Stmt, actor: Option<&'b ActorWords>) -> CourseWalk<'b>
    where
        'a: 'b,
    {
        let words = self.words.seen_inside(one, actor);
        self.going_on(words)
    }

    /// Describes the choices of others, or of all, after a label, if there are some.
    fn choices_of(&mut self, one: &Stmt, label: &str, body: &'a Block, depth: usize) {
        let actor = self.words.actor_in(one);
        let mut walk = self.seen_inside(one, actor.as_ref());
        walk.choices_under(label, body, depth);
        (self.entries, self.called) = (walk.entries, walk.called);
    }

    /// Describes the choices in a block after a label, if it has some. A help text describes its other statements.
    fn choices_under(&mut self, label: &str, body: &'a Block, depth: usize) {
        let before = self.entries.len();
        self.push("", format!("{label}:"), depth);
        self.block(body, depth + 1, true);
        if self.entries.len() == before + 1 {
            self.entries.pop();
        }
    }

    fn stmt(&mut self, one: &'a Stmt, depth: usize, helped: bool) {
        // The help text describes what has no choice.
        let is_step = matches!(one.kind, StmtKind::Step { .. });
        if helped && !is_step && !self.words.offers(one) {
            return self.mention(one, 1, depth, &[]);
        }
        match &one.kind {
            StmtKind::Step { name, help, body } => {
                let help = help.as_ref().map_or("", |help| help.text.as_str());
                let helped = !help.is_empty() && !self.words.full;
                self.push(plain(&name.text), help, depth);
                let from = self.entries.len();
                self.helps.extend(Some(help).filter(|_| helped));
                let outer = std::mem::replace(&mut self.step_at, from - 1);
                self.block(body, depth + 1, helped);
                self.step_at = outer;
                self.helps.truncate(self.helps.len() - usize::from(helped));
                if helped && self.repeats(from, help) {
                    self.entries.remove(from);
                }
                if helped && !self.entries[from..].iter().any(|entry| tells_tie(&entry.text)) {
                    let ties = self.words.hidden_ties(body.span, help);
                    ties.into_iter().for_each(|told| self.push("", told, depth + 1));
                }
            }
            StmtKind::Choose(choose) => {
                if let Some(label) = self.row_label(choose, depth).filter(|_| helped) {
                    self.push("", label, depth);
                    return self.options(choose, depth + 1);
                }
                // The options of a step are listed directly below it.
                let named = |entry: &RulesEntry| entry.depth + 1 == depth && !entry.name.is_empty();
                if depth > 0 && (helped || self.entries.last().is_some_and(named)) {
                    return self.options(choose, depth);
                }
                let who = self.chooser.as_ref().map(|who| format!("{who}:"));
                if who.is_none() && self.offers_one(choose) {
                    return self.options(choose, depth);
                }
                self.push("", who.unwrap_or_else(|| "Choose one.".to_owned()), depth);
                self.options(choose, depth + 1);
            }
            StmtKind::If { condition, then, otherwise } => {
                let settled = self.words.settled(condition);
                let otherwise = otherwise.as_ref().filter(|_| settled != Some(true));
                match settled {
                    Some(true) => self.block(then, depth, helped),
                    Some(false) => {}
                    None if helped => {
                        let label = format!("if {}", self.words.condition(condition));
                        self.branch(&label, then, depth, true);
                    }
                    None => {
                        let label = format!("if {}", self.words.condition(condition));
                        self.under(&label, then, depth);
                    }
                }
                match (otherwise, settled.is_some()) {
                    (Some(body), true) => self.block(body, depth, helped),
                    (Some(body), false) => self.otherwise(body, depth, helped),
                    (None, _) => {}
                }
            }
            StmtKind::For { name, over, body, .. } if helped => {
                self.choices_for(one, &name.text, over, body, depth);
            }
            StmtKind::While { body, .. } | StmtKind::Repeat { body, .. } if helped => {
                let label = self.words.round_of(one);
                self.choices_under(&label, body, depth);
            }
            StmtKind::As { player, body } if helped => {
                let label = match self.actor(player).as_str() {
                    "you" => "you choose".to_owned(),
                    actor if is_several(actor) => format!("{actor} choose"),
                    actor => format!("{actor} chooses"),
                };
                self.choices_of(one, &label, body, depth);
            }
            StmtKind::EachPlayer { body, .. } if helped => {
                let (chooses, _) = self.words.choosers(one).unwrap_or_default();
                self.choices_of(one, chooses.trim_end_matches(" one"), body, depth);
            }
            // Within a turn `me` is you in any case, but not in `as p { … }`.
            StmtKind::Together(body) if helped && (self.words.me != "you" || self.words.actor.is_some()) => {
                let label = self.words.round_of(one);
                self.choices_of(one, &label, body, depth);
            }
            StmtKind::Call { name, args } => match self.words.deed(one) {
                Some(_) if helped => self.mention(one, 1, depth, &[]),
                Some(text) => self.push("", text, depth),
                None => self.call(&name.text, args, depth, helped),
            },
            _ => match self.words.deed(one) {
                Some(text) => self.push("", text, depth),
                None => {
                    for body in one.blocks() {
                        match helped {
                            true => self.block(body, depth, true),
                            false => self.acting(one, body, depth),
                        }
                    }
                }
            },
        }
    }

    /// Describes what happens if a condition doesn't hold. Further conditions follow it side by side.
    fn otherwise(&mut self, body: &'a Block, depth: usize, helped: bool) {
        let [Stmt { kind: StmtKind::If { condition, then, otherwise }, .. }] = body.stmts.as_slice() else {
            return self.branch("if not", body, depth, helped);
        };
        if self.words.settled(condition).is_some() {
            return self.branch("if not", body, depth, helped);
        }
        let told = self.words.part(BinaryOp::And, condition, true);
        self.branch(&format!("if not, and {told}"), then, depth, helped);
        if let Some(body) = otherwise {
            self.otherwise(body, depth, helped);
        }
    }

    /// Describes a branch after a label. A branch without a choice beside one that has some is described whatever help
    /// text there is: it would seem to be missing.
    fn branch(&mut self, label: &str, body: &'a Block, depth: usize, helped: bool) {
        if helped && body.stmts.iter().any(|one| self.words.offers(one)) {
            self.choices_under(label, body, depth);
        } else {
            self.under(label, body, depth);
        }
    }

    /// Describes a procedure where it is first called, with the arguments in place of its parameters.
    fn call(&mut self, name: &'a str, args: &'a [Arg], depth: usize, helped: bool) {
        let procedure = self.words.procedure(name);
        // Where others act, `me` is another player inside, so its parameter keeps its name.
        let keeps =
            |arg: &Arg| is_name(&arg.value, "me") && procedure.is_some_and(|(_, _, body)| others_act(body));
        let label = || {
            let given = args.iter().enumerate().map(|(at, arg)| {
                let value = self.words.value(&arg.value);
                match procedure.and_then(|(params, ..)| params.get(at)).filter(|_| keeps(arg)) {
                    Some(param) => format!("{}: {value}", plain(&param.text)),
                    None => value,
                }
            });
            match given.collect::<Vec<String>>().as_slice() {
                [] => plain(name),
                given => format!("{} ({})", plain(name), given.join("; ")),
            }
        };
        let Some((params, help, body)) = procedure else {
            let label = label();
            return self.push("", label, depth);
        };
        // Another player's call needs other words.
        let key = format!("{name} {}", self.words.actor.map_or(self.words.me, |actor| actor.me.as_str()));
        if self.called.contains(&key) {
            if !helped || help.is_some() || chooses(body) {
                let label = label();
                self.push("", format!("{label}, as above"), depth);
            }
            return;
        }
        // Without a help text of its own, a procedure covered by one here hasn't been described yet.
        if !helped || help.is_some() {
            self.called.push(key);
        }
        let replaced = params.iter().zip(args).filter(|(_, arg)| !keeps(arg));
        let locals: Vec<LocalName> =
            replaced.map(|(param, arg)| self.words.local(&param.text, &arg.value)).collect();
        let helps = self.helps.iter().copied().chain(help).collect();
        let mut walk =
            CourseWalk { chooser: self.chooser.clone(), helps, ..CourseWalk::new(self.words.with(&locals)) };
        walk.called = std::mem::take(&mut self.called);
        (walk.row, walk.choice_follows) = (self.row, self.choice_follows);
        match help {
            Some(help) => {
                let kept = args.iter().any(keeps);
                walk.push(if kept { label() } else { plain(name) }, help, depth);
                walk.block(body, depth + 1, !self.words.full);
            }
            None if helped => walk.block(body, depth, true),
            None => walk.under(&label(), body, depth),
        }
        self.called = walk.called;
        self.entries.extend(walk.entries);
    }

    fn options(&mut self, choose: &'a Choose, depth: usize) {
        let when = std::mem::take(&mut self.when);
        for option in self.options_of(choose) {
            self.option(option, depth);
        }
        if let Some(body) = &choose.otherwise {
            self.stuck(choose, body, depth);
        }
        self.when = when;
    }

    fn option(&mut self, option: &'a ChoiceOption, depth: usize) {
        let name = plain(&option.name.text);
        let Some(help) = &option.help else {
            let what = self.words.unhelped(option);
            match self.words.sentence(&option.body) {
                Some(text) => {
                    let parts = [what, text].into_iter().filter(|part| !part.is_empty());
                    self.push(name, parts.collect::<Vec<_>>().join("; "), depth);
                }
                None => {
                    self.push(name, what, depth);
                    self.block(&option.body, depth + 1, false);
                }
            }
            return;
        };
        if self.words.full {
            self.push(name, &help.text, depth);
            let what = self.words.unhelped(option);
            if !what.is_empty() {
                self.push("", what, depth + 1);
            }
            return self.block(&option.body, depth + 1, false);
        }
        let outer = self.option_at.replace(self.entries.len());
        // The ends name the options in which they come.
        let is_named = !begins_with(&help.text, &name) || ends_game(&option.body);
        self.push(if is_named { name } else { String::new() }, &help.text, depth);
        let (words, limits) = (self.words, self.words.limits(option));
        let is_limited = !limits.is_empty();
        if is_limited {
            self.push("", limits, depth + 1);
        }
        let from = self.entries.len();
        let (before, own, after) = by_origin(option);
        let ((), names) = words.naming(|| {
            self.added("first", before, depth + 1);
            self.below_help(own, &help.text, depth + 1);
            self.added("then", after, depth + 1);
        });
        words.note_names(&names);
        // What a sentence below names is told.
        let is_named = |name: &str| {
            let word = plain(name);
            names.contains(name) && self.entries[from..].iter().any(|entry| has_words(&entry.text, &word))
        };
        if !is_limited && option.binders.iter().any(|binder| is_named(&binder.name.text)) {
            let told = RulesEntry::new("", words.unhelped(option)).at(depth + 1);
            self.entries.insert(from, told);
        }
        self.option_at = outer;
    }

    /// Describes what happens if no option is possible.
    fn stuck(&mut self, choose: &'a Choose, body: &'a Block, depth: usize) {
        let label = IF_STUCK;
        let Some(help) = &choose.otherwise_help else {
            if !self.does_nothing(body) {
                self.under(label, body, depth);
            }
            return;
        };
        let at = self.entries.len();
        self.push("", format!("{label}: {}", help.text), depth);
        if self.words.full {
            return self.block(body, depth + 1, false);
        }
        let outer = self.option_at.replace(at);
        self.below_help(&body.stmts, &help.text, depth + 1);
        self.option_at = outer;
    }

    /// Describes the statements for which the help text of an option or of an `otherwise` stands, below it.
    fn below_help(&mut self, stmts: &'a [Stmt], help: &'a str, depth: usize) {
        self.helps.push(help);
        self.list(stmts, depth, true);
        self.helps.pop();
    }

    /// Describes statements that a variant adds before or after those of an option. The help text doesn't.
    fn added(&mut self, when: &str, stmts: &'a [Stmt], depth: usize) {
        for one in stmts {
            match self.words.deed(one) {
                Some(text) => self.push("", format!("{when}, {text}"), depth),
                None => {
                    self.push("", format!("{when}:"), depth);
                    self.stmt(one, depth + 1, false);
                }
            }
        }
    }
}
