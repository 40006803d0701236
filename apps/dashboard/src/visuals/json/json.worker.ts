import { findLines } from './find-lines.ts';
import { createJsonFormatter } from './format-json.ts';
import type { JsonLines } from './json-lines.ts';

/** The page's request. `id` identifies the response, since only the newest response is used. */
export type JsonRequest =
  | { readonly kind: 'part'; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: 'end' }
  | { readonly kind: 'find'; readonly id: number; readonly text: string };

export type JsonAnswer =
  | { readonly kind: 'begun'; readonly lines: JsonLines }
  | { readonly kind: 'opened'; readonly lines: JsonLines }
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'found'; readonly id: number; readonly lines: Uint32Array<ArrayBuffer> };

/** The size of the first part of long JSON, which is shown before the rest arrives. Bytes. */
const HEAD_BYTES = 100_000;

const formatter = createJsonFormatter();
let writtenBytes = 0;
/** The lines to search, stored in the worker so that a search never blocks the page. */
let opened: Pick<JsonLines, 'bytes' | 'starts'> | undefined;
/** A search that was requested before all bytes arrived. */
let wanted: Extract<JsonRequest, { kind: 'find' }> | undefined;
let refused = false;

addEventListener('message', ({ data }: MessageEvent<JsonRequest>) => {
  if (data.kind === 'part') runOrRefuse(() => write(data.bytes));
  else if (data.kind === 'end') runOrRefuse(open);
  else if (opened === undefined) wanted = data;
  else find(opened, data);
});

function write(part: Uint8Array): void {
  const head = part.subarray(0, Math.max(0, HEAD_BYTES - writtenBytes));
  const rest = part.subarray(head.length);
  writtenBytes += part.length;
  if (head.length > 0) formatter.write(head);
  if (rest.length === 0) return;
  if (head.length > 0) begin();
  formatter.write(rest);
}

function begin(): void {
  const lines = formatter.soFar();
  if (lines !== undefined) answer({ kind: 'begun', lines }, []);
}

function find(
  text: Pick<JsonLines, 'bytes' | 'starts'>,
  request: Extract<JsonRequest, { kind: 'find' }>,
): void {
  const lines = findLines(text, request.text);
  answer({ kind: 'found', id: request.id, lines }, [lines.buffer]);
}

function open(): void {
  const lines = formatter.end();
  opened = { bytes: lines.bytes, starts: lines.starts };
  const bytes = lines.bytes.slice();
  const { ends, counts, levels } = lines;
  answer({ kind: 'opened', lines: { ...lines, bytes } }, [
    bytes.buffer,
    ends.buffer,
    counts.buffer,
    levels.buffer,
  ]);
  if (wanted !== undefined) find(opened, wanted);
}

/** Runs `act`, and reports an error to the page. Does nothing if an earlier call reported an error. */
function runOrRefuse(act: () => void): void {
  if (refused) return;
  try {
    act();
  } catch (error) {
    refused = true;
    answer({ kind: 'refused', message: error instanceof Error ? error.message : String(error) }, []);
  }
}

function answer(message: JsonAnswer, transfer: Transferable[]): void {
  postMessage(message, { transfer });
}
