//! What all lowering shares: emitting, labels, temporaries, tables, and what is known of locals.

use std::collections::{HashMap, HashSet};

use super::constant::{Input, constant_position, inputs, value_at, values};
use super::layout::{Layout, value_words};
use super::{CompileError, Compiled, places, walk};
use crate::board::{BitSet, LineKinds, Topology};
use crate::diagnostic::Span;
use crate::lang::model::{
    Arithmetic, BoardId, Builtin, Content, DomainId, Expr, ExprKind, LocalId, Model, PastId, Role, SlotId,
    StmtKind, TableId, Type, Value,
};
use crate::program::{
    Block, Dice, Function, FunctionRef, In, Instruction as I, LineRef, Moves, NumberTable, Out, PastRef,
    Program, Range, RangeRef, Rows, SetRef, SetTable, Site, SiteKind, SiteRef, Span16,
};

/// Words in which things are remembered at the most: every copy of a state takes them along.
const MEMORY_WORDS: usize = 1024;
/// The same of walls, for which there are 16 bits for each site.
pub(super) const WALL_WORDS: usize = 4096;
/// Rows of one table at the most.
const TABLE_ROWS: i64 = 20_000;
/// Words of all tables at the most that only save time.
const TABLE_WORDS: usize = 1 << 20;
/// Words of all tables at the most.
const POOL_WORDS: usize = 1 << 23;
/// Words of the legal sets of all choices at the most.
const REGION_WORDS: usize = 1 << 23;
/// Steps for working out the rows of tables that only save time: for one table, and for all.
pub(super) const TABLE_STEPS: (u32, u32) = (1_000_000, 8_000_000);

/// A place in the code that is not known yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Label(pub(super) u16);

impl Label {
    /// As a jump's target, until the end.
    pub(super) fn block(self) -> Block {
        Block(self.0)
    }
}

/// Where `skip`, `done` and the like go.
#[derive(Clone, Copy, Debug)]
pub(super) struct Exits {
    pub(super) skip: Option<Label>,
    pub(super) done: Label,
    pub(super) again: Label,
}

/// The compiler's state.
pub(super) struct Lower<'m> {
    pub(super) model: &'m Model,
    pub(super) layout: Layout,
    pub(super) program: Program,
    labels: Vec<Option<u16>>,
    /// The first free temporary.
    temp: usize,
    most_temps: usize,
    /// Where each local is.
    pub(super) locals: Vec<Option<u16>>,
    /// Locals that are never none.
    pub(super) sure: HashSet<LocalId>,
    /// Locals that name an empty site of a board.
    pub(super) free: HashMap<LocalId, BoardId>,
    /// Ends that are tested at the ends of branches.
    pub(super) branch_ends: Vec<usize>,
    /// Where the word is that says how a surrounding `chance … given` is drawn.
    pub(super) given: Option<u16>,
    /// Who acts.
    pub(super) me: u16,
    /// Is this code part of a turn?
    pub(super) in_turn: bool,
    pub(super) span: Span,
    /// Dice of which some are rolled alone: their outcome has no number.
    partial: HashSet<SlotId>,
    pub(super) dice: HashMap<(SlotId, u32), u16>,
    /// Where the program has what the rules compare.
    pub(super) pasts: HashMap<PastId, PastRef>,
    set_rows: HashMap<Vec<u64>, u16>,
    /// Tables by a hash of their words.
    set_tables: HashMap<u64, Vec<u16>>,
    /// Tables by a hash of their numbers.
    number_tables: HashMap<u64, Vec<u16>>,
    /// Steps to neighbours as moves, where that has been looked at.
    pub(super) moves: HashMap<(BoardId, bool), Option<Moves>>,
    /// Tables that have been made, by what they are of.
    tables: HashMap<TableOf, u16>,
    /// Lines that have been made, by board, kinds, tested length and points.
    pub(super) lines: HashMap<(BoardId, LineKinds, Option<u32>, Vec<i64>), LineRef>,
    /// Lines as lists that have been made.
    pub(super) line_lists: HashMap<(BoardId, LineKinds), u16>,
    /// Rows of the masks of steps on each board.
    pub(super) direction_rows: HashMap<BoardId, u32>,
    /// Line tests that remember, by the test and the first word of the tested family.
    pub(super) remembered_lines: HashMap<(u16, u16), LineRef>,
    /// Reaches that remember, by the table and the address of where they go through.
    pub(super) remembered_reaches: HashMap<(u16, usize), FunctionRef>,
    /// What asks for what is shut off, by the table and the address of the walls.
    pub(super) enclosures: HashMap<(u16, usize), FunctionRef>,
    /// Words in which something is remembered.
    memory: usize,
    ranges: HashMap<Range, u16>,
    too_large: Option<CompileError>,
    /// Which ends need be tested only where a step has written what they read.
    pub(super) skippable: Vec<std::cell::OnceCell<bool>>,
    /// Steps that are left for tables that only save time.
    pub(super) table_steps: u32,
    region_words: usize,
}

/// What a table is made of, where that is known before it is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum TableOf {
    /// A table of the rules.
    Rules(TableId),
    /// The column of each site.
    ColumnOf(BoardId),
    /// The row of each site.
    RowOf(BoardId),
    /// The neighbours of each site, those across a side alone or all.
    Neighbours(BoardId, bool),
    /// The sides of each cell.
    SidesOf(BoardId),
    /// The cells at each side.
    CellsAt(BoardId),
    /// The site beside each.
    Shift(BoardId, u32),
    /// The sites in a line from each.
    Ray(BoardId, u32),
}

impl<'m> Lower<'m> {
    pub(super) fn new(model: &'m Model) -> Result<Self, CompileError> {
        let mut partial = HashSet::new();
        for block in [&model.setup, &model.turn] {
            walk::stmts(model, block, &mut |stmt| {
                if let StmtKind::Roll { dice, among: Some(_) } = &stmt.kind {
                    partial.insert(dice.slot);
                }
            });
        }
        let layout = Layout::new(model, places::region_words(model)?, &partial)?;
        let span = model
            .slots
            .iter()
            .find_map(|s| s.span)
            .or(model.steps.first().map(|s| s.span))
            .or(model.turn.stmts.first().map(|s| s.span))
            .unwrap_or(Span::new(crate::diagnostic::FileId(0), 0, 0));
        let program = Program {
            width: layout.width,
            players: model.players.count as u16,
            persistent: layout.persistent.into(),
            live: layout.live.into(),
            reset: layout.region.into(),
            limit: model.limit,
            rounds: model.rounds,
            steps: model.steps.iter().map(|s| s.name.clone()).collect(),
            ..Program::default()
        };
        let temp = usize::from(layout.live);
        let locals = layout.locals.clone();
        let mut lower = Lower {
            model,
            program,
            labels: vec![],
            temp,
            most_temps: temp,
            locals,
            sure: super::known::elements_bound(model),
            free: HashMap::new(),
            branch_ends: vec![],
            given: None,
            me: 0,
            in_turn: false,
            span,
            partial,
            dice: HashMap::new(),
            pasts: HashMap::new(),
            set_rows: HashMap::new(),
            set_tables: HashMap::new(),
            number_tables: HashMap::new(),
            moves: HashMap::new(),
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

    /// Lowers everything.
    pub(super) fn finish(mut self) -> Result<Compiled, CompileError> {
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
        let mut place = |b: Block| Block(labels[usize::from(b.0)].unwrap_or(0));
        for instruction in &mut self.program.code {
            instruction.retarget(&mut place);
        }
        let memory = self.most_temps;
        let program = &mut self.program;
        let reached = program.functions.iter_mut().filter_map(|f| match f {
            Function::Reach { memory, .. } => memory.as_mut(),
            Function::Enclosed(of) => of.memory.as_mut(),
            _ => None,
        });
        // Behind all temporaries, so that nothing else writes there.
        for at in program.lines.iter_mut().filter_map(|l| l.memory.as_mut()).chain(reached) {
            *at += memory as u16;
        }
        for block in [&mut program.start, &mut program.turn, &mut program.derive] {
            *block = place(*block);
        }
        program.score = program.score.map(&mut place);
        for site in &mut program.sites {
            site.entry = place(site.entry);
            if let SiteKind::Choice(choice) = &mut site.kind {
                for part in &mut choice.parts {
                    part.body = place(part.body);
                }
            }
        }
        program.frame = (self.most_temps + self.memory) as u32;
        program.initial.clone_from(&self.layout.initial);
        Ok(Compiled { program: self.program, slots: self.layout.slots, locals: self.layout.locals })
    }

    // ---- limits ----

    /// What is said in the end, unless something else was too large before.
    pub(super) fn refuse(&mut self, error: CompileError) {
        self.too_large.get_or_insert(error);
    }

    /// Is it known that there will be no program, so that nothing more need be lowered?
    pub(super) fn is_full(&self) -> bool {
        self.too_large.is_some()
    }

    // ---- code ----

    pub(super) fn emit(&mut self, instruction: I) {
        if self.program.code.len() < 70_000 {
            self.program.code.push(instruction);
            self.program.spans.push(self.span);
        } else {
            self.too_large.get_or_insert(CompileError::TooLarge {
                what: "instructions",
                limit: usize::from(u16::MAX),
                wanted: 70_000,
            });
        }
    }

    pub(super) fn label(&mut self) -> Label {
        if self.labels.len() >= usize::from(u16::MAX) {
            self.too_large.get_or_insert(CompileError::TooLarge {
                what: "jump targets",
                limit: usize::from(u16::MAX),
                wanted: self.labels.len() + 1,
            });
            return Label(0);
        }
        self.labels.push(None);
        Label(self.labels.len() as u16 - 1)
    }

    pub(super) fn bind(&mut self, label: Label) {
        self.labels[usize::from(label.0)] = Some(self.program.code.len().min(usize::from(u16::MAX)) as u16);
    }

    pub(super) fn here(&mut self) -> Label {
        let label = self.label();
        self.bind(label);
        label
    }

    pub(super) fn jump(&mut self, to: Label) {
        self.emit(I::Jump { to: to.block() });
    }

    // ---- temporaries ----

    pub(super) fn temp(&mut self, words: u16) -> u16 {
        let at = self.temp;
        self.temp += usize::from(words);
        self.most_temps = self.most_temps.max(self.temp);
        at.min(usize::from(u16::MAX)) as u16
    }

    pub(super) fn number_temp(&mut self) -> u16 {
        self.temp(1)
    }

    pub(super) fn set_temp(&mut self) -> u16 {
        self.temp(self.layout.width)
    }

    /// Words in which something is remembered for as long as the frame lasts, counted from behind the
    /// temporaries; none if too much is.
    pub(super) fn remember(&mut self, words: usize) -> Option<u16> {
        self.remember_within(words, MEMORY_WORDS)
    }

    /// The same, if there are no more than so many then.
    pub(super) fn remember_within(&mut self, words: usize, most: usize) -> Option<u16> {
        let at = self.memory;
        (at + words <= most).then(|| {
            self.memory += words;
            at as u16
        })
    }

    /// Runs `f` and gives back its temporaries.
    pub(super) fn scoped<T>(&mut self, f: impl FnOnce(&mut Self) -> T) -> T {
        let mark = self.temp;
        let result = f(self);
        self.temp = mark;
        result
    }

    // ---- what is where ----

    /// The first word of a slot that the layout keeps.
    pub(super) fn slot(&self, slot: SlotId) -> u16 {
        self.layout.slots[slot.index()].unwrap_or(0)
    }

    /// The word of a local, which gets one if it has none.
    pub(super) fn local(&mut self, local: LocalId) -> u16 {
        if let Some(at) = self.locals[local.index()] {
            return at;
        }
        let words =
            if matches!(self.model.locals[local.index()].ty, Type::Set(_)) { self.layout.width } else { 1 };
        let at = self.temp(words);
        self.locals[local.index()] = Some(at);
        at
    }

    pub(super) fn size_of(&self, domain: DomainId) -> u16 {
        self.model.domains[domain.index()].size.min(u16::MAX.into()) as u16
    }

    pub(super) fn topology(&self, board: BoardId) -> &'m Topology {
        &self.model.boards[board.index()].topology
    }

    // ---- pools ----

    pub(super) fn wide(&mut self, value: i64) -> crate::program::Wide {
        self.program.numbers.push(value);
        let at = self.program.numbers.len() - 1;
        if at > usize::from(u16::MAX) {
            self.too_large.get_or_insert(CompileError::TooLarge {
                what: "wide numbers",
                limit: usize::from(u16::MAX),
                wanted: at,
            });
        }
        crate::program::Wide(at as u16)
    }

    pub(super) fn set_row(&mut self, words: &[u64]) -> u32 {
        let row = self.program.sets.len() / usize::from(self.layout.width);
        if self.affords(words.len()) {
            self.program.sets.extend(words);
        }
        row as u32
    }

    /// Is there room for more words of tables? If not, there will be no program.
    fn affords(&mut self, words: usize) -> bool {
        let wanted = self.program.sets.len() + self.program.numbers.len() + words;
        if wanted > POOL_WORDS {
            self.refuse(CompileError::TooLarge { what: "words of tables", limit: POOL_WORDS, wanted });
        }
        wanted <= POOL_WORDS
    }

    pub(super) fn set_ref(&mut self, set: &BitSet) -> SetRef {
        let words = value_words(self.layout.width, &Value::Set(set.clone()));
        if let Some(row) = self.set_rows.get(&words) {
            return SetRef(*row);
        }
        let row = self.set_row(&words);
        if row > u16::MAX.into() {
            self.too_large.get_or_insert(CompileError::TooLarge {
                what: "constant sets",
                limit: usize::from(u16::MAX),
                wanted: row as usize,
            });
        }
        self.set_rows.insert(words, row as u16);
        SetRef(row as u16)
    }

    /// A table with a row for each index from `low`.
    pub(super) fn set_table(&mut self, low: i64, rows: &[BitSet]) -> SetTable {
        let words: Vec<u64> =
            rows.iter().flat_map(|r| value_words(self.layout.width, &Value::Set(r.clone()))).collect();
        let hash = hash_of(&(&words, low));
        let width = usize::from(self.layout.width);
        let program = &self.program;
        let is_it = |table: &&u16| {
            let rows_of = program.set_tables[usize::from(**table)];
            let first = rows_of.first as usize * width;
            rows_of.low == low && program.sets.get(first..first + words.len()) == Some(&words[..])
        };
        let known = self.set_tables.get(&hash).and_then(|tables| tables.iter().find(is_it));
        if let Some(table) = known {
            return SetTable(*table);
        }
        let first = self.set_row(&words);
        self.program.set_tables.push(Rows { first, low, count: rows.len() as u32 });
        let table = (self.program.set_tables.len() - 1).min(usize::from(u16::MAX)) as u16;
        self.set_tables.entry(hash).or_default().push(table);
        SetTable(table)
    }

    pub(super) fn number_table(&mut self, low: i64, values: &[i64]) -> NumberTable {
        let hash = hash_of(&(values, low));
        let program = &self.program;
        let is_it = |table: &&u16| {
            let rows = program.number_tables[usize::from(**table)];
            let first = rows.first as usize;
            rows.low == low && program.numbers.get(first..first + values.len()) == Some(values)
        };
        let known = self.number_tables.get(&hash).and_then(|tables| tables.iter().find(is_it));
        if let Some(table) = known {
            return NumberTable(*table);
        }
        let first = self.program.numbers.len() as u32;
        if self.affords(values.len()) {
            self.program.numbers.extend(values);
        }
        self.program.number_tables.push(Rows { first, low, count: values.len() as u32 });
        let table = (self.program.number_tables.len() - 1).min(usize::from(u16::MAX)) as u16;
        self.number_tables.entry(hash).or_default().push(table);
        NumberTable(table)
    }

    /// A table of sets that is the same wherever it is wanted.
    pub(super) fn set_table_of(
        &mut self,
        of: TableOf,
        low: i64,
        rows: impl FnOnce() -> Vec<BitSet>,
    ) -> SetTable {
        if let Some(table) = self.tables.get(&of) {
            return SetTable(*table);
        }
        let table = self.set_table(low, &rows());
        self.tables.insert(of, table.0);
        table
    }

    /// A table of numbers that is the same wherever it is wanted.
    pub(super) fn number_table_of(&mut self, of: TableOf, values: impl FnOnce() -> Vec<i64>) -> NumberTable {
        if let Some(table) = self.tables.get(&of) {
            return NumberTable(*table);
        }
        let table = self.number_table(0, &values());
        self.tables.insert(of, table.0);
        table
    }

    pub(super) fn range(&mut self, range: Range) -> RangeRef {
        if let Some(at) = self.ranges.get(&range) {
            return RangeRef(*at);
        }
        self.program.ranges.push(range.clone());
        let at = self.program.ranges.len() as u16 - 1;
        self.ranges.insert(range, at);
        RangeRef(at)
    }

    pub(super) fn function(&mut self, function: Function) -> FunctionRef {
        let at = self.program.functions.iter().position(|f| *f == function).unwrap_or_else(|| {
            self.program.functions.push(function);
            self.program.functions.len() - 1
        });
        FunctionRef(at as u16)
    }

    pub(super) fn site(&mut self, kind: SiteKind, entry: Label, at: usize) -> SiteRef {
        if let SiteKind::Choice(choice) = &kind {
            self.region_words += usize::from(choice.words);
            if self.region_words > REGION_WORDS {
                self.refuse(CompileError::TooLarge {
                    what: "words of the options of all choices",
                    limit: REGION_WORDS,
                    wanted: self.region_words,
                });
            }
        }
        let (entry, at, given) = (entry.block(), Block(at.min(65_535) as u16), self.given);
        self.program.sites.push(Site { kind, entry, at, given });
        SiteRef(self.program.sites.len() as u16 - 1)
    }

    /// What the rules compare that ask for earlier positions: only what is still asked for.
    fn declare_pasts(&mut self) {
        let model = self.model;
        let mut asked = std::collections::BTreeSet::new();
        walk::all_exprs(model, &mut |e| {
            if let ExprKind::Repeated { past, .. } = &e.kind {
                asked.insert(*past);
            }
        });
        for id in asked {
            let past = &model.pasts[id.index()];
            let words = past.slots.iter().filter_map(|slot| {
                let at = self.layout.slots[slot.index()]?;
                let is_set = matches!(model.slots[slot.index()].content, Content::Set(_));
                let each = if is_set { usize::from(self.layout.width) } else { 1 };
                let len = super::layout::family_size(model, *slot) * each;
                Some(Span16 { at, len: len.min(usize::from(u16::MAX)) as u16 })
            });
            let spec = crate::program::Past {
                words: words.collect(),
                with_mover: past.mover,
                mover: self.slot(Builtin::Mover.slot()),
                next: self.layout.slots[Builtin::NextMover.slot().index()],
            };
            self.pasts.insert(id, PastRef(self.program.pasts.len() as u16));
            self.program.pasts.push(spec);
        }
    }

    fn declare_dice(&mut self) {
        for (i, slot) in self.model.slots.iter().enumerate() {
            let Role::Dice { count, faces, .. } = slot.role else { continue };
            let id = SlotId(i as u32);
            let outcomes = super::layout::joint_outcomes(self.model, id).unwrap_or(0) as u32;
            let families = super::layout::family_size(self.model, id) as u32 / count.max(1);
            for family in 0..families {
                let at = self.slot(id) + (family * count) as u16;
                let outcome_at = self.layout.outcomes[i].map(|o| o + family as u16);
                self.program.dice.push(Dice {
                    faces_at: at,
                    count: count as u16,
                    faces,
                    outcome_at,
                    outcomes,
                    slot: i as u32,
                    family,
                });
                self.dice.insert((id, family), self.program.dice.len() as u16 - 1);
            }
        }
    }

    // ---- tables of expressions ----

    /// Where the number of an input is.
    fn input_at(&mut self, input: Input) -> Option<u16> {
        Some(match input {
            Input::Local(local) => self.locals[local.index()]?,
            Input::Me => self.me,
            Input::Slot(slot, position) => self.layout.slots[slot.index()]? + position as u16,
            Input::Dice(slot, _) if self.partial.contains(&slot) => return None,
            Input::Dice(slot, family) if super::layout::dice_count(self.model, slot) == 1 => {
                self.layout.slots[slot.index()]? + family as u16
            }
            Input::Dice(slot, family) => self.layout.outcomes[slot.index()]? + family as u16,
        })
    }

    /// The single input of an expression that is worth a table, with where it is.
    fn table_input(&mut self, e: &Expr) -> Option<(Input, u16)> {
        if !worth_a_table(e) {
            return None;
        }
        let found = inputs(self.model, e)?;
        let mut found = found.into_iter();
        let (input, None) = (found.next()?, found.next()) else { return None };
        let range = values(self.model, input)?;
        let rows = range.end().checked_sub(*range.start())?;
        if rows > TABLE_ROWS {
            return None;
        }
        Some((input, self.input_at(input)?))
    }

    /// The expression for each value of its input, from the first at which it does not fail.
    fn table_values(&mut self, e: &Expr, input: Input) -> Option<(i64, Vec<Value>)> {
        let range = values(self.model, input)?;
        let (low, high) = (*range.start(), *range.end());
        let budget = TABLE_STEPS.0.min(self.table_steps);
        let mut steps = budget;
        let first = value_at(self.model, e, input, low, &mut steps);
        if first.is_none() && !self.fails_as_an_index(e, input) {
            return None;
        }
        let low = if first.is_none() { low + 1 } else { low };
        let all: Option<Vec<Value>> =
            (low..=high).map(|v| value_at(self.model, e, input, v, &mut steps)).collect();
        self.table_steps -= budget - steps;
        Some((low, all?))
    }

    /// Does an expression that fails at the first value of its input fail there as a look into a table does
    /// that has no such row? Elements that may be none don't come where one is wanted; a number may be 0.
    fn fails_as_an_index(&self, e: &Expr, input: Input) -> bool {
        let is_number = match input {
            Input::Local(_) | Input::Me => return true,
            Input::Slot(slot, _) => matches!(self.model.slots[slot.index()].content, Content::Number { .. }),
            Input::Dice(..) => false,
        };
        let mut otherwise = false;
        walk::expr(e, &mut |e| match e.kind {
            ExprKind::Arithmetic(Arithmetic::Divide | Arithmetic::Modulo, ..) => otherwise = true,
            ExprKind::Arithmetic(..) | ExprKind::Negate(_) => otherwise |= is_number,
            _ => {}
        });
        !otherwise
    }

    /// A set expression as a table and the place of its index, if that is worth it.
    pub(super) fn as_set_table(&mut self, e: &Expr) -> Option<(SetTable, In)> {
        if self.program.sets.len() > TABLE_WORDS {
            return None;
        }
        let (input, at) = self.table_input(e)?;
        let (low, rows) = self.table_values(e, input)?;
        // Large rows are dear as well.
        let words = rows.len() * usize::from(self.layout.width);
        self.table_steps = self.table_steps.saturating_sub(words as u32 / 16);
        let rows: Option<Vec<BitSet>> =
            rows.into_iter().map(|v| if let Value::Set(s) = v { Some(s) } else { None }).collect();
        Some((self.set_table(low, &rows?), In(at)))
    }

    /// A number, truth value or element as a table and the place of its index, if that is worth it.
    pub(super) fn as_number_table(&mut self, e: &Expr) -> Option<(NumberTable, In)> {
        if self.program.numbers.len() > TABLE_WORDS || self.program.number_tables.len() > 60_000 {
            return None;
        }
        let (input, at) = self.table_input(e)?;
        let (low, rows) = self.table_values(e, input)?;
        let rows: Option<Vec<i64>> = rows
            .into_iter()
            .map(|v| match v {
                Value::Number(n) => Some(n),
                Value::Bool(b) => Some(b.into()),
                Value::Element(e) => Some(e.map_or(-1, i64::from)),
                Value::Set(_) => None,
            })
            .collect();
        Some((self.number_table(low, &rows?), In(at)))
    }

    /// A constant index into a slot's family.
    pub(super) fn constant_position(&self, slot: SlotId, index: &[Expr]) -> Option<u32> {
        constant_position(self.model, slot, index)
    }

    pub(super) fn out(at: u16) -> Out {
        Out(at)
    }
}

/// A number for what is equal, which may be the number of something else as well.
fn hash_of(value: &impl std::hash::Hash) -> u64 {
    use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
    BuildHasherDefault::<DefaultHasher>::default().hash_one(value)
}

/// Is an expression dearer than a look into a table?
fn worth_a_table(e: &Expr) -> bool {
    let mut dear = false;
    let mut nodes = 0;
    walk::expr(e, &mut |e| {
        nodes += 1;
        dear |= matches!(
            e.kind,
            ExprKind::Cell { .. }
                | ExprKind::Table(..)
                | ExprKind::Column(..)
                | ExprKind::Row(..)
                | ExprKind::ColumnOf(..)
                | ExprKind::RowOf(..)
                | ExprKind::Neighbours { .. }
                | ExprKind::Shift { .. }
                | ExprKind::Ray { .. }
                | ExprKind::Quantified { .. }
                | ExprKind::Filter { .. }
                | ExprKind::Elements(_)
        );
    });
    dear && nodes <= 200 || ((5..=200).contains(&nodes) && matches!(e.ty, Type::Bool))
}
