//! What a script may use.

use crate::lang::check::Setting;

/// What a call of a script may use at the most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Operations: every statement, expression and turn of a loop is one.
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
}

impl Default for Limits {
    fn default() -> Self {
        Limits { operations: 100_000, calls: 32, expressions: 64, text: 4096, array: 4096, map: 1024 }
    }
}

/// What the names of settings that are limits begin with.
const PREFIX: &str = "script.";

impl Limits {
    /// Each limit by its name, with the most that it can be set to.
    const ALL: [(&'static str, u64); 6] = [
        ("operations", 1_000_000_000),
        ("calls", 256),
        ("expressions", 256),
        ("text", 1_000_000),
        ("array", 1_000_000),
        ("map", 1_000_000),
    ];

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
            let place = match name {
                "operations" => {
                    limits.operations = value;
                    continue;
                }
                "calls" => &mut limits.calls,
                "expressions" => &mut limits.expressions,
                "text" => &mut limits.text,
                "array" => &mut limits.array,
                _ => &mut limits.map,
            };
            *place = value as usize;
        }
        Ok(limits)
    }
}
