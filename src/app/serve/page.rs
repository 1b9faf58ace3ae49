//! A page: its socket, and the thread on which its asks are answered, in order.

use std::sync::{Arc, Mutex, PoisonError};

use axum::extract::ws::{CloseFrame, Message, WebSocket, close_code};
use tokio::sync::mpsc::{self, UnboundedSender};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::time::{MissedTickBehavior, interval, timeout};

use super::desk::PageDesk;
use super::folder::FolderTexts;
use super::guard::is_same;
use super::host::Host;
use super::limits;
use houserule_base::interrupt::Interrupt;
use houserule_desk::workbench::{Ask, Tell};

/// What the thread of a page is to do.
pub(super) enum DeskWork {
    /// Answer an ask. The permit is for its bytes.
    Ask(Ask, OwnedSemaphorePermit),
    /// Take the files as they are now.
    Files(Arc<FolderTexts>),
}

/// The work that goes on for an ask, so that it can be cancelled.
#[derive(Clone, Default)]
pub(super) struct OngoingWork(Arc<Mutex<Vec<(u64, Interrupt)>>>);

impl OngoingWork {
    fn with<T>(&self, change: impl FnOnce(&mut Vec<(u64, Interrupt)>) -> T) -> T {
        change(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Notes the beginning of work.
    pub(super) fn begin(&self, id: u64, interrupt: &Interrupt) {
        self.with(|all| all.push((id, interrupt.clone())));
    }

    /// Notes the end of work.
    pub(super) fn end(&self, id: u64) {
        self.with(|all| all.retain(|(known, _)| *known != id));
    }

    /// Interrupts the work with a number.
    pub(super) fn cancel(&self, id: u64) {
        self.with(|all| all.iter().filter(|(known, _)| *known == id).for_each(|(_, one)| one.set()));
    }

    /// Interrupts all work.
    fn cancel_all(&self) {
        self.with(|all| all.iter().for_each(|(_, one)| one.set()));
    }
}

/// Ends everything of a page when it is dropped, whichever way the page ends.
struct PageEnd {
    host: Arc<Host>,
    page: usize,
    gone: Interrupt,
    going: OngoingWork,
}

impl Drop for PageEnd {
    fn drop(&mut self) {
        self.gone.set();
        self.going.cancel_all();
        self.host.forget(self.page);
    }
}

/// Talks with a page until it is gone.
pub(super) async fn serve(mut socket: WebSocket, host: Arc<Host>) {
    if let Err(reason) = introduced(&mut socket, &host).await {
        let message = Tell::Wrong { id: None, message: reason.to_owned() };
        let frame = CloseFrame { code: close_code::POLICY, reason: reason.into() };
        let _ = timeout(limits::READING, async {
            let _ = socket.send(Message::Text(message.to_json().into())).await;
            socket.send(Message::Close(Some(frame))).await
        })
        .await;
        return;
    }
    let page = host.new_page();
    let (work, works) = mpsc::unbounded_channel();
    let (answer, answers) = mpsc::channel(limits::ANSWERS);
    let (gone, going) = (Interrupt::new(), OngoingWork::default());
    let _end = PageEnd { host: Arc::clone(&host), page, gone: gone.clone(), going: going.clone() };
    let changes = host.changes();
    let desk = PageDesk::new(host, page, answer, gone, going.clone());
    let thread = std::thread::Builder::new().name(format!("page {page}")).stack_size(limits::STACK);
    if thread.spawn(move || desk.run(works)).is_ok() {
        talk(&mut socket, &work, answers, changes, &going).await;
    }
}

/// Waits for the first message, which must have the token.
async fn introduced(socket: &mut WebSocket, host: &Host) -> Result<(), &'static str> {
    let first = timeout(host.patience, socket.recv()).await.map_err(|_| "the token did not come")?;
    let Some(Ok(Message::Text(first))) = first else { return Err("the first message must have the token") };
    match Ask::from_json(first.as_bytes()) {
        Ok(Ask::Hello { token }) if is_same(&token, &host.token) => Ok(()),
        _ => Err("this is not the token of this workbench; open the address that it has printed"),
    }
}

/// Passes messages between a page and its thread.
async fn talk(
    socket: &mut WebSocket,
    work: &UnboundedSender<DeskWork>,
    mut answers: mpsc::Receiver<String>,
    mut changes: watch::Receiver<Option<Arc<FolderTexts>>>,
    going: &OngoingWork,
) {
    let budget = Arc::new(Semaphore::new(limits::WAITING));
    // An ask that has no budget yet. Until then nothing is read, so a flood waits in the page.
    let mut pending: Option<(Ask, u32)> = None;
    let mut pings = interval(limits::PING);
    pings.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut silent = 0;
    loop {
        let room = pending.as_ref().map_or(0, |(_, bytes)| *bytes);
        tokio::select! {
            message = socket.recv(), if pending.is_none() => {
                silent = 0;
                let text = match message {
                    Some(Ok(Message::Text(text))) => text,
                    Some(Ok(Message::Ping(_) | Message::Pong(_))) => continue,
                    // The page is gone, or says what it never says.
                    Some(Ok(Message::Binary(_) | Message::Close(_)) | Err(_)) | None => return,
                };
                match Ask::from_json(text.as_bytes()) {
                    Ok(ask) => {
                        if let Ask::Cancel { id } = ask {
                            going.cancel(id);
                        }
                        pending = Some((ask, (text.len() + limits::OVERHEAD) as u32));
                    }
                    Err(wrong) => {
                        if !say(socket, wrong.to_json()).await {
                            return;
                        }
                    }
                }
            }
            permit = Arc::clone(&budget).acquire_many_owned(room), if pending.is_some() => {
                if let (Ok(permit), Some((ask, _))) = (permit, pending.take())
                    && work.send(DeskWork::Ask(ask, permit)).is_err()
                {
                    return;
                }
            }
            answer = answers.recv() => match answer {
                Some(tell) => {
                    if !say(socket, tell).await {
                        return;
                    }
                }
                None => return,
            },
            changed = changes.changed() => {
                let texts = changes.borrow_and_update().clone();
                if changed.is_err() || texts.is_some_and(|texts| work.send(DeskWork::Files(texts)).is_err()) {
                    return;
                }
            }
            _ = pings.tick() => {
                // What isn't read isn't heard either.
                silent += u32::from(pending.is_none());
                let ping = socket.send(Message::Ping(axum::body::Bytes::new()));
                if silent > 2 || !matches!(timeout(limits::READING, ping).await, Ok(Ok(()))) {
                    return;
                }
            }
        }
    }
}

/// Sends a message. Returns `false` if the page doesn't read it.
async fn say(socket: &mut WebSocket, tell: String) -> bool {
    let sent = timeout(limits::READING, socket.send(Message::Text(tell.into()))).await;
    matches!(sent, Ok(Ok(())))
}
