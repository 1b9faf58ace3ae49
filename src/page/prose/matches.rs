//! Matches: how many games, what counts, and who begins the next one.

use super::ends::{TEAM_SUM, has_sides, is_one_side};
use super::phrases::Wording;
use super::{RulesEntry, capitalised, players};
use houserule_language::syntax::{DeclKind, Expr, MatchEntry, MatchValue};
use houserule_model::{MatchLength, MatchRecord, MatchRules, MatchStarter, MatchTotal};

/// What a match is like, in a clause, and the keys of the rules that say so.
struct MatchClause {
    keys: &'static [&'static str],
    text: String,
}

/// Describes a match.
pub(super) fn match_play(words: Wording<'_>) -> Vec<RulesEntry> {
    let sentence = |clause: MatchClause| RulesEntry::new("", format!("{}.", capitalised(&clause.text)));
    clauses(words).into_iter().map(sentence).collect()
}

/// Describes what some entries say of a match.
pub(super) fn changed(words: Wording<'_>, entries: &[MatchEntry]) -> Vec<RulesEntry> {
    let is_changed =
        |clause: &MatchClause| entries.iter().any(|entry| clause.keys.contains(&entry.key.text.as_str()));
    let told = clauses(words).into_iter().filter(is_changed);
    told.map(|clause| RulesEntry::new("", format!("in a match, {}", clause.text))).collect()
}

/// Returns the condition that ends a match, if an entry states it.
pub(super) fn until(entry: &MatchEntry) -> Option<&Expr> {
    match &entry.value {
        MatchValue::Expr(until) if entry.key.text == "until" => Some(until),
        _ => None,
    }
}

fn clauses(words: Wording<'_>) -> Vec<MatchClause> {
    let Some(rules) = &words.model.match_rules else { return vec![] };
    let mut all = vec![
        MatchClause { keys: &["games", "until"], text: length(words, rules) },
        MatchClause { keys: &["total", "floor"], text: total(rules) },
    ];
    if words.model.players.count > 1 {
        all.push(MatchClause { keys: &[], text: winner(words) });
        // Who begins a game by its setup begins it whatever happened before, unless the setup builds on that.
        let is_set = players::names_starter(words);
        if !is_set || players::reads_starter(words) {
            all.push(MatchClause { keys: &["starter", "on_draw"], text: starter(rules, is_set) });
        }
    }
    let record = match rules.record {
        Some(MatchRecord::Max) => Some("highest"),
        Some(MatchRecord::Min) => Some("lowest"),
        None => None,
    };
    all.extend(record.map(|which| MatchClause {
        keys: &["record"],
        text: format!("the {which} score of a single game is noted"),
    }));
    all
}

fn length(words: Wording<'_>, rules: &MatchRules) -> String {
    match &rules.length {
        MatchLength::Games(1) => "1 game".to_owned(),
        MatchLength::Games(games) => format!("{games} games"),
        MatchLength::Until(_) => {
            let condition = words.decls.iter().find_map(|decl| match &decl.kind {
                DeclKind::Match(entries) => entries.iter().find_map(until),
                _ => None,
            });
            format!("games until {}", condition.map_or_else(String::new, |e| words.condition(e)))
        }
    }
}

fn total(rules: &MatchRules) -> String {
    let floor = rules.floor.map(|floor| format!(", and never falls below {floor}")).unwrap_or_default();
    let total = match rules.total {
        MatchTotal::Sum => "the sum of the scores of all games".to_owned(),
        MatchTotal::Highest(count) => format!("the sum of the {count} highest scores"),
        MatchTotal::Lowest(count) => format!("the sum of the {count} lowest scores"),
    };
    format!("the total is {total}{floor}")
}

fn winner(words: Wording<'_>) -> String {
    let (model, superlative) = (words.model, words.model.score_direction.superlative());
    if is_one_side(model) {
        return "all players are one side, so that nobody loses the match".to_owned();
    }
    match has_sides(model) {
        true => {
            let sum = TEAM_SUM.trim_end_matches('.');
            format!("the side with the {superlative} total wins the match. {sum}")
        }
        false => format!("who has the {superlative} total wins the match"),
    }
}

/// Says who begins the next game, or is to begin it until its setup names another player.
fn starter(rules: &MatchRules, is_set: bool) -> String {
    let who = |starter: MatchStarter| match starter {
        MatchStarter::Same => "who began it",
        MatchStarter::Next => "the next player",
        MatchStarter::Loser => "its loser",
        MatchStarter::Winner => "its winner",
    };
    let is_same = rules.on_draw == rules.starter;
    match is_set {
        true => {
            let after_draw =
                if is_same { String::new() } else { format!(", or after a draw {},", who(rules.on_draw)) };
            format!(
                "after a game, {}{after_draw} is to begin the next one, unless another player is named before its first \
                 turn",
                who(rules.starter)
            )
        }
        false => {
            let after_draw =
                if is_same { String::new() } else { format!("; after a draw {}", who(rules.on_draw)) };
            format!("after a game, {} begins the next one{after_draw}", who(rules.starter))
        }
    }
}
