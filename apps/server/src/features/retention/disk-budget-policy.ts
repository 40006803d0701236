import type { DiskSpace } from '../../platform/disks/disk.ts';

/** The order in which traces are evicted: those that people are most likely to look for are kept longest. */
export const KINDS = ['quick', 'slow', 'failed'] as const;
export type TraceKind = (typeof KINDS)[number];

/** The share of the budget that is used after an eviction, so that the next one is not needed immediately. */
const TARGET = 0.9;
/** Disk space left for other programs and for merges, which need space for their output. */
const RESERVED_BYTES = 1024 ** 3;
const RESERVED_SHARE = 0.05;
/** Other files can be what fills the disk. To relieve the disk, at most this share of the traces is dropped at a time, and never failed ones. */
const AT_ONCE = 0.5;
const FOR_THE_DISK: readonly TraceKind[] = ['quick', 'slow'];

/** The action needed for the disk space that traces use. */
export type Room =
  | { readonly kind: 'enough' }
  | {
      readonly kind: 'drop';
      /** The maximum size of the traces, in bytes. */
      readonly allowedBytes: number;
      /** The size after the eviction, low enough that the limit is not reached again soon. */
      readonly targetBytes: number;
      readonly kinds: readonly TraceKind[];
    }
  /** Dropping traces would not free enough space. */
  | { readonly kind: 'helpless'; readonly missingBytes: number };

/**
 * Decides what to evict. A configured budget is enforced exactly, whatever kinds of traces must go. The disk's own reserve is only enforced as far as
 * traces are what fills the disk.
 * @param space undefined if the disk is on another machine
 */
export function planEviction(
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
