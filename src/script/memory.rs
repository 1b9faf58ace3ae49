//! Counts the memory that each thread holds. A library can't do that alone: a program that runs untrusted
//! scripts must use [`CountingAllocator`] as its global allocator, as the command and the Python module do.
//! Otherwise the limit `script.memory` has no effect, and only the other limits bound what a script takes.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    /// Bytes that the thread has allocated minus those it has freed. Negative if it frees what others
    /// allocated.
    static IN_USE: Cell<i64> = const { Cell::new(0) };
}

/// The system's allocator, with a count of the bytes that each thread holds.
///
/// ```
/// use houserule::script::CountingAllocator;
///
/// #[global_allocator]
/// static ALLOCATOR: CountingAllocator = CountingAllocator;
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct CountingAllocator;

/// Returns the bytes that the thread holds, or 0 if no allocator counts them.
pub(super) fn in_use() -> i64 {
    IN_USE.get()
}

/// Adds allocated bytes; negative for freed ones. A layout has at most `isize::MAX` bytes.
fn count(bytes: i64) {
    IN_USE.set(IN_USE.get().wrapping_add(bytes));
}

// SAFETY: every call is passed unchanged to the system's allocator; the counter is a plain thread-local integer
// that allocates no memory and has no destructor.
unsafe impl GlobalAlloc for CountingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as i64);
        // SAFETY: the caller upholds the contract of `GlobalAlloc::alloc`, which `System` shares.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as i64);
        // SAFETY: the caller upholds the contract of `GlobalAlloc::alloc_zeroed`, which `System` shares.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        count(-(layout.size() as i64));
        // SAFETY: the caller upholds the contract of `GlobalAlloc::dealloc`, which `System` shares.
        unsafe { System.dealloc(memory, layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size as i64 - layout.size() as i64);
        // SAFETY: the caller upholds the contract of `GlobalAlloc::realloc`, which `System` shares.
        unsafe { System.realloc(memory, layout, size) }
    }
}
