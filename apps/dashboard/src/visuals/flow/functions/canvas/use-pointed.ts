import { type FocusEvent, type PointerEvent, useMemo, useState } from 'react';

/** Returns the functions whose cards are under the pointer or have the focus, and the handlers that find them. */
export function usePointed() {
  const [hovered, setHovered] = useState<string>();
  const [focused, setFocused] = useState<string>();
  const functions = useMemo(() => [hovered, focused], [hovered, focused]);
  const handlers = useMemo(
    () => ({
      onPointerMove: ({ target }: PointerEvent) => setHovered(findFunctionAt(target)),
      onPointerLeave: () => setHovered(undefined),
      onFocus: ({ target }: FocusEvent) => setFocused(findFunctionAt(target)),
      onBlur: () => setFocused(undefined),
    }),
    [],
  );
  return { functions, handlers };
}

function findFunctionAt(target: EventTarget): string | undefined {
  const card = target instanceof Element ? target.closest<HTMLElement>('[data-function]') : null;
  return card?.dataset.function;
}
