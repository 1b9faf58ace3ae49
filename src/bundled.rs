//! The rule files that come with the program.

/// A rule file that comes with the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bundled {
    /// By which it is loaded.
    pub name: &'static str,
    /// The whole text.
    pub text: &'static str,
}

/// All that is in the folder `rules`: games, classics, variants, each by name.
pub const ALL: &[Bundled] = include!(concat!(env!("OUT_DIR"), "/bundled.rs"));

/// The file of a name.
pub fn find(name: &str) -> Option<Bundled> {
    ALL.iter().copied().find(|file| file.name == name)
}

/// The scripts beside them, each by the name of its file.
const SCRIPTS: &[Bundled] = include!(concat!(env!("OUT_DIR"), "/scripts.rs"));

/// The script of a name, which ends in `.rhai`.
pub fn find_script(name: &str) -> Option<Bundled> {
    SCRIPTS.iter().copied().find(|file| file.name == name)
}

/// All names.
pub fn names() -> impl Iterator<Item = &'static str> {
    ALL.iter().map(|file| file.name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_folders_have_a_file_of_the_same_name() {
        for file in ALL {
            assert_eq!(find(file.name).unwrap().text, file.text, "{}", file.name);
        }
    }
}
