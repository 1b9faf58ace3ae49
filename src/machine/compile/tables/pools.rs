//! Constant pools of a program. Equal tables, sets, ranges and functions are stored once.

use crate::compile::CompileError;
use crate::compile::lower::{Lowering, TableOf};
use crate::program::{
    FunctionRef, NumberTable, PoolRows, Range, RangeRef, SetFunction, SetRef, SetTable, Wide,
};
use houserule_model::board::BitSet;
use houserule_model::{Value, value_words};

/// Maximum size of all tables, in words.
const POOL_WORDS: usize = 1 << 23;

impl Lowering<'_> {
    pub(in crate::compile) fn wide(&mut self, value: i64) -> Wide {
        self.program.numbers.push(value);
        let at = self.program.numbers.len() - 1;
        if at > usize::from(u16::MAX) {
            self.refuse(CompileError::TooLarge {
                what: "wide numbers",
                limit: usize::from(u16::MAX),
                wanted: at,
            });
        }
        Wide(at as u16)
    }

    pub(in crate::compile) fn set_row(&mut self, words: &[u64]) -> u32 {
        let row = self.program.sets.len() / usize::from(self.layout.width);
        if self.affords(words.len()) {
            self.program.sets.extend(words);
        }
        row as u32
    }

    /// Returns `true` if the pools have room for more words; otherwise compilation fails.
    fn affords(&mut self, words: usize) -> bool {
        let wanted = self.program.sets.len() + self.program.numbers.len() + words;
        if wanted > POOL_WORDS {
            self.refuse(CompileError::TooLarge { what: "words of tables", limit: POOL_WORDS, wanted });
        }
        wanted <= POOL_WORDS
    }

    pub(in crate::compile) fn set_ref(&mut self, set: &BitSet) -> SetRef {
        let words = value_words(self.layout.width, &Value::Set(set.clone()));
        if let Some(row) = self.set_rows.get(&words) {
            return SetRef(*row);
        }
        let row = self.set_row(&words);
        if row > u16::MAX.into() {
            self.refuse(CompileError::TooLarge {
                what: "constant sets",
                limit: usize::from(u16::MAX),
                wanted: row as usize,
            });
        }
        self.set_rows.insert(words, row as u16);
        SetRef(row as u16)
    }

    /// Returns a table with a row for each index from `low`.
    pub(in crate::compile) fn set_table(&mut self, low: i64, rows: &[BitSet]) -> SetTable {
        let words: Vec<u64> =
            rows.iter().flat_map(|r| value_words(self.layout.width, &Value::Set(r.clone()))).collect();
        let hash = hash_of(&(&words, low));
        let width = usize::from(self.layout.width);
        let program = &self.program;
        let is_it = |table: &&u16| {
            let rows_of = program.set_tables[usize::from(**table)];
            let first = rows_of.first as usize * width;
            rows_of.low == low && program.sets.get(first..first + words.len()) == Some(&words[..])
        };
        let known = self.set_tables.get(&hash).and_then(|tables| tables.iter().find(is_it));
        if let Some(table) = known {
            return SetTable(*table);
        }
        let first = self.set_row(&words);
        self.program.set_tables.push(PoolRows { first, low, count: rows.len() as u32 });
        let table = (self.program.set_tables.len() - 1).min(usize::from(u16::MAX)) as u16;
        self.set_tables.entry(hash).or_default().push(table);
        SetTable(table)
    }

    pub(in crate::compile) fn number_table(&mut self, low: i64, values: &[i64]) -> NumberTable {
        let hash = hash_of(&(values, low));
        let program = &self.program;
        let is_it = |table: &&u16| {
            let rows = program.number_tables[usize::from(**table)];
            let first = rows.first as usize;
            rows.low == low && program.numbers.get(first..first + values.len()) == Some(values)
        };
        let known = self.number_tables.get(&hash).and_then(|tables| tables.iter().find(is_it));
        if let Some(table) = known {
            return NumberTable(*table);
        }
        let first = self.program.numbers.len() as u32;
        if self.affords(values.len()) {
            self.program.numbers.extend(values);
        }
        self.program.number_tables.push(PoolRows { first, low, count: values.len() as u32 });
        let table = (self.program.number_tables.len() - 1).min(usize::from(u16::MAX)) as u16;
        self.number_tables.entry(hash).or_default().push(table);
        NumberTable(table)
    }

    /// Returns a table of sets that has the same content wherever it is used.
    pub(in crate::compile) fn set_table_of(
        &mut self,
        of: TableOf,
        low: i64,
        rows: impl FnOnce() -> Vec<BitSet>,
    ) -> SetTable {
        if let Some(table) = self.tables.get(&of) {
            return SetTable(*table);
        }
        let table = self.set_table(low, &rows());
        self.tables.insert(of, table.0);
        table
    }

    /// Returns a table of numbers that has the same content wherever it is used.
    pub(in crate::compile) fn number_table_of(
        &mut self,
        of: TableOf,
        low: i64,
        values: impl FnOnce() -> Vec<i64>,
    ) -> NumberTable {
        if let Some(table) = self.tables.get(&of) {
            return NumberTable(*table);
        }
        let table = self.number_table(low, &values());
        self.tables.insert(of, table.0);
        table
    }

    pub(in crate::compile) fn range(&mut self, range: Range) -> RangeRef {
        if let Some(at) = self.ranges.get(&range) {
            return RangeRef(*at);
        }
        self.program.ranges.push(range.clone());
        let at = self.program.ranges.len() as u16 - 1;
        self.ranges.insert(range, at);
        RangeRef(at)
    }

    pub(in crate::compile) fn function(&mut self, function: SetFunction) -> FunctionRef {
        let at = self.program.functions.iter().position(|f| *f == function).unwrap_or_else(|| {
            self.program.functions.push(function);
            self.program.functions.len() - 1
        });
        FunctionRef(at as u16)
    }
}

/// Returns a hash of a value.
fn hash_of(value: &impl std::hash::Hash) -> u64 {
    use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
    BuildHasherDefault::<DefaultHasher>::default().hash_one(value)
}
