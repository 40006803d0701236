import { Kbd } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { type ReactNode, Suspense, useEffect, useState } from 'react';
import { lazyPart } from '../../shell/load-page.ts';
import { isPlainKey } from '../../ui/hooks/keys.ts';
import classes from './palette.module.css';

const Palette = lazyPart(() => import('./palette.tsx'), 'Palette');
const KeysHelp = lazyPart(() => import('./keys-help.tsx'), 'KeysHelp');

/** Returns the palette (opened by Ctrl or ⌘ with K), the shortcut list (opened by `?`), and the button that opens the palette. */
export function usePalette(): { readonly button: ReactNode; readonly dialogs: ReactNode } {
  const [shown, setShown] = useState<'palette' | 'keys'>();
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const wanted = findDialog(event);
      if (wanted === undefined) return;
      event.preventDefault();
      setShown((before) => (before === wanted ? undefined : wanted));
    };
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);
  const close = () => setShown(undefined);
  return {
    button: (
      <button type="button" className={classes.jump} onClick={() => setShown('palette')}>
        <IconSearch size={16} aria-hidden />
        Go to…
        <span>
          <Kbd size="xs">Ctrl</Kbd> <Kbd size="xs">K</Kbd>
        </span>
      </button>
    ),
    dialogs: (
      <Suspense>
        {shown === 'palette' && <Palette onClose={close} onKeys={() => setShown('keys')} />}
        {shown === 'keys' && <KeysHelp onClose={close} />}
      </Suspense>
    ),
  };
}

function findDialog(event: KeyboardEvent): 'palette' | 'keys' | undefined {
  if (
    event.key.toLowerCase() === 'k' &&
    (event.ctrlKey || event.metaKey) &&
    !event.altKey &&
    !event.shiftKey
  ) {
    return 'palette';
  }
  return event.key === '?' && isPlainKey(event) ? 'keys' : undefined;
}
