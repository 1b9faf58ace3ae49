//! The command that starts the server.

use std::io::{BufReader, Read};
use std::path::Path;
use std::process::Command;

use super::client::{read_address, start};
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
    let folder = Path::new("rules/dice");
    let mut server = start(folder, "0");
    let mut out = BufReader::new(server.stdout.take().expect("its output"));
    let (port, token) = read_address(&mut out);
    assert_eq!(token.len(), 32);
    // The port is taken.
    let second = start(folder, &port.to_string()).wait_with_output().expect("the command");
    let wrong = String::from_utf8_lossy(&second.stderr).into_owned();
    assert!(second.status.code() == Some(2) && wrong.contains(&format!("port {port} is in use")), "{wrong}");
    let id = server.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().expect("kill").success());
    assert_eq!(server.wait().expect("its end").code(), Some(0));
    let mut rest = String::new();
    out.read_to_string(&mut rest).expect("text");
    assert!(rest.contains("Ctrl-C ends it.") && rest.contains("stays in the browser"), "{rest}");
}
