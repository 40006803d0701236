import { useDebouncedCallback } from '@mantine/hooks';
import { useState } from 'react';
import type { FindInJson } from './use-json-lines.ts';

/** The search starts this long after the last key press. Milliseconds. */
const TYPING_MS = 150;

interface Found {
  readonly text: string;
  readonly lines: Uint32Array;
  /** The index of the current match, from 0. */
  readonly at: number;
}

/** The search string and its matching lines. `onGo` receives each line to go to. */
export function useJsonSearch(find: FindInJson, onGo: (line: number) => void) {
  const [text, setText] = useState('');
  const [found, setFound] = useState<Found>();
  const look = useDebouncedCallback((wanted: string) => {
    find(wanted, (lines) => {
      setFound({ text: wanted, lines, at: 0 });
      const [first] = lines;
      if (first !== undefined) onGo(first);
    });
  }, TYPING_MS);

  const type = (typed: string) => {
    setText(typed);
    setFound(undefined);
    look(typed.trim());
  };
  const go = (by: 1 | -1) => {
    if (found === undefined || found.lines.length === 0) return;
    const at = (found.at + by + found.lines.length) % found.lines.length;
    setFound({ ...found, at });
    const line = found.lines[at];
    if (line !== undefined) onGo(line);
  };
  const answered = found === undefined || found.text === '' ? undefined : found;
  return {
    text,
    type,
    go,
    marked: answered?.text ?? '',
    found: answered === undefined ? undefined : { count: answered.lines.length, at: answered.at },
  };
}
