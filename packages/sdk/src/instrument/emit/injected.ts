import { entryCall, prebuiltSitesName, runtimeName } from '../../internal/runtime-name.ts';
import type { InstrumentedSite } from '../../record/types.ts';
import type { FunctionModel } from '../analyze/model.ts';
import { exited } from './injected-names.ts';

/** Expression for the object that replaces the `ActiveStep` of a call that is not recorded. */
const idleFrame = `typeof ${runtimeName}==='object'&&${runtimeName}.idle`;

const firstPrebuiltId = `${runtimeName}m`;

/**
 * Formats a site id in code that registers its own sites. At run time, the code appends its sites to a list of the process, and an id is
 * computed from their position in the list. The ids are negative, so they never collide with reserved ids. If the list cannot be created,
 * for example because the global object is frozen, nothing is recorded.
 */
export const formatPrebuiltSiteId = (index: number): string =>
  `typeof ${firstPrebuiltId}==='undefined'?NaN:${firstPrebuiltId}-${index}`;

export const registerPrebuiltSites = (sites: readonly InstrumentedSite[]): string =>
  `var ${firstPrebuiltId};try{${firstPrebuiltId}=${sites.length - 1}-(globalThis.${prebuiltSitesName}??=[]).push(...[${sites.map((site) => JSON.stringify(site)).join(',')}])}catch{}`;

/**
 * Formats the comment that is inserted into a forwarder, a compiler's function that only calls the function with the author's body. The
 * comment contains the text with which injected code begins. Code that looks for this text in a function's source therefore treats the
 * forwarder as instrumented.
 */
export const formatForwardingMark = (site: string): string =>
  `/* calls one that begins with ${entryCall}${site}) */`;

/**
 * Returns the text around an `await using`: two injected resources, one before and one after the author's. Resources are disposed of in
 * reverse order, so the function's step is suspended right before the author's resource is disposed of and awaited, and resumed right
 * after.
 */
export function wrapDisposal(
  { injected: { frame } }: FunctionModel,
  index: number,
): readonly [string, string] {
  const resource = (name: string, method: string): string =>
    `using ${frame}${name}${index}=${frame}&&{[Symbol.dispose]:()=>${frame}.${method}()};`;
  return [resource('b', 'recover'), `;${resource('a', 'suspend')}`];
}

export interface Frame {
  readonly fn: FunctionModel;
  /** Expression for the id of the function's site. */
  readonly site: string;
  /** The nearest instrumented function around this one. */
  readonly outer: FunctionModel | null;
  /** Comma-separated expressions for the inputs, and for the values of the bindings at exit. */
  readonly inputs: string;
  readonly values: string;
  readonly mirrors: readonly string[];
  /** Expression for `this`; null if the step shows no `this`. */
  readonly self: string | null;
  readonly hasResult: boolean;
  readonly needsTemporary: boolean;
  readonly hooks: ReadonlySet<Hook>;
  /** True if the function neither awaits nor yields. */
  readonly isSync: boolean;
  /** True if the body contains a `return`. */
  readonly breaks: boolean;
}

/** Methods of `ActiveStep` through which awaited or iterated values pass. */
export type Hook = 'suspend' | 'resume' | 'pause' | 'proceed' | 'delegate' | 'iterate' | 'iterable';

/**
 * Formats a stand-in for an `ActiveStep`, whose methods return their argument. Used if the injected global does not exist, as when a
 * function's source is run elsewhere.
 */
const formatStandIn = (hooks: ReadonlySet<Hook>): string =>
  `{${Array.from(hooks, (hook) => `${hook}:${unchanged}`).join(',')}}`;

const unchanged = 'v=>v';

/**
 * Returns the text before a body. It works even if the injected global and the outer `ActiveStep` do not exist, for example if the
 * function's source is run elsewhere. It is short, because V8 parses it when the host starts.
 */
export function formatPrologue({
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
  if (hooks.size > 0) text += `,${fn.injected.hooks}=${frame}||${idleFrame}||${formatStandIn(hooks)}`;
  if (fn.isDerived) text += `,${self}=${frame}`;
  for (const mirror of mirrors) text += `,${mirror}=${frame}`;
  return `${text};${isSync && breaks ? fn.injected.label : ''}try{`;
}

/**
 * Returns the text after a body. It contains no `break` and no `await`; its only `return` returns the body's result. It has as few blocks
 * as possible, because V8 makes a scope for each block as soon as it parses a function.
 */
export function formatEpilogue({ fn, hasResult, self, values, isSync }: Frame): string {
  const { exit, exitSync, exitedSync, result } = fn.injected;
  let rest = '';
  if (hasResult) rest = self === null ? `,${result}` : `,${result},${self}`;
  else if (self !== null) rest = `,void 0,${self}`;
  if (!isSync) return `${exit}${values}]${rest}${exited}`;
  return `${exitSync}${values}]${rest}${exitedSync}${hasResult ? `return ${result};` : ''}`;
}
