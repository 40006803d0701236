import { useLocalStorage } from '@mantine/hooks';
import { type KeyboardEvent, type PointerEvent, type ReactNode, useRef } from 'react';
import classes from './split-pane.module.css';

const SMALLEST = 20;
const LARGEST = 80;
const HALF = 50;
const STEP = 2;

interface SplitPaneProps {
  /** Under which name the place of the splitter is remembered in this browser. */
  readonly name: string;
  /** The left part's share until somebody moves the splitter. Percent. */
  readonly atFirst?: number;
  readonly left: ReactNode;
  /** Where the panes are stacked, the left one ends below its last row, instead of having the height that a picture needs. */
  readonly endsWithRows?: boolean;
  readonly right: ReactNode;
}

/** Two parts side by side with a splitter, moved by pointer or arrow keys; one above the other where it is narrow. */
export function SplitPane({ name, atFirst = HALF, left, endsWithRows = false, right }: SplitPaneProps) {
  const [stored, setShare] = useLocalStorage<number>({ key: `split_${name}`, defaultValue: atFirst });
  const share = clamp(stored);
  const box = useRef<HTMLDivElement>(null);

  const onPointerMove = (event: PointerEvent) => {
    const bounds = box.current?.getBoundingClientRect();
    if (bounds === undefined || !event.currentTarget.hasPointerCapture(event.pointerId)) return;
    setShare(clamp(((event.clientX - bounds.left) / bounds.width) * 100));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowLeft' ? -STEP : event.key === 'ArrowRight' ? STEP : 0;
    if (by === 0) return;
    event.preventDefault();
    setShare(clamp(share + by));
  };
  return (
    <div ref={box} className={classes.root} style={{ '--share': `${share}%` }}>
      <div className={classes.left} data-ends-with-rows={endsWithRows}>
        {left}
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: a rule cannot be moved */}
      <div
        role="separator"
        aria-label="Divide the panes"
        aria-orientation="vertical"
        aria-valuenow={Math.round(share)}
        aria-valuemin={SMALLEST}
        aria-valuemax={LARGEST}
        tabIndex={0}
        className={classes.splitter}
        onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
        onPointerMove={onPointerMove}
        onDoubleClick={() => setShare(atFirst)}
        onKeyDown={onKeyDown}
      />
      <div className={classes.right}>{right}</div>
    </div>
  );
}

function clamp(share: number): number {
  return Number.isFinite(share) ? Math.min(LARGEST, Math.max(SMALLEST, share)) : HALF;
}
