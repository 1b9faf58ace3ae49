//! Formats a sweep: a table of text, a table of data (CSV), charts, and a page with both.

use serde_json::Value as Json;

use super::columns::{
    TextTable, counted, decimal, grouped, name_end, share_with_interval, with_half_width, wrap,
};
use super::comparison::SHARED_WINS;
use crate::chart::{Chart, ChartPanel, Kind, Point, STYLE, Series};
use houserule_lab::study::sweep::{BaseDifference, MeasuredMetric, Sweep, SweepRow};
use houserule_picture::paint::Paint;
use houserule_playtest::{Column, DataFrame, Subject, Values};

/// Maximum number of metrics in the table of text, unless they are named.
const MOST_IN_TEXT: usize = 4;

/// Maximum number of panels, unless their metrics are named.
const MOST_PANELS: usize = 9;

/// Maximum number of series of a panel: more can't be told apart.
const MOST_SERIES: usize = 8;

/// What varies in a sweep: the name, and the value of each row.
struct Dimension {
    name: String,
    values: Vec<String>,
}

impl Dimension {
    /// Returns the values, each once, in order.
    fn levels(&self) -> Vec<&str> {
        let mut levels = vec![];
        for value in &self.values {
            if !levels.contains(&value.as_str()) {
                levels.push(value);
            }
        }
        levels
    }
}

/// Returns what varies among all combinations, with its value in each row: params in their order, then variants, players and
/// agents.
fn dimensions(found: &Sweep) -> Vec<Dimension> {
    let by = |name: &str, value: &dyn Fn(&SweepRow) -> String| Dimension {
        name: name.to_owned(),
        values: found.rows.iter().map(value).collect(),
    };
    let names = found.rows.first().map_or(&[][..], |row| &row.params.0).iter().map(|(name, _)| name);
    let mut all: Vec<Dimension> =
        names.map(|name| by(name, &|row| row.params.get(name).map_or_else(String::new, plain))).collect();
    all.push(by("variant", &|row| named(&row.variant).to_owned()));
    all.push(by("players", &|row| row.players.to_string()));
    all.push(by("agent", &|row| row.agent.clone()));
    // A stopped sweep may have a single row left, which says what it is of.
    all.retain(|one| found.varied.contains(&one.name));
    all
}

/// Returns what varies in the order of the rows, in which params change faster than variants and players.
fn as_ordered(mut all: Vec<Dimension>) -> Vec<Dimension> {
    all.sort_by_key(|one| match one.name.as_str() {
        "variant" => 0,
        "players" => 1,
        "agent" => 3,
        _ => 2,
    });
    all
}

fn named(variant: &str) -> &str {
    if variant.is_empty() { houserule_lab::study::setting::PLAIN } else { variant }
}

fn plain(value: &Json) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// Returns the names of all metrics: those of the row with most metrics, then others.
fn keys(found: &Sweep) -> Vec<&str> {
    let mut keys: Vec<&str> = vec![];
    let richest = found.rows.iter().rev().max_by_key(|row| row.metrics.0.len());
    for (key, _) in richest.into_iter().chain(&found.rows).flat_map(|row| &row.metrics.0) {
        if !keys.contains(&key.as_str()) {
            keys.push(key);
        }
    }
    keys
}

/// Returns the named metrics or, without names, those of whole games that vary, at most `most`. Fails with a message
/// that lists all if one is unknown.
pub(crate) fn chosen(found: &Sweep, named: &[String], most: usize) -> Result<Vec<String>, String> {
    if found.rows.is_empty() {
        return Ok(vec![]);
    }
    let keys = keys(found);
    if let Some(unknown) = named.iter().find(|name| !keys.contains(&name.as_str())) {
        let all: Vec<String> = keys.iter().map(|key| format!("`{key}`")).collect();
        return Err(format!("there is no metric `{unknown}`; there are {}", all.join(", ")));
    }
    if !named.is_empty() {
        return Ok(named.to_vec());
    }
    let of = |key: &str| {
        found.rows.iter().filter_map(|row| row.metrics.get(key)).collect::<Vec<&MeasuredMetric>>()
    };
    let is_success =
        |key: &str| of(key).iter().any(|one| one.kind.is_some_and(|kind| kind.subject == Subject::Success));
    let is_shown = |key: &&&str| {
        // What is of one seat is shown if it is about results. The wins of a side are shown once.
        let all = of(key);
        let repeats_side = all.iter().all(|one| one.repeats_side);
        let is_of_games = all.iter().any(|one| one.kind.is_some_and(|kind| kind.subject.is_of_games()));
        let is_of_seat = key.ends_with(']') && !key.starts_with("wins");
        let varies = all.iter().any(|one| one.mean != all[0].mean);
        is_of_games && !is_of_seat && !repeats_side && (varies || is_success(key))
    };
    let mut candidates: Vec<&&str> = keys.iter().filter(is_shown).collect();
    // The wins of all players together matter most, even if they are the same everywhere.
    candidates.sort_by_key(|key| !is_success(key));
    let mut shown: Vec<String> = vec![];
    for key in candidates {
        // Turns and rolls, for example, are often the same.
        let means = |key: &str| of(key).into_iter().map(|one| one.mean.to_bits()).collect::<Vec<_>>();
        if shown.len() < most && !shown.iter().any(|other| means(other) == means(key)) {
            shown.push((*key).to_owned());
        }
    }
    Ok(if shown.is_empty() { keys.iter().take(1).map(|key| (*key).to_owned()).collect() } else { shown })
}

fn is_share(one: &MeasuredMetric) -> bool {
    one.kind.is_some_and(|kind| kind.is_share())
}

/// Formats the head of the report: what was played.
fn facts(found: &Sweep) -> String {
    let played = if found.match_play { "match" } else { "game" };
    let played = counted(found.requested, played);
    let varied = dimensions(found).into_iter().map(|one| one.name).filter(|name| name != "agent");
    let varied: Vec<String> = varied.collect();
    let of = if varied.is_empty() { String::new() } else { format!(" of {}", varied.join(", ")) };
    let combinations = counted(found.combinations, "combination");
    let mut agents: Vec<&str> = vec![];
    for row in &found.rows {
        if !agents.contains(&row.agent.as_str()) {
            agents.push(&row.agent);
        }
    }
    // Nobody has played if the sweep was stopped before the first combination was finished.
    let agents = if agents.is_empty() { String::new() } else { format!(" · {}", agents.join(", ")) };
    format!("{combinations}{of}{agents} · {played} of each · seed {}", found.seed)
}

/// Describes the base by what varies.
fn base(found: &Sweep) -> Option<String> {
    let at = found.rows.iter().position(|row| row.combination == found.base)?;
    let all = dimensions(found);
    let all = all.iter().filter(|one| one.name != "agent");
    let told: Vec<String> = all.map(|one| format!("{} = {}", one.name, one.values[at])).collect();
    (!told.is_empty()).then(|| told.join(", "))
}

/// Formats the sweep as text.
pub fn text(found: &Sweep, named: &[String], paint: Paint) -> Result<String, String> {
    let shown = chosen(found, named, MOST_IN_TEXT)?;
    let mut text = format!("{}\n", paint.head(&format!("{} ({})", found.title, found.game)));
    for line in wrap(&facts(found), paint.columns()) {
        text.push_str(&format!("{}\n", paint.quiet(&line)));
    }
    if found.interrupted {
        let ended = name_end(found.out_of_time);
        let all = counted(found.combinations, "combination");
        let line = match found.rows.len() {
            0 => format!("{ended} before the first of {all} was finished: there is no figure"),
            rows => {
                format!("{ended}: {} of the finished combinations, of {all} in all", counted(rows, "row"))
            }
        };
        text.push_str(&format!("\n{}\n", paint.error(&wrap(&line, paint.columns()).join("\n"))));
    }
    let aborted: u64 = found.rows.iter().map(|row| row.aborted).sum();
    if aborted > 0 {
        let line = format!("{} aborted by errors, not counted in any figure", counted(aborted, "game"));
        text.push_str(&format!("\n{}\n", paint.error(&line)));
    }
    if found.rows.is_empty() {
        return Ok(text);
    }
    let dimensions = as_ordered(dimensions(found));
    let labels = shown.iter().map(|key| label(found, key));
    let heads: Vec<String> = dimensions.iter().map(|one| one.name.clone()).chain(labels).collect();
    let heads: Vec<&str> = heads.iter().map(String::as_str).collect();
    let mut table = TextTable::default().left(dimensions.len()).head(&heads);
    for (at, row) in found.rows.iter().enumerate() {
        let own = dimensions.iter().map(|one| one.values[at].clone());
        let metrics = shown.iter().map(|key| row.metrics.get(key).map_or_else(|| "–".to_owned(), cell));
        table.row(own.chain(metrics).collect::<Vec<_>>());
    }
    text.push_str(&format!("\n{}", table.text(paint)));
    let mut notes = vec!["± is half a 95 % confidence interval.".to_owned()];
    if has_wins(found, &shown) {
        notes.push(SHARED_WINS.to_owned());
    }
    if found.rows.iter().any(|row| shown.iter().any(|key| row.metrics.get(key).is_none())) {
        notes.push("– is no figure: the games of that row have no such quantity.".to_owned());
    }
    if let Some(base) = base(found).filter(|_| found.tested > 0) {
        notes.push(format!(
            "All rows have the same seeds, and so the same chance events where there are any. * differs from {base} with the same agent, after Holm's correction for {} \
             tested differences.",
            grouped(found.tested)
        ));
    }
    text.push('\n');
    for line in wrap(&notes.join(" "), paint.columns()) {
        text.push_str(&format!("{}\n", paint.quiet(&line)));
    }
    text.push_str(&format!("\n{}\n", paint.quiet(&format!("{} s", decimal(found.seconds, 2)))));
    Ok(text)
}

/// Returns `true` if some of the metrics are wins of sides, which may share them.
fn has_wins(found: &Sweep, keys: &[String]) -> bool {
    let metrics = keys.iter().flat_map(|key| found.rows.iter().filter_map(move |row| row.metrics.get(key)));
    let mut kinds = metrics.filter_map(|one| one.kind);
    kinds.any(|kind| ["wins", "team"].contains(&kind.name))
}

fn label(found: &Sweep, key: &str) -> String {
    let one = found.rows.iter().find_map(|row| row.metrics.get(key));
    one.map_or_else(|| key.to_owned(), |one| one.label.clone())
}

/// Formats a mean with its interval, and a star if it differs from the base.
fn cell(one: &MeasuredMetric) -> String {
    let star = if one.difference.as_ref().is_some_and(|one| one.differs) { " *" } else { "  " };
    let text = match is_share(one) {
        true => share_with_interval(one.mean, one.low, one.high),
        false => {
            with_half_width(one.mean, houserule_base::statistics::interval::half_width(one.low, one.high))
        }
    };
    format!("{text}{star}")
}

/// Draws the sweep: a panel for each metric, with the first param along it and the others in colours.
pub fn chart(found: &Sweep, named: &[String]) -> Result<Chart, String> {
    let shown = chosen(found, named, MOST_PANELS)?;
    let dimensions = dimensions(found);
    let (along, others) =
        dimensions.split_first().map_or((None, &[][..]), |(first, rest)| (Some(first), rest));
    let levels = along.map_or_else(|| vec![""], Dimension::levels);
    let numbers: Option<Vec<f64>> = levels.iter().map(|level| level.parse().ok()).collect();
    let numbers = numbers.filter(|_| along.is_some());
    let series_of = |at: usize| {
        let values: Vec<String> = match others {
            [one] if one.name == "agent" || one.name == "variant" => vec![one.values[at].clone()],
            all => all.iter().map(|one| format!("{} = {}", one.name, one.values[at])).collect(),
        };
        values.join(", ")
    };
    let mut names: Vec<String> = vec![];
    for at in 0..found.rows.len() {
        let name = series_of(at);
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let all = names.len();
    names.truncate(MOST_SERIES);
    let panels = shown.iter().map(|key| {
        let one = found.rows.iter().find_map(|row| row.metrics.get(key));
        let share = one.is_some_and(is_share);
        let scale = if share { 100.0 } else { 1.0 };
        let series = names.iter().map(|name| {
            let rows = found.rows.iter().enumerate().filter(|(at, _)| series_of(*at) == *name);
            let points = rows.filter_map(|(at, row)| {
                let value = along.map_or("", |along| &along.values[at]);
                let level = levels.iter().position(|level| *level == value)?;
                let x = numbers.as_ref().map_or(level as f64, |numbers| numbers[level]);
                let one = row.metrics.get(key)?;
                let scaled = |end: Option<f64>| end.map(|end| end * scale);
                Some(Point::new(x, one.mean * scale).within(scaled(one.low), scaled(one.high)))
            });
            let mut points: Vec<Point> = points.collect();
            points.sort_by(|a, b| a.x.total_cmp(&b.x));
            Series { name: name.clone(), points }
        });
        let along = along.map_or_else(String::new, |along| along.name.clone());
        let unit = if share { "%" } else { "" };
        ChartPanel {
            title: label(found, key),
            x_label: if numbers.is_some() { along } else { unit.to_owned() },
            y_label: if numbers.is_some() { unit.to_owned() } else { String::new() },
            kind: if numbers.is_some() { Kind::Lines } else { Kind::Points },
            names: if numbers.is_some() {
                vec![]
            } else {
                levels.iter().map(|level| (*level).to_owned()).collect()
            },
            guides: vec![],
            series: series.collect(),
        }
    });
    let more =
        if all > MOST_SERIES { format!(" (the first {MOST_SERIES} of {all} series)") } else { String::new() };
    let title = format!("{}: {}{more}", found.title, facts(found));
    Ok(Chart { title, description: String::new(), panels: panels.collect() })
}

/// Returns a page with the charts and the table.
pub fn page(found: &Sweep, named: &[String]) -> Result<String, String> {
    let svg = chart(found, named)?.svg(false);
    let shown = chosen(found, named, MOST_PANELS)?;
    let dimensions = as_ordered(dimensions(found));
    let escaped = |text: &str| text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let row = |tag: &str, cells: &mut dyn Iterator<Item = String>| {
        let cells: String = cells.map(|cell| format!("<{tag}>{}</{tag}>", escaped(cell.trim()))).collect();
        format!("<tr>{cells}</tr>\n")
    };
    let heads = dimensions.iter().map(|one| one.name.clone());
    let mut table = row("th", &mut heads.chain(shown.iter().map(|key| label(found, key))));
    for (at, one) in found.rows.iter().enumerate() {
        let own = dimensions.iter().map(|one| one.values[at].clone());
        let metrics = shown.iter().map(|key| one.metrics.get(key).map_or_else(String::new, cell));
        table += &row("td", &mut own.chain(metrics));
    }
    let base = base(found).map_or_else(String::new, |base| format!(" * differs from {base}."));
    let wins = if has_wins(found, &shown) { format!(" {SHARED_WINS}") } else { String::new() };
    Ok(format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width\"><title>{title}</title>\n<style>{STYLE}\
         body{{margin:1.5rem auto;max-width:62rem;padding:0 1rem;font:15px/1.4 system-ui,sans-serif;\
         background:var(--hr-paper,#fdfcf9);color:var(--hr-text,#2b2926)}}\
         table{{border-collapse:collapse;font-variant-numeric:tabular-nums}}\
         th,td{{padding:.15rem .7rem;text-align:right;border-bottom:1px solid var(--hr-grid,#e3ded3)}}\
         @media print{{tr{{break-inside:avoid}}}}</style></head>\n<body>\n{svg}\
         <p>± is half a 95 % confidence interval.{wins}{base}</p>\n<table>\n{table}</table>\n</body></html>\n",
        title = escaped(&found.title),
        base = escaped(&base),
    ))
}

/// Returns the rows as a table of data: names, and the cells of each row. What a row doesn't have is empty.
pub(crate) fn table(found: &Sweep) -> (Vec<String>, Vec<Vec<String>>) {
    let own = ["combination", "variant", "players", "agent", "games", "aborted"];
    let params: Vec<&str> = found
        .rows
        .first()
        .map_or(&[][..], |row| &row.params.0)
        .iter()
        .map(|(name, _)| name.as_str())
        .collect();
    let keys = keys(found);
    let statistics = [
        "mean",
        "se",
        "low",
        "high",
        "difference",
        "difference_se",
        "difference_low",
        "difference_high",
        "p",
        "p_corrected",
    ];
    let mut names: Vec<String> = own[..1].iter().map(|name| (*name).to_owned()).collect();
    // A param with the name of another column gets a prefix.
    names.extend(params.iter().map(|name| match own.contains(name) {
        true => format!("param_{name}"),
        false => (*name).to_owned(),
    }));
    names.extend(own[1..].iter().map(|name| (*name).to_owned()));
    names.extend(keys.iter().flat_map(|key| statistics.iter().map(move |of| format!("{key}.{of}"))));
    let rows = found.rows.iter().map(|row| {
        let number = |number: Option<f64>| number.map_or_else(String::new, |number| number.to_string());
        let mut cells = vec![row.combination.to_string()];
        cells.extend(params.iter().map(|name| row.params.get(name).map_or_else(String::new, plain)));
        cells.extend([row.variant.clone(), row.players.to_string(), row.agent.clone()]);
        cells.extend([row.games.to_string(), row.aborted.to_string()]);
        for key in &keys {
            let one = row.metrics.get(key);
            let of = |value: &dyn Fn(&MeasuredMetric) -> Option<f64>| number(one.and_then(value));
            let apart = |value: &dyn Fn(&BaseDifference) -> Option<f64>| {
                number(one.and_then(|one| one.difference.as_ref()).and_then(value))
            };
            cells.extend([
                of(&|one| Some(one.mean)),
                of(&|one| one.se),
                of(&|one| one.low),
                of(&|one| one.high),
            ]);
            cells.extend([apart(&|one| Some(one.mean)), apart(&|one| Some(one.se))]);
            cells.extend([apart(&|one| one.low), apart(&|one| one.high)]);
            cells.extend([apart(&|one| Some(one.p)), apart(&|one| Some(one.p_corrected))]);
        }
        cells
    });
    (names, rows.collect())
}

/// Returns the table of data with types: numbers, but texts for agents, variants, and params that aren't numbers.
pub fn frame(found: &Sweep) -> DataFrame {
    let (names, rows) = table(found);
    let params = found.rows.first().map_or(0, |row| row.params.0.len());
    let column = |(at, name): (usize, String)| {
        let cells = || rows.iter().map(move |row| row[at].as_str());
        let ints = || cells().map(|cell| cell.parse::<i64>()).collect::<Result<Vec<_>, _>>();
        let bools = || cells().map(|cell| cell.parse::<bool>()).collect::<Result<Vec<_>, _>>();
        let texts = || Values::Text {
            codes: (0..rows.len() as i32).collect(),
            words: cells().map(str::to_owned).collect(),
        };
        // As in `table`: the combination, its params, the variant, players, the agent, games, aborted games, metrics.
        let values = match at.checked_sub(1 + params) {
            Some(0 | 2) => texts(),
            Some(5..) => Values::Float(cells().map(|cell| cell.parse().unwrap_or(f64::NAN)).collect()),
            _ => match (ints(), bools()) {
                (Ok(ints), _) => Values::Int(ints),
                (_, Ok(bools)) => Values::Bool(bools),
                _ => texts(),
            },
        };
        Column { name, values: values.with_words_once(), bounds: None }
    };
    DataFrame { rows: rows.len(), columns: names.into_iter().enumerate().map(column).collect() }
}

/// Formats the table of data as CSV.
pub fn csv(found: &Sweep) -> Result<Vec<u8>, csv::Error> {
    let (names, rows) = table(found);
    let mut writer = csv::Writer::from_writer(vec![]);
    writer.write_record(names)?;
    rows.iter().try_for_each(|row| writer.write_record(row))?;
    writer.into_inner().map_err(|error| csv::Error::from(error.into_error()))
}
