import { formatInstant, MIN_MICROS, parseInstant } from '@throughline/contract';
import { refuseField } from '../../../platform/http/errors.ts';
import type { ShownProject } from '../../../platform/http/guard.ts';
import { isSearched, type ListQuery } from '../list/list-query.ts';
import { endPeriod } from '../list/pieces.ts';
import type { ResolvedQuery, ValueSearches } from './value-searches.ts';

const MAX_WHOLE_MS = 2 * 60_000;

/** A request whose query can have a search over captured values. */
export interface Searching {
  readonly projects: readonly ShownProject[];
  readonly query: ListQuery;
  /** Id of the user who searches. */
  readonly owner: string;
}

/**
 * Resolves the search over captured values for a page of a list. For the first page, the search continues to older traces. A later page
 * uses the traces that the search has found. A later page continues the search only if the search was started again and has not reached
 * this page's traces yet.
 * @throws AppError `validation_failed` if the search still has not reached the traces of this page
 */
export async function resolveList(
  searches: ValueSearches,
  { projects, query, owner }: Searching,
): Promise<ResolvedQuery> {
  if (query.after === undefined) return searches.resolve(projects, query, { owner, continues: true });
  const backTo = query.after.searchedSince;
  const resolved = await searches.resolve(projects, query, { owner, continues: false, backTo });
  const { from = MIN_MICROS } = resolved.query;
  if (resolved.search?.limit !== 'time' || backTo === undefined || from <= backTo) return resolved;
  throw refuseField(
    'cursor',
    `The search for this value was started again, and has searched back to ${formatInstant(from)}. Send the request again to continue the search.`,
  );
}

/**
 * Runs the search over captured values for stats that are shown beside a list, so that the stats cover the same time as the list.
 * `listedSince` is the start of the time range that the search of the list has covered.
 */
export async function resolveBeside(
  searches: ValueSearches,
  { projects, query, owner }: Searching,
  listedSince: string | undefined,
): Promise<ResolvedQuery> {
  const backTo = listedSince === undefined ? undefined : parseInstant(listedSince);
  const resolved = await searches.resolve(projects, query, { owner, continues: false, backTo });
  const { from = MIN_MICROS } = resolved.query;
  if (backTo === undefined || !isSearched(resolved.query) || from > backTo) return resolved;
  if (from === backTo) return { query: resolved.query, search: undefined };
  // If the list contains only requests that start in the future, `backTo` can be after the end of the range. `endPeriod` keeps the range
  // from being empty.
  const until = resolved.query.until === undefined ? undefined : endPeriod(backTo, resolved.query.until);
  return { query: { ...resolved.query, from: backTo, until }, search: undefined };
}

/**
 * Runs a search for a value until it is complete, and returns the list's query with the found requests. Used by calls that cannot respond
 * with a part of the result, such as the export.
 * @throws AppError `validation_failed` if there are too many matches, or the search takes too long
 */
export async function resolveWhole(
  searches: ValueSearches,
  { projects, query, owner }: Searching,
): Promise<ListQuery> {
  const lastMs = performance.now() + MAX_WHOLE_MS;
  for (;;) {
    const { query: resolved, search } = await searches.resolve(projects, query, { owner, continues: true });
    if (search === undefined) return resolved;
    if (search.limit === 'matches')
      throw refuseField(
        'value',
        `More than ${searches.limits.maxMatches} requests have this value. Select a shorter time range.`,
      );
    if (performance.now() > lastMs)
      throw refuseField('value', 'The search for this value takes too long. Select a shorter time range.');
  }
}
