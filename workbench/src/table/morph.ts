// A new drawing takes the place of the one before element by element: what is the same stays, with the focus and all that the
// page has written on it. A large board of which one place changes is drawn as fast as a small one.

/** The class of what the page adds to a drawing. */
export const ADDED = "mark";

/** The drawing of a host as it came from the service. */
const pristine = new WeakMap<Element, Element>();

/** Shows a drawing in a host. */
export function redraw(host: HTMLElement, svg: string): void {
  const before = pristine.get(host);
  const [old, drawing] = [host.firstElementChild, parsed(svg)];
  if (!drawing) {
    host.replaceChildren();
    pristine.delete(host);
    return;
  }
  // The copy is of the page's document, and knows nothing of what the page writes on the other.
  if (before && old) replace(old, before, drawing);
  else host.replaceChildren(drawing.cloneNode(true));
  pristine.set(host, drawing);
}

function parsed(svg: string): Element | null {
  const template = document.createElement("template");
  template.innerHTML = svg;
  return template.content.firstElementChild;
}

/** Makes `shown`, which was a copy of `before`, one of `after`. */
function replace(shown: Element, before: Element, after: Element): void {
  if (before.isEqualNode(after)) return;
  const [olds, news] = [[...before.children], [...after.children]];
  const isLeaf = !olds.length || !news.length;
  if (isLeaf || before.localName !== after.localName || !hasSameAttributes(before, after) || texts(before) !== texts(after)) {
    shown.replaceWith(after.cloneNode(true));
    return;
  }
  const live = [...shown.children].filter((one) => !one.classList.contains(ADDED));
  // What is alike at both ends stays.
  let [first, last] = [0, 0];
  const most = Math.min(olds.length, news.length);
  while (first < most && olds[first]!.isEqualNode(news[first]!)) first++;
  while (last < most - first && olds.at(-1 - last)!.isEqualNode(news.at(-1 - last)!)) last++;
  const [gone, come] = [olds.length - first - last, news.length - first - last];
  for (let at = first; at < first + Math.min(gone, come); at++) replace(live[at]!, olds[at]!, news[at]!);
  if (gone > come) for (const one of live.slice(first + come, first + gone)) one.remove();
  const next = live[first + gone] ?? null;
  if (come > gone) for (const one of news.slice(first + gone, first + come)) shown.insertBefore(one.cloneNode(true), next);
}

function hasSameAttributes(one: Element, other: Element): boolean {
  return one.attributes.length === other.attributes.length && [...one.attributes].every(({ name, value }) => other.getAttribute(name) === value);
}

/** The words of an element outside of its children. */
function texts(one: Element): string {
  return [...one.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE).map((node) => node.nodeValue).join("\n");
}
