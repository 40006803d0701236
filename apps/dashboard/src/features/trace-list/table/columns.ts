import type { TraceRow } from '@throughline/contract';
import type { ReactNode } from 'react';

/** A column of a list of traces. */
export interface TraceColumn {
  readonly id: string;
  readonly name: string;
  /** As CSS has it in a grid, the least width first: "84px", "minmax(112px, 1fr)". */
  readonly width: string;
  /** Numbers stand at the right, and so does their head. */
  readonly numeric?: boolean;
  /** Its head is only for those who do not see the table. */
  readonly hiddenHead?: boolean;
  /** Has a line to itself, below the others, where columns have no room side by side. */
  readonly ownLine?: boolean;
  /** The header, in place of a name. */
  readonly head?: ReactNode;
  /** A row's cell, as `td`. `scaleMs` is what a full duration bar stands for. */
  readonly cell: (row: TraceRow, scaleMs: number) => ReactNode;
}

/** Which columns somebody wants to see, in this order. Ids that no column has, or no longer, count as absent. */
export function arrange(
  columns: readonly TraceColumn[],
  wanted: readonly string[] | undefined,
  atFirst: readonly string[],
): readonly TraceColumn[] {
  const byId = new Map(columns.map((column) => [column.id, column]));
  const pick = (ids: readonly string[]) =>
    [...new Set(ids)].map((id) => byId.get(id)).filter((column) => column !== undefined);
  const chosen = pick(wanted ?? atFirst);
  return chosen.length === 0 ? pick(atFirst) : chosen;
}

const GAP_PX = 12;
const PADDING_PX = 24;

/** The least width of a table with these columns side by side. Pixels. */
export function leastWidth(columns: readonly Pick<TraceColumn, 'width'>[]): number {
  const widths = columns.map(({ width }) => Number(/(\d+)px/.exec(width)?.[1] ?? 0));
  return widths.reduce((sum, width) => sum + width, PADDING_PX + GAP_PX * (columns.length - 1));
}

/** The ids with one turned on (last) or off. The last one left stays. */
export function turned(ids: readonly string[], id: string): readonly string[] {
  if (!ids.includes(id)) return [...ids, id];
  return ids.length === 1 ? ids : ids.filter((each) => each !== id);
}

/** The ids with one moved by so many places, to the ends at most. */
export function moved(ids: readonly string[], id: string, by: number): readonly string[] {
  const from = ids.indexOf(id);
  if (from < 0) return ids;
  const rest = ids.filter((each) => each !== id);
  const to = Math.min(rest.length, Math.max(0, from + by));
  return [...rest.slice(0, to), id, ...rest.slice(to)];
}
