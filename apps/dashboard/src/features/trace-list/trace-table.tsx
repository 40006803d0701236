import { Button } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import type { TraceRow } from '@throughline/contract';
import { type FocusEvent, useEffect, useMemo, useRef } from 'react';
import type { TraceColumn } from './columns.ts';
import { RowCells } from './row-cells.tsx';
import { TICK_COLUMN } from './tick-column.tsx';
import { isTicked } from './ticked.ts';
import { durationScale } from './trace-pages.ts';
import classes from './trace-table.module.css';
import type { ChosenColumns } from './use-columns.ts';
import { useListKeys } from './use-list-keys.ts';
import type { Attention } from './use-reading.ts';
import { useRowWindow } from './use-row-window.ts';
import { useTickBoxes } from './use-ticked.ts';

const ROW_PX = 36;
/** A row of two lines, where the columns have no room side by side. */
const TALL_ROW_PX = 68;
const TALL_BELOW_PX = 720;
/** A pointer that rests on a row so long is about to open it. Milliseconds. */
const INTENT_MS = 90;

/** What one page's table shows. */
export interface TraceColumns {
  /** The table's name. */
  readonly label: string;
  readonly chosen: ChosenColumns;
  /** What can be done with a row: always the last column. */
  readonly actions: TraceColumn;
}

interface TraceTableProps {
  readonly columns: TraceColumns;
  readonly rows: readonly TraceRow[];
  readonly total: number;
  /** Other filters are being answered: these rows are still the old ones. */
  readonly stale: boolean;
  readonly more: {
    readonly has: boolean;
    readonly loading: boolean;
    readonly failed: boolean;
    readonly load: () => void;
  };
  readonly onOpen: (row: TraceRow) => void;
  readonly onIntent: (row: TraceRow) => void;
  /** The pointer moved over rows, or one got or lost the focus. */
  readonly onAttention: (attention: Attention) => void;
  /** Whether the rows' keys are heard: not while something lies above them. */
  readonly keysOn: boolean;
}

/** The list of traces. Only rows in view are drawn; the page itself scrolls. */
export function TraceTable(props: TraceTableProps) {
  const { rows, more, onOpen, columns } = props;
  const { chosen, actions } = columns;
  const { ticked } = useTickBoxes();
  const shown = useMemo(() => [TICK_COLUMN, ...chosen.shown, actions], [chosen.shown, actions]);
  const body = useRef<HTMLTableSectionElement>(null);
  const { ref: sizeRef, width } = useElementSize<HTMLTableElement>();
  const tall = width > 0 && width < TALL_BELOW_PX;
  const rowPx = tall ? TALL_ROW_PX : ROW_PX;
  const { range, scrollTo } = useRowWindow(body, rowPx, rows.length);
  const scaleMs = useMemo(() => durationScale(rows.slice(0, 500)), [rows]);
  // The range reaches some rows beyond the window, so the next page is on its way before its place is seen.
  const nearEnd = range.last >= rows.length - 1;
  useEffect(() => {
    if (nearEnd && more.has && !more.loading && !more.failed) more.load();
  }, [nearEnd, more]);
  const active = useListKeys({
    on: props.keysOn,
    count: rows.length,
    keyOf: (index) => rows[index]?._id,
    scrollTo,
  });
  const intent = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(intent.current), []);

  return (
    <>
      <table
        ref={sizeRef}
        className={classes.table}
        aria-label={columns.label}
        aria-rowcount={props.total + 1}
        aria-busy={props.stale}
        data-tall={tall}
        data-stale={props.stale}
        style={{ '--columns': shown.map(({ width: wide }) => wide).join(' ') }}
      >
        <thead>
          <tr className={classes.head}>
            {shown.map(({ id, name, numeric, hiddenHead, head }) =>
              head === undefined ? (
                <th key={id} scope="col" data-numeric={numeric === true}>
                  {hiddenHead === true ? <span className="visually-hidden">{name}</span> : name}
                </th>
              ) : (
                <td key={id}>{head}</td>
              ),
            )}
          </tr>
        </thead>
        <tbody
          ref={body}
          className={classes.body}
          style={{ height: rows.length * rowPx }}
          onPointerMove={({ pointerType }) =>
            props.onAttention({
              focused: hasFocus(body.current),
              pointer: pointerType === 'mouse' ? 'rests' : 'touches',
            })
          }
          onPointerLeave={({ pointerType }) => {
            if (pointerType === 'mouse')
              props.onAttention({ focused: hasFocus(body.current), pointer: 'left' });
          }}
          onFocus={() => props.onAttention({ focused: true })}
          onBlur={(event: FocusEvent) =>
            props.onAttention({ focused: event.currentTarget.contains(event.relatedTarget) })
          }
        >
          {rows.slice(range.first, range.last + 1).map((row, offset) => {
            const index = range.first + offset;
            return (
              <tr
                key={row._id}
                data-row={row._id}
                data-ticked={isTicked(ticked, row._id)}
                aria-rowindex={index + 2}
                tabIndex={index === active ? 0 : -1}
                className={classes.row}
                style={{ height: rowPx, transform: `translateY(${index * rowPx}px)` }}
                onClick={() => {
                  if ((globalThis.getSelection()?.toString() ?? '') === '') onOpen(row);
                }}
                onKeyDown={(event) => {
                  if (event.key === 'Enter' && event.target === event.currentTarget) onOpen(row);
                }}
                onPointerEnter={() => {
                  clearTimeout(intent.current);
                  intent.current = setTimeout(() => props.onIntent(row), INTENT_MS);
                }}
                onPointerLeave={() => clearTimeout(intent.current)}
              >
                <RowCells row={row} columns={shown} scaleMs={scaleMs} />
              </tr>
            );
          })}
        </tbody>
      </table>
      {more.has && (
        <div className={classes.more}>
          <Button variant="default" size="xs" loading={more.loading} onClick={more.load}>
            {more.failed ? 'Loading more failed. Try again' : 'Load more'}
          </Button>
        </div>
      )}
    </>
  );
}

function hasFocus(body: HTMLElement | null): boolean {
  return body?.contains(document.activeElement) ?? false;
}
