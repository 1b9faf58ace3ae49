//! Values that are kept from one evaluation to the next: which (`share`), of which expressions (`canon`), and how (`cells`);
//! and those that are held during one (`held`).

pub(in crate::compile) mod canon;
pub(in crate::compile) mod cells;
pub(in crate::compile) mod held;
mod share;
