import { formatClock, formatDate, formatInstant } from './relative-time.ts';

/** Shows when something expires, to the minute. */
export function EndTime({ at }: { readonly at: string }) {
  const atMs = Date.parse(at);
  return (
    <time dateTime={at} title={formatInstant(atMs)} className="figures" style={{ whiteSpace: 'nowrap' }}>
      {formatDate(atMs)} {formatClock(atMs).slice(0, 5)}
    </time>
  );
}
