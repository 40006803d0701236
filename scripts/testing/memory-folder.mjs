/**
 * Provides a temp folder in memory. Tests create and delete stores with about a hundred small files each. On ext4, these files take a third
 * of the CPU time of the server's tests, which also wait for the disk.
 */
import { chmodSync, mkdtempSync, rmSync, statfsSync, symlinkSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';

/** The folder that Linux keeps in memory. */
const SHARED = '/dev/shm';
const PROGRAMS = 'throughline-programs';
const GB = 1024 ** 3;
/** Free space that the folder must have: four times the peak use of the tests. */
const ROOM_BYTES = 2 * GB;
/** Free memory that the machine must have, for the folder, the tests and the browsers. */
const MEMORY_BYTES = 10 * GB;

/**
 * Creates a folder in memory, which is deleted when this process ends. Returns undefined if the machine has too little free memory, or if
 * /dev/shm is missing or has too little space.
 */
export function memoryFolder() {
  if (freeMemory() < MEMORY_BYTES || freeRoom() < ROOM_BYTES) return undefined;
  const folder = mkdtempSync(join(SHARED, 'throughline-tests-'));
  // PostgreSQL runs as another user, who needs access to the folder.
  chmodSync(folder, 0o755);
  // Links to the folder on disk for compiled programs in other languages, so that later runs find them.
  symlinkSync(join(tmpdir(), PROGRAMS), join(folder, PROGRAMS));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1));
  return folder;
}

/** Returns the free memory of the machine, or of the container if that is less. Older versions of Node do not report the container's. */
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
