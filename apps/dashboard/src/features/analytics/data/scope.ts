import type { AnalyticsExtent, AnalyticsQuery, Project } from '@throughline/contract';
import { useEffect, useMemo, useState } from 'react';
import { useViewParams } from '../../../shell/url-state/search-params.ts';
import type { Span } from '../../../visuals/plots/series/spans.ts';
import { findFault, readRange, spanOfRange, type TimeRange } from './period.ts';

type Query = Partial<AnalyticsQuery>;

/** The range and filters of all stats of the page, from the URL. */
export interface Scope {
  readonly project: string;
  /** The range selected in the bar; the zoom is a part of this range. */
  readonly range: TimeRange;
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
  /** True for a range that ends now and therefore moves. */
  readonly isLive: boolean;
}

/** The props of each tab. */
export interface TabProps {
  readonly scope: Scope;
  readonly project: Project;
}

const MINUTE_MS = 60_000;

/** Returns the current minute, which moves ranges that end now. Epoch milliseconds. */
function useMinute(): number {
  const [minute, setMinute] = useState(beginMinute);
  useEffect(() => {
    const timer = setInterval(() => setMinute(beginMinute()), MINUTE_MS / 6);
    return () => clearInterval(timer);
  }, []);
  return minute;
}

function beginMinute(): number {
  return Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS;
}

/** Returns the scope from the URL. A new day takes effect with the next change of the URL. */
export function useScope(project: Pick<Project, 'id'>, extent: AnalyticsExtent): Scope {
  const { start, end, last, from, to, service, environment, release, compare } = useViewParams();
  const { id } = project;
  const minute = useMinute();
  const range = useMemo(
    () => readRange({ start, end, last }, extent, new Date()),
    [start, end, last, extent],
  );
  // A range that ends now stays the same until its next interval begins.
  const whole = spanOfRange(range, new Date(minute));
  const [wholeFrom, wholeTo] = [whole.from, whole.to];
  const zoom = useMemo(() => readZoom(from, to), [from, to]);
  return useMemo(() => {
    const span = { from: wholeFrom, to: wholeTo };
    const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    const rangeQuery =
      range.kind === 'days'
        ? { startDate: range.period.start, endDate: range.period.end, timeZone }
        : { ...queryOfSpan(span), timeZone };
    return {
      project: id,
      range,
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
      isLive: range.kind === 'last' && zoom === undefined,
    };
  }, [id, range, wholeFrom, wholeTo, zoom, service, environment, release, compare]);
}

/** Returns the zoom range from the URL; undefined if it cannot be shown. */
function readZoom(from: string | undefined, to: string | undefined): Span | undefined {
  if (from === undefined || to === undefined) return undefined;
  const zoom = { from: Date.parse(from), to: Date.parse(to) };
  const days = (ms: number) => new Date(ms).toISOString().slice(0, 10);
  const isShown =
    zoom.from < zoom.to &&
    findFault({ kind: 'days', period: { start: days(zoom.from), end: days(zoom.to) } }) === undefined;
  return isShown ? zoom : undefined;
}

function queryOfSpan({ from, to }: Span): Pick<AnalyticsQuery, 'startDate' | 'endDate'> {
  return { startDate: new Date(from).toISOString(), endDate: new Date(to).toISOString() };
}
