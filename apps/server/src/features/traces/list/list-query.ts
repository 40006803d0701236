import type { TraceListQuery, TraceSort } from '@throughline/contract';
import { MAX_MICROS, MIN_MICROS, parseInstant } from '@throughline/contract';
import { refuseField } from '../../../platform/http/errors.ts';
import type { AttributeFilter } from './attributes.ts';
import type { Filters } from './conditions.ts';
import { type Cursor, readCursor } from './cursor.ts';
import { findNextDay, startOfDay } from './days.ts';
import { readFilters } from './read-filters.ts';

/** The parsed query of a request for a list; times in epoch microseconds. */
export interface ListQuery {
  readonly filters: Filters;
  readonly attributes: readonly AttributeFilter[];
  /** Start of the time range; inclusive. */
  readonly from: bigint | undefined;
  /** End of the time range; exclusive. */
  readonly until: bigint | undefined;
  readonly sort: TraceSort;
  readonly limit: number;
  /** Position of the previous page's last row. */
  readonly after: Cursor | undefined;
  /**
   * Ids of the traces with the searched value; undefined if no value is searched or the search has not been done yet. See `ValueSearches`.
   */
  readonly found?: readonly string[] | undefined;
  /**
   * Ids of the traces with the excluded value, which are not listed; undefined if no value is excluded or the search has not been done yet.
   */
  readonly without?: readonly string[] | undefined;
}

/** True if a search over captured values was done, so that only the searched time can be listed. */
export function isSearched({ found, without }: Pick<ListQuery, 'found' | 'without'>): boolean {
  return found !== undefined || without !== undefined;
}

/** @throws AppError `validation_failed` */
export function readListQuery(query: TraceListQuery): ListQuery {
  const {
    limit,
    cursor,
    startDate,
    endDate,
    timeZone,
    sort,
    projectId: _projectId,
    attribute,
    ...filters
  } = query;
  const from = startDate === undefined ? undefined : parseBound(startDate, timeZone, 'startDate');
  const until = endDate === undefined ? undefined : parseBound(endDate, timeZone, 'endDate');
  if (from !== undefined && until !== undefined && until <= from) {
    throw refuseField('endDate', 'The end date is before the start date');
  }
  return {
    ...readFilters({ ...filters, attribute }),
    from,
    until,
    sort,
    limit,
    after: cursor === undefined ? undefined : parseCursor(cursor, sort),
  };
}

function parseBound(text: string, timeZone: string, field: 'startDate' | 'endDate'): bigint {
  const micros = text.includes('T')
    ? // `ListQuery.until` is exclusive, but the instant or day in `endDate` is part of the range.
      addMicros(parseInstant(text), field === 'endDate' ? 1n : 0n)
    : startOfDay(field === 'endDate' ? findNextDay(text) : text, timeZone);
  if (micros === 'unknown-zone') throw refuseField('timeZone', `${timeZone} is not a time zone's name`);
  if (micros === undefined || micros < MIN_MICROS || micros > MAX_MICROS) {
    throw refuseField(field, `${field} must be a day or an instant between the years 1900 and 2261`);
  }
  return micros;
}

function addMicros(micros: bigint | undefined, more: bigint): bigint | undefined {
  return micros === undefined ? undefined : micros + more;
}

function parseCursor(text: string, sort: ListQuery['sort']): Cursor {
  const cursor = readCursor(text);
  if (cursor === undefined || cursor.sort !== sort) {
    throw refuseField('cursor', 'The cursor does not come from this list');
  }
  return cursor;
}
