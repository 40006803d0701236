import { useEffect, useRef, useState } from 'react';
import type { JsonAnswer, JsonRequest } from './json.worker.ts';
import type { JsonLines } from './json-lines.ts';

/** A JSON text on its way to being lines. */
export type OpenedJson =
  | { readonly state: 'waiting' }
  | {
      readonly state: 'opened';
      readonly lines: JsonLines;
      /** Bytes that are here of a long text that is still on its way: `lines` are its beginning. */
      readonly loadedBytes?: number;
      readonly find: FindInJson;
    }
  | { readonly state: 'refused'; readonly error: Error };

/** Looks for a text and gives the lines that hold it; of several searches only the newest is answered. */
export type FindInJson = (text: string, onFound: (lines: Uint32Array) => void) => void;

/** A text as it comes, UTF-8. Each part is given away. Ends early where the signal gives it up. */
export type TextParts = (signal: AbortSignal) => AsyncIterable<Uint8Array<ArrayBuffer>>;

/** The page reports its progress after this many bytes. */
const TOLD_BYTES = 500_000;

/**
 * Lays a JSON text out and searches it in a worker, so that tens of megabytes never stop the page. The worker starts before the text is there
 * (undefined), and works on each part while the next is on its way. A text is asked for its parts once.
 */
export function useJsonLines(parts: TextParts | undefined): OpenedJson {
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
    if (parts === undefined) return;
    const given = new AbortController();
    const hand = async () => {
      // React may take an effect back at once and run it again, which the text would not stand.
      await Promise.resolve();
      if (given.signal.aborted) return;
      // One that could not start may start now; one that has begun with another text has done its work.
      if (reader.current?.state !== 'ready') {
        reader.current?.worker.terminate();
        reader.current = startReader(setOpened);
        setOpened({ state: 'waiting' });
      }
      const { worker } = reader.current;
      reader.current.state = 'reading';
      let loadedBytes = 0;
      for await (const bytes of parts(given.signal)) {
        loadedBytes += bytes.length;
        const loaded = Math.floor(loadedBytes / TOLD_BYTES) * TOLD_BYTES;
        setOpened((before) => told(before, loaded));
        worker.postMessage({ kind: 'part', bytes } satisfies JsonRequest, [bytes.buffer]);
      }
      if (!given.signal.aborted) worker.postMessage({ kind: 'end' } satisfies JsonRequest);
    };
    hand().catch((error: unknown) => {
      if (given.signal.aborted) return;
      setOpened({ state: 'refused', error: error instanceof Error ? error : new Error(String(error)) });
    });
    return () => given.abort();
  }, [parts]);

  return opened;
}

/** A text that is still on its way, with how much of it is here. */
function told(before: OpenedJson, loadedBytes: number): OpenedJson {
  if (before.state !== 'opened' || before.loadedBytes === undefined) return before;
  return before.loadedBytes === loadedBytes ? before : { ...before, loadedBytes };
}

interface Reader {
  readonly worker: Worker;
  state: 'ready' | 'reading' | 'failed';
}

function startReader(onOpened: (opened: OpenedJson) => void): Reader {
  const worker = new Worker(new URL('./json.worker.ts', import.meta.url), { type: 'module' });
  const reader: Reader = { worker, state: 'ready' };
  let newest = { id: 0, onFound: (_: Uint32Array) => {} };
  const find: FindInJson = (text, onFound) => {
    newest = { id: newest.id + 1, onFound };
    worker.postMessage({ kind: 'find', id: newest.id, text } satisfies JsonRequest);
  };
  worker.addEventListener('message', ({ data }: MessageEvent<JsonAnswer>) => {
    if (data.kind === 'begun') onOpened({ state: 'opened', lines: data.lines, loadedBytes: 0, find });
    else if (data.kind === 'opened') onOpened({ state: 'opened', lines: data.lines, find });
    else if (data.kind === 'refused') onOpened({ state: 'refused', error: new Error(data.message) });
    else if (data.id === newest.id) newest.onFound(data.lines);
  });
  worker.addEventListener('error', () => {
    reader.state = 'failed';
    onOpened({
      state: 'refused',
      error: new Error('The browser could not start the JSON reader.'),
    });
  });
  return reader;
}
