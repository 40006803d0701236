import { ScrollArea, Table } from '@mantine/core';
import { useTableView } from '../../../shell/url-state/use-table-view.ts';
import { arrangeRows } from '../../../ui/tables/arrange-rows.ts';
import { SortHeading } from '../../../ui/tables/sort-heading.tsx';
import { chooseNextSort, type TableColumn, toTableId } from '../../../ui/tables/table-column.ts';
import { formatCell, formatHead, type PlotTable } from './plot-table.ts';
import classes from './plot-table-view.module.css';

/** The maximum height of the table, which is the height of a chart. A higher table scrolls. Pixels. */
const MAX_PX = 280;

interface Row {
  readonly cells: PlotTable['rows'][number];
  /** The index of the row in the order of the chart. */
  readonly place: number;
}

interface FigureColumn extends TableColumn<Row> {
  readonly at: number;
  readonly head: string;
}

/** The initial sort order: the order of the chart. */
const USUAL = { column: 'column-1', order: 'ascending' } as const;

/** Shows a chart's data as a table, in the order of the chart or sorted by a column. */
export function PlotTableView({ label, table }: { readonly label: string; readonly table: PlotTable }) {
  const { sort, setSort } = useTableView(`figures-${toTableId(label)}`.slice(0, 64));
  // A column is identified by its index: some columns are named after services or users, whose names can make equal or empty ids.
  const columns = table.columns.map(
    (column, at): FigureColumn => ({
      at,
      head: formatHead(column),
      name: `Column ${at + 1}`,
      // The first column names times or categories, which the chart shows in their own order.
      kind: at === 0 ? 'rank' : 'number',
      value: ({ cells, place }) => (at === 0 ? place : (cells[at] ?? null)),
      cell: ({ cells }) => formatCell(cells[at], column),
    }),
  );

  const shown = sort ?? USUAL;
  const rows = arrangeRows(
    table.rows.map((cells, place) => ({ cells, place })),
    columns,
    { search: '', sort: shown },
  );
  return (
    <ScrollArea.Autosize mah={MAX_PX} viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': label }}>
      <Table
        stickyHeader
        verticalSpacing={4}
        className={`figures ${classes.table}`}
        aria-label={`${label}, as a table`}
      >
        <Table.Thead>
          <Table.Tr>
            {columns.map((column) => (
              <SortHeading
                key={column.name}
                name={column.head}
                numeric={column.at > 0}
                order={shown.column === toTableId(column.name) ? shown.order : undefined}
                onChoose={() => {
                  const next = chooseNextSort(column, shown);
                  const isUsual = next?.column === USUAL.column && next.order === USUAL.order;
                  setSort(isUsual ? undefined : next);
                }}
              />
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={row.place}>
              {columns.map((column) => (
                <Table.Td key={column.name} data-numeric={column.at > 0}>
                  {column.cell(row)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollArea.Autosize>
  );
}
