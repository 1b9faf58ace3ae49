//! A game at the table: asks, plays, tells, takes back, and keeps the journal.
//!
//! What happens is first written to the journal and then told: what was told is never lost.

mod ends;

use std::collections::BTreeMap;

use super::super::table::{plural, wrap};
use super::super::{Fault, Terminal};
use super::computer::Seats;
use super::dice::{self, Asked};
use super::input::Input;
use super::journal::JournalFile;
use super::moves::{Meant, Moves};
use super::words::{self, Command};
use crate::diagnostic::{Style, render};
use crate::draw;
use crate::draw::paint::{Look, Paint};
use crate::draw::text::View;
use crate::engine::journal::{Dice, Head, Journal, Line, Over, Played, Resumed};
use crate::engine::matches::Match;
use crate::engine::values::event_text;
use crate::engine::{ActionId, ApplyError, Event, Game, Player, RuntimeError, State};
use crate::loader::Loaded;

/// Moves that are named when several fit, or when none does.
const MOST_NAMED: usize = 8;

/// How wide a line is.
const WIDTH: usize = 98;

/// Is a person asked here? Single moves are made without asking.
pub(super) fn is_asked(state: &State, seats: &Seats, hand: bool) -> bool {
    match state.current_player() {
        Some(player) => seats.is_person(player.0) && state.legal_count() > 1,
        None => hand && state.is_chance(),
    }
}

/// What to do after something was typed.
enum Typed {
    /// A move.
    Act(ActionId),
    /// A roll.
    Settle(u64),
    /// Nothing that changes the game.
    Again,
    /// The last thing back.
    Undo,
    /// Leave.
    Quit,
}

/// What to do next.
#[derive(PartialEq, Eq)]
enum Next {
    On,
    Leave,
}

pub(super) struct Session {
    loaded: Loaded,
    game: Game,
    head: Head,
    file: JournalFile,
    input: Input,
    seats: Seats,
    played: Played,
    in_match: Option<Match>,
    /// How many events there were whenever a person was asked, in this game.
    asked: Vec<usize>,
    /// Rolls by hand that were taken back, by their number among the game's chance events.
    rolls: BTreeMap<usize, String>,
    /// The journal says how this game came out.
    told_over: bool,
    /// The state before the last move that somebody made.
    before: Option<State>,
    /// Who starts this game has been noted.
    begun: bool,
}

impl Session {
    pub(super) fn new(
        loaded: Loaded,
        journal: Journal,
        resumed: Resumed,
        asked: Vec<usize>,
        file: JournalFile,
        seats: Seats,
    ) -> Session {
        Session {
            game: loaded.game.clone(),
            told_over: journal.over.last().is_some_and(Option::is_some),
            loaded,
            head: journal.head,
            file,
            input: Input::open(),
            seats,
            played: resumed.played,
            in_match: resumed.in_match,
            asked,
            rolls: journal.rolls,
            before: None,
            begun: false,
        }
    }

    fn hand(&self) -> bool {
        self.head.dice == Dice::Hand
    }

    /// Plays on to the end, or until somebody leaves.
    pub(super) fn play(mut self, resumed: bool, terminal: &mut Terminal<'_>) -> Result<(), Fault> {
        self.greet(resumed, terminal)?;
        loop {
            let state = self.played.state();
            if let (Some(one), false, false) = (&mut self.in_match, self.begun, state.is_chance()) {
                one.begun(state);
                self.begun = true;
            }
            let next = if state.is_over() {
                self.over(terminal)?
            } else if state.is_chance() {
                self.chance(terminal)?
            } else {
                self.decision(terminal)?
            };
            if next == Next::Leave {
                return Ok(());
            }
        }
    }

    fn greet(&mut self, resumed: bool, terminal: &mut Terminal<'_>) -> Result<(), Fault> {
        let model = self.game.model();
        let name =
            if self.head.game == model.title { String::new() } else { format!(" ({})", self.head.game) };
        writeln!(terminal.out, "{}{name}", terminal.paint.head(&model.title))?;
        for line in wrap(&model.help, WIDTH) {
            writeln!(terminal.out, "{line}")?;
        }
        writeln!(terminal.out, "{}", self.who())?;
        let path = self.file.path.display();
        let quiet = match resumed {
            true => {
                let events = self.played.state().history().len();
                let s = plural(events);
                format!("Goes on after {events} event{s}, kept in {path} (`--new` begins another game).")
            }
            false => format!("Kept in {path} after every move."),
        };
        writeln!(terminal.out, "{}", terminal.paint.quiet(&quiet))?;
        let keys = "`help` says what can be typed, `rules` how the game goes.";
        writeln!(terminal.out, "{}", terminal.paint.quiet(keys))?;
        if let Some(one) = &self.in_match {
            writeln!(terminal.out, "\n{}", self.game_of_match(one))?;
        }
        Ok(())
    }

    fn game_of_match(&self, one: &Match) -> String {
        use crate::lang::model::MatchLength;
        let number = one.played() + 1;
        match self.game.model().match_rules.as_ref().map(|rules| &rules.length) {
            Some(MatchLength::Games(games)) => format!("Game {number} of {games}."),
            _ => format!("Game {number} of the match."),
        }
    }

    /// Who plays which seat.
    fn who(&self) -> String {
        let players = self.game.players();
        let agents: Vec<String> = (0..players)
            .filter_map(|seat| {
                Some(format!("{} is {}", words::name(&self.game, seat), self.seats.agent(seat)?))
            })
            .collect();
        let dice = if self.hand() { " The dice are yours: type what they show." } else { "" };
        let who = match (players, self.seats.people(), self.seats.only_person()) {
            (1, 1, _) => "You play alone.".to_owned(),
            (1, _, _) => format!("The player {}.", agents.join("")),
            (_, 0, _) => format!("{}.", agents.join(", ")),
            (_, 1, Some(seat)) => format!("You are {}; {}.", words::name(&self.game, seat), agents.join(", ")),
            (n, people, _) if people == n as usize => {
                "All seats are played at this keyboard (`--against greedy` lets the computer play the others)."
                    .to_owned()
            }
            _ => {
                let people = (0..players).filter(|seat| self.seats.is_person(*seat));
                let people: Vec<&str> = people.map(|seat| words::name(&self.game, seat)).collect();
                format!("You are {}; {}.", people.join(" and "), agents.join(", "))
            }
        };
        format!("{who}{dice}")
    }

    /// As whom the screen is watched: the one person at it, or whose turn it is.
    fn viewer(&self) -> Option<Player> {
        if self.seats.people() == 0 {
            return None;
        }
        let mover = || self.played.state().current_player().filter(|player| self.seats.is_person(player.0));
        self.seats.only_person().map(Player).or_else(mover)
    }

    fn show(&self, terminal: &mut Terminal<'_>) -> Result<(), Fault> {
        let view = View { viewer: self.viewer(), before: self.before.as_ref(), paint: terminal.paint };
        Ok(write!(terminal.out, "\n{}", draw::text::table(self.played.state(), &view))?)
    }

    /// What the step of the turn is about, in the words of the rules.
    fn step(&self, terminal: &mut Terminal<'_>) -> Result<(), Fault> {
        let model = self.game.model();
        let choice = self.played.state().pending_choice().map(|choice| &model.choices[choice.index()]);
        let step = choice.and_then(|choice| choice.step).map(|step| &model.steps[step.index()]);
        let help = step.map_or("", |step| step.help.as_str());
        for line in wrap(help, WIDTH).iter().filter(|line| !line.is_empty()) {
            writeln!(terminal.out, "{}", terminal.paint.quiet(line))?;
        }
        Ok(())
    }

    /// A player's name in the colour of the seat.
    fn named(&self, seat: u32, paint: Paint) -> String {
        paint.text(Look::seat(seat as usize, &self.game.model().players.names), words::name(&self.game, seat))
    }

    /// Writes what happened to the journal.
    fn keep(&mut self, events: Vec<String>) -> Result<(), Fault> {
        let mut lines: Vec<Line> = events.into_iter().map(Line::Event).collect();
        let state = self.played.state();
        if state.is_over()
            && let Ok(over) = Over::of(state)
        {
            lines.push(Line::Over { over });
            self.told_over = true;
        }
        self.file.append(&lines)
    }

    // ---- chance

    fn chance(&mut self, terminal: &mut Terminal<'_>) -> Result<Next, Fault> {
        let outcome = match self.played.draw() {
            Some(outcome) => outcome,
            None => match self.ask_roll(terminal)? {
                Typed::Settle(outcome) => {
                    self.asked.push(self.played.state().history().len());
                    outcome
                }
                Typed::Undo => {
                    self.undo(terminal)?;
                    return Ok(Next::On);
                }
                Typed::Quit => return self.leave(terminal),
                _ => return Ok(Next::On),
            },
        };
        let known = self.played.state().history().len();
        match self.played.settle(outcome) {
            Ok(_) if self.played.state().history().len() <= known && self.hand() => {
                let undo = known - self.played.state().history().len();
                self.asked.truncate(self.asked.len().saturating_sub(undo + 1));
                self.file.append(&[Line::Undo { undo, rolls: vec![] }])?;
                self.complain(
                    "The rules ask for something else to come out: all of it once more.",
                    terminal,
                )?;
                Ok(Next::On)
            }
            Ok(events) => {
                let told = self.told(events.len());
                self.keep(events)?;
                for line in told {
                    writeln!(terminal.out, "  {}", terminal.paint.bar(&line))?;
                }
                Ok(Next::On)
            }
            Err(error) => self.failed(&error, terminal),
        }
    }

    /// Asks what the dice on the table show.
    fn ask_roll(&mut self, terminal: &mut Terminal<'_>) -> Result<Typed, Fault> {
        let state = self.played.state().clone();
        let Some(asked) = Asked::of(&state) else { return Ok(Typed::Quit) };
        let number = self.played.rolls();
        let before = self.rolls.get(&number);
        let before = before.and_then(|event| crate::engine::record::find_outcome(&state, event).ok());
        writeln!(terminal.out, "\n{}", asked.question)?;
        if let Some(before) = before {
            writeln!(terminal.out, "Enter alone: {} again, as before `undo`.", dice::short(&state, before))?;
        }
        loop {
            let words = || Command::ALL.iter().map(|(_, name, _)| (*name).to_owned()).collect();
            let Some(line) = self.input.line(&asked.prompt, words, terminal)? else { return Ok(Typed::Quit) };
            let line = line.trim();
            if let (Some(before), true) = (before, line.is_empty()) {
                return Ok(Typed::Settle(before));
            }
            let lower = line.to_lowercase();
            let command = Command::named(lower.split_whitespace().next().unwrap_or(""));
            let answer = if command.is_none() { asked.outcome(&state, line) } else { None };
            match answer {
                Some(Ok(outcome)) => return Ok(Typed::Settle(outcome)),
                Some(Err(message)) => self.complain(&message, terminal)?,
                None => match command.or_else(|| Command::beginning(&lower)) {
                    Some(command) => match self.command(command, "", None, terminal)? {
                        Typed::Again => {}
                        other => return Ok(other),
                    },
                    None if line.is_empty() => self.complain(&asked.question, terminal)?,
                    None => {
                        self.complain(&format!("`{line}` is no answer. {}", asked.question), terminal)?;
                    }
                },
            }
        }
    }

    // ---- decisions

    fn decision(&mut self, terminal: &mut Terminal<'_>) -> Result<Next, Fault> {
        let state = self.played.state();
        let Some(player) = state.current_player() else { return Ok(Next::Leave) };
        let name = words::name(&self.game, player.0).to_owned();
        let (several, paint) = (self.game.players() > 1, terminal.paint);
        if let Some(agent) = self.seats.agent(player.0) {
            let chosen = self.seats.choose(player.0, self.played.state());
            let action = match chosen {
                Ok(Some(action)) => action,
                Ok(None) => return Err(Fault::Rules(format!("{agent} finds nothing to do"))),
                Err(error) => return self.failed(&ApplyError::Runtime(error), terminal),
            };
            let who =
                if several { format!("{} ({agent})", self.named(player.0, paint)) } else { agent.to_owned() };
            return self.act(action, &format!("{who}: "), "", terminal);
        }
        let who = if several { format!("{}: ", self.named(player.0, paint)) } else { String::new() };
        if let [only] = state.legal_actions().as_slice() {
            return self.act(*only, &who, " (the only move)", terminal);
        }
        let moves = Moves::of(state);
        self.show(terminal)?;
        writeln!(terminal.out)?;
        self.step(terminal)?;
        for line in moves.list() {
            writeln!(terminal.out, "  {line}")?;
        }
        let prompt = if several { format!("{name}> ") } else { "> ".to_owned() };
        match self.ask_move(&moves, &prompt, terminal)? {
            Typed::Act(action) => {
                self.asked.push(self.played.state().history().len());
                self.act(action, &who, "", terminal)
            }
            Typed::Undo => {
                self.undo(terminal)?;
                Ok(Next::On)
            }
            Typed::Quit => self.leave(terminal),
            _ => Ok(Next::On),
        }
    }

    /// Does a move, keeps it and tells it.
    fn act(
        &mut self,
        action: ActionId,
        who: &str,
        note: &str,
        terminal: &mut Terminal<'_>,
    ) -> Result<Next, Fault> {
        let before = self.played.state().clone();
        match self.played.act(action) {
            Ok(events) => {
                let followed = self.told(events.len().saturating_sub(1));
                self.keep(events)?;
                let name = terminal.paint.head(&self.action_told(&before, action));
                writeln!(terminal.out, "  {who}{name}{}", terminal.paint.quiet(note))?;
                for line in followed {
                    writeln!(terminal.out, "  {line}")?;
                }
                self.before = Some(before);
                Ok(Next::On)
            }
            Err(error) => {
                // Whoever asked for it was not served.
                if self.asked.last() == Some(&before.history().len()) {
                    self.asked.pop();
                }
                self.failed(&error, terminal)
            }
        }
    }

    /// Chance events that came last, as far as whoever looks on sees them.
    fn told(&self, count: usize) -> Vec<String> {
        let state = self.played.state();
        let history = state.history();
        let last = &history[history.len().saturating_sub(count)..];
        let mut seen = vec![];
        if let Some(viewer) = self.viewer().filter(|_| last.iter().any(|event| state.draws_copies(event)))
            && state.play_again(&mut |before, event| seen.push(state.event_seen(before, event, viewer)))
        {
            return self.seen(seen.drain(seen.len().saturating_sub(count)..));
        }
        self.seen(last.iter().map(|event| match self.viewer() {
            Some(viewer) => state.event_seen(state, event, viewer),
            None => Some(event_text(&self.game, event)),
        }))
    }

    /// Events in words; those of which nothing is seen are counted.
    fn seen(&self, events: impl Iterator<Item = Option<String>>) -> Vec<String> {
        let mut told: Vec<String> = vec![];
        let mut hidden = 0;
        for event in events.map(Some).chain([None]) {
            if let Some(None) = event {
                hidden += 1;
                continue;
            }
            if hidden > 0 {
                told.push(if hidden == 1 {
                    "drawn face down".into()
                } else {
                    format!("{hidden} drawn face down")
                });
                hidden = 0;
            }
            told.extend(event.flatten().map(|event| words::chance(&event)));
        }
        told
    }

    /// A move as it is told to whoever looks on.
    fn action_told(&self, before: &State, action: ActionId) -> String {
        let person = before.current_player().is_some_and(|actor| self.seats.is_person(actor.0));
        match self.viewer() {
            Some(viewer) if !person => before.action_seen(action, self.played.state(), viewer),
            _ => self.game.action_name(action),
        }
    }

    fn ask_move(&mut self, moves: &Moves, prompt: &str, terminal: &mut Terminal<'_>) -> Result<Typed, Fault> {
        loop {
            let words = || {
                let commands = Command::ALL.iter().map(|(_, name, _)| (*name).to_owned());
                moves.names().into_iter().chain(commands).collect()
            };
            let Some(line) = self.input.line(prompt, words, terminal)? else { return Ok(Typed::Quit) };
            let line = line.trim().to_lowercase();
            let (first, rest) = line.split_once(char::is_whitespace).unwrap_or((&line, ""));
            if line.is_empty() {
                self.complain("Type a move, or `help`.", terminal)?;
                continue;
            }
            let named = Command::named(first).filter(|_| !moves.is_option(first));
            let meant = match moves.meant(&line) {
                Meant::None => self.other_name(&line, moves).map_or(Meant::None, Meant::One),
                meant => meant,
            };
            let command = match (named, meant) {
                (Some(command), _) => Some(command),
                (None, Meant::One(action)) => return Ok(Typed::Act(action)),
                (None, Meant::Several(names)) => {
                    let shown = quoted(&names);
                    self.complain(&format!("`{line}` fits several moves: {shown}."), terminal)?;
                    continue;
                }
                (None, Meant::None) => Command::beginning(first).filter(|_| rest.is_empty()),
            };
            match command {
                Some(command) => match self.command(command, rest.trim(), Some(moves), terminal)? {
                    Typed::Again => {}
                    other => return Ok(other),
                },
                None => self.complain(&self.misunderstood(&line, moves), terminal)?,
            }
        }
    }

    /// A legal move that is called otherwise than the list has it: a side of two cells, a set in another
    /// order.
    fn other_name(&self, line: &str, moves: &Moves) -> Option<ActionId> {
        let legal =
            |name: &str| self.game.parse_action(name).filter(|action| self.played.state().is_legal(*action));
        let joined = line.split_whitespace().collect::<Vec<_>>().join("-");
        let options = moves.options();
        let short = |line: &str| options.iter().find_map(|option| legal(&format!("{option} {line}")));
        legal(line).or_else(|| short(line)).or_else(|| short(&joined))
    }

    /// What was not understood, and what may have been meant.
    fn misunderstood(&self, line: &str, moves: &Moves) -> String {
        let state = self.played.state();
        let typed = self.game.parse_action(line).map(|action| self.game.action_name(action));
        let mut text = match typed {
            Some(name) => format!("`{name}` is not legal now."),
            None => format!("`{line}` is no move and no command."),
        };
        let near = moves.near(line);
        match near.as_slice() {
            [] if moves.all.len() <= MOST_NAMED => {
                let names = moves.names();
                text.push_str(&format!(" Legal: {}.", quoted(&names)));
            }
            [] => text.push_str(&format!(
                " There are {} legal moves, such as `{}`; `moves` lists them, `help` the commands.",
                state.legal_count(),
                moves.all.first().map_or("", |one| one.name.as_str())
            )),
            near => {
                text.push_str(&format!(
                    " Did you mean {}? `moves` lists all that is legal.",
                    quoted_or(near)
                ));
            }
        }
        text
    }

    fn complain(&self, message: &str, terminal: &mut Terminal<'_>) -> Result<(), Fault> {
        for line in wrap(message, WIDTH) {
            writeln!(terminal.out, "{line}")?;
        }
        Ok(())
    }

    // ---- commands

    fn command(
        &mut self,
        command: Command,
        rest: &str,
        moves: Option<&Moves>,
        terminal: &mut Terminal<'_>,
    ) -> Result<Typed, Fault> {
        let paint = terminal.paint;
        match command {
            Command::Undo => return Ok(Typed::Undo),
            Command::Quit => return Ok(Typed::Quit),
            Command::Help => {
                let example = moves.and_then(|moves| moves.all.first()).map(|one| one.name.as_str());
                let numbered = moves.is_some_and(|moves| moves.numbered);
                write!(terminal.out, "{}", words::help(example, numbered, paint))?;
            }
            Command::Board => self.show(terminal)?,
            Command::Moves => {
                let lines = moves.map(|moves| moves.long_list(rest)).unwrap_or_default();
                if lines.is_empty() {
                    let which = if rest.is_empty() { String::new() } else { format!(" with `{rest}`") };
                    writeln!(terminal.out, "No move{which} is legal now.")?;
                }
                for line in lines {
                    writeln!(terminal.out, "  {line}")?;
                }
            }
            Command::Score => {
                let text = words::explained(self.played.state(), paint);
                let none = "This game has no score; `rules` says how it is won.\n".to_owned();
                write!(terminal.out, "{}", if text.is_empty() { none } else { text })?;
            }
            Command::History => {
                for line in self.history() {
                    writeln!(terminal.out, "  {line}")?;
                }
            }
            Command::Rules => {
                writeln!(terminal.out, "\n{}", draw::rules::rules(&self.game).trim_end())?;
            }
            Command::Save => {
                let path = self.file.path.display();
                writeln!(terminal.out, "Every move is saved at once in {path}.")?;
                writeln!(terminal.out, "To go on with it: houserule play --journal '{path}'")?;
            }
        }
        Ok(Typed::Again)
    }

    /// What happened, a line for each turn or so.
    fn history(&self) -> Vec<String> {
        let state = self.played.state();
        let several = self.game.players() > 1;
        let mut last = None;
        let mut all = vec![];
        let viewer = self.viewer();
        state.play_again(&mut |before, event| {
            let name = match viewer {
                Some(viewer) => state.event_seen(before, event, viewer),
                None => Some(event_text(&self.game, event)),
            };
            all.push(match event {
                Event::Action { player, .. } if several && last != Some(*player) => {
                    last = Some(*player);
                    name.map(|name| format!("{}: {name}", words::name(&self.game, player.0)))
                }
                _ => name,
            });
        });
        let text = self.seen(all.into_iter()).join(", ");
        if text.is_empty() { vec!["Nothing has happened yet.".to_owned()] } else { wrap(&text, WIDTH) }
    }

    /// Takes back the last thing that a person did.
    fn undo(&mut self, terminal: &mut Terminal<'_>) -> Result<(), Fault> {
        let Some(mark) = self.asked.pop() else {
            let what = if self.in_match.as_ref().is_some_and(|one| one.played() > 0) {
                "There is nothing to take back in this game of the match."
            } else {
                "There is nothing to take back."
            };
            return self.complain(what, terminal);
        };
        let events = self.played.events();
        let (left, gone) = events.split_at(mark.min(events.len()));
        let start = match &self.in_match {
            Some(_) => self.played.state().started().clone(),
            None => self.head.start(),
        };
        let previous = self.in_match.as_ref().and_then(Match::previous);
        let again = Played::begin(&self.game, &start, previous, self.head.dice);
        let again = again.map_err(|error| error.to_string()).and_then(|mut played| {
            played.follow(left, |_| {}).map_err(|error| error.to_string()).map(|()| played)
        });
        let again = again.map_err(|error| Fault::Rules(format!("the game can't be taken back: {error}")))?;
        let mut rolls = Vec::new();
        if self.hand() {
            let history = self.played.state().history();
            let chance = history.iter().enumerate().filter(|(_, e)| !matches!(e, Event::Action { .. }));
            for (number, (at, _)) in chance.enumerate().filter(|(_, (at, _))| *at >= left.len()) {
                rolls.push((number, events[at].clone()));
            }
        }
        self.rolls.extend(rolls.clone());
        self.file.append(&[Line::Undo { undo: gone.len(), rolls }])?;
        let taken = gone.first().map(|event| words::chance(event)).unwrap_or_default();
        self.played = again;
        self.told_over = false;
        self.before = None;
        self.complain(&format!("Taken back: {taken}."), terminal)
    }

    // ---- rules that fail

    fn rules_fail(&self, error: &RuntimeError) -> Fault {
        Fault::Rules(format!("the rules of {} fail: {error}", self.head.game))
    }

    /// Tells an error of the rules. A move that fails is not made; where only chance can go on, nothing
    /// can.
    fn failed(&mut self, error: &ApplyError, terminal: &mut Terminal<'_>) -> Result<Next, Fault> {
        let ApplyError::Runtime(error) = error else { return Err(Fault::Rules(error.to_string())) };
        terminal.out.flush()?;
        let style = Style { color: terminal.err_paint.is_on(), ..Style::default() };
        writeln!(
            terminal.err,
            "{}",
            render(&error.diagnostic(), &error.sources(&self.loaded.sources), style)
        )?;
        let path = self.file.path.display();
        let mend = format!(
            "The rules fail here, and this was not played. Mend them, then: houserule play --journal '{path}' --changed-rules"
        );
        writeln!(terminal.err, "{mend}")?;
        let state = self.played.state();
        let person = state.current_player().is_some_and(|player| self.seats.is_person(player.0));
        if person && state.legal_count() > 1 { Ok(Next::On) } else { Err(Fault::Told) }
    }
}

fn quoted(names: &[String]) -> String {
    let shown: Vec<String> = names.iter().take(MOST_NAMED).map(|name| format!("`{name}`")).collect();
    let more = names.len().saturating_sub(shown.len());
    if more > 0 { format!("{} and {more} more", shown.join(", ")) } else { shown.join(", ") }
}

fn quoted_or(names: &[String]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match quoted.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        Some((last, _)) => last.clone(),
        None => String::new(),
    }
}
