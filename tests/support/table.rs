//! Runs `houserule play` in tests: processes on a terminal or on pipes, and games planned in advance.
#![allow(clippy::unwrap_used)]

use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use houserule::game::values::params_json;
use houserule::game::{Game, State};
use houserule::loader::Request;
use houserule::notation::journal::{DiceSource, GameInProgress, Journal, JournalHeader, VERSION, resume};
use houserule::table::see_different_things;
use rand::prelude::*;
use rexpect::process::{PtyProcess, Signal, WaitStatus};

/// Maximum time to wait for output.
const PATIENCE: Duration = Duration::from_secs(600);

/// Returns an empty folder for one test.
pub(crate) fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("play").join(name.replace([' ', '+'], ""));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// `houserule play` in a folder, where it also keeps its journals.
pub(crate) fn play_command(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_houserule"));
    command.arg("play").current_dir(folder);
    command.env("XDG_DATA_HOME", folder).env("TERM", "xterm").env_remove("NO_COLOR");
    command
}

pub(crate) fn load(name: &str) -> Game {
    houserule::loader::load(&Request { name, ..Request::default() }).unwrap().game
}

/// Runs a command with some lines typed into it.
pub(crate) fn piped(command: &mut Command, lines: &[String]) -> (i32, String, String) {
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut text = lines.join("\n");
    if !lines.is_empty() {
        text.push('\n');
    }
    let mut stdin = child.stdin.take().unwrap();
    // A process that doesn't read all of its input is no error here.
    let writer = std::thread::spawn(move || {
        let _ = stdin.write_all(text.as_bytes());
    });
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap_or(-1), text(output.stdout), text(output.stderr))
}

/// A process on pipes that the test will kill.
pub(crate) struct Piped {
    child: Child,
    stdin: ChildStdin,
}

impl Piped {
    pub(crate) fn new(command: &mut Command) -> Piped {
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let stdin = child.stdin.take().unwrap();
        Piped { child, stdin }
    }

    /// Types lines, and kills the process `later` after it has written `lines` lines. Returns whether the
    /// kill came before the process ended, and all of its output.
    pub(crate) fn kill_after(mut self, typed: &[String], lines: usize, later: Duration) -> (bool, String) {
        // Nothing more is typed: at the end of its input the process exits by itself.
        let mut stdin = self.stdin;
        let _ = stdin.write_all((typed.join("\n") + "\n").as_bytes());
        drop(stdin);
        let mut out = BufReader::new(self.child.stdout.take().unwrap());
        let mut text = String::new();
        for _ in 0..lines {
            if out.read_line(&mut text).unwrap() == 0 {
                break;
            }
        }
        std::thread::sleep(later);
        self.child.kill().unwrap();
        let killed = self.child.wait().unwrap().signal().is_some();
        out.read_to_string(&mut text).unwrap();
        (killed, text)
    }
}

/// A process with a terminal of its own.
pub(crate) struct Pty {
    process: PtyProcess,
    input: std::fs::File,
    output: Receiver<Vec<u8>>,
}

impl Pty {
    pub(crate) fn new(command: &mut Command) -> Pty {
        let mut own = Command::new(command.get_program());
        own.args(command.get_args()).current_dir(command.get_current_dir().unwrap());
        for (name, value) in command.get_envs() {
            match value {
                Some(value) => own.env(name, value),
                None => own.env_remove(name),
            };
        }
        let process = PtyProcess::new(own).unwrap();
        let (input, mut reader) = (process.get_file_handle().unwrap(), process.get_file_handle().unwrap());
        let (sender, output) = channel();
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(read @ 1..) = reader.read(&mut bytes) {
                if sender.send(bytes[..read].to_vec()).is_err() {
                    break;
                }
            }
        });
        Pty { process, input, output }
    }

    /// Returns the output up to the next prompt, without colours. Presses Enter at hand-over prompts.
    pub(crate) fn prompt(&mut self) -> String {
        let mut all = self.any_prompt();
        while all.ends_with("Enter> ") {
            self.input.write_all(b"\r").unwrap();
            all.push_str(&self.any_prompt());
        }
        all
    }

    /// Returns the output up to the next prompt, which may be a hand-over prompt.
    pub(crate) fn any_prompt(&mut self) -> String {
        // The line editor ends what it draws with this sequence. A row of a table can begin with `> ` too, without it.
        self.until_bytes(|bytes, text| {
            bytes.ends_with(b"\x1b[?2026l")
                && text.contains('\n')
                && text.rsplit('\n').next().is_some_and(|last| last.ends_with("> "))
        })
    }

    /// Returns the output as soon as it is `enough`.
    pub(crate) fn until(&mut self, enough: impl Fn(&str) -> bool) -> String {
        self.until_bytes(|_, text| enough(text))
    }

    /// Returns the output as soon as its bytes and its text are `enough`.
    fn until_bytes(&mut self, enough: impl Fn(&[u8], &str) -> bool) -> String {
        let begun = Instant::now();
        let mut bytes = Vec::new();
        loop {
            let text = plain(&String::from_utf8_lossy(&bytes));
            if enough(&bytes, &text) {
                return text;
            }
            match self.output.recv_timeout(PATIENCE.saturating_sub(begun.elapsed())) {
                // All that is there is looked at once: a game of forced moves prints thousands of lines.
                Ok(more) => bytes.extend(std::iter::once(more).chain(self.output.try_iter()).flatten()),
                Err(error) => panic!("no prompt came, {error}:\n{text}"),
            }
        }
    }

    /// Types a line. Returns the output up to the next prompt.
    pub(crate) fn line(&mut self, line: &str) -> String {
        self.input.write_all(format!("{line}\r").as_bytes()).unwrap();
        self.prompt()
    }

    /// Types a line. Returns the output up to the next prompt, which may be a hand-over prompt.
    pub(crate) fn bare_line(&mut self, line: &str) -> String {
        self.input.write_all(format!("{line}\r").as_bytes()).unwrap();
        self.any_prompt()
    }

    /// Types a command that ends the process. Returns the exit code.
    pub(crate) fn leave(mut self, typed: &str) -> i32 {
        self.input.write_all(format!("{typed}\r").as_bytes()).unwrap();
        while self.output.recv_timeout(PATIENCE).is_ok() {}
        match self.process.wait() {
            Ok(WaitStatus::Exited(_, code)) => code,
            other => panic!("{other:?}"),
        }
    }

    /// Kills the process at once.
    pub(crate) fn kill(mut self) {
        self.process.signal(Signal::SIGKILL).unwrap();
        self.process.wait().unwrap();
    }
}

/// Returns a text as the screen shows it: without escape sequences, and with only the last version of a line
/// that is overwritten.
pub(crate) fn plain(text: &str) -> String {
    let mut clean = String::new();
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        if character != '\u{1b}' {
            clean.push(character);
        } else if characters.next_if_eq(&'[').is_some() {
            for character in characters.by_ref() {
                if character.is_ascii_alphabetic() || character == '~' {
                    break;
                }
            }
        }
    }
    let lines = clean.split('\n').map(|line| line.trim_end_matches('\r').rsplit('\r').next().unwrap_or(""));
    lines.collect::<Vec<_>>().join("\n")
}

/// A game planned before it is played: people in all seats, dice from the seed.
pub(crate) struct Plan {
    pub(crate) game: Game,
    pub(crate) head: JournalHeader,
    pub(crate) events: Vec<String>,
    /// Indices of the events that people decide.
    pub(crate) typed: Vec<usize>,
}

impl Plan {
    pub(crate) fn random(game: &Game, name: &str, seed: u64, random: &mut impl Rng) -> Plan {
        let head = JournalHeader {
            houserule: 1,
            journal: VERSION,
            game: name.to_owned(),
            folder: None,
            rules_sha256: game.identity().rules_sha256.clone(),
            params: params_json(game.model()),
            players: game.players(),
            agents: vec!["you".to_owned(); game.players() as usize],
            seed,
            index: 0,
            dice: DiceSource::Seed,
            match_play: false,
        };
        let mut played = GameInProgress::begin(game, &head.start(), None, DiceSource::Seed).unwrap();
        let mut typed = Vec::new();
        while !played.state().is_over() {
            if played.state().is_chance() {
                let outcome = played.draw().unwrap();
                played.settle(outcome).unwrap();
                continue;
            }
            let legal = played.state().legal_actions();
            // People who pass on the keyboard are asked for a single move, too.
            if legal.len() > 1 || game.players() > 1 && see_different_things(played.state()) {
                typed.push(played.state().history().len());
            }
            played.act(*legal.choose(random).unwrap()).unwrap();
        }
        Plan { game: game.clone(), head, events: played.events(), typed }
    }

    /// Returns the input for the event at `number`, which a person decides.
    pub(crate) fn move_at(&self, number: usize) -> String {
        self.events[self.typed[number]].clone()
    }

    /// Returns the state after some events.
    fn state(&self, events: usize) -> State {
        let mut journal = Journal::new(self.head.clone());
        journal.games = vec![self.events[..events].to_vec()];
        resume(&self.game, &journal, |_| {}).unwrap().played.state().clone()
    }

    pub(crate) fn end(&self) -> State {
        self.state(self.events.len())
    }

    /// Returns any legal move for the event at `number`.
    pub(crate) fn other_move_at(&self, number: usize, random: &mut impl Rng) -> String {
        let state = self.state(self.typed[number]);
        let legal = state.legal_actions();
        self.game.action_name(*legal.choose(random).unwrap())
    }

    /// Returns the indices of people's decisions after some events.
    pub(crate) fn typed_from(&self, events: usize) -> Vec<usize> {
        (0..self.typed.len()).filter(|number| self.typed[*number] >= events).collect()
    }

    /// Returns how many events, starting at `from`, a text lists in order.
    pub(crate) fn told(&self, from: usize, text: &str) -> usize {
        let lines = text.lines().filter(|line| {
            // A line that begins with a number is a list of moves.
            line.starts_with("  ") && !line.trim_start().starts_with(|c: char| c.is_ascii_digit())
        });
        // What was drawn in a row is one line.
        let mut lines = lines.flat_map(|line| match line.split_once("drawn: ") {
            Some((_, drawn)) => {
                let seen = drawn.split(", ").filter(|one| !one.contains("face down"));
                let element = |one: &str| one.split_once(" to ").map_or(one, |(one, _)| one).to_owned();
                seen.map(|one| format!("picked: {}", element(one))).collect()
            }
            None => vec![line.to_owned()],
        });
        // A player's name may come before what chance decided.
        let is_told = |line: &str, told: &str| {
            line.trim().strip_suffix(told).is_some_and(|who| who.is_empty() || who.ends_with(": "))
        };
        let tells = |line: &str, event: &str| match event.split_once(' ') {
            Some(("roll", rest)) => rest
                .split_once(' ')
                .is_some_and(|(dice, faces)| is_told(line, &format!("{dice} rolled: {faces}"))),
            Some(("pick", what)) => is_told(line, &format!("picked: {what}")),
            _ => line.trim().trim_end_matches(" (the only move)").ends_with(event),
        };
        self.events[from..].iter().take_while(|event| lines.any(|line| tells(&line, event))).count()
    }
}
