//! A rule on one page to send around: what the rule is, a picture of it, what it does in figures with intervals, and its file.
//!
//! A card is one drawing of A5, which is a PNG, a PDF or a page. It is of a house rule beside the game that it changes, or of a
//! whole game.

mod layout;

use std::path::Path;

use crate::prose::{Section, is_numbered, sections};
use crate::report::effect::find_effect;
use crate::report::figures::{HeadFigure, compared_figures, game_figures};
use crate::report::head::first_sentence;
use crate::report::html::{document, escaped};
use crate::report::moment::ShownMoment;
use crate::report::rule_words::{ChangedRules, RuleMark};
use houserule_base::names::shell_game;
use houserule_base::numbers::counted;
use houserule_game::Game;
use houserule_lab::analysis::GameReport;
use houserule_language::diagnostic::FileId;
use houserule_picture::draw::svg::canvas::{Palette, Theme};
use houserule_picture::draw::svg::page::{document as document_of, in_page};
use houserule_picture::lettering::outlined;
use houserule_picture::render::{pdf, raster};
use houserule_playtest::sentences::unit;
use houserule_playtest::{Comparison, new_options};

/// Maximum number of lines of a rule file on a card. A longer one isn't printed.
pub const MOST_LINES: usize = 24;

/// The form of a card's file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CardFileForm {
    /// Pixels.
    Png,
    /// For a printer.
    Pdf,
    /// A page, which follows the theme of the screen, with the rule file to copy.
    Html,
}

impl CardFileForm {
    /// Returns the form that the ending of a file's name gives, or a message about the name.
    pub fn for_file(path: &Path) -> Result<CardFileForm, String> {
        match path.extension().and_then(|ending| ending.to_str()).map(str::to_lowercase).as_deref() {
            Some("png") => Ok(CardFileForm::Png),
            Some("pdf") => Ok(CardFileForm::Pdf),
            Some("html" | "htm") => Ok(CardFileForm::Html),
            _ => {
                Err(format!("`{}`: the name of a card must end in `.png`, `.pdf` or `.html`", path.display()))
            }
        }
    }
}

/// A card.
#[derive(Clone, Debug)]
pub struct RuleCard {
    /// What it is a card of: `A house rule for Di-Li-Do, for one player`.
    kicker: String,
    title: String,
    /// The rule, or the game, in words.
    rule: String,
    /// How the rule differs; `None` for a whole game.
    mark: Option<RuleMark>,
    until_now: String,
    /// What the rule does, in a sentence; empty for a whole game.
    effect: String,
    moment: Option<ShownMoment>,
    figures: Vec<HeadFigure>,
    file: RuleFileText,
    /// Paragraphs of the rules, each with its name, for a card without the file.
    paragraphs: Vec<(String, String)>,
    /// Who played, and how many games.
    players: String,
    /// The command that plays the game.
    command: String,
}

/// The file of a rule.
#[derive(Clone, Debug, Default)]
struct RuleFileText {
    /// Its name, without folders.
    name: String,
    /// Its lines; none if there are too many.
    lines: Vec<String>,
}

impl RuleCard {
    /// Makes the card of a house rule: the second of two games, beside the first. `name` is how the second is loaded.
    pub fn from_comparison(games: [&Game; 2], name: &str, found: &Comparison, seed: u64) -> RuleCard {
        let [a, b] = games;
        let rules = ChangedRules::find(games);
        let best = found.strongest();
        let figures = best.map(|best| compared_figures(best, "before", found.match_play)).unwrap_or_default();
        let players = best.map_or_else(String::new, |best| {
            let trained = if best.trainings.is_some() { ", trained for each" } else { "" };
            let games = counted(best.games, unit(found.match_play));
            format!("{games} each, {} players{trained}; intervals: 95 %", best.agent)
        });
        RuleCard {
            kicker: format!("A house rule for {}, for {}", a.model().title, players_in_words(b)),
            title: b.model().title.clone(),
            rule: rules.in_words(),
            mark: Some(rules.mark),
            until_now: rules.until_now,
            effect: find_effect(found).map(|effect| effect.sentence).unwrap_or_default(),
            moment: ShownMoment::find(b, &new_options(games), seed),
            figures,
            file: RuleFileText::of_game(b),
            paragraphs: paragraphs(b),
            players,
            command: play_command(b, name),
        }
    }

    /// Makes the card of a whole game, which is loaded by a name.
    pub fn from_report(game: &Game, name: &str, page: &GameReport) -> RuleCard {
        let player = page.agents.iter().find(|agent| agent.games > 0);
        let players = player.map_or_else(String::new, |player| {
            format!("{}, {} players; intervals: 95 %", counted(player.games, "game"), player.agent)
        });
        RuleCard {
            kicker: format!("A game for {}", players_in_words(game)),
            title: game.model().title.clone(),
            rule: match first_sentence(game) {
                "" => format!("{}.", game.model().title),
                sentence => sentence.to_owned(),
            },
            mark: None,
            until_now: String::new(),
            effect: String::new(),
            moment: ShownMoment::find(game, &[], page.seed),
            figures: game_figures(page),
            file: RuleFileText::of_game(game),
            paragraphs: paragraphs(game),
            players,
            command: play_command(game, name),
        }
    }

    /// Returns the card as a file. A PNG is as wide as `width`, in pixels.
    pub fn file(&self, form: CardFileForm, theme: Theme, width: Option<u32>) -> Result<Vec<u8>, String> {
        let palette = Palette::new(theme);
        let page = self.draw(&palette);
        let drawing = || document_of(&self.in_words(), &page, &palette);
        match form {
            CardFileForm::Png => raster::png(&drawing(), width),
            CardFileForm::Pdf => pdf::pdf(&self.title, drawing()),
            // The fonts of browsers have other widths.
            CardFileForm::Html => {
                let svg = outlined(&in_page(&self.in_words(), &page, &palette));
                Ok(self.page(&svg, theme).into_bytes())
            }
        }
    }

    /// Returns the words of the card, for those who can't see it.
    fn in_words(&self) -> String {
        let mark = self.mark.map_or_else(String::new, |mark| format!("{}: ", mark.word()));
        let mut all = vec![format!("{}. {}", self.kicker, self.title), format!("{mark}{}", self.rule)];
        all.extend(self.moment.as_ref().map(ShownMoment::caption));
        all.push(self.effect.clone());
        for figure in &self.figures {
            all.push(format!("{} {} ({})", figure.number, figure.unit, figure.range));
        }
        all.extend([self.players.clone(), self.command.clone()]);
        all.retain(|text| !text.is_empty());
        all.join(" · ")
    }

    /// Makes a page of the drawing, with the rule file to copy.
    fn page(&self, svg: &str, theme: Theme) -> String {
        let mut body = format!("<style>{STYLE}</style>\n<main>{svg}");
        if !self.file.lines.is_empty() {
            body.push_str(&format!(
                "<details><summary>{} to copy</summary><pre>{}</pre></details>\n",
                escaped(&self.file.name),
                escaped(&self.file.lines.join("\n"))
            ));
        }
        body.push_str("</main>\n");
        let page = document(&format!("{}: rule card", self.title), false, &body);
        let said = match theme {
            Theme::Auto => return page,
            Theme::Dark => "<html lang=\"en\" data-theme=\"dark\">",
            Theme::Light | Theme::Print => "<html lang=\"en\" data-theme=\"light\">",
        };
        page.replacen("<html lang=\"en\">", said, 1)
    }
}

/// The styles of a page with a card.
const STYLE: &str = "@page{size:A5;margin:0}body{max-width:none;padding:1rem}main{max-width:35rem;margin:0 auto}\
main svg{display:block;width:100%;height:auto}details{margin:1rem 0}\
@media print{body{padding:0}main{max-width:none}details{display:none}}";

impl RuleFileText {
    /// Returns the file of a game, or of its last variant.
    fn of_game(game: &Game) -> RuleFileText {
        let sheet = game.sheet();
        let file: Option<FileId> = match sheet.variants.last() {
            Some(variant) => Some(variant.span.file),
            None => sheet.tree.as_ref().map(|tree| tree.title.span.file),
        };
        let Some(source) = file.and_then(|file| sheet.sources.iter().find(|(id, _)| *id == file)) else {
            return RuleFileText::default();
        };
        let base = source.1.name.rsplit(['/', '\\']).next().unwrap_or_default();
        let name = if base.ends_with(".rules") { base.to_owned() } else { format!("{base}.rules") };
        let lines: Vec<String> =
            source.1.text.trim_end().lines().map(|line| line.trim_end().to_owned()).collect();
        RuleFileText { name, lines: if lines.len() > MOST_LINES { vec![] } else { lines } }
    }
}

/// Returns the paragraphs of the rules that tell a turn, then the others, without those below them.
fn paragraphs(game: &Game) -> Vec<(String, String)> {
    let (turns, others): (Vec<Section>, Vec<Section>) =
        sections(game).into_iter().partition(|section| is_numbered(&section.title));
    let all = turns.into_iter().chain(others).flat_map(|section| section.entries);
    let told = all.filter(|entry| entry.depth == 0 && !entry.text.is_empty());
    told.map(|entry| (entry.name, entry.text)).collect()
}

/// Returns the command that plays a game.
fn play_command(game: &Game, name: &str) -> String {
    let mut words = vec!["houserule play".to_owned(), shell_game(name)];
    words.extend(game.sheet().origin.flags());
    words.join(" ")
}

/// For how many a game is.
fn players_in_words(game: &Game) -> String {
    match game.players() {
        1 => "one player".to_owned(),
        players => counted(players, "player"),
    }
}
