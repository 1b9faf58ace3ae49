//! The limits on a call of a script.

use houserule_language::variants::Setting;

/// What a call of a script may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScriptLimits {
    /// Maximum number of operations. Every statement, expression and iteration of a loop is one, in functions
    /// passed as arguments, too. Functions on boards cost one more per eight sites.
    pub operations: u64,
    /// Maximum depth of nested function calls.
    pub calls: usize,
    /// Maximum depth of nested expressions.
    pub expressions: usize,
    /// Maximum length of a string, in characters.
    pub text: usize,
    /// Maximum number of elements of an array.
    pub array: usize,
    /// Maximum number of entries of a map.
    pub map: usize,
    /// Maximum memory in MiB. It applies only if the program counts allocations: see
    /// [`CountingAllocator`](super::CountingAllocator).
    pub memory: u64,
    /// Maximum wall-clock time, in milliseconds. It is a last resort: nearly every call reaches its operations
    /// limit first, and that limit ends it at the same place on every machine.
    pub milliseconds: u64,
}

impl Default for ScriptLimits {
    fn default() -> Self {
        ScriptLimits {
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

/// The prefix of settings that are limits.
const PREFIX: &str = "script.";

impl ScriptLimits {
    /// The name and the maximum value of each limit.
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

    /// Returns the maximum value of a limit.
    pub(super) fn most(name: &str) -> u64 {
        ScriptLimits::ALL.iter().find(|(known, _)| *known == name).map_or(u64::MAX, |(_, most)| *most)
    }

    /// Returns `true` if a setting is a limit, not a param.
    pub fn is_one(setting: &Setting) -> bool {
        setting.name.starts_with(PREFIX)
    }

    /// Returns the limits in the settings (`script.operations=1000000`), or an error message for an unknown
    /// limit or a value out of range.
    pub fn from_settings(settings: &[Setting]) -> Result<ScriptLimits, String> {
        let mut limits = ScriptLimits::default();
        for setting in settings.iter().filter(|setting| ScriptLimits::is_one(setting)) {
            let name = &setting.name[PREFIX.len()..];
            let Some((_, most)) = ScriptLimits::ALL.iter().find(|(known, _)| *known == name) else {
                let known: Vec<String> =
                    ScriptLimits::ALL.iter().map(|(known, _)| format!("{PREFIX}{known}")).collect();
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
