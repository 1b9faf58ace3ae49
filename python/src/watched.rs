//! Interruptible work detached from the interpreter: long work with progress reports runs on another thread,
//! work that is usually short on the caller's thread. Ctrl-C ends both.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use houserule::interrupt::{Interrupt, Interrupted};
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;

/// Interval between checks of the interpreter for signals.
const LOOK: Duration = Duration::from_millis(50);

/// Runs work on this thread. An exception raised meanwhile, such as by Ctrl-C, ends it at its next check.
pub(crate) fn interruptible<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    interruptible_by(py, &Interrupt::new(), work)
}

/// Like [`interruptible`]; the flag ends the work, too.
pub(crate) fn interruptible_by<T: Send>(
    py: Python<'_>,
    flag: &Interrupt,
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    let (done, raised) = py.detach(|| {
        let raised = Rc::new(RefCell::new(None));
        let keep = Rc::clone(&raised);
        let ask = move || match Python::attach(|py| py.check_signals()) {
            Ok(()) => false,
            Err(error) => keep.replace(Some(error)).is_none(),
        };
        let done = flag.scope_asking(ask, work);
        (done, raised.take())
    });
    match (raised, done) {
        (Some(error), _) => Err(error),
        (None, Ok(done)) => Ok(done),
        (None, Err(Interrupted)) => Err(PyKeyboardInterrupt::new_err(())),
    }
}

/// The progress of some work, and the flag that stops it.
#[derive(Default)]
pub(crate) struct Watched {
    pub(crate) done: AtomicU64,
    pub(crate) stop: Interrupt,
}

impl Watched {
    /// Reports progress and handles signals. Sets the stop flag if something is raised.
    pub(crate) fn report_progress(&self, py: Python<'_>, progress: Option<&Py<PyAny>>) -> PyResult<()> {
        let told = py.check_signals().and_then(|()| match progress {
            Some(progress) => progress.call1(py, (self.done.load(Ordering::Relaxed),)).map(|_| ()),
            None => Ok(()),
        });
        if told.is_err() {
            self.stop.set();
        }
        told
    }

    /// Runs work on another thread. An exception raised meanwhile, by Ctrl-C or by `progress`, stops it.
    pub(crate) fn run<T: Send>(
        &self,
        py: Python<'_>,
        progress: Option<&Py<PyAny>>,
        work: impl FnOnce() -> T + Send,
    ) -> PyResult<T> {
        let (done, raised) = py.detach(|| {
            std::thread::scope(|scope| {
                let (send, receive) = channel::<()>();
                let worker = scope.spawn(move || {
                    // Dropped at the end of the work, even if it panics.
                    let _send = send;
                    self.stop.scope(work)
                });
                let mut raised = None;
                while let Err(RecvTimeoutError::Timeout) = receive.recv_timeout(LOOK) {
                    if raised.is_none() {
                        raised = Python::attach(|py| self.report_progress(py, progress)).err();
                    }
                }
                match worker.join() {
                    Ok(done) => (done, raised),
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            })
        });
        match (raised, done) {
            (Some(error), _) => Err(error),
            (None, Ok(done)) => self.report_progress(py, progress).map(|()| done),
            (None, Err(Interrupted)) => Err(PyKeyboardInterrupt::new_err(())),
        }
    }
}

/// The first exception of a callable, and the flag that stops the run.
#[derive(Clone, Default)]
pub(crate) struct Raised {
    error: Arc<Mutex<Option<PyErr>>>,
    pub(crate) stop: Interrupt,
}

impl Raised {
    pub(crate) fn keep(&self, error: PyErr) {
        let mut kept = self.error.lock().unwrap_or_else(|e| e.into_inner());
        kept.get_or_insert(error);
        self.stop.set();
    }

    /// Keeps an exception of work that ends by itself.
    pub(crate) fn keep_error(&self, error: PyErr) {
        self.error.lock().unwrap_or_else(|e| e.into_inner()).get_or_insert(error);
    }

    pub(crate) fn take(&self) -> Option<PyErr> {
        self.error.lock().unwrap_or_else(|e| e.into_inner()).take()
    }

    /// Runs work that calls callables, on this thread. An exception in a callable ends it, as Ctrl-C does.
    pub(crate) fn during<T: Send>(&self, py: Python<'_>, work: impl FnOnce() -> T + Send) -> PyResult<T> {
        let done = interruptible_by(py, &self.stop, work);
        self.stop.clear();
        match self.take() {
            Some(error) => Err(error),
            None => done,
        }
    }
}
