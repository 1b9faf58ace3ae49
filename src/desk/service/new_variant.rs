//! A variant that changes nothing yet and lists everything it could change, as comments.
//!
//! Each line that begins with `//` and no space is a rule that can be used as it is. Only rules that are valid
//! on their own are listed: each is tried.

use std::fmt;

use super::Workspace;
use houserule_base::names::{shell_game, shell_word};
use houserule_game::Sheet;
use houserule_game::values::param_text;
use houserule_language::diagnostic::{SourceMap, Span};
use houserule_language::format::print;
use houserule_language::syntax::{
    Block, Choose, Decl, DeclKind, Edit, EditKind, MatchEntry, ScoreEntry, StmtKind,
};
use houserule_language::variants::Setting;
use houserule_loader::Loaded;
use houserule_model::{Model, ParamKind};

/// What a new variant is to be.
#[derive(Clone, Copy, Debug)]
pub struct NewVariant<'a> {
    /// Its title.
    pub title: &'a str,
    /// Its file, as commands name it.
    pub file: &'a str,
    /// The names of the game and its variants, as the file must write them.
    pub of: &'a [String],
    /// The params that it changes, whose values are those of the loaded game.
    pub settings: &'a [Setting],
}

/// Why there is no text of a variant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NewVariantError {
    /// The rules of the game have no tree.
    Unreadable,
    /// The game stacks variants that can't be one. These are its name, and that of the first of them.
    Stacked(String, String),
}

impl fmt::Display for NewVariantError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NewVariantError::Unreadable => f.write_str("the rules of this game can't be read"),
            NewVariantError::Stacked(game, first) => write!(
                f,
                "the variants of `{game}` can't be written as one; begin with one of them: `--from {first}`"
            ),
        }
    }
}

impl std::error::Error for NewVariantError {}

/// Rules under a heading, each with a remark.
struct RuleGroup {
    heading: &'static str,
    parts: Vec<RuleLines>,
}

/// The lines of a rule.
struct RuleLines {
    lines: Vec<String>,
    remark: String,
}

impl RuleLines {
    fn new(text: &str) -> Self {
        RuleLines { lines: text.lines().map(str::to_owned).collect(), remark: String::new() }
    }
}

impl Workspace {
    /// Returns the text of a variant of a loaded game.
    pub fn new_variant(&self, new: &NewVariant<'_>, loaded: &Loaded) -> Result<String, NewVariantError> {
        let NewVariant { title, file, of, settings } = *new;
        let sheet = loaded.game.sheet();
        let Some(tree) = &sheet.tree else { return Err(NewVariantError::Unreadable) };
        let names = &sheet.names;
        // A file names a single base. Further variants of the stack are copied.
        let reach = sheet.named_by_one.saturating_sub(1);
        let edits = sheet.variants.iter().skip(reach).flat_map(|variant| &variant.edits);
        let copied: String = edits.map(|edit| indented(&copy(sheet, &loaded.sources, edit), "  ")).collect();
        let set = changed_params(loaded.game.model(), settings);
        let base = &names[reach];
        let loads_with = |rules: &str| {
            let text = format!("variant \"{title}\" of \"{base}\" {{\n{copied}{set}{rules}}}\n");
            self.load_text(&text).is_ok()
        };
        if !loads_with("") {
            return Err(NewVariantError::Stacked(loaded.game.identity().name.clone(), base.clone()));
        }
        let mut listed = String::new();
        for mut group in groups(loaded.game.model(), &tree.decls, &loaded.sources) {
            group.parts.retain(|part| loads_with(&part.lines.join("\n")));
            if group.parts.is_empty() {
                continue;
            }
            listed.push_str(&format!("\n  // {}\n", group.heading));
            for part in &group.parts {
                listed.push_str(&commented(part));
            }
        }
        let mut text =
            format!("/// Say here what is different.\nvariant \"{title}\" of \"{}\" {{\n", of[reach]);
        text.push_str(&intro(file, &of[reach]));
        if !copied.is_empty() {
            text.push_str(&format!("\n  // What the other variants change:\n{copied}"));
        }
        if !set.is_empty() {
            text.push_str(&format!("\n{set}"));
        }
        Ok(format!("{text}{listed}}}\n"))
    }
}

/// Returns the lines that give params their values in a model.
fn changed_params(model: &Model, settings: &[Setting]) -> String {
    let is_set = |name: &str| settings.iter().any(|one| one.name.split('.').next() == Some(name));
    let set = model.params.iter().filter(|param| is_set(&param.name));
    set.map(|param| format!("  param {} = {}\n", param.name, param_text(&param.value))).collect()
}

/// Returns the text of an edit. A script in a separate file is included as text.
fn copy(sheet: &Sheet, sources: &SourceMap, edit: &Edit) -> String {
    let file = match &edit.kind {
        EditKind::Declare { decl, .. } => match &decl.kind {
            DeclKind::Script(text) => Some(text.text.trim()),
            _ => None,
        },
        _ => None,
    };
    let script =
        file.and_then(|file| sheet.scripts.iter().find(|script| script.file.as_deref() == Some(file)));
    match script {
        Some(script) => format!("script \"\"\"\n{}\"\"\"", indented(&script.text, "  ")),
        None => source(sources, edit.span),
    }
}

fn intro(file: &str, of: &str) -> String {
    let (word, base) = (shell_word(file), shell_game(of));
    let (check, diff) = (format!("houserule check {word}"), format!("houserule diff {base} {word}"));
    let wide = diff.chars().count().max(check.chars().count());
    format!(
        "  // This variant plays like {of} until you change it. A line that begins with `//` and no space is a\n  \
         // rule of the game: remove the `//` and change the rule. If a rule has several lines, remove the\n  \
         // `//` from all of them. Delete the lines that you don't need: they change nothing.\n  \
         //   {check:<wide$}  reports errors\n  \
         //   {diff:<wide$}  shows what it changes\n"
    )
}

/// Formats lines as comments.
fn commented(part: &RuleLines) -> String {
    let mut text = String::new();
    for line in &part.lines {
        let remark = if part.remark.is_empty() { String::new() } else { format!("  // {}", part.remark) };
        let line = if line.is_empty() { String::new() } else { format!("//{line}") };
        let width = if remark.is_empty() { 0 } else { 43 };
        text.push_str(format!("  {line:<width$}{remark}").trim_end());
        text.push('\n');
    }
    text
}

fn indented(text: &str, by: &str) -> String {
    text.lines().map(|line| format!("{}\n", format!("{by}{line}").trim_end())).collect()
}

/// Returns the text of a span, with the indentation of its first line removed from the others.
fn source(sources: &SourceMap, span: Span) -> String {
    let whole = &sources.get(span.file).text;
    let start = span.start as usize;
    let line = whole.get(..start).and_then(|before| before.rfind('\n')).map_or(0, |at| at + 1);
    let indent = whole[line..].chars().take_while(|c| c.is_whitespace()).count();
    let mut text = String::new();
    for (number, line) in sources.text(span).lines().enumerate() {
        if number > 0 {
            text.push('\n');
        }
        let off = line.chars().take_while(|c| c.is_whitespace()).count().min(indent);
        text.push_str(if number == 0 { line } else { line.get(off..).unwrap_or("") });
    }
    text
}

fn groups(model: &Model, decls: &[Decl], sources: &SourceMap) -> Vec<RuleGroup> {
    let declared = |is: fn(&DeclKind) -> bool| -> Vec<RuleLines> {
        let fitting = decls.iter().filter(|decl| is(&decl.kind));
        fitting.map(|decl| RuleLines::new(&with_help(decl, source(sources, decl.span)))).collect()
    };
    let (mut steps, mut options) = (vec![], vec![]);
    for decl in decls {
        match &decl.kind {
            DeclKind::Turn(body) | DeclKind::Round(body) | DeclKind::Procedure { body, .. } => {
                walk(body, "", sources, &mut steps, &mut options);
            }
            _ => {}
        }
    }
    let mut entries = vec![];
    for decl in decls {
        match &decl.kind {
            DeclKind::Score(all) => entries.extend(all.iter().map(score_part)),
            DeclKind::Match(all) => entries.extend(all.iter().map(match_part)),
            _ => {}
        }
    }
    let script = RuleLines {
        lines: vec!["script \"\"\" fn on_end(g) { } \"\"\"".to_owned()],
        remark: "or on_setup, before_STEP, after_STEP, on_OPTION, allow_OPTION, score_ITEM".to_owned(),
    };
    let first = model.players.names.first().map_or("player 1", String::as_str);
    let look = RuleLines {
        lines: vec![format!("shown players as [{first}: red]")],
        remark: "or the name of a board, a piece, a zone, a variable, a domain or one of its values"
            .to_owned(),
    };
    let group = |heading, parts| RuleGroup { heading, parts };
    vec![
        group("Params. `fix NAME = …` makes one a constant.", params(model)),
        group(
            "Players and equipment.",
            declared(|kind| {
                matches!(
                    kind,
                    DeclKind::Players(..)
                        | DeclKind::Team { .. }
                        | DeclKind::Board { .. }
                        | DeclKind::Dice { .. }
                        | DeclKind::Piece { .. }
                        | DeclKind::Zone { .. }
                        | DeclKind::Edges { .. }
                        | DeclKind::Enum { .. }
                        | DeclKind::Range { .. }
                        | DeclKind::Record { .. }
                )
            }),
        ),
        group(
            "Variables and tables. To add a variable, write `new var …`.",
            declared(|kind| matches!(kind, DeclKind::Var(_) | DeclKind::Table(_))),
        ),
        group(
            "Definitions and procedures.",
            declared(|kind| matches!(kind, DeclKind::Define { .. } | DeclKind::Procedure { .. })),
        ),
        group("The setup, before the first turn.", declared(|kind| matches!(kind, DeclKind::Setup { .. }))),
        group("Steps of a turn. A step can be removed, or followed by a new one.", steps),
        group("Options. To add one, write it in the same way with a new name.", options),
        group(
            "Ends of the game.",
            declared(|kind| matches!(kind, DeclKind::End { .. } | DeclKind::Limit(_))),
        ),
        group("Items of the score, and the match. To add an item, write `new NAME: …`.", entries),
        group(
            "Winner, ties and payoffs.",
            declared(|kind| {
                matches!(kind, DeclKind::Winner(_) | DeclKind::Ties(_) | DeclKind::Payoff { .. })
            }),
        ),
        group("Looks, which change nothing in play: a colour, a letter, a picture, places.", vec![look]),
        group(
            "Script functions, for what rules can't express. A new script replaces no other.",
            vec![script],
        ),
    ]
}

/// Returns the text of a declaration. If a variant has changed it, its help is in another file and is added.
fn with_help(decl: &Decl, text: String) -> String {
    match &decl.help {
        Some(help) if help.span.file != decl.span.file => format!("{text} {}", print::quoted(&help.text)),
        _ => text,
    }
}

fn params(model: &Model) -> Vec<RuleLines> {
    let free = model.params.iter().filter(|param| !param.fixed);
    free.map(|param| {
        let possible = match &param.kind {
            ParamKind::Number { low, high } => format!("{low}..{high}"),
            ParamKind::Choice(words) => words.join(" | "),
            ParamKind::Bool => "true | false".to_owned(),
            ParamKind::Table => "table".to_owned(),
        };
        let help = if param.help.is_empty() { String::new() } else { format!("  {}", param.help) };
        let line = format!("param {} = {}", param.name, param_text(&param.default));
        RuleLines { lines: vec![line], remark: format!("{possible}{help}") }
    })
    .collect()
}

fn score_part(entry: &ScoreEntry) -> RuleLines {
    let help = entry.help.as_ref().map(|help| format!(" {}", print::quoted(&help.text)));
    RuleLines::new(&format!("score {{ {}{} }}", print::score_entry(entry), help.unwrap_or_default()))
}

fn match_part(entry: &MatchEntry) -> RuleLines {
    RuleLines::new(&format!("match {{ {} }}", print::match_entry(entry)))
}

/// Collects the steps and options inside a block.
fn walk(
    body: &Block,
    step: &str,
    sources: &SourceMap,
    steps: &mut Vec<RuleLines>,
    options: &mut Vec<RuleLines>,
) {
    for one in &body.stmts {
        match &one.kind {
            StmtKind::Step { name, help, body } => {
                let short = help.as_ref().map(|help| help.text.clone()).filter(|help| help.len() <= 60);
                let remark = short.unwrap_or_default();
                steps.push(RuleLines { lines: vec![format!("without step {}", name.text)], remark });
                steps.push(RuleLines::new(&format!(
                    "after {} step my_step \"What is done.\" {{ }}",
                    name.text
                )));
                walk(body, &name.text, sources, steps, options);
            }
            StmtKind::Choose(choose) => choice(choose, step, sources, steps, options),
            _ => {
                for body in one.blocks() {
                    walk(body, step, sources, steps, options);
                }
            }
        }
    }
}

fn choice(
    choose: &Choose,
    step: &str,
    sources: &SourceMap,
    steps: &mut Vec<RuleLines>,
    options: &mut Vec<RuleLines>,
) {
    let name = choose.name.as_ref().map_or(step, |name| name.text.as_str());
    let extend = |text: &str| RuleLines::new(&format!("extend {name} {{\n{}}}", indented(text, "  ")));
    for option in choose.options.iter().flatten() {
        options.push(extend(&source(sources, option.span)));
        if choose.options.len() > 1 {
            options.push(RuleLines::new(&format!("extend {name} {{ without {} }}", option.name.text)));
        }
        walk(&option.body, step, sources, steps, options);
    }
    if let Some(body) = &choose.otherwise {
        options.push(extend(&format!("otherwise {}", source(sources, body.span))));
        walk(body, step, sources, steps, options);
    }
}
