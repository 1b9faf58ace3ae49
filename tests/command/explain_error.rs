//! Tests of `houserule explain-error`.

use crate::command::run;
use houserule::diagnostic::{Code, CodeExample};

#[test]
fn a_code_is_explained_with_an_example_and_its_message() {
    let (code, out, err) = run(&["explain-error", "unknown-name"]);
    assert_eq!((code, err.as_str()), (0, ""));
    let parts = [
        "unknown-name\n",
        Code::UnknownName.meaning(),
        "An example",
        "  game \"",
        "Its message",
        "  error[unknown-name]: nothing is called `",
        "--> unknown-name.rules:",
        "How to mend it",
        Code::UnknownName.mend(),
    ];
    let mut rest = out.as_str();
    for part in parts {
        rest =
            rest.split_once(part).unwrap_or_else(|| panic!("`{part}` is missing, or too early, in\n{out}")).1;
    }
}

#[test]
fn a_code_may_be_copied_with_its_brackets() {
    assert_eq!(run(&["explain-error", "error[cycle]"]), run(&["explain-error", "cycle"]));
    assert_eq!(run(&["explain-error", "[unused]"]).0, 0);
}

#[test]
fn a_code_without_an_example_says_why() {
    let CodeExample::None(reason) = Code::FileTooLarge.example() else { panic!("there is an example") };
    let (code, out, _) = run(&["explain-error", "file-too-large"]);
    assert!(code == 0 && out.contains(reason) && out.contains("How to mend it"), "{out}");
}

#[test]
fn all_codes_are_listed_with_their_meanings() {
    let (code, out, err) = run(&["explain-error"]);
    assert_eq!((code, err.as_str()), (0, ""));
    for known in Code::ALL {
        let words: Vec<&str> = known.meaning().split(' ').take(3).collect();
        let is_listed = |line: &str| {
            line.split_whitespace().next() == Some(known.as_str()) && line.contains(&words.join(" "))
        };
        assert!(out.lines().any(is_listed), "{known}\n{out}");
    }
    assert!(out.lines().all(|line| line.chars().count() <= 100), "{out}");
}

#[test]
fn an_unknown_code_gets_a_suggestion() {
    let (code, out, err) = run(&["explain-error", "unknwon-name"]);
    assert_eq!((code, out.as_str()), (2, ""));
    assert!(err.contains("no message has the code `unknwon-name`; did you mean `unknown-name`?"), "{err}");
    let (code, _, err) = run(&["explain-error", "quite-another"]);
    assert!(code == 2 && err.contains("`houserule explain-error` lists all codes"), "{err}");
}

#[cfg(unix)]
#[test]
fn check_names_the_command_on_a_terminal_only() {
    use crate::table::{Pty, folder, piped, play_command};
    let folder = folder("explained");
    std::fs::write(folder.join("bad.rules"), "game \"Bad\" { }\n").expect("a file can be written");
    let check = || {
        let mut command = std::process::Command::new(play_command(&folder).get_program());
        command.args(["check", "bad.rules"]).current_dir(&folder).env("TERM", "xterm");
        command
    };
    let hint = "`houserule explain-error missing-part` says more";
    Pty::new(&mut check()).until(|text| text.contains(hint));
    let (_, out, err) = piped(&mut check(), &[]);
    assert!(err.contains("error[missing-part]") && !(out + err.as_str()).contains("explain-error"));
}
