import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';

/**
 * Created by `record.ts`. The file has one JSON object per line: the speed of the machine that recorded the visits, then the visits to both
 * releases in the order in which they were recorded.
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
  readonly flow: readonly RecordedStep[];
}

/** A step as the SDK sent it. `repeat` is set if the step is a call aggregate, which stands for many calls. */
export interface RecordedStep {
  readonly startTime: string;
  readonly endTime: string;
  readonly duration: number;
  readonly repeat?: {
    readonly count: number;
    readonly minMs: number;
    readonly sumMs: number;
    readonly maxMs: number;
  };
}

/** The requests of one visitor, in order. */
export interface RecordedVisit {
  readonly kind: string;
  readonly service: ShopService;
  readonly traces: readonly RecordedTrace[];
}

/** The content of {@link HISTORY_FILE}. `workMs` is the result of `measureWork` on the machine that recorded the visits. */
export interface RecordedHistory {
  readonly workMs: number;
  readonly visits: readonly RecordedVisit[];
}

export function packHistory({ workMs, visits }: RecordedHistory): Buffer {
  const text = [{ workMs }, ...visits].map((line) => `${JSON.stringify(line)}\n`).join('');
  return brotliCompressSync(text, {
    params: {
      [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
      [constants.BROTLI_PARAM_SIZE_HINT]: Buffer.byteLength(text),
    },
  });
}

export async function readHistory(): Promise<RecordedHistory> {
  const text = brotliDecompressSync(await readFile(HISTORY_FILE)).toString();
  const [speed = '', ...lines] = text.split('\n').filter((line) => line !== '');
  const { workMs }: Pick<RecordedHistory, 'workMs'> = JSON.parse(speed);
  return { workMs, visits: lines.map((line): RecordedVisit => JSON.parse(line)) };
}
