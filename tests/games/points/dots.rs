//! A plain model of Points: every dot floods the field. Independent of the rule file.

/// A set of crossings, row by row.
pub(crate) type Sites = Vec<bool>;

/// A field and its dots. Players are 0 and 1.
#[derive(Clone)]
pub(crate) struct Field {
    pub(crate) width: usize,
    pub(crate) height: usize,
    /// `true` if a free area that was entered closes at once, `false` if it closes at its owner's next dot.
    pub(crate) immediate: bool,
    /// The owner of the dot on each crossing.
    pub(crate) dots: Vec<Option<usize>>,
    /// The player who last closed the area around each crossing.
    pub(crate) closed: Vec<Option<usize>>,
    /// The bases, by player.
    pub(crate) base: [Sites; 2],
    pub(crate) entered: [Sites; 2],
}

impl Field {
    pub(crate) fn new(width: usize, height: usize, immediate: bool) -> Field {
        let none = vec![false; width * height];
        Field {
            width,
            height,
            immediate,
            dots: vec![None; width * height],
            closed: vec![None; width * height],
            base: [none.clone(), none.clone()],
            entered: [none.clone(), none],
        }
    }

    fn size(&self) -> usize {
        self.width * self.height
    }

    pub(crate) fn at_brink(&self, site: usize) -> bool {
        let (x, y) = (site % self.width, site / self.width);
        x == 0 || y == 0 || x + 1 == self.width || y + 1 == self.height
    }

    fn near(&self, site: usize, corners: bool) -> Vec<usize> {
        let (x, y) = ((site % self.width) as i64, (site / self.width) as i64);
        let steps = (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| (dx, dy)));
        steps
            .filter(|(dx, dy)| (*dx != 0) != (*dy != 0) || corners && (*dx, *dy) != (0, 0))
            .map(|(dx, dy)| (x + dx, y + dy))
            .filter(|(x, y)| (0..self.width as i64).contains(x) && (0..self.height as i64).contains(y))
            .map(|(x, y)| y as usize * self.width + x as usize)
            .collect()
    }

    /// Flood fill: returns the sites reachable from some sites through sites that satisfy a condition.
    fn flood(
        &self,
        from: impl Iterator<Item = usize>,
        corners: bool,
        through: impl Fn(usize) -> bool,
    ) -> Sites {
        let mut reached = vec![false; self.size()];
        let mut rest: Vec<usize> = from.filter(|s| through(*s)).collect();
        while let Some(site) = rest.pop() {
            if !std::mem::replace(&mut reached[site], true) {
                rest.extend(self.near(site, corners).into_iter().filter(|s| through(*s) && !reached[*s]));
            }
        }
        reached
    }

    pub(crate) fn is_live(&self, site: usize, player: usize) -> bool {
        self.dots[site] == Some(player) && self.closed[site].is_none()
    }

    fn with_holes(&self, part: &Sites) -> Sites {
        let brink = (0..self.size()).filter(|s| self.at_brink(*s));
        self.flood(brink, true, |s| !part[s]).into_iter().map(|outside| !outside).collect()
    }

    /// Returns an area with its holes, and with what the player's dots around it separate from the edge of the field.
    fn in_ring(&self, player: usize, part: &Sites) -> Sites {
        let area = self.with_holes(part);
        let touches = |s: usize| self.near(s, true).into_iter().any(|n| part[n]);
        let ring: Sites = (0..self.size()).map(|s| self.is_live(s, player) && touches(s)).collect();
        let brink = (0..self.size()).filter(|s| self.at_brink(*s));
        let outside = self.flood(brink, false, |s| !ring[s] && !part[s]);
        (0..self.size()).map(|s| area[s] || !outside[s] && !ring[s]).collect()
    }

    fn close(&mut self, player: usize, area: &Sites) {
        for site in (0..self.size()).filter(|s| area[*s]) {
            self.closed[site] = Some(player);
            self.base[0][site] = false;
            self.base[1][site] = false;
        }
    }

    /// Closes the areas that wait for a player's next dot.
    pub(crate) fn close_entered(&mut self, player: usize) {
        let none = vec![false; self.size()];
        let area = std::mem::replace(&mut self.entered[player], none);
        self.close(player, &area);
    }

    pub(crate) fn may_place(&self, site: usize, player: usize) -> bool {
        self.dots[site].is_none() && self.closed[site].is_none() && !self.entered[player][site]
    }

    pub(crate) fn place(&mut self, player: usize, site: usize) {
        let enemy = 1 - player;
        self.close_entered(player);
        self.dots[site] = Some(player);
        let mut parts: Vec<Sites> = vec![];
        for start in self.near(site, false) {
            let part = self.flood([start].into_iter(), false, |s| !self.is_live(s, player));
            if part[start] && !(0..self.size()).any(|s| part[s] && self.at_brink(s)) {
                parts.push(part);
            }
        }
        let safe = |s: usize| self.dots[s] == Some(enemy) && self.closed[s] != Some(player);
        let prey: Sites = (0..self.size()).map(safe).collect();
        let mut captured = false;
        for part in parts {
            let area = self.with_holes(&part);
            if (0..self.size()).any(|s| area[s] && prey[s]) {
                captured = true;
                self.close(player, &self.in_ring(player, &part));
            } else {
                for s in (0..self.size()).filter(|s| area[*s]) {
                    self.base[player][s] |= self.closed[s].is_none();
                }
            }
        }
        if !self.base[enemy][site] {
            return;
        }
        let here = self.flood([site].into_iter(), false, |s| !self.is_live(s, enemy));
        if captured {
            for s in (0..self.size()).filter(|s| here[*s]) {
                self.base[enemy][s] = false;
                self.entered[enemy][s] = false;
            }
            return;
        }
        let area = self.in_ring(enemy, &here);
        if self.immediate {
            self.close(enemy, &area);
        } else {
            (0..self.size()).filter(|s| area[*s]).for_each(|s| self.entered[enemy][s] = true);
        }
    }

    /// Returns the number of enemy dots that a player has captured.
    pub(crate) fn captured(&self, player: usize) -> usize {
        self.count(|s| self.dots[s] == Some(1 - player) && self.closed[s] == Some(player))
    }

    pub(crate) fn count(&self, holds: impl Fn(usize) -> bool) -> usize {
        (0..self.size()).filter(|s| holds(*s)).count()
    }

    /// Returns a player's loss by Stop: own dots, and freed prisoners.
    pub(crate) fn lost_by_stop(&self, player: usize) -> (usize, usize) {
        let owned = |s: usize| self.is_live(s, player) || self.closed[s] == Some(player);
        let held = self.flood((0..self.size()).filter(|s| self.at_brink(*s)), false, owned);
        let lost = |s: usize, of: usize| owned(s) && !held[s] && self.dots[s] == Some(of);
        (self.count(|s| lost(s, player)), self.count(|s| lost(s, 1 - player)))
    }
}

impl std::fmt::Display for Field {
    /// Top row first. Dots of player 0 are R and of player 1 B; captured dots are small, and barred crossings
    /// `-`, by the player who closed the area. Free crossings enclosed by one player show that player's
    /// number.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for y in (0..self.height).rev() {
            for site in y * self.width..(y + 1) * self.width {
                let letter = match self.dots[site] {
                    Some(player) => ['R', 'B'][player],
                    None if self.closed[site].is_some() => '-',
                    None => (0..2).find(|p| self.base[*p][site]).map_or('.', |p| ['0', '1'][p]),
                };
                match self.closed[site] {
                    Some(player) => write!(f, " {}{player}", letter.to_ascii_lowercase())?,
                    None => write!(f, " {letter} ")?,
                }
            }
            writeln!(f)?;
        }
        Ok(())
    }
}
