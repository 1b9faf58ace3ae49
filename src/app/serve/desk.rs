//! The thread of a page: answers its asks with a [`Session`] and the files of the folder.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use tokio::sync::mpsc::{Sender, UnboundedReceiver};

use super::folder::{FileText, FolderTexts, SaveResult, hash};
use super::host::Host;
use super::page::{DeskWork, OngoingWork};
use super::runs::PageRun;
use super::{limits, queue};
use houserule_base::interrupt::{self, Interrupt};
use houserule_desk::service::bundled_text;
use houserule_desk::workbench::rules::paths;
use houserule_desk::workbench::{AgentTold, Ask, FileHolds, FileTold, Session, Tell};
use houserule_players::agents::AgentKind;

/// The game that is opened if the folder holds no file and none was named.
const FIRST_GAME: &str = "bundled/dilido";

fn pending_ask(work: &DeskWork) -> Option<&Ask> {
    match work {
        DeskWork::Ask(ask, _) => Some(ask),
        DeskWork::Files(_) => None,
    }
}

/// What the thread of a page works with.
pub(super) struct PageDesk {
    host: Arc<Host>,
    page: usize,
    session: Session,
    texts: Arc<FolderTexts>,
    /// The hashes of the files as the page knows them. `None` for a file that is gone.
    known: BTreeMap<String, Option<String>>,
    answers: Sender<String>,
    /// Set once the page is gone.
    gone: Interrupt,
    going: OngoingWork,
    /// Ends the last run.
    run: Option<Interrupt>,
}

impl PageDesk {
    pub(super) fn new(
        host: Arc<Host>,
        page: usize,
        answers: Sender<String>,
        gone: Interrupt,
        going: OngoingWork,
    ) -> PageDesk {
        let session = Session::new(host.folder.root().to_owned());
        let (texts, known) = (Arc::default(), BTreeMap::new());
        PageDesk { host, page, session, texts, known, answers, gone, going, run: None }
    }

    /// Answers until the page is gone.
    pub(super) fn run(mut self, mut works: UnboundedReceiver<DeskWork>) {
        self.texts = self.host.texts();
        self.session.know(&self.texts.texts);
        self.send(self.welcome());
        let mut waiting = VecDeque::new();
        let mut has_more = false;
        while !self.gone.is_set() {
            if waiting.is_empty() && !has_more {
                match works.blocking_recv() {
                    Some(work) => waiting.push_back(work),
                    None => return,
                }
            }
            while let Ok(work) = works.try_recv() {
                waiting.push_back(work);
            }
            let next = queue::next(&mut waiting, pending_ask, |work| self.leave_out(&work));
            has_more = match next {
                Some(DeskWork::Ask(ask, permit)) => {
                    self.answer(ask);
                    drop(permit);
                    true
                }
                Some(DeskWork::Files(texts)) => {
                    self.take_files(texts);
                    true
                }
                None => self.idle(),
            };
        }
    }

    /// Passes a message to the page. If it is gone, nobody hears it.
    fn send(&self, tell: Tell) {
        if self.answers.blocking_send(tell.to_json()).is_err() {
            self.gone.set();
        }
    }

    /// Answers an ask that a newer one has replaced.
    fn leave_out(&self, work: &DeskWork) {
        if let DeskWork::Ask(ask, _) = work
            && let Some(id) = ask.id()
        {
            self.send(Tell::Done { id, cancelled: true });
        }
    }

    fn answer(&mut self, ask: Ask) {
        let id = ask.id();
        for path in ask.agent_files() {
            match self.host.folder.agent(path) {
                Ok(content) => self.session.know_agent(path, content),
                Err(message) => return self.send(Tell::Wrong { id, message }),
            }
        }
        let answer = match ask {
            Ask::Hello { .. } => Some(Err("the page is known already".to_owned())),
            Ask::Open { id, path } => Some(self.open(id, path)),
            Ask::Save { id, path, text, base } => Some(self.save(id, path, &text, base.as_deref())),
            // The socket has done it.
            Ask::Cancel { .. } => None,
            ask @ (Ask::Measure { .. } | Ask::Profile { .. } | Ask::Report { .. } | Ask::Train { .. }) => {
                self.begin_run(&ask);
                None
            }
            ask => {
                self.within(id, |session, tell| session.ask(&ask, tell));
                None
            }
        };
        if let Some(answer) = answer {
            self.send(answer.unwrap_or_else(|message| Tell::Wrong { id, message }));
        }
    }

    fn idle(&mut self) -> bool {
        self.within(None, |session, tell| session.idle(tell)).unwrap_or(false)
    }

    /// Begins a run in place of the one before.
    fn begin_run(&mut self, ask: &Ask) {
        if let Some(before) = self.run.take() {
            before.set();
        }
        let begun = self.within(ask.id(), |session, _| session.run(ask)).flatten();
        match begun {
            Some((_, Ok(run))) => {
                let run = PageRun {
                    host: Arc::clone(&self.host),
                    page: self.page,
                    run,
                    answers: self.answers.clone(),
                    gone: self.gone.clone(),
                    going: self.going.clone(),
                };
                self.run = Some(run.begin());
            }
            Some((id, Err(message))) => self.send(Tell::Wrong { id: Some(id), message }),
            // The reason was told.
            None => {}
        }
    }

    /// Lets the session work until it is done, or the page is gone, or the ask is cancelled or takes too long.
    fn within<T>(
        &mut self,
        id: Option<u64>,
        work: impl FnOnce(&mut Session, &mut dyn FnMut(Tell)) -> T,
    ) -> Option<T> {
        let cancel = Interrupt::new();
        if let Some(id) = id {
            self.going.begin(id, &cancel);
        }
        let (answers, gone) = (self.answers.clone(), self.gone.clone());
        let mut tell = |tell: Tell| {
            if answers.blocking_send(tell.to_json()).is_err() {
                gone.set();
            }
        };
        let limited = cancel.within(limits::ASK_SECONDS);
        let done = self.gone.scope(|| {
            limited.scope(|| {
                catch_unwind(AssertUnwindSafe(|| work(&mut self.session, &mut tell))).map_err(|thrown| {
                    interrupt::pass_on(&*thrown);
                })
            })
        });
        if let Some(id) = id {
            self.going.end(id);
        }
        let wrong = |message: &str| Tell::Wrong { id, message: message.to_owned() };
        match done {
            Ok(Ok(Ok(found))) => return Some(found),
            Ok(Ok(Err(()))) => tell(wrong("this failed because of an error in the program")),
            Ok(Err(_)) if limited.is_late() => {
                tell(wrong(&format!("this took more than {} seconds", limits::ASK_SECONDS)));
            }
            Ok(Err(_)) => id.into_iter().for_each(|id| tell(Tell::Done { id, cancelled: true })),
            // The page is gone.
            Err(_) => {}
        }
        None
    }

    fn welcome(&self) -> Tell {
        let files = self.files();
        let holds_rules = |file: &&FileTold| matches!(file.kind, FileHolds::Game | FileHolds::Variant);
        let games: Vec<FileTold> = files.iter().filter(holds_rules).cloned().collect();
        let first = games.iter().find(|file| !file.read_only).map(|file| file.path.clone());
        let named = self.host.start.clone();
        let is_first = named.is_none() && first.is_none();
        let agents = AgentKind::NAMES.iter().zip(AgentKind::built_in());
        let agent = |(name, (forms, help)): (&&str, (Vec<String>, &str))| AgentTold {
            name: (*name).to_owned(),
            form: forms.into_iter().next_back().unwrap_or_default(),
            help: help.to_owned(),
        };
        Tell::Welcome {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            folder: self.host.folder.root().display().to_string(),
            start: named.or(first).unwrap_or_else(|| FIRST_GAME.to_owned()),
            files,
            games,
            agents: agents.map(agent).collect(),
            first: is_first,
        }
    }

    /// The files of the folder, and the bundled ones.
    fn files(&self) -> Vec<FileTold> {
        self.texts.told.iter().cloned().chain(paths::bundled_files()).collect()
    }

    fn open(&mut self, id: u64, path: String) -> Result<Tell, String> {
        let bundled = paths::bundled_name(&path);
        let file = match bundled.and_then(bundled_text) {
            Some(text) => FileText::new(text.to_owned()),
            None => self.host.folder.read(&path)?.ok_or_else(|| format!("no file is called `{path}`"))?,
        };
        // The page must be able to send it back.
        if serde_json::to_string(&file.text).map_or(0, |text| text.len()) + limits::OVERHEAD > limits::MESSAGE
        {
            return Err(format!("`{path}` is too long to be edited here"));
        }
        let FileText { text, hash } = file;
        let root = self.host.folder.root();
        let name = paths::file_of(root, &path)?;
        let of = paths::file_told(root, &name, &text).and_then(|told| told.of);
        let read_only = bundled.is_some();
        if !read_only {
            self.known.insert(path.clone(), Some(hash.clone()));
        }
        Ok(Tell::File { id, path, text, hash, read_only, of })
    }

    fn save(&mut self, id: u64, path: String, text: &str, base: Option<&str>) -> Result<Tell, String> {
        Ok(match self.host.folder.save(&path, text, base)? {
            SaveResult::Saved(hash) => {
                self.known.insert(path.clone(), Some(hash.clone()));
                Tell::Saved { id, path, hash }
            }
            SaveResult::Conflict(now) => {
                let (text, hash) = now.map(|now| (now.text, now.hash)).unzip();
                self.known.insert(path.clone(), hash.clone());
                Tell::Conflict { id, path, text, hash }
            }
        })
    }

    /// Takes the files as they are now, and tells what was changed outside.
    fn take_files(&mut self, new: Arc<FolderTexts>) {
        let old = std::mem::replace(&mut self.texts, Arc::clone(&new));
        let all: BTreeSet<&String> = old.texts.keys().chain(new.texts.keys()).collect();
        let is_changed = |path: &&&String| old.texts.get(**path) != new.texts.get(**path);
        let changed: Vec<String> = all.iter().filter(is_changed).map(|path| (*path).clone()).collect();
        if old.told != new.told {
            self.send(Tell::Files { files: self.files() });
        }
        for path in &changed {
            let text = new.texts.get(path).map(|text| text.to_string());
            let now = text.as_deref().map(hash);
            // A page knows what it has saved itself.
            if self.known.get(path).is_some_and(|known| *known != now) {
                self.known.insert(path.clone(), now.clone());
                self.send(Tell::Changed { path: path.clone(), text, hash: now });
            }
        }
        if !changed.is_empty() {
            self.within(None, |session, tell| {
                session.know(&new.texts);
                session.changed(&changed, tell);
            });
        }
    }
}
