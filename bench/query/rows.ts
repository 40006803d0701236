import { ANALYTICS_ROWS } from './analytics-calls.ts';

/** The rows of the targets table, with their bounds in ms at the 95th percentile. */
export const ROWS = {
  'newest 50 of a project, any filter of the dashboard': 100,
  'one trace by `_id`': 50,
  'one trace by W3C trace id': 100,
  'search by path part or attribute': 300,
  ...ANALYTICS_ROWS,
} as const;
export type Row = keyof typeof ROWS;

/** A call that is measured, and what its answer must hold for the time to count. */
export interface MeasuredCall {
  readonly name: string;
  /** The row of the targets that it belongs to; none for calls that are only reported. */
  readonly row: Row | undefined;
  /** Another one each time, as people do not ask for the same thing twice. */
  readonly path: (turn: number) => string;
  /** Throws where the answer is not what was asked for. */
  readonly check: (answer: unknown) => void;
}

/** Reads as the dashboard does. */
export type Get = (path: string) => Promise<unknown>;

/** One of them, another one each turn. */
export function pick<T>(all: readonly T[], turn: number): T {
  const one = all[turn % all.length];
  if (one === undefined) throw new Error('there is nothing to pick from');
  return one;
}
