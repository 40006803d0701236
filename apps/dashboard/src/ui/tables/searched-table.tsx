import { type ReactNode, useRef } from 'react';
import { useTableView } from '../../shell/url-state/use-table-view.ts';
import { arrangeRows } from './arrange-rows.ts';
import { DataTable, type DataTableProps } from './data-table.tsx';
import classes from './searched-table.module.css';
import { MAX_UNSEARCHED } from './table-column.ts';
import { NoMatch, TableSearch } from './table-search.tsx';
import { useShowAll } from './use-show-all.tsx';

interface SearchedTableProps<Row> extends Omit<DataTableProps<Row>, 'sort' | 'onSort' | 'stale'> {
  /** The table's name in the URL parameter that contains the table's order and search. */
  readonly id: string;
  /** The name of the rows, such as "invoices". */
  readonly what: string;
  /** The accessible name of the search field. If left out, the name is "Search" and the name of the rows. */
  readonly searchLabel?: string;
  readonly placeholder?: string;
  /** Heading of the table, in one line with the search field. */
  readonly title?: ReactNode;
  /** Number of rows that are shown before the user asks for all. Left out if all are shown. */
  readonly first?: number;
  /** Shown without rows. */
  readonly empty?: ReactNode;
}

/**
 * A table whose rows are all loaded. The page sorts the rows, and searches them if there are more than a few. The URL stores the order and
 * the search.
 */
export function SearchedTable<Row>({
  id,
  what,
  searchLabel = `Search ${what}`,
  placeholder = searchLabel,
  title,
  first = Number.POSITIVE_INFINITY,
  empty,
  rows,
  columns,
  usualSort,
  ...rest
}: SearchedTableProps<Row>) {
  const { search, sort, setSearch, setSort } = useTableView(id);
  const field = useRef<HTMLInputElement>(null);
  const found = arrangeRows(rows, columns, { search, sort: sort ?? usualSort });
  const { shown, button } = useShowAll(found, first, what);
  const isSearched = rows.length > MAX_UNSEARCHED || search !== '';
  return (
    <>
      {(title !== undefined || isSearched) && (
        <div className={classes.head}>
          {title}
          {isSearched && (
            <TableSearch
              label={searchLabel}
              placeholder={placeholder}
              value={search}
              onChange={setSearch}
              field={field}
              className={classes.search}
            />
          )}
        </div>
      )}
      {rows.length === 0 && empty}
      {rows.length > 0 && found.length === 0 && (
        <NoMatch what={what} search={search} onClear={() => setSearch('')} field={field} />
      )}
      {found.length > 0 && (
        <DataTable
          columns={columns}
          rows={shown}
          sort={sort}
          {...(usualSort !== undefined && { usualSort })}
          onSort={setSort}
          {...rest}
        />
      )}
      {button}
    </>
  );
}
