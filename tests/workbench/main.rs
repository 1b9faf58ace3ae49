//! Tests of the workbench without its server: messages, tables, measurements.

#![allow(clippy::unwrap_used)]

#[path = "../support/extent.rs"]
mod extent;
#[path = "../support/text_snapshots.rs"]
mod text_snapshots;

mod measure;
mod messages;
mod profile;
mod table;

use std::path::PathBuf;

use houserule::workbench::{Ask, PositionTold, Session, Tell};
use serde_json::{Value as Json, json};

/// A page's session over a folder without files, which is told everything as text.
struct Page(Session);

impl Page {
    fn new() -> Page {
        Page(Session::new(PathBuf::from("/folder")))
    }

    fn asks(&mut self, ask: &Json) -> Vec<Tell> {
        let ask: Ask = serde_json::from_value(ask.clone()).unwrap_or_else(|error| panic!("{ask}: {error}"));
        let mut told = vec![];
        self.0.ask(&ask, &mut |tell| told.push(tell));
        told
    }

    /// The position that an ask leads to, or why there is none.
    fn tries(&mut self, ask: &Json) -> Result<PositionTold, String> {
        match self.asks(ask).pop() {
            Some(Tell::Position(position)) => Ok(*position),
            Some(Tell::Wrong { message, .. }) => Err(message),
            other => panic!("{ask}: {other:?}"),
        }
    }

    fn position(&mut self, ask: &Json) -> PositionTold {
        self.tries(ask).unwrap_or_else(|message| panic!("{ask}: {message}"))
    }

    /// Begins a game of people.
    fn table(&mut self, path: &str, seed: u64) -> PositionTold {
        self.position(&json!({"ask": "table", "id": 1, "path": path, "seed": seed}))
    }

    /// Takes the legal action with an index, counted round.
    fn plays(&mut self, position: &PositionTold, index: usize) -> PositionTold {
        let moves = &position.choices.as_ref().expect("a decision").moves;
        self.position(&json!({"ask": "act", "id": 2, "action": moves[index % moves.len()].action}))
    }

    fn goes(&mut self, decision: Json) -> PositionTold {
        self.position(&json!({"ask": "go", "id": 3, "decision": decision}))
    }

    fn edits(&mut self, path: &str, version: i64, text: &str) -> Option<PositionTold> {
        let told = self.asks(&json!({"ask": "text", "path": path, "version": version, "text": text}));
        told.into_iter().find_map(|tell| match tell {
            Tell::Position(position) => Some(*position),
            _ => None,
        })
    }
}

fn texts(position: &PositionTold) -> Vec<String> {
    position.events.iter().map(|event| event.text.clone().unwrap_or_default()).collect()
}
