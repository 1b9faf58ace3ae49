//! Ctrl-C during a run: the first stops the run, which then reports its results so far. The second ends the
//! process at once.

use super::Terminal;
use houserule_base::interrupt::Interrupt;

/// Exit code of a run stopped by Ctrl-C: 128 plus the number of the signal, as in shells.
pub(crate) const EXIT_CODE: u8 = 130;

/// Returns a flag that Ctrl-C sets from now on. Only the command's own process listens to the signal.
pub(crate) fn on_ctrl_c(terminal: &Terminal<'_>) -> Interrupt {
    let interrupt = Interrupt::new();
    if terminal.process {
        use signal_hook::consts::SIGINT;
        use signal_hook::flag::{register, register_conditional_shutdown};
        // In this order, because the shutdown tests whether the flag was set before. If signals can't be
        // caught, Ctrl-C ends the process as usual.
        let _ = register_conditional_shutdown(SIGINT, EXIT_CODE.into(), interrupt.flag())
            .and_then(|_| register(SIGINT, interrupt.flag()));
    }
    interrupt
}
