//! Random sets.

use super::values::directions;
use super::{Dom, Form, Holds, Ty, Writer};

impl Writer {
    /// Returns a set of elements of a domain.
    pub(super) fn set(&mut self, dom: Dom, depth: u32) -> String {
        if depth == 0 {
            return self.plain_set(dom);
        }
        let d = depth - 1;
        match self.below(16) {
            0 | 1 => format!("({} | {})", self.set(dom, d), self.set(dom, d)),
            2 => format!("({} & {})", self.set(dom, d), self.set(dom, d)),
            3 | 4 => format!("({} - {})", self.set(dom, d), self.set(dom, d)),
            5 | 6 => self.filtered(dom, d),
            7 => format!("(if {} then {} else {})", self.truth(d), self.set(dom, d), self.set(dom, d)),
            8 => {
                let over = self.domain();
                if self.size(over) > 30 {
                    return self.plain_set(dom);
                }
                let from = self.set(over, 0);
                let x = self.name("x");
                let of = self.for_each(over, &x, |writer| writer.set(dom, d.min(1)));
                format!("(union {x} in {from}: {of})")
            }
            9 => self.applied(Ty::Set(dom)).unwrap_or_else(|| self.plain_set(dom)),
            10 => format!("({} - {})", self.called(dom), self.set(dom, d)),
            _ => match dom {
                Dom::Sites(board) => self.region(board, d),
                _ => self.plain_set(dom),
            },
        }
    }

    /// Returns a set filtered by a condition.
    fn filtered(&mut self, dom: Dom, depth: u32) -> String {
        if self.large > 0 && self.size(dom) > 30 {
            return self.plain_set(dom);
        }
        let x = self.name("x");
        // A variable indexed by the elements, if there is one.
        let of_them = |holds: Holds| matches!(holds, Holds::Numbers(..) | Holds::Int);
        let fitting: Vec<usize> = (0..self.variables.len())
            .filter(|v| {
                let v = &self.variables[*v];
                of_them(v.holds) && v.index.contains(&dom) && (v.lasts || !self.lasting)
            })
            .collect();
        if !fitting.is_empty() && !self.one_in(3) {
            let variable = fitting[self.below(fitting.len())];
            let from = if self.one_in(2) { self.called(dom) } else { self.set(dom, depth) };
            let read = self.for_each(dom, &x, |writer| {
                let index = writer.variables[variable].index.clone();
                let at = index.iter().position(|of| *of == dom).unwrap_or_default();
                let mut written = vec![];
                for (number, of) in index.iter().enumerate() {
                    written.push(if number == at { x.clone() } else { writer.sure(*of)? });
                }
                let sign = writer.one_of(&["==", "!=", "<", "<=", ">", ">="]);
                let than =
                    if writer.one_in(3) { writer.plain_number() } else { writer.between(0, 5).to_string() };
                Some(format!("{}[{}] {sign} {than}", writer.variables[variable].name, written.join(", ")))
            });
            if let Some(read) = read {
                return format!("{{ {x} in {from} where {read} }}");
            }
        }
        let from = self.set(dom, depth);
        let test = self.for_each(dom, &x, |writer| writer.truth(depth));
        format!("{{ {x} in {from} where {test} }}")
    }

    pub(super) fn plain_set(&mut self, dom: Dom) -> String {
        for _ in 0..4 {
            let found = match self.below(5) {
                0 => self.local(Ty::Set(dom)),
                1 => self.variable_of(|holds| holds == Holds::Value(Ty::Set(dom))),
                2 => self.sure(dom).map(|element| match dom {
                    // A number alone would be of a domain of its own.
                    Dom::Range(range) => format!("({} & {{{element}}})", self.ranges[range].0),
                    _ => format!("{{{element}}}"),
                }),
                3 => self
                    .variable_of(|holds| holds == Holds::Value(Ty::Maybe(dom)))
                    .map(|one| format!("{{{one}}}")),
                _ => match dom {
                    Dom::Sites(board) => {
                        let zones = self.zones.iter().any(|zone| zone.of == dom);
                        if zones && self.piled(3) == 0 {
                            self.zone_of(dom)
                        } else if self.one_in(3) {
                            Some(self.empty(board))
                        } else {
                            self.piece_of(board)
                        }
                    }
                    Dom::Player if self.teamed && self.later(3) == 0 => Some("team(me)".to_owned()),
                    Dom::Player => Some("players".to_owned()),
                    Dom::Tile
                        if self.piled(3) == 0
                            && self.zones.iter().any(|zone| zone.ordered && zone.of == Dom::Tile) =>
                    {
                        self.local(Ty::Element(dom)).map(|tile| format!("above({tile})"))
                    }
                    _ => self.zone_of(dom),
                },
            };
            // A number outside of the range would not be of the same domain.
            if let Some(found) = found {
                return found;
            }
        }
        self.called(dom)
    }

    /// Returns the contents of a zone of a domain, or of a whole family of zones.
    pub(super) fn zone_of(&mut self, dom: Dom) -> Option<String> {
        let fitting: Vec<usize> = (0..self.zones.len()).filter(|zone| self.zones[*zone].of == dom).collect();
        if fitting.is_empty() {
            return None;
        }
        let zone = fitting[self.below(fitting.len())];
        let (name, owned) = (self.zones[zone].name, self.zones[zone].owned);
        if owned && !self.one_in(4) {
            Some(format!("{name}[{}]", self.sure(Dom::Player)?))
        } else {
            Some(name.to_owned())
        }
    }

    /// Returns the sites without a piece.
    pub(super) fn empty(&mut self, board: usize) -> String {
        let name = self.boards[board].name;
        match self.boards[board].family {
            None => format!("empty({name})"),
            Some(dom) => {
                let index = self.sure(dom).unwrap_or_else(|| "me".to_owned());
                format!("empty({name})[{index}]")
            }
        }
    }

    /// Returns the sites of a piece on a board.
    pub(super) fn piece_of(&mut self, board: usize) -> Option<String> {
        let fitting: Vec<usize> =
            (0..self.pieces.len()).filter(|piece| self.pieces[*piece].board == board).collect();
        if fitting.is_empty() {
            return None;
        }
        let piece = fitting[self.below(fitting.len())];
        let (name, index) = (self.pieces[piece].name, self.pieces[piece].index.clone());
        if index.len() == 1 && self.boards[board].family.is_none() && self.one_in(4) {
            return Some(name.to_owned());
        }
        Some(format!("{name}{}", self.index(&index)?))
    }

    /// Returns a piece outside of any family, without its index.
    pub(super) fn piece_name(&mut self) -> Option<String> {
        let plain = self.pieces.iter().find(|piece| self.boards[piece.board].family.is_none());
        plain.map(|piece| piece.name.to_owned())
    }

    /// Returns the kind of connection for regions of a board.
    pub(super) fn how(&mut self, board: usize) -> &'static str {
        match self.boards[board].form {
            Form::Grid | Form::Torus => self.one_of(&["", ", four", ", eight"]),
            _ => "",
        }
    }

    /// Returns a direction: plain, computed, or `w` for the local of a quantifier.
    pub(super) fn way(&mut self, board: &str, ways: &[&'static str], depth: u32) -> String {
        let (one, two) = (self.one_of(ways), self.one_of(ways));
        match self.below(8) {
            0 => format!("reverse({one})"),
            1 => format!("(if {} then {one} else {two})", self.truth(depth.min(1))),
            2 => "w".to_owned(),
            3 => format!("heading[{}]", self.sure(Dom::Player).unwrap_or_else(|| "me".to_owned())),
            4 if self.one_in(3) => format!("lowest(directions({board}))"),
            _ => one.to_owned(),
        }
    }

    fn region(&mut self, board: usize, depth: u32) -> String {
        let (name, form) = (self.boards[board].name, self.boards[board].form);
        let (width, height) = (self.boards[board].width as i64, self.boards[board].height as i64);
        let dom = Dom::Sites(board);
        let flat = self.boards[board].is_flat();
        let ways = directions(form);
        let how = self.how(board);
        // The sites that a piece encloses beside a site have an evaluation of their own.
        if matches!(form, Form::Grid | Form::Hex)
            && let Some(site) = self.local(Ty::Element(dom))
            && self.one_in(4)
            && let Some(walls) = self.piece_of(board)
        {
            return format!("enclosed({site}, {walls}{how})");
        }
        match self.below(16) {
            0 => format!("around({})", self.set(dom, depth)),
            1 => format!("beside({})", self.set(dom, depth)),
            2 | 3 if !ways.is_empty() => {
                let word = self.one_of(&["shift", "ray", "slide", "toward"]);
                let way = self.way(name, ways, depth);
                let through = if word == "slide" { format!(", {}", self.set(dom, 0)) } else { String::new() };
                let from = match self.local(Ty::Element(dom)) {
                    Some(site) if self.one_in(2) => site,
                    _ => self.set(dom, depth),
                };
                let going = format!("{word}({from}, {way}{through})");
                match way.as_str() {
                    "w" => format!("(union w in directions({name}): {going})"),
                    _ => going,
                }
            }
            15 if matches!(form, Form::Grid | Form::Torus) => {
                format!("leap({}, {}, {})", self.set(dom, depth), self.below(3), self.between(1, 2))
            }
            4 if matches!(form, Form::Grid | Form::Hex) => format!("edge({name})"),
            5 if form == Form::Grid => format!("corners({name})"),
            6 | 7 if flat => {
                let (word, last) = [("row", height), ("column", width)][self.below(2)];
                let number =
                    if self.one_in(3) { self.plain_number() } else { self.between(1, last).to_string() };
                format!("{word}({number}, {name})")
            }
            8 if form == Form::Grid => {
                format!(
                    "center({}, {}, {name})",
                    self.between(1, width.min(4)),
                    self.between(1, height.min(4))
                )
            }
            9 => format!("runs({}, {})", self.set(dom, depth), self.between(1, 3)),
            10 | 11 => format!("reach({}, {}{how})", self.set(dom, 0), self.set(dom, depth)),
            12 => match self.local(Ty::Element(dom)) {
                Some(site) => format!("component({site}, {}{how})", self.set(dom, depth)),
                None => self.empty(board),
            },
            13 => match self.local(Ty::Element(dom)) {
                Some(site) if form != Form::Graph => {
                    let (a, b) = (self.piece_of(board), self.piece_of(board));
                    let (a, b) =
                        (a.unwrap_or_else(|| self.empty(board)), b.unwrap_or_else(|| self.empty(board)));
                    format!("custodial({site}, {a}, {b})")
                }
                _ => self.empty(board),
            },
            14 if matches!(form, Form::Grid | Form::Hex) => format!("fill({}{how})", self.set(dom, depth)),
            _ => self.empty(board),
        }
    }
}
