import { z } from 'zod';
import type { TraceStore } from './trace-store.ts';

export async function traceClock(store: TraceStore): Promise<Date> {
  const [row] = await store.rows(
    z.object({ ms: z.coerce.number() }),
    'SELECT toUnixTimestamp64Milli(now64(3)) AS ms',
  );
  if (row === undefined) throw new Error('the store did not return its time');
  return new Date(row.ms);
}
