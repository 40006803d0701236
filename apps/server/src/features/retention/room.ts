import type { DiskSpace } from '../../platform/disk.ts';

/** In this order traces go when there is no room for all: those that somebody will look for are kept longest. */
export const KINDS = ['quick', 'slow', 'failed'] as const;
export type TraceKind = (typeof KINDS)[number];

/** What is left of the budget after room was made: not at once again. */
const TARGET = 0.9;
/** So much of a disk is left to others, and to merges, which need room for what they write. */
const RESERVED_BYTES = 1024 ** 3;
const RESERVED_SHARE = 0.05;
/** What fills a disk may be something else: for the disk's sake so much of what is stored may go at once, and no failed request ever. */
const AT_ONCE = 0.5;
const FOR_THE_DISK: readonly TraceKind[] = ['quick', 'slow'];

/** What is to be done about the room that traces take. */
export type Room =
  | { readonly kind: 'enough' }
  | {
      readonly kind: 'drop';
      /** What traces may take, bytes. */
      readonly allowedBytes: number;
      /** To what they are brought, so that they are not soon beyond it again. */
      readonly targetBytes: number;
      readonly kinds: readonly TraceKind[];
    }
  /** Dropping traces would not mend it. */
  | { readonly kind: 'helpless'; readonly missingBytes: number };

/**
 * A budget that was set is kept exactly, whatever must go. The disk's own reserve is kept as far as traces are what fills the disk.
 * @param space undefined where the disk is not this machine's
 */
export function roomToMake(
  usedBytes: number,
  space: DiskSpace | undefined,
  maxBytes: number | undefined,
): Room {
  if (maxBytes !== undefined && usedBytes > maxBytes) {
    return { kind: 'drop', allowedBytes: maxBytes, targetBytes: maxBytes * TARGET, kinds: KINDS };
  }
  const missingBytes = space === undefined ? 0 : computeReserve(space) - space.freeBytes;
  if (missingBytes <= 0) return { kind: 'enough' };
  const leastBytes = usedBytes * AT_ONCE;
  const allowedBytes = usedBytes - missingBytes;
  if (allowedBytes < leastBytes) return { kind: 'helpless', missingBytes };
  const targetBytes = Math.max(allowedBytes * TARGET, leastBytes);
  return { kind: 'drop', allowedBytes, targetBytes, kinds: FOR_THE_DISK };
}

function computeReserve({ totalBytes }: DiskSpace): number {
  return Math.min(RESERVED_BYTES, totalBytes * RESERVED_SHARE);
}
