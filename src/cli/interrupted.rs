//! Ctrl-C during a run: the first asks the run to stop and to tell what it has found, the second ends the
//! process at once.

use super::Terminal;
use crate::interrupt::Interrupt;

/// The exit code of a run that Ctrl-C stopped: 128 and the number of the signal, as shells have it.
pub(super) const EXIT_CODE: u8 = 130;

/// A flag that Ctrl-C sets from now on. Only the process of the command itself listens.
pub(super) fn on_ctrl_c(terminal: &Terminal<'_>) -> Interrupt {
    let interrupt = Interrupt::new();
    if terminal.process {
        use signal_hook::consts::SIGINT;
        use signal_hook::flag::{register, register_conditional_shutdown};
        // In this order: the shutdown looks whether the flag was set before. Where signals can't be caught,
        // Ctrl-C ends the process as always.
        let _ = register_conditional_shutdown(SIGINT, EXIT_CODE.into(), interrupt.flag())
            .and_then(|_| register(SIGINT, interrupt.flag()));
    }
    interrupt
}
