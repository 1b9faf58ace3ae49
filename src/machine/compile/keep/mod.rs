//! Values that are kept from one evaluation to the next: which (`share`), of which expressions (`canon`), and how (`cells`).

mod canon;
pub(in crate::compile) mod cells;
mod share;
