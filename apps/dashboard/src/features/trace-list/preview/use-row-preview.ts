import type { TraceRow } from '@throughline/contract';
import { type MouseEvent, type PointerEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import { findRowId } from '../table/use-row-events.ts';
import { usePreviewSetting } from './preview-setting.ts';

/** A pointer that does not move for this long, or a focus that stays for this long, opens the preview of its row. Milliseconds. */
const REST_MS = 450;
/**
 * Time for moving the pointer from the row to its preview. Until then, the preview neither closes nor changes to another row. Milliseconds.
 */
const LEAVE_MS = 250;
/** In a narrower window, the preview would cover most of the list. Pixels. */
const MIN_WINDOW_PX = 768;

interface Previewed {
  readonly row: TraceRow;
  /** The position and size of the row in the window. */
  readonly place: DOMRect;
}

/**
 * Opens the preview of the row on which the mouse rests, or to which the keys `j` and `k` moved the focus. The preview closes when the
 * pointer leaves the row and the preview, when the page scrolls, when a mouse button is pressed, and on Escape.
 */
export function useRowPreview(isOn: boolean, findRow: (id: string) => TraceRow | undefined) {
  const [isWanted] = usePreviewSetting();
  const [opened, setOpened] = useState<Previewed>();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const pointer = useRef({ left: 0, top: 0 });
  /** The row whose preview was closed. The preview of this row opens again only after the pointer was on another row. */
  const dismissed = useRef<string>(undefined);

  const wait = (ms: number, act: () => void) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(act, ms);
  };
  const close = () => {
    clearTimeout(timer.current);
    setOpened(undefined);
  };
  const closeSoon = () => wait(LEAVE_MS, close);
  const open = (id: string) => {
    const row = findRow(id);
    const element = document.querySelector(`[data-row="${CSS.escape(id)}"]`);
    if (row !== undefined && element !== null && window.innerWidth >= MIN_WINDOW_PX)
      setOpened({ row, place: element.getBoundingClientRect() });
  };
  const dismiss = () => {
    dismissed.current = opened?.row._id;
    close();
  };

  const onScroll = useEffectEvent(close);
  const onEscape = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    // Escape closes only the preview. For example, Escape does not clear the selection, too.
    event.stopImmediatePropagation();
    event.preventDefault();
    dismiss();
  });
  const isOpened = isOn && opened !== undefined;
  useEffect(() => {
    const listen = () => onScroll();
    window.addEventListener('scroll', listen, { passive: true });
    return () => {
      window.removeEventListener('scroll', listen);
      clearTimeout(timer.current);
    };
  }, []);
  useEffect(() => {
    if (!isOpened) return;
    const listen = (event: KeyboardEvent) => onEscape(event);
    window.addEventListener('keydown', listen, { capture: true });
    return () => window.removeEventListener('keydown', listen, { capture: true });
  }, [isOpened]);
  if (!isOn && opened !== undefined) setOpened(undefined);

  const mayOpen = isOn && isWanted;
  return {
    opened: isOpened ? opened : undefined,
    handlers: {
      onPointerMove: ({ target, clientX, clientY, pointerType }: PointerEvent) => {
        // Browsers also report a move when the page changes under a pointer that rests.
        const hasMoved = pointer.current.left !== clientX || pointer.current.top !== clientY;
        if (!mayOpen || pointerType !== 'mouse' || !hasMoved) return;
        pointer.current = { left: clientX, top: clientY };
        const id = findRowId(target);
        if (id !== dismissed.current) dismissed.current = undefined;
        if (id === undefined || id === dismissed.current) return;
        if (id === opened?.row._id) clearTimeout(timer.current);
        else if (opened === undefined) wait(REST_MS, () => open(id));
        else wait(LEAVE_MS, () => open(id));
      },
      onPointerLeave: ({ clientX, clientY }: MouseEvent) => {
        pointer.current = { left: clientX, top: clientY };
        closeSoon();
      },
      onPointerDown: ({ target }: MouseEvent) => {
        close();
        dismissed.current = findRowId(target);
      },
    },
    /** Opens the preview of the row that a key has focused, if the focus stays on the row. */
    openFocused: (id: string) => {
      close();
      if (mayOpen) wait(REST_MS, () => open(id));
    },
    card: { onPointerEnter: () => clearTimeout(timer.current), onPointerLeave: closeSoon },
  };
}
