import { MAX_ROW_SEARCH } from '@throughline/contract';
import { z } from 'zod';
import type { TableSort } from '../../ui/tables/table-column.ts';

const ID = /^[a-z0-9][a-z0-9-]{0,63}$/;

/** The search text and the sort order that the user set in a table. */
export interface TableView {
  readonly search: string;
  /** Undefined for the table's default order. */
  readonly sort: TableSort | undefined;
}

/**
 * Parses the URL parameter with the order and the search of a page's tables. Example: `errors:-requests:no stock;services::shop` sorts the
 * table `errors` by requests, the largest number first, and searches in both tables. Invalid parts are ignored.
 */
export function readTables(text: string): Map<string, TableView> {
  const views = new Map<string, TableView>();
  for (const part of text.split(';')) {
    const [table = '', sort = '', search = '', ...rest] = part.split(':');
    const found = { sort: readSort(sort), search: unescapeSeparators(search).slice(0, MAX_ROW_SEARCH) };
    const isChanged = found.sort !== undefined || found.search !== '';
    if (ID.test(table) && rest.length === 0 && isChanged) views.set(table, found);
  }
  return views;
}

/** The URL parameter with the order and the search of the page's tables. */
export const TablesParam = z
  .string()
  .max(2000)
  .refine((written) => readTables(written).size > 0)
  .optional()
  .catch(undefined);

/** Returns the URL parameter for the arranged tables. Undefined if all tables have their default order and no search. */
export function writeTables(views: ReadonlyMap<string, TableView>): string | undefined {
  const parts = [...views]
    .filter(([, { sort, search }]) => sort !== undefined || search !== '')
    .map(([table, { sort, search }]) =>
      `${table}:${writeSort(sort)}:${escapeSeparators(search)}`.replace(/:$/, ''),
    );
  return parts.length === 0 ? undefined : parts.join(';');
}

function readSort(text: string): TableSort | undefined {
  const column = text.replace(/^-/, '');
  if (!ID.test(column)) return undefined;
  return { column, order: text.startsWith('-') ? 'descending' : 'ascending' };
}

function writeSort(sort: TableSort | undefined): string {
  if (sort === undefined) return '';
  return `${sort.order === 'descending' ? '-' : ''}${sort.column}`;
}

/** Escapes only the separators, so that the URL stays readable. */
function escapeSeparators(text: string): string {
  return text.replaceAll(/[%:;]/g, encodeURIComponent);
}

function unescapeSeparators(text: string): string {
  return text.replaceAll(/%(25|3A|3B)/g, decodeURIComponent);
}
