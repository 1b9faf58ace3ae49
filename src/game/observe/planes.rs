//! Observations as planes, for networks on boards: a channel for each set of sites, a channel for each
//! element that a site can hold, and a constant channel for every other number.

use std::fmt;
use std::sync::Arc;

use super::{EntryPlan, board_of, items};
use crate::Game;
use houserule_model::board::{Shape, Site};
use houserule_model::{Content, DomainId, Model};

/// The planes of a game: the layout of its flat observation as channels × rows × columns. Row 1 of the board
/// is row 0 of a plane, and column a (or 1) its column 0.
///
/// If the rules use the sides of cells, the planes also have a row and a column for each line of sides: the
/// cell in row *r* and column *c* (from 0) is at (2*r* + 1, 2*c* + 1), and its sides are around it.
#[derive(Clone, Debug)]
pub struct Planes {
    shape: [usize; 3],
    steps: Vec<PlaneCopy>,
    spec: Vec<PlaneEntry>,
}

/// The channels of one entry of the observation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlaneEntry {
    /// The entry's name.
    pub name: String,
    /// Index of its first channel.
    pub first: usize,
    /// Number of its channels.
    pub channels: usize,
    /// Whether the channels show sites. Otherwise each channel is one number everywhere.
    pub sites: bool,
    /// Its meaning, in a sentence.
    pub help: String,
}

/// The error if a game has no planes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanesError {
    /// The kinds of boards it has: `graph`, `track`.
    pub boards: Vec<&'static str>,
}

impl fmt::Display for PlanesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "planes need a board of rows and columns (`grid` or `hex`), and this game has ")?;
        match self.boards.as_slice() {
            [] => write!(f, "no board")?,
            boards => write!(f, "only: {}", boards.join(", "))?,
        }
        write!(f, "; use the observation `flat` or `dict`")
    }
}

impl std::error::Error for PlanesError {}

#[derive(Clone, Debug)]
enum PlaneCopy {
    /// A number for each site. Without `cells`, in the order of the plane.
    Sites { from: usize, stride: usize, count: usize, plane: usize, cells: Option<Arc<[u32]>> },
    /// One number everywhere.
    Constant { from: usize, plane: usize },
}

/// The layout of sites on a plane.
struct PlaneLayout {
    /// Number of columns and rows of the cells.
    cells: (u32, u32),
    /// Whether there are places for the sides.
    sides: bool,
}

impl PlaneLayout {
    fn size(&self) -> (usize, usize) {
        let (width, height) = (self.cells.0 as usize, self.cells.1 as usize);
        if self.sides { (2 * width + 1, 2 * height + 1) } else { (width, height) }
    }

    /// Returns the place of each site of a domain, if it is on this frame.
    fn places(&self, model: &Model, domain: DomainId) -> Option<Arc<[u32]>> {
        let board = board_of(model, domain)?;
        let columns = self.size().0 as u32;
        let sites = 0..board.topology.size();
        match *board.topology.shape() {
            Shape::Grid { width, height, .. }
            | Shape::Hex { width, height }
            | Shape::Cut { width, height, .. }
                if (width, height) == self.cells =>
            {
                let topology = &board.topology;
                let place = |site: u32| {
                    let (column, row) = (topology.column_of(Site(site)) - 1, topology.row_of(Site(site)) - 1);
                    if self.sides { (2 * row + 1) * columns + 2 * column + 1 } else { row * columns + column }
                };
                Some(sites.map(place).collect())
            }
            Shape::Sides { width, height, .. } if self.sides && (width, height) == self.cells => {
                let lying = width * (height + 1);
                let place = |site: u32| match site.checked_sub(lying) {
                    None => 2 * (site / width) * columns + 2 * (site % width) + 1,
                    Some(upright) => {
                        (2 * (upright / (width + 1)) + 1) * columns + 2 * (upright % (width + 1))
                    }
                };
                Some(sites.map(place).collect())
            }
            _ => None,
        }
    }
}

impl Game {
    /// Returns the layout of the observation as planes. Fails if the game has no board of rows and columns.
    pub fn planes(&self) -> Result<Planes, PlanesError> {
        let model = self.model();
        let cells = model.boards.iter().find_map(|board| match *board.topology.shape() {
            Shape::Grid { width, height, .. }
            | Shape::Hex { width, height }
            | Shape::Cut { width, height, .. } => Some((width, height)),
            _ => None,
        });
        let Some(cells) = cells else {
            let boards = model.boards.iter().map(|board| board.topology.shape().name()).collect();
            return Err(PlanesError { boards });
        };
        let items = items(self);
        let shows_sides = |item: &EntryPlan| {
            domains(item).iter().any(|(domain, _)| {
                board_of(model, *domain).is_some_and(|board| {
                    matches!(*board.topology.shape(), Shape::Sides { width, height, .. } if (width, height) == cells)
                })
            })
        };
        let frame = PlaneLayout { cells, sides: items.iter().any(shows_sides) };
        let mut planes = Planes { shape: [0; 3], steps: vec![], spec: vec![] };
        for item in &items {
            planes.item(model, &frame, item);
        }
        let (width, height) = frame.size();
        planes.shape = [planes.shape[0], height, width];
        Ok(planes)
    }
}

/// Returns the domains of an entry's numbers, outermost first, each with its dimension in the entry's shape.
fn domains(item: &EntryPlan) -> Vec<(DomainId, usize)> {
    let mut domains: Vec<(DomainId, usize)> = item.index.iter().copied().zip(0..).collect();
    if item.entry.shape.len() > item.index.len()
        && let Content::Element { domain, .. } | Content::Set(domain) = item.content
        && !matches!(item.source, super::EntrySource::Choice)
    {
        domains.push((domain, item.index.len()));
    }
    domains
}

impl Planes {
    /// Returns channels, rows and columns.
    pub fn shape(&self) -> [usize; 3] {
        self.shape
    }

    /// Returns the channels of each entry.
    pub fn spec(&self) -> &[PlaneEntry] {
        &self.spec
    }

    fn item(&mut self, model: &Model, frame: &PlaneLayout, item: &EntryPlan) {
        let entry = &item.entry;
        let found = domains(item)
            .into_iter()
            .rev()
            .find_map(|(domain, place)| Some((place, frame.places(model, domain)?)));
        let first = self.shape[0];
        let end = entry.offset + entry.length;
        match &found {
            None => {
                for from in entry.offset..end {
                    self.steps.push(PlaneCopy::Constant { from, plane: self.shape[0] });
                    self.shape[0] += 1;
                }
            }
            Some((place, cells)) => {
                let count = entry.shape[*place];
                let stride: usize = entry.shape[place + 1..].iter().product();
                let in_order = cells.iter().zip(0..).all(|(cell, number)| *cell == number);
                let cells = if in_order { None } else { Some(Arc::clone(cells)) };
                for outer in (entry.offset..end).step_by(count * stride) {
                    for from in outer..outer + stride {
                        let (plane, cells) = (self.shape[0], cells.clone());
                        self.steps.push(PlaneCopy::Sites { from, stride, count, plane, cells });
                        self.shape[0] += 1;
                    }
                }
            }
        }
        self.spec.push(PlaneEntry {
            name: entry.name.clone(),
            first,
            channels: self.shape[0] - first,
            sites: found.is_some(),
            help: entry.help.clone(),
        });
    }

    /// Returns the size of all planes, in numbers.
    pub fn len(&self) -> usize {
        self.shape.iter().product()
    }

    /// Returns `true` if the planes have no numbers.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Copies a flat observation to planes. `out` has [`Planes::len`] numbers.
    ///
    /// # Panics
    /// If `flat` or `out` is too short.
    pub fn write<T: Copy + Default>(&self, flat: &[T], out: &mut [T]) {
        let size = self.shape[1] * self.shape[2];
        for step in &self.steps {
            match step {
                PlaneCopy::Constant { from, plane } => out[plane * size..][..size].fill(flat[*from]),
                PlaneCopy::Sites { from, stride: 1, count, plane, cells: None } => {
                    out[plane * size..][..size].copy_from_slice(&flat[*from..][..*count]);
                }
                PlaneCopy::Sites { from, stride, count, plane, cells } => {
                    let plane = &mut out[plane * size..][..size];
                    if cells.is_some() {
                        plane.fill(T::default());
                    }
                    for site in 0..*count {
                        let at = cells.as_ref().map_or(site, |cells| cells[site] as usize);
                        plane[at] = flat[from + site * stride];
                    }
                }
            }
        }
    }
}
