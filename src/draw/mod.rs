//! Games as pictures for people: text here. Reads states; changes nothing and prints nothing.

pub mod text;
