import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Config } from '../config.ts';
import { OperatorError } from '../operator-error.ts';

type FolderConfig = Pick<Config, 'dataDir' | 'databaseUrl' | 'clickhouse'>;

/** A store, or a note about the stores, is missing from the data folder, or damaged. */
export class DamagedFolder extends OperatorError {
  override readonly name = 'DamagedFolder';
}

const FolderMark = z.object({
  id: z.uuid(),
  /** Where each store was at the last start. */
  control: z.enum(['folder', 'elsewhere']),
  traces: z.enum(['folder', 'elsewhere']),
});
/** The data folder's note of the last complete start. */
export type FolderMark = z.output<typeof FolderMark>;

function markFile(dataDir: string): string {
  return join(dataDir, 'installation.json');
}

/**
 * Undefined where no start was ever complete, or only starts of versions that noted nothing.
 * @throws DamagedFolder
 */
export function readFolderMark(dataDir: string): FolderMark | undefined {
  const file = markFile(dataDir);
  if (!existsSync(file)) return undefined;
  try {
    return FolderMark.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (cause) {
    throw new DamagedFolder(
      `${file} cannot be read: restore it from a copy of the folder. If control and traces beside it are whole, remove it; the next start writes it.`,
      { cause },
    );
  }
}

/**
 * Notes that a start was complete: from then on, a store that is missing was lost. Nothing is noted where both stores are elsewhere: such a server may
 * have no folder of its own, or one that it cannot write to.
 */
export function writeFolderMark(config: FolderConfig, id: string): void {
  if (config.databaseUrl !== undefined && config.clickhouse !== undefined) return;
  const mark: FolderMark = {
    id,
    control: config.databaseUrl === undefined ? 'folder' : 'elsewhere',
    traces: config.clickhouse === undefined ? 'folder' : 'elsewhere',
  };
  const file = markFile(config.dataDir);
  const text = `${JSON.stringify(mark)}\n`;
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return;
  // Servers whose stores are elsewhere may share a folder, and start together.
  const unfinished = `${file}.new-${process.pid}`;
  writeFileSync(unfinished, text, { mode: 0o600, flush: true });
  renameSync(unfinished, file);
  syncFolder(config.dataDir);
}

function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Stores of earlier versions can be readable by other users of the machine. A folder of another owner stays as it is; `doctor` reports it. */
export function protectStores(dataDir: string): void {
  for (const name of ['control', 'traces', 'outbox']) {
    const folder = join(dataDir, name);
    if (!existsSync(folder) || (statSync(folder).mode & 0o077) === 0) continue;
    try {
      chmodSync(folder, 0o700);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) throw error;
    }
  }
}

const STORES = [
  { name: 'control', setting: 'DATABASE_URL', holds: 'accounts' },
  { name: 'traces', setting: 'CLICKHOUSE_URL', holds: 'traces' },
] as const;

/**
 * Compares the folder with what the last complete start noted, before anything is opened: opening a store that is missing makes an empty one.
 * @throws DamagedFolder
 */
export function checkFolder(config: FolderConfig): FolderMark | undefined {
  const { dataDir } = config;
  const mark = readFolderMark(dataDir);
  for (const { name, setting, holds } of STORES) {
    const here = name === 'control' ? config.databaseUrl === undefined : config.clickhouse === undefined;
    if (!here) continue;
    if (mark?.[name] === 'elsewhere') {
      throw new DamagedFolder(
        `${setting} is not set, but this installation keeps its ${holds} there (${markFile(dataDir)}). Set it, or give this server a DATA_DIR of its own.`,
      );
    }
    if (mark !== undefined && !existsSync(join(dataDir, name))) throw missingStore(dataDir, name);
  }
  return mark;
}

/** A store that was there is gone. */
export function missingStore(dataDir: string, name: 'control' | 'traces'): DamagedFolder {
  const holds = name === 'control' ? 'accounts' : 'traces';
  return new DamagedFolder(
    `${join(dataDir, name)} is missing, and with it all ${holds}. No empty store is made in its place: put the folder back, or restore a backup into an empty DATA_DIR.`,
  );
}

/** A store's place is there, and the store in it is not the one that was used. */
export function emptiedStore(where: string, holds: 'accounts' | 'traces'): DamagedFolder {
  return new DamagedFolder(
    `${where} has no tables, but this installation had ${holds} there. Nothing was changed. Set the address of the store that was used, or restore a backup; to begin with an empty store on purpose, use another DATA_DIR.`,
  );
}

/**
 * PGlite makes an empty cluster over a folder that lacks its version file, so the folder is looked at first. It appears complete, by a rename:
 * if a part is missing, it was lost.
 * @throws DamagedFolder
 */
export function checkControlFolder(folder: string): void {
  const missing = ['PG_VERSION', 'global/pg_control', 'base', 'pg_wal'].filter(
    (part) => !existsSync(join(folder, part)),
  );
  if (missing.length === 0) return;
  throw new DamagedFolder(
    `The store of accounts is damaged: ${missing.map((part) => join(folder, part)).join(', ')} missing. Nothing was changed: put the folder back as it was, or restore a backup into an empty DATA_DIR.`,
  );
}
