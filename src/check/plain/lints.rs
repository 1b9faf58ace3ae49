//! Lints: warnings about valid rules that look wrong.

use crate::checker::input::CheckInput;
use crate::checker::usage::Usage;
use crate::draft::Draft;
use crate::messages::{Messages, first_word};
pub(crate) use crate::names::name_table::{Entity, NameTable, ResolutionState};
use houserule_language::diagnostic::{Code, Diagnostic, Span, did_you_mean};
use houserule_language::syntax::{DeclKind, GameDecl, Name};
use houserule_model::board::LineKinds;
use houserule_model::*;

/// Returns the warnings that the rules accept, each with the part of the text where they do.
pub(crate) fn allowed_warnings(game: &GameDecl, messages: &mut Messages) -> Vec<(Code, Span)> {
    let mut allowed = vec![];
    for decl in &game.decls {
        let DeclKind::Allow { code, within } = &decl.kind else { continue };
        match Code::named(&code.text) {
            Some(known) if known.is_warning() => allowed.push((known, *within)),
            Some(_) => {
                let message = format!("`{}` is an error, and only warnings can be allowed", code.text);
                let d = Diagnostic::error(Code::UnknownName, code.span, message)
                    .help("mend the error: `houserule explain-error` says how");
                messages.report(d);
            }
            None => {
                let message = format!("no warning has the code `{}`", code.text);
                let mut d = Diagnostic::error(Code::UnknownName, code.span, message);
                let codes = Code::ALL.iter().filter(|code| code.is_warning()).map(|code| code.as_str());
                if let Some(similar) = did_you_mean(&code.text, codes) {
                    d = d.help(format!("did you mean `{similar}`?"));
                }
                messages.report(d);
            }
        }
        if *within == decl.span {
            let d = Diagnostic::error(Code::Misplaced, decl.span, "nothing follows this `allow`")
                .help("write it before the declaration or change in which the warning comes");
            messages.report(d);
        }
    }
    allowed
}

/// What the lints read, besides the model.
pub(crate) struct LintInput<'c, 'a> {
    pub(crate) input: CheckInput<'a>,
    pub(crate) names: &'c NameTable<'a>,
    pub(crate) usage: &'c Usage<'a>,
}

impl LintInput<'_, '_> {
    /// Warns about everything in the rules that looks wrong.
    pub(crate) fn report_lints(&self, draft: &mut Draft) {
        self.lint_unused(draft);
        self.lint_unread(&mut draft.messages);
        self.lint_unchanged(draft);
        draft.lint_options();
        self.lint_turns(&mut draft.messages);
        self.lint_ends(draft);
    }

    /// Warns about rules in which no game ends.
    fn lint_ends(&self, draft: &mut Draft) {
        let game = self.input.game;
        let has_end = !draft.model.ends.is_empty()
            || draft.ends_by_statement()
            || game.decls.iter().any(|d| matches!(d.kind, DeclKind::End { .. }));
        if !has_end && !self.input.has_hole() {
            let message = "nothing in these rules ends a game";
            let d = Diagnostic::warning(Code::NoEnd, game.title.span, message)
                .help("declare an end: `end when …`");
            draft.messages.report(d);
        }
    }

    /// Warns about a round without turns, in which only the starter acts.
    fn lint_turns(&self, messages: &mut Messages) {
        let round = self.input.game.decls.iter().find(|d| matches!(d.kind, DeclKind::Round(_)));
        if let Some(round) = round
            && !self.usage.takes_turns
            && !self.input.has_hole()
        {
            let at = first_word(round.span, "round").unwrap_or(round.span);
            let d = Diagnostic::warning(
                Code::NoTurns,
                at,
                "in this round nobody takes a turn: the starter alone acts",
            )
            .help("write `each player from starter as me { … }` round what every player does");
            messages.report(d);
        }
    }

    /// Warns about declarations that are never used.
    fn lint_unused(&self, draft: &mut Draft) {
        let game = self.input.game;
        for decl in &game.decls {
            let (kind, name) = match &decl.kind {
                DeclKind::Param(t) => ("param", &t.name),
                DeclKind::Table(t) => ("table", &t.name),
                DeclKind::Enum { name, .. } => ("enum", name),
                DeclKind::Range { name, .. } | DeclKind::Record { name, .. } => ("domain", name),
                DeclKind::Dice { name, .. } => ("dice", name),
                DeclKind::Piece { name, .. } => ("piece", name),
                // Where elements lie at first is used, also if no rule names it.
                DeclKind::Zone { name, .. } if draft.holds_at_first(name) => continue,
                DeclKind::Zone { name, .. } => ("zone", name),
                DeclKind::Define { name, .. } => ("define", name),
                DeclKind::Procedure { name, .. } => ("procedure", name),
                _ => continue,
            };
            let own = self.names.is_declared_at(name);
            if own && !self.usage.names.contains(name.text.as_str()) && !self.is_read_by_scripts(&name.text) {
                let message = format!("the {kind} `{}` is never used", name.text);
                let help = match self.is_changed_by_variant(name) {
                    true => format!("write `without {kind} {}` in the variant, or use it there", name.text),
                    false => "take it out, or use it".to_owned(),
                };
                draft.messages.report(Diagnostic::warning(Code::Unused, name.span, message).help(help));
            }
        }
    }

    /// Returns `true` if a name is declared in another file than the last variant: it is changed in the variant.
    fn is_changed_by_variant(&self, name: &Name) -> bool {
        name.span.file != self.input.game.title.span.file
    }

    fn is_read_by_scripts(&self, name: &str) -> bool {
        self.input.options.script.iter().any(|function| function.names.iter().any(|read| read == name))
    }

    /// Warns about variables that no rule reads.
    fn lint_unread(&self, messages: &mut Messages) {
        let game = self.input.game;
        for decl in &game.decls {
            let DeclKind::Var(typed) = &decl.kind else { continue };
            let Some(declared) = self.names.declared.get(typed.name.text.as_str()) else { continue };
            let ResolutionState::Done(Entity::Slot(slot)) = declared.state else { continue };
            let read = self.usage.read_slots.contains(&slot) || self.is_read_by_scripts(&typed.name.text);
            if declared.span == typed.name.span && !read {
                let name = &typed.name.text;
                let message = format!("no rule reads `{name}`");
                let help = match self.is_changed_by_variant(&typed.name) {
                    true if self.usage.names.contains(name.as_str()) => format!(
                        "write `without var {name}` in the variant, and without the rules that set it; or declare it there again, after `allow never-read \"…\"`"
                    ),
                    true => format!("write `without var {name}` in the variant, or use it there"),
                    false => "take it out, use it in a condition or in the score, or write `allow never-read \"…\"` before it if players are to see it".to_owned(),
                };
                messages.report(Diagnostic::warning(Code::NeverRead, typed.name.span, message).help(help));
            }
        }
    }

    /// Warns about variables that rules read and nothing changes. A variant may take away what changes a variable of the
    /// game that it changes, so only those declared in its own file count.
    fn lint_unchanged(&self, draft: &mut Draft) {
        for decl in &self.input.game.decls {
            let DeclKind::Var(typed) = &decl.kind else { continue };
            let name = &typed.name;
            let Some(Entity::Slot(slot)) = self.names.resolved(&name.text) else { continue };
            let is_constant =
                self.usage.read_slots.contains(slot) && !self.usage.changed_slots.contains(slot);
            // A script that names a variable may change it.
            let may_change = self.is_changed_by_variant(name) || self.is_read_by_scripts(&name.text);
            if !is_constant || may_change || !self.names.is_declared_at(name) {
                continue;
            }
            let instead = draft.constant_keyword(*slot);
            let message = format!("no rule changes `{}`", name.text);
            let help = format!(
                "change it in a statement; if it is always the same, declare it as a `{instead}`, or write `allow never-changed \"…\"` before it if a variant changes it"
            );
            draft.messages.report(Diagnostic::warning(Code::NeverChanged, name.span, message).help(help));
        }
    }
}

impl Draft {
    /// Warns about options whose names look like a misspelt `otherwise` or `pass`.
    fn lint_options(&mut self) {
        let options = self.model.choices.iter().flat_map(|choice| &choice.options);
        let odd = options.filter(|option| option.binders.is_empty() && !option.pass);
        let odd = odd.filter_map(|o| did_you_mean(&o.name, ["otherwise", "pass"]).map(|meant| (o, meant)));
        let found: Vec<Diagnostic> = odd
            .map(|(option, meant)| {
                let message = format!("`{}` is an option here, one that a player may choose", option.name);
                Diagnostic::warning(Code::MisspeltWord, option.span, message)
                    .help(format!("did you mean `{meant}`?"))
            })
            .collect();
        found.into_iter().for_each(|d| self.messages.report(d));
    }

    /// The keyword that declares what has the values of a variable and never changes.
    fn constant_keyword(&self, variable: SlotId) -> &'static str {
        let slot = &self.model.slots[variable.index()];
        if !slot.index.is_empty() {
            return "table";
        }
        match slot.content {
            Content::Number { .. } | Content::Bool => "param",
            Content::Element { domain, optional: false } => match self.model.domains[domain.index()].kind {
                DomainKind::Enum(_) | DomainKind::Range { .. } => "param",
                _ => "define",
            },
            Content::Element { .. } | Content::Set(_) => "define",
        }
    }

    fn ends_by_statement(&self) -> bool {
        fn ends(block: &CheckedBlock) -> bool {
            block.stmts.iter().any(|stmt| {
                matches!(stmt.kind, CheckedStmtKind::EndGame { .. }) || stmt.blocks().into_iter().any(ends)
            })
        }
        ends(&self.model.turn) || self.model.choices.iter().flat_map(Choice::blocks).any(ends)
    }

    fn holds_at_first(&self, zone: &Name) -> bool {
        let holds = |value: &Value| matches!(value, Value::Set(set) if !set.is_empty());
        self.model.slots.iter().any(|slot| slot.name == zone.text && slot.initial.iter().any(holds))
    }

    /// Warns about a table of points that skips a length possible on the board.
    pub(crate) fn lint_points(&mut self, points: &PointsTable, board: BoardId, along: LineKinds, span: Span) {
        let topology = &self.model.boards[board.index()].topology;
        let lines = topology.lines().iter().filter(|line| along.contains(line.kind));
        let longest = lines.map(|line| line.sites.len() as i64).max().unwrap_or(0);
        let least = points.entries.iter().map(|(k, _)| *k).chain(points.and_more.map(|(k, _)| k)).min();
        let Some(least) = least else { return };
        let named = |n: i64| {
            points.entries.iter().any(|(k, _)| *k == n) || points.and_more.is_some_and(|(k, _)| n >= k)
        };
        let missing: Vec<String> =
            (least.max(1)..=longest).filter(|n| !named(*n)).map(|n| n.to_string()).collect();
        if missing.is_empty() || self.is_dead() {
            return;
        }
        let message = format!("runs of {} are possible and score nothing by this table", missing.join(", "));
        let d = Diagnostic::warning(Code::LineTableGap, span, message)
            .help(format!("add entries for them, or write `{least}+` for this length and all above"));
        self.messages.report(d);
    }
}
