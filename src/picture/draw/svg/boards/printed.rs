//! Numbers that are printed on a board: tables with a number for each site, `shown as number`.

use crate::draw::svg::canvas::{Anchor, Canvas, Font};
use crate::draw::svg::palette::Ink;
use crate::draw::svg::scene::{LEAST_SIZE, PaperPoint, Scene, font};
use houserule_model::board::Site;
use houserule_model::{ConstantTable, DomainId};

/// A table that is printed on one board.
pub(in crate::draw::svg) struct PrintedNumbers<'s> {
    table: &'s ConstantTable,
    /// Where the numbers of this board begin.
    first: usize,
}

impl<'s> PrintedNumbers<'s> {
    /// Returns that of a board, if there is one: its last index is the site, those before it are indices of the board.
    pub(in crate::draw::svg) fn find(scene: &Scene<'s>) -> Option<PrintedNumbers<'s>> {
        let model = scene.state.game().model();
        let index = index_of(scene);
        model.printed.iter().find_map(|id| {
            let table = &model.tables[id.index()];
            let (last, before) = table.index.split_last()?;
            if *last != scene.board.domain {
                return None;
            }
            let mut first = 0;
            for domain in before {
                let (_, element) = index.iter().find(|(own, _)| own == domain)?;
                first = first * model.domains[domain.index()].size as usize + *element as usize;
            }
            Some(PrintedNumbers { table, first: first * scene.board.topology.size() as usize })
        })
    }

    /// Writes the numbers into the upper left corners of cells with a side of `pitch`.
    pub(in crate::draw::svg) fn draw(
        &self,
        scene: &Scene<'_>,
        canvas: &mut Canvas<'_>,
        at: &dyn Fn(Site) -> PaperPoint,
        pitch: f64,
        ink: Ink,
    ) {
        let least = if canvas.prints() { 6.0 } else { LEAST_SIZE };
        let font = font((pitch * 0.27).clamp(least, 12.0), ink);
        self.write(scene, canvas, (font, Anchor::Start), &|site| {
            let (x, y) = at(site);
            let (left, top) = (x - pitch / 2.0, y - pitch / 2.0);
            (left + pitch * 0.1, top + pitch * 0.04 + font.size)
        });
    }

    /// Writes the numbers, each at the base of its site.
    pub(in crate::draw::svg) fn write(
        &self,
        scene: &Scene<'_>,
        canvas: &mut Canvas<'_>,
        style: (Font, Anchor),
        base: &dyn Fn(Site) -> PaperPoint,
    ) {
        canvas.part("printed", |canvas| {
            for site in scene.sites() {
                if let Some(number) = self.number(site) {
                    canvas.text(base(site), style.1, style.0, &number);
                }
            }
        });
    }

    /// Returns the number of a site.
    pub(in crate::draw::svg) fn number(&self, site: Site) -> Option<String> {
        self.table.values.get(self.first + site.index()).map(ToString::to_string)
    }
}

/// Returns the index of a board in its family: an element of each domain.
pub(in crate::draw::svg) fn index_of(scene: &Scene<'_>) -> Vec<(DomainId, u32)> {
    let model = scene.state.game().model();
    let mut rest = scene.instance.number as u32;
    let mut index = vec![];
    for domain in scene.board.index.iter().rev() {
        let size = model.domains[domain.index()].size.max(1);
        index.push((*domain, rest % size));
        rest /= size;
    }
    index.reverse();
    index
}
