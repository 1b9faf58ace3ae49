//! What is on the board? Use and worth of the sites, where runs score, and occupancy over time.

use crate::analysis::evidence::Evidence;
use crate::analysis::page::{FigureUnit, HeatMap, PlotData, PlotKind, PlotSeries, ReportSection};
use crate::analysis::places::{Places, SiteUse, UNITS, positions};
use crate::analysis::track::Track;
use houserule_base::numbers::grouped;
use houserule_base::statistics::sample::mean;
use houserule_model::board::Site;

/// Parts of a game for the curve of occupancy.
const PARTS: usize = 10;

pub(in crate::analysis) fn board(all: &Evidence<'_>) -> ReportSection {
    let mut section =
        ReportSection { id: "board", question: "What is on the board?", ..ReportSection::default() };
    let places = Places::new(all.game);
    if places.is_empty() {
        section.answer = "The game has no board to look at.".to_owned();
        section.lacks(
            "heat maps, occupancy",
            "the rules have no board of up to 4,096 sites with pieces or numbers",
            "look at the variables in `houserule simulate`",
        );
        return section;
    }
    let mut sites = SiteUse::new(&places);
    all.followed
        .iter()
        .filter_map(|followed| followed.tracks.sites.as_ref())
        .for_each(|found| sites.merge(found));
    if sites.games == 0 {
        let (why, remedy) = all.why_not_strong();
        section.answer = "That takes games of a learned player.".to_owned();
        section.lacks("heat maps, occupancy", why, remedy);
        return section;
    }
    let agent = all.best().agent.clone();
    let boards = &all.game.model().boards;
    let mut never = vec![];
    let mut used = (0, 0);
    for (place, sums) in places.boards.iter().zip(&sites.boards) {
        let topology = &boards[place.instance.board.index()].topology;
        let names: Vec<String> = (0..place.size as u32).map(|site| topology.site_name(Site(site))).collect();
        let map = |title: String, values: Vec<Option<f64>>, unit| HeatMap {
            title,
            board: place.instance.name.clone(),
            values,
            unit,
            sites: names.clone(),
            positions: positions(&boards[place.instance.board.index()]),
        };
        let share = |n: &u64| Some(*n as f64 / sites.games as f64);
        section.boards.push(map(
            "Occupied at the end".to_owned(),
            sums.occupied.iter().map(share).collect(),
            FigureUnit::Share,
        ));
        used.0 += sums.occupied.iter().filter(|n| **n > 0).count();
        used.1 += place.size;
        let empty = names.iter().zip(&sums.occupied).filter(|(_, n)| **n == 0);
        never.extend(empty.map(|(name, _)| name.clone()));
        if sums.actions.iter().any(|n| *n > 0) && all.trusted().is_ok() {
            let worth = sums.worth.iter().zip(&sums.actions);
            let values = worth.map(|(sum, n)| (*n > 0).then(|| *sum as f64 / UNITS / *n as f64)).collect();
            section.boards.push(map(
                match all.solved() {
                    Some(_) => {
                        "Exact value of an action on the site, beside the mean of the decision".to_owned()
                    }
                    None => {
                        "Learned value of an action on the site, beside the mean of the decision".to_owned()
                    }
                },
                values,
                FigureUnit::Number,
            ));
        }
        if sites.explained > 0 && sums.points.iter().any(|points| *points != 0) {
            let points = |sum: &i64| Some(*sum as f64 / UNITS / sites.explained as f64);
            section.boards.push(map(
                "Points of runs through the site, a game".to_owned(),
                sums.points.iter().map(points).collect(),
                FigureUnit::Points,
            ));
        }
    }
    let tracks: Vec<&Track> = all.followed.iter().flat_map(|followed| &followed.tracks.games).collect();
    let total = places.sites() as f64;
    let at = |part: usize| -> Vec<f64> {
        let of = |track: &&&Track| {
            let last = track.moments.len() - 1;
            Some(f64::from(track.moments[last * part / PARTS].occupied?) / total)
        };
        tracks.iter().filter_map(|track| of(&track)).collect()
    };
    let mut points = vec![];
    for part in 0..=PARTS {
        let found = mean(&at(part));
        if [0, PARTS / 2, PARTS].contains(&part) {
            let when = ["at the start", "half-way", "at the end"][part * 2 / PARTS];
            section.figure(
                "occupied",
                format!("occupied sites {when}"),
                found.map(|of| of.within(0.0, 1.0)),
                FigureUnit::Share,
                &agent,
            );
        }
        points.extend(found.map(|of| {
            let ends = |end: Option<f64>| end.map(|end| 100.0 * end);
            (part as f64 * 100.0 / PARTS as f64, 100.0 * of.value, ends(of.low), ends(of.high))
        }));
    }
    section.charts.push(PlotData {
        title: "Occupied sites over the game".to_owned(),
        x: "share of the game (%)".to_owned(),
        y: "occupied sites (%)".to_owned(),
        kind: PlotKind::Line,
        names: vec![],
        series: vec![PlotSeries { name: agent.clone(), points }],
    });
    section.answer = match never.len() {
        0 => format!("Every site is occupied at the end of some game of {}.", grouped(sites.games)),
        n => format!(
            "{} of {} sites are never occupied at the end of a game, in {} games.",
            grouped(n as u64),
            grouped(used.1 as u64),
            grouped(sites.games)
        ),
    };
    if let (Some(half), Some(end)) = (section.figures.get(1), section.figures.get(2)) {
        section.answer +=
            &format!(" Half-way {} of the sites are occupied, at the end {}.", half.told(), end.told());
    }
    if (1..=20).contains(&never.len()) {
        section.notes.push(format!("Never occupied at the end: {}.", never.join(", ")));
    }
    section
}
