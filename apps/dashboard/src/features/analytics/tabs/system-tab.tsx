import {
  formatAverage,
  formatCount,
  formatDuration,
  formatMegabytes,
  formatRate,
  type SystemAnalytics,
} from '@throughline/contract';
import { useMemo } from 'react';
import type { Measure } from '../../../visuals/plots/series/series.ts';
import { SeriesChart } from '../../../visuals/plots/series/series-chart.tsx';
import type { Span } from '../../../visuals/plots/series/spans.ts';
import classes from '../analytics.module.css';
import { buildSeries, describePrevious, type SeriesOf } from '../data/build-series.ts';
import { DURATION, MEMORY, RATE } from '../data/measures.ts';
import { isCompared } from '../data/previous-period.ts';
import { useSystem } from '../data/queries.ts';
import type { Scope, TabProps } from '../data/scope.ts';
import { buildSpans } from '../data/series-spans.ts';
import { buildServiceSearch, formatService } from '../data/service-names.ts';
import {
  buildErrorRateColumn,
  buildFormattedColumn,
  countColumn,
  rateColumn,
} from '../tables/figure-columns.tsx';
import { type Figure, Figures } from '../tables/figures.tsx';
import { RankTable } from '../tables/rank-table.tsx';
import { buildScopeSearch, timeSearch } from '../tables/trace-links.ts';
import { NamedTraces, ShowTraces } from '../tables/traces-link.tsx';
import { TabBody } from './tab-body.tsx';

export function SystemTab({ scope }: TabProps) {
  return (
    <TabBody
      what="System metrics"
      query={useSystem(scope)}
      tiles={6}
      panels={['half', 'half', 'half', 'half']}
      isEmpty={({ metrics }) => metrics.totalRequests === 0}
      empty={{
        title: 'No system metrics in this range',
        hint: 'Memory, CPU and event loop delay are recorded with each trace. Choose a longer range, or clear filters.',
      }}
    >
      {(system) => (
        <>
          <div className={classes.wide}>
            <Figures figures={listFigures(system, scope)} />
          </div>
          <Charts system={system} scope={scope} />
          <div className={classes.wide}>
            <Services services={system.services} scope={scope} />
          </div>
        </>
      )}
    </TabBody>
  );
}

function listFigures({ range, metrics, previous }: SystemAnalytics, scope: Scope): Figure[] {
  const figure = (
    label: string,
    name: keyof typeof metrics,
    write: (value: number) => string,
    more: Partial<Figure> = {},
  ): Figure => ({
    label,
    value: metrics[name],
    write,
    search: buildScopeSearch(scope),
    ...(isCompared(range) ? { previous: previous?.[name] ?? null } : {}),
    ...more,
  });
  const worse = { badWhenMore: true };
  return [
    figure('Total requests', 'totalRequests', formatCount),
    figure('Avg response time', 'avgResponseTime', formatAverage, worse),
    figure('Error rate', 'errorRate', formatRate, {
      ...worse,
      search: buildScopeSearch(scope, { status: 'error' }),
    }),
    figure('Avg memory', 'avgMemoryUsage', formatMegabytes, worse),
    figure('Avg CPU', 'avgCpuUsage', formatRate, worse),
    figure('Avg event loop delay', 'avgEventLoopDelay', formatDuration, worse),
  ];
}

const CHARTS = [
  { label: 'Memory', name: 'avgMemoryUsage', measure: MEMORY },
  { label: 'CPU', name: 'avgCpuUsage', measure: RATE },
  { label: 'Event loop delay', name: 'avgEventLoopDelay', measure: DURATION },
  { label: 'Response time', name: 'avgResponseTime', measure: DURATION },
] as const;

interface ChartsProps {
  readonly system: SystemAnalytics;
  readonly scope: Scope;
}

function Charts({ system: { range, timeSeries, previousTimeSeries }, scope }: ChartsProps) {
  const spans = useMemo(() => buildSpans(range, timeSeries), [range, timeSeries]);
  return CHARTS.map(({ label, name, measure }) => (
    <Chart
      key={name}
      label={label}
      name={name}
      measure={measure}
      spans={spans}
      timeSeries={timeSeries}
      range={range}
      previousTimeSeries={previousTimeSeries}
      scope={scope}
    />
  ));
}

interface ChartProps extends Pick<SystemAnalytics, 'range' | 'timeSeries' | 'previousTimeSeries'> {
  readonly label: string;
  readonly name: (typeof CHARTS)[number]['name'];
  readonly measure: Measure;
  readonly spans: readonly Span[];
  readonly scope: Scope;
}

function Chart({ label, name, measure, spans, range, timeSeries, previousTimeSeries, scope }: ChartProps) {
  const columns = useMemo<readonly SeriesOf<SystemAnalytics['timeSeries'][number]>[]>(
    () => [{ name: 'Average', look: { tone: 'blue' }, kind: 'line', pick: (part) => part[name] }],
    [name],
  );
  const series = useMemo(
    () => buildSeries(columns, timeSeries, previousTimeSeries),
    [columns, timeSeries, previousTimeSeries],
  );
  return (
    <SeriesChart
      label={`${label} over time`}
      spans={spans}
      series={series}
      measure={measure}
      empty="Not reported in this range"
      note={describePrevious(range, columns, previousTimeSeries)}
      link={(span, place) => (
        <ShowTraces
          count={timeSeries[place]?.totalRequests ?? 0}
          search={buildScopeSearch(scope, timeSearch(span))}
        />
      )}
    />
  );
}

interface ServicesProps extends Pick<SystemAnalytics, 'services'> {
  readonly scope: Scope;
}

type Service = SystemAnalytics['services'][number];

function Services({ services, scope }: ServicesProps) {
  const of = ({ service }: Service) => buildScopeSearch(scope, buildServiceSearch(service));
  return (
    <RankTable
      label="Services"
      rows={services}
      getKey={({ service }) => service}
      buildTraceLink={of}
      empty="No services in this range"
      columns={[
        {
          name: 'Service',
          kind: 'text',
          value: ({ service }) => formatService(service),
          cell: (row) => <NamedTraces name={formatService(row.service)} search={of(row)} />,
        },
        countColumn('Requests', 'totalRequests'),
        buildFormattedColumn('Avg response time', 'avgResponseTime', formatAverage),
        buildErrorRateColumn((row: Service) => ({ ...of(row), status: 'error' })),
        buildFormattedColumn('Avg memory', 'avgMemoryUsage', formatMegabytes),
        rateColumn('Avg CPU', 'avgCpuUsage'),
        buildFormattedColumn('Event loop delay', 'avgEventLoopDelay', formatDuration),
      ]}
    />
  );
}
