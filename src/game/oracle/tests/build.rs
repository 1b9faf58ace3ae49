//! Small models built by hand.

use houserule_language::diagnostic::{FileId, Span};
use houserule_language::syntax::EndTiming;
use houserule_model::board::{BitSet, LineKinds, Notation, Topology};
use houserule_model::*;

/// A span to recognise in an error.
pub(super) fn at(n: usize) -> Span {
    Span::new(FileId(0), n, n + 1)
}

/// A model under construction. Its turn is empty and has no end.
pub(super) struct ModelBuilder {
    pub(super) model: Model,
}

impl ModelBuilder {
    pub(super) fn new(players: u32) -> Self {
        let player = Domain { name: "player".into(), kind: DomainKind::Player, size: players, looks: vec![] };
        let mut build = ModelBuilder {
            model: Model {
                players: Players {
                    count: players,
                    least: players,
                    most: players,
                    names: (1..=players).map(|p| format!("player {p}")).collect(),
                },
                domains: vec![player],
                steps: vec![Step { name: "step".into(), help: String::new(), span: at(0) }],
                stated_ends: vec![StatedEnd { name: "end game".into(), span: at(0) }],
                limit: 1000,
                ..Model::new("test", "")
            },
        };
        let player = |optional| Content::Element { domain: PLAYER, optional };
        let number = Content::Number { low: 0, high: 1_000_000_000 };
        for builtin in Builtin::ALL {
            let life = match builtin {
                Builtin::GameNumber | Builtin::Total => Life::Match,
                _ => Life::Game,
            };
            let (index, content, initial) = match builtin {
                Builtin::Mover | Builtin::Starter => (vec![], player(false), Value::Element(Some(0))),
                Builtin::NextMover => (vec![], player(true), Value::Element(None)),
                Builtin::ToCome => (vec![], Content::Set(PLAYER), Value::Set(BitSet::empty(players))),
                Builtin::Turns | Builtin::Total | Builtin::Payoff => (vec![PLAYER], number, Value::Number(0)),
                Builtin::Round | Builtin::GameNumber => (vec![], number, Value::Number(1)),
            };
            build.slot(&format!("{builtin:?}"), index, content, initial, life, Role::Builtin(builtin));
        }
        build
    }

    pub(super) fn slot(
        &mut self,
        name: &str,
        index: Vec<DomainId>,
        content: Content,
        initial: Value,
        life: Life,
        role: Role,
    ) -> SlotId {
        let places = index.iter().map(|d| self.model.domains[d.index()].size as usize).product();
        self.model.slots.push(Slot {
            name: name.into(),
            index,
            content,
            initial: vec![initial; places],
            life,
            role,
            visibility: Visibility::All,
            shown: DisplayForm::Plainly,
            help: String::new(),
            span: None,
        });
        SlotId(self.model.slots.len() as u32 - 1)
    }

    /// Adds a number in `0..high`, 0 at the start.
    pub(super) fn var(&mut self, name: &str, high: i64, life: Life) -> SlotId {
        let content = Content::Number { low: 0, high };
        self.slot(name, vec![], content, Value::Number(0), life, Role::Variable)
    }

    pub(super) fn domain(&mut self, name: &str, kind: DomainKind, size: u32) -> DomainId {
        self.model.domains.push(Domain { name: name.into(), kind, size, looks: vec![] });
        DomainId(self.model.domains.len() as u32 - 1)
    }

    pub(super) fn range(&mut self, low: i64, size: u32) -> DomainId {
        self.domain("range", DomainKind::Range { low }, size)
    }

    pub(super) fn board(&mut self, width: u32, height: u32, index: Vec<DomainId>) -> BoardId {
        let id = BoardId(self.model.boards.len() as u32);
        let size = width * height;
        let domain = self.domain("cell", DomainKind::Sites(id), size);
        let content = Content::Set(domain);
        let full = Value::Set(BitSet::full(size));
        let empty = self.slot("empty", index.clone(), content, full, Life::Game, Role::Empty(id));
        self.model.boards.push(Board {
            name: "cell".into(),
            domain,
            index,
            topology: Topology::grid(width, height, false, Notation::Letters),
            own_sites: vec![],
            sides_of: None,
            from_top: false,
            visibility: Visibility::All,
            empty,
            pieces: vec![],
            grounds: vec![],
            look: houserule_model::BoardLook::default(),
        });
        id
    }

    /// Adds a piece. Its index is that of the board, then its own.
    pub(super) fn piece(&mut self, board: BoardId, own: &[DomainId]) -> SlotId {
        let b = &self.model.boards[board.index()];
        let index = b.index.iter().chain(own).copied().collect();
        let content = Content::Set(b.domain);
        let none = Value::Set(BitSet::empty(b.topology.size()));
        let piece = self.slot("piece", index, content, none, Life::Game, Role::Piece(board));
        self.model.boards[board.index()].pieces.push(piece);
        piece
    }

    pub(super) fn dice(&mut self, count: u32, faces: u32) -> (SlotId, DomainId) {
        let die = self.range(1, count);
        let content = Content::Number { low: 0, high: i64::from(faces) };
        let role = Role::Dice { count, faces, ordered: false };
        (self.slot("dice", vec![die], content, Value::Number(0), Life::Turn, role), die)
    }

    pub(super) fn local(&mut self, ty: Type) -> LocalId {
        self.model.locals.push(Local { name: "x".into(), ty, range: None, span: at(0) });
        LocalId(self.model.locals.len() as u32 - 1)
    }

    /// Adds an option with a block of action numbers of its own, after the existing blocks.
    pub(super) fn option(
        &mut self,
        binders: Vec<CheckedBinder>,
        filter: Option<CheckedExpr>,
        body: Vec<CheckedStmt>,
    ) -> CheckedOption {
        let domains: Vec<DomainId> = binders.iter().map(|b| b.domain).collect();
        let subset = binders.last().is_some_and(|b| b.subset);
        let sizes = domains.iter().map(|d| self.model.domains[d.index()].size);
        let size = ways(sizes, subset).into_iter().product();
        let first = self.model.actions.iter().map(|a| a.first + a.size).max().unwrap_or(0);
        let option = "option".to_string();
        self.model.actions.push(ActionBlock {
            option: option.clone(),
            domains,
            subset,
            faces: vec![],
            first,
            size,
            dead: false,
        });
        CheckedOption {
            name: option,
            actions: ActionBlockId(self.model.actions.len() as u32 - 1),
            binders,
            filter,
            ensuring: None,
            seen: None,
            deliberate: false,
            pass: false,
            body: CheckedBlock { stmts: body },
            help: String::new(),
            span: at(0),
        }
    }

    pub(super) fn choose(
        &mut self,
        options: Vec<CheckedOption>,
        otherwise: Option<Vec<CheckedStmt>>,
    ) -> CheckedStmt {
        let otherwise = otherwise.map(|stmts| CheckedBlock { stmts });
        let name = "choice".into();
        self.model.choices.push(Choice { name, step: None, options, otherwise, span: at(77) });
        stmt(CheckedStmtKind::Choose(ChoiceId(self.model.choices.len() as u32 - 1)))
    }

    pub(super) fn end(&mut self, timing: EndTiming, when: CheckedExpr, result: Option<CheckedEndResult>) {
        self.model.ends.push(End { name: "end".into(), timing, when, result, implied: false, span: at(0) });
    }

    pub(super) fn score(&mut self, value: CheckedExpr) {
        self.model.score.push(ScoreItem { name: "item".into(), value, help: String::new(), span: at(0) });
    }

    /// Returns the empty sites of a board as an expression.
    pub(super) fn empty(&self, board: BoardId) -> CheckedExpr {
        let b = &self.model.boards[board.index()];
        expr(CheckedExprKind::Read(Target { slot: b.empty, index: vec![] }), Type::Set(b.domain))
    }

    pub(super) fn cell(&self, board: BoardId) -> DomainId {
        self.model.boards[board.index()].domain
    }

    /// Returns a constant set of sites, by name.
    pub(super) fn sites(&self, board: BoardId, names: &str) -> CheckedExpr {
        let topology = &self.model.boards[board.index()].topology;
        let sites = names.split_whitespace().map(|n| topology.parse_site(n).unwrap());
        let set = BitSet::from_sites(topology.size(), sites);
        expr(CheckedExprKind::Constant(Value::Set(set)), Type::Set(self.cell(board)))
    }
}

/// The only `end game`.
pub(super) fn end_game() -> CheckedStmt {
    stmt(CheckedStmtKind::EndGame { end: 0, result: None })
}

pub(super) fn stmt(kind: CheckedStmtKind) -> CheckedStmt {
    CheckedStmt { kind, span: at(0) }
}

pub(super) fn block(stmts: Vec<CheckedStmt>) -> CheckedBlock {
    CheckedBlock { stmts }
}

pub(super) fn step(body: Vec<CheckedStmt>) -> CheckedStmt {
    stmt(CheckedStmtKind::Step { step: StepId(0), body: block(body) })
}

pub(super) fn expr(kind: CheckedExprKind, ty: Type) -> CheckedExpr {
    CheckedExpr { kind, ty, span: at(1) }
}

pub(super) fn num(n: i64) -> CheckedExpr {
    expr(CheckedExprKind::Constant(Value::Number(n)), Type::Number)
}

pub(super) fn truth(b: bool) -> CheckedExpr {
    expr(CheckedExprKind::Constant(Value::Bool(b)), Type::Bool)
}

pub(super) fn element(domain: DomainId, x: Option<u32>) -> CheckedExpr {
    expr(CheckedExprKind::Constant(Value::Element(x)), Type::Element(domain))
}

pub(super) fn set(domain: DomainId, size: u32, elements: &[u32]) -> CheckedExpr {
    let set = BitSet::from_elements(size, elements.iter().copied());
    expr(CheckedExprKind::Constant(Value::Set(set)), Type::Set(domain))
}

pub(super) fn me() -> CheckedExpr {
    expr(CheckedExprKind::Me, Type::Element(PLAYER))
}

pub(super) fn local(local: LocalId, ty: Type) -> CheckedExpr {
    expr(CheckedExprKind::Local(local), ty)
}

pub(super) fn target(slot: SlotId, index: Vec<CheckedExpr>) -> Target {
    Target { slot, index }
}

pub(super) fn read(slot: SlotId, index: Vec<CheckedExpr>, ty: Type) -> CheckedExpr {
    expr(CheckedExprKind::Read(target(slot, index)), ty)
}

pub(super) fn number(slot: SlotId) -> CheckedExpr {
    read(slot, vec![], Type::Number)
}

pub(super) fn add(a: CheckedExpr, b: CheckedExpr) -> CheckedExpr {
    expr(CheckedExprKind::Arithmetic(Arithmetic::Add, Box::new(a), Box::new(b)), Type::Number)
}

pub(super) fn compare(op: ComparisonOperator, a: CheckedExpr, b: CheckedExpr) -> CheckedExpr {
    expr(CheckedExprKind::Compare(op, Box::new(a), Box::new(b)), Type::Bool)
}

pub(super) fn equal(a: CheckedExpr, b: CheckedExpr) -> CheckedExpr {
    compare(ComparisonOperator::Equal, a, b)
}

pub(super) fn assign(slot: SlotId, value: CheckedExpr) -> CheckedStmt {
    stmt(CheckedStmtKind::Assign { target: target(slot, vec![]), value })
}

/// Returns `slot += n`.
pub(super) fn increase(slot: SlotId, n: i64) -> CheckedStmt {
    assign(slot, add(number(slot), num(n)))
}

pub(super) fn put(piece: SlotId, index: Vec<CheckedExpr>, at: CheckedExpr) -> CheckedStmt {
    stmt(CheckedStmtKind::Put { piece: target(piece, index), at, meant: MoveIntent::default() })
}

pub(super) fn one_of(domain: DomainId, x: CheckedExpr) -> CheckedExpr {
    expr(CheckedExprKind::Elements(vec![x]), Type::Set(domain))
}

/// Three in a row on three by three: X and O in turn, on any empty site. With `die`, chance picks the site.
pub(super) fn three_in_a_row(die: bool) -> Model {
    let mut b = ModelBuilder::new(2);
    let board = b.board(3, 3, vec![]);
    let cell = b.cell(board);
    let mark = b.piece(board, &[PLAYER]);
    let x = b.local(Type::Element(cell));
    let place = put(mark, vec![me()], one_of(cell, local(x, Type::Element(cell))));
    let over = b.empty(board);
    if die {
        b.model.turn = block(vec![stmt(CheckedStmtKind::Pick { local: x, over, by: None }), place]);
    } else {
        let option =
            b.option(vec![CheckedBinder { local: x, domain: cell, subset: false, over }], None, vec![place]);
        b.model.turn = block(vec![b.choose(vec![option], None)]);
    }
    let of = Box::new(read(mark, vec![me()], Type::Set(cell)));
    let longest = expr(CheckedExprKind::Longest { board, along: LineKinds::ALL, of }, Type::Number);
    let line = compare(ComparisonOperator::GreaterEqual, longest, num(3));
    b.end(EndTiming::Turn, line, Some(CheckedEndResult::Win(me())));
    let some = expr(CheckedExprKind::IsSome(Box::new(b.empty(board))), Type::Bool);
    let full = expr(CheckedExprKind::Not(Box::new(some)), Type::Bool);
    b.end(EndTiming::Turn, full, Some(CheckedEndResult::Draw));
    b.model
}
