//! A set over a finite domain, one bit per element. Independent of what the elements are.

use std::fmt;

use super::Site;

/// A set of integers in `0..size`: bit i of the words is element i, and bits beyond `size` are zero.
///
/// Sets that are combined or compared must have the same size.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct BitSet {
    size: u32,
    words: Box<[u64]>,
}

impl BitSet {
    /// Creates an empty set over a domain of `size` elements.
    pub fn empty(size: u32) -> Self {
        BitSet { size, words: vec![0; size.div_ceil(64) as usize].into() }
    }

    /// Creates the set of all elements.
    pub fn full(size: u32) -> Self {
        Self::from_words(size, &vec![u64::MAX; size.div_ceil(64) as usize])
    }

    /// Creates the set of one element.
    ///
    /// # Panics
    /// If `element` is not below `size`.
    pub fn single(size: u32, element: u32) -> Self {
        Self::from_elements(size, [element])
    }

    /// Creates the set of these elements.
    ///
    /// # Panics
    /// If one of them is not below `size`.
    pub fn from_elements(size: u32, elements: impl IntoIterator<Item = u32>) -> Self {
        let mut set = Self::empty(size);
        for element in elements {
            set.insert(element);
        }
        set
    }

    /// Creates the set of these sites of a board with `size` sites.
    ///
    /// # Panics
    /// If one of them is not below `size`.
    pub fn from_sites(size: u32, sites: impl IntoIterator<Item = Site>) -> Self {
        Self::from_elements(size, sites.into_iter().map(|site| site.0))
    }

    /// Creates a set from its words. Missing words are zero; bits beyond `size` are dropped.
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

    /// Returns the number of elements of the domain.
    pub fn size(&self) -> u32 {
        self.size
    }

    /// Returns the bits, 64 elements to a word.
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// Returns `true` if the element is in the set. Elements outside the domain never are.
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

    /// Removes an element if it is present.
    pub fn remove(&mut self, element: u32) {
        if element < self.size {
            self.words[element as usize / 64] &= !(1 << (element % 64));
        }
    }

    /// Returns the number of elements in the set.
    pub fn len(&self) -> u32 {
        self.words.iter().map(|w| w.count_ones()).sum()
    }

    /// Returns the first 32 elements, one bit each.
    pub fn bits(&self) -> u32 {
        self.words().first().map_or(0, |word| *word as u32)
    }

    /// Returns `true` if the set has no elements.
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|w| *w == 0)
    }

    /// Iterates over the elements in ascending order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = u32> + '_ {
        (0..self.size).filter(|e| self.contains(*e))
    }

    /// Iterates over the elements of a set of sites in ascending order.
    pub fn sites(&self) -> impl DoubleEndedIterator<Item = Site> + '_ {
        self.iter().map(Site)
    }

    /// Returns the smallest element, or `None` if the set is empty.
    pub fn first(&self) -> Option<u32> {
        self.iter().next()
    }

    /// Returns the largest element, or `None` if the set is empty.
    pub fn last(&self) -> Option<u32> {
        self.iter().next_back()
    }

    /// Returns the elements in either set.
    #[must_use]
    pub fn union(&self, other: &BitSet) -> BitSet {
        self.combine(other, |a, b| a | b)
    }

    /// Returns the elements in both sets.
    #[must_use]
    pub fn intersect(&self, other: &BitSet) -> BitSet {
        self.combine(other, |a, b| a & b)
    }

    /// Returns the elements of this set that are not in `other`.
    #[must_use]
    pub fn minus(&self, other: &BitSet) -> BitSet {
        self.combine(other, |a, b| a & !b)
    }

    /// Returns the elements of the domain that are not in this set.
    #[must_use]
    pub fn complement(&self) -> BitSet {
        Self::full(self.size).minus(self)
    }

    /// Returns `true` if every element is in `other`.
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

    fn set_of(size: u32, elements: &BTreeSet<u32>) -> BitSet {
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
            let (x, y) = (set_of(size, &a), set_of(size, &b));
            prop_assert_eq!(x.iter().collect::<BTreeSet<_>>(), a.clone());
            prop_assert_eq!(x.len() as usize, a.len());
            prop_assert_eq!(x.is_empty(), a.is_empty());
            prop_assert_eq!(x.first(), a.first().copied());
            prop_assert_eq!(x.last(), a.last().copied());
            prop_assert_eq!(x.union(&y), set_of(size, &a.union(&b).copied().collect()));
            prop_assert_eq!(x.intersect(&y), set_of(size, &a.intersection(&b).copied().collect()));
            prop_assert_eq!(x.minus(&y), set_of(size, &a.difference(&b).copied().collect()));
            prop_assert_eq!(x.complement(), set_of(size, &(0..size).filter(|e| !a.contains(e)).collect()));
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
