import { useEffect, useRef, useState } from 'react';
import type { JsonAnswer, JsonRequest } from './json.worker.ts';
import type { JsonLines } from './json-lines.ts';

/** JSON that is being loaded and laid out. */
export type OpenedJson =
  | { readonly state: 'waiting' }
  | {
      readonly state: 'opened';
      readonly lines: JsonLines;
      /** The number of bytes received so far, if long JSON is still loading: `lines` are then the beginning of the JSON. */
      readonly loadedBytes?: number;
      readonly find: FindInJson;
    }
  | { readonly state: 'refused'; readonly error: Error };

/** Searches for a string and returns the lines that contain it; of several searches only the newest gets a result. */
export type FindInJson = (text: string, onFound: (lines: Uint32Array) => void) => void;

/** The JSON as UTF-8 chunks. Each chunk's buffer is transferred to the worker. Ends early if the signal is aborted. */
export type TextParts = (signal: AbortSignal) => AsyncIterable<Uint8Array<ArrayBuffer>>;

/** The page updates its progress after this many bytes. */
const TOLD_BYTES = 500_000;

/**
 * Lays out and searches JSON in a worker, so that tens of megabytes never block the page. The worker already starts while `parts` is
 * undefined, and processes each chunk while the next one is loading. The chunks are requested only once.
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
      // React may undo an effect immediately and run it again, but the chunks can be read only once.
      await Promise.resolve();
      if (given.signal.aborted) return;
      // Starts a worker if the previous one failed to start, or has already begun with other JSON.
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
        setOpened((before) => withLoadedBytes(before, loaded));
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

/** Sets the number of bytes received if the JSON is still loading; returns every other state unchanged. */
function withLoadedBytes(before: OpenedJson, loadedBytes: number): OpenedJson {
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
