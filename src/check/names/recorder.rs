//! Records what each name of a game stands for while the checker resolves it.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::definitions::{Definition, DefinitionKind, HOOKS, NameUse, Names, hook_help};
use crate::options::CheckOptions;
use crate::values::{May, Val};
use houserule_language::diagnostic::Span;
use houserule_language::syntax::{Decl, DeclKind, GameDecl, Name, PlayersDecl, QuotedText};
use houserule_language::variants::EditedName;
use houserule_language::vocabulary::{BuiltInName, Function, WordKind, look_help};
use houserule_model::{Content, DomainId, ScriptFunction, Type};

/// What a use refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum UseTarget<'a> {
    /// The definition whose name is at this place.
    At(Span),
    Function(Function),
    BuiltIn(BuiltInName),
    Word(WordKind, &'a str),
}

/// The type of a value that has a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NamedType {
    /// An expression. The flag is `true` if it may be none.
    Plain(Type, bool),
    /// A local with a declared type.
    Declared(Content),
    /// Dice as a whole.
    Dice,
    /// A table of points.
    Points,
}

impl NamedType {
    fn from_value(value: &Val) -> Option<NamedType> {
        match value {
            Val::Expr(e, may) => Some(NamedType::Plain(e.ty, *may != May::Never)),
            Val::Dice(..) => Some(NamedType::Dice),
            Val::Points(_) => Some(NamedType::Points),
            Val::Part(part) => Some(NamedType::Plain(Type::Set(part.domain), false)),
            Val::None(_)
            | Val::EmptySet(_)
            | Val::Numbers(..)
            | Val::Ambiguous(..)
            | Val::List(..)
            | Val::Poison => None,
        }
    }
}

/// A recorded definition.
#[derive(Clone, Debug)]
struct Recorded<'a> {
    kind: DefinitionKind,
    name: &'a str,
    whole: Span,
    help: &'a str,
    /// The type: unknown so far, known, or different from use to use.
    shape: Option<Option<NamedType>>,
}

/// Definitions and uses as they are found.
#[derive(Debug, Default)]
pub(crate) struct Recorder<'a> {
    definitions: BTreeMap<Span, Recorded<'a>>,
    uses: BTreeSet<(Span, UseTarget<'a>)>,
    /// Names of enum values, players and the sites of graphs.
    elements: HashMap<(DomainId, u32), Span>,
}

impl<'a> Recorder<'a> {
    /// Records a definition with its name, unless it is known.
    pub(crate) fn define(
        &mut self,
        kind: DefinitionKind,
        name: &'a Name,
        whole: Span,
        help: Option<&'a QuotedText>,
    ) {
        self.add(kind, &name.text, name.span, whole, help);
    }

    /// Records a definition whose name stands at a place, unless it is known.
    pub(crate) fn add(
        &mut self,
        kind: DefinitionKind,
        name: &'a str,
        span: Span,
        whole: Span,
        help: Option<&'a QuotedText>,
    ) {
        let help = help.map_or("", |help| help.text.as_str());
        self.definitions.entry(span).or_insert(Recorded { kind, name, whole, help, shape: None });
    }

    /// Records that the name at `at` refers to the definition whose name is at `definition`.
    pub(crate) fn refer(&mut self, at: Span, definition: Span) {
        self.uses.insert((at, UseTarget::At(definition)));
    }

    pub(crate) fn refer_to_function(&mut self, at: Span, function: Function) {
        self.uses.insert((at, UseTarget::Function(function)));
    }

    pub(crate) fn refer_to_built_in(&mut self, at: Span, name: BuiltInName) {
        self.uses.insert((at, UseTarget::BuiltIn(name)));
    }

    pub(crate) fn refer_to_word(&mut self, kind: WordKind, word: &'a Name) {
        self.uses.insert((word.span, UseTarget::Word(kind, &word.text)));
    }

    /// Records the place of an element's name.
    pub(crate) fn name_element(&mut self, domain: DomainId, element: u32, span: Span) {
        self.elements.insert((domain, element), span);
    }

    /// Records a use of an element's name. Does nothing if the element's name isn't in the text.
    pub(crate) fn refer_to_element(&mut self, at: Span, domain: DomainId, element: u32) {
        if let Some(span) = self.elements.get(&(domain, element)) {
            self.uses.insert((at, UseTarget::At(*span)));
        }
    }

    /// Records the type of a value that has the name at `span`.
    pub(crate) fn give_shape(&mut self, span: Span, shape: Option<NamedType>) {
        let (Some(recorded), Some(shape)) = (self.definitions.get_mut(&span), shape) else { return };
        match recorded.shape {
            None => recorded.shape = Some(Some(shape)),
            Some(Some(known)) if known != shape => recorded.shape = Some(None),
            Some(_) => {}
        }
    }

    /// Records the declared type of a local.
    pub(crate) fn declare_shape(&mut self, span: Span, content: Content) {
        if let Some(recorded) = self.definitions.get_mut(&span) {
            recorded.shape = Some(Some(NamedType::Declared(content)));
        }
    }

    /// Records the type of a value that has the name at `span`.
    pub(crate) fn give_value(&mut self, span: Span, value: &Val) {
        self.give_shape(span, NamedType::from_value(value));
    }
}

impl<'a> Recorder<'a> {
    /// Records the definitions of all declarations, and of the functions of scripts.
    pub(crate) fn record_declarations(&mut self, game: &'a GameDecl, functions: &'a [ScriptFunction]) {
        for decl in &game.decls {
            self.record_declaration(decl);
        }
        // The place of an unnamed function is that of its script.
        let named = |span: Span, name: &str| (span.end - span.start) as usize == name.len();
        for function in functions.iter().filter(|function| named(function.span, &function.name)) {
            let span = function.span;
            let (name, help) = (function.name.as_str(), hook_help(&function.name));
            let recorded =
                Recorded { kind: DefinitionKind::ScriptFunction, name, whole: span, help, shape: None };
            self.definitions.entry(span).or_insert(recorded);
        }
    }

    fn record_declaration(&mut self, decl: &'a Decl) {
        use DefinitionKind as K;
        let help = decl.help.as_ref();
        let mut define = |kind, name: &'a Name| self.define(kind, name, decl.span, help);
        match &decl.kind {
            DeclKind::Param(typed) => define(K::Param, &typed.name),
            DeclKind::Var(typed) => define(K::Variable, &typed.name),
            DeclKind::Table(typed) => define(K::Table, &typed.name),
            DeclKind::Enum { name, values, helps, .. } => {
                define(K::Enum, name);
                for (value, help) in values.iter().zip(helps) {
                    self.define(K::Value, value, value.span, help.as_ref());
                }
            }
            DeclKind::Range { name, .. } => define(K::Domain, name),
            DeclKind::Record { name, kinds, .. } => {
                define(K::Domain, name);
                let mut known: Vec<&str> = vec![];
                for kind in kinds {
                    // A field that several kinds have is one field.
                    for (field, ty) in kind.fields() {
                        if !known.contains(&field.text.as_str()) {
                            known.push(&field.text);
                            self.define(K::Field, field, field.span.to(ty.span), None);
                        }
                    }
                    for (value, help) in kind.named() {
                        self.define(K::Value, value, value.span, help);
                    }
                }
            }
            DeclKind::Board { name, .. } => define(K::Board, name),
            DeclKind::Edges { name, .. } => define(K::Edges, name),
            DeclKind::Zone { name, .. } => define(K::Zone, name),
            DeclKind::Dice { name, .. } => define(K::Dice, name),
            DeclKind::Piece { name, .. } => define(K::Piece, name),
            DeclKind::Players(PlayersDecl::Named(names), _) => {
                for name in names {
                    self.define(K::Player, name, name.span, None);
                }
            }
            DeclKind::Team { name, .. } => define(K::Team, name),
            DeclKind::Define { name, params, .. } => {
                define(K::Define, name);
                self.record_params(params);
            }
            DeclKind::Procedure { name, params, .. } => {
                define(K::Procedure, name);
                self.record_params(params);
            }
            DeclKind::Setup { name: Some(name), .. } => define(K::Setup, name),
            DeclKind::End { name: Some(name), .. } => define(K::End, name),
            DeclKind::Score(entries) => {
                for entry in entries {
                    self.define(K::ScoreItem, &entry.name, entry.span, entry.help.as_ref());
                }
            }
            DeclKind::Match(entries) => {
                for entry in entries {
                    self.refer_to_word(WordKind::MatchKey, &entry.key);
                }
            }
            DeclKind::Hole(names) => {
                for name in names {
                    self.define(K::Broken, name, decl.span, None);
                }
            }
            DeclKind::Players(PlayersDecl::Count(_) | PlayersDecl::Range(..), _)
            | DeclKind::Setup { name: None, .. }
            | DeclKind::Turn(_)
            | DeclKind::Round(_)
            | DeclKind::End { name: None, .. }
            | DeclKind::Winner(_)
            | DeclKind::Ties(_)
            | DeclKind::Payoff { .. }
            | DeclKind::Limit(_)
            | DeclKind::Require(_)
            | DeclKind::Allow { .. }
            | DeclKind::Shown { .. }
            | DeclKind::Script(_) => {}
        }
    }

    fn record_params(&mut self, params: &'a [Name]) {
        for param in params {
            self.define(DefinitionKind::Parameter, param, param.span, None);
        }
    }

    /// The recorded names. `hooked` are the functions of scripts that the rules call. `type_text` writes the type of
    /// the name at a place, from the type of its values and, for the name of an element, from its domain.
    pub(crate) fn finish(
        mut self,
        options: &CheckOptions<'a>,
        hooked: &HashSet<Span>,
        type_text: impl Fn(Span, Option<NamedType>, Option<DomainId>) -> Option<String>,
    ) -> Names {
        // Before the edits, which also define what variants have removed.
        self.record_scripts(options.script);
        self.record_edits(options.edits);
        self.record_hooks(options.script, hooked);
        let same = same_things(&self.definitions);
        let elements: HashMap<Span, DomainId> =
            self.elements.iter().map(|((domain, _), span)| (*span, *domain)).collect();
        let mut names = Names::default();
        let mut index: HashMap<UseTarget<'a>, usize> = HashMap::new();
        for (span, one) in &self.definitions {
            if same.contains_key(span) {
                continue;
            }
            let ty = type_text(*span, one.shape.flatten(), elements.get(span).copied());
            index.insert(UseTarget::At(*span), names.definitions.len());
            names.definitions.push(Definition {
                kind: one.kind,
                name: one.name.to_owned(),
                span: Some(*span),
                whole: Some(one.whole),
                help: one.help.to_owned(),
                ty,
            });
        }
        let same_uses = same.iter().map(|(span, first)| (*span, UseTarget::At(*first)));
        self.uses.extend(same_uses);
        let links: HashMap<Span, Span> =
            options.edits.iter().map(|edit| (edit.span, edit.part.span)).collect();
        for (span, meaning) in &self.uses {
            let meaning = match meaning {
                UseTarget::At(at) => UseTarget::At(settle(*at, &links, &self.definitions, &same)),
                other => *other,
            };
            let definition = match (index.get(&meaning), built_in(meaning)) {
                (Some(known), _) => *known,
                (None, Some(definition)) => {
                    index.insert(meaning, names.definitions.len());
                    names.definitions.push(definition);
                    names.definitions.len() - 1
                }
                // Its definition did not parse.
                (None, None) => continue,
            };
            let next = NameUse { span: *span, definition };
            let known =
                || names.uses.iter().rev().take_while(|one| one.span == *span).any(|one| *one == next);
            if names.definitions[definition].span != Some(*span) && !known() {
                names.uses.push(next);
            }
        }
        names
    }

    /// Adds the names in the edits of variants, and the definitions of what the variants removed.
    fn record_edits(&mut self, edits: &'a [EditedName]) {
        let links: HashMap<Span, Span> = edits.iter().map(|edit| (edit.span, edit.part.span)).collect();
        for edit in edits {
            self.refer(edit.span, edit.part.span);
            let part = settle(edit.part.span, &links, &self.definitions, &BTreeMap::new());
            if part == edit.part.span && !self.definitions.contains_key(&part) {
                let kind = DefinitionKind::of_edit(edit.kind);
                self.add(kind, &edit.part.text, part, part, None);
            }
        }
    }

    /// Adds the names of the rules in scripts, such as `g.mark`, and the calls of their own functions.
    fn record_scripts(&mut self, functions: &'a [ScriptFunction]) {
        let found: Vec<(Span, UseTarget<'a>)> = {
            let meanings = script_meanings(&self.definitions);
            let named = functions.iter().flat_map(|function| &function.words).filter_map(|(word, span)| {
                let built_in = || BuiltInName::named(word).map(UseTarget::BuiltIn);
                let meaning = meanings.get(word.as_str()).map(|(_, at)| at.map(UseTarget::At));
                Some((*span, meaning.unwrap_or_else(built_in)?))
            });
            let called = functions.iter().flat_map(|caller| {
                caller.calls.iter().flat_map(move |(name, span)| {
                    let is_it = move |one: &&ScriptFunction| one.script == caller.script && one.name == *name;
                    let heads = functions.iter().filter(is_it);
                    heads.map(move |head| (*span, UseTarget::At(head.span)))
                })
            });
            named.chain(called).collect()
        };
        self.uses.extend(found);
    }

    /// Adds the names of steps, options and score items in the names of hooks: `place` in `on_place`.
    fn record_hooks(&mut self, functions: &'a [ScriptFunction], hooked: &HashSet<Span>) {
        for function in functions.iter().filter(|function| hooked.contains(&function.span)) {
            let found = HOOKS.iter().find_map(|(prefix, kind, _)| {
                let name = function.name.strip_prefix(prefix)?;
                let is_it = |one: &Recorded<'_>| one.kind == *kind && one.name == name;
                let definition = self.definitions.iter().find(|(_, one)| is_it(one))?.0;
                Some((function.span.start + prefix.len() as u32, *definition))
            });
            if let Some((start, definition)) = found {
                self.refer(Span { start, ..function.span }, definition);
            }
        }
    }
}

/// What scripts call by a name, each name with its rank and the place of its definition: a variable before a param,
/// both before an element. `None` if it names several elements.
fn script_meanings<'a>(definitions: &BTreeMap<Span, Recorded<'a>>) -> HashMap<&'a str, (u8, Option<Span>)> {
    use DefinitionKind as K;
    let mut meanings: HashMap<&str, (u8, Option<Span>)> = HashMap::new();
    for (span, one) in definitions {
        let rank = match one.kind {
            K::Variable | K::Dice | K::Piece | K::Zone => 0,
            K::Param => 1,
            K::Table => 2,
            K::Enum | K::Domain | K::Board | K::Edges => 3,
            K::Player | K::Value => 4,
            _ => continue,
        };
        let known = meanings.entry(one.name).or_insert((rank, Some(*span)));
        if rank < known.0 {
            *known = (rank, Some(*span));
        } else if rank == known.0 && known.1 != Some(*span) {
            known.1 = None;
        }
    }
    meanings
}

/// Maps the place of each repeated definition to that of the first with the same name. Options with the same name are
/// the same actions, and ends with the same name are one end.
fn same_things(definitions: &BTreeMap<Span, Recorded<'_>>) -> BTreeMap<Span, Span> {
    let (mut first, mut same) = (HashMap::new(), BTreeMap::new());
    for (span, one) in definitions {
        if !matches!(one.kind, DefinitionKind::Option | DefinitionKind::End) {
            continue;
        }
        match first.get(&(one.kind, one.name)) {
            Some(first) => {
                same.insert(*span, *first);
            }
            None => {
                first.insert((one.kind, one.name), *span);
            }
        }
    }
    same
}

/// Follows the edits of variants from a name to the definition that now holds it.
fn settle(
    mut at: Span,
    links: &HashMap<Span, Span>,
    definitions: &BTreeMap<Span, Recorded<'_>>,
    same: &BTreeMap<Span, Span>,
) -> Span {
    // Each edit leads to another place, so there are at most as many steps as edits.
    for _ in 0..=links.len() {
        match links.get(&at) {
            Some(next) if !definitions.contains_key(&at) => at = *next,
            _ => break,
        }
    }
    same.get(&at).copied().unwrap_or(at)
}

fn built_in(meaning: UseTarget<'_>) -> Option<Definition> {
    let (kind, name, help, ty) = match meaning {
        UseTarget::At(_) => return None,
        UseTarget::Function(function) => {
            (DefinitionKind::Function, function.name(), function.help(), function.signature())
        }
        UseTarget::BuiltIn(name) => (DefinitionKind::BuiltIn, name.name(), name.help(), name.ty().to_owned()),
        UseTarget::Word(WordKind::Look, word) => (DefinitionKind::Word, word, look_help(word), String::new()),
        UseTarget::Word(kind, word) => (DefinitionKind::Word, word, kind.help(), String::new()),
    };
    let ty = (!ty.is_empty()).then_some(ty);
    Some(Definition { kind, name: name.to_owned(), span: None, whole: None, help: help.to_owned(), ty })
}
