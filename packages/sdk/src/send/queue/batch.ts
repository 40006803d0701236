import { lateModule } from '../../internal/late-modules.ts';
import type { WireService } from '../encode/wire.ts';
import type { PackedTrace } from './queue.ts';

/** Traces that travel in one request. The key stays the same however often the batch is sent, so that it is stored once. */
export interface Batch {
  readonly key: string;
  readonly traces: readonly PackedTrace[];
  readonly bytes: number;
  /** How often it was sent. */
  attempts: number;
}

export function makeBatch(traces: readonly PackedTrace[]): Batch {
  return {
    key: lateModule('node:crypto').randomUUID(),
    traces,
    bytes: traces.reduce((sum, trace) => sum + trace.json.length, 0),
    attempts: 0,
  };
}

/** Two batches with the halves of this one; none when it holds a single trace. They are new to the server, with keys of their own. */
export function splitBatch(batch: Batch): readonly Batch[] {
  if (batch.traces.length < 2) return [];
  const middle = Math.ceil(batch.traces.length / 2);
  return [makeBatch(batch.traces.slice(0, middle)), makeBatch(batch.traces.slice(middle))];
}

/** Who sends: the same for all batches of a process. */
export interface Envelope {
  readonly sdk: { readonly name: string; readonly version: string };
  readonly service: WireService;
}

/**
 * The body of a request; `envelope` is {@link Envelope} as JSON. `lost` says how many traces were given up before this one: the reason of a gap.
 */
export function buildBody(
  traces: readonly PackedTrace[],
  envelope: string,
  lost: number,
): Buffer<ArrayBuffer> {
  const told = lost > 0 ? `,"lost":{"traces":${lost}}` : '';
  const pieces: Uint8Array[] = [Buffer.from(`${envelope.slice(0, -1)}${told},"traces":[`)];
  traces.forEach((trace, at) => {
    if (at > 0) pieces.push(comma);
    pieces.push(trace.json);
  });
  pieces.push(end);
  return joined(pieces);
}

/** Large enough for most batches: what was given back, to be used again. Fresh memory of that size costs five times the copying. */
const BLOCK_BYTES = 1_250_000;
const free: Buffer<ArrayBuffer>[] = [];
const MAX_FREE_BLOCKS = 2;

/** In memory of its own, which can be handed to another thread. */
function joined(pieces: readonly Uint8Array[]): Buffer<ArrayBuffer> {
  const size = pieces.reduce((sum, piece) => sum + piece.length, 0);
  const isUsual = size <= BLOCK_BYTES && size > BLOCK_BYTES / 4;
  const block = isUsual ? (free.pop() ?? newBlock(BLOCK_BYTES)) : newBlock(size);
  let at = 0;
  for (const piece of pieces) {
    block.set(piece, at);
    at += piece.length;
  }
  return block.subarray(0, at);
}

function newBlock(bytes: number): Buffer<ArrayBuffer> {
  return Buffer.allocUnsafeSlow(bytes);
}

/** The body is sent, and will not be looked at any more. */
export function giveBackBody(body: Buffer<ArrayBuffer>): void {
  if (body.buffer.byteLength === BLOCK_BYTES && free.length < MAX_FREE_BLOCKS)
    free.push(Buffer.from(body.buffer));
}

const comma = Buffer.from(',');
const end = Buffer.from(']}');
