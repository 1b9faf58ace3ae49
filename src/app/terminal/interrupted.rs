//! Ctrl-C during a run, or the signal by which other programs end it: the first stops the run, which then reports its
//! results so far. The second ends the process at once.

use super::Terminal;
use houserule_base::interrupt::Interrupt;

/// Exit code of a run stopped by Ctrl-C: 128 plus the number of the signal, as in shells.
pub(crate) const EXIT_CODE: u8 = 130;

/// Returns a flag that Ctrl-C sets from now on, as SIGTERM does. Only the command's own process listens to the signal.
pub(crate) fn on_ctrl_c(terminal: &Terminal<'_>) -> Interrupt {
    let interrupt = Interrupt::new();
    if terminal.process {
        use signal_hook::consts::{SIGINT, SIGTERM};
        use signal_hook::flag::{register, register_conditional_shutdown};
        for signal in [SIGINT, SIGTERM] {
            // In this order, because the shutdown tests whether the flag was set before. If signals can't be
            // caught, they end the process as usual.
            let _ = register_conditional_shutdown(signal, EXIT_CODE.into(), interrupt.flag())
                .and_then(|_| register(signal, interrupt.flag()));
        }
    }
    interrupt
}
