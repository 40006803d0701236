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

/**
 * Lays a JSON text out and searches it in a worker, so that tens of megabytes never stop the page. The worker starts while the text is still on
 * its way (undefined).
 */
export function useJsonLines(bytes: Uint8Array<ArrayBuffer> | undefined): OpenedJson {
  const [opened, setOpened] = useState<OpenedJson>({ state: 'waiting' });
  const reader = useRef<Reader>(undefined);

  useEffect(() => {
    reader.current = startReader(setOpened);
    return () => {
      reader.current?.worker.terminate();
      reader.current = undefined;
    };
  }, []);
  useEffect(() => {
    if (bytes === undefined) return;
    // One that could not start may start now.
    if (reader.current?.failed !== false) reader.current = startReader(setOpened);
    reader.current.worker.postMessage({ kind: 'open', bytes } satisfies JsonRequest);
  }, [bytes]);

  return opened;
}

interface Reader {
  readonly worker: Worker;
  failed: boolean;
}

function startReader(onOpened: (opened: OpenedJson) => void): Reader {
  const worker = new Worker(new URL('./json.worker.ts', import.meta.url), { type: 'module' });
  const reader: Reader = { worker, failed: false };
  let newest = { id: 0, onFound: (_: Uint32Array) => {} };
  const find: FindInJson = (text, onFound) => {
    newest = { id: newest.id + 1, onFound };
    worker.postMessage({ kind: 'find', id: newest.id, text } satisfies JsonRequest);
  };
  worker.addEventListener('message', ({ data }: MessageEvent<JsonAnswer>) => {
    if (data.kind === 'opened') onOpened({ state: 'opened', lines: data.lines, find });
    else if (data.kind === 'refused') onOpened({ state: 'refused', error: new Error(data.message) });
    else if (data.id === newest.id) newest.onFound(data.lines);
  });
  worker.addEventListener('error', () => {
    reader.failed = true;
    onOpened({
      state: 'refused',
      error: new Error('The browser could not start the part that reads JSON.'),
    });
  });
  return reader;
}
