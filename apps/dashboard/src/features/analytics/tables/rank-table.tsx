import type { ReactNode } from 'react';
import type { ViewChange } from '../../../shell/url-state/search-params.ts';
import { SearchedTable } from '../../../ui/tables/searched-table.tsx';
import { type TableColumn, toTableId } from '../../../ui/tables/table-column.ts';
import { TOP_ROWS } from '../../../ui/tables/use-show-all.tsx';
import classes from '../analytics.module.css';
import { TracesLink } from './traces-link.tsx';

/** A column of a {@link RankTable}. A number can link to the traces that it counts. */
export interface RankColumn<Row> extends TableColumn<Row> {
  /**
   * Builds the URL parameters of the trace list for the traces that the cell counts. Set this only if the cell counts a part of the row's
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

/** A list that shows its first five rows, or all rows on request. Longer lists can be searched. */
export function RankTable<Row>({ label, rows, columns, getKey, buildTraceLink, empty }: RankTableProps<Row>) {
  return (
    <section aria-label={label} className={classes.panel}>
      <SearchedTable
        id={toTableId(label)}
        label={label}
        what="rows"
        searchLabel={`Search ${label}`}
        placeholder="Search"
        title={<h2 className={classes.title}>{label}</h2>}
        first={TOP_ROWS}
        empty={<p className={classes.empty}>{empty}</p>}
        rows={rows}
        columns={columns.map((column, place) => ({
          ...column,
          className: place === 0 ? classes.name : undefined,
          ...(place === 0 && { card: 'title' as const }),
          cell: (row: Row) =>
            column.kind === 'number'
              ? linkCell(row, column, column.buildTraceLink ?? buildTraceLink)
              : column.cell(row),
        }))}
        getKey={getKey}
      />
    </section>
  );
}

/** Renders a number, with a link to the traces that it counts; null if there is no number. */
function linkCell<Row>(
  row: Row,
  column: RankColumn<Row>,
  buildTraceLink: RankTableProps<Row>['buildTraceLink'] | undefined,
): ReactNode {
  const figure = column.cell(row);
  const search = figure === null ? undefined : buildTraceLink?.(row);
  if (search === undefined) return figure;
  const label = column.linkLabel?.(row);
  return (
    <TracesLink search={search} label={label} isTwin={label === undefined}>
      {figure}
    </TracesLink>
  );
}
