import type { CapturedValue } from '@throughline/contract';
import {
  type ChildLabel,
  classifyValue,
  formatName,
  formatOwnText,
  hasParts,
  listParts,
} from '@throughline/contract/captured';
import { type FoundLines, findLongText } from './value-rows.ts';

/** The rows of a value's tree that contain a string. */
export interface FoundInValue extends FoundLines {
  /** True if there are more hits than listed. */
  readonly more: boolean;
}

/** Maximum number of hits that are shown: more hits add no information. */
const MAX_HITS = 500;

interface Search {
  readonly text: string;
  readonly hits: Set<string>;
  readonly open: Set<string>;
  more: boolean;
}

/**
 * Searches the names and values of all parts of a captured value at any depth, open or closed. Ignores case.
 * Strings are searched whole; values that were not captured, and previews of closed objects and arrays, are not searched.
 * An empty string matches nothing.
 */
export function findInValue(value: CapturedValue, text: string): FoundInValue {
  const search: Search = { text: text.toLowerCase(), hits: new Set(), open: new Set(), more: false };
  if (search.text === '') return search;
  // Keys are built as in `listValueRows`: a plain object's parts are at the top level.
  if (classifyValue(value).kind === 'object' && hasParts(value)) searchParts(search, value, '');
  else searchValue(search, undefined, value, '$');
  return search;
}

/** Searches all parts and records the hits in `search`. Returns true if there is a hit. */
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
  const hit = inLong || has(formatOwnText(value)) || (label !== undefined && has(formatName(label)));
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
