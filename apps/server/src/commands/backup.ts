import { existsSync } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { formatCounted } from '@throughline/contract';
import { type BackupPart, readParts, writeBackup } from '../features/backup/index.ts';
import type { Config } from '../platform/config.ts';
import { DataDirBusy } from '../platform/start/data-dir-lock.ts';
import { readInstallationSecret } from '../platform/start/installation.ts';
import { findSecretFile } from '../platform/start/secrets.ts';
import { openStores } from '../platform/stores.ts';
import { VERSION } from '../platform/version.ts';
import { askServer } from './ask-server.ts';
import { CommandFailed, type RunCommand, readFileArgument, say } from './command.ts';

export const backup: RunCommand = async (args, readSettings) => {
  const file = resolve(readFileArgument(args));
  const config = readSettings();
  if (existsSync(file))
    throw new CommandFailed(`${file} already exists. Choose another file name for the backup.`);
  if (!existsSync(dirname(file))) throw new CommandFailed(`There is no folder ${dirname(file)}.`);
  const unfinished = `${file}.unfinished`;
  try {
    const parts = await save(readBackup(config), unfinished);
    await rename(unfinished, file);
    await syncFolder(dirname(file));
    say(
      `Saved ${formatCounted(parts.users, 'account')} and ${formatCounted(parts.traces, 'trace')} to ${file}, ${formatMegabytes((await stat(file)).size)}.`,
    );
    if (parts.holdsSecret)
      say("The file contains the server's secret: protect the file like the server itself.");
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
};

/** Reads a backup from the stores, or from the server that has them open. */
async function* readBackup(config: Config): AsyncGenerator<Buffer> {
  try {
    yield* readStores(config);
  } catch (error) {
    if (!(error instanceof DataDirBusy)) throw error;
    const answer = await askServer(config.dataDir, { method: 'GET', path: '/backup' }, error);
    try {
      yield* answer;
    } catch (cause) {
      throw new CommandFailed('The server could not finish the backup. See its log for the reason.', {
        cause,
      });
    }
  }
}

async function* readStores(config: Config): AsyncGenerator<Buffer> {
  if (config.secretKey === undefined && !existsSync(findSecretFile(config.dataDir))) {
    throw new CommandFailed(`There is nothing to back up in ${config.dataDir}. Is DATA_DIR correct?`);
  }
  const stores = await openStores(config, 'as-found');
  try {
    yield* writeBackup({
      ...stores,
      secretKey: await readInstallationSecret(config, stores.control.db),
      secretInFolder: config.secretKey === undefined,
      version: VERSION,
      now: new Date(),
    });
  } finally {
    await stores.close();
  }
}

interface Saved {
  readonly traces: number;
  readonly users: number;
  readonly holdsSecret: boolean;
}

/** Writes the backup to a file, and then reads the file again, as a restore would. @throws BadBackup */
async function save(pieces: AsyncIterable<Buffer>, file: string): Promise<Saved> {
  const handle = await open(file, 'wx', 0o600);
  try {
    for await (const piece of pieces) await handle.writeFile(piece);
    await handle.sync();
  } finally {
    await handle.close();
  }
  const written = await open(file, 'r');
  let holdsSecret = false;
  let counts: Extract<BackupPart, { end: unknown }>['end'] = { control: {}, traces: {} };
  try {
    const stream = written.createReadStream({ highWaterMark: 1024 * 1024, autoClose: false });
    for await (const part of readParts(stream)) {
      if ('end' in part) counts = part.end;
      else if ('throughline' in part) holdsSecret = part.secret !== undefined;
    }
  } finally {
    // `readParts` stops after the last part of the backup, before the end of the stream. Without this call, the file would stay open until
    // it is garbage-collected.
    await written.close();
  }
  return { traces: counts.traces.traces ?? 0, users: counts.control.users ?? 0, holdsSecret };
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  await handle.sync().finally(() => handle.close());
}

function formatMegabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)} MB`;
}
