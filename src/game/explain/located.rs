//! Details that a game adds to the message of an error: the number that is no valid index, the loops around an endless
//! loop, and the choice that looks at too much or never comes to an action.

use crate::explain::evaluate;
use crate::{Game, RuntimeError, RuntimeErrorKind, Seat, State};
use houserule_base::numbers::{counted, grouped};
use houserule_language::diagnostic::{Code, Diagnostic, Span};
use houserule_model::{
    Builtin, CheckedBinder, CheckedExpr, CheckedExprKind, CheckedOption, CheckedStmt, CheckedStmtKind,
    Choice, DomainKind, Model, Role, Type, Value, walk,
};

/// A number that is converted to an element of a range.
struct NumberConversion<'m> {
    number: &'m CheckedExpr,
    low: i64,
    high: i64,
}

impl RuntimeError {
    /// Returns the error as a message about the rule, like [`RuntimeError::diagnostic`], with details from
    /// the game. `state` is the state as the error left it, if there is one.
    pub fn diagnostic_in(&self, game: &Game, state: Option<&State>) -> Diagnostic {
        let diagnostic = self.diagnostic();
        match self.kind {
            RuntimeErrorKind::Budget if turns_pass(game.model(), state, self.span) => {
                endless_turns(game.model(), state, diagnostic)
            }
            RuntimeErrorKind::Budget => match choice_at(game.model(), self.span) {
                Some(choice) => stuck_choice(game.model(), state, choice, self.span, diagnostic),
                None => loops_around(game.model(), self.span, diagnostic),
            },
            RuntimeErrorKind::NoneIndex => index(game, state, self.span, diagnostic),
            RuntimeErrorKind::PayoffSum { .. } => payoffs(state, diagnostic),
            RuntimeErrorKind::OutOfRange { ref name, value, low, .. } if value < low => {
                match game.model().slots.iter().any(|slot| slot.name == *name && slot.role == Role::Copies) {
                    true => diagnostic.help(RuntimeErrorKind::too_few_copies(name)),
                    false => diagnostic,
                }
            }
            RuntimeErrorKind::Limit { .. } if may_take_detours(game.model()) => {
                diagnostic.help(RuntimeErrorKind::OVER_WITHOUT_DETOURS)
            }
            _ => diagnostic,
        }
    }
}

/// Returns `true` if an option can be marked as `deliberate` so that random players take others of its choice.
fn may_take_detours(model: &Model) -> bool {
    let unmarked = |choice: &Choice| choice.options.iter().filter(|one| !one.deliberate).count();
    model.choices.iter().any(|choice| unmarked(choice) > 1)
}

/// Minimum number of turns that pass without a decision when turns, and no loop in one, used up the budget.
const MANY_TURNS: u64 = 1000;

/// Maximum number of ends that are shown beside turns that pass for ever.
const ENDS_SHOWN: usize = 3;

/// Returns `true` if the budget ran out because turns or rounds follow each other without a decision. An executor then
/// stops between two turns, or at any expression of a turn.
fn turns_pass(model: &Model, state: Option<&State>, span: Span) -> bool {
    let between = model.turn.stmts.first().is_some_and(|first| {
        first.span == span
            && matches!(first.kind, CheckedStmtKind::Step { .. } | CheckedStmtKind::Roll { .. })
    });
    (between || state.is_some_and(turns_follow)) && choice_at(model, span).is_none()
}

/// Returns `true` if far more turns than decisions were taken.
fn turns_follow(state: &State) -> bool {
    state.turns() > MANY_TURNS + 2 * state.decisions()
}

/// Explains turns that pass for ever, and shows the ends that never came.
fn endless_turns(model: &Model, state: Option<&State>, mut diagnostic: Diagnostic) -> Diagnostic {
    let what = if model.rounds { "rounds" } else { "turns" };
    diagnostic.message =
        format!("the game goes on for ever: {what} pass without a decision and without an end");
    if let Some(first) = model.turn.stmts.first() {
        diagnostic.primary.span = first.span;
    }
    diagnostic = diagnostic.label(format!("these {what} repeat"));
    for end in model.ends.iter().take(ENDS_SHOWN) {
        diagnostic = diagnostic.also(end.when.span, "this condition of an end never held");
    }
    if let Some(state) = state.filter(|state| state.turns() > 0) {
        let (turns, decisions) = (counted(state.turns(), "turn"), counted(state.decisions(), "decision"));
        diagnostic =
            diagnostic.note(format!("{turns} and {decisions} were taken until the game was stopped"));
    }
    let mend = if model.ends.is_empty() {
        "add an `end … when …`"
    } else {
        "change what an `end` tests in each turn"
    };
    diagnostic.help(format!("{mend}, or write `end game` where nobody can act any more"))
}

/// Minimum number of combinations of a choice's option that are too many to look at.
const MANY: f64 = 1e5;

/// Returns the choice whose statement has a place.
fn choice_at(model: &Model, span: Span) -> Option<&Choice> {
    let mut found = None;
    for block in walk::all_blocks(model) {
        walk::stmts(model, block, &mut |stmt| {
            if let (CheckedStmtKind::Choose(choice), true) = (&stmt.kind, stmt.span == span) {
                found = Some(&model.choices[choice.index()]);
            }
        });
    }
    found
}

/// Explains a choice at which the budget ran out: an option has too many combinations, or no option is ever legal.
fn stuck_choice(
    model: &Model,
    state: Option<&State>,
    choice: &Choice,
    span: Span,
    mut diagnostic: Diagnostic,
) -> Diagnostic {
    let size = |binder: &CheckedBinder| {
        let size = f64::from(model.domains[binder.domain.index()].size);
        if binder.subset { size.exp2() } else { size }
    };
    let combinations = |option: &CheckedOption| {
        let later = option.binders.last().map_or(1.0, size).powi(steps_after(model, option) as i32);
        option.binders.iter().map(size).product::<f64>() * later
    };
    let large = choice.options.iter().find(|option| combinations(option) >= MANY);
    if let Some(option) = large {
        let name = &option.name;
        diagnostic.code = Code::LimitWork;
        diagnostic.message = format!(
            "the option `{name}` has too many combinations: a million were looked at for one decision"
        );
        if let Some(note) = subsets_note(model, state, option) {
            diagnostic = diagnostic.note(note);
        }
        return diagnostic.help(
            "choose among fewer: narrow the set before `where`, or choose one after the other, in a loop",
        );
    }
    let told = loops_around(model, span, diagnostic.clone());
    if !told.secondary.is_empty() {
        return told;
    }
    if state.is_some_and(|state| !turns_follow(state)) {
        diagnostic.code = Code::LimitWork;
        return costly_condition(model, choice, diagnostic)
            .help("let it look at less: fewer elements, smaller subsets, fewer levels of a define");
    }
    diagnostic.message =
        "the game goes on for ever: turns pass, and no player ever has a legal action here".to_owned();
    if let Some(turns) = state.map(State::turns).filter(|turns| *turns > 0) {
        let taken = if turns == 1 { "was" } else { "were" };
        let turns = counted(turns, "turn");
        diagnostic = diagnostic.note(format!("{turns} {taken} taken until the game was stopped"));
    }
    diagnostic
        .help("end the game when nobody can act: `otherwise { end game }`, or an `end … when` that tests it")
}

/// Names the option whose condition costs most, and its most expensive part.
fn costly_condition(model: &Model, choice: &Choice, mut diagnostic: Diagnostic) -> Diagnostic {
    let tried = |option: &CheckedOption| -> f64 {
        option.binders.iter().map(|binder| f64::from(model.domains[binder.domain.index()].size)).product()
    };
    let conditions = choice.options.iter().flat_map(|option| {
        let each = [&option.filter, &option.ensuring].into_iter().flatten();
        each.map(move |condition| (option, condition, tried(option) * work(model, condition)))
    });
    let Some((option, condition, _)) = conditions.max_by(|a, b| a.2.total_cmp(&b.2)) else {
        diagnostic.message = "these options look at too much for one decision".to_owned();
        return diagnostic;
    };
    diagnostic.message =
        format!("the condition of the option `{}` looks at too much for one decision", option.name);
    diagnostic.primary.span = condition.span;
    match costliest_part(model, condition) {
        Some(part) if !holds(condition.span, part.span) => diagnostic.also(part.span, "most of it is here"),
        _ => diagnostic,
    }
}

/// How much an expression looks at, at most: its parts, and what is repeated as often as it may be.
fn work(model: &Model, e: &CheckedExpr) -> f64 {
    let repeated = match &e.kind {
        CheckedExprKind::Quantified { local, body, .. }
        | CheckedExprKind::Filter { local, condition: body, .. } => match model.locals[local.index()].ty {
            Type::Element(domain) => Some((&**body, f64::from(model.domains[domain.index()].size))),
            _ => None,
        },
        _ => None,
    };
    let mut all = 1.0;
    walk::children(e, &mut |child| {
        let times = repeated.filter(|(body, _)| std::ptr::eq(*body, child)).map_or(1.0, |(_, times)| times);
        all += times * work(model, child);
    });
    all
}

/// The outermost part that is repeated for elements and looks at more than the rest of an expression.
fn costliest_part<'m>(model: &'m Model, e: &'m CheckedExpr) -> Option<&'m CheckedExpr> {
    let mut part = e;
    loop {
        if matches!(part.kind, CheckedExprKind::Quantified { .. } | CheckedExprKind::Filter { .. }) {
            return Some(part);
        }
        let mut most: Option<(&CheckedExpr, f64)> = None;
        walk::children(part, &mut |child| {
            let amount = work(model, child);
            if most.is_none_or(|(_, known)| amount > known) {
                most = Some((child, amount));
            }
        });
        part = most?.0;
    }
}

/// Returns the number of steps in which further elements of a subset are chosen, after the option itself.
fn steps_after(model: &Model, option: &CheckedOption) -> usize {
    let [CheckedStmt { kind: CheckedStmtKind::Choose(next), .. }] = option.body.stmts.as_slice() else {
        return 0;
    };
    let further = model.choices[next.index()].options.first().filter(|next| next.span == option.span);
    further.map_or(0, |next| 1 + steps_after(model, next))
}

/// Says how many subsets an option looks at: `sets of 5 out of 30 elements: 142,506`. Returns `None` if it binds no
/// subset element by element, or if the set can't be evaluated.
fn subsets_note(model: &Model, state: Option<&State>, option: &CheckedOption) -> Option<String> {
    let name = |binder: &CheckedBinder| &model.locals[binder.local.index()].name;
    let last = option.binders.last()?;
    let taken = option.binders.iter().rev().take_while(|one| name(one) == name(last)).count();
    let first = &option.binders[option.binders.len() - taken];
    let taken = taken + steps_after(model, option);
    let state = state?;
    let mover = match state.value(Builtin::Mover.slot(), 0) {
        Value::Element(Some(player)) => Seat(player),
        _ => Seat(0),
    };
    let mut local = false;
    walk::expr(&first.over, &mut |e| local |= matches!(e.kind, CheckedExprKind::Local(_)));
    let Ok(Value::Set(of)) = (if local { return None } else { evaluate(state, &first.over, mover) }) else {
        return None;
    };
    let all = of.iter().count() as u128;
    let sets = (0..taken as u128).fold(1u128, |sets, k| sets.saturating_mul(all.saturating_sub(k)) / (k + 1));
    (taken > 1).then(|| {
        format!("`{}` may be any {taken} of {all} elements: {} sets", name(last), grouped(sets as i128))
    })
}

/// Adds the unbounded loops around an endless loop, because the cause may be one of these. Without any loop, an expression or
/// a choice looks at too much.
fn loops_around(model: &Model, span: Span, mut diagnostic: Diagnostic) -> Diagnostic {
    let (mut around, mut is_loop) = (vec![], false);
    for block in walk::all_blocks(model) {
        walk::stmts(model, block, &mut |stmt| {
            let loops = matches!(
                stmt.kind,
                CheckedStmtKind::For { .. } | CheckedStmtKind::While { .. } | CheckedStmtKind::Repeat { .. }
            );
            is_loop |= loops && stmt.span == span;
            let unbounded =
                matches!(stmt.kind, CheckedStmtKind::While { .. } | CheckedStmtKind::Repeat { .. });
            if unbounded && stmt.span != span && holds(stmt.span, span) && !around.contains(&stmt.span) {
                around.push(stmt.span);
            }
        });
    }
    if around.is_empty() && !is_loop {
        diagnostic.code = Code::LimitWork;
        diagnostic.message = "this looks at too much: a million combinations for one decision".to_owned();
        return diagnostic.help("look at fewer: test first what few fulfil, or choose in several decisions");
    }
    if around.is_empty() {
        return diagnostic;
    }
    diagnostic.message =
        "this loop or one around it never ends: a million iterations without a decision".to_owned();
    // The innermost loop first.
    for span in around.into_iter().rev() {
        diagnostic = diagnostic.also(span, "or this one");
    }
    diagnostic.help("change something in each loop that its condition tests")
}

/// Adds the payoff of each player.
fn payoffs(state: Option<&State>, diagnostic: Diagnostic) -> Diagnostic {
    let Some(state) = state else { return diagnostic };
    let names = state.game().model().players.names.iter();
    let told: Vec<String> = names
        .enumerate()
        .filter_map(|(seat, name)| match state.value(Builtin::Payoff.slot(), seat) {
            Value::Number(payoff) => Some(format!("{name}: {payoff}")),
            _ => None,
        })
        .collect();
    diagnostic.note(told.join(", "))
}

/// Names the number that is no valid index, if the error is about one.
fn index(game: &Game, state: Option<&State>, span: Span, mut diagnostic: Diagnostic) -> Diagnostic {
    let model = game.model();
    let mut all = vec![];
    let mut look = |e: &CheckedExpr| {
        walk_numbered(model, e, span, &mut |numbered| {
            all.push((numbered.number.clone(), numbered.low, numbered.high));
        });
    };
    for block in walk::all_blocks(model) {
        walk::stmts(model, block, &mut |stmt| {
            walk::own_exprs(model, stmt).into_iter().for_each(&mut look);
        });
    }
    model.score.iter().for_each(|item| look(&item.value));
    model.payoff.iter().for_each(|payoff| look(&payoff.value));
    model.ends.iter().for_each(|end| look(&end.when));
    let found = all.iter().find_map(|(number, low, high)| {
        let number = state.and_then(|state| now(state, number))?;
        (!(*low..=*high).contains(&number)).then_some((number, *low, *high))
    });
    match (found, all.as_slice()) {
        (Some((number, low, high)), _) => {
            diagnostic.message = format!("{number} does not fit here: it has to be from {low} to {high}");
            let mend = format!("test the number before, or make it stay from {low} to {high}");
            diagnostic.help(match number {
                0 => format!("{mend}; dice are 0 until they are rolled"),
                _ => mend,
            })
        }
        // The values of locals are no longer known.
        (None, [(_, low, high), ..]) => {
            let note = format!("a number that is an index or an element here has to be from {low} to {high}");
            diagnostic.note(note).help("test the number, or ask `if … is some`, before")
        }
        (None, []) => diagnostic,
    }
}

/// Calls `found` for the numbers in an expression, within `span`, that are converted to elements of a range.
fn walk_numbered<'m>(
    model: &'m Model,
    e: &'m CheckedExpr,
    span: Span,
    found: &mut dyn FnMut(NumberConversion<'m>),
) {
    walk::expr(e, &mut |e| {
        let (CheckedExprKind::ElementOf(number), Type::Element(domain)) = (&e.kind, e.ty) else { return };
        let domain = &model.domains[domain.index()];
        let DomainKind::Range { low } = domain.kind else { return };
        if holds(span, e.span) {
            found(NumberConversion { number, low, high: low + i64::from(domain.size) - 1 });
        }
    });
}

/// Evaluates a number for the player to move. Returns `None` if it depends on locals.
fn now(state: &State, number: &CheckedExpr) -> Option<i64> {
    let mut local = false;
    walk::expr(number, &mut |e| local |= matches!(e.kind, CheckedExprKind::Local(_)));
    if local {
        return None;
    }
    let mover = match state.value(Builtin::Mover.slot(), 0) {
        Value::Element(Some(player)) => Seat(player),
        _ => Seat(0),
    };
    match evaluate(state, number, mover) {
        Ok(Value::Number(number)) => Some(number),
        _ => None,
    }
}

/// Returns `true` if one place in the rules contains another.
fn holds(outer: Span, inner: Span) -> bool {
    outer.file == inner.file && outer.start <= inner.start && inner.end <= outer.end
}
