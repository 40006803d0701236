import { formatAverage, formatCount, formatCounted, type UsersAnalytics } from '@throughline/contract';
import { useMemo } from 'react';
import type { ViewChange } from '../../../shell/url-state/search-params.ts';
import { SERIES_LOOKS } from '../../../visuals/plots/frame/plot-colours.ts';
import { CountryMap } from '../../../visuals/plots/map/country-map.tsx';
import { SeriesChart } from '../../../visuals/plots/series/series-chart.tsx';
import classes from '../analytics.module.css';
import { buildSeries, describePrevious, type SeriesOf } from '../data/build-series.ts';
import { COUNT } from '../data/measures.ts';
import { isCompared } from '../data/previous-period.ts';
import { useUsers } from '../data/queries.ts';
import type { Scope, TabProps } from '../data/scope.ts';
import { buildSpans, describeInterval } from '../data/series-spans.ts';
import {
  buildDurationColumn,
  buildTimeColumn,
  buildTracedColumn,
  countColumn,
} from '../tables/figure-columns.tsx';
import { Figures } from '../tables/figures.tsx';
import { RankTable } from '../tables/rank-table.tsx';
import { buildScopeSearch, timeSearch } from '../tables/trace-links.ts';
import { DrawnTracesLink, NamedTraces, TracesLink } from '../tables/traces-link.tsx';
import { TabBody } from './tab-body.tsx';

export function UsersTab({ scope }: TabProps) {
  return (
    <TabBody
      what="User analytics"
      query={useUsers(scope)}
      tiles={5}
      panels={['wide', 'half', 'half']}
      isEmpty={({ activity, unknownRequests, geography }) =>
        activity.length === 0 && unknownRequests === 0 && geography.length === 0
      }
      empty={{
        title: 'No user activity in this range',
        hint: 'Users appear here once there are traces in this range. Call setUser() in the SDK to identify them.',
      }}
    >
      {(users) => (
        <>
          <div className={classes.wide}>
            <UserFigures users={users} scope={scope} />
          </div>
          <div className={classes.wide}>
            <Sessions users={users} scope={scope} />
          </div>
          <Locations geography={users.geography} scope={scope} />
          <Countries geography={users.geography} scope={scope} />
          <div className={classes.wide}>
            <TopUsers activity={users.activity} scope={scope} />
          </div>
        </>
      )}
    </TabBody>
  );
}

interface PartProps {
  readonly users: UsersAnalytics;
  readonly scope: Scope;
}

function UserFigures({ users, scope }: PartProps) {
  const { range, activeUsers, previousActiveUsers, sessions, unknownRequests } = users;
  const ofKnown = buildScopeSearch(scope, { users: 'known' });
  const before = (name: 'total' | 'avgRequests' | 'avgDuration') =>
    isCompared(range) ? { previous: sessions.previous?.[name] ?? null } : {};
  return (
    <Figures
      figures={[
        {
          label: 'Active users',
          value: activeUsers,
          write: formatCount,
          search: ofKnown,
          ...(isCompared(range) ? { previous: previousActiveUsers } : {}),
        },
        {
          label: 'Sessions',
          value: sessions.total,
          write: formatCount,
          search: ofKnown,
          ...before('total'),
        },
        {
          label: 'Requests per session',
          value: sessions.avgRequests,
          write: (requests) => requests.toFixed(1),
          search: ofKnown,
          ...before('avgRequests'),
        },
        {
          label: 'Avg session',
          value: sessions.avgDuration,
          write: formatSession,
          search: ofKnown,
          ...before('avgDuration'),
        },
        {
          label: 'Anonymous requests',
          value: unknownRequests,
          write: formatCount,
          search: buildScopeSearch(scope, { users: 'unknown' }),
        },
      ]}
    />
  );
}

const MINUTE_MS = 60_000;

/** Formats the length of a session: from one minute on in minutes, below a minute in seconds or milliseconds. */
function formatSession(ms: number): string {
  return ms < MINUTE_MS ? formatAverage(ms) : `${(ms / MINUTE_MS).toFixed(1)} min`;
}

const SESSIONS: readonly SeriesOf<UsersAnalytics['sessions']['timeSeries'][number]>[] = [
  { name: 'Sessions', look: SERIES_LOOKS[0], kind: 'line', pick: ({ sessions }) => sessions },
  { name: 'Active users', look: SERIES_LOOKS[1], kind: 'line', pick: ({ activeUsers }) => activeUsers },
];

function Sessions({ users: { range, sessions }, scope }: PartProps) {
  const { timeSeries, previousTimeSeries } = sessions;
  const spans = useMemo(() => buildSpans(range, timeSeries), [range, timeSeries]);
  const series = useMemo(
    () => buildSeries(SESSIONS, timeSeries, previousTimeSeries),
    [timeSeries, previousTimeSeries],
  );
  return (
    <SeriesChart
      label={`Sessions and active users ${describeInterval(range)}`}
      spans={spans}
      series={series}
      measure={COUNT}
      note={describePrevious(range, SESSIONS, previousTimeSeries)}
      link={(span, place) =>
        (timeSeries[place]?.activeUsers ?? 0) > 0 && (
          <TracesLink search={buildScopeSearch(scope, { ...timeSearch(span), users: 'known' })}>
            Show traces of active users
          </TracesLink>
        )
      }
    />
  );
}

type Geography = UsersAnalytics['geography'][number];

interface GeographyProps extends Pick<UsersAnalytics, 'geography'> {
  readonly scope: Scope;
}

/** Returns the URL parameters that make the trace list show the requests from a country. The code of an unknown country is ZZ. */
function buildCountrySearch(scope: Scope, country: string | null): ViewChange {
  return buildScopeSearch(scope, { country: country ?? 'ZZ' });
}

function Locations({ geography, scope }: GeographyProps) {
  return (
    <CountryMap
      label="Requests by country"
      countries={geography.map(({ country, name, requestCount }) => ({
        country,
        name,
        count: requestCount,
        text: formatCounted(requestCount, 'request'),
      }))}
      table={{
        columns: [
          { name: 'Country' },
          { name: 'Requests', write: formatCount },
          { name: 'Users', write: formatCount },
          { name: 'Errors', write: formatCount },
        ],
        rows: geography.map(({ name, requestCount, userCount, errorCount }) => [
          name,
          requestCount,
          userCount,
          errorCount,
        ]),
      }}
      empty="No known locations in this range"
      link={({ country }, drawn) => (
        <DrawnTracesLink isTwin search={buildCountrySearch(scope, country)}>
          {drawn}
        </DrawnTracesLink>
      )}
    />
  );
}

function Countries({ geography, scope }: GeographyProps) {
  const from = ({ country }: Geography) => buildCountrySearch(scope, country);
  return (
    <RankTable
      label="Locations"
      rows={geography}
      getKey={({ country }) => country ?? 'unknown'}
      buildTraceLink={from}
      empty="No known locations in this range"
      columns={[
        {
          name: 'Country',
          kind: 'text',
          value: ({ name }) => name,
          cell: (row) => <TracesLink search={from(row)}>{row.name}</TracesLink>,
        },
        countColumn('Requests', 'requestCount'),
        buildTracedColumn('Users', 'userCount', (row: Geography) => ({ ...from(row), users: 'known' })),
        buildTracedColumn('Errors', 'errorCount', (row: Geography) => ({ ...from(row), status: 'error' })),
      ]}
    />
  );
}

interface TopUsersProps extends Pick<UsersAnalytics, 'activity'> {
  readonly scope: Scope;
}

type ActiveUser = UsersAnalytics['activity'][number];

function TopUsers({ activity, scope }: TopUsersProps) {
  const of = ({ userId }: ActiveUser) => buildScopeSearch(scope, { user: userId });
  return (
    <RankTable
      label="Top users"
      rows={activity}
      getKey={({ userId }) => userId}
      buildTraceLink={of}
      empty="No identified users. Call setUser() in the SDK."
      columns={[
        {
          name: 'User',
          kind: 'text',
          value: ({ userId }) => userId,
          cell: (row) => <NamedTraces name={row.userId} search={of(row)} />,
        },
        countColumn('Requests', 'requestCount'),
        buildDurationColumn('Avg response time', 'avgResponseTime'),
        buildTracedColumn('Errors', 'errorCount', (row: ActiveUser) => ({ ...of(row), status: 'error' })),
        countColumn('Sessions', 'sessionCount'),
        buildTimeColumn('Last seen', 'lastSeen'),
      ]}
    />
  );
}
