//! Functions on sets and boards, with the names that they have in the rules.

use rhai::{Array, Dynamic, Engine, INT, ImmutableString};

use super::context::{
    RefusalMessage, ScriptContext, ScriptResult, at, domain_name, element, element_of, set_in, set_of,
};
use super::game::{list, points};
use super::meter;
use super::value::{Element, Points, Set, SlotFamily, kind};
use super::words::GameNames;
use houserule_model::board::{self, BitSet, LineKinds, Near, Site};
use houserule_model::{Board, DomainKind};

/// Registers the functions.
pub(super) fn register(engine: &mut Engine) {
    engine.register_type_with_name::<Element>("element");
    engine.register_type_with_name::<Set>("set");
    elements(engine);
    sets(engine);
    sites(engine);
    regions(engine);
    super::piles::register(engine);
}

fn elements(engine: &mut Engine) {
    engine.register_fn("==", |a: Element, b: Element| a == b);
    engine.register_fn("!=", |a: Element, b: Element| a != b);
    for name in ["==", "!=", "<", "<=", ">", ">="] {
        // Rhai would call them unequal, which would hide that an index or a field is missing.
        let refuse = move |what: &str| -> ScriptResult<bool> {
            Err(format!("`{name}` can't compare {what} with a number").into())
        };
        engine.register_fn(name, move |_: Element, _: INT| refuse("an element"));
        engine.register_fn(name, move |_: INT, _: Element| refuse("an element"));
        engine.register_fn(name, move |_: Set, _: INT| refuse("a set, whose size is `count(SET)`,"));
        engine.register_fn(name, move |_: INT, _: Set| refuse("a set, whose size is `count(SET)`,"));
        let family = "a family of values (one of them is `g.NAME[INDEX]`)";
        engine.register_fn(name, move |_: SlotFamily, _: INT| refuse(family));
        engine.register_fn(name, move |_: INT, _: SlotFamily| refuse(family));
    }
    for name in ["to_string", "to_debug"] {
        engine.register_fn(name, |e: &mut Element| -> ScriptResult<String> {
            let e = *e;
            at(|_, words| Ok(words.model.element_name(e.domain, e.number)))
        });
    }
    // Fields of records: `tile.low`.
    engine.register_indexer_get(|e: &mut Element, field: ImmutableString| {
        let e = *e;
        at(|_, words| {
            let DomainKind::Record { fields, sets, .. } = &words.model.domains[e.domain.index()].kind else {
                return Err(format!(
                    "{} has no field `{field}`",
                    words.model.element_name(e.domain, e.number)
                ));
            };
            if let Some(found) = sets.iter().find(|known| known.name == field.as_str()) {
                let bits = found.values[e.number as usize].clone();
                return Ok(Dynamic::from(Set { domain: found.of, bits }));
            }
            let Some(found) = fields.iter().find(|known| known.name == field.as_str()) else {
                let of_sets = sets.iter().map(|field| field.name.as_str());
                let known: Vec<&str> =
                    fields.iter().map(|field| field.name.as_str()).chain(of_sets).collect();
                return Err(format!(
                    "a {} has no field `{field}`; it has {}",
                    words.model.domains[e.domain.index()].name,
                    known.join(", ")
                ));
            };
            let Some(value) = found.value(e.number) else { return Ok(Dynamic::UNIT) };
            Ok(found.of.map_or(Dynamic::from_int(value), |of| element(words, of, value as u32)))
        })
    });
}

fn sets(engine: &mut Engine) {
    engine.register_fn("==", |a: Set, b: Set| a == b);
    engine.register_fn("!=", |a: Set, b: Set| a != b);
    for name in ["to_string", "to_debug"] {
        engine.register_fn(name, |set: &mut Set| at(|_, words| Ok(words.set_name(set.domain, &set.bits))));
    }
    engine.register_fn("set", |elements: Dynamic| at(|context, words| set_of(context, words, &elements)));
    type SetOperation = fn(&BitSet, &BitSet) -> BitSet;
    let joined: [(&str, SetOperation); 3] =
        [("|", BitSet::union), ("&", BitSet::intersect), ("-", BitSet::minus)];
    for (sign, join) in joined {
        engine.register_fn(sign, move |a: Set, b: Set| joined_sets(&a, &Dynamic::from(b), join));
        engine.register_fn(sign, move |a: Set, b: Element| joined_sets(&a, &Dynamic::from(b), join));
        engine.register_fn(sign, move |a: Set, b: Array| joined_sets(&a, &b.into(), join));
        engine.register_fn(sign, move |a: Set, b: SlotFamily| joined_sets(&a, &Dynamic::from(b), join));
        engine.register_fn(sign, move |a: SlotFamily, b: Dynamic| joined_sets(&whole(a)?, &b, join));
        engine.register_fn(sign, move |a: Element, b: SlotFamily| {
            single(a).and_then(|a| joined_sets(&a, &Dynamic::from(b), join))
        });
        engine.register_fn(sign, move |a: Element, b: Set| {
            single(a).and_then(|a| joined_sets(&a, &Dynamic::from(b), join))
        });
        engine.register_fn(sign, move |a: Element, b: Element| {
            single(a).and_then(|a| joined_sets(&a, &Dynamic::from(b), join))
        });
    }
    engine.register_fn("contains", |set: &mut Set, e: Element| {
        set.domain == e.domain && set.bits.contains(e.number)
    });
    engine.register_fn("contains", |set: &mut Set, n: INT| {
        at(|_, words| {
            let one = element_of(words, &Dynamic::from_int(n), set.domain);
            Ok(one.is_ok_and(|one| set.bits.contains(one)))
        })
    });
    engine.register_fn("contains", |set: &mut Set, other: Set| {
        set.domain == other.domain && other.bits.is_subset(&set.bits)
    });
    // `none` is in no set.
    engine.register_fn("contains", |_: &mut Set, (): ()| false);
    engine.register_fn("contains", |family: &mut SlotFamily, value: Dynamic| {
        let set = whole(*family)?;
        at(|context, words| {
            let other = set_in(context, words, &value, set.domain);
            Ok(!value.is_unit() && other.is_ok_and(|other| other.is_subset(&set.bits)))
        })
    });
    for name in ["count", "len"] {
        engine.register_fn(name, |set: &mut Set| INT::from(set.bits.len()));
    }
    engine.register_fn("len", |family: &mut SlotFamily| whole(*family).map(|set| INT::from(set.bits.len())));
    engine.register_fn("count", |list: Array| list.len() as INT);
    engine.register_fn("some", |value: Dynamic| exists(&value));
    engine.register_fn("nothing", |value: Dynamic| exists(&value).map(|exists| !exists));
    engine.register_fn("lowest", |set: Set| end_of(&set, BitSet::first));
    engine.register_fn("lowest", |family: SlotFamily| end_of(&whole(family)?, BitSet::first));
    engine.register_fn("highest", |set: Set| end_of(&set, BitSet::last));
    engine.register_fn("highest", |family: SlotFamily| end_of(&whole(family)?, BitSet::last));
    for name in ["to_array", "values"] {
        engine.register_fn(name, |set: Set| at(|_, words| Ok(list(words, set.domain, &set.bits))));
    }
    engine.register_fn("to_array", |family: SlotFamily| {
        let set = whole(family)?;
        at(|_, words| Ok(list(words, set.domain, &set.bits)))
    });
    engine.register_iterator_result::<Set, Dynamic>();
    engine.register_iterator_result::<SlotFamily, Dynamic>();
}

/// Returns the first or the last element of a set.
fn end_of(set: &Set, end: fn(&BitSet) -> Option<u32>) -> ScriptResult<Dynamic> {
    at(|_, words| Ok(end(&set.bits).map_or(Dynamic::UNIT, |e| element(words, set.domain, e))))
}

/// Returns the union of the zones of a family.
fn whole(family: SlotFamily) -> ScriptResult<Set> {
    at(|context, words| context.union(words, family))
}

impl IntoIterator for SlotFamily {
    type Item = ScriptResult<Dynamic>;
    type IntoIter = std::vec::IntoIter<ScriptResult<Dynamic>>;

    fn into_iter(self) -> Self::IntoIter {
        match whole(self) {
            Ok(set) => set.into_iter(),
            Err(error) => vec![Err(error)].into_iter(),
        }
    }
}

impl IntoIterator for Set {
    type Item = ScriptResult<Dynamic>;
    type IntoIter = std::vec::IntoIter<ScriptResult<Dynamic>>;

    fn into_iter(self) -> Self::IntoIter {
        let elements = at(|_, words| Ok(list(words, self.domain, &self.bits)));
        let each: Vec<ScriptResult<Dynamic>> = match elements {
            Ok(elements) => elements.into_iter().map(Ok).collect(),
            Err(error) => vec![Err(error)],
        };
        each.into_iter()
    }
}

fn single(e: Element) -> ScriptResult<Set> {
    at(|_, words| Ok(Set { domain: e.domain, bits: BitSet::single(words.size(e.domain), e.number) }))
}

fn joined_sets(a: &Set, b: &Dynamic, join: fn(&BitSet, &BitSet) -> BitSet) -> ScriptResult<Set> {
    at(|context, words| {
        Ok(Set { domain: a.domain, bits: join(&a.bits, &set_in(context, words, b, a.domain)?) })
    })
}

/// Returns `true` if a value is not `none` and not empty.
fn exists(value: &Dynamic) -> ScriptResult<bool> {
    if value.is_unit() {
        return Ok(false);
    }
    if let Some(set) = value.clone().try_cast::<Set>() {
        return Ok(!set.bits.is_empty());
    }
    if let Some(family) = value.clone().try_cast::<SlotFamily>() {
        return whole(family).map(|set| !set.bits.is_empty());
    }
    if let Ok(list) = value.as_array_ref() {
        return Ok(!list.is_empty());
    }
    Ok(true)
}

/// Calls a function with a set of sites and its board. The cost in operations is proportional to the size of
/// the board.
fn on_board<T>(
    sites: &Dynamic,
    f: impl FnOnce(&ScriptContext, &GameNames, &Board, &BitSet) -> Result<T, RefusalMessage>,
) -> ScriptResult<T> {
    let mut cost = 0;
    let said = at(|context, words| {
        let set = set_of(context, words, sites)?;
        let Some(board) = words.board_of(set.domain) else {
            return Err(format!(
                "expected sites of a board, found elements of {}",
                domain_name(words, set.domain)
            ));
        };
        cost = u64::from(board.topology.size()) / SITES_AN_OPERATION;
        f(context, words, board, &set.bits)
    });
    meter::charge(cost)?;
    said
}

/// Like [`on_board`], for functions that return a set of sites.
fn sites_of(
    sites: &Dynamic,
    f: impl FnOnce(&ScriptContext, &GameNames, &Board, &BitSet) -> Result<BitSet, RefusalMessage>,
) -> ScriptResult<Set> {
    on_board(sites, |context, words, board, set| {
        Ok(Set { domain: board.domain, bits: f(context, words, board, set)? })
    })
}

fn direction(board: &Board, name: &str) -> Result<u32, RefusalMessage> {
    board.topology.direction_named(name).ok_or_else(|| {
        let known: Vec<&str> = board.topology.directions().iter().map(|d| d.name).collect();
        format!("the board has no direction `{name}`; there are {}", known.join(", "))
    })
}

fn orthogonal(how: &str) -> Result<bool, RefusalMessage> {
    match how {
        "four" => Ok(true),
        "eight" => Ok(false),
        how => Err(format!(
            "sites are connected by \"four\" sides or by \"eight\" with the corners, not by \"{how}\""
        )),
    }
}

/// Returns a value as a site.
fn site(value: &Dynamic) -> Result<Element, RefusalMessage> {
    value.clone().try_cast::<Element>().ok_or_else(|| format!("expected a site, found {}", kind(value)))
}

fn sites(engine: &mut Engine) {
    engine.register_fn("around", |of: Dynamic| {
        sites_of(&of, |_, _, b, set| Ok(board::neighbours(&b.topology, set, Near::Around)))
    });
    engine.register_fn("beside", |of: Dynamic| {
        sites_of(&of, |_, _, b, set| Ok(board::neighbours(&b.topology, set, Near::Beside)))
    });
    engine.register_fn("shift", |of: Dynamic, to: ImmutableString| {
        sites_of(&of, |_, _, b, set| Ok(board::shift(&b.topology, set, direction(b, &to)?)))
    });
    engine.register_fn("ray", |of: Dynamic, to: ImmutableString| {
        sites_of(&of, |_, _, b, set| Ok(board::ray(&b.topology, set, direction(b, &to)?)))
    });
    for name in ["toward", "step"] {
        engine.register_fn(name, |of: Dynamic, to: ImmutableString| -> ScriptResult<Dynamic> {
            if of.is_unit() {
                return Ok(Dynamic::UNIT);
            }
            on_board(&of, |_, words, b, _| {
                let from = site(&of)?;
                let next = b.topology.step(Site(from.number), direction(b, &to)?);
                Ok(next.map_or(Dynamic::UNIT, |site| element(words, b.domain, site.0)))
            })
        });
    }
    engine.register_fn("column", |of: Dynamic| {
        on_board(&of, |_, _, b, _| Ok(INT::from(b.topology.column_of(Site(site(&of)?.number)))))
    });
    engine.register_fn("row", |of: Dynamic| {
        on_board(&of, |_, _, b, _| Ok(INT::from(b.topology.row_of(Site(site(&of)?.number)))))
    });
    engine.register_fn("longest", |of: Dynamic| {
        on_board(&of, |_, _, b, set| Ok(INT::from(board::longest(&b.topology, set, all_lines()))))
    });
    engine.register_fn("runs", |of: Dynamic, length: INT| {
        sites_of(&of, |_, _, b, set| Ok(board::in_runs(&b.topology, set, all_lines(), length)))
    });
    engine.register_fn("lines", |of: Dynamic, table: Points| {
        on_board(&of, |_, words, b, set| {
            let Some(points) = points(words, table) else { return Err("there is no such table".to_owned()) };
            let worth = |length| points.get(i64::from(length));
            let sum = board::line_points(&b.topology, set, all_lines(), worth);
            sum.ok_or_else(|| "the points do not fit 64 bits".to_owned())
        })
    });
}

/// Number of sites of a board that a function processes for one operation.
const SITES_AN_OPERATION: u64 = 8;

fn all_lines() -> LineKinds {
    LineKinds::ALL
}

fn regions(engine: &mut Engine) {
    engine.register_fn("reach", |from: Dynamic, within: Dynamic| {
        sites_of(&from, |context, words, b, set| {
            Ok(board::reach(&b.topology, set, &set_in(context, words, &within, b.domain)?, true))
        })
    });
    engine.register_fn("reach", |from: Dynamic, within: Dynamic, how: ImmutableString| {
        sites_of(&from, |context, words, b, set| {
            Ok(board::reach(&b.topology, set, &set_in(context, words, &within, b.domain)?, orthogonal(&how)?))
        })
    });
    engine.register_fn("component", |of: Dynamic, within: Dynamic| {
        sites_of(&of, |context, words, b, _| {
            Ok(board::component(
                &b.topology,
                Site(site(&of)?.number),
                &set_in(context, words, &within, b.domain)?,
                true,
            ))
        })
    });
    engine.register_fn("components", |of: Dynamic| components(&of, "four"));
    engine.register_fn("components", |of: Dynamic, how: ImmutableString| components(&of, &how));
    engine.register_fn("connected", |within: Dynamic, a: Dynamic, b: Dynamic| {
        on_board(&within, |context, words, on, set| {
            let (a, b) = (set_in(context, words, &a, on.domain)?, set_in(context, words, &b, on.domain)?);
            Ok(board::connected(&on.topology, set, &a, &b, true))
        })
    });
    engine.register_fn("enclosed", |near: Dynamic, walls: Dynamic| enclosed(&near, &walls, "four"));
    engine.register_fn("enclosed", |near: Dynamic, walls: Dynamic, how: ImmutableString| {
        enclosed(&near, &walls, &how)
    });
    engine.register_fn("fill", |of: Dynamic| fill(&of, "four"));
    engine.register_fn("fill", |of: Dynamic, how: ImmutableString| fill(&of, &how));
    engine.register_fn("custodial", |from: Dynamic, to: Dynamic, through: Dynamic| {
        sites_of(&from, |context, words, b, set| {
            let (to, through) =
                (set_in(context, words, &to, b.domain)?, set_in(context, words, &through, b.domain)?);
            Ok(board::custodial(&b.topology, set, &to, &through))
        })
    });
}

fn components(of: &Dynamic, how: &str) -> ScriptResult<Array> {
    on_board(of, |_, _, b, set| {
        let parts = board::components(&b.topology, set, orthogonal(how)?);
        Ok(parts.into_iter().map(|bits| Dynamic::from(Set { domain: b.domain, bits })).collect())
    })
}

fn fill(of: &Dynamic, how: &str) -> ScriptResult<Set> {
    // A set that is connected across sides only lets the outside through at its corners.
    sites_of(of, |_, _, b, set| Ok(board::fill(&b.topology, set, !orthogonal(how)?)))
}

fn enclosed(near: &Dynamic, walls: &Dynamic, how: &str) -> ScriptResult<Set> {
    sites_of(near, |context, words, b, set| {
        Ok(board::enclosed(&b.topology, set, &set_in(context, words, walls, b.domain)?, orthogonal(how)?))
    })
}
