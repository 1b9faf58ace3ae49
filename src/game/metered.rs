//! Random games that are measured instruction by instruction.

use crate::{Game, RuntimeError};
use houserule_base::clock::Instant;
use houserule_base::rng::Streams;
use houserule_machine::compile::{CompileOptions, compile_for_random_games, compile_with};
use houserule_machine::meter::{CodeMeter, InstructionCost};
use houserule_machine::native::RunKind;
use houserule_machine::program::{CodeOrigins, Program};
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

/// Random games of a seed that are measured in the interpreter, one after the other.
#[derive(Debug)]
pub struct GameMeter {
    game: Game,
    program: Program,
    meter: CodeMeter,
    run_state: RunState,
    streams: Streams,
    words: Vec<u64>,
    /// The words with which each game begins.
    start: Vec<u64>,
    seed: u64,
    played: u64,
    decisions: u64,
    error: Option<RuntimeError>,
}

impl GameMeter {
    /// Prepares the games of a seed, from game 0 on.
    pub fn new(game: &Game, seed: u64) -> GameMeter {
        let options = CompileOptions { origins: true, ..CompileOptions::default() };
        let random = compile_for_random_games(game.model(), options).ok().flatten();
        let compiled = random.or_else(|| compile_with(game.model(), options).ok());
        let program =
            compiled.map_or_else(|| game.program_of(RunKind::Games).clone(), |compiled| compiled.program);
        debug_assert!(program.code == game.program_of(RunKind::Games).code, "origins change no instruction");
        let words = game.first_frame_of(&program);
        GameMeter {
            meter: CodeMeter::new(&program),
            run_state: RunState::new(&program),
            streams: Streams::new(seed, 0, game.players() as usize),
            start: words[..program.reset as usize].to_vec(),
            words,
            program,
            game: game.clone(),
            seed,
            played: 0,
            decisions: 0,
            error: None,
        }
    }

    /// Returns the number of games that have ended.
    pub fn played(&self) -> u64 {
        self.played
    }

    /// Plays the next game with random players, until a moment at most. Returns `false` if it was cut short; then no other
    /// may follow.
    pub fn play_next(&mut self, until: Option<Instant>) -> bool {
        let GameMeter { program, meter, run_state, streams, words, .. } = self;
        meter.stop_at(until);
        words[..self.start.len()].copy_from_slice(&self.start);
        streams.restart(self.seed, self.played, self.game.players() as usize);
        run_state.counters = Counters::default();
        run_state.forget();
        let mut stop = Stop::Halt;
        for at in [Some(program.start), program.score].into_iter().flatten() {
            stop = run_watched(program, words, streams, run_state, at, true, meter);
            if stop != Stop::Over {
                break;
            }
        }
        self.decisions += run_state.counters.decisions;
        if let Stop::Fault { at, fault, value } = stop {
            self.error.get_or_insert(self.game.error_in(program, at, fault, value, run_state));
        }
        let is_cut = meter.is_over();
        self.played += u64::from(!is_cut);
        !is_cut
    }

    /// Returns what the games have cost.
    pub fn finish(self) -> MeteredGames {
        MeteredGames {
            games: self.played,
            decisions: self.decisions,
            out_of_time: self.meter.is_over(),
            origins: self.program.origins.unwrap_or_default(),
            costs: self.meter.costs(),
            error: self.error,
        }
    }
}
