//! Listings of programs.

use std::collections::BTreeMap;
use std::fmt;

use super::{Operand, Program, StopKind};

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{} instructions; {} words of state, {} derived, {} temporary; sets of {} words",
            self.code.len(),
            self.persistent,
            self.live - self.persistent,
            self.frame - self.live,
            self.width
        )?;
        let mut names =
            BTreeMap::from([(self.start.0, "start"), (self.turn.0, "turn"), (self.derive.0, "derive")]);
        if let Some(score) = self.score {
            names.insert(score.0, "score");
        }
        if let Some(measure) = self.measure {
            names.insert(measure.0, "measure");
        }
        let mut bodies = BTreeMap::new();
        for (number, stop) in self.stops.iter().enumerate() {
            if let StopKind::Choice(choice) = &stop.kind {
                for part in &choice.parts {
                    bodies.insert(part.body.0, format!("stop {number}, option {}", part.option));
                }
            }
        }
        for (at, instruction) in self.code.iter().enumerate() {
            if let Some(name) = names.get(&(at as u16)) {
                writeln!(f, "{name}:")?;
            }
            if let Some(body) = bodies.get(&(at as u16)) {
                writeln!(f, "{body}:")?;
            }
            write!(f, "{at:5}  {:18}", instruction.word())?;
            for (name, operand) in instruction.operands() {
                write!(f, " {name}=")?;
                match operand {
                    Operand::Read(a) | Operand::Write(a) | Operand::Change(a) => write!(f, "w{a}")?,
                    Operand::ReadSet(a) | Operand::WriteSet(a) | Operand::ChangeSet(a) => write!(f, "s{a}")?,
                    Operand::Numbers(n) => write!(f, "w{}..+{}", n.at, n.len)?,
                    Operand::Sets(n) => write!(f, "s{}..+{}", n.at, n.len)?,
                    Operand::Words(n) => write!(f, "w{}..+{}", n.at, n.len)?,
                    Operand::Jump(b) => write!(f, "@{}", b.0)?,
                    Operand::SetRef(n) => write!(f, "set{n}")?,
                    Operand::SetTable(n) | Operand::NumberTable(n) => write!(f, "table{n}")?,
                    Operand::Wide(n) => {
                        write!(f, "{}", self.numbers.get(usize::from(n)).copied().unwrap_or(0))?
                    }
                    Operand::Range(n) => match self.ranges.get(usize::from(n)) {
                        Some(r) => write!(f, "{}..{}", r.low, r.high)?,
                        None => write!(f, "range{n}")?,
                    },
                    Operand::Lines(n) => match self.lines.get(usize::from(n)) {
                        Some(l) => write!(f, "lines{n}({})", l.length)?,
                        None => write!(f, "lines{n}")?,
                    },
                    Operand::Function(n) => write!(f, "f{n}")?,
                    Operand::Dice(n) => write!(f, "dice{n}")?,
                    Operand::Hook(n) => write!(f, "hook{n}")?,
                    Operand::Past(n) => write!(f, "past{n}")?,
                    Operand::Stop(n) => write!(f, "stop{n}")?,
                    Operand::Step(n) => {
                        write!(f, "{}", self.steps.get(usize::from(n)).map_or("?", String::as_str))?;
                    }
                    Operand::Plain(n) => write!(f, "{n}")?,
                    Operand::Size(n) => write!(f, "<{n}")?,
                }
            }
            writeln!(f)?;
        }
        Ok(())
    }
}
