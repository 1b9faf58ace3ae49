//! Isotonic regression: the nondecreasing step function with the least squared error, by pooling adjacent violators
//! (Ayer et al. 1955), with straight lines between the middles of its steps.

/// A fitted nondecreasing function.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Isotonic {
    /// The middle of each step and its height, ascending in both.
    steps: Vec<(f64, f64)>,
}

impl Isotonic {
    /// Fits rows of an input, an outcome and a positive weight, in any order. Inputs must not be NaN.
    pub fn fit(mut rows: Vec<(f64, f64, f64)>) -> Isotonic {
        rows.sort_by(|a, b| a.0.total_cmp(&b.0));
        // Weighted sum of inputs and of outcomes, and the weight of each step.
        let mut steps: Vec<[f64; 3]> = Vec::new();
        let mut rest = rows.as_slice();
        while let Some((first, _, _)) = rest.first() {
            // Equal inputs have one value.
            let same = rest.iter().take_while(|(input, _, _)| input == first).count();
            let (outcomes, weight) =
                rest[..same].iter().fold((0.0, 0.0), |sum, (_, y, w)| (sum.0 + y * w, sum.1 + w));
            let mut step = [first * weight, outcomes, weight];
            while let Some(before) = steps.last() {
                if before[1] / before[2] < step[1] / step[2] {
                    break;
                }
                step = [0, 1, 2].map(|at| before[at] + step[at]);
                steps.pop();
            }
            steps.push(step);
            rest = &rest[same..];
        }
        Isotonic { steps: steps.into_iter().map(|[x, y, n]| (x / n, y / n)).collect() }
    }

    /// Returns the value at `input`; outside of the fitted inputs, that of the nearest. 0 if nothing was fitted.
    pub fn at(&self, input: f64) -> f64 {
        let after = self.steps.partition_point(|(x, _)| *x < input);
        match (after.checked_sub(1).map(|at| self.steps[at]), self.steps.get(after).copied()) {
            (None, None) => 0.0,
            (None, Some((_, y))) | (Some((_, y)), None) => y,
            (Some((x0, y0)), Some((x1, y1))) if x1 > x0 => y0 + (y1 - y0) * (input - x0) / (x1 - x0),
            (Some(_), Some((_, y))) => y,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn violators_are_pooled() {
        let fitted = Isotonic::fit(vec![(3.0, 3.0, 1.0), (1.0, 1.0, 1.0), (2.0, 5.0, 1.0), (4.0, 9.0, 1.0)]);
        // 5 and 3 violate the order, and become 4 at 2.5.
        assert_eq!(fitted.steps, [(1.0, 1.0), (2.5, 4.0), (4.0, 9.0)]);
        assert_eq!([0.0, 1.0, 2.5, 3.25, 7.0].map(|x| fitted.at(x)), [1.0, 1.0, 4.0, 6.5, 9.0]);
    }

    #[test]
    fn equal_inputs_have_one_value() {
        let fitted = Isotonic::fit(vec![(1.0, 0.0, 1.0), (1.0, 1.0, 1.0), (0.0, 0.0, 2.0)]);
        assert_eq!([0.0, 0.5, 1.0].map(|x| fitted.at(x)), [0.0, 0.25, 0.5]);
        assert_eq!(Isotonic::fit(vec![]).at(3.0), 0.0);
        let weighted = Isotonic::fit(vec![(1.0, 0.0, 3.0), (1.0, 1.0, 1.0)]);
        assert_eq!(weighted.at(1.0), 0.25);
    }
}
