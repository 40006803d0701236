import { FilterBarWaiting } from './filters/filter-bar-waiting.tsx';
import { TraceTableWaiting } from './table/trace-table-waiting.tsx';
import type { TraceColumns } from './table/use-columns.ts';
import classes from './trace-list.module.css';

/** Placeholders of a list with its charts and filters, shown until the list's project is known. */
export function TraceListWaiting({ columns }: { readonly columns: TraceColumns }) {
  return (
    <>
      <div className={classes.chartsWaiting} aria-hidden />
      <div>
        <FilterBarWaiting />
        <TraceTableWaiting columns={columns} />
      </div>
    </>
  );
}
