import { formatClock, formatDate, formatInstant } from '../../ui/time/relative-time.ts';

/** Shows a link's expiry time, to the minute. */
export function EndTime({ at }: { readonly at: string }) {
  const atMs = Date.parse(at);
  return (
    <time dateTime={at} title={formatInstant(atMs)} className="figures" style={{ whiteSpace: 'nowrap' }}>
      {formatDate(atMs)} {formatClock(atMs).slice(0, 5)}
    </time>
  );
}
