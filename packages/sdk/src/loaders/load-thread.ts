import type { LoadHook } from 'node:module';
import type { InstrumentedSite } from '../record/open-step.ts';
import { runtimeName } from '../record/runtime-name.ts';
import { report } from '../report.ts';
import { fileOf, sourceText } from './loaded-source.ts';
import { ownCodeTest } from './own-code.ts';
import { Transform } from './transform.ts';

/** What the main thread hands to Node's loader thread. No port: on Node 20 one handed over in a `--require` ends the process without a word. */
export interface ThreadData {
  /** The next site id, shared by both threads. */
  readonly ids: SharedArrayBuffer;
  readonly root: string;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly withMap: boolean;
}

let transform: Transform | undefined;
/** The sites of the module at hand: `Transform` calls back at once. */
let added = '';

/** Node calls it once, with the data of `register`. */
export function initialize(data: ThreadData): void {
  const ids = new Int32Array(data.ids);
  transform = new Transform({
    root: data.root,
    isOwn: ownCodeTest(data),
    reserveSites: (count) => Atomics.add(ids, 0, count),
    addSites: (first, sites) => {
      added = registration(first, sites);
    },
    withMap: () => data.withMap,
    report,
  });
}

/** Only ES modules: CommonJS is seen again where it is compiled, and would be done twice. */
export const load: LoadHook = async (url, context, nextLoad) => {
  const loaded = await nextLoad(url, context);
  if (transform === undefined || loaded.format !== 'module' || !url.startsWith('file:')) return loaded;
  const file = fileOf(url);
  const source = sourceText(loaded.source);
  if (file === null || source === null || !transform.isOwn(file)) return loaded;
  added = '';
  const code = transform.apply(source, file, 'module');
  const start = code.startsWith('#!') ? code.indexOf('\n') + 1 : 0;
  return { ...loaded, source: code.slice(0, start) + added + code.slice(start) };
};

/** The module itself brings its sites to the main thread, on its first line. */
function registration(first: number, sites: readonly InstrumentedSite[]): string {
  return `typeof ${runtimeName}!=='undefined'&&${runtimeName}.addSites(${first},${JSON.stringify(sites)});`;
}
