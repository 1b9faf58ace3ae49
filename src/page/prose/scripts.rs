//! The roles of scripts in the rules, in plain words.

use houserule_base::names::plain;
use houserule_game::Sheet;
use houserule_model::{Hook, HookKind, Model};

/// Returns the name of a script in the rules' description.
pub(crate) fn name(sheet: &Sheet, script: usize) -> &str {
    let file = sheet.scripts.get(script).and_then(|script| script.file.as_deref());
    file.unwrap_or("a script in the rules")
}

/// Describes what a script does, hook by hook.
pub(crate) fn does(model: &Model, script: usize) -> String {
    let mut all: Vec<String> = vec![];
    for hook in model.hooks.iter().filter(|hook| hook.script as usize == script) {
        let words = words(hook);
        // Several options of one name have a hook each.
        if !all.contains(&words) {
            all.push(words);
        }
    }
    all.join("; ")
}

fn words(hook: &Hook) -> String {
    let behind = |prefix| hook.name.strip_prefix(prefix).map(plain);
    let words = match (hook.kind, hook.name.as_str()) {
        (_, "on_setup") => "acts after the setup".to_owned(),
        (_, "on_end") => "acts when the game is over".to_owned(),
        (HookKind::Points, _) => {
            format!("says what {} counts in the score", behind("score_").unwrap_or_default())
        }
        // Internal hooks; no script has such a function.
        (HookKind::Watch, _) => "looks on".to_owned(),
        (HookKind::Filter, _) => format!("says when {} is allowed", behind("allow_").unwrap_or_default()),
        (HookKind::Effect, _) => {
            let step = |word: &str, step| format!("acts {word} the step {step}");
            let before = behind("before_").map(|name| step("before", name));
            let after = before.or_else(|| behind("after_").map(|name| step("after", name)));
            let option = || format!("acts after the option {}", behind("on_").unwrap_or_default());
            after.unwrap_or_else(option)
        }
    };
    if hook.draws { format!("{words}, and leaves something to chance") } else { words }
}

/// Returns the names of the functions that differ between two versions of a script, ignoring comments and
/// whitespace.
pub(crate) fn changed(old: &str, new: &str) -> Vec<String> {
    let (old, new) = (functions(old), functions(new));
    let body = |all: &[(String, String)], name: &str| {
        all.iter().find(|(known, _)| known == name).map(|(_, body)| body.clone())
    };
    let mut names: Vec<&String> = old.iter().chain(&new).map(|(name, _)| name).collect();
    names.retain(|name| body(&old, name) != body(&new, name));
    let mut names: Vec<String> = names.into_iter().cloned().collect();
    names.sort();
    names.dedup();
    names
}

/// Splits a script into functions. They are never nested.
fn functions(text: &str) -> Vec<(String, String)> {
    let mut all: Vec<(String, String)> = vec![];
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("//")) {
        match (line.strip_prefix("fn "), all.last_mut()) {
            (Some(head), _) => {
                let name = head.split('(').next().unwrap_or(head).trim();
                all.push((name.to_owned(), line.to_owned()));
            }
            (None, Some((_, body))) => body.push_str(&format!("\n{line}")),
            (None, None) => {}
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_spaces_make_no_other_function() {
        let old = "// One.\nfn one(g) {\n  1\n}\nfn two(g) { 2 }\n";
        assert!(changed(old, "fn one(g) {\n1\n\n  // None.\n}\nfn two(g) { 2 }").is_empty());
        assert_eq!(changed(old, "fn one(g) {\n  1\n}\nfn two(g) { 3 }\nfn three(g) { 3 }"), ["three", "two"]);
    }
}
