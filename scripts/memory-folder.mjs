/**
 * A temp folder in memory, for tests: each makes stores of some hundred small files and removes them again. On ext4 that is a third of the
 * processor's time that the server's tests take, and they wait for the disk besides.
 */
import { chmodSync, mkdtempSync, rmSync, statfsSync, symlinkSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';

/** Linux's own folder in memory. */
const SHARED = '/dev/shm';
const PROGRAMS = 'throughline-programs';
const GB = 1024 ** 3;
/** What tests had there at once at most is a quarter of it. */
const ROOM_BYTES = 2 * GB;
/** With what they and their browsers need to run. */
const MEMORY_BYTES = 10 * GB;

/** Makes one that is gone when this process ends. Undefined where the machine has none, or too little memory for it. */
export function memoryFolder() {
  if (freeMemory() < MEMORY_BYTES || freeRoom() < ROOM_BYTES) return undefined;
  const folder = mkdtempSync(join(SHARED, 'throughline-tests-'));
  // PostgreSQL runs as a user of its own, who must be able to get there.
  chmodSync(folder, 0o755);
  // What `npm run test:long` built of other languages is kept on the disk, and used where it is there.
  symlinkSync(join(tmpdir(), PROGRAMS), join(folder, PROGRAMS));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1));
  return folder;
}

/** What the machine has, or the container where that is less; which only newer versions of Node can tell. */
function freeMemory() {
  return process.availableMemory?.() ?? freemem();
}

function freeRoom() {
  try {
    const { bavail, bsize } = statfsSync(SHARED);
    return bavail * bsize;
  } catch {
    return 0;
  }
}
