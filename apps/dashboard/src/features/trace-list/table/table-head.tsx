import { memo } from 'react';
import { useChangeView, ViewParams } from '../../../shell/url-state/search-params.ts';
import { SortHeading } from '../../../ui/tables/sort-heading.tsx';
import { useListSort } from '../filters/use-list-params.ts';
import type { TraceColumn } from './columns.ts';
import classes from './trace-table.module.css';

/** The headings of the list. A click on the heading Timestamp, Duration or Steps sorts the list. */
export const TableHead = memo(({ columns }: { readonly columns: readonly TraceColumn[] }) => (
  <thead>
    <tr className={classes.head}>
      {columns.map((column) =>
        column.head === undefined ? (
          <Heading key={column.id} column={column} />
        ) : (
          <td key={column.id}>{column.head}</td>
        ),
      )}
    </tr>
  </thead>
));

function Heading({ column }: { readonly column: TraceColumn }) {
  const { name, numeric = false, hiddenHead, sort } = column;
  const active = useListSort() === sort;
  const change = useChangeView();
  if (sort === undefined) {
    return (
      <th scope="col" data-numeric={numeric}>
        {hiddenHead === true ? <span className="visually-hidden">{name}</span> : name}
      </th>
    );
  }
  const choose = () => {
    // A click on the active heading restores the default order, newest traces first.
    const next = active ? undefined : sort;
    change(ViewParams.pick({ sort: true }).parse({ sort: next }), { replace: true });
  };
  return (
    <SortHeading name={name} numeric={numeric} order={active ? 'descending' : undefined} onChoose={choose} />
  );
}
