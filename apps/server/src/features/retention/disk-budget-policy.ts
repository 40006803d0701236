import type { DiskSpace } from '../../platform/disks/disk.ts';

/** The order in which traces are evicted. Traces that people are most likely to search for come last. */
export const KINDS = ['quick', 'slow', 'failed'] as const;
export type TraceKind = (typeof KINDS)[number];

/** Share of the allowed bytes to which an eviction reduces the store, so that the next eviction is not needed immediately. */
const TARGET = 0.9;
/** Disk space reserved for other programs, and for merges, which write their output to new parts. */
const RESERVED_BYTES = 1024 ** 3;
const RESERVED_SHARE = 0.05;
/**
 * Maximum share of the store's bytes that one eviction frees for the disk's reserve. Failed traces are never deleted for the reserve,
 * because files other than traces can fill the disk.
 */
const AT_ONCE = 0.5;
const FOR_THE_DISK: readonly TraceKind[] = ['quick', 'slow'];

/**
 * The decision whether to evict traces. The variant `drop` contains the kinds of traces that can be evicted, and the maximum and the target
 * size.
 */
export type EvictionDecision =
  | { readonly kind: 'enough' }
  | {
      readonly kind: 'drop';
      /** Maximum size of the traces in bytes. */
      readonly allowedBytes: number;
      /** Size to aim for: usually below `allowedBytes`, so that the next eviction is not needed soon. */
      readonly targetBytes: number;
      readonly kinds: readonly TraceKind[];
    }
  /** Evicting traces would not free enough space. */
  | { readonly kind: 'helpless'; readonly missingBytes: number };

/**
 * Decides what to evict. If the traces exceed `maxBytes`, traces of any kind can be evicted. If the disk's reserve is used up, only
 * successful traces can be evicted, and only if evicting half of the store's bytes would suffice: otherwise other files fill the disk.
 * @param space undefined if the disk is on another machine
 */
export function planEviction(
  usedBytes: number,
  space: DiskSpace | undefined,
  maxBytes: number | undefined,
): EvictionDecision {
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
