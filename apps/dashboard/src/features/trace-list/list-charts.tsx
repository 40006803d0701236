import { formatCount, formatDuration, isErrorTrace, type TraceRow } from '@throughline/contract';
import { memo, useMemo } from 'react';
import { useChangeView } from '../../shell/search-params.ts';
import { formatDay, formatTimeOfDay } from '../../ui/relative-time.ts';
import { BrushBars } from '../../visuals/charts/brush-bars.tsx';
import { evenBuckets, growingBuckets } from '../../visuals/charts/buckets.ts';
import { type ListFilters, useTraceSample } from './queries.ts';
import classes from './trace-list.module.css';
import { useListParams } from './use-list-params.ts';

const TIME_BARS = 60;
const DURATION_BARS = 40;
/** What is faster is all one: a microsecond, in milliseconds. */
const LEAST_MS = 0.001;
const DAY_MS = 86_400_000;

/**
 * When the newest requests that match came, and how long they took. What is drawn over narrows the list; the charts go on showing what
 * is around it. Drawn anew for other filters, not for each page of the list.
 */
export const ListCharts = memo(({ filters }: { readonly filters: ListFilters }) => {
  const { from, to, min, max } = useListParams();
  const change = useChangeView();
  const sample = useTraceSample(filters);
  const rows = sample.data?.traces;
  const charts = useMemo(() => (rows === undefined ? undefined : chartsOf(rows)), [rows]);
  if (sample.isPending) return <div className={classes.chartsWaiting} aria-hidden />;
  // One bar says nothing; and where the rows cannot be had, the list below says why.
  if (rows === undefined || charts === undefined || rows.length < 2) return null;
  const total = sample.data?.total ?? 0;
  const part = rows.length < total ? ` (newest ${formatCount(rows.length)} of ${formatCount(total)})` : '';
  return (
    <section aria-label="Charts" className={classes.charts}>
      <BrushBars
        label={`Requests over time${part}`}
        buckets={charts.times}
        format={timesWithin(charts.times[0]?.from ?? 0, charts.times.at(-1)?.to ?? 0)}
        chosen={
          from === undefined || to === undefined ? undefined : { from: Date.parse(from), to: Date.parse(to) }
        }
        onChoose={(range) =>
          change(
            {
              from: range && new Date(Math.floor(range.from)).toISOString(),
              // A request's start has microseconds, of which the chart knows nothing.
              to: range && new Date(Math.floor(range.to) + 1).toISOString(),
            },
            { replace: true },
          )
        }
      />
      <BrushBars
        label="Durations"
        buckets={charts.durations}
        format={formatDuration}
        chosen={min === undefined || max === undefined ? undefined : { from: Number(min), to: Number(max) }}
        onChoose={(range) =>
          change(
            {
              min: range && inMs(Math.floor(range.from * 1000)),
              max: range && inMs(Math.ceil(range.to * 1000)),
            },
            { replace: true },
          )
        }
      />
    </section>
  );
});

function chartsOf(rows: readonly TraceRow[]) {
  const samples = rows.map(({ timing, response, error }) => ({
    startMs: Date.parse(timing.startTime),
    durationMs: timing.duration,
    failed: isErrorTrace(response.statusCode, error.hasError),
  }));
  const by = (name: 'startMs' | 'durationMs') =>
    samples.map((sample) => ({ value: sample[name], failed: sample.failed }));
  return {
    times: evenBuckets(by('startMs'), TIME_BARS),
    durations: growingBuckets(by('durationMs'), DURATION_BARS, LEAST_MS),
  };
}

/** As short as tells the ends apart. */
function timesWithin(fromMs: number, toMs: number): (ms: number) => string {
  return toMs - fromMs > DAY_MS ? (ms) => `${formatDay(ms)} ${formatTimeOfDay(ms)}` : formatTimeOfDay;
}

/** Microseconds as an address has them: in milliseconds. */
function inMs(micros: number): string {
  return String(micros / 1000);
}
