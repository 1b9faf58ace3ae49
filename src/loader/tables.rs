//! Domains whose elements are in a table: `domain card from "cards.csv"` becomes what could be written in the rules instead.
//! Every part keeps its place in the table, so that messages about it name its line.

use std::path::Path;

use super::csv::{TableCell, read_rows};
use super::files::{FileSource, LoadedFiles, TableFile, plain_path};
use super::scripts::{inside, lies_below};
use houserule_base::files::{FileError, FileKind, read_text};
use houserule_language::diagnostic::{Code, Diagnostic, FileId, Span, did_you_mean};
use houserule_language::syntax::{
    Decl, DeclKind, EditKind, ElementKind, ElementRow, Expr, ExprKind, Item, MapEntry, Name, QuotedText,
    RuleFile, TypeExpr, TypeKind,
};

/// How the names of tables end.
const ENDING: &str = ".csv";
/// The columns with a meaning of their own.
const NAME: &str = "name";
const COUNT: &str = "count";
const TEXT: &str = "text";
/// Number of words of a column up to which a message lists them.
const MANY: usize = 8;

/// Returns `true` if a file is a table.
pub(super) fn is_table(place: &FileSource) -> bool {
    matches!(place, FileSource::Path(path) if is_table_name(&path.to_string_lossy()))
}

/// Returns `true` for the name of a table.
pub(super) fn is_table_name(name: &str) -> bool {
    name.to_lowercase().ends_with(ENDING)
}

impl LoadedFiles {
    /// Puts the rows of tables into the domains of a file that are declared `from` one.
    pub(super) fn fill_tables(&mut self, place: &FileSource, parsed: &mut RuleFile) {
        for (item, of) in parsed.items.iter_mut().enumerate() {
            let files = |(at, decl): (usize, &Decl)| {
                let kinds = match &decl.kind {
                    DeclKind::Record { kinds, .. } => &kinds[..],
                    _ => &[],
                };
                let paths = kinds.iter().filter_map(move |kind| match kind {
                    ElementKind::File(path) => Some((at, path.clone())),
                    _ => None,
                });
                paths.collect::<Vec<_>>()
            };
            let wanted: Vec<(usize, QuotedText)> = decls(of).enumerate().flat_map(files).collect();
            for (at, path) in wanted {
                let read = self.table_file(place, &path, item).and_then(|(file, text)| {
                    let all: Vec<&Decl> = decls(of).collect();
                    CardTable::read(file, &text, path.span, &all)
                });
                let filled = read.and_then(|table| match of {
                    Item::Game(game) => table.fill(&mut game.decls, at),
                    Item::Variant(_) if table.counts.is_some() => Err(table.count_in_variant()),
                    Item::Variant(variant) => {
                        let mut declared = variant.edits.iter_mut().filter_map(|edit| match &mut edit.kind {
                            EditKind::Declare { decl, .. } => Some(decl),
                            _ => None,
                        });
                        if let Some(decl) = declared.nth(at) {
                            table.put_into(decl);
                        }
                        Ok(())
                    }
                });
                if let Err(error) = filled {
                    self.diagnostics.push(*error);
                }
            }
        }
    }

    /// Returns the table that a domain names, read once, and notes that an item of the file depends on it.
    fn table_file(
        &mut self,
        rules: &FileSource,
        path: &QuotedText,
        item: usize,
    ) -> Result<(FileId, String), Box<Diagnostic>> {
        let error = |code: Code, message: String| Box::new(Diagnostic::error(code, path.span, message));
        let name = path.text.trim();
        let folder = match rules {
            FileSource::Path(rules) => rules.parent().unwrap_or(Path::new("")),
            FileSource::Text => {
                let message = "rules that are no file have no tables beside them".to_owned();
                let help = "save the rules in a file, in the folder of the table or above it";
                return Err(Box::new(error(Code::NoTable, message).help(help)));
            }
            FileSource::Bundled(_) => {
                return Err(error(Code::NoTable, "bundled rules have no tables beside them".to_owned()));
            }
        };
        if !is_table_name(name) {
            let help = "save the table as CSV, and name a file that ends in `.csv`";
            return Err(Box::new(error(Code::NoTable, format!("`{name}` is no CSV file")).help(help)));
        }
        if !lies_below(name) {
            let help = "put it there, and write its path without `..` and without a `/` in front";
            let message = "a table must lie in the folder of its rule file, or below it".to_owned();
            return Err(Box::new(error(Code::NoTable, message).help(help)));
        }
        let path_of = folder.join(name);
        let place = FileSource::Path(path_of.clone());
        let index = self.parsed.len();
        if let Some(known) = self.tables.iter_mut().find(|table| table.place == place) {
            let id = *known.id.get_or_insert_with(|| self.sources.add(&known.name, &*known.text));
            known.used_by.push((index, item));
            return Ok((id, known.text.clone()));
        }
        if !self.paths.contains(&path_of) {
            self.paths.push(path_of.clone());
        }
        let text = match self.overlay.get(&plain_path(&path_of)) {
            Some(text) => text.to_string(),
            None => {
                let text = read_text(&path_of, FileKind::Table).map_err(|wrong| {
                    let d = error(Code::NoTable, wrong.to_string());
                    match wrong {
                        FileError::Missing(_) => {
                            Box::new(d.help("write its path as seen from the folder of this rule file"))
                        }
                        FileError::NoText(..) => Box::new(d.help("save the table as \"CSV UTF-8\"")),
                        _ => d,
                    }
                })?;
                inside(&path_of, name).map_err(|message| error(Code::NoTable, message))?;
                text
            }
        };
        let text = text.trim_start_matches('\u{feff}').to_owned();
        let written = path_of.display().to_string();
        let id = self.sources.add(&written, &*text);
        let used_by = vec![(index, item)];
        self.tables.push(TableFile { place, name: written, text: text.clone(), id: Some(id), used_by });
        Ok((id, text))
    }
}

/// Returns the declarations of a game or variant.
fn decls(item: &Item) -> impl Iterator<Item = &Decl> {
    let (of_game, of_variant) = match item {
        Item::Game(game) => (&game.decls[..], &[][..]),
        Item::Variant(variant) => (&[][..], &variant.edits[..]),
    };
    let declared = of_variant.iter().filter_map(|edit| match &edit.kind {
        EditKind::Declare { decl, .. } => Some(decl),
        _ => None,
    });
    of_game.iter().chain(declared)
}

/// A column with values of a field.
struct FieldColumn {
    at: usize,
    name: Name,
    ty: TypeExpr,
    /// Whether the type stands in the head.
    has_own_type: bool,
    /// The values that its cells can name, if they are known.
    values: Vec<String>,
}

/// A table that has been read.
struct CardTable {
    fields: Vec<(Name, TypeExpr)>,
    rows: Vec<ElementRow>,
    /// How often there is each row, and where the head of the column is.
    counts: Option<(Span, Vec<i64>)>,
}

fn wrong(span: Span, message: String, help: &str) -> Box<Diagnostic> {
    Box::new(Diagnostic::error(Code::TableFile, span, message).help(help))
}

impl CardTable {
    /// Reads a table. `declared` are the declarations beside it, whose enums its cells may name.
    fn read(file: FileId, text: &str, named: Span, declared: &[&Decl]) -> Result<CardTable, Box<Diagnostic>> {
        let all = read_rows(file, text)?;
        let Some((head, rows)) = all.split_first().filter(|(_, rows)| !rows.is_empty()) else {
            let message = "this table has no rows".to_owned();
            return Err(wrong(
                named,
                message,
                "write a row with the names of the columns, and a row for each card",
            ));
        };
        let titles: Vec<String> = head.iter().map(|cell| title(&cell.text)).collect();
        let column = |wanted: &str| titles.iter().position(|title| title == wanted);
        let Some(names) = column(NAME) else {
            let meant = did_you_mean(NAME, titles.iter().map(String::as_str));
            let help = match meant {
                Some(meant) => format!("write `name` in place of `{meant}`"),
                None => "add a column `name` with a name for each card".to_owned(),
            };
            return Err(wrong(head[0].span, "this table has no column `name`".to_owned(), &help));
        };
        for (at, cell) in head.iter().enumerate() {
            if cell.text.is_empty() {
                let message = "this column has no name".to_owned();
                return Err(wrong(cell.span, message, "write what its cells are: the name of a field"));
            }
            if titles[..at].contains(&titles[at]) {
                let message = format!("there are two columns `{}`", titles[at]);
                return Err(wrong(cell.span, message, "give one of them another name"));
            }
        }
        if let Some(cell) = rows.iter().filter_map(|row| row.get(head.len())).next() {
            let message = format!("this row has more cells than the table has columns ({})", head.len());
            return Err(wrong(
                cell.span,
                message,
                "name the column, or put a text with separators in quotes",
            ));
        }
        let own = [Some(names), column(COUNT), column(TEXT)];
        let mut fields = vec![];
        for at in (0..head.len()).filter(|at| !own.contains(&Some(*at))) {
            fields.push(FieldColumn::read(at, &head[at], rows, declared)?);
        }
        let counts = match column(COUNT) {
            Some(at) => {
                Some((head[at].span, rows.iter().map(|row| count(row, at)).collect::<Result<_, _>>()?))
            }
            None => None,
        };
        let mut elements = vec![];
        for row in rows {
            let name = row.get(names).filter(|cell| !cell.text.is_empty());
            let Some(name) = name else {
                let message = "this row has no name".to_owned();
                return Err(wrong(row[0].span, message, "write a name in the column `name`"));
            };
            let help = column(TEXT).and_then(|at| row.get(at)).filter(|cell| !cell.text.is_empty());
            let help = help.map(|cell| QuotedText { text: cell.text.clone(), span: cell.span });
            let values = fields.iter().map(|field| field.value(row)).collect::<Result<Vec<_>, _>>()?;
            let values = Expr { kind: ExprKind::Tuple(values), span: name.span };
            elements.push(ElementRow { name: identifier(name)?, values, help });
        }
        let fields = fields.into_iter().map(|field| (field.name, field.ty)).collect();
        Ok(CardTable { fields, rows: elements, counts })
    }

    /// Puts the table into the declaration at an index, and its counts into the first zone for its elements.
    fn fill(self, decls: &mut [Decl], at: usize) -> Result<(), Box<Diagnostic>> {
        let DeclKind::Record { name, .. } = &decls[at].kind else { return Ok(()) };
        let domain = name.text.clone();
        // One of each is a set, whose elements are told apart.
        let counts = self.counts.as_ref().filter(|(_, counts)| counts.iter().any(|count| *count != 1));
        if let Some((span, counts)) = counts {
            let zone = decls.iter_mut().find_map(|decl| match &mut decl.kind {
                DeclKind::Zone { index, of, value, .. }
                    if index.is_empty()
                        && matches!(&of.kind, TypeKind::Named(name) if name.text == domain) =>
                {
                    Some(value)
                }
                _ => None,
            });
            match zone {
                Some(value @ None) => {
                    let entry = |(row, count): (&ElementRow, &i64)| MapEntry {
                        key: Expr { kind: ExprKind::Name(row.name.clone()), span: row.name.span },
                        and_more: false,
                        value: Expr { kind: ExprKind::Number(*count), span: row.name.span },
                    };
                    let entries = self.rows.iter().zip(counts).map(entry).collect();
                    *value = Some(Expr { kind: ExprKind::Map(entries), span: *span });
                }
                Some(Some(value)) => {
                    let message = "the table and this zone both say how many cards there are".to_owned();
                    return Err(wrong(value.span, message, "leave out one of them"));
                }
                None => {
                    let message = format!(
                        "no zone holds the cards at the start: all zones of `{domain}` have an index"
                    );
                    let help = format!("declare one for them: `zone deck of {domain} seen by none`");
                    return Err(wrong(*span, message, &help));
                }
            }
        }
        self.put_into(&mut decls[at]);
        Ok(())
    }

    /// Puts the rows into a declaration.
    fn put_into(self, decl: &mut Decl) {
        let CardTable { fields, rows, .. } = self;
        let DeclKind::Record { name, kinds, modifiers } = &mut decl.kind else { return };
        if fields.is_empty() && kinds.len() == 1 {
            let (values, helps) = rows.into_iter().map(|row| (row.name, row.help)).unzip();
            let modifiers = std::mem::take(modifiers);
            decl.kind = DeclKind::Enum { name: name.clone(), values, helps, modifiers };
            return;
        }
        let kind = match fields.is_empty() {
            true => ElementKind::Values(rows.into_iter().map(|row| (row.name, row.help)).collect()),
            false => ElementKind::Rows(fields, rows),
        };
        if let Some(place) = kinds.iter_mut().find(|kind| matches!(kind, ElementKind::File(_))) {
            *place = kind;
        }
    }

    fn count_in_variant(&self) -> Box<Diagnostic> {
        let span = self.counts.as_ref().map_or(self.rows[0].name.span, |(span, _)| *span);
        let message = "the table of a variant can't say how many cards a zone of the game holds".to_owned();
        wrong(
            span,
            message,
            "take out the column `count`, and write `zone deck of card = [name: 2, …]` in the variant",
        )
    }
}

impl FieldColumn {
    /// Reads the head of a column, `cost` or `cost: 1..5`. Without a type, it is that of its cells.
    fn read(
        at: usize,
        head: &TableCell,
        rows: &[Vec<TableCell>],
        declared: &[&Decl],
    ) -> Result<FieldColumn, Box<Diagnostic>> {
        let (name, ty) = match head.text.split_once(':') {
            Some((name, ty)) => (name.trim(), Some(ty.trim())),
            None => (head.text.as_str(), None),
        };
        let name = identifier(&TableCell { text: name.to_owned(), span: head.span })?;
        let cells: Vec<&TableCell> =
            rows.iter().filter_map(|row| row.get(at)).filter(|cell| !cell.text.is_empty()).collect();
        let values =
            |wanted: &str| enums(declared).find(|(name, _)| *name == wanted).map(|(_, values)| values);
        let kind = match ty {
            Some(ty) => written_type(ty.trim_end_matches('?').trim(), head.span),
            None => {
                let numbers: Vec<i64> = cells.iter().filter_map(|cell| cell.text.parse().ok()).collect();
                let like_numbers = || cells.iter().filter(|cell| is_like_number(&cell.text));
                // A word among numbers is a slip.
                match numbers.as_slice() {
                    [] if 2 * like_numbers().count() >= cells.len() && like_numbers().next().is_some() => {
                        return Err(no_number(cells[0], &name.text, None));
                    }
                    [first, rest @ ..] if 2 * like_numbers().count() >= cells.len() => {
                        let (low, high) =
                            rest.iter().fold((*first, *first), |(low, high), n| (low.min(*n), high.max(*n)));
                        range(low, high, head.span)
                    }
                    _ => TypeKind::Named(Name {
                        text: fitting(&name, &cells, declared, head.span)?,
                        span: head.span,
                    }),
                }
            }
        };
        let of = match &kind {
            TypeKind::Set(of) => &of.kind,
            kind => kind,
        };
        let of = match of {
            TypeKind::Named(of) => values(&of.text),
            TypeKind::Words(words) => Some(words.iter().map(|word| word.text.clone()).collect()),
            _ => None,
        };
        // A card whose cell is empty doesn't have the field.
        let optional = cells.len() < rows.len() && !matches!(kind, TypeKind::Set(_));
        let ty = TypeExpr { kind, optional, span: head.span };
        Ok(FieldColumn {
            at,
            name,
            ty,
            has_own_type: head.text.contains(':'),
            values: of.unwrap_or_default(),
        })
    }

    /// Returns the value of a row, as it would be written.
    fn value(&self, row: &[TableCell]) -> Result<Expr, Box<Diagnostic>> {
        let cell = row.get(self.at).filter(|cell| !cell.text.is_empty());
        if matches!(self.ty.kind, TypeKind::Set(_)) {
            let text = cell.map_or("", |cell| cell.text.trim_matches(['{', '}']));
            let span = cell.or(row.first()).map_or(self.ty.span, |cell| cell.span);
            let parts = text.split([',', ';', '+']).map(str::trim).filter(|part| !part.is_empty());
            let parts = parts.map(|part| self.single(&TableCell { text: part.to_owned(), span }));
            return Ok(Expr { kind: ExprKind::Set(parts.collect::<Result<_, _>>()?), span });
        }
        let Some(cell) = cell else {
            let span = row.last().map_or(self.ty.span, |cell| cell.span);
            return Ok(Expr { kind: ExprKind::None, span });
        };
        self.single(cell)
    }

    /// Returns the value in a cell, or in a part of it.
    fn single(&self, cell: &TableCell) -> Result<Expr, Box<Diagnostic>> {
        let kind = match cell.text.parse::<i64>() {
            Ok(number) => match range_ends(&self.ty.kind) {
                Some((low, high)) if !(low..=high).contains(&number) => {
                    let message = format!(
                        "`{number}` is outside {low}..{high}, the range of the column `{}`",
                        self.name.text
                    );
                    let (low, high) = (low.min(number), high.max(number));
                    let help =
                        format!("write another number, or `{}: {low}..{high}` in the head", self.name.text);
                    return Err(wrong(cell.span, message, &help));
                }
                _ => ExprKind::Number(number),
            },
            Err(_) if matches!(self.ty.kind, TypeKind::Range(..)) => {
                let ends = range_ends(&self.ty.kind).filter(|_| self.has_own_type);
                return Err(no_number(cell, &self.name.text, ends));
            }
            Err(_) => {
                let known = self.values.iter().find(|value| value.eq_ignore_ascii_case(&named(&cell.text)));
                if known.is_none() && !self.values.is_empty() {
                    let message = format!("the column `{}` has no value `{}`", self.name.text, cell.text);
                    let meant = did_you_mean(&named(&cell.text), self.values.iter().map(String::as_str));
                    let help = match meant {
                        Some(meant) => format!("did you mean `{meant}`?"),
                        None => format!("write one of {}", self.values.join(", ")),
                    };
                    return Err(wrong(cell.span, message, &help));
                }
                let text = known.cloned().map_or_else(|| identifier(cell).map(|name| name.text), Ok)?;
                ExprKind::Name(Name { text, span: cell.span })
            }
        };
        Ok(Expr { kind, span: cell.span })
    }
}

/// Returns `true` for what people write as a number, even if the rules have no such numbers: `1.5`, `1,5`, `1e3`.
fn is_like_number(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit() || "+-.,".contains(c))
        && text.replace(',', ".").parse::<f64>().is_ok()
}

/// Returns the least and the greatest number of a range of a column.
fn range_ends(ty: &TypeKind) -> Option<(i64, i64)> {
    match ty {
        TypeKind::Range(low, high) => match (&low.kind, &high.kind) {
            (ExprKind::Number(low), ExprKind::Number(high)) => Some((*low, *high)),
            _ => None,
        },
        _ => None,
    }
}

/// Reports a cell of a column of numbers that isn't an integer. `range` are the least and the greatest possible number, if the
/// head says them.
fn no_number(cell: &TableCell, column: &str, range: Option<(i64, i64)>) -> Box<Diagnostic> {
    let text = &cell.text;
    let possible = match range {
        Some((low, high)) => format!("write an integer from {low} to {high}"),
        None => "write an integer, such as -5, 0 or 12".to_owned(),
    };
    let (what, help) = match is_like_number(text) {
        _ if text.trim_start_matches(['-', '+']).bytes().all(|b| b.is_ascii_digit()) => {
            ("is too large", possible)
        }
        true => ("is not an integer", format!("{possible}; for halves, double all numbers of the column")),
        false => (
            "is not a number",
            format!("{possible}; if the column holds words, name their enum in its head: `{column}: ENUM`"),
        ),
    };
    wrong(cell.span, format!("`{text}` {what}, and the column `{column}` holds numbers"), &help)
}

/// Returns the title of a column: its name in small letters, without its type. `help` is another word for `text`.
fn title(head: &str) -> String {
    let name = head.split(':').next().unwrap_or_default().trim().to_lowercase();
    if name == "help" { TEXT.to_owned() } else { name }
}

/// Returns the number in the column of counts: one if the cell is empty.
fn count(row: &[TableCell], at: usize) -> Result<i64, Box<Diagnostic>> {
    let Some(cell) = row.get(at).filter(|cell| !cell.text.is_empty()) else { return Ok(1) };
    let number = cell.text.parse().ok().filter(|count| (0..=1000).contains(count));
    number.ok_or_else(|| {
        let message = format!("`{}` is no number of cards", cell.text);
        wrong(cell.span, message, "write an integer from 0 to 1000, or nothing for one card")
    })
}

/// Returns the enums among declarations, with their values.
fn enums<'d>(declared: &'d [&'d Decl]) -> impl Iterator<Item = (&'d str, Vec<String>)> {
    declared.iter().filter_map(|decl| match &decl.kind {
        DeclKind::Enum { name, values, .. } => {
            Some((name.text.as_str(), values.iter().map(|value| value.text.clone()).collect()))
        }
        _ => None,
    })
}

/// Returns the enum whose values the cells of a column name: that with the column's name, or the first that has all values.
fn fitting(
    column: &Name,
    cells: &[&TableCell],
    declared: &[&Decl],
    span: Span,
) -> Result<String, Box<Diagnostic>> {
    if let Some((name, _)) = enums(declared).find(|(name, _)| *name == column.text) {
        return Ok(name.to_owned());
    }
    let has = |values: &[String], cell: &TableCell| {
        values.iter().any(|value| value.eq_ignore_ascii_case(&named(&cell.text)))
    };
    let fits =
        |(_, values): &(&str, Vec<String>)| !cells.is_empty() && cells.iter().all(|cell| has(values, cell));
    let found = enums(declared).find(fits).map(|(name, _)| name.to_owned());
    // The enums of the game that a variant changes aren't known yet.
    let is_of_variant = declared.iter().all(|decl| !matches!(decl.kind, DeclKind::Players(..)));
    found.or_else(|| is_of_variant.then(|| column.text.clone())).ok_or_else(|| {
        let message = format!("it isn't known what the column `{}` holds", column.text);
        let mut words: Vec<String> = vec![];
        for word in cells.iter().map(|cell| named(&cell.text)) {
            if !words.contains(&word) {
                words.push(word);
            }
        }
        let help = match words.len() {
            2..=MANY => {
                format!("write what it may hold after its name: `{}: {}`", column.text, words.join(" | "))
            }
            _ => "declare an enum with its values in the rules, and call the column like it".to_owned(),
        };
        wrong(span, message, &help)
    })
}

/// Returns a type that stands in the head of a column: `1..5`, `set of colour`, `colour`, `field | town`.
fn written_type(ty: &str, span: Span) -> TypeKind {
    if let Some(of) = ty.strip_prefix("set of ") {
        let of = TypeExpr { kind: written_type(of.trim(), span), optional: false, span };
        return TypeKind::Set(Box::new(of));
    }
    if ty.contains('|') {
        let words = ty.split('|').map(|word| Name { text: named(word), span });
        return TypeKind::Words(words.collect());
    }
    let numbers = ty
        .split_once("..")
        .and_then(|(low, high)| Some((low.trim().parse().ok()?, high.trim().parse().ok()?)));
    match numbers {
        Some((low, high)) => range(low, high, span),
        None => TypeKind::Named(Name { text: ty.to_owned(), span }),
    }
}

fn range(low: i64, high: i64, span: Span) -> TypeKind {
    let number = |n| Box::new(Expr { kind: ExprKind::Number(n), span });
    TypeKind::Range(number(low), number(high))
}

/// Returns a name as the language writes it: `Salt fish` is `Salt_fish`.
fn named(text: &str) -> String {
    let signs: String = text.chars().map(|c| if c.is_alphanumeric() { c } else { ' ' }).collect();
    signs.split_whitespace().collect::<Vec<_>>().join("_")
}

/// Returns the name in a cell.
fn identifier(cell: &TableCell) -> Result<Name, Box<Diagnostic>> {
    let text = named(&cell.text);
    let is_plain = text.starts_with(|c: char| c.is_ascii_alphabetic()) && text.is_ascii();
    if !is_plain {
        let message = format!("`{}` can't be a name", cell.text);
        return Err(wrong(
            cell.span,
            message,
            "names begin with a letter from a to z, and have only such letters and digits",
        ));
    }
    Ok(Name { text, span: cell.span })
}
