import { formatAverage, formatCount, formatRate, type OverviewAnalytics } from '@throughline/contract';
import { type ReactNode, useMemo } from 'react';
import { RingChart } from '../../../visuals/plots/ring/ring-chart.tsx';
import { SeriesChart } from '../../../visuals/plots/series/series-chart.tsx';
import classes from '../analytics.module.css';
import { buildSeries, describePrevious, type SeriesOf } from '../data/build-series.ts';
import { REQUESTS } from '../data/measures.ts';
import { isCompared } from '../data/previous-period.ts';
import { useInsights, useOverview } from '../data/queries.ts';
import type { Scope, TabProps } from '../data/scope.ts';
import { buildSpans, describeInterval } from '../data/series-spans.ts';
import { InsightsPanel } from '../insights/insights-panel.tsx';
import { PanelsSkeleton } from '../panels-skeleton.tsx';
import { EndpointCell } from '../tables/endpoint-cell.tsx';
import {
  buildDurationColumn,
  buildErrorRateColumn,
  buildTracedColumn,
  countColumn,
} from '../tables/figure-columns.tsx';
import { type Figure, Figures } from '../tables/figures.tsx';
import { RankTable } from '../tables/rank-table.tsx';
import { StatusClasses } from '../tables/status-classes.tsx';
import { buildFailedLink, buildScopeSearch, linkSearch, timeSearch } from '../tables/trace-links.ts';
import { TraceRows } from '../tables/trace-rows.tsx';
import { ShowTraces, TracesLink } from '../tables/traces-link.tsx';
import { TabBody } from './tab-body.tsx';

export function OverviewTab({ scope, project }: TabProps) {
  return (
    <TabBody
      what="The overview"
      query={useOverview(scope)}
      tiles={4}
      panels={['wide', 'half', 'half']}
      isEmpty={({ metrics }) => metrics.totalTraces === 0}
      empty={{
        title: 'No traces in this range',
        hint: 'Stats appear here once there are traces in this range. Choose a longer range, or clear filters.',
      }}
    >
      {(overview) => (
        <>
          <div className={classes.wide}>
            <Figures figures={listFigures(overview, scope)} />
          </div>
          <div className={classes.wide}>
            <Volume overview={overview} scope={scope} />
          </div>
          <Outcome overview={overview} scope={scope} />
          <StatusClasses statusClasses={overview.statusClasses} scope={scope} />
          <div className={classes.wide}>
            <InsightsPanel scope={scope} project={project} />
          </div>
          <BelowInsights scope={scope}>
            <div className={classes.wide}>
              <TopEndpoints endpoints={overview.topEndpoints} />
            </div>
            <div className={classes.wide}>
              <TraceRows label="Recent Traces" traces={overview.recentTraces} />
            </div>
          </BelowInsights>
        </>
      )}
    </TabBody>
  );
}

interface BelowInsightsProps {
  readonly scope: Scope;
  readonly children: ReactNode;
}

/** Panels whose position depends on the height of the insights: placeholders until the insights have loaded or failed. */
function BelowInsights({ scope, children }: BelowInsightsProps) {
  const { isPending } = useInsights(scope);
  if (!isPending) return children;
  return (
    <div className={classes.wide}>
      <PanelsSkeleton panels={['wide', 'wide']} />
    </div>
  );
}

function listFigures({ range, metrics, previous }: OverviewAnalytics, scope: Scope): Figure[] {
  const before = <Name extends keyof typeof metrics>(name: Name) =>
    isCompared(range) ? { previous: previous?.[name] ?? null } : {};
  return [
    {
      label: 'Total Traces',
      value: metrics.totalTraces,
      write: formatCount,
      search: buildScopeSearch(scope),
      ...before('totalTraces'),
    },
    {
      label: 'Error Rate',
      value: metrics.errorRate,
      write: formatRate,
      badWhenMore: true,
      search: buildScopeSearch(scope, { status: 'error' }),
      ...before('errorRate'),
    },
    {
      label: 'Avg Response Time',
      value: metrics.avgDuration,
      write: formatAverage,
      badWhenMore: true,
      search: buildScopeSearch(scope),
      ...before('avgDuration'),
    },
    {
      label: 'Error Traces',
      value: metrics.errorTraces,
      write: formatCount,
      badWhenMore: true,
      search: buildScopeSearch(scope, { status: 'error' }),
      ...before('errorTraces'),
    },
  ];
}

interface PartProps {
  readonly overview: OverviewAnalytics;
  readonly scope: Scope;
}

const VOLUME: readonly SeriesOf<OverviewAnalytics['requestVolume'][number]>[] = [
  { name: 'Requests', look: { tone: 'blue' }, kind: 'bars', pick: ({ requestCount }) => requestCount },
  {
    name: 'Errors',
    look: { tone: 'red', dash: [4, 2] },
    kind: 'bars',
    pick: ({ errorCount }) => errorCount,
  },
];

function Volume({ overview: { range, requestVolume, previousVolume }, scope }: PartProps) {
  const spans = useMemo(() => buildSpans(range, requestVolume), [range, requestVolume]);
  const series = useMemo(
    () => buildSeries(VOLUME, requestVolume, previousVolume),
    [requestVolume, previousVolume],
  );
  return (
    <SeriesChart
      label={`Request volume ${describeInterval(range)}`}
      spans={spans}
      series={series}
      measure={REQUESTS}
      note={describePrevious(range, VOLUME, previousVolume)}
      link={(span, place) => (
        <>
          <ShowTraces
            count={requestVolume[place]?.requestCount ?? 0}
            search={buildScopeSearch(scope, timeSearch(span))}
          />
          <ShowTraces
            count={requestVolume[place]?.errorCount ?? 0}
            kind="failed"
            search={buildScopeSearch(scope, { ...timeSearch(span), status: 'error' })}
          />
        </>
      )}
    />
  );
}

function Outcome({ overview: { outcome, metrics }, scope }: PartProps) {
  const all = outcome.success + outcome.error;
  const share = (count: number) =>
    `${formatCount(count)} · ${formatRate(all === 0 ? 0 : (count / all) * 100)}`;
  return (
    <RingChart
      label="Success versus error"
      parts={[
        { name: 'Success', value: outcome.success, text: share(outcome.success), look: { tone: 'green' } },
        { name: 'Error', value: outcome.error, text: share(outcome.error), look: { tone: 'red' } },
      ]}
      middle={{
        text: metrics.errorRate === null ? '–' : formatRate(100 - metrics.errorRate),
        label: 'success',
      }}
      table={{
        columns: [{ name: 'Outcome' }, { name: 'Requests', write: formatCount }],
        rows: [
          ['Success', outcome.success],
          ['Error', outcome.error],
        ],
      }}
      link={({ name }, drawn) => (
        <TracesLink search={buildScopeSearch(scope, { status: name === 'Success' ? 'success' : 'error' })}>
          {drawn}
        </TracesLink>
      )}
    />
  );
}

function TopEndpoints({ endpoints }: { readonly endpoints: OverviewAnalytics['topEndpoints'] }) {
  return (
    <RankTable
      label="Top Endpoints"
      rows={endpoints}
      getKey={({ method, path }) => `${method} ${path}`}
      buildTraceLink={({ traces }) => linkSearch(traces)}
      empty="No requests"
      columns={[
        {
          name: 'Endpoint',
          kind: 'text',
          value: ({ method, path }) => `${method} ${path}`,
          cell: (row) => <EndpointCell {...row} search={linkSearch(row.traces)} />,
        },
        countColumn('Requests', 'count'),
        buildDurationColumn('Avg Response Time', 'avgDuration'),
        buildTracedColumn('Errors', 'errorCount', buildFailedLink),
        buildErrorRateColumn(buildFailedLink),
      ]}
    />
  );
}
