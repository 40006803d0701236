import {
  formatInstant,
  type GroupField,
  type GroupSort,
  parseTraceQuery,
  type TraceGroup,
  type TraceGroups,
  writeTerm,
} from '@throughline/contract';
import type { ShownProject } from '../../../platform/http/guard.ts';
import type { TraceStore } from '../../../platform/trace-store/index.ts';
import { combineConditions } from '../list/conditions.ts';
import type { ListQuery } from '../list/list-query.ts';
import { cutTime, endPeriod } from '../list/pieces.ts';
import { buildConditions } from '../list/selection-store.ts';
import { buildGrouped, countGroups, type FoundGroup, findGroupRows } from './groups-store.ts';

interface AskedGroups {
  readonly groupBy: GroupField;
  readonly sort: GroupSort;
  /** Maximum number of intervals into which the time range is divided. Each group has a number of requests for each interval. */
  readonly intervals: number;
  readonly nowMicros: bigint;
}

/** Groups the requests of a list. */
export async function findGroups(
  store: TraceStore,
  projects: readonly ShownProject[],
  query: ListQuery,
  { groupBy, sort, intervals, nowMicros }: AskedGroups,
): Promise<TraceGroups> {
  if (projects.length === 0) return NOTHING;
  const conditions = combineConditions(await buildConditions(store, projects, query), buildGrouped(groupBy));
  const totals = await countGroups(store, conditions, groupBy);
  if (totals.requests === 0) return NOTHING;
  const from = query.from ?? totals.first_micros;
  const until =
    query.until ?? (query.from === undefined ? totals.last_micros + 1n : endPeriod(from, nowMicros));
  const { widthMicros, pieces } = cutTime(from, until, intervals);
  const found = await findGroupRows(store, conditions, {
    field: groupBy,
    sort,
    groups: totals.groups,
    fromMicros: from,
    widthMicros,
    pieces: pieces.length,
  });
  const minutes = Math.max(1, Number(until - from) / MINUTE_MICROS);
  return {
    total: totals.requests,
    errors: totals.failed,
    groups: found.map((row) => buildGroup(groupBy, row, { minutes, pieces: pieces.length })),
    more: Math.max(0, totals.groups - found.length),
    intervals: [...pieces],
  };
}

const MINUTE_MICROS = 60_000_000;
const NOTHING: TraceGroups = { total: 0, errors: 0, groups: [], more: 0, intervals: [] };

function buildGroup(
  field: GroupField,
  row: FoundGroup,
  { minutes, pieces }: { readonly minutes: number; readonly pieces: number },
): TraceGroup {
  const [indexes, counts] = row.pieces;
  const byIndex = new Map(indexes.map((index, at) => [index, counts[at] ?? 0]));
  return {
    method: row.verb || null,
    value: row.value || null,
    term: writeGroupTerm(field, row),
    count: row.requests,
    errors: row.failed,
    errorRate: (100 * row.failed) / row.requests,
    perMinute: row.requests / minutes,
    p95Duration: row.p95_micros / 1000,
    firstSeen: formatInstant(row.first_micros),
    lastSeen: formatInstant(row.last_micros),
    counts: Array.from({ length: pieces }, (_piece, index) => byIndex.get(index) ?? 0),
  };
}

/**
 * Filter terms that find requests without a value of the field. A field is absent if the filter language has no such term; requests without
 * a release, for example, cannot be filtered for.
 */
const ABSENT: { readonly [Field in GroupField]?: string } = {
  user: '-has:user',
  service: '-has:service',
  status: 'status:0',
  country: 'country:ZZ',
};

/** Writes the filter terms that find a group's requests; null if the filter language cannot name the group's value. */
export function writeGroupTerm(
  field: GroupField,
  { verb, value }: Pick<FoundGroup, 'verb' | 'value'>,
): string | null {
  if (value === '') return ABSENT[field] ?? null;
  const method = verb === '' ? [] : [writeTerm('method', verb, false).text];
  const term = [...method, writeTerm(field, value, false).text].join(' ');
  return value.includes('\0') || parseTraceQuery(term).filters === undefined ? null : term;
}
