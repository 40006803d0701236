import { Text } from '@mantine/core';
import { formatCount, formatDuration, parseInstant, type TraceFacets } from '@throughline/contract';
import { memo, useMemo } from 'react';
import { useReleaseMarks } from '../../../shell/time-range/release-marks.ts';
import { useChangeView } from '../../../shell/url-state/search-params.ts';
import { createTimeFormatter } from '../../../ui/time/relative-time.ts';
import { Timestamp } from '../../../ui/time/timestamp.tsx';
import { BrushBars } from '../../../visuals/charts/brush-bars.tsx';
import { useListParams } from '../filters/use-list-params.ts';
import { type ListFilters, useTraceFacets } from '../queries.ts';
import classes from '../trace-list.module.css';

interface ListChartsProps {
  readonly filters: ListFilters;
  /** True if the user has set a filter. */
  readonly filtered: boolean;
}

/**
 * Charts of the start times and durations of the matching requests, counted on the server. Selecting a range of start times zooms the whole
 * page to it. Selecting durations filters the list; the chart still shows other durations. Memoized, so that loading a page of the list
 * does not render the charts.
 */
export const ListCharts = memo(({ filters, filtered }: ListChartsProps) => {
  const marks = useReleaseMarks(filters.projectId);
  const { from, to, min, max } = useListParams();
  const change = useChangeView();
  const facets = useTraceFacets(filters);
  const { data } = facets;
  const charts = useMemo(() => (data === undefined ? undefined : buildCharts(data)), [data]);
  if (facets.isPending) return <div className={classes.chartsWaiting} aria-hidden />;
  // If loading fails, the page has no charts.
  if (data === undefined || charts === undefined) return null;
  if (data.total === 0 && from === undefined && min === undefined && max === undefined) {
    // The charts keep their place, so that the filter bar does not move while the user changes the filters.
    return filtered ? <div className={classes.chartsEmpty}>No requests to show in the charts</div> : null;
  }
  const about = data.sampledOneIn > 1 ? ` (about, from one in ${formatCount(data.sampledOneIn)})` : '';
  return (
    <section aria-label="Charts" className={classes.charts}>
      {data.search && (
        <Text size="sm" role="note" className={classes.chartsNote ?? ''}>
          The charts contain only requests since <Timestamp at={data.search.since} show="full" />.
        </Text>
      )}
      <BrushBars
        label="Requests over time"
        buckets={charts.times}
        marks={marks}
        format={createTimeFormatter(charts.times[0]?.from ?? 0, charts.times.at(-1)?.to ?? 0)}
        chosen={
          from === undefined
            ? undefined
            : // A range without an end ends at the last bar.
              {
                from: Date.parse(from),
                to: to === undefined ? (charts.times.at(-1)?.to ?? 0) : Date.parse(to),
              }
        }
        onChoose={(range) =>
          // The browser's Back button undoes a zoom. Without `from` and `to`, the range before the zoom applies again: its parameters stay
          // in the URL.
          change({
            from: range && new Date(Math.floor(range.from)).toISOString(),
            // The URL has milliseconds, but bars and start times have microseconds, so round the end up.
            to: range && new Date(Math.floor(range.to) + 1).toISOString(),
          })
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
              min: range && formatMs(Math.round(range.from * 1000)),
              // Subtract a microsecond, since a bar's end is the next bar's beginning.
              max: range && formatMs(Math.round(range.to * 1000) - 1),
            },
            { replace: true },
          )
        }
      />
    </section>
  );
});

/** Returns the selected duration range. A range without a maximum ends at the last bar. */
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

/** Converts a timestamp to fractional milliseconds, because a busy service's bars can be narrower than a millisecond. */
function toMilliseconds(instant: string): number {
  return Number(parseInstant(instant) ?? 0n) / 1000;
}

/** Converts microseconds to the URL's format, milliseconds. */
function formatMs(micros: number): string {
  return String(micros / 1000);
}
