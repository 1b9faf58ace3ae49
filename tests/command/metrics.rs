//! Every metric is on every surface: JSON, text, summary, tables, comparisons, documentation.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::extent;
use houserule::agents::AgentKind;
use houserule::game::Game;
use houserule::interrupt::Interrupt;
use houserule::loader::{Request, load};
use houserule::model::{CountedUses, team_in_words};
use houserule::playtest::{
    ComparePlan, DataFrame, GameSinks, Keep, Metric, RunMonitor, SimulationPlan, Subject, Values, compare,
    metrics, simulate_kept, summary,
};
use houserule::report::report_text;
use serde_json::Value as Json;

/// Games that have all kinds of metrics together: with items, matches, teams and draws.
const VARIED: [&str; 4] = ["dilido", "dicrono", "whist", "tic-tac-toe"];

fn games(names: impl Iterator<Item = &'static str>) -> impl Iterator<Item = (&'static str, Game)> {
    names.map(|name| (name, load(&Request { name, ..Request::default() }).unwrap().game))
}

/// All surfaces of some games of random players.
struct Surfaces {
    json: Json,
    text: String,
    /// Quantity, name and seat of each row of the summary.
    summary: Vec<(String, String, Option<i64>)>,
    games: Vec<String>,
    seats: Vec<String>,
    /// Kind, name and seat of each compared quantity.
    compared: Vec<(String, String, Option<u32>)>,
}

fn surfaces(game: &Game) -> Surfaces {
    let agents = vec![AgentKind::Random];
    let (first, seed, threads, match_play) = (0, 1, 1, false);
    let plan = SimulationPlan { games: 8, first, seed, threads, agents: agents.clone(), match_play };
    let (watch, keep) = (Interrupt::new(), Keep { rows: true, ..Keep::default() });
    let watch = RunMonitor { progress: &|_| {}, stop: &watch };
    let (report, rows) = simulate_kept(game, &plan, None, &watch, keep, GameSinks::default()).unwrap();
    let frames = rows.frames(game, &plan, &vec!["random".to_owned(); game.players() as usize]);
    let (seeds, games, keep_partial) = ([1, 2], Some(8), false);
    let plan = ComparePlan { games, first, seeds, threads, agents, match_play, keep_partial };
    let compared = compare(game, game, &plan, &|_, _| true).unwrap();
    let quantities = compared.agents[0].quantities.iter();
    let names = |frame: &DataFrame| frame.columns.iter().map(|column| column.name.clone()).collect();
    Surfaces {
        json: serde_json::to_value(&report).unwrap(),
        text: report_text(game, &report),
        summary: summary_rows(&summary(game, &report)),
        games: names(&frames.games),
        seats: names(&frames.seats),
        compared: quantities
            .map(|one| (one.kind.name.to_owned(), one.name.clone(), one.seat.map(|seat| seat.0)))
            .collect(),
    }
}

fn summary_rows(table: &DataFrame) -> Vec<(String, String, Option<i64>)> {
    let column = |name: &str| &table.columns.iter().find(|column| column.name == name).unwrap().values;
    let word = |values: &Values, row: usize| match values {
        Values::Text { codes, words } => {
            usize::try_from(codes[row]).map_or_else(|_| String::new(), |at| words[at].clone())
        }
        _ => panic!("words"),
    };
    let seat = |row: usize| match column("seat") {
        Values::OptionalInt(seats, known) => known[row].then_some(seats[row]),
        _ => panic!("numbers"),
    };
    (0..table.rows).map(|row| (word(column("quantity"), row), word(column("name"), row), seat(row))).collect()
}

impl Surfaces {
    /// Returns `true` if the text has a row with this label.
    fn has_row(&self, label: &str) -> bool {
        self.text.lines().any(|line| line.strip_prefix("  ").is_some_and(|row| row.starts_with(label)))
    }

    /// Returns the surfaces that lack a metric.
    fn missing(&self, metric: &Metric, game: &Game) -> Vec<&'static str> {
        let (kind, name, seat) = (metric.kind.name, metric.name.as_str(), metric.seat.map(|seat| seat.0));
        let (players, model) = (&game.model().players.names, game.model());
        let at = |path: String| self.json.pointer(&path);
        let summed = |quantity: &str, name: &str| {
            self.summary.contains(&(quantity.to_owned(), name.to_owned(), seat.map(i64::from)))
        };
        let compared = |seat| self.compared.contains(&(kind.to_owned(), name.to_owned(), seat));
        let place = seat.unwrap_or(0) as usize;
        let player = if players.len() > 1 { players[place].as_str() } else { "" };
        let scored = !model.score.is_empty();
        let column = |kind: &str| {
            let own = |column: &&String| {
                let column = column.strip_prefix(kind).unwrap_or(column);
                column == name || column.starts_with(&format!("{name}_"))
            };
            self.seats.iter().any(|column| own(&column))
        };
        let checks: Vec<(&str, bool)> = match metric.kind.subject {
            Subject::Score => vec![
                ("JSON", at(format!("/score/{place}/mean")).is_some()),
                ("text", !scored || self.has_row(player) && self.text.contains("\nScore")),
                ("summary", summed("score", "")),
                ("table of seats", self.seats.contains(&"score".to_owned())),
                ("comparison", !scored || compared(None)),
            ],
            Subject::Item => vec![
                ("JSON", at(format!("/items/{name}/{place}/mean")).is_some()),
                ("text", self.has_row(name)),
                ("summary", summed("item", name)),
                ("table of seats", column("item_")),
                ("comparison", compared(None)),
            ],
            Subject::Count => {
                let count = at(format!("/counts/{kind}"));
                let zero = count.is_some_and(|count| count["max"] == 0);
                vec![
                    ("JSON", count.is_some_and(|count| count["mean"].is_number())),
                    ("text", zero || self.has_row(kind)),
                    ("summary", summed("count", kind)),
                    ("table of games", self.games.contains(&kind.to_owned())),
                    ("comparison", zero || compared(None)),
                ]
            }
            Subject::Result => {
                let path = if seat.is_some() { format!("/wins/{place}") } else { "/draws".to_owned() };
                let of_two = players.len() == 2 && seat == Some(1);
                vec![
                    ("JSON", at(path).is_some()),
                    ("text", seat.is_none() || self.has_row(player)),
                    ("summary", summed(if seat.is_some() { "win" } else { "draw" }, "")),
                    ("table of games", self.games.contains(&"winner".to_owned())),
                    ("comparison", of_two || compared(seat)),
                ]
            }
            Subject::Team => {
                let teams = at("/teams".to_owned()).and_then(Json::as_array).unwrap();
                vec![
                    ("JSON", teams.iter().any(|team| team["name"] == name && team["wins"].is_number())),
                    ("text", self.has_row(&team_in_words(name))),
                    ("summary", summed("team", name)),
                    ("comparison", compared(None)),
                ]
            }
            Subject::Success => vec![
                ("JSON", at("/success/share".to_owned()).is_some_and(Json::is_number)),
                ("text", self.has_row(&team_in_words(&model.teams[0].name))),
                ("summary", summed("success", "")),
                ("comparison", compared(None)),
            ],
            Subject::Lead => vec![("comparison", compared(None))],
            // Games must be followed for it.
            Subject::Course => vec![],
            Subject::Option => {
                // Options of one name from different choices are counted apart.
                let counted = CountedUses::new(model).options.into_iter();
                let names: Vec<String> =
                    counted.filter(|counted| counted.option == name).map(|counted| counted.name).collect();
                vec![
                    ("JSON", names.iter().all(|one| self.json["options"].get(one).is_some())),
                    ("text", names.iter().all(|one| self.has_row(one))),
                    ("summary", names.iter().all(|one| summed("option", one))),
                    (
                        "comparison",
                        names.iter().all(|one| self.compared.contains(&(kind.to_owned(), one.clone(), None))),
                    ),
                ]
            }
            Subject::Otherwise => {
                let names = CountedUses::new(model).otherwise;
                let never_comes = |name: &String| self.json["otherwise"][name] == 0;
                vec![
                    ("JSON", names.iter().all(|one| self.json["otherwise"][one].is_u64())),
                    ("text", names.iter().all(|one| self.has_row(one))),
                    ("summary", names.iter().all(|one| summed("otherwise", one))),
                    ("comparison", compared(None) || names.iter().all(never_comes)),
                ]
            }
            Subject::Step => {
                vec![("JSON", at(format!("/steps/{name}")).is_some()), ("text", self.has_row(name))]
            }
            Subject::End => {
                let games = at(format!("/ends/{name}"));
                // An end that no rule says is told only if it comes.
                let never_comes = game.model().is_implied_end(name) && games == Some(&Json::from(0));
                vec![
                    ("JSON", games.is_some()),
                    ("text", self.has_row(name) || never_comes),
                    ("summary", summed("end", name)),
                    ("table of games", self.games.contains(&"end".to_owned())),
                    ("comparison", compared(None) || games == Some(&Json::from(0))),
                ]
            }
            Subject::Variable => {
                let members = at(format!("/variables/{name}")).and_then(Json::as_array);
                let position = |member: &Json| member["name"] == metric.member.as_str();
                let position = members.and_then(|members| members.iter().position(position));
                vec![
                    ("JSON", position.is_some()),
                    ("text", position.is_some_and(|at| at >= 12) || self.has_row(&metric.member)),
                    ("summary", summed("variable", &metric.member)),
                    ("table of seats", column("var_")),
                    ("comparison", compared(None)),
                ]
            }
        };
        checks.into_iter().filter(|(_, is_there)| !is_there).map(|(surface, _)| surface).collect()
    }
}

#[test]
fn every_metric_is_on_every_surface() {
    let mut found = BTreeMap::new();
    for (name, game) in games(VARIED.into_iter().chain(extent::bundled("metrics", 12))) {
        let surfaces = surfaces(&game);
        for metric in metrics(&game, false) {
            let missing = surfaces.missing(&metric, &game);
            assert!(
                missing.is_empty(),
                "{name}: {} {:?} is not in: {missing:?}",
                metric.kind.name,
                metric.name
            );
            *found.entry(metric.kind.name).or_insert(0) += 1;
        }
    }
    // At least one game has each.
    for kind in [
        "score",
        "item",
        "turns",
        "wins",
        "team",
        "draws",
        "lead",
        "option",
        "step",
        "otherwise",
        "end",
        "variable",
    ] {
        assert!(found.contains_key(kind), "{kind}");
    }
}

#[test]
fn every_metric_is_documented() {
    let page = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("docs/json.md");
    let page = std::fs::read_to_string(page).unwrap();
    let section = page.split("\n## ").find(|section| section.starts_with("Metrics\n")).unwrap();
    let documented: BTreeMap<&str, &str> = section
        .lines()
        .filter_map(|line| line.strip_prefix("| `")?.strip_suffix(" |")?.split_once("` | "))
        .collect();
    let together = games(std::iter::once("tests/outside/crew.rules"));
    let all = games(VARIED.into_iter().chain(extent::bundled("documented", 16)))
        .chain(together)
        .flat_map(|(_, game)| [metrics(&game, false), metrics(&game, true)].concat());
    let kinds = all.map(|metric| metric.kind).chain(houserule::playtest::COURSE);
    let declared: BTreeMap<&str, &str> = kinds.map(|kind| (kind.name, kind.help)).collect();
    assert_eq!(documented, declared, "docs/json.md describes other metrics than the declared ones");
}
