import type { EndpointDurations, UsualDuration } from '@throughline/contract';
import type { ShownProject } from '../../../platform/http/guard.ts';
import type { TraceStore } from '../../../platform/trace-store/index.ts';
import { buildBars, DURATION_EDGES } from './duration-bars.ts';
import { countDurations, findUsualDurations, type TraceEndpoint } from './usual-store.ts';

/** With fewer requests, a percentile and a histogram are not meaningful. */
const MIN_DISTRIBUTED = 20;

/** Finds the usual duration of requests to an endpoint; null if no other requests around the time of the trace were successful. */
export async function findUsual(
  store: TraceStore,
  projects: readonly ShownProject[],
  endpoint: TraceEndpoint,
): Promise<UsualDuration | null> {
  const project = projects.find(({ id }) => id === endpoint.project_id);
  if (project === undefined) return null;
  return toUsual(await findUsualDurations(store, project, endpoint));
}

/** Finds the usual duration of requests to an endpoint, and how their durations are distributed. */
export async function findDistribution(
  store: TraceStore,
  projects: readonly ShownProject[],
  endpoint: TraceEndpoint,
): Promise<EndpointDurations | null> {
  const project = projects.find(({ id }) => id === endpoint.project_id);
  if (project === undefined) return null;
  const [found, counts] = await Promise.all([
    findUsualDurations(store, project, endpoint),
    countDurations(store, project, endpoint, DURATION_EDGES),
  ]);
  const usual = toUsual(found);
  if (usual === null) return null;
  const distribution =
    found.requests < MIN_DISTRIBUTED
      ? null
      : { p95: found.p95_micros / 1000, bars: buildBars(counts, endpoint.took_micros) };
  return { ...usual, distribution };
}

function toUsual(found: Awaited<ReturnType<typeof findUsualDurations>>): UsualDuration | null {
  if (found.requests === 0) return null;
  return {
    requests: found.requests,
    quartile: found.quartile_micros / 1000,
    median: found.median_micros / 1000,
    quicker: found.quicker,
  };
}
