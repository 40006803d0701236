import type { CapturedValue, LinkKind } from '@throughline/contract';
import { classifyValue, findValueDifferences } from '@throughline/contract/captured';
import type { Target } from './choose-target.ts';
import { ContentComparison } from './compare-content.ts';
import type { RawSteps } from './raw-steps.ts';
import { isContainer } from './visit-parts.ts';

/** How a value matches, not considering the values inside it. */
export interface Match {
  readonly how: LinkKind;
  /** True if the value is the searched object itself, with changed contents. */
  readonly changed?: true;
}

export type MatchValue = (value: CapturedValue, name: string | undefined) => Match | undefined;

/** Minimum lengths of a string, and of a string of digits, that is also searched for inside longer strings. */
const MIN_INSIDE_TEXT = 5;
const MIN_INSIDE_DIGITS = 4;
/** Longer strings are not searched. */
const MAX_SEARCHED_TEXT = 200_000;

/** Builds the function that tests if a value is the searched one. References in the value must be resolved before. */
export function createMatcher(target: Target, steps: RawSteps): MatchValue {
  switch (target.kind) {
    case 'text':
    case 'number':
      return (value, name) => matchNamed(target, value, name);
    case 'date':
      return (value) => matchWritten(target, value);
    case 'object': {
      const contents = new ContentComparison(steps);
      return (value) => matchObject(target, value, steps, contents);
    }
  }
}

function matchNamed(
  target: Target & { readonly kind: 'text' | 'number' },
  value: CapturedValue,
  name: string | undefined,
): Match | undefined {
  if (target.name === undefined) return matchWritten(target, value);
  if (name?.toLowerCase() !== target.name.toLowerCase()) return undefined;
  const written = readWritten(value);
  const isEqual = written?.isWhole === true && written.text === target.text;
  return isEqual && written.kind !== 'date' ? { how: 'same-name' } : undefined;
}

function matchWritten(
  target: Exclude<Target, { readonly kind: 'object' }>,
  value: CapturedValue,
): Match | undefined {
  const written = readWritten(value);
  if (written === undefined) return undefined;
  const { kind, text, isWhole } = written;
  if (isWhole && text === target.text)
    return kind === target.kind ? { how: EQUAL[kind] } : { how: 'as-text' };
  return kind === 'text' && isInside(target, text) ? { how: 'in-text' } : undefined;
}

const EQUAL = { text: 'equal-text', number: 'equal-number', date: 'equal-date' } as const;

/** Returns the string, number or date that a value represents. */
function readWritten(
  value: CapturedValue,
): { readonly kind: keyof typeof EQUAL; readonly text: string; readonly isWhole: boolean } | undefined {
  if (typeof value === 'string') return { kind: 'text', text: value, isWhole: true };
  if (typeof value === 'number') return { kind: 'number', text: String(value), isWhole: true };
  const shape = classifyValue(value);
  if (shape.kind !== 'form') return undefined;
  const { form } = shape;
  if (form.$type === 'bigint') return { kind: 'number', text: form.value, isWhole: true };
  if (form.$type === 'Date' && form.value !== null) return { kind: 'date', text: form.value, isWhole: true };
  return form.$type === 'string' ? { kind: 'text', text: form.value, isWhole: false } : undefined;
}

const DIGITS = /^\d+$/;
const WORD = /[\p{L}\p{N}_]/u;

/**
 * True for a string that contains the searched string as a separate word, such as a URL with an id. False for short searched strings, for
 * numbers with other characters than digits, and for very long strings.
 */
function isInside({ kind, text }: Exclude<Target, { readonly kind: 'object' }>, longer: string): boolean {
  if (kind === 'number' && !DIGITS.test(text)) return false;
  const isLong = text.length >= (DIGITS.test(text) ? MIN_INSIDE_DIGITS : MIN_INSIDE_TEXT);
  if (!isLong || longer.length <= text.length || longer.length > MAX_SEARCHED_TEXT) return false;
  for (let at = longer.indexOf(text); at >= 0; at = longer.indexOf(text, at + 1)) {
    const [before, after] = [
      longer.slice(Math.max(0, at - 1), at),
      longer.slice(at + text.length, at + text.length + 1),
    ];
    if (!WORD.test(before) && !WORD.test(after)) return true;
  }
  return false;
}

function matchObject(
  { value: wanted, byContent }: Target & { readonly kind: 'object' },
  value: CapturedValue,
  steps: RawSteps,
  contents: ContentComparison,
): Match | undefined {
  if (!isContainer(value)) return undefined;
  if (value === wanted) return { how: 'same-object' };
  if (steps.isSame(value, wanted))
    return findValueDifferences(value, wanted).found.length === 0
      ? { how: 'same-object' }
      : { how: 'same-object', changed: true };
  return byContent && contents.isEqual(value, wanted) ? { how: 'equal-content' } : undefined;
}
