import { Button } from '@mantine/core';
import type { TraceRow } from '@throughline/contract';
import { type ReactNode, useEffect, useMemo, useRef } from 'react';
import { usePrinting } from '../../../ui/hooks/use-printing.ts';
import type { Attention } from '../live/use-reading.ts';
import { RowPreview } from '../preview/row-preview.tsx';
import { useRowPreview } from '../preview/use-row-preview.ts';
import { RowMenu } from '../query-bar/row-menu.tsx';
import { useRowMenu } from '../query-bar/use-row-menu.ts';
import { isSelected } from '../selection/row-selection.ts';
import { useSelection } from '../selection/use-row-selection.ts';
import { findFullBarDuration } from '../trace-pages.ts';
import { TableHead } from './table-head.tsx';
import classes from './trace-table.module.css';
import { TraceTableRow } from './trace-table-row.tsx';
import type { TraceColumns } from './use-columns.ts';
import { useListKeys } from './use-list-keys.ts';
import { useRowEvents } from './use-row-events.ts';
import { type RowRange, useRowWindow } from './use-row-window.ts';
import { useTableLayout } from './use-table-layout.ts';

/** The next page loads when this number of loaded rows is left below the visible rows: half a page. */
const ROWS_AHEAD = 100;

interface TraceTableProps {
  readonly columns: TraceColumns;
  readonly rows: readonly TraceRow[];
  readonly total: number;
  /** True while the rows for changed filters load: the table still shows the rows for the previous filters. */
  readonly stale: boolean;
  readonly more: {
    readonly has: boolean;
    readonly loading: boolean;
    readonly failed: boolean;
    readonly load: () => void;
  };
  readonly onOpen: (row: TraceRow) => void;
  readonly onIntent: (row: TraceRow) => void;
  /** Renders the preview of a row, which shows the request without opening its trace. */
  readonly renderPreview: (row: TraceRow) => ReactNode;
  /** Called when the pointer moves over the rows, when the mouse leaves them, and when a row gets or loses the focus. */
  readonly onAttention: (attention: Attention) => void;
  /** True if the rows' keyboard shortcuts are active: false while a dialog is open. */
  readonly keysOn: boolean;
}

/** The table of traces. Renders only the rows in view, but all rows for printing; the page itself scrolls. */
export function TraceTable(props: TraceTableProps) {
  const { rows, more, columns } = props;
  const { selection } = useSelection();
  const table = useRef<HTMLTableElement>(null);
  const body = useRef<HTMLTableSectionElement>(null);
  const { shown, rowPx, layout } = useTableLayout(table, columns);
  const { range: inView, scrollTo } = useRowWindow(body, rowPx, rows.length);
  // All rows are rendered for printing, because a printed page cannot scroll.
  const printing = usePrinting();
  const range = useMemo(
    () => (printing ? { first: 0, last: rows.length - 1 } : inView),
    [printing, inView, rows.length],
  );
  const scaleMs = useMemo(() => findFullBarDuration(rows.slice(0, 500)), [rows]);
  const findRow = (id: string) => rows[places.get(id) ?? -1];
  const menu = useRowMenu(props.keysOn, findRow);
  const preview = useRowPreview(props.keysOn && menu.opened === undefined, findRow);
  const { focused, handlers } = useRowEvents({
    findRow,
    onOpen: props.onOpen,
    onIntent: props.onIntent,
    onAttention: props.onAttention,
  });
  const places = useMemo(() => findPlaces(rows, range, focused), [rows, range, focused]);
  // The next page loads when `ROWS_AHEAD` rows are left. Exception: while the first rows are in view, it loads only once the last row is in
  // view, too.
  const nearEnd = inView.last >= rows.length - (inView.first > 0 ? ROWS_AHEAD : 1);
  useEffect(() => {
    if (nearEnd && more.has && !more.loading && !more.failed) more.load();
  }, [nearEnd, more]);
  const active = useListKeys({
    on: props.keysOn && menu.opened === undefined,
    count: rows.length,
    getKey: (index) => rows[index]?._id,
    scrollTo,
    onMove: preview.openFocused,
  });

  return (
    <>
      <table
        ref={table}
        className={classes.table}
        aria-label={columns.label}
        aria-rowcount={props.total + 1}
        aria-busy={props.stale}
        data-stale={props.stale}
        {...layout}
      >
        <TableHead columns={shown} />
        <tbody
          ref={body}
          className={classes.body}
          style={{ height: rows.length * rowPx, paddingTop: range.first * rowPx }}
          onContextMenu={menu.onContextMenu}
          {...handlers}
          onPointerDown={preview.handlers.onPointerDown}
          onPointerMove={(event) => {
            handlers.onPointerMove(event);
            preview.handlers.onPointerMove(event);
          }}
          onPointerLeave={(event) => {
            handlers.onPointerLeave(event);
            preview.handlers.onPointerLeave(event);
          }}
        >
          {Array.from(places, ([id, index]) => {
            const row = rows[index];
            return (
              row !== undefined && (
                <TraceTableRow
                  key={id}
                  row={row}
                  index={index}
                  apartPx={index < range.first || index > range.last ? index * rowPx : undefined}
                  active={index === active}
                  selected={isSelected(selection, id)}
                  columns={shown}
                  scaleMs={scaleMs}
                />
              )
            );
          })}
        </tbody>
      </table>
      {menu.opened !== undefined && <RowMenu opened={menu.opened} onClose={menu.close} />}
      {preview.opened !== undefined && (
        <RowPreview key={preview.opened.row._id} {...preview.opened} {...preview.card}>
          {props.renderPreview(preview.opened.row)}
        </RowPreview>
      )}
      {more.has && (
        <div className={classes.more}>
          <Button variant="default" size="xs" loading={more.loading} onClick={more.load}>
            {more.failed ? 'More traces could not be loaded. Try again' : 'Load more'}
          </Button>
        </div>
      )}
    </>
  );
}

/**
 * Returns the indexes of the rendered rows by id, in order. The focused row is always rendered, even out of view, so that the user can
 * scroll back and continue from there.
 */
function findPlaces(
  rows: readonly TraceRow[],
  { first, last }: RowRange,
  focused: string | undefined,
): ReadonlyMap<string, number> {
  const within = rows
    .slice(first, last + 1)
    .map(({ _id }, offset): [string, number] => [_id, first + offset]);
  const apart = focused === undefined ? -1 : rows.findIndex(({ _id }) => _id === focused);
  if (focused === undefined || apart < 0 || (apart >= first && apart <= last)) return new Map(within);
  return new Map(apart < first ? [[focused, apart], ...within] : [...within, [focused, apart]]);
}
