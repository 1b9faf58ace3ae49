//! State slots: the built-in ones, and those of `var` and `piece`.

use crate::checker::Checker;
use crate::draft::Draft;
use crate::names::name_table::Entity;
use houserule_language::diagnostic::{Code, Diagnostic, Span};
use houserule_language::syntax;
use houserule_language::syntax::{Modifier, ModifierKind, Name, TypedDecl};
use houserule_model::board::BitSet;
use houserule_model::*;

/// Properties of a slot from its modifiers.
pub(super) struct Manner {
    pub(super) life: Life,
    /// The declared visibility, if any.
    pub(super) visibility: Option<Visibility>,
    pub(super) ordered: bool,
    /// `seen by top`, if said.
    pub(super) top: Option<Span>,
}

impl<'a> Checker<'a> {
    /// Who sees a thing, if the modifier says it. An unknown player is reported, and then nobody sees it.
    fn visibility_of(&mut self, modifier: &'a Modifier, kind: &str, owned: bool) -> Option<Visibility> {
        match modifier.kind {
            ModifierKind::SeenByAll => Some(Visibility::All),
            ModifierKind::SeenByOwner => Some(Visibility::Owner),
            ModifierKind::SeenByOthers => Some(Visibility::Others),
            ModifierKind::SeenByNone | ModifierKind::SeenByTop => Some(Visibility::Nobody),
            ModifierKind::SeenByPlayer => {
                let words = [
                    ("all", true),
                    ("owner", owned),
                    ("others", owned),
                    ("none", true),
                    ("top", kind == "zone"),
                ];
                let words: Vec<&str> =
                    words.iter().filter(|(_, fits)| *fits).map(|(word, _)| *word).collect();
                Some(self.seen_by_player(modifier, &words).unwrap_or(Visibility::Nobody))
            }
            ModifierKind::EachTurn
            | ModifierKind::EachRound
            | ModifierKind::EachGame
            | ModifierKind::Match
            | ModifierKind::Ordered
            | ModifierKind::FromTop
            | ModifierKind::Shown
            | ModifierKind::ShownAt
            | ModifierKind::ShownOver => None,
        }
    }

    /// The player named after `seen by`. `words` are the words that may stand there besides.
    pub(crate) fn seen_by_player(
        &mut self,
        modifier: &syntax::Modifier,
        words: &[&str],
    ) -> Option<Visibility> {
        let syntax::ExprKind::Name(name) = &modifier.value.as_ref()?.kind else { return None };
        self.players();
        if let Some(place) = self.names.enum_value(PLAYER, &name.text) {
            self.recorder.refer_to_element(name.span, PLAYER, place);
            return Some(Visibility::Player(Seat(place)));
        }
        let mut named = self.draft.enum_names(PLAYER);
        named.retain(|player| self.names.enum_value(PLAYER, player).is_some());
        let known = || words.iter().copied().chain(named.iter().map(String::as_str));
        let quoted: Vec<String> = known().map(|word| format!("`{word}`")).collect();
        let message = format!("`{}` doesn't say who sees this", name.text);
        let mut d = Diagnostic::error(Code::UnknownName, name.span, message)
            .note(format!("after `seen by` there can be {}", or_list(&quoted)));
        d = match houserule_language::diagnostic::did_you_mean(&name.text, known()) {
            Some(better) => d.help(format!("did you mean `seen by {better}`?")),
            None if named.is_empty() => {
                d.help("a player who is named can see it, too: `players hunter, hunted`")
            }
            None => d,
        };
        self.draft.messages.report(d);
        None
    }

    /// Checks the modifiers of a declaration: how long its value lasts, and who sees it.
    pub(super) fn manner(
        &mut self,
        modifiers: &'a [Modifier],
        index: &[DomainId],
        life: Life,
        kind: &str,
    ) -> Manner {
        let mut manner = Manner { life, visibility: None, ordered: false, top: None };
        let mut said: Option<Span> = None;
        for modifier in modifiers {
            if let Some(visibility) = self.visibility_of(modifier, kind, index.first() == Some(&PLAYER)) {
                if let Some(first) = said {
                    let message = "there are two `seen by`";
                    let d = Diagnostic::error(Code::Misplaced, modifier.span, message)
                        .also(first, "said here")
                        .help("leave one of the two out");
                    self.draft.messages.report(d);
                }
                if visibility.is_of_owner() && index.first() != Some(&PLAYER) {
                    let d = Diagnostic::error(Code::Misplaced, modifier.span, "this has no owner")
                        .help("the owner is the player of the first index: `[player]`");
                    self.draft.messages.report(d);
                }
                if modifier.kind == ModifierKind::SeenByTop {
                    if kind != "zone" {
                        let d = Diagnostic::error(
                            Code::Misplaced,
                            modifier.span,
                            "only an ordered zone has a top",
                        )
                        .help("write `seen by all`, `seen by owner` or `seen by none`");
                        self.draft.messages.report(d);
                    }
                    manner.top = Some(modifier.span);
                }
                said = Some(modifier.span);
                manner.visibility = Some(visibility);
                continue;
            }
            match modifier.kind {
                ModifierKind::EachTurn if !matches!(kind, "board" | "piece" | "zone") => {
                    manner.life = Life::Turn
                }
                ModifierKind::EachRound if !matches!(kind, "board" | "piece" | "zone") => {
                    manner.life = Life::Round
                }
                ModifierKind::EachGame if !matches!(kind, "board" | "piece" | "zone") => {
                    manner.life = Life::Game
                }
                ModifierKind::Match if kind == "var" => manner.life = Life::Match,
                ModifierKind::FromTop if kind == "board" => {}
                ModifierKind::Ordered if matches!(kind, "dice" | "zone") => manner.ordered = true,
                look if look.is_look() && matches!(kind, "piece" | "var" | "zone" | "board") => {}
                _ => self.draft.messages.error(
                    Code::Misplaced,
                    modifier.span,
                    format!("this does not go with a `{kind}`"),
                ),
            }
        }
        manner
    }

    /// Resolves `var NAME[indices]: TYPE = default modifiers`.
    pub(crate) fn resolve_var(&mut self, decl: &'a syntax::Decl, typed: &'a TypedDecl) -> Entity {
        let index = self.index_domains(&typed.index);
        let content = self.content(&typed.ty);
        let (Some(index), Some(content)) = (index, content) else { return Entity::Poison };
        let manner = self.manner(&typed.modifiers, &index, Life::Game, "var");
        let Some(size) = self.draft.family(&index, typed.name.span) else { return Entity::Poison };
        let room = match content {
            Content::Set(domain) => {
                self.draft.afford_sets(self.draft.model.domains[domain.index()].size, size, typed.name.span)
            }
            _ => self.draft.afford_words(size as u64, typed.name.span),
        };
        if !room {
            return Entity::Poison;
        }
        let rest = match content {
            Content::Number { low, high } => Value::Number(0.clamp(low, high)),
            Content::Bool => Value::Bool(false),
            Content::Element { optional, .. } => Value::Element((!optional).then_some(0)),
            Content::Set(domain) => Value::Set(BitSet::empty(self.draft.size(domain))),
        };
        let visibility = manner.visibility.unwrap_or_else(|| self.draft.seen_on_its_board(&index));
        let mut initial: Vec<Option<Value>> = vec![None; size];
        if let Some(value) = &typed.value {
            self.fill(value, &index, &mut initial, &mut |c, e| c.constant_value(e, content));
        }
        let shown = self.shown_var(&typed.name, &typed.modifiers, &index, content);
        let slot = Slot {
            name: typed.name.text.clone(),
            index,
            content,
            initial: initial.into_iter().map(|v| v.unwrap_or_else(|| rest.clone())).collect(),
            life: manner.life,
            role: Role::Variable,
            visibility,
            shown,
            help: help(decl),
            span: Some(decl.span),
        };
        Entity::Slot(self.draft.add_slot(slot))
    }

    /// Resolves `piece NAME[indices] on BOARD`.
    pub(crate) fn resolve_piece(
        &mut self,
        decl: &'a syntax::Decl,
        name: &'a Name,
        index: &'a [syntax::Expr],
        on: Option<&'a Name>,
        modifiers: &'a [Modifier],
    ) -> Entity {
        let own = self.index_domains(index);
        let board = match on {
            Some(on) => match self.entity(on) {
                Some(Entity::Board(board)) => Some(board),
                Some(Entity::Poison) => None,
                _ => {
                    let names: Vec<String> = self
                        .boards_and_sides()
                        .iter()
                        .map(|b| self.draft.model.boards[b.index()].name.clone())
                        .collect();
                    let better = houserule_language::diagnostic::did_you_mean(
                        &on.text,
                        names.iter().map(String::as_str),
                    );
                    let mut d = Diagnostic::error(
                        Code::UnknownBoard,
                        on.span,
                        format!("no board is called `{}`", on.text),
                    );
                    if let Some(better) = better {
                        d = d.help(format!("did you mean `{better}`?"));
                    }
                    self.draft.messages.report(d);
                    None
                }
            },
            None => self.piece_board(name.span),
        };
        let (Some(own), Some(board)) = (own, board) else { return Entity::Poison };
        let Board { domain, index: on, visibility, .. } = self.draft.model.boards[board.index()].clone();
        let shown = self.shown_piece(name, modifiers, &own, board);
        let index = [on, own].concat();
        let manner = self.manner(modifiers, &index, Life::Game, "piece");
        let Some(size) = self.draft.family(&index, name.span) else { return Entity::Poison };
        if !self.draft.afford_sets(self.draft.model.domains[domain.index()].size, size, name.span) {
            return Entity::Poison;
        }
        let slot = Slot {
            name: name.text.clone(),
            index,
            content: Content::Set(domain),
            initial: vec![Value::Set(BitSet::empty(self.draft.size(domain))); size],
            life: manner.life,
            role: Role::Piece(board),
            visibility: manner.visibility.unwrap_or(visibility),
            shown,
            help: help(decl),
            span: Some(decl.span),
        };
        let slot = self.draft.add_slot(slot);
        self.draft.model.boards[board.index()].pieces.push(slot);
        Entity::Slot(slot)
    }

    fn piece_board(&mut self, span: Span) -> Option<BoardId> {
        if self.all_boards().len() > 1 {
            let boards = self.boards_and_sides();
            let names: Vec<&str> =
                boards.iter().map(|b| self.draft.model.boards[b.index()].name.as_str()).collect();
            let d = Diagnostic::error(
                Code::AmbiguousName,
                span,
                "there are several boards: on which does this piece stand?",
            )
            .help(format!("write `on {}`", names.join("` or `on ")));
            self.draft.messages.report(d);
            return None;
        }
        self.the_board("piece", None, span)
    }
}

impl Draft {
    /// Creates the built-in slots. Their initial values are set once the players are known.
    pub(crate) fn builtin_slots(&mut self) {
        const MANY: i64 = 1_000_000;
        let player = |optional| Content::Element { domain: PLAYER, optional };
        for builtin in Builtin::ALL {
            let (name, content) = match builtin {
                Builtin::Mover => ("mover", player(false)),
                Builtin::Starter => ("starter", player(false)),
                Builtin::Turns => ("turns", Content::Number { low: 0, high: MANY }),
                Builtin::Round => ("round", Content::Number { low: 1, high: MANY }),
                Builtin::GameNumber => ("game_number", Content::Number { low: 1, high: MANY }),
                Builtin::Total => ("total", Content::Number { low: -1_000_000_000, high: 1_000_000_000 }),
                Builtin::NextMover => ("next", player(true)),
                Builtin::ToCome => ("to_come", Content::Set(PLAYER)),
                Builtin::Payoff => ("payoff", Content::Number { low: i64::MIN, high: i64::MAX }),
            };
            let index = match builtin {
                Builtin::Turns | Builtin::Total | Builtin::Payoff => vec![PLAYER],
                _ => vec![],
            };
            let life = match builtin {
                Builtin::GameNumber | Builtin::Total => Life::Match,
                _ => Life::Game,
            };
            self.model.slots.push(Slot {
                name: name.into(),
                index,
                content,
                initial: vec![],
                life,
                role: Role::Builtin(builtin),
                visibility: Visibility::All,
                shown: DisplayForm::Plainly,
                help: String::new(),
                span: None,
            });
        }
    }

    /// Sets the initial values of the built-in slots.
    pub(crate) fn start_builtins(&mut self) {
        let players = self.size(PLAYER) as usize;
        for builtin in Builtin::ALL {
            let initial = match builtin {
                Builtin::Mover | Builtin::Starter => vec![Value::Element(Some(0))],
                Builtin::Turns | Builtin::Total | Builtin::Payoff => vec![Value::Number(0); players],
                Builtin::Round | Builtin::GameNumber => vec![Value::Number(1)],
                Builtin::NextMover => vec![Value::Element(None)],
                Builtin::ToCome => vec![Value::Set(BitSet::empty(players as u32))],
            };
            self.model.slots[builtin.slot().index()].initial = initial;
        }
    }

    pub(crate) fn add_slot(&mut self, slot: Slot) -> SlotId {
        self.model.slots.push(slot);
        SlotId(self.model.slots.len() as u32 - 1)
    }

    /// The default visibility of a variable: that of its board, if it has a value for each site.
    fn seen_on_its_board(&self, index: &[DomainId]) -> Visibility {
        let lies = |board: &&Board| {
            let of = board.index.len();
            index.get(..of) == Some(&board.index[..]) && index.get(of) == Some(&board.domain)
        };
        self.model.boards.iter().find(lies).map_or(Visibility::All, |board| board.visibility)
    }

    /// Restricts the visibility of empty sites to that of the pieces, which they reveal.
    pub(super) fn hide_empty_sites(&mut self) {
        for board in &self.model.boards {
            let seen = |piece: &SlotId| self.model.slots[piece.index()].visibility;
            let seen: Vec<Visibility> = board.pieces.iter().map(seen).collect();
            let owned = board.index.first() == Some(&PLAYER);
            self.model.slots[board.empty.index()].visibility = match () {
                () if seen.iter().all(|visibility| *visibility == Visibility::All) => Visibility::All,
                () if owned && seen.iter().all(|v| matches!(v, Visibility::All | Visibility::Others)) => {
                    Visibility::Others
                }
                () if owned && seen.iter().all(|v| matches!(v, Visibility::All | Visibility::Owner)) => {
                    Visibility::Owner
                }
                () => {
                    // A player who sees all pieces sees the empty sites.
                    let only = seen.iter().find(|v| matches!(v, Visibility::Player(_)));
                    let same = |only: &&Visibility| seen.iter().all(|v| *v == Visibility::All || v == *only);
                    only.filter(same).copied().unwrap_or(Visibility::Nobody)
                }
            };
        }
    }
}

pub(super) fn help(decl: &syntax::Decl) -> String {
    decl.help.as_ref().map(|h| h.text.clone()).unwrap_or_default()
}

/// Joins words: `a`, `b` or `c`.
fn or_list(words: &[String]) -> String {
    match words {
        [rest @ .., last] if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        words => words.concat(),
    }
}
