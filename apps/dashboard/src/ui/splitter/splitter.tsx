import type { KeyboardEvent, PointerEvent, RefObject } from 'react';
import classes from './splitter.module.css';
import type { Share } from './use-share.ts';

const STEP = 2;

interface SplitterProps {
  /** The accessible name, which names the two parts that the divider separates. */
  readonly label: string;
  /** The element whose width is divided. */
  readonly box: RefObject<HTMLElement | null>;
  readonly share: Share;
  readonly className?: string | undefined;
}

/** A divider between two parts, moved by pointer or keys. A double click resets its position. */
export function Splitter({ label, box, share, className = '' }: SplitterProps) {
  const onPointerMove = (event: PointerEvent) => {
    const bounds = box.current?.getBoundingClientRect();
    if (bounds === undefined || !event.currentTarget.hasPointerCapture(event.pointerId)) return;
    share.set(((event.clientX - bounds.left) / bounds.width) * 100);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const to = shareByKey(event.key, share);
    if (to === undefined) return;
    event.preventDefault();
    share.set(to);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule cannot be moved
    <div
      role="separator"
      aria-label={label}
      aria-orientation="vertical"
      aria-valuenow={Math.round(share.percent)}
      aria-valuemin={share.least}
      aria-valuemax={share.most}
      tabIndex={0}
      className={`${classes.splitter} ${className}`}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={onPointerMove}
      onDoubleClick={share.reset}
      onKeyDown={onKeyDown}
    />
  );
}

function shareByKey(key: string, { percent, least, most }: Share): number | undefined {
  switch (key) {
    case 'ArrowLeft':
      return percent - STEP;
    case 'ArrowRight':
      return percent + STEP;
    case 'Home':
      return least;
    case 'End':
      return most;
    default:
      return undefined;
  }
}
