import { useEffect, useEffectEvent } from 'react';

/** Elements that accept typed text, unlike a checkbox. */
const WRITTEN_IN =
  'input:not([type="checkbox"], [type="radio"]), textarea, select, [contenteditable], [role="combobox"]';

type KeyPress = Pick<KeyboardEvent, 'key' | 'defaultPrevented' | 'ctrlKey' | 'metaKey' | 'altKey' | 'target'>;

/**
 * True if a key press is meant for the page. It must not be typed into a field, not be handled already, and have no Ctrl, Alt or Meta key.
 * Ctrl and Alt are allowed if they only compose the character, as in `[` on a German keyboard.
 */
export function isPlainKey(event: KeyPress): boolean {
  if (event.defaultPrevented || event.metaKey || isTyping(event.target)) return false;
  return isComposed(event) || (!event.ctrlKey && !event.altKey);
}

/** On many keyboards, brackets are typed with Option, or with AltGr, which Windows reports as Ctrl and Alt. */
function isComposed({ key, altKey }: KeyPress): boolean {
  return altKey && /^[^a-z\d]$/i.test(key);
}

function isTyping(target: EventTarget | null): boolean {
  return target !== null && target instanceof Element && target.closest(WRITTEN_IN) !== null;
}

/** Handles plain keys ({@link isPlainKey}) anywhere on the page while `on` is true. */
export function useWindowKeys(on: boolean, keys: ReadonlyMap<string, () => void>): void {
  useKeyDown(on, (event) => {
    const run = keys.get(event.key);
    if (run === undefined || !isPlainKey(event)) return;
    event.preventDefault();
    run();
  });
}

/** Elements that Escape closes. */
const CLOSED_BY_ESCAPE = '[role="dialog"], [role="menu"], [role="listbox"]';

/** Handles Escape while `on` is true, unless an open element should be closed first. */
export function useEscape(on: boolean, act: () => void): void {
  useKeyDown(on, (event) => {
    if (event.key !== 'Escape' || !isPlainKey(event)) return;
    // The element in which the key was pressed can already be closed and removed: `isAnyOpen` would then miss it.
    const within = event.target instanceof Element && event.target.closest(CLOSED_BY_ESCAPE) !== null;
    if (within || isAnyOpen()) return;
    event.preventDefault();
    act();
  });
}

/** Checks visibility, because closed completion lists stay in the page and are only hidden. */
function isAnyOpen(): boolean {
  return [...document.querySelectorAll(CLOSED_BY_ESCAPE)].some((element) => element.checkVisibility());
}

function useKeyDown(on: boolean, hear: (event: KeyboardEvent) => void): void {
  const onKeyDown = useEffectEvent(hear);
  useEffect(() => {
    if (!on) return;
    const listen = (event: KeyboardEvent) => onKeyDown(event);
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, [on]);
}
