//! The checker: from syntax tree to checked model. It resolves names, types, sizes and constants, and
//! reports every independent error in one run. Depends on boards and the syntax tree; independent of how
//! games are executed.
//!
//! A define is expanded and checked at each use, with the arguments of that use. Every expression that
//! doesn't depend on the state is folded to a constant when it is built, so sizes may be any expression
//! of params.
//!
//! Each folder imports only what is declared before it here; a test holds them to the order. The methods of the one
//! `Checker` call each other across folders.

mod value;

mod place;

mod names;

mod expressions;

mod declarations;

mod statements;

mod plain;

pub use declarations::settings::SettingError;
pub use names::definitions::{Definition, DefinitionKind, GAME_HOOKS, HOOKS, NameUse, Names};

use crate::diagnostic::{Code, Diagnostic, Severity, Span};
use crate::limits;
use crate::model::*;
use crate::syntax;
use crate::variants::{EditedName, Setting};
use std::collections::{BTreeMap, HashMap, HashSet};

/// Settings from outside of the rules.
#[derive(Clone, Copy, Debug, Default)]
pub struct CheckOptions<'a> {
    /// Names of params with values as text.
    pub params: &'a [Setting],
    /// Number of players. `None` means the fewest that the rules allow.
    pub players: Option<u32>,
    /// Functions of the scripts.
    pub script: &'a [ScriptFunction],
    /// The names in the edits of the merged variants, for [`Checked::names`].
    pub edits: &'a [EditedName],
    /// Expressions besides the rules, for [`Model::measures`].
    pub measures: &'a [syntax::Expr],
}

/// The identity of a block of action numbers in a game and its variants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActionKey {
    /// The option's name.
    pub option: String,
    /// The name and the size of each binder's domain.
    pub domains: Vec<(String, u32)>,
    /// The last binder has subsets.
    pub subset: bool,
}

/// The keys of a model's action blocks in order, for the variants built on it.
pub fn action_keys(model: &Model) -> Vec<ActionKey> {
    let domain = |d: &DomainId| {
        let d = &model.domains[d.index()];
        (d.name.clone(), d.size)
    };
    let key = |block: &ActionBlock| ActionKey {
        option: block.option.clone(),
        domains: block.domains.iter().map(domain).collect(),
        subset: block.subset,
    };
    model.actions.iter().map(key).collect()
}

/// The result of checking.
#[derive(Clone, Debug)]
pub struct Checked {
    /// The model, or `None` if there is an error.
    pub model: Option<Model>,
    /// Errors and warnings in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
    /// Errors in the settings.
    pub settings: Vec<SettingError>,
    /// The names that could be resolved.
    pub names: Names,
}

/// Checks a game whose variants are merged. `fixed` names the params that a variant made constant.
/// `inherited` are the action blocks of the game that the variants change.
pub fn check(
    game: &syntax::GameDecl,
    fixed: &[String],
    inherited: &[ActionKey],
    options: &CheckOptions<'_>,
) -> Checked {
    let (mut inferred, mut runs) = (HashMap::new(), 0);
    loop {
        let mut checker = Checker::new(game, fixed, inherited, options);
        checker.inferred = inferred;
        checker.run();
        // If the uses of a `let` show that its set holds more values, check again with the wider range.
        runs += 1;
        if !checker.again || runs == WIDENINGS {
            if checker.again {
                checker.report_widening();
            }
            checker.report_open();
            return checker.finish();
        }
        inferred = checker.inferred;
    }
}

/// Maximum number of checker runs, each of which widens the ranges of sets.
const WIDENINGS: u32 = 50;

struct Checker<'a> {
    game: &'a syntax::GameDecl,
    fixed: &'a [String],
    inherited: &'a [ActionKey],
    options: CheckOptions<'a>,

    diagnostics: Vec<Diagnostic>,
    reported: HashSet<(Code, Span)>,
    /// Unknown names that have been reported: index of the message, and number of further occurrences.
    unknown: HashMap<String, (usize, usize)>,
    errors: usize,
    /// A part didn't parse, so there can be no model.
    holes: bool,
    settings: Vec<SettingError>,

    /// The model built so far.
    model: Model,
    /// Params by the index of their declaration.
    params: BTreeMap<usize, Param>,

    // Resolved names.
    declared: HashMap<&'a str, names::scope::Declaration>,
    /// Declarations of domains whose named elements are in `values`.
    entered: HashSet<usize>,
    /// Values of enums and names of players, each with all domains that have a value of this name.
    values: HashMap<&'a str, Vec<(DomainId, u32)>>,
    /// The domain of directions, once something names it.
    directions: Option<DomainId>,
    /// The domain of the teams, once the rules name it.
    team_domain: Option<DomainId>,
    /// The names of the boards in the order of the text.
    board_names: Vec<&'a syntax::Name>,
    ranges: HashMap<(i64, i64), DomainId>,
    words: HashMap<Vec<&'a str>, DomainId>,
    tables: Vec<names::tables::TableDeclaration>,
    fields: HashMap<(DomainId, String), names::tables::FieldTable>,
    players_state: declarations::players::PlayersState,
    score: declarations::rules::Score,
    /// Declarations being resolved, to report cycles.
    resolving: Vec<(String, Span)>,
    /// Defines and procedures being expanded, each with the location of its use.
    expanding: Vec<(usize, Span)>,
    /// The numbers that each of them got, by which a define may use itself.
    levels: Vec<Vec<names::defines::RecursionLevel>>,

    // Current position.
    frames: Vec<names::scope::Scope>,
    facts: Vec<Vec<value::Fact>>,
    next_argument: u32,
    step: Option<StepId>,
    /// The options and steps around the current position: kind and name of each.
    within: Vec<(&'static str, &'a str)>,
    place: place::StatementContext,
    /// Number of enclosing branches that the params rule out.
    dead: u32,
    /// A key may be a player who doesn't play.
    may_be_absent: bool,
    /// Number of enclosing `as` blocks.
    acting: u32,
    /// The round has turns, a `together` block or an `as` block.
    takes_turns: bool,
    /// The payoff is being checked.
    pays: bool,
    /// The first choice of a turn is being checked for `no action`.
    looks_ahead: bool,

    /// Script functions that the rules call.
    hooked: HashSet<Span>,
    /// The names resolved so far.
    recorder: names::record::Recorder<'a>,

    // Resources used.
    nodes: u32,
    depth: u32,
    exhausted: bool,
    state_words: u64,
    table_values: u64,
    fold_steps: u32,

    // For lints and the numbering of actions.
    used: HashSet<&'a str>,
    expanded: HashSet<usize>,
    read_slots: HashSet<SlotId>,
    params_read: u32,
    steps_by_span: HashMap<Span, StepId>,
    action_keys: Vec<statements::choice::ActionBlockKey>,
    /// Locals of a `let`; they can be assigned to.
    lets: HashSet<LocalId>,
    /// Locals with a declared type.
    typed: HashMap<LocalId, Content>,
    /// The domains of sets in the other `let`s, by the location of the name.
    inferred: HashMap<Span, expressions::fit::Inferred>,
    /// This run has widened `inferred`.
    again: bool,
    /// Each `let s = {}` whose domain is still unknown: location of the name and of the value.
    open: HashMap<Span, Span>,
    optional_locals: HashSet<LocalId>,
    /// The least and the greatest number of each `let` that keeps its first value.
    bounded: HashMap<LocalId, (i64, i64)>,
    /// The statements of the block after the one that is being checked.
    rest: &'a [syntax::Stmt],
    /// Locals that are subsets of dice, with these dice.
    dice_subsets: HashMap<LocalId, value::DiceValue>,
    /// The players of `each player` outside of rounds and of `together`.
    everybody: Vec<LocalId>,
    /// Moves of copies, by the local that holds the kinds.
    moved: HashMap<LocalId, declarations::copies::Moved>,
    /// Exchanges of zones, by a local of each.
    swapped: HashMap<LocalId, statements::swap::Swapped>,
}

impl<'a> Checker<'a> {
    fn new(
        game: &'a syntax::GameDecl,
        fixed: &'a [String],
        inherited: &'a [ActionKey],
        options: &CheckOptions<'a>,
    ) -> Self {
        Checker {
            game,
            fixed,
            inherited,
            options: *options,
            diagnostics: vec![],
            reported: HashSet::new(),
            unknown: HashMap::new(),
            errors: 0,
            holes: false,
            settings: vec![],
            model: Model::new(&game.title.text, &game.help),
            hooked: HashSet::new(),
            recorder: names::record::Recorder::default(),
            params: BTreeMap::new(),
            declared: HashMap::new(),
            entered: HashSet::new(),
            values: HashMap::new(),
            directions: None,
            team_domain: None,
            board_names: vec![],
            ranges: HashMap::new(),
            words: HashMap::new(),
            tables: vec![],
            fields: HashMap::new(),
            players_state: declarations::players::PlayersState::Waiting,
            score: declarations::rules::Score::Waiting,
            resolving: vec![],
            expanding: vec![],
            levels: vec![],
            frames: vec![names::scope::Scope::default()],
            facts: vec![vec![]],
            next_argument: 0,
            step: None,
            within: vec![],
            place: place::StatementContext::Elsewhere,
            dead: 0,
            may_be_absent: false,
            acting: 0,
            takes_turns: false,
            pays: false,
            looks_ahead: false,
            nodes: 0,
            depth: 0,
            exhausted: false,
            state_words: 0,
            table_values: 0,
            fold_steps: 3_000_000,
            used: HashSet::new(),
            expanded: HashSet::new(),
            read_slots: HashSet::new(),
            params_read: 0,
            steps_by_span: HashMap::new(),
            action_keys: vec![],
            lets: HashSet::new(),
            typed: HashMap::new(),
            inferred: HashMap::new(),
            again: false,
            open: HashMap::new(),
            optional_locals: HashSet::new(),
            bounded: HashMap::new(),
            rest: &[],
            dice_subsets: HashMap::new(),
            everybody: vec![],
            moved: HashMap::new(),
            swapped: HashMap::new(),
        }
    }

    fn run(&mut self) {
        self.builtin_slots();
        self.allowances();
        self.collect();
        self.players();
        self.start_builtins();
        self.resolve_all();
        self.shown_elements();
        self.shown_sets();
        self.fill_zones();
        self.settings_of_nothing();
        self.requires();
        self.check_setup();
        self.check_turn();
        self.check_score();
        self.check_ends();
        self.check_payoff();
        self.check_winner();
        self.check_measures();
        self.check_limit();
        self.check_match();
        self.hook_end();
        self.check_unused_definitions();
        self.check_hooks();
        self.number_actions();
        self.weave_knowledge();
        self.weave_shown_values();
        self.check_size();
        self.lints();
    }

    fn finish(mut self) -> Checked {
        for (at, more) in std::mem::take(&mut self.unknown).into_values().filter(|(_, more)| *more > 0) {
            if let Some(d) = self.diagnostics.get_mut(at) {
                let places = if more == 1 { "place" } else { "places" };
                d.notes.push(format!("the same in {more} other {places}"));
            }
        }
        self.diagnostics.sort_by_key(|d| d.primary.span);
        let wrong = self.diagnostics.iter().any(|d| d.severity == Severity::Error);
        if wrong || self.holes || self.has_hole() {
            self.diagnostics.retain(|d| d.severity == Severity::Error);
        }
        let names = self.recorded();
        self.model.params = std::mem::take(&mut self.params).into_values().collect();
        let model = if wrong || self.holes || self.has_hole() || !self.settings.is_empty() {
            None
        } else {
            Some(self.model)
        };
        Checked { model, diagnostics: self.diagnostics, settings: self.settings, names }
    }

    /// Reports a message, unless this location has a message with the same code, or the same unknown
    /// name has been reported elsewhere. In an expanded define or procedure, the message also shows the
    /// use.
    fn report(&mut self, mut d: Diagnostic) {
        if self.silent() || self.model.allows(&d) || !self.reported.insert((d.code, d.primary.span)) {
            return;
        }
        if d.code.is_unknown() {
            if let Some((_, more)) = self.unknown.get_mut(&d.message) {
                *more += 1;
                return;
            }
            self.unknown.insert(d.message.clone(), (self.diagnostics.len(), 0));
        }
        match d.severity {
            Severity::Error => self.errors += 1,
            Severity::Warning => {}
        }
        if let Some((_, used)) = self.expanding.last()
            && !contains(*used, d.primary.span)
        {
            d = d.also(*used, "used here");
        }
        if self.errors == limits::MESSAGES {
            d = d.note(format!("checking stopped after {} errors", limits::MESSAGES));
        }
        self.diagnostics.push(d);
    }

    /// Returns `true` if a message with this code has been reported, so that consequential errors can be
    /// omitted.
    fn told(&self, code: Code) -> bool {
        self.reported.iter().any(|(reported, _)| *reported == code)
    }

    /// Returns `true` if the maximum number of errors is reached. Nothing more is reported then.
    fn silent(&self) -> bool {
        self.errors >= limits::MESSAGES
    }

    fn error(&mut self, code: Code, span: Span, message: impl Into<String>) {
        self.report(Diagnostic::error(code, span, message));
    }

    /// Reports a language construct that is recognised but not implemented.
    fn not_yet(&mut self, span: Span, what: &str) {
        self.error(Code::NotYet, span, format!("this version doesn't support {what} yet"));
    }
}

fn contains(outer: Span, inner: Span) -> bool {
    outer.file == inner.file && outer.start <= inner.start && inner.end <= outer.end
}
