import type { CapturedValue } from '@throughline/contract';
import { searchedWords } from '@throughline/contract/captured';
import { type FoundInValue, findInValue } from '../../../visuals/values/find-in-value.ts';

/** The values of a step that are searched, by the title that each has on the page. */
type Parts = readonly { readonly title: string; readonly value: CapturedValue | undefined }[];

export interface FoundInParts {
  /** By the titles of the parts that have hits. */
  readonly in: ReadonlyMap<string, FoundInValue>;
  readonly count: number;
  readonly more: boolean;
}

/** Finds a text in a step's values: their trees show nothing else. */
export function findInParts(parts: Parts, text: string): FoundInParts {
  return collect(parts, (value) => findInValue(value, text));
}

/** Finds the words that the trace's steps are searched for: the trees mark them and go on to show all else. Undefined where none is among the values. */
export function markInParts(parts: Parts, text: string): FoundInParts | undefined {
  const words = searchedWords(text);
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

/** Nothing to show, as against a value that is itself empty. */
export function isEmpty(value: CapturedValue): boolean {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length === 0
  );
}
