import { readTimeRange } from '../../../shell/time-range/time-range.ts';
import { type Opening, TimeRangeSelect } from '../../../shell/time-range/time-range-select.tsx';
import { useListParams } from './use-list-params.ts';

interface ListRangeProps {
  readonly projectId: string | undefined;
  readonly opening?: Opening;
}

/** The time range of a list of traces; all time if the URL has no range. */
export function ListRange({ projectId, opening }: ListRangeProps) {
  const range = readTimeRange(useListParams(), new Date());
  return <TimeRangeSelect range={range} projectId={projectId} offersAllTime {...(opening && { opening })} />;
}
