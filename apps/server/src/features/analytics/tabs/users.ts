import { type AnalyticsRange, formatInstant, type UsersAnalytics } from '@throughline/contract';
import type { Scope } from '../scope.ts';
import type { Sources } from '../sources.ts';
import { findCountries } from '../users-store.ts';
import { average, averageMs } from './stats.ts';

/** The maximum number of listed users. */
const MOST = 1000;
const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' });

export async function users(
  { store, rollups }: Sources,
  scope: Scope,
  range: AnalyticsRange,
): Promise<UsersAnalytics> {
  const { project, reading, previous } = scope;
  const [all, before, countries] = await Promise.all([
    rollups.users(project, reading, MOST),
    previous && rollups.users(project, previous, 1),
    findCountries(store, project, reading),
  ]);
  return {
    range,
    activeUsers: all.users,
    previousActiveUsers: before?.users ?? null,
    unknownRequests: all.unknown_requests,
    activity: all.busiest.map((user) => ({
      userId: user.user_id,
      requestCount: user.requests,
      avgResponseTime: averageMs(user.duration_micros_sum, user.requests),
      errorCount: user.errors,
      sessionCount: user.sessions,
      lastSeen: formatInstant(user.last_start),
    })),
    sessions: {
      ...sessionTotals(all),
      previous: before === undefined ? null : sessionTotals(before),
      timeSeries: reading.parts.map((part) => {
        const { sessions = 0, users: activeUsers = 0 } = all.parts.get(part) ?? {};
        return { time: formatInstant(part), sessions, activeUsers };
      }),
    },
    geography: countries.map(({ country, requests, users: userCount, errors }) => ({
      country: country === '' ? null : country,
      name: country === '' ? 'Unknown' : (names.of(country) ?? country),
      requestCount: requests,
      userCount,
      errorCount: errors,
    })),
  };
}

type UsersFigures = Awaited<ReturnType<Sources['rollups']['users']>>;

function sessionTotals({ sessions, requests, session_micros }: UsersFigures) {
  return {
    total: sessions,
    avgRequests: average(requests, sessions),
    avgDuration: averageMs(session_micros, sessions),
  };
}
