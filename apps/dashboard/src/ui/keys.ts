import { useEffect, useEffectEvent } from 'react';

/** Whether what is pressed there is written there. A box that is ticked takes no letters. */
const WRITTEN_IN =
  'input:not([type="checkbox"], [type="radio"]), textarea, select, [contenteditable], [role="combobox"]';

type KeyPress = Pick<KeyboardEvent, 'key' | 'defaultPrevented' | 'ctrlKey' | 'metaKey' | 'altKey' | 'target'>;

/** Whether a key is the page's: nobody writes, nothing else has taken it, and no other key makes it the browser's. */
export function isPlainKey(event: KeyPress): boolean {
  if (event.defaultPrevented || event.metaKey || isTyping(event.target)) return false;
  return isComposed(event) || (!event.ctrlKey && !event.altKey);
}

/** On many keyboards brackets are written with Option, or with AltGr, which Windows reports as Ctrl and Alt. */
function isComposed({ key, altKey }: KeyPress): boolean {
  return altKey && /^[^a-z\d]$/i.test(key);
}

function isTyping(target: EventTarget | null): boolean {
  return target !== null && target instanceof Element && target.closest(WRITTEN_IN) !== null;
}

/** Hears plain keys wherever the focus is, while `on`. */
export function useWindowKeys(on: boolean, keys: ReadonlyMap<string, () => void>): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const run = keys.get(event.key);
    if (run === undefined || !isPlainKey(event)) return;
    event.preventDefault();
    run();
  });
  useEffect(() => {
    if (!on) return;
    const listen = (event: KeyboardEvent) => onKeyDown(event);
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, [on]);
}
