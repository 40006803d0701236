import type { CallHabit, EndpointHabit } from './habits.ts';

export interface Call {
  readonly habit: CallHabit;
  ms: number;
  /** Called so often, one after the other. */
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
  /** Tells requests apart: ids and captured values are made from it. */
  readonly number: number;
  ownMs: number;
  /** True and false: how the cache answered. */
  hit: boolean | null;
  calls: Call[];
  failure: { status: number; message: string } | null;
  bodyItems: number;
  heapBytes: number;
  cpuPercent: number;
  eventLoopMs: number;
}
