import { totalmem } from 'node:os';

const MB = 1024 * 1024;
/** The share of the memory that this process may have. */
const SHARE = 1 / 32;
const MIN_BYTES = 8 * MB;
const MAX_BYTES = 64 * MB;
/** The largest backlog while the server does not answer, which may take hours. */
const MAX_BYTES_WITHOUT_SERVER = 16 * MB;

export interface QueueLimit {
  /** Most bytes of JSON that wait or are under way. */
  readonly bytes: number;
  /** The same while the server is away. */
  readonly bytesWithoutServer: number;
}

/** How much may wait, by the machine's memory or the container's. */
export function chooseQueueLimit(
  memoryBytes = Math.min(totalmem(), process.constrainedMemory() || Infinity),
): QueueLimit {
  const bytes = Math.max(MIN_BYTES, Math.min(MAX_BYTES, Math.floor(memoryBytes * SHARE)));
  return { bytes, bytesWithoutServer: Math.min(bytes, MAX_BYTES_WITHOUT_SERVER) };
}
