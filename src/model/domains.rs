//! Domains, boards and constant tables.

use super::{BoardId, BoardLook, Colour, DomainId, Look, Model, PLAYER, SeatLook, SlotId, Visibility};
use crate::board::{BitSet, Site, Topology};

/// A finite domain.
#[derive(Clone, Debug)]
pub struct Domain {
    /// Name in messages: `cell`, `player`, `1..6`.
    pub name: String,
    /// Kind of its elements.
    pub kind: DomainKind,
    /// Number of elements.
    pub size: u32,
    /// How drawings show its elements, if the rules say it, else empty.
    pub looks: Vec<Look>,
}

/// The kind of a domain's elements.
#[derive(Clone, Debug)]
pub enum DomainKind {
    /// The players of the game.
    Player,
    /// Consecutive integers from `low`.
    Range {
        /// The first number.
        low: i64,
    },
    /// Named values; names as written.
    Enum(Vec<String>),
    /// Sites of a board.
    Sites(BoardId),
    /// Records, by their fields or their names, and values without fields.
    Record {
        /// The fields. Some elements may lack some of them.
        fields: Vec<Field>,
        /// The elements with a name of their own, with their places. Some have fields, too.
        named: Vec<(u32, String)>,
        /// The fields that hold sets.
        sets: Vec<SetField>,
    },
}

/// A field of records that holds sets.
#[derive(Clone, Debug)]
pub struct SetField {
    /// Its name.
    pub name: String,
    /// The domain of the sets' elements.
    pub of: DomainId,
    /// The set of each element; empty for one without the field.
    pub values: Vec<BitSet>,
}

/// A field of records.
#[derive(Clone, Debug)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// The domain of the field's elements, or `None` for a number.
    pub of: Option<DomainId>,
    /// For numbers: the declared domain that they are from, if there is one.
    pub numbers: Option<DomainId>,
    /// `true` if the rules read it. Any other field only tells elements apart.
    pub read: bool,
    /// Its value for each element that has it: a number or an element's index.
    pub values: Vec<Option<i64>>,
}

/// A board.
#[derive(Clone, Debug)]
pub struct Board {
    /// The name of its site domain.
    pub name: String,
    /// The domain of its sites.
    pub domain: DomainId,
    /// Index domains: one board for each element of their product.
    pub index: Vec<DomainId>,
    /// Neighbours, lines and site names. If the boards of a family differ in size, those of a grid as wide as the widest
    /// and as high as the highest.
    pub topology: Topology,
    /// The sites that each board of a family has, by its index in the family. Empty if every board has all sites.
    pub own_sites: Vec<BitSet>,
    /// Row 1 is drawn at the top.
    pub from_top: bool,
    /// Default visibility of the pieces and variables on it.
    pub visibility: Visibility,
    /// For a board of edges: the board whose cells' sides are its sites. It has the same index.
    pub sides_of: Option<BoardId>,
    /// Slot of the empty sites, derived from the pieces; indexed like the board.
    pub empty: SlotId,
    /// The pieces that stand on it.
    pub pieces: Vec<SlotId>,
    /// The constant sets of sites that drawings show, in source order.
    pub grounds: Vec<Ground>,
    /// How drawings show it.
    pub look: BoardLook,
}

/// A constant set of sites that drawings show below the pieces: a define with `shown as`.
#[derive(Clone, Debug)]
pub struct Ground {
    /// The name of the define.
    pub name: String,
    /// The sites.
    pub sites: BitSet,
    /// Its colour, and its letter on sites where nothing stands.
    pub look: Look,
}

impl Board {
    /// Returns the sites of a board of the family.
    pub fn sites_of(&self, number: usize) -> BitSet {
        self.own_sites.get(number).cloned().unwrap_or_else(|| BitSet::full(self.topology.size()))
    }

    /// Returns `true` if a board of the family has a site.
    pub fn has_site(&self, number: usize, site: Site) -> bool {
        self.own_sites.get(number).is_none_or(|own| own.contains(site.0))
    }

    /// Returns the ground of a site: the first set of sites with it that drawings show.
    pub fn ground(&self, site: Site) -> Option<&Ground> {
        self.grounds.iter().find(|ground| ground.sites.contains(site.0))
    }

    /// Returns the number of columns of a board of the family.
    pub fn width_of(&self, number: usize) -> u32 {
        match self.own_sites.get(number) {
            Some(own) => own.sites().map(|site| self.topology.column_of(site)).max().unwrap_or(0),
            None => self.topology.width(),
        }
    }

    /// Returns the number of rows of a board of the family.
    pub fn height_of(&self, number: usize) -> u32 {
        match self.own_sites.get(number) {
            Some(own) => own.sites().map(|site| self.topology.row_of(site)).max().unwrap_or(0),
            None => self.topology.height(),
        }
    }
}

/// A constant table of integers over the product of its index domains, row-major.
#[derive(Clone, Debug)]
pub struct ConstantTable {
    /// Its name.
    pub name: String,
    /// The index domains.
    pub index: Vec<DomainId>,
    /// One value for each; an element as its index, none as -1.
    pub values: Vec<i64>,
}

impl Model {
    /// Returns how many values a piece has on each board of its family: one for each element of the index domains that
    /// follow those of the board.
    pub fn values_on_each_board(&self, board: BoardId, piece: SlotId) -> usize {
        let own = &self.slots[piece.index()].index[self.boards[board.index()].index.len()..];
        own.iter().map(|domain| self.domains[domain.index()].size as usize).product()
    }

    /// Returns the element of a range domain with a number, if there is one.
    pub fn number_element(&self, domain: DomainId, number: i64) -> Option<u32> {
        let Domain { kind: DomainKind::Range { low }, size, .. } = &self.domains[domain.index()] else {
            return None;
        };
        u32::try_from(number.checked_sub(*low)?).ok().filter(|element| element < size)
    }

    /// Returns how the rules show an element of a domain that isn't a record.
    pub fn element_look(&self, domain: DomainId, e: u32) -> Look {
        self.domains[domain.index()].looks.get(e as usize).copied().unwrap_or_default()
    }

    /// Returns the players as drawings show them.
    pub fn seat_looks(&self) -> Vec<SeatLook> {
        let seats = self.players.names.iter().zip(0..);
        seats
            .map(|(name, seat)| SeatLook {
                name: name.clone(),
                look: Look { colour: self.element_colour(PLAYER, seat), ..self.element_look(PLAYER, seat) },
            })
            .collect()
    }

    /// Returns the colour of an element: the one that the rules give, or the one in its name if most values of its
    /// enum are named after colours. The colour of a record is that of its first field with one.
    pub fn element_colour(&self, domain: DomainId, e: u32) -> Option<Colour> {
        let of = &self.domains[domain.index()];
        if let Some(colour) = self.element_look(domain, e).colour {
            return Some(colour);
        }
        match &of.kind {
            DomainKind::Enum(names) => {
                let coloured = names.iter().filter(|name| Colour::in_name(name).is_some()).count();
                let named = || Colour::in_name(names.get(e as usize)?);
                if 2 * coloured > names.len() { named() } else { None }
            }
            DomainKind::Record { fields, named, .. } => {
                let own = named.iter().find(|(place, _)| *place == e);
                own.and_then(|(_, name)| Colour::in_name(name)).or_else(|| {
                    fields.iter().find_map(|field| {
                        let (domain, value) = field.element(self, e)?;
                        self.element_colour(domain, value)
                    })
                })
            }
            DomainKind::Player => Colour::in_name(self.players.names.get(e as usize)?),
            DomainKind::Range { .. } | DomainKind::Sites(_) => None,
        }
    }

    /// Returns the name of an element as drawings show it, with the letters that the rules give, or those of a
    /// French pack: `♠A`, `6-4`.
    pub fn element_sign(&self, domain: DomainId, e: u32) -> String {
        if let Some(letter) = self.element_look(domain, e).letter {
            return letter.to_string();
        }
        let DomainKind::Record { fields, named, .. } = &self.domains[domain.index()].kind else {
            return self.element_name(domain, e);
        };
        if let Some((_, name)) = named.iter().find(|(place, _)| *place == e) {
            return name.clone();
        }
        if let Some(card) = self.french_sign(fields, e) {
            return card;
        }
        let mut sign = String::new();
        let mut before: Option<(bool, bool)> = None;
        for field in fields {
            let Some(own) = field.sign(self, e) else { continue };
            let lettered = field
                .element(self, e)
                .is_some_and(|(of, value)| self.element_look(of, value).letter.is_some());
            let short = lettered || own.parse::<i64>().is_ok();
            // A letter joins its neighbours, unless they are words.
            if before
                .is_some_and(|(was_lettered, was_short)| !(was_short && short && (was_lettered || lettered)))
            {
                sign.push('-');
            }
            sign += &own;
            before = Some((lettered, short));
        }
        sign
    }

    /// The name of element `e`: `c3`, `red`, `6-4`.
    pub fn element_name(&self, domain: DomainId, e: u32) -> String {
        match &self.domains[domain.index()].kind {
            DomainKind::Player => {
                let name = self.players.names.get(e as usize).cloned();
                name.unwrap_or_else(|| (e + 1).to_string()).replace(' ', "-")
            }
            DomainKind::Range { low } => (low + i64::from(e)).to_string(),
            DomainKind::Enum(names) => names.get(e as usize).cloned().unwrap_or_default(),
            DomainKind::Sites(board) => self.boards[board.index()].topology.site_name(Site(e)),
            DomainKind::Record { fields, named, .. } => {
                if let Some((_, name)) = named.iter().find(|(place, _)| *place == e) {
                    return name.clone();
                }
                let name = |field: &Field| {
                    let value = field.value(e)?;
                    Some(field.of.map_or_else(|| value.to_string(), |of| self.element_name(of, value as u32)))
                };
                fields.iter().filter_map(name).collect::<Vec<_>>().join("-")
            }
        }
    }
}

impl Field {
    /// Returns the value of an element, if it has this field: a number or an element's index.
    pub fn value(&self, element: u32) -> Option<i64> {
        self.values.get(element as usize).copied().flatten()
    }

    /// Returns the field of a record as an element, or `None` for a number without a declared domain.
    pub fn element(&self, model: &Model, record: u32) -> Option<(DomainId, u32)> {
        let value = self.value(record)?;
        match (self.of, self.numbers) {
            (Some(of), _) => Some((of, value as u32)),
            (None, Some(numbers)) => match model.domains[numbers.index()].kind {
                DomainKind::Range { low } => Some((numbers, (value - low) as u32)),
                _ => None,
            },
            (None, None) => None,
        }
    }

    /// Returns the field of a record as drawings show it, if the record has it.
    pub fn sign(&self, model: &Model, record: u32) -> Option<String> {
        match self.element(model, record) {
            Some((domain, value)) => Some(model.element_sign(domain, value)),
            None => self.value(record).map(|value| value.to_string()),
        }
    }
}
