//! Observations as bytes and as bits hold the same values as those as floats.

use houserule::envs::{
    Autoreset, Env, EnvBuffers, EnvError, EnvOptions, ObservationForm, Opponents, Outputs, VectorEnv,
};
use houserule::game::Game;
use houserule::observe::{Cells, Dtype, EntryKind};

use crate::extent;

use super::common::{Vector, game, game_of, games, seeds};

const COUNT: usize = 37;

fn options(form: ObservationForm, dtype: Dtype) -> EnvOptions {
    let (opponents, autoreset) = (Opponents::SelfPlay, Autoreset::SameStep);
    EnvOptions { observation: form, dtype, opponents, autoreset, ..EnvOptions::default() }
}

/// The same environment with observations in bytes.
struct InBytes {
    envs: VectorEnv,
    seen: Vec<u8>,
    finals: Vec<u8>,
}

impl InBytes {
    fn step(&mut self, actions: &[i64]) {
        let out = Outputs {
            view: EnvBuffers { observations: (&mut self.seen).into(), ..EnvBuffers::default() },
            rewards: &mut [0.0; COUNT],
            terminated: &mut [false; COUNT],
            truncated: &mut [false; COUNT],
            seat_rewards: &mut [],
            final_observations: (&mut self.finals).into(),
        };
        self.envs.step(actions, out).expect("the cells fit");
    }
}

/// Returns the maximum of each number of an observation, as in planes, and 1 for bits.
fn ranges(game: &Game, form: ObservationForm) -> Vec<f32> {
    let mut ranges = vec![1.0; game.observation_len()];
    for entry in game.observation_spec() {
        if let EntryKind::Number { low, high } = entry.kind {
            ranges[entry.offset..][..entry.length].fill((high - low).max(1) as f32);
        }
    }
    match form {
        ObservationForm::Flat => ranges,
        ObservationForm::Planes => {
            let planes = game.planes().expect("the game has planes");
            let mut laid_out = vec![1.0; planes.len()];
            planes.write(&ranges, &mut laid_out);
            laid_out
        }
    }
}

/// Unpacks bits.
fn unpacked(packed: &[u8], numbers: usize) -> Vec<u8> {
    let each = numbers.div_ceil(8);
    let row = |row: &[u8]| (0..numbers).map(|i| row[i / 8] >> (i % 8) & 1).collect::<Vec<u8>>();
    packed.chunks_exact(each).flat_map(row).collect()
}

fn compare(name: &str, game: &Game, form: ObservationForm, dtype: Dtype) {
    let mut floats = Vector::new(game, &options(form, Dtype::Float32), COUNT, 2);
    let envs = VectorEnv::new(game, &options(form, dtype), COUNT, 2).expect("the observations fit");
    let (numbers, len) = (floats.envs.observation_len(), envs.observation_len());
    assert_eq!(len, dtype.size(numbers), "{name}");
    let highest = envs.highest();
    let mut bytes = InBytes { envs, seen: vec![7; COUNT * len], finals: vec![0; COUNT * len] };
    let ranges = ranges(game, form);
    let expect = |floats: &[f32]| -> Vec<u8> {
        floats.iter().zip(ranges.iter().cycle()).map(|(float, range)| (float * range).round() as u8).collect()
    };
    let told = |cells: &[u8]| match dtype {
        Dtype::Bits => unpacked(cells, numbers),
        _ => cells.to_vec(),
    };
    floats.reset(&seeds(4, COUNT), None);
    let view = EnvBuffers { observations: (&mut bytes.seen).into(), ..EnvBuffers::default() };
    bytes.envs.reset(&seeds(4, COUNT), None, view).expect("the cells fit");
    for step in 0..extent::tries(40, 150) {
        assert_eq!(told(&bytes.seen), expect(&floats.told.observations), "{name} {dtype:?} at step {step}");
        assert_eq!(told(&bytes.finals), expect(&floats.told.finals), "{name} {dtype:?} at step {step}");
        assert!(bytes.seen.iter().zip(highest.iter().cycle()).all(|(cell, most)| cell <= most), "{name}");
        if dtype == Dtype::Bits && numbers % 8 > 0 {
            let last = bytes.seen.chunks_exact(len).all(|row| row[len - 1] >> (numbers % 8) == 0);
            assert!(last, "{name}: what is left over is 0");
        }
        let actions = floats.sample();
        floats.step(&actions);
        bytes.step(&actions);
    }
}

#[test]
fn bytes_and_bits_say_what_floats_say() {
    let others = ["tic-tac-toe", "reversi", "gomoku"].map(|name| (name, game(name)));
    let mut fit = [0; 3];
    for (name, game) in games().into_iter().chain(others) {
        for (number, dtype) in [Dtype::Uint8, Dtype::Bool, Dtype::Bits].into_iter().enumerate() {
            if game.check_dtype(dtype).is_err() {
                continue;
            }
            fit[number] += 1;
            compare(name, &game, ObservationForm::Flat, dtype);
            if game.planes().is_ok() {
                compare(name, &game, ObservationForm::Planes, dtype);
            }
        }
    }
    assert!(fit[0] > 6 && fit[1] > 2 && fit[2] == fit[1], "{fit:?}");
}

/// The half-precision floats from 0 to 1, ascending.
fn halves() -> Vec<f64> {
    let value = |bits: u16| match bits >> 10 {
        0 => f64::from(bits) * 2f64.powi(-24),
        exponent => (1.0 + f64::from(bits & 0x3ff) / 1024.0) * 2f64.powi(i32::from(exponent) - 15),
    };
    (0..=0x3c00).map(value).collect()
}

#[test]
fn halves_are_the_floats_rounded_to_the_nearest() {
    let halves = halves();
    // The bits of a half are its index.
    let nearest = |float: &f32| {
        let float = f64::from(*float);
        let above = halves.partition_point(|half| *half < float);
        let below = above.saturating_sub(1);
        let (up, down) = (halves[above] - float, float - halves[below]);
        (if up < down || up == down && above % 2 == 0 { above } else { below }) as u16
    };
    for (name, game) in games() {
        for form in [ObservationForm::Flat, ObservationForm::Planes] {
            if form == ObservationForm::Planes && game.planes().is_err() {
                continue;
            }
            let mut floats = Vector::new(&game, &options(form, Dtype::Float32), COUNT, 2);
            let mut envs = VectorEnv::new(&game, &options(form, Dtype::Float16), COUNT, 2).expect("all fit");
            let len = COUNT * envs.observation_len();
            let (mut seen, mut finals) = (vec![7u16; len], vec![0u16; len]);
            floats.reset(&seeds(4, COUNT), None);
            let view = EnvBuffers { observations: seen.as_mut_slice().into(), ..EnvBuffers::default() };
            envs.reset(&seeds(4, COUNT), None, view).expect("the cells fit");
            for step in 0..extent::tries(40, 150) {
                let rounded = |floats: &[f32]| floats.iter().map(nearest).collect::<Vec<u16>>();
                assert_eq!(seen, rounded(&floats.told.observations), "{name} at step {step}");
                assert_eq!(finals, rounded(&floats.told.finals), "{name} at step {step}");
                let actions = floats.sample();
                floats.step(&actions);
                let out = Outputs {
                    view: EnvBuffers { observations: seen.as_mut_slice().into(), ..EnvBuffers::default() },
                    rewards: &mut [0.0; COUNT],
                    terminated: &mut [false; COUNT],
                    truncated: &mut [false; COUNT],
                    seat_rewards: &mut [],
                    final_observations: finals.as_mut_slice().into(),
                };
                envs.step(&actions, out).expect("the cells fit");
            }
            let state = envs.state(0);
            if let (ObservationForm::Flat, Some(player)) = (form, state.current_player()) {
                assert_eq!(state.observation_halves(player), seen[..envs.observation_len()], "{name}");
            }
        }
    }
}

#[test]
fn one_environment_and_a_state_tell_the_same() {
    for dtype in [Dtype::Uint8, Dtype::Bool, Dtype::Bits] {
        let game = game("connect-four");
        let mut env = Env::new(&game, &options(ObservationForm::Flat, dtype)).expect("the observations fit");
        let mut seen = vec![0u8; env.observation_len()];
        env.reset(Some(3));
        while let Some(player) = env.current_player() {
            env.observe(&mut seen).expect("the cells fit");
            let state = env.state();
            let told = state.observation_bytes(player, dtype);
            assert_eq!(told.as_deref(), Ok(seen.as_slice()));
            let action = env.sample_action();
            env.step(action, &mut []).expect("it is legal");
        }
    }
}

#[test]
fn what_does_not_fit_is_refused_by_name() {
    let dilido = game("dilido");
    let refused = |game: &Game, dtype: Dtype| {
        let made = VectorEnv::new(game, &options(ObservationForm::Flat, dtype), 1, 1);
        made.err().map(|error| error.to_string())
    };
    assert_eq!(refused(&dilido, Dtype::Uint8), None);
    assert_eq!(
        refused(&dilido, Dtype::Bits).as_deref(),
        Some(
            "the entry `penalties` of the observation is a number from 0 to 3, which takes more than a bit: \
             use the dtype \"uint8\" or \"float32\""
        )
    );
    let long = game_of("pig", None, &[("goal", "400")]);
    let error = refused(&long, Dtype::Uint8).expect("400 is too much for a byte");
    assert!(error.contains("`points`") && error.contains("float32"), "{error}");
}

#[test]
fn other_cells_are_refused() {
    let mut envs = VectorEnv::new(&game("pig"), &options(ObservationForm::Flat, Dtype::Uint8), 2, 1).unwrap();
    let len = 2 * envs.observation_len();
    let mut floats = vec![0.0; len];
    let view = EnvBuffers { observations: (&mut floats).into(), ..EnvBuffers::default() };
    let error = envs.reset(&[], None, view).expect_err("they are bytes");
    assert_eq!(error, EnvError::Cells { what: "observations", dtype: Dtype::Uint8 });
    assert!(error.to_string().contains("must be uint8"), "{error}");
    let mut bytes = vec![0; len];
    let view = EnvBuffers { observations: Cells::Bytes(&mut bytes), ..EnvBuffers::default() };
    envs.reset(&[], None, view).expect("these are");
}
