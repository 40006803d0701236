import { type FocusEvent, type KeyboardEvent, useState } from 'react';

/**
 * Makes the buttons of a list one stop of the Tab key: the arrow keys, Home and End move the focus between them. `active` is the index of
 * the button that Tab reaches.
 */
export function useActiveButton() {
  const [active, setActive] = useState(0);
  const handlers = {
    onFocus: ({ currentTarget, target }: FocusEvent<HTMLElement>) => {
      const index = findButton(listButtons(currentTarget), target);
      if (index >= 0) setActive(index);
    },
    onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
      const buttons = listButtons(event.currentTarget);
      const from = findButton(buttons, event.target);
      const to = from < 0 ? undefined : chooseIndex(event.key, from, buttons.length);
      if (to === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      event.stopPropagation();
      buttons[to]?.focus();
    },
  };
  return { active, handlers };
}

function listButtons(list: HTMLElement): readonly HTMLElement[] {
  return [...list.querySelectorAll('button')];
}

function findButton(buttons: readonly HTMLElement[], target: EventTarget): number {
  return target instanceof HTMLElement ? buttons.indexOf(target) : -1;
}

function chooseIndex(key: string, from: number, count: number): number | undefined {
  switch (key) {
    case 'ArrowRight':
    case 'ArrowDown':
      return Math.min(count - 1, from + 1);
    case 'ArrowLeft':
    case 'ArrowUp':
      return Math.max(0, from - 1);
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return undefined;
  }
}
