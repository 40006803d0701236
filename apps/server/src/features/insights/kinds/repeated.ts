import {
  buildCallKey,
  computeMedian,
  groupByEndpoint,
  isWaiting,
  mergeEnvironments,
  type SeenRequest,
  type SeenStep,
} from '../../step-patterns/index.ts';
import type { Change } from '../changes/find-changes.ts';

export interface Repeated {
  /** The sampled requests that have the pattern. */
  readonly requests: readonly SeenRequest[];
  readonly looked: number;
  readonly stepName: string;
  readonly stepType: string;
  readonly medianCalls: number;
  readonly maxCalls: number;
  readonly medianMicros: number;
}

/** The minimum number of equal calls in one request that counts as repeated. */
export const MANY_CALLS = 8;
/** The minimum number and share of an endpoint's requests that must have the pattern. */
const LIMITS = { requests: 5, share: 0.3 } as const;

/** Finds queries and calls that are repeated within one request: at least {@link MANY_CALLS} equal calls with the same name. */
export function findRepeated(requests: readonly SeenRequest[]): Repeated[] {
  const found = groupByEndpoint(requests).flatMap((all) => {
    const often = all.flatMap((request) =>
      [...Map.groupBy(request.steps.filter(isWaiting), nameStep)].flatMap(([name, steps]) => {
        const [most] = [...Map.groupBy(steps, buildCallKey).values()]
          .map((same) => ({ request, name, same, calls: countCalls(same) }))
          .sort((a, b) => b.calls - a.calls);
        return most !== undefined && most.calls >= MANY_CALLS ? [most] : [];
      }),
    );
    return [...Map.groupBy(often, ({ name }) => name).values()].flatMap((some) => {
      const [step] = some[0]?.same ?? [];
      if (step === undefined || some.length < LIMITS.requests || some.length < all.length * LIMITS.share) {
        return [];
      }
      return [
        {
          requests: some.map(({ request }) => request),
          looked: all.length,
          stepName: step.name,
          stepType: step.type,
          medianCalls: computeMedian(some.map(({ calls }) => calls)),
          maxCalls: Math.max(...some.map(({ calls }) => calls)),
          medianMicros: computeMedian(some.map(({ same }) => sumMicros(same))),
        },
      ];
    });
  });
  return mergeEnvironments(found, ({ stepType, stepName }) => `${stepType} ${stepName}`);
}

/**
 * True if a repeated query is the reason why an endpoint calls a dependency more often: the number of repeated calls is above the number of
 * calls before the change, and at most the number of calls since the change.
 */
export function explainsCalls(
  { requests: [request], medianCalls }: Repeated,
  { signal, before, after, series: { service, method, path } }: Change,
): boolean {
  if (signal !== 'calls' || medianCalls <= before || medianCalls > after) return false;
  return request?.service === service && request.method === method && request.path === path;
}

const nameStep = ({ type, name }: SeenStep) => `${type} ${name}`;
const countCalls = (steps: readonly SeenStep[]) => steps.reduce((sum, { calls }) => sum + calls, 0);
const sumMicros = (steps: readonly SeenStep[]) => steps.reduce((sum, step) => sum + step.durationMicros, 0);
