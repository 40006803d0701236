import { monotonicMs } from '../../runtime/timers.ts';
import { getOwnPropertySymbols, objectKeys, setHas, symbolDescription } from '../writer/primordials.ts';

/** From so many keys on, listing them costs enough to remember the outcome. */
const MANY = 1000;
/** An object with many keys is listed again only after this many times the time that listing took: half a percent at most. */
const REST = 200;
/** So many keys are remembered at least: an object is listed in full only once, whatever of it is wanted next. */
const MIN_REMEMBERED = 100;

interface ManyKeys extends OwnKeys {
  readonly wanted: number;
  readonly until: number;
}

const remembered = new WeakMap<object, ManyKeys>();
const recall = remembered.get.bind(remembered);
const remember = remembered.set.bind(remembered);
let anyRemembered = false;

export interface OwnKeys {
  /** At least the first `wanted` own enumerable string keys, or all. */
  readonly first: readonly string[];
  /** The number of keys; for a very large object, the number a moment ago. */
  readonly size: number;
  /** All own symbols. */
  readonly symbols: readonly symbol[];
}

/**
 * Own enumerable string keys, and symbols. JavaScript cannot list some of them, and goes over all strings to list symbols: an object with a million keys takes
 * 0.3 s each time, so what was seen of such an object is remembered for a while.
 */
export function ownKeys(object: object, wanted: number): OwnKeys {
  const known = recalled(object);
  if (known !== undefined && known.wanted >= wanted) return known;
  const started = anyRemembered ? monotonicMs() : 0;
  const keys = objectKeys(object);
  const symbols = getOwnPropertySymbols(object);
  if (keys.length < MANY) return { first: keys, size: keys.length, symbols };
  anyRemembered = true;
  const ended = monotonicMs();
  const kept = Math.max(wanted, MIN_REMEMBERED);
  const first: string[] = [];
  for (let index = 0; index < kept && index < keys.length; index++) first[index] = String(keys[index]);
  const took = started === 0 ? keys.length / 3000 : ended - started;
  const entry = { first, size: keys.length, symbols, wanted: kept, until: ended + took * REST };
  remember(object, entry);
  return entry;
}

const CONTEXT_KEYS: ReadonlySet<string> = new Set([
  'kAsyncContextFrame',
  'kAsyncLocalStorageContext',
  'kResourceStore',
  'async_id_symbol',
  'trigger_async_id_symbol',
]);

/**
 * Says whether Node keeps the async context of a timer, promise or other resource under this key, or the ids that its hooks give out: by its version as one map, one
 * object, or one key for each AsyncLocalStorage. None of it is part of the value, and the context holds the SDK's own objects.
 */
export function isContextKey(key: symbol): boolean {
  const name = symbolDescription(key);
  return typeof name === 'string' && setHas(CONTEXT_KEYS, name);
}

/** The number of own enumerable string keys. */
export function countOwnKeys(object: object): number {
  const known = recalled(object);
  if (known !== undefined) return known.size;
  const { length } = objectKeys(object);
  return length < MANY ? length : ownKeys(object, 0).size;
}

function recalled(object: object): ManyKeys | undefined {
  if (!anyRemembered) return undefined;
  const known = recall(object);
  return known !== undefined && monotonicMs() < known.until ? known : undefined;
}
