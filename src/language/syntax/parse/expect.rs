//! Describes in words what the grammar expected at an error.

use super::Rule;
use super::build::is_value;
use crate::diagnostic::Code;
use crate::vocabulary::keywords;

/// The constructs that the grammar expected.
#[derive(Clone, Debug, Default)]
pub(super) struct Expected {
    pub(super) value: bool,
    pub(super) name: bool,
    pub(super) ty: bool,
    pub(super) text: bool,
    /// `each turn`, `seen by owner`, …
    pub(super) modifier: bool,
    /// An operator, a field or an index: the value before can continue.
    pub(super) operator: bool,
    /// The fragment can end here.
    pub(super) end: bool,
    pub(super) words: Vec<String>,
    infix: Vec<String>,
    pub(super) signs: Vec<&'static str>,
}

impl Expected {
    pub(super) fn new(rules: &[Rule]) -> Self {
        let mut expected = Expected::default();
        for rule in rules {
            expected.add(*rule);
        }
        // Where a value can continue, an argument list, `and`, `in` and the like count as operators.
        if !expected.operator {
            expected.words.append(&mut expected.infix);
        }
        if expected.operator || expected.signs.len() + expected.words.len() > 1 {
            expected.signs.retain(|sign| *sign != "(");
        }
        expected.words.sort();
        expected.words.dedup();
        expected.signs.sort_unstable();
        expected.signs.dedup();
        expected
    }

    fn add(&mut self, rule: Rule) {
        match rule {
            rule if is_value(rule) => self.value = true,
            Rule::quant_w | Rule::names | Rule::fn_word | Rule::arg | Rule::pair | Rule::op_negate => {
                self.value = true;
            }
            Rule::name | Rule::label | Rule::end_name | Rule::target | Rule::binder | Rule::field_d => {
                self.name = true
            }
            Rule::ty | Rule::ty_one | Rule::choice => self.ty = true,
            Rule::text => self.text = true,
            Rule::EOI => self.end = true,
            Rule::modifier => self.modifier = true,
            Rule::arg_name
            | Rule::values
            | Rule::match_w
            | Rule::ranked
            | Rule::p_more
            | Rule::p_question => {}
            Rule::result => self.words.extend(["win", "lose", "draw"].map(str::to_owned)),
            Rule::params | Rule::p_lparen | Rule::args => self.signs.push("("),
            Rule::index | Rule::field | Rule::p_dot | Rule::p_lbracket | Rule::p_range | Rule::p_bar => {}
            Rule::is_tail | Rule::in_tail => self.operator = true,
            Rule::fields | Rule::listed | Rule::p_lbrace => self.signs.push("{"),
            Rule::p_rparen => self.signs.push(")"),
            Rule::p_rbracket => self.signs.push("]"),
            Rule::p_rbrace => self.signs.push("}"),
            Rule::p_comma => self.signs.push(","),
            Rule::p_colon => self.signs.push(":"),
            Rule::p_set => self.signs.push("="),
            Rule::p_add_to => self.signs.push("+="),
            Rule::p_take_off => self.signs.push("-="),
            other => self.keyword(&format!("{other:?}")),
        }
    }

    fn keyword(&mut self, rule: &str) {
        if rule.starts_with("op_") {
            self.operator = true;
        } else if let Some(word) = rule.strip_prefix("k_") {
            if keywords::has(word, keywords::OPERATOR) {
                self.infix.push(word.to_owned());
            } else if keywords::has(word, keywords::VALUE) {
                self.value = true;
            } else {
                self.words.push(word.to_owned());
            }
        }
    }

    /// The expected constructs as a phrase, most informative first. Signs and keywords after a value
    /// that could also continue are named. Operators are named only if there is nothing else.
    pub(super) fn phrase(&self) -> String {
        let mut parts = vec![];
        if self.ty {
            parts.push("a type".to_owned());
        } else if self.value {
            parts.push("a value".to_owned());
        } else if self.name {
            parts.push("a name".to_owned());
        }
        parts.extend(self.signs.iter().map(|sign| format!("`{sign}`")));
        parts.extend(self.words.iter().map(|word| format!("`{word}`")));
        if self.text && parts.is_empty() {
            parts.push("a text in double quotes".to_owned());
        }
        if self.end && self.operator && parts.is_empty() {
            parts.push("an operator or the end".to_owned());
        } else if parts.is_empty() && self.operator {
            parts.push("an operator".to_owned());
        }
        parts.truncate(5);
        match parts.pop() {
            None => "nothing more".to_owned(),
            Some(last) if parts.is_empty() => last,
            Some(last) => format!("{} or {last}", parts.join(", ")),
        }
    }

    /// The code of the error.
    pub(super) fn code(&self) -> Code {
        if self.ty {
            Code::ExpectedType
        } else if self.end {
            Code::StrayWord
        } else if self.value {
            Code::ExpectedValue
        } else if self.name {
            Code::ExpectedName
        } else if !self.signs.is_empty() {
            Code::ExpectedSign
        } else if !self.words.is_empty() {
            Code::ExpectedWord
        } else if self.text {
            Code::ExpectedText
        } else {
            Code::StrayWord
        }
    }
}
