import { z } from 'zod';

/** Maximum characters of a search in a list of rows. */
export const MAX_ROW_SEARCH = 200;

/** The order of a sorted list. Rows with equal values keep a fixed order, so that pages neither repeat nor skip rows. */
export const Order = z.enum(['ascending', 'descending'], 'order must be ascending or descending');
export type Order = z.infer<typeof Order>;

/** Search words. A list contains only the rows in which all words occur, in any order and any field. Ignores case. */
export const RowSearch = z
  .string()
  .max(MAX_ROW_SEARCH, `search must be at most ${MAX_ROW_SEARCH} characters long`);

/** Returns the words of a search. */
export function splitSearch(search: string | undefined): string[] {
  return (search ?? '').split(/\s+/).filter((word) => word !== '');
}
