//! Runs the command inside a test.

/// Returns the exit code, standard output and standard error.
pub(crate) fn run(args: &[&str]) -> (u8, String, String) {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let args = std::iter::once("houserule").chain(args.iter().copied()).map(Into::into);
    let code = houserule::cli::run_to(args, &mut out, &mut err);
    let text = |bytes| String::from_utf8(bytes).expect("what the command writes is text");
    (code, text(out), text(err))
}
