import { useSearch } from '@tanstack/react-router';
import type { TableSort } from '../../ui/tables/table-column.ts';
import { useChangeView } from './search-params.ts';
import { readTables, type TableView, writeTables } from './tables-param.ts';

const UNCHANGED: TableView = { search: '', sort: undefined };

/** The order and the search of one table of a page, stored in the URL. */
export function useTableView(table: string) {
  const { tables } = useSearch({ strict: false });
  const change = useChangeView();
  const written = readTables(typeof tables === 'string' ? tables : '');
  const view = written.get(table) ?? UNCHANGED;
  const set = (next: Partial<TableView>) => {
    const after = new Map(written).set(table, { ...view, ...next });
    change({ tables: writeTables(after) }, { replace: true });
  };
  return {
    ...view,
    setSort: (sort: TableSort | undefined) => set({ sort }),
    setSearch: (search: string) => set({ search }),
  };
}
