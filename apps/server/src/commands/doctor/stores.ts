import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { checkTable, findDamagedParts } from '../../features/store-health/index.ts';
import type { Config } from '../../platform/config.ts';
import {
  type ControlStore,
  hasAccounts,
  openControlUnmigrated,
  readControlClock,
  readControlMigrations,
} from '../../platform/control-store/index.ts';
import { OperatorError } from '../../platform/operator-error.ts';
import { createLocalLocks } from '../../platform/queues/locks.ts';
import { DataDirBusy, lockDataDir } from '../../platform/start/data-dir-lock.ts';
import { buildEmptiedStoreError, checkFolder } from '../../platform/start/data-folder.ts';
import { readInstallationSecret } from '../../platform/start/installation.ts';
import { isEmbedded, restoreMark } from '../../platform/stores.ts';
import {
  openUnmigrated,
  refuseLostTables,
  type TraceStore,
  traceClock,
  traceMigrations,
} from '../../platform/trace-store/index.ts';
import { askServer } from '../ask-server.ts';
import { type Finding, found } from './finding.ts';

/** A store that does not respond within this time counts as unusable. */
const PATIENCE_MS = 10_000;
/** Minimum differences between two clocks, in ms, that are reported as a note or as an error. */
const DRIFT_NOTE_MS = 5_000;
const DRIFT_WRONG_MS = 5 * 60_000;

export interface StoreFindings {
  readonly findings: readonly Finding[];
  /**
   * True if another process has locked the data folder. Always false if both stores are external, because no process locks the folder then.
   */
  readonly serverRuns: boolean;
}

/**
 * Checks that both stores respond, looks for lost tables and damaged parts, checks that the server's secret decrypts the stored data, and
 * compares the stores' clocks with this machine's. Lists the migrations that the next start would run. If a running server has locked the
 * data folder, only asks that server for its status.
 */
export async function checkStores(config: Config): Promise<StoreFindings> {
  if (existsSync(restoreMark(config.dataDir))) {
    const says = `a restore into ${config.dataDir} did not finish: empty the folder and restore again`;
    return { findings: [found.wrong('Stores', says)], serverRuns: false };
  }
  let used: boolean;
  try {
    used = checkFolder(config) !== undefined;
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    return { findings: [found.wrong('Stores', error.message)], serverRuns: false };
  }
  if (!isEmbedded(config) || !existsSync(config.dataDir))
    return { findings: await checkBoth(config, used), serverRuns: false };
  let lock: ReturnType<typeof lockDataDir>;
  try {
    lock = lockDataDir(config.dataDir);
  } catch (error) {
    if (error instanceof DataDirBusy)
      return { findings: [await checkRunning(config, error)], serverRuns: true };
    const says = `the stores were not checked, because ${config.dataDir} cannot be locked (${getMessage(error)})`;
    return { findings: [found.wrong('Stores', says)], serverRuns: false };
  }
  try {
    return { findings: await checkBoth(config, used), serverRuns: false };
  } finally {
    lock.release();
  }
}

async function checkRunning(config: Config, busy: DataDirBusy): Promise<Finding> {
  try {
    (await limitTime(askServer(config.dataDir, { method: 'GET', path: '/status' }, busy))).resume();
    return found.ok('Stores', 'the running server reports that both stores respond');
  } catch (error) {
    return found.wrong(
      'Stores',
      `another process uses the data folder, but does not report that its stores respond (${getMessage(error)})`,
    );
  }
}

/** Checks both stores. `used` is true if a server has already completed a start on the data folder. */
async function checkBoth(config: Config, used: boolean): Promise<Finding[]> {
  return [...(await checkControl(config, used)), ...(await checkTraces(config, used))];
}

async function checkControl(config: Config, used: boolean): Promise<Finding[]> {
  const about =
    config.databaseUrl === undefined ? 'Accounts (in the data folder)' : 'Accounts (DATABASE_URL)';
  // Does not open a store that does not exist, because opening would create the store.
  if (config.databaseUrl === undefined && !existsSync(join(config.dataDir, 'control'))) {
    return [found.note(about, 'the store does not exist yet; the first start creates it')];
  }
  return checkStore<ControlStore>(
    about,
    () => openControlUnmigrated(config),
    async (store) => {
      const { applied, pending } = await readControlMigrations(store.db);
      if (used && applied === undefined) throw buildEmptiedStoreError(about, 'accounts');
      return {
        pending,
        clock: await readControlClock(store.db),
        more: await checkSecretFits(config, store),
      };
    },
  );
}

async function checkTraces(config: Config, used: boolean): Promise<Finding[]> {
  const about = config.clickhouse === undefined ? 'Traces (in the data folder)' : 'Traces (CLICKHOUSE_URL)';
  if (config.clickhouse === undefined && !existsSync(join(config.dataDir, 'traces'))) {
    return [found.note(about, 'the store does not exist yet; the first start creates it')];
  }
  return checkStore<TraceStore>(
    about,
    () => openUnmigrated(config),
    async (store) => {
      await store.ping();
      // Checks that ClickHouse lets this user see running queries; docs/scaling.md lists the grants.
      await store.holding(createLocalLocks([]));
      const { applied, pending } = await traceMigrations(store);
      if (used) await refuseLostTables(store, config);
      return {
        pending,
        clock: await traceClock(store),
        more: applied === 0 ? [] : await checkDamage(about, store),
      };
    },
  );
}

interface Seen {
  readonly pending: readonly string[];
  readonly clock: Date;
  readonly more: readonly Finding[];
}

async function checkStore<Store extends { close(): Promise<void> }>(
  about: string,
  open: () => Promise<Store>,
  look: (store: Store) => Promise<Seen>,
): Promise<Finding[]> {
  let store: Store | undefined;
  try {
    store = await limitTime(open());
    const { pending, clock, more } = await limitTime(look(store));
    const tables =
      pending.length === 0
        ? found.ok(about, 'responds, and its tables are up to date')
        : found.note(
            about,
            `responds, but its tables are outdated; the next start, or \`throughline migrate\`, applies ${pending.join(', ')}. Make a backup first.`,
          );
    return [tables, ...checkClock(about, clock), ...more];
  } catch (error) {
    return [found.wrong(about, `cannot be used (${getMessage(error)})`)];
  } finally {
    await store?.close().catch(() => {});
  }
}

/** Checks that the stored data was encrypted with the server's secret. Otherwise the server cannot decrypt the data. */
async function checkSecretFits(config: Config, store: ControlStore): Promise<Finding[]> {
  const { applied } = await readControlMigrations(store.db);
  if (applied === undefined || !(await hasAccounts(store.db))) return [];
  try {
    await readInstallationSecret(config, store.db);
    return [found.ok('Secret', 'decrypts the data of this installation')];
  } catch (error) {
    if (error instanceof OperatorError) return [found.wrong('Secret', error.message)];
    throw error;
  }
}

/** Finds parts that the engine detached, and parts with wrong checksums. */
async function checkDamage(about: string, store: TraceStore): Promise<Finding[]> {
  const findings = (await findDamagedParts(store)).map(({ table, name, path }) =>
    found.wrong(
      about,
      `a part of ${table} is damaged, and its traces are missing: ${path || name}. ${REPAIR}`,
    ),
  );
  for (const table of CHECKED_TABLES) {
    const damaged = await checkTable(store, table, CHECK_SECONDS).catch(() => undefined);
    if (damaged === undefined) {
      findings.push(
        found.note(about, `the table ${table} could not be checked for damage within ${CHECK_SECONDS} s`),
      );
    }
    for (const { part, why } of damaged ?? [])
      findings.push(
        found.wrong(about, `the part ${part} of ${table} is damaged (${takeFirstLine(why)}). ${REPAIR}`),
      );
  }
  return findings;
}

const CHECKED_TABLES = ['traces', 'steps', 'spans'] as const;
/**
 * Time limit for the check of one table, in seconds: enough for some hundred megabytes on a disk. For a larger table, `doctor` reports that
 * it could not be checked.
 */
const CHECK_SECONDS = 3;
const REPAIR = 'Restore a backup, or replace the folder of this part with an undamaged copy.';

function checkClock(about: string, theirs: Date): Finding[] {
  const driftMs = Math.abs(theirs.getTime() - Date.now());
  if (driftMs < DRIFT_NOTE_MS) return [];
  const says = `the clocks of the store and of this machine are ${Math.round(driftMs / 1000)} s apart: synchronize both with NTP`;
  return [driftMs < DRIFT_WRONG_MS ? found.note(about, says) : found.wrong(about, says)];
}

function limitTime<T>(doing: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`no response within ${PATIENCE_MS / 1000} s`)),
      PATIENCE_MS,
    );
    doing.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

function getMessage(error: unknown): string {
  let current = error;
  while (current instanceof Error && current.cause !== undefined) current = current.cause;
  return takeFirstLine(current instanceof Error ? current.message || String(current) : String(current));
}

function takeFirstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}
