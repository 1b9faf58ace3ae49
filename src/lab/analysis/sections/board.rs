//! What is on the board? Use and worth of the sites, where runs score, and occupancy over time.

use crate::analysis::evidence::Evidence;
use crate::analysis::page::{Figure, FigureUnit, HeatMap, PlotData, PlotKind, PlotSeries, ReportSection};
use houserule_base::numbers::grouped;
use houserule_base::statistics::sample::mean;
use houserule_model::board::Site;
use houserule_playtest::follow::places::{BoardSites, BoardUse, Places, SiteUse, UNITS, positions};
use houserule_playtest::follow::track::Track;

/// Parts of a game for the curve of occupancy.
const PARTS: usize = 10;

pub(in crate::analysis) fn board(all: &Evidence<'_>) -> ReportSection {
    let mut section = ReportSection { id: "board", question: "What is on the board?", ..all.section() };
    let places = Places::new(all.game);
    if places.is_empty() {
        let (answer, why) = places.none;
        section.answer = answer.to_owned();
        section.lacks("heat maps, occupancy", why, "look at the variables in `houserule simulate`");
        return section;
    }
    let mut uses = SiteUse::new(&places);
    all.followed
        .iter()
        .filter_map(|followed| followed.tracks.sites.as_ref())
        .for_each(|other| uses.merge(other));
    if uses.games == 0 {
        let (why, remedy) = all.why_not_strong();
        section.answer = "That takes games of a learned player.".to_owned();
        section.lacks("heat maps, occupancy", why, remedy);
        return section;
    }
    let mut empty_sites = vec![];
    for (place, sums) in places.boards.iter().zip(&uses.boards) {
        let names = site_names(all, place);
        add_heat_maps(&mut section, all, place, &names, &uses, sums);
        let empty = names.into_iter().zip(&sums.occupied).filter(|(_, games)| **games == 0);
        empty_sites.extend(empty.map(|(name, _)| name));
    }
    let [at_start, half_way, at_end] = add_occupancy(&mut section, all, places.sites());
    let is_emptied = empty_sites.len() == places.sites();
    let games = grouped(uses.games);
    section.answer = match empty_sites.len() {
        0 => format!("Every site is occupied at the end of some game of {games}."),
        _ if is_emptied => format!("All sites are empty at the end of every game, in {games} games."),
        never => format!(
            "{} of {} sites are never occupied at the end of a game, in {games} games.",
            grouped(never as u64),
            grouped(places.sites() as u64),
        ),
    };
    if let (Some(at_start), Some(half_way), Some(at_end)) = (at_start, half_way, at_end) {
        section.answer += &format!(
            " At the first decision {} of the sites are occupied, half-way {}, at the end {}.",
            at_start.with_interval(),
            half_way.with_interval(),
            at_end.with_interval()
        );
    }
    if (1..=20).contains(&empty_sites.len()) && !is_emptied {
        section.notes.push(format!("Never occupied at the end: {}.", empty_sites.join(", ")));
    }
    section
}

fn site_names(all: &Evidence<'_>, place: &BoardSites) -> Vec<String> {
    let topology = &all.game.model().boards[place.instance.board.index()].topology;
    (0..place.size as u32).map(|site| topology.site_name(Site(site))).collect()
}

/// Adds the maps of a board: how often its sites are occupied, what actions on them are worth, and the points of runs
/// through them.
fn add_heat_maps(
    section: &mut ReportSection,
    all: &Evidence<'_>,
    place: &BoardSites,
    names: &[String],
    uses: &SiteUse,
    sums: &BoardUse,
) {
    let mut add = |title: &str, values: Vec<Option<f64>>, unit| {
        section.boards.push(HeatMap {
            title: title.to_owned(),
            board: place.instance.name.clone(),
            values,
            unit,
            sites: names.to_vec(),
            positions: positions(&all.game.model().boards, place.instance.board),
        });
    };
    let share = |games: &u64| Some(*games as f64 / uses.games as f64);
    if sums.occupied.iter().any(|games| *games > 0) {
        add("Occupied at the end", sums.occupied.iter().map(share).collect(), FigureUnit::Share);
    }
    if sums.actions.iter().any(|actions| *actions > 0) && all.trusted().is_ok() {
        let title = match all.solved() {
            Some(_) => "Exact value of an action on the site, beside the mean of the decision",
            None => {
                "Learned value of an action on the site, on the player's own scale, beside the mean of the decision"
            }
        };
        // Exact values are in the unit of results.
        let unit = match (all.solved(), all.game.players()) {
            (Some(_), 1) => FigureUnit::Points,
            (Some(_), _) => FigureUnit::Difference,
            (None, _) => FigureUnit::Number,
        };
        let mean =
            |(sum, actions): (&i64, &u64)| (*actions > 0).then(|| *sum as f64 / UNITS / *actions as f64);
        add(title, sums.worth.iter().zip(&sums.actions).map(mean).collect(), unit);
    }
    if uses.explained > 0 && sums.points.iter().any(|points| *points != 0) {
        let per_game = |sum: &i64| Some(*sum as f64 / UNITS / uses.explained as f64);
        let title = "Points of runs through the site, a game";
        add(title, sums.points.iter().map(per_game).collect(), FigureUnit::Points);
    }
}

/// Adds the curve of occupied sites over the game. Returns its figures at the start, half-way and at the end.
fn add_occupancy(section: &mut ReportSection, all: &Evidence<'_>, sites: usize) -> [Option<Figure>; 3] {
    let agent = &all.best().agent;
    let tracks: Vec<&Track> = all.followed.iter().flat_map(|followed| &followed.tracks.games).collect();
    let shares = |part: usize| -> Vec<f64> {
        let share = |track: &&Track| {
            // The setup isn't a part of the game that is played.
            let (begin, last) = (track.begin(), track.moments.len() - 1);
            let moment = &track.moments[begin + (last - begin) * part / PARTS];
            Some(f64::from(moment.occupied?) / sites as f64)
        };
        tracks.iter().filter_map(share).collect()
    };
    let mut points = vec![];
    for part in 0..=PARTS {
        let Some(share) = mean(&shares(part)) else { continue };
        let percent = |share: f64| 100.0 * share;
        let x = part as f64 * 100.0 / PARTS as f64;
        points.push((x, percent(share.value), share.low.map(percent), share.high.map(percent)));
    }
    section.charts.push(PlotData {
        title: "Occupied sites over the game".to_owned(),
        x: "share of the game (%)".to_owned(),
        y: "occupied sites (%)".to_owned(),
        kind: PlotKind::Line,
        names: vec![],
        series: vec![PlotSeries { name: agent.clone(), points }],
    });
    [("at the start", 0), ("half-way", PARTS / 2), ("at the end", PARTS)].map(|(when, part)| {
        let share = mean(&shares(part)).map(|share| share.within(0.0, 1.0));
        section.figure("occupied", format!("occupied sites {when}"), share, FigureUnit::Share, agent)
    })
}
