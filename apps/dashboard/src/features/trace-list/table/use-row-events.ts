import type { TraceRow } from '@throughline/contract';
import {
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  useEffect,
  useRef,
  useState,
} from 'react';
import type { Attention } from '../live/use-reading.ts';

/** A pointer that rests on a row this long will probably open the row. Milliseconds. */
const INTENT_MS = 90;

interface RowEvents {
  readonly findRow: (id: string) => TraceRow | undefined;
  readonly onOpen: (row: TraceRow) => void;
  readonly onIntent: (row: TraceRow) => void;
  /** Called when the pointer moves over the rows, when the mouse leaves them, and when a row gets or loses the focus. */
  readonly onAttention: (attention: Attention) => void;
}

/**
 * Returns the event handlers that the table's body needs for all rows. `focused` is the id of the row that has the focus or contains
 * the focused control.
 */
export function useRowEvents({ findRow, onOpen, onIntent, onAttention }: RowEvents) {
  const [focused, setFocused] = useState<string>();
  const pointed = useRef<string>(undefined);
  const intent = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    // Scrolling moves the rows under the pointer. The row that was under the pointer before will probably not be opened, so its trace is
    // not prefetched.
    const forget = () => {
      pointed.current = undefined;
      clearTimeout(intent.current);
    };
    window.addEventListener('scroll', forget, { passive: true });
    return () => {
      window.removeEventListener('scroll', forget);
      clearTimeout(intent.current);
    };
  }, []);
  const open = (target: EventTarget) => {
    const row = findRow(findRowId(target) ?? '');
    if (row !== undefined) onOpen(row);
  };
  const point = (id: string | undefined) => {
    if (id === pointed.current) return;
    pointed.current = id;
    clearTimeout(intent.current);
    intent.current = setTimeout(() => {
      const row = findRow(id ?? '');
      if (row !== undefined) onIntent(row);
    }, INTENT_MS);
  };
  const handlers = {
    onClick: (event: MouseEvent) => {
      if ((globalThis.getSelection()?.toString() ?? '') === '') open(event.target);
    },
    onKeyDown: (event: KeyboardEvent) => {
      // Enter opens the row only if the row itself has the focus. If a control inside the row has the focus, the control handles Enter.
      if (event.key === 'Enter' && isRow(event.target)) open(event.target);
    },
    onPointerOver: (event: MouseEvent) => point(findRowId(event.target)),
    onPointerMove: ({ currentTarget, pointerType }: PointerEvent) =>
      onAttention({
        focused: hasFocus(currentTarget),
        pointer: pointerType === 'mouse' ? 'rests' : 'touches',
      }),
    onPointerLeave: ({ currentTarget, pointerType }: PointerEvent) => {
      point(undefined);
      if (pointerType === 'mouse') onAttention({ focused: hasFocus(currentTarget), pointer: 'left' });
    },
    onFocus: (event: FocusEvent) => {
      setFocused(findRowId(event.target));
      onAttention({ focused: true });
    },
    onBlur: (event: FocusEvent) => {
      const within = event.currentTarget.contains(event.relatedTarget);
      if (!within) setFocused(undefined);
      onAttention({ focused: within });
    },
  };
  return { focused, handlers };
}

function hasFocus(element: Element): boolean {
  return element.contains(document.activeElement);
}

function isRow(target: EventTarget): target is HTMLElement {
  return target instanceof HTMLElement && target.dataset.row !== undefined;
}

/** Returns the id of the row that contains this element. */
export function findRowId(target: EventTarget | null): string | undefined {
  const row = target instanceof Element ? target.closest('[data-row]') : null;
  return row instanceof HTMLElement ? row.dataset.row : undefined;
}
