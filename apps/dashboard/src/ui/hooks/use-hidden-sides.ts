import { type RefObject, useLayoutEffect, useState } from 'react';

/** The sides beyond which an element that scrolls sideways has more content. */
export type HiddenSides = 'none' | 'before' | 'after' | 'both';

/** Observes which sides of an element are hidden, while the user scrolls and while sizes change. */
export function useHiddenSides(frame: RefObject<HTMLElement | null>): HiddenSides {
  const [hidden, setHidden] = useState<HiddenSides>('none');
  useLayoutEffect(() => {
    const { current } = frame;
    if (current === null) return;
    const measure = () => setHidden(findHiddenSides(current));
    measure();
    const sizes = new ResizeObserver(measure);
    sizes.observe(current);
    for (const child of current.children) sizes.observe(child);
    current.addEventListener('scroll', measure, { passive: true });
    return () => {
      sizes.disconnect();
      current.removeEventListener('scroll', measure);
    };
  }, [frame]);
  return hidden;
}

function findHiddenSides({ scrollLeft, scrollWidth, clientWidth }: HTMLElement): HiddenSides {
  const before = scrollLeft > 1;
  const after = scrollLeft + clientWidth < scrollWidth - 1;
  if (before) return after ? 'both' : 'before';
  return after ? 'after' : 'none';
}
