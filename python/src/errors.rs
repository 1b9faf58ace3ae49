//! Converts errors of the engine to Python exceptions.

use std::path::Path;

use houserule::agents::{AgentError, PlayerError};
use houserule::diagnostic::{Diagnostic, Label, Severity, SourceMap, Span};
use houserule::game::NoWorld;
use houserule::game::snapshot::SnapshotError;
use houserule::game::{ApplyError, Seat};
use houserule::loader::LoadError;
use pyo3::exceptions::{PyFileNotFoundError, PyOSError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyType};

use crate::names::{legal_text, outcomes_text};

/// Returns an exception class of the package. The classes are written in Python, so that they can have
/// attributes under the stable ABI.
pub(crate) fn class<'py>(
    py: Python<'py>,
    cell: &'static PyOnceLock<Py<PyType>>,
    name: &str,
) -> PyResult<Bound<'py, PyType>> {
    Ok(cell.import(py, "houserule._errors", name)?.clone())
}

/// Converts the error of a game that couldn't be loaded.
pub(crate) fn load_error(py: Python<'_>, error: &LoadError) -> PyErr {
    match error {
        LoadError::Rules { diagnostics, sources, .. } => {
            rules_error(py, &error.to_string(), diagnostics, sources).unwrap_or_else(|failed| failed)
        }
        LoadError::Compile(_) => {
            rules_error(py, &error.to_string(), &[], &SourceMap::default()).unwrap_or_else(|failed| failed)
        }
        LoadError::Request(_) => PyValueError::new_err(error.to_string()),
    }
}

/// Like [`load_error`], for one of several games: the text begins with what it is.
pub(crate) fn load_error_of(py: Python<'_>, error: &LoadError, what: &str) -> PyErr {
    let made = match error {
        LoadError::Rules { diagnostics, sources, .. } => {
            rules_error(py, &format!("{what}:\n{error}"), diagnostics, sources)
        }
        LoadError::Compile(_) => rules_error(py, &format!("{what}: {error}"), &[], &SourceMap::default()),
        LoadError::Request(_) => Ok(PyValueError::new_err(format!("{what}: {error}"))),
    };
    made.unwrap_or_else(|failed| failed)
}

/// Creates the error for a missing file, like that of Python's own functions.
pub(crate) fn missing_file(path: &Path) -> PyErr {
    const NOT_FOUND: i32 = 2;
    PyFileNotFoundError::new_err((NOT_FOUND, "there is no such file", path.to_string_lossy().into_owned()))
}

/// Converts the error of an agent that couldn't be created. Errors in its script become a `RulesError`.
pub(crate) fn agent_error(py: Python<'_>, error: &AgentError) -> PyErr {
    match error {
        AgentError::Script(fault) => rules_error(py, &error.to_string(), &fault.diagnostics, &fault.sources)
            .unwrap_or_else(|failed| failed),
        AgentError::File { path, .. } if !Path::new(path).exists() => missing_file(Path::new(path)),
        AgentError::Player(PlayerError::Unreadable { path, .. }) if !Path::new(path).exists() => {
            missing_file(Path::new(path))
        }
        AgentError::Player(PlayerError::Unreadable { message, .. }) => PyOSError::new_err(message.clone()),
        AgentError::File { message, .. } => PyOSError::new_err(message.clone()),
        error => PyValueError::new_err(error.to_string()),
    }
}

fn rules_error(
    py: Python<'_>,
    text: &str,
    diagnostics: &[Diagnostic],
    sources: &SourceMap,
) -> PyResult<PyErr> {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let told: Vec<_> = diagnostics.iter().map(|d| diagnostic(py, d, sources)).collect::<PyResult<_>>()?;
    let error = class(py, &CLASS, "RulesError")?.call1((text, told))?;
    Ok(PyErr::from_value(error))
}

/// Converts a message to `houserule.Diagnostic`.
pub(crate) fn diagnostic<'py>(
    py: Python<'py>,
    diagnostic: &Diagnostic,
    sources: &SourceMap,
) -> PyResult<Bound<'py, PyAny>> {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let fields = PyDict::new(py);
    fields.set_item(
        "severity",
        match diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        },
    )?;
    fields.set_item("code", diagnostic.code.as_str())?;
    fields.set_item("message", &diagnostic.message)?;
    fields.set_item("place", place(py, &diagnostic.primary, sources)?)?;
    let also: Vec<_> =
        diagnostic.secondary.iter().map(|label| place(py, label, sources)).collect::<PyResult<_>>()?;
    fields.set_item("also", also)?;
    fields.set_item("notes", diagnostic.notes.clone())?;
    fields.set_item("help", diagnostic.help.clone())?;
    class(py, &CLASS, "Diagnostic")?.call((), Some(&fields))
}

fn place<'py>(py: Python<'py>, label: &Label, sources: &SourceMap) -> PyResult<Bound<'py, PyAny>> {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let source = sources.get(label.span.file);
    let at = sources.line_column(label.span);
    let end = sources.line_column(Span { start: label.span.end, ..label.span });
    let fields = PyDict::new(py);
    fields.set_item("file", &source.name)?;
    fields.set_item("line", at.line)?;
    fields.set_item("column", at.column)?;
    fields.set_item("end_line", end.line)?;
    fields.set_item("end_column", end.column)?;
    fields.set_item("label", &label.text)?;
    class(py, &CLASS, "Place")?.call((), Some(&fields))
}

/// Creates the error for something hidden from the player whose view is read.
pub(crate) fn hidden_error(py: Python<'_>, what: &str, seat: Seat) -> PyErr {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let made = class(py, &CLASS, "HiddenError").and_then(|class| class.call1((what, seat.0)));
    made.map_or_else(|failed| failed, PyErr::from_value)
}

/// Creates the error for a player for whom no world was found.
pub(crate) fn no_world_error(py: Python<'_>, none: &NoWorld) -> PyErr {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let made =
        class(py, &CLASS, "NoWorldError").and_then(|class| class.call1((none.to_string(), none.event)));
    made.map_or_else(|failed| failed, PyErr::from_value)
}

/// Creates the error for an action or outcome that can't be applied; it lists those that can. Runtime errors of
/// the rules are handled elsewhere.
pub(crate) fn apply_error(error: &ApplyError, state: &houserule::game::State) -> PyErr {
    PyValueError::new_err(match error {
        ApplyError::Illegal(action) => {
            let name = state.game().action_name(*action);
            format!("`{name}` (action {}) is not legal here{}", action.0, legal_text(state, None))
        }
        ApplyError::Over => "the game is over and takes no more actions or outcomes".to_owned(),
        ApplyError::WrongKind if state.is_chance() => {
            "a chance event is pending, not a decision: apply one of its outcomes with `apply_outcome`"
                .to_owned()
        }
        ApplyError::WrongKind if state.current_player().is_some() => {
            "a decision is pending, not a chance event: apply an action with `apply`".to_owned()
        }
        ApplyError::WrongKind => {
            "an error of the rules has stopped this game, so it can't continue".to_owned()
        }
        other => format!("{other}{}", outcomes_text(state, None)),
    })
}

/// Converts the error of a state that can't be restored.
pub(crate) fn snapshot_error(error: &SnapshotError) -> PyErr {
    PyValueError::new_err(error.to_string())
}
