import type { TraceLink } from '@throughline/contract';
import { toPeriodSpan } from '../../../shell/time-range/calendar-days.ts';
import { TraceFilterParams, type ViewChange } from '../../../shell/url-state/search-params.ts';
import type { GridRange } from '../../../visuals/plots/heatmap/heatmap-grid.ts';
import type { Span } from '../../../visuals/plots/series/spans.ts';

/** A duration longer than any request. Milliseconds. */
const MAX_MS = 999_999_999_999;
const MS_DIGITS = 3;
/** The smallest difference between two durations: one microsecond, in milliseconds. */
const RESOLUTION_MS = 0.001;

/** Returns the URL parameters of the trace list for a time range. `to` is exclusive in a `Span`, but inclusive in the URL. */
export function timeSearch({ from, to }: Span): ViewChange {
  return {
    from: new Date(Math.floor(from)).toISOString(),
    // One microsecond before `to`, such as 10.230999 before 10.231: start times have microseconds, and the URL's end is inclusive.
    to: new Date(Math.ceil(to) - 1).toISOString().replace('Z', '999Z'),
  };
}

/**
 * Returns the URL parameters of the trace list for a range of durations in milliseconds. `to` is exclusive in a `Span`, but inclusive in
 * the URL. `to` is Infinity for a range without an end.
 */
export function buildDurationSearch({ from, to }: Span): ViewChange {
  return buildDurationsUpTo(from, Number.isFinite(to) ? to - RESOLUTION_MS : MAX_MS);
}

function buildDurationsUpTo(from: number, longest: number): ViewChange {
  const text = (ms: number) => String(Number(ms.toFixed(MS_DIGITS)));
  return { min: text(from), max: text(longest) };
}

/**
 * Converts the filters that the server sent together with a count to the URL parameters that make the trace list show the counted requests.
 */
export function linkSearch(link: TraceLink): ViewChange {
  const { startDate, endDate, minDuration, maxDuration } = link;
  const days = (day: string | undefined) =>
    day !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(day) ? day : undefined;
  const first = days(startDate);
  const last = days(endDate);
  return {
    project: link.projectId,
    ...TraceFilterParams.parse({
      ...link,
      q: link.search,
      code: link.statusCode,
      from: first === undefined ? startDate : timeSearch(toPeriodSpan({ start: first, end: first })).from,
      to: last === undefined ? endDate : timeSearch(toPeriodSpan({ start: last, end: last })).to,
      ...(minDuration === undefined && maxDuration === undefined
        ? {}
        : buildDurationsUpTo(Number(minDuration ?? 0), Number(maxDuration ?? MAX_MS))),
    }),
  };
}

export function buildFailedLink({ traces }: { readonly traces: TraceLink }): ViewChange {
  return { ...linkSearch(traces), status: 'error' };
}

interface Filtered {
  readonly project: string;
  readonly span: Span;
  readonly service?: string | undefined;
  readonly environment?: string | undefined;
  readonly release?: string | undefined;
}

/** Returns the URL parameters that make the trace list show the requests of a scope that also match the filters `more`. */
export function buildScopeSearch(scope: Filtered, more: ViewChange = {}): ViewChange {
  return {
    project: scope.project,
    service: scope.service,
    environment: scope.environment,
    release: scope.release,
    ...timeSearch(scope.span),
    ...more,
  };
}

/** Returns the URL parameters that make the trace list show the requests of an area of the heatmap. */
export function buildAreaSearch(scope: Filtered, { time, duration }: GridRange): ViewChange {
  // If all durations are selected, the trace list gets no filter by duration. With such a filter, the list would compare the selected
  // requests with requests of other durations, and no such requests exist.
  const hasAllDurations = duration.from === 0 && duration.to === Number.POSITIVE_INFINITY;
  return buildScopeSearch(scope, {
    ...timeSearch(time),
    ...(hasAllDurations ? {} : buildDurationSearch(duration)),
  });
}
