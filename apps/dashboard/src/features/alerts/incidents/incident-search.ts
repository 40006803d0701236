import {
  type AlertIncident,
  findIncidentEnd,
  findIncidentStart,
  findWatchedStart,
  listIncidentFilters,
} from '@throughline/contract';
import { writeTimeRange } from '../../../shell/time-range/range-params.ts';
import type { ViewChange } from '../../../shell/url-state/search-params.ts';
import { writeFilters } from '../../trace-list/index.ts';

/** Builds the URL parameters that make the trace list show the requests that an incident is about. */
export function buildRequestsSearch(projectId: string, incident: AlertIncident): ViewChange {
  const { rule, error } = incident;
  return {
    ...writeFilters(listIncidentFilters(rule, error?.requestIds)),
    ...writeTimeRange(findRange(incident)),
    project: projectId,
  };
}

/** Builds the URL parameters that open the page of an incident's error, limited to the time of the incident. */
export function buildErrorSearch(projectId: string, incident: AlertIncident, errorId: string): ViewChange {
  return { ...writeTimeRange(findRange(incident)), project: projectId, error: errorId };
}

/**
 * Builds the URL parameters that open the insights of the time at which the incident's insight was found. Without these parameters, the
 * page would list the insights of the last seven days, which can lack this insight.
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

/** Finds the time range of an incident's requests; the range of an ongoing incident has no end. */
function findRange(incident: AlertIncident) {
  const from = findIncidentStart(incident).toISOString();
  return { kind: 'instants' as const, from, to: findIncidentEnd(incident)?.toISOString() };
}
