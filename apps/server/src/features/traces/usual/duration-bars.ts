import { MAX_DURATION_BARS } from '@throughline/contract';

/**
 * Exponent of the first edge above 0: 2 ** 2 = 4 µs. Smaller edges would be equal to each other after they are rounded to whole
 * microseconds.
 */
const FIRST_POWER = 2;
/** Exponent of the last edge: 2 ** 37 µs, about 38 hours. No request takes longer. */
const LAST_POWER = 37;
const EDGES_PER_POWER = 4;

/**
 * The edges between which durations are counted, in microseconds, ascending: 0, and then four edges for each power of 2. Edges are whole
 * numbers, so that a filter by the same edges finds exactly the counted requests.
 */
export const DURATION_EDGES: readonly number[] = [
  0,
  ...Array.from({ length: (LAST_POWER - FIRST_POWER) * EDGES_PER_POWER + 1 }, (_, at) =>
    Math.round(2 ** (FIRST_POWER + at / EDGES_PER_POWER)),
  ),
];

/** Fewer bars do not look like a histogram. If all durations are similar, empty bars are added on both sides. */
const MIN_BARS = 5;

interface DurationBar {
  readonly from: number;
  readonly to: number;
  readonly requests: number;
}

/**
 * Builds the bars of a histogram from the counts of requests by edge. Together, the bars cover all counted durations and `ownMicros`.
 * Merges neighbouring intervals if there would be too many bars. The edges of the bars are in milliseconds.
 */
export function buildBars(counts: ReadonlyMap<number, number>, ownMicros: number): DurationBar[] {
  const own = DURATION_EDGES.findLastIndex((edge) => edge <= ownMicros);
  const used = [own, ...[...counts.keys()].map((edge) => DURATION_EDGES.indexOf(edge))];
  const [first, last] = [Math.min(...used), Math.max(...used)];
  const perBar = Math.ceil((last - first + 1) / MAX_DURATION_BARS);
  const bars = Math.max(MIN_BARS, Math.ceil((last - first + 1) / perBar));
  const added = bars * perBar - (last - first + 1);
  const start = Math.max(0, first - Math.floor(added / 2));
  return Array.from({ length: bars }, (_, bar) => {
    const from = start + bar * perBar;
    const edges = DURATION_EDGES.slice(from, from + perBar);
    return {
      from: readEdge(from) / 1000,
      to: readEdge(from + perBar) / 1000,
      requests: edges.reduce((sum, edge) => sum + (counts.get(edge) ?? 0), 0),
    };
  });
}

function readEdge(index: number): number {
  return DURATION_EDGES[index] ?? Math.round(2 ** (FIRST_POWER + (index - 1) / EDGES_PER_POWER));
}
