//! The game of a page of the workbench: a [`Table`] with lines. Each line keeps its places, so that going back replays
//! nothing.
//!
//! Acting at an earlier place begins a new line, and the old one stays. The dice of a place come to the same again,
//! unless others are asked for.
//!
//! The rules of a table (whose turn it is, who may see what, the journal) are in `src/desk/table`, which a terminal
//! uses too. What the page shows and lets people click is in `workbench/src/table`.

mod line;
mod position;
mod replay;

use std::sync::Arc;

use self::line::GameLine;
use super::agent_files::AgentFiles;
use super::rules::RuleTexts;
use super::{
    Ask, AskedValues, DecisionAsked, DiceAsked, EventAsked, FormAsked, NextPlace, OutcomeAsked, PositionTold,
};
use crate::table::{Answer, LegalMoves, MoveMatch, NoJournal, Pending, Settled, Table, YOU};
use houserule_game::notation::journal::{DiceSource, JournalHeader};
use houserule_game::{ActionId, Event, Game, State};
use houserule_language::diagnostic::did_you_mean;
use houserule_picture::layout::PageWidth;
use houserule_players::agents::AgentKind;

/// The name of a person in seats.
const PERSON: &str = "person";

/// Most lines of a game.
const MOST_LINES: usize = 200;

/// Columns of the lists of moves, which nobody sees here.
const COLUMNS: usize = 80;

/// The game of a page.
pub(super) struct GameTable {
    /// The rules as they were asked for.
    path: String,
    set: AskedValues,
    players: Option<u32>,
    /// The form of the drawings.
    form: PageWidth,
    /// The agent of each seat; `None` for a person.
    kinds: Vec<Option<AgentKind>>,
    table: Table<NoJournal>,
    lines: Vec<GameLine>,
    /// The line that is shown.
    line: usize,
    /// The index of its place that is shown.
    at: usize,
    /// The decision to come back to once the rules allow it, if changed rules ended the line before it.
    cut: Option<usize>,
}

/// Why something can't be done, in sentences.
type TableRefusal = String;

fn refused(error: impl std::fmt::Display) -> TableRefusal {
    error.to_string()
}

/// The head of a game at a page's table.
fn head(game: &Game, names: &[String], seed: u64, dice: DiceSource) -> JournalHeader {
    JournalHeader { dice, ..JournalHeader::new(game, names.to_vec(), seed) }
}

fn begin(
    game: &Game,
    head: JournalHeader,
    kinds: &[Option<AgentKind>],
) -> Result<Table<NoJournal>, TableRefusal> {
    Table::begin_untrained(game, head, kinds.to_vec()).map_err(refused)
}

/// The agent with a name, `None` for a person.
fn seated_kind(name: &str, files: &AgentFiles) -> Result<Option<AgentKind>, TableRefusal> {
    if name == YOU { Ok(None) } else { files.agent(name).map(Some) }
}

/// The width for which the drawings of a form are arranged.
fn page_width(form: FormAsked) -> PageWidth {
    match form {
        FormAsked::Wide => PageWidth::Wide,
        FormAsked::Narrow => PageWidth::Narrow,
    }
}

/// The name of a player as the table writes it.
fn seated(name: &str) -> String {
    if name == PERSON { YOU.to_owned() } else { name.to_owned() }
}

impl GameTable {
    /// Begins a game, or resumes it as far as its events fit the rules.
    pub(super) fn begin(
        ask: &Ask,
        rules: &RuleTexts,
        files: &AgentFiles,
    ) -> Result<(GameTable, PositionTold), TableRefusal> {
        let Ask::Table { id, path, set, players, seats, seed, dice, form, events } = ask else {
            return Err("no game is asked for".to_owned());
        };
        let game = rules.game(path, set, *players)?;
        let mut names: Vec<String> = seats.iter().map(|name| seated(name)).collect();
        // Other rules may have fewer seats.
        names.truncate(game.players() as usize);
        names.resize(game.players() as usize, YOU.to_owned());
        let kinds: Vec<_> = names.iter().map(|name| seated_kind(name, files)).collect::<Result<_, _>>()?;
        let dice = match dice {
            DiceAsked::Drawn => DiceSource::Seed,
            DiceAsked::Reported => DiceSource::Hand,
        };
        let table = begin(&game, head(&game, &names, *seed, dice), &kinds)?;
        let lines = vec![GameLine::new("Game", table.place())];
        let (path, set, players) = (path.clone(), set.clone(), *players);
        let form = page_width(*form);
        let mut new = GameTable { path, set, players, form, kinds, table, lines, line: 0, at: 0, cut: None };
        let recorded = events.iter().filter(|event| event.is_recorded());
        let texts: Vec<Option<&str>> = recorded.map(EventAsked::text).collect();
        new.resume(&texts)?;
        new.advance()?;
        let told = new.position(Some(*id));
        Ok((new, told))
    }

    /// Answers an ask about the game. Returns `None` for another ask.
    pub(super) fn ask(
        &mut self,
        ask: &Ask,
        files: &AgentFiles,
    ) -> Option<Result<PositionTold, TableRefusal>> {
        // An ask that was interrupted may have left the table elsewhere.
        let place = Arc::clone(&self.shown().places[self.at]);
        self.table.go_to(&place);
        let (id, done) = match ask {
            Ask::Act { id, action } => (id, self.act(ActionId(*action))),
            Ask::Type { id, text } => (id, self.typed(text)),
            Ask::Settle { id, outcome: OutcomeAsked::Number(outcome) } => (id, self.settle(*outcome)),
            Ask::Settle { id, outcome: OutcomeAsked::Text(text) } => (id, self.typed(text)),
            Ask::Step { id, one } => (id, self.step(*one)),
            Ask::TakeScreen { id } => (id, self.take_screen()),
            Ask::Go { id, line, decision } => (id, self.go(*line, *decision)),
            Ask::OtherDice { id } => (id, self.other_dice()),
            Ask::Arrange { id, form } => {
                self.form = page_width(*form);
                (id, Ok(()))
            }
            Ask::Seat { id, seat, agent } => (id, self.seat(*seat, agent, files)),
            _ => return None,
        };
        Some(done.map(|()| self.position(Some(*id))))
    }

    fn state(&self) -> &State {
        self.table.state()
    }

    fn shown(&self) -> &GameLine {
        &self.lines[self.line]
    }

    /// The number of decisions before the place that is shown.
    fn decision(&self) -> usize {
        line::decisions(&self.shown().places[self.at])
    }

    /// Shows a place.
    fn show(&mut self, line: usize, at: usize) {
        (self.line, self.at, self.cut) = (line, at, None);
        let place = Arc::clone(&self.lines[line].places[at]);
        self.table.go_to(&place);
    }

    /// Keeps the place that the table has reached at the end of the line.
    fn note(&mut self) {
        let place = self.table.place();
        let line = &mut self.lines[self.line];
        line.push(place);
        (self.at, self.cut) = (line.last(), None);
    }

    /// Begins a new line here, unless this is the end of one that fits the rules.
    fn branch(&mut self, name: &str) -> Result<(), TableRefusal> {
        let here = self.shown();
        if self.at == here.last() && here.differs.is_none() {
            return Ok(());
        }
        self.new_line(self.at, name)
    }

    fn new_line(&mut self, at: usize, name: &str) -> Result<(), TableRefusal> {
        if self.lines.len() >= MOST_LINES {
            return Err(format!("{MOST_LINES} lines are enough for one game; begin another game"));
        }
        let number = 1 + self.lines.iter().filter(|line| line.name.starts_with(name)).count();
        let new = self.shown().up_to(at, format!("{name} {number}"), self.line);
        self.lines.push(new);
        self.show(self.lines.len() - 1, at);
        Ok(())
    }

    fn act(&mut self, action: ActionId) -> Result<(), TableRefusal> {
        // What was done here before is there already.
        let known = self.state().history().len();
        let again = self.shown().places.get(self.at + 1).and_then(|next| next.state().history().get(known));
        if matches!(again, Some(Event::Action { action: taken, .. }) if *taken == action) {
            self.show(self.line, self.at + 1);
            return Ok(());
        }
        let Pending::Decision(_) = self.table.pending() else {
            return Err(format!("no move is asked for: {}", self.table.pending()));
        };
        if !self.state().is_legal(action) {
            return Err("this move is not legal here".to_owned());
        }
        self.branch("What if")?;
        self.table.act(action).map_err(refused)?;
        self.note();
        self.advance()
    }

    /// Takes the action, or reports the outcome, that a text names.
    fn typed(&mut self, text: &str) -> Result<(), TableRefusal> {
        if let Some(question) = self.table.chance_question() {
            return match question.answer(text) {
                Answer::Outcome(outcome) => self.settle(outcome),
                Answer::Wrong(message) => Err(message),
                Answer::None => Err(format!("`{text}` is no answer. {}", question.question)),
            };
        }
        let Some(moves) = self.table.moves(COLUMNS) else {
            return Err(format!("no move is asked for: {}", self.table.pending()));
        };
        let several = |names: &[String]| Err(format!("`{text}` can be several moves: {}", names.join(", ")));
        match moves.find(text) {
            MoveMatch::One(action) => self.act(action),
            MoveMatch::Several(names) => several(&names),
            MoveMatch::Group(words) => {
                let of = LegalMoves::from_state(self.state(), COLUMNS).narrowed(&words);
                several(&of.names().into_iter().take(8).chain(["…".to_owned()]).collect::<Vec<_>>())
            }
            MoveMatch::None => {
                let names = moves.all().names();
                let meant = did_you_mean(text, names.iter().map(String::as_str));
                let meant = meant.map_or_else(String::new, |meant| format!("; did you mean `{meant}`?"));
                Err(format!("`{text}` is no legal move{meant}"))
            }
        }
    }

    fn settle(&mut self, outcome: u64) -> Result<(), TableRefusal> {
        let Pending::Chance = self.table.pending() else {
            return Err(format!("no dice are asked for: {}", self.table.pending()));
        };
        self.branch("What if")?;
        let settled = self.table.settle(outcome).map_err(refused)?;
        self.note();
        match settled {
            Settled::Done(_) => self.advance(),
            Settled::Again => {
                Err("with these dice a condition of the rules fails: they are rolled again".to_owned())
            }
        }
    }

    /// Draws chance and takes single moves, up to a decision of somebody.
    fn advance(&mut self) -> Result<(), TableRefusal> {
        while matches!(self.table.pending(), Pending::Draws | Pending::OnlyMove(_)) {
            self.branch("What if")?;
            self.table.step().map_err(refused)?;
            self.note();
        }
        Ok(())
    }

    /// Lets agents and chance go on, up to a question of a person or the decision of one agent.
    fn step(&mut self, one: bool) -> Result<(), TableRefusal> {
        if self.at < self.shown().last() {
            // The line has gone on from here.
            let to = match one {
                true => self.at + 1,
                false => self.next_asked().unwrap_or(self.shown().last()),
            };
            self.show(self.line, to);
            return Ok(());
        }
        loop {
            self.advance()?;
            let Pending::Agent(_) = self.table.pending() else { return Ok(()) };
            houserule_base::interrupt::check();
            if self.to_train().is_some() {
                // It may have been trained since it took its seat.
                let names = self.table.head().agents.clone();
                self.table.seat(&names, self.kinds.clone()).map_err(refused)?;
                if self.to_train().is_some() {
                    return Ok(());
                }
            }
            self.branch("What if")?;
            self.table.step().map_err(refused)?;
            self.note();
            if one {
                return self.advance();
            }
        }
    }

    /// The agent that is to decide and has to be trained before.
    pub(super) fn to_train(&self) -> Option<AgentKind> {
        let Pending::Agent(seat) = self.table.pending() else { return None };
        self.table.seats().to_train(seat).cloned()
    }

    pub(super) fn game(&self) -> &Game {
        self.table.game()
    }

    fn take_screen(&mut self) -> Result<(), TableRefusal> {
        let Pending::HandOver(over) = self.table.pending() else {
            return Err("the screen is not to be handed over".to_owned());
        };
        self.table.take_screen(over.to);
        Ok(())
    }

    fn go(&mut self, line: Option<usize>, to: DecisionAsked) -> Result<(), TableRefusal> {
        let line = line.unwrap_or(self.line);
        let Some(of) = self.lines.get(line) else { return Err(format!("there is no line {line}")) };
        let at = match to {
            DecisionAsked::Index(decision) => of.at_decision(decision),
            DecisionAsked::Next(_) if line != self.line => of.last(),
            DecisionAsked::Next(NextPlace::Undo) => {
                self.last_asked().ok_or("there is nothing to take back")?
            }
            DecisionAsked::Next(NextPlace::Redo) if self.at == of.last() => {
                return Err("there is nothing to play again".to_owned());
            }
            DecisionAsked::Next(NextPlace::Redo) => self.next_asked().unwrap_or(of.last()),
        };
        self.show(line, at);
        Ok(())
    }

    fn is_asked(&self, at: usize) -> bool {
        self.table.asks(self.shown().places[at].state())
    }

    /// The last place before the one that is shown at which a person was asked.
    fn last_asked(&self) -> Option<usize> {
        (0..self.at).rev().find(|at| self.is_asked(*at))
    }

    /// The next place at which a person was asked.
    fn next_asked(&self) -> Option<usize> {
        (self.at + 1..=self.shown().last()).find(|at| self.is_asked(*at))
    }

    /// Draws the chance after the last decision of a person again.
    fn other_dice(&mut self) -> Result<(), TableRefusal> {
        let after = self.last_asked().map_or(0, |at| at + 1);
        let drawn = (after..=self.at).find(|at| self.shown().places[*at].state().is_chance());
        let drawn = drawn.filter(|_| !self.table.chance_is_reported());
        let at = drawn.ok_or("no dice were drawn since the last decision of a person")?;
        self.new_line(at, "Other dice")?;
        let seed = self.table.head().seed.wrapping_add(self.lines.len() as u64);
        self.table.draw_from(seed);
        self.advance()
    }

    fn seat(&mut self, seat: u32, agent: &str, files: &AgentFiles) -> Result<(), TableRefusal> {
        let (mut names, mut kinds) = (self.table.head().agents.clone(), self.kinds.clone());
        let (Some(name), Some(kind)) = (names.get_mut(seat as usize), kinds.get_mut(seat as usize)) else {
            return Err(format!("there is no seat {}", seat + 1));
        };
        *name = seated(agent);
        *kind = seated_kind(name, files)?;
        self.table.seat(&names, kinds.clone()).map_err(refused)?;
        self.kinds = kinds;
        Ok(())
    }
}
