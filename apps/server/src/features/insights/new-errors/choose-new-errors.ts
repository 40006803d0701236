import { MAX_MERGED_ERRORS } from '@throughline/contract';
import { type ErrorGrouping, mergeMore } from '../../errors/index.ts';
import type { ErrorTimes } from './new-errors-store.ts';
import { findSimilarMessages } from './similar-messages.ts';

/** Errors that are reported as new. */
export interface NewErrors {
  /** Errors that did not occur before the period. */
  readonly everywhere: readonly string[];
  /** Errors that occurred before the period, but not in this environment, by environment. */
  readonly byEnvironment: ReadonlyMap<string, readonly string[]>;
  /** The errors whose messages differ only in some words, by the id of the error that stands for all of them. */
  readonly similar: ReadonlyMap<string, SimilarErrors>;
  /** The project's errors, with similar errors merged into the error that stands for them. */
  readonly grouping: ErrorGrouping;
}

export interface SimilarErrors {
  readonly pattern: string;
  readonly errors: number;
}

/**
 * Chooses the errors that occurred at least `least` times, and not before the period. Errors of one function whose messages differ only in
 * some words count together: they are one new error, or none of them is new if one occurred before.
 */
export function chooseNewErrors(
  all: readonly ErrorTimes[],
  grouping: ErrorGrouping,
  { from, least }: { readonly from: bigint; readonly least: number },
): NewErrors {
  const isNew = ({ began }: ErrorTimes) => began >= from;
  const ordered = all.toSorted((a, b) =>
    a.began < b.began ? -1 : a.began > b.began ? 1 : a.error_id < b.error_id ? -1 : 1,
  );
  const places = Map.groupBy(ordered, ({ service_name, place }) => JSON.stringify([service_name, place]));
  const similar = new Map<string, SimilarErrors>();
  const targets = new Map<string, string>();
  const alone = new Set(all.filter(isNew));
  const everywhere: string[] = [];
  for (const { pattern, items } of [...places.values()].flatMap(findSimilarMessages)) {
    for (const one of items) alone.delete(one);
    const [first, ...others] = items;
    if (first === undefined || !isNew(first)) continue;
    // The list of requests can be filtered by a limited number of errors, so only the most frequent errors are merged.
    const most = others.toSorted((a, b) => b.errors - a.errors).slice(0, MAX_MERGED_ERRORS - 1);
    const errors = [first, ...most].reduce((sum, one) => sum + one.errors, 0);
    if (errors < least) continue;
    everywhere.push(first.error_id);
    similar.set(first.error_id, { pattern, errors: most.length + 1 });
    for (const { error_id } of most) targets.set(error_id, first.error_id);
  }
  for (const { error_id, errors } of alone) if (errors >= least) everywhere.push(error_id);
  const inEnvironments = all
    .filter((one) => !isNew(one))
    .flatMap(({ error_id: id, new_in }) => new_in.map((environment) => ({ environment, id })));
  return {
    everywhere,
    byEnvironment: new Map(
      [...Map.groupBy(inEnvironments, ({ environment }) => environment)].map(([environment, some]) => [
        environment,
        some.map(({ id }) => id),
      ]),
    ),
    similar,
    grouping: mergeMore(grouping, targets),
  };
}
