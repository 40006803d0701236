import type { CapturedValue } from '../../values.ts';
import { isList } from '../syntax/forms.ts';
import type { LeafRules } from './siblings.ts';

const MAX_NOTED = 100;
const MAX_NOTED_DEPTH = 10;

/** Records the list items, and the members with a secret's name, in a value that is hidden as a whole: they can occur in other values, too. */
export function noteInside(value: CapturedValue, rules: LeafRules, depth = 0): void {
  if (typeof value !== 'object' || value === null || depth > MAX_NOTED_DEPTH) return;
  // The path of a reference consists of names, not of texts of the hidden value.
  if ('$type' in value && value.$type === 'reference') return;
  if (isList(value)) {
    for (const item of value.slice(0, MAX_NOTED)) {
      if (typeof item === 'string') rules.note(item);
      else noteInside(item, rules, depth + 1);
    }
    return;
  }
  for (const [key, member] of Object.entries(value).slice(0, MAX_NOTED)) {
    if (typeof member !== 'string') noteInside(member, rules, depth + 1);
    else if (rules.known(key).verdict !== 'plain') rules.note(member);
  }
}
