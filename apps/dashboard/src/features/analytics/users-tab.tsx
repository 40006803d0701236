import { formatAverage, formatCount, type UsersAnalytics } from '@throughline/contract';
import { useMemo } from 'react';
import { DurationText } from '../../ui/badges.tsx';
import { Timestamp } from '../../ui/timestamp.tsx';
import { CountryMap } from '../../visuals/plots/country-map.tsx';
import { SERIES_LOOKS } from '../../visuals/plots/plot-colours.ts';
import { SeriesChart } from '../../visuals/plots/series-chart.tsx';
import classes from './analytics.module.css';
import { Figures } from './figures.tsx';
import { COUNT } from './measures.ts';
import { useUsers } from './queries.ts';
import { RankTable } from './rank-table.tsx';
import type { Scope, TabProps } from './scope.ts';
import { byInterval, spansOf } from './series-spans.ts';
import { TabBody } from './tab-body.tsx';

export function UsersTab({ scope }: TabProps) {
  return (
    <TabBody
      what="User analytics"
      query={useUsers(scope)}
      tiles={5}
      isEmpty={({ activity, unknownRequests, geography }) =>
        activity.length === 0 && unknownRequests === 0 && geography.length === 0
      }
      empty={{
        title: 'No user activity in this range',
        hint: 'Users appear here once requests are traced; setUser in the SDK says who they are.',
      }}
    >
      {(users) => (
        <>
          <div className={classes.wide}>
            <UserFigures users={users} scope={scope} />
          </div>
          <div className={classes.wide}>
            <Sessions users={users} />
          </div>
          <Locations geography={users.geography} />
          <Countries geography={users.geography} />
          <div className={classes.wide}>
            <TopUsers activity={users.activity} />
          </div>
        </>
      )}
    </TabBody>
  );
}

function UserFigures({ users, scope }: { readonly users: UsersAnalytics; readonly scope: Scope }) {
  const { activeUsers, previousActiveUsers, sessions, unknownRequests } = users;
  return (
    <Figures
      figures={[
        {
          label: 'Active Users',
          value: activeUsers,
          write: formatCount,
          ...(scope.compare ? { previous: previousActiveUsers } : {}),
        },
        { label: 'Sessions', value: sessions.total, write: formatCount },
        {
          label: 'Requests a Session',
          value: sessions.avgRequests,
          write: (requests) => requests.toFixed(1),
        },
        { label: 'Avg Session', value: sessions.avgDuration, write: formatSession },
        { label: 'Requests of Unknown Users', value: unknownRequests, write: formatCount },
      ]}
    />
  );
}

const MINUTE_MS = 60_000;

/** How long people stayed: minutes, below one as durations are. */
function formatSession(ms: number): string {
  return ms < MINUTE_MS ? formatAverage(ms) : `${(ms / MINUTE_MS).toFixed(1)} min`;
}

function Sessions({ users: { range, sessions } }: { readonly users: UsersAnalytics }) {
  const { timeSeries } = sessions;
  const spans = useMemo(() => spansOf(range, timeSeries), [range, timeSeries]);
  const series = useMemo(
    () => [
      {
        name: 'Sessions',
        values: timeSeries.map((part) => part.sessions),
        look: SERIES_LOOKS[0],
        kind: 'line' as const,
      },
      {
        name: 'Active users',
        values: timeSeries.map((part) => part.activeUsers),
        look: SERIES_LOOKS[1],
        kind: 'line' as const,
      },
    ],
    [timeSeries],
  );
  return (
    <SeriesChart
      label={`Sessions and active users ${byInterval(range)}`}
      spans={spans}
      series={series}
      measure={COUNT}
    />
  );
}

function Locations({ geography }: Pick<UsersAnalytics, 'geography'>) {
  return (
    <CountryMap
      label="Requests by country"
      countries={geography.map(({ country, name, requestCount }) => ({
        country,
        name,
        count: requestCount,
        text: `${formatCount(requestCount)} requests`,
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
      empty="No location is known in this range."
    />
  );
}

function Countries({ geography }: Pick<UsersAnalytics, 'geography'>) {
  return (
    <RankTable
      label="Locations"
      rows={geography}
      keyOf={({ country }) => country ?? 'unknown'}
      empty="No location is known in this range."
      minWidth={360}
      columns={[
        { name: 'Country', cell: ({ name }) => name },
        { name: 'Requests', figure: true, cell: ({ requestCount }) => formatCount(requestCount) },
        { name: 'Users', figure: true, cell: ({ userCount }) => formatCount(userCount) },
        { name: 'Errors', figure: true, cell: ({ errorCount }) => formatCount(errorCount) },
      ]}
    />
  );
}

function TopUsers({ activity }: Pick<UsersAnalytics, 'activity'>) {
  return (
    <RankTable
      label="Top Users"
      rows={activity}
      keyOf={({ userId }) => userId}
      empty="No request of this range says whose it was; setUser in the SDK does."
      columns={[
        { name: 'User', cell: ({ userId }) => <span className="mono">{userId}</span> },
        { name: 'Requests', figure: true, cell: ({ requestCount }) => formatCount(requestCount) },
        {
          name: 'Avg Response Time',
          figure: true,
          cell: ({ avgResponseTime }) =>
            avgResponseTime === null ? '–' : <DurationText ms={avgResponseTime} />,
        },
        { name: 'Errors', figure: true, cell: ({ errorCount }) => formatCount(errorCount) },
        { name: 'Sessions', figure: true, cell: ({ sessionCount }) => formatCount(sessionCount) },
        { name: 'Last Seen', cell: ({ lastSeen }) => <Timestamp at={lastSeen} /> },
      ]}
    />
  );
}
