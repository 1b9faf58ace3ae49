//! Instructions for the order in zones. The number of an element is its place from the top of its zone: 1 more than
//! the number of elements that lie on it, and 0 in a zone without an order. The elements of a shuffled part share
//! their place.

use super::{Fail, Interpreter};
use crate::program::{In, Laid, NumberMut, Numbers, SetIn, Sets, Truth};
use houserule_model::board::kernel::words_at;
use houserule_model::board::kernel::{self, Words};

impl<const W: usize> Interpreter<'_, W> {
    #[inline]
    pub(super) fn lift(&mut self, from: Sets, a: SetIn, places: Numbers, n: NumberMut, ordered: Truth) {
        for zone in 0..usize::from(from.len) {
            let zone: Words<W> = *words_at(self.words, usize::from(from.at) + zone * W);
            let going = kernel::and(&zone, self.set(a));
            let count = kernel::count(&going);
            if count == 0 {
                continue;
            }
            let on_top = self.words[usize::from(n.0)];
            self.words[usize::from(n.0)] = on_top + u64::from(count);
            let numbers = &mut self.words[usize::from(places.at)..][..usize::from(places.len)];
            if !ordered.0 {
                kernel::for_each(&going, |e| numbers[e as usize] = on_top + 1);
                continue;
            }
            // For each place, how many of the leaving elements lie above it. Places begin at 1.
            let mut table = [[0u64; 64]; W];
            let higher = &mut table.as_flattened_mut()[..usize::from(places.len)];
            kernel::for_each(&going, |e| higher[numbers[e as usize] as usize - 1] += 1);
            let mut before = 0;
            for here in &mut *higher {
                before += std::mem::replace(here, before);
            }
            let stays = kernel::minus(&zone, &going);
            kernel::for_each(&stays, |e| numbers[e as usize] -= higher[numbers[e as usize] as usize - 1]);
            let after = |place: u64| on_top + 1 + higher[place as usize - 1];
            kernel::for_each(&going, |e| numbers[e as usize] = after(numbers[e as usize]));
        }
    }

    #[inline]
    pub(super) fn lay(
        &mut self,
        to: Sets,
        index: In,
        a: SetIn,
        places: Numbers,
        n: In,
        laid: Laid,
    ) -> Result<(), Fail> {
        let lying: Words<W> = *words_at(self.words, self.set_at(to, index)?);
        let (moved, n) = (*self.set(a), self.get(n) as u64);
        let numbers = &mut self.words[usize::from(places.at)..][..usize::from(places.len)];
        match laid {
            Laid::Loose => kernel::for_each(&moved, |e| numbers[e as usize] = 0),
            Laid::OnTop => kernel::for_each(&lying, |e| numbers[e as usize] += n),
            Laid::Below => {
                let below = u64::from(kernel::count(&lying));
                kernel::for_each(&moved, |e| numbers[e as usize] += below);
            }
        }
        Ok(())
    }
}
