//! The pictures of the gallery and the page that shows them, made in memory. The caller writes or compares
//! them.

use std::fmt::Write as _;

use houserule::draw::svg::{PictureStyle, Theme, svg};
use houserule::game::{Game, Start, State};
use houserule::loader::{Request, catalogue, load};
use houserule::notation::record::find_outcome;
use houserule::variants::Setting;
use serde::{Deserialize, Serialize};

/// Path of the page, from the root of the project.
pub(crate) const PAGE: &str = "docs/gallery.md";

/// The command that writes the gallery.
pub(crate) const COMMAND: &str = "cargo run --example gallery";

/// The recorded games.
pub(crate) const PLAYED: &str = include_str!("games.json");

/// A recorded game.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct Played {
    /// The name to load.
    pub(crate) game: String,
    /// Number of players.
    pub(crate) players: u32,
    /// Number of events before the middle picture.
    pub(crate) middle: usize,
    /// Decisions and chance events, in the format of records.
    pub(crate) events: Vec<String>,
}

impl Played {
    /// Loads the rules.
    pub(crate) fn load(&self) -> Game {
        rules(&self.game, self.players)
    }

    /// Returns the event of the middle picture: a decision, if there is any, with the dice rolled.
    fn choice(&self, game: &Game) -> usize {
        let later = self.middle..self.events.len();
        later.clone().find(|events| !self.after(game, *events).is_chance()).unwrap_or(later.start)
    }

    /// Returns the state after some events.
    pub(crate) fn after(&self, game: &Game, events: usize) -> State {
        let mut state = start(game);
        for event in &self.events[..events] {
            let at = state.history().len();
            let done = match state.is_chance() {
                true => find_outcome(&state, event).ok().map(|outcome| state.apply_outcome(outcome)),
                false => game.parse_action(event).map(|action| state.apply(action)),
            };
            let name = &self.game;
            match done {
                Some(Ok(())) => {}
                Some(Err(error)) => panic!("{name}, event {}, `{event}`: {error}; {MEND}", at + 1),
                None => panic!("{name}, event {}: `{event}` can't happen here; {MEND}", at + 1),
            }
        }
        state
    }
}

const MEND: &str =
    "if the rules have changed, `cargo run --release --example gallery -- --play` plays all games anew";

/// Loads a bundled game.
pub(crate) fn rules(name: &str, players: u32) -> Game {
    let settings: [Setting; 0] = [];
    let request = Request { name, settings: &settings, players: Some(players) };
    load(&request).unwrap_or_else(|error| panic!("{name}: {error}")).game
}

/// Starts a game with explicit chance, which stops at every decision.
pub(crate) fn start(game: &Game) -> State {
    let start = Start { explicit_chance: true, ..Start::default() };
    game.start_at(&start).unwrap_or_else(|error| panic!("{error}"))
}

/// Returns the games of the gallery.
pub(crate) fn played() -> Vec<Played> {
    serde_json::from_str(PLAYED).expect("the games of the gallery are a list of games")
}

/// Returns `true` for a game of a family, which is shown once, on its way.
fn is_on_the_shelf(name: &str) -> bool {
    let found = catalogue().into_iter().find(|entry| entry.name == name);
    found.is_some_and(|entry| !matches!(entry.family, "house" | "classics"))
}

/// A file of the gallery: its path from the root of the project, and its content.
pub(crate) struct File {
    pub(crate) path: String,
    pub(crate) text: String,
}

/// Returns all files, the page first.
pub(crate) fn files() -> Vec<File> {
    let mut page = format!(
        "# Gallery\n\nEvery game that comes with `houserule`, as `houserule draw` and notebooks show it: the games of the house and the classics \
         at their start, on their way and at their end, all others on their way.\nThe pictures are light or dark as your screen is. `{COMMAND}` makes this page and all its pictures.\n"
    );
    let mut files = vec![];
    for played in played() {
        let game = played.load();
        let model = game.model();
        // A game may be shown for several numbers of players.
        let again =
            files.iter().any(|file: &File| file.path.starts_with(&format!("docs/gallery/{}-", played.game)));
        let (name, of) = match again {
            true => (format!("{}-{}", played.game, played.players), format!(" for {}", played.players)),
            false => (played.game.clone(), String::new()),
        };
        let _ = write!(page, "\n## {}{of}\n\n{}\n\n", model.title, model.help.replace('\n', " "));
        let moments = [("start", 0), ("middle", played.choice(&game)), ("end", played.events.len())];
        let shown = if is_on_the_shelf(&played.game) { &moments[1..2] } else { &moments[..] };
        for (moment, events) in shown.iter().copied() {
            let state = played.after(&game, events);
            assert_eq!(state.is_over(), moment == "end", "{}, {moment}", played.game);
            // Hidden hands are shown as the player sees them who is to choose.
            let viewer = state.current_player().filter(|_| game.hides());
            let path = |theme: &str| format!("gallery/{name}-{moment}-{theme}.svg");
            for (light, theme) in [("light", Theme::Light), ("dark", Theme::Dark)] {
                let text = svg(&state, &PictureStyle { theme, viewer, ..PictureStyle::default() });
                files.push(File { path: format!("docs/{}", path(light)), text });
            }
            let _ = writeln!(
                page,
                "<picture><source media=\"(prefers-color-scheme: dark)\" srcset=\"{}\">\
                 <img src=\"{}\" width=\"49%\" alt=\"{}, {}\"></picture>",
                path("dark"),
                path("light"),
                model.title,
                if moment == "middle" { "on its way" } else { moment },
            );
        }
    }
    files.insert(0, File { path: PAGE.to_owned(), text: page });
    files
}
