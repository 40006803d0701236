import { statfs } from 'node:fs/promises';

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
