import { FilterBarWaiting } from './filters/filter-bar-waiting.tsx';
import { useListParams } from './filters/use-list-params.ts';
import { GroupTableWaiting } from './groups/group-table-waiting.tsx';
import { TraceTableWaiting } from './table/trace-table-waiting.tsx';
import type { TraceColumns } from './table/use-columns.ts';
import classes from './trace-list.module.css';

/** Placeholders of a list with its charts and filters, shown until the list's project is known. */
export function TraceListWaiting({ columns }: { readonly columns: TraceColumns }) {
  const { groupBy } = useListParams();
  return (
    <>
      <div className={classes.chartsWaiting} aria-hidden />
      <div>
        <FilterBarWaiting />
        {groupBy === undefined ? <TraceTableWaiting columns={columns} /> : <GroupTableWaiting />}
      </div>
    </>
  );
}
