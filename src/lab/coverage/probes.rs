//! Instrumented rules for `houserule check`: counters for how often a branch of an `if … else` was entered, and how
//! often a `put` or `move` covered a piece or fell off the board. How often an `otherwise` was entered, the program
//! counts itself; here is only its place in the rules.
//!
//! The counters are variables in a copy of the model, incremented by added statements. The game itself stays as
//! fast as before. A game of the copy takes the same course, because no added statement draws or chooses, and no
//! rule reads a counter.

use std::collections::{HashMap, HashSet};

use houserule_game::random_games::Finished;
use houserule_game::{Game, Sheet};
use houserule_language::diagnostic::Span;
use houserule_language::syntax;
use houserule_model::{
    Arithmetic, CheckedBlock, CheckedExpr, CheckedExprKind, CheckedStmt, CheckedStmtKind, ChoiceId, Content,
    CountedUses, Life, Model, Role, Slot, SlotId, Target, Type, Value, Visibility,
};

/// The event that a counter counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum What {
    /// The first branch of an `if … else` was entered.
    Then,
    /// The second branch of an `if … else` was entered.
    Else,
    /// A `put` covered another piece.
    PutCovers,
    /// A `put` named a site that is off the board.
    PutFalls,
    /// A `move` ended where another piece stood.
    MoveCovers,
    /// A `move` went off the board.
    MoveFalls,
    /// A `put` or `move` of a script covered a piece.
    ScriptCovers,
    /// A `put` or `move` of a script named no site.
    ScriptFalls,
}

impl What {
    /// Returns `true` if the event is a likely mistake; `false` if its absence is.
    pub(super) fn is_slip(self) -> bool {
        !matches!(self, What::Then | What::Else)
    }
}

/// A counter with its sum over all games.
#[derive(Clone, Debug)]
pub(super) struct Probe {
    pub(super) what: What,
    pub(super) span: Span,
    /// The first branch, if this is the second of an `if … else`.
    pub(super) partner: Option<Span>,
    slot: SlotId,
    /// Number of events.
    pub(super) count: u64,
    /// Number of games with an event.
    pub(super) games: u64,
}

/// A game with counters.
pub(super) struct Probed {
    pub(super) game: Game,
    pub(super) probes: Vec<Probe>,
}

impl Probed {
    /// Adds counters to the rules of a game. Returns `None` if the rules with counters are too large.
    pub(super) fn new(game: &Game) -> Option<Probed> {
        let mut model = game.model().clone();
        let written = Written::from_tree(game.sheet().tree.as_deref());
        let mut add = Adding { written, first: model.slots.len(), probes: vec![], known: HashMap::new() };
        if game.model().scripts.is_some() {
            // Scripts expect their counters directly after the slots of the model, in this order.
            let at = add.written.script.unwrap_or(Span::new(houserule_language::diagnostic::FileId(0), 0, 0));
            add.probe(What::ScriptCovers, at);
            add.probe(What::ScriptFalls, at);
        }
        let (setup, turn) = (std::mem::take(&mut model.setup), std::mem::take(&mut model.turn));
        model.setup = add.block(&model, setup);
        model.turn = add.block(&model, turn);
        let on_end = std::mem::take(&mut model.on_end);
        model.on_end = add.block(&model, on_end);
        for at in 0..model.choices.len() {
            for option in 0..model.choices[at].options.len() {
                let body = std::mem::take(&mut model.choices[at].options[option].body);
                model.choices[at].options[option].body = add.block(&model, body);
            }
            let Some(body) = model.choices[at].otherwise.take() else { continue };
            model.choices[at].otherwise = Some(add.block(&model, body));
        }
        model.slots.extend(add.probes.iter().map(|probe| Slot {
            name: "counter".to_owned(),
            index: vec![],
            content: Content::Number { low: 0, high: i64::MAX },
            initial: vec![Value::Number(0)],
            life: Life::Game,
            role: Role::Variable,
            visibility: Visibility::All,
            shown: houserule_model::DisplayForm::Plainly,
            help: String::new(),
            span: Some(probe.span),
        }));
        let game = Game::with_sheet(model, game.identity().clone(), Sheet::default()).ok()?;
        Some(Probed { game, probes: add.probes })
    }

    /// Adds the counters of a finished game.
    pub(super) fn add<'p>(probes: impl Iterator<Item = &'p mut Probe>, game: &Finished<'_>) {
        for probe in probes {
            let count = game.value(probe.slot, 0).unwrap_or(0).max(0) as u64;
            probe.count += count;
            probe.games += u64::from(count > 0);
        }
    }
}

/// An `otherwise` in the rules, whose entries the program counts.
pub(super) struct OtherwiseBlock {
    /// Its choices: several if it stands in a procedure that several statements call.
    pub(super) choices: Vec<ChoiceId>,
    /// The index of its count in [`UsageCounts::otherwise`](houserule_game::random_games::UsageCounts::otherwise).
    pub(super) counted: usize,
    pub(super) span: Span,
}

/// Returns each `otherwise` of the rules that does something. Those that the checker adds are left out.
pub(super) fn find_otherwise_blocks(game: &Game) -> Vec<OtherwiseBlock> {
    let (model, counted) = (game.model(), CountedUses::new(game.model()));
    let written = Written::from_tree(game.sheet().tree.as_deref());
    let mut found: Vec<OtherwiseBlock> = vec![];
    for (at, choice) in model.choices.iter().enumerate() {
        let id = ChoiceId(at as u32);
        // No warning if an empty `otherwise` is never entered.
        if choice.otherwise.as_ref().is_none_or(|body| body.stmts.is_empty()) {
            continue;
        }
        let Some(index) = counted.index_of_otherwise(id) else { continue };
        let Some(span) = written.otherwise.get(&choice.span) else { continue };
        match found.iter_mut().find(|block| block.counted == index as usize) {
            Some(block) => block.choices.push(id),
            None => found.push(OtherwiseBlock { choices: vec![id], counted: index as usize, span: *span }),
        }
    }
    found
}

/// Spans of choices and branches in the source. Statements that the checker adds have none.
#[derive(Default)]
struct Written {
    /// The `otherwise` of each choice, by span.
    otherwise: HashMap<Span, Span>,
    /// The two branches of each `if … else`, by its span.
    branches: HashMap<Span, [Span; 2]>,
    /// Each `move`. One of many pieces becomes a `put` for each kind.
    moves: HashSet<Span>,
    script: Option<Span>,
}

impl Written {
    fn from_tree(tree: Option<&syntax::GameDecl>) -> Written {
        use syntax::DeclKind;
        let mut written = Written::default();
        for decl in tree.into_iter().flat_map(|tree| &tree.decls) {
            match &decl.kind {
                DeclKind::Setup { body, .. }
                | DeclKind::Turn(body)
                | DeclKind::Round(body)
                | DeclKind::Procedure { body, .. } => written.block(body),
                DeclKind::Script(_) if written.script.is_none() => written.script = Some(decl.span),
                _ => {}
            }
        }
        written
    }

    fn block(&mut self, block: &syntax::Block) {
        for stmt in &block.stmts {
            if let syntax::StmtKind::Choose(choose) = &stmt.kind {
                let at = match &choose.name {
                    Some(name) => name.span,
                    None => Span { end: stmt.span.start + "choose".len() as u32, ..stmt.span },
                };
                if let Some(body) = &choose.otherwise {
                    self.otherwise.insert(at, body.span);
                }
            }
            if let syntax::StmtKind::If { then, otherwise: Some(otherwise), .. } = &stmt.kind {
                self.branches.insert(stmt.span, [then.span, otherwise.span]);
            }
            if let syntax::StmtKind::Move { .. } = &stmt.kind {
                self.moves.insert(stmt.span);
            }
            stmt.blocks().into_iter().for_each(|inner| self.block(inner));
        }
    }
}

struct Adding {
    written: Written,
    first: usize,
    probes: Vec<Probe>,
    known: HashMap<(What, Span), usize>,
}

impl Adding {
    /// Returns the counter of a place in the rules. All expansions of that place share it.
    fn probe(&mut self, what: What, span: Span) -> usize {
        if let Some(known) = self.known.get(&(what, span)) {
            return *known;
        }
        let at = self.probes.len();
        let slot = SlotId((self.first + at) as u32);
        self.probes.push(Probe { what, span, partner: None, slot, count: 0, games: 0 });
        self.known.insert((what, span), at);
        at
    }

    /// Returns a counter and the statement that increments it.
    fn count(&mut self, what: What, span: Span) -> (usize, CheckedStmt) {
        let probe = self.probe(what, span);
        let target = Target { slot: self.probes[probe].slot, index: vec![] };
        let number = |kind| Box::new(CheckedExpr { kind, ty: Type::Number, span });
        let now = number(CheckedExprKind::Read(target.clone()));
        let one = number(CheckedExprKind::Constant(Value::Number(1)));
        let value = *number(CheckedExprKind::Arithmetic(Arithmetic::Add, now, one));
        (probe, CheckedStmt { kind: CheckedStmtKind::Assign { target, value }, span })
    }

    /// Returns a statement that counts if `set` is not empty (`some`), or if it is.
    fn count_if(&mut self, what: What, set: CheckedExpr, some: bool, span: Span) -> CheckedStmt {
        let (_, count) = self.count(what, span);
        let truth = |kind| CheckedExpr { kind, ty: Type::Bool, span };
        let is_some = truth(CheckedExprKind::IsSome(Box::new(set)));
        let condition = if some { is_some } else { truth(CheckedExprKind::Not(Box::new(is_some))) };
        let kind = CheckedStmtKind::If {
            condition,
            then: CheckedBlock { stmts: vec![count] },
            otherwise: CheckedBlock::default(),
        };
        CheckedStmt { kind, span }
    }

    fn block(&mut self, model: &Model, block: CheckedBlock) -> CheckedBlock {
        let mut stmts = Vec::with_capacity(block.stmts.len());
        for stmt in block.stmts {
            self.before(model, &stmt, &mut stmts);
            stmts.push(self.stmt(model, stmt));
        }
        CheckedBlock { stmts }
    }

    /// Appends the counting statements that precede `stmt`.
    fn before(&mut self, model: &Model, stmt: &CheckedStmt, out: &mut Vec<CheckedStmt>) {
        let span = stmt.span;
        match &stmt.kind {
            CheckedStmtKind::Put { piece, at, meant } => {
                let Role::Piece(board) = model.slots[piece.slot.index()].role else { return };
                let board = &model.boards[board.index()];
                let kinds = |slot: &SlotId| {
                    let own = &model.slots[slot.index()].index[board.index.len()..];
                    own.iter().map(|domain| u64::from(model.domains[domain.index()].size)).product::<u64>()
                };
                if !meant.replacing && board.pieces.iter().map(kinds).sum::<u64>() > 1 {
                    let index = piece.index[..board.index.len()].to_vec();
                    let standing = occupied(at, Target { slot: board.empty, index });
                    let others = minus(
                        standing,
                        CheckedExpr { kind: CheckedExprKind::Read(piece.clone()), ty: at.ty, span },
                    );
                    let moves = self.written.moves.contains(&span);
                    let what = if moves { What::MoveCovers } else { What::PutCovers };
                    out.push(self.count_if(what, others, true, span));
                }
                if meant.may_fall {
                    out.push(self.count_if(What::PutFalls, at.clone(), false, span));
                }
            }
            CheckedStmtKind::Move { board, index, from, to, meant } => {
                let board = &model.boards[board.index()];
                let ty = Type::Set(board.domain);
                let set = |e: &CheckedExpr| CheckedExpr {
                    kind: CheckedExprKind::Elements(vec![e.clone()]),
                    ty,
                    span: e.span,
                };
                let empty = Target { slot: board.empty, index: index.clone() };
                if !meant.replacing {
                    // A move from an empty site moves nothing.
                    let mover = occupied(&set(from), empty.clone());
                    let standing = minus(occupied(&set(to), empty), set(from));
                    let test = self.count_if(What::MoveCovers, standing, true, span);
                    let condition =
                        CheckedExpr { kind: CheckedExprKind::IsSome(Box::new(mover)), ty: Type::Bool, span };
                    let then = CheckedBlock { stmts: vec![test] };
                    let kind = CheckedStmtKind::If { condition, then, otherwise: CheckedBlock::default() };
                    out.push(CheckedStmt { kind, span });
                }
                if meant.may_fall {
                    out.push(self.count_if(What::MoveFalls, set(to), false, span));
                }
            }
            _ => {}
        }
    }

    fn stmt(&mut self, model: &Model, stmt: CheckedStmt) -> CheckedStmt {
        use CheckedStmtKind as S;
        let span = stmt.span;
        let kind = match stmt.kind {
            S::If { condition, then, otherwise } => {
                // No warning if an empty branch is never entered, so don't count its `if`.
                let empty = [&then, &otherwise].map(|block| block.stmts.is_empty());
                let (mut then, mut otherwise) = (self.block(model, then), self.block(model, otherwise));
                if let (Some([first, second]), [false, false]) = (self.written.branches.get(&span), empty) {
                    let (first, second) = (*first, *second);
                    let (_, count) = self.count(What::Then, first);
                    then.stmts.insert(0, count);
                    let (other, count) = self.count(What::Else, second);
                    otherwise.stmts.insert(0, count);
                    self.probes[other].partner = Some(first);
                }
                S::If { condition, then, otherwise }
            }
            S::Step { step, body } => S::Step { step, body: self.block(model, body) },
            S::For { local, over, from, body } => S::For { local, over, from, body: self.block(model, body) },
            S::While { condition, body } => S::While { condition, body: self.block(model, body) },
            S::Repeat { body, until } => S::Repeat { body: self.block(model, body), until },
            S::Chance { body, given } => S::Chance { body: self.block(model, body), given },
            S::As { player, body } => S::As { player, body: self.block(model, body) },
            S::Turns { from, body } => S::Turns { from, body: self.block(model, body) },
            other => other,
        };
        CheckedStmt { kind, span }
    }
}

/// Returns those of `sites` that are not empty.
fn occupied(sites: &CheckedExpr, empty: Target) -> CheckedExpr {
    minus(sites.clone(), CheckedExpr { kind: CheckedExprKind::Read(empty), ty: sites.ty, span: sites.span })
}

fn minus(a: CheckedExpr, b: CheckedExpr) -> CheckedExpr {
    let (ty, span) = (a.ty, a.span);
    CheckedExpr { kind: CheckedExprKind::Minus(Box::new(a), Box::new(b)), ty, span }
}

#[cfg(test)]
mod tests {
    use houserule_game::random_games::{UsageCounts, play_random};
    use houserule_loader::{Request, load_text};

    use super::*;

    /// A choice that stands in two places, and one whose `otherwise` does nothing.
    const STEPS: &str = r#"game "Steps" {
      players 2
      var n: 0..99 = 0
      procedure walk() { choose { go where n in {1, 2, 7} { n += 1 }  otherwise { n += 2 } } }
      turn {
        walk()
        walk()
        choose { stop where n > 90 { end game }  otherwise { } }
      }
      end done when n > 20
      score { n: n }
    }"#;

    #[test]
    fn the_program_counts_an_otherwise_and_no_probe_does() {
        let game = load_text("steps", STEPS, &Request::default()).expect("it loads").game;
        let blocks = find_otherwise_blocks(&game);
        let [block] = blocks.as_slice() else { panic!("{} blocks", blocks.len()) };
        assert_eq!(block.choices.len(), 2);
        let probed = Probed::new(&game).expect("it is small");
        assert!(probed.probes.is_empty(), "{:?}", probed.probes);
        let counts = [&game, &probed.game].map(|game| {
            let mut counts = UsageCounts::default();
            play_random(game, 0, 0..20, &mut counts, &mut |_| {}, &mut |index, _| panic!("game {index}"));
            counts
        });
        assert!(counts[0].otherwise[block.counted] > 0, "{:?}", counts[0]);
        assert_eq!(counts[0], counts[1]);
    }
}
