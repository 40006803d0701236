import type { CapturedValue, ValuePath, ValuePlace } from '@throughline/contract';
import { LINK_KINDS } from '@throughline/contract';
import type { Place } from './list-places.ts';
import type { Match, MatchValue } from './match-value.ts';
import type { RawSteps } from './raw-steps.ts';
import { isContainer, visitParts } from './visit-parts.ts';

/** A part of a trace that contains the searched value, and the path to the value in this part. */
export interface Occurrence extends Match {
  /** True for a parameter that had the value at the start of the call and did not change. */
  readonly given?: boolean;
  readonly at: Place;
  readonly path: ValuePath;
}

/** Values nested deeper than this are not searched. */
const MAX_DEPTH = 60;

/** Parts whose members are separate values, each with its name in the source code. */
const NAMED: ReadonlySet<ValuePlace> = new Set(['inputs', 'parameters', 'localVariables']);

/**
 * Finds the searched value in the parts of a trace, at most once per named value. Prefers a match of a more certain kind, then a match
 * nearer to the top level.
 */
export class OccurrenceSearch {
  readonly #matches: MatchValue;
  readonly #steps: RawSteps;
  /** Results by object, so that an object that many steps refer to is searched once. */
  readonly #known = new WeakMap<object, Inside>();
  readonly #underWay = new Set<object>();

  constructor(matches: MatchValue, steps: RawSteps) {
    this.#matches = matches;
    this.#steps = steps;
  }

  listOccurrences(at: Place): Occurrence[] {
    const value = this.#steps.follow(at.value);
    if (!NAMED.has(at.place)) {
      const found = this.#search(value, undefined, 0);
      return found === undefined ? [] : [{ at, ...found }];
    }
    if (!isContainer(value)) return [];
    const occurrences: Occurrence[] = [];
    visitParts(value, (key, name, part) => {
      const found = this.#search(part, name, 1);
      if (found !== undefined) occurrences.push({ at, ...found, path: [key, ...found.path] });
    });
    return occurrences;
  }

  #search(raw: CapturedValue, name: string | undefined, depth: number): Found | undefined {
    const value = this.#steps.follow(raw);
    const match = this.#matches(value, name);
    if (match !== undefined) return { ...match, path: [] };
    if (!isContainer(value) || depth > MAX_DEPTH) return undefined;
    const known = this.#known.get(value);
    if (known !== undefined) return known.found;
    if (this.#underWay.has(value)) return undefined;
    this.#underWay.add(value);
    let best: Found | undefined;
    visitParts(value, (key, partName, part) => {
      const found = this.#search(part, partName, depth + 1);
      if (found !== undefined && isBetter(found, best)) best = { ...found, path: [key, ...found.path] };
    });
    this.#underWay.delete(value);
    this.#known.set(value, { found: best });
    return best;
  }
}

interface Inside {
  readonly found: Found | undefined;
}

interface Found extends Match {
  readonly path: ValuePath;
}

/**
 * True if `found` is a better match than `best`. The path of `best` begins with the key of the part that contains it, which is not yet
 * added to the path of `found`. Hence the `+ 1`.
 */
function isBetter(found: Found, best: Found | undefined): boolean {
  if (best === undefined) return true;
  const [rank, bestRank] = [LINK_KINDS.indexOf(found.how), LINK_KINDS.indexOf(best.how)];
  return rank < bestRank || (rank === bestRank && found.path.length + 1 < best.path.length);
}
