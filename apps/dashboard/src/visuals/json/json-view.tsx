import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react';
import { copyText } from '../../ui/copying/copy-text.ts';
import { saveFile } from '../../ui/copying/save-file.ts';
import { JsonLine } from './json-line.tsx';
import {
  type Folding,
  findParentLine,
  indexOfLine,
  isFolded,
  isOpener,
  isUnfinished,
  type JsonLines,
  listShownLines,
  revealLine,
  turnLine,
} from './json-lines.ts';
import { JsonToolbar } from './json-toolbar.tsx';
import classes from './json-view.module.css';
import { readValueText, readWholeText } from './line-text.ts';
import type { FindInJson } from './use-json-lines.ts';
import { useJsonSearch } from './use-json-search.ts';
import { LINE_PX, useLineWindow } from './use-line-window.ts';

/** Initially, the root and its members are open. Objects and lists inside these members are folded. */
const AT_FIRST: Folding = { openLevels: 2, turned: new Set() };
const ALL_FOLDED: Folding = { openLevels: 1, turned: new Set() };
const ALL_OPEN: Folding = { openLevels: Number.POSITIVE_INFINITY, turned: new Set() };

interface JsonViewProps {
  readonly lines: JsonLines;
  /** The number of bytes received so far, while more are loading. */
  readonly loadedBytes?: number | undefined;
  readonly find: FindInJson;
  /** The accessible name: "Trace as JSON". */
  readonly label: string;
  /** The name of the saved file. */
  readonly fileName: string;
}

/** Shows JSON of any size with folding, search, copy and save. Draws only the lines in view, and only as text. */
export function JsonView({ lines, loadedBytes, find, label, fileName }: JsonViewProps) {
  const [folding, setFolding] = useState(AT_FIRST);
  const [active, setActive] = useState(0);
  const [box, setBox] = useState<HTMLDivElement | null>(null);
  /** The message about the last key press, such as "Copied value": shown next to the search field and announced by screen readers. */
  const [status, setStatus] = useState('');
  /** The line under the pointer. */
  const [pointed, setPointed] = useState<number>();
  const searchBox = useRef<HTMLInputElement>(null);
  const id = useId();
  const shown = useMemo(() => listShownLines(lines, folding), [lines, folding]);
  const { window: view, show } = useLineWindow(box, shown.length);
  const index = indexOfLine(shown, active);

  // The line to scroll to in the next effect, when its parents are open.
  const wanted = useRef<number>(undefined);
  useEffect(() => {
    if (wanted.current === undefined) return;
    show(indexOfLine(shown, wanted.current));
    wanted.current = undefined;
  });
  const goTo = (line: number) => {
    setActive(line);
    setFolding((before) => revealLine(lines, before, line));
    wanted.current = line;
  };
  const search = useJsonSearch(find, goTo);

  useEffect(() => box?.focus({ preventScroll: true }), [box]);

  const moveTo = (to: number) => {
    const line = shown[Math.max(0, Math.min(shown.length - 1, to))];
    if (line === undefined) return;
    setActive(line);
    setStatus('');
    wanted.current = line;
  };
  const turn = (line: number) => {
    if (isOpener(lines, line)) setFolding((before) => turnLine(before, line));
  };
  const point = (line: number | undefined) => {
    if (line === pointed) return;
    // The button of the line under the pointer disappears when the pointer moves on. If it has the focus, the box gets the focus first.
    const { activeElement } = document;
    if (activeElement !== box && box?.contains(activeElement)) box.focus({ preventScroll: true });
    setPointed(line);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if ((event.ctrlKey || event.metaKey) && event.key === 'f') {
      // The browser's own search would find only the lines in view.
      event.preventDefault();
      searchBox.current?.select();
      return;
    }
    if (event.target !== box || event.ctrlKey || event.metaKey || event.altKey) return;
    const line = shown[index] ?? 0;
    const folded = isOpener(lines, line) ? isFolded(lines, folding, line) : undefined;
    const page = Math.max(1, Math.floor((box?.clientHeight ?? LINE_PX) / LINE_PX) - 1);
    const act = chooseKeyAction(event.key, folded, page);
    if (act === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    if (act === 'turn') turn(line);
    else if (act === 'search') searchBox.current?.select();
    else if (act === 'copy' && isUnfinished(lines, line)) setStatus('Still loading');
    else if (act === 'copy') {
      copyText(readValueText(lines, line)).then(
        () => setStatus('Copied value'),
        () => setStatus('Copying failed'),
      );
    } else if (act === 'parent') moveTo(indexOfLine(shown, findParentLine(lines, line) ?? 0));
    else if (act === 'next' || act === 'previous') search.go(act === 'next' ? 1 : -1);
    else moveTo(act === 'first' ? 0 : act === 'last' ? shown.length - 1 : index + act);
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: handles the keys of the toolbar and the lines
    <div className={classes.view} onKeyDown={onKeyDown}>
      <JsonToolbar
        searchBox={searchBox}
        text={search.text}
        onText={search.type}
        found={search.found}
        status={status}
        loadedBytes={loadedBytes}
        onNext={search.go}
        onFoldAll={() => setFolding(ALL_FOLDED)}
        onOpenAll={() => setFolding(ALL_OPEN)}
        copied={() => readWholeText(lines)}
        onSave={() => saveFile(new Blob([lines.bytes], { type: 'application/json' }), fileName)}
      />
      <div
        ref={setBox}
        role="tree"
        aria-label={label}
        aria-busy={loadedBytes !== undefined}
        aria-activedescendant={`${id}-${shown[index] ?? 0}`}
        tabIndex={0}
        className={classes.box}
        onPointerOver={({ target }) => point(findLineAt(target))}
        onPointerLeave={() => point(undefined)}
      >
        <div role="presentation" className={classes.space} style={{ height: view.spacePx }}>
          <div
            role="presentation"
            className={classes.drawn}
            style={{ transform: `translateY(${view.topPx}px)` }}
          >
            {Array.from(shown.subarray(view.first, view.end), (line) => {
              const folded = isOpener(lines, line) ? isFolded(lines, folding, line) : undefined;
              const level = lines.levels[line] ?? 0;
              const current = line === shown[index];
              return (
                // biome-ignore lint/a11y/useKeyWithClickEvents: the tree itself has the keys
                // biome-ignore lint/a11y/useFocusableInteractive: the tree holds the focus and names its active item
                <div
                  key={line}
                  role="treeitem"
                  data-line={line}
                  id={`${id}-${line}`}
                  aria-level={level + 1}
                  aria-selected={current}
                  {...(folded === undefined ? {} : { 'aria-expanded': !folded })}
                  className={`${classes.line} ${current ? classes.active : ''}`}
                  style={{ '--level': Math.min(level, 40) }}
                  onClick={() => {
                    setActive(line);
                    if ((globalThis.getSelection()?.toString() ?? '') === '') turn(line);
                  }}
                >
                  <JsonLine
                    lines={lines}
                    line={line}
                    folded={folded}
                    marked={search.marked}
                    pointed={line === pointed}
                  />
                </div>
              );
            })}
          </div>
        </div>
      </div>
    </div>
  );
}

function findLineAt(target: EventTarget): number | undefined {
  const line = target instanceof Element ? target.closest('[data-line]') : null;
  return line instanceof HTMLElement ? Number(line.dataset.line) : undefined;
}

type KeyAction = 'turn' | 'parent' | 'first' | 'last' | 'search' | 'copy' | 'next' | 'previous' | number;

/** Returns the action of a key on a line that is folded, open, or has nothing to fold. */
function chooseKeyAction(key: string, folded: boolean | undefined, page: number): KeyAction | undefined {
  switch (key) {
    case 'ArrowDown':
      return 1;
    case 'ArrowUp':
      return -1;
    case 'PageDown':
      return page;
    case 'PageUp':
      return -page;
    case 'ArrowRight':
      return folded === true ? 'turn' : folded === false ? 1 : undefined;
    case 'ArrowLeft':
      return folded === false ? 'turn' : 'parent';
    case 'Enter':
    case ' ':
      return 'turn';
    case 'Home':
      return 'first';
    case 'End':
      return 'last';
    case '/':
      return 'search';
    case 'c':
      return 'copy';
    case 'n':
      return 'next';
    case 'N':
      return 'previous';
    default:
      return undefined;
  }
}
