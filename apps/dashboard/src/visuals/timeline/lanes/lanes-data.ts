import type { Stretch } from '../../steps/analysis/step-extent.ts';

/** A request of a distributed trace: when it ran, in milliseconds from the shown request's start. */
export interface LaneRequest extends Stretch {
  readonly id: string;
  readonly service: string;
  /** "POST /charge". */
  readonly name: string;
  readonly failed: boolean;
  /** It is the one whose steps are shown. */
  readonly own: boolean;
}

/** One service of a distributed trace. */
export interface Lane {
  readonly service: string;
  /** In start order. */
  readonly requests: readonly LaneRequest[];
}

/** The requests of a distributed trace by service, in the order in which they first came to each. Empty where there is only one request. */
export function buildLanes(requests: readonly LaneRequest[]): Lane[] {
  if (requests.length < 2) return [];
  const inOrder = requests.toSorted((a, b) => a.fromMs - b.fromMs);
  return [...Map.groupBy(inOrder, ({ service }) => service)].map(([service, own]) => ({
    service,
    requests: own,
  }));
}
