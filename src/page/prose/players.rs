//! Who plays, and who begins.

use super::grammar::is_several;
use super::phrases::{Wording, is_name};
use super::{RulesEntry, capitalised};
use houserule_base::names::{list_words, plain};
use houserule_language::format::print;
use houserule_language::syntax::{Block, Decl, DeclKind, Expr, ExprKind, Stmt, StmtKind};
use houserule_language::vocabulary::BuiltInName;
use houserule_model::Model;

/// Says how many players there are or who they are, and who begins unless the rules leave it open.
pub(super) fn players(words: Wording<'_>) -> String {
    let players = &words.model.players;
    // In the first game, the first player is the starter until the setup names another one.
    let sets_up = match players.count > 1 && names_starter(words) && reads_starter(words) {
        true => format!(
            " {} is to begin (the starter), unless another player is named before the first turn.",
            capitalised(&players.names[0])
        ),
        false => String::new(),
    };
    let named = players.names.iter().any(|name| !name.starts_with("player "));
    match (players.least, players.most) {
        (1, 1) => "One player.".to_owned(),
        (least, most) if least == most && named => {
            let names = format!("{}: {}.", numeral(most), list_words(&players.names));
            match names_starter(words) {
                true => format!("{names}{sets_up}"),
                false => {
                    let first = &players.names[0];
                    let verb = if is_several(first) { "begin" } else { "begins" };
                    format!("{names} {} {verb}.", capitalised(first))
                }
            }
        }
        (least, most) => {
            let number = match least == most {
                true => format!("{} players.", numeral(most)),
                false => format!("{least} to {most} players (this sheet is for {}).", players.count),
            };
            let first = &players.names[0];
            match (names_starter(words) || !starter_acts_first(words), players.count) {
                (true, _) => format!("{number}{sets_up}"),
                (false, 1) => format!("{number} If there are several, {first} begins."),
                (false, _) => format!("{number} {} begins.", capitalised(first)),
            }
        }
    }
}

/// Returns `true` if the starter acts before all others: in a turn, or first in a round.
fn starter_acts_first(words: Wording<'_>) -> bool {
    // `None` for a block in which nobody acts.
    fn first(block: &Block) -> Option<bool> {
        block.stmts.iter().find_map(|stmt| match &stmt.kind {
            StmtKind::EachPlayer { of, from, .. } => {
                let is_starter = |from: &Expr| is_name(from, BuiltInName::Starter.name());
                Some(of.is_none() && from.as_ref().is_none_or(is_starter))
            }
            // What a procedure does isn't looked at.
            StmtKind::Call { .. } | StmtKind::As { .. } | StmtKind::Together(_) => Some(false),
            _ => stmt.blocks().into_iter().find_map(first),
        })
    }
    words.decls.iter().any(|decl| match &decl.kind {
        DeclKind::Turn(_) => true,
        DeclKind::Round(body) => first(body) == Some(true),
        _ => false,
    })
}

/// Returns `true` if the setup may let another player begin than the first.
pub(super) fn names_starter(words: Wording<'_>) -> bool {
    let names = |decl: &Decl| matches!(&decl.kind, DeclKind::Setup { body, .. } if sets_starter(words, body));
    words.decls.iter().any(names)
}

/// Returns `true` if the setup says anything about who was to begin.
pub(super) fn reads_starter(words: Wording<'_>) -> bool {
    fn sets(one: &Stmt) -> usize {
        let own = match &one.kind {
            StmtKind::Assign { target, .. } => usize::from(is_name(target, BuiltInName::Starter.name())),
            _ => 0,
        };
        let within = one.blocks().into_iter().flat_map(|block| &block.stmts);
        own + within.map(sets).sum::<usize>()
    }
    let reads = |body: &Block| {
        let text = print::block(body);
        let names = text.split(|sign: char| !sign.is_alphanumeric() && sign != '_');
        let named = names.filter(|name| *name == BuiltInName::Starter.name()).count();
        named > body.stmts.iter().map(sets).sum::<usize>()
    };
    words.decls.iter().any(|decl| matches!(&decl.kind, DeclKind::Setup { body, .. } if reads(body)))
}

/// Returns `true` if a help text says who begins.
pub(super) fn tells_starter(help: &str) -> bool {
    let words = ["begin", "begins", "lead", "leads", "start", "starts", "starter"];
    let ways = ["goes first", "moves first", "plays first", "acts first"];
    let mut told = help.split(|sign: char| !sign.is_alphabetic());
    told.any(|word| words.contains(&word.to_lowercase().as_str()))
        || ways.iter().any(|way| help.contains(way))
}

/// Returns `true` if a round may say who begins the next one.
pub(super) fn changes_starter(words: Wording<'_>) -> bool {
    let changes = |decl: &Decl| matches!(&decl.kind, DeclKind::Round(body) if sets_starter(words, body));
    words.decls.iter().any(changes)
}

/// Returns `true` if a block may name the starter, or who is next.
pub(super) fn sets_starter(words: Wording<'_>, block: &Block) -> bool {
    block.stmts.iter().any(|stmt| {
        let own = match &stmt.kind {
            StmtKind::Assign { target, .. } => match &target.kind {
                ExprKind::Name(name) => BuiltInName::named(&name.text) == Some(BuiltInName::Starter),
                _ => false,
            },
            StmtKind::Next(_) => true,
            // What a function of a script does isn't known here.
            StmtKind::Call { name, .. } => {
                words.procedure(&name.text).is_none_or(|(_, _, body)| sets_starter(words, body))
            }
            _ => false,
        };
        own || stmt.blocks().into_iter().any(|block| sets_starter(words, block))
    })
}

/// Describes the teams.
pub(super) fn teams(model: &Model) -> impl Iterator<Item = RulesEntry> {
    model.teams.iter().map(|team| {
        let names: Vec<String> =
            team.players.iter().map(|p| model.players.names[p as usize].clone()).collect();
        let help = if team.help.is_empty() { String::new() } else { format!(": {}", team.help) };
        RulesEntry::new(
            plain(&team.name),
            format!("{}, who win and lose together{help}.", list_words(&names)),
        )
    })
}

fn numeral(number: u32) -> String {
    match number {
        2 => "Two".to_owned(),
        3 => "Three".to_owned(),
        4 => "Four".to_owned(),
        number => number.to_string(),
    }
}
