//! Random variants of a random game.

use super::{Dom, Form, Place, Ty, Writer};

/// Number of kinds of changes.
const KINDS: u64 = 13;

/// The kind of change that extends a choice.
const EXTENDS: u64 = 9;

impl Writer {
    /// Returns a variant of the game, with one to five changes of different kinds.
    pub(super) fn variant(&mut self) -> String {
        self.locals.clear();
        self.known = false;
        let mut changes = vec![];
        let mut kinds: Vec<u64> = (0..KINDS).collect();
        if !self.scripted && self.named_steps.len() > 1 && self.later(6) == 0 {
            changes.extend(self.named_steps.pop().map(|step| format!("without step {step}")));
            // The choice that another change extends may have gone with the step.
            kinds.retain(|kind| *kind != EXTENDS);
        }
        for _ in 0..1 + self.later(5) {
            let kind = kinds.remove(self.later(kinds.len() as u64));
            if let Some(change) = self.change(kind) {
                changes.push(change);
            }
        }
        if changes.is_empty() {
            changes.push("limit 150".to_owned());
        }
        format!("variant \"Other\" of \"Random\" {{\n  {}\n}}\n", changes.join("\n  "))
    }

    fn change(&mut self, kind: u64) -> Option<String> {
        let chance = Place { chance: true, ..Place::default() };
        let plain = Place { plain: true, ..Place::default() };
        Some(match kind {
            0 => match self.later(3) {
                0 => format!("param goal = {}", 1 + self.later(50)),
                1 => format!("param goal: 0..60 = {}", self.later(61)),
                _ => format!("fix goal = {}", 1 + self.later(50)),
            },
            1 => {
                let at = self.later(1 + self.settings.len() as u64);
                let (name, low, high) = *self.settings.get(at)?;
                let value = self.later_between(low, high);
                match self.later(2) {
                    0 => format!("fix {name} = {value}"),
                    _ => format!("param {name} = {value}"),
                }
            }
            2 => format!("param pays: table = [1: 2, 3: {}, 5+: 4]", self.later_between(-4, 9)),
            3 => {
                let worth: Vec<String> = self
                    .colours
                    .clone()
                    .iter()
                    .map(|c| format!("{c}: {}", self.later_between(-9, 9)))
                    .collect();
                format!("table worth[colour]: -9..9 = [{}]", worth.join(", "))
            }
            4 => self.other_define()?,
            5 => {
                let at = self.later(1 + self.ends.len() as u64);
                format!("without end {}", self.ends.get(at)?)
            }
            6 => {
                let (name, turns, result) = (self.name("e"), self.later(4), self.result());
                self.lasting = false;
                let test = self.truth(1);
                // Another change may remove other ends than the last.
                let place = self.later_of(&["", " before long", " after long"]);
                format!("new end {name}{place} when turns[me] > {turns} and {test}{result}")
            }
            7 | 8 => {
                let at = self.later(self.named_steps.len() as u64);
                let step = self.named_steps.get(at)?.clone();
                let (name, side) = (self.name("s"), ["before", "after"][kind as usize - 7]);
                let body = self.block(chance, 1, 1);
                format!("{side} {step} step {name}{} {body}", self.help())
            }
            EXTENDS => {
                let at = self.later(self.choices.len() as u64);
                let choice = self.choices.get(at)?;
                let (name, options) = (choice.name.clone(), choice.options.clone());
                let (option, tried) = options.get(self.later(options.len() as u64))?.clone();
                let more = self.name("o");
                let mut changes = vec![];
                match self.later(4) {
                    0 if options.len() > 1 && !self.scripted => changes.push(format!("without {option}")),
                    1 => {
                        let body = self.block(if tried { plain } else { chance }, 1, 1);
                        changes.push(format!("before {option} {body}"));
                    }
                    2 => {
                        let body = self.block(if tried { plain } else { chance }, 1, 1);
                        changes.push(format!("after {option} {body}"));
                    }
                    _ => {}
                }
                let (x, test) = (self.name("x"), self.truth(1));
                let body = self.with(&[(&x, Ty::Element(Dom::Colour))], |writer| writer.block(plain, 1, 1));
                let ensured = match self.later(2) {
                    0 => format!(" ensuring {}", self.truth(1)),
                    _ => String::new(),
                };
                changes.push(format!("{more} {x} in colour where {test}{ensured} {body}"));
                format!("extend {name} {{ {} }}", changes.join("  "))
            }
            10 => {
                (self.scoring, self.lasting) = (true, true);
                let number = self.number(1);
                (self.scoring, self.lasting) = (false, false);
                match self.items.first().cloned() {
                    Some(item) if self.later(2) == 0 => format!("score {{ {item}: {number} }}"),
                    _ => format!("score {{ new extra: {number} \"what the variant counts\" }}"),
                }
            }
            11 => match self.boards.first() {
                Some(board)
                    if board.form == Form::Grid
                        && !board.cut
                        && board.family.is_none()
                        && board.sites() < 200
                        && !self.sides =>
                {
                    format!("board cell = grid({}, {})", board.width + 1, board.height)
                }
                _ => format!("winner {}(score)", self.later_of(&["most", "least"])),
            },
            12 if self.matched => {
                self.later_of(&["match { games: 1 }", "match { floor: 2 }", "without match"]).to_owned()
            }
            12 => format!("limit {}", 20 + self.later(100)),
            _ => return None,
        })
    }

    /// Returns another body for a define.
    fn other_define(&mut self) -> Option<String> {
        let at = self.later(self.defines.len() as u64);
        // A define can't use itself, and those after it may use it.
        let after = self.defines.split_off(at);
        let made = after.first();
        let changed = made.map(|made| (made.name.clone(), made.params.clone(), made.gives));
        let changed = changed.map(|(name, params, gives)| {
            let params: Vec<(String, Ty)> = params.into_iter().map(|ty| (self.name("a"), ty)).collect();
            let sees: Vec<(&str, Ty)> = params.iter().map(|(name, ty)| (name.as_str(), *ty)).collect();
            self.lasting = true;
            let body = self.with(&sees, |writer| writer.value(gives, 2));
            self.lasting = false;
            let names: Vec<&str> = params.iter().map(|(name, _)| name.as_str()).collect();
            let written = if names.is_empty() { String::new() } else { format!("({})", names.join(", ")) };
            format!("define {name}{written} = {body}")
        });
        self.defines.extend(after);
        changed
    }
}
