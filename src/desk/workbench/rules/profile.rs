//! Profiles: where the time of rules goes, at places of the texts as the page counts them.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::units::Units;
use super::{RuleTexts, paths};
use crate::workbench::{Ask, CostTold, ExpressionCostTold, LineCostTold, PartCostTold, PlaceTold, Tell};
use houserule_language::diagnostic::{FileId, Span};
use houserule_loader::Loaded;
use houserule_page::report::profile::{cautions, decision_cost, played};
use houserule_playtest::{ProfilePlan, ProfileRun, ProfiledCost};

/// Steps of a profile in its progress.
const STEPS: u64 = 100;

/// Least share of an expression that is told.
const TOLD: f64 = 0.005;

/// A profile of some rules, in progress.
pub(in crate::workbench) struct RulesProfile {
    run: ProfileRun,
    loaded: Loaded,
    folder: PathBuf,
}

impl RuleTexts {
    /// Prepares a profile of the rules as they are now.
    pub(in crate::workbench) fn begin_profile(&self, ask: &Ask) -> Result<RulesProfile, String> {
        let Ask::Profile { path, set, games, seed, .. } = ask else {
            return Err("no profile is asked for".to_owned());
        };
        let usual = ProfilePlan::default();
        let games = games.unwrap_or(usual.games);
        if games == 0 || games > usual.games {
            return Err(format!("a profile has 1 to {} games", usual.games));
        }
        let loaded = self.load(path, set, None)?;
        let run = ProfileRun::new(&loaded.game, &ProfilePlan { seed: *seed, games, ..usual });
        Ok(RulesProfile { run, loaded, folder: self.folder.clone() })
    }
}

impl RulesProfile {
    /// Plays for a fraction of a second. Returns `true` if there is more to play.
    pub(in crate::workbench) fn step(&mut self) -> bool {
        self.run.step()
    }

    /// How far the profile is.
    pub(in crate::workbench) fn progress(&self, id: u64) -> Tell {
        let done = (self.run.share_done() * STEPS as f64) as u64;
        Tell::Progress { id, done, of: STEPS, words: "random games".to_owned() }
    }

    /// The result of the games. Places in files that the page can't open are left out.
    pub(in crate::workbench) fn finish(self, id: u64) -> Tell {
        let found = self.run.finish(&self.loaded);
        let mut files = ProfiledFiles { loaded: &self.loaded, folder: self.folder, known: BTreeMap::new() };
        let mut parts = vec![];
        for part in &found.parts {
            let Some(place) = files.place(part.place.span) else { continue };
            parts.push(PartCostTold {
                kind: part.kind.to_owned(),
                name: part.name.clone(),
                line: part.place.line,
                own_share: part.own_share,
                cost: cost(&part.cost),
                place,
            });
        }
        let mut lines = vec![];
        for line in &found.lines {
            let Some(place) = files.place(files.to_line_end(line.place.span)) else { continue };
            lines.push(LineCostTold {
                place,
                line: line.place.line,
                text: line.text.clone(),
                cost: cost(&line.cost),
            });
        }
        let mut expressions = vec![];
        for expression in found.expressions.iter().filter(|one| one.cost.share >= TOLD) {
            let Some(place) = files.place(expression.place.span) else { continue };
            expressions.push(ExpressionCostTold {
                place,
                line: expression.place.line,
                column: expression.place.column,
                text: expression.text.clone(),
                cost: cost(&expression.cost),
            });
        }
        Tell::Profiled {
            id,
            played: played(&found),
            decision: decision_cost(&found),
            cautions: cautions(&found),
            parts,
            lines,
            expressions,
        }
    }
}

fn cost(cost: &ProfiledCost) -> CostTold {
    CostTold {
        share: cost.share,
        evaluations: cost.evaluations,
        instructions: cost.instructions,
        repeated: cost.repeated,
    }
}

/// The files of a profile, each as the page counts in it.
struct ProfiledFiles<'l> {
    loaded: &'l Loaded,
    folder: PathBuf,
    /// The path and the code units of each file so far; none for one that the page can't open.
    known: BTreeMap<FileId, Option<(String, Units)>>,
}

impl ProfiledFiles<'_> {
    /// Where a span is, as the page counts. Returns `None` in a file that it can't open.
    fn place(&mut self, span: Span) -> Option<PlaceTold> {
        let (source, folder) = (self.loaded.sources.get(span.file), &self.folder);
        let find = || Some((paths::path_of(folder, &source.name)?, Units::from_text(&source.text)));
        let (path, units) = self.known.entry(span.file).or_insert_with(find).as_ref()?;
        let (from, to) = units.range(span.start as usize..span.end as usize);
        Some(PlaceTold { path: path.clone(), from, to })
    }

    /// Returns what is on a line from the beginning of a span on.
    fn to_line_end(&self, span: Span) -> Span {
        let rest = self.loaded.sources.get(span.file).text.get(span.start as usize..).unwrap_or("");
        let line = rest.lines().next().unwrap_or("").trim_end();
        Span { end: span.start + line.len() as u32, ..span }
    }
}
