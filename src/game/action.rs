//! Action ids, the same in every executor.

/// The id of an action of a game: a number in one of the blocks of
/// [`Model::actions`](crate::model::Model).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ActionId(pub u32);
