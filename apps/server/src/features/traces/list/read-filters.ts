import { parseTraceQuery, QUERY_FIELDS, type SingleFilters, type TraceFilters } from '@throughline/contract';
import { type AppError, refuseField } from '../../../platform/http/errors.ts';
import type { Filters } from './conditions.ts';

/**
 * Joins the filters of the query `q` with those that have a parameter of their own.
 * @throws AppError `validation_failed` if both set a filter
 */
export function readFilters({ q = '', ...single }: Omit<TraceFilters, 'projectId'>): Filters {
  const { filters = {} } = parseTraceQuery(q);
  const { excluded, ...queried } = filters;
  for (const [name, value] of Object.entries<unknown>(queried)) {
    const given: unknown = single[name as keyof SingleFilters];
    if (given !== undefined && given !== '' && given !== value) throw givenTwice(name, { [name]: value });
  }
  return { ...single, ...queried, ...(excluded !== undefined && { excluded }) };
}

function givenTwice(parameter: string, set: SingleFilters): AppError {
  const field = QUERY_FIELDS.find(({ write }) => write(set).length > 0)?.name ?? parameter;
  return refuseField('q', `q has “${field}”, which the parameter ${parameter} sets too. Remove one of them.`);
}
