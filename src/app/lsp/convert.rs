//! Answers of the service as structures of the protocol.

use super::protocol::{
    DocumentSymbol, EditorDiagnostic, EditorPosition, EditorRange, Location, RelatedInformation, completion,
    symbol,
};
use houserule_check::DefinitionKind;
use houserule_desk::service::{
    CompletionKind, LineIndex, LinePosition, OutlineEntry, OutlineKind, TextMessage, TextPlace, TokenClass,
    TokenSpan,
};
use houserule_language::diagnostic::Severity;

/// The position of a byte.
pub(super) fn position(index: &LineIndex<'_>, byte: usize) -> EditorPosition {
    let LinePosition { line, character } = index.position(byte);
    EditorPosition { line: line as u32, character: character as u32 }
}

/// The byte of a position.
pub(super) fn byte(index: &LineIndex<'_>, position: EditorPosition) -> usize {
    index.byte(LinePosition { line: position.line as usize, character: position.character as usize })
}

/// The range of bytes.
pub(super) fn range(index: &LineIndex<'_>, bytes: std::ops::Range<usize>) -> EditorRange {
    EditorRange { start: position(index, bytes.start), end: position(index, bytes.end) }
}

/// A message with its places. `locate` finds places in other files.
pub(super) fn diagnostic(
    message: &TextMessage,
    index: &LineIndex<'_>,
    mut locate: impl FnMut(&TextPlace) -> Option<Location>,
) -> EditorDiagnostic {
    let related = message.related.iter().filter_map(|(place, words)| {
        Some(RelatedInformation { location: locate(place)?, message: words.clone() })
    });
    EditorDiagnostic {
        range: range(index, message.place.range()),
        severity: match message.severity {
            Severity::Error => 1,
            Severity::Warning => 2,
        },
        code: message.code.map(|code| code.as_str()),
        source: "houserule",
        message: message.words(),
        related_information: related.collect(),
    }
}

/// The entries of an outline.
pub(super) fn symbols(entries: &[OutlineEntry], index: &LineIndex<'_>) -> Vec<DocumentSymbol> {
    let shown = |entry: &OutlineEntry| {
        DocumentSymbol {
            // Editors refuse an empty name.
            name: if entry.name.is_empty() { "…".to_owned() } else { entry.name.clone() },
            detail: entry.detail.clone(),
            kind: match entry.kind {
                OutlineKind::File => symbol::MODULE,
                OutlineKind::Constant => symbol::CONSTANT,
                OutlineKind::Variable => symbol::VARIABLE,
                OutlineKind::Domain => symbol::ENUM,
                OutlineKind::Value => symbol::ENUM_MEMBER,
                OutlineKind::Field | OutlineKind::ScoreItem => symbol::FIELD,
                OutlineKind::Piece => symbol::OBJECT,
                OutlineKind::Function => symbol::FUNCTION,
                OutlineKind::Block => symbol::NAMESPACE,
                OutlineKind::Choice => symbol::INTERFACE,
                OutlineKind::Option => symbol::METHOD,
                OutlineKind::End => symbol::EVENT,
                OutlineKind::Change => symbol::PROPERTY,
            },
            range: range(index, entry.range.clone()),
            selection_range: range(index, entry.name_range.clone()),
            children: symbols(&entry.children, index),
        }
    };
    entries.iter().map(shown).collect()
}

/// The kind of a completion.
pub(super) fn completion_kind(kind: CompletionKind) -> u8 {
    use DefinitionKind as K;
    match kind {
        CompletionKind::Keyword => completion::KEYWORD,
        CompletionKind::Function => completion::FUNCTION,
        CompletionKind::Word => completion::VALUE,
        CompletionKind::Game => completion::MODULE,
        CompletionKind::BuiltIn => completion::VARIABLE,
        CompletionKind::Name(kind) => match kind {
            K::Param | K::Table => completion::CONSTANT,
            K::Enum | K::Domain | K::Board | K::Edges | K::Team => completion::ENUM,
            K::Value | K::Site | K::Player => completion::ENUM_MEMBER,
            K::Field => completion::FIELD,
            K::Define | K::Procedure | K::ScriptFunction | K::Function => completion::FUNCTION,
            K::Piece => completion::CLASS,
            K::Setup | K::Step | K::Choice | K::Option | K::ScoreItem | K::End => completion::EVENT,
            K::Variable | K::Zone | K::Dice | K::Parameter | K::Local | K::Broken | K::BuiltIn | K::Word => {
                completion::VARIABLE
            }
        },
    }
}

/// The classes of words in the protocol's terms. A class is its place in the list.
pub(super) const TOKEN_TYPES: [(TokenClass, &str); 15] = [
    (TokenClass::Comment, "comment"),
    (TokenClass::Keyword, "keyword"),
    (TokenClass::Text, "string"),
    (TokenClass::Number, "number"),
    (TokenClass::Operator, "operator"),
    (TokenClass::Variable, "variable"),
    (TokenClass::Constant, "variable"),
    (TokenClass::Parameter, "parameter"),
    (TokenClass::Local, "variable"),
    (TokenClass::Domain, "type"),
    (TokenClass::Value, "enumMember"),
    (TokenClass::Field, "property"),
    (TokenClass::Piece, "class"),
    (TokenClass::Function, "function"),
    (TokenClass::Part, "event"),
];

/// The marks of words. A mark is the bit of its place in the list.
pub(super) const TOKEN_MODIFIERS: [&str; 3] = ["definition", "defaultLibrary", "readonly"];

/// The words of a text, each as five numbers: lines and characters from the one before, length, class and marks. A text of
/// several lines becomes one word for each line.
pub(super) fn semantic_tokens(tokens: &[TokenSpan], index: &LineIndex<'_>) -> Vec<u32> {
    let mut found = vec![];
    let mut last = EditorPosition::default();
    for token in tokens {
        let (first, end) = (position(index, token.start).line, position(index, token.end).line);
        for line in first..=end {
            let bytes = index.line(line as usize);
            let bytes = token.start.max(bytes.start)..token.end.min(bytes.end);
            let EditorRange { start, end } = range(index, bytes);
            if start == end {
                continue;
            }
            let class = TOKEN_TYPES.iter().position(|(class, _)| *class == token.class).unwrap_or(0);
            let constant = token.class == TokenClass::Constant;
            let marks = [token.defines, token.built_in, constant];
            let bits: u32 = marks.iter().enumerate().map(|(at, marked)| u32::from(*marked) << at).sum();
            let same_line = start.line == last.line;
            let from = if same_line { start.character - last.character } else { start.character };
            let length = end.character - start.character;
            found.extend([start.line - last.line, from, length, class as u32, bits]);
            last = start;
        }
    }
    found
}
