//! The player file format: a line of JSON that describes a trained agent, then its weights.
//!
//! Only weights that differ from their initial value are kept, as 16 bits each. If the file would exceed
//! [`MOST_BYTES`], the smallest differences are dropped. The weights are deflated: first the gaps between their
//! indices, as base-128 varints, then the differences in units of [`PlayerHeader::step`]. The first bytes of their SHA-256
//! follow.

use std::fmt;
use std::path::Path;

use miniz_oxide::deflate::compress_to_vec;
use miniz_oxide::inflate::decompress_to_vec_with_limit;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::plan::MOST_WEIGHTS;
use super::turn::Aim;
use super::{About, Learned, kept};
use houserule_base::files::{FileKind, PLAYER_ENDING, read_bytes};
use houserule_game::Game;

/// Maximum size of a written file, in bytes.
pub const MOST_BYTES: usize = 1_000_000;

const VERSION: u32 = 1;
const LEVEL: u8 = 6;

/// Length of the checksum of the weights, in bytes.
const CHECK: usize = 8;

/// Maximum size of a weight before compression, in bytes: five for its index, two for its difference.
const BYTES_OF_A_WEIGHT: usize = 7;

/// The first line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PlayerHeader {
    /// The format version.
    houserule_player: u32,
    game: String,
    rules_sha256: String,
    params: Vec<(String, String)>,
    players: u32,
    aim: String,
    seed: u64,
    games: u64,
    seconds: f64,
    /// The hash of the plan.
    plan: String,
    /// The initial value of all weights.
    start: f32,
    /// The unit of the differences.
    step: f32,
    /// The number of differences.
    kept: usize,
}

/// A parsed player file, not yet matched to a game.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayerFile {
    name: String,
    head: PlayerHeader,
    aim: Aim,
    differences: Vec<(u32, i16)>,
}

/// Why a player file can't be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlayerError {
    /// The file can't be read.
    Unreadable {
        /// The path of the file.
        path: String,
        /// The reason.
        message: String,
    },
    /// The file is not a player file, or is damaged.
    Damaged(String, &'static str),
    /// The file has another format version.
    Version(String, u32),
    /// The agent was trained for another number of players.
    Players {
        /// The path of the file.
        name: String,
        /// The number of players in training.
        learned: u32,
        /// The number of players of this game.
        players: u32,
    },
    /// The agent's features differ from those of this game.
    Plan {
        /// The path of the file.
        name: String,
        /// The game of the training.
        learned: String,
        /// This game.
        game: String,
    },
}

impl fmt::Display for PlayerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlayerError::Unreadable { message, .. } => f.write_str(message),
            PlayerError::Damaged(name, what) => {
                write!(
                    f,
                    "`{name}` is no player, or a damaged one: {what}; `houserule learn GAME -o FILE{PLAYER_ENDING}` makes one"
                )
            }
            PlayerError::Version(name, version) => write!(
                f,
                "`{name}` is of version {version}, and this houserule reads version {VERSION}: train it anew with \
                 `houserule learn`"
            ),
            PlayerError::Players { name, learned, players } => write!(
                f,
                "`{name}` has learned with {learned} {}, and here {players} {}: train one with \
                 `houserule learn GAME --players {players}`",
                if *learned == 1 { "player" } else { "players" },
                if *players == 1 { "plays" } else { "play" },
            ),
            PlayerError::Plan { name, learned, game } => write!(
                f,
                "`{name}` has learned `{learned}`, and what there is to look at in `{game}` is something else: train \
                 one for this game with `houserule learn`"
            ),
        }
    }
}

impl std::error::Error for PlayerError {}

// The numbers in a file are finite, so equality is reflexive.
impl Eq for PlayerFile {}

impl PlayerFile {
    /// Reads a player file.
    pub fn read(path: &str) -> Result<PlayerFile, PlayerError> {
        let bytes = read_bytes(Path::new(path), FileKind::Player);
        let unreadable = |message: String| PlayerError::Unreadable { path: path.to_owned(), message };
        PlayerFile::from_bytes(path, &bytes.map_err(|error| unreadable(error.to_string()))?)
    }

    /// Like [`PlayerFile::read`], from bytes. `name` is shown in messages.
    pub fn from_bytes(name: &str, bytes: &[u8]) -> Result<PlayerFile, PlayerError> {
        let damaged = |what| PlayerError::Damaged(name.to_owned(), what);
        let end = bytes.iter().position(|byte| *byte == b'\n').ok_or(damaged("its first line has no end"))?;
        let (line, body) = (&bytes[..end], &bytes[end + 1..]);
        // Check the version first: another version may have other keys.
        let version = serde_json::from_slice::<serde_json::Value>(line).ok();
        let version = version.as_ref().and_then(|head| head.get("houserule_player")?.as_u64());
        match version {
            Some(version) if version != u64::from(VERSION) => {
                return Err(PlayerError::Version(
                    name.to_owned(),
                    u32::try_from(version).unwrap_or(u32::MAX),
                ));
            }
            Some(_) => {}
            None => return Err(damaged("its first line does not say so")),
        }
        let head: PlayerHeader =
            serde_json::from_slice(line).map_err(|_| damaged("keys are missing in its first line"))?;
        let aim = Aim::named(&head.aim).ok_or(damaged("its aim is unknown"))?;
        if head.kept > MOST_WEIGHTS || !head.start.is_finite() || !head.step.is_finite() {
            return Err(damaged("a number in its first line is out of range"));
        }
        let most = head.kept * BYTES_OF_A_WEIGHT;
        let inflated = inflated(body, most).ok_or(damaged("its weights are cut off or changed"))?;
        let differences = differences(&inflated, head.kept).ok_or(damaged("its weights are cut off"))?;
        Ok(PlayerFile { name: name.to_owned(), head, aim, differences })
    }

    /// Returns the bytes of a file with its weights decompressed, for tests to change.
    pub fn unpacked(bytes: &[u8]) -> Option<Vec<u8>> {
        let body = bytes.iter().position(|byte| *byte == b'\n')? + 1;
        let inflated = inflated(&bytes[body..], MOST_WEIGHTS * BYTES_OF_A_WEIGHT)?;
        Some([&bytes[..body], &inflated].concat())
    }

    /// Compresses the weights again: the inverse of [`PlayerFile::unpacked`].
    pub fn packed(unpacked: &[u8]) -> Vec<u8> {
        let body = unpacked.iter().position(|byte| *byte == b'\n').map_or(unpacked.len(), |end| end + 1);
        let (line, weights) = unpacked.split_at(body);
        [line, &compress_to_vec(weights, LEVEL), &check(weights)].concat()
    }

    /// The path of the file.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The weights that differ from their initial value: the index, and the difference in steps.
    pub fn weights(&self) -> &[(u32, i16)] {
        &self.differences
    }

    /// How the agent was trained.
    pub fn about(&self) -> About {
        let PlayerHeader { game, rules_sha256, params, players, seed, games, seconds, .. } =
            self.head.clone();
        About { game, rules_sha256, params, players, seed, games, seconds }
    }

    /// Returns the agent for a game. Returns an error if the players or the features differ.
    pub fn fit(&self, game: &Game) -> Result<Learned, PlayerError> {
        if self.head.players != game.players() {
            let (name, learned) = (self.name.clone(), self.head.players);
            return Err(PlayerError::Players { name, learned, players: game.players() });
        }
        let plan = kept::plan(game);
        let fits = plan.hash() == self.head.plan
            && self.differences.last().is_none_or(|(at, _)| (*at as usize) < plan.weights());
        if !fits {
            let (name, learned) = (self.name.clone(), self.head.game.clone());
            return Err(PlayerError::Plan { name, learned, game: game.identity().name.clone() });
        }
        let mut weights = vec![self.head.start; plan.weights()];
        for (at, difference) in &self.differences {
            weights[*at as usize] += f32::from(*difference) * self.head.step;
        }
        Ok(Learned { plan, aim: self.aim, start: self.head.start, weights, about: self.about() })
    }

    /// A warning if the agent was trained with other rules or params than those of `game`, else `None`.
    pub fn warning(&self, game: &Game) -> Option<String> {
        let (learned, here) = (self.about(), About::new(game));
        let other = learned.players == here.players
            && (!game.identity().has_rules(&learned.rules_sha256) || learned.params != here.params);
        other.then(|| {
            format!(
                "`{}` has learned `{}` by other rules or params than hold here: one that is trained for these may play \
                 better",
                self.name, learned.game
            )
        })
    }
}

impl Learned {
    /// Returns the contents of the agent's player file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut changed: Vec<(u32, f32)> = (0..)
            .zip(&self.weights)
            .map(|(at, weight)| (at, weight - self.start))
            .filter(|(_, difference)| *difference != 0.0)
            .collect();
        let largest = changed.iter().map(|(_, difference)| difference.abs()).fold(0.0, f32::max);
        let step = if largest > 0.0 { largest / f32::from(i16::MAX) } else { 1.0 };
        let mut kept = changed.len();
        loop {
            let bytes = self.bytes(&changed, step);
            if bytes.len() <= MOST_BYTES {
                return bytes;
            }
            // Drop the smallest differences.
            kept = kept * MOST_BYTES / bytes.len() * 19 / 20;
            changed.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()).then(a.0.cmp(&b.0)));
            changed.truncate(kept);
            changed.sort_by_key(|(at, _)| *at);
        }
    }

    fn bytes(&self, changed: &[(u32, f32)], step: f32) -> Vec<u8> {
        let whole = changed.iter().map(|(at, difference)| (*at, (difference / step).round() as i16));
        let whole: Vec<(u32, i16)> = whole.filter(|(_, difference)| *difference != 0).collect();
        let (mut body, mut before) = (vec![], 0);
        for (at, _) in &whole {
            let mut gap = at - before;
            before = *at;
            while gap > 127 {
                body.push(gap as u8 | 128);
                gap >>= 7;
            }
            body.push(gap as u8);
        }
        // The high bytes compress well, the low bytes don't.
        body.extend(whole.iter().map(|(_, difference)| difference.to_le_bytes()[1]));
        body.extend(whole.iter().map(|(_, difference)| difference.to_le_bytes()[0]));
        let About { game, rules_sha256, params, players, seed, games, seconds } = self.about.clone();
        let head = PlayerHeader {
            houserule_player: VERSION,
            game,
            rules_sha256,
            params,
            players,
            aim: self.aim.name().to_owned(),
            seed,
            games,
            seconds,
            plan: self.plan.hash().to_owned(),
            start: self.start,
            step,
            kept: whole.len(),
        };
        let mut bytes = serde_json::to_vec(&head).unwrap_or_default();
        bytes.push(b'\n');
        bytes.extend(body);
        PlayerFile::packed(&bytes)
    }

    /// The agent as read back from its file: rounded and, if there are too many weights, without the smallest.
    pub fn as_saved(&self) -> Learned {
        let saved = PlayerFile::from_bytes("", &self.to_bytes());
        let Ok(saved) = saved else { return self.clone() };
        let mut weights = vec![self.start; self.weights.len()];
        for (at, difference) in &saved.differences {
            weights[*at as usize] += f32::from(*difference) * saved.head.step;
        }
        Learned { weights, ..self.clone() }
    }
}

/// The checksum of the weights.
fn check(weights: &[u8]) -> [u8; CHECK] {
    let digest = Sha256::digest(weights);
    std::array::from_fn(|at| digest[at])
}

/// Decompresses weights. Returns `None` if they are damaged.
fn inflated(body: &[u8], most: usize) -> Option<Vec<u8>> {
    let (deflated, checked) = body.split_at_checked(body.len().checked_sub(CHECK)?)?;
    decompress_to_vec_with_limit(deflated, most).ok().filter(|weights| check(weights) == checked)
}

/// Parses `kept` indices and differences. Returns `None` if `bytes` has another length.
fn differences(bytes: &[u8], kept: usize) -> Option<Vec<(u32, i16)>> {
    let mut bytes = bytes.iter();
    let mut at = 0u32;
    let mut places = vec![];
    for _ in 0..kept {
        let (mut gap, mut shift) = (0u32, 0);
        loop {
            let byte = u32::from(*bytes.next()?);
            gap |= (byte & 127).checked_shl(shift)?;
            shift += 7;
            if byte < 128 {
                break;
            }
        }
        at = at.checked_add(gap)?;
        places.push(at);
    }
    let rest = bytes.as_slice();
    if rest.len() != 2 * kept {
        return None;
    }
    let (high, low) = rest.split_at(kept);
    let values = low.iter().zip(high).map(|(low, high)| i16::from_le_bytes([*low, *high]));
    Some(places.into_iter().zip(values).collect())
}
