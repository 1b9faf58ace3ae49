//! Checks how boards, links, tables and tiles are shown.

use super::{last_operand, near_look, word_with};
use crate::checker::Checker;
use crate::draft::tables::TableDeclaration;
use crate::names::name_table::Entity;
use houserule_language::diagnostic::{Code, Diagnostic, did_you_mean};
use houserule_language::syntax;
use houserule_language::syntax::{BinaryOp, Decl, DeclKind, ExprKind as S, Modifier, ModifierKind, Name};
use houserule_language::vocabulary::WordKind;
use houserule_model::board::Shape;
use houserule_model::*;

/// The most parts of a link that is drawn.
const MOST_PARTS: i64 = 100;

const ALL: [ModifierKind; 3] = [ModifierKind::Shown, ModifierKind::ShownAt, ModifierKind::ShownOver];

impl<'a> Checker<'a> {
    /// Checks how boards and links are shown: `board … shown as paper`, `shown at …`, `shown over cell`,
    /// `edges … shown as line(length) in paid_in`.
    pub(crate) fn shown_boards(&mut self) {
        let game = self.input.game;
        for decl in &game.decls {
            let (name, modifiers, links) = match &decl.kind {
                DeclKind::Board { name, modifiers, .. } => (name, modifiers, false),
                DeclKind::Edges { name, modifiers, .. } => (name, modifiers, true),
                _ => continue,
            };
            let looks = self.looks_of(name, modifiers);
            if links {
                self.only_looks(modifiers);
            }
            let Some(&Entity::Board(board)) = self.names.resolved(&name.text) else { continue };
            if links {
                self.allow_looks(&looks, &ALL[..1], "links and sides");
                if let Some(value) = last_operand(&looks, ModifierKind::Shown) {
                    let links = self.in_isolation(|c| c.shown_links(board, value));
                    self.draft.model.boards[board.index()].look.links = links;
                }
                continue;
            }
            if let Some(value) = last_operand(&looks, ModifierKind::Shown) {
                let form = self.board_form(board, value);
                self.draft.model.boards[board.index()].look.form = form;
            }
            if let Some(value) = last_operand(&looks, ModifierKind::ShownAt) {
                let places = self.in_isolation(|c| c.site_places(board, value));
                self.draft.model.boards[board.index()].look.places = places;
            }
            if let Some(value) = last_operand(&looks, ModifierKind::ShownOver) {
                let over = self.board_below(board, value);
                self.draft.model.boards[board.index()].look.over = over;
            }
        }
    }

    fn board_form(&mut self, board: BoardId, value: &'a syntax::Expr) -> BoardForm {
        let form = match &value.kind {
            S::Hole => {
                self.draft.messages.add_hole();
                return BoardForm::Plain;
            }
            S::Name(word) => match word.text.as_str() {
                "triangles" => Some((word, BoardForm::Triangles)),
                "paper" => Some((word, BoardForm::Paper)),
                "nothing" => Some((word, BoardForm::Nothing)),
                _ => None,
            },
            _ => None,
        };
        let Some((word, form)) = form else {
            let d = Diagnostic::error(Code::ShownAs, value.span, "a board can't be shown as this").help(
                near_look(value, &["triangles", "paper", "nothing"]).unwrap_or_else(|| {
                    "write `shown as paper`, `shown as triangles` or `shown as nothing`; places come after `shown at`"
                        .to_owned()
                }),
            );
            self.draft.messages.report(d);
            return BoardForm::Plain;
        };
        self.recorder.refer_to_word(WordKind::Look, word);
        let of = &self.draft.model.boards[board.index()];
        let size = of.topology.size();
        let has_triangles = matches!(of.topology.shape(), Shape::Track { .. })
            && of.index == [PLAYER]
            && self.draft.size(PLAYER) == 2
            && size % 4 == 1
            && size > 4;
        if form == BoardForm::Triangles && !has_triangles {
            let d = Diagnostic::error(Code::ShownAs, value.span, "this board has no triangles")
                .note("they are a track for each of two players, with 4 points, 8, or any number that 4 divides, and the bar at its end")
                .help("declare such a board, as in `board point[player] = track(25) shown as triangles`");
            self.draft.messages.report(d);
            return BoardForm::Plain;
        }
        form
    }

    /// The board after `over`: a grid whose cells hold the same number of cells of the finer one.
    fn board_below(&mut self, board: BoardId, value: &'a syntax::Expr) -> Option<BoardId> {
        let S::Name(name) = &value.kind else { return None };
        let below = match self.entity(name) {
            Some(Entity::Board(below)) => below,
            Some(Entity::Poison) => return None,
            _ => {
                let boards = &self.draft.model.boards;
                let names = boards.iter().map(|board| board.name.as_str());
                let better = did_you_mean(&name.text, names).map(str::to_owned);
                let message = format!("no board is called `{}`", name.text);
                let mut d = Diagnostic::error(Code::UnknownBoard, name.span, message);
                if let Some(better) = better {
                    d = d.help(format!("did you mean `{better}`?"));
                }
                self.draft.messages.report(d);
                return None;
            }
        };
        let (fine, coarse) =
            (&self.draft.model.boards[board.index()], &self.draft.model.boards[below.index()]);
        let size = |board: &Board| match board.topology.shape() {
            Shape::Grid { width, height, .. } => Some((*width, *height)),
            _ => None,
        };
        let fits = match (size(fine), size(coarse)) {
            (Some(fine), Some(coarse)) => {
                let times = fine.0 / coarse.0.max(1);
                times > 1 && fine == (coarse.0 * times, coarse.1 * times)
            }
            _ => false,
        };
        if !fits || fine.index != coarse.index {
            let message = format!("`{}` doesn't lie over `{}`", fine.name, coarse.name);
            let d = Diagnostic::error(Code::ShownAs, value.span, message)
                .note("each cell of the coarser grid has as many columns as rows of the finer one, two at least")
                .help("write, as in `board spot = grid(3 * side, 3 * side) shown over cell`");
            self.draft.messages.report(d);
            return None;
        }
        Some(below)
    }

    /// Checks `line`, `line(TABLE)`, and a table of colours after `in`.
    fn shown_links(&mut self, board: BoardId, value: &'a syntax::Expr) -> Option<LinkLook> {
        let (line, colours) = match &value.kind {
            S::Binary(BinaryOp::In, line, colours) => (&**line, Some(&**colours)),
            _ => (value, None),
        };
        if matches!(line.kind, S::Hole) {
            self.draft.messages.add_hole();
            return None;
        }
        let Some((word, parts)) = word_with(line, "line") else {
            let d = Diagnostic::error(Code::ShownAs, value.span, "links can't be shown as this").help(
                near_look(line, &["line"]).unwrap_or_else(|| {
                    "write `shown as line`, `shown as line(length)` with the table of their lengths, or \
                     `shown as line(length) in paid_in` with a table of colours, too"
                        .to_owned()
                }),
            );
            self.draft.messages.report(d);
            return None;
        };
        self.recorder.refer_to_word(WordKind::Look, word);
        let mut look = LinkLook::default();
        if let Some(parts) = parts {
            let (values, content) = self.table_of_links(board, parts)?;
            let Content::Number { low, high } = content else {
                let message = "the parts of a link are numbers";
                self.report_lengths(board, parts, message.to_owned());
                return None;
            };
            if low < 0 || high > MOST_PARTS {
                let message =
                    format!("a link has 0 to {MOST_PARTS} parts, and this table holds {low} to {high}");
                self.report_lengths(board, parts, message);
                return None;
            }
            look.parts = values.iter().map(|value| *value as u32).collect();
        }
        if let Some(colours) = colours {
            if let S::Name(word) = &colours.kind
                && let Some(colour) = Colour::named(&word.text)
                && !self.names.is_declared(&word.text)
            {
                self.recorder.refer_to_word(WordKind::Look, word);
                look.colours =
                    vec![Some(colour); self.draft.model.boards[board.index()].topology.size() as usize];
                return Some(look);
            }
            let (values, content) = self.table_of_links(board, colours)?;
            let Content::Element { domain, .. } = content else {
                let message = "the colours of links are elements, such as those of an enum";
                let name = &self.draft.model.boards[board.index()].name;
                let help = format!(
                    "name a colour, as in `in red`, or a table of elements, as in `table paid_in[{name}]: suit = […]`"
                );
                let d = Diagnostic::error(Code::ShownAs, colours.span, message).help(help);
                self.draft.messages.report(d);
                return None;
            };
            let model = &self.draft.model;
            let colour = |value: &i64| {
                let element = u32::try_from(*value).ok()?;
                model.element_colour(domain, element)
            };
            look.colours = values.iter().map(colour).collect();
        }
        Some(look)
    }

    /// Reports a table that doesn't say in how many parts a link is.
    fn report_lengths(&mut self, board: BoardId, table: &syntax::Expr, message: String) {
        let name = &self.draft.model.boards[board.index()].name;
        let help = format!(
            "give the table such numbers, as in `table length[{name}]: 1..6 = […]`, or write `shown as line` alone"
        );
        self.draft.messages.report(Diagnostic::error(Code::ShownAs, table.span, message).help(help));
    }

    /// The values of a table with one for each link.
    fn table_of_links(&mut self, board: BoardId, e: &'a syntax::Expr) -> Option<(Vec<i64>, Content)> {
        let domain = self.draft.model.boards[board.index()].domain;
        let table = match &e.kind {
            S::Name(name) => self.entity(name),
            _ => None,
        };
        let found = match table {
            Some(Entity::Poison) => return None,
            Some(Entity::Table(table)) => match &self.draft.tables[table] {
                TableDeclaration::Values { table, content } => {
                    let values = &self.draft.model.tables[table.index()];
                    (values.index == [domain]).then(|| (values.values.clone(), *content))
                }
                _ => None,
            },
            _ => None,
        };
        if found.is_none() {
            let name = self.draft.model.boards[board.index()].name.clone();
            let message = format!("this is no table with a value for each `{name}`");
            let d = Diagnostic::error(Code::ShownAs, e.span, message)
                .help(format!("name a table, as in `table length[{name}]: 1..6 = […]`"));
            self.draft.messages.report(d);
        }
        found
    }

    /// Checks `table … shown as number`, `shown as line` and `shown as nothing`.
    pub(in crate::declarations) fn shown_table(
        &mut self,
        name: &'a Name,
        modifiers: &'a [Modifier],
        table: TableId,
        content: Content,
    ) {
        let is_numbers = matches!(content, Content::Number { .. });
        let looks = self.looks_of(name, modifiers);
        self.allow_looks(&looks, &ALL[..1], "a table");
        let Some(value) = last_operand(&looks, ModifierKind::Shown) else { return };
        // What drawings show is used.
        self.usage.names.insert(name.text.as_str());
        match &value.kind {
            S::Hole => self.draft.messages.add_hole(),
            S::Name(word) if word.text == "nothing" => self.recorder.refer_to_word(WordKind::Look, word),
            S::Name(word) if word.text == "number" => {
                self.recorder.refer_to_word(WordKind::Look, word);
                let index = self.draft.model.tables[table.index()].index.clone();
                if is_numbers && index.iter().any(|domain| self.draft.board_of(*domain).is_some()) {
                    self.draft.model.printed.push(table);
                    return;
                }
                let d = Diagnostic::error(Code::ShownAs, value.span, "this table has no board to be printed on")
                    .help("only a table of numbers with an index of sites is printed: `table worth[cell]: 0..9 = … shown as number`");
                self.draft.messages.report(d);
            }
            S::Name(word) if word.text == "line" => {
                self.recorder.refer_to_word(WordKind::Look, word);
                match self.joined_board(table).filter(|_| is_numbers) {
                    Some(board) => self.draft.model.joined.push((table, board)),
                    None => {
                        let message = "this table doesn't lead from site to site of a track";
                        let d = Diagnostic::error(Code::ShownAs, value.span, message)
                            .help("only a table of numbers of sites has lines: `table leads[1..100]: 0..100 = … shown as line`, with `board square = track(100)`");
                        self.draft.messages.report(d);
                    }
                }
            }
            _ => {
                let d = Diagnostic::error(Code::ShownAs, value.span, "a table can't be shown as this").help(
                    near_look(value, &["number", "line", "nothing"])
                        .unwrap_or_else(|| "write `shown as number`: each cell has its number".to_owned()),
                );
                self.draft.messages.report(d);
            }
        }
    }

    /// The track over which a table leads: as many sites as the table has numbers, from 1 on.
    fn joined_board(&self, table: TableId) -> Option<BoardId> {
        let model = &self.draft.model;
        let [only] = model.tables[table.index()].index[..] else { return None };
        let domain = &model.domains[only.index()];
        let is_track = |board: &Board| {
            board.index.is_empty()
                && matches!(board.topology.shape(), Shape::Track { .. })
                && board.topology.size() == domain.size
        };
        let mut tracks = (0..).map(BoardId).zip(&model.boards).filter(|(_, board)| is_track(board));
        let track = match domain.kind {
            DomainKind::Sites(own) => tracks.find(|(id, _)| *id == own),
            DomainKind::Range { low: 1, .. } => tracks.next(),
            _ => None,
        };
        track.map(|(id, _)| id)
    }

    /// Returns `true` if a declaration or a look apart says that records are tiles.
    pub(super) fn is_shown_as_tile(&self, name: &Name, decl: &'a Decl) -> bool {
        let own = decl.kind.modifiers().iter();
        let looks: Vec<&'a Modifier> = own.chain(self.later_looks(&[&name.text])).collect();
        let last = last_operand(&looks, ModifierKind::Shown);
        matches!(last, Some(syntax::Expr { kind: S::Call(word, _) | S::Name(word), .. }) if word.text == "tile")
    }

    /// Checks `domain … shown as tile(n, e, s, w, mid)`.
    pub(super) fn shown_tile(&mut self, name: &Name, decl: &'a Decl) {
        let looks = self.looks_of(name, decl.kind.modifiers());
        self.only_looks(decl.kind.modifiers());
        self.allow_looks(&looks, &ALL[..1], "a tile");
        let Some(value) = last_operand(&looks, ModifierKind::Shown) else { return };
        let Some(&Entity::Domain(domain)) = self.names.resolved(&name.text) else { return };
        let DomainKind::Record { fields, .. } = &self.draft.model.domains[domain.index()].kind else {
            return;
        };
        let names: Vec<String> = fields.iter().map(|field| field.name.clone()).collect();
        let args = match &value.kind {
            S::Call(word, args) if matches!(args.len(), 4 | 5) => {
                self.recorder.refer_to_word(WordKind::Look, word);
                args
            }
            _ => {
                let d = Diagnostic::error(Code::ShownAs, value.span, "a tile has four sides")
                    .help("name the fields that are its north, east, south and west side, and maybe its middle: `shown as tile(n, e, s, w, middle)`");
                self.draft.messages.report(d);
                return;
            }
        };
        let mut sides = vec![];
        for arg in args {
            let word = match &arg.value.kind {
                S::Name(word) => word.text.as_str(),
                _ => "",
            };
            if let Some(field) = names.iter().position(|name| name == word) {
                if let DeclKind::Record { kinds, .. } = &decl.kind {
                    let mut fields = kinds.iter().flat_map(|kind| kind.fields());
                    if let Some((declared, _)) = fields.find(|(name, _)| name.text == word) {
                        self.recorder.refer(arg.value.span, declared.span);
                    }
                }
                sides.push(field);
                continue;
            }
            let message = format!("`{}` has no such field", name.text);
            let better = did_you_mean(word, names.iter().map(String::as_str));
            let d = Diagnostic::error(Code::UnknownField, arg.value.span, message).help(match better {
                Some(better) => format!("did you mean `{better}`?"),
                None => format!("its fields are {}", names.join(", ")),
            });
            self.draft.messages.report(d);
        }
        if sides.len() == args.len() {
            self.draft.model.tiles.push(TileLook { domain, fields: sides });
        }
    }
}
