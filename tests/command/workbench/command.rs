//! The command that starts the server.

use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};

use crate::command::run;

#[test]
fn what_can_not_be_opened_is_said() {
    let refused = |args: &[&str]| {
        let (code, out, err) = run(&[&["workbench"], args].concat());
        assert_eq!((code, out.as_str()), (2, ""), "{args:?}");
        err
    };
    assert!(refused(&["dilid"]).contains("did you mean `dilido`?"));
    assert!(refused(&["none.rules"]).contains("there is no file `none.rules`"));
    assert!(refused(&["dilido", "--port", "70000"]).contains("70000"));
    // A program that calls the command goes on only if the server isn't started.
    assert!(refused(&["dilido"]).contains("needs a process of its own"));
    let (code, help, _) = run(&["workbench", "--help"]);
    assert_eq!(code, 0);
    for words in ["[GAME|FILE|FOLDER]", "--port <N>", "--no-open", "this machine is served"] {
        assert!(help.contains(words), "{help}");
    }
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_the_server() {
    let start = |port: &str| {
        Command::new(env!("CARGO_BIN_EXE_houserule"))
            .args(["workbench", "rules/dice", "--no-open", "--port", port])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the command")
    };
    let mut server = start("0");
    let mut out = BufReader::new(server.stdout.take().expect("its output"));
    let mut first = String::new();
    out.read_line(&mut first).expect("a line");
    let address = first.strip_prefix("The workbench is at http://127.0.0.1:").expect("the address");
    let (port, token) = address.trim_end().split_once("/#").expect("a token");
    assert!(port.parse::<u16>().is_ok() && token.len() == 32, "{first}");
    // The port is taken.
    let second = start(port).wait_with_output().expect("the command");
    let wrong = String::from_utf8_lossy(&second.stderr).into_owned();
    assert!(second.status.code() == Some(2) && wrong.contains(&format!("port {port} is in use")), "{wrong}");
    let id = server.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().expect("kill").success());
    assert_eq!(server.wait().expect("its end").code(), Some(0));
    let mut rest = String::new();
    out.read_to_string(&mut rest).expect("text");
    assert!(rest.contains("Ctrl-C ends it.") && rest.contains("stays in the browser"), "{rest}");
}
