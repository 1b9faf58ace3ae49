//! The state of a server: what the editor has opened, and where the conversation stands.

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use lsp_server::{ErrorCode, Message, Notification, Request, RequestId, Response};
use serde::de::DeserializeOwned;
use serde_json::{Value as Json, from_value, json};

use super::protocol::{
    Capabilities, ChangeParams, DocumentParams, EditorDiagnostic, FolderParams, InitializeParams,
    WorkspaceFolder, method,
};
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
            answers.push(self.publish(&file));
        }
        answers
    }

    fn answer(&mut self, request: Request) -> Response {
        let Request { id, method, params } = request;
        let refused = |code, message: &str| Err(Refusal { code, message: message.to_owned() });
        let result = match (self.phase, method.as_str()) {
            (ConversationPhase::New, method::INITIALIZE) => self.initialize(params),
            (ConversationPhase::New, _) => {
                refused(ErrorCode::ServerNotInitialized, "send `initialize` first")
            }
            (ConversationPhase::ShutDown | ConversationPhase::Over { .. }, _) => {
                refused(ErrorCode::InvalidRequest, "the server is shut down")
            }
            (ConversationPhase::Open, method::INITIALIZE) => {
                refused(ErrorCode::InvalidRequest, "`initialize` comes once")
            }
            (ConversationPhase::Open, method::SHUTDOWN) => {
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
        let Capabilities { general, workspace } = params.capabilities;
        if general.position_encodings.iter().any(|encoding| encoding == "utf-8") {
            self.encoding = PositionEncoding::Utf8;
        }
        self.watches = workspace.did_change_watched_files.dynamic_registration;
        let folders = params.workspace_folders.into_iter().flatten().map(|folder| folder.uri);
        self.folders = folders.chain(params.root_uri).map(|uri| PathBuf::from(file_of(&uri))).collect();
        self.phase = ConversationPhase::Open;
        Ok(json!({
            "capabilities": requests::capabilities(self.encoding),
            "serverInfo": {"name": "houserule", "version": env!("CARGO_PKG_VERSION")},
        }))
    }

    /// Takes a notification. One that can't be read is ignored: there is nobody to tell.
    fn hear(&mut self, notification: Notification) -> Vec<Message> {
        let Notification { method, params } = notification;
        if method == method::EXIT {
            self.phase = ConversationPhase::Over { shut_down: self.phase == ConversationPhase::ShutDown };
        }
        if self.phase != ConversationPhase::Open {
            return vec![];
        }
        match method.as_str() {
            method::INITIALIZED if self.watches => return vec![watch_files()],
            method::DID_OPEN => {
                if let Ok(DocumentParams { text_document: opened }) = read(params) {
                    let file = file_of(&opened.uri);
                    self.addresses.insert(file.clone(), opened.uri.clone());
                    // The editor begins again to count.
                    self.workspace.close(&file);
                    self.workspace.open(&file, opened.version, &opened.text);
                    self.know_folders_of(&file);
                    self.touch(&file);
                }
            }
            method::DID_CHANGE => {
                if let Ok(ChangeParams { text_document, content_changes }) = read(params) {
                    let file = file_of(&text_document.uri);
                    let whole = content_changes.into_iter().rev().find(|change| change.range.is_none());
                    if let (Some(whole), true) = (whole, self.addresses.contains_key(&file))
                        && self.workspace.open(&file, text_document.version, &whole.text)
                    {
                        self.touch(&file);
                    }
                }
            }
            method::DID_CLOSE => {
                if let Ok(DocumentParams { text_document }) = read(params) {
                    let file = file_of(&text_document.uri);
                    self.touch(&file);
                    self.workspace.close(&file);
                    self.stale.insert(file);
                }
            }
            method::DID_SAVE | method::DID_CHANGE_FILES => {
                self.know_folders();
                self.workspace.recheck();
                self.stale.extend(self.workspace.open_files());
            }
            method::DID_CHANGE_FOLDERS => {
                if let Ok(FolderParams { event }) = read(params) {
                    let path = |folder: &WorkspaceFolder| PathBuf::from(file_of(&folder.uri));
                    for gone in &event.removed {
                        self.folders.remove(&path(gone));
                    }
                    self.folders.extend(event.added.iter().map(path));
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
    fn publish(&mut self, file: &str) -> Message {
        let address = self.address(file);
        let version = self.workspace.version(file);
        let found = catch_unwind(AssertUnwindSafe(|| self.diagnostics(file)));
        if version.is_none() {
            self.addresses.remove(file);
        }
        let mut params = json!({
            "uri": address,
            "diagnostics": found.ok().filter(|_| version.is_some()).unwrap_or_default(),
        });
        if let Some(version) = version {
            params["version"] = json!(version);
        }
        Notification::new(method::PUBLISH_DIAGNOSTICS.to_owned(), params).into()
    }

    fn diagnostics(&mut self, file: &str) -> Vec<EditorDiagnostic> {
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
    if method != method::CANCEL {
        return None;
    }
    from_value(params.get("id")?.clone()).ok()
}

/// Asks the editor to tell when rule files and scripts change.
fn watch_files() -> Message {
    let watchers = ["**/*.rules", "**/*.rhai"].map(|pattern| json!({"globPattern": pattern}));
    let registration =
        json!({"id": "files", "method": method::DID_CHANGE_FILES, "registerOptions": {"watchers": watchers}});
    let params = json!({"registrations": [registration]});
    Request::new("files".to_owned().into(), method::REGISTER.to_owned(), params).into()
}
