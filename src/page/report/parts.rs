//! The parts of a game, as JSON and as the words for them.

use serde_json::{Value as Json, json};

use houserule_game::values::{param_text, params_json, value_text};
use houserule_game::{Game, family_names};
use houserule_language::diagnostic::SourceMap;
use houserule_playtest::VERSION;

use houserule_model::{
    CheckedOption, Content, DomainId, Life, Model, Param, ParamKind, Role, Slot, Visibility,
};

/// Describes the parts of a game, which was read from `sources`.
pub fn game_json(game: &Game, sources: &SourceMap) -> Json {
    let model = game.model();
    let values = model.params.iter().zip(params_json(model).0);
    let params: Vec<Json> = values.map(|(param, (name, value))| param_json(param, &name, &value)).collect();
    let actions: Vec<Json> = model
        .actions
        .iter()
        .enumerate()
        .map(|(number, block)| {
            let domains: Vec<&str> = block.domains.iter().map(|domain| domain_name(model, *domain)).collect();
            json!({"option": block.option, "domains": domains, "subset": block.subset, "first": block.first, "size": block.size, "dead": block.dead, "seen": seen_by_others(game, number)})
        })
        .collect();
    let state: Vec<Json> = model.slots.iter().map(|slot| slot_json(game, slot)).collect();
    let observation: Vec<Json> = game
        .observation_spec()
        .into_iter()
        .map(|entry| json!({"name": entry.name, "offset": entry.offset, "length": entry.length, "shape": entry.shape, "help": entry.help}))
        .collect();
    let named = |name: &str, help: &str| json!({"name": name, "help": help});
    json!({
        "version": VERSION,
        "game": game.identity().name,
        "title": model.title,
        "help": model.help,
        "rules_sha256": game.identity().rules_sha256,
        "files": sources.iter().map(|(_, source)| source.name.clone()).collect::<Vec<_>>(),
        "players": {
            "count": model.players.count,
            "least": model.players.least,
            "most": model.players.most,
            "names": model.players.names,
        },
        "params": params,
        "action_count": game.actions(),
        "actions": actions,
        "state": state,
        "observation": observation,
        "steps": model.steps.iter().map(|step| named(&step.name, &step.help)).collect::<Vec<_>>(),
        "ends": model.end_names().map(|name| json!({"name": name})).collect::<Vec<_>>(),
        "score": model.score.iter().map(|item| named(&item.name, &item.help)).collect::<Vec<_>>(),
        "score_direction": model.score_direction.name(),
        "match": model.match_rules.is_some(),
    })
}

fn param_json(param: &Param, name: &str, value: &Json) -> Json {
    let kind = match &param.kind {
        ParamKind::Number { .. } => "number",
        ParamKind::Choice(_) => "choice",
        ParamKind::Bool => "bool",
        ParamKind::Table => "table",
    };
    json!({
        "name": name,
        "kind": kind,
        "possible": possible(param),
        "value": value,
        "default": param_text(&param.default),
        "fixed": param.fixed,
        "help": param.help,
    })
}

fn slot_json(game: &Game, slot: &Slot) -> Json {
    let model = game.model();
    let index: Vec<&str> = slot.index.iter().map(|domain| domain_name(model, *domain)).collect();
    let members = family_names(game, &slot.name, &slot.index).into_iter();
    let initial: serde_json::Map<String, Json> = members
        .zip(&slot.initial)
        .map(|(name, value)| (name, json!(value_text(game, slot.content, value))))
        .collect();
    json!({
        "name": slot.name,
        "kind": kind_name(slot.role),
        "index": index,
        "content": content_name(model, slot.content),
        "life": life_name(slot.life),
        "seen_by": seen_by(model, slot),
        "initial": initial,
        "help": slot.help,
    })
}

/// Returns the possible values of a param, as in its declaration.
pub fn possible(param: &Param) -> String {
    match &param.kind {
        ParamKind::Number { low, high } => format!("{low}..{high}"),
        ParamKind::Choice(words) => words.join(" | "),
        ParamKind::Bool => "true | false".to_owned(),
        ParamKind::Table => "table".to_owned(),
    }
}

/// Returns the name of a domain.
pub fn domain_name(model: &Model, domain: DomainId) -> &str {
    &model.domains[domain.index()].name
}

/// Returns what a slot holds, as in a declaration.
pub fn content_name(model: &Model, content: Content) -> String {
    match content {
        Content::Number { low, high } => format!("{low}..{high}"),
        Content::Bool => "bool".to_owned(),
        Content::Element { domain, optional } => {
            format!("{}{}", domain_name(model, domain), if optional { "?" } else { "" })
        }
        Content::Set(domain) => format!("set of {}", domain_name(model, domain)),
    }
}

/// Returns the word for the role of a slot.
pub fn kind_name(role: Role) -> &'static str {
    match role {
        Role::Builtin(_) => "kept by the engine",
        Role::Variable => "var",
        Role::Dice { .. } => "dice",
        Role::Piece(_) => "piece",
        Role::Empty(_) => "derived",
        Role::Known | Role::KnownCopies(_) => "knowledge",
        Role::Place | Role::SeenPlace => "order in zones",
        Role::Zone | Role::Copies => "zone",
    }
}

/// Returns how long a slot keeps its value, in words.
pub fn life_name(life: Life) -> &'static str {
    match life {
        Life::Turn => "each turn",
        Life::Round => "each round",
        Life::Game => "",
        Life::Match => "match",
    }
}

/// Returns who sees a slot: the word after `seen by`.
pub fn seen_by<'m>(model: &'m Model, slot: &Slot) -> &'m str {
    if model.shows_top(slot) { "top" } else { visibility_name(model, slot.visibility) }
}

/// Returns who sees a slot, in words.
pub fn visibility_name(model: &Model, visibility: Visibility) -> &str {
    match visibility {
        Visibility::Player(seat) => &model.players.names[seat.index()],
        Visibility::All => "all",
        Visibility::Owner => "owner",
        Visibility::Others => "others",
        Visibility::Nobody => "none",
    }
}

/// Returns what the other players learn of an action of a block: `all` of it, only the `option`, or a `part` that
/// depends on what they see.
pub fn seen_by_others(game: &Game, block: usize) -> &'static str {
    let options = game.model().choices.iter().flat_map(|choice| &choice.options);
    let hides = |option: &CheckedOption| {
        option.actions.index() == block && option.seen.is_some_and(|seen| seen != Visibility::All)
    };
    match game.may_hide(block) {
        false => "all",
        true if options.into_iter().any(hides) => "option",
        true => "part",
    }
}
