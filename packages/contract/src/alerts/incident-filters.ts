import { parseTraceQuery } from '../traces/query/parse-query.ts';
import type { QueryFilters } from '../traces/query/query-field.ts';
import type { AlertMeasure } from './alerts.ts';

/**
 * Returns the filters of the trace list that show the requests of an incident. `errorIds` are the values of the filter of the same name, for
 * an incident of an error.
 */
export function listIncidentFilters(
  rule: AlertMeasure,
  errorIds: readonly string[] | undefined,
): QueryFilters {
  const { filters = {} } = parseTraceQuery(rule.filter ?? '');
  const [, method, endpoint] = /^(\S+) (.+)$/.exec(rule.endpoint ?? '') ?? [];
  const isSlow = rule.kind === 'p95' && rule.threshold !== null;
  return {
    ...filters,
    ...(rule.service !== null && { service: rule.service }),
    ...(rule.environment !== null && { environment: rule.environment }),
    ...(method !== undefined && { method }),
    ...(endpoint !== undefined && { endpoint }),
    ...((rule.kind === 'error_rate' || errorIds !== undefined) && { status: 'error' as const }),
    ...(errorIds !== undefined && { errorIds: errorIds.join(',') }),
    ...(isSlow && { minDuration: Math.max(rule.threshold ?? 0, filters.minDuration ?? 0) }),
  };
}
