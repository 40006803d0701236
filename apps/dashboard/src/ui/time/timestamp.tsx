import { useSyncExternalStore } from 'react';
import { formatAbsolute, formatClock, formatDate, formatInstant, formatRelative } from './relative-time.ts';
import { useTimeLook } from './time-look.ts';

const TICK_MS = 1000;
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;
let now = Date.now();

/** One clock for all timestamps on the page, which stands still when there are none. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    now = Date.now();
    for (const each of listeners) each();
  }, TICK_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

interface TimestampProps {
  /** An ISO 8601 instant. */
  readonly at: string;
  /** `full` is the day and the time whatever the viewer's setting; without it "12 s ago", which ticks, or the time of day, as set. */
  readonly show?: 'full';
}

/** An instant; the whole of it, in the viewer's zone, on hover. */
export function Timestamp({ at, show }: TimestampProps) {
  const [look] = useTimeLook();
  const atMs = Date.parse(at);
  const text = useSyncExternalStore(subscribe, () => {
    if (show === 'full') return `${formatDate(atMs)} ${formatClock(atMs)}`;
    if (look === 'absolute') return formatAbsolute(atMs, now);
    // Between ticks the clock stands; what is newer than the last tick is new.
    return formatRelative(atMs, Math.max(now, atMs));
  });
  return (
    <time dateTime={at} title={formatInstant(atMs)} className="figures" style={{ whiteSpace: 'nowrap' }}>
      {text}
    </time>
  );
}
