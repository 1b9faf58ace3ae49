//! `houserule workbench`: serves a page in the browser to this machine.

use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use clap::Args;

use crate::serve::{PageServer, ServerOptions};
use crate::terminal::{CliError, Terminal, on_ctrl_c};
use houserule_base::files::{RULES_ENDING, SCRIPT_ENDING};
use houserule_loader::bundled;
use houserule_loader::{LoadError, Request, load};

#[derive(Debug, Args)]
#[command(
    after_help = "Files are read and written only in the folder: that of the FILE, or for a GAME the current one. \
    Only this machine is served, and only pages that know the address as it is printed.\n\
    `docs/workbench.md` describes the page."
)]
pub(super) struct WorkbenchArgs {
    /// What to open: a bundled game, a rule file, or a folder with rule files [default: the current folder]
    #[arg(value_name = "GAME|FILE|FOLDER")]
    what: Option<String>,
    /// Port [default: one that belongs to the folder, or else a free one]
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    port: u16,
    /// Print the address without opening it in the browser
    #[arg(long)]
    no_open: bool,
}

pub(super) fn run(args: &WorkbenchArgs, terminal: &mut Terminal<'_>) -> Result<(), CliError> {
    let options = options(args.what.as_deref(), args.port)?;
    if !terminal.process {
        return Err(CliError::Command(
            "`workbench` needs a process of its own, which Ctrl-C ends".to_owned(),
        ));
    }
    let failed = |error: io::Error| {
        let folder = options.folder.display();
        CliError::Command(match error.kind() {
            io::ErrorKind::AddrInUse => format!("port {} is in use; name another with `--port`", args.port),
            io::ErrorKind::PermissionDenied if args.port > 0 => {
                format!("port {} is not for users; name one above 1023", args.port)
            }
            _ => format!("`{folder}` can't be served: {error}"),
        })
    };
    let server = PageServer::bind(&options).map_err(failed)?;
    let address = server.address();
    // Before it is offered: Ctrl-C at once would end the process as killed.
    let interrupt = on_ctrl_c(terminal);
    writeln!(terminal.out, "The workbench is at {address}")?;
    writeln!(terminal.out, "{}", terminal.paint.quiet("Ctrl-C ends it."))?;
    terminal.out.flush()?;
    if !args.no_open {
        open(&address);
    }
    server.run(|| interrupt.is_set())?;
    let more = "The workbench has ended. What was not saved stays in the browser, as drafts.";
    Ok(writeln!(terminal.out, "{}", terminal.paint.quiet(more))?)
}

/// What to serve for a name.
fn options(what: Option<&str>, port: u16) -> Result<ServerOptions, CliError> {
    let here = PathBuf::from(".");
    let Some(name) = what else {
        return Ok(ServerOptions { folder: here, nested: true, start: None, port });
    };
    if bundled::find(name).is_some() {
        let start = Some(format!("bundled/{name}"));
        return Ok(ServerOptions { folder: here, nested: false, start, port });
    }
    let path = Path::new(name);
    if path.is_dir() {
        return Ok(ServerOptions { folder: path.to_owned(), nested: true, start: None, port });
    }
    let is_rules = name.ends_with(RULES_ENDING) || name.ends_with(SCRIPT_ENDING);
    if let (true, true, Some(file)) = (is_rules, path.is_file(), path.file_name()) {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let start = Some(file.to_string_lossy().into_owned());
        return Ok(ServerOptions { folder: folder.map_or(here, Path::to_owned), nested: false, start, port });
    }
    // In the words of the other commands.
    Err(CliError::Command(match load(&Request { name, ..Request::default() }) {
        Err(LoadError::Request(messages)) => messages.join("\n"),
        _ => format!("`{name}` is no bundled game, rule file or folder"),
    }))
}

/// Opens an address in the browser, if there is a program for that.
fn open(address: &str) {
    let mut command = match () {
        () if cfg!(target_os = "macos") => Command::new("open"),
        () if cfg!(windows) => {
            let mut command = Command::new("rundll32");
            command.arg("url.dll,FileProtocolHandler");
            command
        }
        () => Command::new("xdg-open"),
    };
    let started =
        command.arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    if let Ok(mut program) = started {
        std::thread::spawn(move || program.wait());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_a_game_a_file_or_a_folder() {
        let of = |what: &str| {
            let ServerOptions { folder, nested, start, .. } = options(Some(what), 0).ok()?;
            Some((folder.display().to_string(), nested, start))
        };
        assert_eq!(of("dilido"), Some((".".to_owned(), false, Some("bundled/dilido".to_owned()))));
        assert_eq!(of("cli"), Some(("cli".to_owned(), true, None)));
        assert_eq!(
            of("../../tests/everything.rules").map(|found| (found.0, found.2)),
            Some(("../../tests".to_owned(), Some("everything.rules".to_owned())))
        );
        assert_eq!(
            (of("none"), of("none.rules"), of("Cargo.toml"), of("dilido + torus")),
            (None, None, None, None)
        );
    }
}
