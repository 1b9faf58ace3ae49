//! The script object `g`: reads the state by name and changes it.

use rhai::{Array, Dynamic, Engine, INT, ImmutableString};

use super::context::{
    self, RefusalMessage, ScriptContext, ScriptResult, Slip, at, element, element_of, set_in, set_of,
};
use super::value::{Element, GameHandle, Lookup, Points, Set, SlotFamily, kind};
use super::words::{GameNames, Meaning};
use houserule_language::diagnostic::did_you_mean;
use houserule_model::board::{BitSet, Site};
use houserule_model::*;

/// Registers the game and its types.
pub(super) fn register(engine: &mut Engine) {
    engine.register_type_with_name::<GameHandle>("game");
    engine.register_type_with_name::<SlotFamily>("family");
    engine.register_type_with_name::<Lookup>("table");
    engine.register_type_with_name::<Points>("table");
    engine.register_indexer_get(|_: &mut GameHandle, word: ImmutableString| {
        at(|context, words| read(context, words, &word))
    });
    engine.register_indexer_set(|_: &mut GameHandle, word: ImmutableString, value: Dynamic| {
        at(|context, words| write(context, words, &word, &value))
    });
    engine.register_indexer_get(|family: &mut SlotFamily, index: Dynamic| {
        at(|context, words| context.read(words, ScriptContext::index(words, *family, &index)?))
    });
    engine.register_indexer_set(|family: &mut SlotFamily, index: Dynamic, value: Dynamic| {
        at(|context, words| {
            let family = ScriptContext::index(words, *family, &index)?;
            context.write(words, family, &value)
        })
    });
    engine.register_indexer_get(|table: &mut Lookup, index: Dynamic| {
        at(|_, words| look_up(words, *table, &index))
    });
    engine.register_indexer_get(|table: &mut Points, length: INT| {
        at(|_, words| match points(words, *table) {
            Some(table) => Ok(table.get(length)),
            None => Err("there is no such table".to_owned()),
        })
    });
    engine.register_fn("cell", |_: &mut GameHandle, column: INT, row: INT| {
        at(|_, words| cell(words, column, row))
    });
    engine
        .register_fn("cell", |_: &mut GameHandle, name: ImmutableString| at(|_, words| named(words, &name)));
    engine.register_fn("element", |_: &mut GameHandle, name: ImmutableString| {
        at(|_, words| named(words, &name))
    });
    engine.register_fn("empty", |_: &mut GameHandle, board: ImmutableString| {
        at(|context, words| empty(context, words, Some(&board)))
    });
    engine.register_fn("after", |_: &mut GameHandle, player: Dynamic| {
        at(|_, words| {
            let player = element_of(words, &player, PLAYER)?;
            Ok(element(words, PLAYER, (player + 1) % words.model.players.count))
        })
    });
    engine.register_fn("other", |_: &mut GameHandle, player: Dynamic| {
        at(|_, words| {
            let player = element_of(words, &player, PLAYER)?;
            match words.model.players.count {
                2 => Ok(element(words, PLAYER, 1 - player)),
                _ => Err("`g.other` is for two players; `g.after(p)` is the next one".to_owned()),
            }
        })
    });
    engine.register_fn("put", |_: &mut GameHandle, piece: ImmutableString, sites: Dynamic| {
        put(&piece, vec![], &sites)
    });
    engine.register_fn(
        "put",
        |_: &mut GameHandle, piece: ImmutableString, index: Dynamic, sites: Dynamic| {
            put(&piece, vec![index], &sites)
        },
    );
    engine.register_fn(
        "put",
        |_: &mut GameHandle, piece: ImmutableString, a: Dynamic, b: Dynamic, sites: Dynamic| {
            put(&piece, vec![a, b], &sites)
        },
    );
    engine.register_fn("clear", |_: &mut GameHandle, sites: Dynamic| {
        at(|context, words| {
            let set = set_of(context, words, &sites)?;
            let board = lone_board(words, set.domain)?;
            open_pieces(words, board)?;
            context.clear_sites(words, board, 0, &set.bits)
        })
    });
    engine.register_fn("move", |_: &mut GameHandle, from: Dynamic, to: Dynamic| {
        at(|context, words| move_piece(context, words, &from, &to))
    });
    engine.register_fn("roll", |_: &mut GameHandle, faces: INT| -> ScriptResult<INT> {
        let Ok(outcomes) = u64::try_from(faces) else { return Err("a die has at least one face".into()) };
        if outcomes == 0 {
            return Err("a die has at least one face".into());
        }
        Ok(ScriptContext::draw(outcomes)? as INT + 1)
    });
    engine.register_fn("pick", |_: &mut GameHandle, from: Dynamic| -> ScriptResult<Dynamic> {
        if let Ok(list) = from.as_array_ref() {
            let list: Array = list.clone();
            return match list.len() {
                0 => Ok(Dynamic::UNIT),
                n => Ok(list[ScriptContext::draw(n as u64)? as usize].clone()),
            };
        }
        if from.is_unit() {
            return Ok(Dynamic::UNIT);
        }
        let set = at(|context, words| set_of(context, words, &from))?;
        if set.bits.is_empty() {
            return Ok(Dynamic::UNIT);
        }
        let k = ScriptContext::draw(set.bits.len().into())? as usize;
        at(|_, words| {
            Ok(set.bits.iter().nth(k).map_or(Dynamic::UNIT, |number| element(words, set.domain, number)))
        })
    });
    register_dice(engine);
}

/// Registers each name of a game as a property, so that no name is looked up while a script runs.
pub(super) fn register_words(engine: &mut Engine, words: &GameNames) {
    for (word, meaning) in words.each() {
        let name = word.to_owned();
        engine.register_get(word, move |_: &mut GameHandle| {
            at(|context, words| read_meaning(context, words, &name, meaning))
        });
    }
}

/// Registers the functions of dice.
fn register_dice(engine: &mut Engine) {
    let faces = |family: SlotFamily| at(move |context, words| all(context, words, family));
    engine.register_fn("values", move |family: SlotFamily| {
        at(|context, words| match words.slot(family.slot).role {
            Role::Dice { .. } => {
                Ok(all(context, words, family)?.into_iter().map(Dynamic::from_int).collect::<Array>())
            }
            _ => context.union(words, family).map(|set| list(words, set.domain, &set.bits)),
        })
    });
    engine.register_fn("sum", move |family: SlotFamily| -> ScriptResult<INT> {
        let sum = faces(family)?.into_iter().try_fold(0i64, i64::checked_add);
        sum.ok_or_else(|| "the sum does not fit 64 bits".into())
    });
    engine.register_fn("min", move |family: SlotFamily| -> ScriptResult<INT> {
        Ok(faces(family)?.into_iter().min().unwrap_or(0))
    });
    engine.register_fn("max", move |family: SlotFamily| -> ScriptResult<INT> {
        Ok(faces(family)?.into_iter().max().unwrap_or(0))
    });
    engine.register_fn("count", |family: SlotFamily| {
        at(|context, words| match words.slot(family.slot).role {
            Role::Dice { .. } => Ok(all(context, words, family)?.len() as INT),
            Role::Copies => all(context, words, family).map(|each| each.into_iter().sum()),
            _ => Ok(context.union(words, family)?.bits.len().into()),
        })
    });
    engine.register_fn("faces", move |family: SlotFamily, n: INT| -> ScriptResult<INT> {
        Ok(faces(family)?.into_iter().filter(|face| *face == n).count() as INT)
    });
    engine.register_fn("double", move |family: SlotFamily| -> ScriptResult<bool> {
        let all = faces(family)?;
        Ok(all.iter().all(|face| Some(face) == all.first()))
    });
}

/// Returns all numbers of a family.
fn all(context: &ScriptContext, words: &GameNames, family: SlotFamily) -> Result<Vec<i64>, RefusalMessage> {
    let slot = words.slot(family.slot);
    let rest: usize = slot.index[family.known..].iter().map(|domain| words.size(*domain) as usize).product();
    let value = |k: usize| {
        let whole = SlotFamily { known: slot.index.len(), place: family.place * rest + k, ..family };
        let value = context.read(words, whole)?;
        value.as_int().map_err(|_| format!("`{}` holds no numbers", slot.name))
    };
    (0..rest).map(value).collect()
}

fn unknown(words: &GameNames, word: &str) -> RefusalMessage {
    match did_you_mean(word, words.all()) {
        Some(meant) => format!("the game has nothing called `{word}`; did you mean `{meant}`?"),
        None => format!("the game has nothing called `{word}`"),
    }
}

fn read(context: &mut ScriptContext, words: &GameNames, word: &str) -> Result<Dynamic, RefusalMessage> {
    match words.meaning(word) {
        Some(meaning) => read_meaning(context, words, word, meaning),
        None => Err(unknown(words, word)),
    }
}

fn read_meaning(
    context: &mut ScriptContext,
    words: &GameNames,
    word: &str,
    meaning: Meaning,
) -> Result<Dynamic, RefusalMessage> {
    let on_board = |bits: &BitSet| match words.model.boards.first() {
        Some(board) => Ok(Dynamic::from(Set { domain: board.domain, bits: bits.clone() })),
        None => Err("the game has no board".to_owned()),
    };
    Ok(match meaning {
        Meaning::Slot(slot) => return context.read(words, SlotFamily { slot, known: 0, place: 0 }),
        Meaning::Param(param) => match &words.model.params[param].value {
            ParamValue::Number(number) => Dynamic::from_int(*number),
            ParamValue::Bool(value) => Dynamic::from_bool(*value),
            ParamValue::Word(word) => match word.parse::<INT>() {
                Ok(number) => Dynamic::from_int(number),
                Err(_) => word.clone().into(),
            },
            ParamValue::Table(_) => Dynamic::from(Points { param }),
        },
        Meaning::Table(table) => Dynamic::from(Lookup { table, known: 0, place: 0 }),
        Meaning::Element(domain, number) => element(words, domain, number),
        Meaning::Domain(domain) => Dynamic::from(Set { domain, bits: BitSet::full(words.size(domain)) }),
        Meaning::Several => return Err(format!("`{word}` is the name of several things")),
        Meaning::Me => element(words, PLAYER, context.me),
        Meaning::Other => element(words, PLAYER, 1 - context.me.min(1)),
        Meaning::Players => {
            Dynamic::from(Set { domain: PLAYER, bits: BitSet::full(words.model.players.count) })
        }
        Meaning::Empty => return empty(context, words, None),
        Meaning::Cells => return on_board(&words.sites.cells),
        Meaning::Edge => return on_board(&words.sites.edge),
        Meaning::Corners => return on_board(&words.sites.corners),
    })
}

fn write(
    context: &mut ScriptContext,
    words: &GameNames,
    word: &str,
    value: &Dynamic,
) -> Result<(), RefusalMessage> {
    match words.meaning(word) {
        Some(Meaning::Slot(slot)) => context.write(words, SlotFamily { slot, known: 0, place: 0 }, value),
        Some(Meaning::Param(_)) => Err(format!(
            "`{word}` is a param, which stays the same for a whole game; declare a `var` for what changes"
        )),
        Some(_) => Err(format!("`{word}` can't be changed; declare a `var` for what changes")),
        None => Err(unknown(words, word)),
    }
}

fn empty(context: &ScriptContext, words: &GameNames, name: Option<&str>) -> Result<Dynamic, RefusalMessage> {
    let board = match name {
        Some(name) => words.model.boards.iter().find(|board| board.name == name),
        None => words.model.boards.first(),
    };
    let Some(board) = board else {
        let all: Vec<String> = words.model.boards.iter().map(|board| format!("`{}`", board.name)).collect();
        return Err(match all.as_slice() {
            [] => "the game has no board".to_owned(),
            all => format!("no board is called `{}`; there is {}", name.unwrap_or_default(), all.join(", ")),
        });
    };
    lone_board(words, board.domain)?;
    let bits = context.set_of(words, board.empty, 0)?;
    Ok(Dynamic::from(Set { domain: board.domain, bits }))
}

/// Returns the board of some sites, or an error if it is a family of boards.
fn lone_board(words: &GameNames, domain: DomainId) -> Result<&Board, RefusalMessage> {
    let Some(board) = words.board_of(domain) else {
        return Err(format!(
            "expected sites of a board, found elements of {}",
            context::domain_name(words, domain)
        ));
    };
    match board.index.is_empty() {
        true => Ok(board),
        false => Err(format!(
            "there are several boards `{}`, and a script can't choose between them: let the rules do it",
            board.name
        )),
    }
}

/// Returns an error if not all players see the pieces of a board. Only the rules may move such pieces, because
/// they track who has seen what.
fn open_pieces(words: &GameNames, board: &Board) -> Result<(), RefusalMessage> {
    let hidden =
        board.pieces.iter().map(|piece| words.slot(*piece)).find(|slot| slot.visibility != Visibility::All);
    match hidden {
        Some(slot) => Err(format!(
            "a script can't change what stands on `{}`: not all players see `{}` there; let the rules do it",
            board.name, slot.name
        )),
        None => Ok(()),
    }
}

fn cell(words: &GameNames, column: INT, row: INT) -> Result<Dynamic, RefusalMessage> {
    let Some(board) = words.model.boards.first() else { return Err("the game has no board".to_owned()) };
    let site = board.topology.site_at(column, row);
    Ok(site.map_or(Dynamic::UNIT, |site| element(words, board.domain, site.0)))
}

/// Returns the element with a name: a site, a player, an enum value or a record.
fn named(words: &GameNames, name: &str) -> Result<Dynamic, RefusalMessage> {
    for board in &words.model.boards {
        if let Some(site) = board.topology.parse_site(name) {
            return Ok(element(words, board.domain, site.0));
        }
    }
    match words.meaning(name) {
        Some(Meaning::Element(domain, number)) => return Ok(element(words, domain, number)),
        Some(Meaning::Several) => return Err(format!("`{name}` is the name of several things")),
        _ => {}
    }
    for domain in (0..words.model.domains.len() as u32).map(DomainId) {
        if let DomainKind::Record { .. } = words.model.domains[domain.index()].kind {
            let found = (0..words.size(domain)).find(|e| words.model.element_name(domain, *e) == name);
            if let Some(number) = found {
                return Ok(element(words, domain, number));
            }
        }
    }
    let sites = words
        .model
        .boards
        .iter()
        .flat_map(|board| board.topology.sites().map(|site| board.topology.site_name(site)));
    let all: Vec<String> = sites.chain(words.all().into_iter().map(str::to_owned)).collect();
    Err(match did_you_mean(name, all.iter().map(String::as_str)) {
        Some(meant) => format!("no site and no element is called `{name}`; did you mean `{meant}`?"),
        None => format!("no site and no element is called `{name}`"),
    })
}

fn look_up(words: &GameNames, table: Lookup, index: &Dynamic) -> Result<Dynamic, RefusalMessage> {
    let declared = &words.model.tables[table.table.index()];
    let Some(domain) = declared.index.get(table.known).copied() else {
        return Err(format!(
            "`{}` has no more than {} {}",
            declared.name,
            declared.index.len(),
            if declared.index.len() == 1 { "index" } else { "indices" }
        ));
    };
    let number = element_of(words, index, domain).map_err(|why| format!("`{}`: {why}", declared.name))?;
    let place = table.place * words.size(domain) as usize + number as usize;
    let known = table.known + 1;
    if known < declared.index.len() {
        return Ok(Dynamic::from(Lookup { known, place, ..table }));
    }
    Ok(Dynamic::from_int(declared.values[place]))
}

pub(super) fn points(words: &GameNames, table: Points) -> Option<&PointsTable> {
    match &words.model.params.get(table.param)?.value {
        ParamValue::Table(points) => Some(points),
        _ => None,
    }
}

fn put(piece: &str, index: Vec<Dynamic>, sites: &Dynamic) -> ScriptResult<()> {
    at(|context, words| {
        let Some(Meaning::Slot(slot)) = words.meaning(piece) else { return Err(unknown(words, piece)) };
        let Role::Piece(board) = words.slot(slot).role else {
            return Err(format!("`{piece}` is no piece; `g.put` puts pieces on a board"));
        };
        let board = &words.model.boards[board.index()];
        open_pieces(words, board)?;
        let start = SlotFamily { slot, known: 0, place: 0 };
        let family =
            index.iter().try_fold(start, |family, index| ScriptContext::index(words, family, index))?;
        let wanted = words.slot(slot).index.len();
        if family.known < wanted {
            return Err(format!(
                "`{piece}` has {wanted} {}: `g.put(\"{piece}\", INDEX, SITES)`",
                if wanted == 1 { "index" } else { "indices" }
            ));
        }
        if sites.is_unit() {
            context.slip(words, Slip::Falls);
        }
        let sites = set_in(context, words, sites, board.domain)?;
        context.may_change()?;
        if context.counts_slips(words) && context.covers(words, board, family, &sites)? {
            context.slip(words, Slip::Covers);
        }
        context.put_piece(words, board, family, &sites)
    })
}

fn move_piece(
    context: &mut ScriptContext,
    words: &GameNames,
    from: &Dynamic,
    to: &Dynamic,
) -> Result<(), RefusalMessage> {
    context.may_change()?;
    let (Some(from), Some(to)) = (from.clone().try_cast::<Element>(), to.clone().try_cast::<Element>())
    else {
        // As in the rules, nothing moves from or to `none`.
        if to.is_unit() && !from.is_unit() {
            context.slip(words, Slip::Falls);
        }
        return match from.is_unit() || to.is_unit() {
            true => Ok(()),
            false => Err(format!("`g.move` needs two sites, found {} and {}", kind(from), kind(to))),
        };
    };
    if from.domain != to.domain {
        return Err("`g.move` needs two sites of one board, and these lie on two".to_owned());
    }
    let board = lone_board(words, from.domain)?;
    open_pieces(words, board)?;
    let Some(piece) = context.standing(words, board, 0, Site(from.number))? else { return Ok(()) };
    let size = board.topology.size();
    if from != to && context.standing(words, board, 0, Site(to.number))?.is_some() {
        context.slip(words, Slip::Covers);
    }
    context.clear_sites(words, board, 0, &BitSet::single(size, from.number))?;
    context.put_piece(words, board, piece, &BitSet::single(size, to.number))
}

/// Converts a set to a list of its elements for scripts.
pub(super) fn list(words: &GameNames, domain: DomainId, bits: &BitSet) -> Array {
    bits.iter().map(|number| context::element(words, domain, number)).collect()
}
