import { ALERT_WINDOW_MINUTES } from './alert-rules.ts';
import type { AlertIncident } from './alerts.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Number of days in UTC in which a check looks for insights. The last of these days is the day of the check. */
const WATCHED_DAYS = 7;
/** For an incident about missing traffic, the range starts this number of minutes before the traffic stopped. */
const BEFORE_STOP_MINUTES = 60;

type Timed = Pick<AlertIncident, 'openedAt' | 'closedAt'> & {
  readonly rule: Pick<AlertIncident['rule'], 'kind' | 'minutes'>;
};

/** Returns when the traffic stopped, for an incident about missing traffic. */
export function findTrafficStop({ rule, openedAt }: Timed): Date {
  return new Date(Date.parse(openedAt) - (rule.minutes ?? 0) * MINUTE_MS);
}

/** Returns the start of the time range with the requests that an incident is about. */
export function findIncidentStart(incident: Timed): Date {
  const { rule, openedAt } = incident;
  if (rule.kind === 'no_traffic') {
    return new Date(findTrafficStop(incident).getTime() - BEFORE_STOP_MINUTES * MINUTE_MS);
  }
  // A measured value covers the last `ALERT_WINDOW_MINUTES`, so the range starts that number of minutes before `openedAt`.
  const isMeasured = rule.kind === 'error_rate' || rule.kind === 'p95';
  return new Date(Date.parse(openedAt) - (isMeasured ? ALERT_WINDOW_MINUTES * MINUTE_MS : 0));
}

/** Returns the end of the time range with the requests that an incident is about; null for an ongoing incident. */
export function findIncidentEnd(incident: Timed): Date | null {
  // There are no requests during an incident about missing traffic, so the range ends a minute after the requests stopped.
  if (incident.rule.kind === 'no_traffic') return new Date(findTrafficStop(incident).getTime() + MINUTE_MS);
  return incident.closedAt === null ? null : new Date(incident.closedAt);
}

/** Returns the start of the `WATCHED_DAYS` days in which a check at the given time looks for insights: a midnight in UTC. */
export function findWatchedStart(checkedAt: Date): Date {
  const midnightMs = Math.floor(checkedAt.getTime() / DAY_MS) * DAY_MS;
  return new Date(midnightMs - (WATCHED_DAYS - 1) * DAY_MS);
}
