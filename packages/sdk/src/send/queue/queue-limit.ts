import { totalmem } from 'node:os';

const MB = 1024 * 1024;
/** Share of the memory available to this process that the queue can use. */
const SHARE = 1 / 32;
const MIN_BYTES = 8 * MB;
const MAX_BYTES = 64 * MB;
/** Maximum size of the queue while the server does not respond, in bytes. This state can last for hours. */
const MAX_BYTES_WITHOUT_SERVER = 16 * MB;

export interface QueueLimit {
  /** Maximum bytes of JSON that are queued or in flight. */
  readonly bytes: number;
  /** Maximum bytes of JSON that are queued while the server is unreachable. */
  readonly bytesWithoutServer: number;
}

/** Chooses the queue's limits from the memory of the machine or the container. */
export function chooseQueueLimit(
  memoryBytes = Math.min(totalmem(), process.constrainedMemory() || Infinity),
): QueueLimit {
  const bytes = Math.max(MIN_BYTES, Math.min(MAX_BYTES, Math.floor(memoryBytes * SHARE)));
  return { bytes, bytesWithoutServer: Math.min(bytes, MAX_BYTES_WITHOUT_SERVER) };
}
