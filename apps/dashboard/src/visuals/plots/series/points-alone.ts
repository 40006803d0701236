/** Returns the indexes of values without neighbours: no line reaches them, so they are invisible unless drawn as points. */
export function findPointsAlone(values: readonly (number | null | undefined)[]): number[] {
  const isGap = (place: number) => values[place] === null || values[place] === undefined;
  return [...values.keys()].filter((place) => !isGap(place) && isGap(place - 1) && isGap(place + 1));
}
