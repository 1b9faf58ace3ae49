//! Two texts side by side, line by line.

use crate::workbench::{DiffLineKind, DiffLineTold};

/// Lines around a change that are shown.
const AROUND: usize = 3;

/// The most lines, old times new, that are compared. Beyond it, all of them count as changed.
const MOST: usize = 4_000_000;

/// Returns the lines of two texts: what is in both, removed or added. Of the lines far from a change, a gap is left.
pub(super) fn beside(old: &str, new: &str) -> Vec<DiffLineTold> {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let first = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let (old_rest, new_rest) = (&old[first..], &new[first..]);
    let last = old_rest.iter().rev().zip(new_rest.iter().rev()).take_while(|(a, b)| a == b).count();
    let (old_rest, new_rest) = (&old_rest[..old_rest.len() - last], &new_rest[..new_rest.len() - last]);
    let mut all: Vec<(DiffLineKind, &str)> = vec![];
    all.extend(old[..first].iter().map(|line| (DiffLineKind::Same, *line)));
    all.extend(changed(old_rest, new_rest));
    all.extend(old[old.len() - last..].iter().map(|line| (DiffLineKind::Same, *line)));
    with_gaps(&all)
}

/// The shortest way from some lines to others.
fn changed<'t>(old: &[&'t str], new: &[&'t str]) -> Vec<(DiffLineKind, &'t str)> {
    let removed = |line: &&'t str| (DiffLineKind::Removed, *line);
    let added = |line: &&'t str| (DiffLineKind::Added, *line);
    if old.len().saturating_mul(new.len()) > MOST {
        return old.iter().map(removed).chain(new.iter().map(added)).collect();
    }
    // The longest common subsequence of the lines from each pair of places on.
    let wide = new.len() + 1;
    let mut common = vec![0_u32; (old.len() + 1) * wide];
    for a in (0..old.len()).rev() {
        for b in (0..new.len()).rev() {
            common[a * wide + b] = match old[a] == new[b] {
                true => common[(a + 1) * wide + b + 1] + 1,
                false => common[(a + 1) * wide + b].max(common[a * wide + b + 1]),
            };
        }
    }
    let (mut a, mut b, mut found) = (0, 0, vec![]);
    while a < old.len() && b < new.len() {
        if old[a] == new[b] {
            found.push((DiffLineKind::Same, old[a]));
            (a, b) = (a + 1, b + 1);
        } else if common[(a + 1) * wide + b] >= common[a * wide + b + 1] {
            found.push(removed(&old[a]));
            a += 1;
        } else {
            found.push(added(&new[b]));
            b += 1;
        }
    }
    found.extend(old[a..].iter().map(removed));
    found.extend(new[b..].iter().map(added));
    found
}

fn with_gaps(all: &[(DiffLineKind, &str)]) -> Vec<DiffLineTold> {
    let is_near = |at: usize| {
        let near = &all[at.saturating_sub(AROUND)..(at + AROUND + 1).min(all.len())];
        near.iter().any(|(kind, _)| *kind != DiffLineKind::Same)
    };
    let mut lines: Vec<DiffLineTold> = vec![];
    for (at, (kind, text)) in all.iter().enumerate() {
        if is_near(at) {
            lines.push(DiffLineTold { kind: *kind, text: (*text).to_owned() });
        } else if lines.last().is_none_or(|line| line.kind != DiffLineKind::Gap) {
            lines.push(DiffLineTold { kind: DiffLineKind::Gap, text: String::new() });
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(old: &str, new: &str) -> String {
        let sign = |kind| match kind {
            DiffLineKind::Same => "=",
            DiffLineKind::Added => "+",
            DiffLineKind::Removed => "-",
            DiffLineKind::Gap => "…",
        };
        let lines = beside(&old.replace(' ', "\n"), &new.replace(' ', "\n"));
        let lines = lines.iter().map(|line| format!("{}{}", sign(line.kind), line.text));
        lines.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn changed_lines_stand_between_those_around_them() {
        assert_eq!(shown("a b c d e f g h i", "a b c d E f g h i"), "… =b =c =d -e +E =f =g =h …");
        assert_eq!(shown("a b c", "a x b c y"), "=a +x =b =c +y");
        assert_eq!(shown("a b", "a b"), "…");
        assert_eq!((shown("", "a"), shown("a b c b", "b")), ("+a".into(), "-a -b -c =b".into()));
    }
}
