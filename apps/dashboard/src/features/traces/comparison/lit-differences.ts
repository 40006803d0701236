import type { CapturedValue } from '@throughline/contract';
import {
  addKeys,
  classifyValue,
  findValueDifferences,
  hasParts,
  listParts,
  type ValueDifference,
} from '@throughline/contract/captured';
import type { FoundLines } from '../../../visuals/values/value-rows.ts';

type Path = ValueDifference['path'];

/** The rows to mark in the trees of two compared values. Undefined if the values are equal. */
interface LitDifferences {
  readonly left: FoundLines | undefined;
  readonly right: FoundLines | undefined;
}

/** Finds the rows that differ between the trees of two values, and the parents of these rows, which the trees open. */
export function findLitDifferences(left: CapturedValue, right: CapturedValue): LitDifferences {
  const { found } = findValueDifferences(left, right);
  const listPaths = (side: 'left' | 'right') =>
    found.filter((difference) => difference[side] !== undefined).map(({ path }) => path);
  return { left: lightRows(left, listPaths('left')), right: lightRows(right, listPaths('right')) };
}

/** Returns the keys of the rows at the given paths, as `listValueRows` numbers the rows. */
function lightRows(value: CapturedValue, paths: readonly Path[]): FoundLines | undefined {
  if (paths.length === 0) return undefined;
  const isFlat = classifyValue(value).kind === 'object' && hasParts(value);
  const hits = new Set<string>();
  const open = new Set<string>();
  for (const path of paths) {
    let [at, key]: [CapturedValue, string] = [value, isFlat ? '' : '$'];
    for (const part of path) {
      if (key !== '') open.add(key);
      const parts = addKeys(listParts(at).children);
      const index = parts.findIndex((each) => each.key === part);
      const next = parts[index];
      if (next === undefined) break;
      [at, key] = [next.value, `${key}/${index}`];
    }
    // The tree of a plain object has no row for the object itself, so the rows of all its members are marked.
    if (key === '') for (const index of listParts(value).children.keys()) hits.add(`/${index}`);
    else hits.add(key);
  }
  return { hits, open, listsAll: true };
}
