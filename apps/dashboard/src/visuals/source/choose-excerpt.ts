import type { SourceLine } from './annotate-source.ts';

/** Maximum number of lines of an excerpt. */
const MAX_LINES = 7;

/**
 * Selects the lines of a function that explain one call best, in the order of the code: the line that threw and the lines around it, the
 * function's first line, and the nearest lines with values. Returns no lines if no line threw or has a value.
 */
export function chooseExcerpt(lines: readonly SourceLine[]): readonly SourceLine[] {
  const thrown = lines.findIndex(({ isThrown }) => isThrown);
  if (thrown < 0 && lines.every(({ values }) => values.length === 0)) return [];
  const rank = (line: SourceLine, at: number): number => {
    const distance = Math.abs(at - Math.max(0, thrown));
    if (at === 0 || distance === 0) return 0;
    if (thrown >= 0 && distance === 1) return 1;
    return line.values.length > 0 ? 2 + distance : Number.POSITIVE_INFINITY;
  };
  return lines
    .map((line, at) => ({ line, rank: rank(line, at) }))
    .filter((one) => Number.isFinite(one.rank))
    .sort((a, b) => a.rank - b.rank)
    .slice(0, MAX_LINES)
    .map(({ line }) => line)
    .sort((a, b) => a.number - b.number);
}
