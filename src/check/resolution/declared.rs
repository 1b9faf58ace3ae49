//! Name resolution: declarations, enum values, players and locals. A declaration is resolved at its
//! first use, so their order is free and cycles are detected.

use crate::checker::Checker;
use crate::checker::input::declared_name;
use crate::draft::Draft;
use crate::names::definitions::DefinitionKind;
use crate::names::facts::Fact;
use crate::names::name_table::{Declaration, Entity, ResolutionState};
use crate::names::recorder::NamedType;
use crate::names::scopes::Binding;
use crate::values::Val;
use houserule_base::limits;
use houserule_base::numbers::counted;
use houserule_language::diagnostic::{Code, Diagnostic, Span, did_you_mean};
use houserule_language::syntax;
use houserule_language::syntax::{DeclKind, TypeKind};
use houserule_language::vocabulary::{BuiltInName, Function, keywords};
use houserule_model::*;

/// Returns `true` for a built-in name that can't be declared.
fn is_built_in(name: &str) -> bool {
    BuiltInName::named(name).is_some_and(|name| !name.can_be_declared())
}

/// The error of a declaration whose name every game has.
fn built_in_declared(name: &syntax::Name) -> Diagnostic {
    let word = &name.text;
    let message = format!("`{word}` is a word of the language and can't be declared");
    let error = Diagnostic::error(Code::DuplicateName, name.span, message)
        .help(format!("give it another name, such as `my_{word}`"));
    match BuiltInName::named(word) {
        Some(meaning) => error.note(format!("in every game, `{word}` means: {}", meaning.help())),
        None => error,
    }
}

impl<'a> Checker<'a> {
    /// Registers every declared name.
    pub(crate) fn declare_all(&mut self) {
        let game = self.input.game;
        self.recorder.record_declarations(game, self.input.options.script);
        for (i, decl) in game.decls.iter().enumerate() {
            if let Some(name) = declared_name(&decl.kind) {
                self.declare(name, Some(i));
            }
            if let DeclKind::Board { name, .. } = &decl.kind {
                self.enter_board(name);
            }
            if let DeclKind::Hole(names) = &decl.kind {
                names.iter().for_each(|name| self.names.poison(name));
            }
        }
        for decl in &game.decls {
            match &decl.kind {
                DeclKind::Enum { name, values, .. } => {
                    let domain = self.draft.enum_domain(&name.text, values);
                    self.enter_all(domain, values, true);
                    if let Some(declared) = self.names.declared.get_mut(name.text.as_str())
                        && declared.span == name.span
                    {
                        declared.state = ResolutionState::Done(Entity::Domain(domain));
                    }
                }
                DeclKind::Players(syntax::PlayersDecl::Named(names), _) => {
                    self.enter_all(PLAYER, names, true);
                }
                DeclKind::Param(t) | DeclKind::Var(t) | DeclKind::Table(t) => {
                    if let TypeKind::Words(words) = &t.ty.kind {
                        self.words_domain(words);
                    }
                }
                _ => {}
            }
        }
        self.enter_faces();
        self.enter_values_of_kinds();
    }

    /// Names the elements of all domains that have names of their own. Their places are those after the records before
    /// them, so these domains are resolved now.
    fn enter_values_of_kinds(&mut self) {
        for i in 0..self.input.game.decls.len() {
            self.enter_values_of(i);
        }
    }

    /// Names the elements of a declared domain, unless it was done before.
    fn enter_values_of(&mut self, i: usize) {
        let game = self.input.game;
        let DeclKind::Record { name, kinds, .. } = &game.decls[i].kind else { return };
        let values: Vec<&syntax::Name> =
            kinds.iter().flat_map(|kind| kind.named()).map(|(value, _)| value).collect();
        let own = self.names.is_declared_at(name);
        if values.is_empty() || !own || !self.names.entered.insert(i) {
            return;
        }
        let waiting = matches!(self.names.declared[name.text.as_str()].state, ResolutionState::Waiting);
        let entity = match waiting {
            true => Some(self.resolve(&name.text, i, name.span)),
            false => self.names.resolved(&name.text).cloned(),
        };
        let Some(Entity::Domain(domain)) = entity else {
            values.into_iter().for_each(|value| self.names.poison(value));
            return;
        };
        let DomainKind::Record { named, .. } = &self.draft.model.domains[domain.index()].kind else { return };
        let places: Vec<u32> = named.iter().map(|(place, _)| *place).collect();
        self.enter_values(domain, &values, &places, true);
    }

    /// Names the elements of a domain before rows of another domain refer to them.
    pub(crate) fn enter_values_of_domain(&mut self, name: &str) {
        if let Some(i) = self.names.declared.get(name).and_then(|declared| declared.decl) {
            self.enter_values_of(i);
        }
    }

    fn enter_board(&mut self, name: &'a syntax::Name) {
        if self.names.board_names.len() < limits::BOARDS {
            self.names.board_names.push(name);
            return;
        }
        let d = Diagnostic::error(Code::LimitBoards, name.span, "this is one board too many")
            .note(format!("a game may have at most {}", limits::BOARDS))
            .help("use boards with an index: `board cell[player] = grid(5, 5)`");
        self.draft.messages.report(d);
    }

    fn declare(&mut self, name: &'a syntax::Name, decl: Option<usize>) {
        if name.text.is_empty() {
            return;
        }
        // A define or a procedure may have the name of a function: the file's own name wins.
        if is_built_in(&name.text) {
            self.draft.messages.report(built_in_declared(name));
            // The intended meaning is unknown, so the uses cause no errors.
            self.names.poison(name);
            return;
        }
        if let Some(first) = self.names.declared.get(name.text.as_str()) {
            let d = Diagnostic::error(
                Code::DuplicateName,
                name.span,
                format!("`{}` is declared twice", name.text),
            )
            .label("declared again here")
            .also(first.span, "first declared here")
            .help("choose another name for one of them");
            self.draft.messages.report(d);
            return;
        }
        self.names
            .declared
            .insert(&name.text, Declaration { decl, span: name.span, state: ResolutionState::Waiting });
    }

    /// The domain of a type such as `either | ordered`. The same words give the same domain.
    pub(crate) fn words_domain(&mut self, words: &'a [syntax::Name]) -> DomainId {
        let key: Vec<&'a str> = words.iter().map(|w| w.text.as_str()).collect();
        if let Some(domain) = self.names.words.get(&key).copied() {
            for (i, word) in (0..).zip(words) {
                self.recorder.refer_to_element(word.span, domain, i);
            }
            return domain;
        }
        let domain = self.draft.enum_domain(&key.join(" | "), words);
        self.names.words.insert(key, domain);
        self.enter_all(domain, words, false);
        domain
    }

    /// Names all elements of a domain.
    fn enter_all(&mut self, domain: DomainId, values: &'a [syntax::Name], declared: bool) {
        let places: Vec<u32> = (0..values.len() as u32).collect();
        self.enter_values(domain, &values.iter().collect::<Vec<_>>(), &places, declared);
    }

    /// Names elements of a domain, each with its place.
    pub(crate) fn enter_values(
        &mut self,
        domain: DomainId,
        values: &[&'a syntax::Name],
        places: &[u32],
        declared: bool,
    ) {
        for (i, (value, place)) in values.iter().zip(places).enumerate() {
            let text = value.text.as_str();
            if let Some(twice) = values[..i].iter().find(|v| v.text == text) {
                // In a file without declarations it is a row of a table.
                let is_declared = self.input.game.decls.iter().any(|decl| decl.span.file == value.span.file);
                let help = match is_declared {
                    true => "leave one of the two out, or give it another name",
                    false => {
                        "give one of the two another name; for several of the same card, write one row with their \
                              number in a column `count`"
                    }
                };
                let d =
                    Diagnostic::error(Code::DuplicateName, value.span, format!("`{text}` is listed twice"))
                        .also(twice.span, "first listed here")
                        .help(help);
                self.draft.messages.report(d);
                continue;
            }
            if declared {
                if let Some(other) = self.names.declared.get(text) {
                    let d = Diagnostic::error(
                        Code::DuplicateName,
                        value.span,
                        format!("`{text}` is declared twice"),
                    )
                    .also(other.span, "also declared here")
                    .help("choose another name for one of them");
                    self.draft.messages.report(d);
                    continue;
                }
                if is_built_in(text) {
                    self.draft.messages.report(built_in_declared(value));
                    continue;
                }
            }
            self.recorder.define(DefinitionKind::Value, value, value.span, None);
            self.recorder.name_element(domain, *place, value.span);
            self.names.values.entry(text).or_default().push((domain, *place));
        }
    }

    /// The meaning of a declared name, which is resolved now if necessary. Records the use. Returns `None`
    /// if nothing has this name.
    pub(crate) fn entity(&mut self, name: &syntax::Name) -> Option<Entity> {
        self.refer_to_declaration(name);
        self.declared_entity(&name.text, name.span)
    }

    /// Records a use of a local.
    pub(crate) fn refer_to_local(&mut self, name: &syntax::Name) {
        if let Some(definition) = self.scopes.local_place(&name.text) {
            self.recorder.refer(name.span, definition);
        }
    }

    /// Records a use of a declared name.
    pub(crate) fn refer_to_declaration(&mut self, name: &syntax::Name) {
        if let Some(declared) = self.names.declared.get(name.text.as_str()) {
            self.recorder.refer(name.span, declared.span);
        }
    }

    /// Like [`Self::entity`], without recording a use.
    pub(crate) fn declared_entity(&mut self, name: &str, used: Span) -> Option<Entity> {
        let (key, declared) = self.names.declared.get_key_value(name)?;
        let (key, declared) = (*key, declared.clone());
        self.usage.names.insert(key);
        match declared.state {
            ResolutionState::Done(entity) => Some(entity),
            ResolutionState::Busy => {
                self.report_cycle(name, used);
                Some(Entity::Poison)
            }
            ResolutionState::Waiting => Some(self.resolve(key, declared.decl?, declared.span)),
        }
    }

    fn report_cycle(&mut self, name: &str, used: Span) {
        let from = self.names.resolving.iter().position(|(n, _)| n == name).unwrap_or(0);
        let path: Vec<String> = self.names.resolving[from..].iter().map(|(n, _)| format!("`{n}`")).collect();
        let (message, help) = match path.as_slice() {
            [] | [_] => (format!("`{name}` uses itself"), "write a value that doesn't use it"),
            path => (format!("{} use each other", path.join(", ")), "remove one of these uses"),
        };
        let mut d = Diagnostic::error(Code::Cycle, used, message)
            .label(format!("`{name}` is used before its value is known"))
            .help(help);
        for (n, span) in &self.names.resolving[from..] {
            d = d.also(*span, format!("`{n}`"));
        }
        self.draft.messages.report(d);
    }

    fn resolve(&mut self, name: &'a str, decl: usize, span: Span) -> Entity {
        self.names.set_state(name, ResolutionState::Busy);
        self.names.resolving.push((name.into(), span));
        let entity = self.in_isolation(|c| c.resolve_decl(decl));
        self.names.resolving.pop();
        self.names.set_state(name, ResolutionState::Done(entity.clone()));
        entity
    }

    /// Runs `f` without locals, facts and surrounding steps.
    pub(crate) fn in_isolation<T>(&mut self, f: impl FnOnce(&mut Self) -> T) -> T {
        let scopes = self.scopes.leave_all();
        let position = std::mem::take(&mut self.position);
        let dead = self.draft.leave_all_branches();
        let used_at = self.draft.messages.set_uses(vec![]);
        let result = f(self);
        self.scopes.return_to(scopes);
        self.position = position;
        self.draft.return_to_branches(dead);
        self.draft.messages.set_uses(used_at);
        result
    }

    fn resolve_decl(&mut self, index: usize) -> Entity {
        let decl = &self.input.game.decls[index];
        match &decl.kind {
            DeclKind::Param(typed) => self.resolve_param(index, decl, typed),
            DeclKind::Var(typed) => self.resolve_var(decl, typed),
            DeclKind::Table(typed) => self.resolve_table(typed),
            DeclKind::Range { name, low, high, .. } => self.resolve_range(name, low, high),
            DeclKind::Record { name, kinds, .. } => self.resolve_record(name, kinds),
            DeclKind::Board { name, index, topology, modifiers } => {
                self.resolve_board(name, index, topology, modifiers)
            }
            DeclKind::Dice { name, index, count, die, modifiers } => {
                self.resolve_dice(decl, name, index, count, die, modifiers)
            }
            DeclKind::Piece { name, index, on, modifiers } => {
                self.resolve_piece(decl, name, index, on.as_ref(), modifiers)
            }
            DeclKind::Team { name, players } => self.resolve_team(decl, name, players),
            DeclKind::Define { .. } => Entity::Define(index),
            DeclKind::Procedure { .. } => Entity::Procedure(index),
            DeclKind::Edges { name, of, by, .. } => self.resolve_edges(name, of, by.as_ref()),
            DeclKind::Zone { name, index, of, value, modifiers } => {
                self.resolve_zone(decl, name, index, of, value.as_ref(), modifiers)
            }
            _ => Entity::Poison,
        }
    }

    /// Resolves the remaining declarations in the order of the text.
    pub(crate) fn resolve_all(&mut self) {
        let game = self.input.game;
        for (i, decl) in game.decls.iter().enumerate() {
            let Some(name) = declared_name(&decl.kind) else { continue };
            let Some(declared) = self.names.declared.get(name.text.as_str()) else { continue };
            // Resolving a declaration here doesn't count as a use.
            if declared.span == name.span && matches!(declared.state, ResolutionState::Waiting) {
                self.resolve(&name.text, i, name.span);
            }
        }
    }

    /// Is this a `let s = {}` whose domain is still unknown?
    pub(crate) fn is_open(&self, name: &str) -> bool {
        self.scopes.local_place(name).is_some_and(|place| self.inference.is_open(place))
    }

    /// Runs `f` where these names are local beside those around them. With `record` they are bound, and so recorded.
    pub(crate) fn with_arguments<T>(
        &mut self,
        arguments: Vec<(&'a syntax::Name, Val)>,
        record: bool,
        f: impl FnOnce(&mut Self) -> T,
    ) -> T {
        self.scopes.enter_expansion();
        for (name, value) in arguments {
            let binding = Binding::Argument(value);
            match record {
                false => self.scopes.push(&name.text, name.span, binding),
                true => self.bind(name, binding),
            }
        }
        let result = f(self);
        self.scopes.leave_expansion();
        result
    }

    /// Adds a local name. Reports an error if it hides another name.
    pub(crate) fn bind(&mut self, name: &'a syntax::Name, binding: Binding) {
        self.recorder.define(DefinitionKind::Local, name, name.span, None);
        match &binding {
            Binding::Local(local, may) => {
                let ty = self.draft.model.locals[local.index()].ty;
                self.recorder.give_shape(name.span, Some(NamedType::Plain(ty, *may)));
            }
            Binding::Argument(value) => self.recorder.give_value(name.span, value),
        }
        let (name, span) = (name.text.as_str(), name.span);
        let taken = match self.scopes.first_place(name) {
            Some(first) => Some(Some(first)),
            None => match self.names.declared.get(name) {
                Some(declared) => Some(Some(declared.span)),
                None if is_built_in(name) => Some(None),
                None if self.names.value_domain(name).is_some() => Some(None),
                None => None,
            },
        };
        if let Some(first) = taken {
            let message = format!("`{name}` has a meaning here already");
            let mut d =
                Diagnostic::error(Code::ShadowedName, span, message).help("choose another name for this one");
            if let Some(first) = first {
                d = d.also(first, "this is what it means");
            } else if let Some(domain) = self.names.value_domain(name) {
                d = d.note(format!("`{name}` is an element of `{}`", self.draft.domain_name(domain)));
            }
            self.draft.messages.report(d);
        }
        self.scopes.push(name, span, binding);
    }

    /// Creates a local of the model, which `may` be none, and adds its name.
    pub(crate) fn bind_local(&mut self, name: &'a syntax::Name, ty: Type, may: bool) -> LocalId {
        let local = self.draft.new_local(&name.text, ty, name.span);
        if may {
            self.locals.optional.insert(local);
        }
        self.bind(name, Binding::Local(local, may));
        local
    }

    /// Runs `f` in a new scope that knows `facts`. Its locals and facts end with it.
    pub(crate) fn scoped<T>(&mut self, facts: Vec<Fact>, f: impl FnOnce(&mut Self) -> T) -> T {
        let depth = self.scopes.enter_block(facts);
        let result = f(self);
        self.scopes.leave_block(depth);
        result
    }

    /// Reports an unknown name.
    pub(super) fn report_unknown_name(&mut self, name: &str, span: Span, of: Option<DomainId>) {
        self.report_unknown_name_or(name, span, of, None);
    }

    /// Reports an unknown name. `else_help` is the help if no similar name exists.
    pub(crate) fn report_unknown_name_or(
        &mut self,
        name: &str,
        span: Span,
        of: Option<DomainId>,
        else_help: Option<String>,
    ) {
        if self.scopes.hides_unknown() || self.draft.messages.is_full() {
            return;
        }
        let mut first: Vec<String> = of.map(|d| self.draft.enum_names(d)).unwrap_or_default();
        first.extend(self.scopes.local_names().map(str::to_owned));
        let declared = self.names.declared.keys().copied();
        let built_in = BuiltInName::ALL.iter().map(|name| name.name());
        let rest: Vec<&str> = declared.chain(self.names.values.keys().copied()).chain(built_in).collect();
        let better =
            did_you_mean(name, first.iter().map(String::as_str)).or_else(|| did_you_mean(name, rest));
        let better = better.map(str::to_string);
        let mut d = Diagnostic::error(Code::UnknownName, span, format!("nothing is called `{name}`"))
            .label("not declared");
        let site_of = self.draft.model.boards.iter().find(|board| board.topology.parse_site(name).is_some());
        let site_of = site_of.map(|board| board.name.clone());
        let is_part = |better: &String| name.split('_').any(|part| part == better);
        let element = self.element_named(name).filter(|_| better.as_ref().is_none_or(is_part));
        d = match better {
            _ if name == "same" => d.help(SAME_STANDS),
            _ if element.is_some() => d.help(element.unwrap_or_default()),
            _ if site_of.is_some() => {
                d.help(format!("`{name}` is a site of `{}`: write `@{name}`", site_of.unwrap_or_default()))
            }
            Some(better) => d.help(format!("did you mean `{better}`?")),
            None if Function::of_values(name).is_some() => {
                d.help(format!("`{name}` is a function: write `{name}(…)`"))
            }
            None => match else_help.or_else(|| of.and_then(|domain| self.draft.list_values(domain))) {
                Some(help) => d.help(help),
                None => d,
            },
        };
        if keywords::has(name, keywords::NAMEABLE) {
            d = d.note(format!("`{name}` does something and has no value, unless it is declared"));
        }
        self.draft.messages.report(d);
    }
}

/// Where a variant can write `same`.
pub(crate) const SAME_STANDS: &str = "in a variant, `same` stands for what is replaced: the value of a define, a variable, a param or a score \
     item, the condition of an end, the sets and conditions of an option; `same()` for the statements of an option, a step, a \
     procedure";

impl Draft {
    /// Returns a help that lists the values of an enum, if these are few.
    fn list_values(&self, domain: DomainId) -> Option<String> {
        const MANY: usize = 12;
        let values = self.enum_names(domain);
        let of = self.domain_name(domain);
        (1..=MANY)
            .contains(&values.len())
            .then(|| format!("`{of}` has {}: {}", counted(values.len(), "value"), values.join(", ")))
    }

    /// Creates the domain of an enum.
    fn enum_domain(&mut self, name: &str, values: &[syntax::Name]) -> DomainId {
        if values.len() as i64 > limits::DOMAIN {
            self.report_large_domain(&format!("`{name}`"), values.len() as u64, values[0].span);
        }
        let kind = DomainKind::Enum(values.iter().map(|v| v.text.clone()).collect());
        self.add_domain(Domain { name: name.into(), kind, size: values.len() as u32, looks: vec![] })
    }

    pub(crate) fn add_domain(&mut self, domain: Domain) -> DomainId {
        self.model.domains.push(domain);
        DomainId(self.model.domains.len() as u32 - 1)
    }

    /// The names of an enum's values, or of the players.
    pub(crate) fn enum_names(&self, domain: DomainId) -> Vec<String> {
        match &self.model.domains[domain.index()].kind {
            DomainKind::Enum(names) => names.clone(),
            DomainKind::Player => self.model.players.names.clone(),
            DomainKind::Record { named, .. } => named.iter().map(|(_, name)| name.clone()).collect(),
            _ => vec![],
        }
    }
}
