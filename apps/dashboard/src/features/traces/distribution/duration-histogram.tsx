import { formatCounted, formatDuration, type TraceRow } from '@throughline/contract';
import { AnchorLink } from '../../../ui/layout/links.tsx';
import { useHasSession } from '../data/trace-calls.ts';
import classes from './distribution.module.css';
import { type Distribution, findBar, findPlace, searchBar } from './place-on-bars.ts';

/** Set on a focusable element: Escape closes the popover that contains the element, not the dialog below. */
export const ESCAPE_STAYS = { 'data-mantine-stop-propagation': 'true' } as const;

interface DurationHistogramProps {
  readonly row: TraceRow;
  readonly distribution: Distribution;
  /** The median of the durations, in milliseconds. */
  readonly medianMs: number;
}

/**
 * The durations of an endpoint's requests as bars, with marks for the median, the 95th percentile and this request. Each bar is a link to
 * its requests; viewers without a session see no links.
 */
export function DurationHistogram({ row, distribution, medianMs }: DurationHistogramProps) {
  const isSignedIn = useHasSession();
  const { bars, p95 } = distribution;
  const ownMs = row.timing.duration;
  const own = findBar(bars, ownMs);
  const most = Math.max(1, ...bars.map(({ requests }) => requests));
  return (
    <div className={classes.histogram}>
      <div className={classes.marks} aria-hidden>
        <Mark name="P50" place={findPlace(bars, medianMs)} />
        <Mark name="P95" place={findPlace(bars, p95)} />
        <Mark name="This request" place={findPlace(bars, ownMs)} isOwn />
      </div>
      <ul className={classes.bars} style={{ '--bars': bars.length }}>
        {bars.map((bar, index) => {
          const { from, to, requests } = bar;
          const range = `${formatDuration(from)} to ${formatDuration(to)}`;
          const text = `${range}: ${formatCounted(requests, 'request')}`;
          const shown = index === own ? `${text}, and this request` : text;
          const drawn = (
            <span
              className={classes.bar}
              style={{ '--share': requests / most }}
              data-empty={requests === 0}
              data-own={index === own}
            />
          );
          return (
            <li key={from}>
              {isSignedIn && requests > 0 ? (
                <AnchorLink
                  {...ESCAPE_STAYS}
                  to="/dashboard"
                  search={searchBar(row, bar)}
                  className={classes.column}
                  aria-label={shown}
                  title={shown}
                >
                  {drawn}
                </AnchorLink>
              ) : (
                <span className={classes.column} title={shown}>
                  <span className="visually-hidden">{shown}</span>
                  {drawn}
                </span>
              )}
            </li>
          );
        })}
      </ul>
      <div className={classes.axis} aria-hidden>
        <span>{formatDuration(bars[0]?.from ?? 0)}</span>
        <span>{formatDuration(bars.at(-1)?.to ?? 0)}</span>
      </div>
    </div>
  );
}

interface MarkProps {
  readonly name: string;
  /** Position of the mark on the axis, from 0 (left end) to 1 (right end). */
  readonly place: number;
  readonly isOwn?: boolean;
}

function Mark({ name, place, isOwn = false }: MarkProps) {
  return (
    <div className={classes.mark} style={{ '--place': place }} data-own={isOwn}>
      <span className={classes.markName}>{name}</span>
      <span className={classes.markLine} />
    </div>
  );
}
