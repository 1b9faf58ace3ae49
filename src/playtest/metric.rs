//! The vocabulary of metrics: what is measured of a game or a match, each declared once.
//!
//! Sums, reports, summaries, tables and comparisons are views on [`metrics`]. A count of whole games needs only an
//! entry in [`COUNTS`]. Depends on finished games; independent of how they are played.

use serde::{Serialize, Serializer};

use super::variables::{EndValue, Variable, variables};
use houserule_game::matches::{Match, Standing};
use houserule_game::random_games::{Finished, UsageCounts};
use houserule_game::{Game, Seat, family_names};
use houserule_model::{CountedUses, ScoreDirection, Slot};

/// Units of a win. Divisible by any number of winners up to 16.
pub const WIN: i64 = 720_720;

/// The declaration of a metric.
#[derive(Clone, Copy, Debug)]
pub struct MetricKind {
    /// Its name in JSON, and in tables if it has a column.
    pub name: &'static str,
    /// Its meaning, as in `docs/json.md`.
    pub help: &'static str,
    /// What it describes. Surfaces show all metrics of a subject in the same way.
    pub subject: Subject,
    /// Its name in text. `{name}` is that of the item, option, end or variable, `{seat}` that of the player, or of the side
    /// for a lead and for the wins of a team.
    label: &'static str,
    /// The sentence about a difference; `sentences` replaces what is in braces.
    pub(super) sentence: &'static str,
    /// The unit of a difference.
    pub(super) unit: Unit,
    /// A comparison omits the metric if it is 0 in all games of both.
    pub(super) is_omitted_at_zero: bool,
    /// Wins that are told as a share of the wins.
    is_share_of_wins: bool,
}

/// What a metric describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// Points of a seat: its score in a game, or its total or record in a match.
    Score,
    /// Points of a seat from an item of the score.
    Item,
    /// A number of a whole game, or match.
    Count,
    /// Wins of a seat, or draws.
    Result,
    /// Wins of a team.
    Team,
    /// Wins of players who are all of one team.
    Success,
    /// The score of the first side, relative to the others.
    Lead,
    /// The use of an option.
    Option,
    /// Entries into a step.
    Step,
    /// Choices in which no option is legal.
    Otherwise,
    /// Games that an end decided.
    End,
    /// A variable at the end.
    Variable,
    /// How a game is decided on its way. Only games show it that are followed.
    Course,
}

impl Subject {
    /// Returns `true` if it is of whole games rather than of their items, options, steps, ends or variables.
    pub fn is_of_games(self) -> bool {
        matches!(self, Subject::Score | Subject::Count | Subject::Lead)
            || matches!(self, Subject::Result | Subject::Team | Subject::Success)
    }
}

/// The unit of a difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unit {
    /// A share of all games, in percent.
    Share,
    /// A number of things with this name, in the singular.
    Number(&'static str),
}

impl MetricKind {
    /// Declares a metric with its name as its label, in points, and without a sentence.
    const fn new(subject: Subject, name: &'static str, help: &'static str) -> MetricKind {
        let unit = Unit::Number("point");
        MetricKind {
            name,
            help,
            subject,
            label: name,
            sentence: "",
            unit,
            is_omitted_at_zero: false,
            is_share_of_wins: false,
        }
    }

    const fn label(self, label: &'static str) -> MetricKind {
        MetricKind { label, ..self }
    }

    const fn sentence(self, sentence: &'static str) -> MetricKind {
        MetricKind { sentence, ..self }
    }

    const fn unit(self, unit: Unit) -> MetricKind {
        MetricKind { unit, ..self }
    }

    const fn omitted_at_zero(self) -> MetricKind {
        MetricKind { is_omitted_at_zero: true, ..self }
    }

    const fn share_of_wins(self) -> MetricKind {
        MetricKind { is_share_of_wins: true, ..self }
    }

    /// Returns the metric's name in lists and tables of text.
    pub fn label_of(&self, name: &str, seat: &str) -> String {
        self.label.replace("{name}", name).replace("{seat}", seat)
    }

    /// Returns `true` for a share of all games, shown in percent.
    pub fn is_share(&self) -> bool {
        matches!(self.unit, Unit::Share)
    }

    /// Returns `true` for the wins of a side, which are 1/k of a win that k sides share.
    pub fn is_of_wins(&self) -> bool {
        self.subject == Subject::Team || self.name == WINS.name
    }

    /// Returns `true` if it tells wins as a share of the wins.
    pub fn is_share_of_wins(&self) -> bool {
        self.is_share_of_wins
    }

    /// Returns how the metric is told if some sides, but not all, shared a win: who has a smaller share of the wins may win
    /// more often than before.
    pub fn where_wins_are_shared(&'static self) -> &'static MetricKind {
        match self.subject {
            Subject::Team => &TEAM_SHARES,
            Subject::Result if self.is_of_wins() => &WIN_SHARES,
            _ => self,
        }
    }
}

impl Serialize for MetricKind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name)
    }
}

/// A count of a whole game. Each is in the report (text, JSON, summary), the table of games, and comparisons.
#[derive(Debug)]
pub(super) struct GameCount {
    pub kind: MetricKind,
    /// Returns `true` if games with these rules have it; `None` for a count of all games.
    pub(super) applies: Option<fn(&Game) -> bool>,
    pub(super) from: fn(&Finished<'_>) -> i64,
}

impl GameCount {
    pub(super) fn applies_to(&self, game: &Game) -> bool {
        self.applies.is_none_or(|applies| applies(game))
    }
}

/// The sentence about the length of games.
const LONGER: &str = "{Games} last {by} {unit} {longer|shorter}";

/// The counts of a game. A constant rather than a static, so that every part of the program can inline the functions.
pub(super) const COUNTS: &[GameCount] = &[
    GameCount {
        kind: MetricKind::new(Subject::Count, "turns", "turns").sentence(LONGER).unit(Unit::Number("turn")),
        applies: None,
        from: |game| game.counters.turns as i64,
    },
    GameCount {
        kind: MetricKind::new(Subject::Count, "rolls", "rolls")
            .sentence(LONGER)
            .unit(Unit::Number("roll"))
            .omitted_at_zero(),
        applies: None,
        from: |game| game.counters.rolls as i64,
    },
    GameCount {
        kind: MetricKind::new(Subject::Count, "decisions", "decisions")
            .sentence(LONGER)
            .unit(Unit::Number("decision")),
        applies: None,
        from: |game| game.counters.decisions as i64,
    },
];

/// The score of each seat.
pub static SCORE: MetricKind = MetricKind::new(Subject::Score, "score", "the score of a game")
    .sentence("Scores are {by} {unit} {higher|lower}");

static MATCH_SCORE: MetricKind =
    SCORE.label("scores, added up").sentence("The scores of a match add up to {by} {unit} {more|less}");

pub(super) static TOTAL: MetricKind = MetricKind::new(Subject::Score, "total", "the total of a match")
    .label("total of a match")
    .sentence("Totals of a match are {by} {unit} {higher|lower}");

pub(super) static RECORD: MetricKind =
    MetricKind::new(Subject::Score, "record", "the best game of a match, if the rules keep it")
        .label("record of a match")
        .sentence("Records of a match are {by} {unit} {higher|lower}");

pub(super) static GAMES: MetricKind = MetricKind::new(Subject::Count, "games", "games of a match")
    .label("games of a match")
    .sentence("Matches have {by} {more|fewer} {unit}")
    .unit(Unit::Number("game"));

static ITEM: MetricKind = MetricKind::new(Subject::Item, "item", "points from an item of the score")
    .label("points for {name}")
    .sentence("`{name}` gives {by} {unit} {more|less}");

/// The wins of each seat.
pub static WINS: MetricKind =
    MetricKind::new(Subject::Result, "wins", "wins of a seat; a win shared by k sides counts 1/k")
        .label("{seat} wins")
        .sentence("{Seat} wins {by} {unit} {more|less} often")
        .unit(Unit::Share);

pub(super) static TEAM: MetricKind =
    MetricKind::new(Subject::Team, "team", "wins of a team; a win shared by k sides counts 1/k")
        .label("{seat} wins")
        .sentence("{Seat} wins {by} {unit} {more|less} often")
        .unit(Unit::Share);

/// The wins of each seat where some sides share a win.
static WIN_SHARES: MetricKind = WINS
    .label("{seat}'s share of the wins")
    .sentence("{Seat}'s share of the wins is {by} {unit} {larger|smaller}")
    .share_of_wins();

/// The wins of each team where some sides share a win.
static TEAM_SHARES: MetricKind = TEAM
    .label("{seat}'s share of the wins")
    .sentence("{Seat}'s share of the wins is {by} {unit} {larger|smaller}")
    .share_of_wins();

/// The wins of players who are all of one team.
pub static SUCCESS: MetricKind = MetricKind::new(
    Subject::Success,
    "success",
    "games, or matches, won by players who all win or lose together",
)
.label("{seat} wins")
.sentence("{Seat} wins {by} {unit} {more|less} often")
.unit(Unit::Share);

/// Only of restricted play; comparisons have payoffs among the variables.
pub static PAYOFF: MetricKind =
    MetricKind::new(Subject::Result, "payoff", "what a game with payoffs returns to a seat")
        .label("payoff of {seat}")
        .sentence("{Seat} gets {by} {unit} {more|less}");

static DRAWS: MetricKind = MetricKind::new(Subject::Result, "draws", "drawn games, or matches")
    .sentence("{Games} are drawn {by} {unit} {more|less} often")
    .unit(Unit::Share);

static LEAD: MetricKind = MetricKind::new(
    Subject::Lead,
    "lead",
    "how much better the score of the first side is than the mean of the others; only in comparisons",
)
.label("lead of {seat}")
.sentence("The lead of {seat} over {others} is {by} {unit} {higher|lower}");

static OPTION: MetricKind = MetricKind::new(Subject::Option, "option", "how often an option was taken")
    .label("{name} taken")
    .sentence("`{name}` is taken {by} {more|fewer} {unit} a {game}")
    .unit(Unit::Number("time"));

static STEP: MetricKind =
    MetricKind::new(Subject::Step, "step", "how often a step was entered; not in comparisons");

static OTHERWISE: MetricKind = MetricKind::new(
    Subject::Otherwise,
    "otherwise",
    "how often a choice had no legal option and its `otherwise` was done; a comparison adds up all choices",
)
.label("no legal option")
.sentence("No option is legal {by} {more|fewer} {unit} a {game}")
.unit(Unit::Number("time"))
.omitted_at_zero();

static END: MetricKind = MetricKind::new(Subject::End, "end", "games that an end decided")
    .label("ended by {name}")
    .sentence("`{name}` ends a game {by} {unit} {more|less} often")
    .unit(Unit::Share)
    .omitted_at_zero();

static MATCH_END: MetricKind =
    END.sentence("`{name}` ends {by} {more|fewer} games of a match").unit(Unit::Number("game"));

static VARIABLE: MetricKind = MetricKind::new(Subject::Variable, "variable", "a variable at the end")
    .label("{name} at the end")
    .sentence("`{name}` is {by} {higher|lower} at the end");

/// The points between the best score and the next.
pub(super) static MARGIN: MetricKind =
    MetricKind::new(Subject::Course, "margin", "points between the best score and the next")
        .label("margin of the winner")
        .sentence("The winner is {by} {unit} {further ahead of|closer to} the next");

/// Changes of the seat with the best score.
pub(super) static SCORE_LEADS: MetricKind = MetricKind::new(
    Subject::Course,
    "score_leads",
    "changes of the seat with the best score, before the decisions of a game",
)
.label("changes of the lead in score")
.sentence("The lead in score changes {by} {more|fewer} {unit} a game")
.unit(Unit::Number("time"));

/// Games won by who was behind in score at half-time.
pub(super) static FROM_BEHIND: MetricKind = MetricKind::new(
    Subject::Course,
    "from_behind",
    "games won by who was behind in score at half-time, of games with one winner",
)
.label("won from behind at half-time")
.sentence(
    "The share of the games won by who was behind in score at half-time is {by} {unit} {larger|smaller}",
)
.unit(Unit::Share);

/// Wins of the favourite at half-time.
pub(super) static FAVOURITE_WINS: MetricKind =
    MetricKind::new(Subject::Course, "favourite_wins", "games won by the favourite at half-time")
        .label("favourite at half-time wins")
        .sentence("The favourite at half-time wins {by} {unit} {more|less} often")
        .unit(Unit::Share);

/// Games whose winner was once far behind.
pub(super) static COMEBACKS: MetricKind = MetricKind::new(
    Subject::Course,
    "comebacks",
    "games whose winner was once at less than half of an equal share",
)
.sentence("The share of comebacks among the games is {by} {unit} {larger|smaller}")
.unit(Unit::Share);

/// The moment from which the winner is sure.
pub(super) static DECIDED_POINT: MetricKind = MetricKind::new(
    Subject::Course,
    "decided_point",
    "median share of a game after which its winner stays at 90 % or more",
)
.label("decided after")
.sentence("Games are decided {by} {unit} of their length {later|earlier}")
.unit(Unit::Share);

/// Changes of the favourite in a game.
pub(super) static LEAD_CHANGES: MetricKind =
    MetricKind::new(Subject::Course, "lead_changes", "changes of the favourite in a game")
        .label("changes of the lead")
        .sentence("The lead changes {by} {more|fewer} {unit} a game")
        .unit(Unit::Number("time"));

/// The metrics that only games have which a comparison follows.
pub static COURSE: [&MetricKind; 7] =
    [&MARGIN, &SCORE_LEADS, &FROM_BEHIND, &FAVOURITE_WINS, &COMEBACKS, &DECIDED_POINT, &LEAD_CHANGES];

/// A finished match.
pub(super) struct FinishedMatch {
    standings: Vec<Standing>,
    /// A bit for each winner.
    pub(super) winners: u32,
    games: u64,
}

impl FinishedMatch {
    pub(super) fn new(one: &Match) -> FinishedMatch {
        let leaders = one.leaders().into_iter().enumerate();
        let winners = leaders.fold(0, |winners, (seat, leads)| winners | u32::from(leads) << seat);
        FinishedMatch { standings: one.standings(), winners, games: one.played() }
    }
}

/// A metric of a game, or match.
#[derive(Clone, Debug)]
pub struct Metric {
    /// Its declaration.
    pub kind: &'static MetricKind,
    /// Name of the item, option, step, end or variable; else empty.
    pub name: String,
    /// A variable in the notation of the rules, such as `points[X]`, or an option with its place, such as `stop (build)`;
    /// else empty.
    pub member: String,
    /// The seat; `None` if it is of all seats.
    pub seat: Option<Seat>,
    /// Its index in its subject: of the seat, the item of a seat, the count, the option, the step, the `otherwise`,
    /// the end, or the value.
    pub(super) at: usize,
    source: MetricSource,
}

/// How a metric is measured. Functions get [`Metric::at`].
#[derive(Clone, Copy, Debug)]
enum MetricSource {
    Game(fn(&Finished<'_>, usize) -> i64),
    /// An entry of [`COUNTS`].
    Count,
    Value(EndValue),
    /// A counter of the executor, which runs over all games of a batch.
    Usage,
    Match(fn(&FinishedMatch, usize) -> i64),
    /// The wins of a player, or of a team by one of its players.
    Win {
        player: u32,
        sides: u32,
        of_matches: bool,
    },
    /// The lead of a side, with a bit for each of its players, among some sides.
    Lead {
        players: u32,
        sides: i64,
    },
}

impl Metric {
    fn new(
        kind: &'static MetricKind,
        name: &str,
        seat: Option<usize>,
        at: usize,
        source: MetricSource,
    ) -> Metric {
        let seat = seat.map(|seat| Seat(seat as u32));
        Metric { kind, name: name.to_owned(), member: String::new(), seat, at, source }
    }

    /// Returns the metric of an option under the name that has its place, too.
    pub(super) fn placed(self) -> Metric {
        Metric { name: self.member.clone(), ..self }
    }

    /// Returns the value of a finished game; 0 for a metric of matches, or one that the executor counts.
    pub(super) fn measure_game(&self, game: &Finished<'_>) -> i64 {
        match self.source {
            MetricSource::Game(from) => from(game, self.at),
            MetricSource::Count => (COUNTS[self.at].from)(game),
            MetricSource::Value(value) => value.number(game),
            MetricSource::Win { player, sides, of_matches: false } => win(game.winners, sides, player),
            MetricSource::Lead { players, sides } => lead(game, players, sides),
            MetricSource::Usage | MetricSource::Match(_) | MetricSource::Win { of_matches: true, .. } => 0,
        }
    }

    /// Returns how often an option was taken, or a choice had none; 0 for all other metrics.
    pub(super) fn measure_usage(&self, counts: &UsageCounts) -> i64 {
        let count = match self.kind.subject {
            Subject::Option => counts.options.get(self.at),
            Subject::Otherwise => counts.otherwise.get(self.at),
            _ => None,
        };
        count.map_or(0, |count| *count as i64)
    }

    /// Returns `true` if it is of whole matches rather than of their games.
    pub(super) fn is_of_match(&self) -> bool {
        matches!(self.source, MetricSource::Match(_) | MetricSource::Win { of_matches: true, .. })
    }

    /// Returns the value of a finished match, or `None` if the metric is of its games.
    pub(super) fn measure_match(&self, one: &FinishedMatch) -> Option<i64> {
        match self.source {
            MetricSource::Match(from) => Some(from(one, self.at)),
            MetricSource::Win { player, sides, of_matches: true } => Some(win(one.winners, sides, player)),
            _ => None,
        }
    }
}

/// Returns the metrics of a game, or of a match: one for each seat, item of a seat, option and so on.
pub fn metrics(game: &Game, match_play: bool) -> Vec<Metric> {
    let model = game.model();
    let players = game.players() as usize;
    let by_seat =
        |kind, source| (0..players).map(move |seat| Metric::new(kind, "", Some(seat), seat, source));
    let one = |kind, at, source| Metric::new(kind, "", None, at, source);
    let mut all = Vec::new();
    if match_play {
        all.extend(by_seat(&TOTAL, MetricSource::Match(|one, seat| one.standings[seat].total)));
        if model.match_rules.as_ref().is_some_and(|rules| rules.record.is_some()) {
            let record = MetricSource::Match(|one, seat| one.standings[seat].record.unwrap_or(0));
            all.extend(by_seat(&RECORD, record));
        }
        all.push(one(&GAMES, 0, MetricSource::Match(|one, _| one.games as i64)));
    }
    let score = if match_play { &MATCH_SCORE } else { &SCORE };
    all.extend(by_seat(score, MetricSource::Game(|game, seat| game.score(Seat(seat as u32)))));
    for (item, declared) in model.score.iter().enumerate() {
        let points = MetricSource::Game(|game, at| game.scores[at]);
        let of_seat =
            |seat| Metric::new(&ITEM, &declared.name, Some(seat), seat * model.score.len() + item, points);
        all.extend((0..players).map(of_seat));
    }
    let counts = COUNTS.iter().enumerate().filter(|(_, count)| count.applies_to(game));
    all.extend(counts.map(|(at, count)| one(&count.kind, at, MetricSource::Count)));
    if players > 1 {
        let sides = model.sides();
        let wins = |player: u32| MetricSource::Win { player, sides, of_matches: match_play };
        let mut draws = MetricSource::Game(|game, _| draw(game.winners, game.game.players()));
        if match_play {
            draws = MetricSource::Match(|one, _| draw(one.winners, one.standings.len() as u32));
        }
        // Sides come first: the wins of their players are the same.
        if model.is_cooperative() {
            all.push(one(&SUCCESS, 0, wins(0)));
        }
        all.extend(model.teams.iter().enumerate().map(|(at, team)| {
            Metric::new(&TEAM, &team.name, None, at, wins(team.players.first().unwrap_or(0)))
        }));
        let of_seat = |seat| Metric::new(&WINS, "", Some(seat), seat, wins(seat as u32));
        all.extend((0..players).map(of_seat));
        if !model.is_cooperative() {
            all.push(one(&DRAWS, 0, draws));
            if !model.score.is_empty() && !match_play {
                let (players, sides) = (model.team_of(Seat(0)).bits(), i64::from(sides.count_ones()));
                all.push(one(&LEAD, 0, MetricSource::Lead { players, sides }));
            }
        }
    }
    let named = |kind, at, name: &str, source| Metric::new(kind, name, None, at, source);
    let counted = CountedUses::new(model);
    let options = counted.options.iter().enumerate();
    all.extend(options.map(|(at, option)| {
        let member = option.name.clone();
        Metric { member, ..named(&OPTION, at, &option.option, MetricSource::Usage) }
    }));
    let otherwise = 0..counted.otherwise.len();
    all.extend(otherwise.map(|at| named(&OTHERWISE, at, "", MetricSource::Usage)));
    let steps = model.steps.iter().enumerate();
    all.extend(steps.map(|(at, step)| named(&STEP, at, &step.name, MetricSource::Usage)));
    let end = if match_play { &MATCH_END } else { &END };
    let is_end = MetricSource::Game(|game, end| i64::from(game.end as usize == end));
    all.extend(model.end_names().enumerate().map(|(at, name)| named(end, at, name, is_end)));
    if !match_play {
        let members = |variable: Variable| {
            let Slot { name, index, .. } = &model.slots[variable.slot.index()];
            family_names(game, name, index).into_iter().zip(variable.values)
        };
        let measured = variables(game).into_iter().filter(|variable| variable.is_measured);
        all.extend(measured.flat_map(members).enumerate().map(|(at, (member, value))| {
            let name = &model.slots[value.slot.index()].name;
            Metric { member, ..named(&VARIABLE, at, name, MetricSource::Value(value)) }
        }));
    }
    all
}

/// Returns a player's share of a win, in units of 1/[`WIN`]: a win that k sides share counts 1/k for each player of them.
/// `sides` has a bit for each side.
fn win(winners: u32, sides: u32, player: u32) -> i64 {
    i64::from(winners >> player & 1) * WIN / i64::from((winners & sides).count_ones().max(1))
}

fn draw(winners: u32, players: u32) -> i64 {
    i64::from(winners == 0 || winners.count_ones() == players)
}

/// Returns how much better the score of a side is than the mean of the other sides, in units of 1/(sides − 1). A side has the
/// sum of its players, of which `players` has a bit for each.
fn lead(game: &Finished<'_>, players: u32, sides: i64) -> i64 {
    let all = game.scores.iter().copied().fold(0, i64::saturating_add);
    let own = (0..game.game.players()).filter(|seat| players >> seat & 1 == 1);
    let own = own.fold(0i64, |sum, seat| sum.saturating_add(game.score(Seat(seat))));
    let lead = own.saturating_mul(sides).saturating_sub(all);
    match game.game.model().score_direction {
        ScoreDirection::Most => lead,
        ScoreDirection::Least => lead.saturating_neg(),
    }
}
