//! `houserule new`: writes a rule file to start from.

mod copy;
mod skeleton;

use std::path::{Component, Path, PathBuf};

use clap::Args;

use super::one_name;
use crate::terminal::{CliError, Terminal};
use houserule_base::files::{FileError, replace, write_new};
use houserule_base::names::{shell_game, shell_word};
use houserule_desk::service::{NewVariant, NewVariantError, Workspace};

#[derive(Debug, Args)]
pub(super) struct NewArgs {
    /// The rule file to write: a path that ends in `.rules`
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Write a variant of this game, which may have variants after `+` [default: write a new game]
    #[arg(long, num_args = 1.., value_name = "GAME")]
    from: Vec<String>,
    /// Write a copy of a game: of this bundled game, or of the shortest one of this family (cards, war, race …)
    #[arg(long, value_name = "FAMILY|GAME", conflicts_with = "from")]
    like: Option<String>,
    /// Title of the game or variant [default: the name of the file]
    #[arg(long)]
    title: Option<String>,
    /// Overwrite an existing file
    #[arg(long)]
    force: bool,
}

pub(super) fn run(args: &NewArgs, terminal: &mut Terminal<'_>) -> Result<(), CliError> {
    let shown = args.file.display();
    if args.file.extension().is_none_or(|extension| extension != "rules") {
        return Err(CliError::Command(format!(
            "the name of a rule file must end in `.rules`: write `{shown}.rules`"
        )));
    }
    let write = |file: &Path, text: &str| {
        let write = if args.force { replace } else { write_new };
        write(file, text.as_bytes())
    };
    if args.file.exists() && !args.force {
        return Err(FileError::Exists(args.file.clone()).into());
    }
    let title = args.title.clone().unwrap_or_else(|| title_of(&args.file));
    if title.contains(['"', '\n', '\r']) || title.trim().is_empty() {
        return Err(CliError::Command(
            "a title must be one line of text, without `\"`, and not empty".to_owned(),
        ));
    }
    let text = if let Some(like) = &args.like {
        copy::copy(like, &title, terminal)?
    } else if args.from.is_empty() {
        skeleton::text(&title)
    } else {
        let name = one_name(&args.from)?;
        let loaded = terminal.load(&name, &[], None)?;
        let names = &loaded.game.sheet().names;
        let of = names.iter().map(|name| seen_from(name, &args.file)).collect::<Result<Vec<_>, _>>()?;
        let file = &shown.to_string();
        let new = NewVariant { title: &title, file, of: &of, settings: &[] };
        Workspace::default().new_variant(&new, &loaded)?
    };
    write(&args.file, &text)?;
    writeln!(terminal.out, "{}", terminal.paint.good(&format!("{shown} is written")))?;
    let word = shell_word(&shown.to_string());
    let more = match args.from.is_empty() {
        true => format!("Read it, change it, then: houserule check {word}, houserule rules {word}"),
        false => format!(
            "Change a line of it, then: houserule check {word}, houserule diff {} {word}",
            shell_game(&args.from.join(" "))
        ),
    };
    Ok(writeln!(terminal.out, "{}", terminal.paint.quiet(&more))?)
}

/// Derives a title from a file name: `my-game.rules` becomes “My game”.
fn title_of(file: &Path) -> String {
    let stem = file.file_stem().map(|stem| stem.to_string_lossy().replace(['-', '_', '"'], " "));
    let stem = stem.unwrap_or_default();
    let mut letters = stem.trim().chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => "New".to_owned(),
    }
}

/// Returns the name of a game for the `of` of a file: paths are relative to the file's folder.
fn seen_from(name: &str, file: &Path) -> Result<String, CliError> {
    let (path, title) = match name.split_once('#') {
        Some((path, title)) => (path, format!("#{title}")),
        None => (name, String::new()),
    };
    if !path.ends_with(".rules") && !path.contains('/') {
        return Ok(name.to_owned());
    }
    let full = |path: &Path| {
        std::path::absolute(path)
            .map(|path| tidy(&path))
            .map_err(|error| CliError::Command(format!("`{}` is not a valid path: {error}", path.display())))
    };
    let (target, file) = (full(Path::new(path))?, full(file)?);
    let folder = file.parent().unwrap_or(Path::new("/"));
    let shared = target.components().zip(folder.components()).take_while(|(a, b)| a == b).count();
    let mut way = PathBuf::new();
    for _ in folder.components().skip(shared) {
        way.push("..");
    }
    way.extend(target.components().skip(shared));
    Ok(format!("{}{title}", way.display()))
}

/// Removes `.` and `..` from a path.
fn tidy(path: &Path) -> PathBuf {
    let mut tidy = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                tidy.pop();
            }
            Component::CurDir => {}
            part => tidy.push(part),
        }
    }
    tidy
}

impl From<NewVariantError> for CliError {
    fn from(error: NewVariantError) -> Self {
        let message = error.to_string();
        match error {
            NewVariantError::Unreadable => CliError::Rules(message),
            NewVariantError::Stacked(..) => CliError::Command(message),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use houserule_loader::{Request, load_text};

    #[test]
    fn a_title_is_the_name_of_the_file() {
        assert_eq!(title_of(Path::new("a/my-own_game.rules")), "My own game");
        assert_eq!(title_of(Path::new("élan.rules")), "Élan");
    }

    #[test]
    fn a_base_is_seen_from_the_file() {
        let seen = |name: &str, file: &str| seen_from(name, Path::new(file)).ok();
        assert_eq!(seen("pig", "a/b.rules").as_deref(), Some("pig"));
        assert_eq!(seen("a/base.rules", "a/b.rules").as_deref(), Some("base.rules"));
        assert_eq!(seen("base.rules#One", "a/./c/../b.rules").as_deref(), Some("../base.rules#One"));
        assert_eq!(seen("./x/base.rules", "a/b.rules").as_deref(), Some("../x/base.rules"));
    }

    #[test]
    fn the_skeleton_is_sound() {
        let name = "new";
        let loaded = load_text(name, &skeleton::text("Mine"), &Request { name, ..Request::default() });
        assert!(loaded.is_ok());
    }
}
