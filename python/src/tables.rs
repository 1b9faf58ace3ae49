//! Tables: columns in Arrow format, and their conversion for Python.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::types::{Float64Type, Int32Type, Int64Type, UInt64Type};
use arrow_array::{
    Array, ArrayRef, BooleanArray, DictionaryArray, Float64Array, Int32Array, Int64Array, RecordBatch,
    RecordBatchIterator, RecordBatchOptions, StringArray, UInt64Array,
};
use arrow_buffer::{ArrowNativeType, BooleanBuffer, NullBuffer};
use arrow_schema::{ArrowError, DataType, Field, Schema, ffi::FFI_ArrowSchema};
use houserule::playtest::{Column, DataFrame, Values};
use numpy::{Element, PyArray1, PyReadonlyArray1};
use pyo3::exceptions::{PyKeyError, PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyCapsule, PyFloat, PyInt, PyString};

/// Columns of equal length, in Arrow format.
#[pyclass(frozen, module = "houserule._native", name = "Table")]
pub(crate) struct ArrowTable {
    batch: RecordBatch,
}

fn failed(error: ArrowError) -> PyErr {
    PyRuntimeError::new_err(error.to_string())
}

/// Converts a column without copying numbers.
fn array(values: Values) -> Result<ArrayRef, ArrowError> {
    Ok(match values.with_words_once() {
        Values::Int(values) => Arc::new(Int64Array::from(values)),
        Values::OptionalInt(values, known) => {
            Arc::new(Int64Array::new(values.into(), Some(NullBuffer::from(known))))
        }
        Values::Unsigned(values) => Arc::new(UInt64Array::from(values)),
        // NaN means unknown and becomes null.
        Values::Float(values) if values.iter().any(|value| value.is_nan()) => {
            let known = values.iter().map(|value| !value.is_nan()).collect::<Vec<_>>();
            Arc::new(Float64Array::new(values.into(), Some(NullBuffer::from(known))))
        }
        Values::Float(values) => Arc::new(Float64Array::from(values)),
        Values::Bool(values) => Arc::new(BooleanArray::new(BooleanBuffer::from(values), None)),
        Values::Text { codes, words } => {
            let known = codes.iter().any(|code| *code < 0);
            let known = known.then(|| codes.iter().map(|code| *code >= 0).collect::<Vec<_>>());
            // The code of a null must be a valid index, too.
            let codes: Vec<i32> = codes.into_iter().map(|code| code.max(0)).collect();
            let keys = Int32Array::new(codes.into(), known.map(NullBuffer::from));
            Arc::new(DictionaryArray::<Int32Type>::try_new(keys, Arc::new(StringArray::from(words)))?)
        }
    })
}

impl ArrowTable {
    pub(crate) fn new(frame: DataFrame) -> PyResult<ArrowTable> {
        let rows = frame.rows;
        let columns = frame.columns.into_iter();
        let arrays = columns.map(|Column { name, values, .. }| Ok((name, array(values)?)));
        ArrowTable::from_columns(arrays.collect::<Result<_, _>>().map_err(failed)?, rows)
    }

    fn from_columns(columns: Vec<(String, ArrayRef)>, rows: usize) -> PyResult<ArrowTable> {
        let field = |(name, array): &(String, ArrayRef)| Field::new(name, array.data_type().clone(), true);
        let schema = Arc::new(Schema::new(columns.iter().map(field).collect::<Vec<_>>()));
        let arrays = columns.into_iter().map(|(_, array)| array).collect();
        let options = RecordBatchOptions::new().with_row_count(Some(rows));
        Ok(ArrowTable { batch: RecordBatch::try_new_with_options(schema, arrays, &options).map_err(failed)? })
    }
}

/// A column for numpy: the kind, the values, which of them aren't null (`None` if all are), and the words of a
/// text column, to which the values are indices.
type ColumnParts<'py> =
    (&'static str, Bound<'py, PyAny>, Option<Bound<'py, PyArray1<bool>>>, Option<Vec<Option<String>>>);

/// A column with its name, as [`ColumnParts`].
type NamedColumn<'py> =
    (String, String, Bound<'py, PyAny>, Option<PyReadonlyArray1<'py, bool>>, Option<Vec<Option<String>>>);

#[pymethods]
impl ArrowTable {
    /// Creates a table from lists, one for each name. A list holds numbers, booleans or strings of one kind, or
    /// ``None``.
    #[staticmethod]
    fn of_lists(columns: Vec<(String, Vec<Bound<'_, PyAny>>)>) -> PyResult<ArrowTable> {
        let rows = columns.first().map_or(0, |(_, values)| values.len());
        let columns = columns.into_iter().map(|(name, values)| {
            let array = list_array(&name, &values)?;
            Ok((name, array))
        });
        ArrowTable::from_columns(columns.collect::<PyResult<_>>()?, rows)
    }

    /// Creates a table from columns as `column` returns them, each preceded by its name.
    #[staticmethod]
    fn of_columns(columns: Vec<NamedColumn<'_>>, rows: usize) -> PyResult<ArrowTable> {
        fn array<'py, T: Element + ArrowNativeType>(values: &Bound<'py, PyAny>) -> PyResult<Vec<T>> {
            Ok(values.extract::<PyReadonlyArray1<'py, T>>()?.as_array().to_vec())
        }
        let columns = columns.into_iter().map(|(name, kind, values, known, words)| {
            let nulls = known.map(|known| NullBuffer::from(known.as_array().to_vec()));
            let array: ArrayRef = match kind.as_str() {
                "int" => Arc::new(Int64Array::try_new(array(&values)?.into(), nulls).map_err(failed)?),
                "unsigned" => Arc::new(UInt64Array::try_new(array(&values)?.into(), nulls).map_err(failed)?),
                "float" => Arc::new(Float64Array::try_new(array(&values)?.into(), nulls).map_err(failed)?),
                "bool" => {
                    let values = values.extract::<PyReadonlyArray1<'_, bool>>()?.as_array().to_vec();
                    Arc::new(BooleanArray::new(BooleanBuffer::from(values), nulls))
                }
                _ => {
                    let keys = Int32Array::try_new(array(&values)?.into(), nulls).map_err(failed)?;
                    let words = Arc::new(StringArray::from(words.unwrap_or_default()));
                    Arc::new(DictionaryArray::<Int32Type>::try_new(keys, words).map_err(failed)?)
                }
            };
            Ok((name, array))
        });
        ArrowTable::from_columns(columns.collect::<PyResult<_>>()?, rows)
    }

    /// Concatenates tables vertically. Values of columns that a table lacks are null.
    #[staticmethod]
    fn concat(py: Python<'_>, tables: Vec<Bound<'_, ArrowTable>>) -> PyResult<ArrowTable> {
        let batches: Vec<RecordBatch> = tables.iter().map(|table| table.get().batch.clone()).collect();
        py.detach(|| concat(&batches))
            .map_err(failed)
            .and_then(|(columns, rows)| ArrowTable::from_columns(columns, rows))
    }

    /// Returns the table with constant columns added in front. A column that already exists is kept.
    fn with_front(&self, constants: Vec<(String, Bound<'_, PyAny>)>) -> PyResult<ArrowTable> {
        let rows = self.batch.num_rows();
        let mut columns = Vec::new();
        for (name, value) in constants {
            if self.batch.column_by_name(&name).is_none() {
                let values = if value.is_instance_of::<PyBool>() {
                    Values::Bool(vec![value.extract()?; rows])
                } else if value.is_instance_of::<PyInt>() {
                    Values::Int(vec![value.extract()?; rows])
                } else {
                    Values::Text { codes: vec![0; rows], words: vec![value.str()?.to_string()] }
                };
                columns.push((name, array(values).map_err(failed)?));
            }
        }
        columns.extend(self.names().into_iter().zip(self.batch.columns().iter().cloned()));
        ArrowTable::from_columns(columns, rows)
    }

    /// The number of rows.
    #[getter]
    fn num_rows(&self) -> usize {
        self.batch.num_rows()
    }

    /// The names of the columns.
    #[getter]
    fn names(&self) -> Vec<String> {
        self.batch.schema_ref().fields().iter().map(|field| field.name().clone()).collect()
    }

    /// Returns a range of rows.
    fn slice(&self, start: usize, rows: usize) -> ArrowTable {
        let start = start.min(self.batch.num_rows());
        ArrowTable { batch: self.batch.slice(start, rows.min(self.batch.num_rows() - start)) }
    }

    /// Returns a column as `(kind, values, known, words)`.
    fn column<'py>(&self, py: Python<'py>, name: &str) -> PyResult<ColumnParts<'py>> {
        let array = self.batch.column_by_name(name).ok_or_else(|| {
            PyKeyError::new_err(format!(
                "no column is called `{name}`; the columns are {}",
                self.names().join(", ")
            ))
        })?;
        let known = array.nulls().map(|nulls| PyArray1::from_vec(py, nulls.iter().collect()));
        Ok(match array.data_type() {
            DataType::Int64 => {
                let values = PyArray1::from_slice(py, array.as_primitive::<Int64Type>().values());
                ("int", values.into_any(), known, None)
            }
            DataType::UInt64 => {
                let values = PyArray1::from_slice(py, array.as_primitive::<UInt64Type>().values());
                ("unsigned", values.into_any(), known, None)
            }
            DataType::Float64 => {
                let values = PyArray1::from_slice(py, array.as_primitive::<Float64Type>().values());
                ("float", values.into_any(), known, None)
            }
            DataType::Boolean => {
                let values = PyArray1::from_vec(py, array.as_boolean().values().iter().collect());
                ("bool", values.into_any(), known, None)
            }
            _ => {
                let text = array.as_dictionary::<Int32Type>();
                let words = text.values().as_string::<i32>().iter();
                let words = words.map(|word| word.map(str::to_owned)).collect();
                let codes = PyArray1::from_slice(py, text.keys().values());
                ("text", codes.into_any(), known, Some(words))
            }
        })
    }

    /// Exports the table as a stream of the Arrow C data interface.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // A consumer may request other types, but may not get them.
        let _ = requested_schema;
        let batches = RecordBatchIterator::new([Ok(self.batch.clone())], self.batch.schema());
        let stream = FFI_ArrowArrayStream::new(Box::new(batches));
        PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
    }

    /// Exports the types of the columns with the Arrow C data interface.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema = FFI_ArrowSchema::try_from(self.batch.schema_ref().as_ref()).map_err(failed)?;
        PyCapsule::new_with_value(py, schema, c"arrow_schema")
    }
}

fn list_array(name: &str, values: &[Bound<'_, PyAny>]) -> PyResult<ArrayRef> {
    let given = || values.iter().filter(|value| !value.is_none());
    let all = |is: fn(&Bound<'_, PyAny>) -> bool| given().all(is);
    let some = |value: &Bound<'_, PyAny>| !value.is_none();
    Ok(if all(|value| value.is_instance_of::<PyBool>()) && given().next().is_some() {
        let values = values.iter().map(|value| some(value).then(|| value.extract()).transpose());
        Arc::new(values.collect::<PyResult<BooleanArray>>()?)
    } else if all(|value| value.is_instance_of::<PyInt>()) {
        let values = values.iter().map(|value| some(value).then(|| value.extract()).transpose());
        Arc::new(values.collect::<PyResult<Int64Array>>()?)
    } else if all(|value| value.is_instance_of::<PyFloat>() || value.is_instance_of::<PyInt>()) {
        let values = values.iter().map(|value| some(value).then(|| value.extract::<f64>()).transpose());
        let known = values.map(|value| value.map(|value| value.filter(|value| !value.is_nan())));
        Arc::new(known.collect::<PyResult<Float64Array>>()?)
    } else if all(|value| value.is_instance_of::<PyString>()) {
        let words: Vec<Option<String>> = values
            .iter()
            .map(|value| some(value).then(|| value.extract()).transpose())
            .collect::<PyResult<_>>()?;
        Arc::new(words.iter().map(Option::as_deref).collect::<DictionaryArray<Int32Type>>())
    } else {
        return Err(PyTypeError::new_err(format!(
            "column `{name}` has values of several types: give only numbers, only bools or only strings"
        )));
    })
}

fn concat(batches: &[RecordBatch]) -> Result<(Vec<(String, ArrayRef)>, usize), ArrowError> {
    let mut fields: Vec<(String, DataType)> = Vec::new();
    for field in batches.iter().flat_map(|batch| batch.schema_ref().fields().iter()) {
        if fields.iter().all(|(name, _)| name != field.name()) {
            fields.push((field.name().clone(), field.data_type().clone()));
        }
    }
    let rows = batches.iter().map(RecordBatch::num_rows).sum();
    let columns = fields.into_iter().map(|(name, kind)| {
        let parts: Vec<_> =
            batches.iter().map(|batch| (batch.column_by_name(&name), batch.num_rows())).collect();
        if parts.iter().flat_map(|(part, _)| part).any(|part| *part.data_type() != kind) {
            return Err(ArrowError::SchemaError(format!(
                "column `{name}` has different types in these tables"
            )));
        }
        Ok((name, concat_column(&kind, &parts)))
    });
    Ok((columns.collect::<Result<_, _>>()?, rows))
}

fn concat_column(kind: &DataType, parts: &[(Option<&ArrayRef>, usize)]) -> ArrayRef {
    /// Concatenates values; a missing part is null.
    fn joined<'a, T, I: Iterator<Item = Option<T>> + 'a>(
        parts: &'a [(Option<&'a ArrayRef>, usize)],
        values: impl Fn(&'a ArrayRef) -> I + 'a,
    ) -> impl Iterator<Item = Option<T>> + 'a
    where
        T: 'a,
    {
        parts.iter().flat_map(move |(part, rows)| {
            let there = part.map(&values);
            let missing = if there.is_some() { 0 } else { *rows };
            there.into_iter().flatten().chain(std::iter::repeat_with(|| None).take(missing))
        })
    }
    match kind {
        DataType::Int64 => {
            Arc::new(joined(parts, |part| part.as_primitive::<Int64Type>().iter()).collect::<Int64Array>())
        }
        DataType::UInt64 => {
            Arc::new(joined(parts, |part| part.as_primitive::<UInt64Type>().iter()).collect::<UInt64Array>())
        }
        DataType::Float64 => Arc::new(
            joined(parts, |part| part.as_primitive::<Float64Type>().iter()).collect::<Float64Array>(),
        ),
        DataType::Boolean => {
            Arc::new(joined(parts, |part| part.as_boolean().iter()).collect::<BooleanArray>())
        }
        _ => {
            let words = |part: &'_ ArrayRef| {
                let text = part.as_dictionary::<Int32Type>();
                let names: Vec<String> = text
                    .values()
                    .as_string::<i32>()
                    .iter()
                    .map(|word| word.unwrap_or_default().to_owned())
                    .collect();
                let codes: Vec<Option<i32>> = text.keys().iter().collect();
                codes.into_iter().map(move |code| code.map(|code| names[code as usize].clone()))
            };
            let all: Vec<Option<String>> = joined(parts, words).collect();
            Arc::new(all.iter().map(Option::as_deref).collect::<DictionaryArray<Int32Type>>())
        }
    }
}

/// Creates the error for an invalid argument.
pub(crate) fn wrong(message: impl Into<String>) -> PyErr {
    PyValueError::new_err(message.into())
}
