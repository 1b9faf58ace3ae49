//! The rule files and scripts compiled into the program. Depends on nothing.

/// A rule file or script compiled into the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bundled {
    /// The name by which it is loaded. A script's name ends in `.rhai`.
    pub name: &'static str,
    /// Its folder in `rules`; empty for a file in `rules` itself.
    pub folder: &'static str,
    /// The whole text.
    pub text: &'static str,
}

/// All rule files in the folder `rules`, those of each folder in it after its own.
pub const ALL: &[Bundled] = include!(concat!(env!("OUT_DIR"), "/bundled.rs"));

/// Returns the rule file called `name`.
pub fn find(name: &str) -> Option<Bundled> {
    ALL.iter().copied().find(|file| file.name == name)
}

/// All scripts in the folder `rules`, each by its file name.
const SCRIPTS: &[Bundled] = include!(concat!(env!("OUT_DIR"), "/scripts.rs"));

/// Returns the script called `name`, which ends in `.rhai`.
pub fn find_script(name: &str) -> Option<Bundled> {
    SCRIPTS.iter().copied().find(|file| file.name == name)
}

/// The names of all rule files.
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
