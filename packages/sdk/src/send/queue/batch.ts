import { loadLateModule } from '../../internal/late-modules.ts';
import type { WireService } from '../encode/wire.ts';
import type { PackedTrace } from './queue.ts';

/** The search for the invalid traces of a batch. It has limits, because the cause can also be a proxy that breaks every body. */
interface InvalidSearch {
  /** Number of consecutive refusals of parts. */
  refused: number;
  /** Number of consecutive refusals after which a proxy is taken for the cause. */
  readonly maxRefused: number;
  /** Number of times that a part can still be split, which costs two requests. */
  splits: number;
}

/** Maximum number of times that the parts of one batch are split: enough for six invalid traces in a batch of 256. */
const MAX_SPLITS = 48;

/** Traces that are sent in one request. The key stays the same for each attempt, so that the batch is stored once. */
export interface Batch {
  readonly key: string;
  readonly traces: readonly PackedTrace[];
  readonly bytes: number;
  /** Number of times the batch was sent. */
  attempts: number;
  /** Shared by all parts of a batch that was refused because of invalid JSON. */
  readonly search?: InvalidSearch;
}

export function makeBatch(traces: readonly PackedTrace[]): Batch {
  return {
    key: loadLateModule('node:crypto').randomUUID(),
    traces,
    bytes: traces.reduce((sum, trace) => sum + trace.json.length, 0),
    attempts: 0,
  };
}

/**
 * Splits a batch into two halves. Each half gets a new idempotency key, because the server knows the old key as the whole batch's key.
 * Returns no batches if the batch has only one trace, which cannot be split.
 */
export function splitBatch(batch: Batch): readonly Batch[] {
  if (batch.traces.length < 2) return [];
  const middle = Math.ceil(batch.traces.length / 2);
  return [makeBatch(batch.traces.slice(0, middle)), makeBatch(batch.traces.slice(middle))];
}

/**
 * Splits a batch that was refused because of invalid JSON. Returns no batches if the batch cannot be split, or if the search for the invalid
 * traces of the batch has reached a limit.
 */
export function splitInvalid(batch: Batch): readonly Batch[] {
  const search = batch.search ?? {
    refused: 0,
    maxRefused: 2 * Math.ceil(Math.log2(batch.traces.length)) + 1,
    splits: MAX_SPLITS,
  };
  search.refused++;
  if (search.refused > search.maxRefused || search.splits === 0) return [];
  const parts = splitBatch(batch);
  if (parts.length > 0) search.splits--;
  return parts.map((part) => ({ ...part, search }));
}

/** Called when the server has stored a part of a batch with invalid JSON, which shows that no proxy breaks every body. */
export function noteStored({ search }: Batch): void {
  if (search !== undefined) search.refused = 0;
}

/** Describes the process that sends. The description is the same for all batches. */
export interface Envelope {
  readonly sdk: { readonly name: string; readonly version: string };
  readonly service: WireService;
}

/**
 * Builds a request body. `envelope` is the {@link Envelope} as JSON. `lost` is the number of lost traces that no earlier request has
 * reported to the server; it explains a gap in the project's traces.
 */
export function buildBody(
  traces: readonly PackedTrace[],
  envelope: string,
  lost: number,
): Buffer<ArrayBuffer> {
  const lostMember = lost > 0 ? `,"lost":{"traces":${lost}}` : '';
  const pieces: Uint8Array[] = [Buffer.from(`${envelope.slice(0, -1)}${lostMember},"traces":[`)];
  traces.forEach((trace, at) => {
    if (at > 0) pieces.push(comma);
    pieces.push(trace.json);
  });
  pieces.push(end);
  return joinPieces(pieces);
}

/**
 * Size of the reusable buffers in bytes, which is large enough for most batches. Allocating a new buffer of this size takes five times as
 * long as copying into it.
 */
const BLOCK_BYTES = 1_250_000;
const free: Buffer<ArrayBuffer>[] = [];
const MAX_FREE_BLOCKS = 2;

/** Joins the pieces in a separate buffer, which can be transferred to another thread. */
function joinPieces(pieces: readonly Uint8Array[]): Buffer<ArrayBuffer> {
  const size = pieces.reduce((sum, piece) => sum + piece.length, 0);
  const isUsual = size <= BLOCK_BYTES && size > BLOCK_BYTES / 4;
  const block = isUsual ? (free.pop() ?? allocateBlock(BLOCK_BYTES)) : allocateBlock(size);
  let at = 0;
  for (const piece of pieces) {
    block.set(piece, at);
    at += piece.length;
  }
  return block.subarray(0, at);
}

function allocateBlock(bytes: number): Buffer<ArrayBuffer> {
  return Buffer.allocUnsafeSlow(bytes);
}

/** Returns the buffer of a sent body for reuse. The caller must not use the body afterwards. */
export function releaseBody(body: Buffer<ArrayBuffer>): void {
  if (body.buffer.byteLength === BLOCK_BYTES && free.length < MAX_FREE_BLOCKS)
    free.push(Buffer.from(body.buffer));
}

const comma = Buffer.from(',');
const end = Buffer.from(']}');
