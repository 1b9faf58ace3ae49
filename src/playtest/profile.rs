//! Where a rule file's time goes: its parts, expressions and lines, with what they cost random games.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::VERSION;
use houserule_base::clock::Instant;
use houserule_check::DefinitionKind as K;
use houserule_game::Game;
use houserule_game::metered::{GameMeter, MeteredGames};
use houserule_language::diagnostic::{PlaceFinder, SourceMap, Span};
use houserule_loader::Loaded;
use std::time::Duration;

/// What is played for a profile.
#[derive(Clone, Copy, Debug)]
pub struct ProfilePlan {
    /// Random seed.
    pub seed: u64,
    /// Maximum number of games.
    pub games: u64,
    /// Maximum time, in seconds. A game in progress is cut short.
    pub seconds: f64,
}

impl Default for ProfilePlan {
    fn default() -> Self {
        ProfilePlan { seed: 1, games: 1000, seconds: 3.0 }
    }
}

/// Where the time of a game goes.
#[derive(Clone, Debug, Serialize)]
pub struct Profile {
    /// Version of this format.
    pub version: u32,
    /// Name of the game.
    pub game: String,
    /// Its title.
    pub title: String,
    /// The seed of the random games.
    pub seed: u64,
    /// Number of games that ended.
    pub games: u64,
    /// Number of decisions, those of a game that was cut short among them.
    pub decisions: u64,
    /// Whether the time ended before the last game.
    pub out_of_time: bool,
    /// Number of instructions in the program.
    pub program: usize,
    /// Mean costs of a decision.
    pub decision: ProfiledCost,
    /// Defines, procedures, steps, options, score items and ends, with all that they use; the greatest share first. They
    /// contain each other, so their shares have no sum.
    pub parts: Vec<ProfiledPart>,
    /// Expressions and statements with what they contain, in the order of the text.
    pub expressions: Vec<ProfiledExpression>,
    /// The lines, each with what begins on it and without what that uses from other lines, in the order of the text. The
    /// shares have the sum 1.
    pub lines: Vec<ProfiledLine>,
    /// The first error in the rules that a game came to.
    pub error: Option<String>,
}

/// What something costs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct ProfiledCost {
    /// Its share of the time of the games, from 0 to 1.
    pub share: f64,
    /// Microseconds a decision in the interpreter.
    pub microseconds: f64,
    /// How often it is evaluated or executed in a decision.
    pub evaluations: f64,
    /// Instructions a decision.
    pub instructions: f64,
    /// The share of these instructions, from 0 to 1, that compute again what was computed in the same decision.
    pub repeated: f64,
}

/// A place in a rule file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct ProfiledPlace {
    /// The rule file.
    pub file: String,
    /// Line, from 1.
    pub line: usize,
    /// Column, from 1, in characters.
    pub column: usize,
    /// The whole text of which this is the beginning.
    #[serde(skip)]
    pub span: Span,
}

/// A named part of the rules.
#[derive(Clone, Debug, Serialize)]
pub struct ProfiledPart {
    /// Its kind, as the rules call it: `define`, `step`, `end`, ….
    pub kind: &'static str,
    /// Its name.
    pub name: String,
    /// Where its name is declared.
    #[serde(flatten)]
    pub place: ProfiledPlace,
    /// Its costs, with all that it uses.
    #[serde(flatten)]
    pub cost: ProfiledCost,
    /// The share without what it uses from other parts.
    pub own_share: f64,
}

/// An expression or a statement.
#[derive(Clone, Debug, Serialize)]
pub struct ProfiledExpression {
    /// Its text, with one blank between words; a long one ends in `…`.
    pub text: String,
    /// Where it begins.
    #[serde(flatten)]
    pub place: ProfiledPlace,
    /// Its costs, with all that it uses.
    #[serde(flatten)]
    pub cost: ProfiledCost,
}

/// A line of a rule file.
#[derive(Clone, Debug, Serialize)]
pub struct ProfiledLine {
    /// Where the line's first expression begins.
    #[serde(flatten)]
    pub place: ProfiledPlace,
    /// Its text without the blanks around it.
    pub text: String,
    /// Its costs. The evaluations are those of what is evaluated most often.
    #[serde(flatten)]
    pub cost: ProfiledCost,
}

/// Least share of an expression that is listed.
const LISTED: f64 = 0.001;

/// Longest text of an expression, in characters.
const LONGEST_TEXT: usize = 72;

/// Seconds after which a part of a profile ends.
const PART: f64 = 0.1;

/// Plays random games and measures where their time goes.
pub fn profile(loaded: &Loaded, plan: &ProfilePlan) -> Profile {
    let mut run = ProfileRun::new(&loaded.game, plan);
    while run.step() {}
    run.finish(loaded)
}

/// A profile whose games are played part by part.
#[derive(Debug)]
pub struct ProfileRun {
    plan: ProfilePlan,
    meter: GameMeter,
    /// Seconds of the parts so far.
    spent: f64,
}

impl ProfileRun {
    /// Prepares the games of a plan.
    pub fn new(game: &Game, plan: &ProfilePlan) -> ProfileRun {
        ProfileRun { plan: *plan, meter: GameMeter::new(game, plan.seed), spent: 0.0 }
    }

    /// Plays for a fraction of a second, or to the end of a game that takes longer. Returns `true` if there is more to
    /// play.
    pub fn step(&mut self) -> bool {
        let begun = Instant::now();
        let left = (self.plan.seconds - self.spent).clamp(0.0, 1e9);
        let until = begun.checked_add(Duration::from_secs_f64(left));
        let mut has_time = true;
        while has_time && self.meter.played() < self.plan.games && begun.elapsed().as_secs_f64() < PART {
            has_time = self.meter.play_next(until);
        }
        self.spent += begun.elapsed().as_secs_f64();
        has_time && self.meter.played() < self.plan.games
    }

    /// Returns the share that is done, of the games or of the time, from 0 to 1.
    pub fn share_done(&self) -> f64 {
        let games = self.meter.played() as f64 / self.plan.games.max(1) as f64;
        games.max(self.spent / self.plan.seconds.max(1e-9)).min(1.0)
    }

    /// Returns the profile of the games so far. `loaded` has the rules that they are played by.
    pub fn finish(self, loaded: &Loaded) -> Profile {
        let metered = self.meter.finish();
        let sums = CostSums::new(&metered);
        let (lines, expressions) = (lines(&sums, &loaded.sources), expressions(&sums, &loaded.sources));
        let whole = sums.whole();
        Profile {
            version: VERSION,
            game: loaded.game.identity().name.clone(),
            title: loaded.game.model().title.clone(),
            seed: self.plan.seed,
            games: metered.games,
            decisions: metered.decisions,
            out_of_time: metered.out_of_time,
            program: metered.costs.len(),
            decision: ProfiledCost { evaluations: 1.0, ..sums.cost(&whole) },
            parts: parts(&sums, loaded),
            expressions,
            lines,
            error: metered.error.as_ref().map(ToString::to_string),
        }
    }
}

/// A sum of the costs of instructions.
#[derive(Clone, Copy, Debug, Default)]
struct CostSum {
    runs: u64,
    repeated: u64,
    nanoseconds: u64,
    /// How often what it belongs to was entered.
    entered: u64,
}

impl CostSum {
    fn add(&mut self, other: &CostSum) {
        self.runs += other.runs;
        self.repeated += other.repeated;
        self.nanoseconds += other.nanoseconds;
    }
}

/// The costs of the places of a program.
struct CostSums<'a> {
    metered: &'a MeteredGames,
    /// By place: the costs of its own instructions.
    own: Vec<CostSum>,
    /// By place: the costs of its instructions and of those of the places within it.
    all: Vec<CostSum>,
}

impl<'a> CostSums<'a> {
    fn new(metered: &'a MeteredGames) -> Self {
        let places = &metered.origins.places;
        let mut own = vec![CostSum::default(); places.len()];
        let mut first = vec![usize::MAX; places.len()];
        for (at, (place, cost)) in metered.origins.of_code.iter().zip(&metered.costs).enumerate() {
            let place = *place as usize;
            let cost = CostSum {
                runs: cost.runs,
                repeated: cost.repeated,
                nanoseconds: cost.nanoseconds,
                entered: 0,
            };
            own[place].add(&cost);
            first[place] = first[place].min(at);
        }
        let mut all = own.clone();
        // Places come after those around them.
        for place in (1..places.len()).rev() {
            let within = places[place].within as usize;
            let sum = all[place];
            all[within].add(&sum);
            first[within] = first[within].min(first[place]);
        }
        for (sum, first) in all.iter_mut().zip(first) {
            sum.entered = metered.costs.get(first).map_or(0, |cost| cost.runs);
        }
        CostSums { metered, own, all }
    }

    fn whole(&self) -> CostSum {
        self.all.first().copied().unwrap_or_default()
    }

    fn cost(&self, sum: &CostSum) -> ProfiledCost {
        let decisions = self.metered.decisions.max(1) as f64;
        ProfiledCost {
            share: sum.nanoseconds as f64 / self.whole().nanoseconds.max(1) as f64,
            microseconds: sum.nanoseconds as f64 / 1e3 / decisions,
            evaluations: sum.entered as f64 / decisions,
            instructions: sum.runs as f64 / decisions,
            repeated: sum.repeated as f64 / sum.runs.max(1) as f64,
        }
    }

    /// Adds up the costs of all places by a key. Places within one of the same key add nothing.
    fn by_key<Key: Ord + Copy>(&self, keys: &[Option<Key>]) -> BTreeMap<Key, CostSum> {
        let places = &self.metered.origins.places;
        let mut sums: BTreeMap<Key, CostSum> = BTreeMap::new();
        for (place, key) in keys.iter().enumerate() {
            let Some(key) = *key else { continue };
            let (mut around, mut is_within) = (place, false);
            while around != 0 && !is_within {
                around = places[around].within as usize;
                is_within = keys[around] == Some(key);
            }
            if !is_within {
                let sum = sums.entry(key).or_default();
                sum.add(&self.all[place]);
                sum.entered += self.all[place].entered;
            }
        }
        sums
    }
}

/// Returns the keyword of a kind of part that is listed.
fn listed(kind: K) -> bool {
    matches!(
        kind,
        K::Define | K::Procedure | K::Setup | K::Step | K::Choice | K::Option | K::ScoreItem | K::End
    )
}

fn parts(sums: &CostSums<'_>, loaded: &Loaded) -> Vec<ProfiledPart> {
    let definitions = &loaded.names.definitions;
    let whole = |at: usize| definitions[at].whole.unwrap_or(Span { end: 0, ..EMPTY });
    let listed: Vec<usize> = (0..definitions.len())
        .filter(|at| listed(definitions[*at].kind) && definitions[*at].whole.is_some())
        .collect();
    let places = &sums.metered.origins.places;
    // The parts around each place, the innermost first.
    let around: Vec<Vec<usize>> = places
        .iter()
        .map(|place| {
            let mut around: Vec<usize> =
                listed.iter().copied().filter(|at| contains(whole(*at), place.span)).collect();
            around.sort_by_key(|at| whole(*at).end - whole(*at).start);
            around
        })
        .collect();
    let mut own: BTreeMap<usize, u64> = BTreeMap::new();
    for (around, cost) in around.iter().zip(&sums.own) {
        if let Some(innermost) = around.first() {
            *own.entry(*innermost).or_default() += cost.nanoseconds;
        }
    }
    let mut found: Vec<ProfiledPart> = vec![];
    for at in &listed {
        let keys: Vec<Option<usize>> =
            around.iter().map(|around| around.contains(at).then_some(*at)).collect();
        let Some(sum) = sums.by_key(&keys).remove(at) else { continue };
        let definition = &definitions[*at];
        let span = definition.span.unwrap_or(whole(*at));
        let own = own.get(at).copied().unwrap_or_default() as f64;
        found.push(ProfiledPart {
            kind: definition.kind.text(),
            name: definition.name.clone(),
            place: place_of(&loaded.sources, span),
            cost: sums.cost(&sum),
            own_share: own / sums.whole().nanoseconds.max(1) as f64,
        });
    }
    found.sort_by(|a, b| b.cost.share.total_cmp(&a.cost.share).then_with(|| a.place.cmp(&b.place)));
    found
}

const EMPTY: Span = Span { file: houserule_language::diagnostic::FileId(0), start: 0, end: 0 };

fn contains(whole: Span, span: Span) -> bool {
    whole.file == span.file && whole.start <= span.start && span.end <= whole.end
}

fn place_of(sources: &SourceMap, span: Span) -> ProfiledPlace {
    let place = sources.line_column(span);
    ProfiledPlace { file: sources.get(span.file).name.clone(), line: place.line, column: place.column, span }
}

fn expressions(sums: &CostSums<'_>, sources: &SourceMap) -> Vec<ProfiledExpression> {
    let keys: Vec<Option<Span>> =
        sums.metered.origins.places.iter().skip(1).map(|place| Some(place.span)).collect();
    let keys: Vec<Option<Span>> = std::iter::once(None).chain(keys).collect();
    let mut found = vec![];
    for (span, sum) in sums.by_key(&keys) {
        let cost = sums.cost(&sum);
        if cost.share < LISTED {
            continue;
        }
        let words: Vec<&str> = sources.text(span).split_whitespace().collect();
        let mut text = words.join(" ");
        if text.chars().count() > LONGEST_TEXT {
            text = text.chars().take(LONGEST_TEXT - 1).chain(['…']).collect();
        }
        found.push(ProfiledExpression { text, place: place_of(sources, span), cost });
    }
    found
}

fn lines(sums: &CostSums<'_>, sources: &SourceMap) -> Vec<ProfiledLine> {
    let mut order: Vec<usize> = (0..sums.own.len()).collect();
    let places = &sums.metered.origins.places;
    order.sort_by_key(|place| places[*place].span);
    let mut finder = PlaceFinder::new(sources);
    let mut found: Vec<(Span, usize, usize, CostSum)> = vec![];
    for place in order {
        let span = places[place].span;
        let at = finder.find(span);
        let is_same = |(first, line, ..): &&mut (Span, usize, usize, CostSum)| {
            first.file == span.file && *line == at.line
        };
        let (own, entered) = (sums.own[place], sums.all[place].entered);
        match found.last_mut().filter(is_same) {
            Some((.., sum)) => {
                sum.add(&own);
                sum.entered = sum.entered.max(entered);
            }
            None => found.push((span, at.line, at.column, CostSum { entered, ..own })),
        }
    }
    let line = |(span, line, column, sum): (Span, usize, usize, CostSum)| {
        let source = sources.get(span.file);
        let text = source.text.lines().nth(line - 1).unwrap_or("").trim().to_owned();
        let place = ProfiledPlace { file: source.name.clone(), line, column, span };
        ProfiledLine { place, text, cost: sums.cost(&sum) }
    };
    found.into_iter().map(line).filter(|line| line.cost.instructions > 0.0).collect()
}
