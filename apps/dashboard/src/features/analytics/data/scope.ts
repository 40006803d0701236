import type { AnalyticsExtent, AnalyticsQuery, Project } from '@throughline/contract';
import { useMemo } from 'react';
import type { Period } from '../../../shell/time-range/calendar-days.ts';
import { isLastDays, type TimeRange, toDays, toRangeSpan } from '../../../shell/time-range/time-range.ts';
import { useMinute } from '../../../shell/time-range/use-minute.ts';
import { useViewParams } from '../../../shell/url-state/search-params.ts';
import type { Span } from '../../../visuals/plots/series/spans.ts';
import { findFault, readRange } from './period.ts';

type Query = Partial<AnalyticsQuery>;

/** The range and filters of all stats of the page, from the URL. */
export interface Scope {
  readonly project: string;
  /** The selected range; the zoom is a part of this range. */
  readonly range: TimeRange;
  /** The days that contain the range. */
  readonly period: Period;
  /** The reason why the range cannot have stats, if any. */
  readonly fault: string | undefined;
  readonly zoom: Span | undefined;
  /** The time range of all stats: the zoom, otherwise the whole range. */
  readonly span: Span;
  readonly service: string | undefined;
  readonly environment: string | undefined;
  readonly release: string | undefined;
  /** True if the stats of the previous period are shown too. */
  readonly compare: boolean;
  readonly query: Query;
  /** The query for the whole range without filters. */
  readonly rangeQuery: Query;
  /** True for a range of minutes or hours that ends now, and therefore moves; false for whole days and for a zoom. */
  readonly isLive: boolean;
}

/** The props of each tab. */
export interface TabProps {
  readonly scope: Scope;
  readonly project: Project;
}

/** Reads the time range and the filters of the page from the URL. */
export function useScope(project: Pick<Project, 'id'>, extent: AnalyticsExtent): Scope {
  const { start, end, last, days, from, to, service, environment, release, compare } = useViewParams();
  const { id } = project;
  const minute = useMinute();
  const range = useMemo(
    () => readRange({ start, end, last, days, from, to }, extent, new Date()),
    [start, end, last, days, from, to, extent],
  );
  // `toRangeSpan` rounds the end of a range that ends now up to the end of the chart interval or day. The span, and thus the queries,
  // therefore do not change each minute.
  const now = new Date(minute);
  const whole = toRangeSpan(range, now);
  const [wholeFrom, wholeTo] = [whole.from, whole.to];
  const { start: firstDay, end: lastDay } = toDays(range, now);
  const fault = findFault(range, now);
  const zoom = useMemo(() => readZoom(from, to), [from, to]);
  return useMemo(() => {
    const span = { from: wholeFrom, to: wholeTo };
    const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    const isDays = range.kind === 'days' || (range.kind === 'last' && isLastDays(range.last));
    const rangeQuery = isDays
      ? { startDate: firstDay, endDate: lastDay, timeZone }
      : { ...queryOfSpan(span), timeZone };
    return {
      project: id,
      range,
      period: { start: firstDay, end: lastDay },
      fault,
      zoom,
      span: zoom ?? span,
      service,
      environment,
      release,
      compare: compare === 'previous',
      rangeQuery,
      query: {
        ...rangeQuery,
        ...(zoom === undefined ? {} : queryOfSpan(zoom)),
        ...(service === undefined ? {} : { service }),
        ...(environment === undefined ? {} : { environment }),
        ...(release === undefined ? {} : { release }),
        ...(compare === 'previous' ? { compare } : {}),
      },
      isLive: !isDays && zoom === undefined,
    };
  }, [id, range, wholeFrom, wholeTo, firstDay, lastDay, fault, zoom, service, environment, release, compare]);
}

/** Returns the zoom range from the URL. Returns undefined if the URL has no zoom, or if the zoom range cannot have stats. */
function readZoom(from: string | undefined, to: string | undefined): Span | undefined {
  if (from === undefined || to === undefined) return undefined;
  const zoom = { from: Date.parse(from), to: Date.parse(to) };
  const isShown = findFault({ kind: 'instants', from, to }, new Date()) === undefined;
  return isShown ? zoom : undefined;
}

function queryOfSpan({ from, to }: Span): Pick<AnalyticsQuery, 'startDate' | 'endDate'> {
  return { startDate: new Date(from).toISOString(), endDate: new Date(to).toISOString() };
}
