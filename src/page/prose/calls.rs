//! Function calls and defines in plain words.

use crate::prose::grammar::{
    are, clause, closed, is_deed, is_owned, of_all, ordinal, owned, owner, predicate, preposition_after,
    preposition_before, verb_of,
};
use crate::prose::phrases::{Wording, declared_name, is_name};
use crate::prose::sets::{shared_sets, whole_of};
use crate::prose::statements::say_how_often;
use houserule_base::names::{list_words, plain};
use houserule_language::syntax::{Arg, DeclKind, Expr, ExprKind, Name};
use houserule_language::vocabulary::Function;
use houserule_model::{Content, Role};

impl<'a> Wording<'a> {
    /// Describes which of several numbers in order are meant: `second lowest`, `lowest, second lowest and third lowest`.
    fn places(&self, n: &Expr, name: &str) -> String {
        let ExprKind::Range(low, high) = &n.kind else { return place(&self.atom(n), name) };
        let (low, high) = (self.number(low), self.number(high));
        match (low, high) {
            (Some(low), Some(high)) if high - low < 3 => {
                let mut all: Vec<String> = (low..=high).map(|n| place(&n.to_string(), name)).collect();
                let last = all.pop().unwrap_or_default();
                let list = if all.is_empty() { last } else { format!("{} and {last}", all.join(", ")) };
                format!("{list}, in this order,")
            }
            (Some(low), Some(high)) => {
                let (low, high) = (place(&low.to_string(), name), place(&high.to_string(), name));
                format!("{low} to {high}, in this order,")
            }
            _ => format!("{} {name}", self.whole(n)),
        }
    }

    /// Describes the value of a call: `the highest of doubles`.
    pub(crate) fn called(&self, name: &str, args: &[Arg]) -> String {
        if self.is_define(name) {
            return self.of_define(name, args);
        }
        let (named, plainly): (Vec<&Arg>, Vec<&Arg>) = args.iter().partition(|arg| arg.name.is_some());
        let plainly: Vec<Arg> = plainly.into_iter().cloned().collect();
        let told = self
            .function(name, &plainly)
            .unwrap_or_else(|| of_all(&format!("the {}", plain(name)), &self.arguments(&plainly)));
        format!("{told}{}", self.named_arguments(&named))
    }

    /// Describes arguments that are given by name: `, through empty places`.
    fn named_arguments(&self, named: &[&Arg]) -> String {
        let one = |arg: &&Arg| {
            let name = arg.name.as_ref().map_or("", |name| name.text.as_str());
            format!(", {} {}", plain(name), self.whole(&arg.value))
        };
        named.iter().map(one).collect()
    }

    /// Describes the value of a function. Returns `None` if it has no description.
    fn function(&self, name: &str, args: &[Arg]) -> Option<String> {
        if let (true, [column, row]) = (self.model.boards.iter().any(|one| one.name == name), args) {
            return Some(site_at(&self.atom(&column.value), &self.atom(&row.value)));
        }
        use Function as F;
        let function = self.function_named(name)?;
        match function {
            F::Count
            | F::Sum
            | F::Lowest
            | F::Highest
            | F::Min
            | F::Max
            | F::Abs
            | F::Faces
            | F::Longest
            | F::LongestChain
            | F::Lines => self.counted_value(function, args),
            F::Owner | F::Other | F::Team | F::After | F::Before => self.player_value(function, args),
            F::Row | F::Column | F::Rows | F::Columns => self.row_value(function, args),
            F::Toward | F::Step | F::Shift | F::Ray | F::Slide | F::Leap | F::Reverse | F::Directions => {
                self.step_value(function, args)
            }
            F::Above
            | F::Around
            | F::Beside
            | F::Bottom
            | F::Cell
            | F::Cells
            | F::Center
            | F::Component
            | F::Components
            | F::Corners
            | F::Crossing
            | F::Custodial
            | F::Edge
            | F::Edges
            | F::Empty
            | F::Enclosed
            | F::Fill
            | F::Reach
            | F::Runs
            | F::Top => self.place_value(function, args),
            // Conditions are worded by [`Self::call_condition`]; other calls are described by the name of the function.
            F::Connected
            | F::D
            | F::Double
            | F::Graph
            | F::Grid
            | F::Hex
            | F::Hexagon
            | F::Least
            | F::Most
            | F::Nothing
            | F::Repeated
            | F::Some
            | F::Star
            | F::Track
            | F::Triangle => None,
        }
    }

    /// Describes a number, or the lowest or highest of some elements.
    fn counted_value(&self, function: Function, args: &[Arg]) -> Option<String> {
        let value = |arg: &Arg| self.whole(&arg.value);
        let atom = |arg: &Arg| self.atom(&arg.value);
        let name = function.name();
        use Function as F;
        Some(match (function, args) {
            (F::Count, [set]) if let Some(all) = self.all_elements(&set.value) => {
                format!("the number of {}", all.trim_start_matches("the "))
            }
            (F::Count, [set]) => {
                let sets = shared_sets(&set.value);
                if sets.len() > 1 {
                    return Some(self.number_in_common(&sets));
                }
                let (told, lying) = (value(set), self.lying_in(&set.value));
                // Its name says what lies in the zone.
                let is_named_by_things = lying.is_empty() && self.is_zone(&set.value) && !is_owned(&told);
                match told.strip_prefix("what ") {
                    Some(rest) => format!("the number that {rest}"),
                    None if is_named_by_things => {
                        format!("the number of {}", told.trim_start_matches("the "))
                    }
                    None => format!("the number of {lying}{told}"),
                }
            }
            (F::Sum, [dice]) => format!("the sum of {}", value(dice)),
            (F::Lowest, [of]) if self.is_players(&of.value) => {
                format!("the first of {} in the order of seats", among_players(&atom(of)))
            }
            (F::Highest, [of]) if self.is_players(&of.value) => {
                format!("the last of {} in the order of seats", among_players(&atom(of)))
            }
            (F::Lowest | F::Min, [of]) => format!("the lowest of {}", value(of)),
            (F::Highest | F::Max, [of]) => format!("the highest of {}", value(of)),
            (F::Lowest | F::Highest, [of, n]) => {
                format!("the {} of {}", self.places(&n.value, name), value(of))
            }
            (F::Min, [_, ..]) => format!("the lowest of {}", self.listed(args)),
            (F::Max, [_, ..]) => format!("the highest of {}", self.listed(args)),
            (F::Abs, [of]) => format!("the absolute value of {}", atom(of)),
            (F::Faces, [dice, face]) => {
                format!("the number of {} that show {}", self.dice(&dice.value), atom(face))
            }
            (F::Longest, [set]) => format!("the longest line of {}", atom(set)),
            (F::LongestChain, [option]) => {
                format!("the most times in a row that one can {}", atom(option))
            }
            // A table that is written out here says which lines count.
            (F::Lines, [set, table]) if matches!(table.value.kind, ExprKind::Name(_)) => {
                format!("the points for lines of {}", value(set))
            }
            _ => return None,
        })
    }

    /// Describes a player or a team.
    fn player_value(&self, function: Function, args: &[Arg]) -> Option<String> {
        let atom = |arg: &Arg| self.atom(&arg.value);
        use Function as F;
        Some(match (function, args) {
            (F::Owner, [of]) => format!("the owner of {}", atom(of)),
            (F::Other, [player]) => format!("the opponent of {}", atom(player)),
            (F::Team, [player]) => match self.player(&player.value) {
                Some(player) => format!("{} team", owner(&player)),
                None => format!("the team of {}", atom(player)),
            },
            (F::After, [player]) => format!("the player after {}", atom(player)),
            (F::After, [player, among]) => {
                format!("the player after {} among {}", self.noun(&player.value), atom(among))
            }
            (F::Before, [player]) => format!("the player before {}", atom(player)),
            (F::Before, [player, among]) => {
                format!("the player before {} among {}", self.noun(&player.value), atom(among))
            }
            _ => return None,
        })
    }

    /// Describes a row or a column, or its number.
    fn row_value(&self, function: Function, args: &[Arg]) -> Option<String> {
        let value = |arg: &Arg| self.whole(&arg.value);
        let atom = |arg: &Arg| self.atom(&arg.value);
        let name = function.name();
        use Function as F;
        Some(match (function, args) {
            // The row of a place is a number, and the row of that number a set.
            (F::Row | F::Column, [of])
                if matches!(&of.value.kind, ExprKind::Call(inner, one)
                    if inner.text == name && one.len() == 1 && self.number(&one[0].value).is_none()) =>
            {
                format!("the whole {}", value(of).trim_start_matches("the "))
            }
            // The row of a number, not of a place.
            (F::Row | F::Column, [of])
                if matches!(&of.value.kind, ExprKind::Binary(..) | ExprKind::Number(_))
                    || matches!(&of.value.kind, ExprKind::Call(inner, _) if matches!(inner.text.as_str(), "row" | "column")) =>
            {
                format!("the {name} with the number {}", atom(of))
            }
            (F::Row | F::Column | F::Rows | F::Columns, [of]) => format!("the {name} of {}", atom(of)),
            _ => return None,
        })
    }

    /// Describes places in a direction, or a direction.
    fn step_value(&self, function: Function, args: &[Arg]) -> Option<String> {
        let value = |arg: &Arg| self.whole(&arg.value);
        let atom = |arg: &Arg| self.atom(&arg.value);
        use Function as F;
        Some(match (function, args) {
            (F::Toward | F::Step, [from, way]) => {
                format!("the place one step {} from {}", atom(way), atom(from))
            }
            (F::Shift, [from, way]) if self.is_one_place(&from.value) => {
                format!("the place one step {} from {}", atom(way), atom(from))
            }
            (F::Shift, [set, way]) => format!("the places one step {} from {}", atom(way), atom(set)),
            (F::Ray, [from, way]) => format!("all places {} from {} on", atom(way), atom(from)),
            (F::Slide, [from, way, through]) => {
                format!(
                    "the places {} from {} through {} and the first beyond",
                    atom(way),
                    atom(from),
                    atom(through)
                )
            }
            (F::Leap, [from, columns, rows]) => {
                format!("the places {} by {} away from {}", atom(columns), atom(rows), atom(from))
            }
            (F::Reverse, [way]) => format!("the direction opposite {}", value(way)),
            (F::Directions, [board, way]) if self.is_board(&board.value) => {
                format!("the {} directions of {}", value(way), atom(board))
            }
            _ => return None,
        })
    }

    /// Describes places and what lies on them.
    fn place_value(&self, function: Function, args: &[Arg]) -> Option<String> {
        let value = |arg: &Arg| self.whole(&arg.value);
        let atom = |arg: &Arg| self.atom(&arg.value);
        use Function as F;
        Some(match (function, args) {
            (F::Top, [zone]) => format!("the top of {}", atom(zone)),
            (F::Bottom, [zone]) => format!("the bottom of {}", atom(zone)),
            (F::Above, [of]) => format!("what lies on {}", atom(of)),
            (F::Cell, [column, row]) => site_at(&atom(column), &atom(row)),
            (F::Around, [of]) => format!("the places around {}", atom(of)),
            (F::Beside, [of]) => format!("the places beside {}", atom(of)),
            (F::Center, [width, height]) => {
                format!("the {} by {} places in the middle", atom(width), atom(height))
            }
            (F::Reach, [from, through, sides @ ..]) => {
                let across = self.across(sides);
                format!("what can be reached from {} through {}{across}", atom(from), atom(through))
            }
            (F::Component, [of, set, sides @ ..]) => {
                format!("the connected part of {} with {}{}", atom(set), atom(of), self.across(sides))
            }
            (F::Enclosed, [at, set, sides @ ..]) => {
                format!("what {} enclose at {}{}", atom(set), atom(at), self.across(sides))
            }
            (F::Fill, [set, sides @ ..]) => {
                format!("{} and all that they surround{}", self.noun(&set.value), self.across(sides))
            }
            (F::Cells, [of]) if self.is_board(&of.value) => format!("all places of {}", value(of)),
            (F::Cells, [of]) if matches!(&of.value.kind, ExprKind::Index(base, _) if self.is_board(base)) => {
                format!("all places of {}", value(of))
            }
            (F::Cells, [of]) => format!("the places beside {}", atom(of)),
            (F::Edge, [of]) => format!("the outermost places of {}", atom(of)),
            (F::Edges, [of]) => format!("the sides of {}", atom(of)),
            (F::Corners, [of]) => format!("the corners of {}", atom(of)),
            (F::Empty, [of]) => format!("{} of {}", self.empty_places(), atom(of)),
            (F::Crossing, [of]) => format!("the links that cross {}", atom(of)),
            (F::Custodial, [at, own, between]) => {
                let between = self.noun(&between.value);
                format!("{between} in unbroken rows between {} and {}", atom(at), atom(own))
            }
            (F::Runs, [set, length]) => {
                format!("the places in lines of at least {} of {}", atom(length), atom(set))
            }
            (F::Components, [set, sides @ ..]) => {
                format!("the connected parts of {}{}", atom(set), self.across(sides))
            }
            _ => return None,
        })
    }

    /// Says across what places are connected, if not across their sides only: `, corners included`.
    fn across(&self, sides: &[Arg]) -> String {
        match sides {
            [] => String::new(),
            [how, ..] if is_name(&how.value, "four") => String::new(),
            [how, ..] if is_name(&how.value, "eight") => ", corners included".to_owned(),
            [how, ..] => format!(", {}", self.whole(&how.value)),
        }
    }

    /// Describes dice of which some show a face: `dice of pool`.
    fn dice(&self, dice: &Expr) -> String {
        match &dice.kind {
            ExprKind::Name(Name { text, .. }) if self.find(text).is_none() && self.is_dice(text) => {
                let is_noun = matches!(text.as_str(), "die" | "dice");
                if is_noun { "dice".to_owned() } else { format!("dice of {}", plain(text)) }
            }
            _ => self.atom(dice),
        }
    }

    /// Returns `true` if a name is that of dice.
    fn is_dice(&self, name: &str) -> bool {
        self.model.slots.iter().any(|slot| slot.name == name && matches!(slot.role, Role::Dice { .. }))
    }

    /// Describes a set of which something is an element: `the cards in your hand`.
    pub(super) fn elements_of(&self, set: &Expr) -> String {
        self.named_elements(set).unwrap_or_else(|| self.all_within(set))
    }

    /// Describes a set of which another one is a part: `the cards in your hand`.
    pub(super) fn all_within(&self, set: &Expr) -> String {
        match self.lying_in(whole_of(set)).as_str() {
            "" => self.all_elements(set).unwrap_or_else(|| self.either(set)),
            kind => format!("the {kind}{}", self.value(set)),
        }
    }

    /// Returns `cards in ` for a zone of cards whose name says where they lie; else an empty text.
    pub(super) fn lying_in(&self, set: &Expr) -> String {
        let is_told =
            |name: &&String| self.is_zone(set) && self.is_set(set) && self.kind_in_zone(name).is_none();
        let slot = declared_name(set).filter(is_told).and_then(|name| {
            let slots = self.model.slots.iter();
            slots.into_iter().find(|slot| slot.name == *name)
        });
        let domain = slot.and_then(|slot| match slot.content {
            Content::Set(domain) => Some(domain),
            _ => slot.index.last().copied(),
        });
        // Your cards are no cards in something.
        let is_named = |things: &String| declared_name(set).is_some_and(|name| plain(name) == *things);
        let things = domain.map(|domain| self.things(domain)).filter(|things| !is_named(things));
        things.map_or_else(String::new, |things| format!("{things} in "))
    }

    /// Describes a call as a condition, or what denies it: `your stones join the left edge with the right one`.
    pub(super) fn call_condition(&self, name: &str, args: &[Arg], negated: bool) -> String {
        let atom = |arg: &Arg| self.atom(&arg.value);
        let value = |arg: &Arg| self.whole(&arg.value);
        if self.is_define(name) {
            return self.define_condition(name, args, negated);
        }
        let not = if negated { " not" } else { "" };
        let named: Vec<&Arg> = args.iter().filter(|arg| arg.name.is_some()).collect();
        match (name, args) {
            ("connected", [set, from, to, ..]) => {
                let sides = args.get(3..).unwrap_or_default().iter().filter(|arg| arg.name.is_none());
                let across = self.across(&sides.cloned().collect::<Vec<Arg>>());
                let how = format!("{across}{}", self.named_arguments(&named));
                let join = if negated { "don't join" } else { "join" };
                format!("{} {join} {} with {}{how}", atom(set), atom(from), atom(to))
            }
            ("double", [dice]) => format!("{} is {} double", atom(dice), if negated { "no" } else { "a" }),
            ("repeated", [times, of @ ..]) if times.name.is_none() && of.len() < 2 => {
                let position = of.first().map_or_else(String::new, |of| self.compared(&of.value));
                let times = value(times);
                match times.parse().map(say_how_often) {
                    Ok(None) => format!("the same position{position} has{not} come up before"),
                    Ok(Some(often)) => format!("the same position{position} has{not} come up {often} before"),
                    Err(_) => format!("the same position{position} has{not} come up {times} times before"),
                }
            }
            _ => {
                let not = if negated { "it is not so that " } else { "" };
                format!("{not}{} is true", self.called(name, args))
            }
        }
    }

    /// Describes what is the same where a position is repeated: ` of stones and passes, with the same player to move,`.
    fn compared(&self, of: &Expr) -> String {
        let (mover, things): (Vec<&Expr>, Vec<&Expr>) =
            of.listed().iter().partition(|one| is_name(one, "mover") && self.find("mover").is_none());
        let things: Vec<String> = things.into_iter().map(|one| closed(self.whole(one))).collect();
        match (things.is_empty(), mover.is_empty()) {
            (true, _) => format!(" of {}", self.whole(of)),
            (false, true) => format!(" of {}", list_words(&things)),
            (false, false) => format!(" of {}, with the same player to move,", list_words(&things)),
        }
    }

    /// Describes a define that is true or false as a condition: `“may” holds for c`, `you are in check`.
    fn define_condition(&self, name: &str, args: &[Arg], negated: bool) -> String {
        self.note(name);
        let noun = plain(name);
        let has_agent = matches!(args, [_, by] if self.names_player(&by.value));
        let is_of_player = matches!(args, [one] if self.is_one_player(&one.value));
        let args = self.arguments(args);
        let noun = self.without_is(noun, &args);
        let told = clause(&noun, &args, negated);
        match told.or_else(|| predicate(&noun, &args, negated).filter(|_| !is_of_player || !is_deed(&noun))) {
            Some(told) => told,
            None if args.is_empty() => format!("{noun} {}", if negated { "doesn't hold" } else { "holds" }),
            // What somebody does to it.
            None if has_agent && noun.ends_with("ed") && !noun.contains(' ') => {
                let not = if negated { "not " } else { "" };
                format!("{} {} {not}{noun} by {}", args[0], are(&args[0]), args[1])
            }
            None => {
                let holds = if negated { "doesn't hold" } else { "holds" };
                format!("“{noun}” {holds} for {}", args.join(" and "))
            }
        }
    }

    /// Returns `true` if an expression is a player, judging by its form.
    pub(super) fn names_player(&self, e: &Expr) -> bool {
        let is_player_of = |name: &Name| {
            let function = self.function_named(&name.text);
            matches!(function, Some(Function::Other | Function::Owner | Function::After | Function::Before))
        };
        self.player(e).is_some() || matches!(&e.kind, ExprKind::Call(name, _) if is_player_of(name))
    }

    /// Describes a define before its meaning: `near of c`, `coins of a player p`, `those of suit s`.
    pub(super) fn defined(&self, name: &str, params: &[Name]) -> String {
        let params: Vec<String> = params.iter().map(|param| plain(&param.text)).collect();
        let noun = plain(name);
        let told = match self.define(name) {
            Some(value) if self.is_truth(value) => clause(&noun, &params, false),
            Some(value)
                if !params.is_empty() && preposition_before(&noun).is_some() && self.is_set(value) =>
            {
                Some(format!("those {noun} {}", params.join(" and ")))
            }
            _ => None,
        };
        told.unwrap_or_else(|| of_all(&self.without_is(noun, &params), &params))
    }

    /// Returns words of which each sentence that names a define has some: its name without the words that may change, and a
    /// verb as it stands after `don't`.
    pub(super) fn spoken(&self, name: &str) -> Vec<String> {
        let (noun, value) = (plain(name), self.define(name));
        let is_truth = value.is_some_and(|value| self.is_truth(value));
        let mut starts = ["is ", "can ", "may "].into_iter().filter(|_| is_truth);
        let mut main = starts.find_map(|start| noun.strip_prefix(start)).unwrap_or(&noun);
        if let Some((_, of)) = preposition_before(main)
            && value.is_some_and(|value| self.is_set(value))
        {
            main = of;
        }
        main = preposition_after(main).map_or(main, |(main, _)| main);
        let many = verb_of("they", &noun, false).filter(|_| is_truth);
        let many = many.and_then(|told| told.strip_prefix("they ").map(str::to_owned));
        [main.to_owned()].into_iter().chain(many).collect()
    }

    /// Returns the name of a define without an `is` that can't be the verb of a sentence about its arguments:
    /// `line` for `is_line(a, b)`.
    fn without_is(&self, noun: String, args: &[String]) -> String {
        match noun.strip_prefix("is ") {
            Some(rest) if args.len() > 1 && clause(&noun, args, false).is_none() && !self.is_define(rest) => {
                rest.to_owned()
            }
            _ => noun,
        }
    }

    /// Returns the value of a define.
    pub(super) fn define(&self, name: &str) -> Option<&'a Expr> {
        self.decls.iter().find_map(|decl| match &decl.kind {
            DeclKind::Define { name: n, value, .. } if n.text == name => Some(value),
            _ => None,
        })
    }

    /// Returns the parameters of a define.
    pub(super) fn params_of(&self, name: &str) -> Option<&'a [Name]> {
        self.decls.iter().find_map(|decl| match &decl.kind {
            DeclKind::Define { name: n, params, .. } if n.text == name => Some(params.as_slice()),
            _ => None,
        })
    }

    fn listed(&self, args: &[Arg]) -> String {
        let all: Vec<String> = args.iter().map(|arg| closed(self.atom(&arg.value))).collect();
        list_words(&all)
    }

    /// Returns `true` if the description of a call ends with words after those of an argument, or of one given by name.
    pub(super) fn follows_noun(&self, name: &str, args: &[Arg]) -> bool {
        let function = self.function_named(name);
        let follows =
            matches!((function, args.len()), (Some(Function::Fill), _) | (Some(Function::Custodial), 3));
        let has_end = |arg: &Arg| {
            arg.name.is_some() || function != Some(Function::Directions) && is_name(&arg.value, "eight")
        };
        follows || !self.is_define(name) && args.iter().any(has_end)
    }

    fn is_board(&self, e: &Expr) -> bool {
        matches!(&e.kind, ExprKind::Name(name) if self.model.boards.iter().any(|board| board.name == name.text))
    }

    /// Returns `true` if a name is that of a define.
    pub(super) fn is_define(&self, name: &str) -> bool {
        self.define(name).is_some()
    }

    /// Describes a call of a define: `your pips` for `pips(me)`, `worth of b` for `worth(b)`.
    fn of_define(&self, name: &str, args: &[Arg]) -> String {
        self.note(name);
        let (first, rest): (Option<&Expr>, &[Arg]) = match args {
            [first, rest @ ..] if self.player(&first.value).is_some() => (Some(&first.value), rest),
            _ => (None, args),
        };
        let whose = first.and_then(|player| self.player(player));
        let noun = match plain(name) {
            // Such a word would seem to join what stands before it.
            noun if ["and ", "else ", "if ", "or ", "then "].iter().any(|word| noun.starts_with(word)) => {
                format!("“{noun}”")
            }
            noun => noun,
        };
        if let (Some((word, of)), [_, ..]) = (preposition_before(&noun), args)
            && self.define(name).is_some_and(|value| self.is_set(value))
        {
            let args = self.arguments(args);
            return match whose {
                Some(player) => of_all(&format!("those {word} {} {of}", owner(&player)), &args[1..]),
                None => format!("those {noun} {}", args.join(" and ")),
            };
        }
        let noun = match whose {
            Some(player) => owned(&player, &noun, rest.is_empty()),
            None => noun,
        };
        of_all(&noun, &self.arguments(rest))
    }

    /// Describes arguments. A call among several is in parentheses: `lines of (row of c) and d`.
    fn arguments(&self, args: &[Arg]) -> Vec<String> {
        let one = |arg: &Arg| match (&arg.value.kind, self.atom(&arg.value)) {
            (ExprKind::Call(..), told) if args.len() > 1 => closed(told),
            (_, told) => told,
        };
        args.iter().map(one).collect()
    }
}

/// Describes a set of players from which one is taken. A name alone needs `the players in` before it.
fn among_players(set: &str) -> String {
    if set.starts_with("the ") || set.starts_with('(') || set.ends_with(" team") {
        set.to_owned()
    } else {
        format!("the players in {set}")
    }
}

fn site_at(column: &str, row: &str) -> String {
    format!("the place whose column is {column} and whose row is {row}")
}

/// Describes a place in an order: `second lowest`.
fn place(n: &str, name: &str) -> String {
    match n {
        "1" => name.to_owned(),
        n => format!("{} {name}", ordinal(n)),
    }
}
