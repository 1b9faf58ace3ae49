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
/// use houserule_script::CountingAllocator;
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
        // SAFETY: the caller upholds the contract of `GlobalAlloc::alloc`, which `System` shares.
        counted(unsafe { System.alloc(layout) }, layout.size() as i64)
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller upholds the contract of `GlobalAlloc::alloc_zeroed`, which `System` shares.
        counted(unsafe { System.alloc_zeroed(layout) }, layout.size() as i64)
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        count(-(layout.size() as i64));
        // SAFETY: the caller upholds the contract of `GlobalAlloc::dealloc`, which `System` shares.
        unsafe { System.dealloc(memory, layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller upholds the contract of `GlobalAlloc::realloc`, which `System` shares.
        counted(unsafe { System.realloc(memory, layout, size) }, size as i64 - layout.size() as i64)
    }
}

/// Counts the bytes of an allocation, unless it failed.
fn counted(memory: *mut u8, bytes: i64) -> *mut u8 {
    if !memory.is_null() {
        count(bytes);
    }
    memory
}

#[cfg(test)]
mod tests {
    use std::hint::black_box;

    use super::*;

    #[test]
    fn a_failed_allocation_counts_nothing() {
        let small = Layout::new::<u64>();
        // The optimiser would leave out an allocation that is not used.
        let huge = black_box(Layout::from_size_align(isize::MAX as usize - 63, 1).unwrap());
        let before = in_use();
        // SAFETY: no layout is empty, and memory is given back with the layout it was allocated with.
        unsafe {
            assert!(black_box(CountingAllocator.alloc(huge)).is_null());
            assert!(black_box(CountingAllocator.alloc_zeroed(huge)).is_null());
            assert_eq!(in_use(), before);
            let memory = black_box(CountingAllocator.alloc(small));
            assert_eq!(in_use(), before + 8);
            assert!(black_box(CountingAllocator.realloc(memory, small, huge.size())).is_null());
            assert_eq!(in_use(), before + 8, "the memory is still that of before");
            CountingAllocator.dealloc(memory, small);
        }
        assert_eq!(in_use(), before);
    }
}
