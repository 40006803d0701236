import { ALERT_WINDOW_MINUTES, type AlertIncident } from '@throughline/contract';
import { writeTimeRange } from '../../../shell/time-range/range-params.ts';
import type { ViewChange } from '../../../shell/url-state/search-params.ts';

const MINUTE_MS = 60_000;
/** For a rule about missing traffic, the trace list starts this long before the last request. */
const BEFORE_STOP_MINUTES = 60;

/** Builds the URL parameters that make the trace list show the requests that an incident is about. */
export function buildRequestsSearch(projectId: string, incident: AlertIncident): ViewChange {
  const { rule, error } = incident;
  const [method, route] = splitEndpoint(rule.endpoint);
  return {
    ...writeTimeRange(findRange(incident)),
    project: projectId,
    ...(rule.service === null ? {} : { service: rule.service }),
    ...(rule.environment === null ? {} : { environment: rule.environment }),
    ...(method === undefined ? {} : { method }),
    ...(route === undefined ? {} : { endpoint: route }),
    ...(rule.kind === 'error_rate' || error !== null ? { status: 'error' as const } : {}),
    ...(error === null ? {} : { errorIds: error.requestIds.join(',') }),
    ...(rule.kind === 'p95' && rule.threshold !== null ? { min: String(rule.threshold) } : {}),
  };
}

/** Builds the URL parameters that open the page of an incident's error, limited to the time of the incident. */
export function buildErrorSearch(projectId: string, incident: AlertIncident, errorId: string): ViewChange {
  return { ...writeTimeRange(findRange(incident)), project: projectId, error: errorId };
}

/** Splits `POST /orders/:id` into method and route. */
function splitEndpoint(endpoint: string | null): readonly [string | undefined, string | undefined] {
  const parts = /^(\S+) (.+)$/.exec(endpoint ?? '');
  return [parts?.[1], parts?.[2]];
}

/**
 * Finds the time range of an incident's requests. For missing traffic, the range ends a minute after the requests stopped, since there are
 * no requests during the incident.
 */
function findRange({ rule, openedAt, closedAt }: AlertIncident) {
  const openedMs = Date.parse(openedAt);
  const stoppedMs = openedMs - (rule.minutes ?? 0) * MINUTE_MS;
  if (rule.kind === 'no_traffic') {
    return {
      kind: 'instants' as const,
      from: toInstant(stoppedMs - BEFORE_STOP_MINUTES * MINUTE_MS),
      to: toInstant(stoppedMs + MINUTE_MS),
    };
  }
  // The incident opens when the value measured over the last minutes exceeds the threshold, so the range starts that many minutes earlier.
  const isMeasured = rule.kind === 'error_rate' || rule.kind === 'p95';
  const from = toInstant(openedMs - (isMeasured ? ALERT_WINDOW_MINUTES * MINUTE_MS : 0));
  return { kind: 'instants' as const, from, to: closedAt ?? undefined };
}

function toInstant(ms: number): string {
  return new Date(ms).toISOString();
}
