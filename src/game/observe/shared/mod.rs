//! One layout of observations and actions for several games: what they share has one place, and what a game lacks is 0
//! in its observations and illegal in its masks.
//!
//! Entries are joined by their names, and within an entry elements and sites by theirs, so `c5` of a small board is
//! `c5` of a large one. An action is found by its name, such as `place c5`. Numbers stay scaled to the range of their
//! own game.

mod error;
mod features;
mod joined;
mod kind;

use std::sync::Arc;

pub use self::error::SharedError;
use self::features::Features;
use self::joined::Joined;
use self::kind::SharedKind;
use super::plan::ObservationPlan;
use super::{EntryKind, ObservationEntry};
use crate::Game;

/// Maximum number of cells of an observation in a shared layout, and of its actions.
const MOST: usize = 1 << 20;

/// The name of the entry that shows which rules are played.
const RULES: &str = "rules";

/// How the layout is used.
#[derive(Clone, Copy, Debug)]
pub struct SharedForm {
    /// Whether observations are planes.
    pub planes: bool,
    /// The greatest byte of a number, or `None` if numbers are scaled floats.
    pub most: Option<i64>,
    /// Whether observations show the rules.
    pub show: bool,
}

/// Consecutive cells, in a game and in the shared layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct CellRun {
    from: usize,
    to: usize,
    len: usize,
}

/// The place of a game's observations and actions in the shared layout.
#[derive(Clone, Debug, Default, PartialEq)]
struct SharedPlaces {
    cells: Vec<CellRun>,
    /// The cells of the shared layout that the game lacks: first and length.
    holes: Vec<(usize, usize)>,
    actions: Vec<CellRun>,
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
pub struct SharedMap {
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

/// The maps of rows of environments.
#[derive(Clone, Copy)]
pub struct RowMaps<'a> {
    /// By rule set.
    pub maps: &'a [SharedMap],
    /// By environment: its rule set.
    pub sets: &'a [u32],
}

impl<'a> RowMaps<'a> {
    /// Returns the map of an environment.
    #[inline(always)]
    pub fn map_of(self, env: u32) -> &'a SharedMap {
        &self.maps[self.sets[env as usize] as usize]
    }

    /// Writes the cells that show the rules, as floats, in rows of `len` cells.
    #[inline(always)]
    pub fn show_floats(self, envs: &[u32], len: usize, out: &mut [f32]) {
        self.show(envs, len, out, |map| &map.floats);
    }

    /// Writes the cells that show the rules, as bytes, in rows of `len` cells.
    #[inline(always)]
    pub fn show_bytes(self, envs: &[u32], len: usize, out: &mut [u8]) {
        self.show(envs, len, out, |map| &map.bytes);
    }

    #[inline(always)]
    fn show<T: Copy>(self, envs: &[u32], len: usize, out: &mut [T], rules: impl Fn(&SharedMap) -> &[T]) {
        let Some(any) = envs.first().map(|env| self.map_of(*env)) else { return };
        // Cell by cell of all rows: to copy the few cells of a row would be a call.
        for cell in 0..rules(any).len() {
            for env in envs {
                out[*env as usize * len + any.first + cell] = rules(self.map_of(*env))[cell];
            }
        }
    }
}

impl SharedMap {
    /// Returns `true` if two games have the same places.
    pub fn has_places_of(&self, other: &SharedMap) -> bool {
        Arc::ptr_eq(&self.places, &other.places)
    }

    /// Returns `true` if every action has the same number in both.
    pub fn keeps_actions(&self) -> bool {
        self.places.same_actions
    }

    /// Returns the game's own action, or -1 if it has none.
    #[inline(always)]
    pub fn own_action(&self, action: i64) -> i64 {
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
    pub fn shared_action(&self, own: u32) -> u32 {
        if self.places.same_actions {
            return own;
        }
        self.places.shared.get(own as usize).copied().unwrap_or(u32::MAX)
    }

    /// Returns `true` if observations and masks can be written straight to the shared layout.
    #[inline(always)]
    pub fn is_direct(&self) -> bool {
        self.direct.is_some()
    }

    /// Returns the plan that writes observations straight to the shared layout.
    #[inline(always)]
    pub(crate) fn plan(&self) -> &ObservationPlan {
        self.direct.as_ref().unwrap_or(&self.own)
    }

    /// Writes an action mask of the shared layout.
    #[inline(always)]
    pub fn write_mask(&self, own: &[i8], out: &mut [i8]) {
        if !self.places.same_actions {
            out.fill(0);
        }
        for run in &self.places.actions {
            out[run.to..][..run.len].copy_from_slice(&own[run.from..][..run.len]);
        }
    }

    /// Writes an observation of the shared layout, as floats.
    #[inline(always)]
    pub fn write_floats(&self, own: &[f32], out: &mut [f32]) {
        self.write(own, &self.floats, out);
    }

    /// Writes an observation of the shared layout, as bytes.
    #[inline(always)]
    pub fn write_bytes(&self, own: &[u8], out: &mut [u8]) {
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
    pub maps: Vec<SharedMap>,
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
    pub fn len(&self) -> usize {
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
    pub fn highest(&self) -> &[u8] {
        &self.highest
    }

    /// Joins the layouts of games; there is at least one.
    pub fn new(games: &[Game], form: SharedForm) -> Result<SharedLayout, SharedError> {
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
                // Only now: most games are known, and names take time.
                kinds.push(kind.named(game));
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
        // Kinds that differ only in the ranges of numbers have the same places.
        let mut places: Vec<Arc<SharedPlaces>> = vec![];
        for kind in &kinds {
            let own = joined.places(kind, &entries, first, size);
            let known = places.iter().find(|known| ***known == own).cloned();
            places.push(known.unwrap_or_else(|| Arc::new(own)));
        }
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
        title.push_str(&format!(" {}={}", param.name, crate::values::param_text(&param.value)));
    }
    title
}
