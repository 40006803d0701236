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

/** A store, or the file that describes the stores, is missing from the data folder or damaged. */
export class DamagedFolder extends OperatorError {
  override readonly name = 'DamagedFolder';
}

const FolderMark = z.object({
  id: z.uuid(),
  /** Location of each store at the last complete start: in the data folder, or elsewhere. */
  control: z.enum(['folder', 'elsewhere']),
  traces: z.enum(['folder', 'elsewhere']),
});
/** Content of the file in the data folder that describes the last complete start. */
export type FolderMark = z.output<typeof FolderMark>;

function markFile(dataDir: string): string {
  return join(dataDir, 'installation.json');
}

/**
 * Reads the file that describes the last complete start. Returns undefined if no start was complete, or if
 * only older versions, which do not write the file, were started.
 * @throws DamagedFolder
 */
export function readFolderMark(dataDir: string): FolderMark | undefined {
  const file = markFile(dataDir);
  if (!existsSync(file)) return undefined;
  try {
    return FolderMark.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (cause) {
    throw new DamagedFolder(
      `${file} cannot be read: restore the file from a copy of the folder. If the folders control and traces beside the file are complete, delete the file: the next start writes it again.`,
      { cause },
    );
  }
}

/**
 * Records that a start was complete. If a store is missing at a later start, the server then knows that the store was lost. Writes nothing
 * if both stores are elsewhere: the server then needs no data folder, and the folder can be read-only.
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
  // Writes another file first and renames it, so that a crash never leaves an incomplete record.
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

/**
 * Restricts the folders of the stores and of the outbox to the current user, because earlier versions left these folders readable by
 * others. Does not change a folder that another user owns; the command `doctor` reports such a folder.
 */
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
 * Compares the folder with the record of the last complete start before any store is opened: opening a missing store would create an empty
 * one. Returns the record; undefined if there is none.
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
        `${setting} is not set, but this installation stores its ${holds} in the database of ${setting} (see ${markFile(dataDir)}). Set ${setting} again, or use another DATA_DIR.`,
      );
    }
    if (mark !== undefined && !existsSync(join(dataDir, name))) throw buildMissingStoreError(dataDir, name);
  }
  return mark;
}

export function buildMissingStoreError(dataDir: string, name: 'control' | 'traces'): DamagedFolder {
  const holds = name === 'control' ? 'accounts' : 'traces';
  return new DamagedFolder(
    `${join(dataDir, name)} is missing, and with it all ${holds}. No empty store was created: put the folder back, or restore a backup into an empty DATA_DIR.`,
  );
}

/** Builds the error for a store that is empty but had content before. */
export function buildEmptiedStoreError(where: string, holds: 'accounts' | 'traces'): DamagedFolder {
  return new DamagedFolder(
    `${where} has no tables, but this installation had ${holds} there. Nothing was changed. Set the URL of the former store, put its folder back, or restore a backup; to begin with an empty store on purpose, use another DATA_DIR.`,
  );
}

/**
 * Checks a PGlite folder before it is opened, because PGlite creates an empty cluster if the version file is missing. A new folder gets its
 * name only after all its files exist, so a missing file was lost later.
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

/** Builds the error for a PGlite folder that has all its files but cannot be opened. */
export function buildUnusableControlError(folder: string, cause: unknown): DamagedFolder {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new DamagedFolder(
    `The store of accounts in ${folder} cannot be opened: ${reason}. Put the folder back as it was, or restore a backup into an empty DATA_DIR.`,
    { cause },
  );
}

class DiskFull extends OperatorError {
  override readonly name = 'DiskFull';
}

/** Builds the error for a store that could not be created or opened because the disk is full. */
export function buildDiskFullError(dataDir: string, cause: unknown): OperatorError {
  return new DiskFull(`The disk of ${dataDir} is full: free space, then start again.`, { cause });
}
