import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from './config.ts';
import {
  type ControlStore,
  hasAccounts,
  migrateAlone,
  openControlStore,
  openControlUnmigrated,
  readControlMigrations,
} from './control-store/index.ts';
import { OperatorError } from './operator-error.ts';
import { lockDataDir } from './start/data-dir-lock.ts';
import { buildMissingStoreError, checkFolder, protectStores } from './start/data-folder.ts';
import {
  hasTraces,
  openTraceStore,
  openUnmigrated,
  type TraceStore,
  traceMigrations,
} from './trace-store/index.ts';

/** The control store and the trace store, and the data folder if one of the two stores needs it. */
export interface Stores {
  readonly control: ControlStore;
  readonly traces: TraceStore;
  /**
   * Runs a task that stores traces of these projects. Before the task starts, waits until other servers have ended such tasks, and until no
   * INSERT that an earlier lock holder, such as a crashed server, began for these projects is running. Never waits if the trace store is in
   * the data folder, which only one server can use. The task must use the store that it receives.
   * @throws InsertsLeft, or if the lock is not acquired
   */
  alone<T>(names: readonly string[], task: (traces: TraceStore) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/**
 * Tables to open: the newest tables of this program, the tables as they are now, or the tables as they were after an earlier migration of
 * each store.
 */
export type Tables = 'newest' | 'as-found' | { readonly control: string; readonly traces: number };

/** A restore into the data folder did not complete. */
export class RestoreUnfinished extends OperatorError {
  override readonly name = 'RestoreUnfinished';
}

/** Path of the file that exists while a backup is restored into the data folder. */
export function restoreMark(dataDir: string): string {
  return join(dataDir, 'restore-unfinished');
}

/** True if one of the stores is in the data folder, so that only one process can use it. */
export function isEmbedded(config: Pick<Config, 'databaseUrl' | 'clickhouse'>): boolean {
  return config.databaseUrl === undefined || config.clickhouse === undefined;
}

/**
 * Opens both stores concurrently. If one cannot be opened, the other is closed again.
 * @throws DataDirBusy, RestoreUnfinished, DamagedFolder, ControlStoreTooNew, TraceStoreTooNew
 */
export async function openStores(config: Config, tables: 'newest' | 'as-found' = 'newest'): Promise<Stores> {
  if (existsSync(restoreMark(config.dataDir))) {
    throw new RestoreUnfinished(
      `A restore into ${config.dataDir} did not finish. Empty the folder and restore again.`,
    );
  }
  const lock = isEmbedded(config) ? lockDataDir(config.dataDir) : undefined;
  try {
    const mark = checkFolder(config);
    if (mark === undefined) await refuseHalf(config);
    protectStores(config.dataDir);
    return await openBoth(config, tables, () => lock?.release(), mark !== undefined);
  } catch (error) {
    lock?.release();
    throw error;
  }
}

/**
 * Opens both stores in a folder that the caller has locked. `release` is called when the stores are closed. If `used`, stores without
 * tables are rejected.
 */
export async function openBoth(
  config: Config,
  tables: Tables,
  release: () => void,
  used = false,
): Promise<Stores> {
  const [control, traces] = await Promise.allSettled([
    openControl(config, tables, used),
    openTraces(config, tables, used),
  ]);
  if (control.status === 'fulfilled' && traces.status === 'fulfilled') {
    return {
      control: control.value,
      traces: traces.value,
      alone:
        config.clickhouse === undefined
          ? (_names, task) => task(traces.value)
          : (names, task) =>
              control.value.alone(names, async (locks) => task(await traces.value.holding(locks))),
      async close() {
        await Promise.all([control.value.close(), traces.value.close()]);
        release();
      },
    };
  }
  if (control.status === 'fulfilled') await control.value.close();
  if (traces.status === 'fulfilled') await traces.value.close();
  throw getReason(control) ?? getReason(traces);
}

function openControl(config: Config, tables: Tables, used: boolean): Promise<ControlStore> {
  if (tables === 'as-found') return openControlUnmigrated(config);
  return openControlStore(config, tables === 'newest' ? { used } : { upTo: tables.control });
}

async function openTraces(config: Config, tables: Tables, used: boolean): Promise<TraceStore> {
  if (tables === 'as-found') return openUnmigrated(config);
  const open = () => openTraceStore(config, tables === 'newest' ? { used } : { upTo: tables.traces });
  // If several servers start together, they must not create the same table twice. ClickHouse has no lock for that.
  return isEmbedded(config) || config.databaseUrl === undefined
    ? open()
    : migrateAlone(config.databaseUrl, open);
}

/**
 * Checks a data folder without a record of the last start, as versions that wrote no such record left it. If only one store exists, its
 * content shows whether the other store was lost, or was never created because the first start was interrupted.
 */
async function refuseHalf(config: Config): Promise<void> {
  const { dataDir } = config;
  if (config.databaseUrl !== undefined || config.clickhouse !== undefined) return;
  const [hasControl, hasTraces] = [existsSync(join(dataDir, 'control')), existsSync(join(dataDir, 'traces'))];
  if (hasTraces && !hasControl && (await holdsTraces(config)))
    throw buildMissingStoreError(dataDir, 'control');
  if (hasControl && !hasTraces && (await holdsAccounts(config)))
    throw buildMissingStoreError(dataDir, 'traces');
}

async function holdsTraces(config: Config): Promise<boolean> {
  const store = await openUnmigrated(config);
  try {
    return (await traceMigrations(store)).applied > 0 && (await hasTraces(store));
  } finally {
    await store.close();
  }
}

async function holdsAccounts(config: Config): Promise<boolean> {
  const store = await openControlUnmigrated(config);
  try {
    return (await readControlMigrations(store.db)).applied !== undefined && (await hasAccounts(store.db));
  } finally {
    await store.close();
  }
}

function getReason(opening: PromiseSettledResult<unknown>): unknown {
  return opening.status === 'rejected' ? opening.reason : undefined;
}
