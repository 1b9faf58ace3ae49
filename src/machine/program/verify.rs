//! Verification of a program before it runs: executors trust it without further checks.

use std::fmt;

use houserule_model::board::kernel::LANES;

use super::{
    Flow, HEADER_WORDS, Instruction, Operand, PoolRows, Program, SetFunction, ShiftTable, ShortLine, Span16,
    StopKind, StopPoint, WIDTHS,
};

/// Why a program is invalid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerifyError {
    /// The invalid instruction, if it is one.
    pub at: Option<usize>,
    /// The reason.
    pub reason: String,
}

impl fmt::Display for VerifyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.at {
            Some(at) => write!(f, "instruction {at}: {}", self.reason),
            None => f.write_str(&self.reason),
        }
    }
}

impl std::error::Error for VerifyError {}

/// Returns an error with the message `what` unless `ok`.
fn ensure(ok: bool, what: &str) -> Result<(), String> {
    if ok { Ok(()) } else { Err(what.to_owned()) }
}

impl Program {
    /// Checks addresses, tables and jumps. A program that passes can't read or write outside its frame and its
    /// pools, whatever the values in the frame are.
    pub fn verify(&self) -> Result<(), VerifyError> {
        self.verify_whole().map_err(|reason| VerifyError { at: None, reason })?;
        for (at, instruction) in self.code.iter().enumerate() {
            self.verify_one(at, instruction).map_err(|reason| VerifyError { at: Some(at), reason })?;
        }
        self.verify_flow()
    }

    fn verify_whole(&self) -> Result<(), String> {
        let width = usize::from(self.width);
        ensure(WIDTHS.contains(&self.width), "the width of a set is not one that there is an executor for")?;
        ensure((1..=16).contains(&self.players), "there are no players, or too many")?;
        ensure(
            self.code.len() == self.spans.len() && self.code.len() <= usize::from(u16::MAX),
            "the code is too long",
        )?;
        ensure(self.frame <= 65_535 && self.live <= self.frame, "the frame is too large")?;
        ensure(
            self.persistent <= self.live && u32::from(HEADER_WORDS) <= self.persistent,
            "the state is too large",
        )?;
        ensure(self.initial.len() == self.live as usize, "the start does not fill the live words")?;
        ensure(self.sets.len().is_multiple_of(width), "the pool of sets is not a whole number of rows")?;
        let rows = self.sets.len() / width;
        let fits = |r: &PoolRows, pool: usize| {
            (r.first as usize).checked_add(r.count as usize).is_some_and(|end| end <= pool)
        };
        ensure(self.set_tables.iter().all(|t| fits(t, rows)), "a table of sets leaves its pool")?;
        ensure(
            self.number_tables.iter().all(|t| fits(t, self.numbers.len())),
            "a table of numbers leaves its pool",
        )?;
        for lines in &self.lines {
            let lengths =
                if lines.second_differences.is_empty() { 1 } else { lines.second_differences.len() };
            let masks = lines.masks as usize + lengths * LANES;
            ensure(masks <= rows || !lines.lists.is_empty(), "line masks leave the pool")?;
        }
        for past in &self.pasts {
            let within = |words: &Span16| u32::from(words.at) + u32::from(words.len) <= self.live;
            ensure(past.words.iter().all(within), "what is compared is not live")?;
            let known = |at: u16| u32::from(at) < self.live;
            ensure(known(past.mover) && past.next.is_none_or(known), "who moves is not live")?;
        }
        for lines in &self.lines {
            let mut sites = lines.lists.iter().flat_map(|line| &line.sites);
            ensure(sites.all(|site| usize::from(*site) < 64 * width), "a line leaves the sets")?;
            let mut words = lines.lists.iter().flat_map(|line| &line.words);
            ensure(words.all(|(word, _)| usize::from(*word) < width), "a line leaves the sets")?;
            ensure(lines.short.len() <= lines.lists.len(), "there are more short lines than lines")?;
            let mut short = lines.short.iter();
            let values = |line: &ShortLine| line.first as usize + (1 << line.mask.count_ones().min(32));
            let known =
                |line: &ShortLine| usize::from(line.word) < width && values(line) <= lines.short_values.len();
            ensure(short.all(known), "a short line leaves the sets or its values")?;
        }
        for function in &self.functions {
            self.verify_function(function, rows)?;
        }
        let reached = self.functions.iter().map(|f| match f {
            SetFunction::Reach { memory, .. } => *memory,
            SetFunction::Enclosed(of) | SetFunction::Fill(of) => of.memory,
            _ => None,
        });
        for memory in self.lines.iter().map(|l| l.memory).chain(reached).flatten() {
            ensure(u32::from(memory) >= self.live, "what is remembered is part of the state")?;
        }
        for dice in &self.dice {
            let end = usize::from(dice.faces_at) + usize::from(dice.count);
            ensure(end <= self.live as usize && dice.faces > 0 && dice.count > 0, "dice leave the frame")?;
            ensure(dice.outcome_at.is_none_or(|a| u32::from(a) < self.live), "dice leave the frame")?;
            let rising = dice.sides.first().is_none_or(|n| *n > 0) && dice.sides.is_sorted_by(|a, b| a < b);
            let fits = dice.sides.is_empty() || dice.sides.len() == dice.faces as usize;
            ensure(rising && fits, "a face has no sides")?;
        }
        let scores = u32::from(self.item_count) * u32::from(self.players) + u32::from(self.items);
        let keys = u32::from(self.key_count) * u32::from(self.players) + u32::from(self.keys);
        let measures = u32::from(self.measure_count) * u32::from(self.players) + u32::from(self.measures);
        let totals = u32::from(self.item_count.min(1)) * u32::from(self.players) + u32::from(self.totals);
        ensure(
            scores <= self.frame && keys <= self.frame && totals <= self.frame && measures <= self.frame,
            "the scores leave the frame",
        )?;
        ensure(u32::from(self.places.end) <= self.live, "what scripts see is not live")?;
        for block in [self.start, self.turn, self.derive].into_iter().chain(self.score).chain(self.measure) {
            ensure(usize::from(block.0) < self.code.len(), "an entry leaves the code")?;
        }
        self.stops.iter().try_for_each(|stop| self.verify_stop(stop))
    }

    fn verify_stop(&self, stop: &StopPoint) -> Result<(), String> {
        ensure(
            usize::from(stop.entry.0) < self.code.len() && usize::from(stop.at.0) < self.code.len(),
            "a stop point leaves the code",
        )?;
        ensure(
            stop.given.is_none_or(|at| u32::from(at) < self.live && at >= HEADER_WORDS),
            "how a condition is drawn for is not live",
        )?;
        match &stop.kind {
            StopKind::Choice(choice) => {
                let end = u32::from(choice.region) + u32::from(choice.words).max(self.width.into());
                ensure(end <= self.live, "a legal set is not live")?;
                ensure(u32::from(choice.me) < self.frame, "the acting player is outside the frame")?;
                ensure(choice.random_words <= choice.words, "a legal set has too few words")?;
                ensure(
                    choice.part_of_word.len() == usize::from(choice.words),
                    "a legal set's words have no parts",
                )?;
                ensure(!choice.parts.is_empty(), "a choice has no parts")?;
                for part in &choice.parts {
                    ensure(usize::from(part.body.0) < self.code.len(), "a part leaves the code")?;
                    ensure(part.sizes.len() == part.binders.len(), "a part binds too little")?;
                    for saved in part.tried.iter().flatten() {
                        let (at, to, len) = (saved.words.at.into(), saved.to.into(), saved.words.len.into());
                        let fits = |first: u32, end: u32, len: u32| first + len <= end;
                        ensure(
                            fits(at, self.live, len) && fits(to, self.frame, len) && to >= self.live,
                            "what a trial changes leaves the frame",
                        )?;
                    }
                    ensure(
                        part.binders.iter().all(|b| u32::from(*b) < self.frame),
                        "a binder is outside the frame",
                    )?;
                }
            }
            StopKind::Pick { from, to, by, .. } => {
                ensure(
                    u32::from(*from) + u32::from(self.width) <= self.live,
                    "what is picked from is not live",
                )?;
                ensure(u32::from(*to) < self.frame, "a pick is outside the frame")?;
                // A set has a bit for each number.
                ensure(
                    by.is_none_or(|by| u32::from(by) < self.live),
                    "what says how many there are is not live",
                )?;
            }
            StopKind::Draw { at } => {
                let end = u32::from(*at) + u32::from(super::DRAW_WORDS);
                ensure(*at >= HEADER_WORDS && end <= self.persistent, "what came out is not kept")?;
            }
            StopKind::RollSome { dice, from } => {
                ensure(u32::from(*from) + u32::from(self.width) <= self.live, "a set of dice is not live")?;
                ensure(usize::from(*dice) < self.dice.len(), "there are no such dice")?;
            }
            StopKind::Roll { dice } | StopKind::RollOne { dice, .. } => {
                ensure(usize::from(*dice) < self.dice.len(), "there are no such dice")?;
                if let StopKind::RollOne { from: Some(from), .. } = &stop.kind {
                    ensure(u32::from(*from) < self.live, "a set of dice is not live")?;
                }
            }
        }
        Ok(())
    }

    /// Checks what a function refers to. `rows` is the number of rows in the pool of sets.
    fn verify_function(&self, function: &SetFunction, rows: usize) -> Result<(), String> {
        // The table has a row for the first element, perhaps after one for `none`.
        let has_rows = |table: &PoolRows| (0..i64::from(table.count)).contains(&table.low.saturating_neg());
        let table = |at: u16| self.set_tables.get(usize::from(at)).is_some_and(has_rows);
        let moves = |moves: &Option<ShiftTable>| {
            moves.as_ref().is_none_or(|moves| {
                let end = moves.masks as usize + moves.distances.len();
                end <= rows && moves.up <= moves.distances.len()
            })
        };
        let lines = |at: u16| usize::from(at) < self.lines.len();
        let (sound, what) = match function {
            SetFunction::UnionOfRows { table: at, moves: by } => {
                (table(*at) && moves(by), "a union of rows has no such table or moves")
            }
            SetFunction::Runs { lines: at } => (lines(*at), "runs have no such lines"),
            SetFunction::Reach { table: at, moves: by, memory: _, rows } => (
                table(*at) && moves(by) && rows.is_none_or(|(grid, _)| self.holds(grid)),
                "a reach has no such table or moves, or its board is larger than a set",
            ),
            SetFunction::ReachBy { steps, .. } => {
                let most = 64 * usize::from(self.width);
                let inside = |(link, to): &(Option<u16>, u16)| {
                    usize::from(link.unwrap_or(0)) < most && usize::from(*to) < steps.len()
                };
                let sound = steps.len() <= most && steps.iter().flatten().all(inside);
                (sound, "a reach by links leaves its board or its sets")
            }
            SetFunction::Slide { table: at } => (table(*at), "a slide has no such table"),
            SetFunction::Enclosed(of) | SetFunction::Fill(of) => (
                table(of.table)
                    && moves(&of.moves)
                    && (of.edge.max(of.all) as usize) < rows
                    && of.grid.is_none_or(|grid| self.holds(grid)),
                "an enclosure has no such table, moves or sites, or its board is larger than a set",
            ),
            SetFunction::Rows { grid } => (self.holds(*grid), "a board is larger than a set"),
            SetFunction::Custodial(of) | SetFunction::Flanks(of) => {
                (of.masks as usize + 2 * LANES <= rows, "the masks of directions leave the pool")
            }
            SetFunction::CustodialLists { lines: at } => (lines(*at), "custodial runs have no such lines"),
        };
        if sound { Ok(()) } else { Err(what.to_owned()) }
    }

    /// Returns `true` if a set of the program has a bit for each site of a board, and its rows fit words.
    fn holds(&self, grid: houserule_model::board::GridSize) -> bool {
        let sides = (1..=64).contains(&grid.width) && (1..=64).contains(&grid.height);
        sides && grid.width * grid.height <= 64 * u32::from(self.width)
    }

    fn verify_one(&self, at: usize, instruction: &Instruction) -> Result<(), String> {
        let width = u32::from(self.width);
        let number = |a: u16| u32::from(a) < self.frame;
        let set = |a: u16| u32::from(a) + width <= self.frame;
        for (name, operand) in instruction.operands() {
            let sound = match operand {
                Operand::Read(a) => number(a),
                Operand::Write(a) | Operand::Change(a) => number(a) && a != super::ZERO,
                Operand::ReadSet(a) => set(a),
                Operand::WriteSet(a) | Operand::ChangeSet(a) => set(a) && a >= HEADER_WORDS,
                Operand::Numbers(n) => {
                    u32::from(n.at) + u32::from(n.len) <= self.frame && n.at >= HEADER_WORDS
                }
                Operand::Sets(n) => {
                    u32::from(n.at) + u32::from(n.len) * width <= self.frame && n.at >= HEADER_WORDS
                }
                Operand::Words(n) => {
                    let resets = matches!(instruction, Instruction::Reset { .. });
                    let most = if resets { self.live } else { self.frame };
                    u32::from(n.at) + u32::from(n.len) <= most && n.at >= HEADER_WORDS
                }
                Operand::Jump(b) => {
                    usize::from(b.0) < self.code.len()
                        && (usize::from(b.0) > at || instruction.flow() == Flow::Loop)
                }
                Operand::SetRef(n) => usize::from(n) < self.sets.len() / usize::from(self.width),
                Operand::SetTable(n) => usize::from(n) < self.set_tables.len(),
                Operand::NumberTable(n) => usize::from(n) < self.number_tables.len(),
                Operand::Wide(n) => usize::from(n) < self.numbers.len(),
                Operand::Range(n) => usize::from(n) < self.ranges.len(),
                Operand::Lines(n) => usize::from(n) < self.lines.len(),
                Operand::Function(n) => usize::from(n) < self.functions.len(),
                Operand::Dice(n) => usize::from(n) < self.dice.len(),
                Operand::Stop(n) => usize::from(n) < self.stops.len(),
                Operand::Hook(n) => n < self.hooks,
                Operand::Past(n) => usize::from(n) < self.pasts.len(),
                Operand::Step(n) => usize::from(n) < self.steps.len(),
                Operand::Size(n) => u32::from(n) <= width * 64,
                Operand::Plain(_) => true,
            };
            if !sound {
                return Err(format!("`{}` has a wrong operand {name}", instruction.word()));
            }
        }
        if let Instruction::IfLine { from, lines, .. } = instruction
            && let Some(memory) = self.lines[usize::from(lines.0)].memory
            && u32::from(memory) + u32::from(from.len) * width > self.frame
        {
            return Err("what is remembered of lines leaves the frame".to_owned());
        }
        if let Instruction::Reach { f, .. } = instruction
            && let SetFunction::Reach { memory: Some(memory), .. } = self.functions[usize::from(f.0)]
            && u32::from(memory) + 3 * width * u32::from(self.players) > self.frame
        {
            return Err("what is remembered of a reach leaves the frame".to_owned());
        }
        if let Instruction::Enclosed { f, from, .. } = instruction {
            let SetFunction::Enclosed(of) = &self.functions[usize::from(f.0)] else {
                return Err("`enclosed` asks something else".to_owned());
            };
            let end = u32::from(from.at) + u32::from(from.len) * width;
            let before = |memory: u16| end <= memory.into();
            if !of.memory.is_some_and(before) || of.grid.is_none() || !of.orthogonal {
                return Err("`enclosed` remembers nothing".to_owned());
            }
        }
        if let Instruction::Reach { f, .. } | Instruction::Enclosed { f, .. } = instruction
            && let SetFunction::Enclosed(of) = &self.functions[usize::from(f.0)]
            && let Some(memory) = of.memory
            && u32::from(memory) + of.memory_words(width as usize) as u32 * u32::from(self.players)
                > self.frame
        {
            return Err("what is remembered of walls leaves the frame".to_owned());
        }
        if let Instruction::Where { stride, .. } = instruction
            && stride.0 < 1
        {
            return Err("`where` goes nowhere".to_owned());
        }
        if let Instruction::Rows { .. } = instruction
            && width != 1
        {
            return Err("`rows` looks at one word alone".to_owned());
        }
        let wanted = match instruction {
            Instruction::ChooseOne { stop, .. }
            | Instruction::Choose { stop, .. }
            | Instruction::ChooseTried { stop, .. }
            | Instruction::Kept { stop, .. }
            | Instruction::Failed { stop, .. } => {
                matches!(self.stops[usize::from(stop.0)].kind, StopKind::Choice(_))
            }
            Instruction::RollOne { stop, .. } => {
                matches!(self.stops[usize::from(stop.0)].kind, StopKind::RollOne { .. })
            }
            _ => true,
        };
        if !wanted {
            return Err(format!("`{}` stands at another kind of stop point", instruction.word()));
        }
        Ok(())
    }

    fn verify_flow(&self) -> Result<(), VerifyError> {
        let falls = |i: &Instruction| matches!(i.flow(), Flow::Next | Flow::Branch | Flow::Suspend);
        match self.code.last() {
            Some(last) if falls(last) => Err(VerifyError {
                at: Some(self.code.len() - 1),
                reason: "the code runs off its end".to_owned(),
            }),
            None => Err(VerifyError { at: None, reason: "there is no code".to_owned() }),
            _ => Ok(()),
        }
    }
}
