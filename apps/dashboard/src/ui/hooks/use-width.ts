import { useCallback, useState } from 'react';

/**
 * Measures the width of the element that gets the ref, in CSS pixels; 0 without an element. The first width is known before the browser
 * paints, so that a part whose height depends on its width has the right height when it is first painted.
 */
export function useWidth(): { readonly ref: (element: Element | null) => void; readonly width: number } {
  const [width, setWidth] = useState(0);
  const ref = useCallback((element: Element | null) => {
    if (element === null) return;
    const measure = () => setWidth(element.clientWidth);
    measure();
    let frame = 0;
    // Waits for a frame, because a change of the height within the observer's call would be reported as an error of the page.
    const observer = new ResizeObserver(() => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(measure);
    });
    observer.observe(element);
    return () => {
      cancelAnimationFrame(frame);
      observer.disconnect();
    };
  }, []);
  return { ref, width };
}
