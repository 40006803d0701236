import { readControlMigrations } from '../platform/control-store/index.ts';
import { DataDirBusy } from '../platform/start/data-dir-lock.ts';
import { openStores, type Stores } from '../platform/stores.ts';
import { traceMigrations } from '../platform/trace-store/index.ts';
import { type RunCommand, say, UsageError } from './command.ts';

export const migrate: RunCommand = async (args, readSettings) => {
  if (args.length > 0) throw new UsageError('migrate takes no arguments.');
  const config = readSettings();
  const found = await openStores(config, 'as-found').catch((error: unknown) => {
    if (!(error instanceof DataDirBusy)) throw error;
    say(`A server runs on ${config.dataDir}. It updated the tables when it started.`);
  });
  if (found === undefined) return;
  const pending = await listPending(found).finally(() => found.close());
  for (const line of pending) say(`To apply: ${line}`);
  if (pending.length > 0) await (await openStores(config)).close();
  say(pending.length === 0 ? 'The tables are up to date.' : 'Done: the tables are up to date.');
};

async function listPending(stores: Stores): Promise<string[]> {
  const [control, traces] = [
    await readControlMigrations(stores.control.db),
    await traceMigrations(stores.traces),
  ];
  return [
    ...control.pending.map((name) => `${name} (accounts)`),
    ...traces.pending.map((name) => `${name} (traces)`),
  ];
}
