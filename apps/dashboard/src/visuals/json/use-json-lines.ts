import { useEffect, useRef, useState } from 'react';
import type { JsonAnswer, JsonRequest } from './json.worker.ts';
import type { JsonLines } from './json-lines.ts';

/** A JSON text on its way to being lines. */
export type OpenedJson =
  | { readonly state: 'waiting' }
  | { readonly state: 'opened'; readonly lines: JsonLines; readonly find: FindInJson }
  | { readonly state: 'refused'; readonly error: Error };

/** Looks for a text and gives the lines that hold it; of several searches only the newest is answered. */
export type FindInJson = (text: string, onFound: (lines: Uint32Array) => void) => void;

/** Lays a JSON text out and searches it in a worker, so that tens of megabytes never stop the page. */
export function useJsonLines(bytes: Uint8Array<ArrayBuffer>): OpenedJson {
  const [opened, setOpened] = useState<OpenedJson>({ state: 'waiting' });
  const newest = useRef({ id: 0, onFound: (_: Uint32Array) => {} });

  useEffect(() => {
    const worker = new Worker(new URL('./json.worker.ts', import.meta.url), { type: 'module' });
    const ask = (request: JsonRequest) => worker.postMessage(request);
    const find: FindInJson = (text, onFound) => {
      newest.current = { id: newest.current.id + 1, onFound };
      ask({ kind: 'find', id: newest.current.id, text });
    };
    worker.addEventListener('message', ({ data }: MessageEvent<JsonAnswer>) => {
      if (data.kind === 'opened') setOpened({ state: 'opened', lines: data.lines, find });
      else if (data.kind === 'refused') setOpened({ state: 'refused', error: new Error(data.message) });
      else if (data.id === newest.current.id) newest.current.onFound(data.lines);
    });
    worker.addEventListener('error', () =>
      setOpened({
        state: 'refused',
        error: new Error('The browser could not start the part that reads JSON.'),
      }),
    );
    ask({ kind: 'open', bytes });
    return () => worker.terminate();
  }, [bytes]);

  return opened;
}
