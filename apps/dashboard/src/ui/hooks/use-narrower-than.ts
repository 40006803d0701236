import { type RefObject, useLayoutEffect, useState } from 'react';

/** True if an element is narrower than this many pixels. Renders again only when the result changes, not for each size. */
export function useNarrowerThan(element: RefObject<HTMLElement | null>, px: number): boolean {
  const [narrow, setNarrow] = useState(false);
  useLayoutEffect(() => {
    const { current } = element;
    if (current === null) return;
    const measure = () => setNarrow(current.clientWidth < px);
    measure();
    const sizes = new ResizeObserver(measure);
    sizes.observe(current);
    return () => sizes.disconnect();
  }, [element, px]);
  return narrow;
}
