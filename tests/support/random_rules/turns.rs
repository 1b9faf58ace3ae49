//! Random setup, turns, choices, ends and scores.

use super::{Dom, Made, Offered, Place, Ty, Writer};

impl Writer {
    pub(super) fn body(&mut self) {
        let inside = Place { plain: true, ..Place::default() };
        let count = self.below(3);
        for _ in 0..count {
            let mut params = vec![];
            for _ in 0..self.below(3) {
                let ty = if self.one_in(3) { Ty::Number } else { Ty::Element(self.domain()) };
                params.push((self.name("a"), ty));
            }
            let sees: Vec<(&str, Ty)> = params.iter().map(|(name, ty)| (name.as_str(), *ty)).collect();
            let body = self.with(&sees, |writer| writer.block(inside, 1, 2));
            let name = self.name("act");
            let names: Vec<&str> = params.iter().map(|(name, _)| name.as_str()).collect();
            self.line(&format!("procedure {name}({}) {body}", names.join(", ")));
            let params = params.into_iter().map(|(_, ty)| ty).collect();
            self.procedures.push(Made { name, params, gives: Ty::Truth });
        }
        let count = 1 + self.below(3);
        let setup = Place { chance: !self.one_in(4), ..Place::default() };
        let mut body = self.block(setup, 1, count);
        if self.one_in(3) {
            body =
                format!("{{ roll pair; pick p0 in players; if p0 is some {{ starter = p0 }}; {}", &body[1..]);
        }
        self.line(&format!("setup {body}"));
        if self.rounds { self.round() } else { self.turn() }
    }

    fn turn(&mut self) {
        self.remembers = self.one_in(3);
        let opening = self.opening();
        let committed = if self.later(5) == 0 { self.committed() } else { String::new() };
        let chained = if self.later(6) == 0 { self.chained() } else { String::new() };
        let steps = self.steps(1);
        self.line(&format!("turn {{ {opening}{committed}{chained}{steps} }}"));
        self.remembers = false;
    }

    /// Writes a choice with an option of which `longest_chain` asks. Fuel keeps chains short.
    fn chained(&mut self) -> String {
        let dom = self.domain();
        if self.size(dom) > 10 {
            return String::new();
        }
        self.chains = true;
        let fuel = 1 + self.later(3);
        self.text.push_str(&format!("  var fuel: 0..3 = {fuel} each turn\n  var hops: 0..3 = 0\n"));
        let inside = Place { plain: true, ..Place::default() };
        let before = (std::mem::replace(&mut self.remembers, false), self.locals.len());
        let (x, set) = (self.name("x"), self.set(dom, 1));
        self.locals.push(super::Local { name: x.clone(), ty: Ty::Element(dom), changes: false });
        let test = self.truth(1);
        let body = self.block(inside, 1, 2);
        self.locals.truncate(before.1);
        self.remembers = before.0;
        let ensured = match self.later(3) {
            0 => " ensuring hops == longest_chain(hop) + 1",
            1 => " ensuring longest_chain(hop) < 2",
            _ => "",
        };
        let hop = format!("hop {x} in {set} where fuel > 0 and {test}{ensured} {{ fuel -= 1; {}", &body[1..]);
        format!("step chained {{ hops = longest_chain(hop) choose chained {{ {hop} }} }}\n    ")
    }

    /// Writes a choice with which turns begin, for `no action`: it reads nothing that isn't known before a turn.
    fn opening(&mut self) -> String {
        if !self.one_in(3) {
            return String::new();
        }
        self.opens = true;
        self.text.push_str("  var opened: 0..3 = 1 each turn\n");
        let inside = Place { plain: true, ..Place::default() };
        let before = (self.remembers, self.locals.len());
        (self.remembers, self.lasting, self.scoring, self.known) = (false, true, true, true);
        let mut options = vec![];
        for _ in 0..1 + self.below(2) {
            let name = self.name("o");
            let mut binders = vec![];
            for _ in 0..self.below(3) {
                let (dom, x) = (self.domain(), self.name("x"));
                let set = self.set(dom, 1);
                if self.size(dom) > 30 {
                    break;
                }
                binders.push(format!("{x} in {set}"));
                self.locals.push(super::Local { name: x, ty: Ty::Element(dom), changes: false });
            }
            let fresh = self.one_of(&["opened == 1", "mover == me", "opened < 3 and mover == me"]);
            let test = self.truth(1);
            let ensured = if self.one_in(2) { format!(" ensuring {}", self.truth(1)) } else { String::new() };
            let body = self.block(inside, 1, 1);
            self.locals.truncate(before.1);
            let (binders, rest) = (binders.join(", "), &body[1..]);
            options.push(format!("{name} {binders} where {fresh} and {test}{ensured} {{ opened = 3; {rest}"));
        }
        (self.remembers, self.lasting, self.scoring, self.known) = (before.0, false, false, false);
        format!("step opening {{ choose opening {{ {} }} }}\n    ", options.join("\n        "))
    }

    fn round(&mut self) {
        let mut parts = vec![];
        let opening = if self.one_in(2) { self.opening() } else { String::new() };
        if opening.is_empty() && self.one_in(2) {
            let place = Place { chance: true, ..Place::default() };
            let (step, body) = (self.name("s"), self.block(place, 1, 2));
            parts.push(format!("step {step} {{ roll pair; {} }}", &body[1..body.len() - 1]));
        }
        if opening.is_empty() && self.one_in(3) {
            let bid = self.name("bid");
            self.text.push_str(&format!("  var {bid}[player]: 0..5 = 0 each round\n"));
            self.lasting = true;
            let test = self.with(&[], |writer| writer.plain_number());
            self.lasting = false;
            let _ = test;
            parts.push(format!(
                "together as me {{ choose {bid}c {{ bid b0 in 1..5 where b0 <= turns[me] + 2 {{ {bid}[me] = b0 }} pass }} }}"
            ));
            let after = self.name("s");
            parts.push(format!(
                "step {after} {{ for q0 in players {{ if all o0 in players - q0: {bid}[o0] < {bid}[q0] {{ counter = min(30, counter + {bid}[q0]) }} }} }}"
            ));
        }
        if opening.is_empty() && self.later(4) == 0 {
            parts.push(self.committed());
        }
        let from = self.one_of(&["", " from starter"]);
        parts.push(format!("each player{from} as me {{ {opening}{} }}", self.steps(1)));
        if self.one_in(2) {
            let step = self.name("s");
            parts.push(format!("step {step} {{ starter = after(starter) }}"));
        }
        let text = parts.join("\n    ");
        self.line(&format!("round {{\n    {text}\n  }}"));
    }

    /// Writes the steps of a turn.
    fn steps(&mut self, least: usize) -> String {
        let mut steps = vec![];
        let count = least + self.below(3);
        for number in 0..count {
            let place = Place { turn: true, step: true, ..Place::default() };
            let name = self.name("s");
            let mut lines = vec![];
            let before = self.locals.len();
            if number == 0 && !self.one_in(6) {
                lines.push(format!("roll {}", self.dice[self.dice.len() - 1].name));
                if self.dice.len() > 1 && !self.one_in(4) {
                    lines.push("roll pair".to_owned());
                }
            }
            if self.one_in(40) {
                // This loop never ends, and few games reach it.
                let test = "turns[me] == 1 and pair[1] == 2 and counter == 20";
                lines.push(format!("if {test} {{ while counter >= 0 {{ counter = (counter + 1) % 7 }} }}"));
            }
            let many = 1 + self.below(3);
            for _ in 0..many {
                lines.push(self.statement(place, 2));
            }
            if self.one_in(6) {
                lines.push(self.others(place, 1));
            }
            if self.later(12) == 0 {
                let test = self.truth(1);
                lines.push(format!("if turns[me] > 0 and {test} {{ playing -= me }}"));
            }
            if number == 0 || self.one_in(2) {
                lines.push(self.choose(place, 1));
            }
            self.locals.truncate(before);
            self.named_steps.push(name.clone());
            let help = self.help();
            steps.push(format!("step {name}{help} {{\n      {}\n    }}", lines.join("\n      ")));
        }
        steps.join("\n    ")
    }

    pub(super) fn choose(&mut self, place: Place, depth: u32) -> String {
        let mut options = vec![];
        let mut offered = vec![];
        let count = 1 + self.below(3);
        for _ in 0..count {
            let option = self.option(place, depth);
            let name = option.split(' ').next().unwrap_or_default().to_owned();
            offered.push((name, option.contains(" ensuring ")));
            options.push(option);
        }
        if self.one_in(3) {
            options.push(if self.one_in(2) {
                "pass".to_owned()
            } else {
                "pass { counter = max(0, counter - 1) }".to_owned()
            });
        }
        if place.turn && self.one_in(8) {
            let name = self.name("o");
            options.push(format!("deliberate {name} {{ end game as tired }}"));
            options.push(format!("{name}b {{ }}"));
        }
        if self.one_in(3) && !options.iter().any(|option| option.starts_with("pass")) {
            options.push(format!("otherwise {}", self.block(place, depth, 1)));
        }
        let name = self.name("choice");
        self.choices.push(Offered { name: name.clone(), options: offered });
        format!("choose {name} {{\n        {}\n      }}", options.join("\n        "))
    }

    fn option(&mut self, place: Place, depth: u32) -> String {
        let name = self.name("o");
        let binders = match self.below(8) {
            0 | 1 => 0,
            2..=4 => 1,
            5 | 6 => 2,
            _ => 3,
        };
        let before = self.locals.len();
        let mut written = vec![];
        let (mut actions, mut large) = (1, 0);
        for _ in 0..binders {
            let dom = self.domain();
            if actions * self.size(dom) > 20_000 {
                break;
            }
            actions *= self.size(dom);
            let set = self.set(dom, 1);
            let x = self.name("x");
            written.push(format!("{x} in {set}"));
            large += u32::from(self.size(dom) > 30);
            self.large += u32::from(self.size(dom) > 30);
            self.locals.push(super::Local { name: x, ty: Ty::Element(dom), changes: false });
        }
        let mut rolls = String::new();
        if self.one_in(3) {
            rolls = self.subset(&mut written, actions, place);
        }
        let last = self.locals[before..].last().filter(|local| matches!(local.ty, Ty::Set(_)));
        let subset = last.map(|local| local.name.clone());
        let test = match subset {
            // A condition on the subset alone is evaluated at load.
            Some(subset) if self.one_in(2) => {
                format!(" where count({subset}) {} {}", self.one_of(&["<=", "==", ">"]), self.between(1, 2))
            }
            // One that reads the state is evaluated for each subset.
            Some(subset) if self.one_in(2) => format!(" where count({subset}) <= counter / 9"),
            _ if self.one_in(2) => format!(" where {}", self.truth(2 - large.min(1))),
            _ => String::new(),
        };
        let tried = (self.one_in(6) || self.later(8) == 0) && rolls.is_empty() && actions <= 2000;
        let deep = if self.later(3) == 0 { 2 } else { 1 };
        let ensured = if tried { format!(" ensuring {}", self.truth(deep)) } else { String::new() };
        let heard = match self.later(12) {
            0 if !written.is_empty() => " seen by none",
            1 if !written.is_empty() => " seen by all",
            _ => "",
        };
        let help = self.help();
        self.large -= large;
        let place = if tried { Place { plain: true, ..Place::default() } } else { place };
        let count = 1 + self.below(2);
        let body = self.block(place, depth.min(1), count);
        self.locals.truncate(before);
        format!("{name} {}{test}{ensured}{heard}{help} {{ {rolls}{}", written.join(", "), &body[1..])
    }

    /// Adds a binder of a subset. Returns the statements that use it first.
    fn subset(&mut self, written: &mut Vec<String>, actions: usize, place: Place) -> String {
        let x = self.name("x");
        if self.one_in(2) && !place.plain && !place.chance && self.dice[0].count > 1 && actions <= 100 {
            written.push(format!("{x} subset of pair"));
            return format!("roll {x}; ");
        }
        let small: Vec<Dom> = self
            .domains()
            .into_iter()
            .filter(|dom| self.size(*dom) <= 10 && actions << self.size(*dom) <= 20_000)
            .collect();
        if small.is_empty() {
            return String::new();
        }
        let dom = small[self.below(small.len())];
        let set = self.set(dom, 1);
        written.push(format!("{x} subset of {set}"));
        self.locals.push(super::Local { name: x, ty: Ty::Set(dom), changes: false });
        String::new()
    }

    pub(super) fn endings(&mut self) {
        let turns = self.between(2, 10);
        let count = self.below(4);
        self.remembers = !self.rounds;
        for _ in 0..count {
            let name = self.name("e");
            let when = self.one_of(&["", "", " at once", " of round"]);
            let test = match self.opens && self.one_in(2) {
                true => self
                    .one_of(&["no action for after(me)", "(any q in players: no action for q)"])
                    .to_owned(),
                false if self.chains && self.later(3) == 0 => "longest_chain(hop) == 0".to_owned(),
                false => self.truth(2),
            };
            let result = match self.below(6) {
                0 => ": win me",
                1 => ": lose me",
                2 => ": draw",
                3 if self.players == 2 => ": win other",
                _ => "",
            };
            let result = match self.later(3) {
                0 => self.result(),
                _ => result.to_owned(),
            };
            let help = self.help();
            // An arbitrary condition may hold from the start.
            self.line(&format!("end {name}{when} when turns[me] > {} and {test}{result}{help}", turns / 2));
            self.ends.push(name);
        }
        self.remembers = false;
        let long = if self.rounds {
            format!("end long of round when round >= {turns}")
        } else {
            format!("end long when turns[me] >= {turns}")
        };
        self.line(&long);
        let limit = if self.one_in(10) { 5 } else { 200 };
        self.line(&format!("limit {limit}"));
        self.scoring = true;
        self.lasting = true;
        let count = 1 + self.below(3);
        let mut items = vec![];
        for _ in 0..count {
            let name = self.name("i");
            let when = if self.one_in(3) { format!(" when {}", self.truth(1)) } else { String::new() };
            let help = self.help();
            items.push(format!("{name}: {}{when}{help}", self.number(2)));
            self.items.push(name);
        }
        self.line(&format!("score {{ {} }}", items.join(", ")));
        let most = self.one_of(&["most", "least"]);
        if self.one_in(2) {
            let also = match self.later(4) {
                0 => {
                    self.sound = true;
                    let dom = self.domain();
                    let test = format!("count({}) > 1", self.set(dom, 1));
                    self.sound = false;
                    format!("({most}({test}), {most}(score))")
                }
                1 => format!("({most}(score), least(turns[me]))"),
                2 => "most((score > 3, turns[me], score))".to_owned(),
                _ => format!("{most}(score)"),
            };
            let help = self.help();
            self.line(&format!("winner {also}{help}"));
        }
        if self.one_in(3) {
            // If a tie-break fails, scores can't be read before the end.
            self.sound = true;
            let dom = self.domain();
            let tie = format!("count({})", self.set(dom, 1));
            self.sound = false;
            let first = self.one_of(&["most", "least"]);
            self.line(&format!("ties {first}({tie}), most(turns[me])"));
        }
        self.lasting = false;
        if self.one_in(4) {
            let sum = if self.one_in(4) { "zero sum " } else { "" };
            let payoff = self.number(2);
            self.line(&format!("payoff {sum}{payoff}"));
        }
        self.scoring = false;
        let item = items[0].split(':').next().unwrap_or_default().to_owned();
        if self.one_in(6) {
            self.scripted = true;
            self.script(&item);
        }
    }

    /// Returns the result of an end: who wins or loses, alone or together.
    pub(super) fn result(&mut self) -> String {
        let q = self.name("q");
        match self.later(8) {
            0 if self.teamed => ": win team(me)".to_owned(),
            0 => ": win players - me".to_owned(),
            1 if self.teamed => ": lose team(me)".to_owned(),
            1 => ": lose players".to_owned(),
            2 => {
                let by = self.with(&[(&q, Ty::Element(Dom::Player))], |writer| writer.number(1));
                format!(": win best {q} in players by {by}")
            }
            3 => {
                let by = self.with(&[(&q, Ty::Element(Dom::Player))], |writer| writer.number(1));
                format!(": lose all best {q} in players by {by}")
            }
            4 => ": lose players - me".to_owned(),
            5 => ": win playing".to_owned(),
            6 => {
                let seat = self.later(self.players as u64);
                format!(": win {}", self.seat(seat))
            }
            _ => ": draw".to_owned(),
        }
    }

    /// Writes a script that takes part in a step and in the score.
    fn script(&mut self, item: &str) {
        let step = self.below(self.named_steps.len());
        let step = self.named_steps[step].clone();
        let hook = self.one_of(&["before", "after"]);
        let acts = match self.below(4) {
            0 => "g.counter = g.roll(6);",
            1 => "let p = g.pick(g.players); if p == g.me { g.counter = 7; }",
            2 => "if g.counter > 2 { g.counter -= 2; }",
            _ => "for n in 0..3 { if g.counter > n { g.counter -= 1; } }",
        };
        let counts = self.one_of(&["points + g.counter", "points * 2", "points + g.turns[player]"]);
        self.line("script \"\"\"");
        self.line(&format!("  fn {hook}_{step}(g) {{ {acts} }}"));
        self.line(&format!("  fn score_{item}(g, player, points) {{ {counts} }}"));
        self.line("\"\"\"");
    }
}
