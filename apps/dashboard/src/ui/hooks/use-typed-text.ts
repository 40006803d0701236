import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useState } from 'react';

/**
 * State of a field whose trimmed value is stored elsewhere, such as in the URL. Calls `apply` after `restMs` without typing. If the stored
 * value changes for another reason (the browser's Back button, a clear button), the field shows the new value.
 */
export function useTypedText(
  value: string,
  apply: (typed: string) => void,
  restMs: number,
): readonly [text: string, type: (typed: string) => void] {
  const [text, setText] = useState(value);
  const applyAtRest = useDebouncedCallback((typed: string) => apply(typed.trim()), restMs);
  useEffect(() => setText((typed) => (typed.trim() === value ? typed : value)), [value]);
  return [
    text,
    (typed) => {
      setText(typed);
      applyAtRest(typed);
    },
  ];
}
