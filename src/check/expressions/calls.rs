//! Calls of defines, of a board's name for a cell, and of built-in functions.

use super::expr::SetMember;
use crate::checker::Checker;
use crate::draft::Draft;
use crate::messages::Messages;
use crate::names::name_table::Entity;
use crate::resolution::defines::Use;
use crate::values::{DiceValue, Val, constant_number, constant_set};
use houserule_language::diagnostic::{Code, Diagnostic, Span, did_you_mean};
use houserule_language::syntax;
use houserule_language::syntax::{Arg, DeclKind, ExprKind as S, Name, Quantifier};
use houserule_language::vocabulary::{Function, WordKind};
use houserule_model::board::BitSet;
use houserule_model::*;

/// The arguments of a call, split into plain and named ones.
pub(crate) struct Args<'a> {
    /// The name in the call: of the function, or of the board for a cell.
    pub(crate) name: &'a Name,
    /// The function.
    pub(crate) function: Function,
    /// Arguments without a name.
    pub(crate) plain: Vec<&'a syntax::Expr>,
    /// Arguments with a name.
    named: Vec<(&'a Name, &'a syntax::Expr)>,
    /// Source location of the call.
    pub(crate) span: Span,
}

/// Which of several numbers in order a call of `lowest` or `highest` names.
enum PlaceInOrder {
    /// The nth.
    One(CheckedExpr),
    /// All from one to another, as a list.
    List(i64, i64),
}

impl<'a> Args<'a> {
    /// Reports an error unless the function can be called with this number of plain arguments.
    pub(crate) fn check_count(&self, messages: &mut Messages) -> Option<()> {
        let (least, most) = self.function.arguments();
        self.check_count_between(messages, least, most, 0)
    }

    /// Like [`Self::check_count`], for one of the function's forms.
    pub(super) fn check_count_of_form(&self, messages: &mut Messages, form: usize) -> Option<()> {
        let (least, most) = self.function.forms()[form].arguments();
        self.check_count_between(messages, least, most, form)
    }

    fn check_count_between(
        &self,
        messages: &mut Messages,
        least: usize,
        most: usize,
        form: usize,
    ) -> Option<()> {
        let n = self.plain.len();
        if n >= least && n <= most {
            return Some(());
        }
        let name = &self.name.text;
        let wanted = match (least, most) {
            (0, 0) => "no argument".to_string(),
            (1, 1) => "one argument".to_string(),
            (a, b) if a == b => format!("{a} arguments"),
            (a, usize::MAX) => format!("at least {a} arguments"),
            (a, b) => format!("{a} to {b} arguments"),
        };
        let d = Diagnostic::error(
            Code::WrongArgumentCount,
            self.span,
            format!("`{name}` takes {wanted}, and here it has {n}"),
        )
        .help(format!("write `{}`", self.function.forms()[form].written(name)));
        messages.report(d);
        None
    }

    /// The argument with a name, if present.
    pub(crate) fn named(&self, name: &str) -> Option<&'a syntax::Expr> {
        self.named.iter().find(|(n, _)| n.text == name).map(|(_, e)| *e)
    }
}

impl<'a> Checker<'a> {
    pub(super) fn call(
        &mut self,
        name: &'a Name,
        args: &'a [Arg],
        span: Span,
        want: Option<DomainId>,
    ) -> Val {
        let entity = self.declared_entity(&name.text, name.span);
        let function = Function::of_values(&name.text);
        let callable = matches!(
            entity,
            Some(Entity::Define(_) | Entity::Board(_) | Entity::Procedure(_) | Entity::Poison)
        );
        // A variable can have the name of a function.
        if callable || function.is_none() {
            self.refer_to_declaration(name);
        }
        match entity {
            Some(Entity::Define(decl)) => return self.expand(decl, Use::Call(args), span),
            Some(Entity::Board(board)) => {
                let args = split(name, Function::Cell, args, span);
                return self.cell_at(board, &args);
            }
            Some(Entity::Procedure(_)) => {
                let message = format!("`{}` is a procedure and has no value", name.text);
                let d = Diagnostic::error(Code::NotAValue, name.span, message)
                    .help("use it as a statement, or write a `define`");
                self.draft.messages.report(d);
                return Val::Poison;
            }
            Some(Entity::Poison) => {
                self.each_argument(args);
                return Val::Poison;
            }
            Some(_) if function.is_none() => {
                let meant = entity.as_ref().and_then(|entity| self.call_meant(&name.text, entity, args));
                let message = format!("`{}` is not a function", name.text);
                let d = Diagnostic::error(Code::NotAFunction, name.span, message);
                self.draft.messages.report(match meant {
                    Some(help) => d.help(help),
                    None => d,
                });
                self.each_argument(args);
                return Val::Poison;
            }
            _ => {}
        }
        if name.text == Function::Components.name() {
            let message = "`components` gives several sets, but one value is needed here";
            let d = Diagnostic::error(Code::Misplaced, span, message)
                .help("go over them: `for k in components(s) { … }`");
            self.draft.messages.report(d);
            self.each_argument(args);
            return Val::Poison;
        }
        let Some(function) = function else {
            self.report_unknown_function(name);
            self.each_argument(args);
            return Val::Poison;
        };
        let args = split(name, function, args, span);
        self.builtin(&args, want).unwrap_or(Val::Poison)
    }

    fn each_argument(&mut self, args: &'a [Arg]) {
        for arg in args {
            self.expr(&arg.value, None);
        }
    }

    fn report_unknown_function(&mut self, name: &Name) {
        if self.draft.messages.is_full() {
            return;
        }
        let defines = self.input.game.decls.iter().filter_map(|d| match &d.kind {
            DeclKind::Define { name, .. } => Some(name.text.as_str()),
            _ => None,
        });
        let functions = Function::ALL.iter().filter(|function| function.is_of_values());
        let functions = functions.map(|function| function.name());
        let elsewhere = ELSEWHERE.iter().find(|(theirs, _)| *theirs == name.text);
        // A word of other languages is near to functions that do something else.
        let better = did_you_mean(&name.text, defines)
            .or_else(|| did_you_mean(&name.text, functions).filter(|_| elsewhere.is_none()))
            .map(str::to_string);
        let message = format!("there is no function or define `{}`", name.text);
        let mut d = Diagnostic::error(Code::UnknownFunction, name.span, message).label("not declared");
        if let Some(better) = better {
            d = d.help(format!("did you mean `{better}`?"));
        } else if let Some((_, ours)) = elsewhere {
            d = d.help(format!("here it is called {ours}"));
        } else {
            d = d.help(format!("to give it a meaning, declare `define {}(…) = …`", name.text));
        }
        self.draft.messages.report(d);
    }

    /// Reports named arguments that the function doesn't have.
    pub(super) fn only_named(&mut self, args: &Args<'a>) {
        for (name, _) in &args.named {
            if args.function.named_arguments().any(|known| known == name.text) {
                self.recorder.refer_to_word(WordKind::Argument, name);
                continue;
            }
            let message = format!("`{}` has no `{}:`", args.name.text, name.text);
            let mut d = Diagnostic::error(Code::WrongArgument, name.span, message);
            if let Some(better) = did_you_mean(&name.text, args.function.named_arguments()) {
                d = d.help(format!("did you mean `{better}:`?"));
            }
            self.draft.messages.report(d);
        }
    }

    fn builtin(&mut self, args: &Args<'a>, want: Option<DomainId>) -> Option<Val> {
        use Function as F;
        self.recorder.refer_to_function(args.name.span, args.function);
        self.only_named(args);
        match args.function {
            F::Above => self.above(args),
            F::Abs => self.abs(args),
            F::After | F::Before => self.after(args),
            F::Around | F::Beside => self.neighbours(args, want),
            F::Bottom | F::Top => self.end_of_pile(args),
            F::Cell => {
                let board = self.the_board("cell", want, args.name.span)?;
                Some(self.cell_at(board, args))
            }
            F::Cells if !self.names_a_board(args) => self.cells_at_sides(args),
            F::Cells | F::Corners | F::Edge | F::Empty => self.part_of_board(args),
            F::Center => self.center(args, want),
            F::Column | F::Row => self.row_or_column(args, want),
            F::Columns | F::Rows => self.rows_or_columns(args),
            F::Component | F::Reach => self.regions(args, want),
            F::Connected => self.connected(args),
            F::Count => self.count(args),
            F::Crossing => self.crossing_lines(args),
            F::Custodial => self.custodial(args, want),
            F::Double => {
                args.check_count(&mut self.draft.messages)?;
                let value = self.expr(args.plain[0], None);
                Some(self.draft.is_double(value, args.plain[0].span, args.span))
            }
            F::Directions => self.directions_of(args),
            F::Edges => self.sides_of_cells(args),
            F::Enclosed | F::Fill => self.enclosed(args, want),
            F::Faces => self.faces(args),
            F::Highest | F::Lowest => self.first_or_last(args, want),
            F::Leap => self.leap(args, want),
            F::Lines | F::Longest | F::Runs => self.along_lines(args, want),
            F::LongestChain => self.longest_chain(args),
            F::Max | F::Min => self.least_or_most(args),
            F::Nothing | F::Some => {
                args.check_count(&mut self.draft.messages)?;
                let (set, _) = self.over(args.plain[0], None)?;
                let some = self.draft.is_some(set, args.span);
                Some(Val::sure(if args.function == F::Some { some } else { self.draft.not(some) }))
            }
            F::Other => {
                args.check_count(&mut self.draft.messages)?;
                let player = self.player(args.plain[0])?;
                Some(self.other_than(player, args.span))
            }
            F::Owner => self.owner(args),
            F::Team => self.team(args, want),
            F::Ray | F::Shift | F::Slide | F::Step | F::Toward => self.directed(args, want),
            F::Repeated => self.repeated(args),
            F::Reverse => self.reversed(args),
            F::Sum => {
                args.check_count(&mut self.draft.messages)?;
                let dice = self.dice(args.plain[0])?;
                let all = self.draft.each_die(&dice, args.span);
                Some(Val::sure(self.draft.sum_of(all, args.span)))
            }
            // They are used in other places than expressions.
            F::Components | F::D | F::Graph | F::Grid | F::Hex | F::Hexagon => None,
            F::Least | F::Most | F::Star | F::Track | F::Triangle => None,
        }
    }

    fn abs(&mut self, args: &Args<'a>) -> Option<Val> {
        args.check_count(&mut self.draft.messages)?;
        let n = self.number_of(args.plain[0])?;
        let twin = self.draft.copy(&n);
        let negative = self.draft.build(CheckedExprKind::Negate(Box::new(twin)), Type::Number, args.span);
        Some(Val::sure(self.draft.arithmetic(Arithmetic::Max, n, negative, args.span)))
    }

    fn after(&mut self, args: &Args<'a>) -> Option<Val> {
        args.check_count(&mut self.draft.messages)?;
        let player = self.player(args.plain[0])?;
        let among = match args.plain.get(1) {
            Some(e) => Some(Box::new(self.set_of(e, Some(PLAYER))?.0)),
            None => None,
        };
        let all = among.is_none();
        let kind = CheckedExprKind::After {
            player: Box::new(player),
            among,
            back: args.function == Function::Before,
        };
        let e = self.draft.build(kind, Type::Element(PLAYER), args.span);
        Some(if all { Val::sure(e) } else { Val::maybe(e) })
    }

    /// Checks an expression that must be a player.
    pub(crate) fn player(&mut self, e: &'a syntax::Expr) -> Option<CheckedExpr> {
        let value = self.expr(e, Some(PLAYER));
        if self.reports_best_player(e, &value) {
            return None;
        }
        self.some_element(value, PLAYER, e.span)
    }

    fn least_or_most(&mut self, args: &Args<'a>) -> Option<Val> {
        args.check_count(&mut self.draft.messages)?;
        let op = if args.function == Function::Min { Arithmetic::Min } else { Arithmetic::Max };
        let span = args.span;
        let numbers = if let [only] = args.plain[..] {
            let value = self.expr(only, None);
            if let Val::Expr(e, _) = &value
                && matches!(e.ty, Type::Set(_) | Type::Element(_))
            {
                self.draft.report_extreme_of_set(&args.name.text, &value, only.span);
                return None;
            }
            let dice = self.draft.as_dice(value, only.span)?;
            self.draft.each_die(&dice, span)
        } else {
            let all: Vec<Option<CheckedExpr>> = args.plain.iter().map(|e| self.number_of(e)).collect();
            all.into_iter().collect::<Option<Vec<CheckedExpr>>>()?
        };
        self.draft.balanced(numbers, &mut |c, a, b| c.arithmetic(op, a, b, span)).map(Val::sure)
    }

    fn count(&mut self, args: &Args<'a>) -> Option<Val> {
        args.check_count(&mut self.draft.messages)?;
        let e = args.plain[0];
        let value = self.expr(e, None);
        if let Val::Dice(dice, _) = &value {
            let n = i64::from(dice.count);
            return Some(Val::sure(self.draft.number_constant(n, args.span)));
        }
        if let Val::Part(part) = &value {
            return Some(Val::sure(self.draft.number_constant(part.kinds.len() as i64, args.span)));
        }
        if value.domain() == Some(PLAYER) {
            self.usage.params_read += 1;
        }
        let set = self.set(value, None, e.span)?;
        if let Some(parts) = self.draft.zones_of_kinds(&set) {
            return Some(Val::sure(self.draft.copies_of(parts, args.span)));
        }
        Some(Val::sure(self.draft.build(CheckedExprKind::Count(Box::new(set)), Type::Number, args.span)))
    }

    /// Checks dice as a whole.
    pub(crate) fn dice(&mut self, e: &'a syntax::Expr) -> Option<DiceValue> {
        let value = self.expr(e, None);
        self.draft.as_dice(value, e.span)
    }

    /// `faces(dice, n)`: the number of dice that show `n`.
    fn faces(&mut self, args: &Args<'a>) -> Option<Val> {
        args.check_count(&mut self.draft.messages)?;
        let dice = self.dice(args.plain[0]);
        let n = self.number_of(args.plain[1]);
        let (dice, n) = (dice?, n?);
        let span = args.span;
        let shown = self.draft.each_die(&dice, span);
        let mut all = vec![];
        for die in shown {
            let n = self.draft.copy(&n);
            let same = self.draft.compare(ComparisonOperator::Equal, die, n, span);
            let (one, zero) = (self.draft.number_constant(1, span), self.draft.number_constant(0, span));
            let kind = CheckedExprKind::If(Box::new(same), Box::new(one), Box::new(zero));
            all.push(self.draft.build(kind, Type::Number, span));
        }
        Some(Val::sure(self.draft.sum_of(all, span)))
    }

    /// `highest(dice, n)` and `lowest(dice, n)`: the number on the nth die from the highest or from the lowest. It is the
    /// number of faces that at least n dice reach, 0 if there is no such die or the dice aren't rolled.
    pub(super) fn nth_number(
        &mut self,
        args: &Args<'a>,
        dice: &'a syntax::Expr,
        n: &'a syntax::Expr,
    ) -> Option<Val> {
        let (span, at) = (args.span, n.span);
        let (dice, n) = (self.dice(dice), self.number_of(n));
        let (dice, n) = (dice?, n?);
        let count = i64::from(dice.count);
        let constant = constant_number(&n);
        if let Some(n) = constant.filter(|n| !(1..=count).contains(n)) {
            let message = format!("there is no die {n} among {count}");
            let d = Diagnostic::error(Code::OutOfRange, at, message)
                .help(format!("count the dice from 1 to {count}: `{}(…, 1)` is the first", args.name.text));
            self.draft.messages.report(d);
            return None;
        }
        let Role::Dice { faces, .. } = self.draft.model.slots[dice.slot.index()].role else { return None };
        let all = self.draft.range_domain(1, faces.into(), span)?;
        let local = self.draft.new_local("face", Type::Element(all), span);
        let mut reach = vec![];
        for die in self.draft.each_die(&dice, span) {
            let face = self.draft.build(CheckedExprKind::Local(local), Type::Element(all), span);
            let face = self.draft.value_of(face);
            let holds = self.draft.compare(ComparisonOperator::GreaterEqual, die, face, span);
            let (one, zero) = (self.draft.number_constant(1, span), self.draft.number_constant(0, span));
            let kind = CheckedExprKind::If(Box::new(holds), Box::new(one), Box::new(zero));
            reach.push(self.draft.build(kind, Type::Number, span));
        }
        let reach = self.draft.sum_of(reach, span);
        let wanted = match args.function {
            Function::Highest => self.draft.copy(&n),
            _ => {
                let (most, n) = (self.draft.number_constant(count + 1, span), self.draft.copy(&n));
                self.draft.arithmetic(Arithmetic::Subtract, most, n, span)
            }
        };
        let enough = self.draft.compare(ComparisonOperator::GreaterEqual, reach, wanted, span);
        let over = Box::new(self.draft.full_set(all, span));
        let kind = CheckedExprKind::Filter { local, over, condition: Box::new(enough) };
        let faces = self.draft.build(kind, Type::Set(all), span);
        let number = self.draft.build(CheckedExprKind::Count(Box::new(faces)), Type::Number, span);
        if constant.is_some() {
            return Some(Val::sure(number));
        }
        let dice = self.draft.range_domain(1, count, span)?;
        let (set, zero) = (self.draft.full_set(dice, span), self.draft.number_constant(0, span));
        let element = self.draft.element_of(n, dice);
        let kind = CheckedExprKind::Contains { set: Box::new(set), element: Box::new(element) };
        let is_one = self.draft.build(kind, Type::Bool, span);
        let kind = CheckedExprKind::If(Box::new(is_one), Box::new(number), Box::new(zero));
        Some(Val::sure(self.draft.build(kind, Type::Number, span)))
    }

    /// `lowest(x in S: e, n)` and `highest(x in S: e, n)`: the nth of the numbers that `e` is for the elements, 0 if
    /// there are fewer. For a range of `n`, such as `1..3`, a list of these numbers.
    pub(super) fn nth_values(
        &mut self,
        args: &Args<'a>,
        values: &'a syntax::Expr,
        n: &'a syntax::Expr,
    ) -> Option<Val> {
        let S::Values { name, over: of, filter, body } = &values.kind else { return None };
        let filter = filter.as_deref();
        let span = args.span;
        let numbers = match &n.kind {
            S::Range(low, high) => self.known_range(low, high, n.span),
            _ => self.number_of(n).map(PlaceInOrder::One),
        };
        let Some((mut over, domain)) = self.over(of, None) else {
            self.check_unbound(name, &filter.into_iter().chain([&**body]).collect::<Vec<_>>());
            return None;
        };
        let most = constant_set(&over).map_or(self.draft.size(domain), BitSet::len);
        let mut member = SetMember { name, domain, filter, shown: None };
        let shown;
        if let Some(condition) = filter {
            match self.filtered(name, over, domain, &[condition], span) {
                Some((set, facts)) => {
                    (over, shown) = (set, facts);
                    member.shown = Some(&shown);
                }
                None => {
                    self.check_unbound(name, &[body]);
                    return None;
                }
            }
        }
        let most = i64::from(most);
        let wrong = |c: &mut Self, n: i64| {
            let message = format!("there is no number {n} among {most}");
            let help = format!("count the numbers from 1 to {most}: `{}(…, 1)` is the first", args.name.text);
            c.draft
                .messages
                .report(Diagnostic::error(Code::OutOfRange, args.plain[1].span, message).help(help));
        };
        match numbers? {
            PlaceInOrder::One(n) => {
                let constant = constant_number(&n);
                if let Some(n) = constant.filter(|n| !(1..=most).contains(n)) {
                    wrong(self, n);
                    return None;
                }
                let place = self.draft.copy(&n);
                let nth = self.nth_value(args, member, &over, body, place)?;
                if constant.is_some() {
                    return Some(Val::sure(nth));
                }
                let (one, zero) = (self.draft.number_constant(1, span), self.draft.number_constant(0, span));
                let is_one = self.draft.compare(ComparisonOperator::GreaterEqual, n, one, span);
                let kind = CheckedExprKind::If(Box::new(is_one), Box::new(nth), Box::new(zero));
                Some(Val::sure(self.draft.build(kind, Type::Number, span)))
            }
            PlaceInOrder::List(low, high) => {
                if let Some(n) = [low, high].into_iter().find(|n| !(1..=most).contains(n)) {
                    wrong(self, n);
                    return None;
                }
                let mut all = vec![];
                for n in low..=high {
                    let place = self.draft.number_constant(n, span);
                    let nth = self.nth_value(args, member, &over, body, place)?;
                    all.push((Val::sure(nth), span));
                }
                Some(Val::List(all, span))
            }
        }
    }

    /// The ends of a range that is known when the rules are loaded, and isn't empty.
    fn known_range(
        &mut self,
        low: &'a syntax::Expr,
        high: &'a syntax::Expr,
        span: Span,
    ) -> Option<PlaceInOrder> {
        let (low, high) = (self.number_of(low), self.number_of(high));
        match (constant_number(&low?), constant_number(&high?)) {
            (Some(low), Some(high)) if low <= high => Some(PlaceInOrder::List(low, high)),
            (Some(low), Some(high)) => {
                let message = format!("there is no number from {low} to {high}");
                self.draft.messages.report(
                    Diagnostic::error(Code::OutOfRange, span, message)
                        .help("write the lower one first: `1..3`"),
                );
                None
            }
            _ => {
                let message = "the length of this list must be known when the rules are loaded";
                let help = "write a range of numbers or params: `1..3`";
                self.draft.messages.report(Diagnostic::error(Code::NotConstant, span, message).help(help));
                None
            }
        }
    }

    /// The least of the numbers that at least n of them don't exceed, or the greatest that at least n reach.
    fn nth_value(
        &mut self,
        args: &Args<'a>,
        member: SetMember<'a, '_>,
        over: &CheckedExpr,
        body: &'a syntax::Expr,
        n: CheckedExpr,
    ) -> Option<CheckedExpr> {
        let span = args.span;
        let number = |c: &mut Self| {
            c.scoped(vec![], |c| {
                let local = c.bind_filtered(member, over);
                let value = c.expr(body, None);
                Some((local, c.number(value, body.span)?))
            })
        };
        let (one, value) = number(self)?;
        let (other, its) = number(self)?;
        let (direction, quantifier) = match args.function {
            Function::Highest => (ComparisonOperator::GreaterEqual, Quantifier::Max),
            _ => (ComparisonOperator::LessEqual, Quantifier::Min),
        };
        let within = self.draft.compare(direction, its, value, span);
        let all = Box::new(self.draft.copy(over));
        let kind = CheckedExprKind::Filter { local: other, over: all, condition: Box::new(within) };
        let within = self.draft.build(kind, Type::Set(member.domain), span);
        let count = self.draft.build(CheckedExprKind::Count(Box::new(within)), Type::Number, span);
        let enough = self.draft.compare(ComparisonOperator::GreaterEqual, count, n, span);
        let all = Box::new(self.draft.copy(over));
        let kind = CheckedExprKind::Filter { local: one, over: all, condition: Box::new(enough) };
        let nth = self.draft.build(kind, Type::Set(member.domain), span);
        // The set and the number have a local each.
        let (local, value) = number(self)?;
        Some(self.draft.quantified(quantifier, local, nth, value, Type::Number, span))
    }
}

impl Draft {
    fn as_dice(&mut self, value: Val, span: Span) -> Option<DiceValue> {
        match value {
            Val::Dice(dice, _) => Some(dice),
            Val::Poison => None,
            other => {
                let found = self.describe(&other);
                let message = format!("expected dice, found {found}");
                let mut d = Diagnostic::error(Code::TypeMismatch, span, message)
                    .note("expected a name declared with `dice`");
                if matches!(other.ty(), Some(Type::Set(_))) {
                    d = d.help(
                        "a set says which of the dice: `roll hand among k`, `sum d in k: hand[d]`, `count d in k: hand[d] == 6`",
                    );
                }
                self.messages.report(d);
                None
            }
        }
    }

    /// Reads the face of each die.
    pub(super) fn each_die(&mut self, dice: &DiceValue, span: Span) -> Vec<CheckedExpr> {
        let domain = self.die_domain(dice);
        (0..dice.count)
            .map(|die| {
                let mut index: Vec<CheckedExpr> = dice.index.iter().map(|e| self.copy(e)).collect();
                index.push(self.constant_element(domain, die, span));
                self.build(CheckedExprKind::Read(Target { slot: dice.slot, index }), Type::Number, span)
            })
            .collect()
    }

    /// `double(dice)`: have the dice been rolled, and do all show the same face?
    pub(super) fn is_double(&mut self, value: Val, at: Span, span: Span) -> Val {
        let Some(dice) = self.as_dice(value, at) else { return Val::Poison };
        let shown = self.each_die(&dice, span);
        let Some(first) = shown.first().cloned() else { return Val::Poison };
        let zero = self.number_constant(0, span);
        let twin = self.copy(&first);
        let mut all = vec![self.compare(ComparisonOperator::Greater, twin, zero, span)];
        for die in shown.into_iter().skip(1) {
            let first = self.copy(&first);
            all.push(self.compare(ComparisonOperator::Equal, first, die, span));
        }
        match self.balanced(all, &mut |c, a, b| c.and(a, b, span)) {
            Some(e) => Val::sure(e),
            None => Val::Poison,
        }
    }
}

pub(crate) fn split<'a>(name: &'a Name, function: Function, args: &'a [Arg], span: Span) -> Args<'a> {
    let plain = args.iter().filter(|a| a.name.is_none()).map(|a| &a.value).collect();
    let named = args.iter().filter_map(|a| a.name.as_ref().map(|n| (n, &a.value))).collect();
    Args { name, function, plain, named, span }
}

/// A single name, such as `four` or `north`.
pub(crate) fn lone_name(e: &syntax::Expr) -> Option<&Name> {
    match &e.kind {
        S::Name(name) => Some(name),
        _ => None,
    }
}

/// The text of a single name.
pub(super) fn lone_word(e: &syntax::Expr) -> Option<&str> {
    lone_name(e).map(|name| name.text.as_str())
}

/// The element with the greatest value, and the one with the least.
const MOST: &str = "`best x in S by VALUE`, such as `best p in players by count(HAND[p])`";
const LEAST: &str = "`best x in S by -VALUE`, such as `best p in players by -count(HAND[p])`";

/// Names in other languages and games, with the equivalents in this language.
const ELSEWHERE: [(&str, &str); 25] = [
    ("most", MOST),
    ("greatest", MOST),
    ("largest", MOST),
    ("biggest", MOST),
    ("maximum", MOST),
    ("argmax", MOST),
    ("least", LEAST),
    ("fewest", LEAST),
    ("smallest", LEAST),
    ("minimum", LEAST),
    ("argmin", LEAST),
    ("worst", LEAST),
    ("player", "`player 1`, without parentheses"),
    ("neighbours", "`around(c)` for all eight, `beside(c)` for the four"),
    ("neighbors", "`around(c)` for all eight, `beside(c)` for the four"),
    ("adjacent", "`around(c)` for all eight, `beside(c)` for the four"),
    ("len", "`count(…)`"),
    ("length", "`count(…)`"),
    ("size", "`count(…)`"),
    ("number", "`count(…)`"),
    ("random", "`pick x in …`, a statement"),
    ("rand", "`pick x in …`, a statement"),
    ("square", "`cell(column, row)`"),
    ("contains", "`x in …`"),
    ("mod", "`a % b`"),
];
