import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Space on a disk. */
export interface DiskSpace {
  /** Bytes that this process can still write. */
  readonly freeBytes: number;
  readonly totalBytes: number;
}

/**
 * Returns the space on a folder's disk.
 * @throws the system's error if the folder does not exist
 */
export async function readDiskSpace(folder: string): Promise<DiskSpace> {
  const { bavail, blocks, bsize } = await statfs(folder);
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
}

/** With less free space, a server can start, but inserts and merges of the stores soon fail. */
const MIN_FREE_BYTES = 256 * 1024 ** 2;

/** Returns the folder if it exists, otherwise the nearest parent folder that exists. */
export function findNearestExisting(folder: string): string {
  let place = folder;
  while (!existsSync(place) && dirname(place) !== place) place = dirname(place);
  return place;
}

/** Returns a message about too little space on the disk of a folder, with a remedy. Returns undefined if there is enough space. */
export async function describeLowSpace(folder: string): Promise<string | undefined> {
  const place = findNearestExisting(folder);
  const { freeBytes } = await readDiskSpace(place);
  if (freeBytes >= MIN_FREE_BYTES) return undefined;
  const [free, min] = [freeBytes, MIN_FREE_BYTES].map((bytes) => `${Math.floor(bytes / 1024 ** 2)} MB`);
  return `only ${free} are free on the disk of ${place}, less than ${min}: free space or use a larger disk, or the server will refuse traces`;
}
