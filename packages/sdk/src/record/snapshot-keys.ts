import { objectKeys } from './snapshot-intrinsics.ts';

/** From so many keys on, listing them costs enough to remember the outcome. */
const MANY = 1000;
/** An object with many keys is listed again only after this many times the time that listing took: half a percent at most. */
const REST = 200;

interface ManyKeys extends OwnKeys {
  readonly wanted: number;
  readonly until: number;
}

const remembered = new WeakMap<object, ManyKeys>();
const recall = remembered.get.bind(remembered);
const remember = remembered.set.bind(remembered);
const now = performance.now.bind(performance);
let anyRemembered = false;

interface OwnKeys {
  /** At least the first `wanted` own enumerable string keys, or all. */
  readonly first: readonly string[];
  /** How many there are (for an object with very many: were, a moment ago). */
  readonly size: number;
}

/**
 * Own enumerable string keys. JavaScript cannot list some of them: an object with a million keys takes 0.3 s each time, so what was
 * seen of such an object is remembered for a while.
 */
export function ownKeys(object: object, wanted: number): OwnKeys {
  if (anyRemembered) {
    const known = recall(object);
    if (known !== undefined && known.wanted >= wanted && now() < known.until) return known;
  }
  const started = anyRemembered ? now() : 0;
  const keys = objectKeys(object);
  if (keys.length < MANY) return { first: keys, size: keys.length };
  anyRemembered = true;
  const ended = now();
  const first: string[] = [];
  for (let index = 0; index < wanted && index < keys.length; index++) first[index] = String(keys[index]);
  const took = started === 0 ? keys.length / 3000 : ended - started;
  const entry = { first, size: keys.length, wanted, until: ended + took * REST };
  remember(object, entry);
  return entry;
}
