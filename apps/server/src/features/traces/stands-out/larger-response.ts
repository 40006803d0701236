import { formatBytes, formatCount, formatCounted } from '@throughline/contract';
import type { ReadRequest, Statement } from '../statements/read-request.ts';
import { MIN_LARGE_BYTES } from '../usual/response-size.ts';

/**
 * Minimum number of other requests with a known response size, and minimum ratio of the response's size to the median of the known sizes.
 */
const LIMITS = { requests: 5, ratio: 10 } as const;
/** The weight is just above the weight of the rule `slower_than_usual`, because the size often explains the time. */
const WEIGHT = 0.55;

/** Finds out if the response is much larger than the endpoint's other responses. */
export function findLargerResponse({ size, steps, grown }: ReadRequest): Statement[] {
  if (size === null) return [];
  const { bytes, usual } = size;
  if (usual.requests < LIMITS.requests || bytes < MIN_LARGE_BYTES || bytes < usual.median * LIMITS.ratio)
    return [];
  // If the sizes of an endpoint vary, the next response can easily be the largest. The response must therefore be larger than the largest
  // other response by at least the factor by which the largest other response is larger than the median.
  if (bytes * usual.median < usual.largest ** 2) return [];
  const [handler] = steps
    .filter(({ type }) => type === 'handler')
    .sort((a, b) => b.durationMicros - a.durationMicros);
  const list =
    grown === null
      ? ''
      : `. \`${grown.name}\` returned ${formatCounted(grown.items, 'item')}, in other requests at most ${formatCount(grown.longest)}`;
  return [
    {
      text: `The response has ${formatBytes(bytes)}; the median of ${formatCounted(usual.requests, 'request')} to this endpoint is ${formatBytes(usual.median)}${list}`,
      stepId: grown?.stepId ?? handler?.stepId ?? null,
      weight: WEIGHT,
    },
  ];
}
