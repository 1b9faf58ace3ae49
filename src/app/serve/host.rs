//! What all pages share: the folder, the slots of runs, and reports.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::watch;

use super::folder::{FolderTexts, OpenedFolder};
use super::guard::{OwnNames, secret};
use super::limits;
use super::slots::Slots;
use houserule_base::file_watch::WatchedFiles;

/// A report that a page can show.
struct KeptReport {
    /// The page that made it.
    page: usize,
    /// Its name in the address.
    name: String,
    text: Arc<str>,
}

/// What all pages share.
pub(super) struct Host {
    pub(super) names: OwnNames,
    /// What a page must say first.
    pub(super) token: String,
    pub(super) folder: OpenedFolder,
    /// Time for who isn't a page yet: [`limits::PATIENCE`], except in tests.
    pub(super) patience: Duration,
    /// The path to open first, if one was named.
    pub(super) start: Option<String>,
    pub(super) slots: Slots,
    /// The slot of the parts of runs that take many seconds. Such a part takes one of the others as well.
    pub(super) long_slot: Slots,
    reports: Mutex<VecDeque<KeptReport>>,
    /// The texts of the folder. `None` until a page has come.
    texts: watch::Sender<Option<Arc<FolderTexts>>>,
    /// Number of pages so far.
    pages: AtomicUsize,
    is_over: AtomicBool,
}

impl Host {
    pub(super) fn new(folder: OpenedFolder, start: Option<String>, port: u16) -> std::io::Result<Host> {
        Ok(Host {
            names: OwnNames::new(port),
            token: secret()?,
            folder,
            patience: limits::PATIENCE,
            start,
            slots: Slots::new(limits::RUNS),
            long_slot: Slots::new(1),
            reports: Mutex::default(),
            texts: watch::Sender::new(None),
            pages: AtomicUsize::new(0),
            is_over: AtomicBool::new(false),
        })
    }

    /// Returns a number for a new page.
    pub(super) fn new_page(&self) -> usize {
        self.pages.fetch_add(1, Ordering::Relaxed)
    }

    /// A channel that tells when the folder has other texts.
    pub(super) fn changes(&self) -> watch::Receiver<Option<Arc<FolderTexts>>> {
        self.texts.subscribe()
    }

    /// The texts of the folder, which is read if no page has come before.
    pub(super) fn texts(&self) -> Arc<FolderTexts> {
        self.texts.send_if_modified(|texts| {
            let is_first = texts.is_none();
            if is_first {
                *texts = Some(Arc::new(self.folder.texts(&self.folder.files())));
            }
            is_first
        });
        self.texts.borrow().clone().unwrap_or_default()
    }

    /// Looks for changed files until the server ends, while there are pages.
    pub(super) fn watch(&self) {
        let mut watched: Option<WatchedFiles> = None;
        while !self.is_over.load(Ordering::Relaxed) {
            let began = Instant::now();
            if self.texts.receiver_count() == 0 {
                watched = None;
            } else {
                let files = self.folder.files();
                let is_new = match &mut watched {
                    None => {
                        watched = Some(WatchedFiles::new(files.iter().cloned()));
                        true
                    }
                    // A file that is gone may come back at once; `changed` waits for it.
                    Some(watched) => {
                        let before = watched.paths().len();
                        watched.add(files.iter().cloned());
                        let is_added = watched.paths().len() > before;
                        watched.changed() || is_added
                    }
                };
                if is_new {
                    self.publish(self.folder.texts(&files));
                }
            }
            // A slow folder isn't looked at all the time.
            std::thread::sleep(limits::LOOK.max(began.elapsed() * 20));
        }
    }

    fn publish(&self, new: FolderTexts) {
        self.texts.send_if_modified(|texts| {
            let is_new = texts.as_ref().is_none_or(|old| old.texts != new.texts);
            if is_new {
                *texts = Some(Arc::new(new));
            }
            is_new
        });
    }

    /// Ends the watching.
    pub(super) fn end(&self) {
        self.is_over.store(true, Ordering::Relaxed);
    }

    /// Keeps a report of a page and returns its address. The oldest of the page gives way.
    pub(super) fn keep_report(&self, page: usize, text: String) -> std::io::Result<String> {
        let name = secret()?;
        let address = format!("/report/{name}");
        let mut reports = self.reports();
        if reports.iter().filter(|one| one.page == page).count() >= limits::REPORTS
            && let Some(oldest) = reports.iter().position(|one| one.page == page)
        {
            reports.remove(oldest);
        }
        reports.push_back(KeptReport { page, name, text: text.into() });
        Ok(address)
    }

    /// Forgets the reports of a page.
    pub(super) fn forget(&self, page: usize) {
        self.reports().retain(|one| one.page != page);
    }

    /// The report with a name.
    pub(super) fn report(&self, name: &str) -> Option<Arc<str>> {
        self.reports().iter().find(|one| one.name == name).map(|one| Arc::clone(&one.text))
    }

    fn reports(&self) -> MutexGuard<'_, VecDeque<KeptReport>> {
        self.reports.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
