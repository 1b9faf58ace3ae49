//! Checks setup, turn, round, ends, score and winner.

use crate::checker::Checker;
use crate::checker::context::StatementContext;
use crate::checker::progress::Score;
use crate::names::definitions::DefinitionKind;
use crate::values::{May, Val};
use houserule_base::limits;
use houserule_language::diagnostic::{Code, Diagnostic, Span};
use houserule_language::syntax;
use houserule_language::syntax::{DeclKind, ExprKind as S, ScoreEntry};
use houserule_language::vocabulary::{Function, Place};
use houserule_model::*;
use std::collections::HashMap;

impl<'a> Checker<'a> {
    pub(crate) fn check_setup(&mut self) {
        let game = self.input.game;
        let mut seen: Vec<(Option<&str>, Span)> = vec![];
        let mut stmts = vec![];
        for decl in &game.decls {
            let DeclKind::Setup { name, body } = &decl.kind else { continue };
            let key = name.as_ref().map(|n| n.text.as_str());
            if let Some((_, first)) = seen.iter().find(|(k, _)| *k == key) {
                let first = *first;
                let what = key.map_or("`setup` without a name".into(), |k| format!("`setup {k}`"));
                self.draft.messages.report_repeated(&what, &[first, decl.span]);
            }
            seen.push((key, decl.span));
            self.context.place = StatementContext::Setup;
            stmts.extend(self.block(body).stmts);
        }
        self.context.place = StatementContext::Elsewhere;
        self.draft.model.setup = CheckedBlock { stmts };
        self.hooks.call_at_setup(&mut self.draft);
    }

    /// Checks `turn`, or the `round` in its place.
    pub(crate) fn check_turn(&mut self) {
        let game = self.input.game;
        let (mut turns, mut rounds) = (vec![], vec![]);
        for decl in &game.decls {
            let (found, body, place) = match &decl.kind {
                DeclKind::Turn(body) => (&mut turns, body, StatementContext::Turn),
                DeclKind::Round(body) => (&mut rounds, body, StatementContext::Round),
                _ => continue,
            };
            found.push(decl.span);
            let first = found.len() == 1;
            self.context.place = place;
            let block = self.block(body);
            self.context.place = StatementContext::Elsewhere;
            if first {
                self.draft.model.turn = block;
                self.draft.model.rounds = place == StatementContext::Round;
            }
        }
        self.draft.messages.report_repeated("`turn` blocks", &turns);
        self.draft.messages.report_repeated("`round` blocks", &rounds);
        if let (Some(turn), Some(round)) = (turns.first(), rounds.first()) {
            let d = Diagnostic::error(
                Code::DeclaredTwice,
                *round,
                "rules have a `turn` or a `round`, not both",
            )
            .also(*turn, "the turn is here")
            .help("write what a player does in a round inside it, in `each player from starter as me { … }`");
            self.draft.messages.report(d);
        }
        if turns.is_empty() && rounds.is_empty() && !self.input.has_hole() {
            let d = Diagnostic::error(Code::MissingPart, game.title.span, "a game needs a `turn { … }`")
                .help("say in it what a player does in one turn");
            self.draft.messages.report(d);
        }
    }

    fn score_entries(&self) -> Vec<&'a ScoreEntry> {
        let entries = self.input.game.decls.iter().filter_map(|d| match &d.kind {
            DeclKind::Score(entries) => Some(entries),
            _ => None,
        });
        entries.flatten().collect()
    }

    pub(crate) fn check_score(&mut self) {
        if self.progress.score != Score::Waiting {
            return;
        }
        let game = self.input.game;
        let spans: Vec<Span> =
            game.decls.iter().filter(|d| matches!(d.kind, DeclKind::Score(_))).map(|d| d.span).collect();
        self.draft.messages.report_repeated("`score` blocks", &spans);
        self.progress.score = Score::Busy;
        let whole = self.in_isolation(Self::score_items);
        self.progress.score = if whole { Score::Done } else { Score::Poison };
    }

    fn score_items(&mut self) -> bool {
        let mut whole = true;
        let mut names: HashMap<&str, Span> = HashMap::new();
        for entry in self.score_entries() {
            if let Some(first) = names.get(entry.name.text.as_str()) {
                let message = format!("there are two items `{}` in the score", entry.name.text);
                let d = Diagnostic::error(Code::DuplicateName, entry.name.span, message)
                    .also(*first, "the first is here")
                    .help("choose another name for one of them");
                self.draft.messages.report(d);
            }
            names.insert(&entry.name.text, entry.name.span);
            let when = entry.when.as_ref().map(|e| (self.condition(e), e.span));
            let facts = when.as_ref().map(|(when, _)| self.facts_if(when.as_ref(), true)).unwrap_or_default();
            let value = self.scoped(facts, |c| c.number_of(&entry.value));
            let value = match (when, value) {
                (Some((Some(when), span)), Some(value)) => {
                    let zero = self.draft.number_constant(0, span);
                    let kind = CheckedExprKind::If(Box::new(when), Box::new(value), Box::new(zero));
                    Some(self.draft.build(kind, Type::Number, entry.value.span))
                }
                (None, value) => value,
                _ => None,
            };
            match value.map(|value| self.hooks.call_for_points(&mut self.draft, &entry.name.text, value)) {
                Some(value) => self.draft.model.score.push(ScoreItem {
                    name: entry.name.text.clone(),
                    value,
                    help: entry.help.as_ref().map(|h| h.text.clone()).unwrap_or_default(),
                    span: entry.span,
                }),
                None => whole = false,
            }
        }
        whole
    }

    /// Checks the expressions besides the rules: numbers for `me`, as a score item is.
    pub(crate) fn check_measures(&mut self) {
        for expr in self.input.options.measures {
            if let Some(value) = self.in_isolation(|checker| checker.number_of(expr)) {
                self.draft.model.measures.push(value);
            }
        }
    }

    /// The score of `me`: the sum of the items.
    pub(crate) fn score_of_me(&mut self, span: Span) -> Val {
        if self.progress.score == Score::Busy {
            let d = Diagnostic::error(Code::Cycle, span, "the score needs itself here")
                .help("use a `define` for the part that both need");
            self.draft.messages.report(d);
            return Val::Poison;
        }
        self.check_score();
        if self.progress.score == Score::Poison {
            return Val::Poison;
        }
        if self.draft.model.score.is_empty() {
            let declared = self.input.game.decls.iter().any(|d| matches!(d.kind, DeclKind::Score(_)));
            if !self.input.has_hole() && !declared {
                let d = Diagnostic::error(Code::NoScore, span, "the rules have no score")
                    .help("declare one: `score { points: … }`");
                self.draft.messages.report(d);
            }
            return Val::Poison;
        }
        let items: Vec<CheckedExpr> = self.draft.model.score.iter().map(|item| item.value.clone()).collect();
        let copies = items.iter().map(|e| self.draft.copy(e)).collect();
        Val::sure(self.draft.sum_of(copies, span))
    }

    pub(crate) fn check_ends(&mut self) {
        let game = self.input.game;
        let mut names: HashMap<&str, Span> = HashMap::new();
        let mut number = 0;
        for decl in &game.decls {
            let DeclKind::End { name, place, timing, when, result } = &decl.kind else { continue };
            number += 1;
            if let Some(place) = place {
                let word = if place.after { "after" } else { "before" };
                let message = format!("only a new end of a variant can be put `{word}` another");
                let d = Diagnostic::error(Code::Misplaced, place.anchor.span, message)
                    .help("ends are tested in the order of the text: move it there");
                self.draft.messages.report(d);
            }
            if let Some(name) = name {
                if let Some(first) = names.get(name.text.as_str()) {
                    let d = Diagnostic::error(
                        Code::DuplicateName,
                        name.span,
                        format!("there are two ends `{}`", name.text),
                    )
                    .also(*first, "the first is here")
                    .help("choose another name for one of them");
                    self.draft.messages.report(d);
                }
                names.insert(&name.text, name.span);
            }
            self.context.place = StatementContext::End;
            let condition = self.condition(when);
            self.context.place = StatementContext::Elsewhere;
            let facts = self.facts_if(condition.as_ref(), true);
            let checked = match result {
                None => None,
                Some(result) => match self.scoped(facts, |c| c.end_result(result)) {
                    None => continue,
                    checked => checked,
                },
            };
            let Some(when) = condition else { continue };
            self.draft.model.ends.push(End {
                name: name.as_ref().map_or_else(|| format!("end {number}"), |n| n.text.clone()),
                timing: *timing,
                when,
                result: checked,
                implied: false,
                span: decl.span,
            });
        }
        self.keep_to_playing();
    }

    /// Checks the result of an end.
    pub(crate) fn end_result(&mut self, result: &'a syntax::EndResult) -> Option<CheckedEndResult> {
        Some(match result {
            syntax::EndResult::Draw => CheckedEndResult::Draw,
            syntax::EndResult::Win(players) => CheckedEndResult::Win(self.winner_or_loser(players, "win")?),
            syntax::EndResult::Lose(players) => {
                CheckedEndResult::Lose(self.winner_or_loser(players, "lose")?)
            }
        })
    }

    /// Checks the player or the set of players who win or lose by an end, as the word before them says.
    fn winner_or_loser(&mut self, e: &'a syntax::Expr, word: &str) -> Option<CheckedExpr> {
        let value = self.expr(e, Some(PLAYER));
        let value = self.one_of_team(value, e.span);
        if let Val::Expr(set, _) = &value
            && set.ty == Type::Set(PLAYER)
        {
            return self.set(value, Some(PLAYER), e.span);
        }
        if self.reports_best_player(e, &value) {
            return None;
        }
        // In a statement, a `let` can name it.
        let may_be_nobody = matches!(value, Val::Expr(_, May::Maybe(_)));
        if may_be_nobody
            && self.context.place == StatementContext::Elsewhere
            && self.reports_missing_best(e, word)
        {
            return None;
        }
        self.some_element(value, PLAYER, e.span)
    }

    /// The end made by an `end game` statement: index of [`Model::stated_ends`].
    pub(crate) fn stated_end(&mut self, name: Option<&'a syntax::Name>, span: Span) -> u32 {
        if let Some(name) = name {
            self.recorder.define(DefinitionKind::End, name, span, None);
        }
        let declared = |wanted: &str| {
            self.input.game.decls.iter().find_map(|decl| match &decl.kind {
                DeclKind::End { name: Some(name), .. } if name.text == wanted => Some(name.span),
                _ => None,
            })
        };
        let called = match (name, self.position.within.last()) {
            (Some(name), _) => {
                if let Some(other) = declared(&name.text) {
                    let message =
                        format!("the end `{}` has a condition and can't be made by `end game`", name.text);
                    let d = Diagnostic::error(Code::DuplicateName, name.span, message)
                        .also(other, "the end is declared here")
                        .help("choose another name for this one");
                    self.draft.messages.report(d);
                }
                name.text.clone()
            }
            (None, Some((kind, name))) if declared(name).is_some() => format!("{kind} {name}"),
            (None, Some((_, name))) => (*name).to_owned(),
            (None, None) => "end game".to_owned(),
        };
        let known = self.draft.model.stated_ends.iter().position(|end| end.name == called);
        let end = known.unwrap_or_else(|| {
            self.draft.model.stated_ends.push(StatedEnd { name: called, span });
            self.draft.model.stated_ends.len() - 1
        });
        end as u32
    }

    pub(crate) fn check_payoff(&mut self) {
        let game = self.input.game;
        let mut found = vec![];
        for decl in &game.decls {
            let DeclKind::Payoff { zero_sum, value } = &decl.kind else { continue };
            found.push(decl.span);
            self.context.pays = true;
            let value = self.in_isolation(|c| c.number_of(value));
            self.context.pays = false;
            if let Some(help) = &decl.help {
                self.draft.model.slots[Builtin::Payoff.slot().index()].help.clone_from(&help.text);
            }
            self.draft.model.payoff = value.map(|value| Payoff {
                value,
                zero_sum: *zero_sum,
                help: decl.help.as_ref().map(|h| h.text.clone()).unwrap_or_default(),
                span: decl.span,
            });
        }
        self.draft.messages.report_repeated("`payoff`", &found);
    }

    /// The payoff of `me` at this moment.
    pub(crate) fn payoff_of_me(&mut self, span: Span) -> Val {
        let declared = self.input.game.decls.iter().find_map(|decl| match &decl.kind {
            DeclKind::Payoff { value, .. } => Some(value),
            _ => None,
        });
        if self.context.pays {
            self.draft.messages.error(Code::Cycle, span, "the payoff needs itself here");
            return Val::Poison;
        }
        let Some(value) = declared else {
            if !self.input.has_hole() {
                let d = Diagnostic::error(Code::NoScore, span, "the rules have no payoff")
                    .help("declare one: `payoff …`");
                self.draft.messages.report(d);
            }
            return Val::Poison;
        };
        self.context.pays = true;
        let value = self.in_isolation(|c| c.number_of(value));
        self.context.pays = false;
        value.map_or(Val::Poison, Val::sure)
    }

    pub(crate) fn check_winner(&mut self) {
        let game = self.input.game;
        let mut winners = vec![];
        let mut keys = vec![];
        let mut ties = vec![];
        for decl in &game.decls {
            match &decl.kind {
                DeclKind::Winner(e) => {
                    winners.push(decl.span);
                    keys.extend(e.listed());
                }
                DeclKind::Ties(all) => ties.extend(all.iter().flat_map(syntax::Expr::listed)),
                _ => {}
            }
        }
        self.draft.messages.report_repeated("`winner`", &winners);
        // If only the ties contain the score, they set its direction.
        let direction = keys.iter().chain(&ties).find_map(|key| score_direction(key));
        self.draft.model.score_direction = direction.unwrap_or_default();
        let mut ranks: Vec<Rank> = keys.into_iter().flat_map(|key| self.rank(key)).collect();
        let score = self.progress.score == Score::Done && !self.draft.model.score.is_empty();
        if winners.is_empty()
            && score
            && self.draft.model.players.count > 1
            && let Val::Expr(value, _) = self.score_of_me(game.title.span)
        {
            ranks.push(Rank { most: true, value });
        }
        if ranks.is_empty()
            && winners.is_empty()
            && let Some(payoff) = &self.draft.model.payoff
        {
            // Without a score, the payoffs decide. They are 0 until the game is over.
            let span = payoff.span;
            let me = self.draft.build(CheckedExprKind::Me, Type::Element(PLAYER), span);
            let target = Target { slot: Builtin::Payoff.slot(), index: vec![me] };
            let value = self.draft.build(CheckedExprKind::Read(target), Type::Number, span);
            ranks.push(Rank { most: true, value });
        }
        for e in ties {
            ranks.extend(self.rank(e));
        }
        if self.draft.model.players.count > 1 {
            self.draft.model.winner = ranks;
        }
    }

    /// Checks `most(e)` or `least(e)`: a number, a truth value, which counts 1 or 0, or a list of them.
    fn rank(&mut self, e: &'a syntax::Expr) -> Vec<Rank> {
        let most = match &e.kind {
            S::Call(name, args) if args.len() == 1 && args[0].name.is_none() => {
                let function = Function::named(&name.text).filter(|one| one.place() == Place::Rankings);
                if let Some(function) = function {
                    self.recorder.refer_to_function(name.span, function);
                }
                function.map(|function| (function == Function::Most, &args[0].value))
            }
            S::Hole => {
                self.draft.messages.add_hole();
                return vec![];
            }
            _ => None,
        };
        let Some((most, value)) = most else {
            let d = Diagnostic::error(Code::NotARank, e.span, "expected `most(…)` or `least(…)`")
                .help("write `most(score)` for the highest score, or several criteria in parentheses: `(most(score), least(turns[me]))`");
            self.draft.messages.report(d);
            return vec![];
        };
        let values = self.key(value).into_iter().flatten();
        values.map(|value| Rank { most, value }).collect()
    }

    pub(crate) fn check_limit(&mut self) {
        let game = self.input.game;
        let mut found = vec![];
        for decl in &game.decls {
            let DeclKind::Limit(e) = &decl.kind else { continue };
            found.push(decl.span);
            let range = 1..=limits::DECISIONS;
            let limit = self.in_isolation(|c| {
                c.constant_between(e, "the limit of decisions", range, Code::LimitDecisions)
            });
            if let Some(limit) = limit {
                self.draft.model.limit = limit as u64;
            }
        }
        self.draft.messages.report_repeated("`limit`", &found);
    }
}

/// The score direction that a ranking key sets, if the key is the score.
fn score_direction(key: &syntax::Expr) -> Option<ScoreDirection> {
    let S::Call(name, args) = &key.kind else { return None };
    let [only] = args.as_slice() else { return None };
    let is_score = |e: &syntax::Expr| matches!(&e.kind, S::Name(name) if name.text == "score");
    if !only.value.listed().iter().any(is_score) {
        return None;
    }
    match name.text.as_str() {
        "most" => Some(ScoreDirection::Most),
        "least" => Some(ScoreDirection::Least),
        _ => None,
    }
}
