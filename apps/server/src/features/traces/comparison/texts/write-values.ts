import type { CapturedValue, Step } from '@throughline/contract';
import { summarise } from '@throughline/contract/captured';

/** Formats a value on one line. Returns `nothing` if only the other request has a value in this position. */
export function writeSide(value: CapturedValue | undefined): string {
  if (value === undefined) return 'nothing';
  const { text, className, note } = summarise(value);
  return `${className === undefined ? '' : `${className} `}${escapeMarks(text)}${note === undefined ? '' : ` (${note})`}`;
}

/** Escapes combining characters in a string that has an equal composed form, because both forms look the same. */
function escapeMarks(text: string): string {
  if (text.normalize('NFC') === text) return text;
  return text.replaceAll(
    /\p{M}/gu,
    (mark) => `\\u${(mark.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  );
}

export function nameStep({ functionName, stepName, stepType }: Step): string {
  return stepType === 'function' || functionName !== null ? (functionName ?? stepName) : stepName;
}
