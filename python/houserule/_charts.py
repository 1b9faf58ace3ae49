"""Charts as inline SVG. They use the colour of the surrounding text, so they suit light and dark pages."""

from __future__ import annotations

import html
from collections.abc import Sequence

#: Colours that are visible on white and on black.
_COLOURS = ("#4c8dd6", "#d9822b", "#3d9e6b", "#b65fc4", "#c9525b", "#8a8a3a")


def _svg(width: int, height: int, label: str, parts: Sequence[str]) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" role="img" aria-label="{html.escape(label)}" style="max-width:100%" '
        f'font-family="system-ui, sans-serif" font-size="11" fill="currentColor">{"".join(parts)}</svg>'
    )


def bins(counts: Sequence[tuple[int, int]], most: int = 40) -> tuple[int, list[tuple[int, int]]]:
    """Groups the counts of numbers, given in ascending order, into bins of equal width.

    Returns the width of a bin, and for each bin its lower end and its count. About ``most`` bins or fewer cover the
    lowest 99 % of the values; higher values share one more bin. Without counts, returns width 1 and no bins.
    """
    if not counts:
        return 1, []
    low, high = counts[0][0], counts[-1][0]
    # Values beyond the bin of the 99th percentile go into the last bin.
    total, seen, usual = sum(n for _, n in counts), 0, high
    for number, n in counts:
        seen += n
        if seen * 100 >= total * 99:
            usual = number
            break
    steps = (digit * 10**power for power in range(40) for digit in (1, 2, 5))
    width = next(step for step in steps if (usual - low) // step < most)
    start = low // width * width
    last = (usual - start) // width
    found = [0] * (last + 1 + (high > start + width * (last + 1) - 1))
    for number, n in counts:
        found[min((number - start) // width, len(found) - 1)] += n
    return width, [(start + at * width, n) for at, n in enumerate(found)]


def histogram(counts: Sequence[tuple[int, int]], title: str) -> str:
    """Returns a bar chart of the counts of numbers, or an empty string without counts. Tooltips show the values."""
    width, found = bins(counts)
    if not found:
        return ""
    total, most = sum(n for _, n in found), max(n for _, n in found)
    wide, high, left, foot, top = 480, 170, 8, 24, 24
    each = (wide - 2 * left) / len(found)
    parts = [f'<text x="{left}" y="14" font-weight="600">{html.escape(title)}</text>']
    open_end = counts[-1][0] >= found[-1][0] + width
    label_every = max(1, -(-len(found) * 34 // (wide - 2 * left)))
    for at, (begin, n) in enumerate(found):
        tall = n / most * (high - top - foot)
        x, y = left + at * each, high - foot - tall
        last = open_end and at == len(found) - 1
        said = f"{begin:,} and more" if last else f"{begin:,}" if width == 1 else f"{begin:,} to {begin + width - 1:,}"
        parts.append(
            f'<rect x="{x + 0.5:.1f}" y="{y:.1f}" width="{max(each - 1, 0.5):.1f}" height="{tall:.1f}" '
            f'fill="{_COLOURS[0]}"><title>{said}: {n:,} ({n / total:.1%})</title></rect>'
        )
        if at % label_every == 0:
            text = f"{begin:,}" + ("+" if last else "")
            parts.append(f'<text x="{x + each / 2:.1f}" y="{high - 8}" text-anchor="middle">{text}</text>')
    base = high - foot + 0.5
    parts.append(f'<path d="M{left} {base}H{wide - left}" stroke="currentColor" opacity="0.4"/>')
    return _svg(wide, high, title, parts)


def intervals(rows: Sequence[tuple[str, float, float, float]], title: str, zero: bool = False) -> str:
    """Returns a chart of means with their confidence intervals, or an empty string without rows.

    Each row has a label, the mean, and the lower and upper end of the interval. ``zero`` extends the axis to 0 and
    marks it.
    """
    if not rows:
        return ""
    low, high = min(r[2] for r in rows), max(r[3] for r in rows)
    if zero:
        low, high = min(low, 0.0), max(high, 0.0)
    span = (high - low) or 1.0
    wide, name_wide, line, top = 520, 190, 20, 28
    tall = top + line * len(rows) + 18

    def place(value: float) -> float:
        return name_wide + 10 + (value - low) / span * (wide - name_wide - 30)

    parts = [f'<text x="4" y="14" font-weight="600">{html.escape(title)}</text>']
    if zero:
        parts.append(f'<path d="M{place(0):.1f} {top - 6}V{tall - 16}" stroke="currentColor" opacity="0.4"/>')
    for at, (name, mean, begin, end) in enumerate(rows):
        y = top + line * at + line / 2
        said = html.escape(f"{name}: {mean:.4g} ({begin:.4g} to {end:.4g})")
        parts.append(
            f'<g><title>{said}</title><text x="{name_wide}" y="{y + 4:.1f}" text-anchor="end">{html.escape(name)}</text>'
            f'<path d="M{place(begin):.1f} {y:.1f}H{place(end):.1f}" stroke="{_COLOURS[0]}" stroke-width="2"/>'
            f'<circle cx="{place(mean):.1f}" cy="{y:.1f}" r="3.5" fill="{_COLOURS[0]}"/></g>'
        )
    for value, anchor in ((low, "start"), (high, "end")):
        parts.append(f'<text x="{place(value):.1f}" y="{tall - 4}" text-anchor="{anchor}">{value:.4g}</text>')
    return _svg(wide, tall, title, parts)
