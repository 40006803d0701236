/**
 * The address's search part as plain texts, and back. The router's own reading makes numbers and JSON of what looks
 * like them, so that somebody who looks for `12` would get another type than who looks for `orders`. Texts with a NUL are left out: no name has one,
 * and the server refuses it.
 */
export function parseSearch(text: string): Record<string, string> {
  return Object.fromEntries([...new URLSearchParams(text)].filter(([, value]) => !value.includes('\0')));
}

/** With its leading `?`; empty where nothing is set. Only texts are written: nothing else is kept in an address. */
export function stringifySearch(search: Readonly<Record<string, unknown>>): string {
  const pairs = Object.entries(search).filter(
    (pair): pair is [string, string] => typeof pair[1] === 'string' && pair[1] !== '',
  );
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`;
}
