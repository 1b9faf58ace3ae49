//! Long work in parts, which other processes can do.
//!
//! The work names its parts, and asks [`Parts`] for the result of each. So one function lists the parts, does one of them,
//! or makes the whole of the results of all, which has the same bits as if one process had done it. Independent of
//! what the work is.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde::Serialize;
use serde::de::DeserializeOwned;

/// A part of some work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkPart {
    /// Its name, unique within the work.
    pub name: String,
    /// The names of the parts whose results it needs.
    pub needs: Vec<String>,
}

/// What this process does of the work.
#[derive(Debug)]
enum Assignment {
    All,
    List(Mutex<PartList>),
    One { name: String, result: Mutex<Option<Vec<u8>>> },
}

/// The parts that were listed so far.
#[derive(Debug, Default)]
struct PartList {
    parts: Vec<WorkPart>,
    /// Whether one of them decides which parts follow.
    is_open: bool,
    /// The parts that have decided so, whose results are given. All that is listed after them needs them.
    decided: Vec<String>,
}

/// The parts of some work: which of them this process does, and the results of others.
#[derive(Debug)]
pub struct Parts {
    assignment: Assignment,
    given: HashMap<String, Vec<u8>>,
}

/// The beginning of the names of parts that train a player. Every part may need them.
pub const PLAYER: &str = "player ";

impl Parts {
    /// All of the work is done in this process, undivided.
    pub fn here() -> Parts {
        Parts::all(HashMap::new())
    }

    /// The whole is made of the results of the parts. Missing ones are done in this process.
    pub fn all(given: HashMap<String, Vec<u8>>) -> Parts {
        Parts { assignment: Assignment::All, given }
    }

    /// Nothing is done, but the parts are listed.
    pub fn list() -> Parts {
        Parts::list_after(HashMap::new())
    }

    /// Nothing is done, but the parts are listed that `given` has no results of. See [`Parts::is_open`].
    pub fn list_after(given: HashMap<String, Vec<u8>>) -> Parts {
        Parts { assignment: Assignment::List(Mutex::default()), given }
    }

    /// One part is done. `given` has the results of the parts that it needs.
    pub fn one(name: String, given: HashMap<String, Vec<u8>>) -> Parts {
        Parts { assignment: Assignment::One { name, result: Mutex::default() }, given }
    }

    /// Returns `true` if the work isn't divided.
    pub fn is_here(&self) -> bool {
        self.is_whole() && self.given.is_empty()
    }

    /// Returns `true` if the whole is wanted.
    pub fn is_whole(&self) -> bool {
        matches!(self.assignment, Assignment::All)
    }

    /// Returns `false` if no part whose name begins with `prefix` is wanted, so that preparing them can be left out.
    pub fn want(&self, prefix: &str) -> bool {
        match &self.assignment {
            Assignment::One { name, .. } => name.starts_with(prefix),
            Assignment::All | Assignment::List(_) => true,
        }
    }

    /// Returns the result of a part, or `None` if another process does the part. `make` does it; `save` and `load`
    /// write and read its result. An error of another process is found again by doing the part here.
    pub fn saved_part<T, E>(
        &self,
        name: &str,
        needs: &[String],
        make: impl FnOnce() -> Result<T, E>,
        save: impl FnOnce(&T) -> Option<Vec<u8>>,
        load: impl FnOnce(&[u8]) -> Option<T>,
    ) -> Result<Option<T>, E> {
        if let Some(known) = self.given.get(name).and_then(|bytes| load(bytes)) {
            return Ok(Some(known));
        }
        match &self.assignment {
            Assignment::All => make().map(Some),
            Assignment::List(list) => {
                let mut list = lock(list);
                if list.parts.iter().all(|part| part.name != name) {
                    let needs = needs.iter().chain(&list.decided).cloned().collect();
                    list.parts.push(WorkPart { name: name.to_owned(), needs });
                }
                Ok(None)
            }
            Assignment::One { name: wanted, result } => {
                if wanted == name {
                    let saved = save(&make()?);
                    *lock(result) = saved;
                }
                Ok(None)
            }
        }
    }

    /// Like [`Parts::saved_part`], for results that are written as JSON.
    pub fn part<T: Serialize + DeserializeOwned, E>(
        &self,
        name: &str,
        needs: &[String],
        make: impl FnOnce() -> Result<T, E>,
    ) -> Result<Option<T>, E> {
        let save = |made: &T| serde_json::to_vec(made).ok();
        self.saved_part(name, needs, make, save, |bytes| serde_json::from_slice(bytes).ok())
    }

    /// Like [`Parts::part`], for a result that decides which parts follow. These are listed once it is given, and need it.
    pub fn deciding_part<T: Serialize + DeserializeOwned, E>(
        &self,
        name: &str,
        make: impl FnOnce() -> Result<T, E>,
    ) -> Result<Option<T>, E> {
        let found = self.part(name, &[], make)?;
        if let Assignment::List(list) = &self.assignment {
            let mut list = lock(list);
            match found {
                Some(_) => list.decided.push(name.to_owned()),
                None => list.is_open = true,
            }
        }
        Ok(found)
    }

    /// Returns `true` if the list isn't whole: the results of its parts decide which parts follow. Those are listed by
    /// [`Parts::list_after`].
    pub fn is_open(&self) -> bool {
        match &self.assignment {
            Assignment::List(list) => lock(list).is_open,
            Assignment::All | Assignment::One { .. } => false,
        }
    }

    /// Divides games into ranges of `size`; undivided work has one range.
    pub fn ranges(&self, games: Range<u64>, size: u64) -> Vec<Range<u64>> {
        if self.is_here() {
            return vec![games];
        }
        let size = size.max(1);
        let starts = (0..(games.end - games.start).div_ceil(size)).map(|at| games.start + at * size);
        starts.map(|start| start..(start + size).min(games.end)).collect()
    }

    /// The parts listed.
    pub fn listed(&self) -> Vec<WorkPart> {
        match &self.assignment {
            Assignment::List(list) => lock(list).parts.clone(),
            Assignment::All | Assignment::One { .. } => vec![],
        }
    }

    /// The result of the one part, or `None` if it failed or there is no such part.
    pub fn result(&self) -> Option<Vec<u8>> {
        match &self.assignment {
            Assignment::One { result, .. } => lock(result).clone(),
            Assignment::All | Assignment::List(_) => None,
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sum of squares below `n`, in ranges of 10, times a factor that is a part of its own.
    fn work(parts: &Parts, n: u64) -> Result<Option<u64>, String> {
        let factor = parts.part("factor", &[], || Ok::<u64, String>(3))?;
        let (mut sum, needs) = (0, ["factor".to_owned()]);
        for range in parts.ranges(0..n, 10) {
            let name = format!("sum {range:?}");
            let make = || Ok::<u64, String>(range.map(|i| i * i).sum::<u64>() * factor.ok_or("no factor")?);
            sum += parts.part(&name, &needs, make)?.unwrap_or(0);
        }
        Ok(parts.is_whole().then_some(sum))
    }

    #[test]
    fn the_parts_make_the_whole() {
        let whole = work(&Parts::here(), 25);
        assert_eq!(whole, Ok(Some(14_700)));
        let list = Parts::list();
        assert_eq!(work(&list, 25), Ok(None));
        let names: Vec<String> = list.listed().into_iter().map(|part| part.name).collect();
        assert_eq!(names, ["factor", "sum 0..10", "sum 10..20", "sum 20..25"]);
        let mut given = HashMap::new();
        for part in list.listed() {
            let needed = part.needs.iter().map(|name| (name.clone(), Vec::clone(&given[name]))).collect();
            let one = Parts::one(part.name.clone(), needed);
            assert_eq!(work(&one, 25), Ok(None));
            given.insert(part.name, one.result().unwrap());
        }
        assert_eq!(work(&Parts::all(given.clone()), 25), whole);
        // A missing part is done here, and what can't be read counts as missing.
        given.remove("sum 10..20");
        given.insert("sum 0..10".to_owned(), b"?".to_vec());
        assert_eq!(work(&Parts::all(given), 25), whole);
    }

    /// Returns as many numbers as a part says.
    fn decided(parts: &Parts) -> Result<Option<Vec<u64>>, String> {
        let Some(count) = parts.deciding_part("count", || Ok::<u64, String>(3))? else { return Ok(None) };
        let numbers =
            (0..count).map(|at| parts.part(&format!("number {at}"), &[], || Ok::<u64, String>(at * at)));
        let numbers = numbers.collect::<Result<Vec<_>, _>>()?;
        Ok(numbers.into_iter().collect())
    }

    #[test]
    fn a_part_that_decides_what_follows_opens_the_list() {
        let names =
            |list: &Parts| -> Vec<String> { list.listed().into_iter().map(|part| part.name).collect() };
        let mut given = HashMap::new();
        let list = Parts::list();
        assert_eq!(decided(&list), Ok(None));
        assert!(names(&list) == ["count"] && list.is_open());
        let one = Parts::one("count".to_owned(), HashMap::new());
        assert_eq!(decided(&one), Ok(None));
        given.insert("count".to_owned(), one.result().unwrap());
        let list = Parts::list_after(given.clone());
        assert_eq!(decided(&list), Ok(None));
        assert!(names(&list) == ["number 0", "number 1", "number 2"] && !list.is_open());
        for part in list.listed() {
            assert_eq!(part.needs, ["count"]);
            let one = Parts::one(part.name.clone(), given.clone());
            assert_eq!(decided(&one), Ok(None));
            given.insert(part.name, one.result().unwrap());
        }
        assert!(!Parts::list_after(given.clone()).is_open() && !Parts::here().is_open());
        assert_eq!(decided(&Parts::all(given)), decided(&Parts::here()));
    }

    #[test]
    fn a_part_that_fails_has_no_result() {
        let one = Parts::one("sum 0..10".to_owned(), HashMap::new());
        assert_eq!(work(&one, 25), Err("no factor".to_owned()));
        assert_eq!(one.result(), None);
        assert!(one.want("sum") && !one.want("factor") && Parts::list().want("factor"));
    }
}
