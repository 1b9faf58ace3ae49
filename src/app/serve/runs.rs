//! Long runs: each on a thread of its own, which does a part whenever it has a slot. It ends with its page.
//!
//! A part takes a fraction of a second, except a report and the training of a player: of all pages, one such long part
//! is done at a time.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Instant;

use tokio::sync::mpsc::Sender;

use super::host::Host;
use super::limits;
use super::page::OngoingWork;
use houserule_base::interrupt::{self, Interrupt};
use houserule_desk::workbench::{Run, Tell};

/// A run of a page.
pub(super) struct PageRun {
    pub(super) host: Arc<Host>,
    pub(super) page: usize,
    pub(super) run: Run,
    pub(super) answers: Sender<String>,
    /// Set once the page is gone.
    pub(super) gone: Interrupt,
    pub(super) going: OngoingWork,
}

/// What came of a part of a run.
enum RunPart {
    More,
    Over,
    Cancelled,
    Late,
    Failed,
}

impl PageRun {
    /// Begins the run. Returns the flag that ends it.
    pub(super) fn begin(self) -> Interrupt {
        let interrupt = Interrupt::new();
        self.going.begin(self.run.id(), &interrupt);
        let (flag, id) = (interrupt.clone(), self.run.id());
        let (answers, going) = (self.answers.clone(), self.going.clone());
        let thread = std::thread::Builder::new().name(format!("run of page {}", self.page));
        if thread.stack_size(limits::STACK).spawn(move || self.work(&interrupt)).is_err() {
            going.end(id);
            let message = "no thread is free for this; try it again later".to_owned();
            let _ = answers.blocking_send(Tell::Wrong { id: Some(id), message }.to_json());
        }
        flag
    }

    fn work(mut self, interrupt: &Interrupt) {
        let id = self.run.id();
        let mut seconds = limits::RUN_SECONDS;
        let last = loop {
            match self.part(interrupt, &mut seconds) {
                RunPart::More => {}
                RunPart::Over => break self.report(),
                RunPart::Cancelled => break Some(Tell::Done { id, cancelled: true }),
                RunPart::Late => {
                    let message =
                        format!("this has taken {} seconds, the most of a run", limits::RUN_SECONDS);
                    break Some(Tell::Wrong { id: Some(id), message });
                }
                RunPart::Failed => {
                    let message = "the run has failed because of an error in the program".to_owned();
                    break Some(Tell::Wrong { id: Some(id), message });
                }
            }
        };
        self.going.end(id);
        if let Some(tell) = last {
            let _ = self.answers.blocking_send(tell.to_json());
        }
    }

    /// Waits for a slot and does a part, in the time that is left.
    fn part(&mut self, interrupt: &Interrupt, seconds: &mut f64) -> RunPart {
        let is_over = || interrupt.is_set() || self.gone.is_set();
        // Of the slots, long parts leave one to others.
        let is_long = self.run.is_long();
        let long = if is_long { self.host.long_slot.take(is_over) } else { None };
        let Some(_slot) = self.host.slots.take(is_over).filter(|_| long.is_some() == is_long) else {
            return RunPart::Cancelled;
        };
        let (answers, gone) = (self.answers.clone(), self.gone.clone());
        let mut tell = |tell: Tell| {
            if answers.blocking_send(tell.to_json()).is_err() {
                gone.set();
            }
        };
        let began = Instant::now();
        let limited = interrupt.within(*seconds);
        let run = &mut self.run;
        let done = self.gone.scope(|| {
            limited.scope(|| {
                let step = AssertUnwindSafe(|| run.step(&mut tell));
                catch_unwind(step).map_err(|thrown| interrupt::pass_on(&*thrown))
            })
        });
        *seconds -= began.elapsed().as_secs_f64();
        match done {
            Ok(Ok(Ok(true))) => RunPart::More,
            Ok(Ok(Ok(false))) => RunPart::Over,
            Ok(Ok(Err(()))) => RunPart::Failed,
            Ok(Err(_)) if limited.is_late() => RunPart::Late,
            Ok(Err(_)) | Err(_) => RunPart::Cancelled,
        }
    }

    /// Keeps the report of a run that is over, and tells where it is.
    fn report(&mut self) -> Option<Tell> {
        let (id, text) = (self.run.id(), self.run.take_report()?);
        let Ok(address) = self.host.keep_report(self.page, text) else {
            return Some(Tell::Wrong { id: Some(id), message: "the report can't be kept".to_owned() });
        };
        let _ = self.answers.blocking_send(Tell::Reported { id, address }.to_json());
        Some(Tell::Done { id, cancelled: false })
    }
}
