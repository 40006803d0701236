import { useSyncExternalStore } from 'react';
import { formatAbsolute, formatClock, formatDate, formatInstant, formatRelative } from './relative-time.ts';
import { useTimeLook } from './time-look.ts';

const TICK_MS = 1000;
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;
let now = Date.now();

/** Shares one timer between all timestamps on the page. The timer stops if the page has no timestamps. */
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
  /** ISO 8601 timestamp. */
  readonly at: string;
  /** `full` shows date and time regardless of the viewer's setting. By default the setting selects "12 s ago" or the time of day. */
  readonly show?: 'full';
  /** A sentence in the tooltip, below the full time. For a time that is a link, the sentence can say where the link leads. */
  readonly hint?: string;
}

/** Shows a time. Hovering shows the full date and time in the viewer's time zone. */
export function Timestamp({ at, show, hint }: TimestampProps) {
  const [look] = useTimeLook();
  const atMs = Date.parse(at);
  const text = useSyncExternalStore(subscribe, () => {
    if (show === 'full') return `${formatDate(atMs)} ${formatClock(atMs)}`;
    if (look === 'absolute') return formatAbsolute(atMs, now);
    // `now` is updated only once per tick, so a newer time counts as just now.
    return formatRelative(atMs, Math.max(now, atMs));
  });
  const title = hint === undefined ? formatInstant(atMs) : `${formatInstant(atMs)}\n${hint}`;
  return (
    <time dateTime={at} title={title} className="figures" style={{ whiteSpace: 'nowrap' }}>
      {text}
    </time>
  );
}
