import type { TraceRow, TraceSort } from '@throughline/contract';
import type { ReactNode } from 'react';

/** A column of a list of traces. */
export interface TraceColumn {
  readonly id: string;
  readonly name: string;
  /** The width in the CSS grid. Its first number is the minimum width: "84px", "minmax(112px, 1fr)". */
  readonly width: string;
  /** True for numbers, which are right-aligned together with their heading. */
  readonly numeric?: boolean;
  /** True if the heading is only for assistive technology. */
  readonly hiddenHead?: boolean;
  /** True if the column gets a line of its own when the columns do not fit side by side. */
  readonly ownLine?: boolean;
  /** The sort order that a click on the heading selects. */
  readonly sort?: TraceSort;
  /** The content of the heading. Left out if the heading shows the name of the column. */
  readonly head?: ReactNode;
  /** Renders a row's cell as `td`. `scaleMs` is the duration of a full bar. */
  readonly cell: (row: TraceRow, scaleMs: number) => ReactNode;
}

/**
 * Returns the columns to show, in the user's order. Ignores ids of unknown or removed columns; if no id is left, returns the default
 * columns.
 */
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

/** Returns the minimum width of a table with these columns side by side. Pixels. */
export function computeMinWidth(columns: readonly Pick<TraceColumn, 'width'>[]): number {
  const widths = columns.map(({ width }) => Number(/(\d+)px/.exec(width)?.[1] ?? 0));
  return widths.reduce((sum, width) => sum + width, PADDING_PX + GAP_PX * (columns.length - 1));
}

/** Toggles `id`: adds it at the end, or removes it. The only remaining id is never removed. */
export function toggleColumn(ids: readonly string[], id: string): readonly string[] {
  if (!ids.includes(id)) return [...ids, id];
  return ids.length === 1 ? ids : ids.filter((each) => each !== id);
}

/** Moves `id` by `by` positions, at most to either end of the list. */
export function moveColumn(ids: readonly string[], id: string, by: number): readonly string[] {
  const from = ids.indexOf(id);
  if (from < 0) return ids;
  const rest = ids.filter((each) => each !== id);
  const to = Math.min(rest.length, Math.max(0, from + by));
  return [...rest.slice(0, to), id, ...rest.slice(to)];
}
