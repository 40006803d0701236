import { monotonicMs } from '../../internal/timers.ts';
import { getOwnPropertySymbols, objectKeys, setHas, symbolDescription } from '../writer/primordials.ts';

/** Number of keys from which listing an object's keys is so slow that the result is cached. */
const MANY = 1000;
/**
 * Time for which the result of a listing is cached, as a multiple of the time that the listing took. So listing takes at most half a
 * percent of the elapsed time.
 */
const REST = 200;
/** Minimum number of keys that are cached per object. So a later request for more keys need not list the object's keys again. */
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
  /** The own enumerable string keys: at least the first `wanted`, or all if there are fewer. */
  readonly first: readonly string[];
  /** The number of own enumerable string keys. For a very large object, the number at the last listing. */
  readonly size: number;
  /** All own symbols of the object. */
  readonly symbols: readonly symbol[];
}

/**
 * Lists an object's own enumerable string keys and symbols. JavaScript can only list all of them, and visits every string key even if only
 * symbols are listed. For an object with a million keys, that takes 0.3 s each time, so the result for such an object is cached for a
 * while.
 */
export function listOwnKeys(object: object, wanted: number): OwnKeys {
  const known = recallKeys(object);
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
 * True for symbols under which Node stores the async context or the async ids of a timer, promise or other resource: one map, one object,
 * or one key per AsyncLocalStorage, depending on Node's version. Properties under these symbols are not captured: the context is not part
 * of the value and contains the SDK's own objects.
 */
export function isContextKey(key: symbol): boolean {
  const name = symbolDescription(key);
  return typeof name === 'string' && setHas(CONTEXT_KEYS, name);
}

/** Returns the number of own enumerable string keys. */
export function countOwnKeys(object: object): number {
  const known = recallKeys(object);
  if (known !== undefined) return known.size;
  const { length } = objectKeys(object);
  return length < MANY ? length : listOwnKeys(object, 0).size;
}

function recallKeys(object: object): ManyKeys | undefined {
  if (!anyRemembered) return undefined;
  const known = recall(object);
  return known !== undefined && monotonicMs() < known.until ? known : undefined;
}
