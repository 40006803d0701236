import { readTimeRange } from '../../../shell/time-range/time-range.ts';
import { TimeRangeSelect } from '../../../shell/time-range/time-range-select.tsx';
import { useListParams } from './use-list-params.ts';

/** The time range of a list of traces; all time if the URL has no range. */
export function ListRange({ projectId }: { readonly projectId: string | undefined }) {
  const range = readTimeRange(useListParams(), new Date());
  return <TimeRangeSelect range={range} projectId={projectId} offersAllTime />;
}
