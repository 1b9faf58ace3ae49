//! Function calls and defines in plain words.

use crate::prose::phrases::{Wording, owner, plain};
use crate::syntax::{Arg, DeclKind, Expr, ExprKind};
use crate::vocabulary::Function;

impl Wording<'_> {
    /// Describes the value of a call: `the highest of doubles`. Returns `None` if the function has no
    /// description.
    pub(crate) fn called(&self, name: &str, args: &[Arg]) -> Option<String> {
        if self.is_define(name) {
            return Some(self.of_define(name, args));
        }
        let value = |arg: &Arg| self.value(&arg.value);
        let atom = |arg: &Arg| self.atom(&arg.value);
        if let (true, [column, row]) = (self.model.boards.iter().any(|one| one.name == name), args) {
            return Some(site_at(&atom(column), &atom(row)));
        }
        use Function as F;
        Some(match (Function::named(name)?, args) {
            (F::Count, [set]) => match value(set).strip_prefix("what ") {
                Some(common) => format!("the number that {common}"),
                None => format!("the number of {}", value(set)),
            },
            (F::Sum, [dice]) => format!("the sum of {}", value(dice)),
            (F::Lowest | F::Min, [of]) => format!("the lowest of {}", value(of)),
            (F::Highest | F::Max, [of]) => format!("the highest of {}", value(of)),
            (F::Lowest | F::Highest, [dice, n]) => {
                format!("the {} {name} of {}", ordinal(&atom(n)), value(dice))
            }
            (F::Faces, [dice, face]) => format!("the number of {} that show {}", atom(dice), atom(face)),
            (F::Top, [zone]) => format!("the top of {}", atom(zone)),
            (F::Bottom, [zone]) => format!("the bottom of {}", atom(zone)),
            (F::Above, [of]) => format!("what lies on {}", atom(of)),
            (F::Owner, [of]) => format!("the owner of {}", atom(of)),
            (F::Other, [player]) => format!("the opponent of {}", atom(player)),
            (F::Team, [player]) => format!("the team of {}", atom(player)),
            (F::After, [player]) => format!("the player after {}", atom(player)),
            (F::After, [player, among]) => {
                format!("the player after {} among {}", atom(player), atom(among))
            }
            (F::Row | F::Column | F::Rows | F::Columns, [of]) => format!("the {name} of {}", atom(of)),
            (F::Cell, [column, row]) => site_at(&atom(column), &atom(row)),
            (F::Around, [of]) => format!("the places around {}", atom(of)),
            (F::Beside, [of]) => format!("the places beside {}", atom(of)),
            (F::Toward | F::Step, [from, way]) => {
                format!("the place one step {} from {}", value(way), atom(from))
            }
            (F::Shift, [set, way]) => format!("{} moved one step {}", atom(set), value(way)),
            (F::Ray, [from, way]) => format!("all places {} from {} on", value(way), atom(from)),
            (F::Slide, [from, way, through]) => {
                format!(
                    "the places {} from {} through {} and the first beyond",
                    value(way),
                    atom(from),
                    atom(through)
                )
            }
            (F::Leap, [from, columns, rows]) => {
                format!("the places {} by {} away from {}", atom(columns), atom(rows), atom(from))
            }
            (F::Reverse, [way]) => format!("the direction opposite {}", value(way)),
            (F::Center, [width, height]) => {
                format!("the {} by {} places in the middle", atom(width), atom(height))
            }
            (F::Longest, [set]) => format!("the longest line of {}", atom(set)),
            // A table that is written out here says which lines count.
            (F::Lines, [set, table]) if matches!(table.value.kind, ExprKind::Name(_)) => {
                format!("the points for lines of {}", value(set))
            }
            (F::Reach, [from, through]) => {
                format!("what can be reached from {} through {}", atom(from), atom(through))
            }
            (F::Component, [of, set]) => format!("the connected part of {} with {}", atom(set), atom(of)),
            (F::Enclosed, [at, set]) => format!("what {} enclose at {}", atom(set), atom(at)),
            (F::Fill, [set]) => format!("{} and all that they surround", atom(set)),
            // Conditions are worded by [`Self::asked`], and other calls are shown as they are written.
            (
                F::Above
                | F::Abs
                | F::After
                | F::Around
                | F::Beside
                | F::Bottom
                | F::Cell
                | F::Cells
                | F::Center
                | F::Column
                | F::Columns
                | F::Component
                | F::Components
                | F::Connected
                | F::Corners
                | F::Count
                | F::Crossing
                | F::Custodial
                | F::D
                | F::Directions
                | F::Double
                | F::Edge
                | F::Edges
                | F::Empty
                | F::Enclosed
                | F::Faces
                | F::Fill
                | F::Graph
                | F::Grid
                | F::Hex
                | F::Hexagon
                | F::Highest
                | F::Leap
                | F::Least
                | F::Lines
                | F::Longest
                | F::Lowest
                | F::Max
                | F::Min
                | F::Most
                | F::Nothing
                | F::Other
                | F::Owner
                | F::Ray
                | F::Reach
                | F::Repeated
                | F::Reverse
                | F::Row
                | F::Rows
                | F::Runs
                | F::Shift
                | F::Slide
                | F::Some
                | F::Star
                | F::Step
                | F::Sum
                | F::Team
                | F::Top
                | F::Toward
                | F::Track
                | F::Triangle,
                _,
            ) => return None,
        })
    }

    /// Describes a call as a condition: `your stones join the left edge with the right one`.
    pub(crate) fn asked(&self, name: &str, args: &[Arg]) -> String {
        let atom = |arg: &Arg| self.atom(&arg.value);
        let value = |arg: &Arg| self.value(&arg.value);
        match (name, args) {
            (name, args) if self.is_define(name) => {
                let args: Vec<String> = args.iter().map(atom).collect();
                format!("{} is true of {}", plain(name), args.join(" and "))
            }
            ("connected", [set, from, to]) => {
                format!("{} join {} with {}", atom(set), atom(from), atom(to))
            }
            ("double", [dice]) => format!("{} is a double", atom(dice)),
            ("repeated", [times, of @ ..]) if times.name.is_none() && of.len() < 2 => {
                let of: String = of.iter().map(|of| format!(" of {}", value(of))).collect();
                match value(times).as_str() {
                    "1" => format!("the same position{of} has come up before"),
                    times => format!("the same position{of} has come up {times} times before"),
                }
            }
            _ => {
                let all: Vec<String> =
                    args.iter().map(|arg| crate::format::print::expr(&arg.value)).collect();
                format!("`{name}({})`", all.join(", "))
            }
        }
    }

    fn is_define(&self, name: &str) -> bool {
        let is = |kind: &DeclKind| matches!(kind, DeclKind::Define { name: n, .. } if n.text == name);
        self.decls.iter().any(|decl| is(&decl.kind))
    }

    /// Describes a call of a define: `your pips` for `pips(me)`, `worth of b` for `worth(b)`.
    fn of_define(&self, name: &str, args: &[Arg]) -> String {
        let (first, rest): (Option<&Expr>, &[Arg]) = match args {
            [first, rest @ ..] if self.player(&first.value).is_some() => (Some(&first.value), rest),
            _ => (None, args),
        };
        let whose = first.and_then(|player| self.player(player));
        let noun = match whose {
            Some(player) => format!("{} {}", owner(&player), plain(name)),
            None => plain(name),
        };
        let rest: Vec<String> = rest.iter().map(|arg| self.atom(&arg.value)).collect();
        if rest.is_empty() { noun } else { format!("{noun} of {}", rest.join(" and ")) }
    }
}

fn site_at(column: &str, row: &str) -> String {
    format!("the place whose column is {column} and whose row is {row}")
}

/// Writes which in a row: `second`, `nth`.
fn ordinal(n: &str) -> String {
    match n {
        "1" => "first".to_owned(),
        "2" => "second".to_owned(),
        "3" => "third".to_owned(),
        other => format!("{other}th"),
    }
}
