//! Messages as text. The one place that draws them.
