//! The names of things, as people read them.

/// Returns a name with spaces instead of underscores.
pub fn plain(name: &str) -> String {
    name.replace('_', " ")
}
