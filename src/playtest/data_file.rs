//! Tables of results as files of data, Parquet or CSV, which are written while a run goes on.
//!
//! A table of any length takes the memory of one row group. The file gets its name when it is complete. Depends on
//! tables and files.

use std::fs::File;
use std::io::{self, BufWriter};
use std::path::Path;
use std::sync::Arc;

use parquet::basic::{Compression, Encoding, LogicalType, Repetition, Type as Physical};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DoubleType, Int32Type, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::types::{ColumnPath, Type, TypePtr};

use crate::{Column, DataFrame, GameRows, SimulationPlan, Values};
use houserule_base::files::{FileError, PendingFile};
use houserule_game::Game;

/// Number of rows of a row group: those that are in memory at a time.
pub const GROUP_ROWS: usize = 1 << 16;

/// A format of files of data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DataFormat {
    /// Columns with types, compressed: Apache Parquet.
    Parquet,
    /// Text: a line for each row, after one with the names. What is missing is empty.
    Csv,
}

impl DataFormat {
    /// Returns the format that the ending of a file's name means.
    pub fn from_path(path: &Path) -> Option<DataFormat> {
        match path.extension()?.to_str()? {
            "parquet" => Some(DataFormat::Parquet),
            "csv" => Some(DataFormat::Csv),
            _ => None,
        }
    }
}

/// A table that is being written to a file.
pub struct DataFile {
    pending: PendingFile,
    writer: DataWriter,
}

/// The writer of a format. That of Parquet begins with the first rows, which have the types.
enum DataWriter {
    Parquet(Option<Box<SerializedFileWriter<File>>>),
    Csv(Box<csv::Writer<BufWriter<File>>>, bool),
}

impl DataFile {
    /// Begins a file. Unless `force` is set, an existing file is an error.
    pub fn create(path: &Path, format: DataFormat, force: bool) -> Result<DataFile, FileError> {
        let pending = PendingFile::create(path, force)?;
        let writer = match format {
            DataFormat::Parquet => DataWriter::Parquet(None),
            DataFormat::Csv => {
                let file = pending.file().map_err(|error| FileError::Written(path.to_owned(), error))?;
                DataWriter::Csv(Box::new(csv::Writer::from_writer(BufWriter::new(file))), false)
            }
        };
        Ok(DataFile { pending, writer })
    }

    /// Writes rows: in Parquet, a row group. All tables of a file must have the same columns.
    pub fn write(&mut self, table: &DataFrame) -> Result<(), FileError> {
        let done = match &mut self.writer {
            DataWriter::Parquet(writer) => write_parquet(&self.pending, writer, table).map_err(from_parquet),
            DataWriter::Csv(writer, has_names) => write_csv(writer, has_names, table),
        };
        done.map_err(|error| FileError::Written(self.pending.path().to_owned(), error))
    }

    /// Completes the file and gives it its name.
    pub fn finish(self) -> Result<(), FileError> {
        let done = match self.writer {
            DataWriter::Parquet(writer) => {
                writer.map_or(Ok(()), |writer| writer.close().map(|_| ())).map_err(from_parquet)
            }
            DataWriter::Csv(mut writer, _) => writer.flush(),
        };
        done.map_err(|error| FileError::Written(self.pending.path().to_owned(), error))?;
        self.pending.finish()
    }
}

fn from_parquet(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(error) => match error.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(error) => io::Error::other(error),
        },
        error => io::Error::other(error.to_string()),
    }
}

/// The numbers of bits of an integer column, and whether it has a sign.
fn bits(bounds: Option<(i64, i64)>) -> (i8, bool) {
    let Some((low, high)) = bounds else { return (64, true) };
    let fits = |bits: u32| match low < 0 {
        true => low >= -(1 << (bits - 1)) && high < 1 << (bits - 1),
        false => high < 1 << bits,
    };
    [8, 16, 32].into_iter().find(|bits| fits(*bits)).map_or((64, true), |bits| (bits as i8, low < 0))
}

fn field(column: &Column) -> Result<TypePtr, ParquetError> {
    let (physical, logical, repetition) = match &column.values {
        Values::Int(_) | Values::OptionalInt(..) => {
            let (bits, signed) = bits(column.bounds);
            let physical = if bits == 64 { Physical::INT64 } else { Physical::INT32 };
            let optional = matches!(column.values, Values::OptionalInt(..));
            let repetition = if optional { Repetition::OPTIONAL } else { Repetition::REQUIRED };
            (physical, Some(LogicalType::integer(bits, signed)), repetition)
        }
        Values::Unsigned(_) => (Physical::INT64, Some(LogicalType::integer(64, false)), Repetition::REQUIRED),
        // NaN means unknown and becomes null.
        Values::Float(_) => (Physical::DOUBLE, None, Repetition::OPTIONAL),
        Values::Bool(_) => (Physical::BOOLEAN, None, Repetition::REQUIRED),
        Values::Text { .. } => (Physical::BYTE_ARRAY, Some(LogicalType::String), Repetition::OPTIONAL),
    };
    let builder = Type::primitive_type_builder(&column.name, physical);
    Ok(Arc::new(builder.with_logical_type(logical).with_repetition(repetition).build()?))
}

fn begin(file: File, table: &DataFrame) -> Result<SerializedFileWriter<File>, ParquetError> {
    let fields = table.columns.iter().map(field).collect::<Result<_, _>>()?;
    let schema = Arc::new(Type::group_type_builder("rows").with_fields(fields).build()?);
    let mut properties = WriterProperties::builder().set_compression(Compression::SNAPPY);
    for column in table.columns.iter().filter(|column| matches!(column.values, Values::Int(_))) {
        // Used where there are too many different values for a dictionary.
        let path = ColumnPath::new(vec![column.name.clone()]);
        properties = properties.set_column_encoding(path.clone(), Encoding::DELTA_BINARY_PACKED);
        properties = properties.set_column_dictionary_enabled(path, column.name != "index");
    }
    SerializedFileWriter::new(file, schema, Arc::new(properties.build()))
}

fn write_parquet(
    pending: &PendingFile,
    writer: &mut Option<Box<SerializedFileWriter<File>>>,
    table: &DataFrame,
) -> Result<(), ParquetError> {
    let writer = match writer {
        Some(writer) => writer,
        None => writer.insert(Box::new(begin(pending.file()?, table)?)),
    };
    if table.rows == 0 {
        return Ok(());
    }
    let mut group = writer.next_row_group()?;
    for column in &table.columns {
        let Some(mut to) = group.next_column()? else { break };
        write_column(&mut to, column)?;
        to.close()?;
    }
    group.close().map(|_| ())
}

fn write_column(to: &mut SerializedColumnWriter<'_>, column: &Column) -> Result<(), ParquetError> {
    // A level of 1 is a value, of 0 a null, for which there is no value.
    let levels = |known: &dyn Fn(usize) -> bool, rows: usize| -> Vec<i16> {
        (0..rows).map(|row| known(row).into()).collect()
    };
    let mut ints = |values: &mut dyn Iterator<Item = i64>, levels: Option<&[i16]>| {
        let (bits, signed) = bits(column.bounds);
        if bits == 64 {
            let values: Vec<i64> = values.collect();
            return to.typed::<Int64Type>().write_batch(&values, levels, None);
        }
        let small = |value: i64| match signed {
            true => i32::try_from(value),
            // Parquet keeps the bits of an unsigned integer.
            false => u32::try_from(value).map(|value| value as i32),
        };
        let values: Vec<i32> = values.map(small).collect::<Result<_, _>>().map_err(|_| {
            ParquetError::General(format!("a value of the column `{}` doesn't fit into 32 bits", column.name))
        })?;
        to.typed::<Int32Type>().write_batch(&values, levels, None)
    };
    match &column.values {
        Values::Int(values) => ints(&mut values.iter().copied(), None),
        Values::OptionalInt(values, known) => {
            let there = values.iter().zip(known).filter(|(_, known)| **known);
            let levels = levels(&|row| known[row], values.len());
            ints(&mut there.map(|(value, _)| *value), Some(&levels))
        }
        Values::Unsigned(values) => {
            let values: Vec<i64> = values.iter().map(|value| *value as i64).collect();
            to.typed::<Int64Type>().write_batch(&values, None, None)
        }
        Values::Float(values) => {
            let levels = levels(&|row| !values[row].is_nan(), values.len());
            let there: Vec<f64> = values.iter().copied().filter(|value| !value.is_nan()).collect();
            to.typed::<DoubleType>().write_batch(&there, Some(&levels), None)
        }
        Values::Bool(values) => to.typed::<BoolType>().write_batch(values, None, None),
        Values::Text { codes, words } => {
            let words: Vec<ByteArray> =
                words.iter().map(|word| ByteArray::from(word.clone().into_bytes())).collect();
            let levels = levels(&|row| codes[row] >= 0, codes.len());
            let there = codes.iter().filter_map(|code| usize::try_from(*code).ok());
            let there: Vec<ByteArray> = there.map(|code| words[code].clone()).collect();
            to.typed::<ByteArrayType>().write_batch(&there, Some(&levels), None)
        }
    }
    .map(|_| ())
}

fn write_csv(
    writer: &mut csv::Writer<BufWriter<File>>,
    has_names: &mut bool,
    table: &DataFrame,
) -> io::Result<()> {
    if !std::mem::replace(has_names, true) {
        writer.write_record(table.columns.iter().map(|column| &column.name))?;
    }
    for row in 0..table.rows {
        for column in &table.columns {
            match &column.values {
                Values::Int(values) => writer.write_field(values[row].to_string())?,
                Values::OptionalInt(values, known) if known[row] => {
                    writer.write_field(values[row].to_string())?
                }
                Values::Unsigned(values) => writer.write_field(values[row].to_string())?,
                Values::Float(values) if !values[row].is_nan() => {
                    writer.write_field(values[row].to_string())?
                }
                Values::Bool(values) => writer.write_field(values[row].to_string())?,
                Values::Text { codes, words } if codes[row] >= 0 => {
                    writer.write_field(&words[codes[row] as usize])?;
                }
                Values::OptionalInt(..) | Values::Float(_) | Values::Text { .. } => writer.write_field("")?,
            }
        }
        writer.write_record(None::<&[u8]>)?;
    }
    Ok(())
}

/// The rows of a run that are being written to a file: one for each game and seat, see [`GameRows::joined`].
pub struct RowFile<'g> {
    file: DataFile,
    game: &'g Game,
    plan: &'g SimulationPlan,
    /// The agent of each seat.
    agents: Vec<String>,
    waiting: GameRows,
    wrong: Option<FileError>,
}

impl<'g> RowFile<'g> {
    /// Writes the rows of a plan's games to a file. `agents` are the names of the agents by seat.
    pub fn new(file: DataFile, game: &'g Game, plan: &'g SimulationPlan, agents: Vec<String>) -> RowFile<'g> {
        RowFile { file, game, plan, agents, waiting: GameRows::default(), wrong: None }
    }

    /// Adds the rows of the next games. Returns `false` if the file can't be written.
    pub fn add(&mut self, rows: GameRows) -> bool {
        self.waiting.extend(rows);
        let players = self.game.players().max(1) as usize;
        if self.waiting.games(self.game) * players >= GROUP_ROWS {
            self.flush();
        }
        self.wrong.is_none()
    }

    fn flush(&mut self) {
        let rows = std::mem::take(&mut self.waiting);
        if self.wrong.is_none() {
            let table = rows.joined(self.game, self.plan, &self.agents);
            self.wrong = self.file.write(&table).err();
        }
    }

    /// Writes the last rows, completes the file and gives it its name.
    pub fn finish(mut self) -> Result<(), FileError> {
        self.flush();
        match self.wrong {
            Some(error) => Err(error),
            None => self.file.finish(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_take_the_bits_of_their_bounds() {
        for (bounds, found) in [
            ((0, 255), (8, false)),
            ((0, 256), (16, false)),
            ((-1, 127), (8, true)),
            ((-1, 128), (16, true)),
            ((-129, 0), (16, true)),
            ((0, u32::MAX.into()), (32, false)),
            ((-1, 1 << 31), (64, true)),
            ((0, i64::MAX), (64, true)),
        ] {
            assert_eq!(bits(Some(bounds)), found, "{bounds:?}");
        }
        assert_eq!(bits(None), (64, true));
    }
}
