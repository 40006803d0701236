import type { InstrumentedSite } from '../../record/active-step.ts';
import { entryCall, prebuiltSitesName, runtimeName } from '../../record/capture/runtime-name.ts';
import type { FunctionModel } from '../analyze/model.ts';
import { exited } from './injected-names.ts';

/** The frame of a call that is not recorded. */
const idleFrame = `typeof ${runtimeName}==='object'&&${runtimeName}.idle`;

const broughtAt = `${runtimeName}m`;

/**
 * For code that brings its sites along: it puts them into a list of this process when it is run, and counts from where they are in it. Ids are
 * negative, so that they never meet those given out here. Where there can be no such list, since the global object is frozen say, nothing is recorded.
 */
export const broughtSite = (index: number): string =>
  `typeof ${broughtAt}==='undefined'?NaN:${broughtAt}-${index}`;

export const bringSites = (sites: readonly InstrumentedSite[]): string =>
  `var ${broughtAt};try{${broughtAt}=${sites.length - 1}-(globalThis.${prebuiltSitesName}??=[]).push(...[${sites.map((site) => JSON.stringify(site)).join(',')}])}catch{}`;

/** Marks a function that only calls the one with this site: readers of its text see that a frame is entered. */
export const forwarding = (site: string): string => `/* calls one that begins with ${entryCall}${site}) */`;

/**
 * The text around an `await using`: two resources of our own, disposed of in reverse order. So the frame is suspended right before the
 * author's resource is disposed of and awaited, and resumed right after.
 */
export function aroundDisposal(
  { injected: { frame } }: FunctionModel,
  index: number,
): readonly [string, string] {
  const resource = (name: string, method: string): string =>
    `using ${frame}${name}${index}=${frame}&&{[Symbol.dispose]:()=>${frame}.${method}()};`;
  return [resource('b', 'recover'), `;${resource('a', 'suspend')}`];
}

export interface Frame {
  readonly fn: FunctionModel;
  /** An expression for its site's id. */
  readonly site: string;
  /** The nearest instrumented function around it. */
  readonly outer: FunctionModel | null;
  /** The inputs, and the values of the bindings at exit: expressions, separated by commas. */
  readonly inputs: string;
  readonly values: string;
  readonly mirrors: readonly string[];
  /** An expression for `this`; null where none is shown. */
  readonly self: string | null;
  readonly hasResult: boolean;
  readonly needsTemporary: boolean;
  readonly hooks: ReadonlySet<Hook>;
  /** It neither waits nor yields. */
  readonly isSync: boolean;
  /** A `return` leaves the body. */
  readonly breaks: boolean;
}

/** The methods of a frame that values pass through. */
export type Hook = 'suspend' | 'resume' | 'pause' | 'proceed' | 'delegate' | 'iterate' | 'iterable';

/** For a world without our global, where a function that was turned to text may run: there each method hands back what it gets. */
const standIn = (hooks: ReadonlySet<Hook>): string =>
  `{${Array.from(hooks, (hook) => `${hook}:${unchanged}`).join(',')}}`;

const unchanged = 'v=>v';

/**
 * The text before a body. The check is safe if our global does not exist, for example in a function that is turned into text and run
 * elsewhere, where the frame around it does not exist either. The text is short because V8 parses it at start-up.
 */
export function prologue({
  fn,
  outer,
  site,
  inputs,
  mirrors,
  hasResult,
  needsTemporary,
  hooks,
  isSync,
  breaks,
}: Frame): string {
  const { frame, enter, result, temporary, self } = fn.injected;
  let text = enter + site;
  if (inputs !== '') text += `,[${inputs}]`;
  else if (outer !== null) text += ',void 0';
  if (outer !== null) text += `,${outer.injected.ifThere}`;
  text += '):null';
  if (hasResult) text += `,${result}`;
  if (needsTemporary) text += `,${temporary}`;
  if (hooks.size > 0) text += `,${fn.injected.hooks}=${frame}||${idleFrame}||${standIn(hooks)}`;
  if (fn.isDerived) text += `,${self}=${frame}`;
  for (const mirror of mirrors) text += `,${mirror}=${frame}`;
  return `${text};${isSync && breaks ? fn.injected.label : ''}try{`;
}

/**
 * The text after a body. It never breaks or awaits, and returns at most the result of the body. It has as few blocks as possible: V8 makes a scope for each when it parses
 * a function, long before a call.
 */
export function epilogue({ fn, hasResult, self, values, isSync }: Frame): string {
  const { exit, exitSync, exitedSync, result } = fn.injected;
  let rest = '';
  if (hasResult) rest = self === null ? `,${result}` : `,${result},${self}`;
  else if (self !== null) rest = `,void 0,${self}`;
  if (!isSync) return `${exit}${values}]${rest}${exited}`;
  return `${exitSync}${values}]${rest}${exitedSync}${hasResult ? `return ${result};` : ''}`;
}
