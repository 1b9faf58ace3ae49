//! Checks the rules of a match.

use crate::checker::Checker;
use crate::values::Val;
use houserule_language::diagnostic::{Code, Diagnostic, Span, did_you_mean};
use houserule_language::format::print;
use houserule_language::syntax;
use houserule_language::syntax::{DeclKind, MatchEntry, MatchValue, Name};
use houserule_language::vocabulary::{MATCH_KEYS, WordKind};
use houserule_model::*;

const GAMES: i64 = 1_000_000;

impl<'a> Checker<'a> {
    pub(crate) fn check_match(&mut self) {
        let game = self.input.game;
        let blocks: Vec<(&'a [MatchEntry], Span)> = game
            .decls
            .iter()
            .filter_map(|d| match &d.kind {
                DeclKind::Match(entries) => Some((entries.as_slice(), d.span)),
                _ => None,
            })
            .collect();
        let spans: Vec<Span> = blocks.iter().map(|(_, s)| *s).collect();
        self.draft.messages.report_repeated("`match` blocks", &spans);
        let Some((entries, span)) = blocks.first().copied() else { return };
        let mut seen: Vec<(&str, Span)> = vec![];
        let mut length: Option<(MatchLength, Span)> = None;
        let mut said_length = false;
        let (mut total, mut floor, mut record) = (MatchTotal::Sum, None, None);
        let (mut starter, mut on_draw) = (MatchStarter::Next, None);
        for entry in entries {
            let key = entry.key.text.as_str();
            if let Some((_, first)) = seen.iter().find(|(k, _)| *k == key) {
                let d =
                    Diagnostic::error(Code::DuplicateKey, entry.key.span, format!("`{key}` is said twice"))
                        .also(*first, "first said here");
                self.draft.messages.report(d);
                continue;
            }
            seen.push((key, entry.key.span));
            match key {
                "games" | "until" => {
                    said_length = true;
                    let next = if key == "games" {
                        self.match_number(entry, 1, GAMES).map(|n| MatchLength::Games(n as u32))
                    } else {
                        self.match_until(entry).map(MatchLength::Until)
                    };
                    if let (Some((_, first)), Some(_)) = (&length, &next) {
                        let d = Diagnostic::error(
                            Code::DuplicateKey,
                            entry.key.span,
                            "a match has `games` or `until`, not both",
                        )
                        .also(*first, "the other is here");
                        self.draft.messages.report(d);
                        continue;
                    }
                    length = next.map(|l| (l, entry.key.span));
                }
                "total" => total = self.total(entry).unwrap_or(total),
                "floor" => floor = self.match_number(entry, -1_000_000_000, 1_000_000_000),
                "starter" => starter = self.match_starter(entry).unwrap_or(starter),
                "on_draw" => on_draw = self.match_starter(entry),
                "record" => {
                    let (best, worst) = match self.draft.model.score_direction {
                        ScoreDirection::Most => (MatchRecord::Max, MatchRecord::Min),
                        ScoreDirection::Least => (MatchRecord::Min, MatchRecord::Max),
                    };
                    let words = [
                        ("best", best),
                        ("worst", worst),
                        ("max", MatchRecord::Max),
                        ("min", MatchRecord::Min),
                    ];
                    record = self.match_word(entry, &words);
                }
                _ => {
                    let mut d = Diagnostic::error(
                        Code::UnknownKey,
                        entry.key.span,
                        format!("a match has no `{key}`"),
                    )
                    .note(format!("expected one of {}", MATCH_KEYS.join(", ")));
                    if let Some(better) = did_you_mean(key, MATCH_KEYS) {
                        d = d.help(format!("did you mean `{better}`?"));
                    }
                    self.draft.messages.report(d);
                }
            }
        }
        let Some((length, _)) = length else {
            if !said_length && !self.draft.messages.has_reported(Code::UnknownKey) {
                let d = Diagnostic::error(Code::MissingPart, span, "a match must say when it is over")
                    .help("write `games: 10` or `until: …`");
                self.draft.messages.report(d);
            }
            return;
        };
        let fallback = if starter == MatchStarter::Next { MatchStarter::Next } else { MatchStarter::Same };
        let on_draw = on_draw.unwrap_or(fallback);
        self.draft.model.match_rules =
            Some(MatchRules { length, total, floor, starter, on_draw, record, span });
    }

    /// The condition that ends the match. It is tested between two games, when nobody acts.
    fn match_until(&mut self, entry: &'a MatchEntry) -> Option<CheckedExpr> {
        let meant = match &entry.value {
            MatchValue::Expr(e) => {
                let is_name = matches!(e.kind, syntax::ExprKind::Name(_));
                self.meant_of_any(&print::expr(e), is_name)
            }
            MatchValue::Word(word) => self.meant_of_any(&word.text, true),
            MatchValue::Ranked { .. } => None,
        };
        let outside = std::mem::replace(&mut self.draft.meant_of_any, meant.clone());
        let value = self.match_value(entry);
        self.draft.meant_of_any = outside;
        let (value, span) = value?;
        let condition = self.draft.truth(value, span)?;
        self.warn_of_me(&condition, span, meant);
        Some(condition)
    }

    /// The value of an entry as an expression.
    fn match_value(&mut self, entry: &'a MatchEntry) -> Option<(Val, Span)> {
        match &entry.value {
            MatchValue::Expr(e) => Some((self.expr(e, None), e.span)),
            MatchValue::Word(word) => Some((self.name_value(word, word.span, None), word.span)),
            MatchValue::Ranked { count, .. } => {
                self.draft.messages.error(
                    Code::UnknownWord,
                    count.span,
                    format!("`{}` is not ranked", entry.key.text),
                );
                None
            }
        }
    }

    fn match_number(&mut self, entry: &'a MatchEntry, low: i64, high: i64) -> Option<i64> {
        let (value, span) = self.match_value(entry)?;
        let number = self.number(value, span)?;
        match number.kind {
            CheckedExprKind::Constant(Value::Number(n)) if n >= low && n <= high => Some(n),
            CheckedExprKind::Constant(Value::Number(n)) => {
                let d =
                    Diagnostic::error(Code::OutOfRange, span, format!("`{}` can't be {n}", entry.key.text))
                        .note(format!("expected a number from {low} to {high}"));
                self.draft.messages.report(d);
                None
            }
            _ => {
                self.draft.messages.report_not_constant(span, &format!("`{}`", entry.key.text));
                None
            }
        }
    }

    fn total(&mut self, entry: &'a MatchEntry) -> Option<MatchTotal> {
        let MatchValue::Ranked { best, count } = &entry.value else {
            return self.match_word(entry, &[("sum", MatchTotal::Sum)]);
        };
        let n = self.constant_between(count, "the number of games that count", 1..=GAMES, Code::OutOfRange)?
            as u32;
        let high = *best == (self.draft.model.score_direction == ScoreDirection::Most);
        Some(if high { MatchTotal::Highest(n) } else { MatchTotal::Lowest(n) })
    }

    fn match_starter(&mut self, entry: &'a MatchEntry) -> Option<MatchStarter> {
        self.match_word(
            entry,
            &[
                ("same", MatchStarter::Same),
                ("next", MatchStarter::Next),
                ("loser", MatchStarter::Loser),
                ("winner", MatchStarter::Winner),
            ],
        )
    }

    fn match_word<T: Copy>(&mut self, entry: &'a MatchEntry, words: &[(&str, T)]) -> Option<T> {
        let word: Option<(&'a Name, Span)> = match &entry.value {
            MatchValue::Word(word) => Some((word, word.span)),
            MatchValue::Expr(e) => match &e.kind {
                syntax::ExprKind::Name(word) => Some((word, e.span)),
                syntax::ExprKind::Hole => {
                    self.draft.messages.add_hole();
                    return None;
                }
                _ => None,
            },
            MatchValue::Ranked { .. } => None,
        };
        if let Some((word, _)) = word
            && let Some((_, value)) = words.iter().find(|(w, _)| *w == word.text)
        {
            self.recorder.refer_to_word(WordKind::MatchValue, word);
            return Some(*value);
        }
        let names: Vec<&str> = words.iter().map(|(w, _)| *w).collect();
        let span = word.map_or(entry.span, |(_, s)| s);
        let mut shown = names.join(", ");
        if entry.key.text == "total" {
            shown.push_str(", best N or worst N");
        }
        let mut d = Diagnostic::error(
            Code::UnknownWord,
            span,
            format!("this is nothing that `{}` can be", entry.key.text),
        )
        .note(format!("expected {shown}"));
        if let Some(better) = word.and_then(|(w, _)| did_you_mean(&w.text, names)) {
            d = d.help(format!("did you mean `{better}`?"));
        }
        self.draft.messages.report(d);
        None
    }
}
