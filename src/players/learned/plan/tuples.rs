//! Tuples of sites (n-tuples): one weight for each combination of their contents.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::WeightAllocator;
use super::boards::{BoardCodes, Boards, SeenBoards};
use super::symmetry::Permutation;
use houserule_base::rng::Stream;
use houserule_game::Game;
use houserule_game::observe::{SightKind, sights};
use houserule_model::board::{BitSet, Site, Topology};
use houserule_model::{
    CheckedExpr, CheckedExprKind, Content, DomainKind, Life, Model, Role, Type, Value, walk,
};

/// Maximum number of weights of a tuple in one context.
const MOST_WAYS: f64 = 20_000.0;

/// Maximum number of contexts.
const MOST_CONTEXTS: usize = 16;

/// Number of sites above which tuples of one form share their weights wherever they lie.
const MOST_SITES: usize = 150;

/// Number and length of random walks, for boards of several players.
const WALKS: usize = 20;
const WALK: usize = 8;

/// The seed of the walks.
const SEED: u64 = 0x3a1c_77f5;

/// The tuples of a game.
#[derive(Debug)]
pub(super) struct Tuples {
    tuples: Vec<Tuple>,
    /// By site: the tuples that contain it, and the factor of its code in each.
    parts: Vec<Vec<(u32, u32)>>,
    context: Vec<Context>,
    contexts: usize,
}

/// A tuple.
#[derive(Debug)]
struct Tuple {
    /// The first weight.
    first: u32,
    /// The number of weights in each context.
    weights: u32,
    /// Whether it has weights for each context.
    in_context: bool,
}

/// A small number that lasts for the whole game. The weights of a tuple may depend on it.
#[derive(Debug)]
struct Context {
    at: Vec<u32>,
    low: i64,
    values: i64,
}

/// The features of the tuples as a seat saw them last. They are updated, because successive states share most of them.
#[derive(Clone, Debug, Default)]
pub(super) struct SeenTuples {
    boards: SeenBoards,
    features: Vec<u32>,
    /// The row of weights that the features lie in: of a tuple without contexts, and of one with them.
    row: [u32; 2],
}

impl SeenTuples {
    /// The codes of all sites.
    pub(super) fn codes(&self) -> &[u8] {
        &self.boards.codes
    }
}

/// The builder of tuples.
struct Maker<'g> {
    symmetries: &'g [Permutation],
    copies: usize,
    layout: &'g mut WeightAllocator,
    /// The sites of the tuples so far, in order, and sorted.
    done: HashSet<Vec<u32>>,
    sets: HashSet<Vec<u32>>,
    /// By form, the first weight shared by all its tuples, on large boards.
    forms: HashMap<TupleShape, u32>,
    made: Tuples,
}

/// The form of a tuple: its board, and the offsets of its sites from the first one, in columns and rows.
type TupleShape = (u32, Vec<(i64, i64)>);

impl Tuples {
    pub(super) fn new(
        game: &Game,
        boards: &Boards,
        symmetries: &[Permutation],
        copies: usize,
        layout: &mut WeightAllocator,
    ) -> Tuples {
        let (context, contexts) = contexts(game);
        let made = Tuples { tuples: vec![], parts: vec![vec![]; boards.sites], context, contexts };
        let (done, sets, forms) = (HashSet::new(), HashSet::new(), HashMap::new());
        let mut maker = Maker { symmetries, copies, layout, done, sets, forms, made };
        let regions = regions(game.model());
        for board in &boards.boards {
            maker.board(game.model(), board, &regions);
        }
        maker.made
    }

    /// Updates `kept` to what a seat sees, and appends its features to `out`.
    #[expect(clippy::too_many_arguments, reason = "what is seen, by whom, and where the features go")]
    pub(super) fn append_features(
        &self,
        boards: &Boards,
        words: &[u64],
        seat: usize,
        copy: usize,
        site: Option<usize>,
        kept: &mut SeenTuples,
        out: &mut Vec<u32>,
    ) {
        let mut context = 0;
        for part in &self.context {
            let value = (words[part.at[seat] as usize] as i64).wrapping_sub(part.low);
            context = context * part.values as usize + value.clamp(0, part.values - 1) as usize;
        }
        let SeenTuples { boards: codes, features, row } = kept;
        if features.len() < self.tuples.len() {
            features.extend(self.tuples.iter().map(|tuple| tuple.first));
        }
        let now = [copy as u32, (copy * self.contexts + context) as u32];
        if *row != now {
            let more = [now[0].wrapping_sub(row[0]), now[1].wrapping_sub(row[1])];
            for (feature, tuple) in features.iter_mut().zip(&self.tuples) {
                // A mask, because the compiler may turn a choice into a branch.
                let in_context = u32::from(tuple.in_context).wrapping_neg();
                let rows = (more[0] & !in_context) | (more[1] & in_context);
                *feature = feature.wrapping_add(rows.wrapping_mul(tuple.weights));
            }
            *row = now;
        }
        boards.follow(words, seat, site, codes, |at, before, code| {
            let more = u32::from(code).wrapping_sub(u32::from(before));
            for (tuple, factor) in &self.parts[at] {
                let feature = &mut features[*tuple as usize];
                *feature = feature.wrapping_add(more.wrapping_mul(*factor));
            }
        });
        out.extend_from_slice(features);
    }
}

impl Maker<'_> {
    fn board(&mut self, model: &Model, board: &BoardCodes, regions: &[(u32, BitSet)]) {
        let declared = &model.boards[board.board.index()];
        let topology = &declared.topology;
        let most = (MOST_WAYS.ln() / (board.codes as f64).ln() + 1e-9).floor() as usize;
        for line in topology.lines().iter().filter(|line| line.sites.len() > 1) {
            for window in line.sites.windows(line.sites.len().min(most.max(2))) {
                self.add(topology, board, window, true);
            }
        }
        if let Some(cells) = declared.sides_of {
            for sites in sides_of_cells(topology, &model.boards[cells.index()].topology, most) {
                self.add(topology, board, &sites, true);
            }
        } else {
            for site in topology.sites() {
                let with_itself = |near: BitSet| {
                    let mut sites: BTreeSet<Site> = near.sites().collect();
                    sites.insert(site);
                    sites.into_iter().collect::<Vec<Site>>()
                };
                let around = with_itself(topology.around(site));
                let sites = if around.len() > most { with_itself(topology.beside(site)) } else { around };
                if (3..=most).contains(&sites.len()) {
                    self.add(topology, board, &sites, false);
                }
            }
            if model.players.count > 1 && topology.lines().len() > 2 && board.sites <= MOST_SITES {
                self.walks(board, topology, WALK.min(most));
            }
        }
        for (_, region) in regions.iter().filter(|(of, _)| *of == board.board.0) {
            let sites: Vec<Site> = region.sites().collect();
            if (2..=most).contains(&sites.len()) {
                self.add(topology, board, &sites, true);
            }
        }
    }

    /// Adds random walks over neighbours that visit no site twice.
    fn walks(&mut self, board: &BoardCodes, topology: &Topology, length: usize) {
        let mut stream = Stream::new(SEED, u64::from(board.board.0), 1);
        for _ in 0..WALKS {
            let mut sites = vec![Site(stream.below(topology.size().into()) as u32)];
            while sites.len() < length {
                let last = sites[sites.len() - 1];
                let next: Vec<Site> =
                    topology.around(last).sites().filter(|site| !sites.contains(site)).collect();
                if next.is_empty() {
                    break;
                }
                sites.push(next[stream.below(next.len() as u64) as usize]);
            }
            if sites.len() == length {
                sites.sort_unstable();
                self.add(topology, board, &sites, false);
            }
        }
    }

    /// Adds a tuple and its images under all symmetries, which share its weights.
    fn add(&mut self, topology: &Topology, board: &BoardCodes, sites: &[Site], in_context: bool) {
        let in_context = in_context && self.made.contexts > 1;
        if !self.sets.insert(sorted(board, sites)) {
            return;
        }
        let moved: Vec<Vec<Site>> =
            std::iter::once(sites.to_vec())
                .chain(self.symmetries.iter().map(|permutation| {
                    sites.iter().map(|site| permutation.site(board.board, *site)).collect()
                }))
                .collect();
        let form = (board.sites > MOST_SITES && topology.has_rows()).then(|| form(topology, board, sites));
        let known = form.as_ref().and_then(|form| self.forms.get(form)).copied();
        let weights = board.codes.pow(sites.len() as u32);
        let rows = self.copies * if in_context { self.made.contexts } else { 1 };
        if known.is_none() && weights * rows > self.layout.left() {
            return;
        }
        let first = known.unwrap_or_else(|| self.layout.take(weights * rows) as u32);
        for sites in moved {
            if form.is_some() {
                self.forms.entry(self::form(topology, board, &sites)).or_insert(first);
            }
            let codes: Vec<u32> = sites.iter().map(|site| site.0 + board.first as u32).collect();
            if self.done.insert(codes.clone()) {
                self.sets.insert(sorted(board, &sites));
                let mut factor = 1;
                for code in &codes {
                    self.made.parts[*code as usize].push((self.made.tuples.len() as u32, factor));
                    factor *= board.codes as u32;
                }
                self.made.tuples.push(Tuple { first, weights: weights as u32, in_context });
            }
        }
    }
}

/// The sites of a tuple, as indices among all boards, ascending.
fn sorted(board: &BoardCodes, sites: &[Site]) -> Vec<u32> {
    let mut sites: Vec<u32> = sites.iter().map(|site| site.0 + board.first as u32).collect();
    sites.sort_unstable();
    sites
}

fn form(topology: &Topology, board: &BoardCodes, sites: &[Site]) -> TupleShape {
    let place = |site: Site| (i64::from(topology.column_of(site)), i64::from(topology.row_of(site)));
    let (column, row) = place(sites[0]);
    let from_first = |site: &Site| (place(*site).0 - column, place(*site).1 - row);
    (board.first as u32, sites.iter().map(from_first).collect())
}

/// The sides around each block of 1, 2, 3 or 2×2 cells, if they are at most `most`.
fn sides_of_cells(sides: &Topology, cells: &Topology, most: usize) -> Vec<Vec<Site>> {
    let mut found = vec![];
    for cell in cells.sites() {
        let (column, row) = (i64::from(cells.column_of(cell)), i64::from(cells.row_of(cell)));
        for (wide, high) in [(1, 1), (2, 1), (1, 2), (3, 1), (1, 3), (2, 2)] {
            let part = (0..wide).flat_map(|x| (0..high).map(move |y| (x, y)));
            let part: Option<Vec<Site>> = part.map(|(x, y)| cells.site_at(column + x, row + y)).collect();
            let Some(part) = part else { continue };
            let around = sides.sides_of(&BitSet::from_sites(cells.size(), part));
            if around.len() as usize <= most {
                found.push(around.sites().collect());
            }
        }
    }
    found
}

/// The constant sets of sites in the score and the ends, with the index of their board.
fn regions(model: &Model) -> Vec<(u32, BitSet)> {
    let mut found: Vec<(u32, BitSet)> = vec![];
    let mut note = |e: &CheckedExpr| {
        if let (CheckedExprKind::Constant(Value::Set(set)), Type::Set(domain)) = (&e.kind, e.ty)
            && let DomainKind::Sites(board) = model.domains[domain.index()].kind
            && !found.iter().any(|(of, known)| *of == board.0 && known == set)
        {
            found.push((board.0, set.clone()));
        }
    };
    let scored = model.score.iter().map(|item| &item.value);
    for expr in scored.chain(model.ends.iter().map(|end| &end.when)) {
        walk::expr(expr, &mut note);
    }
    found
}

/// The small numbers that last for the game and are visible to all, and the number of contexts that they make.
fn contexts(game: &Game) -> (Vec<Context>, usize) {
    let model = game.model();
    let (mut context, mut contexts) = (vec![], 1);
    for sight in sights(game) {
        let Some(slot) = sight.slot.map(|slot| &model.slots[slot.index()]) else { continue };
        let few = slot.initial.len() <= 2 * game.players() as usize;
        if slot.role != Role::Variable || slot.life != Life::Game || !few || sight.during.is_some() {
            continue;
        }
        let (low, values) = match sight.kind {
            SightKind::Value(Content::Number { low, high }) => {
                (low, high.saturating_sub(low).saturating_add(1))
            }
            SightKind::Value(Content::Bool) => (0, 2),
            _ => continue,
        };
        if (2..=MOST_CONTEXTS as i64).contains(&values) && contexts * values as usize <= MOST_CONTEXTS {
            contexts *= values as usize;
            context.push(Context { at: sight.at, low, values });
        }
    }
    (context, contexts)
}
