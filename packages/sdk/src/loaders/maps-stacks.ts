/** True if Node maps stacks by source maps now: then injected code needs a map too. Node 20.6 cannot tell. */
export function mapsStacks(): boolean {
  const told: unknown = process.sourceMapsEnabled;
  return told !== false;
}
