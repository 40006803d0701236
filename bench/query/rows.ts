/** The maximum 95th percentile of each kind of request, in ms. */
export const ROWS = {
  'newest 50 of a project, any filter of the dashboard': 100,
  'one trace by `_id`': 50,
  'one trace by W3C trace id': 100,
  'search by path part or attribute': 300,
  'search over captured values, a day': 2000,
  'search over captured values, the first page of 30 days': 5000,
  'what is different': 1000,
  'each analytics screen, 7 days': 200,
  'each analytics screen, 30 days': 500,
} as const;
export type Row = keyof typeof ROWS;

/** A measured request and a check of its response. The time only counts if the check succeeds. */
export interface MeasuredCall {
  readonly name: string;
  /** The kind of request, whose target in `ROWS` applies. Undefined for requests without a target. */
  readonly row: Row | undefined;
  /**
   * Returns the path of the request for the given repetition (`turn`). Each path is different, because users rarely send the same request
   * twice.
   */
  readonly path: (turn: number) => string;
  /** The number of times that the request is sent, if fewer than usual. */
  readonly turns?: number;
  /** Throws if the response is wrong. */
  readonly check: (answer: unknown) => void;
}

/** Sends a GET request as the dashboard does. */
export type Get = (path: string) => Promise<unknown>;

/** Returns another item for each repetition of a request (`turn`). */
export function pick<T>(all: readonly T[], turn: number): T {
  const one = all[turn % all.length];
  if (one === undefined) throw new Error('there is nothing to pick from');
  return one;
}
