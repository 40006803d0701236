import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual';
import { formatCount } from '@throughline/contract';
import {
  type KeyboardEvent,
  type ReactNode,
  useCallback,
  useEffect,
  useEffectEvent,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react';
import { usePrinting } from '../../../ui/hooks/use-printing.ts';
import type { CriticalPath } from '../analysis/critical-path.ts';
import { hasMarked } from '../analysis/fold-repeats.ts';
import type { StepForest } from '../analysis/step-forest.ts';
import { FullName } from '../full-name.tsx';
import type { StepFilter } from './step-filter.ts';
import { StepLine } from './step-line.tsx';
import { revealEntry, rowAbove, type StepRow, stepRows } from './step-rows.ts';
import classes from './step-tree.module.css';

const ROW_PX = 28;

interface StepTreeProps {
  readonly forest: StepForest;
  /** The trace's duration: what the bars' full width stands for. Milliseconds. */
  readonly totalMs: number;
  /** Which steps to list; without it, all. */
  readonly filter?: StepFilter | undefined;
  /** Marked where it is given. */
  readonly critical?: CriticalPath | undefined;
  /** The `stepId`s of steps that have the followed value. */
  readonly marked?: ReadonlySet<string>;
  /** The selected entry's key: a step's, or a bundle's. */
  readonly selected: string | undefined;
  readonly onSelect: (key: string) => void;
  /** Take the focus when first drawn, so that the arrow keys work at once. */
  readonly focusAtFirst: boolean;
  /** Deeper steps than this are not indented further. */
  readonly mostLevels: number;
  /** The content of a line, if it is not name, times and a small bar. `onToggle` opens or closes the line. */
  readonly line?: (row: StepRow, onToggle: () => void) => ReactNode;
}

/** A trace's steps in start order, one line each, with bundles of what repeats. Only lines in view are drawn. */
export function StepTree({
  forest,
  filter,
  totalMs,
  selected,
  onSelect,
  focusAtFirst,
  ...props
}: StepTreeProps) {
  const { critical, line, marked, mostLevels } = props;
  const [toggled, setToggled] = useToggled(filter);
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const rows = useMemo(() => stepRows({ forest, filter }, toggled), [forest, filter, toggled]);
  const index = rows.findIndex((row) => row.entry.key === selected);
  const printing = usePrinting();
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_PX,
    overscan: printing ? rows.length : 10,
    // Room for the full name below the selected line.
    scrollPaddingEnd: ROW_PX,
    // The selected line is always there for assistive technology, in view or not.
    rangeExtractor: (range) => withIndex(range, index),
  });

  const takeFocus = useEffectEvent(() => {
    if (focusAtFirst) box.current?.focus({ preventScroll: true });
  });
  useEffect(() => takeFocus(), []);

  useEffect(() => {
    if (selected !== undefined) setToggled((before) => revealEntry({ forest, filter }, selected, before));
  }, [forest, filter, selected, setToggled]);

  const opened = useRef<string>(undefined);
  useEffect(() => {
    // Once for each new selection, when its line is there: folding elsewhere must not move the list.
    if (index < 0 || opened.current === selected) return;
    // The first step is centred with its surroundings; afterwards the list scrolls as little as possible.
    const align = opened.current === undefined ? 'center' : 'auto';
    opened.current = selected;
    virtualizer.scrollToIndex(index, { align });
  }, [index, selected, virtualizer]);

  const toggle = (row: StepRow | undefined) => {
    if (row?.open === undefined) return;
    const { key } = row.entry;
    setToggled((before) => {
      const after = new Set(before);
      if (!after.delete(key)) after.add(key);
      return after;
    });
  };
  const moveTo = (to: number) => {
    const row = rows[Math.max(0, Math.min(rows.length - 1, to))];
    if (row !== undefined) onSelect(row.entry.key);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const move = keyMove(event.key, rows, index, visibleLines(box.current));
    if (move === undefined) return;
    event.preventDefault();
    if (move === 'toggle') toggle(rows[index]);
    else moveTo(move);
  };

  return (
    <div
      ref={box}
      role="tree"
      aria-label="Steps"
      data-autofocus
      tabIndex={0}
      {...(index >= 0 ? { 'aria-activedescendant': `${id}-${index}` } : {})}
      className={classes.tree}
      onKeyDown={onKeyDown}
    >
      <div role="presentation" className={classes.space} style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map((item) => {
          const row = rows[item.index];
          if (row === undefined) return null;
          const isMarked = marked !== undefined && hasMarked(row.entry, marked);
          return (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the tree itself has the keys
            // biome-ignore lint/a11y/useFocusableInteractive: the tree holds the focus and names its active item
            <div
              key={row.entry.key}
              role="treeitem"
              id={`${id}-${item.index}`}
              aria-level={row.level}
              aria-posinset={row.place}
              aria-setsize={row.siblings}
              aria-selected={item.index === index}
              {...(row.open === undefined ? {} : { 'aria-expanded': row.open })}
              className={classes.row}
              data-caller={row.onlyCaller}
              data-marked={isMarked || undefined}
              data-deep={row.level - 1 > mostLevels}
              style={{ transform: `translateY(${item.start}px)`, '--level': row.level }}
              onClick={() => onSelect(row.entry.key)}
              onDoubleClick={() => toggle(row)}
            >
              {line === undefined ? (
                <StepLine row={row} totalMs={totalMs} critical={critical} onToggle={() => toggle(row)} />
              ) : (
                line(row, () => toggle(row))
              )}
              {isMarked && <span className="visually-hidden">has the followed value</span>}
              {row.level - 1 > mostLevels && (
                <span className={classes.depth} title={`Level ${formatCount(row.level)}`} aria-hidden>
                  {formatCount(row.level)}
                </span>
              )}
              {item.index === index && <FullName row={row} last={index > 0 && index === rows.length - 1} />}
            </div>
          );
        })}
      </div>
    </div>
  );
}

/** The entries opened and closed by hand, reset for each filter. */
function useToggled(filter: StepFilter | undefined) {
  const [state, setState] = useState({ filter, toggled: NONE });
  if (state.filter !== filter) setState({ filter, toggled: NONE });
  const set = useCallback(
    (change: (before: ReadonlySet<string>) => ReadonlySet<string>) =>
      setState((before) => {
        const toggled = change(before.toggled);
        return toggled === before.toggled ? before : { ...before, toggled };
      }),
    [],
  );
  return [state.toggled, set] as const;
}

const NONE: ReadonlySet<string> = new Set();

function withIndex(range: Range, index: number): number[] {
  const shown = defaultRangeExtractor(range);
  if (index < 0 || index >= range.count || shown.includes(index)) return shown;
  return [...shown, index].sort((a, b) => a - b);
}

function visibleLines(box: HTMLElement | null): number {
  return Math.max(1, Math.floor((box?.clientHeight ?? ROW_PX) / ROW_PX) - 1);
}

/** The action of a key: the line to go to, or `toggle`. Undefined for other keys. */
function keyMove(
  key: string,
  rows: readonly StepRow[],
  index: number,
  page: number,
): number | 'toggle' | undefined {
  const open = rows[index]?.open;
  switch (key) {
    case 'ArrowDown':
      return index + 1;
    case 'ArrowUp':
      return Math.max(0, index - 1);
    case 'PageDown':
      return index + page;
    case 'PageUp':
      return index - page;
    case 'Home':
      return 0;
    case 'End':
      return rows.length - 1;
    case 'ArrowRight':
      return open === false ? 'toggle' : open === true ? index + 1 : undefined;
    case 'ArrowLeft':
      return open === true ? 'toggle' : Math.max(0, rowAbove(rows, index));
    case 'Enter':
    case ' ':
      return 'toggle';
    default:
      return undefined;
  }
}
