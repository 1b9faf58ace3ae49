//! The state that the passes of the checker share, the messages that they report, and what each name stands for.
//! Depends on boards, the syntax tree and the model; independent of what expressions, declarations and statements mean.
//!
//! Each module imports only what is declared before it here; a test holds them to the order.

pub(crate) mod options;

pub(crate) mod value;

pub(crate) mod place;

pub(crate) mod state;

pub(crate) mod names;

use houserule_base::limits;
use houserule_language::diagnostic::{Code, Diagnostic, Severity, Span};
use houserule_language::syntax;
use houserule_model::*;
use options::{ActionKey, CheckOptions, SettingError};
use state::{ActionBlockKey, Inferred, Moved, PlayersState, Score, Swapped};
use std::collections::{BTreeMap, HashMap, HashSet};

/// The check of one game. Its methods are the passes, each in the module of its subject. They call each other across
/// modules, since an expression may need a declaration, and a declaration an expression.
pub(crate) struct Checker<'a> {
    pub(crate) game: &'a syntax::GameDecl,
    pub(crate) fixed: &'a [String],
    pub(crate) inherited: &'a [ActionKey],
    pub(crate) options: CheckOptions<'a>,

    pub(crate) diagnostics: Vec<Diagnostic>,
    reported: HashSet<(Code, Span)>,
    /// Unknown names that have been reported: index of the message, and number of further occurrences.
    pub(crate) unknown: HashMap<String, (usize, usize)>,
    errors: usize,
    /// A part didn't parse, so there can be no model.
    pub(crate) holes: bool,
    pub(crate) settings: Vec<SettingError>,

    /// The model built so far.
    pub(crate) model: Model,
    /// Params by the index of their declaration.
    pub(crate) params: BTreeMap<usize, Param>,

    // Resolved names.
    pub(crate) declared: HashMap<&'a str, names::scope::Declaration>,
    /// Declarations of domains whose named elements are in `values`.
    entered: HashSet<usize>,
    /// Values of enums and names of players, each with all domains that have a value of this name.
    pub(crate) values: HashMap<&'a str, Vec<(DomainId, u32)>>,
    /// The domain of directions, once something names it.
    pub(crate) directions: Option<DomainId>,
    /// The domain of the teams, once the rules name it.
    pub(crate) team_domain: Option<DomainId>,
    /// The names of the boards in the order of the text.
    pub(crate) board_names: Vec<&'a syntax::Name>,
    pub(crate) ranges: HashMap<(i64, i64), DomainId>,
    words: HashMap<Vec<&'a str>, DomainId>,
    pub(crate) tables: Vec<names::tables::TableDeclaration>,
    pub(crate) fields: HashMap<(DomainId, String), names::tables::FieldTable>,
    pub(crate) players_state: PlayersState,
    pub(crate) score: Score,
    /// Declarations being resolved, to report cycles.
    pub(crate) resolving: Vec<(String, Span)>,
    /// Defines and procedures being expanded, each with the location of its use.
    expanding: Vec<(usize, Span)>,
    /// The numbers that each of them got, by which a define may use itself.
    levels: Vec<Vec<names::defines::RecursionLevel>>,

    // Current position.
    pub(crate) frames: Vec<names::scope::Scope>,
    pub(crate) facts: Vec<Vec<value::Fact>>,
    next_argument: u32,
    pub(crate) step: Option<StepId>,
    /// The options and steps around the current position: kind and name of each.
    pub(crate) within: Vec<(&'static str, &'a str)>,
    pub(crate) place: place::StatementContext,
    /// Number of enclosing branches that the params rule out.
    pub(crate) dead: u32,
    /// A key may be a player who doesn't play.
    pub(crate) may_be_absent: bool,
    /// Number of enclosing `as` blocks.
    pub(crate) acting: u32,
    /// The round has turns, a `together` block or an `as` block.
    pub(crate) takes_turns: bool,
    /// The payoff is being checked.
    pub(crate) pays: bool,
    /// The first choice of a turn is being checked for `no action`.
    pub(crate) looks_ahead: bool,

    /// Script functions that the rules call.
    pub(crate) hooked: HashSet<Span>,
    /// The names resolved so far.
    pub(crate) recorder: names::record::Recorder<'a>,

    // Resources used.
    pub(crate) nodes: u32,
    pub(crate) depth: u32,
    pub(crate) exhausted: bool,
    pub(crate) state_words: u64,
    pub(crate) table_values: u64,
    pub(crate) fold_steps: u32,

    // For lints and the numbering of actions.
    pub(crate) used: HashSet<&'a str>,
    expanded: HashSet<usize>,
    pub(crate) read_slots: HashSet<SlotId>,
    pub(crate) params_read: u32,
    pub(crate) steps_by_span: HashMap<Span, StepId>,
    pub(crate) action_keys: Vec<ActionBlockKey>,
    /// Locals of a `let`; they can be assigned to.
    pub(crate) lets: HashSet<LocalId>,
    /// Locals with a declared type.
    pub(crate) typed: HashMap<LocalId, Content>,
    /// The domains of sets in the other `let`s, by the location of the name.
    pub(crate) inferred: HashMap<Span, Inferred>,
    /// This run has widened `inferred`.
    pub(crate) again: bool,
    /// Each `let s = {}` whose domain is still unknown: location of the name and of the value.
    pub(crate) open: HashMap<Span, Span>,
    pub(crate) optional_locals: HashSet<LocalId>,
    /// The least and the greatest number of each `let` that keeps its first value.
    pub(crate) bounded: HashMap<LocalId, (i64, i64)>,
    /// The statements of the block after the one that is being checked.
    pub(crate) rest: &'a [syntax::Stmt],
    /// Locals that are subsets of dice, with these dice.
    pub(crate) dice_subsets: HashMap<LocalId, value::DiceValue>,
    /// The players of `each player` outside of rounds and of `together`.
    pub(crate) everybody: Vec<LocalId>,
    /// Moves of copies, by the local that holds the kinds.
    pub(crate) moved: HashMap<LocalId, Moved>,
    /// Exchanges of zones, by a local of each.
    pub(crate) swapped: HashMap<LocalId, Swapped>,
}

impl<'a> Checker<'a> {
    /// A checker that has checked nothing yet.
    pub(crate) fn new(
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
            players_state: PlayersState::Waiting,
            score: Score::Waiting,
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

    /// Reports a message, unless this location has a message with the same code, or the same unknown
    /// name has been reported elsewhere. In an expanded define or procedure, the message also shows the
    /// use.
    pub(crate) fn report(&mut self, mut d: Diagnostic) {
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
    pub(crate) fn told(&self, code: Code) -> bool {
        self.reported.iter().any(|(reported, _)| *reported == code)
    }

    /// Returns `true` if the maximum number of errors is reached. Nothing more is reported then.
    pub(crate) fn silent(&self) -> bool {
        self.errors >= limits::MESSAGES
    }

    pub(crate) fn error(&mut self, code: Code, span: Span, message: impl Into<String>) {
        self.report(Diagnostic::error(code, span, message));
    }

    /// Reports a language construct that is recognised but not implemented.
    pub(crate) fn not_yet(&mut self, span: Span, what: &str) {
        self.error(Code::NotYet, span, format!("this version doesn't support {what} yet"));
    }
}

pub(crate) fn contains(outer: Span, inner: Span) -> bool {
    outer.file == inner.file && outer.start <= inner.start && inner.end <= outer.end
}
