import { readIdTime } from '../../ids.ts';

/** Returns the time of a trace's `_id` in epoch ms. The time determines where the trace's rows are in the tables. */
export function timeOfTraceId(id: string): number {
  return readIdTime(id);
}
