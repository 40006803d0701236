import type { CallHabit, EndpointHabit } from './habits.ts';

export interface Call {
  readonly habit: CallHabit;
  ms: number;
  /** Number of calls, which are made one after another. */
  count: number;
  beside: boolean;
  error: string | null;
}
export interface Request {
  readonly atMs: number;
  readonly endpoint: EndpointHabit;
  readonly environment: 'production' | 'staging';
  readonly release: string;
  readonly instance: string;
  readonly country: string;
  readonly tenant: string;
  readonly userId: string | null;
  /** Number of the request, which is unique. Ids and captured values are derived from it. */
  readonly number: number;
  ownMs: number;
  /** True for a cache hit, false for a miss, null if the endpoint has no cache. */
  hit: boolean | null;
  calls: Call[];
  failure: { status: number; message: string } | null;
  bodyItems: number;
  heapBytes: number;
  cpuPercent: number;
  eventLoopMs: number;
}
