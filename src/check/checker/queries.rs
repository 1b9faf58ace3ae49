//! Questions to the model built so far.
