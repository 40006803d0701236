import { useVirtualizer } from '@tanstack/react-virtual';
import type { CapturedValue } from '@throughline/contract';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useMemo, useRef, useState } from 'react';
import { copyText } from '../../ui/copying/copy-text.ts';
import { FollowAction } from './follow-action.tsx';
import { formatPlainText } from './plain-text.ts';
import { type CopiedPart, MissingLine, nameRow, RowActions, ValueLine } from './value-row.tsx';
import {
  type FoundLines,
  findParentRow,
  listMemberKeys,
  listValueRows,
  type ValueNodeRow,
  type ValueRow,
} from './value-rows.ts';
import classes from './value-tree.module.css';

/** With at least this many rows, only the rows in view are drawn. */
const VIRTUAL_FROM = 200;
const LINE_PX = 24;
/** How long "Copied" is shown. Milliseconds. */
const CONFIRMATION_MS = 2000;

interface ValueTreeProps {
  readonly value: CapturedValue;
  /** The accessible name: "Parameters". */
  readonly label: string;
  /** Name of the member that is open at first. */
  readonly openMember?: string;
  /** The path of the value in its step, for "copy path". */
  readonly path?: readonly (string | number)[];
  /** The hits of a search. Unless `listsAll` is set, only the hits with their parents and parts are shown. */
  readonly found?: FoundLines | undefined;
  /** A word at the end of each hit, such as "differs", if the hits are not the results of a search. */
  readonly hitText?: string;
  /** Follows the value of a row, identified by its key, through the request. */
  readonly onFollow?: (key: string) => void;
  /** Further actions of a row. `isActive` is true if the Tab key reaches the row's buttons. */
  readonly renderActions?: (row: ValueNodeRow, isActive: boolean) => ReactNode;
}

const NO_PATH: readonly (string | number)[] = [];
const NONE: ReadonlySet<string> = new Set();

/** A captured value as a tree whose parts can be opened. Captured strings are only ever rendered as text. */
export function ValueTree(props: ValueTreeProps) {
  const { value, label, openMember, path = NO_PATH, found, hitText, onFollow, renderActions } = props;
  // Parts that the user opens during a search are not open after the search: the tree then shows the parts that were open before.
  const [opened, setOpened] = useState(() => {
    const keys = listMemberKeys(value, openMember);
    return { found, keys: found === undefined ? keys : NONE, before: keys };
  });
  const toggled = opened.found === found ? opened.keys : found === undefined ? opened.before : NONE;
  const [active, setActive] = useState(0);
  const [copied, setCopied] = useState<string>();
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const rows = useMemo(() => listValueRows(value, path, toggled, found), [value, path, toggled, found]);
  const current = Math.min(active, rows.length - 1);
  const virtual = rows.length >= VIRTUAL_FROM;
  const virtualizer = useVirtualizer({
    enabled: virtual,
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => LINE_PX,
    getItemKey: (index) => rows[index]?.key ?? index,
    overscan: 12,
  });

  useEffect(() => {
    if (copied === undefined) return;
    const timer = setTimeout(() => setCopied(undefined), CONFIRMATION_MS);
    return () => clearTimeout(timer);
  }, [copied]);

  const toggle = (row: ValueRow | undefined) => {
    if (row?.kind !== 'value' || row.open === undefined) return;
    const keys = withToggled(toggled, row.key);
    setOpened({ found, keys, before: found === undefined ? keys : opened.before });
  };
  const copy = (row: ValueRow | undefined, part: CopiedPart) => {
    if (row?.kind !== 'value') return;
    copyText(part === 'path' ? row.path : formatPlainText(row.value)).then(
      () => setCopied(part === 'path' ? `Copied ${row.path}` : 'Copied value'),
      () => setCopied('Copying failed'),
    );
  };
  const follow = (row: ValueRow | undefined) => {
    if (row?.kind === 'value') onFollow?.(row.key);
  };
  const moveTo = (index: number) => {
    const next = Math.max(0, Math.min(rows.length - 1, index));
    setActive(next);
    if (virtual) virtualizer.scrollToIndex(next);
    else document.getElementById(`${id}-${next}`)?.scrollIntoView({ block: 'nearest' });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return;
    const row = rows[current];
    const open = row?.kind === 'value' ? row.open : undefined;
    const act = chooseKeyAction(event.key, open);
    if (act === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    if (act === 'toggle') toggle(row);
    else if (act === 'value' || act === 'path') copy(row, act);
    else if (act === 'follow') follow(row);
    else if (act === 'parent') moveTo(Math.max(0, findParentRow(rows, current)));
    else moveTo(act === 'first' ? 0 : act === 'last' ? rows.length - 1 : current + act);
  };

  const draw = (row: ValueRow, index: number) => (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree itself has the keys
    // biome-ignore lint/a11y/useFocusableInteractive: the tree holds the focus and names its active item
    <div
      role="treeitem"
      id={`${id}-${index}`}
      aria-level={row.level}
      aria-posinset={row.place}
      aria-setsize={row.siblings}
      aria-selected={index === current}
      {...(row.kind === 'value' && row.open !== undefined ? { 'aria-expanded': row.open } : {})}
      data-hit={row.kind === 'value' && row.hit ? true : undefined}
      className={`${classes.row} ${index === current ? classes.active : ''} ${row.kind === 'value' && row.open !== undefined ? classes.openable : ''}`}
      style={{ '--level': row.level }}
      onClick={(event) => {
        setActive(index);
        if (!isSelecting() && !isInLongText(event.target)) toggle(row);
      }}
    >
      {row.kind === 'missing' ? <MissingLine row={row} /> : <ValueLine row={row} />}
      {hitText !== undefined && row.kind === 'value' && row.hit && (
        <span className={classes.hitText}>{hitText}</span>
      )}
      {row.kind === 'value' && (
        <RowActions path={row.path} onCopy={(part) => copy(row, part)}>
          {onFollow !== undefined && (
            <FollowAction
              name={nameRow(row, label)}
              isActive={index === current}
              onFollow={() => follow(row)}
            />
          )}
          {renderActions?.(row, index === current)}
        </RowActions>
      )}
    </div>
  );

  return (
    <>
      <div
        ref={box}
        role="tree"
        aria-label={label}
        aria-activedescendant={`${id}-${current}`}
        tabIndex={0}
        className={`${classes.tree} ${virtual ? classes.scrolling : ''}`}
        onKeyDown={onKeyDown}
      >
        {virtual ? (
          <div role="presentation" className={classes.space} style={{ height: virtualizer.getTotalSize() }}>
            {virtualizer.getVirtualItems().map((item) => {
              const row = rows[item.index];
              return (
                row !== undefined && (
                  <div
                    key={item.key}
                    role="presentation"
                    ref={virtualizer.measureElement}
                    data-index={item.index}
                    className={classes.placed}
                    style={{ transform: `translateY(${item.start}px)` }}
                  >
                    {draw(row, item.index)}
                  </div>
                )
              );
            })}
          </div>
        ) : (
          rows.map((row, index) => (
            <div key={row.key} role="presentation">
              {draw(row, index)}
            </div>
          ))
        )}
      </div>
      <span role="status" className="visually-hidden">
        {copied}
      </span>
    </>
  );
}

function withToggled(before: ReadonlySet<string>, key: string): ReadonlySet<string> {
  const after = new Set(before);
  if (!after.delete(key)) after.add(key);
  return after;
}

type KeyAction = 'toggle' | 'parent' | 'first' | 'last' | 'follow' | CopiedPart | number;

/** Returns the action of a key on a row that is open, closed, or has no parts. */
function chooseKeyAction(key: string, open: boolean | undefined): KeyAction | undefined {
  switch (key) {
    case 'ArrowDown':
      return 1;
    case 'ArrowUp':
      return -1;
    case 'ArrowRight':
      return open === false ? 'toggle' : open === true ? 1 : undefined;
    case 'ArrowLeft':
      return open === true ? 'toggle' : 'parent';
    case 'Enter':
    case ' ':
      return 'toggle';
    case 'Home':
      return 'first';
    case 'End':
      return 'last';
    case 'c':
      return 'value';
    case 'p':
      return 'path';
    case 'w':
      return 'follow';
    default:
      return undefined;
  }
}

function isSelecting(): boolean {
  return (globalThis.getSelection()?.toString() ?? '') !== '';
}

function isInLongText(target: EventTarget): boolean {
  return target instanceof Element && target.closest('pre') !== null;
}
