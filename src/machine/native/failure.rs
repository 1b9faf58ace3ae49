//! What happens if no machine code can be made: the interpreter goes on, and the command can say why.
//!
//! Independent of programs and of how code is made.

use std::any::Any;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::OnceLock;

/// Environment variable of builds with debug assertions, for tests: no code can be made.
pub const FAILS: &str = "HOUSERULE_NO_CODE";

static REASON: OnceLock<String> = OnceLock::new();

thread_local! {
    static MAKES_CODE: Cell<bool> = const { Cell::new(false) };
}

/// Returns why the code of a program could not be made, the first time that it happened in this process.
pub fn reason() -> Option<&'static str> {
    REASON.get().map(String::as_str)
}

/// Returns `true` while this thread makes code. A panic then is no end of the program.
pub fn makes_code() -> bool {
    MAKES_CODE.get()
}

/// Makes code. Returns `None` if that panics.
pub(super) fn catch<T>(make: impl FnOnce() -> Option<T>) -> Option<T> {
    let nested = MAKES_CODE.replace(true);
    let made = catch_unwind(AssertUnwindSafe(|| {
        assert!(!cfg!(debug_assertions) || std::env::var_os(FAILS).is_none(), "{FAILS} is set");
        make()
    }));
    MAKES_CODE.set(nested);
    made.unwrap_or_else(|panic| {
        let _ = REASON.set(message(&*panic).to_owned());
        None
    })
}

/// The message of a panic.
fn message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("for an unknown reason")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_makes_no_code_and_says_why() {
        assert_eq!(catch(|| Some(3)), Some(3));
        assert!(!makes_code());
        assert_eq!(catch(|| -> Option<u32> { panic!("a block is open: {}", 7) }), None);
        assert!(!makes_code());
        assert_eq!(reason(), Some("a block is open: 7"));
    }
}
