import {
  chooseDurationTone,
  formatAverage,
  formatCount,
  formatCounted,
  formatDuration,
  type PerformanceAnalytics,
} from '@throughline/contract';
import { type ReactNode, useMemo } from 'react';
import { TOP_ROWS, useShowAll } from '../../../ui/tables/use-show-all.tsx';
import { BarsChart } from '../../../visuals/plots/bars/bars-chart.tsx';
import { SERIES_LOOKS } from '../../../visuals/plots/frame/plot-colours.ts';
import { SeriesChart } from '../../../visuals/plots/series/series-chart.tsx';
import classes from '../analytics.module.css';
import { buildSeries, describePrevious, type SeriesOf } from '../data/build-series.ts';
import { DURATION } from '../data/measures.ts';
import { isCompared } from '../data/previous-period.ts';
import { usePerformance } from '../data/queries.ts';
import type { Scope, TabProps } from '../data/scope.ts';
import { buildSpans } from '../data/series-spans.ts';
import { EndpointCell } from '../tables/endpoint-cell.tsx';
import {
  buildDurationColumn,
  buildErrorRateColumn,
  buildTracedColumn,
  countColumn,
} from '../tables/figure-columns.tsx';
import { Change, computeChange } from '../tables/figures.tsx';
import { type RankColumn, RankTable } from '../tables/rank-table.tsx';
import { buildFailedLink, buildScopeSearch, linkSearch, timeSearch } from '../tables/trace-links.ts';
import { TraceRows } from '../tables/trace-rows.tsx';
import { DrawnTracesLink, ShowTraces } from '../tables/traces-link.tsx';
import { LatencyHeatmap } from './latency-heatmap.tsx';
import { TabBody } from './tab-body.tsx';

type Endpoint = PerformanceAnalytics['endpointPerformance'][number];

export function PerformanceTab({ scope }: TabProps) {
  return (
    <TabBody
      what="Performance stats"
      query={usePerformance(scope)}
      panels={['wide', 'wide', 'half', 'half']}
      isEmpty={({ endpointPerformance }) => endpointPerformance.length === 0}
      empty={{
        title: 'No performance data in this range',
        hint: 'Response times appear here once there are traces in this range. Choose a longer range, or clear filters.',
      }}
    >
      {(performance) => (
        <>
          <div className={classes.wide}>
            <Percentiles performance={performance} scope={scope} />
          </div>
          <div className={classes.wide}>
            <LatencyHeatmap performance={performance} scope={scope} />
          </div>
          <ResponseTimes endpoints={performance.endpointPerformance} />
          <Volumes endpoints={performance.endpointPerformance} />
          <div className={classes.wide}>
            <Endpoints endpoints={performance.endpointPerformance} compare={isCompared(performance.range)} />
          </div>
          <div className={classes.wide}>
            <TraceRows label="Slowest requests" traces={performance.slowestRequests} />
          </div>
        </>
      )}
    </TabBody>
  );
}

interface PartProps {
  readonly performance: PerformanceAnalytics;
  readonly scope: Scope;
}

/** P99 has no line for the previous period: a chart has at most five lines. */
const PERCENTILES: readonly SeriesOf<PerformanceAnalytics['timeSeries'][number]>[] = [
  { name: 'P50', look: SERIES_LOOKS[0], kind: 'line', pick: ({ p50Duration }) => p50Duration },
  { name: 'P95', look: SERIES_LOOKS[1], kind: 'line', pick: ({ p95Duration }) => p95Duration },
  {
    name: 'P99',
    look: SERIES_LOOKS[2],
    kind: 'line',
    pick: ({ p99Duration }) => p99Duration,
    isCompared: false,
  },
];

function Percentiles({ performance: { range, timeSeries, previousTimeSeries }, scope }: PartProps) {
  const spans = useMemo(() => buildSpans(range, timeSeries), [range, timeSeries]);
  const series = useMemo(
    () => buildSeries(PERCENTILES, timeSeries, previousTimeSeries),
    [timeSeries, previousTimeSeries],
  );
  return (
    <SeriesChart
      label="Response time percentiles"
      spans={spans}
      series={series}
      measure={DURATION}
      note={describePrevious(range, PERCENTILES, previousTimeSeries)}
      link={(span, place) => (
        <ShowTraces
          count={timeSeries[place]?.requestCount ?? 0}
          search={buildScopeSearch(scope, timeSearch(span))}
        />
      )}
    />
  );
}

const buildKey = ({ _id }: Endpoint) => `${_id.method} ${_id.path}`;

function ResponseTimes({ endpoints }: { readonly endpoints: readonly Endpoint[] }) {
  const slowest = useMemo(
    () => endpoints.toSorted((a, b) => (b.avgDuration ?? 0) - (a.avgDuration ?? 0)),
    [endpoints],
  );
  const { shown, button } = useShowAll(slowest, TOP_ROWS, 'endpoints');
  return (
    <BarsChart
      label="Response time by endpoint"
      rows={shown.map((endpoint) => ({
        key: buildKey(endpoint),
        label: buildKey(endpoint),
        value: endpoint.avgDuration ?? 0,
        text: `${formatAverage(endpoint.avgDuration ?? 0)} avg · ${formatDuration(endpoint.p95Duration ?? 0)} P95`,
        look: { tone: chooseDurationTone(endpoint.avgDuration ?? 0) },
      }))}
      table={{
        columns: [
          { name: 'Endpoint' },
          { name: 'Avg', unit: 'ms', write: formatAverage },
          { name: 'P95', unit: 'ms', write: formatDuration },
        ],
        rows: slowest.map((endpoint) => [buildKey(endpoint), endpoint.avgDuration, endpoint.p95Duration]),
      }}
      link={({ key }, drawn) => <ToEndpoint endpoints={endpoints} of={key} drawn={drawn} />}
      actions={button}
    />
  );
}

function Volumes({ endpoints }: { readonly endpoints: readonly Endpoint[] }) {
  const { shown, button } = useShowAll(endpoints, TOP_ROWS, 'endpoints');
  return (
    <BarsChart
      label="Top endpoints by volume"
      rows={shown.map((endpoint) => ({
        key: buildKey(endpoint),
        label: buildKey(endpoint),
        value: endpoint.requestCount,
        text: formatCounted(endpoint.requestCount, 'request'),
        look: SERIES_LOOKS[0],
      }))}
      table={{
        columns: [{ name: 'Endpoint' }, { name: 'Requests', write: formatCount }],
        rows: endpoints.map((endpoint) => [buildKey(endpoint), endpoint.requestCount]),
      }}
      link={({ key }, drawn) => <ToEndpoint endpoints={endpoints} of={key} drawn={drawn} />}
      actions={button}
    />
  );
}

interface ToEndpointProps {
  readonly endpoints: readonly Endpoint[];
  readonly of: string;
  readonly drawn: ReactNode;
}

function ToEndpoint({ endpoints, of, drawn }: ToEndpointProps) {
  const endpoint = endpoints.find((each) => buildKey(each) === of);
  return <DrawnTracesLink search={endpoint && linkSearch(endpoint.traces)}>{drawn}</DrawnTracesLink>;
}

interface EndpointsProps {
  readonly endpoints: readonly Endpoint[];
  readonly compare: boolean;
}

function Endpoints({ endpoints, compare }: EndpointsProps) {
  const compared: readonly RankColumn<Endpoint>[] = compare
    ? [
        {
          name: 'P95 vs. previous',
          kind: 'number',
          value: ({ p95Duration, previous }) => computeChange(p95Duration, previous?.p95Duration ?? null),
          cell: ({ p95Duration, previous }) => (
            <Change now={p95Duration} before={previous?.p95Duration ?? null} write={formatDuration} bad />
          ),
        },
      ]
    : [];
  return (
    <RankTable
      label="Endpoints"
      rows={endpoints}
      getKey={buildKey}
      buildTraceLink={({ traces }) => linkSearch(traces)}
      empty="No requests"
      columns={[
        {
          name: 'Endpoint',
          kind: 'text',
          value: buildKey,
          cell: (row) => <EndpointCell {...row._id} search={linkSearch(row.traces)} />,
        },
        countColumn('Requests', 'requestCount'),
        buildDurationColumn('Avg', 'avgDuration'),
        buildDurationColumn('P50', 'p50Duration'),
        buildDurationColumn('P95', 'p95Duration'),
        buildDurationColumn('P99', 'p99Duration'),
        ...compared,
        buildTracedColumn('Errors', 'errorCount', buildFailedLink),
        buildErrorRateColumn(buildFailedLink),
      ]}
    />
  );
}
