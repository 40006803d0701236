import { type EndpointDurations, type TraceRow, USUAL_DAYS } from '@throughline/contract';
import type { ViewParams } from '../../../shell/url-state/search-params.ts';

export type Distribution = NonNullable<EndpointDurations['distribution']>;
type DurationBar = Distribution['bars'][number];

/** Returns the index of the bar that contains a duration; -1 if there is none. */
export function findBar(bars: readonly DurationBar[], ms: number): number {
  return bars.findIndex(({ from, to }) => ms >= from && ms < to);
}

/**
 * Returns where a duration is on the axis below the bars, as a share of its width. The bars are equally wide on the screen, although each
 * covers more milliseconds than the bar before.
 */
export function findPlace(bars: readonly DurationBar[], ms: number): number {
  const index = findBar(bars, ms);
  const bar = bars[index];
  if (bar === undefined) return ms < (bars[0]?.from ?? 0) ? 0 : 1;
  const { from, to } = bar;
  const within = from === 0 ? ms / to : Math.log(ms / from) / Math.log(to / from);
  return (index + within) / bars.length;
}

const DAY_MS = 86_400_000;
/** The smallest difference between two durations, in milliseconds. */
const RESOLUTION_MS = 0.001;

/** Returns the URL parameters of the list of a bar's requests. The end of a range is inclusive in the URL, but exclusive for a bar. */
export function searchBar(row: TraceRow, { from, to }: DurationBar): Partial<ViewParams> {
  const { request, timing, service, environment } = row;
  const startMs = Date.parse(timing.startTime);
  const writeMs = (ms: number) => String(Number(ms.toFixed(3)));
  return {
    project: row.projectId,
    ...(service === '' ? { services: 'unnamed' as const } : { service }),
    ...(environment !== '' && { environment }),
    method: request.method,
    endpoint: request.route ?? request.path,
    status: 'success',
    from: new Date(startMs - USUAL_DAYS.before * DAY_MS).toISOString(),
    to: new Date(startMs + USUAL_DAYS.after * DAY_MS).toISOString(),
    min: writeMs(from),
    max: writeMs(to - RESOLUTION_MS),
  };
}
