//! Random declarations: boards, pieces, zones, variables and dice.

use super::values::directions;
use super::{Board, Dice, Dom, Form, Holds, Made, Piece, Ty, Variable, Writer, Zone};

/// Sizes of boards, from one site to more than a thousand.
const SIDES: [(usize, usize); 22] = [
    (3, 3),
    (4, 4),
    (5, 5),
    (1, 1),
    (2, 3),
    (6, 5),
    (8, 8),
    (7, 9),
    (13, 5),
    (9, 1),
    (1, 9),
    (4, 3),
    (16, 4),
    (10, 10),
    (12, 11),
    (3, 4),
    (16, 16),
    (15, 17),
    (23, 22),
    (32, 20),
    (40, 31),
    (64, 20),
];

/// Visibility clauses of declared pieces, zones, variables and dice.
const SEEN: [&str; 6] = ["", "", "", "", " seen by none", " seen by owner"];

impl Writer {
    pub(super) fn declarations(&mut self) {
        self.seated();
        self.domains_declared();
        self.boards_declared();
        if self.boards.iter().any(|board| !directions(board.form).is_empty()) {
            self.line("var heading[player]: direction");
        }
        self.dice_declared();
        self.cups_declared();
        self.zones_declared();
        self.site_zones_declared();
        self.tables_declared();
        self.rounds = self.one_in(3);
        let count = 4 + self.below(5);
        for number in 0..count {
            self.variable(number);
        }
        self.line("var counter: 0..30 = 20");
        let count = 1 + self.below(3);
        for _ in 0..count {
            self.define();
        }
    }

    fn seated(&mut self) {
        let kind = self.below(6);
        self.players = [2, 2, 3, 4, 1, 2][kind];
        self.seats = match kind {
            0 => vec!["X", "O"],
            2 => vec!["ann", "bob", "cyd"],
            _ => vec![],
        };
        let line = if self.seats.is_empty() {
            format!("players {}", self.players)
        } else {
            format!("players {}", self.seats.join(", "))
        };
        let shown = match self.seats.first().copied() {
            Some(first) if self.later(3) == 0 => format!(" shown as [{first}: \"Q\" in navy]"),
            _ => String::new(),
        };
        self.line(&format!("{line}{shown}"));
        self.teams_declared();
    }

    /// Declares teams: one of all players or of some, or two sides.
    fn teams_declared(&mut self) {
        if self.players == 1 || self.later(3) > 0 {
            return;
        }
        self.teamed = true;
        if self.players == 4 {
            self.line("team odd = {player 1, player 3}");
            self.line("team even = {player 2, player 4}");
        } else if self.players == 2 || self.later(2) == 0 {
            self.line("team everybody = players");
        } else {
            let (first, last) = (self.seat(0), self.seat(2));
            self.line(&format!("team pair_of = {{{first}, {last}}}"));
            return;
        }
        self.sided = true;
        self.line("var tally[team]: 0..30 = 5");
    }

    fn domains_declared(&mut self) {
        let count = 2 + self.below(3);
        self.colours = ["red", "blue", "green", "gold"][..count].to_vec();
        let shown = self.later_of(&[
            "",
            "",
            " shown as [red: \"R\" in brown, blue: \"B\"]",
            " shown as [blue: navy]",
        ]);
        let line = format!("enum colour {{ {} }}{shown}", self.colours.join(", "));
        self.line(&line);
        if self.one_in(2) {
            let pips = [1, 2, 3, 5, 10, 12][self.below(6)];
            self.pips = Some(pips);
            self.line(&format!("domain tile {{ low: 0..{pips}, high: low..{pips} }}"));
        }
        let count = 1 + self.below(2);
        for name in &["slot", "mass"][..count] {
            let low = [1, 1, 0, -3][self.below(4)];
            let size = [4, 6, 3, 12, 64, 65, 200, 1][self.below(8)];
            let high = low + size - 1;
            self.ranges.push(((*name).to_owned(), low, high));
            let shown = if self.later(4) == 0 { format!(" shown as [{low}: \"A\"]") } else { String::new() };
            self.line(&format!("domain {name} = {low}..{high}{shown}"));
        }
    }

    fn boards_declared(&mut self) {
        let count = [1, 1, 1, 2, 2, 0][self.below(6)];
        for name in &["cell", "spot"][..count] {
            let form = [
                Form::Grid,
                Form::Grid,
                Form::Grid,
                Form::Torus,
                Form::Hex,
                Form::Graph,
                Form::Track,
                Form::Ring,
            ][self.below(8)];
            let (first, count) = [(0, 12), (0, 12), (0, 12), (12, 6), (18, 4), (0, 22)][self.below(6)];
            let (mut width, mut height) = SIDES[first + self.below(count)];
            // The checker rejects a torus or a ring with very few sites.
            match form {
                Form::Torus => (width, height) = (width.max(3), height.max(3)),
                Form::Graph => (width, height) = (5, 1),
                Form::Track | Form::Ring => (width, height) = ([5, 12, 3, 64, 70][self.below(5)], 1),
                _ => {}
            }
            let board = self.boards.len();
            let family = match self.below(6) {
                0 => Some(Dom::Player),
                1 => Some(Dom::Colour),
                _ => None,
            };
            let index = family.map_or(String::new(), |dom| format!("[{}]", self.called(dom)));
            let made = match form {
                Form::Grid => format!("grid({width}, {height})"),
                Form::Torus => format!("grid({width}, {height}, wrap: true, names: numbers)"),
                Form::Hex => format!("hex({width}, {height})"),
                Form::Graph => {
                    "graph(\"hub-north hub-east hub-south hub-west\", \"north-east-south-west-north\")"
                        .to_owned()
                }
                Form::Track => format!("track({width})"),
                Form::Ring => format!("track({width}, wrap: true)"),
            };
            let top = if form == Form::Grid && self.one_in(4) { " from top" } else { "" };
            let gone = [
                format!("highest({name})"),
                format!("row(1, {name}) & column(1, {name})"),
                format!("around(lowest({name}))"),
            ];
            let flat = matches!(form, Form::Grid | Form::Torus | Form::Hex);
            let cut = flat && width > 3 && height > 3 && self.one_in(3);
            let without = if cut { format!(" - {}", gone[self.below(3)]) } else { String::new() };
            self.line(&format!("board {name}{index} = {made}{without}{top}"));
            self.boards.push(Board { name, form, width, height, family, cut });
            if flat && self.later(5) == 0 {
                self.line(&format!(
                    "define goals_{name} = row(1, {name}) shown as \"x\" in gold \"the goals\""
                ));
            }
            self.pieces_declared(board);
        }
        let first = self
            .boards
            .first()
            .filter(|b| b.form == Form::Grid && !b.cut && b.family.is_none() && b.sites() <= 132);
        if first.is_some() && self.boards.len() == 1 && self.one_in(4) {
            self.sides = true;
            self.line("edges side of cell");
            self.line("piece fence on side");
        }
    }

    fn pieces_declared(&mut self, board: usize) {
        let names = [["mark", "stone"], ["coin", "tick"]][board];
        for (number, name) in names.into_iter().enumerate() {
            if number == 1 && self.one_in(2) {
                continue;
            }
            let mut index: Vec<Dom> = self.boards[board].family.into_iter().collect();
            if number == 0 && !index.contains(&Dom::Player) && !self.one_in(4) {
                index.push(Dom::Player);
            }
            if number == 1 && !index.contains(&Dom::Colour) && self.one_in(3) {
                index.push(Dom::Colour);
            }
            // The index of a family isn't written.
            let family = usize::from(self.boards[board].family.is_some());
            let written = self.indices(&index[family..]);
            let seen = match self.later(8) {
                0 => " seen by none",
                1 if index.first() == Some(&Dom::Player) => " seen by owner",
                _ => "",
            };
            let shown = match number {
                1 if index.is_empty() => {
                    self.later_of(&["", "", " shown as \"W\" in grey", " shown as white"])
                }
                _ => "",
            };
            let help = self.help();
            let line = format!("piece {name}{written} on {}{shown}{seen}{help}", self.boards[board].name);
            self.line(&line);
            self.pieces.push(Piece { name, board, index });
        }
    }

    fn indices(&self, index: &[Dom]) -> String {
        let names: Vec<String> = index.iter().map(|dom| self.called(*dom)).collect();
        if names.is_empty() { String::new() } else { format!("[{}]", names.join(", ")) }
    }

    fn dice_declared(&mut self) {
        let (count, faces) = [(2, 6), (2, 4), (1, 6), (3, 3), (5, 2), (4, 6)][self.below(6)];
        let ordered = if self.one_in(5) { " ordered" } else { "" };
        self.line(&format!("dice pair: {count} of d{faces}{ordered}"));
        self.dice.push(Dice { name: "pair", count, faces });
        if self.one_in(4) {
            // With this many outcomes, each die is a chance event of its own.
            let (count, faces) = [(20, 10), (12, 6), (3, 5)][self.below(3)];
            self.line(&format!("dice lot: {count} of d{faces}"));
            self.dice.push(Dice { name: "lot", count, faces });
        }
    }

    /// Declares dice for each player.
    fn cups_declared(&mut self) {
        if self.one_in(3) {
            self.cups = true;
            let seen = self.later_of(&["", "", " seen by owner"]);
            self.secret_cups = !seen.is_empty();
            self.line(&format!("dice cup[player]: 2 of d4{seen}"));
        }
    }

    fn zones_declared(&mut self) {
        if self.pips.is_some_and(|pips| pips <= 10) && !self.one_in(3) {
            let zones =
                [("stock", "", " seen by none"), ("hand", "[player]", " seen by owner"), ("played", "", "")];
            for (name, index, seen) in zones {
                let ordered = self.piled(2) == 0;
                let word = if ordered { " ordered" } else { "" };
                let shown = if name == "played" && !ordered {
                    self.later_of(&["", "", " shown as chain"])
                } else {
                    ""
                };
                let help = self.help();
                self.line(&format!("zone {name}{index} of tile{word}{shown}{seen}{help}"));
                let owned = !index.is_empty();
                self.zones.push(Zone { name, of: Dom::Tile, owned, copies: false, ordered });
            }
        }
        if self.one_in(3) {
            let colours = self.colours.clone();
            // There is at least one copy.
            let lie: Vec<String> = (0..)
                .zip(colours)
                .map(|(n, colour)| format!("{colour}: {}", self.below(6).max(1 - n.min(1))))
                .collect();
            self.line(&format!("zone bag of colour = [{}] seen by none", lie.join(", ")));
            self.line("zone screen[player] of colour seen by owner");
            self.line("zone market of colour");
            for (name, owned) in [("bag", false), ("screen", true), ("market", false)] {
                self.zones.push(Zone { name, of: Dom::Colour, owned, copies: true, ordered: false });
            }
        }
    }

    /// Declares zones of the sites of a board.
    fn site_zones_declared(&mut self) {
        if self.boards.is_empty() || self.piled(4) > 0 {
            return;
        }
        let board = self.piled(self.boards.len() as u64) as usize;
        let (of, ordered) = (self.boards[board].name, self.piled(3) == 0);
        let zones = [("deck", "", " seen by none"), ("rack", "[player]", " seen by owner"), ("laid", "", "")];
        for (name, index, seen) in zones {
            let ordered = ordered && name == "laid";
            let word = if ordered { " ordered" } else { "" };
            self.line(&format!("zone {name}{index} of {of}{word}{seen}"));
            let (of, owned) = (Dom::Sites(board), !index.is_empty());
            self.zones.push(Zone { name, of, owned, copies: false, ordered });
        }
    }

    fn tables_declared(&mut self) {
        let (a, b) = (self.between(0, 3), self.between(-2, 9));
        self.settings_declared();
        self.line(&format!("param goal: 1..50 = {}", 1 + a * 4));
        self.line(&format!("param pays: table = [1: {a}, 2: {b}, 4+: 7]"));
        let worth: Vec<String> =
            self.colours.clone().iter().map(|colour| format!("{colour}: {}", self.between(-3, 9))).collect();
        self.line(&format!("table worth[colour]: -9..9 = [{}]", worth.join(", ")));
        let next: Vec<String> = self
            .colours
            .iter()
            .zip(self.colours.iter().cycle().skip(1))
            .map(|(colour, next)| format!("{colour}: {next}"))
            .collect();
        self.line(&format!("table pal[colour]: colour = [{}]", next.join(", ")));
    }

    /// Declares params that statements read. Numbers may be set to either end of their ranges.
    fn settings_declared(&mut self) {
        let (low, size) = ([0, 1, -3, 0][self.later(4)], [0, 1, 3, 9, 60][self.later(5)]);
        if self.later(2) == 0 {
            let (first, help) = (self.later_between(low, low + size), self.help());
            self.line(&format!("param bonus: {low}..{} = {first}{help}", low + size));
            self.settings.push(("bonus", low, low + size));
        }
        if self.later(3) == 0 {
            let most = 5 + self.later(20) as i64;
            self.line(&format!("param most: 1..30 = {most}"));
            self.settings.push(("most", 1, 30));
            self.line("var purse[player]: 0..most = 0");
            let holds = Holds::Numbers(0, most);
            let (name, index) = ("purse".to_owned(), vec![Dom::Player]);
            self.variables.push(Variable { name, index, holds, lasts: true, hidden: false });
        }
        if self.later(3) == 0 {
            self.line("param strict: bool = false");
            self.flags.extend(["strict", "(not strict)"]);
        }
        if self.later(3) == 0 {
            self.line("param style: wide | narrow = narrow \"how it is played\"");
            self.flags.extend(["(style == wide)", "(style != narrow)"]);
        }
        if self.later(4) == 0 {
            self.matched = true;
            let length = [
                "games: 2",
                "games: 3",
                "until: game_number >= 3",
                "until: any p in players: total[p] >= 9 or game_number > 3",
            ][self.later(4)];
            let total = self.later_of(&["", ", total: sum", ", total: best 2", ", total: worst 1"]);
            let floor = self.later_of(&["", ", floor: 0", ", floor: -5"]);
            let starter = self.later_of(&["", ", starter: next", ", starter: loser", ", starter: winner"]);
            let on_draw = self.later_of(&["", ", on_draw: same", ", on_draw: next"]);
            let record = self.later_of(&["", ", record: best", ", record: min"]);
            self.line(&format!("match {{ {length}{total}{floor}{starter}{on_draw}{record} }}"));
        }
    }

    fn variable(&mut self, number: usize) {
        let holds = match number {
            // Each file has a number for each player.
            0 => Holds::Numbers(0, 99),
            _ => match self.below(11) {
                0 | 1 => {
                    let low = [0, 0, 1, -5][self.below(4)];
                    let high = low + [1, 3, 9, 99, 1000][self.below(5)];
                    Holds::Numbers(low, high)
                }
                2 => Holds::Int,
                3 => Holds::Value(Ty::Truth),
                4 if self.one_in(2) => Holds::Value(Ty::Element(Dom::Range(0))),
                4 => Holds::Value(Ty::Element(self.domain())),
                5 => Holds::Value(Ty::Maybe(self.domain())),
                _ => Holds::Value(Ty::Set(self.domain())),
            },
        };
        let mut index = vec![];
        if number == 0 {
            index.push(Dom::Player);
        } else {
            let count = [0, 1, 1, 2][self.below(4)];
            for _ in 0..count {
                index.push(self.domain());
            }
        }
        // Many sets, or large sets, would make a game slow.
        let values: usize = index.iter().map(|dom| self.size(*dom)).product();
        let words = match holds {
            Holds::Value(Ty::Set(dom)) => self.size(dom).div_ceil(64),
            _ => 1,
        };
        if values * words > 700 {
            index.clear();
        }
        let ty = match holds {
            Holds::Numbers(low, high) => format!("{low}..{high}"),
            Holds::Int => "int".to_owned(),
            Holds::Value(Ty::Truth) => "bool".to_owned(),
            Holds::Value(Ty::Maybe(dom)) => format!("{}?", self.called(dom)),
            Holds::Value(Ty::Set(dom)) => format!("set of {}", self.called(dom)),
            Holds::Value(Ty::Element(dom)) => self.called(dom),
            Holds::Value(Ty::Number) => unreachable!("numbers have ranges"),
        };
        let life = match self.below(6) {
            0 if number > 0 => " each turn",
            1 if number > 0 && self.rounds => " each round",
            _ => "",
        };
        let seen = SEEN[self.below(SEEN.len())];
        let seen = if seen.ends_with("owner") && index.first() != Some(&Dom::Player) { "" } else { seen };
        let seen = match self.seats.last() {
            // One of the players sees it.
            Some(seat) if seen.ends_with("none") && number.is_multiple_of(2) => format!(" seen by {seat}"),
            _ => seen.to_owned(),
        };
        let first = match holds {
            Holds::Numbers(low, high) if self.one_in(2) => {
                format!(" = {}", self.between(low, high.min(low + 50)))
            }
            Holds::Int => format!(" = {}", self.between(-3, 5)),
            _ => String::new(),
        };
        let name = self.name("v");
        let shown = match holds {
            Holds::Numbers(0, high) if high <= 40 && index.len() < 2 => {
                self.later_of(&["", "", " shown as boxes"])
            }
            _ => "",
        };
        let help = self.help();
        let line = format!("var {name}{}: {ty}{first}{life}{shown}{seen}{help}", self.indices(&index));
        self.line(&line);
        // What was shown of a set, or of a number without a range, can't be remembered, and of an element `reveal` shows
        // the place in a zone.
        let hidden = !seen.is_empty() && matches!(holds, Holds::Numbers(..) | Holds::Value(Ty::Truth));
        self.variables.push(Variable { name, index, holds, lasts: life.is_empty(), hidden });
    }

    fn define(&mut self) {
        let count = self.below(3);
        let mut params = vec![];
        for _ in 0..count {
            let ty = match self.below(3) {
                0 => Ty::Number,
                _ => Ty::Element(self.domain()),
            };
            params.push((self.name("a"), ty));
        }
        let gives = match self.below(4) {
            0 => Ty::Number,
            1 => Ty::Truth,
            _ => Ty::Set(self.domain()),
        };
        let sees: Vec<(&str, Ty)> = params.iter().map(|(name, ty)| (name.as_str(), *ty)).collect();
        // A variable that lasts one turn can't be read everywhere.
        self.lasting = true;
        let body = self.with(&sees, |writer| writer.value(gives, 2));
        self.lasting = false;
        let name = self.name("f");
        let names: Vec<&str> = params.iter().map(|(name, _)| name.as_str()).collect();
        let written = if names.is_empty() { String::new() } else { format!("({})", names.join(", ")) };
        let help = self.help();
        self.line(&format!("define {name}{written} = {body}{help}"));
        self.defines.push(Made { name, params: params.into_iter().map(|(_, ty)| ty).collect(), gives });
    }
}
