import { useState } from 'react';

/** Returns the state of a part of the page that opens and closes, and that is loaded only when first opened. */
export function useOpened() {
  const [state, setState] = useState<'never' | 'open' | 'closed'>('never');
  return {
    wasOpened: state !== 'never',
    isOpen: state === 'open',
    open: () => setState('open'),
    close: () => setState('closed'),
  };
}
