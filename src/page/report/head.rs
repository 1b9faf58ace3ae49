//! The head of a report: a picture of a moment, the rule or the game in words, what it does, figures with intervals, and
//! charts. HTML without scripts.

use std::fmt::Write as _;

use super::comparison::{in_order, why_incomplete};
use super::effect::find_effect;
use super::figures::{HeadFigure, compared_figures, game_figures, html as figure_html};
use super::html::{GlancedReport, escaped, words};
use super::moment::ShownMoment;
use super::rule_words::{ChangedRules, RuleMark};
use crate::chart::{Point, SpreadSample, gains as draw_gains, spread};
use crate::prose::marked::{MarkedEntry, ParagraphChange};
use houserule_base::names::list_words;
use houserule_base::numbers::{counted, decimal, grouped, nouns, trimmed};
use houserule_game::Game;
use houserule_picture::draw::svg::canvas::{Palette, Theme};
use houserule_picture::draw::svg::page::in_page;
use houserule_playtest::sentences::{capital, digits, factor, unit};
use houserule_playtest::{AgentComparison, Comparison, Quantity, RunSamples, Subject, new_options};

/// The styles of heads, and of their figures.
const HEAD_STYLE: &str = ".top{display:grid;grid-template-columns:minmax(0,26rem) minmax(0,1fr);gap:2rem;align-items:start}\
.top.wide-top{grid-template-columns:minmax(0,1fr)}.top svg{display:block;max-width:100%;height:auto;max-height:34rem}.top figcaption{margin-top:.5rem}.kicker{color:var(--hr-quiet);margin:0}\
h1{line-height:1.15}.top h3{margin:0 0 .4em;font-size:.9em;color:var(--hr-quiet)}.rule{border-left:5px solid var(--hr-2);padding:.1em 0 .1em 1em;\
margin:0 0 .8em;font-size:1.3em;line-height:1.4}.rule.gone{border-color:var(--hr-5)}.rule.changed{border-color:var(--hr-0)}\
.tag{display:inline-block;background:var(--hr-2);color:var(--hr-paper);font-weight:700;font-size:.75rem;letter-spacing:.06em;padding:0 .5em;\
border-radius:4px;margin-right:.5em;vertical-align:.15em}.tag.gone{background:var(--hr-5)}.tag.changed{background:var(--hr-0)}\
.until{color:var(--hr-quiet);margin:0 0 1.2em;padding-left:1.3em}.verdict{border:1px solid var(--hr-grid);border-radius:12px;padding:1em 1.2em;margin:0}\
.verdict b{display:block;font-size:1.25em;line-height:1.35}.verdict span{display:block;color:var(--hr-quiet);margin-top:.4em}\
.cards{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,15rem),1fr));gap:1rem;margin:1.5rem 0}\
.card{border:1px solid var(--hr-grid);border-radius:12px;padding:.8rem 1.2rem .7rem}.card b{display:block;font-size:2.75rem;line-height:1.1}\
.card .unit{font-weight:600;display:block}.card .range{font-size:.9em;display:block}.card svg{width:100%;max-width:20rem;height:auto;margin-top:.6rem;display:block}\
.card svg text{font-size:12.5px}.card svg text.quiet{fill:var(--hr-quiet)}.duo{display:grid;grid-template-columns:minmax(0,1.25fr) minmax(0,1fr);gap:1rem}\
.duo>div{border:1px solid var(--hr-grid);border-radius:12px;padding:.8rem 1.2rem .7rem}.duo h3{margin:0}.duo p{color:var(--hr-quiet);font-size:.9em;margin:0 0 .5em}\
.duo svg{width:100%;height:auto;display:block}.duo .a{color:var(--hr-0)}.duo .b{color:var(--hr-1)}.how{color:var(--hr-quiet);font-size:.9em;margin:1.2em 0}\
code{overflow-wrap:anywhere}details{margin:0 0 1em}summary{cursor:pointer}.marks{padding-left:1.3em}.marks s{color:var(--hr-quiet)}\
@media(max-width:48rem){.top,.duo{grid-template-columns:minmax(0,1fr)}}\
@media print{.card,.duo>div,.verdict,.top{break-inside:avoid}.tag{border:1px solid var(--hr-text);background:none;color:var(--hr-text)}}";

/// A picture that is wider than this, in pixels, has words below it: beside them it would be too small.
const WIDEST_BESIDE: f64 = 760.0;

/// Maximum number of paragraphs of the rules that are shown.
const MOST_PARAGRAPHS: usize = 12;

/// What a page of a comparison tells beside its results.
#[derive(Clone, Debug, Default)]
pub struct ComparedRules {
    /// The rules that differ.
    pub rules: ChangedRules,
    /// A moment of the second game, drawn, with its caption.
    pub picture: Option<DrawnMoment>,
    /// Whether both are the same game, with other variants or params.
    pub is_house_rule: bool,
    /// The command that makes the page again; empty if it isn't known.
    pub command: String,
}

/// A moment as a picture for a page.
#[derive(Clone, Debug)]
pub struct DrawnMoment {
    /// The SVG.
    svg: String,
    caption: String,
    /// Whether it is so wide that words stand below it and not beside it.
    is_wide: bool,
}

/// What a page on a game shows beside its figures.
#[derive(Clone, Debug, Default)]
pub struct GameGlance {
    /// What the game is, in a sentence or two.
    pub about: String,
    /// A moment in the middle of a game.
    pub picture: Option<DrawnMoment>,
}

impl DrawnMoment {
    /// Draws a moment.
    pub fn new(moment: &ShownMoment) -> DrawnMoment {
        let palette = Palette::new(Theme::Auto);
        let caption = moment.caption();
        let label = format!("{}. {caption}", moment.state.game().model().title);
        let picture = moment.picture(&palette);
        let is_wide = picture.width > WIDEST_BESIDE && picture.width > picture.height;
        DrawnMoment { svg: in_page(&label, &picture, &palette), caption, is_wide }
    }
}

impl ComparedRules {
    /// Finds what differs between two games, and draws a moment of the second.
    pub fn find(games: [&Game; 2], seed: u64, command: String) -> ComparedRules {
        let [a, b] = games;
        let moment = ShownMoment::find(b, &new_options(games), seed);
        let sheets = [a.sheet(), b.sheet()];
        ComparedRules {
            rules: ChangedRules::find(games),
            picture: moment.as_ref().map(DrawnMoment::new),
            is_house_rule: sheets[0].base == sheets[1].base,
            command,
        }
    }
}

impl GameGlance {
    /// Draws a moment of a game, and says what it is.
    pub fn find(game: &Game, seed: u64) -> GameGlance {
        let moment = ShownMoment::find(game, &[], seed);
        GameGlance { about: game_in_words(game), picture: moment.as_ref().map(DrawnMoment::new) }
    }
}

/// Returns the first sentence of a game's help text; empty if it has none.
pub fn first_sentence(game: &Game) -> &str {
    let help = game.model().help.as_str();
    help.find(". ").map_or(help, |end| &help[..=end])
}

/// Says what a game is: its help text, up to the end of a sentence, or for how many it is.
pub fn game_in_words(game: &Game) -> String {
    let (model, first) = (game.model(), first_sentence(game));
    let players = match (model.players.least, model.players.most) {
        (1, 1) => "one player".to_owned(),
        (least, most) if least == most => counted(least, "player"),
        (least, most) => format!("{least} to {}", counted(most, "player")),
    };
    if first.is_empty() { format!("A game for {players}.") } else { format!("{first} For {players}.") }
}

/// Writes the styles of the head. They are needed once on a page.
pub(super) fn write_style(out: &mut String) {
    let _ = writeln!(out, "<style>{HEAD_STYLE}</style>");
}

/// Writes the head of a page on a game, below its title.
pub(super) fn write_game(out: &mut String, glanced: GlancedReport<'_>) {
    let page = glanced.page;
    if let Some(glance) = glanced.glance {
        write_picture(out, glance.picture.as_ref());
        let _ = writeln!(
            out,
            "<div><h3>The game</h3><p class=\"rule changed\">{}</p></div>\n</div>",
            words(&glance.about)
        );
    }
    let figures = game_figures(page);
    let player = page.agents.iter().find(|agent| agent.games > 0);
    if let Some(player) = player.filter(|_| !figures.is_empty()) {
        write_cards(out, &figures);
        let players = format!("{} of {} players.", counted(player.games, "game"), player.agent);
        let _ = writeln!(out, "<p class=\"how\">{}</p>", escaped(&players));
    }
}

/// Writes the head of a page on a comparison.
pub(super) fn write_comparison(out: &mut String, found: &Comparison, told: &ComparedRules) {
    write_style(out);
    let kicker = match told.is_house_rule {
        true => format!("A house rule for {}", found.a.title),
        false => format!("Rules beside those of {}", found.a.title),
    };
    let _ =
        writeln!(out, "<p class=\"kicker\">{}</p>\n<h1>{}</h1>", escaped(&kicker), escaped(&found.b.title));
    if found.same_rules {
        out.push_str(
            "<p class=\"answer\">A and B have the same rules and params: every game is the same.</p>\n",
        );
        return;
    }
    if let Some(why) = why_incomplete(found) {
        let _ = writeln!(out, "<p class=\"missing\">{}.</p>", escaped(&why));
    }
    write_picture(out, told.picture.as_ref());
    out.push_str("<div>");
    if told.is_house_rule {
        write_rule(out, &told.rules);
    } else if !told.rules.text.is_empty() {
        // Of another game, everything is new.
        let _ = writeln!(out, "<h3>The game</h3><p class=\"rule changed\">{}</p>", words(&told.rules.text));
    }
    if let Some(effect) = find_effect(found) {
        let _ = writeln!(
            out,
            "<h3>What it does</h3><p class=\"verdict\"><b>{}</b><span>{}</span></p>",
            words(&effect.sentence),
            words(&effect.more)
        );
    }
    out.push_str("</div>\n</div>\n");
    let Some(best) = found.strongest() else { return };
    let sides = if told.is_house_rule { ["before", "with the rule"] } else { ["in A", "in B"] };
    write_cards(out, &compared_figures(best, sides[0], found.match_play));
    write_charts(out, best, found, sides);
    let _ = write!(out, "<p class=\"how\">{}", escaped(&how(best, found)));
    if !told.command.is_empty() {
        let _ = write!(out, " Again: <code>{}</code>", escaped(&told.command));
    }
    out.push_str("</p>\n");
}

/// Opens the part with the picture, and writes it.
fn write_picture(out: &mut String, picture: Option<&DrawnMoment>) {
    let class = match picture {
        Some(picture) if picture.is_wide => "top wide-top",
        Some(_) => "top",
        None => "top wide-top",
    };
    let _ = writeln!(out, "<div class=\"{class}\">");
    if let Some(DrawnMoment { svg, caption, .. }) = picture {
        let _ = writeln!(out, "<figure>{svg}<figcaption>{}</figcaption></figure>", escaped(caption));
    }
}

fn write_cards(out: &mut String, figures: &[HeadFigure]) {
    if figures.is_empty() {
        return;
    }
    out.push_str("<div class=\"cards\">\n");
    for (at, figure) in figures.iter().enumerate() {
        out.push_str(&figure_html(figure, at == 0));
    }
    out.push_str("</div>\n");
}

/// The class of a mark.
fn class(mark: RuleMark) -> &'static str {
    match mark {
        RuleMark::New => "new",
        RuleMark::Changed => "changed",
        RuleMark::Gone => "gone",
    }
}

fn tag(mark: RuleMark) -> String {
    format!("<span class=\"tag {}\">{}</span>", class(mark), mark.word())
}

/// Writes the rule in words, with what was until now, and the paragraphs that differ.
fn write_rule(out: &mut String, rules: &ChangedRules) {
    out.push_str("<h3>The rule</h3>");
    if rules.differences.is_empty() && rules.paragraphs.is_empty() {
        out.push_str("<p>The same rules, with other params or players.</p>\n");
        return;
    }
    if !rules.text.is_empty() {
        let _ = writeln!(
            out,
            "<p class=\"rule {}\">{}{}</p>",
            class(rules.mark),
            tag(rules.mark),
            words(&rules.text)
        );
        if !rules.until_now.is_empty() {
            let _ = writeln!(out, "<p class=\"until\">Until now: {}</p>", words(&rules.until_now));
        }
        out.push_str("<details><summary>In the rules</summary>\n");
    }
    if !rules.paragraphs.is_empty() {
        out.push_str("<ul class=\"marks\">\n");
        for entry in rules.paragraphs.iter().take(MOST_PARAGRAPHS) {
            out.push_str(&paragraph(entry));
        }
        out.push_str("</ul>\n");
    }
    if rules.text.is_empty() {
        out.push_str("<details><summary>In the rule files</summary>\n");
    }
    for change in &rules.differences {
        let _ = writeln!(out, "<pre>{}</pre>", escaped(&change.text()));
    }
    out.push_str("</details>\n");
}

/// Formats a paragraph of the rules with its mark.
fn paragraph(entry: &MarkedEntry) -> String {
    let Some(change) = &entry.change else { return String::new() };
    let mark = RuleMark::from_change(change);
    let text = match (entry.name.is_empty(), entry.text.is_empty()) {
        (true, _) => words(&entry.text),
        (false, true) => format!("<b>{}</b>", words(&entry.name)),
        (false, false) => format!("<b>{}</b>: {}", words(&entry.name), words(&entry.text)),
    };
    let text = match change {
        ParagraphChange::Gone => format!("<s>{text}</s>"),
        ParagraphChange::Changed { was } => {
            format!("{text} <span class=\"range\">(was: {})</span>", words(was))
        }
        ParagraphChange::New => text,
    };
    format!("<li>{}{text}</li>\n", tag(mark))
}

/// Writes how often each score comes up, and who gains by how much.
fn write_charts(out: &mut String, best: &AgentComparison, found: &Comparison, sides: [&str; 2]) {
    let scores = best.samples.as_ref().and_then(|samples| scores(samples, sides));
    let gains = gains(found);
    let same = same_dice(best, found);
    if scores.is_none() && gains.is_none() && same.is_none() {
        return;
    }
    out.push_str("<div class=\"duo\">\n");
    if let (Some(svg), Some(samples)) = (&scores, &best.samples) {
        let _ = writeln!(
            out,
            "<div><h3>{}</h3><p>How often each number comes up: <b class=\"a\">— {}</b>, <b class=\"b\">■ {}</b></p>{svg}</div>",
            escaped(&capital(&samples.label)),
            sides[0],
            sides[1]
        );
    }
    if gains.is_some() || same.is_some() {
        out.push_str("<div>");
        if let Some(chart) = gains {
            let _ =
                write!(out, "<h3>Who gains</h3><p>Players of several strengths, with intervals</p>{chart}");
        }
        out.push_str(&same.unwrap_or_default());
        out.push_str("</div>\n");
    }
    out.push_str("</div>\n");
}

/// Draws how often each number comes up in both games, which have names.
fn scores(samples: &RunSamples, sides: [&str; 2]) -> Option<String> {
    let [before, now] = samples.histograms.as_slice() else { return None };
    let sample = |name: &str, counts: Vec<(i64, u64)>| {
        let mut sample = SpreadSample { name: name.to_owned(), counts, middle: String::new() };
        let middle = sample.quantile(0.5).map(|middle| trimmed(middle as f64 / samples.scale.max(1) as f64));
        sample.middle = middle.map_or_else(String::new, |middle| format!("{middle} {name}"));
        sample
    };
    let mut both = [sample(sides[0], before.entries()), sample(sides[1], now.entries())];
    both[0].middle = format!("the middle game has {}", both[0].middle);
    let label = match samples.label.as_str() {
        "score" => "points of a game".to_owned(),
        label => format!("{label} of a game"),
    };
    spread(&capital(&samples.label), &label, samples.scale, &both)
}

/// Draws the main difference for players of several strengths.
fn gains(found: &Comparison) -> Option<String> {
    let main = found.strongest()?.main_quantities().into_iter().next()?;
    let is_twin = |quantity: &&Quantity| {
        (quantity.kind.name, &quantity.name, quantity.seat) == (main.kind.name, &main.name, main.seat)
    };
    let factor = factor(main.kind);
    let mut rows = vec![];
    for agent in found.agents.iter().filter(|agent| agent.games > 1) {
        let Some(quantity) = agent.quantities.iter().find(is_twin) else { continue };
        let (low, high) = (quantity.low.map(|low| low * factor), quantity.high.map(|high| high * factor));
        let places = quantity.half_width().map_or(2, |half| digits(half * factor)) as i32;
        let rounded = (quantity.difference * factor * 10f64.powi(places)).round() / 10f64.powi(places);
        rows.push((agent.agent.clone(), Point::new(rows.len() as f64, rounded).within(low, high)));
    }
    let unit = if main.kind.is_share() { "percentage points" } else { "difference" };
    let label = match main.kind.subject {
        Subject::Score => "points more than before".to_owned(),
        _ => format!("{unit}: {}", main.label),
    };
    (rows.len() > 1).then(|| draw_gains(&label, &rows))
}

/// Draws in how many of 100 games the score is more, the same and less on the same dice. Players that are trained for each game
/// play differently anyway, but on the same dice, too.
fn same_dice(best: &AgentComparison, found: &Comparison) -> Option<String> {
    let samples = best.samples.as_ref().filter(|samples| samples.histograms.len() == 2)?;
    let [more, less] = best.ordered;
    let dice = found.common_chance().filter(|_| found.seeds[0] == found.seeds[1])?;
    let all = best.games.max(1) as f64;
    let same = best.games.saturating_sub(more + less);
    let share = |count: u64| 100.0 * count as f64 / all;
    let what = if samples.label == "score" { "points" } else { samples.label.as_str() };
    let (wide, mut x) = (420.0, 0.0);
    let mut body = String::new();
    for (count, colour) in [(more, "var(--hr-1)"), (same, "var(--hr-grid)"), (less, "var(--hr-0)")] {
        let width = wide * count as f64 / all;
        if width >= 0.5 {
            let _ = write!(
                body,
                "<rect x=\"{x:.1}\" y=\"2\" width=\"{:.1}\" height=\"22\" rx=\"3\" fill=\"{colour}\"/>",
                (width - 2.0).max(0.5)
            );
        }
        x += width;
    }
    let number = |count: u64| decimal(share(count), 0);
    let words = format!(
        "{} of 100 games have more {what}, {} the same, {} fewer",
        number(more),
        number(same),
        number(less)
    );
    Some(format!(
        "<h3>On the same {dice}</h3><p>{words}</p><svg viewBox=\"0 0 {wide} 26\" role=\"img\" aria-label=\"{words}\">{body}</svg>"
    ))
}

/// Says what was played, and by whom.
fn how(best: &AgentComparison, found: &Comparison) -> String {
    let games = grouped(best.games);
    let many = nouns(best.games, unit(found.match_play));
    let dice = match found.common_chance() {
        Some(dice) if found.seeds[0] == found.seeds[1] => format!(", on the same {dice}"),
        _ => String::new(),
    };
    let players = match best.trainings {
        Some(trainings) => format!(
            "by {} players who were trained for each of the two ({})",
            best.agent,
            counted(trainings, "training")
        ),
        None => format!("by {} players", best.agent),
    };
    let others: Vec<String> = in_order(found)
        .into_iter()
        .filter(|agent| agent.agent != best.agent && agent.games > 0)
        .map(|agent| format!("{} of {} players", grouped(agent.games), agent.agent))
        .collect();
    let others = match others.as_slice() {
        [] => String::new(),
        some => format!(" Also {} of each.", list_words(some)),
    };
    let seats = match found.b.players {
        1 => "one player".to_owned(),
        players => counted(players, "player"),
    };
    format!("{games} {many} of each{dice}, {players}; {seats}, seed {}.{others}", found.seeds[0])
}
