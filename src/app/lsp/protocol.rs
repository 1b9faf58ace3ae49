//! What the server uses of the protocol of editors: the names of methods, and the structures of their messages.
//!
//! Source: Language Server Protocol 3.17.

use serde::{Deserialize, Serialize};

/// Names of methods.
pub(super) mod method {
    pub(crate) const INITIALIZE: &str = "initialize";
    pub(crate) const INITIALIZED: &str = "initialized";
    pub(crate) const SHUTDOWN: &str = "shutdown";
    pub(crate) const EXIT: &str = "exit";
    pub(crate) const CANCEL: &str = "$/cancelRequest";
    pub(crate) const REGISTER: &str = "client/registerCapability";

    pub(crate) const DID_OPEN: &str = "textDocument/didOpen";
    pub(crate) const DID_CHANGE: &str = "textDocument/didChange";
    pub(crate) const DID_SAVE: &str = "textDocument/didSave";
    pub(crate) const DID_CLOSE: &str = "textDocument/didClose";
    pub(crate) const DID_CHANGE_FILES: &str = "workspace/didChangeWatchedFiles";
    pub(crate) const DID_CHANGE_FOLDERS: &str = "workspace/didChangeWorkspaceFolders";
    pub(crate) const PUBLISH_DIAGNOSTICS: &str = "textDocument/publishDiagnostics";

    pub(crate) const HOVER: &str = "textDocument/hover";
    pub(crate) const DEFINITION: &str = "textDocument/definition";
    pub(crate) const REFERENCES: &str = "textDocument/references";
    pub(crate) const HIGHLIGHT: &str = "textDocument/documentHighlight";
    pub(crate) const PREPARE_RENAME: &str = "textDocument/prepareRename";
    pub(crate) const RENAME: &str = "textDocument/rename";
    pub(crate) const COMPLETION: &str = "textDocument/completion";
    pub(crate) const SYMBOLS: &str = "textDocument/documentSymbol";
    pub(crate) const SEMANTIC_TOKENS: &str = "textDocument/semanticTokens/full";
    pub(crate) const FORMATTING: &str = "textDocument/formatting";
    pub(crate) const FOLDING: &str = "textDocument/foldingRange";
    pub(crate) const HINTS: &str = "textDocument/inlayHint";
    pub(crate) const CODE_ACTIONS: &str = "textDocument/codeAction";
}

/// A place in a text: line and character, from 0. A character is a byte or a unit of UTF-16, as editor and server agreed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct EditorPosition {
    pub(super) line: u32,
    pub(super) character: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct EditorRange {
    pub(super) start: EditorPosition,
    pub(super) end: EditorPosition,
}

#[derive(Clone, Debug, Serialize)]
pub(super) struct Location {
    pub(super) uri: String,
    pub(super) range: EditorRange,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct TextEdit {
    pub(super) range: EditorRange,
    pub(super) new_text: String,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct EditorDiagnostic {
    pub(super) range: EditorRange,
    /// 1 for errors, 2 for warnings.
    pub(super) severity: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) code: Option<&'static str>,
    pub(super) source: &'static str,
    pub(super) message: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) related_information: Vec<RelatedInformation>,
}

#[derive(Debug, Serialize)]
pub(super) struct RelatedInformation {
    pub(super) location: Location,
    pub(super) message: String,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct DocumentSymbol {
    pub(super) name: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(super) detail: String,
    pub(super) kind: u8,
    pub(super) range: EditorRange,
    pub(super) selection_range: EditorRange,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) children: Vec<DocumentSymbol>,
}

/// Kinds of symbols.
pub(super) mod symbol {
    pub(crate) const MODULE: u8 = 2;
    pub(crate) const NAMESPACE: u8 = 3;
    pub(crate) const METHOD: u8 = 6;
    pub(crate) const PROPERTY: u8 = 7;
    pub(crate) const FIELD: u8 = 8;
    pub(crate) const ENUM: u8 = 10;
    pub(crate) const INTERFACE: u8 = 11;
    pub(crate) const FUNCTION: u8 = 12;
    pub(crate) const VARIABLE: u8 = 13;
    pub(crate) const CONSTANT: u8 = 14;
    pub(crate) const OBJECT: u8 = 19;
    pub(crate) const ENUM_MEMBER: u8 = 22;
    pub(crate) const EVENT: u8 = 24;
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct CompletionEntry {
    pub(super) label: String,
    pub(super) kind: u8,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(super) detail: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(super) documentation: String,
    pub(super) sort_text: String,
    pub(super) text_edit: TextEdit,
}

/// Kinds of completions.
pub(super) mod completion {
    pub(crate) const FUNCTION: u8 = 3;
    pub(crate) const FIELD: u8 = 5;
    pub(crate) const VARIABLE: u8 = 6;
    pub(crate) const CLASS: u8 = 7;
    pub(crate) const MODULE: u8 = 9;
    pub(crate) const VALUE: u8 = 12;
    pub(crate) const ENUM: u8 = 13;
    pub(crate) const KEYWORD: u8 = 14;
    pub(crate) const ENUM_MEMBER: u8 = 20;
    pub(crate) const CONSTANT: u8 = 21;
    pub(crate) const EVENT: u8 = 23;
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct FoldingRange {
    pub(super) start_line: u32,
    pub(super) end_line: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) kind: Option<&'static str>,
}

/// What an editor says of itself.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct InitializeParams {
    pub(super) capabilities: Capabilities,
    /// The folder of an editor that has only one.
    pub(super) root_uri: Option<String>,
    pub(super) workspace_folders: Option<Vec<WorkspaceFolder>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Capabilities {
    pub(super) general: GeneralCapabilities,
    pub(super) workspace: WorkspaceCapabilities,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct GeneralCapabilities {
    pub(super) position_encodings: Vec<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct WorkspaceCapabilities {
    pub(super) did_change_watched_files: WatchCapabilities,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct WatchCapabilities {
    /// The editor tells of changes if it is asked.
    pub(super) dynamic_registration: bool,
}

#[derive(Debug, Deserialize)]
pub(super) struct WorkspaceFolder {
    pub(super) uri: String,
}

#[derive(Debug, Deserialize)]
pub(super) struct FolderEvent {
    pub(super) added: Vec<WorkspaceFolder>,
    pub(super) removed: Vec<WorkspaceFolder>,
}

#[derive(Debug, Deserialize)]
pub(super) struct FolderParams {
    pub(super) event: FolderEvent,
}

/// A document, and its version and its text where they are told.
#[derive(Debug, Deserialize)]
pub(super) struct EditorDocument {
    pub(super) uri: String,
    #[serde(default)]
    pub(super) version: i64,
    #[serde(default)]
    pub(super) text: String,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct DocumentParams {
    pub(super) text_document: EditorDocument,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ChangeParams {
    pub(super) text_document: EditorDocument,
    pub(super) content_changes: Vec<ContentChange>,
}

/// A new text, of a range or of the whole document.
#[derive(Debug, Deserialize)]
pub(super) struct ContentChange {
    pub(super) range: Option<EditorRange>,
    pub(super) text: String,
}

/// A position in a document.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PlaceParams {
    pub(super) text_document: EditorDocument,
    pub(super) position: EditorPosition,
}

#[derive(Debug, Deserialize)]
pub(super) struct ReferenceParams {
    #[serde(flatten)]
    pub(super) place: PlaceParams,
    pub(super) context: ReferenceContext,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ReferenceContext {
    pub(super) include_declaration: bool,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct RenameParams {
    #[serde(flatten)]
    pub(super) place: PlaceParams,
    pub(super) new_name: String,
}

/// A range of a document, and which code actions are wanted there.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct RangeParams {
    pub(super) text_document: EditorDocument,
    pub(super) range: EditorRange,
    #[serde(default)]
    pub(super) context: ActionContext,
}

#[derive(Debug, Default, Deserialize)]
pub(super) struct ActionContext {
    pub(super) only: Option<Vec<String>>,
}
