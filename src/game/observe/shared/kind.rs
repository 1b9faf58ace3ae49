//! What a layout shows of a game: its entries and actions, by names.

use std::collections::HashMap;

use super::{SharedError, SharedForm, title};
use crate::Game;
use crate::observe::planes::PlaneEntry;
use crate::observe::{EntryKind, EntryPlan, EntrySource, ObservationEntry, Planes, items};
use houserule_model::{ActionBlock, ActionId, Content, DomainId, PLAYER};

/// What a layout shows of a game.
pub(super) struct SharedKind {
    pub(super) title: String,
    pub(super) entries: Vec<KindEntry>,
    /// The names of the elements, by domain.
    pub(super) domains: Vec<Vec<String>>,
    pub(super) actions: Vec<ActionBlock>,
    /// The names of the actions in use, by number.
    pub(super) names: Vec<(String, bool)>,
    /// Rows and columns of planes.
    pub(super) plane: Vec<usize>,
}

/// An entry of a game.
#[derive(PartialEq)]
pub(super) struct KindEntry {
    pub(super) entry: ObservationEntry,
    /// The names along each dimension; for planes, a single dimension of channels.
    pub(super) dims: Vec<Vec<String>>,
    pub(super) sites: bool,
}

impl KindEntry {
    pub(super) fn meaning(&self) -> String {
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
    pub(super) fn new(game: &Game, form: SharedForm) -> Result<SharedKind, SharedError> {
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
        })
    }

    /// Adds the names of the actions.
    pub(super) fn named(mut self, game: &Game) -> SharedKind {
        let name = |action: u32| {
            let action = ActionId(action);
            let dead = game.action_block(action).is_none_or(|block| block.dead);
            (game.action_name(action), !dead)
        };
        self.names = (0..game.actions()).map(name).collect();
        self
    }

    pub(super) fn shows_same(&self, other: &SharedKind) -> bool {
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
    let entry = |(item, plane): (&EntryPlan, &PlaneEntry)| KindEntry {
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
