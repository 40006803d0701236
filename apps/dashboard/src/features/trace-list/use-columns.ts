import { useLocalStorage } from '@mantine/hooks';
import { useMemo } from 'react';
import { z } from 'zod';
import { arrange, type TraceColumn } from './columns.ts';

const Kept = z.array(z.string()).max(50);

export interface ChosenColumns {
  /** In order; what can be done with a row comes after them. */
  readonly shown: readonly TraceColumn[];
  readonly all: readonly TraceColumn[];
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
  const shown = useMemo(() => {
    const read = Kept.safeParse(kept);
    return arrange(all, read.success ? read.data : undefined, atFirst);
  }, [kept, all, atFirst]);
  return useMemo(
    () => ({ shown, all, choose: (ids) => keep([...ids]), reset: forget }),
    [shown, all, keep, forget],
  );
}
