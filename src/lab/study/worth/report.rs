//! The result of a study of rules: its JSON types, and the figures that all rules together decide.

use serde::Serialize;

use crate::study::removal::RuleKind;
use crate::study::run::StudyRun;
use houserule_base::numbers::grouped;
use houserule_base::statistics::paired::holm;
use houserule_game::ordered::Ordered;
use houserule_model::ScoreDirection;
use houserule_players::agents::AgentKind;
use houserule_playtest::CHANCE;
use houserule_playtest::Quantity;
use houserule_playtest::Subject;
use houserule_playtest::sentences::sentence;

/// What the rules of a game are worth; the fields are the keys of `worth --json`.
#[derive(Clone, Debug, Serialize)]
pub struct Worth {
    /// Version of the JSON format.
    pub version: u32,
    /// The game, as it can be loaded again.
    pub game: String,
    /// Its title.
    pub title: String,
    /// Fingerprint of its rules.
    pub rules_sha256: String,
    /// Values of its params.
    pub params: Ordered<serde_json::Value>,
    /// Number of players.
    pub players: u32,
    /// What comes by chance in the game; `None` if nothing does.
    #[serde(skip)]
    pub chance: Option<&'static str>,
    /// `true` if the rules have matches, of which all games that are played here are first ones.
    #[serde(skip)]
    pub has_matches: bool,
    /// The run. If it was stopped, rules have only the agents that were finished.
    #[serde(flatten)]
    pub run: StudyRun,
    /// Number of differences that were tested, over all rules and agents.
    pub tested: usize,
    /// The rules that can be removed, and options that can be taken from a single seat; those that change most first.
    pub rules: Vec<RuleWorth>,
    /// The rules that can't be removed.
    pub fixed: Vec<FixedRule>,
}

/// A rule that can be removed, or an option that can be taken from a single seat.
#[derive(Clone, Debug, Serialize)]
pub struct RuleWorth {
    /// Its kind.
    pub kind: RuleKind,
    /// Its name.
    pub name: String,
    /// Its help text; may be empty.
    pub help: String,
    /// The house rule that removes it.
    pub removal: String,
    /// Its effects for each agent.
    pub agents: Vec<AgentWorth>,
    /// Labels of the figures on which agents disagree in sign.
    pub opposed: Vec<String>,
}

/// The effects of a rule for one agent in all seats.
#[derive(Clone, Debug, Serialize)]
pub struct AgentWorth {
    /// The agent.
    pub agent: String,
    /// Number of players trained for the game with the rule and for that without it; null if none was. All errors
    /// include their spread.
    pub trainings: Option<u64>,
    /// Pairs in which both games were finished; if the rule can't be removed, games of restricted play.
    pub games: u64,
    /// Pairs in which an error ended a game.
    pub aborted: u64,
    /// Points that the rule brings a lone player; null for several players, or without a score.
    pub points: Option<WorthPoints>,
    /// What the rule changes: `a` is without the rule, `b` with it. Empty if the rule can't be removed.
    pub changes: Vec<Quantity>,
    /// What an option is worth to the seat that has it, against the same player without it: the mean over the seats
    /// first, then each seat. Empty for other rules, and for agents that can't be restricted.
    pub restricted: Vec<Quantity>,
    /// The reason if there are no figures; else null.
    pub note: Option<String>,
}

/// A number of points, positive if the rule makes the score better.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct WorthPoints {
    /// The mean.
    pub mean: f64,
    /// Lower end of its 95 % interval; null for a single pair.
    pub low: Option<f64>,
    /// Upper end.
    pub high: Option<f64>,
    /// The p-value, corrected by Holm's method.
    pub p_corrected: f64,
    /// `true` if it is reported as a difference from 0.
    pub differs: bool,
}

/// A rule that can't be removed.
#[derive(Clone, Debug, Serialize)]
pub struct FixedRule {
    /// Its kind.
    pub kind: RuleKind,
    /// Its name.
    pub name: String,
    /// The house rule that should remove it.
    pub removal: String,
    /// Why it can't be removed, in one line.
    pub reason: String,
}

impl RuleWorth {
    /// Its kind and name: `option joker`.
    pub fn label(&self) -> String {
        format!("{} {}", self.kind.name(), self.name)
    }

    /// How much the rule changes for the strongest agent that has figures, as a share: the greatest change of its
    /// counts and scores relative to their means, and of its win rates and draws. Differences that may be chance
    /// count as 0.
    fn change(&self) -> f64 {
        let Some(agent) = self.agents.iter().rev().find(|agent| agent.note.is_none()) else { return 0.0 };
        let share = |quantity: &Quantity| match (quantity.differs, quantity.kind.is_share()) {
            (false, _) => 0.0,
            (true, true) => quantity.difference.abs(),
            (true, false) => {
                quantity.difference.abs() / quantity.b.mean.abs().max(quantity.a.mean.abs()).max(1.0)
            }
        };
        if let Some(points) = agent.points {
            return if points.differs { points.mean.abs() } else { 0.0 };
        }
        agent.changes.iter().chain(&agent.restricted).map(share).fold(0.0, f64::max)
    }
}

impl Worth {
    /// Returns `true` if there is a figure of any rule.
    pub fn has_figures(&self) -> bool {
        let mut agents = self.rules.iter().flat_map(|rule| &rule.agents);
        agents.any(|agent| !agent.changes.is_empty() || !agent.restricted.is_empty())
    }

    /// Says how to read the figures: what the games of a pair have in common, and how many differences were tested.
    pub fn note(&self) -> String {
        let trained = match self.rules.iter().flat_map(|rule| &rule.agents).find_map(|agent| agent.trainings)
        {
            Some(count) => format!(
                " {count} players are trained for the game and {count} for it without each rule; ± contains their spread."
            ),
            None => String::new(),
        };
        let seed = self.run.seed;
        let pairs = match self.chance {
            Some(dice) => format!("Games with and without a rule have the same {dice}, seed {seed}."),
            None => format!(
                "The game has no chance events; its players have the same seeds with and without a rule, seed {seed}."
            ),
        };
        let tested = match self.tested {
            1 => "One difference was tested: it is said to be one if chance does so in fewer than 1 of 20 such runs."
                .to_owned(),
            tested => format!(
                "{} differences were tested; what is said to differ passes Holm's correction for that many: of runs with \
                 no difference at all, fewer than 1 in 20 says there is one.",
                grouped(tested as i128)
            ),
        };
        format!("{pairs} ± is half a 95 % confidence interval.{trained} {tested}")
    }
}

impl AgentWorth {
    /// The entry of an agent without figures, with the reason for it.
    pub(super) fn empty(kind: &AgentKind, note: Option<String>) -> AgentWorth {
        AgentWorth {
            agent: kind.to_string(),
            trainings: None,
            games: 0,
            aborted: 0,
            points: None,
            changes: vec![],
            restricted: vec![],
            note,
        }
    }
}

/// Corrects the tests, adds sentences and points, and orders the rules.
pub(super) fn finish(found: &mut Worth, direction: ScoreDirection) {
    let agents = found.rules.iter_mut().flat_map(|rule| &mut rule.agents);
    let mut tested: Vec<&mut Quantity> =
        agents.flat_map(|agent| agent.changes.iter_mut().chain(&mut agent.restricted)).collect();
    tested.retain(|quantity| quantity.is_tested());
    let corrected = holm(&tested.iter().map(|quantity| quantity.p).collect::<Vec<_>>());
    for (quantity, p) in tested.iter_mut().zip(corrected) {
        quantity.p_corrected = p;
        quantity.differs = p < CHANCE;
        quantity.sentence = match quantity.differs {
            true => sentence(quantity, false, direction == ScoreDirection::Least),
            false => String::new(),
        };
    }
    found.tested = tested.len();
    let alone = found.players == 1;
    for rule in &mut found.rules {
        for agent in rule.agents.iter_mut().filter(|_| alone) {
            let score = agent.changes.iter().find(|quantity| quantity.kind.subject == Subject::Score);
            agent.points = score.map(|score| points(score, direction));
        }
        rule.opposed = opposed(&rule.agents);
    }
    found.rules.sort_by(|a, b| b.change().total_cmp(&a.change()));
}

/// Returns the points that a rule brings a lone player, from the difference of the scores.
fn points(score: &Quantity, direction: ScoreDirection) -> WorthPoints {
    let worth = |value: f64| direction.worth(value);
    let [low, high] = match direction {
        ScoreDirection::Most => [score.low, score.high],
        ScoreDirection::Least => [score.high, score.low],
    };
    WorthPoints {
        mean: worth(score.difference),
        low: low.map(worth),
        high: high.map(worth),
        p_corrected: score.p_corrected,
        differs: score.differs,
    }
}

/// Returns the labels of the figures whose sign depends on the agent: both differences are more than chance.
fn opposed(agents: &[AgentWorth]) -> Vec<String> {
    let mut labels: Vec<String> = vec![];
    for (at, one) in agents.iter().enumerate() {
        for other in &agents[at + 1..] {
            add_opposed(&one.changes, &other.changes, "", &mut labels);
            add_opposed(&one.restricted, &other.restricted, ", restricted", &mut labels);
        }
    }
    labels.dedup();
    labels
}

/// Adds the labels of the figures of one agent that differ in sign from the same figures of another.
fn add_opposed(figures: &[Quantity], others: &[Quantity], suffix: &str, labels: &mut Vec<String>) {
    let is_same =
        |a: &Quantity, b: &Quantity| (a.kind.name, &a.name, a.seat) == (b.kind.name, &b.name, b.seat);
    for figure in figures {
        let Some(other) = others.iter().find(|other| is_same(figure, other)) else { continue };
        if figure.differs && other.differs && figure.difference * other.difference < 0.0 {
            labels.push(format!("{}{suffix}", figure.label));
        }
    }
}
