/** True if Node currently applies source maps to stacks: then injected code needs a source map too. Node 20.6 cannot tell. */
export function mapsStacks(): boolean {
  const told: unknown = process.sourceMapsEnabled;
  return told !== false;
}
