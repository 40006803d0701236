import {
  parseTraceQuery,
  QUERY_FIELDS,
  type SingleFilters,
  type TraceStreamQuery,
} from '@throughline/contract';
import { type AppError, refuseField } from '../../../platform/http/errors.ts';
import { type AttributeFilter, readAttributes } from './attributes.ts';
import type { Filters } from './conditions.ts';

export interface ReadFilters {
  readonly filters: Filters;
  readonly attributes: readonly AttributeFilter[];
}

/**
 * Combines the filters of the query `q` with the filters in separate parameters. A request must have the attributes of `q` and of the
 * parameters.
 * @throws AppError `validation_failed` if both set the same filter to different values
 */
export function readFilters({
  q = '',
  attribute,
  ...single
}: Omit<TraceStreamQuery, 'projectId'>): ReadFilters {
  const { filters = {} } = parseTraceQuery(q);
  const { excluded, attribute: queriedAttribute, ...queried } = filters;
  for (const [name, value] of Object.entries<unknown>(queried)) {
    const given: unknown = single[name as keyof typeof single];
    if (given !== undefined && given !== '' && given !== value)
      throw buildTwiceError(name, { [name]: value });
  }
  return {
    filters: { ...single, ...queried, ...(excluded !== undefined && { excluded }) },
    attributes: [...readAttributes(attribute), ...readAttributes(queriedAttribute)],
  };
}

function buildTwiceError(parameter: string, set: SingleFilters): AppError {
  const field = QUERY_FIELDS.find(({ write }) => write(set).length > 0)?.name ?? parameter;
  return refuseField('q', `q has “${field}”, which the parameter ${parameter} sets too. Remove one of them.`);
}
