//! Answers of the service as structures of the protocol.

use std::str::FromStr;

use lsp_types::{
    CompletionItemKind, Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, DocumentSymbol,
    Location, NumberOrString, Position, Range, SemanticToken, SemanticTokenModifier, SemanticTokenType,
    SymbolKind, Uri,
};

use houserule_check::DefinitionKind;
use houserule_desk::service::{
    CompletionKind, LineIndex, LinePosition, OutlineEntry, OutlineKind, TextMessage, TextPlace, TokenClass,
    TokenSpan,
};
use houserule_language::diagnostic::Severity;

/// The position of a byte.
pub(super) fn position(index: &LineIndex<'_>, byte: usize) -> Position {
    let LinePosition { line, character } = index.position(byte);
    Position { line: line as u32, character: character as u32 }
}

/// The byte of a position.
pub(super) fn byte(index: &LineIndex<'_>, position: Position) -> usize {
    index.byte(LinePosition { line: position.line as usize, character: position.character as usize })
}

/// The range of bytes.
pub(super) fn range(index: &LineIndex<'_>, bytes: std::ops::Range<usize>) -> Range {
    Range { start: position(index, bytes.start), end: position(index, bytes.end) }
}

/// An address that the protocol's type accepts.
pub(super) fn uri(text: &str) -> Option<Uri> {
    Uri::from_str(text).ok()
}

/// A message with its places. `locate` finds places in other files.
pub(super) fn diagnostic(
    message: &TextMessage,
    index: &LineIndex<'_>,
    mut locate: impl FnMut(&TextPlace) -> Option<Location>,
) -> Diagnostic {
    let related = message.related.iter().filter_map(|(place, words)| {
        Some(DiagnosticRelatedInformation { location: locate(place)?, message: words.clone() })
    });
    let related: Vec<DiagnosticRelatedInformation> = related.collect();
    Diagnostic {
        range: range(index, message.place.range()),
        severity: Some(match message.severity {
            Severity::Error => DiagnosticSeverity::ERROR,
            Severity::Warning => DiagnosticSeverity::WARNING,
        }),
        code: message.code.map(|code| NumberOrString::String(code.as_str().to_owned())),
        source: Some("houserule".to_owned()),
        message: message.words(),
        related_information: (!related.is_empty()).then_some(related),
        ..Diagnostic::default()
    }
}

/// The entries of an outline.
pub(super) fn symbols(entries: &[OutlineEntry], index: &LineIndex<'_>) -> Vec<DocumentSymbol> {
    let symbol = |entry: &OutlineEntry| {
        let children = symbols(&entry.children, index);
        #[expect(deprecated, reason = "the structure has a field that is no longer used")]
        DocumentSymbol {
            // Editors refuse an empty name.
            name: if entry.name.is_empty() { "…".to_owned() } else { entry.name.clone() },
            detail: Some(entry.detail.clone()).filter(|detail| !detail.is_empty()),
            kind: match entry.kind {
                OutlineKind::File => SymbolKind::MODULE,
                OutlineKind::Constant => SymbolKind::CONSTANT,
                OutlineKind::Variable => SymbolKind::VARIABLE,
                OutlineKind::Domain => SymbolKind::ENUM,
                OutlineKind::Value => SymbolKind::ENUM_MEMBER,
                OutlineKind::Field | OutlineKind::ScoreItem => SymbolKind::FIELD,
                OutlineKind::Piece => SymbolKind::OBJECT,
                OutlineKind::Function => SymbolKind::FUNCTION,
                OutlineKind::Block => SymbolKind::NAMESPACE,
                OutlineKind::Choice => SymbolKind::INTERFACE,
                OutlineKind::Option => SymbolKind::METHOD,
                OutlineKind::End => SymbolKind::EVENT,
                OutlineKind::Change => SymbolKind::PROPERTY,
            },
            tags: None,
            deprecated: None,
            range: range(index, entry.range.clone()),
            selection_range: range(index, entry.name_range.clone()),
            children: (!children.is_empty()).then_some(children),
        }
    };
    entries.iter().map(symbol).collect()
}

/// The kind of a completion.
pub(super) fn completion_kind(kind: CompletionKind) -> CompletionItemKind {
    use DefinitionKind as K;
    match kind {
        CompletionKind::Keyword => CompletionItemKind::KEYWORD,
        CompletionKind::Function => CompletionItemKind::FUNCTION,
        CompletionKind::Word => CompletionItemKind::VALUE,
        CompletionKind::Game => CompletionItemKind::MODULE,
        CompletionKind::BuiltIn => CompletionItemKind::VARIABLE,
        CompletionKind::Name(kind) => match kind {
            K::Param | K::Table => CompletionItemKind::CONSTANT,
            K::Enum | K::Domain | K::Board | K::Edges | K::Team => CompletionItemKind::ENUM,
            K::Value | K::Site | K::Player => CompletionItemKind::ENUM_MEMBER,
            K::Field => CompletionItemKind::FIELD,
            K::Define | K::Procedure | K::ScriptFunction | K::Function => CompletionItemKind::FUNCTION,
            K::Piece => CompletionItemKind::CLASS,
            K::Setup | K::Step | K::Choice | K::Option | K::ScoreItem | K::End => CompletionItemKind::EVENT,
            K::Variable | K::Zone | K::Dice | K::Parameter | K::Local | K::Broken | K::BuiltIn | K::Word => {
                CompletionItemKind::VARIABLE
            }
        },
    }
}

/// The classes of words in the protocol's terms. A class is its place in the list.
pub(super) const TOKEN_TYPES: [(TokenClass, SemanticTokenType); 15] = [
    (TokenClass::Comment, SemanticTokenType::COMMENT),
    (TokenClass::Keyword, SemanticTokenType::KEYWORD),
    (TokenClass::Text, SemanticTokenType::STRING),
    (TokenClass::Number, SemanticTokenType::NUMBER),
    (TokenClass::Operator, SemanticTokenType::OPERATOR),
    (TokenClass::Variable, SemanticTokenType::VARIABLE),
    (TokenClass::Constant, SemanticTokenType::VARIABLE),
    (TokenClass::Parameter, SemanticTokenType::PARAMETER),
    (TokenClass::Local, SemanticTokenType::VARIABLE),
    (TokenClass::Domain, SemanticTokenType::TYPE),
    (TokenClass::Value, SemanticTokenType::ENUM_MEMBER),
    (TokenClass::Field, SemanticTokenType::PROPERTY),
    (TokenClass::Piece, SemanticTokenType::CLASS),
    (TokenClass::Function, SemanticTokenType::FUNCTION),
    (TokenClass::Part, SemanticTokenType::EVENT),
];

/// The marks of words. A mark is the bit of its place in the list.
pub(super) const TOKEN_MODIFIERS: [SemanticTokenModifier; 3] = [
    SemanticTokenModifier::DEFINITION,
    SemanticTokenModifier::DEFAULT_LIBRARY,
    SemanticTokenModifier::READONLY,
];

/// The words of a text, each relative to the one before. A text of several lines becomes one word for each line.
pub(super) fn semantic_tokens(tokens: &[TokenSpan], index: &LineIndex<'_>) -> Vec<SemanticToken> {
    let mut found = vec![];
    let mut last = Position::default();
    for token in tokens {
        let (first, end) = (position(index, token.start).line, position(index, token.end).line);
        for line in first..=end {
            let bytes = index.line(line as usize);
            let bytes = token.start.max(bytes.start)..token.end.min(bytes.end);
            let Range { start, end } = range(index, bytes);
            if start == end {
                continue;
            }
            let class = TOKEN_TYPES.iter().position(|(class, _)| *class == token.class).unwrap_or(0);
            let constant = token.class == TokenClass::Constant;
            let marks = [token.defines, token.built_in, constant];
            let bits = marks.iter().enumerate().map(|(at, marked)| u32::from(*marked) << at).sum();
            let same_line = start.line == last.line;
            found.push(SemanticToken {
                delta_line: start.line - last.line,
                delta_start: if same_line { start.character - last.character } else { start.character },
                length: end.character - start.character,
                token_type: class as u32,
                token_modifiers_bitset: bits,
            });
            last = start;
        }
    }
    found
}
