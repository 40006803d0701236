import type { InstrumentedSite } from '../record/open-step.ts';
import { broughtSitesName, entryCall, runtimeName } from '../record/runtime-name.ts';
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

/** `F?.method()` */
export const call = (fn: FunctionModel, method: string): string => `${fn.frame}?.${method}()`;

/**
 * What stands before and after an `await using`: resources of our own, of which the later is disposed of first. So the frame is suspended right
 * before what was declared is disposed of and waited for, and back right after.
 */
export function aroundDisposal({ frame }: FunctionModel, index: number): readonly [string, string] {
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
  readonly self: string;
  readonly hasResult: boolean;
  readonly needsTemporary: boolean;
  /** What a `catch` catches. */
  readonly error: string;
}

/**
 * What stands before a body. The check is safe where our global does not exist, such as in a function that is turned to text and run elsewhere;
 * there the frame around it does not exist either. All of it is short, since V8 has to read it at start-up.
 */
export function prologue({ fn, outer, site, inputs, mirrors, hasResult, needsTemporary }: Frame): string {
  const f = fn.frame;
  const around = outer === null ? 'null' : `typeof ${outer.frame}==='object'?${outer.frame}:null`;
  let text = `var ${f}=typeof ${runtimeName}==='object'&&${runtimeName}.on?${entryCall}${site},${around}${inputs === '' ? '' : `,[${inputs}]`}):null`;
  if (hasResult) text += `,${fn.result}`;
  if (needsTemporary) text += `,${fn.temporary}`;
  if (fn.isDerived) text += `,${fn.self}=${f}`;
  for (const mirror of mirrors) text += `,${mirror}=${f}`;
  return `${text};try{`;
}

/**
 * What stands after a body. The frame's own work is guarded: on a full stack it may fail, and must not hide the host's error. Nothing here
 * returns, breaks or awaits.
 */
export function epilogue({ fn, hasResult, self, values, error }: Frame): string {
  const f = fn.frame;
  const result = hasResult ? fn.result : 'void 0';
  return (
    `}catch(${error}){if(${f})try{${f}.fail(${error})}catch{}throw ${error}}` +
    `finally{if(${f})try{${f}.all?${f}.exit(${result},${self},[${values}]):${f}.leave()}catch{}}`
  );
}
