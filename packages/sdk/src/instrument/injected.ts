import type { InstrumentedSite } from '../record/open-step.ts';
import { broughtSitesName, runtimeName } from '../record/runtime-name.ts';
import { exited } from './injected-names.ts';
import type { FunctionModel } from './model.ts';

const broughtAt = `${runtimeName}m`;

/**
 * For code that brings its sites along: it puts them into a list of this process when it is run, and counts from where they lie there. Ids are
 * negative, so that they never meet those given out here.
 */
export const broughtSite = (index: number): string =>
  `typeof ${broughtAt}==='undefined'?NaN:${broughtAt}-${index}`;

export const bringSites = (sites: readonly InstrumentedSite[]): string =>
  `var ${broughtAt}=${sites.length - 1}-(globalThis.${broughtSitesName}??=[]).push(${sites.map((site) => JSON.stringify(site)).join(',')});`;

/**
 * What stands before and after an `await using`: resources of our own, of which the later is disposed of first. So the frame is suspended right
 * before what was declared is disposed of and waited for, and back right after.
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
  /** What it is called with, and what its bindings hold at exit: expressions, with commas between them. */
  readonly inputs: string;
  readonly values: string;
  readonly mirrors: readonly string[];
  /** An expression for `this`; null where none is shown. */
  readonly self: string | null;
  readonly hasResult: boolean;
  readonly needsTemporary: boolean;
}

/**
 * What stands before a body. The check is safe where our global does not exist, such as in a function that is turned to text and run elsewhere;
 * there the frame around it does not exist either. All of it is short, since V8 has to read it at start-up.
 */
export function prologue({ fn, outer, site, inputs, mirrors, hasResult, needsTemporary }: Frame): string {
  const { frame, enter, result, temporary, self } = fn.injected;
  let text = enter + site;
  if (inputs !== '') text += `,[${inputs}]`;
  else if (outer !== null) text += ',void 0';
  if (outer !== null) text += `,${outer.injected.ifThere}`;
  text += '):null';
  if (hasResult) text += `,${result}`;
  if (needsTemporary) text += `,${temporary}`;
  if (fn.isDerived) text += `,${self}=${frame}`;
  for (const mirror of mirrors) text += `,${mirror}=${frame}`;
  return `${text};try{`;
}

/**
 * What stands after a body. It returns, breaks and awaits nothing, and has as few blocks as can be: V8 makes a scope for each when
 * it reads a function, long before it is called.
 */
export function epilogue({ fn, hasResult, self, values }: Frame): string {
  const { exit, result } = fn.injected;
  let rest = '';
  if (hasResult) rest = self === null ? `,${result}` : `,${result},${self}`;
  else if (self !== null) rest = `,void 0,${self}`;
  return `${exit}${values}]${rest}${exited}`;
}
