import type { InstrumentedSite } from '../record/open-step.ts';
import { broughtSitesName, entryCall, runtimeName } from '../record/runtime-name.ts';
import type { FunctionModel } from './model.ts';

/** The names that injected code declares. A source that has any of them already is left as it is. */
export const reserved = runtimeName;

export const frameOf = (fn: FunctionModel): string => `${reserved}f${fn.level}`;
export const resultOf = (fn: FunctionModel): string => `${reserved}r${fn.level}`;
export const temporaryOf = (fn: FunctionModel): string => `${reserved}t${fn.level}`;
/** A derived constructor's `this`. */
export const selfOf = (fn: FunctionModel): string => `${reserved}s${fn.level}`;
export const mirrorName = (index: number): string => `${reserved}v${index}`;

const error = `${reserved}e`;
const broughtAt = `${reserved}m`;

/**
 * For code that brings its sites along: it puts them into a list of this process when it is run, and counts from where they lie there. Ids are
 * negative, so that they never meet those given out here.
 */
export const broughtSite = (index: number): string =>
  `typeof ${broughtAt}==='undefined'?NaN:${broughtAt}-${index}`;

export const bringSites = (sites: readonly InstrumentedSite[]): string =>
  `var ${broughtAt}=${sites.length - 1}-(globalThis.${broughtSitesName}??=[]).push(${sites.map((site) => JSON.stringify(site)).join(',')});`;

/** `F?.method()` */
export const call = (fn: FunctionModel, method: string): string => `${frameOf(fn)}?.${method}()`;

export interface Frame {
  readonly fn: FunctionModel;
  /** An expression for its site's id. */
  readonly site: string;
  /** The nearest instrumented function around it. */
  readonly outer: FunctionModel | null;
  readonly inputs: readonly string[];
  /** Expressions for the values at exit. */
  readonly values: readonly string[];
  readonly mirrors: readonly string[];
  readonly self: string;
  readonly hasResult: boolean;
  readonly needsTemporary: boolean;
}

/**
 * What stands before a body. The check is safe where our global does not exist, such as in a function that is turned to text and run elsewhere;
 * there the frame around it does not exist either. All of it is short, since V8 has to read it at start-up: 500 files of 2 kB took 28 ms longer
 * to load with 4.4 kB more in each.
 */
export function prologue(frame: Frame): string {
  const { fn, outer } = frame;
  const around = outer === null ? 'null' : `typeof ${frameOf(outer)}==='object'?${frameOf(outer)}:null`;
  const inputs = frame.inputs.length === 0 ? '' : `,[${frame.inputs.join(',')}]`;
  const f = frameOf(fn);
  let text = `var ${f}=typeof ${reserved}==='object'&&${reserved}.on?${entryCall}${frame.site},${around}${inputs}):null`;
  if (frame.hasResult) text += `,${resultOf(fn)}`;
  if (frame.needsTemporary) text += `,${temporaryOf(fn)}`;
  if (fn.isDerived) text += `,${selfOf(fn)}=${f}`;
  for (const mirror of frame.mirrors) text += `,${mirror}=${f}`;
  return `${text};try{`;
}

/**
 * What stands after a body. The frame's own work is guarded: on a full stack it may fail, and must not hide the host's error. Nothing here
 * returns, breaks or awaits.
 */
export function epilogue({ fn, hasResult, self, values }: Frame): string {
  const f = frameOf(fn);
  const result = hasResult ? resultOf(fn) : 'void 0';
  return (
    `}catch(${error}){if(${f})try{${f}.fail(${error})}catch{}throw ${error}}` +
    `finally{if(${f})try{${f}.all?${f}.exit(${result},${self},[${values.join(',')}]):${f}.leave()}catch{}}`
  );
}
