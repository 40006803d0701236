import { Table } from '@mantine/core';
import type { ReactNode } from 'react';
import type { ViewChange } from '../../../shell/url-state/search-params.ts';
import { WideTable } from '../../../ui/tables/wide-table.tsx';
import classes from '../analytics.module.css';
import { TracesLink } from './traces-link.tsx';
import { useShowAll } from './use-show-all.tsx';

export interface RankColumn<Row> {
  readonly name: string;
  /** True for a column of figures. They are right-aligned, and can link to the traces that they count. */
  readonly figure?: boolean;
  /** Renders a cell; null if there is no data. */
  readonly cell: (row: Row) => ReactNode;
  /**
   * Builds the URL parameters of the trace list for the traces that the cell counts. Set only if the cell counts a part of the row's
   * traces, such as the failed ones. Returns undefined if the cell counts no traces.
   */
  readonly buildTraceLink?: (row: Row) => ViewChange | undefined;
  /**
   * The accessible name of the cell's link. Left out if the row's name already links to the same traces: the Tab key then skips the cell's
   * link.
   */
  readonly linkLabel?: (row: Row) => string;
}

interface RankTableProps<Row> {
  /** The list's accessible name, such as "Top Endpoints". */
  readonly label: string;
  /** The rows, highest rank first. */
  readonly rows: readonly Row[];
  readonly columns: readonly RankColumn<Row>[];
  readonly getKey: (row: Row) => string;
  /** Builds the URL parameters that make the trace list show the row's traces. Returns undefined if the row has no traces. */
  readonly buildTraceLink?: (row: Row) => ViewChange | undefined;
  /** The message to show without rows. */
  readonly empty: string;
}

/** A list that shows its first five rows, or all rows on request. */
export function RankTable<Row>({ label, rows, columns, getKey, buildTraceLink, empty }: RankTableProps<Row>) {
  const { shown, button } = useShowAll(rows);
  return (
    <section aria-label={label} className={classes.panel}>
      <h2 className={classes.title}>{label}</h2>
      {rows.length === 0 ? (
        <p className={classes.empty}>{empty}</p>
      ) : (
        <WideTable label={`${label}, rows`}>
          <Table verticalSpacing={6} className={classes.table} aria-label={label}>
            <Table.Thead>
              <Table.Tr>
                {columns.map(({ name, figure }) => (
                  <Table.Th key={name} className={figure === true ? classes.figure : classes.words}>
                    {name}
                  </Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {shown.map((row) => (
                <Table.Tr key={getKey(row)}>
                  {columns.map((column) =>
                    column.figure === true ? (
                      <Table.Td key={column.name} className={classes.figure}>
                        <FigureCell
                          row={row}
                          column={column}
                          buildTraceLink={column.buildTraceLink ?? buildTraceLink}
                        />
                      </Table.Td>
                    ) : (
                      <Table.Td key={column.name} className={classes.words}>
                        {column.cell(row)}
                      </Table.Td>
                    ),
                  )}
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </WideTable>
      )}
      {button}
    </section>
  );
}

interface FigureCellProps<Row> {
  readonly row: Row;
  readonly column: RankColumn<Row>;
  readonly buildTraceLink: RankTableProps<Row>['buildTraceLink'] | undefined;
}

function FigureCell<Row>({ row, column, buildTraceLink }: FigureCellProps<Row>) {
  const figure = column.cell(row);
  if (figure === null) return '–';
  const search = buildTraceLink?.(row);
  if (search === undefined) return figure;
  const label = column.linkLabel?.(row);
  return (
    <TracesLink search={search} label={label} isTwin={label === undefined}>
      {figure}
    </TracesLink>
  );
}
