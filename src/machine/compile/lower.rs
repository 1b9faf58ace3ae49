//! Shared state of lowering: code, labels, temporaries, addresses, and declarations made once.

use std::collections::{HashMap, HashSet};

use super::chain::ChainLoop;
use super::conditions::nests::predecessors;
use super::free::Free;
use super::keep::canon::Canons;
use super::keep::cells::KeptCells;
use super::keep::held::HeldValues;
use super::layout::{Layout, local_len, slot_len};
use super::unread::Unread;
use super::{CompileError, CompileOptions, Compiled, ValueKeeping, places};
use crate::program::{
    BUDGET, CodeAddress, Dice, Flow, FunctionRef, Instruction as I, LineRef, NumberTable, PositionWordsRef,
    Program, Range, SetFunction, ShiftTable, Span16, StopKind, StopPoint, StopRef,
};
use houserule_language::diagnostic::Span;
use houserule_model::board::{LineKinds, Near, Topology};
use houserule_model::{
    BoardId, Builtin, CheckedExprKind, CheckedStmtKind, CountedUses, DomainId, HookKind, LocalId, Model,
    PositionKeyId, Role, SlotId, StateLayout, TableId, walk,
};

/// Maximum size of the caches in a frame, in words. Every clone of a state copies them.
const MEMORY_WORDS: usize = 1024;
/// Like [`MEMORY_WORDS`] for caches of walls, which take 16 bits for each site.
pub(super) const WALL_WORDS: usize = 4096;
/// Maximum size of the action masks of all choices, in words.
const REGION_WORDS: usize = 1 << 23;
/// Maximum number of evaluation steps for optional tables: for one table, and for all.
pub(super) const TABLE_STEPS: (u32, u32) = (1_000_000, 8_000_000);

/// A code address that may not be known yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CodeLabel(pub(super) u16);

impl CodeLabel {
    /// Returns the label as a provisional jump target.
    pub(super) fn block(self) -> CodeAddress {
        CodeAddress(self.0)
    }
}

/// Targets of `skip`, `done` and `again`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Exits {
    pub(super) skip: Option<CodeLabel>,
    pub(super) done: CodeLabel,
    pub(super) again: CodeLabel,
}

/// A table of numbers with two inputs, if there is one, and the number of values of the second.
type TableOfTwo = Option<(NumberTable, i64)>;

/// The state of the compiler.
pub(super) struct Lowering<'m> {
    pub(super) model: &'m Model,
    pub(super) layout: Layout,
    pub(super) program: Program,
    labels: Vec<Option<u16>>,
    /// The first free temporary.
    temp: usize,
    most_temps: usize,
    /// Address of each local.
    pub(super) locals: Vec<Option<u16>>,
    /// Locals that are never `none`.
    pub(super) sure: HashSet<LocalId>,
    /// Locals that are known to be an empty site of a board.
    pub(super) free: HashMap<LocalId, Free>,
    /// Ends that are tested at the ends of branches.
    pub(super) branch_ends: Vec<usize>,
    /// Address of the word that says how the draws of a surrounding `chance … given` are made.
    pub(super) given: Option<u16>,
    /// What results count of the choices.
    pub(super) counted: CountedUses,
    /// Address of the acting player.
    pub(super) me: u16,
    /// `true` inside a turn.
    pub(super) in_turn: bool,
    pub(super) span: Span,
    /// The current place: an index in [`CodeOrigins::places`](crate::program::CodeOrigins::places), if they are kept.
    pub(super) origin: u32,
    pub(super) options: CompileOptions,
    /// The values that are kept, if any are.
    pub(super) cells: Option<KeptCells>,
    /// Describes expressions.
    pub(super) canons: Canons<'m>,
    /// The values that the expression which is being evaluated asks for several times.
    pub(super) held: HeldValues,
    /// The locals of nests of quantifiers whose conditions are where they should be.
    pub(super) arranging: Vec<LocalId>,
    /// Locals that are elements after another local in the order of their domain, each with that one.
    pub(super) predecessors: HashMap<LocalId, LocalId>,
    /// The chain that is being lowered.
    pub(super) chain: Option<ChainLoop>,
    /// What is left out.
    pub(super) unread: Unread,
    /// Dice of which some are rolled alone, so the outcome of all has no index.
    pub(super) partial: HashSet<SlotId>,
    pub(super) dice: HashMap<(SlotId, u32), u16>,
    /// Index in the program of each [`PositionKey`](houserule_model::PositionKey).
    pub(super) pasts: HashMap<PositionKeyId, PositionWordsRef>,
    pub(super) set_rows: HashMap<Vec<u64>, u16>,
    /// Tables by a hash of their words.
    pub(super) set_tables: HashMap<u64, Vec<u16>>,
    /// Tables by a hash of their numbers.
    pub(super) number_tables: HashMap<u64, Vec<u16>>,
    /// Steps to neighbours as moves, or `None` if they don't fit.
    pub(super) moves: HashMap<(BoardId, Near), Option<ShiftTable>>,
    /// Tables of numbers with two inputs: by expression, whether its first input is the first of the two, and whether each is
    /// never `none`.
    pub(super) tables_of_two: HashMap<(u128, [bool; 3]), TableOfTwo>,
    /// Tables made so far, by content.
    pub(super) tables: HashMap<TableOf, u16>,
    /// Line tables made so far, by board, kinds, tested length and points.
    pub(super) lines: HashMap<(BoardId, LineKinds, Option<u32>, Vec<i64>), LineRef>,
    /// Line lists made so far.
    pub(super) line_lists: HashMap<(BoardId, LineKinds), u16>,
    /// First row of the step masks of each board.
    pub(super) direction_rows: HashMap<BoardId, u32>,
    /// Line tests with a cache, by test and first word of the tested family.
    pub(super) remembered_lines: HashMap<(u16, u16), LineRef>,
    /// Reach functions, by neighbour table and the expression that they go through. An expression is told by its content
    /// and its place in the rules, and not by its address: an address that is used again would make the program depend on
    /// where things lie in memory.
    pub(super) remembered_reaches: HashMap<(u16, String), FunctionRef>,
    /// Enclosure functions, by neighbour table and the walls.
    pub(super) enclosures: HashMap<(u16, Option<String>), FunctionRef>,
    /// Size of all caches, in words.
    memory: usize,
    pub(super) ranges: HashMap<Range, u16>,
    too_large: Option<CompileError>,
    /// For each end, whether it needs testing only after a step that writes what it reads.
    pub(super) skippable: Vec<std::cell::OnceCell<bool>>,
    /// Evaluation steps left for optional tables.
    pub(super) table_steps: u32,
    region_words: usize,
}

/// The content of a table, if known before the table is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum TableOf {
    /// A table of the rules.
    Rules(TableId),
    /// A field of each element, from none on.
    Field(TableId),
    /// The column of each site.
    ColumnOf(BoardId),
    /// The row of each site.
    RowOf(BoardId),
    /// For each site the set of its column.
    ColumnSets(BoardId),
    /// For each site the set of its row.
    RowSets(BoardId),
    /// The site of each column and row, row by row; -1 for none.
    Places(BoardId),
    /// The sites near each site.
    Neighbours(BoardId, Near),
    /// The sides of each cell.
    SidesOf(BoardId),
    /// The cells at each side.
    CellsAt(BoardId),
    /// The links that cross each link.
    Crossing(BoardId),
    /// The set of the neighbour of each site in a direction.
    Shift(BoardId, u32),
    /// The neighbour of each site in a direction, from none on; -1 for none.
    Step(BoardId, u32),
    /// The sites in a line from each site.
    Ray(BoardId, u32),
}

impl<'m> Lowering<'m> {
    pub(super) fn new(model: &'m Model, options: CompileOptions) -> Result<Self, CompileError> {
        let mut partial = HashSet::new();
        for block in [&model.setup, &model.turn] {
            walk::stmts(model, block, &mut |stmt| {
                // After such a statement the faces aren't those of the last roll.
                match &stmt.kind {
                    CheckedStmtKind::Roll { dice, among: Some(_) } => partial.insert(dice.slot),
                    CheckedStmtKind::Assign { target, .. } => partial.insert(target.slot),
                    _ => false,
                };
            });
        }
        let layout = Layout::new(model, places::region_words(model)?, &partial)?;
        let span = model
            .slots
            .iter()
            .find_map(|s| s.span)
            .or(model.steps.first().map(|s| s.span))
            .or(model.turn.stmts.first().map(|s| s.span))
            .unwrap_or(Span::new(houserule_language::diagnostic::FileId(0), 0, 0));
        let counted = CountedUses::new(model);
        let steps = model.steps.iter().map(|step| step.name.as_str());
        let steps = steps.chain(counted.otherwise.iter().map(String::as_str));
        let program = Program {
            width: layout.width,
            players: model.players.count as u16,
            teams: (0..model.players.count).map(|p| model.team_of(houserule_model::Seat(p)).bits()).collect(),
            persistent: layout.persistent.into(),
            live: layout.live.into(),
            reset: layout.region.into(),
            limit: model.limit,
            budget: BUDGET,
            rounds: model.rounds,
            options: counted.options.len() as u16,
            steps: steps.map(str::to_owned).collect(),
            ..Program::default()
        };
        let temp = usize::from(layout.live);
        let locals = layout.locals.clone();
        let mut lower = Lowering {
            model,
            program,
            counted,
            labels: vec![],
            temp,
            most_temps: temp,
            locals,
            sure: walk::elements_bound(model),
            free: HashMap::new(),
            branch_ends: vec![],
            given: None,
            me: 0,
            in_turn: false,
            span,
            origin: 0,
            options,
            cells: None,
            canons: Canons::new(model, layout.width),
            held: HeldValues::default(),
            arranging: vec![],
            predecessors: predecessors(model),
            chain: None,
            unread: Unread::default(),
            partial,
            dice: HashMap::new(),
            pasts: HashMap::new(),
            set_rows: HashMap::new(),
            set_tables: HashMap::new(),
            number_tables: HashMap::new(),
            moves: HashMap::new(),
            tables_of_two: HashMap::new(),
            tables: HashMap::new(),
            lines: HashMap::new(),
            line_lists: HashMap::new(),
            direction_rows: HashMap::new(),
            remembered_lines: HashMap::new(),
            remembered_reaches: HashMap::new(),
            enclosures: HashMap::new(),
            memory: 0,
            ranges: HashMap::new(),
            too_large: None,
            skippable: vec![std::cell::OnceCell::new(); model.ends.len()],
            table_steps: TABLE_STEPS.1,
            region_words: 0,
            layout,
        };
        lower.me = lower.slot(Builtin::Mover.slot());
        lower.declare_dice();
        lower.declare_pasts();
        Ok(lower)
    }

    /// Lowers the whole model.
    pub(super) fn finish(mut self) -> Result<Compiled, CompileError> {
        if self.options.keeping != ValueKeeping::Off {
            self.plan_cells();
        }
        if self.options.origins {
            self.keep_origins();
        }
        self.game();
        if let Some(error) = self.too_large {
            return Err(error);
        }
        let code = self.program.code.len();
        if code > usize::from(u16::MAX) {
            return Err(CompileError::TooLarge {
                what: "instructions",
                limit: usize::from(u16::MAX),
                wanted: code,
            });
        }
        if self.most_temps + self.memory > usize::from(u16::MAX) {
            return Err(CompileError::state(self.most_temps));
        }
        let labels = &self.labels;
        let mut place = |b: CodeAddress| CodeAddress(labels[usize::from(b.0)].unwrap_or(0));
        for instruction in &mut self.program.code {
            instruction.retarget(&mut place);
        }
        let memory = self.most_temps;
        let program = &mut self.program;
        let reached = program.functions.iter_mut().filter_map(|f| match f {
            SetFunction::Reach { memory, .. } => memory.as_mut(),
            SetFunction::Enclosed(of) => of.memory.as_mut(),
            _ => None,
        });
        // Caches come after all temporaries, so that nothing else writes there.
        for at in program.lines.iter_mut().filter_map(|l| l.memory.as_mut()).chain(reached) {
            *at += memory as u16;
        }
        for block in [&mut program.start, &mut program.turn, &mut program.derive] {
            *block = place(*block);
        }
        program.score = program.score.map(&mut place);
        program.measure = program.measure.map(&mut place);
        for stop in &mut program.stops {
            stop.entry = place(stop.entry);
            if let StopKind::Choice(choice) = &mut stop.kind {
                for part in &mut choice.parts {
                    part.body = place(part.body);
                }
            }
        }
        program.frame = (self.most_temps + self.memory) as u32;
        program.scripts.clone_from(&self.model.scripts);
        program.hooks = self.model.hooks.len() as u16;
        let watch = self.model.hooks.iter().position(|hook| hook.kind == HookKind::Watch);
        program.free_hook = watch.map(|hook| hook as u16);
        program.places =
            StateLayout { width: self.layout.width, slots: self.layout.slots, end: self.layout.live };
        program.initial.clone_from(&self.layout.initial);
        program.unread = self.unread.words;
        Ok(Compiled { program: self.program, locals: self.layout.locals })
    }

    // ---- limits ----

    /// Sets the error that [`Lowering::finish`] returns, unless there is one already.
    pub(super) fn refuse(&mut self, error: CompileError) {
        self.too_large.get_or_insert(error);
    }

    /// Returns `true` if compilation has failed, so that nothing more need be lowered.
    pub(super) fn is_full(&self) -> bool {
        self.too_large.is_some()
    }

    // ---- code ----

    pub(super) fn emit(&mut self, instruction: I) {
        if instruction.flow() != Flow::Next {
            self.renumber_cells();
        }
        self.push(instruction);
        self.note_writes(&instruction);
    }

    /// Adds an instruction, whatever is kept.
    pub(super) fn push(&mut self, instruction: I) {
        if self.program.code.len() < 70_000 {
            self.program.code.push(instruction);
            self.program.spans.push(self.span);
            self.note_origin();
        } else {
            self.refuse(CompileError::TooLarge {
                what: "instructions",
                limit: usize::from(u16::MAX),
                wanted: 70_000,
            });
        }
    }

    pub(super) fn label(&mut self) -> CodeLabel {
        if self.labels.len() >= usize::from(u16::MAX) {
            self.refuse(CompileError::TooLarge {
                what: "jump targets",
                limit: usize::from(u16::MAX),
                wanted: self.labels.len() + 1,
            });
            return CodeLabel(0);
        }
        self.labels.push(None);
        CodeLabel(self.labels.len() as u16 - 1)
    }

    pub(super) fn bind(&mut self, label: CodeLabel) {
        self.renumber_cells();
        self.labels[usize::from(label.0)] = Some(self.program.code.len().min(usize::from(u16::MAX)) as u16);
    }

    pub(super) fn here(&mut self) -> CodeLabel {
        let label = self.label();
        self.bind(label);
        label
    }

    /// Returns a label for this place, at which the program can be entered.
    pub(super) fn entry(&mut self) -> CodeLabel {
        let label = self.here();
        self.forget_cells();
        label
    }

    pub(super) fn jump(&mut self, to: CodeLabel) {
        self.emit(I::Jump { to: to.block() });
    }

    // ---- temporaries ----

    pub(super) fn temp(&mut self, words: u16) -> u16 {
        let at = self.temp;
        self.temp += usize::from(words);
        self.most_temps = self.most_temps.max(self.temp);
        at.min(usize::from(u16::MAX)) as u16
    }

    /// Returns the address of the first free temporary.
    pub(super) fn next_temp(&self) -> u16 {
        self.temp.min(usize::from(u16::MAX)) as u16
    }

    pub(super) fn number_temp(&mut self) -> u16 {
        self.temp(1)
    }

    pub(super) fn set_temp(&mut self) -> u16 {
        self.temp(self.layout.width)
    }

    /// Allocates a cache in the frame. Returns its offset from the end of the temporaries, or `None` if the
    /// caches are full.
    pub(super) fn remember(&mut self, words: usize) -> Option<u16> {
        self.remember_within(words, MEMORY_WORDS)
    }

    /// Like [`Lowering::remember`], with `most` words as the limit.
    pub(super) fn remember_within(&mut self, words: usize, most: usize) -> Option<u16> {
        let at = self.memory;
        (at + words <= most).then(|| {
            self.memory += words;
            at as u16
        })
    }

    /// Runs `f` and frees its temporaries.
    pub(super) fn scoped<T>(&mut self, f: impl FnOnce(&mut Self) -> T) -> T {
        let mark = self.temp;
        let result = f(self);
        self.temp = mark;
        result
    }

    // ---- addresses and declarations ----

    /// Returns the first word of a slot that the layout keeps.
    pub(super) fn slot(&self, slot: SlotId) -> u16 {
        self.layout.slots[slot.index()].unwrap_or(0)
    }

    /// Returns the address of a local; allocates a temporary if it has none.
    pub(super) fn local(&mut self, local: LocalId) -> u16 {
        if let Some(at) = self.locals[local.index()] {
            return at;
        }
        let at = self.temp(local_len(self.layout.width, self.model, local));
        self.locals[local.index()] = Some(at);
        at
    }

    pub(super) fn size_of(&self, domain: DomainId) -> u16 {
        self.model.domains[domain.index()].size.min(u16::MAX.into()) as u16
    }

    pub(super) fn topology(&self, board: BoardId) -> &'m Topology {
        &self.model.boards[board.index()].topology
    }

    /// Adds the stop point of the next instruction.
    pub(super) fn add_stop(&mut self, kind: StopKind, entry: CodeLabel) -> StopRef {
        if let StopKind::Choice(choice) = &kind {
            self.region_words += usize::from(choice.words);
            if self.region_words > REGION_WORDS {
                self.refuse(CompileError::TooLarge {
                    what: "words of the options of all choices",
                    limit: REGION_WORDS,
                    wanted: self.region_words,
                });
            }
        }
        self.renumber_cells();
        let at = CodeAddress(self.program.code.len().min(65_535) as u16);
        self.program.stops.push(StopPoint { kind, entry: entry.block(), at, given: self.given });
        StopRef(self.program.stops.len() as u16 - 1)
    }

    /// Declares the position comparisons that some expression still uses.
    fn declare_pasts(&mut self) {
        let model = self.model;
        let mut asked = std::collections::BTreeSet::new();
        walk::all_exprs(model, &mut |e| {
            if let CheckedExprKind::Repeated { past, .. } = &e.kind {
                asked.insert(*past);
            }
        });
        for id in asked {
            let past = &model.pasts[id.index()];
            let words = past.slots.iter().filter_map(|slot| {
                let at = self.layout.slots[slot.index()]?;
                let len = slot_len(self.layout.width, model, *slot);
                Some(Span16 { at, len: len.min(usize::from(u16::MAX)) as u16 })
            });
            let slot = |of: Builtin| self.slot(of.slot());
            let spec = crate::program::PositionWords {
                words: words.collect(),
                with_mover: past.mover,
                mover: slot(Builtin::Mover),
                next: self.layout.slots[Builtin::NextMover.slot().index()],
                round: model.rounds.then(|| (slot(Builtin::ToCome), slot(Builtin::Starter))),
            };
            self.pasts.insert(id, PositionWordsRef(self.program.pasts.len() as u16));
            self.program.pasts.push(spec);
        }
    }

    fn declare_dice(&mut self) {
        for (i, slot) in self.model.slots.iter().enumerate() {
            let Role::Dice { count, faces, .. } = slot.role else { continue };
            let id = SlotId(i as u32);
            let outcomes = self.model.roll_outcomes(id).unwrap_or(0);
            let sides = self.model.sides_of(id).unwrap_or_default().iter().scan(0, |so_far, sides| {
                *so_far += sides;
                Some(*so_far)
            });
            let sides: Vec<u32> = sides.collect();
            let families = super::layout::family_size(self.model, id) as u32 / count.max(1);
            for family in 0..families {
                let at = self.slot(id) + (family * count) as u16;
                let outcome_at = self.layout.outcomes[i].map(|o| o + family as u16);
                self.program.dice.push(Dice {
                    faces_at: at,
                    count: count as u16,
                    faces,
                    sides: sides.clone(),
                    outcome_at,
                    outcomes,
                    inverse: Dice::inverse_of(faces),
                    slot: i as u32,
                    family,
                });
                self.dice.insert((id, family), self.program.dice.len() as u16 - 1);
            }
        }
    }
}
