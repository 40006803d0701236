import { createContext, useContext, useMemo, useRef, useState } from 'react';
import {
  countTicked,
  isTicked,
  NOTHING_TICKED,
  type Ticked,
  turnListed,
  turnOne,
  turnStretch,
} from './ticked.ts';
import { useLatest } from './use-latest.ts';

/** What boxes in the list know of what is chosen. */
interface TickBoxes {
  readonly ticked: Ticked;
  /** Of those listed: none, some or all. */
  readonly listed: 'none' | 'some' | 'all';
  /** Turns one row, or all from the row that was turned last to it. */
  readonly turn: (id: string, stretch: boolean) => void;
  readonly turnListed: () => void;
}

export const TickBoxesContext = createContext<TickBoxes>({
  ticked: NOTHING_TICKED,
  listed: 'none',
  turn: () => undefined,
  turnListed: () => undefined,
});

export function useTickBoxes(): TickBoxes {
  return useContext(TickBoxesContext);
}

/** Which rows of a list are chosen. `list` says which list it is: those of another are none of this one's. */
export function useTicked(list: string, ids: readonly string[], total: number) {
  const [kept, keep] = useState<{ readonly list: string; readonly ticked: Ticked }>();
  const ticked = kept?.list === list ? kept.ticked : NOTHING_TICKED;
  const last = useRef<string>(undefined);
  const set = (next: Ticked) => keep({ list, ticked: next });
  const turn = useLatest((id: string, stretch: boolean) => {
    const from = stretch ? last.current : undefined;
    last.current = id;
    set(from === undefined ? turnOne(ticked, id, ids) : turnStretch(ticked, { from, to: id }, ids));
  });
  const turnAll = useLatest(() => set(turnListed(ticked, ids)));
  const on = ids.filter((id) => isTicked(ticked, id)).length;
  const listed = on === 0 ? 'none' : on === ids.length ? 'all' : 'some';
  const boxes = useMemo(
    () => ({ ticked, listed, turn, turnListed: turnAll }) as const,
    [ticked, listed, turn, turnAll],
  );
  return {
    boxes,
    count: countTicked(ticked, total),
    tickAll: () => set('all'),
    clear: () => set(NOTHING_TICKED),
  };
}
