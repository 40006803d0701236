import { MAX_ERROR_IDS, MAX_MERGED_ERRORS } from '@throughline/contract';
import { type ErrorGrouping, mergeMore } from '../../errors/index.ts';
import type { ErrorTimes } from './new-errors-store.ts';
import { findSimilarMessages } from './similar-messages.ts';

/**
 * Minimum number of words that messages share. If it is unknown which functions throw them, two words are not enough: "Failed to save" and
 * "Failed to connect" are different errors.
 */
const MIN_SHARED = { sameFunction: 2, unknownFunction: 3 } as const;

/** Errors that are reported as new: in all environments, or only in one. */
export interface NewErrors {
  /** Set if the errors occurred before the period, but not in this environment. */
  readonly environment: string | null;
  readonly ids: readonly string[];
  /** The errors whose messages differ only in some words, by the id of the error that stands for all of them. */
  readonly similar: ReadonlyMap<string, SimilarErrors>;
  /** The project's errors, with similar errors merged into the error that stands for them. */
  readonly grouping: ErrorGrouping;
}

export interface SimilarErrors {
  readonly pattern: string;
  /** The number of errors in the finding. */
  readonly errors: number;
  /** The ids of all similar errors, including errors whose ids do not fit into the finding. */
  readonly ids: ReadonlySet<string>;
}

/** How often an error occurred, in all environments or in one. */
interface Occurrences {
  readonly id: string;
  /** Start of the first request, epoch µs. */
  readonly began: bigint;
  readonly errors: number;
}

/** Errors that count together: a single error, or errors with similar messages. */
interface CountedErrors<Of> {
  /** The words that all messages share, with … for the other words. Undefined for a single error. */
  readonly pattern: string | undefined;
  readonly items: readonly Of[];
}

/**
 * Chooses the errors that occurred at least `least` times, and not before the period. Errors of one function whose messages differ only in
 * some words count together: they are one new error, or none of them is new if one occurred before. If they occurred before, but not in one
 * of the environments, they are new in that environment.
 */
export function chooseNewErrors(
  all: readonly ErrorTimes[],
  grouping: ErrorGrouping,
  { from, least }: { readonly from: bigint; readonly least: number },
): NewErrors[] {
  const isNew = ({ items }: CountedErrors<{ readonly began: bigint }>) =>
    items.every(({ began }) => began >= from);
  const counted = countTogether(all);
  const everywhere = counted.filter(isNew).map(({ pattern, items }) => ({
    pattern,
    items: items.map(({ error_id: id, began, errors }) => ({ id, began, errors })),
  }));
  const inEnvironments = counted
    .filter((some) => !isNew(some))
    .flatMap(listByEnvironment)
    .filter(isNew);
  const byEnvironment = Map.groupBy(inEnvironments, ({ environment }) => environment);
  return [
    mergeSimilar(null, everywhere, grouping, least),
    ...[...byEnvironment].map(([environment, some]) => mergeSimilar(environment, some, grouping, least)),
  ];
}

/** Groups the errors with similar messages. Each of the other errors is in a group of its own. */
function countTogether(all: readonly ErrorTimes[]): CountedErrors<ErrorTimes>[] {
  // The most frequent errors come first: if there are too many messages, `findSimilarMessages` compares only the first messages with each
  // other.
  const ordered = all.toSorted((a, b) => b.errors - a.errors || (a.error_id < b.error_id ? -1 : 1));
  const places = Map.groupBy(ordered, ({ service_name, place }) => JSON.stringify([service_name, place]));
  const similar = [...places.values()].flatMap((some) => {
    const isUnknown = some[0]?.place === '';
    return findSimilarMessages(some, isUnknown ? MIN_SHARED.unknownFunction : MIN_SHARED.sameFunction);
  });
  const alone = new Set(ordered);
  for (const { items } of similar) for (const one of items) alone.delete(one);
  return [...similar, ...[...alone].map((one) => ({ pattern: undefined, items: [one] }))];
}

function listByEnvironment({ pattern, items }: CountedErrors<ErrorTimes>) {
  const all = items.flatMap(({ error_id: id, environments }) => environments.map((one) => ({ ...one, id })));
  return [...Map.groupBy(all, ({ environment }) => environment)].map(([environment, some]) => ({
    environment,
    pattern,
    items: some,
  }));
}

/** Merges similar errors into the one that occurred first, and leaves out errors that occurred fewer than `least` times. */
function mergeSimilar(
  environment: string | null,
  all: readonly CountedErrors<Occurrences>[],
  grouping: ErrorGrouping,
  least: number,
): NewErrors {
  const ids: string[] = [];
  const similar = new Map<string, SimilarErrors>();
  const targets = new Map<string, string>();
  for (const { pattern, items } of all) {
    const [first, ...others] = items.toSorted(compareBegins);
    if (first === undefined) continue;
    const merged = chooseMerged(first, others, grouping);
    if ([first, ...merged].reduce((sum, { errors }) => sum + errors, 0) < least) continue;
    ids.push(first.id);
    for (const { id } of merged) targets.set(id, first.id);
    if (pattern === undefined || merged.length === 0) continue;
    similar.set(first.id, {
      pattern,
      errors: merged.length + 1,
      ids: new Set(items.map(({ id }) => id)),
    });
  }
  return {
    environment,
    ids,
    similar,
    grouping: targets.size === 0 ? grouping : mergeMore(grouping, targets),
  };
}

function compareBegins(a: Occurrences, b: Occurrences): number {
  if (a.began !== b.began) return a.began < b.began ? -1 : 1;
  return a.id < b.id ? -1 : 1;
}

/**
 * Chooses the most frequent errors to merge into `first`. The list of requests can be filtered by a limited number of ids, and an error has
 * several ids if users merged errors into it, or if it was split by function.
 */
function chooseMerged(
  first: Occurrences,
  others: readonly Occurrences[],
  { listMerged, listRequestIds }: ErrorGrouping,
): Occurrences[] {
  const countIds = ({ id }: Occurrences) => listRequestIds([id, ...listMerged(id)]).length;
  let left = MAX_ERROR_IDS - countIds(first);
  const merged: Occurrences[] = [];
  for (const one of others.toSorted((a, b) => b.errors - a.errors)) {
    if (merged.length === MAX_MERGED_ERRORS - 1) break;
    const count = countIds(one);
    if (count > left) continue;
    left -= count;
    merged.push(one);
  }
  return merged;
}
