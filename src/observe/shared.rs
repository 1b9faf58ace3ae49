//! One layout of observations and actions for several games: what they share has one place, and what a game lacks is 0
//! in its observations and illegal in its masks.
//!
//! Entries are joined by their names, and within an entry elements and sites by theirs, so `c5` of a small board is
//! `c5` of a large one. An action is found by its name, such as `place c5`. Numbers stay scaled to the range of their
//! own game.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use super::plan::ObservationPlan;
use super::{EntryKind, EntryPlan, EntrySource, ObservationEntry, Planes, PlanesError, items};
use crate::game::Game;
use crate::model::{ActionBlock, ActionId, Content, DomainId, PLAYER, ParamKind, ParamValue};

/// Maximum number of cells of an observation in a shared layout, and of its actions.
const MOST: usize = 1 << 20;

/// The name of the entry that shows which rules are played.
const RULES: &str = "rules";

/// Why games can't share a layout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SharedError {
    /// The games have different numbers of players.
    Players {
        /// A game and its number of players.
        one: (String, u32),
        /// A game with another number.
        other: (String, u32),
    },
    /// An entry of the same name means something else.
    Entry {
        /// Its name.
        entry: String,
        /// A game, and what the entry is there.
        one: (String, String),
        /// Another game, and what the entry is there.
        other: (String, String),
    },
    /// Planes have different sizes.
    Size {
        /// A game, and the rows and columns of its planes.
        one: (String, [usize; 2]),
        /// Another game.
        other: (String, [usize; 2]),
    },
    /// A game has no planes.
    Planes {
        /// The game.
        game: String,
        /// The reason.
        error: PlanesError,
    },
    /// The layout has too many cells or actions.
    TooLarge {
        /// What there is too much of, in the plural.
        what: &'static str,
        /// How many there are.
        count: usize,
    },
    /// A feature of the rules doesn't fit the data type.
    Feature {
        /// Its name.
        feature: String,
        /// Its least and greatest value.
        range: (i64, i64),
    },
    /// A game has an entry with the name of the entry that shows the rules.
    Name,
}

impl fmt::Display for SharedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SharedError::Players { one, other } => write!(
                f,
                "rule sets of one vector need the same number of players: {} has {}, {} has {}; set `players`, or \
                 leave one of them out",
                one.0, one.1, other.0, other.1
            ),
            SharedError::Entry { entry, one, other } => write!(
                f,
                "the entry `{entry}` of the observation is {} in {} and {} in {}, so the two can't share a layout; \
                 leave one of them out",
                one.1, one.0, other.1, other.0
            ),
            SharedError::Size { one, other } => write!(
                f,
                "planes need boards of one size: {} has {} rows and {} columns, {} has {} and {}; use the observation \
                 `flat` or `dict`",
                one.0, one.1[0], one.1[1], other.0, other.1[0], other.1[1]
            ),
            SharedError::Planes { game, error } => write!(f, "{game}: {error}"),
            SharedError::TooLarge { what, count } => {
                write!(
                    f,
                    "these rule sets have {count} {what} together; {MOST} is the most: use fewer rule sets"
                )
            }
            SharedError::Feature { feature, range } => write!(
                f,
                "the feature `{feature}` of the rules is a number from {} to {}, which doesn't fit the dtype: use the \
                 dtype \"float32\", or show_rules=False",
                range.0, range.1
            ),
            SharedError::Name => write!(
                f,
                "the rules have an entry `{RULES}` of their own: use show_rules=False, or give it another name"
            ),
        }
    }
}

impl std::error::Error for SharedError {}

/// How the layout is used.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SharedForm {
    /// Whether observations are planes.
    pub(crate) planes: bool,
    /// The greatest byte of a number, or `None` if numbers are scaled floats.
    pub(crate) most: Option<i64>,
    /// Whether observations show the rules.
    pub(crate) show: bool,
}

/// Consecutive cells, in a game and in the shared layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Run {
    from: usize,
    to: usize,
    len: usize,
}

/// The place of a game's observations and actions in the shared layout.
#[derive(Clone, Debug, Default)]
struct SharedPlaces {
    cells: Vec<Run>,
    /// The cells of the shared layout that the game lacks: first and length.
    holes: Vec<(usize, usize)>,
    actions: Vec<Run>,
    /// By action of the shared layout, the game's own; `u32::MAX` if it has none.
    own: Vec<u32>,
    /// By own action, that of the shared layout; `u32::MAX` if it has none.
    shared: Vec<u32>,
    /// Whether every action has the same number in both.
    same_actions: bool,
    /// Whether the actions of each block stay together.
    blocks_stay: bool,
}

/// A game in a shared layout.
#[derive(Clone, Debug)]
pub(crate) struct SharedMap {
    places: Arc<SharedPlaces>,
    /// The plan that writes observations straight to the shared layout, if masks can be written so, too.
    direct: Option<Arc<ObservationPlan>>,
    /// The plan of the game's own observations.
    own: Arc<ObservationPlan>,
    /// Index of the first cell that shows the rules, and these cells as floats and as bytes.
    first: usize,
    floats: Vec<f32>,
    bytes: Vec<u8>,
}

impl SharedMap {
    /// Returns the game's own action, or -1 if it has none.
    #[inline(always)]
    pub(crate) fn own_action(&self, action: i64) -> i64 {
        if self.places.same_actions {
            return action;
        }
        match usize::try_from(action).ok().and_then(|action| self.places.own.get(action)) {
            Some(&u32::MAX) | None => -1,
            Some(own) => i64::from(*own),
        }
    }

    /// Returns the action of the shared layout for one of the game's own.
    #[inline(always)]
    pub(crate) fn shared_action(&self, own: u32) -> u32 {
        if self.places.same_actions {
            return own;
        }
        self.places.shared.get(own as usize).copied().unwrap_or(u32::MAX)
    }

    /// Returns `true` if observations and masks can be written straight to the shared layout.
    #[inline(always)]
    pub(crate) fn is_direct(&self) -> bool {
        self.direct.is_some()
    }

    /// Returns the plan that writes observations straight to the shared layout.
    #[inline(always)]
    pub(crate) fn plan(&self) -> &ObservationPlan {
        self.direct.as_ref().unwrap_or(&self.own)
    }

    /// Writes the cells that show the rules, as floats.
    #[inline(always)]
    pub(crate) fn show_floats(&self, out: &mut [f32]) {
        out[self.first..][..self.floats.len()].copy_from_slice(&self.floats);
    }

    /// Writes the cells that show the rules, as bytes.
    #[inline(always)]
    pub(crate) fn show_bytes(&self, out: &mut [u8]) {
        out[self.first..][..self.bytes.len()].copy_from_slice(&self.bytes);
    }

    /// Writes an action mask of the shared layout.
    #[inline(always)]
    pub(crate) fn write_mask(&self, own: &[i8], out: &mut [i8]) {
        if !self.places.same_actions {
            out.fill(0);
        }
        for run in &self.places.actions {
            out[run.to..][..run.len].copy_from_slice(&own[run.from..][..run.len]);
        }
    }

    /// Writes an observation of the shared layout, as floats.
    #[inline(always)]
    pub(crate) fn write_floats(&self, own: &[f32], out: &mut [f32]) {
        self.write(own, &self.floats, out);
    }

    /// Writes an observation of the shared layout, as bytes.
    #[inline(always)]
    pub(crate) fn write_bytes(&self, own: &[u8], out: &mut [u8]) {
        self.write(own, &self.bytes, out);
    }

    #[inline(always)]
    fn write<T: Copy + Default>(&self, own: &[T], rules: &[T], out: &mut [T]) {
        for run in &self.places.cells {
            out[run.to..][..run.len].copy_from_slice(&own[run.from..][..run.len]);
        }
        for (first, len) in &self.places.holes {
            out[*first..][..*len].fill(T::default());
        }
        out[self.first..][..rules.len()].copy_from_slice(rules);
    }
}

/// A layout that several games share.
#[derive(Clone, Debug)]
pub struct SharedLayout {
    entries: Vec<ObservationEntry>,
    /// Channels, rows and columns, if observations are planes.
    planes: Option<[usize; 3]>,
    len: usize,
    /// The names of the actions.
    actions: Vec<String>,
    features: Vec<String>,
    /// The greatest byte of each cell.
    highest: Vec<u8>,
    /// By game.
    pub(crate) maps: Vec<SharedMap>,
}

impl SharedLayout {
    /// The entries of an observation, in order. For planes, an entry is channels × rows × columns.
    pub fn entries(&self) -> &[ObservationEntry] {
        &self.entries
    }

    /// Channels, rows and columns, if observations are planes.
    pub fn planes(&self) -> Option<[usize; 3]> {
        self.planes
    }

    /// The length of an observation, in numbers.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// The names of the actions, in order.
    pub fn actions(&self) -> &[String] {
        &self.actions
    }

    /// The names of the numbers in the entry `rules`, in order: of a param, of a variant, or of an entry that not
    /// every game has.
    pub fn features(&self) -> &[String] {
        &self.features
    }

    /// The greatest byte of each number.
    pub(crate) fn highest(&self) -> &[u8] {
        &self.highest
    }

    /// Joins the layouts of games; there is at least one.
    pub(crate) fn new(games: &[Game], form: SharedForm) -> Result<SharedLayout, SharedError> {
        if let Some(other) = games.iter().find(|game| game.players() != games[0].players()) {
            let told = |game: &Game| (title(game), game.players());
            return Err(SharedError::Players { one: told(&games[0]), other: told(other) });
        }
        // Games that differ in nothing that a layout shows share their places.
        let mut kinds: Vec<SharedKind> = vec![];
        let mut of_games = vec![];
        for game in games {
            let kind = SharedKind::new(game, form)?;
            let known = kinds.iter().position(|known| known.shows_same(&kind));
            of_games.push(known.unwrap_or(kinds.len()));
            if known.is_none() {
                kinds.push(kind);
            }
        }
        let mut joined = Joined::default();
        for kind in &kinds {
            joined.add(kind)?;
        }
        let size = joined.plane.iter().product::<usize>().max(1);
        let mut entries = vec![];
        let mut len = 0;
        for entry in &joined.entries {
            let length = entry.dims.iter().map(|dim| dim.names.len()).product::<usize>() * size;
            let mut shape: Vec<usize> = entry.dims.iter().map(|dim| dim.names.len()).collect();
            shape.extend(&joined.plane);
            entries.push(ObservationEntry { offset: len, length, shape, ..entry.entry.clone() });
            len += length;
        }
        let rules =
            if form.show { Features::new(games, &kinds, &of_games, &joined) } else { Features::default() };
        if !rules.names.is_empty() {
            if joined.entries.iter().any(|entry| entry.entry.name == RULES) {
                return Err(SharedError::Name);
            }
            let mut shape = vec![rules.names.len()];
            shape.extend(&joined.plane);
            entries.push(ObservationEntry {
                name: RULES.to_owned(),
                offset: len,
                length: rules.names.len() * size,
                shape,
                kind: EntryKind::Number { low: 0, high: 1 },
                help: "which rules are played".to_owned(),
            });
        }
        let (first, len) = (len, len + rules.names.len() * size);
        for (what, count) in [("numbers in an observation", len), ("actions", joined.actions.len())] {
            if count > MOST {
                return Err(SharedError::TooLarge { what, count });
            }
        }
        let mut highest = vec![1; len];
        for (entry, kind) in entries.iter().zip(&joined.entries) {
            highest[entry.offset..][..entry.length].fill(kind.highest());
        }
        if let Some(most) = form.most {
            for (at, (name, (low, high))) in rules.names.iter().zip(&rules.ranges).enumerate() {
                let width = i128::from(*high) - i128::from(*low);
                if width > i128::from(most) {
                    return Err(SharedError::Feature { feature: name.clone(), range: (*low, *high) });
                }
                highest[first + at * size..][..size].fill(width as u8);
            }
        }
        let places: Vec<Arc<SharedPlaces>> =
            kinds.iter().map(|kind| Arc::new(joined.places(kind, &entries, first, size))).collect();
        let maps = of_games.iter().enumerate().map(|(game, kind)| {
            let spread = |number: usize| std::iter::repeat_n(number, size);
            let numbers: Vec<usize> = (0..rules.names.len()).flat_map(spread).collect();
            let value = |at: usize| rules.values[game][at].wrapping_sub(rules.ranges[at].0);
            let width = |at: usize| (rules.ranges[at].1 as f64 - rules.ranges[at].0 as f64).max(1.0);
            let own = games[game].observation_plan();
            let mut cells = vec![usize::MAX; if form.planes { 0 } else { own.len() }];
            for run in &places[*kind].cells {
                let of_run = cells.get_mut(run.from..run.from + run.len).unwrap_or_default();
                of_run.iter_mut().zip(run.to..).for_each(|(cell, to)| *cell = to);
            }
            let direct = (!form.planes && places[*kind].blocks_stay)
                .then(|| own.moved(len, |cell| cells[cell]))
                .flatten();
            SharedMap {
                direct: direct.map(Arc::new),
                own: Arc::clone(own),
                places: Arc::clone(&places[*kind]),
                first,
                floats: numbers.iter().map(|at| (value(*at) as f64 / width(*at)) as f32).collect(),
                bytes: numbers.iter().map(|at| value(*at) as u8).collect(),
            }
        });
        let maps = maps.collect();
        Ok(SharedLayout {
            planes: form.planes.then(|| [len / size, joined.plane[0], joined.plane[1]]),
            entries,
            len,
            actions: joined.actions,
            features: rules.names,
            highest,
            maps,
        })
    }
}

/// Returns the name of a game with its params that differ from their defaults.
fn title(game: &Game) -> String {
    let mut title = format!("`{}`", game.identity().name);
    for param in game.model().params.iter().filter(|param| param.value != param.default && !param.fixed) {
        title.push_str(&format!(" {}={}", param.name, crate::game::values::param_text(&param.value)));
    }
    title
}

/// What a layout shows of a game.
struct SharedKind {
    title: String,
    entries: Vec<KindEntry>,
    /// The names of the elements, by domain.
    domains: Vec<Vec<String>>,
    actions: Vec<ActionBlock>,
    /// The names of the actions in use, by number.
    names: Vec<(String, bool)>,
    /// Rows and columns of planes.
    plane: Vec<usize>,
}

/// An entry of a game.
#[derive(PartialEq)]
struct KindEntry {
    entry: ObservationEntry,
    /// The names along each dimension; for planes, a single dimension of channels.
    dims: Vec<Vec<String>>,
    sites: bool,
}

impl KindEntry {
    fn meaning(&self) -> String {
        let kind = match self.entry.kind {
            EntryKind::OneHot => "one-hot",
            EntryKind::Bits => "bits",
            EntryKind::Number { .. } => "a number",
        };
        match (self.sites, self.dims.len()) {
            (true, _) => format!("{kind} on sites"),
            (false, 1) => kind.to_owned(),
            (false, dims) => format!("{kind} with {dims} dimensions"),
        }
    }
}

impl SharedKind {
    fn new(game: &Game, form: SharedForm) -> Result<SharedKind, SharedError> {
        let model = game.model();
        let names = |domain: usize| {
            let size = model.domains[domain].size;
            (0..size).map(|e| model.element_name(DomainId(domain as u32), e)).collect()
        };
        let domains: Vec<Vec<String>> = (0..model.domains.len()).map(names).collect();
        let items = items(game);
        let mut plane = vec![];
        let entries = if form.planes {
            let planes = game.planes().map_err(|error| SharedError::Planes { game: title(game), error })?;
            plane = planes.shape()[1..].to_vec();
            of_planes(&items, &planes)
        } else {
            let entry = |item: &EntryPlan| KindEntry {
                entry: item.entry.clone(),
                dims: dimensions(game, &domains, item),
                sites: false,
            };
            items.iter().map(entry).collect()
        };
        Ok(SharedKind {
            title: title(game),
            entries,
            domains,
            actions: model.actions.clone(),
            names: vec![],
            plane,
        }
        .named(game))
    }

    fn named(mut self, game: &Game) -> SharedKind {
        let name = |action: u32| {
            let action = ActionId(action);
            let dead = game.action_block(action).is_none_or(|block| block.dead);
            (game.action_name(action), !dead)
        };
        self.names = (0..game.actions()).map(name).collect();
        self
    }

    fn shows_same(&self, other: &SharedKind) -> bool {
        self.entries == other.entries
            && self.domains == other.domains
            && self.actions == other.actions
            && self.plane == other.plane
    }
}

/// Returns the names along each dimension of an entry.
fn dimensions(game: &Game, domains: &[Vec<String>], item: &EntryPlan) -> Vec<Vec<String>> {
    let model = game.model();
    let numbered = |size: usize| (0..size).map(|number| number.to_string()).collect::<Vec<_>>();
    let of_domain = |domain: DomainId, size: usize| {
        let names = &domains[domain.index()];
        // Players are counted from the one who observes.
        if domain == PLAYER || names.len() != size { numbered(size) } else { names.clone() }
    };
    let shape = item.entry.shape.iter().enumerate();
    let dims = shape.map(|(dim, size)| match (item.index.get(dim), item.source, item.content) {
        (Some(domain), _, _) => of_domain(*domain, *size),
        (None, EntrySource::Choice, _) => model.choices.iter().map(|choice| choice.name.clone()).collect(),
        (None, _, Content::Element { domain, .. } | Content::Set(domain)) => of_domain(domain, *size),
        (None, _, Content::Number { .. } | Content::Bool) => numbered(*size),
    });
    dims.map(counted).collect()
}

/// Makes names unique: the second `place` becomes `place 2`.
fn counted(names: Vec<String>) -> Vec<String> {
    let mut seen: HashMap<String, usize> = HashMap::with_capacity(names.len());
    let mut unique = |name: String| {
        let count = seen.entry(name.clone()).or_insert(0);
        *count += 1;
        if *count == 1 { name } else { format!("{name} {count}") }
    };
    names.into_iter().map(&mut unique).collect()
}

/// Returns the entries of planes: each has one dimension, its channels.
fn of_planes(items: &[EntryPlan], planes: &Planes) -> Vec<KindEntry> {
    let [_, rows, columns] = planes.shape();
    let size = rows * columns;
    let entry = |(item, plane): (&EntryPlan, &super::planes::PlaneEntry)| KindEntry {
        entry: ObservationEntry {
            offset: plane.first * size,
            length: plane.channels * size,
            ..item.entry.clone()
        },
        dims: vec![(0..plane.channels).map(|channel| channel.to_string()).collect()],
        sites: plane.sites,
    };
    items.iter().zip(planes.spec()).map(entry).collect()
}

/// Names in the order in which they were first seen.
#[derive(Default)]
struct Listed {
    names: Vec<String>,
    at: HashMap<String, usize>,
}

impl Listed {
    fn add(&mut self, name: &str) -> usize {
        if let Some(at) = self.at.get(name) {
            return *at;
        }
        self.at.insert(name.to_owned(), self.names.len());
        self.names.push(name.to_owned());
        self.names.len() - 1
    }
}

/// An entry of several games.
struct JoinedEntry {
    entry: ObservationEntry,
    dims: Vec<Listed>,
    /// The first game that has it, and its meaning there.
    one: (String, String),
    /// The number of kinds of games that have it.
    kinds: usize,
}

impl JoinedEntry {
    fn highest(&self) -> u8 {
        match self.entry.kind {
            EntryKind::Number { low, high } => high.wrapping_sub(low) as u8,
            EntryKind::OneHot | EntryKind::Bits => 1,
        }
    }
}

/// The layouts of several games as one.
#[derive(Default)]
struct Joined {
    entries: Vec<JoinedEntry>,
    at: HashMap<(String, usize), usize>,
    actions: Vec<String>,
    action_at: HashMap<(String, usize), usize>,
    plane: Vec<usize>,
    first: String,
}

impl Joined {
    fn add(&mut self, kind: &SharedKind) -> Result<(), SharedError> {
        if self.first.is_empty() {
            (self.first, self.plane) = (kind.title.clone(), kind.plane.clone());
        }
        if let ([rows, columns], [own_rows, own_columns]) = (self.plane.as_slice(), kind.plane.as_slice())
            && (rows, columns) != (own_rows, own_columns)
        {
            let one = (self.first.clone(), [*rows, *columns]);
            return Err(SharedError::Size { one, other: (kind.title.clone(), [*own_rows, *own_columns]) });
        }
        let mut seen = HashMap::new();
        for own in &kind.entries {
            let at = self.entry_at(kind, own, nth(&mut seen, &own.entry.name))?;
            let entry = &mut self.entries[at];
            entry.kinds += 1;
            for (dim, names) in entry.dims.iter_mut().zip(&own.dims) {
                names.iter().for_each(|name| {
                    dim.add(name);
                });
            }
        }
        let mut seen = HashMap::new();
        let first = self.actions.is_empty();
        for (name, live) in &kind.names {
            let key = (name.clone(), nth(&mut seen, name));
            if (*live || first) && !self.action_at.contains_key(&key) {
                self.action_at.insert(key, self.actions.len());
                self.actions.push(name.clone());
            }
        }
        Ok(())
    }

    /// Returns the joined entry for an entry of a game, the `nth` of its name.
    fn entry_at(&mut self, kind: &SharedKind, own: &KindEntry, nth: usize) -> Result<usize, SharedError> {
        let key = (own.entry.name.clone(), nth);
        let meaning = (kind.title.clone(), own.meaning());
        let Some(at) = self.at.get(&key).copied() else {
            let dims = own.dims.iter().map(|_| Listed::default()).collect();
            self.at.insert(key, self.entries.len());
            self.entries.push(JoinedEntry { entry: own.entry.clone(), dims, one: meaning, kinds: 0 });
            return Ok(self.entries.len() - 1);
        };
        let entry = &mut self.entries[at];
        if entry.one.1 != meaning.1 {
            let one = entry.one.clone();
            return Err(SharedError::Entry { entry: own.entry.name.clone(), one, other: meaning });
        }
        if let (EntryKind::Number { low, high }, EntryKind::Number { low: own_low, high: own_high }) =
            (entry.entry.kind, own.entry.kind)
            && high.wrapping_sub(low) < own_high.wrapping_sub(own_low)
        {
            // Numbers stay scaled to the range of their own game; the widest tells the greatest byte.
            entry.entry.kind = own.entry.kind;
        }
        Ok(at)
    }

    /// Returns the places of a game. The first `cells` cells of the layout are of entries.
    fn places(
        &self,
        kind: &SharedKind,
        entries: &[ObservationEntry],
        cells: usize,
        size: usize,
    ) -> SharedPlaces {
        let mut places = SharedPlaces::default();
        let mut seen = HashMap::new();
        let mut filled = vec![false; cells];
        for own in &kind.entries {
            let at = self.at[&(own.entry.name.clone(), nth(&mut seen, &own.entry.name))];
            let joined = &self.entries[at];
            let dims = own.dims.iter().zip(&joined.dims);
            let to: Vec<Vec<usize>> =
                dims.map(|(names, listed)| names.iter().map(|name| listed.at[name]).collect()).collect();
            let sizes: Vec<usize> = joined.dims.iter().map(|dim| dim.names.len()).collect();
            for from in 0..own.entry.length / size {
                // The index of the cell along each dimension, the last one first.
                let (mut rest, mut cell, mut stride) = (from, 0, 1);
                for (dim, size) in to.iter().zip(&sizes).rev() {
                    cell += dim[rest % dim.len()] * stride;
                    (rest, stride) = (rest / dim.len(), stride * size);
                }
                let to = entries[at].offset + cell * size;
                push(&mut places.cells, Run { from: own.entry.offset + from * size, to, len: size });
                filled[to..][..size].fill(true);
            }
        }
        let mut at = 0;
        for same in filled.chunk_by(|a, b| a == b) {
            if !same[0] {
                places.holes.push((at, same.len()));
            }
            at += same.len();
        }
        places.own = vec![u32::MAX; self.actions.len()];
        let mut seen = HashMap::new();
        for (own, (name, _)) in kind.names.iter().enumerate() {
            let shared = self.action_at.get(&(name.clone(), nth(&mut seen, name)));
            places.shared.push(shared.map_or(u32::MAX, |shared| *shared as u32));
            if let Some(shared) = shared {
                places.own[*shared] = own as u32;
                push(&mut places.actions, Run { from: own, to: *shared, len: 1 });
            }
        }
        places.blocks_stay = kind.actions.iter().filter(|block| !block.dead).all(|block| {
            let block = &places.shared[block.first as usize..][..block.size as usize];
            block.windows(2).all(|pair| pair[1] == pair[0].wrapping_add(1))
        });
        places.same_actions = places.own.iter().zip(0..).all(|(own, shared)| *own == shared);
        places
    }
}

/// Returns how often a name was seen before.
fn nth(seen: &mut HashMap<String, usize>, name: &str) -> usize {
    let count = seen.entry(name.to_owned()).or_insert(0);
    *count += 1;
    *count - 1
}

/// Adds a run, or lengthens the last one.
fn push(runs: &mut Vec<Run>, run: Run) {
    match runs.last_mut() {
        Some(last) if last.from + last.len == run.from && last.to + last.len == run.to => last.len += run.len,
        _ => runs.push(run),
    }
}

/// Numbers that show which rules are played.
#[derive(Default)]
struct Features {
    names: Vec<String>,
    /// The least and the greatest value.
    ranges: Vec<(i64, i64)>,
    /// By game.
    values: Vec<Vec<i64>>,
}

impl Features {
    fn new(games: &[Game], kinds: &[SharedKind], of_games: &[usize], joined: &Joined) -> Features {
        let mut features = Features { values: vec![vec![]; games.len()], ..Features::default() };
        let mut params = Listed::default();
        games.iter().flat_map(|game| &game.model().params).for_each(|param| {
            params.add(&param.name);
        });
        for name in &params.names {
            let value = |game: &Game| {
                let param = game.model().params.iter().find(|param| param.name == *name)?;
                Some(match (&param.value, &param.kind) {
                    (ParamValue::Number(number), _) => *number,
                    (ParamValue::Bool(is), _) => i64::from(*is),
                    (ParamValue::Word(word), ParamKind::Choice(words)) => {
                        words.iter().position(|one| one == word).unwrap_or(0) as i64
                    }
                    // A table has no order; `tables` below tells them apart.
                    (ParamValue::Word(_) | ParamValue::Table(_), _) => return None,
                })
            };
            let values: Vec<Option<i64>> = games.iter().map(value).collect();
            let known = values.iter().flatten().copied();
            if let (Some(low), Some(high)) = (known.clone().min(), known.max())
                && low < high
            {
                features.add(name.clone(), (low, high), |game| values[game].unwrap_or(low));
            }
            features.tables(games, name);
        }
        let stack = |game: &Game| match game.sheet().names.get(1..) {
            Some(names) if !names.is_empty() => names.join(" + "),
            _ => "no variant".to_owned(),
        };
        let stacks: Vec<String> = games.iter().map(stack).collect();
        features.one_hot(&stacks, |stack| stack.to_owned());
        for (at, entry) in joined.entries.iter().enumerate().filter(|(_, entry)| entry.kinds < kinds.len()) {
            let has = |kind: &SharedKind| {
                let mut seen = HashMap::new();
                kind.entries.iter().any(|own| {
                    let key = (own.entry.name.clone(), nth(&mut seen, &own.entry.name));
                    joined.at[&key] == at
                })
            };
            let has: Vec<bool> = kinds.iter().map(has).collect();
            features.add(format!("has {}", entry.entry.name), (0, 1), |game| i64::from(has[of_games[game]]));
        }
        features
    }

    fn add(&mut self, name: String, range: (i64, i64), value: impl Fn(usize) -> i64) {
        self.names.push(name);
        self.ranges.push(range);
        self.values.iter_mut().enumerate().for_each(|(game, values)| values.push(value(game)));
    }

    /// Adds a feature for each of several texts, unless all are the same.
    fn one_hot(&mut self, texts: &[String], name: impl Fn(&str) -> String) {
        let mut listed = Listed::default();
        texts.iter().for_each(|text| {
            listed.add(text);
        });
        if listed.names.len() > 1 {
            for text in &listed.names {
                self.add(name(text), (0, 1), |game| i64::from(texts[game] == *text));
            }
        }
    }

    /// Adds a feature for each table that a param may be.
    fn tables(&mut self, games: &[Game], name: &str) {
        let text = |game: &Game| {
            let param = game.model().params.iter().find(|param| param.name == name);
            match param.map(|param| &param.value) {
                Some(value @ ParamValue::Table(_)) => crate::game::values::param_text(value),
                Some(ParamValue::Number(_) | ParamValue::Word(_) | ParamValue::Bool(_)) | None => {
                    String::new()
                }
            }
        };
        let texts: Vec<String> = games.iter().map(text).collect();
        self.one_hot(&texts, |text| format!("{name} {text}"));
    }
}
