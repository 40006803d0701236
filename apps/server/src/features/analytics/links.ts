import { microsToInstant, type TraceLink } from '@throughline/contract';
import type { Scope } from './scope.ts';

/** Filters of the list that show the traces of a scope; more of them narrow it. The list's end is included. */
export function traceLink({ project, reading }: Scope, more: TraceLink = {}): TraceLink {
  const { service, environment, release } = reading;
  const set = Object.entries({ service, environment, release }).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== '',
  );
  return {
    projectId: project.id,
    startDate: microsToInstant(reading.from),
    endDate: microsToInstant(reading.until - 1n),
    ...Object.fromEntries(set),
    ...more,
  };
}

/** Builds the filter that finds the requests of an endpoint, and no others. */
export function endpointFilter(method: string, path: string): TraceLink {
  return { method, endpoint: path };
}
