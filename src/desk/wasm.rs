//! A session of the workbench in WebAssembly, for a page without a server: asks and answers are JSON text.
//!
//! The host writes an ask into memory from [`houserule_allocate`] and passes it to [`houserule_ask`]. The answers are
//! a JSON list of [`Tell`]. A run is played to its end before they are returned.

use std::cell::RefCell;
use std::path::PathBuf;

use crate::workbench::{Ask, Session, Tell};

struct Desk {
    session: Session,
    /// The last answers, until the next ask.
    answers: String,
}

thread_local! {
    static DESK: RefCell<Desk> =
        RefCell::new(Desk { session: Session::new(PathBuf::from("/")), answers: String::new() });
}

impl Desk {
    fn answer(&mut self, ask: &[u8]) -> Vec<Tell> {
        let mut told = vec![];
        let ask = match Ask::from_json(ask) {
            Ok(ask) => ask,
            Err(wrong) => return vec![*wrong],
        };
        if let Ask::Report { id, .. } = ask {
            let message = "there is no server here that keeps a report".to_owned();
            return vec![Tell::Wrong { id: Some(id), message }];
        }
        match self.session.run(&ask) {
            Some((id, Err(message))) => told.push(Tell::Wrong { id: Some(id), message }),
            Some((_, Ok(mut run))) => while run.step(&mut |tell| told.push(tell)) {},
            None => self.session.ask(&ask, &mut |tell| told.push(tell)),
        }
        while self.session.idle(&mut |tell| told.push(tell)) {}
        told
    }
}

/// Returns room for an ask of this many bytes. [`houserule_ask`] takes it back.
#[unsafe(no_mangle)]
pub extern "C" fn houserule_allocate(bytes: usize) -> *mut u8 {
    Box::leak(vec![0; bytes].into_boxed_slice()).as_mut_ptr()
}

/// Answers an ask. Returns where the answers are, until the next ask; [`houserule_answer_bytes`] says how long they are.
///
/// # Safety
///
/// `ask` must come from [`houserule_allocate`] with the same number of bytes, and isn't used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn houserule_ask(ask: *mut u8, bytes: usize) -> *const u8 {
    // SAFETY: it was leaked by `houserule_allocate`, with this length.
    let ask = unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(ask, bytes)) };
    DESK.with_borrow_mut(|desk| {
        let told = desk.answer(&ask);
        desk.answers = serde_json::to_string(&told).unwrap_or_default();
        desk.answers.as_ptr()
    })
}

/// Returns the number of bytes of the last answers.
#[unsafe(no_mangle)]
pub extern "C" fn houserule_answer_bytes() -> usize {
    DESK.with_borrow(|desk| desk.answers.len())
}
