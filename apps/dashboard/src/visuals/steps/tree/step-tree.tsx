import { useElementSize, useMergedRef } from '@mantine/hooks';
import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual';
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
import { hasMarked } from '../analysis/bundle-repeats.ts';
import type { StepForest } from '../analysis/step-forest.ts';
import { findPinned, limitPinned } from './find-pinned.ts';
import { PinnedRows } from './pinned-rows.tsx';
import type { StepFilter } from './step-filter.ts';
import type { Indentation } from './step-indent.ts';
import { revealEntry, type StepRow, stepRows } from './step-rows.ts';
import classes from './step-tree.module.css';
import { TreeRow } from './tree-row.tsx';

const ROW_PX = 28;

interface StepTreeProps {
  readonly forest: StepForest;
  /** The filter of the steps; undefined for all steps. */
  readonly filter?: StepFilter | undefined;
  /** The `stepId`s of the steps that have the value that the user follows through the request. */
  readonly marked?: ReadonlySet<string> | undefined;
  /** The key of the selected entry: a step or a bundle. */
  readonly selected: string | undefined;
  readonly onSelect: (key: string) => void;
  /** True to focus the tree when it is first drawn, so that the arrow keys work immediately. */
  readonly focusAtFirst: boolean;
  readonly indentation: Indentation;
  /** Renders the content of a row. `onToggle` opens or closes the row. */
  readonly line: (row: StepRow, onToggle: () => void) => ReactNode;
}

/** A trace's steps in start order, one row each, with repeated calls bundled. Draws only the rows in view. */
export function StepTree({
  forest,
  filter,
  selected,
  onSelect,
  focusAtFirst,
  indentation,
  line,
  marked,
}: StepTreeProps) {
  const [toggled, setToggled] = useToggled(filter);
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const rows = useMemo(() => stepRows({ forest, filter }, toggled), [forest, filter, toggled]);
  const index = rows.findIndex((row) => row.entry.key === selected);
  const printing = usePrinting();
  const { ref: measured, height } = useElementSize<HTMLDivElement>();
  const both = useMergedRef(box, measured);
  const mostPinned = printing ? 0 : limitPinned(Math.floor(height / ROW_PX));
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_PX,
    overscan: printing ? rows.length : 10,
    // Leaves space above the selected row for the pinned rows, and below the selected row for its full name.
    scrollPaddingStart: Math.min(mostPinned, (rows[index]?.level ?? 1) - 1) * ROW_PX,
    scrollPaddingEnd: ROW_PX,
    // The selected row is always rendered for assistive technology, even out of view.
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
    // Scrolls once for each new selection, as soon as the selected row exists: opening or closing other rows must not scroll the list.
    if (index < 0 || opened.current === selected) return;
    // The first selected step is centred; later selections scroll as little as possible.
    const align = opened.current === undefined ? 'center' : 'auto';
    opened.current = selected;
    virtualizer.scrollToIndex(index, { align });
  }, [index, selected, virtualizer]);

  const pinned = findPinned(rows, virtualizer.range?.startIndex ?? 0, mostPinned);

  const toggleAll = useCallback(
    (changed: readonly StepRow[]) => {
      setToggled((before) => {
        const after = new Set(before);
        for (const { open, entry } of changed) {
          if (open !== undefined && !after.delete(entry.key)) after.add(entry.key);
        }
        return after;
      });
    },
    [setToggled],
  );
  const toggle = useCallback((row: StepRow) => toggleAll([row]), [toggleAll]);
  const moveTo = (to: number) => {
    const row = rows[Math.max(0, Math.min(rows.length - 1, to))];
    if (row !== undefined) onSelect(row.entry.key);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const move = chooseKeyMove(event.key, rows, index, countVisibleLines(box.current));
    if (move === undefined) return;
    event.preventDefault();
    const row = rows[index];
    if (typeof move === 'number') moveTo(move);
    else if (row === undefined) return;
    else if (move === 'toggle') toggle(row);
    else toggleAll(rows.filter(({ above, open }) => above === row.above && open === false));
  };

  return (
    <div
      ref={both}
      role="tree"
      aria-label="Steps"
      data-autofocus
      tabIndex={0}
      {...(index >= 0 ? { 'aria-activedescendant': `${id}-${index}` } : {})}
      className={classes.tree}
      onKeyDown={onKeyDown}
    >
      <PinnedRows
        rows={pinned.flatMap((at) => rows[at] ?? [])}
        indentation={indentation}
        onSelect={({ entry }) => {
          onSelect(entry.key);
          virtualizer.scrollToIndex(
            rows.findIndex((row) => row.entry === entry),
            { align: 'start' },
          );
        }}
        line={(row) => line(row, () => toggle(row))}
      />
      <div role="presentation" className={classes.space} style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map((item) => {
          const row = rows[item.index];
          if (row === undefined) return null;
          const isMarked = marked !== undefined && hasMarked(row.entry, marked);
          return (
            <TreeRow
              key={row.entry.key}
              id={`${id}-${item.index}`}
              row={row}
              isMarked={isMarked}
              startPx={item.start}
              isSelected={item.index === index}
              isLast={item.index > 0 && item.index === rows.length - 1}
              indentation={indentation}
              line={line}
              onSelect={onSelect}
              onToggle={toggle}
            />
          );
        })}
      </div>
    </div>
  );
}

/** Stores the entries that the user opened or closed; reset for each filter. */
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

function countVisibleLines(box: HTMLElement | null): number {
  return Math.max(1, Math.floor((box?.clientHeight ?? ROW_PX) / ROW_PX) - 1);
}

/** Returns the action of a key: the row to go to, `toggle`, or `open` for the row and its siblings. Undefined for other keys. */
function chooseKeyMove(
  key: string,
  rows: readonly StepRow[],
  index: number,
  page: number,
): number | 'toggle' | 'open' | undefined {
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
      return open === true ? 'toggle' : Math.max(0, rows[index]?.above ?? -1);
    case '*':
      return 'open';
    case 'Enter':
    case ' ':
      return 'toggle';
    default:
      return undefined;
  }
}
