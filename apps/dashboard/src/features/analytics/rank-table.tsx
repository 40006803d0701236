import { Table } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './analytics.module.css';
import { useShowAll } from './use-show-all.tsx';

export interface RankColumn<Row> {
  readonly name: string;
  /** Figures line up at the right. */
  readonly figure?: boolean;
  readonly cell: (row: Row) => ReactNode;
}

interface RankTableProps<Row> {
  /** "Top Endpoints". */
  readonly label: string;
  /** The first first. */
  readonly rows: readonly Row[];
  readonly columns: readonly RankColumn<Row>[];
  readonly keyOf: (row: Row) => string;
  /** Where there are none. */
  readonly empty: string;
  /** The width below which it scrolls. Pixels. */
  readonly minWidth?: number;
}

/** A list of which the first five are shown, and all when asked for. */
export function RankTable<Row>({ label, rows, columns, keyOf, empty, minWidth = 520 }: RankTableProps<Row>) {
  const { shown, button } = useShowAll(rows);
  return (
    <section aria-label={label} className={classes.panel}>
      <h2 className={classes.title}>{label}</h2>
      {rows.length === 0 ? (
        <p className={classes.empty}>{empty}</p>
      ) : (
        <Table.ScrollContainer
          minWidth={minWidth}
          type="native"
          role="region"
          aria-label={`${label}, rows`}
          tabIndex={0}
        >
          <Table verticalSpacing={6} className={classes.table} aria-label={label}>
            <Table.Thead>
              <Table.Tr>
                {columns.map(({ name, figure }) => (
                  <Table.Th key={name} ta={figure === true ? 'right' : 'left'}>
                    {name}
                  </Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {shown.map((row) => (
                <Table.Tr key={keyOf(row)}>
                  {columns.map(({ name, figure, cell }) => (
                    <Table.Td key={name} className={figure === true ? classes.figure : undefined}>
                      {cell(row)}
                    </Table.Td>
                  ))}
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
      {button}
    </section>
  );
}
