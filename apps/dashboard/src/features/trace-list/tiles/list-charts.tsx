import { formatCount, formatDuration, instantToMicros, type TraceFacets } from '@throughline/contract';
import { memo, useMemo } from 'react';
import { useChangeView } from '../../../shell/url-state/search-params.ts';
import { formatDate, formatDay, formatTimeOfDay } from '../../../ui/time/relative-time.ts';
import { BrushBars } from '../../../visuals/charts/brush-bars.tsx';
import { useListParams } from '../filters/use-list-params.ts';
import { type ListFilters, useTraceFacets } from '../queries.ts';
import classes from '../trace-list.module.css';

/**
 * The times and durations of all matching requests, counted on the server. Brushing a chart filters the list, while the charts still show the
 * surroundings. Drawn again for other filters, not for each page of the list.
 */
export const ListCharts = memo(({ filters }: { readonly filters: ListFilters }) => {
  const { from, to, min, max } = useListParams();
  const change = useChangeView();
  const facets = useTraceFacets(filters);
  const { data } = facets;
  const charts = useMemo(() => (data === undefined ? undefined : buildCharts(data)), [data]);
  if (facets.isPending) return <div className={classes.chartsWaiting} aria-hidden />;
  // Where the rows cannot be had, the list below says why. One bar says nothing, but a range that was chosen can be taken back there.
  const ranged = from !== undefined || min !== undefined || max !== undefined;
  if (data === undefined || charts === undefined || (data.total < 2 && !ranged)) return null;
  const about = data.sampledOneIn > 1 ? ` (about, from one in ${formatCount(data.sampledOneIn)})` : '';
  return (
    <section aria-label="Charts" className={classes.charts}>
      <BrushBars
        label="Requests over time"
        buckets={charts.times}
        format={timesWithin(charts.times[0]?.from ?? 0, charts.times.at(-1)?.to ?? 0)}
        chosen={
          from === undefined
            ? undefined
            : // Without an end it goes on to the last bar.
              {
                from: Date.parse(from),
                to: to === undefined ? (charts.times.at(-1)?.to ?? 0) : Date.parse(to),
              }
        }
        onChoose={(range) =>
          change(
            {
              from: range && new Date(Math.floor(range.from)).toISOString(),
              // An address has milliseconds, a bar's ends and a request's start have microseconds.
              to: range && new Date(Math.floor(range.to) + 1).toISOString(),
            },
            { replace: true },
          )
        }
      />
      <BrushBars
        label={`Durations${about}`}
        buckets={charts.durations}
        format={formatDuration}
        chosen={findChosen(min, max, charts.durations.at(-1)?.to ?? 0)}
        onChoose={(range) =>
          change(
            {
              min: range && inMs(Math.round(range.from * 1000)),
              // The next bar begins with a bar's end.
              max: range && inMs(Math.round(range.to * 1000) - 1),
            },
            { replace: true },
          )
        }
      />
    </section>
  );
});

/** Without a longest duration the stretch goes on to the last bar. */
function findChosen(min: string | undefined, max: string | undefined, lastMs: number) {
  if (min === undefined && max === undefined) return undefined;
  const from = Number(min ?? 0);
  return { from, to: max === undefined ? Math.max(from, lastMs) : Number(max) };
}

function buildCharts({ times, durations }: TraceFacets) {
  return {
    times: times.map(({ from, to, count, errors }) => ({
      from: toMilliseconds(from),
      to: toMilliseconds(to),
      total: count,
      errors,
    })),
    durations: durations.map(({ from, to, count, errors }) => ({ from, to, total: count, errors })),
  };
}

/** All digits of an instant: a busy service's bars may be narrower than a millisecond. */
function toMilliseconds(instant: string): number {
  return Number(instantToMicros(instant) ?? 0n) / 1000;
}

/** As short as tells instants apart: the time alone where all are of today. */
function timesWithin(fromMs: number, toMs: number): (ms: number) => string {
  const today = formatDate(Date.now());
  const isToday = formatDate(fromMs) === today && formatDate(toMs) === today;
  return isToday ? formatTimeOfDay : (ms) => `${formatDay(ms)} ${formatTimeOfDay(ms)}`;
}

/** Microseconds as an address has them: in milliseconds. */
function inMs(micros: number): string {
  return String(micros / 1000);
}
