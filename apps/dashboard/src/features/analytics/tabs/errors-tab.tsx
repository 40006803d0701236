import { chooseStatusTone, type ErrorsAnalytics, formatCount, formatRate } from '@throughline/contract';
import { escapeControlCharacters } from '@throughline/contract/captured';
import { useMemo } from 'react';
import { AnchorLink } from '../../../ui/layout/links.tsx';
import { BarsChart } from '../../../visuals/plots/bars/bars-chart.tsx';
import { SeriesChart } from '../../../visuals/plots/series/series-chart.tsx';
import type { Span } from '../../../visuals/plots/series/spans.ts';
import classes from '../analytics.module.css';
import { buildSeries, describePrevious, type SeriesOf } from '../data/build-series.ts';
import { RATE, REQUESTS } from '../data/measures.ts';
import { isCompared } from '../data/previous-period.ts';
import { useErrors } from '../data/queries.ts';
import type { Scope, TabProps } from '../data/scope.ts';
import { buildSpans } from '../data/series-spans.ts';
import { EndpointCell } from '../tables/endpoint-cell.tsx';
import {
  buildErrorRateColumn,
  buildTimeColumn,
  buildTracedColumn,
  countColumn,
} from '../tables/figure-columns.tsx';
import { Figures } from '../tables/figures.tsx';
import { RankTable } from '../tables/rank-table.tsx';
import { buildFailedLink, buildScopeSearch, linkSearch, timeSearch } from '../tables/trace-links.ts';
import { DrawnTracesLink, ShowTraces } from '../tables/traces-link.tsx';
import { TabBody } from './tab-body.tsx';

export function ErrorsTab({ scope }: TabProps) {
  return (
    <TabBody
      what="Errors"
      query={useErrors(scope)}
      tiles={3}
      panels={['half', 'half', 'wide']}
      isEmpty={({ metrics }) => metrics.errorCount === 0}
      empty={{
        title: 'No errors in this range',
        hint: 'No errors match these filters.',
      }}
    >
      {(errors) => (
        <>
          <div className={classes.wide}>
            <ErrorFigures errors={errors} scope={scope} />
          </div>
          <Trends errors={errors} scope={scope} />
          <div className={classes.wide}>
            <CommonErrors errors={errors} scope={scope} />
          </div>
          <div className={classes.wide}>
            <ByEndpoint breakdown={errors.breakdown} />
          </div>
          <div className={classes.wide}>
            <StatusCodes statusCodes={errors.statusCodes} />
          </div>
        </>
      )}
    </TabBody>
  );
}

interface PartProps {
  readonly errors: ErrorsAnalytics;
  readonly scope: Scope;
}

function ErrorFigures({ errors, scope }: PartProps) {
  const { range, metrics, previous } = errors;
  const before = (name: keyof typeof metrics) =>
    isCompared(range) ? { previous: previous?.[name] ?? null } : {};
  const search = buildScopeSearch(scope, { status: 'error' });
  const shared = { badWhenMore: true, search };
  return (
    <Figures
      figures={[
        {
          ...shared,
          label: 'Errors',
          value: metrics.errorCount,
          write: formatCount,
          ...before('errorCount'),
        },
        {
          ...shared,
          label: 'Error rate',
          value: metrics.errorRate,
          write: formatRate,
          ...before('errorRate'),
        },
        {
          ...shared,
          label: 'Affected endpoints',
          value: metrics.affectedEndpoints,
          write: formatCount,
          ...before('affectedEndpoints'),
        },
      ]}
    />
  );
}

type Trend = ErrorsAnalytics['trends'][number];
const COUNTS: readonly SeriesOf<Trend>[] = [
  { name: 'Errors', look: { tone: 'red' }, kind: 'bars', pick: ({ errorCount }) => errorCount },
];
const RATES: readonly SeriesOf<Trend>[] = [
  { name: 'Error rate', look: { tone: 'red' }, kind: 'line', pick: ({ errorRate }) => errorRate },
];

function Trends({ errors: { range, trends, previousTrends }, scope }: PartProps) {
  const spans = useMemo(() => buildSpans(range, trends), [range, trends]);
  const counts = useMemo(() => buildSeries(COUNTS, trends, previousTrends), [trends, previousTrends]);
  const rates = useMemo(() => buildSeries(RATES, trends, previousTrends), [trends, previousTrends]);
  const link = (span: Span, place: number) => (
    <ShowTraces
      count={trends[place]?.errorCount ?? 0}
      kind="failed"
      search={buildScopeSearch(scope, { ...timeSearch(span), status: 'error' })}
    />
  );
  return (
    <>
      <SeriesChart
        label="Error trends"
        spans={spans}
        series={counts}
        measure={REQUESTS}
        note={describePrevious(range, COUNTS, previousTrends)}
        link={link}
      />
      <SeriesChart
        label="Error rate over time"
        spans={spans}
        series={rates}
        measure={RATE}
        most={100}
        note={describePrevious(range, RATES, previousTrends)}
        link={link}
      />
    </>
  );
}

type CommonError = ErrorsAnalytics['commonErrors'][number];

function CommonErrors({ errors: { commonErrors }, scope }: PartProps) {
  const saying = ({ message }: CommonError) => buildScopeSearch(scope, { errorGroup: message });
  return (
    <RankTable
      label="Most common errors"
      rows={commonErrors}
      getKey={({ message }) => message}
      buildTraceLink={saying}
      empty="No errors in this range"
      columns={[
        {
          name: 'Error',
          kind: 'text',
          value: ({ message }) => message,
          cell: ({ message, example }) => (
            <AnchorLink
              to="/traces/$id"
              params={{ id: example.traceId }}
              search={{ project: scope.project }}
              inherit
              title={escapeControlCharacters(example.message)}
            >
              <span className="mono">{escapeControlCharacters(message)}</span>
            </AnchorLink>
          ),
        },
        buildTracedColumn('Count', 'count', saying),
        countColumn('Endpoints', 'endpointCount'),
        buildTracedColumn('Users', 'userCount', (row: CommonError) => ({ ...saying(row), users: 'known' })),
        buildTimeColumn('First', 'firstOccurrence'),
        buildTimeColumn('Last occurrence', 'lastOccurrence'),
      ]}
    />
  );
}

type ByEndpointRow = ErrorsAnalytics['breakdown'][number];

function ByEndpoint({ breakdown }: Pick<ErrorsAnalytics, 'breakdown'>) {
  return (
    <RankTable
      label="Errors by endpoint"
      rows={breakdown}
      getKey={({ method, path }) => `${method} ${path}`}
      buildTraceLink={buildFailedLink}
      empty="No failed endpoints in this range"
      columns={[
        {
          name: 'Endpoint',
          kind: 'text',
          value: ({ method, path }) => `${method} ${path}`,
          cell: (row) => <EndpointCell {...row} search={buildFailedLink(row)} />,
        },
        buildTracedColumn('Errors', 'errorCount', buildFailedLink),
        countColumn('Unique errors', 'uniqueErrorCount'),
        buildTracedColumn('Requests', 'requestCount', ({ traces }: ByEndpointRow) => ({
          ...linkSearch(traces),
          status: undefined,
        })),
        buildErrorRateColumn(buildFailedLink),
      ]}
    />
  );
}

function StatusCodes({ statusCodes }: Pick<ErrorsAnalytics, 'statusCodes'>) {
  const formatStatusCode = (code: number) => (code === 0 ? 'No response' : String(code));
  return (
    <BarsChart
      label="Failed requests by status"
      rows={statusCodes.map(({ statusCode, count }) => ({
        key: String(statusCode),
        label: formatStatusCode(statusCode),
        value: count,
        text: formatCount(count),
        look: { tone: chooseStatusTone(statusCode === 0 ? null : statusCode) },
      }))}
      table={{
        columns: [{ name: 'Status' }, { name: 'Requests', write: formatCount }],
        rows: statusCodes.map(({ statusCode, count }) => [formatStatusCode(statusCode), count]),
      }}
      link={({ key }, drawn) => {
        const traces = statusCodes.find(({ statusCode }) => String(statusCode) === key)?.traces;
        return <DrawnTracesLink search={traces && linkSearch(traces)}>{drawn}</DrawnTracesLink>;
      }}
    />
  );
}
