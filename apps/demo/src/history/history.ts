import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';

/**
 * Created by `record.ts`. The file has one JSON object per line: the services of both releases, then the visits in the order in which they
 * were recorded.
 */
export const HISTORY_FILE = fileURLToPath(new URL('../../history.ndjson.br', import.meta.url));

/** The sending service as the SDK describes it. */
export interface ShopService {
  readonly name: string;
  readonly release: string;
  readonly [detail: string]: unknown;
}

/** A trace as the SDK sent it. Declares only the members that a replay changes. */
export interface RecordedTrace {
  readonly spanId: string;
  readonly timing: { readonly startTime: string; readonly duration: number };
  readonly sessionId?: string;
  readonly request?: unknown;
  readonly response?: unknown;
  readonly user?: unknown;
  readonly flow: readonly { readonly startTime: string; readonly endTime: string }[];
}

/** The requests of one visitor, in order. */
export interface RecordedVisit {
  readonly kind: string;
  readonly service: ShopService;
  readonly traces: readonly RecordedTrace[];
}

export function packHistory(visits: readonly RecordedVisit[]): Buffer {
  const text = visits.map((visit) => `${JSON.stringify(visit)}\n`).join('');
  return brotliCompressSync(text, {
    params: {
      [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
      [constants.BROTLI_PARAM_SIZE_HINT]: Buffer.byteLength(text),
    },
  });
}

export async function readHistory(): Promise<RecordedVisit[]> {
  const text = brotliDecompressSync(await readFile(HISTORY_FILE)).toString();
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line): RecordedVisit => JSON.parse(line));
}
