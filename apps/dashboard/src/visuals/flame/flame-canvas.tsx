import { useComputedColorScheme } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { formatDuration } from '@throughline/contract';
import { escapeControlCharacters } from '@throughline/contract/captured';
import { type KeyboardEvent, type MouseEvent, useEffect, useMemo, useRef, useState } from 'react';
import { drawFlame, ROW_PX } from './draw-flame.ts';
import classes from './flame.module.css';
import { type FlameBox, findFrameBeside, layOutFlame } from './flame-layout.ts';
import type { FlameTree, Frame } from './flame-tree.ts';

interface FlameCanvasProps {
  readonly tree: FlameTree;
  /** The frame that fills the width. */
  readonly focus: Frame;
  readonly current: Frame | undefined;
  readonly onSelect: (frame: Frame) => void;
  readonly onFocus: (frame: Frame | undefined) => void;
}

/** Draws the frames on a canvas. Only the rows in view are drawn, however deep the tree is. */
export function FlameCanvas({ tree, focus, current, onSelect, onFocus }: FlameCanvasProps) {
  const { ref: measured, width, height } = useElementSize();
  const canvas = useRef<HTMLCanvasElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const [hint, setHint] = useState('');
  const scheme = useComputedColorScheme('light');
  const boxes = useMemo(() => layOutFlame(focus, width), [focus, width]);
  const rows = useMemo(() => boxes.reduce((most, { row }) => Math.max(most, row + 1), 0), [boxes]);

  useEffect(() => {
    const pen = canvas.current?.getContext('2d');
    if (pen == null || width === 0 || height === 0) return;
    drawFlame(pen, { boxes, width, height, top, scheme, current, focus });
  }, [boxes, width, height, top, scheme, current, focus]);

  useEffect(() => {
    const view = box.current;
    if (view === null || current === undefined) return;
    const y = current.depth * ROW_PX;
    if (y < view.scrollTop || y + ROW_PX > view.scrollTop + view.clientHeight) {
      view.scrollTop = Math.max(0, y - view.clientHeight / 2);
    }
  }, [current]);

  const boxAt = (event: MouseEvent): FlameBox | undefined => {
    const bounds = canvas.current?.getBoundingClientRect();
    if (bounds === undefined) return undefined;
    const [x, row] = [event.clientX - bounds.left, Math.floor((event.clientY - bounds.top + top) / ROW_PX)];
    return boxes.find((each) => each.row === row && x >= each.x && x < each.x + each.width);
  };
  const zoom = (frame: Frame) => onFocus(frame === focus ? frame.parent : frame);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const to = current === undefined ? tree.root.children[0] : findFrameBeside(current, event.key);
    if (event.key.startsWith('Arrow')) {
      if (to !== undefined && to !== tree.root) onSelect(to);
    } else if (event.key === 'Enter' && current !== undefined) zoom(current);
    else if (event.key === 'Backspace') onFocus(focus.parent);
    else return;
    event.preventDefault();
  };
  return (
    <div
      ref={box}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a chart with keyboard navigation, described by the status above
      tabIndex={0}
      role="application"
      aria-label="Flame graph. Arrow keys go to callers, called functions and neighbours; Enter zooms in and out."
      className={classes.scroller}
      onScroll={(event) => setTop(event.currentTarget.scrollTop)}
      onKeyDown={onKeyDown}
    >
      <div ref={measured} className={classes.sticky} aria-hidden>
        <canvas
          ref={canvas}
          title={hint}
          onClick={(event) => {
            const found = boxAt(event);
            if (found !== undefined) onSelect(found.frame);
          }}
          onDoubleClick={(event) => {
            const found = boxAt(event);
            if (found !== undefined) zoom(found.frame);
          }}
          onPointerMove={(event) => {
            const found = boxAt(event);
            setHint(found === undefined ? '' : formatHint(found.frame));
          }}
        />
      </div>
      <div style={{ height: Math.max(0, rows * ROW_PX - height) }} />
    </div>
  );
}

function formatHint({ name, totalMs, selfMs, calls }: Frame): string {
  const times = calls > 1 ? ` ×${calls}` : '';
  return `${escapeControlCharacters(name)}${times}: total ${formatDuration(totalMs)}, self ${formatDuration(selfMs)}`;
}
