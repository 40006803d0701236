import type { CapturedValue } from '@throughline/contract';
import { splitSearch } from '@throughline/contract/captured';
import { type FoundInValue, findInValue } from '../../../../visuals/values/find-in-value.ts';

/** A step's values that are searched, with the titles that they have on the page. */
type Parts = readonly { readonly title: string; readonly value: CapturedValue | undefined }[];

export interface FoundInParts {
  /** The matches in each part, by the title of the part. */
  readonly in: ReadonlyMap<string, FoundInValue>;
  readonly count: number;
  readonly more: boolean;
}

/** Finds a string in a step's values; the trees of these values then show only the matches. */
export function findInParts(parts: Parts, text: string): FoundInParts {
  return collect(parts, (value) => findInValue(value, text));
}

/**
 * Finds the words of the step search in a step's values. The trees mark the matches and still show all other values. Returns undefined
 * without matches.
 */
export function markInParts(parts: Parts, text: string): FoundInParts | undefined {
  const words = splitSearch(text);
  const marked = collect(parts, (value) => {
    const each = words.map((word) => findInValue(value, word));
    return {
      hits: new Set(each.flatMap(({ hits }) => [...hits])),
      open: new Set(each.flatMap(({ open }) => [...open])),
      more: each.some(({ more }) => more),
      listsAll: true,
    };
  });
  return marked.count === 0 ? undefined : marked;
}

function collect(parts: Parts, find: (value: CapturedValue) => FoundInValue): FoundInParts {
  const found = new Map<string, FoundInValue>();
  for (const { title, value } of parts) {
    if (value === undefined || isEmpty(value)) continue;
    const here = find(value);
    if (here.hits.size > 0) found.set(title, here);
  }
  const all = [...found.values()];
  return {
    in: found,
    count: all.reduce((sum, { hits }) => sum + hits.size, 0),
    more: all.some(({ more }) => more),
  };
}

/** True for a captured object without members, for which the page shows "none". */
export function isEmpty(value: CapturedValue): boolean {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length === 0
  );
}
