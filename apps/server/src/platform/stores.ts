import type { Config } from './config.ts';
import { type ControlStore, openControlStore } from './control-store/index.ts';
import { lockDataDir } from './data-dir-lock.ts';
import { openTraceStore, type TraceStore } from './trace-store/index.ts';

/** Both stores, and the data folder where it is needed for one of them. */
export interface Stores {
  readonly control: ControlStore;
  readonly traces: TraceStore;
  close(): Promise<void>;
}

/** Opens both stores at once; where one cannot be opened, the other is closed again. */
export async function openStores(config: Config): Promise<Stores> {
  const embedded = config.databaseUrl === undefined || config.clickhouse === undefined;
  const lock = embedded ? lockDataDir(config.dataDir) : undefined;
  const [control, traces] = await Promise.allSettled([openControlStore(config), openTraceStore(config)]);
  if (control.status === 'fulfilled' && traces.status === 'fulfilled') {
    return {
      control: control.value,
      traces: traces.value,
      async close() {
        await Promise.all([control.value.close(), traces.value.close()]);
        lock?.release();
      },
    };
  }
  if (control.status === 'fulfilled') await control.value.close();
  if (traces.status === 'fulfilled') await traces.value.close();
  lock?.release();
  throw reasonOf(control) ?? reasonOf(traces);
}

function reasonOf(opening: PromiseSettledResult<unknown>): unknown {
  return opening.status === 'rejected' ? opening.reason : undefined;
}
