import type { LoadHook } from 'node:module';
import type { MessagePort } from 'node:worker_threads';
import type { InstrumentedSite } from '../record/open-step.ts';
import { fileOf, sourceText } from './loaded-source.ts';
import { ownCodeTest } from './own-code.ts';
import { Transform } from './transform.ts';

/** What the main thread hands to Node's loader thread. */
export interface ThreadData {
  readonly port: MessagePort;
  /** The next site id, shared by both threads. */
  readonly ids: SharedArrayBuffer;
  readonly root: string;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly withMap: boolean;
}

export type ThreadMessage =
  | { readonly first: number; readonly sites: readonly InstrumentedSite[] }
  | { readonly line: string };

let transform: Transform | undefined;

/** Node calls it once, with the data of `register`. */
export function initialize(data: ThreadData): void {
  const ids = new Int32Array(data.ids);
  const send = (message: ThreadMessage): void => data.port.postMessage(message);
  data.port.unref();
  transform = new Transform({
    root: data.root,
    isOwn: ownCodeTest(data),
    reserveSites: (count) => Atomics.add(ids, 0, count),
    addSites: (first, sites) => send({ first, sites }),
    withMap: () => data.withMap,
    report: (line) => send({ line }),
  });
}

/** Only ES modules: CommonJS is seen again where it is compiled, and would be done twice. */
export const load: LoadHook = async (url, context, nextLoad) => {
  const loaded = await nextLoad(url, context);
  if (transform === undefined || loaded.format !== 'module' || !url.startsWith('file:')) return loaded;
  const file = fileOf(url);
  const source = sourceText(loaded.source);
  if (file === null || source === null || !transform.isOwn(file)) return loaded;
  return { ...loaded, source: transform.apply(source, file, 'module') };
};
