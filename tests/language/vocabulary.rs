//! The grammar, `docs/language.md`, the dictionary of the fuzzer and the editors have the words of the tables in
//! `src/language/vocabulary`.

use std::collections::BTreeSet;

use crate::fences::document;
use crate::text_snapshots::check_snapshots;
use houserule::diagnostic::FileId;
use houserule::syntax::{DeclKind, Item, Quantifier, StmtKind, parse};
use houserule::vocabulary::keywords::{
    self, CONTINUING, DECLARATION, DECLARATION_OR_VALUE, EDIT, ENDS, GOES_ON, MATCH_VALUE, NAMEABLE,
    NO_PROCEDURE, QUANTIFIER, RESERVED, VALUE, all, with,
};
use houserule::vocabulary::{BuiltInName, Function, FunctionParameter, Place, STATEMENTS, keyword};

const GRAMMAR: &str = "src/language/syntax/grammar.pest";
const LANGUAGE: &str = "docs/language.md";
const DICTIONARY: &str = "fuzz/rules.dict";
const PAGE: &str = "workbench/src/editor/words.ts";
const SYNTAX: &str = "editors/vscode/syntaxes/rules.tmLanguage.json";

/// Returns the quoted words of a rule of the grammar.
fn words_of_rule(grammar: &str, rule: &str) -> BTreeSet<String> {
    let start = grammar.find(&format!("\n{rule} ")).unwrap_or_else(|| panic!("{GRAMMAR} has no rule {rule}"));
    let end = grammar[start..].find('}').map_or(grammar.len(), |n| start + n);
    quoted(&grammar[start..end])
}

fn quoted(text: &str) -> BTreeSet<String> {
    let all = text.split('"').skip(1).step_by(2).map(str::to_owned);
    all.filter(|word| word.chars().all(|c| c.is_ascii_alphabetic())).collect()
}

fn set(words: Vec<&str>) -> BTreeSet<String> {
    words.into_iter().map(str::to_owned).collect()
}

#[test]
fn the_grammar_has_the_keywords_of_the_table() {
    let grammar = document(GRAMMAR);
    let rules = grammar.lines().filter(|line| line.starts_with("k_"));
    let mut count = 0;
    for line in rules {
        let (name, _) = line.split_once([' ', '=']).expect("a rule");
        let word = name.trim_start_matches("k_");
        assert!(keyword(word).is_some(), "{GRAMMAR} has the keyword `{word}`, the table has not");
        assert!(line.contains(&format!("@{{ \"{word}\" ~ !idc }}")), "{line}");
        count += 1;
    }
    assert!(count > 90, "{count}");
    // The rule has the letter of dice as well.
    let mut reserved = words_of_rule(&grammar, "reserved  ");
    assert!(reserved.remove("d"));
    assert_eq!(reserved, set(with(RESERVED)));
    assert_eq!(words_of_rule(&grammar, "quant_w  "), set(with(QUANTIFIER)));
    assert_eq!(words_of_rule(&grammar, "match_w  "), set(with(MATCH_VALUE)));
    // A function whose name is reserved needs a mention, or its call wouldn't parse.
    let calls = words_of_rule(&grammar, "fn_word  ");
    let names = Function::ALL.iter().map(|function| function.name());
    let reserved: Vec<&str> =
        names.filter(|name| keyword(name).is_some_and(|one| one.has(RESERVED))).collect();
    assert!(
        !reserved.is_empty() && reserved.iter().all(|name| calls.contains(*name)),
        "{reserved:?} {calls:?}"
    );
    assert!(with(QUANTIFIER).into_iter().all(|word| Quantifier::named(word).is_some()));
}

/// Returns the words in code between two phrases of the language reference.
fn listed(from: &str, to: &str) -> BTreeSet<String> {
    let text = document(LANGUAGE);
    let (_, rest) = text.split_once(from).unwrap_or_else(|| panic!("{LANGUAGE} has no `{from}`"));
    let (list, _) = rest.split_once(to).expect("the end of the list");
    list.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

#[test]
fn the_lists_of_words_in_the_reference_are_those_of_the_tables() {
    let nameable = set(with(NAMEABLE));
    let reserved = set(with(RESERVED)).difference(&nameable).cloned().collect();
    assert_eq!(listed("These keywords can't be names:", "These names are in every game"), reserved);
    assert_eq!(listed("are names in a file that declares them:", ". Where a statement"), nameable);
    let names = BuiltInName::ALL.iter().map(|name| name.name()).collect();
    assert_eq!(listed("These names are in every game:", "A\n`define`"), set(names));
    let refused = with(CONTINUING | NO_PROCEDURE);
    assert_eq!(listed("A procedure can't be called", ".\n"), set(refused));
}

/// Returns the inline code of the reference: what it says, and what it has in the first columns of its tables.
fn inline() -> (Vec<String>, Vec<String>) {
    let (mut all, mut first, mut fenced) = (vec![], vec![], false);
    for line in document(LANGUAGE).lines() {
        fenced ^= line.starts_with("```");
        if fenced {
            continue;
        }
        let code =
            |text: &str| -> Vec<String> { text.split('`').skip(1).step_by(2).map(str::to_owned).collect() };
        all.extend(code(line));
        if let Some(row) = line.strip_prefix("| ") {
            first.extend(code(row.split(" | ").next().unwrap_or_default()));
        }
    }
    (all, first)
}

/// Returns the calls of a function, with the parameters that are always given and some of the others.
fn calls(function: Function) -> Vec<String> {
    let mut all = vec![];
    for form in function.forms() {
        let given: Vec<&FunctionParameter> = form.params.iter().filter(|param| !param.is_named()).collect();
        for count in form.arguments().0..=given.len() {
            let names: Vec<&str> = given[..count].iter().map(|param| param.name).collect();
            all.push(format!("{}({})", function.name(), names.join(", ")));
        }
    }
    all
}

#[test]
fn the_reference_has_the_functions_of_the_table() {
    let (all, first) = inline();
    for function in Function::ALL {
        // The reference shows an example of the text in its place.
        if *function == Function::Graph {
            continue;
        }
        let calls = calls(*function);
        let is_shown = |call: &String| all.iter().any(|code| code.contains(call.as_str()));
        assert!(calls.iter().any(is_shown), "{LANGUAGE} has none of {calls:?}");
        // What a table begins with is exactly what can be written.
        for code in first.iter().filter(|code| code.starts_with(&format!("{}(", function.name()))) {
            let plain = code.split([':', '"']).next().unwrap_or_default();
            let is_plain = plain == code && !code.contains(" { ");
            assert!(!is_plain || calls.contains(code), "{LANGUAGE} has `{code}`, the table {calls:?}");
        }
    }
}

#[test]
fn the_reference_has_the_names_and_statements_of_the_tables() {
    let (all, first) = inline();
    for name in BuiltInName::ALL {
        let is_it = |code: &String| code == name.name() || code.starts_with(&format!("{}[", name.name()));
        let is_property = |code: &String| code.ends_with(&format!(" is {}", name.name()));
        assert!(first.iter().any(|code| is_it(code) || is_property(code)), "no table has `{}`", name.name());
    }
    // What isn't built yet has an example in a part of its own.
    let built = STATEMENTS.iter().filter(|verb| verb.place != Place::Chooses);
    let forms = built.flat_map(|verb| verb.forms);
    let missing: Vec<_> = forms.filter(|form| !all.iter().any(|code| code == *form)).collect();
    assert!(missing.is_empty(), "{LANGUAGE} does not have {missing:?}");
}

#[test]
fn every_keyword_is_described_in_a_sentence() {
    for one in all() {
        let help = one.help;
        assert!(help.starts_with(char::is_uppercase) && help.ends_with(['.', '?']), "{}: {help}", one.word);
    }
}

#[test]
fn the_forms_of_statements_can_be_parsed() {
    for verb in &STATEMENTS {
        let word = verb.keyword.word;
        for form in verb.forms {
            let text = format!("game \"Forms\" {{ turn {{ {} }} }}", form.replace('…', ""));
            let (file, messages) = parse(FileId(0), &text);
            assert!(messages.is_empty(), "{form}: {messages:?}");
            let Some(Item::Game(game)) = file.items.first() else { panic!("{text}") };
            let DeclKind::Turn(turn) = &game.decls[0].kind else { panic!("{text}") };
            assert!(turn.stmts.len() == 1 && !matches!(turn.stmts[0].kind, StmtKind::Hole), "{form}");
        }
        assert!(verb.forms.iter().any(|form| form.split(' ').any(|part| part == word)), "{word}");
    }
}

#[test]
fn the_dictionary_of_the_fuzzer_has_all_words() {
    let text = document(DICTIONARY);
    let keywords = all().map(|keyword| keyword.word);
    let functions = Function::ALL.iter().map(|function| function.name());
    let names = BuiltInName::ALL.iter().map(|name| name.name());
    let words: BTreeSet<&str> = keywords.chain(functions).chain(names).collect();
    let (_, rest) = text.split_once("\n\n").expect("a part for signs");
    let first = "# Words of the rule language, from `src/language/vocabulary`.\n";
    let lines: String = words.iter().map(|word| format!("\"{word}\"\n")).collect();
    check_snapshots([(DICTIONARY.to_owned(), format!("{first}{lines}\n{rest}"))]);
}

/// Returns the words of the tables, sorted, as the editor of the workbench's page has them.
fn lists_of_words() -> Vec<(&'static str, &'static str, BTreeSet<&'static str>)> {
    let having = |roles: u32| with(roles).into_iter().collect::<BTreeSet<_>>();
    let reserved = having(RESERVED);
    let is_atom = |word: &&str| [RESERVED, VALUE, ENDS].iter().all(|role| keywords::has(word, *role));
    let continuing = having(CONTINUING | GOES_ON).difference(&reserved).copied().collect();
    vec![
        ("RESERVED", "Words that are keywords everywhere.", reserved.clone()),
        ("ATOMS", "Reserved words that are values.", reserved.iter().copied().filter(is_atom).collect()),
        ("DECLARATIONS", "Words that begin a declaration.", having(DECLARATION | DECLARATION_OR_VALUE)),
        ("HEADINGS", "Words that begin a file's game or variant.", BTreeSet::from(["game", "variant"])),
        ("EDITS", "Words that begin an edit of a variant.", having(EDIT)),
        (
            "STATEMENTS",
            "Words that begin a statement.",
            STATEMENTS.iter().map(|verb| verb.keyword.word).collect(),
        ),
        (
            "CONTINUING",
            "Words that continue a declaration or a statement. They can be names in other places.",
            continuing,
        ),
        ("FUNCTIONS", "The functions.", Function::ALL.iter().map(|function| function.name()).collect()),
        ("NAMES", "Names that every game has.", BuiltInName::ALL.iter().map(|name| name.name()).collect()),
    ]
}

#[test]
fn the_page_has_the_words_of_the_tables() {
    let mut text = "// The words of the rule language, for the colours that show before the service answers. Generated from `src/language/vocabulary`.\n\n\
        const list = (words: string) => new Set(words.split(\" \"));\n"
        .to_owned();
    for (name, help, words) in lists_of_words() {
        let words = words.into_iter().collect::<Vec<_>>().join(" ");
        text.push_str(&format!("\n/** {help} */\nexport const {name} = list(\"{words}\");\n"));
    }
    check_snapshots([(PAGE.to_owned(), text)]);
}

#[test]
fn the_syntax_for_other_editors_has_the_words_of_the_tables() {
    let lists = lists_of_words();
    let list = |name: &str| &lists.iter().find(|(of, ..)| *of == name).expect("such a list").2;
    let statements = list("RESERVED").intersection(list("STATEMENTS")).copied().collect();
    let mut text = document(SYNTAX);
    // A statement that isn't reserved is told by the words around it, by an expression of its own.
    for (part, words) in
        [("reserved", &statements), ("functions", list("FUNCTIONS")), ("names", list("NAMES"))]
    {
        let part = text.find(&format!("\"{part}\": {{")).expect("a part for them");
        // The last group of its first expression.
        let end = part + text[part..].find(")\\\\b\"\n").expect("the end of the list");
        let start = 1 + text[..end].rfind('(').expect("the beginning of the list");
        text.replace_range(start..end, &words.iter().copied().collect::<Vec<_>>().join("|"));
    }
    check_snapshots([(SYNTAX.to_owned(), text)]);
}
