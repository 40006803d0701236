import { type KeyboardEvent, type RefObject, useEffect, useEffectEvent, useMemo, useState } from 'react';
import type { Stretch } from '../steps/analysis/step-extent.ts';
import { MIN_SHOWN_MS, type TimeScale, zoomScale } from './scale/time-scale.ts';
import { computeView, zoomByFactor, zoomByKey, zoomByWheel } from './scale/zoom.ts';

interface ZoomOptions {
  /** The scale of the entire duration. */
  readonly full: TimeScale;
  readonly selected: string | undefined;
  /** The time range of the selected entry. */
  readonly about: Stretch | undefined;
  /** The element over which the mouse wheel zooms. */
  readonly root: RefObject<HTMLElement | null>;
  /** The element with the width of the time axis. */
  readonly axis: RefObject<HTMLElement | null>;
}

/** The zoom of a timeline. */
export interface Zoom {
  readonly scale: TimeScale;
  readonly isZoomed: boolean;
  /** Shows a time range; undefined shows the entire duration. */
  readonly show: (view: Stretch | undefined) => void;
  /** Zooms in or out around the selection; undefined shows the entire duration. */
  readonly zoomBy: (by: number | undefined) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

/** Zooms a timeline by buttons, keys, and the mouse wheel with Ctrl. A newly selected step is brought into view. */
export function useZoom({ full, selected, about, root, axis }: ZoomOptions): Zoom {
  const [view, setView] = useState<Stretch>();
  const scale = useMemo(() => (view === undefined ? full : zoomScale(full, view)), [full, view]);
  const show = (to: Stretch | undefined) => {
    if (to === undefined || to.toMs - to.fromMs >= MIN_SHOWN_MS) setView(to);
  };
  const [shownFor, setShownFor] = useState(selected);
  if (shownFor !== selected) {
    setShownFor(selected);
    const to = about === undefined ? undefined : computeView(full, scale, about);
    if (to !== undefined) setView(to);
  }
  const onWheel = useEffectEvent((event: WheelEvent) => {
    const bounds = axis.current?.getBoundingClientRect();
    if (bounds === undefined) return;
    const to = zoomByWheel(event, full, scale, bounds);
    if (to === undefined) return;
    event.preventDefault();
    show(to === 'all' ? undefined : to);
  });
  useEffect(() => {
    const element = root.current;
    // React's own wheel listeners are passive, so they cannot prevent the page from being zoomed.
    element?.addEventListener('wheel', onWheel, { passive: false });
    return () => element?.removeEventListener('wheel', onWheel);
  }, [root]);
  return {
    scale,
    isZoomed: view !== undefined,
    show,
    zoomBy: (by) => show(by === undefined ? undefined : zoomByFactor(full, scale, by, about)),
    onKeyDown: (event) => {
      const to = zoomByKey(event, full, scale, about);
      if (to === undefined) return;
      event.preventDefault();
      show(to === 'all' ? undefined : to);
    },
  };
}
