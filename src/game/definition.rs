//! A game: the model, its program, and the names of its actions. Immutable and shared by all its states.

use std::sync::{Arc, OnceLock};

use super::endless::endless_loop;
use super::worth::GameCosts;
use super::{ActionId, Attached, RuntimeError, RuntimeErrorKind};
use houserule_base::clock::Instant;
use houserule_language::diagnostic::{Diagnostic, SourceMap, Span};
use houserule_language::syntax;
use houserule_language::variants::Origin;
use houserule_machine::compile::{CompileError, CompileOptions, Compiled, compile, compile_for_random_games};
use houserule_machine::native::family;
use houserule_machine::native::{BackendChoice, CodeSize, Machine, Machines, RunKind, choice};
use houserule_machine::program::{Instruction, Operand, Program, Span16};
use houserule_machine::run::Runner;
use houserule_machine::run_state::{Fault, RunState};
use houserule_model::{
    ActionBlock, BinderValue, Builtin, DomainId, DomainKind, Life, LocalId, Model, Role, Slot, SlotId,
    value_len,
};

/// The identity of a game's rules, by which a record finds them again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Identity {
    /// The name as the user wrote it: `dilido + torus`.
    pub name: String,
    /// The SHA-256 of all the texts that the rules were read from, in hexadecimal, without what is only about how things
    /// are shown. Lines count as if they ended in LF.
    pub rules_sha256: String,
    /// Others that earlier versions wrote to records: with all `shown as …`, and with the ends of lines as they are.
    pub rules_sha256_before: Vec<String>,
}

impl Identity {
    /// Returns `true` if a hash in a record is that of these rules.
    pub fn has_rules(&self, sha256: &str) -> bool {
        self.rules_sha256 == sha256 || self.rules_sha256_before.iter().any(|before| before == sha256)
    }
}

/// The rules as written, for display. Play does not use it.
#[derive(Clone, Debug, Default)]
pub struct Sheet {
    /// The syntax tree of the game with its variants merged in.
    pub tree: Option<Arc<syntax::GameDecl>>,
    /// The names by which the game and each of its variants are loaded.
    pub names: Vec<String>,
    /// Number of leading `names` that the last of them implies, so that it alone loads them all.
    pub named_by_one: usize,
    /// The title of the game without its variants.
    pub base: String,
    /// The syntax tree of the game alone, if it has variants.
    pub base_tree: Option<Arc<syntax::GameDecl>>,
    /// The variants, first to last.
    pub variants: Arc<Vec<syntax::Variant>>,
    /// The scripts, by index.
    pub scripts: Vec<SheetScript>,
    /// The origin of the texts: how they were combined.
    pub origin: Origin,
    /// The texts, for messages about the rules.
    pub sources: SourceMap,
    /// Warnings about the rules.
    pub warnings: Vec<Diagnostic>,
}

/// A script as written.
#[derive(Clone, Debug)]
pub struct SheetScript {
    /// Its file; `None` if it is part of the rules.
    pub file: Option<String>,
    /// The whole text.
    pub text: String,
}

/// A game that can be played. Cloning it is cheap.
#[derive(Clone, Debug)]
pub struct Game(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    model: Model,
    compiled: Compiled,
    identity: Identity,
    sheet: Sheet,
    actions: u32,
    /// The plan by which observations are written.
    observation: Attached,
    /// The locals that players see.
    visible_locals: Attached,
    /// The game with an observer.
    observer: Attached,
    /// What is on a table, for pictures.
    table: Attached,
    /// Compiled code. It points to the tables of the program, so neither may move.
    machines: Machines,
    /// The program for random games and its code, made on first use; `None` if it is that for all.
    random: OnceLock<Option<(Program, Machines)>>,
    /// The program for random games that begin in any way and its code, made on first use.
    series: OnceLock<(Program, Machines)>,
    costs: GameCosts,
    /// What games of matches have cost.
    series_costs: GameCosts,
}

impl Game {
    /// Compiles a model.
    pub fn new(model: Model, identity: Identity) -> Result<Game, CompileError> {
        Game::with_sheet(model, identity, Sheet::default())
    }

    /// Returns `true` if both are the same object, not only games of the same rules.
    pub fn is(&self, other: &Game) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// Compiles a model, and keeps the rules as written.
    pub fn with_sheet(model: Model, identity: Identity, sheet: Sheet) -> Result<Game, CompileError> {
        let clock = Instant::now();
        let compiled = compile(&model)?;
        let [costs, series_costs] = [(); 2].map(|()| GameCosts::new(clock.elapsed()));
        let actions = model.actions.iter().map(|b| b.first + b.size).max().unwrap_or(0);
        let [observation, visible_locals, observer, table] = [(); 4].map(|()| Attached::default());
        Ok(Game(Arc::new(Inner {
            model,
            compiled,
            identity,
            sheet,
            actions,
            observation,
            visible_locals,
            observer,
            table,
            machines: Machines::default(),
            random: OnceLock::new(),
            series: OnceLock::new(),
            costs,
            series_costs,
        })))
    }

    /// Returns the model of the rules.
    #[inline]
    pub fn model(&self) -> &Model {
        &self.0.model
    }

    /// Returns the program.
    #[inline]
    pub fn program(&self) -> &Program {
        &self.0.compiled.program
    }

    /// Returns the program for a kind of run, made on first use. That for random players may leave out what nothing in their
    /// games depends on.
    pub fn program_of(&self, kind: RunKind) -> &Program {
        self.program_and_code(kind).0
    }

    /// Like [`Game::program_of`], but returns the program for all if another has not been made.
    pub(crate) fn program_if_made(&self, kind: RunKind) -> &Program {
        match self.0.random.get() {
            Some(_) => self.program_of(kind),
            None => self.program(),
        }
    }

    /// Returns what runs in a kind of run, and its compiled code.
    fn program_and_code(&self, kind: RunKind) -> (&Program, &Machines) {
        let all = (self.program(), &self.0.machines);
        if kind == RunKind::Steps {
            return all;
        }
        let random = self.0.random.get_or_init(|| {
            let random = compile_for_random_games(self.model(), CompileOptions::default()).ok()??;
            Some((random.program, Machines::default()))
        });
        match random {
            Some((random, machines)) if kind == RunKind::Games || random.frame <= all.0.frame => {
                (random, machines)
            }
            _ => all,
        }
    }

    /// Returns the compiled code for a way of running the program, and compiles it on first use. Returns
    /// `None` if the interpreter runs it.
    pub fn machine(&self, kind: RunKind) -> Option<&Machine> {
        let (program, machines) = self.program_and_code(kind);
        machines.get(program, kind)
    }

    /// Lets games share the compiled code for single decisions if their programs differ only in some numbers.
    pub fn share_code(games: &[Game]) {
        family::join(games.iter().map(|game| (game.program(), &game.0.machines)));
    }

    /// Returns `true` if the game runs the code of another one for single decisions, with its own numbers.
    pub fn shares_code(&self, other: &Game) -> bool {
        self.0.machines.share_code(&other.0.machines)
    }

    /// Notes that a run is to play this many games with random players: compiling the program pays the sooner.
    pub fn announce(&self, games: u64) {
        self.0.costs.announce(games);
    }

    /// Returns the compiled code for whole games of random players, and compiles it if that pays now. `left` is the number
    /// of games that the caller has still to play.
    pub(crate) fn machine_for_games(&self, left: u64) -> Option<&Machine> {
        match self.machine_if_made(RunKind::Games) {
            None if self.costs().pay_for(self.program().code.len(), left) => self.machine(RunKind::Games),
            made => made,
        }
    }

    /// Like [`Game::announce`], for games of matches.
    pub fn announce_series(&self, games: u64) {
        self.0.series_costs.announce(games);
    }

    /// Like [`Game::machine_for_games`], for games of matches, with the program. `is_due` compiles it in any case.
    pub(crate) fn machine_for_series(&self, is_due: bool) -> Option<(&Program, &Machine)> {
        let inner = &self.0;
        let pays = || {
            choice() == Ok(BackendChoice::Compile) || inner.series_costs.pay_for(self.program().code.len(), 1)
        };
        let is_made = inner.series.get().is_some();
        if !is_due && !is_made && !pays() {
            return None;
        }
        let (program, machines) = inner.series.get_or_init(|| {
            let mut program = self.program_of(RunKind::Games).clone();
            program.given = self.given_words();
            (program, Machines::default())
        });
        let machine = match is_made && !is_due {
            true => machines.made(program, RunKind::Games),
            false => machines.get(program, RunKind::Games),
        };
        machine.map(|machine| (program, machine))
    }

    /// Compiles the program for random games of matches. Returns `true` if there is a backend for it.
    pub fn compile_series(&self) -> bool {
        self.machine_for_series(true).is_some()
    }

    /// Returns the words that differ from one game of a match to the next before it begins.
    fn given_words(&self) -> Vec<Span16> {
        let model = self.model();
        let width = self.program().width;
        let slots = model.slots.iter().zip(self.slots());
        let is_given = |slot: &Slot| match slot.role {
            Role::Builtin(builtin) => {
                use Builtin::{GameNumber, Mover, Starter, Total};
                [GameNumber, Mover, Starter, Total].contains(&builtin)
            }
            _ => slot.life == Life::Match,
        };
        slots
            .filter(|(slot, _)| is_given(slot))
            .filter_map(|(slot, at)| {
                let len = value_len(width, slot.content) as usize * slot.initial.len();
                Some(Span16 { at: (*at)?, len: len as u16 })
            })
            .collect()
    }

    /// Returns what random games of matches have cost.
    pub(crate) fn series_costs(&self) -> &GameCosts {
        &self.0.series_costs
    }

    /// Returns what random games of the program have cost.
    pub(crate) fn costs(&self) -> &GameCosts {
        &self.0.costs
    }

    /// Returns the compiled code for a way of running the program, if it has been compiled.
    pub fn machine_if_made(&self, kind: RunKind) -> Option<&Machine> {
        let may_be_made = kind == RunKind::Steps || self.0.random.get().is_some();
        if !may_be_made && choice() != Ok(BackendChoice::Compile) {
            return None;
        }
        let (program, machines) = self.program_and_code(kind);
        machines.made(program, kind)
    }

    /// Returns what runs the game from one stop to the next.
    pub(crate) fn steps(&self) -> Runner<'_> {
        Runner::new(self.program(), self.machine_if_made(RunKind::Steps))
    }

    /// Like [`Game::steps`], but compiles the program if that has not been tried.
    pub fn compiled_steps(&self) -> Runner<'_> {
        Runner::new(self.program(), self.machine(RunKind::Steps))
    }

    /// Compiles the program for a way of running it, and returns the size of the code. Returns `None` if the
    /// interpreter runs it.
    pub fn compiled_size(&self, kind: RunKind) -> Option<CodeSize> {
        self.machine(kind).map(Machine::size)
    }

    /// Returns the name and SHA-256 of the rules.
    pub fn identity(&self) -> &Identity {
        &self.0.identity
    }

    /// Returns the rules as written.
    pub fn sheet(&self) -> &Sheet {
        &self.0.sheet
    }

    /// Returns the first word of each slot that the program keeps.
    pub fn slots(&self) -> &[Option<u16>] {
        &self.program().places.slots
    }

    /// Returns the frame before the setup of a match's first game, which the first seat starts.
    pub(crate) fn first_frame(&self) -> Vec<u64> {
        self.first_frame_of(self.program())
    }

    /// Like [`Game::first_frame`], for a program of the game.
    pub(crate) fn first_frame_of(&self, program: &Program) -> Vec<u64> {
        let mut words = program.initial.clone();
        words.resize(program.frame as usize, 0);
        if let Some(at) = self.slots()[Builtin::GameNumber.slot().index()] {
            words[usize::from(at)] = 1;
        }
        words
    }

    /// Returns `true` if the program keeps a slot. If not, no rule reads it, and it has its initial value.
    pub fn keeps(&self, slot: SlotId) -> bool {
        self.slots()[slot.index()].is_some()
    }

    /// Returns the first word of a local, if it is kept while a decision is pending.
    pub(crate) fn local_at(&self, local: LocalId) -> Option<u16> {
        self.0.compiled.locals[local.index()]
    }

    /// Returns where the plan of observations is kept.
    pub(crate) fn observation(&self) -> &Attached {
        &self.0.observation
    }

    /// Returns where the locals that players see are kept.
    pub(crate) fn visible_locals(&self) -> &Attached {
        &self.0.visible_locals
    }

    /// Returns where the game with an observer is kept.
    pub(crate) fn observer(&self) -> &Attached {
        &self.0.observer
    }

    /// Returns where pictures keep what each zone is on a table.
    pub fn table(&self) -> &Attached {
        &self.0.table
    }

    /// Returns the number of players.
    pub fn players(&self) -> u32 {
        self.0.model.players.count
    }

    /// Returns the number of action ids, including removed options.
    pub fn actions(&self) -> u32 {
        self.0.actions
    }

    /// Returns the block of an action.
    pub fn action_block(&self, action: ActionId) -> Option<&ActionBlock> {
        self.0.model.action_block(action)
    }

    /// Returns what an action binds, in the order of the binders.
    pub fn action_bindings(&self, action: ActionId) -> Vec<BinderValue> {
        self.action_block(action).map_or_else(Vec::new, |block| block.bindings(&self.0.model, action))
    }

    /// Returns an action's name as players see it: see [`Model::action_name`].
    pub fn action_name(&self, action: ActionId) -> String {
        self.0.model.action_name(action)
    }

    /// Returns the action with a name as [`Game::action_name`] writes it; ignores spaces and case.
    pub fn parse_action(&self, text: &str) -> Option<ActionId> {
        let mut words = text.split_whitespace();
        let option = words.next()?;
        let words: Vec<&str> = words.collect();
        let named = |b: &&ActionBlock| {
            let fits =
                if b.subset { b.domains.len() <= words.len() + 1 } else { b.domains.len() == words.len() };
            b.option.eq_ignore_ascii_case(option) && fits && !b.dead
        };
        self.0.model.actions.iter().filter(named).find_map(|block| {
            let single = block.domains.len() - usize::from(block.subset);
            let (single, listed) = words.split_at(single);
            let sizes = block.sizes(&self.0.model);
            let mut id = 0;
            for (place, (word, size)) in single.iter().zip(&sizes).enumerate() {
                id = id * size + self.parse_bound(block, place, word)?;
            }
            if block.subset {
                id = id * sizes.last()? + self.parse_subset(block, listed)?;
            }
            Some(ActionId(block.first + id))
        })
    }

    /// Returns the element of a binder with a name. A face of dice also goes by its number.
    fn parse_bound(&self, block: &ActionBlock, binder: usize, word: &str) -> Option<u32> {
        let face = block.faces.iter().find(|(of, _, name)| *of == binder && name.eq_ignore_ascii_case(word));
        match face {
            Some((_, element, _)) => Some(*element),
            None => self.parse_element(*block.domains.get(binder)?, word),
        }
    }

    /// Returns the index of a subset whose elements are listed once each, in any order; `none` is the empty
    /// one.
    fn parse_subset(&self, block: &ActionBlock, words: &[&str]) -> Option<u32> {
        if let [none] = words
            && none.eq_ignore_ascii_case("none")
        {
            return Some(0);
        }
        let mut bits = 0u32;
        for word in words {
            let bit =
                1u32.checked_shl(self.parse_bound(block, block.domains.len().checked_sub(1)?, word)?)?;
            if bits & bit != 0 {
                return None;
            }
            bits |= bit;
        }
        (!words.is_empty()).then_some(bits)
    }

    /// Returns an element's name as players see it.
    pub fn element_name(&self, domain: DomainId, e: u32) -> String {
        self.0.model.element_name(domain, e)
    }

    /// Returns the element with a name; ignores case.
    pub fn parse_element(&self, domain: DomainId, text: &str) -> Option<u32> {
        let size = self.0.model.domains[domain.index()].size;
        if let DomainKind::Sites(board) = self.0.model.domains[domain.index()].kind {
            return self.0.model.boards[board.index()]
                .topology
                .parse_site(&text.to_lowercase())
                .map(|stop| stop.0);
        }
        (0..size).find(|e| self.element_name(domain, *e).eq_ignore_ascii_case(text))
    }

    /// Returns `true` if the rules declare payoffs.
    pub fn pays(&self) -> bool {
        self.model().payoff.is_some()
    }

    /// Returns `true` if the value of every finished game lies between -1 and 1: see [`State::worth_of_each`](super::State::worth_of_each).
    pub fn has_unit_values(&self) -> bool {
        self.players() > 1 && !self.pays()
    }

    /// Converts a fault of the executor to an error in the rules. `run_state` is what the executor ran with.
    pub(crate) fn error(&self, at: u32, fault: Fault, value: i64, run_state: &RunState) -> RuntimeError {
        self.error_in(self.program(), at, fault, value, run_state)
    }

    /// Like [`Game::error`], in a program of the game.
    pub(crate) fn error_in(
        &self,
        program: &Program,
        at: u32,
        fault: Fault,
        value: i64,
        run_state: &RunState,
    ) -> RuntimeError {
        let span = program
            .spans
            .get(at as usize)
            .copied()
            .unwrap_or_else(|| Span::new(houserule_language::diagnostic::FileId(0), 0, 0));
        let range = program.code.get(at as usize).and_then(|i: &Instruction| {
            i.operands().into_iter().find_map(|(_, o)| match o {
                Operand::Range(r) => program.ranges.get(usize::from(r)),
                _ => None,
            })
        });
        let kind = match (fault, range) {
            (Fault::OutOfRange, Some(range)) if range.element => RuntimeErrorKind::NoneValue,
            // Only the check of their sum has the span of the whole `payoff`.
            (Fault::OutOfRange, Some(_))
                if self.model().payoff.as_ref().is_some_and(|payoff| payoff.span == span) =>
            {
                RuntimeErrorKind::PayoffSum { sum: value }
            }
            (Fault::OutOfRange, Some(range)) => RuntimeErrorKind::OutOfRange {
                name: range.name.clone(),
                value,
                low: range.low,
                high: range.high,
            },
            (Fault::Overflow, _) => match self.model().score.iter().find(|item| item.span == span) {
                // Only the sum of the items has the span of a whole item.
                Some(item) => RuntimeErrorKind::ScoreOverflow { item: item.name.clone() },
                None => RuntimeErrorKind::Overflow,
            },
            (Fault::OutOfRange, _) => RuntimeErrorKind::Overflow,
            (Fault::Index | Fault::NoneIndex, _) => RuntimeErrorKind::NoneIndex,
            (Fault::DivisionByZero, _) => RuntimeErrorKind::DivisionByZero,
            (Fault::NoneValue, _) => RuntimeErrorKind::NoneValue,
            (Fault::Budget, _) => RuntimeErrorKind::Budget,
            (Fault::Positions, _) => RuntimeErrorKind::Positions,
            (Fault::Script, _) => RuntimeErrorKind::Script(run_state.mistake.clone().unwrap_or_default()),
            (Fault::Limit, _) => RuntimeErrorKind::Limit { decisions: self.model().limit },
        };
        let span = match kind {
            RuntimeErrorKind::Budget => endless_loop(self.model(), span),
            _ => span,
        };
        RuntimeError { span, kind }
    }
}
