//! Targets with the metrics that they are about.

use super::TunedTarget;
use super::certainty::TunedFigure;
use super::target::{Statistic, TuningTarget};
use houserule_game::Game;
use houserule_playtest::MetricColumn;

/// A target with its metric.
pub(super) struct TargetMetric {
    pub(super) target: TuningTarget,
    /// The key of the metric.
    pub(super) key: String,
    /// The name of the figure.
    pub(super) name: String,
    /// Its name in text: usually, and where some sides, but not all, share the win of a game.
    labels: [String; 2],
    pub(super) is_share: bool,
    pub(super) unit: f64,
    pub(super) margin: f64,
}

impl TargetMetric {
    /// Makes a target of a metric of a game, or says why it can't be one.
    pub(super) fn new(
        target: &TuningTarget,
        column: &MetricColumn,
        game: &Game,
    ) -> Result<TargetMetric, String> {
        target.check(column.kind.is_share())?;
        let is_share = match target.statistic {
            Statistic::Mean => column.kind.is_share(),
            Statistic::Quantile(_) => false,
            Statistic::Share(_) => true,
        };
        Ok(TargetMetric {
            target: target.clone(),
            key: column.key(),
            name: target.name(&column.key()),
            labels: [false, true].map(|shares_wins| target.label(&column.label(game, shares_wins))),
            is_share,
            unit: target.unit(is_share),
            margin: target.margin(is_share),
        })
    }

    /// Returns the target as part of a result. `shares_wins`: some sides, but not all, shared the win of a game.
    pub(super) fn to_json(&self, shares_wins: bool) -> TunedTarget {
        let range = &self.target.range;
        let finite = |end: f64| end.is_finite().then_some(end);
        TunedTarget {
            metric: self.name.clone(),
            label: self.labels[usize::from(shares_wins)].clone(),
            is_share: self.is_share,
            low: finite(range.low),
            high: finite(range.high),
            excludes_low: range.excludes_low,
            excludes_high: range.excludes_high,
            tolerance: self.unit,
            margin: self.margin,
        }
    }

    /// Returns the figure that is computed of the games.
    pub(super) fn figure(&self) -> TunedFigure {
        match self.target.quantile() {
            Some(share) => TunedFigure::Quantile(share),
            None if self.is_share => TunedFigure::Share,
            None => TunedFigure::Mean,
        }
    }
}
