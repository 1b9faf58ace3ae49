//! A set over a finite domain, one bit for each element. Knows nothing of what the elements are.

use std::fmt;

/// A set of numbers in `0..size`: bit i of the words is element i, and bits beyond `size` are zero.
///
/// Sets that are combined or compared must have the same size.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct BitSet {
    size: u32,
    words: Box<[u64]>,
}

impl BitSet {
    /// The set of none of `size` elements.
    pub fn empty(size: u32) -> Self {
        BitSet { size, words: vec![0; size.div_ceil(64) as usize].into() }
    }

    /// The set of all elements.
    pub fn full(size: u32) -> Self {
        Self::from_words(size, &vec![u64::MAX; size.div_ceil(64) as usize])
    }

    /// The set of one element.
    ///
    /// # Panics
    /// If the element is not below `size`.
    pub fn single(size: u32, element: u32) -> Self {
        Self::from_elements(size, [element])
    }

    /// The set of some elements.
    ///
    /// # Panics
    /// If one is not below `size`.
    pub fn from_elements(size: u32, elements: impl IntoIterator<Item = u32>) -> Self {
        let mut set = Self::empty(size);
        for element in elements {
            set.insert(element);
        }
        set
    }

    /// The set with these words. Missing words are zero; bits beyond `size` are dropped.
    pub fn from_words(size: u32, words: &[u64]) -> Self {
        let mut set = Self::empty(size);
        for (to, from) in set.words.iter_mut().zip(words) {
            *to = *from;
        }
        if !size.is_multiple_of(64)
            && let Some(last) = set.words.last_mut()
        {
            *last &= (1 << (size % 64)) - 1;
        }
        set
    }

    /// How many elements the domain has.
    pub fn size(&self) -> u32 {
        self.size
    }

    /// The bits, 64 elements to a word.
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// Is the element in the set? What is not below `size` is in no set.
    pub fn contains(&self, element: u32) -> bool {
        element < self.size && self.words[element as usize / 64] >> (element % 64) & 1 == 1
    }

    /// Adds an element.
    ///
    /// # Panics
    /// If it is not below `size`.
    pub fn insert(&mut self, element: u32) {
        assert!(element < self.size, "element {element} of a domain of {}", self.size);
        self.words[element as usize / 64] |= 1 << (element % 64);
    }

    /// Takes an element away, if it is there.
    pub fn remove(&mut self, element: u32) {
        if element < self.size {
            self.words[element as usize / 64] &= !(1 << (element % 64));
        }
    }

    /// How many elements the set has.
    pub fn len(&self) -> u32 {
        self.words.iter().map(|w| w.count_ones()).sum()
    }

    /// Has it no element?
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|w| *w == 0)
    }

    /// The elements, ascending.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = u32> + '_ {
        (0..self.size).filter(|e| self.contains(*e))
    }

    /// The least element.
    pub fn first(&self) -> Option<u32> {
        self.iter().next()
    }

    /// The greatest element.
    pub fn last(&self) -> Option<u32> {
        self.iter().next_back()
    }

    /// What is in either.
    #[must_use]
    pub fn union(&self, other: &BitSet) -> BitSet {
        self.combine(other, |a, b| a | b)
    }

    /// What is in both.
    #[must_use]
    pub fn intersect(&self, other: &BitSet) -> BitSet {
        self.combine(other, |a, b| a & b)
    }

    /// What is in this one and not in the other.
    #[must_use]
    pub fn minus(&self, other: &BitSet) -> BitSet {
        self.combine(other, |a, b| a & !b)
    }

    /// What is not in this one.
    #[must_use]
    pub fn complement(&self) -> BitSet {
        Self::full(self.size).minus(self)
    }

    /// Is every element in the other?
    pub fn is_subset(&self, other: &BitSet) -> bool {
        self.minus(other).is_empty()
    }

    fn combine(&self, other: &BitSet, op: impl Fn(u64, u64) -> u64) -> BitSet {
        debug_assert_eq!(self.size, other.size, "sets over different domains");
        let words: Vec<u64> = self.words.iter().zip(&other.words).map(|(a, b)| op(*a, *b)).collect();
        Self::from_words(self.size, &words)
    }
}

impl fmt::Debug for BitSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn of(size: u32, elements: &BTreeSet<u32>) -> BitSet {
        BitSet::from_elements(size, elements.iter().copied())
    }

    proptest! {
        #[test]
        fn agrees_with_a_sorted_set(
            size in 1u32..200,
            a in prop::collection::btree_set(0u32..200, 0..60),
            b in prop::collection::btree_set(0u32..200, 0..60),
        ) {
            let a: BTreeSet<u32> = a.into_iter().filter(|e| *e < size).collect();
            let b: BTreeSet<u32> = b.into_iter().filter(|e| *e < size).collect();
            let (x, y) = (of(size, &a), of(size, &b));
            prop_assert_eq!(x.iter().collect::<BTreeSet<_>>(), a.clone());
            prop_assert_eq!(x.len() as usize, a.len());
            prop_assert_eq!(x.is_empty(), a.is_empty());
            prop_assert_eq!(x.first(), a.first().copied());
            prop_assert_eq!(x.last(), a.last().copied());
            prop_assert_eq!(x.union(&y), of(size, &a.union(&b).copied().collect()));
            prop_assert_eq!(x.intersect(&y), of(size, &a.intersection(&b).copied().collect()));
            prop_assert_eq!(x.minus(&y), of(size, &a.difference(&b).copied().collect()));
            prop_assert_eq!(x.complement(), of(size, &(0..size).filter(|e| !a.contains(e)).collect()));
            prop_assert_eq!(x.is_subset(&y), a.is_subset(&b));
            prop_assert_eq!(BitSet::from_words(size, x.words()), x.clone());
            for e in 0..220 {
                prop_assert_eq!(x.contains(e), a.contains(&e));
            }
        }
    }

    #[test]
    fn words_are_dense_and_end_at_the_size() {
        let set = BitSet::from_elements(70, [0, 63, 64, 69]);
        assert_eq!(set.words(), [1 | 1 << 63, 1 | 1 << 5]);
        assert_eq!(BitSet::full(70).words(), [u64::MAX, (1 << 6) - 1]);
        assert_eq!(BitSet::full(64).words(), [u64::MAX]);
        assert_eq!(BitSet::from_words(70, &[0, u64::MAX]).last(), Some(69));
        assert_eq!(BitSet::full(0).len(), 0);
        let mut set = BitSet::single(70, 69);
        set.remove(69);
        set.remove(1000);
        assert!(set.is_empty());
    }
}
