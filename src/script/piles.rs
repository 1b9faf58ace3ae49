//! Functions on ordered zones, with the names that they have in the rules.

use rhai::{Dynamic, Engine};

use super::context::{RefusalMessage, ScriptContext, at, domain_name, element, element_of, set_of};
use super::value::{Element, Set};
use super::words::GameNames;
use houserule_model::board::BitSet;
use houserule_model::{DomainId, Order, SlotId, Value};

/// Registers the functions.
pub(super) fn register(engine: &mut Engine) {
    engine.register_fn("top", |zone: Dynamic| at(|context, words| end(context, words, &zone, i64::min)));
    engine.register_fn("bottom", |zone: Dynamic| at(|context, words| end(context, words, &zone, i64::max)));
    engine.register_fn("above", |of: Dynamic| at(|context, words| above(context, words, &of)));
}

fn order(words: &GameNames, domain: DomainId) -> Result<&Order, RefusalMessage> {
    let none = || format!("no zone of {} is ordered", domain_name(words, domain));
    words.model.order(domain).ok_or_else(none)
}

/// Returns the place of an element from the top of its zone, as far as the seat sees it.
fn place(
    context: &ScriptContext,
    words: &GameNames,
    order: &Order,
    number: u32,
) -> Result<i64, RefusalMessage> {
    let seen = order.seen.map(|seen| {
        let at = context.me as usize * words.size(order.domain) as usize + number as usize;
        context.value(words, seen, at)
    });
    match (context.value(words, order.places, number as usize), seen) {
        (Ok(Value::Number(place)), _) => Ok(place),
        (_, Some(Ok(Value::Number(place)))) if place > 0 => Ok(place),
        _ => Err("your seat can't see the order there".to_owned()),
    }
}

/// Returns the element at an end of a zone, or `none` if a shuffled part lies there.
fn end(
    context: &ScriptContext,
    words: &GameNames,
    zone: &Dynamic,
    better: fn(i64, i64) -> i64,
) -> Result<Dynamic, RefusalMessage> {
    let Set { domain, bits } = set_of(context, words, zone)?;
    let order = order(words, domain)?;
    let mut found: Option<(i64, Option<u32>)> = None;
    for number in bits.iter() {
        let place = place(context, words, order, number)?;
        found = match found {
            Some((best, _)) if best == place => Some((best, None)),
            Some((best, one)) if better(best, place) == best => Some((best, one)),
            _ => Some((place, Some(number))),
        };
    }
    let end = found.and_then(|(_, number)| number);
    Ok(end.map_or(Dynamic::UNIT, |number| element(words, domain, number)))
}

/// Returns the elements that lie on an element in its ordered zone.
fn above(context: &ScriptContext, words: &GameNames, of: &Dynamic) -> Result<Dynamic, RefusalMessage> {
    // An element of a range is a number here, and does not say its domain.
    let domain = match (of.clone().try_cast::<Element>(), &words.model.orders[..]) {
        (Some(element), _) => element.domain,
        (None, [only]) => only.domain,
        (None, _) => return Err("`above` needs an element of a domain with ordered zones".to_owned()),
    };
    let (order, number) = (order(words, domain)?, element_of(words, of, domain)?);
    let mut bits = BitSet::empty(words.size(domain));
    let places =
        |zone: &SlotId| (0..words.slot(*zone).initial.len()).map(|at| (*zone, at)).collect::<Vec<_>>();
    for (zone, at) in order.zones.iter().flat_map(places) {
        // A seat knows nothing of what lies on a card in a zone that it can't see.
        let Ok(lying) = context.set_of(words, zone, at) else { continue };
        if lying.contains(number) {
            let height = place(context, words, order, number)?;
            for other in lying.iter() {
                if place(context, words, order, other)? < height {
                    bits.insert(other);
                }
            }
        }
    }
    Ok(Dynamic::from(Set { domain, bits }))
}
