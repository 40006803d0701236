import type { StepForest, StepNode } from './step-forest.ts';

/** A time range in milliseconds from the trace's start; negative if a step began earlier. */
export interface Stretch {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Returns when a step ran, with its pauses. For a step that represents several calls: from the start of the first to the end of the last. */
export function computeExtent({ startMs, endMs }: StepNode): Stretch {
  return { fromMs: startMs, toMs: endMs };
}

/**
 * Finds an entry by its key and returns when it ran. For a bundle, returns when its first step ran: a bundle's key is the key of its first
 * step with a prefix of one character.
 */
export function findExtent({ byKey }: StepForest, key: string | undefined): Stretch | undefined {
  const node = key === undefined ? undefined : (byKey.get(key) ?? byKey.get(key.slice(1)));
  return node === undefined ? undefined : computeExtent(node);
}
