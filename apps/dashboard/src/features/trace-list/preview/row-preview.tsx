import { Portal } from '@mantine/core';
import type { TraceRow } from '@throughline/contract';
import { type ReactNode, Suspense, useEffect, useId } from 'react';
import classes from './row-preview.module.css';

/** Distance between the row and its preview, and between the preview and the window's edge. Pixels. */
const GAP_PX = 4;
const EDGE_PX = 8;
/** Width of a preview, unless the list is narrower, and height of an ordinary preview. Pixels. */
const WIDTH_PX = 640;
const USUAL_PX = 320;

interface RowPreviewProps {
  readonly row: TraceRow;
  /** The position and size of the row in the window. */
  readonly place: DOMRect;
  readonly onPointerEnter: () => void;
  readonly onPointerLeave: () => void;
  readonly children: ReactNode;
}

/**
 * The preview of a row, below the row. If there is not enough room below the row, and more room above it, the preview is above the row. The
 * preview is at the right side of the list, so that the pointer can move down over the paths at the left side.
 */
export function RowPreview({ row, place, children, ...handlers }: RowPreviewProps) {
  const id = useId();
  useEffect(() => {
    const element = document.querySelector(`[data-row="${CSS.escape(row._id)}"]`);
    element?.setAttribute('aria-describedby', id);
    return () => element?.removeAttribute('aria-describedby');
  }, [row._id, id]);
  const below = window.innerHeight - place.bottom - GAP_PX - EDGE_PX;
  const above = place.top - GAP_PX - EDGE_PX;
  const isBelow = below >= Math.min(USUAL_PX, above);
  return (
    <Portal>
      <div
        id={id}
        role="tooltip"
        className={classes.card}
        style={{
          right: Math.max(EDGE_PX, document.documentElement.clientWidth - place.right),
          width: Math.min(WIDTH_PX, place.width),
          maxHeight: isBelow ? below : above,
          ...(isBelow ? { top: place.bottom + GAP_PX } : { bottom: window.innerHeight - place.top + GAP_PX }),
        }}
        {...handlers}
      >
        <Suspense fallback={<p className={classes.waiting}>Loading…</p>}>{children}</Suspense>
      </div>
    </Portal>
  );
}
