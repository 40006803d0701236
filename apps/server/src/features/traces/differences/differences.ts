import type { TraceDifferences } from '@throughline/contract';
import type { ShownProject } from '../../../platform/http/guard.ts';
import type { TraceStore } from '../../../platform/trace-store/index.ts';
import type { ListQuery } from '../list/list-query.ts';
import { buildConditions } from '../list/selection-store.ts';
import { chooseOthers } from './choose-others.ts';
import {
  type Compared,
  type CountedFields,
  type CountedValue,
  countAttributes,
  countCompared,
  countFields,
  type Sampled,
} from './differences-store.ts';
import { rankDifferences } from './rank-differences.ts';

/** If more requests match, or more other requests are compared, only a sample of them is counted. */
const MAX_COUNTED = 200_000;

/** Finds the values that the requests of a list have more often than other requests. */
export async function findDifferences(
  store: TraceStore,
  projects: readonly ShownProject[],
  query: ListQuery,
  nowMicros: bigint,
  maxCounted = MAX_COUNTED,
): Promise<TraceDifferences> {
  const others = chooseOthers(query, nowMicros);
  if (others === undefined || projects.length === 0) return NOTHING;
  const [matching, all] = await Promise.all([
    buildConditions(store, projects, query),
    buildConditions(store, projects, others.all),
  ]);
  const found = await compareRequests(
    store,
    { matching, all },
    (field) => isInformative(field, query),
    maxCounted,
  );
  return { against: others.against, ...found };
}

/** Finds the values that matching requests have more often than the other requests. Skips fields for which `isShown` returns false. */
export async function compareRequests(
  store: TraceStore,
  compared: Compared,
  isShown: (field: CountedValue['field']) => boolean,
  maxCounted = MAX_COUNTED,
): Promise<Omit<TraceDifferences, 'against'>> {
  const totals = compared.totals ?? (await countCompared(store, compared));
  const sampled = {
    matching: Math.max(1, Math.ceil(totals.matching / maxCounted)),
    others: Math.max(1, Math.ceil(totals.others / maxCounted)),
  };
  const isCounted = totals.matching > 0 && totals.others > 0;
  const { values, size } = isCounted
    ? await countValues(store, compared, sampled, isShown)
    : { values: [], size: undefined };
  return {
    ...totals,
    sampledOneIn: Math.max(sampled.matching, sampled.others),
    // The filter language cannot express a value with NUL.
    differences: rankDifferences(
      values.filter(({ value }) => !value.includes('\0')),
      size ?? {
        matching: Math.ceil(totals.matching / sampled.matching),
        others: Math.ceil(totals.others / sampled.others),
      },
      (found) => Math.min(totals.matching, found * sampled.matching),
    ),
  };
}

/** Counts the requests that have each value of the shown fields, and the requests of the sample. */
async function countValues(
  store: TraceStore,
  compared: Compared,
  sampled: Sampled,
  isShown: (field: CountedValue['field']) => boolean,
): Promise<CountedFields> {
  const [fields, attributes] = await Promise.all([
    countFields(store, compared, sampled, isShown),
    isShown('attribute') ? countAttributes(store, compared, sampled) : [],
  ]);
  return { values: [...fields.values, ...attributes], size: fields.size };
}

const NOTHING: TraceDifferences = { against: null, matching: 0, others: 0, sampledOneIn: 1, differences: [] };

/** Filters by status or error. */
const STATUS_FILTERS = [
  'status',
  'statusCode',
  'statusClass',
  'errorGroup',
  'errorIds',
  'errorText',
] as const;

/**
 * Returns false for values of a field by which the requests were selected. If they were selected by their outcome (status or error), these
 * are the fields `status` and `errorGroup`.
 */
function isInformative(field: CountedValue['field'], { filters, attributes }: ListQuery): boolean {
  if (field === 'status' || field === 'errorGroup')
    return STATUS_FILTERS.every(
      (name) => filters[name] === undefined && filters.excluded?.[name] === undefined,
    );
  if (field === 'attribute') return attributes.length === 0;
  return filters[field] === undefined || filters[field] === '';
}
