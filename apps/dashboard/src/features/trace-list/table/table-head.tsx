import { UnstyledButton } from '@mantine/core';
import { IconArrowDown } from '@tabler/icons-react';
import { memo } from 'react';
import { useChangeView, ViewParams } from '../../../shell/url-state/search-params.ts';
import { useListSort } from '../filters/use-list-params.ts';
import type { TraceColumn } from './columns.ts';
import classes from './trace-table.module.css';

/** The headings of the list. Those of the time, the duration and the steps sort the list. */
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
  const { name, numeric, hiddenHead, sort } = column;
  const active = useListSort();
  const change = useChangeView();
  const isActive = sort === active;
  const choose = () => {
    // A second click on the active heading lists the newest traces first again.
    const next = isActive ? undefined : sort;
    change(ViewParams.pick({ sort: true }).parse({ sort: next }), { replace: true });
  };
  return (
    <th
      scope="col"
      data-numeric={numeric === true}
      data-sorts={sort !== undefined}
      aria-sort={isActive ? 'descending' : undefined}
    >
      {sort === undefined ? (
        hiddenHead === true ? (
          <span className="visually-hidden">{name}</span>
        ) : (
          name
        )
      ) : (
        <UnstyledButton className={classes.sort ?? ''} onClick={choose}>
          {name}
          {isActive && <IconArrowDown size={12} aria-hidden />}
        </UnstyledButton>
      )}
    </th>
  );
}
