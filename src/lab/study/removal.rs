//! The rules of a game that can be taken away, each with the game without it.
//!
//! A removal is a variant on top of the game, such as `extend joker { without joker }` or `fix jokers = 0`. A change
//! of a variant is removed from the variant's own text. The rest is loaded like any other variant, with the same
//! params, and a few games are played: a removal after which games don't end is none.

use std::ops::Range;

use serde::Serialize;

use super::edited::EditedVariant;
use houserule_base::interrupt::{self, Interrupt};
use houserule_base::numbers::counted;
use houserule_base::rng::Stream;
use houserule_game::values::param_text;
use houserule_game::{Game, RuntimeError, RuntimeErrorKind, Seat, State};
use houserule_language::diagnostic::{FileId, Severity, SourceMap, did_you_mean};
use houserule_language::format::{format as formatted, print};
use houserule_language::syntax::{Decl, DeclKind, Edit, EditKind, ExtendPart, Name, StmtKind, Variant};
use houserule_language::variants::origin::TextSource;
use houserule_language::variants::{Origin, StackPart};
use houserule_loader::{LoadError, load_origin};
use houserule_model::{CheckedOption, ParamKind, ParamValue};
use houserule_players::agent::{Agent, Barred, agent_stream, apply_choice};
use houserule_players::agents::{Greedy, Random};

/// Number of random games that are played without a rule, to see that they end.
const RANDOM_GAMES: u64 = 40;

/// Number of greedy games that are played for the same purpose.
const GREEDY_GAMES: u64 = 3;

/// A game without a rule may have this many times the decisions of the longest game with it.
const LONGER: u64 = 20;

/// The number of decisions that any game may have.
const SHORT: u64 = 1_000;

/// Seed of these games.
const SEED: u64 = 1;

/// The kinds of rules that can be removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum RuleKind {
    /// An option of a choice.
    Option,
    /// An item of the score.
    Score,
    /// An end.
    End,
    /// A param that can be 0, and isn't.
    Param,
    /// A change that a variant makes.
    Change,
    /// All changes of a variant.
    Variant,
}

impl RuleKind {
    /// Its name in labels and JSON.
    pub fn name(self) -> &'static str {
        match self {
            RuleKind::Option => "option",
            RuleKind::Score => "score",
            RuleKind::End => "end",
            RuleKind::Param => "param",
            RuleKind::Change => "change",
            RuleKind::Variant => "variant",
        }
    }
}

/// A rule, and what is left without it.
#[derive(Clone, Debug)]
pub struct Removal {
    /// Its kind.
    pub kind: RuleKind,
    /// Its name: `joker`, `joker of place` if several choices have such an option, `jokers = 1`, `board cell`.
    pub name: String,
    /// Its help text; may be empty.
    pub help: String,
    /// The house rule that removes it: a variant on top of the game, or the variant without this change.
    pub rule: String,
    /// The actions of an option; else nothing is barred.
    pub barred: Option<Barred>,
    /// The game without it, or the reason why there is none, in one line.
    pub game: Result<Game, String>,
    /// For an option that can't be removed: games still end if one of several seats must not use it.
    pub restricts: bool,
}

impl Removal {
    /// Its kind and name: `option joker`.
    pub fn label(&self) -> String {
        format!("{} {}", self.kind.name(), self.name)
    }

    /// Returns `true` if a user who writes `name` means this rule: its name, or its label.
    fn is_called(&self, name: &str) -> bool {
        let param = self.name.split(" = ").next().filter(|_| self.kind == RuleKind::Param);
        let option = self.name.split(" of ").next().filter(|_| self.kind == RuleKind::Option);
        // `var jokers_left` is also called by its name alone.
        let changed =
            self.name.split_once(' ').filter(|_| self.kind == RuleKind::Change).map(|(_, name)| name);
        [Some(self.name.as_str()), param, option, changed].into_iter().flatten().any(|own| {
            name == own || name.strip_prefix(self.kind.name()).is_some_and(|rest| rest.trim() == own)
        })
    }
}

/// A rule to be removed, and the ways to do so, of which the first that works is taken.
struct Candidate {
    kind: RuleKind,
    name: String,
    help: String,
    barred: Option<Barred>,
    ways: Vec<RuleChange>,
}

/// A changed game that hasn't been loaded yet.
struct RuleChange {
    rule: String,
    origin: Origin,
    /// The variant that was written again, if one was.
    edited: Option<EditedVariant>,
}

/// Why a rule is not removed whose removal there was no time to try.
const NO_TIME_TO_TRY: &str = "there was no time to try the game without it";

/// Returns the rules of a game that can be named: options, items of the score, ends, params that can be 0, and the
/// changes of its variants. With names in `only`, returns just these; fails with a message if there is no such rule.
/// Loads and tries the game without each rule; `tell` gets the number of rules done and their total.
pub fn removals(game: &Game, only: &[String], tell: &dyn Fn(usize, usize)) -> Result<Vec<Removal>, String> {
    removals_until(game, only, tell, &Interrupt::new())
}

/// Like [`removals`]; after `limit`, no further removal is tried, and the rest can't be removed for want of time.
pub(super) fn removals_until(
    game: &Game,
    only: &[String],
    tell: &dyn Fn(usize, usize),
    limit: &Interrupt,
) -> Result<Vec<Removal>, String> {
    let candidates = candidates(game)?;
    let mut found: Vec<Removal> = candidates.iter().map(Candidate::untried).collect();
    for name in only {
        if !found.iter().any(|removal| removal.is_called(name.trim())) {
            return Err(no_such(name, &found));
        }
    }
    let is_wanted =
        |removal: &Removal| only.is_empty() || only.iter().any(|name| removal.is_called(name.trim()));
    let wanted: Vec<bool> = found.iter().map(is_wanted).collect();
    let all = wanted.iter().filter(|wanted| **wanted).count();
    let longest = limit.scope(|| longest(game)).unwrap_or(0);
    interrupt::check();
    // The rules of the game, and of those that have already been found.
    let mut known = vec![printed(game)];
    let (mut kept, mut done) = (vec![], 0);
    for ((mut removal, candidate), wanted) in found.drain(..).zip(candidates).zip(wanted) {
        if !wanted {
            continue;
        }
        tell(done, all);
        done += 1;
        let tried = limit.scope(|| {
            interrupt::check();
            try_removal(game, &mut removal, candidate, &mut known, longest)
        });
        interrupt::check();
        match tried {
            // Another removal comes to the same: an option is a change of the variant that adds it.
            Ok(false) => continue,
            Ok(true) => {}
            Err(_) => removal.game = Err(NO_TIME_TO_TRY.to_owned()),
        }
        kept.push(removal);
    }
    Ok(kept)
}

/// Loads the game without a rule, and tries it. Returns `false` if it is one of the `known` rules, the first of which are those
/// of the game itself.
fn try_removal(
    game: &Game,
    removal: &mut Removal,
    candidate: Candidate,
    known: &mut Vec<String>,
    longest: u64,
) -> bool {
    (removal.rule, removal.game) = candidate.load(game);
    if let Ok(without) = &removal.game {
        let rules = printed(without);
        if known.first() == Some(&rules) {
            removal.game = Err("the rules are the same without it".to_owned());
        } else if known.contains(&rules) {
            return false;
        } else {
            known.push(rules);
            if let Err(reason) = ends(without, longest) {
                removal.game = Err(reason);
            }
        }
    }
    if let (Err(_), Some(barred)) = (&removal.game, &removal.barred) {
        removal.restricts = game.players() > 1 && ends_for_all_but_one(game, barred, longest);
    }
    true
}

fn no_such(name: &str, found: &[Removal]) -> String {
    let labels: Vec<String> = found.iter().map(Removal::label).collect();
    let names = found.iter().map(|removal| removal.name.as_str());
    let meant = did_you_mean(name, names.chain(labels.iter().map(String::as_str)));
    match meant {
        Some(meant) => format!("the game has no rule `{name}` to remove; did you mean `{meant}`?"),
        None => {
            let list: Vec<String> = labels.iter().map(|label| format!("`{label}`")).collect();
            format!("the game has no rule `{name}` to remove; it has {}", list.join(", "))
        }
    }
}

impl Candidate {
    fn untried(&self) -> Removal {
        Removal {
            kind: self.kind,
            name: self.name.clone(),
            help: self.help.clone(),
            rule: String::new(),
            barred: self.barred.clone(),
            game: Err(String::new()),
            restricts: false,
        }
    }

    /// Returns the house rule that removes it, and the game without it.
    fn load(self, base: &Game) -> (String, Result<Game, String>) {
        let mut first = None;
        for way in self.ways {
            let loaded = load_origin(&way.origin);
            let edited = way.edited.as_ref();
            let game = loaded
                .map(|loaded| loaded.game)
                .map_err(|error| reason(&error, &base.sheet().sources, edited));
            match game {
                Ok(game) => return (way.rule, Ok(game)),
                Err(reason) => first = first.or(Some((way.rule, Err(reason)))),
            }
        }
        first.unwrap_or_else(|| (String::new(), Err("the rules can't say it".to_owned())))
    }
}

/// Returns the first error of changed rules, in one line, with its place if that is in the text of the game. An error in a
/// variant that was written again is of a change that needs the one that was left out.
fn reason(error: &LoadError, known: &SourceMap, edited: Option<&EditedVariant>) -> String {
    match error {
        LoadError::Rules { diagnostics, sources, .. } => {
            let Some(first) = diagnostics.iter().find(|message| message.severity == Severity::Error) else {
                return "the rules have errors".to_owned();
            };
            let span = first.primary.span;
            let file = sources.get(span.file);
            let is_known = known.iter().any(|(_, source)| source.name == file.name);
            let (line, change) = match edited.filter(|edited| edited.file == *file) {
                Some(edited) => edited.place(span.start as usize, sources.text(span), known),
                None => (sources.line_column(span).line, None),
            };
            let place = if is_known { format!(" ({}:{line})", file.name) } else { String::new() };
            match change {
                Some(change) => format!("the change `{change}`{place} needs it: {}", first.message),
                None => format!("{}{place}", first.message),
            }
        }
        LoadError::Compile(message) => message.clone(),
        LoadError::Request(messages) => messages.join("; "),
    }
}

/// The text of the rules with their params, to find removals that come to the same.
fn printed(game: &Game) -> String {
    let decls = game.sheet().tree.iter().flat_map(|tree| &tree.decls);
    let params =
        game.model().params.iter().map(|param| format!("{} = {}", param.name, param_text(&param.value)));
    decls.map(print::decl_code).chain(params).collect::<Vec<_>>().join("\n")
}

fn candidates(game: &Game) -> Result<Vec<Candidate>, String> {
    let sheet = game.sheet();
    if sheet.tree.is_none() || sheet.origin.parts.is_empty() {
        return Err("the rules of this game can't be read, so none can be removed".to_owned());
    }
    let mut all = options(game);
    all.extend(score_items(game));
    all.extend(ends_of(game));
    all.extend(params(game));
    for variant in sheet.variants.iter() {
        all.extend(changes(game, variant));
    }
    Ok(all)
}

/// Returns the game with a house rule on top: `change` is what the variant says.
fn on_top(game: &Game, title: &str, change: &str) -> RuleChange {
    let sheet = game.sheet();
    let below = sheet.variants.last().map_or(sheet.base.as_str(), |variant| variant.title.text.as_str());
    // Rules from a string have no name by which they can be loaded, and are found by their title.
    let by_name = sheet.names.last().filter(|name| {
        let file = name.split(".rules#").next().unwrap_or_default();
        let is_it = |place: &TextSource| match place {
            TextSource::Bundled(known) => known == *name,
            TextSource::Paths(paths) => {
                paths.iter().any(|path| path == *name || path.trim_end_matches(".rules") == file)
            }
            TextSource::Text => false,
        };
        sheet.origin.files.iter().any(|file| is_it(&file.place))
    });
    let of = by_name.map_or(below, String::as_str);
    let name = format!("without {title}");
    let rule = format!("variant {} of {} {{ {change} }}", print::quoted(&name), print::quoted(of));
    let mut origin = sheet.origin.clone();
    origin.players = Some(game.players());
    origin.parts.push(StackPart::Text { name, text: rule.clone() });
    RuleChange { rule: laid_out(rule), origin, edited: None }
}

fn options(game: &Game) -> Vec<Candidate> {
    let model = game.model();
    let mut seen: Vec<(&str, &str)> = vec![];
    let mut all = vec![];
    // A procedure that is called twice has its choices twice.
    let places =
        model.choices.iter().flat_map(|choice| choice.options.iter().map(move |option| (choice, option)));
    for (choice, option) in places.clone() {
        if seen.contains(&(&choice.name, &option.name)) {
            continue;
        }
        seen.push((&choice.name, &option.name));
        let is_one_of_several =
            places.clone().any(|(other, same)| same.name == option.name && other.name != choice.name);
        let name = match is_one_of_several {
            true => format!("{} of {}", option.name, choice.name),
            false => option.name.clone(),
        };
        let within = format!("extend {} {{ without {} }}", choice.name, option.name);
        let alone = format!("without option {}", option.name);
        let ways = match is_one_of_several {
            true => vec![on_top(game, &name, &within)],
            false => vec![on_top(game, &name, &within), on_top(game, &name, &alone)],
        };
        all.push(Candidate {
            kind: RuleKind::Option,
            name,
            help: option.help.clone(),
            barred: Some(Barred::new([actions(game, option)])),
            ways,
        });
    }
    all
}

/// Returns the numbers of an option's actions.
fn actions(game: &Game, option: &CheckedOption) -> Range<u32> {
    let block = &game.model().actions[option.actions.index()];
    block.first..block.first + block.size
}

/// Returns the items of the score, if there are several. Without its only item a game has no score.
fn score_items(game: &Game) -> Vec<Candidate> {
    let items = &game.model().score;
    let candidate = |name: &String, help: &String| Candidate {
        kind: RuleKind::Score,
        name: name.clone(),
        help: help.clone(),
        barred: None,
        ways: vec![on_top(game, name, &format!("without score {name}"))],
    };
    let several = items.iter().filter(|_| items.len() > 1);
    several.map(|item| candidate(&item.name, &item.help)).collect()
}

fn ends_of(game: &Game) -> Vec<Candidate> {
    let ends = game.sheet().tree.iter().flat_map(|tree| &tree.decls).filter_map(|decl| match &decl.kind {
        DeclKind::End { name, .. } => {
            let name = name.as_ref().map_or("", |name| name.text.as_str());
            Some((name, decl.help.as_ref().map_or("", |help| help.text.as_str())))
        }
        _ => None,
    });
    let mut all: Vec<Candidate> = vec![];
    for (name, help) in ends {
        // Ends without a name can only be removed together.
        let called = if name.is_empty() { "without a name" } else { name };
        if all.iter().any(|other| other.name == called) {
            continue;
        }
        let change = format!("without end {name}");
        all.push(Candidate {
            kind: RuleKind::End,
            name: called.to_owned(),
            help: help.to_owned(),
            barred: None,
            ways: vec![on_top(game, called, change.trim_end())],
        });
    }
    all
}

/// Returns the params whose least value is 0, and which are more than that.
fn params(game: &Game) -> Vec<Candidate> {
    let mut all = vec![];
    for param in &game.model().params {
        let (ParamKind::Number { low: 0, .. }, ParamValue::Number(value)) = (&param.kind, &param.value)
        else {
            continue;
        };
        if *value == 0 {
            continue;
        }
        let mut way = on_top(game, &param.name, &format!("fix {} = 0", param.name));
        // A constant can't be set.
        way.origin.settings.retain(|setting| setting.name != param.name);
        all.push(Candidate {
            kind: RuleKind::Param,
            name: format!("{} = {value}", param.name),
            help: param.help.clone(),
            barred: None,
            ways: vec![way],
        });
    }
    all
}

/// Returns the changes of a variant, and all of them together.
fn changes(game: &Game, variant: &Variant) -> Vec<Candidate> {
    let mut all = vec![];
    for (at, edit) in variant.edits.iter().enumerate() {
        for part in parts(edit) {
            let edits: Vec<Edit> = variant
                .edits
                .iter()
                .enumerate()
                .filter_map(|(other, edit)| if other == at { part.rest.clone() } else { Some(edit.clone()) })
                .collect();
            let edits: Vec<(String, Edit)> = edits.into_iter().map(|edit| (edit_name(&edit), edit)).collect();
            all.push(Candidate {
                kind: RuleKind::Change,
                name: part.name,
                help: part.help,
                barred: None,
                ways: replaced(game, variant, &edits).into_iter().collect(),
            });
        }
    }
    if all.len() != 1 {
        all.push(Candidate {
            kind: RuleKind::Variant,
            name: variant.title.text.clone(),
            help: variant.help.clone(),
            barred: None,
            ways: replaced(game, variant, &[]).into_iter().collect(),
        });
    }
    all
}

/// Returns the game with other edits, each with its name, in one of its variants.
fn replaced(game: &Game, variant: &Variant, edits: &[(String, Edit)]) -> Option<RuleChange> {
    let sheet = game.sheet();
    let source = sheet.sources.get(variant.span.file);
    let edited = EditedVariant::write(variant, edits, &sheet.sources)?;
    let text = &edited.file.text;
    let mut origin = sheet.origin.clone();
    origin.players = Some(game.players());
    for file in &mut origin.files {
        if file.name == source.name && file.text == source.text {
            file.text.clone_from(text);
        }
    }
    for part in &mut origin.parts {
        if let StackPart::Text { text: own, .. } = part
            && *own == source.text
        {
            own.clone_from(text);
        }
    }
    Some(RuleChange { rule: laid_out(edited.rule.clone()), origin, edited: Some(edited) })
}

/// Returns the name of an edit: that of its change, or its first words if it makes several.
fn edit_name(edit: &Edit) -> String {
    match parts(edit).as_slice() {
        [one] => one.name.clone(),
        _ => {
            let text = print::edit(edit);
            text.split(['{', ':', '\n']).next().unwrap_or_default().trim().to_owned()
        }
    }
}

/// Returns rules in the standard layout.
fn laid_out(rule: String) -> String {
    formatted(FileId(0), &rule).map_or(rule, |text| text.trim_end().to_owned())
}

/// A change of a variant: its name, and what is left of its edit without it.
struct ChangePart {
    name: String,
    help: String,
    rest: Option<Edit>,
}

/// Returns the changes that an edit makes: one, or one for each item of a score and each part of a choice.
fn parts(edit: &Edit) -> Vec<ChangePart> {
    let help = |help: Option<&Name>| help.map_or_else(String::new, |help| help.text.clone());
    let one = |name: String, help: String| vec![ChangePart { name, help, rest: None }];
    let (new, decl) = match &edit.kind {
        EditKind::Declare { new, decl } => (*new, decl),
        EditKind::Fix { name, value } => {
            return one(format!("{} = {}", name.text, print::expr(value)), String::new());
        }
        EditKind::Default { name, value, help: text } => {
            return one(format!("{} = {}", name.text, print::expr(value)), help(text.as_ref()));
        }
        EditKind::Without { .. } => return one(print::edit(edit), String::new()),
        EditKind::InsertStep { step, .. } | EditKind::Step(step) => {
            let StmtKind::Step { name, help: text, .. } = &step.kind else { return vec![] };
            return one(format!("step {}", name.text), help(text.as_ref()));
        }
        EditKind::Extend { choose, parts } => {
            let without = |at: usize| {
                let rest = leave_out(parts, at);
                let kind = EditKind::Extend { choose: choose.clone(), parts: rest };
                (parts.len() > 1).then_some(Edit { kind, span: edit.span })
            };
            let of = &choose.text;
            let part = |(at, part): (usize, &ExtendPart)| {
                let (name, text) = match part {
                    ExtendPart::Option(option) => {
                        (format!("option {} of {of}", option.name.text), help(option.help.as_ref()))
                    }
                    ExtendPart::Otherwise { help: text, .. } => {
                        (format!("otherwise of {of}"), help(text.as_ref()))
                    }
                    ExtendPart::Around { after, option, .. } => {
                        let place = if *after { "after" } else { "before" };
                        (format!("{place} {} of {of}", option.text), String::new())
                    }
                    ExtendPart::Without(option) => {
                        (format!("without {} of {of}", option.text), String::new())
                    }
                    ExtendPart::Hole => return None,
                };
                Some(ChangePart { name, help: text, rest: without(at) })
            };
            return parts.iter().enumerate().filter_map(part).collect();
        }
        // A help text changes nothing in the game.
        EditKind::StepHelp { .. } | EditKind::Hole => return vec![],
    };
    let declared = |kind: DeclKind| {
        let decl = Decl { kind, ..decl.clone() };
        Some(Edit { kind: EditKind::Declare { new, decl }, span: edit.span })
    };
    match &decl.kind {
        DeclKind::Score(entries) => {
            let rest =
                |at| (entries.len() > 1).then(|| declared(DeclKind::Score(leave_out(entries, at)))).flatten();
            let part = |(at, entry): (usize, &houserule_language::syntax::ScoreEntry)| ChangePart {
                name: format!("score {}", entry.name.text),
                help: help(entry.help.as_ref()),
                rest: rest(at),
            };
            entries.iter().enumerate().map(part).collect()
        }
        DeclKind::Match(entries) => {
            let rest =
                |at| (entries.len() > 1).then(|| declared(DeclKind::Match(leave_out(entries, at)))).flatten();
            let part = |(at, entry): (usize, &houserule_language::syntax::MatchEntry)| ChangePart {
                name: format!("match {}", entry.key.text),
                help: String::new(),
                rest: rest(at),
            };
            entries.iter().enumerate().map(part).collect()
        }
        _ => one(head(&print::decl_code(decl)), help(decl.help.as_ref())),
    }
}

fn leave_out<T: Clone>(list: &[T], at: usize) -> Vec<T> {
    list.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, one)| one.clone()).collect()
}

/// Returns the kind and the name of a declaration, from its text: `board cell`, `define named`, `players`.
fn head(code: &str) -> String {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut words = code.split(|c: char| c == ' ' || !is_word(c)).filter(|word| !word.is_empty());
    let kind = words.next().unwrap_or_default().to_owned();
    match kind.as_str() {
        "turn" | "round" | "winner" | "ties" | "payoff" | "limit" | "players" | "require" | "script" => kind,
        _ => match words.next() {
            Some(name) if !code[kind.len()..].trim_start().starts_with('{') => format!("{kind} {name}"),
            _ => kind,
        },
    }
}

/// Returns the agent for each seat.
fn seats(game: &Game, agent: &dyn Agent) -> Vec<Box<dyn Agent>> {
    (0..game.players()).map(|_| agent.copy()).collect()
}

/// Returns the number of decisions in the longest of some random games.
fn longest(game: &Game) -> u64 {
    let played = (0..RANDOM_GAMES).map(|index| {
        play(game, &mut seats(game, &Random), index, u64::MAX).map_or(0, |state| state.decisions())
    });
    played.max().unwrap_or(0)
}

/// Returns the reason if some random and greedy games are aborted or don't end.
fn ends(game: &Game, longest: u64) -> Result<(), String> {
    for (agent, games) in test_players() {
        ends_with(game, seats(game, &*agent), &agent.name(), games, longest)?;
    }
    Ok(())
}

/// The agents that play a game without a rule to see that it ends, each with its number of games.
fn test_players() -> [(Box<dyn Agent>, u64); 2] {
    [(Box::new(Random), RANDOM_GAMES), (Box::new(Greedy::default()), GREEDY_GAMES)]
}

/// Returns `true` if games end in which one of the seats must not use an option, whichever seat it is.
fn ends_for_all_but_one(game: &Game, barred: &Barred, longest: u64) -> bool {
    (0..game.players() as usize).all(|seat| {
        test_players().into_iter().all(|(agent, games)| {
            let mut agents = seats(game, &*agent);
            let Some(restricted) = agent.restricted(barred) else { return false };
            agents[seat] = restricted;
            ends_with(game, agents, &agent.name(), games, longest).is_ok()
        })
    })
}

fn ends_with(
    game: &Game,
    mut agents: Vec<Box<dyn Agent>>,
    name: &str,
    games: u64,
    longest: u64,
) -> Result<(), String> {
    let limit = longest.saturating_mul(LONGER).max(SHORT);
    for index in 0..games {
        let state = play(game, &mut agents, index, limit).map_err(|error| match error.kind {
            RuntimeErrorKind::Budget | RuntimeErrorKind::Limit { .. } => {
                format!("the game no longer ends: {error}")
            }
            _ => format!("{name} games are aborted: {error}"),
        })?;
        if !state.is_over() {
            let after = counted(limit, "decision");
            return Err(format!("the game no longer ends: a {name} game goes on after {after}"));
        }
    }
    Ok(())
}

/// Plays a game to its end, or until it has had `limit` decisions.
fn play(game: &Game, agents: &mut [Box<dyn Agent>], index: u64, limit: u64) -> Result<State, RuntimeError> {
    let mut state = game.start(SEED, index)?;
    let mut streams: Vec<Stream> =
        (0..game.players()).map(|seat| agent_stream(SEED, index, Seat(seat))).collect();
    while let Some(player) = state.current_player() {
        interrupt::check();
        if state.decisions() >= limit {
            break;
        }
        let seat = player.0 as usize;
        let chosen = agents[seat].choose(&mut state.seen_by(player), &mut streams[seat])?;
        apply_choice(&mut state, &*agents[seat], chosen)?;
    }
    Ok(state)
}
