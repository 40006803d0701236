import { useReactFlow } from '@xyflow/react';
import { type FocusEvent, type PointerEvent, type RefObject, useMemo, useState } from 'react';
import type { CallLayout } from '../layout/layout-types.ts';
import { findArrow, listArrowLines } from './find-arrow.ts';

/** The maximum distance, in pixels on the page, from which the pointer still counts as pointing at an arrow. */
const REACH_PX = 7;

/**
 * Returns the functions whose cards are under the pointer or have the focus, the arrow under the pointer, and the handlers that find them.
 * The arrows cannot have handlers, since many of them share an SVG shape.
 */
export function usePointed(box: RefObject<HTMLElement | null>, layout: CallLayout) {
  const flow = useReactFlow();
  const [hovered, setHovered] = useState<string>();
  const [focused, setFocused] = useState<string>();
  const [arrow, setArrow] = useState<string>();
  const functions = useMemo(() => [hovered, focused], [hovered, focused]);
  const handlers = useMemo(() => {
    let lines: ReturnType<typeof listArrowLines> | undefined;
    return {
      onPointerMove: ({ target, clientX, clientY }: PointerEvent) => {
        const card = findFunctionAt(target);
        setHovered(card);
        const frame = box.current?.getBoundingClientRect();
        if (frame === undefined || card !== undefined) {
          setArrow(undefined);
          return;
        }
        lines ??= listArrowLines(layout.arrows);
        const { x, y, zoom } = flow.getViewport();
        const at = { x: (clientX - frame.left - x) / zoom, y: (clientY - frame.top - y) / zoom };
        setArrow(findArrow(lines, at, REACH_PX / zoom));
      },
      onPointerLeave: () => {
        setHovered(undefined);
        setArrow(undefined);
      },
      onFocus: ({ target }: FocusEvent) => setFocused(findFunctionAt(target)),
      onBlur: () => setFocused(undefined),
    };
  }, [box, layout, flow]);
  return { functions, arrow, handlers };
}

function findFunctionAt(target: EventTarget): string | undefined {
  const card = target instanceof Element ? target.closest<HTMLElement>('[data-function]') : null;
  return card?.dataset.function;
}
