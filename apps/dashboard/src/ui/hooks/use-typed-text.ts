import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useState } from 'react';

/**
 * The text of a field whose trimmed value is kept elsewhere, such as in the address: what is typed is handed to `apply` once typing rested for
 * `restMs`. Where the kept value changes by itself (Back, a button that clears it), the field follows; what is being typed stays.
 */
export function useTypedText(
  kept: string,
  apply: (typed: string) => void,
  restMs: number,
): readonly [text: string, type: (typed: string) => void] {
  const [text, setText] = useState(kept);
  const applyAtRest = useDebouncedCallback((typed: string) => apply(typed.trim()), restMs);
  useEffect(() => setText((typed) => (typed.trim() === kept ? typed : kept)), [kept]);
  return [
    text,
    (typed) => {
      setText(typed);
      applyAtRest(typed);
    },
  ];
}
