//! Actions that an agent is kept from.

use std::ops::Range;
use std::sync::Arc;

/// Ranges of action numbers that an agent must not take where another action is legal. Cloning is cheap.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Barred(Arc<[Range<u32>]>);

impl Barred {
    /// Bars the actions in these ranges.
    pub fn new(ranges: impl IntoIterator<Item = Range<u32>>) -> Barred {
        Barred(ranges.into_iter().collect())
    }

    /// Returns `true` if the action is barred.
    pub fn has(&self, action: u32) -> bool {
        self.0.iter().any(|range| range.contains(&action))
    }

    /// Removes the barred actions from a list of legal ones. If all are barred, the list stays as it is: the rules
    /// force one of them.
    pub(crate) fn leave_out<T>(&self, legal: &mut Vec<T>, number: impl Fn(&T) -> u32) {
        if !self.0.is_empty() && legal.iter().any(|action| !self.has(number(action))) {
            legal.retain(|action| !self.has(number(action)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_forced_action_is_allowed() {
        let barred = Barred::new([3..5, 9..10]);
        let left = |mut legal: Vec<u32>| {
            barred.leave_out(&mut legal, |action| *action);
            legal
        };
        assert_eq!(left(vec![2, 3, 4, 5, 9]), [2, 5]);
        assert_eq!(left(vec![3, 9]), [3, 9], "nothing else is legal");
    }
}
