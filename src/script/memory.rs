//! How much memory a thread holds. A library can't know that by itself: a program that calls scripts of others
//! has [`CountingAllocator`] as its allocator, as the command and the Python module have. Without it
//! the limit `script.memory` does nothing, and the other limits alone bound what a script takes.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    /// Bytes that the thread has taken and not given back. Negative if it gives back what others took.
    static IN_USE: Cell<i64> = const { Cell::new(0) };
}

/// The system's allocator, which counts the bytes that each thread holds.
///
/// ```
/// use houserule::script::CountingAllocator;
///
/// #[global_allocator]
/// static ALLOCATOR: CountingAllocator = CountingAllocator;
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct CountingAllocator;

/// The bytes that the thread holds; 0 if nobody counts them.
pub(super) fn in_use() -> i64 {
    IN_USE.get()
}

/// Counts bytes that were taken, or given back if negative. A layout has at most `isize::MAX` bytes.
fn count(bytes: i64) {
    IN_USE.set(IN_USE.get().wrapping_add(bytes));
}

// SAFETY: every call goes to the system's allocator as it came; the counter is a plain thread-local
// number that needs no memory of its own and has no destructor.
unsafe impl GlobalAlloc for CountingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as i64);
        // SAFETY: the caller's promises are passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as i64);
        // SAFETY: the caller's promises are passed on.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        count(-(layout.size() as i64));
        // SAFETY: the caller's promises are passed on.
        unsafe { System.dealloc(memory, layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size as i64 - layout.size() as i64);
        // SAFETY: the caller's promises are passed on.
        unsafe { System.realloc(memory, layout, size) }
    }
}
