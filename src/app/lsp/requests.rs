//! What the server can be asked, each request with its answer.

use std::collections::BTreeMap;

use lsp_server::ErrorCode;
use serde::Serialize;
use serde_json::{Value as Json, json};

use super::convert::{self, byte, range};
use super::protocol::{
    CompletionEntry, DocumentParams, DocumentSymbol, EditorRange, FoldingRange, Location, PlaceParams,
    RangeParams, ReferenceParams, RenameParams, TextEdit, method,
};
use super::server::{Refusal, Server, read};
use super::uri::{can_be_opened, file_of};
use houserule_desk::service::{CompletionKind, LineIndex, PositionEncoding, TextChange, TextPlace};

type Reply<T> = Result<T, Refusal>;

/// The kind of all code actions.
const QUICK_FIX: &str = "quickfix";

/// What the server offers.
pub(super) fn capabilities(encoding: PositionEncoding) -> Json {
    json!({
        "positionEncoding": match encoding {
            PositionEncoding::Utf8 => "utf-8",
            PositionEncoding::Utf16 => "utf-16",
        },
        // Each change brings the whole text.
        "textDocumentSync": {"openClose": true, "change": 1, "save": true},
        "hoverProvider": true,
        "definitionProvider": true,
        "referencesProvider": true,
        "documentHighlightProvider": true,
        "renameProvider": {"prepareProvider": true},
        "completionProvider": {"triggerCharacters": ["@", ".", "\""]},
        "documentSymbolProvider": true,
        "documentFormattingProvider": true,
        "foldingRangeProvider": true,
        "inlayHintProvider": true,
        "codeActionProvider": {"codeActionKinds": [QUICK_FIX]},
        "semanticTokensProvider": {
            "legend": {
                "tokenTypes": convert::TOKEN_TYPES.map(|(_, name)| name),
                "tokenModifiers": convert::TOKEN_MODIFIERS,
            },
            "full": true,
        },
        // Editors tell of folders that are added later only to those who ask.
        "workspace": {"workspaceFolders": {"supported": true, "changeNotifications": true}},
    })
}

/// Answers a request.
pub(super) fn answer(server: &mut Server, method: &str, params: Json) -> Reply<Json> {
    match method {
        method::HOVER => hover(server, read(params)?),
        method::DEFINITION => reply(definition(server, read(params)?)),
        method::REFERENCES => reply(references(server, read(params)?)),
        method::HIGHLIGHT => highlight(server, read(params)?),
        method::PREPARE_RENAME => reply(prepare_rename(server, read(params)?)?),
        method::RENAME => rename(server, read(params)?),
        method::COMPLETION => completion(server, read(params)?),
        method::SYMBOLS => reply(symbols(server, read(params)?)),
        method::SEMANTIC_TOKENS => semantic_tokens(server, read(params)?),
        method::FORMATTING => reply(formatting(server, read(params)?)?),
        method::FOLDING => reply(folding(server, read(params)?)),
        method::HINTS => hints(server, read(params)?),
        method::CODE_ACTIONS => code_actions(server, read(params)?),
        _ => {
            let message = format!("there is no method `{method}`");
            Err(Refusal { code: ErrorCode::MethodNotFound, message })
        }
    }
}

fn reply(answer: impl Serialize) -> Reply<Json> {
    Ok(json!(answer))
}

impl Server {
    /// The file and the byte of a position.
    fn place_of(&self, at: &PlaceParams) -> Option<(String, usize)> {
        let file = file_of(&at.text_document.uri);
        let text = self.workspace.text(&file)?;
        let byte = byte(&LineIndex::new(&text, self.encoding), at.position);
        Some((file, byte))
    }

    /// A range of a file in the protocol's terms.
    fn range_of(&self, place: &TextPlace) -> Option<EditorRange> {
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
        Some(Location { uri: self.address(&place.file), range: self.range_of(place)? })
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

fn hover(server: &mut Server, params: PlaceParams) -> Reply<Json> {
    let Some((file, byte)) = server.place_of(&params) else { return Ok(Json::Null) };
    let Some(found) = server.workspace.hover(&file, byte) else { return Ok(Json::Null) };
    let mut value = format!("```houserule\n{}\n```", found.code);
    if !found.help.is_empty() {
        value.push_str(&format!("\n\n{}", found.help.replace('\n', "\n\n")));
    }
    let mut hover = json!({"contents": {"kind": "markdown", "value": value}});
    if let Some(range) = server.range_of(&found.place) {
        hover["range"] = json!(range);
    }
    Ok(hover)
}

fn definition(server: &mut Server, params: PlaceParams) -> Option<Vec<Location>> {
    let (file, byte) = server.place_of(&params)?;
    let found = server.workspace.definitions(&file, byte);
    let places: Vec<Location> = found.iter().filter_map(|place| server.location(place)).collect();
    (!places.is_empty()).then_some(places)
}

fn references(server: &mut Server, params: ReferenceParams) -> Option<Vec<Location>> {
    server.know_folders();
    let (file, byte) = server.place_of(&params.place)?;
    let mut found = server.workspace.references(&file, byte);
    if !params.context.include_declaration {
        let defined = server.workspace.definitions(&file, byte);
        found.retain(|place| !defined.contains(place));
    }
    Some(found.iter().filter_map(|place| server.location(place)).collect())
}

fn highlight(server: &mut Server, params: PlaceParams) -> Reply<Json> {
    let Some((file, byte)) = server.place_of(&params) else { return Ok(Json::Null) };
    let mut found = server.workspace.references(&file, byte);
    found.retain(|place| place.file == file);
    let places = found.iter().filter_map(|place| server.range_of(place));
    Ok(places.map(|range| json!({"range": range})).collect())
}

fn prepare_rename(server: &mut Server, params: PlaceParams) -> Reply<Option<EditorRange>> {
    server.know_folders();
    let Some((file, byte)) = server.place_of(&params) else { return Ok(None) };
    let place = server.workspace.renamable(&file, byte).map_err(Refusal::failed)?;
    Ok(server.range_of(&place))
}

fn rename(server: &mut Server, params: RenameParams) -> Reply<Json> {
    server.know_folders();
    let Some((file, byte)) = server.place_of(&params.place) else { return Ok(Json::Null) };
    let changes = server.workspace.rename(&file, byte, &params.new_name).map_err(Refusal::failed)?;
    Ok(server.workspace_edit(&changes))
}

fn completion(server: &mut Server, params: PlaceParams) -> Reply<Json> {
    let Some((file, byte)) = server.place_of(&params) else { return Ok(Json::Null) };
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
        CompletionEntry {
            label: item.word.clone(),
            kind: convert::completion_kind(item.kind),
            detail: item.detail.clone(),
            documentation: item.help.clone(),
            sort_text: format!("{rank}{}", item.word),
            text_edit: TextEdit { range, new_text: item.word.clone() },
        }
    };
    Ok(json!(found.iter().map(item).collect::<Vec<_>>()))
}

fn symbols(server: &mut Server, params: DocumentParams) -> Option<Vec<DocumentSymbol>> {
    let file = file_of(&params.text_document.uri);
    let text = server.workspace.text(&file)?;
    let index = LineIndex::new(&text, server.encoding);
    Some(convert::symbols(&server.workspace.outline(&file), &index))
}

fn semantic_tokens(server: &mut Server, params: DocumentParams) -> Reply<Json> {
    let file = file_of(&params.text_document.uri);
    let Some(text) = server.workspace.text(&file) else { return Ok(Json::Null) };
    let index = LineIndex::new(&text, server.encoding);
    Ok(json!({"data": convert::semantic_tokens(&server.workspace.tokens(&file), &index)}))
}

fn formatting(server: &mut Server, params: DocumentParams) -> Reply<Vec<TextEdit>> {
    let file = file_of(&params.text_document.uri);
    let changes = server.workspace.format(&file).map_err(Refusal::failed)?;
    let edit = |change: &TextChange| {
        Some(TextEdit { range: server.range_of(&change.place)?, new_text: change.text.clone() })
    };
    Ok(changes.iter().filter_map(edit).collect())
}

fn folding(server: &mut Server, params: DocumentParams) -> Option<Vec<FoldingRange>> {
    let file = file_of(&params.text_document.uri);
    let text = server.workspace.text(&file)?;
    let index = LineIndex::new(&text, server.encoding);
    let fold = |(bytes, is_comment): (std::ops::Range<usize>, bool)| {
        let (start, end) = (index.position(bytes.start).line as u32, index.position(bytes.end).line as u32);
        FoldingRange {
            start_line: start,
            // The closing brace stays in sight.
            end_line: if is_comment { end } else { end.saturating_sub(1).max(start) },
            kind: is_comment.then_some("comment"),
        }
    };
    Some(server.workspace.folds(&file).into_iter().map(fold).collect())
}

fn hints(server: &mut Server, params: RangeParams) -> Reply<Json> {
    /// The kind of a hint that tells a type.
    const TYPE: u8 = 1;
    let file = file_of(&params.text_document.uri);
    let Some(text) = server.workspace.text(&file) else { return Ok(Json::Null) };
    let index = LineIndex::new(&text, server.encoding);
    let bytes = byte(&index, params.range.start)..byte(&index, params.range.end) + 1;
    let hints = server.workspace.type_hints(&file, bytes);
    let hint = |hint: &houserule_desk::service::TypeHint| {
        let position = convert::position(&index, hint.byte);
        json!({"position": position, "label": hint.text, "kind": TYPE})
    };
    Ok(hints.iter().map(hint).collect())
}

fn code_actions(server: &mut Server, params: RangeParams) -> Reply<Json> {
    let file = file_of(&params.text_document.uri);
    let Some(text) = server.workspace.text(&file) else { return Ok(Json::Null) };
    let wanted = params.context.only.as_ref();
    if wanted.is_some_and(|kinds| !kinds.iter().any(|kind| ["", QUICK_FIX].contains(&kind.as_str()))) {
        return Ok(json!([]));
    }
    let index = LineIndex::new(&text, server.encoding);
    let bytes = byte(&index, params.range.start)..byte(&index, params.range.end);
    let fixes = server.workspace.fixes(&file, bytes);
    let action = |fix: &houserule_desk::service::MessageFix| {
        let told = convert::diagnostic(&fix.message, &index, |place| server.location(place));
        json!({
            "title": fix.title,
            "kind": QUICK_FIX,
            "diagnostics": [told],
            "isPreferred": true,
            "edit": server.workspace_edit(&fix.changes),
        })
    };
    Ok(json!(fixes.iter().map(action).collect::<Vec<_>>()))
}
