/**
 * Parses a URL's query string to strings. The router's own parser converts numbers and JSON, so that a search for `12` would have
 * another type than a search for `orders`. Drops values that contain NUL, which no name contains and the server rejects.
 */
export function parseSearch(text: string): Record<string, string> {
  return Object.fromEntries([...new URLSearchParams(text)].filter(([, value]) => !value.includes('\0')));
}

/**
 * Returns the query string with its leading `?`, or an empty string if no parameter is set. Writes only strings, since URL parameters
 * are always strings.
 */
export function stringifySearch(search: Readonly<Record<string, unknown>>): string {
  const pairs = Object.entries(search).filter(
    (pair): pair is [string, string] => typeof pair[1] === 'string' && pair[1] !== '',
  );
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`;
}
