import type { TraceLink } from '@throughline/contract';
import { TraceFilterParams, type ViewChange } from '../../../shell/url-state/search-params.ts';
import type { Span } from '../../../visuals/plots/series/spans.ts';
import { spanOfPeriod } from '../data/period.ts';

/** Longer than any request. Milliseconds. */
const MAX_MS = 999_999_999_999;
const MS_DIGITS = 3;
/** Durations are whole microseconds. Milliseconds. */
const MIN_MS = 0.001;

/** The list's address for a stretch of time, its end excluded here and included there. */
export function timeSearch({ from, to }: Span): ViewChange {
  return {
    from: new Date(Math.floor(from)).toISOString(),
    // Requests start on microseconds.
    to: new Date(Math.ceil(to) - 1).toISOString().replace('Z', '999Z'),
  };
}

/** The list's address for a stretch of durations, its end excluded here and included there; an open one has no end. Milliseconds. */
export function durationSearch({ from, to }: Span): ViewChange {
  return durationsUpTo(from, Number.isFinite(to) ? to - MIN_MS : MAX_MS);
}

function durationsUpTo(from: number, longest: number): ViewChange {
  const text = (ms: number) => String(Number(ms.toFixed(MS_DIGITS)));
  return { min: text(from), max: text(longest) };
}

/** The list's address for the filters that came with a figure. */
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
      from: first === undefined ? startDate : timeSearch(spanOfPeriod({ start: first, end: first })).from,
      to: last === undefined ? endDate : timeSearch(spanOfPeriod({ start: last, end: last })).to,
      ...(minDuration === undefined && maxDuration === undefined
        ? {}
        : durationsUpTo(Number(minDuration ?? 0), Number(maxDuration ?? MAX_MS))),
    }),
  };
}

/** The list's address for those that failed of the requests of a row of figures. */
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

/** The list's address for all that the figures of a scope are about, narrowed further. */
export function scopeSearch(scope: Filtered, more: ViewChange = {}): ViewChange {
  return {
    project: scope.project,
    service: scope.service,
    environment: scope.environment,
    release: scope.release,
    ...timeSearch(scope.span),
    ...more,
  };
}
