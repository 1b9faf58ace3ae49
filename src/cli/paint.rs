//! Colours for terminals.

pub(super) use crate::draw::paint::Paint;
