//! What a later module computes for a game or a state and keeps with it.

use std::any::Any;
use std::fmt::Debug;
use std::sync::OnceLock;

/// A value of any type.
trait Value: Any + Send + Sync + Debug {
    fn copied(&self) -> Box<dyn Value>;
}

impl<T: Any + Clone + Send + Sync + Debug> Value for T {
    fn copied(&self) -> Box<dyn Value> {
        Box::new(self.clone())
    }
}

/// One value, computed on first use. A clone has a clone of the value.
///
/// This module doesn't know the type, so modules that use games and states can keep their own types here.
#[derive(Debug, Default)]
pub(crate) struct Keep(OnceLock<Box<dyn Value>>);

impl Keep {
    /// Returns the value, and computes it on first use. All uses of a `Keep` must have the same type.
    pub(crate) fn get_or<T: Any + Clone + Send + Sync + Debug>(&self, make: impl FnOnce() -> T) -> &T {
        let value: &dyn Value = &**self.0.get_or_init(|| Box::new(make()));
        let value: &dyn Any = value;
        value.downcast_ref().unwrap_or_else(|| unreachable!("one type for each use"))
    }
}

impl Clone for Keep {
    fn clone(&self) -> Self {
        Keep(self.0.get().map(|value| OnceLock::from((**value).copied())).unwrap_or_default())
    }
}
