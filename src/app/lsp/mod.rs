//! The language server: the protocol of editors over two streams, around [`houserule_desk::service`].
//!
//! A thread reads messages. The loop takes all that wait, so that of several versions of a text only the last is
//! checked. A request that fails, or even panics, is answered with an error, and the server goes on.

mod convert;
mod protocol;
mod requests;
mod server;
mod uri;

use std::io::{self, BufRead, Write};
use std::sync::mpsc;

use lsp_server::Message;
use serde_json::json;

use server::Server;

/// What the reader found.
enum Incoming {
    Message(Message),
    /// Something that is no message, with the reason.
    Garbage(String),
}

/// Serves an editor until it says `exit` or the input ends. Returns `true` if it said `shutdown` before.
pub fn serve(input: impl BufRead + Send + 'static, output: &mut dyn Write) -> io::Result<bool> {
    let (sender, receiver) = mpsc::channel();
    // Not joined: at the end it may still wait for input.
    std::thread::spawn(move || read_all(input, &sender));
    let mut server = Server::default();
    while let Ok(first) = receiver.recv() {
        let batch: Vec<Incoming> = std::iter::once(first).chain(receiver.try_iter()).collect();
        let mut messages = vec![];
        for one in batch {
            match one {
                Incoming::Message(message) => messages.push(message),
                Incoming::Garbage(reason) => refuse(output, &reason)?,
            }
        }
        for answer in server.take(messages) {
            answer.write(&mut &mut *output)?;
        }
        if server.is_over() {
            break;
        }
    }
    Ok(server.was_shut_down())
}

fn read_all(mut input: impl BufRead, sender: &mpsc::Sender<Incoming>) {
    loop {
        let found = match Message::read(&mut input) {
            Ok(Some(message)) => Incoming::Message(message),
            Ok(None) => return,
            // The next message can be read.
            Err(error) if error.kind() == io::ErrorKind::InvalidData => Incoming::Garbage(error.to_string()),
            Err(_) => return,
        };
        if sender.send(found).is_err() {
            return;
        }
    }
}

/// Answers something that is no message.
fn refuse(output: &mut dyn Write, reason: &str) -> io::Result<()> {
    let code = lsp_server::ErrorCode::ParseError as i32;
    let answer =
        json!({"jsonrpc": "2.0", "id": null, "error": {"code": code, "message": reason}}).to_string();
    write!(output, "Content-Length: {}\r\n\r\n{answer}", answer.len())?;
    output.flush()
}
