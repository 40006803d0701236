import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../platform/config.ts';
import {
  type ControlStore,
  controlClock,
  controlMigrations,
  openControlUnmigrated,
} from '../../platform/control-store/index.ts';
import { DataDirBusy, lockDataDir } from '../../platform/data-dir-lock.ts';
import { locksWithoutOthers } from '../../platform/locks.ts';
import { isEmbedded, restoreMark } from '../../platform/stores.ts';
import {
  openUnmigrated,
  type TraceStore,
  traceClock,
  traceMigrations,
} from '../../platform/trace-store/index.ts';
import { askServer } from '../ask-server.ts';
import { type Finding, found } from './finding.ts';

/** A store that says nothing for so long cannot be worked with. */
const PATIENCE_MS = 10_000;
/** Sessions and quotas go by the clock; a trace more than a day ahead is rejected. */
const DRIFT_NOTE_MS = 5_000;
const DRIFT_WRONG_MS = 5 * 60_000;

export interface StoreFindings {
  readonly findings: readonly Finding[];
  /** Another process has the data folder. */
  readonly serverRuns: boolean;
}

/** Whether both stores answer, what a start would change in them, and whether their clocks agree with this one. */
export async function checkStores(config: Config): Promise<StoreFindings> {
  if (existsSync(restoreMark(config.dataDir))) {
    const says = `a restore into ${config.dataDir} did not come to its end: empty the folder and restore again`;
    return { findings: [found.wrong('Stores', says)], serverRuns: false };
  }
  if (!isEmbedded(config) || !existsSync(config.dataDir))
    return { findings: await checkBoth(config), serverRuns: false };
  let lock: ReturnType<typeof lockDataDir>;
  try {
    lock = lockDataDir(config.dataDir);
  } catch (error) {
    if (error instanceof DataDirBusy)
      return { findings: [await checkRunning(config, error)], serverRuns: true };
    const says = `${config.dataDir} cannot be locked (${messageOf(error)})`;
    return { findings: [found.wrong('Stores', says)], serverRuns: false };
  }
  try {
    return { findings: await checkBoth(config), serverRuns: false };
  } finally {
    lock.release();
  }
}

async function checkRunning(config: Config, busy: DataDirBusy): Promise<Finding> {
  try {
    (await soon(askServer(config.dataDir, { method: 'GET', path: '/status' }, busy))).resume();
    return found.ok('Stores', 'the server that runs on the data folder says that both answer');
  } catch (error) {
    return found.wrong(
      'Stores',
      `a process has the data folder, and does not say that its stores answer (${messageOf(error)})`,
    );
  }
}

async function checkBoth(config: Config): Promise<Finding[]> {
  return [...(await checkControl(config)), ...(await checkTraces(config))];
}

async function checkControl(config: Config): Promise<Finding[]> {
  const about =
    config.databaseUrl === undefined ? 'Accounts (in the data folder)' : 'Accounts (DATABASE_URL)';
  // Opening it would make it.
  if (config.databaseUrl === undefined && !existsSync(join(config.dataDir, 'control'))) {
    return [found.note(about, 'there are none yet; the first start makes the store')];
  }
  return checkStore<ControlStore>(
    about,
    () => openControlUnmigrated(config),
    async (store) => ({
      pending: (await controlMigrations(store.db)).pending,
      clock: await controlClock(store.db),
    }),
  );
}

async function checkTraces(config: Config): Promise<Finding[]> {
  const about = config.clickhouse === undefined ? 'Traces (in the data folder)' : 'Traces (CLICKHOUSE_URL)';
  if (config.clickhouse === undefined && !existsSync(join(config.dataDir, 'traces'))) {
    return [found.note(about, 'there are none yet; the first start makes the store')];
  }
  return checkStore<TraceStore>(
    about,
    async () => openUnmigrated(config),
    async (store) => {
      await store.ping();
      // It may see what runs: see the grants in docs/scaling.md.
      await store.holding(locksWithoutOthers([]));
      return { pending: (await traceMigrations(store)).pending, clock: await traceClock(store) };
    },
  );
}

interface Seen {
  readonly pending: readonly string[];
  readonly clock: Date;
}

async function checkStore<Store extends { close(): Promise<void> }>(
  about: string,
  open: () => Promise<Store>,
  look: (store: Store) => Promise<Seen>,
): Promise<Finding[]> {
  let store: Store | undefined;
  try {
    store = await soon(open());
    const { pending, clock } = await soon(look(store));
    const tables =
      pending.length === 0
        ? found.ok(about, 'answers, and its tables are up to date')
        : found.note(
            about,
            `answers; the next start, or \`throughline migrate\`, applies ${pending.join(', ')}. Make a backup first.`,
          );
    return [tables, ...checkClock(about, clock)];
  } catch (error) {
    return [found.wrong(about, `cannot be used (${messageOf(error)})`)];
  } finally {
    await store?.close().catch(() => {});
  }
}

function checkClock(about: string, theirs: Date): Finding[] {
  const driftMs = Math.abs(theirs.getTime() - Date.now());
  if (driftMs < DRIFT_NOTE_MS) return [];
  const says = `the clock there and the one here are ${Math.round(driftMs / 1000)} s apart: let both be set by NTP`;
  return [driftMs < DRIFT_WRONG_MS ? found.note(about, says) : found.wrong(about, says)];
}

function soon<T>(doing: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`no answer within ${PATIENCE_MS / 1000} s`)),
      PATIENCE_MS,
    );
    doing.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

function messageOf(error: unknown): string {
  let current = error;
  while (current instanceof Error && current.cause !== undefined) current = current.cause;
  const [first = ''] = (
    current instanceof Error ? current.message || String(current) : String(current)
  ).split('\n');
  return first;
}
