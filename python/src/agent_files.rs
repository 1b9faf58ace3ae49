//! Agents that are files, with what the files contain, so that other processes need none.

use houserule::agents::AgentKind;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::errors::agent_error;

/// An agent whose name has the path of a file, with the contents of the file.
#[pyclass(frozen, module = "houserule._native", name = "AgentFile")]
pub(crate) struct PyAgentFile {
    pub(crate) kind: AgentKind,
    name: String,
    content: Vec<u8>,
}

#[pymethods]
impl PyAgentFile {
    #[new]
    fn new(py: Python<'_>, name: String, content: Vec<u8>) -> PyResult<PyAgentFile> {
        let kind = AgentKind::parse_with(&name, Some(&content)).map_err(|error| agent_error(py, &error))?;
        Ok(PyAgentFile { kind, name, content })
    }

    /// Pickles the name and the contents.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyAny>, (String, Bound<'py, PyBytes>)) {
        let file = slf.get();
        (slf.get_type().into_any(), (file.name.clone(), PyBytes::new(slf.py(), &file.content)))
    }
}

/// Returns the path in the name of an agent, or ``None`` if there is none. Reads the file.
#[pyfunction]
pub(crate) fn agent_path(py: Python<'_>, name: &str) -> PyResult<Option<String>> {
    let kind = AgentKind::parse(name).map_err(|error| agent_error(py, &error))?;
    Ok(kind.file().map(str::to_owned))
}
