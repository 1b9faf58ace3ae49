//! What a page is told of a place: the drawing, what can be done, events and scores, as far as the viewer may know them.

use super::super::{
    ChanceTold, ChoicesTold, EventKindTold, EventTold, HandOverTold, MoveTold, OptionTold, OutcomeTold,
    PositionTold, ScoreItemTold, ScoreTold, SeatTold,
};
use super::line::decisions;
use super::{GameTable, PERSON};
use crate::table::{Audience, Pending, SeenEvent, SeenKind, ended_by, player_name, roll_in_words};
use houserule_base::names::plain;
use houserule_game::Onlookers;
use houserule_game::explain::things::ActionThings;
use houserule_game::explain::{CountedRun, ItemExplanation};
use houserule_game::values::BoardNames;
use houserule_game::{Game, Seat, State};
use houserule_page::prose::part_name;
use houserule_picture::draw::score::run_text;
use houserule_picture::draw::svg::{PictureStyle, svg, svg_since};
use houserule_picture::draw::text::status;

/// Most legal actions that are told.
const MOST_MOVES: usize = 4000;

/// Most outcomes of a chance event that are told.
const MOST_OUTCOMES: u64 = 60;

impl GameTable {
    /// Describes the place that is shown.
    pub(super) fn position(&mut self, id: Option<u64>) -> PositionTold {
        let pending = self.table.pending();
        let hand_over = match pending {
            Pending::HandOver(over) => {
                Some(HandOverTold { from: over.from.map(|seat| seat.0), to: over.to.0, news: over.news })
            }
            _ => None,
        };
        // Nobody sees the drawing until the next person takes the screen.
        if hand_over.as_ref().is_some_and(|over| !over.news) {
            self.table.leave_screen();
        }
        let (table, state) = (&self.table, self.table.state());
        let game = state.game();
        let audience = table.audience();
        let line = self.shown();
        let viewer = match &audience {
            Audience::One(viewer) => Some(*viewer),
            Audience::All | Audience::Each(_) => None,
        };
        // Several people at one screen see what all of them may know.
        let open = matches!(audience, Audience::All);
        let sight = Onlookers::from_viewer(game, viewer, open);
        let style = PictureStyle { viewer, open, form: self.form, things: true, ..PictureStyle::default() };
        let viewers = audience.viewers();
        let sees = |seat: Seat| viewers.iter().all(|viewer| state.sees_score(seat, *viewer));
        let seats = || (0..game.players()).map(Seat);
        let seat_told = |seat: Seat| SeatTold {
            name: player_name(game, seat).to_owned(),
            agent: table.seats().agent(seat).unwrap_or_else(|| PERSON.to_owned()),
            person: table.seats().is_person(seat),
            score: state.score(seat).ok().filter(|_| !game.model().score.is_empty() && sees(seat)),
        };
        PositionTold {
            id,
            game: game.model().title.clone(),
            lines: self.lines.iter().map(|line| line.summary()).collect(),
            line: self.line,
            decision: self.decision(),
            of: decisions(&line.places[line.last()]),
            svg: match audience {
                Audience::Each(_) => String::new(),
                Audience::All | Audience::One(_) => match line.before_last_move(self.at) {
                    Some(earlier) => svg_since(state, earlier, &style),
                    None => svg(state, &style),
                },
            },
            heading: match pending {
                Pending::HandOver(over) => format!("Pass the screen to {}", player_name(game, over.to)),
                _ => status(state, sight),
            },
            seats: seats().map(seat_told).collect(),
            seat: state.current_player().map(|seat| seat.0),
            viewer: viewer.map(|seat| seat.0),
            hand_over,
            choices: match pending {
                Pending::Decision(player) => Some(choices(state, player)),
                _ => None,
            },
            chance: table.chance_question().map(|question| ChanceTold {
                outcomes: question
                    .outcomes(MOST_OUTCOMES)
                    .into_iter()
                    .map(|(outcome, name)| OutcomeTold { outcome, name })
                    .collect(),
                question: question.question,
            }),
            events: events(game, table.seen_at_screen(0)),
            scores: seats()
                .filter(|seat| sees(*seat))
                .filter_map(|seat| score(state, seat, viewers))
                .collect(),
            over: match state.is_over() {
                true => [status(state, sight) + "."].into_iter().chain(ended_by(state)).collect(),
                false => vec![],
            },
            differs: line.differs.clone(),
            to_train: self.to_train().map(|kind| kind.to_string()),
        }
    }
}

/// The legal actions of the pending decision, with the things that they name.
fn choices(state: &State, player: Seat) -> ChoicesTold {
    let game = state.game();
    let model = game.model();
    let options = state.pending_choice().map(|choice| model.choices[choice.index()].options.as_slice());
    let options = options.unwrap_or_default();
    let (things, board_names) = (ActionThings::from_state(state), BoardNames::new(game));
    let legal = state.legal_actions();
    let mut told: Vec<OptionTold> = options
        .iter()
        .map(|option| OptionTold { name: plain(&option.name), help: option.help.clone(), moves: 0 })
        .collect();
    let mut moves = vec![];
    for action in &legal {
        let block = game.action_block(*action);
        let own = |option: &_| block.is_some_and(|block| std::ptr::eq(block, option));
        let option =
            options.iter().position(|option| own(&model.actions[option.actions.index()])).unwrap_or(0);
        if let Some(told) = told.get_mut(option) {
            told.moves += 1;
        }
        if moves.len() < MOST_MOVES {
            let name = game.action_name(*action);
            let things = things.named_by(game, *action);
            let words = board_names.action(*action);
            moves.push(MoveTold { action: action.0, name, words, option, things });
        }
    }
    ChoicesTold { seat: player.0, options: told, more: legal.len() - moves.len(), moves }
}

/// The events of a game, in the notation of journals and in the names that the board shows. Of a player who has chosen
/// something that nobody else may be told yet, there is one, however much that was.
fn events(game: &Game, seen: Vec<SeenEvent>) -> Vec<EventTold> {
    let mut decision = 0;
    let mut covered: Vec<Seat> = vec![];
    let told = |event: SeenEvent| {
        if let Some(player) = event.covered() {
            if covered.contains(&player) {
                decision += usize::from(matches!(event.kind, SeenKind::Action(_)));
                return None;
            }
            covered.push(player);
        }
        let (kind, seat) = match event.kind {
            SeenKind::Action(seat) => (EventKindTold::Action, Some(seat.0)),
            SeenKind::Pass(seat) => (EventKindTold::Pass, Some(seat.0)),
            SeenKind::Certain => (EventKindTold::Certain, None),
            SeenKind::Roll => (EventKindTold::Roll, None),
            SeenKind::Pick | SeenKind::Secret | SeenKind::Unseen => (EventKindTold::Pick, None),
            SeenKind::Draw => (EventKindTold::Draw, None),
            SeenKind::Moved | SeenKind::Shown => (EventKindTold::Moved, None),
        };
        let headed = |text: String| match event.kind {
            SeenKind::Moved => format!("moved: {text}"),
            SeenKind::Shown => format!("shown: {text}"),
            _ => text,
        };
        let (text, said) = (event.text.map(headed), event.said.map(headed));
        let said = match event.kind {
            SeenKind::Roll => said.map(|said| roll_in_words(game, &said)),
            _ => said,
        };
        let told = EventTold { index: event.index, decision, seat, kind, text, said, zone: event.zone };
        decision += usize::from(kind == EventKindTold::Action);
        Some(told)
    };
    seen.into_iter().filter_map(told).collect()
}

/// A score line by line, as all of some viewers see it. Returns `None` if there is none, or the rules fail to compute it.
fn score(state: &State, seat: Seat, viewers: &[Seat]) -> Option<ScoreTold> {
    let items: Vec<ItemExplanation> =
        state.explain_seen(seat, viewers).ok()?.into_iter().collect::<Option<_>>()?;
    let items: Vec<ScoreItemTold> = items.iter().flat_map(|item| lines(state, item)).collect();
    (!items.is_empty()).then(|| ScoreTold {
        seat: seat.0,
        total: items.iter().map(|item| item.points).sum(),
        items,
    })
}

/// The lines of an item: a line for each run and each other part.
fn lines(state: &State, item: &ItemExplanation) -> Vec<ScoreItemTold> {
    let line = |points, words, things| ScoreItemTold { name: plain(&item.name), points, words, things };
    let runs = item.runs.iter().map(|run| line(run.points, run_text(run), things(state, run)));
    let rest = item.rest.iter().map(|part| {
        let words = if part.name == item.name { item.help.clone() } else { part_name(state.game(), part) };
        line(part.points, words, vec![])
    });
    let all: Vec<ScoreItemTold> = runs.chain(rest).collect();
    if all.is_empty() { vec![line(item.points, item.help.clone(), vec![])] } else { all }
}

/// The sites of a run, if there is one such board only.
fn things(state: &State, run: &CountedRun) -> Vec<String> {
    let board = &state.game().model().boards[run.board.index()];
    if !board.index.is_empty() {
        return vec![];
    }
    let sites = run.sites.iter().filter_map(|site| board.topology.parse_site(site));
    sites.map(|site| format!("{}:{}", board.name, site.0)).collect()
}
