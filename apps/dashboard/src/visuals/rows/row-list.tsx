import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import {
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { useHiddenSides } from '../../ui/hooks/use-hidden-sides.ts';
import classes from './row-list.module.css';

interface RowListProps<Row> {
  /** The accessible name of the list. */
  readonly label: string;
  readonly rows: readonly Row[];
  /** The height of each row, or of a typical row if rows are `isMeasured`. */
  readonly rowPx: number;
  /** True for rows of different heights. */
  readonly isMeasured?: boolean;
  readonly getKey: (row: Row) => string;
  /** Describes a row; undefined for a row that cannot be chosen. */
  readonly describe: (row: Row) => string | undefined;
  readonly chosen: string | undefined;
  readonly onChoose: (row: Row) => void;
  /** Called with a key that the list itself does not handle, and the chosen row. Returns `true` if the key was handled. */
  readonly onKey?: (key: string, row: Row) => boolean;
  readonly children: (row: Row) => ReactNode;
  /** The fixed part above the rows. */
  readonly head?: ReactNode;
  /** The minimum width of the rows; a narrower list scrolls. Pixels. */
  readonly widthPx?: number;
}

/** A list that draws only the rows in view; a row is chosen by pointer or arrow keys. */
export function RowList<Row>({
  label,
  rows,
  rowPx,
  isMeasured = false,
  getKey,
  describe,
  chosen,
  onChoose,
  ...props
}: RowListProps<Row>) {
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const [headPx, setHeadPx] = useState(0);
  // The head may have another height after each render, such as in a narrower pane.
  useLayoutEffect(() => setHeadPx(measureHead(box.current, list.current)));
  const index = rows.findIndex((row) => getKey(row) === chosen);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => rowPx,
    overscan: 8,
    // The rows begin below the head, of which the virtualizer does not know.
    scrollPaddingEnd: headPx,
    rangeExtractor: (range) => {
      const shown = defaultRangeExtractor(range);
      return index < 0 || shown.includes(index) ? shown : [...shown, index].sort((a, b) => a - b);
    },
  });
  const more = useHiddenSides(box);
  // True if the user scrolled away from the chosen row.
  const isLeft = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another chosen row is followed again
  useEffect(
    () => () => {
      isLeft.current = false;
    },
    [index],
  );
  const heightPx = virtualizer.getTotalSize();
  // Also scrolls when the height changes, since rows above the chosen row grow when their source code is loaded.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the heights are reasons to scroll again
  useEffect(() => {
    if (index < 0 || isLeft.current) return;
    const rowHeightPx = virtualizer.measurementsCache[index]?.size ?? rowPx;
    const isTaller = rowHeightPx > (box.current?.clientHeight ?? 0);
    // A row taller than the list is aligned at its top, because its first line contains the function's name.
    virtualizer.scrollToIndex(index, { align: isTaller ? 'start' : 'auto' });
  }, [index, virtualizer, heightPx, rowPx, headPx]);
  const leaveChosen = () => {
    isLeft.current = true;
  };

  const go = (from: number, by: 1 | -1) => {
    for (let to = from; to >= 0 && to < rows.length; to += by) {
      const row = rows[to];
      if (row === undefined || describe(row) === undefined) continue;
      onChoose(row);
      return;
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const current = rows[index];
    if (event.key === 'ArrowDown') go(index + 1, 1);
    else if (event.key === 'ArrowUp') go(index < 0 ? 0 : index - 1, -1);
    else if (event.key === 'Home') go(0, 1);
    else if (event.key === 'End') go(rows.length - 1, -1);
    else if (current === undefined || props.onKey?.(event.key, current) !== true) return;
    event.preventDefault();
  };
  return (
    <div
      ref={box}
      className={classes.scroller}
      data-more={more}
      onWheel={leaveChosen}
      onPointerDown={leaveChosen}
    >
      {props.head}
      <div
        ref={list}
        role="listbox"
        aria-label={label}
        tabIndex={0}
        {...(index >= 0 ? { 'aria-activedescendant': `${id}-${index}` } : {})}
        className={classes.rows}
        style={{ height: heightPx, minWidth: props.widthPx ?? 0 }}
        onKeyDown={onKeyDown}
      >
        {virtualizer.getVirtualItems().map((item) => {
          const row = rows[item.index];
          if (row === undefined) return null;
          const words = describe(row);
          const transform = `translateY(${item.start}px)`;
          const style = isMeasured ? { transform } : { height: rowPx, transform };
          const measuring = isMeasured ? { ref: virtualizer.measureElement, 'data-index': item.index } : {};
          if (words === undefined) {
            return (
              <div key={getKey(row)} role="presentation" className={classes.row} style={style} {...measuring}>
                {props.children(row)}
              </div>
            );
          }
          return (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the list itself has the keys
            // biome-ignore lint/a11y/useFocusableInteractive: the list holds the focus and names its active row
            <div
              key={getKey(row)}
              role="option"
              id={`${id}-${item.index}`}
              aria-selected={item.index === index}
              aria-label={words}
              aria-setsize={rows.length}
              aria-posinset={item.index + 1}
              className={classes.row}
              style={style}
              {...measuring}
              onClick={() => onChoose(row)}
            >
              {props.children(row)}
            </div>
          );
        })}
      </div>
    </div>
  );
}

/** Returns the height of the part above the rows, in pixels; 0 without one. */
function measureHead(box: HTMLElement | null, list: HTMLElement | null): number {
  const first = box?.firstElementChild;
  return first instanceof HTMLElement && first !== list ? first.offsetHeight : 0;
}
