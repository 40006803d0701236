import { statfs } from 'node:fs/promises';

/** A disk, in bytes. */
export interface DiskSpace {
  /** Bytes that this process can still write. */
  readonly freeBytes: number;
  readonly totalBytes: number;
}

/**
 * The disk that a folder is on.
 * @throws what the system says of a folder that is not there
 */
export async function diskSpace(folder: string): Promise<DiskSpace> {
  const { bavail, blocks, bsize } = await statfs(folder);
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
}
