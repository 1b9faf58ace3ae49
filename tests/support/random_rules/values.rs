//! Random numbers, truth values and elements.

use super::{Dom, Form, Holds, Ty, Variable, Writer};

/// Returns the directions of a board's form.
pub(super) fn directions(form: Form) -> &'static [&'static str] {
    match form {
        Form::Grid | Form::Torus => {
            &["north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest"]
        }
        Form::Hex => &["northeast", "east", "southwest", "west"],
        Form::Track | Form::Ring => &["forward", "back"],
        Form::Graph => &[],
    }
}

impl Writer {
    /// Returns an expression of a type.
    pub(super) fn value(&mut self, ty: Ty, depth: u32) -> String {
        match ty {
            Ty::Number => self.number(depth),
            Ty::Truth => self.truth(depth),
            Ty::Element(dom) => self.sure(dom).unwrap_or_else(|| self.maybe(dom, depth)),
            Ty::Maybe(dom) => self.maybe(dom, depth),
            Ty::Set(dom) => self.set(dom, depth),
        }
    }

    pub(super) fn number(&mut self, depth: u32) -> String {
        if depth == 0 {
            return self.plain_number();
        }
        let d = depth - 1;
        match self.below(20) {
            0 | 1 => format!("({} + {})", self.number(d), self.number(d)),
            2 => format!("({} - {})", self.number(d), self.number(d)),
            3 => format!("({} * {})", self.number(d), self.number(d)),
            // The divisor may be zero.
            4 if !self.sound && self.one_in(4) => {
                format!("({} {} {})", self.number(d), self.one_of(&["/", "%"]), self.unsure())
            }
            4 => format!("({} {} {})", self.number(d), self.one_of(&["/", "%"]), self.between(2, 9)),
            5 => format!("{}({}, {})", self.one_of(&["min", "max"]), self.number(d), self.number(d)),
            6 => format!("abs({})", self.number(d)),
            7 => format!("(if {} then {} else {})", self.truth(d), self.number(d), self.number(d)),
            8 | 9 => {
                let dom = self.domain();
                format!("count({})", self.set(dom, d))
            }
            10 | 11 => self.gathered(d),
            12 | 13 => self.of_a_board(d).unwrap_or_else(|| self.plain_number()),
            14 => format!("pays[{}]", self.between(0, 5)),
            15 => self
                .sure(Dom::Colour)
                .map_or_else(|| self.plain_number(), |colour| format!("worth[{colour}]")),
            16 => self.applied(Ty::Number).unwrap_or_else(|| self.plain_number()),
            17 => self.counted().unwrap_or_else(|| self.plain_number()),
            _ => self.plain_number(),
        }
    }

    /// Returns an aggregate over a set.
    fn gathered(&mut self, depth: u32) -> String {
        let dom = self.domain();
        if self.large > 0 && self.size(dom) > 30 {
            return self.plain_number();
        }
        let word = self.one_of(&["sum", "min", "max", "count", "count"]);
        let set = self.set(dom, depth.min(1));
        let x = self.name("x");
        let (test, of) = self.for_each(dom, &x, |writer| {
            let test = if writer.one_in(2) {
                format!(" where {}", writer.truth(depth.min(1)))
            } else {
                String::new()
            };
            (test, writer.value(if word == "count" { Ty::Truth } else { Ty::Number }, depth))
        });
        // Without a random number, so that the rules of a seed stay the same.
        let is_nth = x.ends_with(['0', '3', '6', '9']) && self.size(dom) > 1;
        // A set of which too little is known when the rules are loaded to have fewer than two elements.
        let some =
            format!("{x} in {} where {x} in {set}{}", self.called(dom), test.replacen(" where", " and", 1));
        match word {
            "min" if is_nth => format!("lowest({some}: {of}, 2)"),
            "max" if is_nth => format!("highest({some}: {of}, 1 + goal % 2)"),
            _ => format!("({word} {x} in {set}{test}: {of})"),
        }
    }

    /// Returns a number computed from the sites of a board.
    fn of_a_board(&mut self, depth: u32) -> Option<String> {
        if self.boards.is_empty() {
            return None;
        }
        let board = self.below(self.boards.len());
        let (form, dom) = (self.boards[board].form, Dom::Sites(board));
        let along = match form {
            Form::Grid | Form::Torus if self.one_in(3) => {
                format!(", along: {}", self.one_of(&["across", "down", "diagonal", "across | down"]))
            }
            _ => String::new(),
        };
        let flat = self.boards[board].is_flat();
        Some(match self.below(7) {
            0 | 1 => {
                let set = self
                    .piece_of(board)
                    .filter(|_| self.below(2) == 0)
                    .unwrap_or_else(|| self.set(dom, depth));
                format!("longest({set}{along})")
            }
            2 => format!("lines({}, pays{along})", self.set(dom, depth)),
            3 if flat => {
                let site = self.local(Ty::Element(dom))?;
                format!("{}({site})", self.one_of(&["row", "column"]))
            }
            _ if flat => {
                format!("count({}({}))", self.one_of(&["rows", "rows", "columns"]), self.set(dom, depth))
            }
            _ => return None,
        })
    }

    /// Returns a number of copies, or of dice that show a number.
    fn counted(&mut self) -> Option<String> {
        let copies: Vec<usize> = (0..self.zones.len()).filter(|zone| self.zones[*zone].copies).collect();
        if copies.is_empty() || self.one_in(3) {
            if self.scoring {
                return None;
            }
            let dice = self.below(self.dice.len());
            let (name, faces) = (self.dice[dice].name, self.dice[dice].faces as i64);
            return (self.dice[dice].count > 1).then(|| format!("faces({name}, {})", self.between(1, faces)));
        }
        let zone = copies[self.below(copies.len())];
        let (name, owned) = (self.zones[zone].name, self.zones[zone].owned);
        let kind = self.sure(Dom::Colour)?;
        if owned {
            Some(format!("{name}[{}, {kind}]", self.sure(Dom::Player)?))
        } else {
            Some(format!("{name}[{kind}]"))
        }
    }

    /// Returns a number of one or two words.
    pub(super) fn plain_number(&mut self) -> String {
        if self.sided && self.later(20) == 0 {
            return "tally[team(me)]".to_owned();
        }
        if self.matched && self.later(30) == 0 {
            return "total[me]".to_owned();
        }
        for _ in 0..3 {
            let found = match self.below(8) {
                0 | 1 => Some(self.between(0, 4).to_string()),
                2 => Some(self.between(-2, 9).to_string()),
                3 if self.cups && !self.scoring && self.one_in(3) => self.sure(Dom::Player).map(|player| {
                    format!("{}({})", self.one_of(&["sum", "max"]), format_args!("cup[{player}]"))
                }),
                3 if !self.scoring => {
                    let dice = self.below(self.dice.len());
                    let (name, count) = (self.dice[dice].name, self.dice[dice].count as i64);
                    match self.below(3) {
                        0 => Some(format!("{name}[{}]", self.between(1, count))),
                        1 if count > 1 => Some(format!("{}({name})", self.one_of(&["sum", "min", "max"]))),
                        _ => Some(format!("{name}[1]")),
                    }
                }
                4 => self.local(Ty::Number),
                5 => self.variable_of(|holds| matches!(holds, Holds::Numbers(..) | Holds::Int)),
                6 => self.sure(Dom::Player).map(|player| format!("turns[{player}]")),
                7 => match self.below(5) {
                    0 if self.known => None,
                    0 => Some("round".to_owned()),
                    1 => {
                        let at = self.later(1 + self.settings.len() as u64);
                        Some(self.settings.get(at).map_or("goal", |(name, ..)| name).to_owned())
                    }
                    2 => Some("game_number".to_owned()),
                    3 => self
                        .local(Ty::Element(Dom::Tile))
                        .map(|tile| format!("{tile}.{}", self.one_of(&["low", "high"]))),
                    _ => Some("counter".to_owned()),
                },
                _ => None,
            };
            if let Some(found) = found {
                return found;
            }
        }
        self.between(0, 5).to_string()
    }

    pub(super) fn truth(&mut self, depth: u32) -> String {
        if !self.flags.is_empty() && self.later(12) == 0 {
            let at = self.later(self.flags.len() as u64);
            return self.flags[at].to_owned();
        }
        let d = depth.saturating_sub(1);
        match self.below(if depth == 0 { 5 } else { 14 }) {
            0 => {
                let sign = self.one_of(&["==", "!=", "<", "<=", ">", ">="]);
                format!("({} {sign} {})", self.number(d), self.plain_number())
            }
            2 => self
                .variable_of(|holds| holds == Holds::Value(Ty::Truth))
                .unwrap_or_else(|| format!("({} > 2)", self.plain_number())),
            1 | 3 => {
                let near: Vec<Dom> = (0..self.boards.len()).map(Dom::Sites).collect();
                if !near.is_empty() && !self.one_in(4) {
                    // Tests whether a piece stands on a site.
                    let board = self.below(near.len());
                    if let (Some(site), Some(piece)) =
                        (self.local(Ty::Element(near[board])), self.piece_of(board))
                    {
                        return format!("({site} {} {piece})", self.one_of(&["in", "not in"]));
                    }
                }
                let dom = self.domain();
                let element = self.sure(dom);
                let set = self.set(dom, d);
                match element {
                    Some(element) => format!("({element} {} {set})", self.one_of(&["in", "in", "not in"])),
                    None => format!("({set} is some)"),
                }
            }
            4 => {
                let dom = self.domain();
                match (self.sure(dom), self.sure(dom)) {
                    (Some(a), Some(b)) => format!("({a} {} {b})", self.one_of(&["==", "!="])),
                    _ => self.one_of(&["true", "false"]).to_owned(),
                }
            }
            5 | 6 => format!("({} {} {})", self.truth(d), self.one_of(&["and", "or"]), self.truth(d)),
            7 => format!("(not {})", self.truth(d)),
            8 => {
                let dom = self.domain();
                let how = self.one_of(&["is some", "is nothing"]);
                format!("({} {how})", self.set(dom, d))
            }
            9 => {
                let dom = self.domain();
                let sign = self.one_of(&["in", "==", "!=", "in", "not in"]);
                format!("({} {sign} {})", self.set(dom, d), self.set(dom, d))
            }
            10 => {
                let dom = self.domain();
                if self.large > 0 && self.size(dom) > 30 {
                    return format!("({} < 3)", self.plain_number());
                }
                let word = self.one_of(&["any", "all"]);
                let set = self.set(dom, d);
                let x = self.name("x");
                let test = self.for_each(dom, &x, |writer| writer.truth(d));
                format!("({word} {x} in {set}: {test})")
            }
            11 => self.truth_of_boards(d),
            12 => self.applied(Ty::Truth).unwrap_or_else(|| "(counter > 3)".to_owned()),
            _ => format!("({} > {})", self.number(d), self.between(0, 3)),
        }
    }

    fn truth_of_boards(&mut self, depth: u32) -> String {
        if self.remembers && self.one_in(3) {
            let of = match self.piece_name() {
                Some(piece) if self.one_in(2) => format!(", of: {piece}"),
                _ => String::new(),
            };
            return format!("repeated({}{of})", self.between(0, 2));
        }
        if self.boards.is_empty() {
            let dice = self.dice[0].count > 1 && !self.scoring;
            return if dice { "(pair is double)".to_owned() } else { "(counter > 5)".to_owned() };
        }
        let board = self.below(self.boards.len());
        let dom = Dom::Sites(board);
        match self.below(3) {
            0 => {
                let how = self.how(board);
                format!(
                    "connected({}, {}, {}{how})",
                    self.set(dom, depth),
                    self.set(dom, 0),
                    self.set(dom, 0)
                )
            }
            1 => {
                let piece = self.piece_of(board).unwrap_or_else(|| self.set(dom, depth));
                format!("(longest({piece}) {} {})", self.one_of(&[">=", "<", "==", ">"]), self.between(1, 4))
            }
            _ => format!("(longest({}) >= 2)", self.set(dom, depth)),
        }
    }

    /// Returns a local of a type.
    pub(super) fn local(&mut self, ty: Ty) -> Option<String> {
        let fitting: Vec<String> =
            self.locals.iter().filter(|local| local.ty == ty).map(|local| local.name.clone()).collect();
        (!fitting.is_empty()).then(|| fitting[self.below(fitting.len())].clone())
    }

    /// Returns a variable with such a content, with its index.
    pub(super) fn variable_of(&mut self, fits: impl Fn(Holds) -> bool) -> Option<String> {
        let readable = |v: &Variable| fits(v.holds) && (v.lasts || !self.lasting);
        let fitting: Vec<usize> =
            (0..self.variables.len()).filter(|v| readable(&self.variables[*v])).collect();
        if fitting.is_empty() {
            return None;
        }
        let variable = fitting[self.below(fitting.len())];
        self.indexed(variable)
    }

    /// Returns a variable with one index for each of its domains.
    pub(super) fn indexed(&mut self, variable: usize) -> Option<String> {
        let (name, index) = (self.variables[variable].name.clone(), self.variables[variable].index.clone());
        Some(format!("{name}{}", self.index(&index)?))
    }

    pub(super) fn index(&mut self, index: &[Dom]) -> Option<String> {
        if index.is_empty() {
            return Some(String::new());
        }
        let mut written = vec![];
        for dom in index {
            // The number may not fit.
            let unsure = !self.sound && matches!(dom, Dom::Range(_)) && self.one_in(12);
            written.push(if unsure { self.unsure() } else { self.sure(*dom)? });
        }
        Some(format!("[{}]", written.join(", ")))
    }

    /// Returns a small number that changes in play.
    pub(super) fn unsure(&mut self) -> String {
        let word = if self.scoring { "counter" } else { self.one_of(&["pair[1]", "counter", "turns[me]"]) };
        format!("({word} - {})", self.between(0, 3))
    }

    /// Returns an element that can't be `none`.
    pub(super) fn sure(&mut self, dom: Dom) -> Option<String> {
        if !self.one_in(3)
            && let Some(local) = self.local(Ty::Element(dom))
        {
            return Some(local);
        }
        match dom {
            Dom::Player => Some(match self.below(6) {
                0 if !self.seats.is_empty() => {
                    let seat = self.below(self.seats.len());
                    self.seats[seat].to_owned()
                }
                1 if self.players == 2 => "other".to_owned(),
                2 if !self.scoring => "mover".to_owned(),
                3 => "after(me)".to_owned(),
                4 => "starter".to_owned(),
                _ => "me".to_owned(),
            }),
            Dom::Colour => {
                let colour = self.below(self.colours.len());
                let colour = self.colours[colour];
                match self.below(4) {
                    0 => Some(format!("pal[{colour}]")),
                    1 => self
                        .variable_of(|holds| holds == Holds::Value(Ty::Element(Dom::Colour)))
                        .or(Some(colour.to_owned())),
                    _ => Some(colour.to_owned()),
                }
            }
            Dom::Range(range) => {
                let (_, low, high) = self.ranges[range];
                match self.below(3) {
                    0 => self.local(Ty::Element(dom)).or(Some(low.to_string())),
                    _ => Some(self.between(low, high).to_string()),
                }
            }
            _ => match self.below(3) {
                0 => self.variable_of(|holds| holds == Holds::Value(Ty::Element(dom))),
                _ => self.local(Ty::Element(dom)),
            },
        }
    }

    /// Returns an element that may be `none`.
    pub(super) fn maybe(&mut self, dom: Dom, depth: u32) -> String {
        let d = depth.saturating_sub(1);
        if let Dom::Range(_) = dom {
            // The checker would know that a constant set isn't empty.
            let (set, word) = (self.set(dom, d), self.one_of(&["lowest", "highest"]));
            let (x, than) = (self.name("x"), self.unsure());
            return match self.variable_of(|holds| holds == Holds::Value(Ty::Maybe(dom))) {
                Some(variable) if self.one_in(2) => variable,
                _ => format!("{word}({{ {x} in {set} where {x} > {than} }})"),
            };
        }
        match self.below(8) {
            0 | 1 => format!("{}({})", self.one_of(&["lowest", "highest"]), self.set(dom, d)),
            2 => {
                if let Some(variable) = self.variable_of(|holds| holds == Holds::Value(Ty::Maybe(dom))) {
                    return variable;
                }
                format!("highest({})", self.set(dom, d))
            }
            3 if self.large == 0 || self.size(dom) <= 30 => {
                let set = self.set(dom, d);
                let x = self.name("x");
                let by = self.for_each(dom, &x, |writer| writer.number(d));
                // Without a random number, so that the rules of a seed stay the same.
                match x.ends_with(['0', '2', '4', '6', '8']) {
                    true => format!("lowest(all best {x} in {set} by {by})"),
                    false => format!("(best {x} in {set} by {by})"),
                }
            }
            4 if dom == Dom::Player => {
                format!("after({}, {})", self.sure(dom).unwrap_or_default(), self.set(dom, d))
            }
            5 if dom == Dom::Player && self.zones.iter().any(|zone| zone.of == Dom::Tile) => self
                .local(Ty::Element(Dom::Tile))
                .map_or_else(|| "me".to_owned(), |tile| format!("owner({tile})")),
            _ => match dom {
                Dom::Sites(board) => self.maybe_site(board, d),
                Dom::Tile => self.end_of_pile().unwrap_or_else(|| format!("lowest({})", self.set(dom, d))),
                _ => format!("lowest({})", self.set(dom, d)),
            },
        }
    }

    /// Returns the words for the end of the stock from which it is drawn.
    pub(super) fn end_of_stock(&mut self) -> &'static str {
        let ordered = self.zones.iter().any(|zone| zone.name == "stock" && zone.ordered);
        if ordered && self.piled(3) == 0 { "bottom of " } else { "" }
    }

    /// Returns the top or the bottom of an ordered zone.
    fn end_of_pile(&mut self) -> Option<String> {
        let zone = self.zones.iter().find(|zone| zone.ordered && zone.of == Dom::Tile)?;
        let (name, owned) = (zone.name, zone.owned);
        let index = if owned { format!("[{}]", self.sure(Dom::Player)?) } else { String::new() };
        Some(format!("{}({name}{index})", self.one_of(&["top", "bottom"])))
    }

    fn maybe_site(&mut self, board: usize, depth: u32) -> String {
        let (name, form) = (self.boards[board].name, self.boards[board].form);
        let dom = Dom::Sites(board);
        let ways = directions(form);
        if let Some(site) = self.local(Ty::Element(dom))
            && !ways.is_empty()
            && self.one_in(2)
        {
            return format!("{}({site}, {})", self.one_of(&["toward", "step"]), self.one_of(ways));
        }
        match form {
            Form::Graph => format!("lowest({})", self.set(dom, depth)),
            Form::Track | Form::Ring => format!("{name}({})", self.number(depth)),
            _ => format!("{name}({}, {})", self.number(depth), self.number(depth)),
        }
    }

    /// Returns a call of a define of a type, with arguments.
    pub(super) fn applied(&mut self, gives: Ty) -> Option<String> {
        let fitting: Vec<usize> = (0..self.defines.len())
            .filter(|made| !self.known && self.defines[*made].gives == gives)
            .collect();
        if fitting.is_empty() || self.large > 0 {
            return None;
        }
        let made = fitting[self.below(fitting.len())];
        let (name, params) = (self.defines[made].name.clone(), self.defines[made].params.clone());
        self.called_with(&name, &params, false)
    }

    /// Returns a name with arguments of these types.
    pub(super) fn called_with(&mut self, name: &str, params: &[Ty], brackets: bool) -> Option<String> {
        let mut arguments = vec![];
        for ty in params {
            arguments.push(match ty {
                Ty::Element(dom) => self.sure(*dom)?,
                _ => self.plain_number(),
            });
        }
        let brackets = brackets || !arguments.is_empty();
        Some(if brackets { format!("{name}({})", arguments.join(", ")) } else { name.to_owned() })
    }
}
