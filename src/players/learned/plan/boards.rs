//! Boards as a seat sees them: a code for the contents of each site.

use std::collections::{BTreeMap, BTreeSet};

use houserule_game::Game;
use houserule_game::observe::{During, Sight, SightKind, sights};
use houserule_model::{BoardId, Content, DomainKind, Model, Role};

/// Maximum number of combinations of contents of a site, called its ways. Layers beyond it are left out.
const MOST_WAYS: usize = 4096;

/// Maximum number of values of a number on a site.
const MOST_VALUES: i64 = 16;

/// All boards of a game, concatenated.
#[derive(Debug)]
pub(super) struct Boards {
    pub(super) boards: Vec<BoardCodes>,
    /// The number of sites.
    pub(super) sites: usize,
}

/// One board.
#[derive(Debug)]
pub(super) struct BoardCodes {
    /// The board of the rules.
    pub(super) board: BoardId,
    layers: Vec<Layer>,
    /// The number of sites.
    pub(super) sites: usize,
    /// The index of its first site among those of all boards.
    pub(super) first: usize,
    /// The number of different codes.
    pub(super) codes: usize,
    /// The code of each way.
    code_of: Vec<u8>,
}

/// A kind of contents of sites: one digit of a way.
#[derive(Debug)]
struct Layer {
    /// Its first word, by seat.
    at: Vec<u32>,
    during: Option<During>,
    kind: LayerKind,
    /// The factor of its values in the index of a way.
    factor: u16,
}

#[derive(Debug)]
enum LayerKind {
    /// A set of sites.
    Set,
    /// A number or element for each site.
    Numbers {
        /// The smallest value.
        low: i64,
        /// The number of values; others count as none.
        values: i64,
    },
}

/// What a seat saw last on all boards. It is updated, because successive states differ in few sites.
#[derive(Clone, Debug, Default)]
pub(super) struct SeenBoards {
    /// The values of all layers, one after the other: the words of a set, or for each site a number counted from 1; 0 for
    /// what isn't there, or isn't seen.
    values: Vec<u64>,
    /// By site.
    ways: Vec<u16>,
    pub(super) codes: Vec<u8>,
    /// The sites of one board whose values changed.
    changed: Vec<u32>,
}

/// The board declaration, whether only the owner sees the board, and its index within an indexed declaration.
type BoardKey = (BoardId, bool, Vec<u32>);

impl Boards {
    pub(super) fn new(game: &Game) -> Boards {
        let model = game.model();
        let mut found: BTreeMap<BoardKey, Vec<Layer>> = BTreeMap::new();
        for sight in sights(game) {
            if let Some((key, kind)) = place(model, &sight) {
                // Numbers have a sight for each site; one layer, from the first, covers all sites.
                if matches!(kind, LayerKind::Numbers { .. }) && sight.place.last() != Some(&0) {
                    continue;
                }
                let layers = found.entry(key).or_default();
                layers.push(Layer { at: sight.at, during: sight.during, kind, factor: 1 });
            }
        }
        let mut boards = Boards { boards: vec![], sites: 0 };
        for ((board, _, _), mut layers) in found {
            let mut ways = 1;
            layers.retain_mut(|layer| {
                let values = match layer.kind {
                    LayerKind::Set => 2,
                    LayerKind::Numbers { values, .. } => values as usize + 1,
                };
                layer.factor = ways as u16;
                let fits = ways * values <= MOST_WAYS;
                ways *= if fits { values } else { 1 };
                fits
            });
            let sites = model.boards[board.index()].topology.size() as usize;
            boards.boards.push(BoardCodes {
                board,
                layers,
                sites,
                first: boards.sites,
                codes: 2,
                code_of: vec![0; ways],
            });
            boards.sites += sites;
        }
        boards
    }

    /// Returns `true` if a visible value is part of a board's codes.
    pub(super) fn holds(model: &Model, sight: &Sight) -> bool {
        place(model, sight).is_some()
    }

    /// Writes the way of each site of a board to `out`.
    pub(super) fn ways(
        &self,
        board: usize,
        words: &[u64],
        seat: usize,
        site: Option<usize>,
        out: &mut Vec<u16>,
    ) {
        let board = &self.boards[board];
        out.clear();
        out.resize(board.sites, 0);
        for layer in &board.layers {
            layer.add(words, seat, site, out);
        }
    }

    /// Assigns codes to the ways that were met, the same for all boards of one declaration.
    pub(super) fn number(&mut self, met: &[BTreeSet<u16>]) {
        for i in 0..self.boards.len() {
            let same = |j: &usize| {
                self.boards[*j].board == self.boards[i].board
                    && self.boards[*j].code_of.len() == self.boards[i].code_of.len()
            };
            let all: BTreeSet<u16> =
                (0..self.boards.len()).filter(same).flat_map(|j| met[j].iter().copied()).chain([0]).collect();
            let board = &mut self.boards[i];
            for (code, way) in all.iter().enumerate().take(256) {
                board.code_of[usize::from(*way)] = code as u8;
            }
            board.codes = all.len().clamp(2, 256);
        }
    }

    /// Brings `kept` up to what a seat sees. Calls `tell` with each site whose code changes, its code before and its code
    /// now. A way that was never met counts as an empty site.
    pub(super) fn follow(
        &self,
        words: &[u64],
        seat: usize,
        site: Option<usize>,
        kept: &mut SeenBoards,
        mut tell: impl FnMut(usize, u8, u8),
    ) {
        kept.codes.resize(self.sites, 0);
        kept.ways.resize(self.sites, 0);
        let mut from = 0;
        for board in &self.boards {
            for layer in &board.layers {
                from = layer.follow(words, seat, site, board, from, kept);
            }
            while let Some(at) = kept.changed.pop() {
                let at = board.first + at as usize;
                let (before, code) = (kept.codes[at], board.code_of[usize::from(kept.ways[at])]);
                if before != code {
                    kept.codes[at] = code;
                    tell(at, before, code);
                }
            }
        }
    }
}

impl Layer {
    /// Calls `tell` with every site whose value isn't 0, and the value.
    #[inline(always)]
    fn each(
        &self,
        words: &[u64],
        seat: usize,
        site: Option<usize>,
        sites: usize,
        mut tell: impl FnMut(usize, u16),
    ) {
        if !seen(&self.during, site, seat) {
            return;
        }
        let words = &words[self.at[seat] as usize..];
        match self.kind {
            LayerKind::Set => {
                for (at, word) in words[..sites.div_ceil(64)].iter().enumerate() {
                    let mut word = *word;
                    while word != 0 {
                        tell(at * 64 + word.trailing_zeros() as usize, 1);
                        word &= word - 1;
                    }
                }
            }
            LayerKind::Numbers { low, values } => {
                for (at, word) in words[..sites].iter().enumerate() {
                    let value = (*word as i64).wrapping_sub(low);
                    if (0..values).contains(&value) {
                        tell(at, value as u16 + 1);
                    }
                }
            }
        }
    }

    fn add(&self, words: &[u64], seat: usize, site: Option<usize>, ways: &mut [u16]) {
        self.each(words, seat, site, ways.len(), |at, value| ways[at] += value * self.factor);
    }

    /// Brings the ways of a board up to this layer, whose values in `kept` begin at `from`, and notes the sites whose value
    /// changed. Returns where the values of the next layer begin.
    #[inline]
    fn follow(
        &self,
        words: &[u64],
        seat: usize,
        site: Option<usize>,
        board: &BoardCodes,
        from: usize,
        kept: &mut SeenBoards,
    ) -> usize {
        let shown = seen(&self.during, site, seat);
        let words = &words[self.at[seat] as usize..];
        let to = from + self.kind.values(board.sites);
        if kept.values.len() < to {
            kept.values.resize(to, 0);
        }
        let ways = &mut kept.ways[board.first..][..board.sites];
        let mut change = |at: usize, value: u64, before: u64| {
            let more = (value as u16).wrapping_sub(before as u16);
            ways[at] = ways[at].wrapping_add(more.wrapping_mul(self.factor));
            kept.changed.push(at as u32);
        };
        let values = &mut kept.values[from..to];
        let words = &words[..values.len()];
        let mut next = 0;
        while next < values.len() {
            let (at, before, word) = (next, &mut values[next], words[next]);
            next += 1;
            let now = match self.kind {
                _ if !shown => 0,
                LayerKind::Set => word,
                LayerKind::Numbers { low, values } => {
                    let value = (word as i64).wrapping_sub(low);
                    if (0..values).contains(&value) { value as u64 + 1 } else { 0 }
                }
            };
            if now == *before {
                continue;
            }
            match self.kind {
                LayerKind::Set => {
                    let mut differ = now ^ *before;
                    while differ != 0 {
                        let bit = differ.trailing_zeros() as usize;
                        change(at * 64 + bit, now >> bit & 1, *before >> bit & 1);
                        differ &= differ - 1;
                    }
                }
                LayerKind::Numbers { .. } => change(at, now, *before),
            }
            *before = now;
        }
        to
    }
}

impl LayerKind {
    /// The number of words that the values of `sites` sites take.
    fn values(&self, sites: usize) -> usize {
        match self {
            LayerKind::Set => sites.div_ceil(64),
            LayerKind::Numbers { .. } => sites,
        }
    }
}

/// Returns `true` if a value is visible while the rules wait at `site`.
#[inline(always)]
pub(super) fn seen(during: &Option<During>, site: Option<usize>, seat: usize) -> bool {
    during.as_ref().is_none_or(|during| during.shows(site, seat as u32))
}

/// Returns the board on which a value lies, and its kind of layer.
fn place(model: &Model, sight: &Sight) -> Option<(BoardKey, LayerKind)> {
    let slot = &model.slots[sight.slot?.index()];
    let SightKind::Value(content) = sight.kind else { return None };
    let owned = sight.index.len() < slot.index.len();
    let board_of = |domain: houserule_model::DomainId| match model.domains[domain.index()].kind {
        DomainKind::Sites(board) => Some(board),
        _ => None,
    };
    // The index of the board itself, less the owner.
    let key = |board: BoardId| {
        let index = &model.boards[board.index()].index;
        let own = index.get(usize::from(owned)..)?;
        sight
            .index
            .starts_with(own)
            .then(|| (board, owned && !index.is_empty(), sight.place[..own.len()].to_vec()))
    };
    match (slot.role, content) {
        (Role::Piece(board), Content::Set(_)) => Some((key(board)?, LayerKind::Set)),
        (Role::Variable, Content::Set(domain)) => Some((key(board_of(domain)?)?, LayerKind::Set)),
        (Role::Variable, Content::Number { .. } | Content::Bool | Content::Element { .. }) => {
            let board = board_of(*sight.index.last()?)?;
            let (low, values) = match content {
                Content::Number { low, high } if high.checked_sub(low)? < MOST_VALUES => {
                    (low, high - low + 1)
                }
                Content::Bool => (0, 2),
                Content::Element { domain, .. } => (0, model.domains[domain.index()].size.into()),
                _ => return None,
            };
            if values > MOST_VALUES {
                return None;
            }
            Some((key(board)?, LayerKind::Numbers { low, values }))
        }
        _ => None,
    }
}
