//! Interrupting long work from outside: a flag, and the loops that look at it.
//!
//! Who starts the work makes an [`Interrupt`] and does the work in [`Interrupt::scope`]; anybody may
//! [set](Interrupt::set) it, from another thread or a signal handler. Long loops call [`check`], which unwinds
//! to the scope once the flag is set (without the message of a panic), so nothing between the loop and the
//! scope has to hand a reason on. What the work was changing is then half done: whoever opens a scope throws
//! it away, or puts it back as it was. Scopes nest, and the flags of the outer ones count as well.
//!
//! A loop that takes less than a hundredth of a second need not look, nor one whose body looks.
//! A thread that is started within a scope knows nothing of it: take [`current`] along.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How often [`check`] asks whoever wants to be asked.
const ASKED: Duration = Duration::from_millis(20);

/// The work was interrupted; also what it unwinds with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interrupted;

impl fmt::Display for Interrupted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("interrupted")
    }
}

impl std::error::Error for Interrupted {}

/// A flag that ends the work in its scope. Clones are the same flag.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<AtomicBool>);

/// Says whether the work is to end. It is asked on its own thread, now and then.
type Ask = Rc<dyn Fn() -> bool>;

/// What holds on a thread.
#[derive(Default)]
struct Here {
    flags: Vec<Interrupt>,
    /// With the place among the flags of the one that an answer sets.
    ask: Option<(Ask, usize)>,
}

thread_local! {
    static HERE: RefCell<Here> = RefCell::default();
    /// When somebody was last asked.
    static LAST: Cell<Option<Instant>> = const { Cell::new(None) };
}

impl Interrupt {
    /// A flag that is not set.
    pub fn new() -> Interrupt {
        Interrupt::default()
    }

    /// Ends the work, wherever it looks next.
    pub fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Is as if it had never been set.
    pub fn clear(&self) {
        self.0.store(false, Ordering::Relaxed);
    }

    /// The flag itself, for a handler of signals to set.
    pub fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.0)
    }

    /// Is the work to end?
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Does some work, which ends at the next [`check`] once the flag is set.
    pub fn scope<T>(&self, work: impl FnOnce() -> T) -> Result<T, Interrupted> {
        HERE.with_borrow_mut(|here| here.flags.push(self.clone()));
        let _left = Left { ask: None, flags: 1 };
        catch(work)
    }

    /// The same, where `ask` is called on this thread every few hundredths of a second, and sets the flag if it
    /// answers with true.
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
        let _left = Left { ask: Some(before), flags: 1 };
        catch(work)
    }
}

/// The flags that hold on a thread, to be handed to another.
#[derive(Clone, Debug, Default)]
pub struct Current(Vec<Interrupt>);

/// The flags that hold here.
pub fn current() -> Current {
    Current(HERE.with_borrow(|here| here.flags.clone()))
}

impl Current {
    /// Does some work on this thread as if it were done where the flags come from.
    pub fn scope<T>(&self, work: impl FnOnce() -> T) -> Result<T, Interrupted> {
        HERE.with_borrow_mut(|here| here.flags.extend_from_slice(&self.0));
        let _left = Left { ask: None, flags: self.0.len() };
        catch(work)
    }
}

/// Does some work that is not to be interrupted, whatever is set.
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

/// Takes back what a scope has put here, also if it unwinds.
struct Left {
    /// What was asked before, where that was changed.
    ask: Option<Option<(Ask, usize)>>,
    flags: usize,
}

impl Drop for Left {
    fn drop(&mut self) {
        HERE.with_borrow_mut(|here| {
            here.flags.truncate(here.flags.len() - self.flags);
            if let Some(before) = self.ask.take() {
                here.ask = before;
            }
        });
    }
}

/// Does some work, and says if it was interrupted by a flag that holds here: who puts something back lets it go
/// on with [`unwind`].
pub fn catch<T>(work: impl FnOnce() -> T) -> Result<T, Interrupted> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|thrown| match thrown.is::<Interrupted>() {
        true => Interrupted,
        false => resume_unwind(thrown),
    })
}

/// Can the work here be interrupted at all?
pub fn is_possible() -> bool {
    HERE.with_borrow(|here| !here.flags.is_empty())
}

/// Is the work here to end? Asks whoever wants to be asked.
pub fn is_set() -> bool {
    let (set, ask) = HERE.with_borrow(|here| {
        let due = || LAST.get().is_none_or(|last| last.elapsed() >= ASKED);
        (here.flags.iter().any(Interrupt::is_set), here.ask.clone().filter(|_| due()))
    });
    let Some((ask, at)) = ask.filter(|_| !set) else { return set };
    // Nothing is borrowed while somebody else's code runs.
    let set = ask();
    LAST.set(Some(Instant::now()));
    if set {
        HERE.with_borrow(|here| here.flags[at].set());
    }
    set
}

/// Ends the work here if that is wanted: unwinds to the scope.
#[inline]
pub fn check() {
    if is_set() {
        unwind();
    }
}

/// Ends the work here.
#[cold]
pub fn unwind() -> ! {
    resume_unwind(Box::new(Interrupted))
}

/// Whoever catches panics for a reason of their own lets an interruption go on.
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
