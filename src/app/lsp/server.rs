//! The state of a server: what the editor has opened, and where the conversation stands.

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use lsp_server::{ErrorCode, Message, Notification, Request, RequestId, Response};
use lsp_types::notification::{
    Cancel, DidChangeTextDocument, DidChangeWatchedFiles, DidChangeWorkspaceFolders, DidCloseTextDocument,
    DidOpenTextDocument, DidSaveTextDocument, Exit, Initialized, Notification as _, PublishDiagnostics,
};
use lsp_types::request::{Initialize, RegisterCapability, Request as _, Shutdown};
use lsp_types::{
    CancelParams, DidChangeTextDocumentParams, DidChangeWorkspaceFoldersParams, DidCloseTextDocumentParams,
    DidOpenTextDocumentParams, InitializeParams, NumberOrString, PositionEncodingKind,
    PublishDiagnosticsParams,
};
use serde::de::DeserializeOwned;
use serde_json::{Value as Json, from_value, json};

use super::uri::{file_of, uri_of};
use super::{convert, requests};
use houserule_base::files::SCRIPT_ENDING;
use houserule_desk::service::{LineIndex, PositionEncoding, Workspace};
use houserule_loader::folders::{DEEPEST, files_in, texts_of};

/// Where the conversation stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum ConversationPhase {
    /// The editor has not introduced itself.
    #[default]
    New,
    Open,
    /// The editor has said `shutdown`.
    ShutDown,
    Over {
        shut_down: bool,
    },
}

/// Why a request is not answered.
#[derive(Debug)]
pub(super) struct Refusal {
    pub(super) code: ErrorCode,
    pub(super) message: String,
}

impl Refusal {
    /// What the user asked for can't be done.
    pub(super) fn failed(message: String) -> Refusal {
        Refusal { code: ErrorCode::RequestFailed, message }
    }
}

/// A server.
pub(super) struct Server {
    pub(super) workspace: Workspace,
    pub(super) encoding: PositionEncoding,
    phase: ConversationPhase,
    /// The addresses of the open documents, as the editor writes them.
    addresses: BTreeMap<String, String>,
    folders: BTreeSet<PathBuf>,
    /// The editor tells when files change, if asked.
    watches: bool,
    /// Files whose messages must be sent again.
    stale: BTreeSet<String>,
}

impl Default for Server {
    fn default() -> Self {
        Server {
            workspace: Workspace::default(),
            encoding: PositionEncoding::Utf16,
            phase: ConversationPhase::default(),
            addresses: BTreeMap::new(),
            folders: BTreeSet::new(),
            watches: false,
            stale: BTreeSet::new(),
        }
    }
}

impl Server {
    pub(super) fn is_over(&self) -> bool {
        matches!(self.phase, ConversationPhase::Over { .. })
    }

    pub(super) fn was_shut_down(&self) -> bool {
        matches!(self.phase, ConversationPhase::ShutDown | ConversationPhase::Over { shut_down: true })
    }

    /// Takes messages and returns what is sent back.
    pub(super) fn take(&mut self, messages: Vec<Message>) -> Vec<Message> {
        let cancelled: Vec<RequestId> = messages.iter().filter_map(cancelled).collect();
        let mut answers = vec![];
        for message in messages {
            if self.is_over() {
                break;
            }
            match message {
                Message::Request(Request { id, .. }) if cancelled.contains(&id) => {
                    let message = "cancelled".to_owned();
                    answers.push(Response::new_err(id, ErrorCode::RequestCanceled as i32, message).into());
                }
                Message::Request(request) => answers.push(self.answer(request).into()),
                Message::Notification(notification) => answers.extend(self.hear(notification)),
                // Nothing that is asked of the editor needs its answer.
                Message::Response(_) => {}
            }
        }
        for file in std::mem::take(&mut self.stale) {
            answers.extend(self.publish(&file));
        }
        answers
    }

    fn answer(&mut self, request: Request) -> Response {
        let Request { id, method, params } = request;
        let refused = |code, message: &str| Err(Refusal { code, message: message.to_owned() });
        let result = match (self.phase, method.as_str()) {
            (ConversationPhase::New, Initialize::METHOD) => self.initialize(params),
            (ConversationPhase::New, _) => {
                refused(ErrorCode::ServerNotInitialized, "send `initialize` first")
            }
            (ConversationPhase::ShutDown | ConversationPhase::Over { .. }, _) => {
                refused(ErrorCode::InvalidRequest, "the server is shut down")
            }
            (ConversationPhase::Open, Initialize::METHOD) => {
                refused(ErrorCode::InvalidRequest, "`initialize` comes once")
            }
            (ConversationPhase::Open, Shutdown::METHOD) => {
                self.phase = ConversationPhase::ShutDown;
                Ok(Json::Null)
            }
            (ConversationPhase::Open, method) => {
                let answer = AssertUnwindSafe(|| requests::answer(self, method, params));
                catch_unwind(answer).unwrap_or_else(|_| {
                    let message = format!("`{method}` failed because of an error in the server");
                    Err(Refusal { code: ErrorCode::InternalError, message })
                })
            }
        };
        match result {
            Ok(result) => Response::new_ok(id, result),
            Err(Refusal { code, message }) => Response::new_err(id, code as i32, message),
        }
    }

    fn initialize(&mut self, params: Json) -> Result<Json, Refusal> {
        let params: InitializeParams = read(params)?;
        let general = params.capabilities.general.as_ref();
        let encodings = general.and_then(|general| general.position_encodings.as_ref());
        if encodings.is_some_and(|all| all.contains(&PositionEncodingKind::UTF8)) {
            self.encoding = PositionEncoding::Utf8;
        }
        let workspace = params.capabilities.workspace.as_ref();
        let watching = workspace.and_then(|workspace| workspace.did_change_watched_files.as_ref());
        self.watches = watching.and_then(|watching| watching.dynamic_registration).unwrap_or(false);
        #[expect(deprecated, reason = "editors without several folders say their folder here")]
        let root = params.root_uri.iter().map(|uri| uri.as_str().to_owned());
        let folders = params.workspace_folders.iter().flatten().map(|folder| folder.uri.as_str().to_owned());
        self.folders = folders.chain(root).map(|uri| PathBuf::from(file_of(&uri))).collect();
        self.phase = ConversationPhase::Open;
        Ok(json!({
            "capabilities": requests::capabilities(self.encoding),
            "serverInfo": {"name": "houserule", "version": env!("CARGO_PKG_VERSION")},
        }))
    }

    /// Takes a notification. One that can't be read is ignored: there is nobody to tell.
    fn hear(&mut self, notification: Notification) -> Vec<Message> {
        let Notification { method, params } = notification;
        if method == Exit::METHOD {
            self.phase = ConversationPhase::Over { shut_down: self.phase == ConversationPhase::ShutDown };
        }
        if self.phase != ConversationPhase::Open {
            return vec![];
        }
        match method.as_str() {
            Initialized::METHOD if self.watches => return vec![watch_files()],
            DidOpenTextDocument::METHOD => {
                if let Ok(DidOpenTextDocumentParams { text_document: opened }) = read(params) {
                    let file = file_of(opened.uri.as_str());
                    self.addresses.insert(file.clone(), opened.uri.as_str().to_owned());
                    // The editor begins again to count.
                    self.workspace.close(&file);
                    self.workspace.open(&file, opened.version.into(), &opened.text);
                    self.know_folders_of(&file);
                    self.touch(&file);
                }
            }
            DidChangeTextDocument::METHOD => {
                if let Ok(DidChangeTextDocumentParams { text_document, content_changes }) = read(params) {
                    let file = file_of(text_document.uri.as_str());
                    let whole = content_changes.into_iter().rev().find(|change| change.range.is_none());
                    if let (Some(whole), true) = (whole, self.addresses.contains_key(&file))
                        && self.workspace.open(&file, text_document.version.into(), &whole.text)
                    {
                        self.touch(&file);
                    }
                }
            }
            DidCloseTextDocument::METHOD => {
                if let Ok(DidCloseTextDocumentParams { text_document }) = read(params) {
                    let file = file_of(text_document.uri.as_str());
                    self.touch(&file);
                    self.workspace.close(&file);
                    self.stale.insert(file);
                }
            }
            DidSaveTextDocument::METHOD | DidChangeWatchedFiles::METHOD => {
                self.know_folders();
                self.workspace.recheck();
                self.stale.extend(self.workspace.open_files());
            }
            DidChangeWorkspaceFolders::METHOD => {
                if let Ok(DidChangeWorkspaceFoldersParams { event }) = read(params) {
                    let path = |uri: &lsp_types::Uri| PathBuf::from(file_of(uri.as_str()));
                    for gone in &event.removed {
                        self.folders.remove(&path(&gone.uri));
                    }
                    self.folders.extend(event.added.iter().map(|new| path(&new.uri)));
                    // Files of a new folder may stand on those that are open, and the other way round.
                    self.know_folders();
                    self.workspace.recheck();
                    self.stale.extend(self.workspace.open_files());
                }
            }
            _ => {}
        }
        vec![]
    }

    /// Notes that the messages of a file, and of those that stand on it, must be sent again.
    fn touch(&mut self, file: &str) {
        let affected = catch_unwind(AssertUnwindSafe(|| self.workspace.affected(file)));
        self.stale.extend(affected.unwrap_or_default());
        self.stale.insert(file.to_owned());
    }

    /// Reads the files around a document that was opened: the rules that name a script tell its messages.
    fn know_folders_of(&mut self, file: &str) {
        let folder = Path::new(file).parent().filter(|folder| folder.is_absolute());
        let is_new = folder.is_some_and(|folder| !self.folders.iter().any(|known| folder.starts_with(known)));
        if is_new || file.ends_with(SCRIPT_ENDING) {
            self.know_folders();
        }
    }

    /// Reads the files in all folders: those that the editor has opened, and those of its documents.
    pub(super) fn know_folders(&mut self) {
        let mut folders: Vec<PathBuf> = self.folders.iter().cloned().collect();
        for file in self.workspace.open_files() {
            let folder = Path::new(&file).parent().filter(|folder| folder.is_absolute());
            if let Some(folder) = folder.filter(|one| !folders.iter().any(|known| one.starts_with(known))) {
                folders.push(folder.to_owned());
            }
        }
        self.workspace.know(texts_of(&files_in(&folders, DEEPEST)));
    }

    /// Returns `true` if the editor has opened a file.
    pub(super) fn is_open(&self, file: &str) -> bool {
        self.addresses.contains_key(file)
    }

    /// The address of a file: as the editor writes it, if it has opened the file.
    pub(super) fn address(&self, file: &str) -> String {
        self.addresses.get(file).cloned().unwrap_or_else(|| uri_of(file))
    }

    /// The messages of a document, or none if it is closed.
    fn publish(&mut self, file: &str) -> Option<Message> {
        let address = self.address(file);
        let version = self.workspace.version(file);
        let found = catch_unwind(AssertUnwindSafe(|| self.diagnostics(file)));
        if version.is_none() {
            self.addresses.remove(file);
        }
        let params = PublishDiagnosticsParams {
            uri: convert::uri(&address)?,
            diagnostics: found.ok().filter(|_| version.is_some()).unwrap_or_default(),
            version: version.and_then(|version| i32::try_from(version).ok()),
        };
        Some(Notification::new(PublishDiagnostics::METHOD.to_owned(), params).into())
    }

    fn diagnostics(&mut self, file: &str) -> Vec<lsp_types::Diagnostic> {
        let Some(text) = self.workspace.text(file) else { return vec![] };
        let messages = self.workspace.messages(file);
        let index = LineIndex::new(&text, self.encoding);
        let mut shown = |message| convert::diagnostic(message, &index, |place| self.location(place));
        messages.iter().map(&mut shown).collect()
    }
}

/// Reads the parameters of a message.
pub(super) fn read<P: DeserializeOwned>(params: Json) -> Result<P, Refusal> {
    from_value(params).map_err(|error| Refusal { code: ErrorCode::InvalidParams, message: error.to_string() })
}

/// The request that a notification cancels.
fn cancelled(message: &Message) -> Option<RequestId> {
    let Message::Notification(Notification { method, params }) = message else { return None };
    if method != Cancel::METHOD {
        return None;
    }
    let CancelParams { id } = from_value(params.clone()).ok()?;
    Some(match id {
        NumberOrString::Number(number) => number.into(),
        NumberOrString::String(text) => text.into(),
    })
}

/// Asks the editor to tell when rule files and scripts change.
fn watch_files() -> Message {
    let watchers = ["**/*.rules", "**/*.rhai"].map(|pattern| json!({"globPattern": pattern}));
    let method = DidChangeWatchedFiles::METHOD;
    let registration = json!({"id": "files", "method": method, "registerOptions": {"watchers": watchers}});
    let params = json!({"registrations": [registration]});
    Request::new("files".to_owned().into(), RegisterCapability::METHOD.to_owned(), params).into()
}
