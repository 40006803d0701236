import { useLocalStorage } from '@mantine/hooks';
import { useMemo } from 'react';
import { z } from 'zod';
import { TraceFilterParams } from '../../../shell/url-state/search-params.ts';
import { useListParams } from '../filters/use-list-params.ts';
import { arrange, type TraceColumn } from './columns.ts';
import { COLUMN_OF_FILTER } from './request-columns.tsx';

const FILTERS = TraceFilterParams.keyof().options;
const Kept = z.array(z.string()).max(50);

export interface ChosenColumns {
  /** In order; what can be done with a row comes after them. */
  readonly shown: readonly TraceColumn[];
  readonly all: readonly TraceColumn[];
  /** Ids of columns that the list's filters are about: they stay as long as the filters do. */
  readonly asked: readonly string[];
  readonly choose: (ids: readonly string[]) => void;
  /** As they were at first. */
  readonly reset: () => void;
}

/** The columns of a list that somebody chose in this browser. `list` names the list. */
export function useColumns(
  list: string,
  all: readonly TraceColumn[],
  atFirst: readonly string[],
): ChosenColumns {
  const [kept, keep, forget] = useLocalStorage<unknown>({
    key: `columns_${list}`,
    getInitialValueInEffect: false,
  });
  const view = useListParams();
  const asked = useMemo(
    () => FILTERS.flatMap((name) => (view[name] === undefined ? [] : (COLUMN_OF_FILTER[name] ?? []))),
    [view],
  );
  const own = useMemo(() => {
    const read = Kept.safeParse(kept);
    return arrange(all, read.success ? read.data : undefined, atFirst);
  }, [kept, all, atFirst]);
  return useMemo(() => {
    const added = asked.filter((id) => !own.some((column) => column.id === id));
    return {
      shown: [...own, ...all.filter(({ id }) => added.includes(id))],
      all,
      asked,
      // A filter's own members are not kept beyond it.
      choose: (ids) => keep(ids.filter((id) => !added.includes(id))),
      reset: forget,
    };
  }, [own, all, asked, keep, forget]);
}
