/** Whether Node maps stacks by source maps, now: then what is put into a source must be mapped too. Node 20.6 does not tell. */
export function mapsStacks(): boolean {
  const told: unknown = process.sourceMapsEnabled;
  return told !== false;
}
