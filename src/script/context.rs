//! The context in which a script function runs, with a copy of the state. There is one context for each thread.
//! It is free whenever a script begins to run, because no script calls another.

use std::cell::RefCell;
use std::ops::Range;
use std::sync::Arc;

use rhai::{Dynamic, EvalAltResult, INT};

use super::value::{Element, Set, SlotFamily, kind};
use super::words::GameNames;
use houserule_base::rng::Stream;
use houserule_model::board::{BitSet, Site};
use houserule_model::*;

/// Result type of registered functions.
pub(super) type ScriptResult<T> = Result<T, Box<EvalAltResult>>;

/// The message for an operation that isn't allowed.
pub(super) type RefusalMessage = String;

thread_local! {
    static CONTEXT: RefCell<ScriptContext> = RefCell::default();
}

/// A probable error in how a script puts or moves a piece.
#[derive(Clone, Copy, Debug)]
pub(super) enum Slip {
    /// The piece covers another.
    Covers,
    /// The piece falls off the board.
    Falls,
}

/// The context of a running script function, with a copy of the state.
#[derive(Default)]
pub(super) struct ScriptContext {
    words: Option<Arc<GameNames>>,
    places: StateLayout,
    state: Vec<u64>,
    /// The seat that acts.
    pub(super) me: u32,
    /// The script can't change the state.
    pub(super) only_reads: bool,
    /// The outcomes of the chance events so far. `asked` counts those that the script has used.
    drawn: Vec<u64>,
    asked: usize,
    /// The number of outcomes of the event whose outcome isn't known yet.
    wanted: Option<u64>,
    /// The words of the state that the caller's seat can't see; empty if it can see all.
    hidden: Vec<bool>,
    /// The players' scores, `None` for hidden ones; empty if the script doesn't read scores.
    scores: Vec<Option<i64>>,
    /// The script's own random stream, whose draws are not events of the game.
    own: Option<Stream>,
}

/// A state as one seat sees it.
#[derive(Clone, Copy, Debug)]
pub struct StateView<'a> {
    /// The layout of the state among the words.
    pub places: &'a StateLayout,
    /// The words of the state.
    pub words: &'a [u64],
    /// The words that the seat can't see; empty if it can see all.
    pub hidden: &'a [bool],
    /// The seat.
    pub me: Seat,
    /// The players' scores, `None` for hidden ones; empty if
    /// [`ScriptAgent::asks_scores`](super::ScriptAgent::asks_scores) returns `false`.
    pub scores: &'a [Option<i64>],
}

/// Sets up the context with a state and with the outcomes that are known so far in the call.
pub(super) fn lay(
    words: &Arc<GameNames>,
    places: &StateLayout,
    state: &[u64],
    me: u32,
    only_reads: bool,
    drawn: &[u64],
) {
    CONTEXT.with_borrow_mut(|context| {
        context.words = Some(words.clone());
        context.places.clone_from(places);
        context.state.clear();
        context.state.extend_from_slice(state);
        (context.me, context.only_reads) = (me, only_reads);
        context.drawn.clear();
        context.drawn.extend_from_slice(drawn);
        (context.asked, context.wanted, context.own) = (0, None, None);
        context.hidden.clear();
        context.scores.clear();
    });
}

/// Sets which words the caller's seat can't see.
pub(super) fn hide(hidden: &[bool]) {
    CONTEXT.with_borrow_mut(|context| context.hidden.extend_from_slice(hidden));
}

/// Sets up the context with the state that a seat sees and a random stream.
pub(super) fn lay_sight(words: &Arc<GameNames>, sight: &StateView<'_>, own: Option<Stream>) {
    lay(words, sight.places, sight.words, sight.me.0, true, &[]);
    hide(sight.hidden);
    CONTEXT.with_borrow_mut(|context| {
        context.scores.extend_from_slice(sight.scores);
        context.own = own;
    });
}

/// Takes the random stream back.
pub(super) fn own() -> Option<Stream> {
    CONTEXT.with_borrow_mut(|context| context.own.take())
}

/// Returns the number of outcomes of the chance event that the script waits for.
pub(super) fn wanted() -> Option<u64> {
    CONTEXT.with_borrow(|context| context.wanted)
}

/// Copies the state that the script has changed to `state`.
pub(super) fn take(state: &mut [u64]) {
    CONTEXT.with_borrow(|context| state.copy_from_slice(&context.state));
}

/// Clears the context.
pub(super) fn clear() {
    CONTEXT.with_borrow_mut(|context| context.words = None);
}

/// Calls a function with the context.
pub(super) fn at<T>(
    f: impl FnOnce(&mut ScriptContext, &GameNames) -> Result<T, RefusalMessage>,
) -> ScriptResult<T> {
    let said = CONTEXT.with_borrow_mut(|context| {
        let Some(words) = context.words.take() else { return Err("there is no game here".to_owned()) };
        let said = f(context, &words);
        context.words = Some(words);
        said
    });
    said.map_err(Into::into)
}

impl ScriptContext {
    /// Returns one of `outcomes` outcomes. Ends the call if it isn't known yet.
    pub(super) fn draw(outcomes: u64) -> ScriptResult<u64> {
        let drawn = at(|context, _| {
            if let Some(own) = &mut context.own {
                return Ok(Some(if outcomes < 2 { 0 } else { own.below(outcomes) }));
            }
            if context.only_reads {
                return Err(
                    "nothing can be drawn at random here: this function only answers a question".to_owned()
                );
            }
            if outcomes > MOST_OUTCOMES {
                return Err(format!("{outcomes} outcomes are too many: {MOST_OUTCOMES} is the most"));
            }
            if outcomes < 2 {
                return Ok(Some(0));
            }
            if context.asked >= MOST_DRAWS {
                return Err(format!(
                    "a call can leave at most {MOST_DRAWS} things to chance; let the rules roll or pick the rest"
                ));
            }
            let outcome = context.drawn.get(context.asked).copied();
            context.asked += 1;
            if outcome.is_none() {
                context.wanted = Some(outcomes);
            }
            Ok(outcome)
        })?;
        // A termination can't be caught by the script.
        let waits = || EvalAltResult::ErrorTerminated(Dynamic::UNIT, rhai::Position::NONE);
        drawn.ok_or_else(|| waits().into())
    }

    // ---- reading ----

    fn first(&self, words: &GameNames, slot: SlotId) -> Result<usize, RefusalMessage> {
        let first = self.places.slots.get(slot.index()).copied().flatten();
        first.map(usize::from).ok_or_else(|| format!("`{}` is not kept in this game", words.slot(slot).name))
    }

    pub(super) fn value(
        &self,
        words: &GameNames,
        slot: SlotId,
        place: usize,
    ) -> Result<Value, RefusalMessage> {
        let at = self.words_of(words, slot, place)?;
        if self.hidden.get(at.start).copied().unwrap_or(false) {
            return Err(unseen(words, slot));
        }
        self.any_value(words, slot, at)
    }

    /// Returns the number of elements in a zone, which everybody may count, or in another set if the seat can
    /// see it.
    pub(super) fn count(&self, words: &GameNames, family: SlotFamily) -> Result<i64, RefusalMessage> {
        let slot = words.slot(family.slot);
        // A zone of copies has a count for each kind.
        let zones = slot.index.len() - usize::from(slot.role == Role::Copies);
        if family.known < zones {
            let domain = domain_name(words, slot.index[family.known]);
            return Err(format!("there is a `{}` for each {domain}: name one", slot.name));
        }
        let kinds = slot.index[family.known..].first().map_or(1, |domain| words.size(*domain) as usize);
        let value = |place: usize| {
            if is_counted(slot) {
                let at = self.words_of(words, family.slot, place)?;
                return self.any_value(words, family.slot, at);
            }
            self.value(words, family.slot, place)
        };
        let mut sum = 0i64;
        for place in family.place * kinds..(family.place + 1) * kinds {
            sum += match value(place)? {
                Value::Set(set) => set.len().into(),
                Value::Number(number) if slot.role == Role::Copies => number,
                _ => return Err(format!("`{}` is no zone and no set", slot.name)),
            };
        }
        Ok(sum)
    }

    /// Returns a player's score.
    pub(super) fn score(&self, words: &GameNames, player: Seat) -> Result<i64, RefusalMessage> {
        self.scores.get(player.index()).copied().flatten().ok_or_else(|| {
            let name = words.model.element_name(PLAYER, player.0);
            format!("your seat can't see the score of {name}: it counts what is hidden")
        })
    }

    /// Returns the range of the words of a value in the state.
    fn words_of(
        &self,
        words: &GameNames,
        slot: SlotId,
        place: usize,
    ) -> Result<Range<usize>, RefusalMessage> {
        let len = usize::from(value_len(self.places.width, words.slot(slot).content));
        let at = self.first(words, slot)? + place * len;
        Ok(at..at + len)
    }

    fn any_value(&self, words: &GameNames, slot: SlotId, at: Range<usize>) -> Result<Value, RefusalMessage> {
        let content = words.slot(slot).content;
        let size = match content {
            Content::Set(domain) => words.size(domain),
            _ => 0,
        };
        match self.state.get(at) {
            Some(state) => Ok(value_of_words(content, size, state)),
            None => Err("that lies outside of the state".to_owned()),
        }
    }

    fn put_value(
        &mut self,
        words: &GameNames,
        slot: SlotId,
        place: usize,
        value: &Value,
    ) -> Result<(), RefusalMessage> {
        let len = usize::from(value_len(self.places.width, words.slot(slot).content));
        let at = self.first(words, slot)? + place * len;
        match self.state.get_mut(at..at + len) {
            Some(state) => state.copy_from_slice(&value_words(self.places.width, value)),
            None => return Err("that lies outside of the state".to_owned()),
        }
        Ok(())
    }

    pub(super) fn set_of(
        &self,
        words: &GameNames,
        slot: SlotId,
        place: usize,
    ) -> Result<BitSet, RefusalMessage> {
        match self.value(words, slot, place)? {
            Value::Set(set) => Ok(set),
            _ => Err(format!("`{}` holds no set", words.slot(slot).name)),
        }
    }

    /// Returns the union of the zones of a family, or of the sites where its pieces stand. In a zone of copies
    /// these are the kinds with a count above 0.
    pub(super) fn union(&self, words: &GameNames, family: SlotFamily) -> Result<Set, RefusalMessage> {
        let slot = words.slot(family.slot);
        let places = || {
            let rest = &slot.index[family.known..];
            let each: usize = rest.iter().map(|domain| words.size(*domain) as usize).product();
            family.place * each..(family.place + 1) * each
        };
        match (slot.role, slot.content, slot.index.last().copied()) {
            // The last index is the kind.
            (Role::Copies, _, Some(domain)) if family.known < slot.index.len() => {
                let size = words.size(domain);
                let mut bits = BitSet::empty(size);
                for place in places() {
                    if matches!(self.value(words, family.slot, place)?, Value::Number(1..)) {
                        bits.insert((place % size as usize) as u32);
                    }
                }
                Ok(Set { domain, bits })
            }
            (_, Content::Set(domain), _) => {
                let mut bits = BitSet::empty(words.size(domain));
                for place in places() {
                    bits = bits.union(&self.set_of(words, family.slot, place)?);
                }
                Ok(Set { domain, bits })
            }
            _ => Err(format!("`{}` is no set", slot.name)),
        }
    }

    /// Returns the value of a slot for scripts, or the family if indices are missing.
    pub(super) fn read(&self, words: &GameNames, family: SlotFamily) -> Result<Dynamic, RefusalMessage> {
        let slot = words.slot(family.slot);
        let lone = matches!(slot.role, Role::Dice { count: 1, .. }) && family.known + 1 == slot.index.len();
        if family.known < slot.index.len() && !lone {
            return Ok(Dynamic::from(family));
        }
        let value = self.value(words, family.slot, family.place)?;
        Ok(match (value, slot.content) {
            (Value::Element(Some(number)), Content::Element { domain, .. }) => element(words, domain, number),
            (Value::Set(bits), Content::Set(domain)) => Dynamic::from(Set { domain, bits }),
            (Value::Number(number), _) => Dynamic::from_int(number),
            (Value::Bool(value), _) => Dynamic::from_bool(value),
            _ => Dynamic::UNIT,
        })
    }

    /// Returns a family with one more index given.
    pub(super) fn index(
        words: &GameNames,
        family: SlotFamily,
        index: &Dynamic,
    ) -> Result<SlotFamily, RefusalMessage> {
        let slot = words.slot(family.slot);
        let Some(domain) = slot.index.get(family.known).copied() else {
            return Err(match slot.index.len() {
                0 => format!("`{}` has no index", slot.name),
                1 => format!("`{}` has one index, and here it has more", slot.name),
                many => format!("`{}` has {many} indices, and here it has more", slot.name),
            });
        };
        let number = element_of(words, index, domain)
            .map_err(|why| format!("`{}` is indexed by {}: {why}", slot.name, domain_name(words, domain)))?;
        let place = family.place * words.size(domain) as usize + number as usize;
        Ok(SlotFamily { known: family.known + 1, place, ..family })
    }

    // ---- changing ----

    pub(super) fn may_change(&self) -> Result<(), RefusalMessage> {
        match self.only_reads {
            true => Err("nothing can be changed here: this function only answers a question".to_owned()),
            false => Ok(()),
        }
    }

    /// Assigns a value to a variable.
    pub(super) fn write(
        &mut self,
        words: &GameNames,
        family: SlotFamily,
        value: &Dynamic,
    ) -> Result<(), RefusalMessage> {
        let slot = words.slot(family.slot);
        let whole = family.known == slot.index.len() && slot.role == Role::Variable;
        // Rhai assigns values back after a method call such as `g.hand[g.me].count()`. That changes nothing.
        if (self.only_reads || !whole) && self.read(words, family).is_ok_and(|now| same(&now, value)) {
            return Ok(());
        }
        self.may_change()?;
        let name = &slot.name;
        if family.known < slot.index.len() {
            return Err(format!(
                "`{name}` has a value for each {}: name one with `g.{name}[…]`",
                domain_name(words, slot.index[family.known])
            ));
        }
        match slot.role {
            Role::Variable => {}
            Role::Piece(_) => {
                return Err(format!(
                    "`{name}` is a piece: `g.put(\"{name}\", …)` and `g.clear(…)` change where it is"
                ));
            }
            Role::Dice { .. } => {
                return Err(format!(
                    "dice are rolled by the rules: `roll {name}`; `g.roll(6)` is a number of its own"
                ));
            }
            Role::Zone | Role::Copies => return Err(format!("what lies in `{name}` is moved by the rules")),
            _ => return Err(format!("`{name}` is counted by the game itself, and can't be changed")),
        }
        let wrong = |wanted: &str| format!("`{name}` holds {wanted}, not {}", kind(value));
        let value = match slot.content {
            Content::Number { low, high } => {
                let number = value.as_int().map_err(|_| wrong("a number"))?;
                if number < low || number > high {
                    return Err(format!("`{name}` would become {number}, but it holds {low}..{high}"));
                }
                Value::Number(number)
            }
            Content::Bool => Value::Bool(value.as_bool().map_err(|_| wrong("true or false"))?),
            Content::Element { optional, .. } if value.is_unit() => match optional {
                true => Value::Element(None),
                false => return Err(format!("`{name}` can't be none; declare it with a `?`")),
            },
            Content::Element { domain, .. } => Value::Element(Some(
                element_of(words, value, domain).map_err(|why| format!("`{name}`: {why}"))?,
            )),
            Content::Set(domain) => {
                let set = set_in(self, words, value, domain).map_err(|why| format!("`{name}`: {why}"))?;
                Value::Set(set)
            }
        };
        self.put_value(words, family.slot, family.place, &value)
    }

    /// Removes the pieces on some sites of a board.
    pub(super) fn clear_sites(
        &mut self,
        words: &GameNames,
        board: &Board,
        place: usize,
        sites: &BitSet,
    ) -> Result<(), RefusalMessage> {
        self.may_change()?;
        for piece in &board.pieces {
            for at in pieces_at(words, board, *piece, place) {
                let standing = self.set_of(words, *piece, at)?.minus(sites);
                self.put_value(words, *piece, at, &Value::Set(standing))?;
            }
        }
        let freed = sites.intersect(&board.sites_of(place));
        let empty = self.set_of(words, board.empty, place)?.union(&freed);
        self.put_value(words, board.empty, place, &Value::Set(empty))
    }

    /// Puts a piece on some sites and replaces the pieces there.
    pub(super) fn put_piece(
        &mut self,
        words: &GameNames,
        board: &Board,
        piece: SlotFamily,
        sites: &BitSet,
    ) -> Result<(), RefusalMessage> {
        let place = place_of(words, board, piece);
        // A smaller board of a family lacks some sites.
        let sites = &sites.intersect(&board.sites_of(place));
        self.clear_sites(words, board, place, sites)?;
        let standing = self.set_of(words, piece.slot, piece.place)?.union(sites);
        self.put_value(words, piece.slot, piece.place, &Value::Set(standing))?;
        let empty = self.set_of(words, board.empty, place)?.minus(sites);
        self.put_value(words, board.empty, place, &Value::Set(empty))
    }

    /// Increments a counter for `houserule check`. The game it plays keeps these counters after the slots that
    /// the script knows, in the order of [`Slip`]. Other games have none.
    pub(super) fn slip(&mut self, words: &GameNames, what: Slip) {
        let counter = words.model.slots.len() + what as usize;
        if let Some(Some(at)) = self.places.slots.get(counter)
            && let Some(count) = self.state.get_mut(usize::from(*at))
        {
            *count = count.saturating_add(1);
        }
    }

    /// Returns `true` if the game counts the slips that [`ScriptContext::slip`] reports.
    pub(super) fn counts_slips(&self, words: &GameNames) -> bool {
        self.places.slots.len() > words.model.slots.len()
    }

    /// Returns `true` if a piece on some sites would cover another.
    pub(super) fn covers(
        &self,
        words: &GameNames,
        board: &Board,
        piece: SlotFamily,
        sites: &BitSet,
    ) -> Result<bool, RefusalMessage> {
        let free = self.set_of(words, board.empty, place_of(words, board, piece))?;
        let own = self.set_of(words, piece.slot, piece.place)?;
        Ok(!sites.minus(&free).minus(&own).is_empty())
    }

    /// Returns the piece on a site.
    pub(super) fn standing(
        &self,
        words: &GameNames,
        board: &Board,
        place: usize,
        site: Site,
    ) -> Result<Option<SlotFamily>, RefusalMessage> {
        for piece in &board.pieces {
            for at in pieces_at(words, board, *piece, place) {
                if self.set_of(words, *piece, at)?.contains(site.0) {
                    let known = words.slot(*piece).index.len();
                    return Ok(Some(SlotFamily { slot: *piece, known, place: at }));
                }
            }
        }
        Ok(None)
    }
}

/// Returns `true` if everybody may count the elements in a zone, though not everybody sees them.
fn is_counted(slot: &Slot) -> bool {
    matches!(slot.role, Role::Zone | Role::Copies) && slot.visibility != Visibility::All
}

/// Returns `true` if two sets, elements or families are equal. These are the types that a chain of calls may
/// assign back.
fn same(a: &Dynamic, b: &Dynamic) -> bool {
    if let (Some(a), Some(b)) = (a.read_lock::<Set>(), b.read_lock::<Set>()) {
        return *a == *b;
    }
    if let (Some(a), Some(b)) = (a.clone().try_cast::<Element>(), b.clone().try_cast::<Element>()) {
        return a == b;
    }
    if let (Some(a), Some(b)) = (a.clone().try_cast::<SlotFamily>(), b.clone().try_cast::<SlotFamily>()) {
        return a == b;
    }
    false
}

/// Returns the message for a slot that the seat can't see.
fn unseen(words: &GameNames, slot: SlotId) -> RefusalMessage {
    let slot = words.slot(slot);
    match slot.role {
        Role::Empty(board) => {
            format!("your seat can't see what is empty on `{}`", words.model.boards[board.index()].name)
        }
        _ if is_counted(slot) => {
            let zones = slot.index.len() - usize::from(slot.role == Role::Copies);
            let index = ", INDEX".repeat(zones);
            format!(
                "your seat can't see `{name}`; `g.count(\"{name}\"{index})` says how many lie there",
                name = slot.name
            )
        }
        _ => format!("your seat can't see `{}`", slot.name),
    }
}

/// Returns the number of index combinations of a piece on each board of a family.
fn own_places(words: &GameNames, board: &Board, piece: SlotId) -> usize {
    let own = &words.slot(piece).index[board.index.len()..];
    own.iter().map(|domain| words.size(*domain) as usize).product()
}

/// Returns the place of a piece's board in its family.
fn place_of(words: &GameNames, board: &Board, piece: SlotFamily) -> usize {
    piece.place / own_places(words, board, piece.slot).max(1)
}

fn pieces_at(words: &GameNames, board: &Board, piece: SlotId, place: usize) -> std::ops::Range<usize> {
    let own = own_places(words, board, piece);
    place * own..(place + 1) * own
}

/// Converts an element for scripts. An element of a range becomes its number.
pub(super) fn element(words: &GameNames, domain: DomainId, number: u32) -> Dynamic {
    match words.lows[domain.index()] {
        Some(low) => Dynamic::from_int(low + INT::from(number)),
        None => Dynamic::from(Element { domain, number }),
    }
}

pub(super) fn domain_name(words: &GameNames, domain: DomainId) -> String {
    format!("`{}`", words.model.domains[domain.index()].name)
}

/// Converts a script value to an element of a domain.
pub(super) fn element_of(
    words: &GameNames,
    value: &Dynamic,
    domain: DomainId,
) -> Result<u32, RefusalMessage> {
    let size = words.size(domain);
    if let Some(low) = words.lows[domain.index()] {
        let number = value.as_int().map_err(|_| format!("expected a number, found {}", kind(value)))?;
        let place = number.checked_sub(low).and_then(|place| u32::try_from(place).ok());
        let high = low + i64::from(size) - 1;
        return place
            .filter(|place| *place < size)
            .ok_or_else(|| format!("{number} is not in {low}..{high}"));
    }
    let Some(element) = value.clone().try_cast::<Element>() else {
        let name = domain_name(words, domain);
        let found = kind(value);
        let how = match (value.is_string(), &words.model.domains[domain.index()].kind) {
            (false, _) => String::new(),
            (true, DomainKind::Enum(_) | DomainKind::Player) => "; an element is written `g.NAME`".to_owned(),
            (true, _) => format!("; an element is written `g.element(\"{value}\")`"),
        };
        return Err(format!("expected an element of {name}, found {found}{how}"));
    };
    if element.domain != domain {
        let (is, wanted) = (domain_name(words, element.domain), domain_name(words, domain));
        let name = words.model.element_name(element.domain, element.number);
        return Err(format!("expected an element of {wanted}, and {name} is one of {is}"));
    }
    Ok(element.number)
}

/// Converts a script value to a set over a domain: a set, a zone or piece, a list of elements, an element, or
/// none.
pub(super) fn set_in(
    context: &ScriptContext,
    words: &GameNames,
    value: &Dynamic,
    domain: DomainId,
) -> Result<BitSet, RefusalMessage> {
    let size = words.size(domain);
    if value.is_unit() {
        return Ok(BitSet::empty(size));
    }
    if let Some(set) = whole_set(context, words, value) {
        let set = set?;
        if set.domain == domain {
            return Ok(set.bits);
        }
        let (is, wanted) = (domain_name(words, set.domain), domain_name(words, domain));
        return Err(format!("expected a set of {wanted}, found a set of {is}"));
    }
    if let Ok(list) = value.as_array_ref() {
        let mut set = BitSet::empty(size);
        for value in list.iter() {
            set.insert(element_of(words, value, domain)?);
        }
        return Ok(set);
    }
    let element =
        element_of(words, value, domain).map_err(|why| match why.strip_prefix("expected an element") {
            Some(rest) if rest.contains(", found ") => format!("expected a set or an element{rest}"),
            _ => why,
        })?;
    Ok(BitSet::single(size, element))
}

/// Converts a script value to a set over any domain. A list must have an element, which gives the domain.
pub(super) fn set_of(
    context: &ScriptContext,
    words: &GameNames,
    value: &Dynamic,
) -> Result<Set, RefusalMessage> {
    if let Some(set) = whole_set(context, words, value) {
        return set;
    }
    let first = match value.as_array_ref() {
        Ok(list) => list.first().cloned().ok_or("an empty list doesn't say what it is a set of")?,
        Err(_) => value.clone(),
    };
    let Some(element) = first.try_cast::<Element>() else {
        return Err(format!("expected a set, found {}", kind(value)));
    };
    Ok(Set { domain: element.domain, bits: set_in(context, words, value, element.domain)? })
}

/// Returns the set of a value that is a set or a family. Returns `None` for elements, lists and other values.
fn whole_set(
    context: &ScriptContext,
    words: &GameNames,
    value: &Dynamic,
) -> Option<Result<Set, RefusalMessage>> {
    if let Some(family) = value.read_lock::<SlotFamily>() {
        return Some(context.union(words, *family));
    }
    value.clone().try_cast::<Set>().map(Ok)
}
