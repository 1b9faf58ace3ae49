//! Checks `shown at …`: the places of sites and of counters, one by one or as a walk.

use crate::checker::Checker;
use houserule_base::numbers::counted;
use houserule_language::diagnostic::{Code, Diagnostic, Span};
use houserule_language::syntax;
use houserule_language::syntax::{ExprKind as S, MapEntry};
use houserule_model::board::Site;
use houserule_model::{BoardId, CheckedExprKind, DomainId, PLAYER, SquarePlace, Value};

/// The greatest distance of a place from (0, 0).
const FARTHEST: i64 = 1000;

/// The steps of a walk.
const STEPS: [(&str, i64, i64); 8] = [
    ("n", 0, 1),
    ("ne", 1, 1),
    ("e", 1, 0),
    ("se", 1, -1),
    ("s", 0, -1),
    ("sw", -1, -1),
    ("w", -1, 0),
    ("nw", -1, 1),
];

const WALK: &str = "write where it begins, and how many steps it goes to each side: \"6,1: 4n 1nw 5w\" has 11 places; \
                    the sides are n, ne, e, se, s, sw, w and nw";

impl<'a> Checker<'a> {
    /// The places of the sites of a board: a walk, a place for each site, or a walk for each row. Empty after an error.
    pub(super) fn site_places(&mut self, board: BoardId, value: &'a syntax::Expr) -> Vec<SquarePlace> {
        let size = self.draft.model.boards[board.index()].topology.size() as usize;
        let mut places: Vec<Option<SquarePlace>> = vec![None; size];
        let whole = match &value.kind {
            S::Hole => {
                self.draft.messages.add_hole();
                false
            }
            S::Text(text) => {
                let all: Vec<usize> = (0..size).collect();
                self.put_walk(text, value.span, &all, &mut places)
            }
            S::Map(entries) => {
                let mut whole = true;
                for entry in entries {
                    whole &= self.put_entry(board, entry, &mut places);
                }
                whole
            }
            _ => {
                let d = Diagnostic::error(Code::ShownAs, value.span, "these are no places of sites").help(
                    "write a walk, a place for each site, or a walk for each row: `shown at \"6,1: 4n 5w\"`, \
                     `shown at [ayr: (0, 2), bern: (1, 5)]`, `shown at [1: \"7,1: 4n\", 2: \"1,7: 4e\"]`",
                );
                self.draft.messages.report(d);
                false
            }
        };
        if !whole {
            return vec![];
        }
        self.check_places(board, value.span, &places)
    }

    fn check_places(
        &mut self,
        board: BoardId,
        span: Span,
        places: &[Option<SquarePlace>],
    ) -> Vec<SquarePlace> {
        let of = &self.draft.model.boards[board.index()];
        let name = |site: usize| of.topology.site_name(Site(site as u32));
        if let Some(missing) = places.iter().position(Option::is_none) {
            let count = places.iter().filter(|place| place.is_none()).count();
            let message = match count {
                1 => format!("`{}` has no place", name(missing)),
                _ => format!("{count} sites have no place, the first of them `{}`", name(missing)),
            };
            let d = Diagnostic::error(Code::PlaceMissing, span, message)
                .help("give each site a place, or none of them");
            self.draft.messages.report(d);
            return vec![];
        }
        let all: Vec<SquarePlace> = places.iter().flatten().copied().collect();
        let twice = (0..all.len()).find_map(|at| {
            let first = all[..at].iter().position(|place| *place == all[at])?;
            Some((name(first), name(at), all[at]))
        });
        if let Some((first, second, place)) = twice {
            let message = format!("`{first}` and `{second}` are both at ({}, {})", place.x, place.y);
            let d =
                Diagnostic::error(Code::PlaceTwice, span, message).help("give each site a place of its own");
            self.draft.messages.report(d);
            return vec![];
        }
        all
    }

    /// Puts the sites that a key names at their places.
    fn put_entry(&mut self, board: BoardId, entry: &'a MapEntry, places: &mut [Option<SquarePlace>]) -> bool {
        let of = &self.draft.model.boards[board.index()];
        if let S::Name(name) | S::Site(name) = &entry.key.kind
            && let Some(site) = of.topology.parse_site(&name.text)
        {
            self.recorder.refer_to_element(name.span, of.domain, site.0);
        }
        let sites: Vec<usize> = match &entry.key.kind {
            S::Name(name) | S::Site(name) => {
                of.topology.parse_site(&name.text).map(|site| site.index()).into_iter().collect()
            }
            S::Number(row) if of.topology.has_rows() => {
                let is_in = |site: &Site| i64::from(of.topology.row_of(*site)) == *row;
                (0..places.len() as u32).map(Site).filter(is_in).map(Site::index).collect()
            }
            S::Number(number) => {
                of.topology.parse_site(&number.to_string()).map(|site| site.index()).into_iter().collect()
            }
            _ => vec![],
        };
        if sites.is_empty() {
            let what = if of.topology.has_rows() { "row or site" } else { "site" };
            let message = format!("`{}` has no such {what}", of.name);
            let d = Diagnostic::error(Code::UnknownName, entry.key.span, message)
                .help("a key is the name of a site, such as `ayr` or `@c4`, or the number of a row");
            self.draft.messages.report(d);
            return false;
        }
        if let S::Text(text) = &entry.value.kind {
            return self.put_walk(text, entry.value.span, &sites, places);
        }
        let Some(place) = self.square_place(&entry.value) else { return false };
        if let ([site], true) = (&sites[..], places[sites[0]].is_none()) {
            places[*site] = Some(place);
            return true;
        }
        let message =
            if sites.len() > 1 { "a row has more than one place" } else { "this site has a place already" };
        let d = Diagnostic::error(Code::PlaceTwice, entry.key.span, message);
        self.draft.messages.report(if sites.len() > 1 { d.help(WALK) } else { d });
        false
    }

    /// Puts sites along a walk.
    fn put_walk(
        &mut self,
        text: &str,
        span: Span,
        sites: &[usize],
        places: &mut [Option<SquarePlace>],
    ) -> bool {
        let walk = match read_walk(text) {
            Ok(walk) => walk,
            Err(word) => {
                let message = match word.is_empty() {
                    true => "this walk doesn't say where it begins".to_owned(),
                    false => format!("`{word}` is no part of a walk"),
                };
                self.draft.messages.report(Diagnostic::error(Code::ShownAs, span, message).help(WALK));
                return false;
            }
        };
        if walk.len() != sites.len() {
            let message = format!(
                "this walk has {} for {}",
                counted(walk.len(), "place"),
                counted(sites.len(), "site")
            );
            let d = Diagnostic::error(Code::PlaceMissing, span, message).help(WALK);
            self.draft.messages.report(d);
            return false;
        }
        for (site, place) in sites.iter().zip(walk) {
            if places[*site].replace(place).is_some() {
                let message = "these sites have places already";
                self.draft.messages.report(Diagnostic::error(Code::PlaceTwice, span, message));
                return false;
            }
        }
        true
    }

    /// The places of counters: one, or one for each index.
    pub(super) fn counter_places(
        &mut self,
        value: &'a syntax::Expr,
        index: &[DomainId],
    ) -> Vec<Option<SquarePlace>> {
        let size = index.iter().map(|domain| self.draft.size(*domain) as usize).product();
        let mut places: Vec<Option<SquarePlace>> = vec![None; size];
        // Players can be numbered here, and those who don't play have places, too.
        if let (S::Map(entries), [PLAYER]) = (&value.kind, index) {
            let number = |key: &syntax::Expr| match &key.kind {
                S::Number(n) | S::Player(n) if *n > 0 => usize::try_from(*n - 1).ok(),
                _ => None,
            };
            let numbers: Option<Vec<usize>> = entries.iter().map(|entry| number(&entry.key)).collect();
            if let Some(numbers) = numbers {
                for (entry, player) in entries.iter().zip(numbers) {
                    let place = self.square_place(&entry.value);
                    if let Some(own) = places.get_mut(player) {
                        *own = place;
                    }
                }
                return places;
            }
        }
        self.fill(value, index, &mut places, &mut |c, e| c.square_place(e));
        places
    }

    /// A place: `(7, 7)`, or one of two by a condition that is known when the rules are loaded.
    fn square_place(&mut self, value: &'a syntax::Expr) -> Option<SquarePlace> {
        if let S::If(condition, then, otherwise) = &value.kind {
            let holds = self.expr(condition, None);
            let holds = self.draft.truth(holds, condition.span)?;
            let CheckedExprKind::Constant(Value::Bool(holds)) = holds.kind else {
                self.draft.messages.report_not_constant(condition.span, "where something is drawn");
                return None;
            };
            return self.square_place(if holds { then } else { otherwise });
        }
        let S::Tuple(parts) = &value.kind else {
            let d = Diagnostic::error(Code::ShownAs, value.span, "this is no place")
                .help("write how many squares to the right and how many up: `(7, 7)`");
            self.draft.messages.report(d);
            return None;
        };
        let [x, y] = &parts[..] else {
            let message = format!("a place has two numbers, found {}", parts.len());
            let d = Diagnostic::error(Code::ShownAs, value.span, message)
                .help("write how many squares to the right and how many up: `(7, 7)`");
            self.draft.messages.report(d);
            return None;
        };
        let x = self.constant_between(x, "a place", -FARTHEST..=FARTHEST, Code::ShownAs);
        let y = self.constant_between(y, "a place", -FARTHEST..=FARTHEST, Code::ShownAs);
        Some(SquarePlace { x: x?, y: y? })
    }
}

/// The places of a walk: `6,1: 4n 1nw`. Returns the word that is no part of one, or nothing if it has no start.
fn read_walk(text: &str) -> Result<Vec<SquarePlace>, &str> {
    let (start, steps) = text.split_once(':').ok_or("")?;
    let (x, y) = start.split_once(',').ok_or("")?;
    let number =
        |word: &str| word.trim().parse::<i64>().ok().filter(|number| (-FARTHEST..=FARTHEST).contains(number));
    let mut at = SquarePlace { x: number(x).ok_or("")?, y: number(y).ok_or("")? };
    let mut places = vec![at];
    for word in steps.split_whitespace() {
        let digits = word.len() - word.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let (count, side) = word.split_at(digits);
        let (_, x, y) = STEPS.iter().find(|(name, ..)| *name == side).ok_or(word)?;
        let count = if count.is_empty() { 1 } else { number(count).ok_or(word)? };
        for _ in 0..count {
            at = SquarePlace { x: at.x + x, y: at.y + y };
            places.push(at);
        }
        if places.len() > 1 << 16 {
            return Err(word);
        }
    }
    Ok(places)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn walks_go_step_by_step() {
        let place = |x, y| SquarePlace { x, y };
        assert_eq!(
            read_walk("6,1: 2n 1nw w"),
            Ok(vec![place(6, 1), place(6, 2), place(6, 3), place(5, 4), place(4, 4)])
        );
        assert_eq!(read_walk("-1,0:"), Ok(vec![place(-1, 0)]));
        for (text, wrong) in [
            ("4n", ""),
            ("6: 4n", ""),
            ("6,x: 4n", ""),
            ("6,1: 4up", "4up"),
            ("6,1: 4 n", "4"),
            ("6,1: 5000n", "5000n"),
        ] {
            assert_eq!(read_walk(text), Err(wrong), "{text}");
        }
    }
}
