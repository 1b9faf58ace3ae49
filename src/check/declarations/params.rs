//! Params: type, default and value of each.

use crate::checker::Checker;
use crate::messages::Messages;
use crate::names::name_table::Entity;
use crate::values::Val;
use houserule_language::diagnostic::{Code, Diagnostic, Span, did_you_mean};
use houserule_language::syntax;
use houserule_language::syntax::{TypeKind, TypedDecl};
use houserule_model::*;

impl<'a> Checker<'a> {
    pub(crate) fn resolve_param(
        &mut self,
        index: usize,
        decl: &'a syntax::Decl,
        typed: &'a TypedDecl,
    ) -> Entity {
        let name = &typed.name.text;
        if let Some(first) = typed.index.first() {
            self.draft.messages.error(
                Code::WrongIndexCount,
                first.span,
                "a param has one value and no index",
            );
        }
        if typed.ty.optional {
            self.draft.messages.error(
                Code::WrongType,
                typed.ty.span,
                "a param has a value: its type can't end in `?`",
            );
        }
        for modifier in &typed.modifiers {
            self.draft.messages.error(
                Code::Misplaced,
                modifier.span,
                "this does not go with a param, which never changes",
            );
        }
        let Some((kind, domain)) = self.param_kind(typed) else {
            if let Some(value) = &typed.value {
                self.expr(value, None);
            }
            return Entity::Poison;
        };
        let Some(value) = &typed.value else {
            let d =
                Diagnostic::error(Code::MissingDefault, typed.name.span, format!("`{name}` has no default"))
                    .help("write `= …` after its type");
            self.draft.messages.report(d);
            return Entity::Poison;
        };
        let Some(default) = self.param_default(&kind, domain, value) else { return Entity::Poison };
        let fixed = self.input.fixed.iter().any(|f| f == name);
        let current = self.set_value(name, &kind, default.clone());
        let entity = Entity::Param(self.param_value(&current, domain, typed.name.span));
        let help = decl.help.as_ref().map(|h| h.text.clone()).unwrap_or_default();
        let param = Param { name: name.clone(), kind, value: current, default, fixed, help, span: decl.span };
        self.draft.params.insert(index, param);
        entity
    }

    /// The type of a param, and the domain of its values if they are words.
    fn param_kind(&mut self, typed: &'a TypedDecl) -> Option<(ParamKind, Option<DomainId>)> {
        let span = typed.ty.span;
        self.refer_to_type_word(&typed.ty);
        match &typed.ty.kind {
            TypeKind::Range(low, high) => {
                let low_value = self.constant(low, "the range of a param");
                let high_value = self.constant(high, "the range of a param");
                let (low, high) = (low_value?, high_value?);
                if low > high {
                    self.draft.messages.report_empty_range(low, high, span);
                    return None;
                }
                Some((ParamKind::Number { low, high }, None))
            }
            TypeKind::Words(words) => {
                let domain = self.words_domain(words);
                Some((ParamKind::Choice(words.iter().map(|w| w.text.clone()).collect()), Some(domain)))
            }
            TypeKind::Numbers(numbers) => {
                Some((ParamKind::Choice(numbers.iter().map(|(n, _)| n.to_string()).collect()), None))
            }
            TypeKind::Named(n) if n.text == "bool" => Some((ParamKind::Bool, None)),
            TypeKind::Named(n) if n.text == "int" => {
                Some((ParamKind::Number { low: i64::MIN, high: i64::MAX }, None))
            }
            TypeKind::Named(n) if n.text == "table" => Some((ParamKind::Table, None)),
            TypeKind::Named(n) => {
                let domain = self.domain_named(n)?;
                match self.draft.model.domains[domain.index()].kind.clone() {
                    DomainKind::Enum(words) => Some((ParamKind::Choice(words), Some(domain))),
                    DomainKind::Range { low } => {
                        let high = low + i64::from(self.draft.size(domain)) - 1;
                        Some((ParamKind::Number { low, high }, None))
                    }
                    _ => {
                        report_param_type(&mut self.draft.messages, span);
                        None
                    }
                }
            }
            TypeKind::Set(_) => {
                report_param_type(&mut self.draft.messages, span);
                None
            }
            TypeKind::Hole => {
                self.draft.messages.add_hole();
                None
            }
        }
    }

    fn param_default(
        &mut self,
        kind: &ParamKind,
        domain: Option<DomainId>,
        value: &'a syntax::Expr,
    ) -> Option<ParamValue> {
        match kind {
            ParamKind::Table => {
                let v = self.expr(value, None);
                self.draft.points(v, value.span).map(ParamValue::Table)
            }
            ParamKind::Bool => self.constant_condition(value, "a default").map(ParamValue::Bool),
            ParamKind::Number { low, high } => {
                let n = self.constant(value, "a default")?;
                if n < *low || n > *high {
                    let d = Diagnostic::error(
                        Code::OutOfRange,
                        value.span,
                        format!("the default {n} is outside {low}..{high}"),
                    )
                    .help("widen the range or change the default");
                    self.draft.messages.report(d);
                    return None;
                }
                Some(ParamValue::Number(n))
            }
            ParamKind::Choice(words) => {
                let word = match domain {
                    Some(domain) => {
                        if let syntax::ExprKind::Name(syntax::Name { text: word, .. }) = &value.kind
                            && !words.contains(word)
                            && !self.names.is_declared(word.as_str())
                        {
                            report_unknown_word(&mut self.draft.messages, word, words, value.span);
                            return None;
                        }
                        let v = self.expr(value, Some(domain));
                        let (e, _) = self.element(v, domain, value.span)?;
                        match e.kind {
                            CheckedExprKind::Constant(Value::Element(Some(i))) => {
                                words.get(i as usize).cloned()
                            }
                            _ => {
                                self.draft.messages.report_not_constant(value.span, "a default");
                                None
                            }
                        }?
                    }
                    None => self.constant(value, "a default")?.to_string(),
                };
                if !words.contains(&word) {
                    let d = Diagnostic::error(
                        Code::OutOfRange,
                        value.span,
                        format!("the default {word} is not one of the values"),
                    )
                    .note(format!("expected {}", words.join(" or ")));
                    self.draft.messages.report(d);
                    return None;
                }
                Some(ParamValue::Word(word))
            }
        }
    }

    /// The value of a param as an expression.
    fn param_value(&mut self, value: &ParamValue, domain: Option<DomainId>, span: Span) -> Val {
        match (value, domain) {
            (ParamValue::Number(n), _) => Val::sure(self.draft.number_constant(*n, span)),
            (ParamValue::Bool(b), _) => Val::sure(self.draft.truth_constant(*b, span)),
            (ParamValue::Table(points), _) => Val::Points(points.clone()),
            (ParamValue::Word(word), Some(domain)) => match self.names.enum_value(domain, word) {
                Some(i) => Val::sure(self.draft.constant_element(domain, i, span)),
                None => Val::Poison,
            },
            (ParamValue::Word(word), None) => match word.parse() {
                Ok(n) => Val::sure(self.draft.number_constant(n, span)),
                Err(_) => Val::Poison,
            },
        }
    }
}

fn report_unknown_word(messages: &mut Messages, word: &str, words: &[String], span: Span) {
    let d = Diagnostic::error(Code::UnknownName, span, format!("`{word}` is not one of the values"))
        .note(format!("expected `{}`", words.join("` or `")));
    messages.report(match did_you_mean(word, words.iter().map(String::as_str)) {
        Some(meant) => d.help(format!("did you mean `{meant}`?")),
        None => d,
    });
}

fn report_param_type(messages: &mut Messages, span: Span) {
    let d = Diagnostic::error(Code::WrongType, span, "a param can't be of this type")
        .note("expected `1..6`, `this | that`, `8 | 4`, `bool`, `int` or `table`");
    messages.report(d);
}
