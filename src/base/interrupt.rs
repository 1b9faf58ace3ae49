//! Cooperative cancellation of long work: a flag, and the loops that check it.
//!
//! The caller makes an [`Interrupt`] and does the work in [`Interrupt::scope`]. Any thread or signal handler may
//! [set](Interrupt::set) the flag. Long loops call [`check`], which unwinds to the scope once the flag is set,
//! without a panic message, so the functions in between need not return an error. The data that the work was
//! changing is then half done: the caller that opened the scope discards or restores it. Scopes nest, and the
//! flags of outer scopes count too.
//!
//! A flag may have a time limit, and counts as set after it ([`Interrupt::within`]).
//!
//! A loop of less than 10 ms, or whose body checks, needs no check of its own.
//! A thread started within a scope doesn't inherit its flags: pass it [`current`].

use crate::clock::Instant;
use std::any::Any;
use std::cell::{Cell, RefCell};
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Minimum time between two calls of a scope's `ask` function.
const ASKED: Duration = Duration::from_millis(20);

/// The error of interrupted work, and the payload of its unwinding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interrupted;

impl fmt::Display for Interrupted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("interrupted")
    }
}

impl std::error::Error for Interrupted {}

/// A flag that ends the work in its scope. Clones share the flag.
#[derive(Clone, Debug, Default)]
pub struct Interrupt {
    flag: Arc<AtomicBool>,
    /// When it counts as set.
    until: Option<Instant>,
}

/// Returns `true` if the work must end. Called regularly on the thread of the scope.
type EndAsked = Rc<dyn Fn() -> bool>;

/// The scopes open on a thread.
#[derive(Default)]
struct Here {
    flags: Vec<Interrupt>,
    /// The innermost `ask` function, and the index in `flags` of the flag that it sets.
    ask: Option<(EndAsked, usize)>,
}

thread_local! {
    static HERE: RefCell<Here> = RefCell::default();
    /// When `ask` was last called.
    static LAST: Cell<Option<Instant>> = const { Cell::new(None) };
}

impl Interrupt {
    /// Returns a flag that is not set.
    pub fn new() -> Interrupt {
        Interrupt::default()
    }

    /// Sets the flag: the work ends at its next [`check`].
    pub fn set(&self) {
        self.flag.store(true, Ordering::Relaxed);
    }

    /// Resets the flag.
    pub fn clear(&self) {
        self.flag.store(false, Ordering::Relaxed);
    }

    /// The flag itself, for a signal handler.
    pub fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.flag)
    }

    /// Returns the same flag with a time limit: after `seconds` from now, it counts as set. A time beyond what a clock
    /// can hold is no limit.
    #[must_use]
    pub fn within(&self, seconds: f64) -> Interrupt {
        let time = Duration::try_from_secs_f64(seconds.max(0.0)).ok();
        let until = time.and_then(|time| Instant::now().checked_add(time));
        Interrupt { flag: self.flag(), until: until.into_iter().chain(self.until).min() }
    }

    /// Returns the same flag, with a time limit as by [`Interrupt::within`] if there is a time.
    #[must_use]
    pub fn within_time(&self, seconds: Option<f64>) -> Interrupt {
        seconds.map_or_else(|| self.clone(), |seconds| self.within(seconds))
    }

    /// Returns `true` if it has a time limit.
    pub fn has_limit(&self) -> bool {
        self.until.is_some()
    }

    /// Returns `true` if the flag is set, or its time is over.
    pub fn is_set(&self) -> bool {
        self.flag.load(Ordering::Relaxed) || self.until.is_some_and(|until| Instant::now() >= until)
    }

    /// Returns `true` if its time is over and nobody has set the flag.
    pub fn is_late(&self) -> bool {
        self.is_set() && !self.flag.load(Ordering::Relaxed)
    }

    /// Runs `work`, which ends at the next [`check`] once the flag is set.
    pub fn scope<T>(&self, work: impl FnOnce() -> T) -> Result<T, Interrupted> {
        HERE.with_borrow_mut(|here| here.flags.push(self.clone()));
        let _left = ScopeGuard { ask: None, flags: 1 };
        catch(work)
    }

    /// Like [`Interrupt::scope`], and calls `ask` on this thread about every 20 ms. The flag is set when `ask`
    /// returns `true`.
    pub fn scope_asking<T>(
        &self,
        ask: impl Fn() -> bool + 'static,
        work: impl FnOnce() -> T,
    ) -> Result<T, Interrupted> {
        let before = HERE.with_borrow_mut(|here| {
            here.flags.push(self.clone());
            here.ask.replace((Rc::new(ask), here.flags.len() - 1))
        });
        LAST.set(Some(Instant::now()));
        let _left = ScopeGuard { ask: Some(before), flags: 1 };
        catch(work)
    }
}

/// The flags in force on a thread, to be passed to another thread.
#[derive(Clone, Debug, Default)]
pub struct Current(Vec<Interrupt>);

/// Returns the flags in force on this thread.
pub fn current() -> Current {
    Current(HERE.with_borrow(|here| here.flags.clone()))
}

impl Current {
    /// Sets these flags: all work in their scopes ends at its next [`check`].
    pub fn set(&self) {
        self.0.iter().for_each(Interrupt::set);
    }

    /// Runs `work` on this thread under these flags.
    pub fn scope<T>(&self, work: impl FnOnce() -> T) -> Result<T, Interrupted> {
        HERE.with_borrow_mut(|here| here.flags.extend_from_slice(&self.0));
        let _left = ScopeGuard { ask: None, flags: self.0.len() };
        catch(work)
    }
}

/// Runs `work` uninterruptibly, whatever flags are set.
pub fn not_within<T>(work: impl FnOnce() -> T) -> T {
    struct Back(Here);
    impl Drop for Back {
        fn drop(&mut self) {
            HERE.set(std::mem::take(&mut self.0));
        }
    }
    let _back = Back(HERE.take());
    work()
}

/// Closes a scope when dropped, also during unwinding.
struct ScopeGuard {
    /// The previous `ask`, if the scope replaced it.
    ask: Option<Option<(EndAsked, usize)>>,
    flags: usize,
}

impl Drop for ScopeGuard {
    fn drop(&mut self) {
        HERE.with_borrow_mut(|here| {
            here.flags.truncate(here.flags.len() - self.flags);
            if let Some(before) = self.ask.take() {
                here.ask = before;
            }
        });
    }
}

/// Runs `work` and catches its interruption. A caller that only cleans up resumes the interruption with
/// [`unwind`].
pub fn catch<T>(work: impl FnOnce() -> T) -> Result<T, Interrupted> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|thrown| match thrown.is::<Interrupted>() {
        true => Interrupted,
        false => resume_unwind(thrown),
    })
}

/// Returns `true` if any flag is in force on this thread.
pub fn is_possible() -> bool {
    HERE.with_borrow(|here| !here.flags.is_empty())
}

/// Returns `true` if the work on this thread must end. Calls `ask` if it is due.
pub fn is_set() -> bool {
    let (set, ask) = HERE.with_borrow(|here| {
        let due = || LAST.get().is_none_or(|last| last.elapsed() >= ASKED);
        (here.flags.iter().any(Interrupt::is_set), here.ask.clone().filter(|_| due()))
    });
    let Some((ask, at)) = ask.filter(|_| !set) else { return set };
    // `HERE` must not be borrowed while `ask` runs.
    let set = ask();
    LAST.set(Some(Instant::now()));
    if set {
        HERE.with_borrow(|here| here.flags[at].set());
    }
    set
}

/// Unwinds to the scope if the work on this thread must end.
#[inline]
pub fn check() {
    if is_set() {
        unwind();
    }
}

/// Unwinds to the scope.
#[cold]
pub fn unwind() -> ! {
    resume_unwind(Box::new(Interrupted))
}

/// Resumes the unwinding if `thrown` is an interruption. For code that catches panics for other reasons.
pub fn pass_on(thrown: &(dyn Any + Send)) {
    if thrown.is::<Interrupted>() {
        unwind();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_ends_where_it_looks_once_the_flag_is_set() {
        let interrupt = Interrupt::new();
        assert_eq!(interrupt.scope(|| (0..9).inspect(|_| check()).count()), Ok(9));
        let looked = Cell::new(0);
        let found = interrupt.scope(|| {
            for turn in 0..9 {
                looked.set(turn);
                if turn == 4 {
                    interrupt.set();
                }
                check();
            }
        });
        assert_eq!((found, looked.get()), (Err(Interrupted), 4));
        assert!(!is_possible(), "nothing holds outside of the scope");
        check();
    }

    #[test]
    fn an_outer_flag_ends_inner_work_and_an_inner_one_only_that() {
        let (outer, inner) = (Interrupt::new(), Interrupt::new());
        inner.set();
        assert_eq!(outer.scope(|| (inner.scope(check), check())), Ok((Err(Interrupted), ())));
        outer.set();
        assert_eq!(outer.scope(|| Interrupt::new().scope(check)), Ok(Err(Interrupted)));
        assert_eq!(outer.scope(|| (Interrupt::new().scope(check), check())), Err(Interrupted));
    }

    #[test]
    fn a_time_limit_ends_work_and_leaves_the_flag() {
        let interrupt = Interrupt::new();
        let over = interrupt.within(0.0);
        assert_eq!(over.scope(check), Err(Interrupted));
        assert!(over.is_late() && !interrupt.is_set() && !interrupt.is_late());
        let long = interrupt.within(f64::MAX);
        assert!(!long.is_set() && interrupt.within(1e4).within(0.0).within(1e4).is_late());
        interrupt.set();
        assert!(long.is_set() && !long.is_late() && !over.is_late());
    }

    #[test]
    fn flags_are_handed_to_other_threads_and_panics_stay_panics() {
        let interrupt = Interrupt::new();
        let found = interrupt.scope(|| {
            let here = current();
            interrupt.set();
            std::thread::scope(|scope| scope.spawn(|| here.scope(check)).join())
        });
        assert!(matches!(found, Ok(Ok(Err(Interrupted)))));
        let thrown = catch_unwind(|| Interrupt::new().scope(|| resume_unwind(Box::new(7))));
        assert_eq!(thrown.expect_err("it panics").downcast_ref(), Some(&7));
        assert!(!is_possible());
    }

    #[test]
    fn setting_all_flags_ends_the_work_of_every_scope() {
        let (outer, inner) = (Interrupt::new(), Interrupt::new());
        let found = outer.scope(|| (inner.scope(|| (current().set(), check())), check()));
        assert_eq!((found, inner.is_set()), (Err(Interrupted), true));
    }

    #[test]
    fn what_is_not_within_goes_on() {
        let interrupt = Interrupt::new();
        interrupt.set();
        assert_eq!(interrupt.scope(|| not_within(|| (check(), is_possible()).1)), Ok(false));
        assert_eq!(interrupt.scope(|| (not_within(check), check())), Err(Interrupted));
    }

    #[test]
    fn who_wants_to_be_asked_is_asked_on_this_thread_now_and_then() {
        let asked = Rc::new(Cell::new(0));
        let counts = Rc::clone(&asked);
        let ask = move || {
            counts.set(counts.get() + 1);
            counts.get() == 3
        };
        let interrupt = Interrupt::new();
        let found = interrupt.scope_asking(ask, || {
            loop {
                // Inner scopes ask as well.
                let _ = Interrupt::new().scope(check);
                check();
            }
        });
        assert_eq!((found, asked.get(), interrupt.is_set()), (Err::<(), _>(Interrupted), 3, true));
    }
}
