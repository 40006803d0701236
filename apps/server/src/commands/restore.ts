import { existsSync } from 'node:fs';
import { chmod, mkdir, open, readdir, rm, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { formatCounted } from '@throughline/contract';
import {
  type BackupHead,
  type BackupPart,
  markRollups,
  readParts,
  restoreRows,
} from '../features/backup/index.ts';
import type { Config } from '../platform/config.ts';
import { lockDataDir } from '../platform/start/data-dir-lock.ts';
import { computeSecretMark, findSecretFile } from '../platform/start/secrets.ts';
import { isEmbedded, openBoth, restoreMark } from '../platform/stores.ts';
import { CommandFailed, type RunCommand, readFileArgument, say } from './command.ts';

export const restore: RunCommand = async (args, readSettings) => {
  const file = resolve(readFileArgument(args));
  const config = readSettings();
  if (!existsSync(file)) throw new CommandFailed(`There is no file ${file}.`);
  const handle = await open(file, 'r');
  try {
    const parts = readParts(handle.createReadStream({ highWaterMark: 1024 * 1024, autoClose: false }));
    const head = await readHead(parts);
    const { control, traces } = await restoreInto(config, head, withoutHead(parts));
    say(
      `Restored ${formatCounted(control.users ?? 0, 'account')} and ${formatCounted(traces.traces ?? 0, 'trace')}, as they were on ${head.madeAt}. Every table was counted.`,
    );
  } finally {
    await handle.close();
  }
};

async function readHead(parts: AsyncIterator<BackupPart>): Promise<BackupHead> {
  const { value } = await parts.next();
  if (value === undefined || !('throughline' in value))
    throw new CommandFailed(
      'The file does not begin like a backup. Choose a file that "throughline backup" wrote.',
    );
  return value;
}

async function* withoutHead(
  parts: AsyncIterable<BackupPart>,
): AsyncGenerator<Exclude<BackupPart, BackupHead>> {
  for await (const part of parts) {
    if ('throughline' in part)
      throw new CommandFailed(
        'The file contains the start of a second backup. Choose a file that "throughline backup" wrote.',
      );
    yield part;
  }
}

async function restoreInto(
  config: Config,
  head: BackupHead,
  parts: AsyncIterable<Exclude<BackupPart, BackupHead>>,
) {
  checkSecret(config, head);
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 });
  const embedded = isEmbedded(config);
  const lock = embedded ? lockDataDir(config.dataDir) : undefined;
  try {
    if (embedded) {
      await refuseUsed(config.dataDir);
      // If the restore is interrupted after this line, the next server that starts on the folder finds this file and refuses to start.
      await writeFile(restoreMark(config.dataDir), `${head.madeAt}\n`, { flush: true });
    }
    if (config.secretKey === undefined && head.secret !== undefined)
      await putSecret(config.dataDir, head.secret);
    const then = { control: head.controlMigration, traces: head.traceMigration };
    const stores = await openBoth(config, then, () => {});
    const restored = await restoreRows(stores, parts).finally(() => stores.close());
    // Migrates the restored rows: runs all migrations that are newer than the backup.
    const newest = await openBoth(config, 'newest', () => {});
    await markRollups(newest.traces).finally(() => newest.close());
    await rm(restoreMark(config.dataDir), { force: true });
    return restored;
  } finally {
    lock?.release();
  }
}

function checkSecret({ secretKey }: Config, head: BackupHead): void {
  if (secretKey === undefined) {
    if (head.secret === undefined)
      throw new CommandFailed('The backup was made with SECRET_KEY set: set it to the same value.');
    if (computeSecretMark(Buffer.from(head.secret, 'base64')) === head.secretMark) return;
    throw new CommandFailed(
      'The keys in the backup are not encrypted with the secret in the backup, so the file was changed. Restore another backup.',
    );
  }
  if (computeSecretMark(secretKey) === head.secretMark) return;
  throw new CommandFailed(
    'The backup was made with another secret than SECRET_KEY, so its keys and links cannot be read. Set SECRET_KEY to the secret of the old server: its SECRET_KEY, or the content of secret.key in its data folder.',
  );
}

/** Refuses a folder that is already used. Lock files and the file system's `lost+found` do not count as use. */
async function refuseUsed(dataDir: string): Promise<void> {
  const used = (await readdir(dataDir)).filter((name) => !/^(lock(\.pid|-journal)?|lost\+found)$/.test(name));
  if (used.length === 0) return;
  throw new CommandFailed(
    `${dataDir} is not empty (${used.slice(0, 3).join(', ')}${used.length > 3 ? ', …' : ''}). A backup can be restored only into an empty folder. Move this folder, or set DATA_DIR to another folder.`,
  );
}

async function putSecret(dataDir: string, secret: string): Promise<void> {
  const file = findSecretFile(dataDir);
  await writeFile(file, `${secret}\n`, { mode: 0o600, flush: true });
  await chmod(file, 0o600);
}
