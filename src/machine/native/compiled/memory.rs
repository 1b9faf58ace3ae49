//! Memory of machine code: written first, then executable, never both at once, and unmapped when dropped.

use memmap2::{Mmap, MmapMut};

/// The code of one function.
pub(super) struct ExecutableMemory(Mmap);

impl ExecutableMemory {
    /// Copies code to executable memory. Returns `None` if the system does not allow it.
    pub(super) fn new(bytes: &[u8]) -> Option<ExecutableMemory> {
        let mut writable = MmapMut::map_anon(bytes.len()).ok()?;
        writable.copy_from_slice(bytes);
        let code = writable.make_exec().ok()?;
        flush(&code)?;
        Some(ExecutableMemory(code))
    }

    /// Returns the address of the code.
    pub(super) fn start(&self) -> *const u8 {
        self.0.as_ptr()
    }
}

/// Flushes caches, as some processors require between writing and executing code.
fn flush(code: &Mmap) -> Option<()> {
    use wasmtime_internal_jit_icache_coherence::{clear_cache, pipeline_flush_mt};
    // SAFETY: the memory is mapped as long as `code` is borrowed.
    unsafe { clear_cache(code.as_ptr().cast(), code.len()) }.ok()?;
    pipeline_flush_mt().ok()
}
