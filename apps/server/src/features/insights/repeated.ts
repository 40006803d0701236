import { byEndpoint, isWaiting, median, type SeenRequest, type SeenStep, whatIsAsked } from './step-tree.ts';

export interface Repeated {
  readonly requests: readonly SeenRequest[];
  readonly looked: number;
  readonly stepName: string;
  /** The name and what it does not say: no two of an endpoint are alike in it. */
  readonly asked: string;
  readonly medianCalls: number;
  readonly maxCalls: number;
  readonly medianMicros: number;
}

/** So many calls of one query in a request are many, and so many requests of an endpoint make it a habit. */
const LIMITS = { calls: 8, requests: 5, share: 0.3 } as const;

/** Queries and calls that are made again and again within one request. */
export function findRepeated(requests: readonly SeenRequest[]): Repeated[] {
  return byEndpoint(requests).flatMap((all) => {
    const often = all.flatMap((request) =>
      [...Map.groupBy(request.steps.filter(isWaiting), whatIsAsked)].flatMap(([asked, steps]) => {
        const calls = steps.reduce((sum, step) => sum + step.calls, 0);
        const [{ name } = { name: asked }] = steps;
        return calls >= LIMITS.calls ? [{ request, asked, name, calls, micros: tookMicros(steps) }] : [];
      }),
    );
    return [...Map.groupBy(often, ({ asked }) => asked)].flatMap(([asked, some]) => {
      if (some.length < LIMITS.requests || some.length < all.length * LIMITS.share) return [];
      return [
        {
          requests: some.map(({ request }) => request),
          looked: all.length,
          stepName: some[0]?.name ?? asked,
          asked,
          medianCalls: median(some.map(({ calls }) => calls)),
          maxCalls: Math.max(...some.map(({ calls }) => calls)),
          medianMicros: median(some.map(({ micros }) => micros)),
        },
      ];
    });
  });
}

const tookMicros = (steps: readonly SeenStep[]) => steps.reduce((sum, step) => sum + step.durationMicros, 0);
