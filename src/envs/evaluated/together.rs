//! Leaves of games that are played on several threads, evaluated in one call.
//!
//! Each thread plays a game of its own, and stops at its leaves. Once all threads that play with such agents are
//! waiting, one of them calls the evaluator for the leaves of all. It doesn't wait longer for a thread that is busy
//! with something else, such as another agent's search, than about the time of the last call. So the clock decides
//! which leaves share a call, and nothing else.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Arc, Condvar, LazyLock, Mutex, MutexGuard, PoisonError};
use std::thread::{self, ThreadId};
use std::time::Duration;

use super::leaves::LeafBatch;
use super::{EvaluatedSearch, EvaluatorStopped, LeafAnswers};
use houserule_base::clock::Instant;
use houserule_base::interrupt;

/// Minimum time without a new request after which busy threads aren't waited for.
const QUIET: Duration = Duration::from_millis(2);

/// Maximum time of that kind.
const PATIENCE: Duration = Duration::from_millis(100);

/// How often a waiting thread checks for an interruption.
const LOOK: Duration = Duration::from_millis(50);

/// The answers of a call, and the row of the first leaf of a request.
type Answered = Result<(Arc<LeafAnswers>, usize), EvaluatorStopped>;

/// The threads of this process that play with evaluated agents, and what they wait for.
#[derive(Default)]
struct LeafMeeting {
    /// The threads, with the number of their agents.
    threads: HashMap<ThreadId, usize>,
    /// The number of threads that wait.
    waiting: usize,
    requests: Vec<LeafRequest>,
    answers: HashMap<u64, Answered>,
    /// Requests of interrupted threads that a call has already taken.
    gone: Vec<u64>,
    /// Whether a thread calls an evaluator now, and how long the last call took.
    is_calling: bool,
    last_call: Duration,
    /// Whether a thread watches the clock.
    is_watched: bool,
    /// The number of requests so far, which numbers them.
    asked: u64,
}

/// The leaves that a thread waits for.
struct LeafRequest {
    ticket: u64,
    source: Arc<EvaluatedSearch>,
    batch: LeafBatch,
}

/// A meeting, with the signal that it has changed.
#[derive(Default)]
struct MeetingPlace {
    meeting: Mutex<LeafMeeting>,
    changed: Condvar,
}

static HERE: LazyLock<MeetingPlace> = LazyLock::new(MeetingPlace::default);

fn lock() -> MutexGuard<'static, LeafMeeting> {
    HERE.meeting.lock().unwrap_or_else(PoisonError::into_inner)
}

/// An agent that plays on a thread: while there is one, calls wait for this thread.
pub(super) struct Presence(ThreadId);

impl Presence {
    /// Enters this thread.
    pub(super) fn new() -> Presence {
        let thread = thread::current().id();
        *lock().threads.entry(thread).or_default() += 1;
        Presence(thread)
    }

    /// Returns `true` if it is of this thread.
    pub(super) fn is_here(&self) -> bool {
        self.0 == thread::current().id()
    }
}

impl Drop for Presence {
    fn drop(&mut self) {
        let mut meeting = lock();
        if let Some(agents) = meeting.threads.get_mut(&self.0) {
            *agents -= 1;
            if *agents == 0 {
                meeting.threads.remove(&self.0);
            }
        }
        drop(meeting);
        // The others may have waited for this thread alone.
        HERE.changed.notify_all();
    }
}

/// Evaluates leaves together with those of the other threads. Returns the answers, and the row of the first leaf.
pub(super) fn evaluate_together(source: &Arc<EvaluatedSearch>, batch: LeafBatch) -> Answered {
    let mut meeting = lock();
    let ticket = meeting.asked;
    meeting.asked += 1;
    meeting.waiting += 1;
    meeting.requests.push(LeafRequest { ticket, source: Arc::clone(source), batch });
    let mut is_quiet = false;
    loop {
        if let Some(answered) = meeting.answers.remove(&ticket) {
            return answered;
        }
        let is_due = is_quiet || meeting.waiting >= meeting.threads.len();
        if is_due && !meeting.is_calling && !meeting.requests.is_empty() {
            meeting = call(meeting);
            is_quiet = false;
            continue;
        }
        let watches = !meeting.is_watched && !meeting.is_calling;
        let (asked, patience) = (meeting.asked, meeting.last_call.clamp(QUIET, PATIENCE));
        meeting.is_watched |= watches;
        let waited = HERE.changed.wait_timeout(meeting, if watches { patience } else { LOOK });
        let (changed, timeout) = waited.unwrap_or_else(PoisonError::into_inner);
        meeting = changed;
        if watches {
            meeting.is_watched = false;
            is_quiet = timeout.timed_out() && meeting.asked == asked;
        }
        if timeout.timed_out() && !meeting.answers.contains_key(&ticket) {
            drop(meeting);
            // Not under the lock, because this may ask for signals.
            if interrupt::is_set() {
                leave(ticket);
                interrupt::unwind();
            }
            meeting = lock();
        }
    }
}

/// Takes back the request of a thread that is interrupted.
fn leave(ticket: u64) {
    let mut meeting = lock();
    let before = meeting.requests.len();
    meeting.requests.retain(|request| request.ticket != ticket);
    if meeting.requests.len() < before {
        meeting.waiting -= 1;
    } else if meeting.answers.remove(&ticket).is_none() {
        meeting.gone.push(ticket);
    }
    drop(meeting);
    HERE.changed.notify_all();
}

/// Calls the evaluator for which most leaves wait.
fn call(mut meeting: MutexGuard<'static, LeafMeeting>) -> MutexGuard<'static, LeafMeeting> {
    let mut leaves: Vec<(*const EvaluatedSearch, usize)> = vec![];
    for request in &meeting.requests {
        let source = Arc::as_ptr(&request.source);
        match leaves.iter_mut().find(|(known, _)| *known == source) {
            Some((_, count)) => *count += request.batch.count,
            None => leaves.push((source, request.batch.count)),
        }
    }
    let Some((source, _)) = leaves.into_iter().max_by_key(|(_, count)| *count) else { return meeting };
    let (mut taken, mut rows) = (vec![], 0);
    let requests = std::mem::take(&mut meeting.requests);
    for request in requests {
        let most = request.source.settings().batch as usize;
        let fits = taken.is_empty() || rows + request.batch.count <= most;
        // Those of two games may differ.
        let is_alike =
            taken.first().is_none_or(|first: &LeafRequest| first.batch.form.is_like(&request.batch.form));
        if std::ptr::eq(Arc::as_ptr(&request.source), source) && fits && is_alike {
            rows += request.batch.count;
            taken.push(request);
        } else {
            meeting.requests.push(request);
        }
    }
    meeting.is_calling = true;
    drop(meeting);
    let (mut tickets, mut batch, mut evaluated) = (vec![], None::<LeafBatch>, None);
    for LeafRequest { ticket, source, batch: part } in taken {
        tickets.push((ticket, batch.as_ref().map_or(0, |batch| batch.count)));
        evaluated = Some(source);
        match &mut batch {
            Some(batch) => batch.append(part),
            None => batch = Some(part),
        }
    }
    let clock = Instant::now();
    let done = catch_unwind(AssertUnwindSafe(|| match (evaluated, batch) {
        (Some(source), Some(batch)) => source.evaluate(batch).map(Arc::new),
        _ => Err(EvaluatorStopped),
    }));
    let mut meeting = lock();
    meeting.last_call = clock.elapsed();
    meeting.is_calling = false;
    meeting.waiting -= tickets.len();
    let answers = match &done {
        Ok(Ok(answers)) => Ok(answers),
        Ok(Err(_)) | Err(_) => Err(EvaluatorStopped),
    };
    for (ticket, row) in tickets {
        if let Some(at) = meeting.gone.iter().position(|gone| *gone == ticket) {
            meeting.gone.swap_remove(at);
            continue;
        }
        meeting.answers.insert(ticket, answers.map(|answers| (Arc::clone(answers), row)));
    }
    HERE.changed.notify_all();
    match done {
        Ok(_) => meeting,
        Err(thrown) => {
            drop(meeting);
            resume_unwind(thrown)
        }
    }
}
