import type { Stretch } from '../../steps/analysis/step-extent.ts';

/** A request of a distributed trace with its time range, in milliseconds from the shown request's start. */
export interface LaneRequest extends Stretch {
  readonly id: string;
  readonly service: string;
  /** "POST /charge". */
  readonly name: string;
  readonly failed: boolean;
  /** True for the request whose steps are shown. */
  readonly own: boolean;
}

/** A service of a distributed trace. */
export interface Lane {
  readonly service: string;
  /** The service's requests in start order. */
  readonly requests: readonly LaneRequest[];
}

/**
 * Groups the requests of a distributed trace by service, in the order of each service's first request. Empty if there is only one
 * request.
 */
export function buildLanes(requests: readonly LaneRequest[]): Lane[] {
  if (requests.length < 2) return [];
  const inOrder = requests.toSorted((a, b) => a.fromMs - b.fromMs);
  return [...Map.groupBy(inOrder, ({ service }) => service)].map(([service, own]) => ({
    service,
    requests: own,
  }));
}
