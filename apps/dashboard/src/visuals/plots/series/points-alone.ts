/** The places of figures without a neighbour, which no line leads to: where nothing marks them, they are not seen. */
export function pointsAlone(values: readonly (number | null | undefined)[]): number[] {
  const isGap = (place: number) => values[place] === null || values[place] === undefined;
  return [...values.keys()].filter((place) => !isGap(place) && isGap(place - 1) && isGap(place + 1));
}
