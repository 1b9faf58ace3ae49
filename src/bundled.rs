//! The rule files that come with the program. The one place, besides tests, that lists them.

/// A rule file that comes with the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bundled {
    /// By which it is loaded.
    pub name: &'static str,
    /// The whole text.
    pub text: &'static str,
}

macro_rules! bundled {
    ($($folder:literal: $($name:literal)*;)*) => {
        &[$($(Bundled {
            name: $name,
            text: include_str!(concat!("../rules/", $folder, $name, ".rules")),
        },)*)*]
    };
}

/// All of them: games, their variants, classics.
pub const ALL: &[Bundled] = bundled! {
    "": "dilido" "dicrono" "dice-wide-shut" "dominoes" "points";
    "variants/":
        "dilido-ordered" "dilido-8x8" "dilido-second-joker" "dilido-torus"
        "dicrono-ordered" "dicrono-steals"
        "dice-wide-shut-distinct"
        "breakthrough-backward"
        "dominoes-block"
        "dominoes-double-nine"
        "dominoes-line"
        "points-39x32" "points-crossed" "points-small"
        "go-capture"
        "go-openspiel"
        "dots-and-boxes-misere"
        "gomoku-exactly-five"
        "hex-swap"
        "kalah-six"
        "nine-mens-morris-no-flying"
        "reversi-misere"
        "yacht-forced";
    "classics/":
        "tic-tac-toe"
        "tic-tac-die"
        "connect-four"
        "go"
        "gomoku"
        "reversi"
        "breakthrough"
        "hex"
        "nine-mens-morris"
        "dots-and-boxes"
        "pig"
        "kalah"
        "yacht";
};

/// The file of a name.
pub fn find(name: &str) -> Option<Bundled> {
    ALL.iter().copied().find(|file| file.name == name)
}

/// All names.
pub fn names() -> impl Iterator<Item = &'static str> {
    ALL.iter().map(|file| file.name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::{Path, PathBuf};

    fn rule_files(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                rule_files(&path, found);
            } else if path.extension().is_some_and(|ext| ext == "rules") {
                found.push(path);
            }
        }
    }

    #[test]
    fn every_rule_file_is_listed_once() {
        let mut files = Vec::new();
        rule_files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("rules"), &mut files);
        let mut stems: Vec<String> =
            files.iter().map(|path| path.file_stem().unwrap().to_string_lossy().into_owned()).collect();
        let mut listed: Vec<String> = names().map(str::to_owned).collect();
        stems.sort();
        listed.sort();
        assert_eq!(listed, stems);
        for path in files {
            let file = find(&path.file_stem().unwrap().to_string_lossy()).unwrap();
            assert_eq!(file.text, std::fs::read_to_string(&path).unwrap(), "{}", path.display());
        }
    }
}
