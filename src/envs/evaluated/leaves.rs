//! The leaves of searches as arrays: what the seat that decides sees, and its legal actions.

use houserule_game::Game;
use houserule_game::many::Playout;
use houserule_game::observe::{Dtype, GameBatch, Planes, pack};

/// The layout of the leaves of a game.
#[derive(Clone, Debug)]
pub struct LeafForm {
    planes: Option<Planes>,
    dtype: Dtype,
    /// The numbers of an observation before they are laid out as planes.
    flat: usize,
    cells: usize,
    actions: usize,
    players: usize,
}

impl LeafForm {
    /// Returns the layout with flat observations or with planes. The error says why the game doesn't have it.
    pub fn new(game: &Game, planes: bool, dtype: Dtype) -> Result<LeafForm, String> {
        if dtype == Dtype::Float16 {
            return Err(
                "a search has no observations of float16: use float32, uint8, bool or bits".to_owned()
            );
        }
        game.check_dtype(dtype).map_err(|error| error.to_string())?;
        let planes = planes.then(|| game.planes()).transpose().map_err(|error| error.to_string())?;
        let flat = game.observation_len();
        let cells = dtype.size(planes.as_ref().map_or(flat, Planes::len));
        let players = game.players() as usize;
        Ok(LeafForm { planes, dtype, flat, cells, actions: game.actions() as usize, players })
    }

    /// The shape of one observation. Bits are a row of bytes, for planes too.
    pub fn shape(&self) -> Vec<usize> {
        let planes = self.planes.as_ref().filter(|_| self.dtype != Dtype::Bits);
        planes.map_or(vec![self.cells], |planes| planes.shape().to_vec())
    }

    /// Returns `true` if leaves of both layouts have the same shapes.
    pub(super) fn is_like(&self, other: &LeafForm) -> bool {
        (self.dtype, self.actions, self.players) == (other.dtype, other.actions, other.players)
            && self.shape() == other.shape()
    }

    /// The number of actions of the game.
    pub fn actions(&self) -> usize {
        self.actions
    }

    /// The number of players of the game.
    pub fn players(&self) -> usize {
        self.players
    }
}

/// The observations of leaves, one after the other.
#[derive(Clone, Debug)]
pub enum LeafCells {
    /// For [`Dtype::Float32`], the only type of floats.
    Floats(Vec<f32>),
    /// For [`Dtype::Uint8`], [`Dtype::Bool`] and [`Dtype::Bits`].
    Bytes(Vec<u8>),
}

/// Leaves to be evaluated.
#[derive(Clone, Debug)]
pub struct LeafBatch {
    /// The layout.
    pub form: LeafForm,
    /// The number of leaves: N.
    pub count: usize,
    /// N observations of [`LeafForm::shape`], each as the seat that decides sees the position.
    pub cells: LeafCells,
    /// N × A: 1 for the legal actions, 0 for the others.
    pub masks: Vec<i8>,
}

impl LeafBatch {
    /// Creates an empty batch.
    pub(super) fn new(form: &LeafForm) -> LeafBatch {
        let cells = match form.dtype {
            Dtype::Float32 | Dtype::Float16 => LeafCells::Floats(vec![]),
            Dtype::Uint8 | Dtype::Bool | Dtype::Bits => LeafCells::Bytes(vec![]),
        };
        LeafBatch { form: form.clone(), count: 0, cells, masks: vec![] }
    }

    /// Appends the leaves of another batch of the same layout.
    pub(super) fn append(&mut self, mut other: LeafBatch) {
        self.count += other.count;
        match (&mut self.cells, &mut other.cells) {
            (LeafCells::Floats(own), LeafCells::Floats(others)) => own.append(others),
            (LeafCells::Bytes(own), LeafCells::Bytes(others)) => own.append(others),
            (LeafCells::Floats(_), LeafCells::Bytes(_)) | (LeafCells::Bytes(_), LeafCells::Floats(_)) => {
                unreachable!("the layouts are the same")
            }
        }
        self.masks.append(&mut other.masks);
    }
}

/// Writes leaves.
pub(super) struct LeafWriter {
    few: GameBatch,
    /// Buffers for planes: a flat observation, in floats and in bytes, and planes before they are packed.
    flat: Vec<f32>,
    flat_bytes: Vec<u8>,
    laid_out: Vec<u8>,
}

impl LeafWriter {
    pub(super) fn new(form: &LeafForm) -> LeafWriter {
        let (flat, planes) = form.planes.as_ref().map_or((0, 0), |planes| (form.flat, planes.len()));
        let few = GameBatch::default();
        LeafWriter { few, flat: vec![0.0; flat], flat_bytes: vec![0; flat], laid_out: vec![0; planes] }
    }

    /// Appends the position of a simulation, in which a decision is pending.
    pub(super) fn add(&mut self, playout: &Playout, batch: &mut LeafBatch) {
        let (games, one) = playout.simulated();
        let LeafBatch { form, count, cells, masks } = batch;
        games.read_pending(&one, &mut self.few);
        self.few.viewers[0] = self.few.actors()[0];
        let (from, size) = (*count * form.cells, form.cells);
        match (cells, &form.planes) {
            (LeafCells::Floats(cells), None) => {
                cells.resize(from + size, 0.0);
                games.observe::<false>(&one, &mut self.few, &mut cells[from..]);
            }
            (LeafCells::Floats(cells), Some(planes)) => {
                cells.resize(from + size, 0.0);
                games.observe::<false>(&one, &mut self.few, &mut self.flat);
                planes.write(&self.flat, &mut cells[from..]);
            }
            (LeafCells::Bytes(cells), None) => {
                cells.resize(from + size, 0);
                match form.dtype {
                    Dtype::Bits => games.observe_packed(&one, &mut self.few, &mut cells[from..]),
                    Dtype::Uint8 | Dtype::Bool | Dtype::Float32 | Dtype::Float16 => {
                        games.observe_bytes::<false>(&one, &mut self.few, &mut cells[from..]);
                    }
                }
            }
            (LeafCells::Bytes(cells), Some(planes)) => {
                cells.resize(from + size, 0);
                games.observe_bytes::<false>(&one, &mut self.few, &mut self.flat_bytes);
                if form.dtype == Dtype::Bits {
                    planes.write(&self.flat_bytes, &mut self.laid_out);
                    pack(&self.laid_out, &mut cells[from..]);
                } else {
                    planes.write(&self.flat_bytes, &mut cells[from..]);
                }
            }
        }
        let from = masks.len();
        masks.resize(from + form.actions, 0);
        games.write_mask(one.start, &mut masks[from..]);
        *count += 1;
    }
}
