import { buildCallKey, findRuns, type SeenRequest, type Sequence } from '../../step-patterns/index.ts';
import { findChangePoint } from '../change-point.ts';
import { HOUR_MICROS } from '../changes/hour-series.ts';

/**
 * The `reference` of {@link findChangePoint} is one half, because nearly all requests since the change make the reads consecutively, and
 * few requests before the change did.
 */
const REFERENCE = 0.5;

/**
 * Finds the time since which requests make the reads consecutively, in epoch microseconds. Returns undefined if no request makes the reads
 * consecutively.
 */
export function findSequenceStart(
  requests: readonly SeenRequest[],
  { steps }: Pick<Sequence, 'steps'>,
): bigint | undefined {
  const asked = JSON.stringify(steps.map((step) => step.asked));
  const inOrder = requests.toSorted((a, b) => Number(a.startMicros - b.startMicros));
  const hasRun = (request: SeenRequest) =>
    findRuns(request).some((run) => JSON.stringify(run.map(buildCallKey)) === asked);
  const seen = inOrder.map((request) => ({ startMicros: request.startMicros, has: hasRun(request) }));
  const hours = [...Map.groupBy(seen, ({ startMicros }) => startMicros / HOUR_MICROS).values()];
  const counted = hours.map((hour) => ({
    requests: hour.length,
    changed: hour.filter(({ has }) => has).length,
  }));
  const since = hours.slice(findChangePoint(counted, REFERENCE));
  const first = since.flat().find(({ has }) => has)?.startMicros;
  if (first === undefined) return undefined;
  // If all sampled requests of the hour make the reads consecutively, the earlier requests of the hour, which the sample does not contain,
  // probably do so too.
  const isWholeHour = since[0]?.every(({ has }) => has) === true;
  return isWholeHour ? (first / HOUR_MICROS) * HOUR_MICROS : first;
}
