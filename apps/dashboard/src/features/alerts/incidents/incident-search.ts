import {
  type AlertIncident,
  findIncidentStart,
  findTrafficStop,
  findWatchedStart,
} from '@throughline/contract';
import { writeTimeRange } from '../../../shell/time-range/range-params.ts';
import type { ViewChange } from '../../../shell/url-state/search-params.ts';

const MINUTE_MS = 60_000;

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

/**
 * Builds the URL parameters that list the insights at the time when the incident's insight was found. The insight can be missing from the
 * insights of the last seven days.
 */
export function buildInsightSearch(
  projectId: string,
  { rule }: AlertIncident,
  { foundAt }: NonNullable<AlertIncident['insight']>,
): ViewChange {
  const from = findWatchedStart(new Date(foundAt)).toISOString();
  return {
    ...writeTimeRange({ kind: 'instants', from, to: foundAt }),
    project: projectId,
    ...(rule.service === null ? {} : { service: rule.service }),
    ...(rule.environment === null ? {} : { environment: rule.environment }),
    tab: 'insights',
  };
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
function findRange(incident: AlertIncident) {
  const from = findIncidentStart(incident).toISOString();
  if (incident.rule.kind !== 'no_traffic') {
    return { kind: 'instants' as const, from, to: incident.closedAt ?? undefined };
  }
  const stoppedMs = findTrafficStop(incident).getTime();
  return { kind: 'instants' as const, from, to: new Date(stoppedMs + MINUTE_MS).toISOString() };
}
