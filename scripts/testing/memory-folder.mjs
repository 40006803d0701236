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
/** The space to require: four times the most that tests have used at once. */
const ROOM_BYTES = 2 * GB;
/** The free memory to require: the folder's space, and that of the tests and browsers. */
const MEMORY_BYTES = 10 * GB;

/** Makes a folder in memory that is deleted when this process ends. Undefined if the machine has too little memory. */
export function memoryFolder() {
  if (freeMemory() < MEMORY_BYTES || freeRoom() < ROOM_BYTES) return undefined;
  const folder = mkdtempSync(join(SHARED, 'throughline-tests-'));
  // PostgreSQL runs as another user, which must be able to enter.
  chmodSync(folder, 0o755);
  // The programs in other languages that `npm run test:long` built stay on the disk.
  symlinkSync(join(tmpdir(), PROGRAMS), join(folder, PROGRAMS));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1));
  return folder;
}

/** The free memory of the machine, or of the container if that is less, which only newer versions of Node report. */
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
