//! Functions in assembly, for x86-64, that keep all registers and leave their result in the context: what the code around a
//! call has in registers stays there. Elsewhere the functions of [`calls`](super::calls) do their work.

#[cfg(all(target_arch = "x86_64", unix))]
pub(super) use x86_64::{single, too_long};

#[cfg(not(all(target_arch = "x86_64", unix)))]
pub(super) use none::{single, too_long};

#[cfg(all(target_arch = "x86_64", unix))]
mod x86_64 {
    use std::arch::naked_asm;
    use std::mem::offset_of;

    use crate::native::compiled::calls;
    use crate::processor::has_bmi2;

    /// Returns a function that takes a set and a rank, and finds the one-element set of the element of that rank. Cranelift
    /// doesn't emit the instruction that it needs.
    pub(in crate::native::compiled) fn single() -> Option<*const u8> {
        #[unsafe(naked)]
        extern "sysv64" fn single(context: &mut calls::CallContext, set: u64, rank: u64) {
            naked_asm!(
                "push rax",
                "mov eax, 1",
                "shlx rax, rax, rdx",
                "pdep rax, rax, rsi",
                "mov [rdi + {result}], rax",
                "pop rax",
                "ret",
                result = const offset_of!(calls::CallContext, result),
            )
        }
        has_bmi2().then_some(single as extern "sysv64" fn(&mut calls::CallContext, u64, u64) as *const u8)
    }

    /// Returns [`calls::too_long`]. It is called rarely, but in the middle of every turn: if it changed registers, each turn
    /// would save them.
    pub(in crate::native::compiled) fn too_long() -> Option<*const u8> {
        #[unsafe(naked)]
        extern "sysv64" fn too_long(context: &mut calls::CallContext, at: u32) {
            naked_asm!(
                "push rax", "push rcx", "push rdx", "push rsi", "push rdi", "push r8", "push r9", "push r10", "push r11",
                // With the return address these are 80 bytes, so the stack stays aligned for the call.
                "sub rsp, 256",
                "movups [rsp], xmm0", "movups [rsp + 16], xmm1", "movups [rsp + 32], xmm2",
                "movups [rsp + 48], xmm3", "movups [rsp + 64], xmm4", "movups [rsp + 80], xmm5",
                "movups [rsp + 96], xmm6", "movups [rsp + 112], xmm7", "movups [rsp + 128], xmm8",
                "movups [rsp + 144], xmm9", "movups [rsp + 160], xmm10", "movups [rsp + 176], xmm11",
                "movups [rsp + 192], xmm12", "movups [rsp + 208], xmm13", "movups [rsp + 224], xmm14",
                "movups [rsp + 240], xmm15",
                "call {too_long}",
                // The context was the first argument.
                "mov rdi, [rsp + 288]",
                "mov [rdi + {result}], rax",
                "movups xmm0, [rsp]", "movups xmm1, [rsp + 16]", "movups xmm2, [rsp + 32]",
                "movups xmm3, [rsp + 48]", "movups xmm4, [rsp + 64]", "movups xmm5, [rsp + 80]",
                "movups xmm6, [rsp + 96]", "movups xmm7, [rsp + 112]", "movups xmm8, [rsp + 128]",
                "movups xmm9, [rsp + 144]", "movups xmm10, [rsp + 160]", "movups xmm11, [rsp + 176]",
                "movups xmm12, [rsp + 192]", "movups xmm13, [rsp + 208]", "movups xmm14, [rsp + 224]",
                "movups xmm15, [rsp + 240]",
                "add rsp, 256",
                "pop r11", "pop r10", "pop r9", "pop r8", "pop rdi", "pop rsi", "pop rdx", "pop rcx", "pop rax",
                "ret",
                too_long = sym calls::too_long,
                result = const offset_of!(calls::CallContext, result),
            )
        }
        Some(too_long as extern "sysv64" fn(&mut calls::CallContext, u32) as *const u8)
    }
}

#[cfg(not(all(target_arch = "x86_64", unix)))]
mod none {
    pub(in crate::native::compiled) fn single() -> Option<*const u8> {
        None
    }

    pub(in crate::native::compiled) fn too_long() -> Option<*const u8> {
        None
    }
}
