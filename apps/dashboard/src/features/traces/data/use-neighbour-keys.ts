import type { KeyboardEvent } from 'react';
import { useChangeView } from '../../../shell/url-state/search-params.ts';
import { isPlainKey } from '../../../ui/hooks/keys.ts';
import type { Neighbours } from './neighbours.tsx';

/** Handles `[` and `]`, which open the previous and next trace in the list unless the focus is in a field. */
export function useNeighbourKeys({ previous, next }: Neighbours): (event: KeyboardEvent) => void {
  const change = useChangeView();
  return (event) => {
    const to = event.key === '[' ? previous : event.key === ']' ? next : undefined;
    if (to === undefined || !isPlainKey(event)) return;
    event.preventDefault();
    change({ trace: to, step: undefined, origin: undefined }, { replace: true });
  };
}
