import type { KeyboardEvent } from 'react';
import { isPlainKey } from '../../../ui/hooks/keys.ts';
import type { Selection } from '../data/use-selection.ts';

/**
 * Keyboard shortcuts for a trace's steps, active anywhere in the dialog: `e` next error, `s` slowest, `c` along the critical path; `f`
 * filters.
 */
export function stepKeys({ jump }: Selection, onFilter?: () => void): (event: KeyboardEvent) => void {
  return (event) => {
    if (!isPlainKey(event)) return;
    if (event.key === 'e') jump.nextError();
    else if (event.key === 's') jump.slowest();
    else if (event.key === 'c') jump.nextCritical();
    else if (event.key === 'f' && onFilter !== undefined) onFilter();
    else return;
    event.preventDefault();
  };
}
