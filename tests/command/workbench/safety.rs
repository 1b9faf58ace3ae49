//! Who may ask, and how much.

use std::io::{Read, Write};
use std::time::{Duration, Instant};

use serde_json::json;

use super::client::Served;
use super::{GAME, text};
use crate::extent;

fn status(answer: &str) -> &str {
    answer.get(9..12).unwrap_or("nothing")
}

#[test]
fn only_the_own_names_are_answered() {
    let served = Served::new("hosts", &[]);
    let port = served.port;
    let get = |host: &str| served.raw(&format!("GET / HTTP/1.1\r\n{host}Connection: close\r\n\r\n"));
    for good in [format!("Host: 127.0.0.1:{port}\r\n"), format!("Host: localhost:{port}\r\n")] {
        assert_eq!(status(&get(&good)), "200", "{good}");
    }
    let bad = [
        String::new(),
        "Host:\r\n".to_owned(),
        "Host: 127.0.0.1\r\n".to_owned(),
        "Host: localhost\r\n".to_owned(),
        format!("Host: 127.0.0.1:{}\r\n", port ^ 1),
        format!("Host: evil.example:{port}\r\n"),
        // Names that lead here, as in DNS rebinding.
        format!("Host: 127.0.0.1.nip.io:{port}\r\n"),
        format!("Host: localhost.evil.example:{port}\r\n"),
        format!("Host: 127.0.0.1:{port}.evil.example\r\n"),
        format!("Host: LOCALHOST:{port}\r\n"),
        format!("Host: [::1]:{port}\r\n"),
        format!("Host: 0.0.0.0:{port}\r\n"),
        format!("Host: 127.1:{port}\r\n"),
        format!("Host: me@127.0.0.1:{port}\r\n"),
        format!("Host: 127.0.0.1:{port}\r\nHost: evil.example\r\n"),
    ];
    for bad in bad {
        let answer = get(&bad);
        assert!(["400", "403"].contains(&status(&answer)), "{bad}: {answer}");
        assert!(!answer.contains("<html"), "{bad}");
    }
    // Who forwards a port is told which.
    let forwarded = get(&format!("Host: 127.0.0.1:{}\r\n", port ^ 1));
    let (head, body) = forwarded.split_once("\r\n\r\n").unwrap();
    assert!(
        head.contains("text/plain") && body.contains(&format!("ssh -L {port}:localhost:{port}")),
        "{forwarded}"
    );
    assert!(!body.contains(&served.token), "the token is for those who started it");
    let whole =
        format!("GET http://evil.example/ HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n");
    assert_eq!(status(&served.raw(&whole)), "403");
}

#[test]
fn only_the_own_page_gets_a_socket() {
    let served = Served::new("origins", &[]);
    let host = format!("Host: 127.0.0.1:{}\r\n", served.port);
    let bad = [
        String::new(),
        "Origin: null\r\n".to_owned(),
        "Origin: http://evil.example\r\n".to_owned(),
        format!("Origin: https://127.0.0.1:{}\r\n", served.port),
        format!("Origin: http://127.0.0.1:{}\r\n", served.port ^ 1),
        format!("Origin: http://127.0.0.1:{}.evil.example\r\n", served.port),
        format!("Origin: http://127.0.0.1:{0}\r\nOrigin: http://evil.example\r\n", served.port),
    ];
    for bad in bad {
        let answer = served.socket(&format!("{host}{bad}")).err().unwrap_or_default();
        assert_eq!(status(&answer), "403", "{bad}");
    }
    let foreign = format!("Host: evil.example:{0}\r\nOrigin: http://evil.example:{0}\r\n", served.port);
    assert_eq!(status(&served.socket(&foreign).err().unwrap_or_default()), "403");
    assert!(served.socket(&format!("{host}Origin: http://localhost:{}\r\n", served.port)).is_ok());
    // A request that is no upgrade.
    assert_eq!(status(&served.get("/ws", &format!("Origin: http://127.0.0.1:{}\r\n", served.port))), "400");
}

#[test]
fn a_page_without_the_token_is_told_nothing() {
    let served = Served::new("tokens", &[("coin.rules", GAME)]);
    let token = &served.token;
    let wrong = [
        json!({"ask": "hello", "token": ""}).to_string(),
        json!({"ask": "hello", "token": token[1..]}).to_string(),
        json!({"ask": "hello", "token": format!("{token}0")}).to_string(),
        json!({"ask": "hello", "token": "0".repeat(32)}).to_string(),
        json!({"ask": "hello", "token": token.to_uppercase() + "x"}).to_string(),
        json!({"ask": "hello"}).to_string(),
        json!({"ask": "open", "id": 1, "path": "coin.rules"}).to_string(),
        "{".to_owned(),
    ];
    for wrong in &wrong {
        let mut socket = served.socket(&served.own()).expect("a socket");
        socket.frame(1, wrong.as_bytes());
        // Whatever follows is not read.
        socket.ask(&json!({"ask": "open", "id": 1, "path": "coin.rules"}));
        let told = socket.hear().expect("a reason");
        assert_eq!(told["tell"], "wrong", "{wrong}");
        assert_eq!(socket.hear(), None, "{wrong}");
    }
    let mut binary = served.socket(&served.own()).expect("a socket");
    binary.frame(2, json!({"ask": "hello", "token": token}).to_string().as_bytes());
    assert_eq!(binary.hear().map(|told| told["tell"].clone()), Some(json!("wrong")));
    let (mut page, _) = served.page();
    page.ask(&json!({"ask": "hello", "token": token}));
    assert_eq!(page.hear().map(|told| told["tell"].clone()), Some(json!("wrong")));
}

#[test]
fn every_answer_has_its_policy() {
    let served = Served::new("headers", &[]);
    let page = served.get("/", "");
    for path in ["/", "/page.js", "/page.css", "/board.css", "/none", "/report/none", "/ws"] {
        let answer = served.get(path, "").to_lowercase();
        for header in [
            "x-content-type-options: nosniff",
            "referrer-policy: no-referrer",
            "cache-control: no-store",
            "cross-origin-resource-policy: same-origin",
            "content-security-policy: default-src 'none'",
        ] {
            assert!(answer.contains(header), "{path} has no `{header}`:\n{answer}");
        }
        assert!(!answer.contains("access-control"), "{path}");
    }
    let policy = page.lines().find(|line| line.starts_with("content-security-policy")).expect("a policy");
    assert!(!policy.contains("unsafe") && policy.contains("script-src 'self';"), "{policy}");
    let nonce = policy.split("'nonce-").nth(1).and_then(|rest| rest.split('\'').next()).expect("a nonce");
    let body = page.split("\r\n\r\n").nth(1).expect("a body");
    assert!(nonce.len() == 32 && body.contains(nonce) && !body.contains("{{"));
    assert!(!served.get("/", "").contains(nonce), "a nonce is used once");
    assert!(!page.contains(&served.token), "the page isn't told the token");
}

#[test]
fn no_path_leads_to_a_file() {
    let served = Served::new("routes", &[("coin.rules", GAME)]);
    let paths = [
        "/coin.rules",
        "/../coin.rules",
        "/%2e%2e/coin.rules",
        "/..%2fcoin.rules",
        "//etc/passwd",
        "/./",
        "/page.js/",
        "/page.js%00",
        "/report/",
        "/report/..%2f..%2fetc%2fpasswd",
        "/report/%2e%2e/x",
        "/board.css/..",
        "/index.html",
    ];
    for path in paths {
        assert_eq!(status(&served.get(path, "")), "404", "{path}");
    }
    for method in ["POST", "PUT", "DELETE", "OPTIONS", "CONNECT", "TRACE"] {
        let request =
            format!("{method} / HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nConnection: close\r\n\r\n", served.port);
        assert!(["400", "403", "405"].contains(&status(&served.raw(&request))), "{method}");
    }
    assert_eq!(status(&served.get("/", "Content-Length: 9\r\n")), "413");
    assert_eq!(status(&served.get("/", "Transfer-Encoding: chunked\r\n")), "413");
    assert_eq!(status(&served.get("/", &format!("X: {}\r\n", "x".repeat(1 << 20)))), "431");
}

#[test]
fn an_oversized_message_ends_the_page_and_no_other() {
    let served = Served::new("oversized", &[]);
    let (mut other, _) = served.page();
    let (mut page, _) = served.page();
    page.ask(&text("a.rules", 1, &"x".repeat(1 << 20)));
    while page.hear().is_some() {}
    // A length that never comes.
    let (mut liar, _) = served.page();
    let _ = liar.stream.write_all(&[0x81, 0xff, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0]);
    while liar.hear().is_some() {}
    // Parts of a message that together are too long.
    let (mut parts, _) = served.page();
    let part = [&[1, 0xff, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0][..], &[b' '; 1 << 18]].concat();
    for number in 0..8 {
        let first = if number == 0 { 1 } else { 0 };
        if parts.stream.write_all(&[&[first], &part[1..]].concat()).is_err() {
            break;
        }
    }
    while parts.hear().is_some() {}
    assert_eq!(other.answer(&json!({"ask": "format", "id": 1, "path": "bundled/dilido"}))["tell"], "edits");
}

#[test]
fn what_is_no_ask_is_answered_and_ends_nothing() {
    let served = Served::new("garbage", &[("coin.rules", GAME)]);
    let (mut page, _) = served.page();
    for garbage in [
        "",
        "{",
        "[]",
        "null",
        r#"{"ask":"none"}"#,
        r#"{"ask":"open"}"#,
        r#"{"ask":"open","id":-1,"path":"a"}"#,
    ] {
        page.frame(1, garbage.as_bytes());
        assert_eq!(page.hear_kind("wrong")["id"], json!(null), "{garbage}");
    }
    let deep = format!("{}1{}", "[".repeat(100_000), "]".repeat(100_000));
    page.frame(1, deep.as_bytes());
    page.hear_kind("wrong");
    assert_eq!(page.answer(&json!({"ask": "open", "id": 1, "path": "coin.rules"}))["text"], GAME);
}

#[test]
fn half_open_sockets_end_and_stop_nobody() {
    // The command waits for ten seconds.
    let patience = Duration::from_secs(extent::tries(4, 10));
    let served = Served::with_patience("half-open", &[], patience);
    let begun = Instant::now();
    let halves: Vec<_> = ["", "G", "GET / HTTP/1.1\r\nHost: 127.0", "GET / HTTP/1.1\r\nX: "]
        .iter()
        .cycle()
        .take(40)
        .map(|half| {
            let mut stream = served.connect();
            stream.write_all(half.as_bytes()).expect("a part of a request");
            stream
        })
        .collect();
    // A page without a token.
    let mut silent = served.socket(&served.own()).expect("a socket");
    assert_eq!(status(&served.get("/", "")), "200");
    assert!(begun.elapsed() < patience / 2, "others are answered at once");
    for mut half in halves {
        let mut rest = vec![];
        let _ = half.read_to_end(&mut rest);
    }
    assert_eq!(silent.hear().map(|told| told["tell"].clone()), Some(json!("wrong")));
    assert_eq!(silent.hear(), None);
}

#[test]
fn more_connections_than_there_are_places_wait() {
    let patience = Duration::from_secs(extent::tries(2, 10));
    let served = Served::with_patience("crowd", &[], patience);
    let crowd: Vec<_> = (0..80).map(|_| served.connect()).collect();
    // They have no time for ever, so this one has its turn.
    assert_eq!(status(&served.get("/", "")), "200");
    drop(crowd);
    let pages: Vec<_> = (0..32).map(|_| served.page()).collect();
    let full = served.socket(&served.own()).err().unwrap_or_default();
    assert_eq!(status(&full), "503");
    drop(pages);
    while served.socket(&served.own()).is_err() {}
}
