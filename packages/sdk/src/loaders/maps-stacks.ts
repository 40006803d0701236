/**
 * True if Node currently applies source maps to stacks. Injected code then needs a source map, too. On Node 20.6 this cannot be determined.
 */
export function mapsStacks(): boolean {
  const enabled: unknown = process.sourceMapsEnabled;
  return enabled !== false;
}
