import type { CapturedValue } from '@throughline/contract';
import {
  type ChildLabel,
  classifyValue,
  formatName,
  hasParts,
  listParts,
  ownText,
} from '@throughline/contract/captured';
import { type FoundLines, findLongText } from './value-rows.ts';

/** Which lines of a value's tree hold a text. */
export interface FoundInValue extends FoundLines {
  /** There are more hits than are listed. */
  readonly more: boolean;
}

/** More are not shown: they say no more than the first ones. */
const MAX_HITS = 500;

interface Search {
  readonly text: string;
  readonly hits: Set<string>;
  readonly open: Set<string>;
  more: boolean;
}

/**
 * Looks for a text in the names and values of all parts of a captured value, however deep, whatever is open.
 * Case makes no difference. Strings are searched whole; what was not captured, and what a closed object or array
 * begins with, is not searched. An empty text is nowhere.
 */
export function findInValue(value: CapturedValue, text: string): FoundInValue {
  const search: Search = { text: text.toLowerCase(), hits: new Set(), open: new Set(), more: false };
  if (search.text === '') return search;
  // As `valueRows` names them: a plain object's parts stand at the top.
  if (classifyValue(value).kind === 'object' && hasParts(value)) searchParts(search, value, '');
  else searchValue(search, undefined, value, '$');
  return search;
}

/** True if any part has the text. */
function searchParts(search: Search, value: CapturedValue, key: string): boolean {
  let found = false;
  for (const [index, child] of listParts(value).children.entries()) {
    if (searchValue(search, child.label, child.value, `${key}/${index}`)) found = true;
    if (search.more) break;
  }
  return found;
}

function searchValue(
  search: Search,
  label: ChildLabel | undefined,
  value: CapturedValue,
  key: string,
): boolean {
  const has = (text: string) => text.toLowerCase().includes(search.text);
  const long = findLongText(value);
  const inLong = long !== undefined && has(long);
  const hit = inLong || has(ownText(value)) || (label !== undefined && has(formatName(label)));
  if (hit && search.hits.size === MAX_HITS) {
    search.more = true;
    return false;
  }
  if (hit) search.hits.add(key);
  if (inLong) search.open.add(key);
  const inside = searchParts(search, value, key);
  if (inside) search.open.add(key);
  return hit || inside;
}
