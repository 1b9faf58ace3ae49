//! Long work: away from the interpreter, with a bar that moves, until it is done or Ctrl-C is pressed.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use pyo3::prelude::*;

/// How often the interpreter is asked whether to go on.
const LOOK: Duration = Duration::from_millis(50);

/// How far some work is, and whether it is to stop.
#[derive(Default)]
pub(crate) struct Watched {
    pub(crate) done: AtomicU64,
    pub(crate) stop: AtomicBool,
}

impl Watched {
    /// Says how far the work is, and lets signals be handled. Sets the stop if something is raised.
    pub(crate) fn look(&self, py: Python<'_>, progress: Option<&Py<PyAny>>) -> PyResult<()> {
        let told = py.check_signals().and_then(|()| match progress {
            Some(progress) => progress.call1(py, (self.done.load(Ordering::Relaxed),)).map(|_| ()),
            None => Ok(()),
        });
        if told.is_err() {
            self.stop.store(true, Ordering::Relaxed);
        }
        told
    }

    /// Does the work on another thread. What is raised meanwhile, by Ctrl-C or by `progress`, stops it.
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
                    // Dropped at the end of the work, also if it panics.
                    let _send = send;
                    work()
                });
                let mut raised = None;
                while let Err(RecvTimeoutError::Timeout) = receive.recv_timeout(LOOK) {
                    if raised.is_none() {
                        raised = Python::attach(|py| self.look(py, progress)).err();
                    }
                }
                match worker.join() {
                    Ok(done) => (done, raised),
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            })
        });
        match raised {
            Some(error) => Err(error),
            None => self.look(py, progress).map(|()| done),
        }
    }
}
