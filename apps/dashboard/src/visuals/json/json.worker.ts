import { findLines } from './find-lines.ts';
import { formatJson } from './format-json.ts';
import type { JsonLines } from './json-lines.ts';

/** What the page asks for. `id` tells answers apart, since only the newest counts. */
export type JsonRequest =
  | { readonly kind: 'open'; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: 'find'; readonly id: number; readonly text: string };

export type JsonAnswer =
  | { readonly kind: 'opened'; readonly lines: JsonLines }
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'found'; readonly id: number; readonly lines: Uint32Array<ArrayBuffer> };

/** What is searched: the text stays here, too, so that a search never stops the page. */
let opened: Pick<JsonLines, 'bytes' | 'starts'> | undefined;

addEventListener('message', ({ data }: MessageEvent<JsonRequest>) => {
  if (data.kind === 'open') open(data.bytes);
  else if (opened !== undefined) {
    const lines = findLines(opened, data.text);
    answer({ kind: 'found', id: data.id, lines }, [lines.buffer]);
  }
});

function open(bytes: Uint8Array): void {
  try {
    const lines = formatJson(bytes);
    opened = { bytes: lines.bytes, starts: lines.starts };
    answer({ kind: 'opened', lines }, [lines.ends.buffer, lines.counts.buffer, lines.levels.buffer]);
  } catch (error) {
    answer({ kind: 'refused', message: error instanceof Error ? error.message : String(error) }, []);
  }
}

function answer(message: JsonAnswer, transfer: Transferable[]): void {
  postMessage(message, { transfer });
}
