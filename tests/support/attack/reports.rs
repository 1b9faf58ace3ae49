//! Reports on games that nobody designed: every figure is a number, and every answer a sentence.

use super::Seen;
use houserule::agents::AgentKind;
use houserule::analysis::{AnalysisPlan, GameReport, analyse};
use houserule::game::Game;
use houserule::interrupt::Interrupt;
use houserule::playtest::RunBudget;
use houserule::report::{page_html, page_markdown, page_text};

/// Number of games of the strong agent.
const GAMES: u64 = 5;

/// The time of the report's plan, in seconds.
const MOST: f64 = 2.0;

/// The time for a report, in seconds. One that takes longer is read as far as it came.
const TIME: f64 = 20.0;

/// Makes a report of a few games and reads it.
pub(super) fn attack(game: &Game, seed: u64, seen: &mut Seen) {
    let plan = AnalysisPlan {
        seed,
        threads: 1,
        games: Some(GAMES),
        budget: RunBudget::default(),
        agent: Some(AgentKind::Greedy),
        quick: true,
        most_seconds: Some(MOST),
        // Of many pages, each has few games.
        pages: 100,
        pace: Default::default(),
    };
    let page = analyse(game, &plan, &|_| {}, &mut |_| {}, &Interrupt::new().within(TIME));
    read(game, &page.unwrap_or_else(|error| panic!("no report: {error}")));
    seen.note("reports");
}

fn read(game: &Game, page: &GameReport) {
    for section in &page.sections {
        assert!(!section.answer.trim().is_empty(), "no answer to {}", section.question);
        for figure in &section.figures {
            let numbers = [Some(figure.value), figure.low, figure.high];
            assert!(numbers.into_iter().flatten().all(f64::is_finite), "{figure:?}");
        }
        for missing in &section.missing {
            assert!(!missing.what.trim().is_empty() && !missing.why.trim().is_empty(), "{missing:?}");
        }
    }
    assert!(page.first.iter().all(|flag| !flag.sentence.trim().is_empty()));
    assert!(!page_html(game, page).contains("NaN"));
    for text in [page_text(page), page_markdown(page)] {
        for wrong in ["NaN", " inf ", " . ", " ,"] {
            assert!(!text.contains(wrong), "`{wrong}` in\n{text}");
        }
    }
}
