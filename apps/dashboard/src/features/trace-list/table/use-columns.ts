import { useLocalStorage } from '@mantine/hooks';
import { useMemo } from 'react';
import { z } from 'zod';
import { TraceFilterParams } from '../../../shell/url-state/search-params.ts';
import { useListParams } from '../filters/use-list-params.ts';
import { arrange, type TraceColumn } from './columns.ts';
import { COLUMN_OF_FILTER } from './request-columns.tsx';

const FILTERS = TraceFilterParams.keyof().options;
const StoredColumns = z.array(z.string()).max(50);

export interface ChosenColumns {
  /** The shown columns in order, without the actions column. */
  readonly shown: readonly TraceColumn[];
  readonly all: readonly TraceColumn[];
  /**
   * The ids of columns that are shown because of a filter or the list's order. Each column stays as long as this filter or order applies.
   */
  readonly asked: readonly string[];
  readonly choose: (ids: readonly string[]) => void;
  /** Restores the default columns. */
  readonly reset: () => void;
}

/** The columns of one page's table. */
export interface TraceColumns {
  /** The table's name. */
  readonly label: string;
  readonly chosen: ChosenColumns;
  /** The actions of a row, always the last column. */
  readonly actions: TraceColumn;
}

/**
 * Returns the columns of a list: the columns that the user chose in this browser, and the columns that the filters or the order of the list
 * add. `list` is the list's name.
 */
export function useColumns(
  list: string,
  all: readonly TraceColumn[],
  atFirst: readonly string[],
): ChosenColumns {
  const [stored, keep, forget] = useLocalStorage<unknown>({
    key: `columns_${list}`,
    getInitialValueInEffect: false,
  });
  const view = useListParams();
  const asked = useMemo(
    () => [
      ...FILTERS.flatMap((name) => (view[name] === undefined ? [] : (COLUMN_OF_FILTER[name] ?? []))),
      ...(view.sort === undefined ? [] : [view.sort]),
    ],
    [view],
  );
  const own = useMemo(() => {
    const read = StoredColumns.safeParse(stored);
    return arrange(all, read.success ? read.data : undefined, atFirst);
  }, [stored, all, atFirst]);
  return useMemo(() => {
    const added = asked.filter((id) => !own.some((column) => column.id === id));
    return {
      shown: [...own, ...all.filter(({ id }) => added.includes(id))],
      all,
      asked,
      // A column that a filter added is not stored.
      choose: (ids) => keep(ids.filter((id) => !added.includes(id))),
      reset: forget,
    };
  }, [own, all, asked, keep, forget]);
}
