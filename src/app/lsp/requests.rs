//! What the server can be asked, each request with its answer.

use std::collections::BTreeMap;

use lsp_server::ErrorCode;
use lsp_types::request::{
    CodeActionRequest, Completion, DocumentHighlightRequest, DocumentSymbolRequest, FoldingRangeRequest,
    Formatting, GotoDefinition, HoverRequest, InlayHintRequest, PrepareRenameRequest, References, Rename,
    Request, SemanticTokensFullRequest,
};
use lsp_types::{
    CodeActionKind, CodeActionOptions, CodeActionParams, CodeActionProviderCapability, CompletionItem,
    CompletionOptions, CompletionParams, CompletionTextEdit, Diagnostic, DocumentFormattingParams,
    DocumentHighlight, DocumentHighlightParams, DocumentSymbolParams, DocumentSymbolResponse, Documentation,
    FoldingRange, FoldingRangeKind, FoldingRangeParams, FoldingRangeProviderCapability, GotoDefinitionParams,
    GotoDefinitionResponse, Hover, HoverContents, HoverParams, HoverProviderCapability, InlayHint,
    InlayHintKind, InlayHintLabel, InlayHintParams, Location, MarkupContent, MarkupKind, OneOf,
    PositionEncodingKind, PrepareRenameResponse, ReferenceParams, RenameOptions, RenameParams,
    SemanticTokens, SemanticTokensFullOptions, SemanticTokensLegend, SemanticTokensOptions,
    SemanticTokensParams, SemanticTokensResult, SemanticTokensServerCapabilities, ServerCapabilities,
    TextDocumentPositionParams, TextDocumentSyncCapability, TextDocumentSyncKind, TextDocumentSyncOptions,
    TextDocumentSyncSaveOptions, TextEdit, WorkDoneProgressOptions, WorkspaceFoldersServerCapabilities,
    WorkspaceServerCapabilities,
};
use serde_json::{Value as Json, json};

use super::convert::{self, byte, range};
use super::server::{Refusal, Server, read};
use super::uri::{can_be_opened, file_of};
use houserule_desk::service::{CompletionKind, LineIndex, PositionEncoding, TextChange, TextPlace};

type Reply<T> = Result<T, Refusal>;

/// What the server offers.
pub(super) fn capabilities(encoding: PositionEncoding) -> ServerCapabilities {
    let no_progress = WorkDoneProgressOptions::default();
    ServerCapabilities {
        position_encoding: Some(match encoding {
            PositionEncoding::Utf8 => PositionEncodingKind::UTF8,
            PositionEncoding::Utf16 => PositionEncodingKind::UTF16,
        }),
        text_document_sync: Some(TextDocumentSyncCapability::Options(TextDocumentSyncOptions {
            open_close: Some(true),
            change: Some(TextDocumentSyncKind::FULL),
            save: Some(TextDocumentSyncSaveOptions::Supported(true)),
            ..TextDocumentSyncOptions::default()
        })),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        definition_provider: Some(OneOf::Left(true)),
        references_provider: Some(OneOf::Left(true)),
        document_highlight_provider: Some(OneOf::Left(true)),
        rename_provider: Some(OneOf::Right(RenameOptions {
            prepare_provider: Some(true),
            work_done_progress_options: no_progress,
        })),
        completion_provider: Some(CompletionOptions {
            trigger_characters: Some(["@", ".", "\""].map(str::to_owned).to_vec()),
            ..CompletionOptions::default()
        }),
        document_symbol_provider: Some(OneOf::Left(true)),
        document_formatting_provider: Some(OneOf::Left(true)),
        folding_range_provider: Some(FoldingRangeProviderCapability::Simple(true)),
        inlay_hint_provider: Some(OneOf::Left(true)),
        code_action_provider: Some(CodeActionProviderCapability::Options(CodeActionOptions {
            code_action_kinds: Some(vec![CodeActionKind::QUICKFIX]),
            ..CodeActionOptions::default()
        })),
        semantic_tokens_provider: Some(SemanticTokensServerCapabilities::SemanticTokensOptions(
            SemanticTokensOptions {
                legend: SemanticTokensLegend {
                    token_types: convert::TOKEN_TYPES.iter().map(|(_, name)| name.clone()).collect(),
                    token_modifiers: convert::TOKEN_MODIFIERS.to_vec(),
                },
                full: Some(SemanticTokensFullOptions::Bool(true)),
                ..SemanticTokensOptions::default()
            },
        )),
        workspace: Some(WorkspaceServerCapabilities {
            // Editors tell of folders that are added later only to those who ask.
            workspace_folders: Some(WorkspaceFoldersServerCapabilities {
                supported: Some(true),
                change_notifications: Some(OneOf::Left(true)),
            }),
            ..WorkspaceServerCapabilities::default()
        }),
        ..ServerCapabilities::default()
    }
}

/// Answers a request.
pub(super) fn answer(server: &mut Server, method: &str, params: Json) -> Reply<Json> {
    match method {
        HoverRequest::METHOD => reply::<HoverRequest>(server, params, hover),
        GotoDefinition::METHOD => reply::<GotoDefinition>(server, params, definition),
        References::METHOD => reply::<References>(server, params, references),
        DocumentHighlightRequest::METHOD => reply::<DocumentHighlightRequest>(server, params, highlight),
        PrepareRenameRequest::METHOD => reply::<PrepareRenameRequest>(server, params, prepare_rename),
        Rename::METHOD => rename(server, read(params)?),
        Completion::METHOD => completion(server, read(params)?),
        DocumentSymbolRequest::METHOD => reply::<DocumentSymbolRequest>(server, params, symbols),
        SemanticTokensFullRequest::METHOD => {
            reply::<SemanticTokensFullRequest>(server, params, semantic_tokens)
        }
        Formatting::METHOD => reply::<Formatting>(server, params, formatting),
        FoldingRangeRequest::METHOD => reply::<FoldingRangeRequest>(server, params, folding),
        InlayHintRequest::METHOD => reply::<InlayHintRequest>(server, params, hints),
        CodeActionRequest::METHOD => code_actions(server, read(params)?),
        _ => {
            let message = format!("there is no method `{method}`");
            Err(Refusal { code: ErrorCode::MethodNotFound, message })
        }
    }
}

fn reply<R: Request>(
    server: &mut Server,
    params: Json,
    answer: impl FnOnce(&mut Server, R::Params) -> Reply<R::Result>,
) -> Reply<Json> {
    Ok(json!(answer(server, read(params)?)?))
}

impl Server {
    /// The file and the byte of a position.
    fn place_of(&self, at: &TextDocumentPositionParams) -> Option<(String, usize)> {
        let file = file_of(at.text_document.uri.as_str());
        let text = self.workspace.text(&file)?;
        let byte = byte(&LineIndex::new(&text, self.encoding), at.position);
        Some((file, byte))
    }

    /// A range of a file in the protocol's terms.
    fn range_of(&self, place: &TextPlace) -> Option<lsp_types::Range> {
        // A file that is not open is as it is on disk.
        let text = match self.workspace.text(&place.file) {
            Some(text) => text,
            None => std::fs::read_to_string(&place.file).ok()?.into(),
        };
        Some(range(&LineIndex::new(&text, self.encoding), place.range()))
    }

    /// A place of a file in the protocol's terms. `None` if editors can't open the file.
    pub(super) fn location(&self, place: &TextPlace) -> Option<Location> {
        if !self.is_open(&place.file) && !can_be_opened(&place.file) {
            return None;
        }
        Some(Location { uri: convert::uri(&self.address(&place.file))?, range: self.range_of(place)? })
    }

    /// Changes in the protocol's terms: a list for each address.
    fn workspace_edit(&self, changes: &[TextChange]) -> Json {
        let mut edits: BTreeMap<String, Vec<TextEdit>> = BTreeMap::new();
        for change in changes {
            if let Some(range) = self.range_of(&change.place) {
                let address = self.address(&change.place.file);
                edits.entry(address).or_default().push(TextEdit { range, new_text: change.text.clone() });
            }
        }
        json!({"changes": edits})
    }
}

fn hover(server: &mut Server, params: HoverParams) -> Reply<Option<Hover>> {
    let Some((file, byte)) = server.place_of(&params.text_document_position_params) else { return Ok(None) };
    let Some(found) = server.workspace.hover(&file, byte) else { return Ok(None) };
    let mut value = format!("```houserule\n{}\n```", found.code);
    if !found.help.is_empty() {
        value.push_str(&format!("\n\n{}", found.help.replace('\n', "\n\n")));
    }
    let contents = HoverContents::Markup(MarkupContent { kind: MarkupKind::Markdown, value });
    Ok(Some(Hover { contents, range: server.range_of(&found.place) }))
}

fn definition(server: &mut Server, params: GotoDefinitionParams) -> Reply<Option<GotoDefinitionResponse>> {
    let Some((file, byte)) = server.place_of(&params.text_document_position_params) else { return Ok(None) };
    let found = server.workspace.definitions(&file, byte);
    let places: Vec<Location> = found.iter().filter_map(|place| server.location(place)).collect();
    Ok((!places.is_empty()).then_some(GotoDefinitionResponse::Array(places)))
}

fn references(server: &mut Server, params: ReferenceParams) -> Reply<Option<Vec<Location>>> {
    server.know_folders();
    let Some((file, byte)) = server.place_of(&params.text_document_position) else { return Ok(None) };
    let mut found = server.workspace.references(&file, byte);
    if !params.context.include_declaration {
        let defined = server.workspace.definitions(&file, byte);
        found.retain(|place| !defined.contains(place));
    }
    Ok(Some(found.iter().filter_map(|place| server.location(place)).collect()))
}

fn highlight(server: &mut Server, params: DocumentHighlightParams) -> Reply<Option<Vec<DocumentHighlight>>> {
    let Some((file, byte)) = server.place_of(&params.text_document_position_params) else { return Ok(None) };
    let mut found = server.workspace.references(&file, byte);
    found.retain(|place| place.file == file);
    let places = found.iter().filter_map(|place| server.range_of(place));
    Ok(Some(places.map(|range| DocumentHighlight { range, kind: None }).collect()))
}

fn prepare_rename(
    server: &mut Server,
    params: TextDocumentPositionParams,
) -> Reply<Option<PrepareRenameResponse>> {
    server.know_folders();
    let Some((file, byte)) = server.place_of(&params) else { return Ok(None) };
    let place = server.workspace.renamable(&file, byte).map_err(Refusal::failed)?;
    Ok(server.range_of(&place).map(PrepareRenameResponse::Range))
}

fn rename(server: &mut Server, params: RenameParams) -> Reply<Json> {
    server.know_folders();
    let Some((file, byte)) = server.place_of(&params.text_document_position) else { return Ok(Json::Null) };
    let changes = server.workspace.rename(&file, byte, &params.new_name).map_err(Refusal::failed)?;
    Ok(server.workspace_edit(&changes))
}

fn completion(server: &mut Server, params: CompletionParams) -> Reply<Json> {
    let Some((file, byte)) = server.place_of(&params.text_document_position) else { return Ok(Json::Null) };
    let found = server.workspace.complete(&file, byte);
    // All items replace the same place.
    let Some(range) = found.first().and_then(|item| server.range_of(&item.place)) else {
        return Ok(json!([]));
    };
    let item = |item: &houserule_desk::service::CompletionItem| {
        // Names of the rules come before the words of the language.
        let rank = match item.kind {
            CompletionKind::Name(_) | CompletionKind::Game => 0,
            CompletionKind::Keyword => 1,
            CompletionKind::BuiltIn | CompletionKind::Function => 2,
            CompletionKind::Word => 3,
        };
        CompletionItem {
            label: item.word.clone(),
            kind: Some(convert::completion_kind(item.kind)),
            detail: Some(item.detail.clone()).filter(|detail| !detail.is_empty()),
            documentation: Some(item.help.clone()).filter(|help| !help.is_empty()).map(Documentation::String),
            sort_text: Some(format!("{rank}{}", item.word)),
            text_edit: Some(CompletionTextEdit::Edit(TextEdit { range, new_text: item.word.clone() })),
            ..CompletionItem::default()
        }
    };
    Ok(json!(found.iter().map(item).collect::<Vec<_>>()))
}

fn symbols(server: &mut Server, params: DocumentSymbolParams) -> Reply<Option<DocumentSymbolResponse>> {
    let file = file_of(params.text_document.uri.as_str());
    let Some(text) = server.workspace.text(&file) else { return Ok(None) };
    let index = LineIndex::new(&text, server.encoding);
    let outline = server.workspace.outline(&file);
    Ok(Some(DocumentSymbolResponse::Nested(convert::symbols(&outline, &index))))
}

fn semantic_tokens(server: &mut Server, params: SemanticTokensParams) -> Reply<Option<SemanticTokensResult>> {
    let file = file_of(params.text_document.uri.as_str());
    let Some(text) = server.workspace.text(&file) else { return Ok(None) };
    let index = LineIndex::new(&text, server.encoding);
    let data = convert::semantic_tokens(&server.workspace.tokens(&file), &index);
    Ok(Some(SemanticTokensResult::Tokens(SemanticTokens { result_id: None, data })))
}

fn formatting(server: &mut Server, params: DocumentFormattingParams) -> Reply<Option<Vec<TextEdit>>> {
    let file = file_of(params.text_document.uri.as_str());
    let changes = server.workspace.format(&file).map_err(Refusal::failed)?;
    let edit = |change: &TextChange| {
        Some(TextEdit { range: server.range_of(&change.place)?, new_text: change.text.clone() })
    };
    Ok(Some(changes.iter().filter_map(edit).collect()))
}

fn folding(server: &mut Server, params: FoldingRangeParams) -> Reply<Option<Vec<FoldingRange>>> {
    let file = file_of(params.text_document.uri.as_str());
    let Some(text) = server.workspace.text(&file) else { return Ok(None) };
    let index = LineIndex::new(&text, server.encoding);
    let fold = |(bytes, is_comment): (std::ops::Range<usize>, bool)| {
        let (start, end) = (index.position(bytes.start).line as u32, index.position(bytes.end).line as u32);
        FoldingRange {
            start_line: start,
            // The closing brace stays in sight.
            end_line: if is_comment { end } else { end.saturating_sub(1).max(start) },
            kind: is_comment.then_some(FoldingRangeKind::Comment),
            ..FoldingRange::default()
        }
    };
    Ok(Some(server.workspace.folds(&file).into_iter().map(fold).collect()))
}

fn hints(server: &mut Server, params: InlayHintParams) -> Reply<Option<Vec<InlayHint>>> {
    let file = file_of(params.text_document.uri.as_str());
    let Some(text) = server.workspace.text(&file) else { return Ok(None) };
    let index = LineIndex::new(&text, server.encoding);
    let bytes = byte(&index, params.range.start)..byte(&index, params.range.end) + 1;
    let hints = server.workspace.type_hints(&file, bytes);
    let hint = |hint: &houserule_desk::service::TypeHint| InlayHint {
        position: convert::position(&index, hint.byte),
        label: InlayHintLabel::String(hint.text.clone()),
        kind: Some(InlayHintKind::TYPE),
        text_edits: None,
        tooltip: None,
        padding_left: None,
        padding_right: None,
        data: None,
    };
    Ok(Some(hints.iter().map(hint).collect()))
}

fn code_actions(server: &mut Server, params: CodeActionParams) -> Reply<Json> {
    let file = file_of(params.text_document.uri.as_str());
    let Some(text) = server.workspace.text(&file) else { return Ok(Json::Null) };
    let wanted = params.context.only.as_ref();
    if wanted.is_some_and(|kinds| !kinds.iter().any(|kind| ["", "quickfix"].contains(&kind.as_str()))) {
        return Ok(json!([]));
    }
    let index = LineIndex::new(&text, server.encoding);
    let bytes = byte(&index, params.range.start)..byte(&index, params.range.end);
    let fixes = server.workspace.fixes(&file, bytes);
    let action = |fix: &houserule_desk::service::MessageFix| {
        let told: Diagnostic = convert::diagnostic(&fix.message, &index, |place| server.location(place));
        json!({
            "title": fix.title,
            "kind": CodeActionKind::QUICKFIX,
            "diagnostics": [told],
            "isPreferred": true,
            "edit": server.workspace_edit(&fix.changes),
        })
    };
    Ok(json!(fixes.iter().map(action).collect::<Vec<_>>()))
}
