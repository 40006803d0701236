import { NameScope } from './grammar-scope.ts';

export type FunctionKind = 'sync' | 'async' | 'generator' | 'asyncGenerator';

/** The position in a program at which code is written, and the syntax that is allowed there. */
export interface Place {
  readonly kind: FunctionKind;
  readonly depth: number;
  readonly scope: NameScope;
  readonly isStrict: boolean;
  readonly labels: readonly { readonly name: string; readonly isLoop: boolean }[];
  readonly inLoop: boolean;
  readonly inSwitch: boolean;
  /** True in a function that may contain `return`. */
  readonly canReturn: boolean;
  readonly hasArguments: boolean;
  readonly hasSuper: boolean;
}

/** Returns the position inside the body of a function that is written at the position `outer`. */
export function inside(outer: Place, kind: FunctionKind, more: Partial<Place> = {}): Place {
  return {
    ...outer,
    kind,
    depth: outer.depth + 1,
    scope: new NameScope(outer.scope, true),
    labels: [],
    inLoop: false,
    inSwitch: false,
    canReturn: true,
    ...more,
  };
}

export const canAwait = ({ kind }: Place): boolean => kind === 'async' || kind === 'asyncGenerator';
export const canYield = ({ kind }: Place): boolean => kind === 'generator' || kind === 'asyncGenerator';

/** Few names, so that declarations shadow each other and collide. Some of the names are in forms that few tools recognize as names. */
export const names: readonly [string, ...string[]] = [
  'a',
  'b',
  'c',
  'd',
  'e',
  '$',
  '_f',
  'ñ',
  '𝒳',
  'of',
  'get',
  'async',
  'using',
];

/** Names, each with a spelling that contains escapes. */
export const spellings: Readonly<Record<string, string>> = { a: '\\u0061', b: '\\u{62}', ñ: '\\u00f1' };

/**
 * The beginning of every program. It gives a value to all names. A logged value never contains source code. `go` calls a function, iterates
 * over the result, and never throws.
 */
export const prelude = `var a = 1, b = 'b', c, d = null, e = [1, 2], $ = { a: 1, b: [2] }, _f = () => 2, ñ = 0, 𝒳 = '𝒳', of = 3, get = (x) => x, async = 5, using = 6
const pending = []
const plain = (v) => (typeof v === 'function' ? 'f' : typeof v === 'object' && v !== null ? Object.prototype.toString.call(v) : typeof v === 'symbol' ? 's' : v)
const say = (v) => (log(typeof v, typeof v === 'function' ? v.name + v.length : typeof v === 'object' && v !== null ? Object.keys(v).slice(0, 5).join() : cut(plain(v))), v)
const oops = (v) => log('threw', v instanceof Error ? (v.message.includes('call stack') ? 'overflow' : v.name) : plain(v))
const go = (f, ...args) => {
  try {
    useFuel()
    let r
    try { r = f(...args) } catch (v) { if (!(v instanceof TypeError)) throw v; r = new f(...args) }
    if (typeof r?.then === 'function') pending.push(r.then(say, oops))
    else if (typeof r?.next === 'function') {
      let one = r.next(1)
      for (let n = 0; n < 4 && typeof one.then !== 'function' && !one.done; n++) { say(one.value); one = n === 2 ? r.return(9) : r.next(n) }
      if (typeof one.then === 'function') pending.push(one.then((v) => { say(v.value); return r.throw(8) }).then(say, oops), r.next(2).then((v) => say(v.done), oops))
    } else say(r)
    return r
  } catch (v) { oops(v) }
}`;

export const finale = "for (let n = 0; n < pending.length && n < 500; n++) await pending[n]\nlog('end')";
