/**
 * True if Node currently applies source maps to stacks, so that injected code needs a source map, too. Also true if this cannot be
 * determined, as on Node 20.6.
 */
export function mapsStacks(): boolean {
  const enabled: unknown = process.sourceMapsEnabled;
  return enabled !== false;
}
