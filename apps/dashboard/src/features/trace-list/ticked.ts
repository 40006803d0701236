/** Which traces of a list are chosen: some, by their ids, or all that match its filters, listed or not. */
export type Ticked = ReadonlySet<string> | 'all';

export const NOTHING_TICKED: Ticked = new Set();

export function isTicked(ticked: Ticked, id: string): boolean {
  return ticked === 'all' || ticked.has(id);
}

/** How many of the `total` that match are chosen. */
export function countTicked(ticked: Ticked, total: number): number {
  return ticked === 'all' ? total : ticked.size;
}

/** With one turned. Taken out of all that match, those that are listed are left. */
export function turnOne(ticked: Ticked, id: string, listed: readonly string[]): Ticked {
  return setAll(ticked, [id], listed);
}

/** With a stretch of the list, both ends included, put into the state that its end `to` is turned to. */
export function turnStretch(
  ticked: Ticked,
  { from, to }: { readonly from: string; readonly to: string },
  listed: readonly string[],
): Ticked {
  const [a, b] = [listed.indexOf(from), listed.indexOf(to)];
  // The row where it began is no longer there.
  if (a < 0 || b < 0) return turnOne(ticked, to, listed);
  const stretch = listed.slice(Math.min(a, b), Math.max(a, b) + 1);
  return setAll(ticked, [to, ...stretch], listed);
}

/** With all that are listed chosen, or none where they all are. */
export function turnListed(ticked: Ticked, listed: readonly string[]): Ticked {
  return listed.every((id) => isTicked(ticked, id)) ? NOTHING_TICKED : new Set(listed);
}

/** All of them get the state that the first does not have. */
function setAll(ticked: Ticked, ids: readonly [string, ...string[]], listed: readonly string[]): Ticked {
  const next = new Set(ticked === 'all' ? listed : ticked);
  const on = !isTicked(ticked, ids[0]);
  for (const id of ids) {
    if (on) next.add(id);
    else next.delete(id);
  }
  return next;
}
