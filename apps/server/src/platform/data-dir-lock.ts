import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

const SQLITE_BUSY = 5;

/** The data folder is in use by another process. */
export class DataDirBusy extends Error {
  override readonly name = 'DataDirBusy';
}

/**
 * Makes this process the folder's only one until `release` or its end, however it ends. The lock is the operating system's own, taken
 * through SQLite: a process id in a file would have to be judged after a crash, and in a container the next process has the same one.
 * @throws DataDirBusy
 */
export function lockDataDir(dataDir: string): { release(): void } {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const lock = new DatabaseSync(join(dataDir, 'lock'));
  const holder = join(dataDir, 'lock.pid');
  try {
    lock.exec('PRAGMA journal_mode = MEMORY; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
  } catch (cause) {
    lock.close();
    if (!(cause instanceof Error && 'errcode' in cause && cause.errcode === SQLITE_BUSY)) throw cause;
    throw new DataDirBusy(
      `${dataDir} is in use by another Throughline process${processNamedIn(holder)}. Stop it, or give this one a DATA_DIR of its own.`,
      { cause },
    );
  }
  writeFileSync(holder, String(process.pid));
  return { release: () => lock.close() };
}

function processNamedIn(file: string): string {
  try {
    return ` (process ${Number.parseInt(readFileSync(file, 'utf8'), 10)})`;
  } catch {
    return '';
  }
}
