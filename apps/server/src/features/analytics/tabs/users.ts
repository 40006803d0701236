import { type AnalyticsRange, formatInstant, type UsersAnalytics } from '@throughline/contract';
import type { Scope } from '../scope.ts';
import type { Sources } from '../sources.ts';
import { findCountries } from '../users-store.ts';
import { buildPreviousParts, computeAverage, computeAverageMs } from './stats.ts';

/** The maximum number of listed users. */
const MOST = 1000;
const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' });

export async function readUsers(
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
      avgResponseTime: computeAverageMs(user.duration_micros_sum, user.requests),
      errorCount: user.errors,
      sessionCount: user.sessions,
      lastSeen: formatInstant(user.last_start),
    })),
    sessions: {
      ...computeSessionTotals(all),
      previous: before === undefined ? null : computeSessionTotals(before),
      timeSeries: reading.parts.map((part) => buildPart(part, all)),
      previousTimeSeries: buildPreviousParts(scope, (part) => buildPart(part, before)),
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

function buildPart(part: bigint, figures: UsersFigures | undefined) {
  const { sessions = 0, users: activeUsers = 0 } = figures?.parts.get(part) ?? {};
  return { time: formatInstant(part), sessions, activeUsers };
}

function computeSessionTotals({ sessions, requests, session_micros }: UsersFigures) {
  return {
    total: sessions,
    avgRequests: computeAverage(requests, sessions),
    avgDuration: computeAverageMs(session_micros, sessions),
  };
}
