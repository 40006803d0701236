import { formatTraceQuery } from '../traces/query/format-query.ts';
import type { QueryFilters, SingleFilters } from '../traces/query/query-field.ts';

/** Filters whose URL parameter in the dashboard has a different name from their API parameter. */
const PARAM_NAMES: { readonly [Name in keyof SingleFilters]?: string } = {
  search: 'q',
  statusCode: 'code',
  minDuration: 'min',
  maxDuration: 'max',
};

/** Returns the URL parameters with which the dashboard's trace list shows the requests that match the filters. */
export function toListParams({ excluded, ...single }: QueryFilters): Readonly<Record<string, string>> {
  const params = Object.entries(single).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[PARAM_NAMES[name as keyof SingleFilters] ?? name, String(value)]],
  );
  return {
    ...Object.fromEntries(params),
    ...(excluded !== undefined && { exclude: formatTraceQuery({ excluded }) }),
  };
}
