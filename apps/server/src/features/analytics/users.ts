import { type AnalyticsRange, microsToInstant, type UsersAnalytics } from '@throughline/contract';
import { average, averageMs } from './figures.ts';
import type { Scope } from './scope.ts';
import type { Sources } from './sources.ts';
import { findCountries } from './users-store.ts';

/** The most users that are listed. */
const MOST = 1000;
const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' });

export async function users(
  { store, rollups }: Sources,
  scope: Scope,
  range: AnalyticsRange,
): Promise<UsersAnalytics> {
  const { project, reading, previous } = scope;
  const totals = await rollups.userTotals(project, reading);
  const before = previous === undefined ? undefined : await rollups.userTotals(project, previous);
  // Those of whom nobody knows are one of them at most.
  const found = await rollups.users(project, reading, MOST + 1);
  const parts = new Map((await rollups.userParts(project, reading)).map((part) => [part.part, part]));
  const countries = await findCountries(store, project, reading);
  const sessions = totals?.sessions ?? 0;
  return {
    range,
    activeUsers: totals?.users ?? 0,
    previousActiveUsers: previous === undefined ? null : (before?.users ?? 0),
    unknownRequests: totals?.unknown_requests ?? 0,
    activity: found
      .filter(({ user_id }) => user_id !== '')
      .slice(0, MOST)
      .map((user) => ({
        userId: user.user_id,
        requestCount: user.requests,
        avgResponseTime: averageMs(user.duration_micros_sum, user.requests),
        errorCount: user.errors,
        sessionCount: user.sessions,
        lastSeen: microsToInstant(user.last_start),
      })),
    sessions: {
      total: sessions,
      avgRequests: average(totals?.requests ?? 0, sessions),
      avgDuration: averageMs(totals?.session_micros ?? 0, sessions),
      timeSeries: reading.parts.map((part) => ({
        time: microsToInstant(part),
        sessions: parts.get(part)?.sessions ?? 0,
        activeUsers: parts.get(part)?.users ?? 0,
      })),
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
