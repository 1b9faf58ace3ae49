//! Watches runs of a game instruction by instruction, for the course of a game: where elements on their way went and who
//! saw them, draws that could come out in one way only, choices without a legal option, turns without a decision, and
//! the moments between which it is told what moved. These are the ends of statements of the rules, since players see what
//! each statement changes.
//!
//! Depends on visibility and on compiled programs.

use std::collections::HashMap;
use std::ops::Range;

use super::super::hidden_copies::kinds;
use super::super::information::ShownElements;
use super::super::knowledge::{sees, slots};
use super::super::moved::FirstPlace;
use super::super::moved_unseen::DrawnWay;
use super::statements::ToldStatements;
use crate::{Event, Game, Seat, State};
use houserule_language::diagnostic::Span;
use houserule_machine::program::{Instruction, PENDING, Phase, StopKind};
use houserule_machine::run::{ExecutedInstruction, Watch};
use houserule_model::{Builtin, ChoiceId, Content, DomainId, Model, Role, SlotId, value_len};

/// A place of a zone, and the word of the frame at which it begins.
#[derive(Clone, Copy, Debug)]
struct ZonePlace {
    slot: SlotId,
    place: usize,
    at: usize,
    /// The number of words.
    len: usize,
    copies: bool,
}

impl ZonePlace {
    /// The number of copies of an element that lie here.
    fn lying(&self, words: &[u64], element: u32) -> u64 {
        let element = element as usize;
        match self.copies {
            true => words[self.at + element],
            false => words[self.at + element / 64] >> (element % 64) & 1,
        }
    }
}

/// An element that was drawn or chosen, on its way.
#[derive(Clone, Debug)]
pub(super) struct OnTheWay {
    item: usize,
    domain: DomainId,
    element: u32,
    /// How many lay at each place of the domain.
    lay: Vec<u64>,
    /// Where it went first.
    pub(super) went: Option<(SlotId, usize)>,
    /// For each seat, whether it saw it lie open.
    shown: Vec<bool>,
    /// Whether it was drawn, and not chosen.
    pub(super) drawn: bool,
    /// The statement that drew it.
    by: Option<Span>,
    /// Where it lay when it was drawn, once it has left that place.
    left: Option<(SlotId, usize)>,
    /// Whether the statement that drew it laid it where it went.
    laid: bool,
    /// Whether it went back to the place that it left.
    stays: bool,
}

/// Where a drawn element went.
pub(super) struct Drawn {
    pub(super) item: usize,
    pub(super) domain: DomainId,
    pub(super) element: u32,
    pub(super) went: Option<(SlotId, usize)>,
    /// Whether the statement that drew it laid it there, as all can count.
    pub(super) laid: bool,
    /// Whether it lies where it lay.
    pub(super) stays: bool,
    pub(super) shown: Vec<bool>,
}

/// What happened between two events.
#[derive(Clone, Copy, Debug)]
pub(super) enum Found {
    /// A draw could come out in one way only.
    Certain {
        /// The player who acted.
        turn: Option<Seat>,
        /// The number of finished turns.
        turns: u64,
    },
    /// A choice had no legal option, so that its `otherwise` was entered.
    NoOption {
        /// The player who would have chosen.
        seat: Seat,
        /// The choice.
        choice: ChoiceId,
        /// The number of finished turns.
        turns: u64,
        /// The number of the round, if the program keeps it.
        round: u64,
    },
    /// A turn ended in which its player could decide nothing.
    Pass {
        /// The player.
        seat: Seat,
        /// The choice whose `otherwise` has told it already, to those who may know.
        told: Option<ChoiceId>,
        /// The number of turns that were finished before this one.
        turns: u64,
    },
}

/// A moment within a run. What moved before it is told before it.
#[derive(Clone, Debug)]
pub(super) struct NotedMoment {
    /// The item of the course that comes next.
    pub(super) before: usize,
    /// The frame.
    pub(super) words: Vec<u64>,
    /// The player whose turn it was until then.
    pub(super) turn: Option<Seat>,
    /// The player who acted in an `as` block.
    pub(super) acting: Option<Seat>,
    /// The number of turns that were finished before that one.
    pub(super) turns: u64,
    /// Whether that was still the turn in which the run began.
    pub(super) same_turn: bool,
    /// Whether it isn't clear from the numbers at the places what went where, as when two zones are swapped.
    pub(super) unclear: bool,
    /// Whether the statement before it swapped two zones of elements, as everybody sees.
    pub(super) exchanges: bool,
}

impl NotedMoment {
    /// Returns `true` if nothing else is told between this moment and the next one.
    pub(super) fn goes_on(&self, next: &NotedMoment) -> bool {
        let place = |one: &NotedMoment| (one.before, one.turn, one.acting, one.turns, one.same_turn);
        place(self) == place(next)
    }
}

/// Most moments of a run that are noted.
const MOST_CUTS: usize = 200;

/// Watches runs of a game.
#[derive(Clone, Debug)]
pub(super) struct Watcher {
    game: Game,
    /// Where turns begin in the program, and whether these are rounds.
    turn_at: usize,
    rounds: bool,
    /// Where the frame has the seats still to come in a round.
    to_come: Option<usize>,
    /// The domain of each stop that is a pick.
    pick_domains: Vec<Option<DomainId>>,
    /// The places of the zones of each domain.
    places: Vec<Vec<ZonePlace>>,
    /// Where the frame has what players know of zones, and what the rules have shown to players.
    shown_at: Vec<Range<usize>>,
    /// The statement of the current instruction.
    span: Option<Span>,
    /// What matters of statements for what is told of them.
    statements: ToldStatements,
    /// The player who acts in each `as` block that was entered, or did last.
    acting: HashMap<Span, Seat>,
    /// The number of trials under way, whose moves are taken back.
    trials: u32,
    /// Where drawn elements went since the last stop that was told.
    ways: Vec<DrawnWay>,
    /// The items of these draws, each with the frame after the statement in which the element went.
    after_draws: Vec<(usize, Vec<u64>)>,
    /// For each domain, the seats that see all zones that the program doesn't keep; empty if it keeps all.
    unkept: Vec<Vec<bool>>,
    mover_at: Option<usize>,
    /// Where the frame has the number of the round.
    round_at: Option<usize>,
    pub(super) on_the_way: Vec<OnTheWay>,
    pub(super) found: Vec<Found>,
    /// The number of items of the course.
    pub(super) items: usize,
    /// Moments of the run, first to last.
    pub(super) cuts: Vec<NotedMoment>,
    /// Whether the setup is under way.
    pub(super) in_setup: bool,
    /// What lay in the zones at the last moment that was noted; `None` before the game.
    lay: Option<Vec<u64>>,
    /// Whether a turn ended since the run began.
    turn_ended: bool,
    /// The number of items found when `chance … given` began, and of moments.
    given: usize,
    given_cuts: usize,
    /// The number of seats still to come in a round, before the current instruction.
    left_to_come: u32,
    /// The mover before the current instruction.
    mover: u64,
    /// The mover when the turn began.
    turn_of: u64,
    in_turn: bool,
    /// The number of finished turns.
    pub(super) turns: u64,
    /// Whether somebody decided in this turn.
    decided: bool,
    /// Whether something else that is told happened since this turn's last decision.
    happened: bool,
    /// Whether the rules came to a choice since this turn's last decision.
    asked: bool,
    /// Whether the last of these choices was that of the player whose turn it was.
    asked_mover: bool,
    /// The last choice to which the rules came since then, and its player, as long as nothing was chosen.
    choosing: Option<(ChoiceId, Seat)>,
    /// The last choice since then of the player whose turn it was, if it had no legal option.
    without: Option<ChoiceId>,
}

impl Watcher {
    pub(super) fn new(game: &Game) -> Watcher {
        let model = game.model();
        let width = usize::from(game.program().width);
        let players = model.players.count as usize;
        let mut places = vec![vec![]; model.domains.len()];
        let mut unkept: Vec<Vec<bool>> = vec![vec![]; model.domains.len()];
        for (id, slot) in slots(model) {
            let (domain, each, copies) = match (slot.role, slot.content, slot.index.last()) {
                (Role::Zone, Content::Set(domain), _) => (domain, 1, false),
                (Role::Copies, _, Some(domain)) => (*domain, kinds(model, slot), true),
                _ => continue,
            };
            let Some(first) = game.slots()[id.index()] else {
                let sees_all =
                    |seat| (0..slot.initial.len()).all(|place| sees(model, slot, place, Seat(seat)));
                let seers = (0..players as u32).map(sees_all);
                let known = &mut unkept[domain.index()];
                known.resize(players, true);
                known.iter_mut().zip(seers).for_each(|(known, sees)| *known &= sees);
                continue;
            };
            let words = if copies { each } else { width };
            places[domain.index()].extend((0..slot.initial.len() / each).map(|place| ZonePlace {
                slot: id,
                place,
                at: usize::from(first) + place * words,
                len: words,
                copies,
            }));
        }
        let shown_at = slots(model).filter(|(id, slot)| {
            matches!(slot.role, Role::Known | Role::KnownCopies(_) | Role::Place | Role::SeenPlace)
                || model.shown_values.iter().any(|(_, shown)| shown == id)
        });
        let shown_at = shown_at.filter_map(|(id, slot)| {
            let first = usize::from(game.slots()[id.index()]?);
            let each = usize::from(value_len(game.program().width, slot.content));
            Some(first..first + each * slot.initial.len())
        });
        let shown_at = shown_at.collect();
        let program = game.program();
        let word = |builtin: Builtin| game.slots()[builtin.slot().index()].map(usize::from);
        let domain = |kind: &StopKind| match kind {
            StopKind::Pick { domain, .. } => Some(DomainId(*domain)),
            _ => None,
        };
        Watcher {
            turn_at: program.turn.0.into(),
            rounds: model.rounds,
            to_come: word(Builtin::ToCome).filter(|_| model.rounds),
            pick_domains: program.stops.iter().map(|stop| domain(&stop.kind)).collect(),
            places,
            shown_at,
            span: None,
            statements: ToldStatements::new(model),
            acting: HashMap::new(),
            trials: 0,
            ways: vec![],
            after_draws: vec![],
            unkept,
            mover_at: word(Builtin::Mover),
            round_at: word(Builtin::Round),
            on_the_way: vec![],
            found: vec![],
            items: 0,
            cuts: vec![],
            in_setup: true,
            lay: None,
            turn_ended: false,
            given: 0,
            given_cuts: 0,
            left_to_come: 0,
            mover: 0,
            turn_of: 0,
            in_turn: false,
            turns: 0,
            decided: false,
            happened: false,
            asked: false,
            asked_mover: false,
            choosing: None,
            without: None,
            game: game.clone(),
        }
    }

    fn mover(&self, words: &[u64]) -> u64 {
        self.mover_at.map_or(0, |at| words[at])
    }

    /// The player whose turn it is.
    pub(super) fn turn(&self, words: &[u64]) -> Option<Seat> {
        self.in_turn.then(|| Seat(self.mover(words) as u32))
    }

    /// The player who acts in the `as` block around a statement, if everybody knows who that is.
    fn acting(&self, stmt: Option<Span>) -> Option<Seat> {
        let act = stmt.filter(|_| !self.in_setup).and_then(|stmt| self.statements.act_around(stmt))?;
        self.acting.get(&act).copied()
    }

    /// The player who acts where a frame has stopped for chance.
    pub(super) fn actor_of_chance(&self, words: &[u64]) -> Option<Seat> {
        self.acting(self.statement_of_stop(words)).or_else(|| self.turn(words))
    }

    /// Prepares for the run after an event.
    pub(super) fn begin_event(&mut self, item: usize, before: &State, event: &Event) {
        self.items = item + 1;
        self.turn_ended = false;
        self.trials = 0;
        match event {
            Event::Action { action, .. } => {
                (self.decided, self.happened, self.asked) = (true, false, false);
                (self.choosing, self.without) = (None, None);
                for bound in before.game().action_bindings(*action) {
                    let (domain, elements) = bound.elements();
                    for element in elements {
                        self.sets_out(item, domain, element, before.words());
                    }
                }
            }
            Event::Pick { domain, element } => {
                self.happened = true;
                let by = self.statement_of_stop(before.words());
                self.sets_out_drawn(item, *domain, *element, before.words(), by);
            }
            Event::Roll { .. } | Event::Draw { .. } => self.happened = true,
        }
    }

    /// Returns the statement at which a frame has stopped.
    fn statement_of_stop(&self, words: &[u64]) -> Option<Span> {
        let program = self.game.program();
        let stop = usize::try_from(words[usize::from(PENDING)]).ok()?.checked_sub(1)?;
        program.spans.get(usize::from(program.stops.get(stop)?.at.0)).copied()
    }

    /// Follows an element that an action binds.
    pub(super) fn sets_out(&mut self, item: usize, domain: DomainId, element: u32, words: &[u64]) {
        self.follow(item, domain, element, words, None);
    }

    /// Follows an element that a statement has drawn.
    fn sets_out_drawn(
        &mut self,
        item: usize,
        domain: DomainId,
        element: u32,
        words: &[u64],
        by: Option<Span>,
    ) {
        let known = self.on_the_way.len();
        self.follow(item, domain, element, words, by);
        self.on_the_way[known..].iter_mut().for_each(|one| one.drawn = true);
    }

    fn follow(&mut self, item: usize, domain: DomainId, element: u32, words: &[u64], by: Option<Span>) {
        let lay =
            self.places[domain.index()].iter().map(|place| place.lying(words, element)).collect::<Vec<_>>();
        if lay.is_empty() && self.unkept[domain.index()].is_empty() {
            return;
        }
        let shown = vec![false; self.game.players() as usize];
        self.on_the_way.push(OnTheWay {
            item,
            domain,
            element,
            lay,
            went: None,
            shown,
            drawn: false,
            by,
            left: None,
            laid: false,
            stays: false,
        });
    }

    /// The number of the round, if the program keeps it.
    pub(super) fn round(&self, words: &[u64]) -> u64 {
        self.round_at.map_or(0, |at| words[at])
    }

    /// Returns the words of all zones, and those of what players know and were shown of them.
    fn zone_words(&self, words: &[u64]) -> Vec<u64> {
        let zones = self.places.iter().flatten().map(|place| place.at..place.at + place.len);
        zones.chain(self.shown_at.iter().cloned()).flat_map(|at| words[at].iter().copied()).collect()
    }

    /// Notes this moment if anything moved or was shown since the last one. What the setup moves is told at its end.
    fn cut(&mut self, words: &[u64], turn: Option<Seat>) {
        if self.in_setup || self.trials > 0 || self.cuts.len() >= MOST_CUTS {
            return;
        }
        let lie = self.zone_words(words);
        if self.lay.as_ref() != Some(&lie) {
            self.lay = Some(lie);
            self.cuts.push(self.moment(words, turn));
        }
    }

    fn moment(&self, words: &[u64], turn: Option<Seat>) -> NotedMoment {
        NotedMoment {
            before: self.items + self.found.len(),
            words: words.to_vec(),
            turn,
            acting: self.acting(self.span),
            turns: self.turns,
            same_turn: !self.turn_ended,
            unclear: self.cuts.len() >= MOST_CUTS
                || self.span.is_some_and(|span| self.statements.is_unclear(span)),
            exchanges: self.cuts.len() < MOST_CUTS
                && self.span.is_some_and(|span| self.statements.is_exchange(span)),
        }
    }

    /// Returns the moments of the run that ends with a frame, that frame last, and where drawn elements went in it. Begins to
    /// note others.
    pub(super) fn take_cuts(&mut self, words: &[u64]) -> (Vec<NotedMoment>, Vec<DrawnWay>) {
        let last = self.moment(words, self.turn(words));
        self.lay = Some(self.zone_words(words));
        self.after_draws.clear();
        let mut cuts = std::mem::take(&mut self.cuts);
        cuts.push(last);
        (cuts, std::mem::take(&mut self.ways))
    }

    /// Notes the frame after the statements in which drawn elements went.
    fn note_draws(&mut self, words: &[u64]) {
        for way in &self.ways {
            if !self.after_draws.iter().any(|(item, _)| *item == way.item) {
                self.after_draws.push((way.item, words.to_vec()));
            }
        }
    }

    /// Returns the frame after the statement that laid a drawn element, by the item of the draw, if that was noted.
    pub(super) fn words_after_draw(&self, item: usize) -> Option<Vec<u64>> {
        let after = self.after_draws.iter().find(|(one, _)| *one == item);
        after.map(|(_, words)| words.clone())
    }

    /// Makes room for an item of the course.
    pub(super) fn insert_item(&mut self, at: usize) {
        self.items += 1;
        self.on_the_way.iter_mut().filter(|one| one.item >= at).for_each(|one| one.item += 1);
        self.ways.iter_mut().filter(|way| way.item >= at).for_each(|way| way.item += 1);
        self.after_draws.iter_mut().filter(|(item, _)| *item >= at).for_each(|(item, _)| *item += 1);
        self.cuts.iter_mut().filter(|cut| cut.before > at).for_each(|cut| cut.before += 1);
    }

    /// Returns where chosen elements on their way went first.
    pub(super) fn first_places(&self) -> Vec<FirstPlace> {
        let chosen = self.on_the_way.iter().filter(|one| !one.drawn);
        let first = chosen.filter_map(|one| {
            let (slot, place) = one.went?;
            Some(FirstPlace { domain: one.domain, element: one.element, slot, place })
        });
        first.collect()
    }

    /// Notes that the last choice to which the rules came had no legal option.
    fn has_no_option(&mut self, words: &[u64], turns: u64) {
        let Some((choice, seat)) = self.choosing.take() else { return };
        let (turn, round) = (self.turn(words), self.round(words));
        self.cut(words, turn);
        self.found.push(Found::NoOption { seat, choice, turns, round });
        if self.in_turn && u64::from(seat.0) == self.turn_of {
            self.without = Some(choice);
        }
    }

    fn ends_turn(&mut self, words: &[u64]) {
        let turn = self.in_turn.then_some(Seat(self.turn_of as u32));
        self.cut(words, turn);
        self.turn_ended = true;
        // A player who came to a choice without a legal action had no move, also after decisions if chance came between.
        let leaves_line = match self.asked {
            true => self.decided && !(self.happened && self.asked_mover),
            false => self.decided || self.happened,
        };
        if self.in_turn && !leaves_line {
            let (seat, turns) = (Seat(self.turn_of as u32), self.turns);
            self.found.push(Found::Pass { seat, told: self.without, turns });
        }
        (self.in_turn, self.decided, self.happened, self.asked) = (false, false, false, false);
        (self.choosing, self.without) = (None, None);
    }

    /// Returns `true` if copies of the elements of a domain lie in zones.
    pub(super) fn are_copies(&self, domain: DomainId) -> bool {
        self.places[domain.index()].iter().any(|place| place.copies)
    }

    /// Returns `true` if an element was drawn that has gone somewhere since.
    pub(super) fn has_gone(&self, domain: DomainId, element: u32) -> bool {
        let is_it = |one: &OnTheWay| one.drawn && (one.domain, one.element) == (domain, element);
        self.on_the_way.iter().any(|one| is_it(one) && one.went.is_some())
    }

    /// Notes where elements on their way have gone.
    fn move_on(&mut self, words: &[u64]) {
        let model = self.game.model();
        for one in &mut self.on_the_way {
            for (place, lay) in self.places[one.domain.index()].iter().zip(&mut one.lay) {
                let (lies, at) = (place.lying(words, one.element), (place.slot, place.place));
                if lies < *lay && one.left.is_none() {
                    one.left = Some(at);
                }
                // Where it goes from there is no longer the draw.
                if lies > *lay && one.went.is_none() {
                    one.went = Some(at);
                    see(model, place, &mut one.shown);
                    one.laid = one.by.is_some() && one.by == self.span;
                    // In an ordered zone all see from where and to where it goes.
                    one.stays = one.left == Some(at) && model.order_in(place.slot).is_none();
                    if one.drawn {
                        self.ways.push(DrawnWay {
                            item: one.item,
                            domain: one.domain,
                            element: one.element,
                            from: None,
                            to: at,
                            moment: self.cuts.len(),
                            laid: one.laid,
                        });
                    }
                }
                *lay = lies;
            }
            let way = self.ways.iter_mut().find(|way| one.drawn && way.item == one.item);
            if let Some(way) = way.filter(|way| way.from.is_none()) {
                way.from = one.left;
            }
        }
    }

    /// Returns who was shown the elements of an item.
    pub(super) fn shown(&self, item: usize) -> ShownElements {
        let of_item = self.on_the_way.iter().filter(|one| one.item == item);
        ShownElements(of_item.map(|one| (one.domain, one.element, one.shown.clone())).collect())
    }

    /// Returns the drawn elements that have gone somewhere, and those that go nowhere if the game has settled.
    pub(super) fn take_drawn(&mut self, settled: bool) -> Vec<Drawn> {
        let unkept = &self.unkept;
        let mut gone = vec![];
        self.on_the_way.retain_mut(|one| {
            let nowhere = one.lay.iter().all(|n| *n == 0) && !unkept[one.domain.index()].is_empty();
            if nowhere && one.went.is_none() {
                one.shown
                    .iter_mut()
                    .zip(&unkept[one.domain.index()])
                    .for_each(|(shown, sees)| *shown |= *sees);
            }
            if !one.drawn || settled || one.went.is_some() || nowhere {
                if one.drawn {
                    gone.push(Drawn {
                        item: one.item,
                        domain: one.domain,
                        element: one.element,
                        went: one.went,
                        laid: one.laid,
                        stays: one.stays || one.went.is_none() && !nowhere,
                        shown: std::mem::take(&mut one.shown),
                    });
                }
                return false;
            }
            true
        });
        gone
    }
}

impl Watch for Watcher {
    fn begin(&mut self, at: usize, words: &[u64]) -> bool {
        if self.lay.is_none() {
            self.lay = Some(self.zone_words(words));
        }
        let span = self.game.program().spans.get(at).copied();
        if span != self.span {
            let turn = self.turn(words);
            self.cut(words, turn);
            if self.after_draws.len() < self.ways.len() {
                self.note_draws(words);
            }
            self.span = span;
        }
        if at == self.turn_at && self.in_setup {
            self.lay = Some(self.zone_words(words));
            self.cuts.push(self.moment(words, None));
            self.in_setup = false;
        }
        if let Some(first) = self.to_come {
            let all = &words[first..first + usize::from(self.game.program().width)];
            self.left_to_come = all.iter().map(|word| word.count_ones()).sum();
        }
        true
    }

    fn done(&mut self, done: &ExecutedInstruction<'_>) {
        use Instruction as I;
        if done.at == self.turn_at && !self.rounds {
            (self.in_turn, self.turn_of) = (true, self.mover);
        }
        match done.instruction {
            I::Pick { stop, d, .. } | I::PickBy { stop, d, .. } if !done.suspends => {
                let drawn = u32::try_from(done.words[usize::from(d.0)] as i64).ok();
                let domain = self.pick_domains[usize::from(stop.0)];
                // Of other elements than those of zones it isn't known what may be told.
                if let (Some(element), Some(domain)) = (drawn, domain)
                    && !self.places[domain.index()].is_empty()
                {
                    let turn = self.turn(done.words);
                    self.cut(done.words, turn);
                    let item = self.items + self.found.len();
                    let turn = self.acting(self.span).or(turn);
                    self.found.push(Found::Certain { turn, turns: self.turns });
                    self.happened = true;
                    self.sets_out_drawn(item, domain, element, done.words, self.span);
                }
            }
            I::ChooseOne { stop, .. } | I::Choose { stop, .. } | I::ChooseTried { stop, .. } => {
                self.asked = true;
                let chooser = match &self.game.program().stops[usize::from(stop.0)].kind {
                    StopKind::Choice(choice) => {
                        Some((ChoiceId(choice.choice), done.words[usize::from(choice.me)]))
                    }
                    _ => None,
                };
                self.asked_mover = chooser.is_some_and(|(_, me)| me == self.turn_of);
                self.choosing = chooser.map(|(choice, me)| (choice, Seat(me as u32)));
            }
            // An `otherwise` has a number after those of the steps.
            I::Mark { step } if usize::from(step.0) >= self.game.model().steps.len() => {
                self.has_no_option(done.words, done.counters.turns);
            }
            I::Given { phase: Phase::Begins } => {
                (self.given, self.given_cuts) = (self.found.len(), self.cuts.len());
            }
            I::Given { phase: Phase::Fails } => {
                let kept = self.items + self.given;
                self.found.truncate(self.given);
                self.cuts.truncate(self.given_cuts);
                self.on_the_way.retain(|one| one.item < kept);
                self.ways.retain(|way| way.item < kept);
                self.after_draws.retain(|(item, _)| *item < kept);
            }
            I::Copy { d, .. } => {
                let act = self.span.filter(|span| self.statements.is_act(*span));
                if let (Some(act), Ok(player)) = (act, u32::try_from(done.words[usize::from(d.0)])) {
                    self.acting.insert(act, Seat(player));
                }
            }
            I::Descend { .. } => self.trials += 1,
            I::Ascend { .. } => self.trials = self.trials.saturating_sub(1),
            // After the last seat it takes nothing out.
            I::PopFrom { from, .. } if Some(usize::from(from.0)) == self.to_come && self.left_to_come > 0 => {
                (self.in_turn, self.turn_of) = (true, self.mover(done.words));
            }
            _ => {}
        }
        if done.counters.turns > self.turns {
            self.ends_turn(done.words);
            self.turns = done.counters.turns;
        }
        self.mover = self.mover(done.words);
        self.move_on(done.words);
    }
}

/// Notes who sees a place.
fn see(model: &Model, place: &ZonePlace, shown: &mut [bool]) {
    let slot = &model.slots[place.slot.index()];
    let first = if place.copies { place.place * kinds(model, slot) } else { place.place };
    for (seat, shown) in (0u32..).zip(shown) {
        *shown |= sees(model, slot, first, Seat(seat));
    }
}
