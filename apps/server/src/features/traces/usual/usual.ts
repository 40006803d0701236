import type { UsualDuration } from '@throughline/contract';
import type { ShownProject } from '../../../platform/http/guard.ts';
import type { TraceStore } from '../../../platform/trace-store/index.ts';
import { findUsualDurations, type TraceEndpoint } from './usual-store.ts';

/** Finds the usual duration of requests to an endpoint; null if no other requests around the time of the trace were successful. */
export async function findUsual(
  store: TraceStore,
  projects: readonly ShownProject[],
  endpoint: TraceEndpoint,
): Promise<UsualDuration | null> {
  const project = projects.find(({ id }) => id === endpoint.project_id);
  if (project === undefined) return null;
  const found = await findUsualDurations(store, project, endpoint);
  if (found.requests === 0) return null;
  return {
    requests: found.requests,
    quartile: found.quartile_micros / 1000,
    median: found.median_micros / 1000,
    quicker: found.quicker,
  };
}
