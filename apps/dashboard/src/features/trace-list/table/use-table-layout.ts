import { type RefObject, useMemo } from 'react';
import { useNarrowerThan } from '../../../ui/hooks/use-narrower-than.ts';
import { SELECT_COLUMN } from '../selection/select-column.tsx';
import { computeMinWidth } from './columns.ts';
import { computeRowPx, useRowDensity } from './settings/row-density.ts';
import type { TraceColumns } from './use-columns.ts';

/** Returns the columns of a table, the height of its rows, and the attributes with which its styles lay out the rows. */
export function useTableLayout(table: RefObject<HTMLTableElement | null>, { chosen, actions }: TraceColumns) {
  const shown = useMemo(() => [SELECT_COLUMN, ...chosen.shown, actions], [chosen.shown, actions]);
  const tall = useNarrowerThan(
    table,
    useMemo(() => computeMinWidth(shown), [shown]),
  );
  const [density] = useRowDensity();
  const rowPx = computeRowPx(density, tall, shown);
  const style = { '--columns': shown.map(({ width }) => width).join(' '), '--row': `${rowPx}px` };
  return { shown, rowPx, layout: { 'data-tall': tall, 'data-density': density, style } };
}
