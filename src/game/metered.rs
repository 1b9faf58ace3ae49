//! Random games that are measured instruction by instruction.

use crate::{Game, RuntimeError};
use houserule_base::clock::Instant;
use houserule_base::rng::Streams;
use houserule_machine::compile::{CompileOptions, compile_for_random_games, compile_with};
use houserule_machine::meter::{CodeMeter, InstructionCost};
use houserule_machine::native::RunKind;
use houserule_machine::program::CodeOrigins;
use houserule_machine::run::run_watched;
use houserule_machine::run_state::{Counters, RunState, Stop};

/// Random games, and what each instruction of the program cost in them.
#[derive(Clone, Debug)]
pub struct MeteredGames {
    /// Number of games that ended.
    pub games: u64,
    /// Number of decisions, those of a game that was cut short among them.
    pub decisions: u64,
    /// Whether the time ended before the last game.
    pub out_of_time: bool,
    /// Where in the rules each instruction comes from.
    pub origins: CodeOrigins,
    /// The cost of each instruction.
    pub costs: Vec<InstructionCost>,
    /// The first error in the rules that a game came to.
    pub error: Option<RuntimeError>,
}

impl Game {
    /// Plays games 0 to `games` of a seed with random players in the interpreter, until a moment at most, and measures each
    /// instruction.
    pub fn meter_games(&self, seed: u64, games: u64, until: Option<Instant>) -> MeteredGames {
        let options = CompileOptions { origins: true, ..CompileOptions::default() };
        let random = compile_for_random_games(self.model(), options).ok().flatten();
        let compiled = random.or_else(|| compile_with(self.model(), options).ok());
        let program =
            compiled.map_or_else(|| self.program_of(RunKind::Games).clone(), |compiled| compiled.program);
        debug_assert!(program.code == self.program_of(RunKind::Games).code, "origins change no instruction");
        let players = self.players() as usize;
        let mut meter = CodeMeter::new(&program, until);
        let mut run_state = RunState::new(self.model().actions.len(), &program);
        let mut streams = Streams::new(seed, 0, players);
        let mut words = self.first_frame_of(&program);
        let start = words[..program.reset as usize].to_vec();
        let (mut played, mut decisions, mut error) = (0, 0, None);
        for index in 0..games {
            words[..start.len()].copy_from_slice(&start);
            streams.restart(seed, index, players);
            run_state.counters = Counters::default();
            run_state.forget();
            let mut stop = Stop::Halt;
            for at in [Some(program.start), program.score].into_iter().flatten() {
                stop = run_watched(&program, &mut words, &mut streams, &mut run_state, at, true, &mut meter);
                if stop != Stop::Over {
                    break;
                }
            }
            decisions += run_state.counters.decisions;
            if let Stop::Fault { at, fault, value } = stop {
                error.get_or_insert(self.error_in(&program, at, fault, value, &run_state));
            }
            if meter.is_over() {
                break;
            }
            played += 1;
        }
        let out_of_time = meter.is_over();
        let origins = program.origins.unwrap_or_default();
        MeteredGames { games: played, decisions, out_of_time, origins, costs: meter.costs(), error }
    }
}
