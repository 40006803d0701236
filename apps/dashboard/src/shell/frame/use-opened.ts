import { useState } from 'react';

/** Something that opens and closes, and need not be loaded before it was opened once. */
export function useOpened() {
  const [state, setState] = useState<'never' | 'open' | 'closed'>('never');
  return {
    wasOpened: state !== 'never',
    isOpen: state === 'open',
    open: () => setState('open'),
    close: () => setState('closed'),
  };
}
