//! Random statements.

use super::values::directions;
use super::{Board, Dom, Form, Holds, Local, Piece, Place, Ty, Writer};

impl Writer {
    /// Returns `count` statements in braces, with a scope of their own.
    pub(super) fn block(&mut self, place: Place, depth: u32, count: usize) -> String {
        let before = self.locals.len();
        let mut written = vec![];
        for _ in 0..count {
            written.push(self.statement(place, depth));
        }
        self.locals.truncate(before);
        format!("{{ {} }}", written.join("; "))
    }

    pub(super) fn statement(&mut self, place: Place, depth: u32) -> String {
        let d = depth.saturating_sub(1);
        if self.later(10) == 0
            && let Some(added) = self.added(place, d)
        {
            return added;
        }
        for _ in 0..6 {
            let found = match self.below(if depth == 0 { 9 } else { 22 }) {
                0..=3 => self.assignment(),
                4 | 5 => self.put(),
                6 => self.cleared(),
                7 => self.moved(),
                8 => self.changed_local(),
                9 | 10 => Some(self.tested(place, d)),
                11 | 12 => self.for_loop(place, d),
                13 => Some(self.counted_loop(place, d)),
                14 => Some(self.named(place, d)),
                15 | 16 => self.asked(place, d),
                17 => self.called_procedure(),
                18 => self.parts(place, d),
                19 if !place.plain => self.chance(place, d),
                20 if !place.plain && !place.chance => Some(self.choose(place, d)),
                21 if !place.plain && !place.chance => self.leave(place),
                _ => None,
            };
            if let Some(found) = found {
                return found;
            }
        }
        "counter = max(0, counter - 1)".to_owned()
    }

    /// Returns a statement of a kind that was added later.
    fn added(&mut self, place: Place, depth: u32) -> Option<String> {
        Some(match self.later(8) {
            0 if self.sided => {
                let whose = self.later_of(&["me", "after(me)", "mover"]);
                format!("tally[team({whose})] = (tally[team({whose})] + 1) % 31")
            }
            1 if !place.plain => self.shown()?,
            2 => {
                // Two kinds of a piece change places.
                let players = |piece: &&Piece| piece.index == [Dom::Player];
                let piece = self
                    .pieces
                    .iter()
                    .filter(players)
                    .find(|piece| self.boards[piece.board].family.is_none())?;
                let (name, dom) = (piece.name, Dom::Sites(piece.board));
                let among =
                    if self.later(2) == 0 { format!(" among {}", self.set(dom, 1)) } else { String::new() };
                format!("swap {name}[me], {name}[{}]{among}", self.sure(Dom::Player)?)
            }
            3 => {
                let one = |variable: &usize| {
                    let index = &self.variables[*variable].index;
                    index.len() == 1 && !matches!(index[0], Dom::Range(_))
                };
                let variable = (0..self.variables.len()).find(one)?;
                format!("swap {}, {}", self.indexed(variable)?, self.indexed(variable)?)
            }
            4 => {
                let single = |board: &&Board| board.family.is_none() && !directions(board.form).is_empty();
                let board = self.boards.iter().position(|board| single(&board))?;
                let way = self.later_of(directions(self.boards[board].form));
                let replacing = self.later_of(&["", " replacing"]);
                format!("move {} to {way}{replacing}", self.set(Dom::Sites(board), 1))
            }
            5 => {
                let (x, number) = (self.name("x"), self.number(1));
                let body = self.with(&[(&x, Ty::Number)], |writer| writer.statement(place, depth));
                format!("let {x}: 0..9 = max(0, min(9, {number})); {body}")
            }
            6 if !place.plain && !place.chance && place.loops == 0 => {
                let (set, from) = (self.set(Dom::Player, 1), self.sure(Dom::Player)?);
                let until = match self.later(2) {
                    0 => format!(" until counter < 5 or {}", self.truth(1)),
                    _ => String::new(),
                };
                let inside = Place { turn: false, step: false, ..place };
                let body = self.block(inside, depth.min(1), 1);
                let body = &body[2..];
                format!(
                    "each player of {set} from {from}{until} as me {{ counter = max(0, counter - 5); {body}"
                )
            }
            7 if self.zones.iter().any(|zone| zone.name == "hand") => {
                format!("swap hand[me], hand[{}]", self.sure(Dom::Player)?)
            }
            _ => return None,
        })
    }

    /// Returns a statement that shows something hidden to some players.
    fn shown(&mut self) -> Option<String> {
        let to = self.later_of(&["players", "me", "after(me)"]);
        let whose = self.sure(Dom::Player)?;
        let hidden = self.variables.iter().position(|variable| variable.hidden);
        Some(match self.later(4) {
            0 if self.zones.iter().any(|zone| zone.name == "hand") => match self.later(2) {
                0 => format!("reveal hand[{whose}] to {to}"),
                _ => format!("reveal lowest(stock) to {to}"),
            },
            1 if self.zones.iter().any(|zone| zone.copies) => format!("reveal screen[{whose}] to {to}"),
            2 if self.secret_cups => format!("reveal cup[{whose}] to {to}"),
            _ => format!("reveal {} to {to}", self.indexed(hidden?)?),
        })
    }

    fn assignment(&mut self) -> Option<String> {
        let board = self.boards.iter().find(|board| !directions(board.form).is_empty());
        let going = board.map(|board| (board.name, directions(board.form)));
        if let Some((name, ways)) = going
            && self.one_in(12)
        {
            let way = self.way(name, ways, 1);
            return (way != "w").then(|| format!("heading[me] = {way}"));
        }
        let variable = self.below(self.variables.len());
        let to = self.indexed(variable)?;
        let holds = self.variables[variable].holds;
        Some(match holds {
            Holds::Numbers(low, high) => match self.below(16) {
                // The checker can't prove that this value is out of range.
                0 => format!("{to} = {} + counter - 18", self.number(2)),
                1 => format!("{to} {} {}", self.one_of(&["+=", "-="]), self.between(1, 2)),
                2..=5 => format!("{to} = {low} + abs({}) % {}", self.plain_number(), high - low + 1),
                6..=8 => format!("{to} = min({high}, {to} + {})", self.between(0, 3)),
                _ => format!("{to} = max({low}, min({high}, {}))", self.number(2)),
            },
            Holds::Int => match self.below(8) {
                0 => format!("{to} = {to} * {to} + {}", self.plain_number()),
                1 => format!("{to} += {}", self.number(1)),
                _ => format!("{to} = ({}) % 1000", self.number(2)),
            },
            Holds::Value(Ty::Set(dom)) => match self.below(5) {
                0 => format!("{to} = {to} | {}", self.set(dom, 1)),
                1 => format!("{to} = {to} - {}", self.set(dom, 1)),
                _ => format!("{to} = {}", self.set(dom, 2)),
            },
            // The number may lie outside of the domain.
            Holds::Value(Ty::Element(Dom::Range(_))) if self.one_in(2) => format!("{to} = {}", self.unsure()),
            Holds::Value(Ty::Element(dom)) => format!("{to} = {}", self.sure(dom)?),
            Holds::Value(ty) => format!("{to} = {}", self.value(ty, 2)),
        })
    }

    fn put(&mut self) -> Option<String> {
        if self.sides && self.one_in(3) {
            return Some("put fence at lowest(empty(side))".to_owned());
        }
        if self.pieces.is_empty() {
            return None;
        }
        let piece = self.below(self.pieces.len());
        let (name, index, board) =
            (self.pieces[piece].name, self.pieces[piece].index.clone(), self.pieces[piece].board);
        let index = self.index(&index)?;
        let at = self.set(Dom::Sites(board), 1);
        let one = self.one_in(2);
        let at = if one { format!("lowest({at})") } else { at };
        Some(format!("put {name}{index} at {at}{}", self.one_of(&["", " replacing"])))
    }

    fn cleared(&mut self) -> Option<String> {
        if self.boards.is_empty() {
            return None;
        }
        let board = self.below(self.boards.len());
        // A piece of a family needs to know which board is meant.
        if self.boards[board].family.is_some() {
            self.piece_of(board).map(|piece| format!("clear {piece}"))
        } else {
            Some(match self.piece_of(board) {
                Some(piece) if self.one_in(2) => format!("clear {piece}"),
                _ => format!("clear {}", self.set(Dom::Sites(board), 1)),
            })
        }
    }

    fn moved(&mut self) -> Option<String> {
        if !self.zones.is_empty() && self.one_in(2) {
            let zone = self.below(self.zones.len());
            let (name, of, copies) = (self.zones[zone].name, self.zones[zone].of, self.zones[zone].copies);
            let index =
                if self.zones[zone].owned { format!("[{}]", self.sure(Dom::Player)?) } else { String::new() };
            if !copies {
                let (what, ordered) = (self.set(of, 1), self.zones[zone].ordered);
                return Some(match self.piled(4) {
                    0 => format!("shuffle {name}{index}"),
                    1 if ordered => format!("move {what} to bottom of {name}{index}"),
                    _ => format!("move {what} to {name}{index}"),
                });
            }
            let from = ["bag", "market"][self.below(2)];
            if from == name {
                return None;
            }
            return Some(match self.below(5) {
                // The piece to move may be missing.
                0 => format!("move {} from {from} to {name}{index}", self.sure(of)?),
                1 | 2 => format!("move lowest({from}) from {from} to {name}{index}"),
                3 => format!("move {from} - {{{}}} to {name}{index}", self.sure(of)?),
                _ => format!("move {from} to {name}{index}"),
            });
        }
        let boards: Vec<usize> =
            (0..self.boards.len()).filter(|board| self.boards[*board].family.is_none()).collect();
        if boards.is_empty() {
            return None;
        }
        let board = boards[self.below(boards.len())];
        let (from, to) =
            (self.local(Ty::Element(Dom::Sites(board)))?, self.local(Ty::Element(Dom::Sites(board)))?);
        Some(format!("move {from} to {to}{}", self.one_of(&["", " replacing"])))
    }

    fn changed_local(&mut self) -> Option<String> {
        let fitting: Vec<Local> = self.locals.iter().filter(|local| local.changes).cloned().collect();
        if fitting.is_empty() {
            return None;
        }
        let local = &fitting[self.below(fitting.len())];
        let name = &local.name;
        Some(match local.ty {
            Ty::Number if self.one_in(2) => format!("{name} += {}", self.between(1, 3)),
            Ty::Number => format!("{name} = {}", self.number(1)),
            ty => format!("{name} = {}", self.value(ty, 1)),
        })
    }

    fn tested(&mut self, place: Place, depth: u32) -> String {
        let test = self.truth(2);
        let count = 1 + self.below(2);
        let then = self.block(place, depth, count);
        match self.below(3) {
            0 => format!("if {test} {then} else {}", self.block(place, depth, 1)),
            1 if self.one_in(2) => {
                format!("if {test} {then} else if {} {}", self.truth(1), self.block(place, depth, 1))
            }
            _ => format!("if {test} {then}"),
        }
    }

    /// Returns the place inside a loop. Loops contain no choices, so that games stay short.
    fn inside(place: Place) -> Place {
        Place { chance: true, turn: false, step: false, loops: place.loops + 1, ..place }
    }

    fn for_loop(&mut self, place: Place, depth: u32) -> Option<String> {
        if place.loops >= 2 {
            return None;
        }
        let dom = self.domain();
        if self.size(dom) > 30 && self.large > 0 {
            return None;
        }
        let set = self.set(dom, 1);
        let from = match self.sure(dom) {
            // The number may lie outside of the domain.
            Some(_) if matches!(dom, Dom::Range(_)) && self.one_in(3) => format!(" from {}", self.unsure()),
            Some(from) if self.one_in(3) => format!(" from {from}"),
            _ => String::new(),
        };
        let x = self.name("x");
        let count = 1 + self.below(2);
        let body = self.for_each(dom, &x, |writer| writer.block(Self::inside(place), depth.min(1), count));
        Some(format!("for {x} in {set}{from} {body}"))
    }

    fn counted_loop(&mut self, place: Place, depth: u32) -> String {
        let n = self.name("n");
        let times = self.between(0, 4);
        let place = Self::inside(place);
        let body = self.block(place, depth.min(1), 1);
        match self.below(12) {
            0..=4 => format!("let {n} = {times}; while {n} > 0 {{ {n} -= 1; {} }}", &body[2..body.len() - 2]),
            5..=7 if !place.plain => format!(
                "let {n} = 0; repeat {{ roll pair; {n} += 1; {} }} until {n} >= {times} or pair[1] == 1",
                &body[2..body.len() - 2]
            ),
            _ => format!(
                "let {n} = 0; repeat {{ {n} += 1; {} }} until {n} >= {times}",
                &body[2..body.len() - 2]
            ),
        }
    }

    /// Declares a local and uses it.
    fn named(&mut self, place: Place, depth: u32) -> String {
        let x = self.name("x");
        let ty = match self.below(4) {
            0 => Ty::Number,
            1 => Ty::Truth,
            _ => Ty::Set(self.domain()),
        };
        let value = self.value(ty, 2);
        let said = match ty {
            // No other part of the statement states the type.
            Ty::Set(dom) => format!(": set of {}", self.called(dom)),
            _ => String::new(),
        };
        let before = self.locals.len();
        self.locals.push(Local { name: x.clone(), ty, changes: true });
        let (a, b) = (self.statement(place, depth), self.statement(place, depth));
        self.locals.truncate(before);
        format!("let {x}{said} = {value}; {a}; {b}")
    }

    /// Tests a value that may be `none`.
    fn asked(&mut self, place: Place, depth: u32) -> Option<String> {
        let dom = self.domain();
        let x = self.name("x");
        let value = self.maybe(dom, 2);
        let body = self.with(&[(&x, Ty::Element(dom))], |writer| {
            let count = 1 + writer.below(3);
            writer.block(place, depth, count)
        });
        Some(format!("let {x} = {value}; if {x} is some {body}"))
    }

    fn called_procedure(&mut self) -> Option<String> {
        if self.procedures.is_empty() || self.known {
            return None;
        }
        let made = self.below(self.procedures.len());
        let (name, params) = (self.procedures[made].name.clone(), self.procedures[made].params.clone());
        self.called_with(&name, &params, true)
    }

    fn parts(&mut self, place: Place, depth: u32) -> Option<String> {
        if self.boards.is_empty() || place.loops > 0 {
            return None;
        }
        let board = self.below(self.boards.len());
        if self.boards[board].form == Form::Graph {
            return None;
        }
        let dom = Dom::Sites(board);
        let (set, how, k) = (self.set(dom, 1), self.how(board), self.name("k"));
        let large = u32::from(self.size(dom) > 30);
        self.large += large;
        let body =
            self.with(&[(&k, Ty::Set(dom))], |writer| writer.block(Self::inside(place), depth.min(1), 1));
        self.large -= large;
        Some(format!("for {k} in components({set}{how}) {body}"))
    }

    /// Returns a statement with a chance event.
    pub(super) fn chance(&mut self, place: Place, depth: u32) -> Option<String> {
        let tiles = self.zones.iter().any(|zone| zone.of == Dom::Tile);
        let copies = self.zones.iter().any(|zone| zone.copies);
        Some(match self.below(10) {
            0 | 1 => format!("roll {}", self.dice[0].name),
            2 | 3 if self.cups && self.one_in(2) => format!("roll cup[{}]", self.sure(Dom::Player)?),
            2 => {
                let all: Vec<&str> = self.dice.iter().map(|dice| dice.name).collect();
                format!("roll {}", all.join(", "))
            }
            3 => {
                let dice = &self.dice[0];
                let (name, count) = (dice.name, dice.count as i64);
                match self.below(3) {
                    0 => format!("roll {name} among {{{}}}", self.between(1, count)),
                    1 => {
                        let x = self.name("x");
                        format!(
                            "roll {name} among {{ {x} in 1..{count} where {name}[{x}] == {} }}",
                            self.between(1, 4)
                        )
                    }
                    _ => format!("roll {name} among 1..{count}"),
                }
            }
            4 if tiles => {
                let t = self.name("t");
                let body = self.with(&[(&t, Ty::Element(Dom::Tile))], |writer| writer.block(place, depth, 1));
                let end = self.end_of_stock();
                format!("draw {t} from {end}stock to hand[me]; if {t} is some {body}")
            }
            5 if tiles => {
                let end = self.end_of_stock();
                format!("deal {} from {end}stock to hand", 1 + self.piled(2))
            }
            4..=6 if copies => {
                let t = self.name("t");
                match self.below(3) {
                    0 => "deal 1 from bag to screen".to_owned(),
                    1 => format!(
                        "draw {t} from bag to market; if {t} is some {{ move {t} from market to screen[me] }}"
                    ),
                    _ => format!("draw {t} from bag - {{red}} to screen[me]"),
                }
            }
            7 if !place.chance && place.loops == 0 => {
                let sum = self.between(2, 4);
                match self.below(3) {
                    0 if tiles => "chance { deal 1 from stock to hand } given all p in players: count(hand[p]) % 7 < 6 or counter == 3".to_owned(),
                    1 => format!("chance {{ roll pair; pick z in colour; if z is some {{ counter = min(30, counter + worth[z] % 3) }} }} given pair[1] >= {} or counter > 25", sum - 2),
                    _ => format!("chance {{ roll pair }} given pair[1] >= {} or pair[1] == 1", sum - 1),
                }
            }
            _ => {
                let dom = self.domain();
                let x = self.name("x");
                let set = self.set(dom, 1);
                let body = self.with(&[(&x, Ty::Element(dom))], |writer| writer.block(place, depth, 1));
                format!("pick {x} in {set}; if {x} is some {body}")
            }
        })
    }

    /// Returns a statement that leaves the step, the turn or the game, or sets the next player.
    fn leave(&mut self, place: Place) -> Option<String> {
        let test = self.truth(1);
        Some(match self.below(8) {
            0 | 1 if place.step => format!("if {test} {{ skip }}"),
            2 | 3 if place.turn => format!("if {test} {{ done }}"),
            4 if place.turn => {
                format!("if counter > 0 and {test} {{ counter -= 1; again }}")
            }
            5 if place.turn && !self.rounds => format!("if {test} {{ next {} }}", self.sure(Dom::Player)?),
            6 if place.turn => {
                // Without a random number, so that the rules of a seed stay the same.
                let result = ["", ": draw", ": win me", ": lose players - me"][test.len() % 4];
                format!("if {test} and turns[me] > 1 {{ end game as agreed{result} }}")
            }
            _ => return None,
        })
    }

    /// Returns a block in which another player acts, or all players.
    pub(super) fn others(&mut self, place: Place, depth: u32) -> String {
        let place = Place { turn: false, step: false, ..place };
        let body = self.block(place, depth, 1);
        if self.one_in(2) {
            let player = self.sure(Dom::Player).unwrap_or_else(|| "me".to_owned());
            format!("as {player} {body}")
        } else {
            format!("each player as me {body}")
        }
    }
}
