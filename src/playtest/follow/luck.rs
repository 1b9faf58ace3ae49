//! The share of an outcome's variance that is the players' and that is chance's: the same dice for different agents
//! against different dice for the same agents.
//!
//! Two-way random effects, y = μ + agent + dice + rest (Searle, Casella and McCulloch 1992). The agents are named, not
//! sampled, so the interval resamples games only: it holds for these agents.

use houserule_base::statistics::sample::{Interval, bootstraps};

/// Components of variance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Luck {
    /// Share of the variance between agents.
    pub skill: Interval,
    /// Share of the variance between dice, common to all agents.
    pub dice: Interval,
    /// Share of the rest: dice that suit one agent more than another, and the agents' own draws.
    pub rest: Interval,
    /// Number of games after which half of the variance of a total is between agents; `None` if no variance is.
    pub games_for_half: Option<f64>,
}

/// Returns the components of results: a row for each game, a column for each agent. `None` without variance.
pub fn luck(rows: &[Vec<f64>]) -> Option<Luck> {
    let all: Vec<usize> = (0..rows.len()).collect();
    let value = components(rows, &all)?;
    let [of_agents, of_dice, of_rest] = bootstraps(rows.len(), |games| components(rows, games))?;
    let [skill, _, _] = value;
    Some(Luck {
        skill: of_agents,
        dice: of_dice,
        rest: of_rest,
        games_for_half: (skill > 0.0).then(|| (1.0 - skill) / skill),
    })
}

/// Returns the shares of agents, dice and rest in the variance.
fn components(rows: &[Vec<f64>], games: &[usize]) -> Option<[f64; 3]> {
    let (a, b) = (rows.first()?.len() as f64, games.len() as f64);
    if a < 2.0 || b < 2.0 {
        return None;
    }
    let mut columns = vec![0.0; a as usize];
    for row in games.iter().map(|at| &rows[*at]) {
        columns.iter_mut().zip(row).for_each(|(sum, result)| *sum += result / b);
    }
    let mean = columns.iter().sum::<f64>() / a;
    let between_agents = b * columns.iter().map(|column| (column - mean).powi(2)).sum::<f64>() / (a - 1.0);
    let (mut between_dice, mut rest) = (0.0, 0.0);
    for row in games.iter().map(|at| &rows[*at]) {
        let of_dice = row.iter().sum::<f64>() / a;
        between_dice += a * (of_dice - mean).powi(2) / (b - 1.0);
        let residual = |(result, column): (&f64, &f64)| (result - of_dice - column + mean).powi(2);
        rest += row.iter().zip(&columns).map(residual).sum::<f64>() / ((a - 1.0) * (b - 1.0));
    }
    let agents = ((between_agents - rest) / b).max(0.0);
    let dice = ((between_dice - rest) / a).max(0.0);
    let sum = agents + dice + rest;
    // Rounding leaves traces.
    let share = |part: f64| if part < 1e-12 * sum { 0.0 } else { part / sum };
    (sum > 0.0).then(|| [agents, dice, rest].map(share))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_by_hand() {
        // Agents differ by 2 on either dice, dice by 2 for either agent, and nothing is left: half and half.
        let found = components(&[vec![1.0, 3.0], vec![3.0, 5.0]], &[0, 1]).unwrap();
        assert!((found[0] - 0.5).abs() < 1e-12 && (found[1] - 0.5).abs() < 1e-12, "{found:?}");
        assert_eq!(components(&[vec![1.0, 1.0], vec![1.0, 1.0]], &[0, 1]), None);
        // Agents that always get the same: all dice.
        assert_eq!(components(&[vec![1.0, 1.0], vec![2.0, 2.0]], &[0, 1]), Some([0.0, 1.0, 0.0]));
    }
}
