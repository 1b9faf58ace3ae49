//! Statements in plain words.

use crate::prose::course::forms::{acts_as_other, bound};
use crate::prose::grammar::{
    choice_closed, clause_closed, is_several, is_verb, lists_criteria, operand_closed,
};
use crate::prose::phrases::{Wording, declared_name, is_name};
use crate::prose::sets::shared_sets;
use houserule_base::names::plain;
use houserule_language::diagnostic::Span;
use houserule_language::format::print;
use houserule_language::syntax::{
    Arg, AssignOp, BinaryOp, BinderKind, Block, ChoiceOption, DeclKind, Expr, ExprKind, ModifierKind, Name,
    Stmt, StmtKind,
};
use houserule_language::vocabulary::Function;
use houserule_language::with_blocks;
use houserule_model::{Board, Content, PLAYER};

/// How long a loop runs that only its statements leave.
const FOREVER: &str = "again and again, until the step or the turn is over";

impl<'a> Wording<'a> {
    /// Describes a block in one sentence, or returns `None` if it needs several. Empty if the params imply that
    /// nothing happens.
    pub(crate) fn sentence(&self, body: &Block) -> Option<String> {
        let mut told: Vec<(String, usize)> = vec![];
        for (at, one) in body.stmts.iter().enumerate() {
            let last = at + 1 == body.stmts.len();
            let text = match &one.kind {
                StmtKind::If { condition, then, otherwise } => match self.settled(condition) {
                    Some(true) => self.sentence(then)?,
                    Some(false) => match otherwise {
                        Some(body) => self.sentence(body)?,
                        None => String::new(),
                    },
                    // The next statement would seem to be part of the condition.
                    None if !last => return None,
                    None => {
                        let then = self.deeds(then)?;
                        let rest = match otherwise {
                            Some(body) => format!("; if not, {}", self.deeds(body)?),
                            None => String::new(),
                        };
                        format!("if {}, {then}{rest}", self.condition(condition))
                    }
                },
                _ => self.deed(one)?,
            };
            match one.kind {
                StmtKind::Call { .. } => count_again(&mut told, text),
                _ => told.push((text, 1)),
            }
        }
        let told = told.iter().filter(|(text, _)| !text.is_empty());
        let told: Vec<String> = told.map(|(text, times)| repeated(text, *times)).collect();
        Some(told.join("; "))
    }

    /// Describes statements without nested blocks. Returns `None` if one has nested blocks.
    fn deeds(&self, body: &Block) -> Option<String> {
        let told: Vec<String> = body.stmts.iter().map(|one| self.deed(one)).collect::<Option<_>>()?;
        Some(match told.as_slice() {
            [] => "nothing happens".to_owned(),
            [one] => one.clone(),
            // `and` binds closer than the `;` between statements.
            [rest @ .., last] => format!("{} and {}{last}", rest.join(", "), self.subject_of_last(body)),
        })
    }

    /// Returns the subject that the last of several statements needs where the one before has another subject:
    /// `your coins go up by 1 and you begin the same turn again`.
    fn subject_of_last(&self, body: &Block) -> &'static str {
        match body.stmts.as_slice() {
            [.., before, last]
                if self.me == "you" && self.has_subject(before) && matches!(last.kind, StmtKind::Again) =>
            {
                "you "
            }
            _ => "",
        }
    }

    /// Returns `true` if a statement is described with a subject, not as what somebody is to do.
    fn has_subject(&self, one: &Stmt) -> bool {
        match &one.kind {
            StmtKind::Assign { target, op, .. } => {
                *op == AssignOp::Set && self.assigned_shorter(one).is_none()
                    || !self.is_set_target(target)
                    || self.leaving(one).is_some()
            }
            StmtKind::Pick { .. } | StmtKind::Next(_) => true,
            _ => false,
        }
    }

    /// Describes a statement without nested blocks. Returns `None` if it has some.
    pub(crate) fn deed(&self, one: &Stmt) -> Option<String> {
        if let Some(shorter) = self.assigned_shorter(one) {
            return self.deed(&shorter);
        }
        Some(match &one.kind {
            StmtKind::Let { name, value, .. } => {
                format!("let {} be {}", plain(&name.text), self.assigned(value))
            }
            StmtKind::Assign { .. } if let Some(told) = self.leaving(one) => told,
            StmtKind::Assign { target, op, value } => {
                let is_set = self.is_set_target(target);
                let value = self.new_value(target, value);
                let part = clause_closed(value.clone());
                let is_verb = self.declared(target) == Some(Content::Bool)
                    && declared_name(target).is_some_and(|name| is_verb(name));
                let target = self.value(target);
                let many = is_several(&target) && !is_verb;
                match op {
                    AssignOp::Add if is_set => format!("add {part} to {target}"),
                    AssignOp::Subtract if is_set => format!("take {part} out of {target}"),
                    AssignOp::Set => format!("{target} {} {value}", if many { "become" } else { "becomes" }),
                    AssignOp::Add => format!("{target} {} up by {value}", if many { "go" } else { "goes" }),
                    AssignOp::Subtract => {
                        format!("{target} {} down by {value}", if many { "go" } else { "goes" })
                    }
                }
            }
            StmtKind::Put { piece, at, replacing } => {
                let place = if *replacing { ", in place of what stands there" } else { "" };
                let piece = if self.is_one_place(at) { self.one_piece(piece) } else { self.value(piece) };
                let at = if *replacing { self.argument(at) } else { self.last_argument(at) };
                format!("put {} at {at}{place}", clause_closed(piece))
            }
            StmtKind::Clear(what) => format!("take away {}", self.last_argument(what)),
            StmtKind::Move { count, what, on, onto, from, to, below, replacing } => {
                let count = count.as_ref().map(|count| format!("{} ", self.atom(count))).unwrap_or_default();
                let board =
                    |board: &Option<Expr>| board.as_ref().map(|e| format!(" on {}", self.argument(e)));
                let [on, onto] = [on, onto].map(|e| board(e).unwrap_or_default());
                let from = from.as_ref().map(|zone| format!(" from {}", self.argument(zone)));
                let from = from.unwrap_or_default();
                let place = if *replacing { ", in place of what stands there" } else { "" };
                if self.is_direction(to) {
                    let (what, to) = (self.argument(what), self.last_argument(to));
                    let to = to.strip_prefix("the direction ").unwrap_or(&to);
                    return Some(format!(
                        "move everything on {what}{on} by one in the direction {to}{place}"
                    ));
                }
                let is_last = onto.is_empty() && !*replacing;
                let to = if is_last { self.last_argument(to) } else { self.argument(to) };
                let to = format!("{}{to}{onto}", bottom(*below));
                format!("move {count}{}{on}{from} to {to}{place}", self.argument(what))
            }
            StmtKind::Roll { dice, among } => {
                let dice: Vec<String> = dice.iter().map(|dice| self.value(dice)).collect();
                let only = among.as_ref().map(|some| format!(", only dice {}", self.last_argument(some)));
                format!("roll {}{}", dice.join(" and "), only.unwrap_or_default())
            }
            StmtKind::Pick { name, over } => {
                let among = self.all_elements(over).unwrap_or_else(|| self.last_argument(over));
                format!("chance picks {} among {among}", plain(&name.text))
            }
            StmtKind::Draw { name, from, lower, to, below } => {
                let from = if to.is_some() { self.argument(from) } else { self.last_argument(from) };
                let to =
                    to.as_ref().map(|zone| format!(" to {}{}", bottom(*below), self.last_argument(zone)));
                let to = to.unwrap_or_default();
                format!("draw {} from {}{from}{to}", plain(&name.text), bottom(*lower))
            }
            StmtKind::Deal { count, from, lower, to, below } => {
                let all = self.all_elements(from).unwrap_or_else(|| self.argument(from));
                let from = format!("{}{all}", bottom(*lower));
                let to = self.zone_of_each(to).unwrap_or_else(|| self.last_argument(to));
                format!("deal {} from {from} to {}{to}", self.argument(count), bottom(*below))
            }
            StmtKind::Shuffle(zone) => format!("shuffle {}", self.last_argument(zone)),
            StmtKind::Reveal { what, from, to } => {
                let from = from.as_ref().map(|zone| format!(" from {}", self.argument(zone)));
                let to = self.all_elements(to).unwrap_or_else(|| self.last_argument(to));
                format!("show {}{} to {to}", self.argument(what), from.unwrap_or_default())
            }
            StmtKind::Swap(one, other, among) => {
                let only = among.as_ref().map(|some| format!(", only on {}", self.last_argument(some)));
                let other = if only.is_some() { self.argument(other) } else { self.last_argument(other) };
                format!("swap {} and {other}{}", self.argument(one), only.unwrap_or_default())
            }
            StmtKind::Again => "begin the same turn again".to_owned(),
            StmtKind::Done => "the turn is over".to_owned(),
            StmtKind::Skip => "the step is over".to_owned(),
            StmtKind::EndGame { name, result, help } => {
                let name = name.as_ref().map(|name| format!(": {}", plain(&name.text)));
                let help = help.as_ref().map(|help| format!(" ({})", help.text)).unwrap_or_default();
                let result = super::ends::stated_result(self, result.as_ref(), one.span, false);
                format!("the game ends{}{help}{result}", name.unwrap_or_default())
            }
            StmtKind::Next(player) => match self.value(player) {
                you if you == "you" => "you are next".to_owned(),
                player if lists_criteria(&player) => format!("{player}, is next"),
                player => format!("{player} is next"),
            },
            StmtKind::Hole => format!("`{}`", print::stmt(one)),
            StmtKind::Call { name, .. } if self.means_same(&name.text) => "all goes as before".to_owned(),
            StmtKind::Call { name, args } => {
                let (_, help, body) = self.procedure(&name.text)?;
                // The choices in it are described below it.
                help.filter(|_| !chooses(body))?;
                self.told_call(&name.text, args)?
            }
            StmtKind::Choose(_) | with_blocks!() => return None,
        })
    }

    /// Returns an assignment such as `s = s | e` or `n = n + e` as the statement that says the same with `+=` or `-=`.
    fn assigned_shorter(&self, one: &Stmt) -> Option<Stmt> {
        let StmtKind::Assign { target, op: AssignOp::Set, value } = &one.kind else { return None };
        let ExprKind::Binary(op, old, more) = &value.kind else { return None };
        let op = match op {
            BinaryOp::Union if self.is_set_target(target) => AssignOp::Add,
            BinaryOp::Add if !self.is_set_target(target) => AssignOp::Add,
            BinaryOp::Subtract => AssignOp::Subtract,
            _ => return None,
        };
        if print::expr(old) != print::expr(target) {
            return None;
        }
        let kind = StmtKind::Assign { target: target.clone(), op, value: (**more).clone() };
        Some(Stmt { kind, ..one.clone() })
    }

    /// Describes that a player leaves the game. Returns `None` for another statement.
    fn leaving(&self, one: &Stmt) -> Option<String> {
        let StmtKind::Assign { target, op: AssignOp::Subtract, value } = &one.kind else { return None };
        if !is_name(target, "playing") || self.find("playing").is_some() {
            return None;
        }
        let player = match &value.kind {
            ExprKind::Set(list) => match list.as_slice() {
                [player] => player,
                _ => return None,
            },
            _ if self.is_players(value) => return None,
            ExprKind::Name(_) => value,
            _ if self.names_player(value) => value,
            _ => return None,
        };
        let player = clause_closed(self.value(player));
        let verb = if is_several(&player) { "leave" } else { "leaves" };
        Some(format!("{player} {verb} the game"))
    }

    /// Describes where each player gets something, for a family of zones: `each hand`. Returns `None` for other zones.
    fn zone_of_each(&self, zone: &Expr) -> Option<String> {
        let ExprKind::Name(Name { text, .. }) = &zone.kind else { return None };
        let is_family = self.model.slots.iter().any(|slot| {
            slot.name == *text && slot.index.first() == Some(&PLAYER) && self.find(text).is_none()
        });
        let of = self.kind_in_zone(text).map(|kind| format!(" {kind}")).unwrap_or_default();
        (is_family && self.is_zone(zone)).then(|| match of.is_empty() {
            true => format!("each {}", plain(text)),
            false => format!("each player's {}{of}", plain(text)),
        })
    }

    /// Describes what a variable becomes.
    fn new_value(&self, target: &Expr, value: &Expr) -> String {
        match (&value.kind, self.declared(target)) {
            (ExprKind::None, Some(Content::Element { domain: PLAYER, .. })) => "nobody".to_owned(),
            (ExprKind::None, Some(_)) => "nothing".to_owned(),
            // “becomes exact” would seem to be no number.
            (ExprKind::Name(name), Some(Content::Number { .. }))
                if self.find(&name.text).is_none() && self.is_define(&name.text) =>
            {
                format!("the value of {}", self.value(value))
            }
            _ => self.assigned(value),
        }
    }

    /// Returns `true` if a statement contains a choice that the params don't rule out, or calls a procedure that does.
    pub(super) fn offers(&self, one: &Stmt) -> bool {
        let within = |body: &Block| body.stmts.iter().any(|one| self.offers(one));
        match &one.kind {
            StmtKind::Choose(_) => true,
            StmtKind::Call { name, .. } => {
                self.procedure(&name.text).is_some_and(|(_, _, body)| within(body))
            }
            StmtKind::If { condition, then, otherwise } => {
                let settled = self.settled(condition);
                settled != Some(false) && within(then)
                    || settled != Some(true) && otherwise.as_ref().is_some_and(within)
            }
            _ => one.blocks().into_iter().any(within),
        }
    }

    /// Returns the parameters, the help text and the body of a procedure.
    pub(crate) fn procedure(&self, name: &str) -> Option<(&'a [Name], Option<&'a str>, &'a Block)> {
        self.decls.iter().find_map(|decl| match &decl.kind {
            DeclKind::Procedure { name: n, params, body } if n.text == name => {
                Some((params.as_slice(), decl.help.as_ref().map(|help| help.text.as_str()), body))
            }
            _ => None,
        })
    }

    /// Returns the help text of a procedure with what a call gives it: in its place where the text names it by a letter, else
    /// after the text: ` (c is the place one step north from a)`. Nothing follows for the player who acts, unless a call beside
    /// it gives another one. A name that means something else around the call isn't told.
    pub(super) fn told_call(&self, procedure: &str, args: &[Arg]) -> Option<String> {
        let (params, help, _) = self.procedure(procedure)?;
        let help = help?;
        let has_word = |word: &str| help.split(|sign: char| !sign.is_alphanumeric()).any(|one| one == word);
        let players = args.iter().filter(|arg| self.is_one_player(&arg.value)).count();
        let (mut told, mut named) = (vec![], vec![]);
        for (at, (param, arg)) in params.iter().zip(args).enumerate() {
            let (name, text) = (plain(&param.text), self.assigned(&arg.value));
            let is_only_player = players == 1 && self.is_one_player(&arg.value);
            let gives_me = |call: &&[Arg]| call.get(at).is_some_and(|other| is_name(&other.value, "me"));
            let always_gives_me = || self.calls_beside(procedure, args).iter().all(gives_me);
            let is_me = is_name(&arg.value, "me");
            let is_clear = match text == name {
                true => !is_only_player || has_word(&name),
                false => is_me && !has_word(&name) && always_gives_me(),
            };
            if is_clear {
                continue;
            }
            // “You takes a coin” is no English.
            let is_pronoun = is_me || matches!(text.as_str(), "you" | "they");
            if !is_pronoun && is_letter(&name) && has_word(&name) && text.chars().all(char::is_alphanumeric) {
                named.push((name, text));
                continue;
            }
            // The help text may speak of the player.
            let is_the_player = is_only_player && (has_word("player") || text == name);
            let means_other =
                !is_the_player && text != name && self.names_around(args).contains(&param.text.as_str());
            match (means_other, text.contains(' ')) {
                (true, true) => told.push(clause_closed(text)),
                // The help text would speak of what has this name around the call.
                (true, false) if is_pronoun && has_word(&name) => told.push(text),
                (true, false) => {}
                (false, _) => {
                    let name = if is_the_player { "the player" } else { name.as_str() };
                    told.push(format!("{name} is {}", clause_closed(text)));
                }
            }
        }
        let help = with_words(help, &named);
        Some(match told.as_slice() {
            [] => help,
            told => format!("{help} ({})", told.join("; ")),
        })
    }

    /// Returns what the calls of a procedure give it in the setup, the turn or the procedure that has one of them.
    fn calls_beside(&self, procedure: &str, args: &[Arg]) -> Vec<&'a [Arg]> {
        for body in self.bodies() {
            let mut calls = vec![];
            add_calls(body, procedure, &mut calls);
            if calls.iter().any(|call| first_span(call) == first_span(args)) {
                return calls;
            }
        }
        vec![]
    }

    /// Returns the names that loops, options and statements around a call give to something.
    fn names_around(&self, args: &[Arg]) -> Vec<&'a str> {
        let mut names = vec![];
        if let Some(at) = first_span(args) {
            for body in self.bodies() {
                if add_names_around(body, at, &mut names) {
                    break;
                }
            }
        }
        names
    }

    /// Describes when, or for what, a statement runs its blocks; used before a colon.
    pub(crate) fn round_of(&self, one: &Stmt) -> String {
        match &one.kind {
            StmtKind::For { name, over, from, .. } => {
                let from = from.as_ref().map(|first| format!(", from {} on", self.value(first)));
                format!("for each {}{}", self.each_of(name, over), from.unwrap_or_default())
            }
            _ if self.is_endless(one) => FOREVER.to_owned(),
            StmtKind::While { condition, .. } => format!("as long as {}", self.condition(condition)),
            StmtKind::Repeat { until, .. } => format!("again and again until {}", self.condition(until)),
            StmtKind::Chance { given, .. } => {
                format!("by chance, so that {}", self.condition(given))
            }
            StmtKind::EachPlayer { of, from, until, .. } => {
                let of = of.as_ref().filter(|set| !is_name(set, "players"));
                let each = match of.map(|set| self.value(set)) {
                    Some(told) if told.starts_with("those players ") => format!("each of {told}"),
                    Some(told) => format!("each player of {told}"),
                    None => "each player".to_owned(),
                };
                let from = from.as_ref().map(|first| format!(", from {} on", self.value(first)));
                let until = until.as_ref().map(|until| match self.settled(until) {
                    Some(false) => format!(", in turn {FOREVER}"),
                    _ => format!(", in turn again and again until {}", self.condition(until)),
                });
                let [from, until] = [from, until].map(Option::unwrap_or_default);
                format!("{each}{from}{until}")
            }
            StmtKind::Together(_) => match self.model.players.count {
                2 => "both players at once, without seeing what the other does".to_owned(),
                _ => "all players at once, without seeing what the others do".to_owned(),
            },
            StmtKind::As { player, .. } => match self.value(player).as_str() {
                "you" => "you act".to_owned(),
                player => format!("{player} acts"),
            },
            _ => String::new(),
        }
    }

    /// Describes who chooses one of some options in the blocks of a statement in which others act, or all: as its label,
    /// and within it.
    pub(crate) fn choosers(&self, one: &Stmt) -> Option<(String, String)> {
        Some(match &one.kind {
            StmtKind::As { player, .. } => {
                let player = self.atom(player);
                let told = format!("{player} {} one", if is_several(&player) { "choose" } else { "chooses" });
                (told.clone(), told)
            }
            StmtKind::EachPlayer { .. } => {
                let told = self.round_of(one);
                let comma = if told.contains(", ") { "," } else { "" };
                (format!("{told}{comma} chooses one"), "this player chooses one".to_owned())
            }
            StmtKind::Together(_) => {
                let told = match self.model.players.count {
                    2 => "both players choose one at once, without seeing what the other does",
                    _ => "all players choose one at once, without seeing what the others do",
                };
                (told.to_owned(), "each player chooses one".to_owned())
            }
            _ => return None,
        })
    }

    /// Describes what can be chosen and when, for an option with a help text. Empty if nothing limits it.
    pub(super) fn limits(&self, option: &ChoiceOption) -> String {
        let filtered = option.filter.as_ref().is_some_and(|filter| self.settled(filter).is_none());
        let limited = filtered
            || option.ensuring.is_some()
            || option.seen.is_some()
            || option.binders.iter().any(|binder| self.is_compound(&binder.over));
        if limited { self.unhelped(option) } else { String::new() }
    }

    /// Describes an option without a help text: what can be chosen and when.
    pub(crate) fn unhelped(&self, option: &ChoiceOption) -> String {
        let mut parts: Vec<String> = option
            .binders
            .iter()
            .map(|binder| {
                let name = plain(&binder.name.text);
                match binder.kind {
                    BinderKind::Element => match self.one_of_few(&binder.over, false) {
                        Some(few) => format!("{name} is {few}"),
                        None => self.one_of(&name, &binder.over),
                    },
                    BinderKind::Subset | BinderKind::Part => {
                        let all = self.all_elements(&binder.over);
                        format!(
                            "{name} is some of {}, or all",
                            all.unwrap_or_else(|| self.argument(&binder.over))
                        )
                    }
                }
            })
            .collect();
        let filter = option.filter.as_ref().filter(|filter| self.settled(filter).is_none());
        parts.extend(filter.map(|filter| format!("if {}", self.condition(filter))));
        if let Some(ensuring) = &option.ensuring {
            parts.push(format!("if afterwards {}", self.condition(ensuring)));
        }
        let seen = option.seen.as_ref().and_then(|seen| match seen.kind {
            ModifierKind::SeenByAll => Some("what is chosen is seen by all".to_owned()),
            ModifierKind::SeenByNone => Some("what is chosen is seen by nobody else".to_owned()),
            ModifierKind::SeenByPlayer => match &seen.value.as_ref()?.kind {
                ExprKind::Name(player) => {
                    Some(format!("what is chosen is seen by {} only", plain(&player.text)))
                }
                _ => None,
            },
            _ => None,
        });
        parts.extend(seen);
        parts.join(", ")
    }

    /// Describes that an element, given its name, is one of a set: `b is one of the empty places beside a`, `b is one of the
    /// goals of a and one of the places in last row`.
    pub(super) fn one_of(&self, name: &str, over: &Expr) -> String {
        // Of a single one, there is no choice.
        if let ExprKind::Set(list) = &over.kind
            && let [one] = list.as_slice()
            && !matches!(one.kind, ExprKind::Range(..))
        {
            return format!("{name} is {}", choice_closed(self.value(one)));
        }
        let sets = shared_sets(over);
        if let [set] = sets.as_slice() {
            return format!("{name} is one of {}", choice_closed(self.elements_of(set)));
        }
        if let Some(things) = self.one_of_things(&sets) {
            return format!("{name} is one of {}", choice_closed(things));
        }
        let elements = |set: &Expr| self.named_elements(set).map_or_else(|| self.any_of(set), operand_closed);
        let each: Vec<String> = sets.iter().map(|set| format!("one of {}", elements(set))).collect();
        format!("{name} is {}", each.join(" and "))
    }

    /// Returns `true` if an expression is a direction, judging by its form.
    fn is_direction(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Call(name, _) => self.function_named(&name.text) == Some(Function::Reverse),
            ExprKind::Name(name) if self.declared(e).is_none() => {
                let named = |board: &Board| board.topology.direction_named(&name.text).is_some();
                self.find(&name.text).is_none() && self.model.boards.iter().any(named)
            }
            _ => match self.declared(e) {
                Some(Content::Element { domain, .. }) => {
                    self.model.domains[domain.index()].name == "direction"
                }
                _ => false,
            },
        }
    }

    /// Returns `true` if a set is more than the name of something on the table, so that it says what can be chosen.
    fn is_compound(&self, set: &Expr) -> bool {
        use ExprKind::{Binary, Call, Comprehension, If, Quantified};
        match &set.kind {
            ExprKind::Name(name) => self.is_define(&name.text),
            ExprKind::Range(low, high) => self.number(low).is_none() || self.number(high).is_none(),
            kind => matches!(kind, Binary(..) | Call(..) | Comprehension { .. } | If(..) | Quantified { .. }),
        }
    }
}

/// Adds what the calls of a procedure in a block give it.
fn add_calls<'a>(body: &'a Block, procedure: &str, calls: &mut Vec<&'a [Arg]>) {
    for one in &body.stmts {
        match &one.kind {
            StmtKind::Call { name, args } if name.text == procedure => calls.push(args),
            _ => one.blocks().into_iter().for_each(|block| add_calls(block, procedure, calls)),
        }
    }
}

/// Returns where the first thing stands that a call gives.
fn first_span(args: &[Arg]) -> Option<Span> {
    args.first().map(|arg| arg.value.span)
}

/// Adds the names that loops, options and statements around a call give to something, if a block has the call, given where
/// the first thing stands that it gives. Returns whether the block has it.
fn add_names_around<'a>(body: &'a Block, at: Span, names: &mut Vec<&'a str>) -> bool {
    for one in &body.stmts {
        let has_call = match &one.kind {
            StmtKind::Call { args, .. } => first_span(args) == Some(at),
            StmtKind::Choose(choose) => {
                let mut has_call = false;
                for option in choose.options.iter().flatten() {
                    if add_names_around(&option.body, at, names) {
                        names.extend(option.binders.iter().map(|binder| binder.name.text.as_str()));
                        has_call = true;
                    }
                }
                has_call || choose.otherwise.as_ref().is_some_and(|body| add_names_around(body, at, names))
            }
            _ => one.blocks().into_iter().any(|block| add_names_around(block, at, names)),
        };
        if has_call {
            if let StmtKind::For { name, .. } = &one.kind {
                names.push(name.text.as_str());
            }
            names.extend(body.stmts.iter().filter_map(bound));
            return true;
        }
    }
    false
}

/// Returns `true` if a name is a letter that isn't a word, too.
pub(super) fn is_letter(name: &str) -> bool {
    name.chars().count() == 1 && !matches!(name, "a" | "A" | "I")
}

/// Returns a text with other words in place of some of its words.
fn with_words(text: &str, others: &[(String, String)]) -> String {
    let part = |part: &str| {
        let word = part.trim_end_matches(|sign: char| !sign.is_alphanumeric());
        match others.iter().find(|(old, _)| old == word) {
            Some((_, new)) => format!("{new}{}", &part[word.len()..]),
            None => part.to_owned(),
        }
    };
    text.split_inclusive(|sign: char| !sign.is_alphanumeric()).map(part).collect()
}

/// Returns `true` if a statement calls a procedure.
pub(super) fn is_call(one: &Stmt) -> bool {
    matches!(one.kind, StmtKind::Call { .. })
}

/// Adds a text, or counts it once more if it is the last one.
fn count_again<T: PartialEq>(told: &mut Vec<(T, usize)>, text: T) {
    match told.last_mut() {
        Some((last, times)) if *last == text => *times += 1,
        _ => told.push((text, 1)),
    }
}

/// Describes what happens several times in a row.
pub(super) fn repeated(told: &str, times: usize) -> String {
    say_how_often(times).map_or_else(|| told.to_owned(), |often| format!("{often}: {told}"))
}

/// Says how often something comes: `twice`, `three times`. Returns `None` for once.
pub(super) fn say_how_often(times: usize) -> Option<String> {
    match times {
        1 => None,
        2 => Some("twice".to_owned()),
        3 => Some("three times".to_owned()),
        4 => Some("four times".to_owned()),
        times => Some(format!("{times} times")),
    }
}

/// Returns `true` if a block contains a choice.
pub(super) fn chooses(block: &Block) -> bool {
    let one = |one: &Stmt| matches!(one.kind, StmtKind::Choose(_)) || one.blocks().into_iter().any(chooses);
    block.stmts.iter().any(one)
}

/// Returns `true` if other players than the mover act in a block.
pub(super) fn others_act(block: &Block) -> bool {
    block.stmts.iter().any(acts_as_other)
}

/// The words for the lower end of a zone.
fn bottom(below: bool) -> &'static str {
    if below { "the bottom of " } else { "" }
}
