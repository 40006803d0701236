import { formatInstant, type TraceLink } from '@throughline/contract';
import type { Scope } from './scope.ts';

/**
 * Builds list filters that show the traces of a scope; `more` adds filters. The end of a list's time filter is inclusive and the end of a
 * range is not, so the filter ends a microsecond before the range.
 */
export function traceLink({ project, reading }: Scope, more: TraceLink = {}): TraceLink {
  const { service, environment, release } = reading;
  const set = Object.entries({ service, environment, release }).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== '',
  );
  return {
    projectId: project.id,
    startDate: formatInstant(reading.from),
    endDate: formatInstant(reading.until - 1n),
    ...Object.fromEntries(set),
    ...more,
  };
}

/** Builds the filter that matches only the requests of an endpoint. */
export function buildEndpointFilter(method: string, path: string): TraceLink {
  return { method, endpoint: path };
}
