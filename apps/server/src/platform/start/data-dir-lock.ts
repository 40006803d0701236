import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { OperatorError } from '../operator-error.ts';

const SQLITE_BUSY = 5;
/** References to the lock databases. Without a reference, a database would be garbage-collected and its lock released. */
const heldLocks = new Set<DatabaseSync>();

/** Another process uses the data folder. */
export class DataDirBusy extends OperatorError {
  override readonly name = 'DataDirBusy';
}

/** The data folder cannot be written to. */
export class DataDirUnusable extends OperatorError {
  override readonly name = 'DataDirUnusable';
}

/**
 * Makes this process the folder's only user until `release`, or until the process ends in any way. Uses
 * an operating-system lock through SQLite. A file with a process id would be ambiguous after a crash: in
 * a container, the next process has the same id.
 * @throws DataDirBusy, DataDirUnusable
 */
export function lockDataDir(dataDir: string): { release(): void } {
  const holder = join(dataDir, 'lock.pid');
  let lock: DatabaseSync | undefined;
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    lock = new DatabaseSync(join(dataDir, 'lock'));
    lock.exec('PRAGMA journal_mode = MEMORY; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    writeFileSync(holder, String(process.pid));
  } catch (cause) {
    lock?.close();
    if (cause instanceof Error && 'errcode' in cause && cause.errcode === SQLITE_BUSY) {
      throw new DataDirBusy(
        `${dataDir} is in use by another Throughline process${processNamedIn(holder)}. Stop that process, or set another DATA_DIR.`,
        { cause },
      );
    }
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new DataDirUnusable(
      `${dataDir} is not writable (${why}): make the folder writable for the server’s user, or set another DATA_DIR.`,
      { cause },
    );
  }
  const held = lock;
  heldLocks.add(held);
  return {
    release() {
      heldLocks.delete(held);
      held.close();
    },
  };
}

function processNamedIn(file: string): string {
  try {
    return ` (process ${Number.parseInt(readFileSync(file, 'utf8'), 10)})`;
  } catch {
    return '';
  }
}
