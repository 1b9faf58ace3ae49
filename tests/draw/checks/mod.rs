//! Checks over the games of the shelf and those of newcomers: in all their pictures texts fit, nothing overlaps that
//! shouldn't, no identifier is shown, inks are seen on their grounds, pages have one size, pictures have few bytes, and no
//! byte depends on what its viewer can't see.

mod faults;
mod leaks;
mod picture;

use std::collections::{BTreeMap, BTreeSet};

use crate::extent;
use crate::rule_files::rule_files;
use houserule::draw::svg::{PictureStyle, Theme, svg};
use houserule::game::{Seat, State};
use houserule::layout::PageWidth;
use houserule::loader::{Request, catalogue, load};
use picture::ReadPicture;

/// Points of a game that are drawn.
const POINTS: usize = 12;

/// The most actions of a game.
const MOST_ACTIONS: usize = 400;

/// Returns the names of all games: of the shelf, and files of newcomers.
pub(crate) fn games() -> Vec<String> {
    let shelf = catalogue().into_iter().filter(|entry| entry.of.is_none()).map(|entry| entry.name.to_owned());
    let files = rule_files("tests/outside").into_iter().map(|(path, _)| path.to_string_lossy().into_owned());
    let mut games: Vec<String> = shelf.chain(files).collect();
    games.sort();
    games
}

/// Returns the name of a game without its folder.
pub(crate) fn short_name(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name)
}

/// The most bytes of a picture, and of half of all pictures.
const MOST_BYTES: usize = 80_000;
const USUAL_BYTES: usize = 35_000;

/// Numbers of players, besides the fewest of a game, for which it is drawn if its rules allow them: a table for four, or all
/// from two to six.
fn tables() -> impl Iterator<Item = Option<u32>> {
    let numbers = extent::tries(4..=4, 2..=6);
    [None].into_iter().chain(numbers.map(Some))
}

/// Returns states of a random game: its start, its end, and others at equal distances. None if its rules don't allow the
/// number of players.
pub(crate) fn points(name: &str, players: Option<u32>, seed: u64, count: usize) -> Vec<State> {
    let loaded = load(&Request { name, players, ..Request::default() });
    let game = match loaded {
        Ok(loaded) if players.is_none() || loaded.game.players() > 1 => loaded.game,
        Err(error) if players.is_none() => panic!("{name}: {error}"),
        _ => return vec![],
    };
    let begin = || game.start(seed, 0).expect("a start");
    let step = |state: &mut State| {
        let action = state.random_action();
        action.is_some_and(|action| state.apply(action).is_ok())
    };
    let mut state = begin();
    let all = (0..MOST_ACTIONS).take_while(|_| step(&mut state)).count();
    let mut state = begin();
    let mut states = vec![state.clone()];
    let mut done = 0;
    for point in 1..count {
        let wanted = all * point / (count - 1);
        while done < wanted && step(&mut state) {
            done += 1;
        }
        states.push(state.clone());
    }
    states
}

/// Returns those who may look: nobody in particular, and each seat; only the first if all see the same.
pub(crate) fn viewers(state: &State) -> Vec<Option<Seat>> {
    let seats = if state.game().hides() { state.game().players() } else { 1 };
    [None].into_iter().chain((0..seats).map(|seat| Some(Seat(seat)))).collect()
}

/// Draws the pictures of games with all that styles can differ in, and collects faults, each with the first
/// picture that has it.
fn survey(
    test: &str,
    styles: &[PictureStyle],
    find: impl Fn(&State, &PictureStyle) -> Vec<String>,
) -> BTreeMap<String, BTreeSet<String>> {
    let mut found = BTreeMap::<String, BTreeSet<String>>::new();
    for name in extent::some_of(test, 6, games()) {
        let short = short_name(&name).to_owned();
        for (players, seed) in
            tables().flat_map(|players| (1..=extent::tries(1, 3)).map(move |seed| (players, seed)))
        {
            for state in points(&name, players, seed, extent::tries(3, POINTS)) {
                for viewer in viewers(&state) {
                    for style in styles {
                        let style = PictureStyle { viewer, ..*style };
                        found.entry(short.clone()).or_default().extend(find(&state, &style));
                    }
                }
            }
        }
    }
    found.retain(|_, faults| !faults.is_empty());
    found
}

fn assert_none(found: &BTreeMap<String, BTreeSet<String>>) {
    let lines =
        found.iter().flat_map(|(game, faults)| faults.iter().map(move |fault| format!("{game}: {fault}")));
    let lines: Vec<String> = lines.collect();
    assert!(lines.is_empty(), "{} faults\n{}", lines.len(), lines.join("\n"));
}

const LIGHT: PictureStyle = PictureStyle {
    theme: Theme::Light,
    width: None,
    legal: true,
    viewer: None,
    open: false,
    form: PageWidth::Wide,
    things: false,
};

const FORMS: [PictureStyle; 2] = [LIGHT, PictureStyle { form: PageWidth::Narrow, ..LIGHT }];

#[test]
fn texts_fit_and_nothing_overlaps() {
    assert_none(&survey("places", &FORMS, |state, style| {
        faults::of_places(&ReadPicture::from_svg(&svg(state, style)))
    }));
}

#[test]
fn no_identifiers_are_shown() {
    let things = PictureStyle { things: true, ..LIGHT };
    assert_none(&survey("words", &[LIGHT, things], |state, style| {
        faults::of_words(&ReadPicture::from_svg(&svg(state, style)))
    }));
}

#[test]
fn inks_are_seen_on_their_grounds() {
    let styles = [Theme::Light, Theme::Dark, Theme::Print].map(|theme| PictureStyle { theme, ..LIGHT });
    assert_none(&survey("contrast", &styles, |state, style| {
        let theme = format!("{:?}: ", style.theme);
        let faults = faults::of_contrast(&ReadPicture::from_svg(&svg(state, style)), style.theme);
        faults.into_iter().map(|fault| format!("{theme}{fault}")).collect()
    }));
}

#[test]
fn pages_are_no_larger_than_a_screen() {
    assert_none(&survey("pages", &[LIGHT], |state, style| {
        if state.game().players() > 6 {
            vec![]
        } else {
            faults::of_size(&ReadPicture::from_svg(&svg(state, style)))
        }
    }));
}

/// All pictures that one viewer sees of a game have one size, so that nothing jumps.
#[test]
fn pages_of_a_game_have_one_size() {
    let mut found = BTreeMap::<String, BTreeSet<String>>::new();
    for name in extent::some_of("sizes", 6, games()) {
        let mut sizes = BTreeMap::<(Option<u32>, Option<Seat>, bool), BTreeSet<String>>::new();
        for (players, seed) in
            tables().flat_map(|players| (1..=extent::tries(1, 3)).map(move |seed| (players, seed)))
        {
            for state in points(&name, players, seed, extent::tries(5, POINTS)) {
                for viewer in viewers(&state) {
                    for style in FORMS {
                        let picture = svg(&state, &PictureStyle { viewer, ..style });
                        let size =
                            picture.split("viewBox=\"0 0 ").nth(1).and_then(|rest| rest.split('"').next());
                        let key = (players, viewer, style.form == PageWidth::Wide);
                        sizes.entry(key).or_default().insert(size.unwrap_or_default().to_owned());
                    }
                }
            }
        }
        let several = sizes.into_iter().filter(|(_, sizes)| sizes.len() > 1);
        let faults: BTreeSet<String> = several.map(|(key, sizes)| format!("{key:?} {sizes:?}")).collect();
        if !faults.is_empty() {
            found.insert(name, faults);
        }
    }
    assert_none(&found);
}

#[test]
fn pictures_have_few_bytes() {
    let bytes = std::cell::RefCell::new(vec![]);
    assert_none(&survey("bytes", &FORMS, |state, style| {
        let size = svg(state, style).len();
        bytes.borrow_mut().push(size);
        if size > MOST_BYTES { vec![format!("{size} bytes")] } else { vec![] }
    }));
    let mut bytes = bytes.into_inner();
    bytes.sort_unstable();
    assert!(bytes[bytes.len() / 2] <= USUAL_BYTES, "half of them have {}", bytes[bytes.len() / 2]);
}
