import { formatCounted } from '@throughline/contract';
import { formatTimeRange } from '../../shell/time-range/range-label.ts';
import { readTimeRange } from '../../shell/time-range/time-range.ts';
import { TraceFilterParams } from '../../shell/url-state/search-params.ts';

const TIME_PARAMS: readonly string[] = ['from', 'to', 'start', 'end', 'last'];

/** Describes the filters and the time range that a view stores: "2 filters", "last hour". */
export function describeSaved(params: Readonly<Record<string, string>>): readonly [string, string] {
  const filters = TraceFilterParams.parse(params);
  const count = Object.entries(filters).filter(
    ([name, value]) => value !== undefined && !TIME_PARAMS.includes(name),
  ).length;
  const time = formatTimeRange(readTimeRange(filters, new Date()), []);
  return [
    count === 0 ? 'no filters' : formatCounted(count, 'filter'),
    `${time.charAt(0).toLowerCase()}${time.slice(1)}`,
  ];
}
