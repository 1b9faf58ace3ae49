//! The limits of a call of a script.

use crate::lang::check::Setting;

/// What a call of a script may use at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Operations: every statement, expression and iteration of a loop is one, also in functions that are
    /// handed to others. Functions of boards cost one more for every eight sites.
    pub operations: u64,
    /// Functions that call each other.
    pub calls: usize,
    /// Expressions inside of each other.
    pub expressions: usize,
    /// Characters of a text.
    pub text: usize,
    /// Elements of an array.
    pub array: usize,
    /// Entries of a map.
    pub map: usize,
    /// Memory in MiB, where the program counts it: see [`CountingAllocator`](super::CountingAllocator).
    pub memory: u64,
    /// Time by the clock, in milliseconds. It is there so that nothing hangs: operations end nearly every
    /// call before, and end it at the same place on every machine.
    pub milliseconds: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            operations: 100_000,
            calls: 32,
            expressions: 64,
            text: 4096,
            array: 4096,
            map: 1024,
            memory: 32,
            milliseconds: 2000,
        }
    }
}

/// What the names of settings that are limits begin with.
const PREFIX: &str = "script.";

impl Limits {
    /// Each limit by its name, with the most that it can be set to.
    const ALL: [(&'static str, u64); 8] = [
        ("operations", 1_000_000_000),
        ("calls", 256),
        ("expressions", 256),
        ("text", 1_000_000),
        ("array", 1_000_000),
        ("map", 1_000_000),
        ("memory", 65_536),
        ("milliseconds", 86_400_000),
    ];

    /// The most that a limit can be set to.
    pub(super) fn most(name: &str) -> u64 {
        Limits::ALL.iter().find(|(known, _)| *known == name).map_or(u64::MAX, |(_, most)| *most)
    }

    /// Is this the setting of a limit, and not of a param?
    pub fn is_one(setting: &Setting) -> bool {
        setting.name.starts_with(PREFIX)
    }

    /// The limits that settings ask for: `script.operations=1000000`. What is no such limit is said.
    pub fn of(settings: &[Setting]) -> Result<Limits, String> {
        let mut limits = Limits::default();
        for setting in settings.iter().filter(|setting| Limits::is_one(setting)) {
            let name = &setting.name[PREFIX.len()..];
            let Some((_, most)) = Limits::ALL.iter().find(|(known, _)| *known == name) else {
                let known: Vec<String> =
                    Limits::ALL.iter().map(|(known, _)| format!("{PREFIX}{known}")).collect();
                return Err(format!(
                    "`{}` is no limit of scripts; there are {}",
                    setting.name,
                    known.join(", ")
                ));
            };
            let value = setting.value.trim().parse::<u64>().ok().filter(|value| (1..=*most).contains(value));
            let Some(value) = value else {
                let (name, value) = (&setting.name, &setting.value);
                return Err(format!("`{name}` is a number from 1 to {most}, not `{value}`"));
            };
            match name {
                "operations" => limits.operations = value,
                "calls" => limits.calls = value as usize,
                "expressions" => limits.expressions = value as usize,
                "text" => limits.text = value as usize,
                "array" => limits.array = value as usize,
                "map" => limits.map = value as usize,
                "memory" => limits.memory = value,
                _ => limits.milliseconds = value,
            }
        }
        Ok(limits)
    }
}
