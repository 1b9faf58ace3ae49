//! Settings from outside of the rules: `--set name=value`. Errors in them refer to the command line, not
//! to the rule file.

use crate::checker::Checker;
use crate::options::SettingError;
use houserule_language::diagnostic::did_you_mean;
use houserule_language::syntax::DeclKind;
use houserule_model::*;

fn legal(kind: &ParamKind) -> Vec<String> {
    match kind {
        ParamKind::Number { low, high } => vec![format!("{low}..{high}")],
        ParamKind::Choice(words) => words.clone(),
        ParamKind::Bool => vec!["true".into(), "false".into()],
        ParamKind::Table => vec!["[3: 1, 4: 3, 6+: 40]".into()],
    }
}

fn parse_points(text: &str) -> Option<PointsTable> {
    let inner = text.trim().strip_prefix('[')?.strip_suffix(']')?;
    let mut points = PointsTable::default();
    for entry in inner.split(',').map(str::trim).filter(|e| !e.is_empty()) {
        let (key, value) = entry.split_once(':')?;
        insert_points(&mut points, key, value)?;
    }
    Some(points)
}

/// Sets one entry; other keys covered by `k+` keep their values. `None` if invalid, or over 1000 above
/// `k`.
fn insert_points(points: &mut PointsTable, key: &str, value: &str) -> Option<()> {
    let value: i64 = value.trim().parse().ok()?;
    let key = key.trim();
    if let Some(key) = key.strip_suffix('+') {
        let key: i64 = key.trim().parse().ok()?;
        points.entries.retain(|(k, _)| *k < key);
        points.and_more = Some((key, value));
        return Some(());
    }
    let key: i64 = key.parse().ok()?;
    if let Some((from, rest)) = points.and_more
        && key >= from
    {
        if key.checked_sub(from)? > 1000 {
            return None;
        }
        points.entries.extend((from..key).map(|k| (k, rest)));
        points.and_more = Some((key.checked_add(1)?, rest));
    }
    points.entries.retain(|(k, _)| *k != key);
    points.entries.push((key, value));
    points.entries.sort_unstable();
    Some(())
}

/// Parses the value of a param.
fn parse(kind: &ParamKind, text: &str) -> Result<ParamValue, String> {
    let text = text.trim();
    match kind {
        ParamKind::Number { low, high } => {
            let n: i64 = text.parse().map_err(|_| format!("`{text}` is not a number"))?;
            if n < *low || n > *high {
                return Err(format!("{n} is out of range"));
            }
            Ok(ParamValue::Number(n))
        }
        ParamKind::Choice(words) => match words.iter().find(|w| *w == text) {
            Some(word) => Ok(ParamValue::Word(word.clone())),
            None => Err(format!("`{text}` is not one of its values")),
        },
        ParamKind::Bool => {
            text.parse().map(ParamValue::Bool).map_err(|_| format!("`{text}` is neither true nor false"))
        }
        ParamKind::Table => parse_points(text)
            .map(ParamValue::Table)
            .ok_or_else(|| format!("`{text}` is not a table of points")),
    }
}

impl Checker<'_> {
    /// The value of a param: as set, or `stands` from the rules.
    pub(super) fn set_value(&mut self, name: &str, kind: &ParamKind, stands: ParamValue) -> ParamValue {
        let mut value = stands;
        for setting in self.input.options.params {
            let (param, key) = match setting.name.split_once('.') {
                Some((param, key)) => (param, Some(key)),
                None => (setting.name.as_str(), None),
            };
            if param != name {
                continue;
            }
            let set = if self.input.fixed.iter().any(|f| f == name) {
                Err("a variant has fixed it".to_string())
            } else {
                match (key, &mut value) {
                    (None, _) => parse(kind, &setting.value),
                    (Some(key), ParamValue::Table(points)) => {
                        match insert_points(points, key, &setting.value) {
                            Some(()) => Ok(value.clone()),
                            None => Err(format!(
                                "`{key}` = `{}` is not an entry of a table of points",
                                setting.value
                            )),
                        }
                    }
                    (Some(_), _) => Err("it is no table and has no entries".to_string()),
                }
            };
            match set {
                Ok(set) => value = set,
                Err(wrong) => self.draft.messages.reject_setting(SettingError {
                    name: setting.name.clone(),
                    message: format!("the param `{name}` can't be set: {wrong}"),
                    legal: legal(kind),
                    help: match kind {
                        ParamKind::Choice(words) => {
                            did_you_mean(&setting.value, words.iter().map(String::as_str))
                                .map(|w| format!("did you mean `{w}`?"))
                        }
                        _ => None,
                    },
                }),
            }
        }
        value
    }

    /// Reports settings of unknown params.
    pub(crate) fn settings_of_nothing(&mut self) {
        let game = self.input.game;
        let mut names: Vec<&str> = vec![];
        for decl in &game.decls {
            match &decl.kind {
                DeclKind::Param(t) => names.push(&t.name.text),
                DeclKind::Hole(holes) => names.extend(holes.iter().map(|n| n.text.as_str())),
                _ => {}
            }
        }
        for setting in self.input.options.params {
            let param = setting.name.split('.').next().unwrap_or("");
            if !names.contains(&param) {
                self.draft.messages.reject_setting(SettingError {
                    name: setting.name.clone(),
                    message: format!("{} has no param `{param}`", self.draft.model.title),
                    legal: names.iter().map(ToString::to_string).collect(),
                    help: did_you_mean(param, names.iter().copied()).map(|n| format!("did you mean `{n}`?")),
                });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(text: &str) -> PointsTable {
        parse_points(text).expect("a table")
    }

    #[test]
    fn one_entry_leaves_the_others() {
        let mut points = table("[3: 1, 4: 3, 6+: 40]");
        assert_eq!(insert_points(&mut points, "4", "5"), Some(()));
        assert_eq!(points, table("[3: 1, 4: 5, 6+: 40]"));
        assert_eq!(insert_points(&mut points, "8", "90"), Some(()));
        assert_eq!([6, 7, 8, 9].map(|n| points.get(n)), [40, 40, 90, 40]);
    }

    #[test]
    fn what_is_no_table_is_refused() {
        for text in ["", "3: 1", "[3 1]", "[x: 1]", "[3: ]"] {
            assert_eq!(parse_points(text), None, "{text}");
        }
    }
}
