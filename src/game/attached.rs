//! What a later module computes for a game or a state and keeps with it.

use std::any::Any;
use std::fmt::Debug;
use std::sync::OnceLock;

/// A value of any type.
trait Attachment: Any + Send + Sync + Debug {
    fn copied(&self) -> Box<dyn Attachment>;
}

impl<T: Any + Clone + Send + Sync + Debug> Attachment for T {
    fn copied(&self) -> Box<dyn Attachment> {
        Box::new(self.clone())
    }
}

/// One value, computed on first use. A clone has a clone of the value.
///
/// This module doesn't know the type, so modules that use games and states can keep their own types here.
#[derive(Debug, Default)]
pub struct Attached(OnceLock<Box<dyn Attachment>>);

impl Attached {
    /// Returns the value, and computes it on first use. All uses of one `Attached` must have the same type.
    pub fn get_or<T: Any + Clone + Send + Sync + Debug>(&self, make: impl FnOnce() -> T) -> &T {
        let value: &dyn Attachment = &**self.0.get_or_init(|| Box::new(make()));
        let value: &dyn Any = value;
        value.downcast_ref().unwrap_or_else(|| unreachable!("one type for each use"))
    }
}

impl Clone for Attached {
    fn clone(&self) -> Self {
        Attached(self.0.get().map(|value| OnceLock::from((**value).copied())).unwrap_or_default())
    }
}
