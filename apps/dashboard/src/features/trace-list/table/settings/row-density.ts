import { useLocalStorage } from '@mantine/hooks';
import type { TraceColumn } from '../columns.ts';

/** The space that a row of a list takes. */
export type RowDensity = 'comfortable' | 'compact';

/**
 * Heights of a row in pixels: in one line, and in two lines if the table is too narrow for one line. Each column with a line of its own adds
 * `ownLine`.
 */
const HEIGHTS = {
  comfortable: { line: 36, tall: 68, ownLine: 20 },
  compact: { line: 28, tall: 58, ownLine: 18 },
} as const;

/** Returns the row density of all lists, and a function that changes the density. The browser stores the density. */
export function useRowDensity(): readonly [RowDensity, (density: RowDensity) => void] {
  const [stored, keep] = useLocalStorage<unknown>({ key: 'row_density', getInitialValueInEffect: false });
  return [stored === 'compact' ? 'compact' : 'comfortable', keep];
}

/** Returns the height of a row. `tall` is true if the columns do not fit side by side. */
export function computeRowPx(
  density: RowDensity,
  tall: boolean,
  columns: readonly Pick<TraceColumn, 'ownLine'>[],
): number {
  const heights = HEIGHTS[density];
  if (!tall) return heights.line;
  const ownLines = columns.filter(({ ownLine }) => ownLine === true).length;
  return heights.tall + ownLines * heights.ownLine;
}
